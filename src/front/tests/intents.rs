//! Each intent through keys, lines and commands: all give equal answers, questions and reasons.

use crate::cli;
use crate::desk::intent::Intent;
use crate::front::tests::faces::{Commands, Console, Face, Lines, Reaction};
use crate::front::tests::given;
use crate::front::tests::given::Answer::{Approved, Noted, Rejected};
use crate::front::tests::given::Given;
use crate::front::tests::given::Given::{
    Answered, Building, Empty, Marked, NoRegistry, Paused, Read, Reading, Reviewing, Stopped, SurveyStops,
    Surveying, Unreadable, VerificationStops, Verifying, Watching,
};
use crate::rules::sending::Purpose;

/// Names the variants, all of them.
macro_rules! kinds {
    ($($name:ident: $pattern:pat,)+) => {
        /// Which intent it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Kind { $($name,)+ }

        const KINDS: &[Kind] = &[$(Kind::$name,)+];

        impl Kind {
            fn of(intent: &Intent) -> Self {
                match intent { $($pattern => Self::$name,)+ }
            }
        }
    };
}

kinds! {
    Reload: Intent::Reload,
    Open: Intent::Open(_),
    Survey: Intent::Survey { .. },
    Verify: Intent::Verify { .. },
    VerifyMarked: Intent::VerifyMarked { .. },
    VerifyAgain: Intent::VerifyAgain,
    Backfill: Intent::Backfill { .. },
    BackfillAgain: Intent::BackfillAgain,
    EstimateBackfill: Intent::EstimateBackfill { .. },
    Pause: Intent::Pause(..),
    Workers: Intent::Workers(..),
    StopAtBad: Intent::StopAtBad(_),
    Add: Intent::Add { .. },
    Edit: Intent::Edit(_),
    Reply: Intent::Reply(_),
    Triage: Intent::Triage(_),
    ListStranded: Intent::ListStranded,
    Decide: Intent::Decide(_),
    Rebuild: Intent::Rebuild { .. },
    Drop: Intent::Drop(_),
    Say: Intent::Say(_),
    Watch: Intent::Watch(_),
    ListReviews: Intent::ListReviews,
    Review: Intent::Review(_),
    DeleteView: Intent::DeleteView(_),
    Arm: Intent::Arm(_),
    Disarm: Intent::Disarm,
    PreparePull: Intent::Prepare(Purpose::Pull(_)),
    PrepareVerdict: Intent::Prepare(Purpose::Verdict(_)),
    PrepareRun: Intent::Prepare(Purpose::Actions(_)),
    FollowRun: Intent::FollowRun(_),
    MergeRun: Intent::MergeRun(_),
    ReadRunLog: Intent::ReadRunLog { .. },
    WriteOut: Intent::WriteOut(_),
    Confirm: Intent::Confirm(..),
    LookAtUndo: Intent::LookAtUndo,
    Send: Intent::Send(_),
    Cancel: Intent::Cancel(_),
    RunAgain: Intent::RunAgain(_),
    Leave: Intent::Leave,
}

/// The input for an intent, or the reason why the face has none.
type Way = Result<&'static str, &'static str>;

/// The expected reaction of a face.
#[derive(Debug)]
enum Wanted {
    /// This job begins. A write needs a yes in a face that does not show the selection.
    Begins(&'static str),
    /// A question with this title and text; a command line said yes to it.
    Asks(&'static str, &'static str, &'static str),
    /// This reason, and what each way on that the desk knows does.
    Refuses(&'static str, &'static [&'static str]),
}

use Wanted::{Asks, Begins, Refuses};

#[derive(Debug)]
struct Row {
    kind: Kind,
    given: Given,
    keys: Way,
    line: Way,
    command: Way,
    wanted: Wanted,
}

const fn row(kind: Kind, given: Given, keys: Way, line: Way, command: Way, wanted: Wanted) -> Row {
    Row { kind, given, keys, line, command, wanted }
}

/// A command reads the registry by itself.
const READS: Way = Err("a command reads the registry by itself");
/// Jobs run inside one program.
const ENDS: Way = Err("a command ends with its job");
const MARKS: Way = Err("marks are a console's; a command names its entries");
const POINTS: Way = Err("a key means the row that it is pressed on, which is there");
const TYPED: Way = Err("versions and reasons are typed in a command");
const NEEDS_CURSOR: Way = Err("needs a cursor");
/// Its review comes first.
const NUMBERED: Way = Err("the number of a pull request is typed");

const LARGE: &str = "acme/large: 40 versions, 500 targets. Total size unknown. Each archive is \
    downloaded and hashed. It only reads; what is finished is kept in a report.";
const AGAIN: &str = "acme/rocket is built again on the registry and upstream as they are now. Changes that stay the same \
    keep their marks; others are looked at again.";
const REPLACES: &str = "The plan already adds missing versions. This replaces that with a change that adds a warning: Old. No data file is written.";
const BLOCKS_INSTEAD: &str = "The plan already adds missing versions. This replaces that with a change that keeps 3.70.1 out: why. No data file is written.";
const ALL_AGAIN: &str = "All of the plan, 3 files, is built again on the registry and upstream as they are now. Changes \
    that stay the same keep their marks; others are looked at again.";
const TWO: &str = "2 marked entries: upstream is read and a file built for each. No data file is written.";
const DROPS: &str = "acme/rocket is removed from the plan. No data file changes.";
/// The command line says it all, and is its own arming.
const NAMES_IT: Way = Err("a command is given the plan, the digits and --write");
const COMMANDED: Way = Err("the palette and `help` name its command");
/// The console's own tests have one.
const RUNS: Way = Err("its key means a run that was looked at");
const LOOKS: Way = Err("a command looks by itself");
const SHOWN: Way = Err("a console sends what it shows");
const NEEDS_WRITE: Wanted = Refuses("a command sends only with --write: nothing was sent", &[]);
const TWO_KEYS: Way = Err("its keys are two");
const ONLY_READS: Wanted =
    Refuses("this console is READ-ONLY: start it again as `bumpdesk --write` to open pull requests", &[]);
const JOB_ASKS: Way = Err("its job reads the files, and limits stand on the line");
const IS_EMPTY: Wanted = Refuses("the plan is empty", &["adds an entry"]);
const IS_MODULE: Wanted =
    Refuses("acme/vpc/aws is a module: it has no archives, checksums or signatures", &[]);
const NOT_READ: Wanted = Refuses("the registry is still being read", &[]);
const SURVEY_RUNS: Wanted = Refuses("a survey is running", &["cancels it"]);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row(Kind::Open, Read, Ok("@acme/rocket enter"), Ok("open acme/rocket"), Ok("show acme/rocket"), Begins("opening acme/rocket")),
    row(Kind::Open, Read, Ok("@acme/vpc/aws enter"), Ok("open acme/vpc/aws"), Ok("show acme/vpc/aws"), Begins("opening acme/vpc/aws")),
    row(Kind::Open, Read, Ok("@acme/rocket d"), Ok("diff acme/rocket"), Ok("diff acme/rocket"), Begins("building the rebuild of acme/rocket")),
    row(Kind::Open, Read, Ok("@acme/vpc/aws d"), Ok("diff acme/vpc/aws"), Ok("diff acme/vpc/aws"), Begins("building the rebuild of acme/vpc/aws")),
    row(Kind::Open, Reading, Ok("enter"), Ok("open 1"), READS, NOT_READ),
    row(Kind::Open, Unreadable, Ok("d"), Ok("diff 1"), READS, Refuses("the registry could not be read", &["tries again"])),
    row(Kind::Open, NoRegistry, Ok("enter"), Ok("open 1"), READS, Refuses("no registry is open", &["leaves", "gets one"])),

    row(Kind::Survey, Read, Ok("@acme/rocket r"), Ok("survey acme/rocket"), Ok("survey acme/rocket"), Begins("survey of acme/rocket")),
    row(Kind::Survey, Read, Ok("@acme/vpc/aws r"), Ok("survey acme/vpc/aws"), Ok("survey acme/vpc/aws"), Begins("survey of acme/vpc/aws")),
    row(Kind::Survey, Read, Ok("R"), Ok("survey shown"), Ok("survey"), Begins("survey of everything")),
    row(Kind::Survey, Marked(&["acme/rocket", "acme/vpc/aws"]), Ok("r"), Ok("survey marked"), Ok("survey acme/rocket acme/vpc/aws"), Begins("survey of 2 entries")),
    row(Kind::Survey, Surveying, Ok("@acme/rocket r"), Ok("survey acme/rocket"), ENDS, SURVEY_RUNS),
    row(Kind::Survey, Surveying, Ok("R"), Ok("survey all"), ENDS, SURVEY_RUNS),
    row(Kind::Survey, SurveyStops, Ok("R"), Ok("survey all"), ENDS, Refuses("the survey is stopping", &[])),
    row(Kind::Survey, Reading, Ok("R"), Ok("survey all"), READS, NOT_READ),

    row(Kind::Verify, Read, Ok("@acme/rocket V"), Ok("verify acme/rocket"), Ok("verify acme/rocket"), Begins("verification of acme/rocket")),
    row(Kind::Verify, Read, Ok("@acme/satellite enter j V"), Ok("verify acme/satellite@1.0.0"), Ok("verify acme/satellite@1.0.0"), Begins("verification of acme/satellite 1.0.0")),
    row(Kind::Verify, Read, Ok("@acme/satellite enter V"), Ok("verify acme/satellite@3.70.1"), Ok("verify acme/satellite@3.70.1"), Refuses("3.70.1 of acme/satellite is not indexed: nothing is stored to compare with", &[])),
    row(Kind::Verify, Read, Ok("@acme/large V"), Ok("verify acme/large"), Ok("verify acme/large"), Asks("Verify all of it?", LARGE, "verification of acme/large")),
    row(Kind::Verify, Read, Ok("@acme/vpc/aws V"), Ok("verify acme/vpc/aws"), Ok("verify acme/vpc/aws"), IS_MODULE),
    row(Kind::Verify, Read, Ok("@acme/bare V"), Ok("verify acme/bare"), Ok("verify acme/bare"), Refuses("nothing to verify: acme/bare has no targets in the registry", &[])),
    row(Kind::Verify, Verifying, Ok("@acme/large V"), Ok("verify acme/large"), ENDS, Refuses("one verification at a time, and one is running", &["shows it", "stops it"])),
    row(Kind::Verify, VerificationStops, Ok("@acme/large V"), Ok("verify acme/large"), ENDS, Refuses("the verification is stopping", &[])),
    row(Kind::VerifyMarked, Marked(&["acme/rocket", "acme/satellite"]), Ok("V"), Ok("verify marked"), MARKS, Begins("verification of acme/rocket and 1 more")),
    row(Kind::VerifyMarked, Marked(&["acme/vpc/aws"]), Ok("V"), Ok("verify marked"), MARKS, Refuses("only modules are marked: they have no archives, checksums or signatures", &[])),
    row(Kind::VerifyAgain, Read, Ok("4 V"), Ok("rows"), ENDS, Refuses("nothing has been verified yet", &["verifies an entry"])),
    row(Kind::EstimateBackfill, Read, Ok("@acme/large b"), Err("its question says how much it is"), JOB_ASKS, Begins("counting a backfill of acme/large")),
    row(Kind::Backfill, Read, Ok("@acme/large b enter"), Ok("backfill acme/large"), JOB_ASKS, Asks("Fill in h1 and size?", "acme/large: 500 targets without h1 or size.", "backfill of acme/large")),
    row(Kind::Backfill, Read, Ok("@acme/rocket b"), Ok("backfill acme/rocket"), JOB_ASKS, Refuses("nothing to fill in: every target of acme/rocket has its h1 and its size", &[])),
    row(Kind::Backfill, Read, Ok("@acme/vpc/aws b"), Ok("backfill acme/vpc/aws"), JOB_ASKS, Refuses("nothing to fill in: acme/vpc/aws is a module, and those have no archives", &[])),
    row(Kind::Backfill, Building, Ok("@acme/large b"), Ok("backfill acme/large"), JOB_ASKS, Refuses("files of the plan are being built", &["cancels that"])),
    row(Kind::BackfillAgain, Read, Ok("5 r"), Err("the word begins with an entry, and continues"), JOB_ASKS, Refuses("nothing has been filled in yet", &["begins one"])),
    row(Kind::Pause, Verifying, Ok("4 space"), Ok("pause"), ENDS, Begins("steering: paused true, workers None, stops at bad None")),
    row(Kind::Pause, Paused, Ok("4 space"), Ok("resume"), ENDS, Begins("steering: paused false, workers None, stops at bad None")),
    row(Kind::Pause, Read, Ok("4 space"), Ok("pause"), ENDS, Refuses("no verification is running", &[])),
    row(Kind::Pause, VerificationStops, Ok("4 space"), Ok("pause"), ENDS, Refuses("it is already stopping", &[])),
    row(Kind::Workers, Verifying, Ok("4 <"), Ok("workers 5"), ENDS, Begins("steering: paused false, workers Some(5), stops at bad None")),
    row(Kind::Workers, Read, Ok("4 >"), Ok("workers 3"), ENDS, Refuses("no verification is running", &[])),
    row(Kind::StopAtBad, Verifying, Ok("4 S"), Err("bad rows are said at once, and cancel stops there"), ENDS, Begins("steering: paused false, workers None, stops at bad Some(true)")),

    row(Kind::Add, Read, Ok("@acme/satellite a"), Ok("plan add acme/satellite"), Ok("plan add acme/satellite"), Begins("adding acme/satellite to the plan")),
    row(Kind::Add, Read, Ok("@acme/vpc/aws a"), Ok("plan add acme/vpc/aws"), Ok("plan add acme/vpc/aws"), Begins("adding acme/vpc/aws to the plan")),
    row(Kind::Add, Read, Ok("@acme/rocket a"), Ok("plan add acme/rocket"), Ok("plan add acme/rocket"), Asks("Build again?", AGAIN, "adding acme/rocket to the plan")),
    row(Kind::Add, Read, Ok("2 @acme/rocket r"), Ok("plan add acme/rocket"), Ok("plan add acme/rocket"), Asks("Build again?", AGAIN, "adding acme/rocket to the plan")),
    row(Kind::Add, Marked(&["acme/rocket", "acme/satellite"]), Ok("a"), Ok("plan add marked"), Ok("plan add acme/rocket acme/satellite"), Asks("Add to the plan?", TWO, "adding 2 entries to the plan")),
    row(Kind::Add, Building, Ok("@acme/vpc/aws a"), Ok("plan add acme/vpc/aws"), ENDS, Refuses("files of the plan are being built", &["cancels that"])),
    row(Kind::Edit, Read, TYPED, TYPED, Ok("plan clear-errors acme/satellite@1.0.0"), Begins("planning a change of acme/satellite that clears recorded failures")),
    row(Kind::Edit, Read, Ok("@acme/rocket E"), TYPED, Err("a command names the versions"), Refuses("no version of acme/rocket waits for its next try", &[])),
    row(Kind::Edit, Read, TYPED, TYPED, Ok("plan warn acme/rocket --text Old"), Asks("Replace what is planned?", REPLACES, "planning a change of acme/rocket that adds a warning")),
    row(Kind::Edit, Read, TYPED, TYPED, Ok("plan remove acme/satellite@1.0.0 --because legal-duty --announcement https://a.b/c --issue 7"), Begins("planning a change of acme/satellite that removes versions and keeps them out")),
    row(Kind::Edit, Read, Ok("@acme/satellite enter B w h y enter"), Ok("plan block acme/satellite 3.70.1 why"), Ok("plan block acme/satellite@3.70.1 --because why"), Begins("planning a change of acme/satellite that keeps versions out")),
    row(Kind::Edit, Read, Ok("@acme/rocket enter B w h y enter"), Ok("plan block acme/rocket 3.70.1 why"), Ok("plan block acme/rocket@3.70.1 --because why"), Asks("Replace what is planned?", BLOCKS_INSTEAD, "planning a change of acme/rocket that keeps versions out")),
    row(Kind::Edit, Read, Ok("@acme/satellite B w h y enter"), Ok("plan block acme/satellite v3.70.1 why"), Ok("plan block acme/satellite@v3.70.1 --because why"), Begins("planning a change of acme/satellite that keeps versions out")),
    row(Kind::Edit, Read, Ok("@acme/satellite enter j B"), Err("a word names the version, and the job says it"), Err("a command names the version, and the job says it"), Refuses("1.0.0 of acme/satellite is indexed, and the blacklist only keeps versions from being added", &[])),
    row(Kind::Edit, Building, Ok("@acme/satellite enter B"), Ok("plan block acme/satellite 3.70.1 why"), ENDS, Refuses("files of the plan are being built", &["cancels that"])),
    row(Kind::Edit, Read, TYPED, TYPED, Ok("plan block acme/satellite@9.0.0 --because accident"), Begins("planning a change of acme/satellite that keeps versions out")),
    row(Kind::Edit, Read, TYPED, TYPED, Ok("plan submit module umbrella/terraform-aws-vpc"), Begins("planning a change of umbrella/vpc/aws that adds a new entry")),
    row(Kind::Reply, Read, TYPED, TYPED, Ok("plan remove acme/satellite@1.0.0 --because bug"), Begins("writing the reply about acme/satellite 1.0.0")),
    row(Kind::Triage, Read, TYPED, Ok("triage acme/rocket@1.1.0"), Ok("triage acme/rocket@1.1.0"), Begins("triage of acme/rocket@1.1.0")),
    row(Kind::ListStranded, Read, COMMANDED, Ok("stranded"), Ok("stranded"), Begins("reading what is stranded")),
    row(Kind::ListStranded, Reading, COMMANDED, Ok("stranded"), READS, NOT_READ),
    row(Kind::Decide, Read, COMMANDED, Ok("ignore acme/satellite 3.70.1 2027-01-01 never released"), Ok("stranded ignore acme/satellite@3.70.1 --until 2027-01-01 --because never"), Begins("ignoring 1 version")),
    row(Kind::Decide, Read, COMMANDED, Ok("unignore acme/satellite 3.70.1"), Ok("stranded unignore acme/satellite@3.70.1"), Begins("no longer ignoring 1 version")),
    row(Kind::PreparePull, Read, Ok("2 P"), Ok("pull"), Ok("pr open --plan 7c1e9a --dry-run"), Begins("making the pull request ready")),
    row(Kind::PreparePull, Empty, Ok("2 P"), Ok("pull"), NAMES_IT, IS_EMPTY),
    row(Kind::Arm, Read, TWO_KEYS, Ok("arm it was missed"), NAMES_IT, ONLY_READS),
    row(Kind::Disarm, Read, TWO_KEYS, Ok("disarm"), NAMES_IT, Refuses("this console is READ-ONLY", &[])),
    row(Kind::WriteOut, Read, Err("its screen opens by P"), Ok("write x.patch"), NAMES_IT, Refuses("nothing is made ready", &["makes it ready"])),
    row(Kind::Confirm, Read, Err("the field opens where digits would do something"), Ok("send 9ab31c"), NAMES_IT, ONLY_READS),
    row(Kind::LookAtUndo, Read, Err("its screen opens by P"), Ok("undo"), NAMES_IT, Refuses("nothing was sent that could be undone", &[])),
    row(Kind::Send, Read, SHOWN, SHOWN, Ok("pr open --plan 7c1e9a --confirm 4f21c0"), NEEDS_WRITE),
    row(Kind::Send, Read, SHOWN, SHOWN, Ok("pr resume 4f21c0"), NEEDS_WRITE),
    row(Kind::Send, Read, SHOWN, SHOWN, Ok("pr undo 4f21c0 --confirm 90ab12"), NEEDS_WRITE),
    row(Kind::Send, Read, SHOWN, SHOWN, Ok("pr undo 4f21c0"), Begins("reading what would take back sending 4f21c0")),
    row(Kind::Rebuild, Read, Ok("2 R"), Ok("plan rebuild"), Ok("plan rebuild"), Asks("Build the plan again?", ALL_AGAIN, "building the whole plan again")),
    row(Kind::Rebuild, Empty, Ok("2 R"), Ok("plan rebuild"), Ok("plan rebuild"), IS_EMPTY),
    row(Kind::Rebuild, Building, Ok("2 R"), Ok("plan rebuild"), ENDS, Refuses("files of the plan are being built", &["cancels that"])),

    row(Kind::Drop, Read, Ok("2 @acme/rocket -"), Ok("plan drop acme/rocket"), Ok("plan drop acme/rocket"), Asks("Remove from the plan?", DROPS, "dropping acme/rocket from the plan, with its marks")),
    row(Kind::Drop, Read, NEEDS_CURSOR, Ok("plan drop all"), Ok("plan drop --all"), Asks("Remove from the plan?", "All files are removed from the plan. No data file changes.", "dropping the whole plan, with its marks")),
    row(Kind::Drop, Read, POINTS, Ok("plan drop acme/bare"), Ok("plan drop acme/bare"), Refuses("acme/bare is not in the plan", &["adds it"])),
    row(Kind::Drop, Building, NEEDS_CURSOR, Ok("plan drop acme/rocket"), ENDS, Refuses("adding acme/satellite to the plan is still running", &["stops it"])),
    row(Kind::Drop, Empty, Ok("2 -"), Ok("plan drop acme/rocket"), Ok("plan drop acme/rocket"), IS_EMPTY),

    row(Kind::Say, Read, Ok("2 @acme/rocket space"), Ok("approve acme/rocket"), Ok("plan approve acme/rocket"), Begins("approving acme/rocket")),
    row(Kind::Say, Read, Ok("2 @acme/unread space"), Ok("approve acme/unread"), Ok("plan approve acme/unread"), Refuses("acme/unread: 1 version left to look at before it can be approved", &["shows what is left"])),
    row(Kind::Say, Read, Ok("2 @acme/unread j space"), Ok("approve acme/unread 1.1.0"), Ok("plan approve acme/unread@1.1.0"), Refuses("1.1.0 of acme/unread: 1 version left to look at before it can be approved", &["shows what is left"])),
    row(Kind::Say, Read, Ok("2 @acme/held space"), Ok("approve acme/held"), Ok("plan approve acme/held"), Refuses("acme/held: held: indexed versions are immutable, and one would change; reject it, or settle it by the registry's policy", &[])),
    row(Kind::Say, Read, POINTS, Ok("approve acme/rocket 9.9.9"), Ok("plan approve acme/rocket@9.9.9"), Refuses("9.9.9 of acme/rocket: the plan has no change of `9.9.9`; it has 1.1.0", &[])),
    row(Kind::Say, Read, POINTS, Ok("approve acme/bare"), Ok("plan approve acme/bare"), Refuses("acme/bare is not in the plan", &["adds it"])),
    row(Kind::Say, Answered(Approved), Ok("2 @acme/rocket space"), Ok("approve acme/rocket"), Ok("plan approve acme/rocket"), Refuses("acme/rocket: already approved", &[])),
    row(Kind::Say, Answered(Approved), Ok("2 @acme/rocket X"), Ok("reject acme/rocket"), Ok("plan reject acme/rocket"), Begins("rejecting acme/rocket")),
    row(Kind::Say, Answered(Approved), Ok("2 @acme/rocket u"), Ok("reopen acme/rocket"), Ok("plan reopen acme/rocket"), Begins("reopening acme/rocket")),
    row(Kind::Drop, Answered(Approved), Ok("2 @acme/rocket -"), Ok("plan drop acme/rocket"), Ok("plan drop acme/rocket"), Asks("Remove from the plan?", "acme/rocket is removed from the plan. No data file changes. Your answers to 1 change are deleted with it.", "dropping acme/rocket from the plan, with its marks")),
    row(Kind::Say, Read, Ok("2 @acme/rocket X"), Ok("reject acme/rocket"), Ok("plan reject acme/rocket"), Begins("rejecting acme/rocket")),
    row(Kind::Say, Answered(Rejected), Ok("2 @acme/rocket X"), Ok("reject acme/rocket"), Ok("plan reject acme/rocket"), Refuses("acme/rocket: already rejected", &[])),
    row(Kind::Say, Answered(Rejected), Ok("2 @acme/rocket j X"), Ok("reject acme/rocket 1.1.0"), Ok("plan reject acme/rocket@1.1.0"), Refuses("1.1.0 of acme/rocket: already rejected", &[])),
    row(Kind::Say, Read, Ok("2 @acme/rocket u"), Ok("reopen acme/rocket"), Ok("plan reopen acme/rocket"), Refuses("acme/rocket: there is no answer to undo", &[])),
    row(Kind::Say, Read, Ok("2 @acme/rocket j c w h y enter"), Ok("note acme/rocket why"), Ok("plan note acme/rocket --note why"), Begins("writing a note on acme/rocket")),
    row(Kind::Say, Answered(Noted), Ok("2 @acme/rocket j c ctrl-u enter"), Ok("note acme/rocket"), Ok("plan note acme/rocket --note="), Begins("removing the note on acme/rocket")),
    row(Kind::Say, Answered(Noted), Ok("2 @acme/rocket j c enter"), Ok("note acme/rocket@1.1.0 why"), Ok("plan note acme/rocket@1.1.0 --note why"), Refuses("1.1.0 of acme/rocket: the note is as it was", &[])),
    row(Kind::Say, Empty, Ok("2 space"), Ok("approve acme/rocket"), Ok("plan approve acme/rocket"), IS_EMPTY),
    row(Kind::Say, Empty, Ok("2 X"), Ok("reject acme/rocket"), Ok("plan reject acme/rocket"), IS_EMPTY),

    row(Kind::Watch, Read, NUMBERED, Ok("watch 12"), Ok("pr watch 12"), Begins("watching pull request #12")),
    row(Kind::Watch, Read, NUMBERED, Ok("watch"), Ok("pr list"), Begins("looking at open pull requests")),
    row(Kind::Watch, NoRegistry, NUMBERED, Ok("watch #12"), Ok("pr watch 12 --once"), Begins("watching pull request #12")),

    row(Kind::ListReviews, Read, Ok("3 R"), Ok("review"), Ok("review"), Begins("reviewing the open pull requests")),
    row(Kind::Review, Read, Ok("3 V"), Ok("review 12 hash"), Ok("review 12 --hash"), Begins("reviewing pull request #12")),

    row(Kind::Review, Read, Ok("3 r"), Ok("review #12"), Ok("review 12"), Begins("reviewing pull request #12")),
    row(Kind::Review, Read, Ok("3 d"), Ok("review 12 diff"), Ok("review 12 --diff"), Begins("reviewing pull request #12")),
    row(Kind::Review, Read, Ok("3 d"), Ok("review 12 upstream"), Ok("review 12 --against-upstream"), Begins("reviewing pull request #12")),
    row(Kind::Review, Reviewing, Ok("3 d"), Ok("review 12 diff"), ENDS, Refuses("reviewing the open pull requests is running already", &["cancels it"])),
    row(Kind::Review, Reviewing, Ok("3 r"), Ok("review 12"), ENDS, Refuses("reviewing the open pull requests is running already", &["cancels it"])),
    row(Kind::ListReviews, Reviewing, Ok("3 R"), Ok("review"), ENDS, Refuses("reviewing the open pull requests is running already", &["cancels it"])),

    row(Kind::PrepareVerdict, Read, Ok("3 Y enter"), Ok("review 12 approve"), Ok("review 12 --approve --hash --dry-run"), Begins("making the review of #12 ready")),
    row(Kind::PrepareRun, Read, RUNS, Ok("run 7 again"), Ok("backfill rerun 7 --dry-run"), Begins("making the re-run of what failed in run 7 ready")),
    row(Kind::PrepareRun, Read, Ok("@acme/large W b enter"), Ok("dispatch acme/large 2"), JOB_ASKS, Begins("making the dispatch of a backfill ready")),
    row(Kind::PrepareRun, Read, TWO_KEYS, Ok("dispatch acme/rocket 2"), JOB_ASKS, Refuses("nothing to fill in: every target of acme/rocket has its h1 and its size", &[])),
    row(Kind::PrepareRun, Building, TWO_KEYS, Ok("dispatch acme/large 2"), ENDS, Refuses("files of the plan are being built", &[])),
    row(Kind::FollowRun, Read, Ok("8 R"), Ok("run"), LOOKS, Begins("watching the newest run")),
    row(Kind::MergeRun, Read, RUNS, Ok("run 7 merge"), LOOKS, Asks("Put it together?", "What run 7 found is fetched, share by share;", "putting together what run 7 found")),
    row(Kind::MergeRun, Building, RUNS, Ok("run 7 merge"), ENDS, Refuses("files of the plan are being built", &["cancels that"])),
    row(Kind::ReadRunLog, Read, RUNS, Err("`run` reads out the logs of what failed"), LOOKS, Begins("reading the log of share 1 of 2")),
    row(Kind::Send, Read, SHOWN, SHOWN, Ok("review 12 --approve --confirm 4f21c0"), NEEDS_WRITE),

    row(Kind::Watch, Watching, NUMBERED, Ok("watch 12"), ENDS, Refuses("#12 is watched already", &[])),
    row(Kind::Watch, Watching, NUMBERED, Ok("watch 13"), ENDS, Begins("watching pull request #13")),

    row(Kind::DeleteView, Read, Ok("F pgdn x"), Ok("delete mine"), Err("a command deletes it in what is kept, by the same rule"), Asks("Delete?", "The view `mine` is deleted. The entries that it shows are not touched.", "")),
    row(Kind::DeleteView, Read, Ok("F x"), Ok("delete all"), Err("a command deletes it in what is kept, by the same rule"), Refuses("`all` is built in and cannot be deleted", &[])),
    row(Kind::Reload, Read, Ok("L"), Ok("reload"), READS, Begins("reading the registry")),
    row(Kind::Reload, Unreadable, Ok("L"), Ok("reload"), READS, Begins("reading the registry")),
    row(Kind::Reload, Reading, Ok("L"), Ok("reload"), READS, Refuses("the registry is already being read", &[])),
    row(Kind::Reload, Surveying, Ok("L"), Ok("reload"), READS, SURVEY_RUNS),
    row(Kind::Reload, NoRegistry, Ok("L"), Ok("reload"), READS, Refuses("no registry is open", &["leaves", "gets one"])),
    row(Kind::Cancel, Surveying, Ok("x"), Ok("cancel"), ENDS, Begins("stopping survey of everything")),
    row(Kind::Cancel, Verifying, Ok("4 x"), Ok("cancel"), ENDS, Begins("stopping verification of acme/rocket")),
    row(Kind::Cancel, Building, Ok("8 x"), NEEDS_CURSOR, ENDS, Asks("Cancel the job?", "plan add acme/satellite writes. It stops at the next safe point; what it wrote stays.", "stopping adding acme/satellite to the plan")),
    row(Kind::RunAgain, Stopped, Ok("8 r"), NEEDS_CURSOR, ENDS, Begins("survey of everything")),
    row(Kind::RunAgain, Surveying, Ok("8 r"), NEEDS_CURSOR, ENDS, Refuses("it is still running", &[])),
    row(Kind::Leave, Read, Ok("q"), Ok("quit"), ENDS, Begins("leaving")),
    row(Kind::Leave, Surveying, Ok("q"), Ok("quit"), ENDS, Asks("Leave?", "This job is running: survey everything Leaving stops it; what it found is kept.", "leaving")),
];

/// The fault of a reaction, if it is not the expected one.
fn fault(face: &dyn Face, wanted: &Wanted, heard: &Reaction, is_command: bool) -> Option<String> {
    match (wanted, heard) {
        (Begins(job), Reaction::Began(began)) if began == job => None,
        (Asks(.., job), Reaction::Began(began)) if is_command && began == job => None,
        (Asks(title, says, job), Reaction::Question { title: asked, says: said, then }) => {
            // A view may know more ways on than the desk.
            (title != asked || !said.starts_with(says) || then != job).then(|| "another question".to_owned())
        }
        (Refuses(reason, ways), Reaction::Refused(said)) => match said.strip_prefix(reason) {
            Some("") => None,
            Some(rest) => {
                let named: Vec<Option<&str>> = rest
                    .trim_start_matches("; ")
                    .split(", ")
                    .map(|part| ways.iter().find_map(|does| part.strip_suffix(&format!(" {does}"))))
                    .collect();
                let stray = named.iter().any(|way| way.is_none_or(|way| !face.has(way)));
                stray.then(|| "a way on that is not there".to_owned())
            }
            None => Some("another reason".to_owned()),
        },
        _ => Some("another answer".to_owned()),
    }
}

#[test]
fn each_intent_is_answered_alike_by_keys_lines_and_commands() {
    let mut faults = Vec::new();
    // Reasons with a way on, and those of them where the face names one.
    let (mut with, mut named) = ([0; 3], [0; 3]);
    for row in ROWS {
        let mut faces: [(&str, Way, Box<dyn Face>); 3] = [
            ("keys", row.keys, Box::new(Console::new(row.given))),
            ("line", row.line, Box::new(Lines::new(row.given))),
            ("command", row.command, Box::new(Commands::new())),
        ];
        for (place, (name, way, face)) in faces.iter_mut().enumerate() {
            let Ok(input) = way else { continue };
            given::make(face.as_mut(), row.given);
            if *name == "command" {
                let intent = cli::tests::intent(input, &face.desk().list.catalog).expect(input);
                assert_eq!(Kind::of(&intent), row.kind, "{input}");
            }
            let heard = face.take_input(input);
            let is_deleted = row.kind == Kind::DeleteView && matches!(row.wanted, Asks(..));
            assert_eq!(
                face.desk().list.views.is_empty(),
                is_deleted || row.given == NoRegistry,
                "{name} {input}"
            );
            if let (Refuses(reason, [_, ..]), Reaction::Refused(said)) = (&row.wanted, &heard) {
                with[place] += 1;
                named[place] += usize::from(said != reason);
            }
            if let Some(fault) = fault(face.as_ref(), &row.wanted, &heard, *name == "command") {
                faults.push(format!(
                    "{:?} {:?} {name} `{input}`: {fault}\n  {heard:?}\n  {:?}",
                    row.kind, row.given, row.wanted
                ));
            }
        }
    }
    // A face leaves out what it does not have, not all of it.
    for (with, named) in with.into_iter().zip(named) {
        assert!(named * 2 > with, "{named} of {with} reasons name a way on");
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn most_intents_go_through_all_faces() {
    let faces = |row: &Row| [row.keys, row.line, row.command].iter().filter(|way| way.is_ok()).count();
    let of = |least: usize| ROWS.iter().filter(|row| faces(row) >= least).count();
    assert!(of(2) >= 40 && of(3) >= 25, "{} rows have two faces, {} all three", of(2), of(3));
    let answers = |is_it: fn(&Wanted) -> bool| ROWS.iter().filter(|row| is_it(&row.wanted)).count();
    assert!(answers(|wanted| matches!(wanted, Asks(..))) >= 8);
    assert!(answers(|wanted| matches!(wanted, Refuses(..))) >= 20);
    for kind in KINDS {
        assert!(ROWS.iter().any(|row| row.kind == *kind), "{kind:?} is nowhere");
    }
}
