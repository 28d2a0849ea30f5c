//! The table of abilities.

use crate::desk::ability::{AbilityKind, AbilityRow, Needs, Phrase};

/// Makes the abilities and their rows. A row that leaves a column out does not compile.
macro_rules! abilities {
    ($($ability:ident { $($column:ident: $value:expr,)+ })+) => {
        /// Something that a maintainer can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Ability {
            $($ability,)+
        }

        /// The rows, in the order of the abilities.
        pub(super) const TABLE: &[AbilityRow] =
            &[$(AbilityRow { ability: Ability::$ability, $($column: $value,)+ },)+];
    };
}

const fn say(form: &'static str, does: &'static str) -> Option<Phrase> {
    Some(Phrase { form, does })
}

abilities! {
    // The registry, its list, and one entry.
    DeleteView {
        does: "delete the view under the cursor, after a question",
        kind: AbilityKind::Changes, needs: Needs::Nothing, opens_field: false,
        phrase: say("delete NAME", "delete a view of your own, after a question"),
        line: None, command: Some("bumpdesk view delete NAME"), next_command: None,
    }
    Views {
        does: "the views: choose or delete one",
        kind: AbilityKind::Looks, needs: Needs::Registry, opens_field: false,
        phrase: None, line: Some("view"), command: Some("bumpdesk view list"), next_command: None,
    }
    Look {
        does: "open the entry: all versions, why, what next",
        kind: AbilityKind::Looks, needs: Needs::Rows, opens_field: false,
        phrase: say("open N", "one entry: what it is, why, what if nothing is done, what can be done; a number alone does the same"),
        line: None, command: Some("bumpdesk show ADDRESS"), next_command: None,
    }
    Build {
        does: "build the proposed rebuild and show what it changes (writes nothing)",
        kind: AbilityKind::Looks, needs: Needs::Entry, opens_field: false,
        phrase: say("diff N", "build the proposed rebuild and say what it changes; writes nothing"),
        line: None, command: Some("bumpdesk diff ADDRESS"), next_command: Some("bumpdesk diff ADDRESS"),
    }
    Browse {
        does: "open the upstream repository in the browser, or copy its URL",
        kind: AbilityKind::Acts, needs: Needs::Entry, opens_field: false,
        phrase: None, line: None, command: None, next_command: None,
    }
    CopyPath {
        does: "copy the JSON path (diff) or the file's path",
        kind: AbilityKind::Acts, needs: Needs::Entry, opens_field: false,
        phrase: None, line: None, command: None, next_command: None,
    }
    Survey {
        does: "survey this entry, or the marked ones, now",
        kind: AbilityKind::Changes, needs: Needs::Entries, opens_field: false,
        phrase: say("survey N", "ask upstream about one entry now"),
        line: None, command: Some("bumpdesk survey ADDRESS --max-age 0"),
        next_command: Some("bumpdesk survey ADDRESS"),
    }
    SurveyShown {
        does: "survey all rows that the filter shows",
        kind: AbilityKind::Acts, needs: Needs::Rows, opens_field: false,
        phrase: say("survey shown", "ask upstream about all that the list has; also survey marked, survey all"),
        line: None, command: Some("bumpdesk survey --filter Q"), next_command: None,
    }
    SurveyBoard {
        does: "survey all entries that are on the board",
        kind: AbilityKind::Acts, needs: Needs::Rows, opens_field: false,
        phrase: None, line: None, command: Some("bumpdesk survey --filter Q"), next_command: None,
    }
    CancelSurvey {
        does: "cancel the running survey; what it found is kept",
        kind: AbilityKind::Cancels, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: Some("cancel"), command: None, next_command: None,
    }

    // Verifications and backfills.
    Verify {
        does: "verify this entry, or the marked ones, against upstream now (only reads)",
        kind: AbilityKind::Acts, needs: Needs::Entries, opens_field: false,
        phrase: say("verify N", "is what is stored still what upstream serves? only reads; also ADDRESS@VERSION, verify marked"),
        line: None, command: Some("bumpdesk verify ADDRESS"), next_command: Some("bumpdesk verify ADDRESS"),
    }
    VerifyRest {
        does: "verify what is left of it, or all of it again",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: Some("verify N"), command: Some("bumpdesk verify ADDRESS"), next_command: None,
    }
    Backfill {
        does: "fill in h1 and size of this entry, or of the marked ones, where they are lacking: says what it would cost, and asks",
        kind: AbilityKind::Acts, needs: Needs::Entries, opens_field: true,
        phrase: say("backfill N", "fill in h1 and size of an entry where they are lacking, after a question; also backfill marked"),
        line: None, command: Some("bumpdesk backfill run ADDRESS"),
        next_command: Some("bumpdesk backfill run ADDRESS"),
    }
    BackfillRest {
        does: "continue with what is left, or could not be read",
        kind: AbilityKind::Changes, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: Some("backfill N"), command: Some("bumpdesk backfill run ADDRESS"),
        next_command: None,
    }
    Dispatch {
        does: "fill in h1 and size on GitHub's machines: asks how many, then shows the gates (sends nothing yet)",
        kind: AbilityKind::Acts, needs: Needs::Entries, opens_field: true,
        phrase: say("dispatch N MACHINES", "make ready to fill it in on so many of GitHub's machines; also dispatch marked MACHINES"),
        line: None, command: Some("bumpdesk backfill dispatch ADDRESS --shards 2 --dry-run"),
        next_command: None,
    }
    FollowRun {
        does: "follow the newest backfill on GitHub's machines",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: say("run NUMBER", "follow a backfill on GitHub's machines to its end; run alone follows the newest"),
        line: None, command: Some("bumpdesk backfill status --follow"),
        next_command: Some("bumpdesk backfill status --run NUMBER --follow"),
    }
    RerunRun {
        does: "run once more what failed of a run on GitHub's machines (shows first what that would send)",
        kind: AbilityKind::Changes, needs: Needs::Rows, opens_field: false,
        phrase: say("run NUMBER again", "make ready to run once more what failed of it; send DIGITS sends that"),
        line: None, command: None, next_command: Some("bumpdesk backfill rerun NUMBER --dry-run"),
    }
    MergeRun {
        does: "put what this run on GitHub's machines found into the plan (asks)",
        kind: AbilityKind::Changes, needs: Needs::Rows, opens_field: false,
        phrase: say("run NUMBER merge", "put what it found into the plan, after a question"),
        line: None, command: Some("bumpdesk backfill merge --run RUN"),
        next_command: Some("bumpdesk backfill merge --run NUMBER"),
    }
    ReadRunLogs {
        does: "to the log; of a run on GitHub's machines to its jobs, and to the log of one",
        kind: AbilityKind::Looks, needs: Needs::Rows, opens_field: false,
        phrase: None, line: Some("run NUMBER"), command: Some("bumpdesk log"),
        next_command: Some("bumpdesk backfill status --run NUMBER --log 20"),
    }
    PauseVerification {
        does: "pause or resume",
        kind: AbilityKind::Changes, needs: Needs::Nothing, opens_field: false,
        phrase: say("pause", "pause a verification or a backfill: running downloads finish, no more start"),
        line: None, command: None, next_command: None,
    }
    PauseBackfill {
        does: "pause or resume",
        kind: AbilityKind::Changes, needs: Needs::Nothing, opens_field: false,
        phrase: say("resume", "resume what was paused"),
        line: None, command: None, next_command: None,
    }
    PauseJob {
        does: "pause a verification or a backfill, or resume it",
        kind: AbilityKind::Changes, needs: Needs::Rows, opens_field: false,
        phrase: None, line: None, command: None, next_command: None,
    }
    MoreWorkers {
        does: "more downloads at once",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: say("workers N", "how many downloads a verification or a backfill may have at once"),
        line: None, command: None, next_command: None,
    }
    FewerWorkers {
        does: "fewer downloads at once",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: None, command: None, next_command: None,
    }
    StopAtBad {
        does: "stop at the next bad row, or continue past all of them",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: None, command: Some("bumpdesk verify ADDRESS --stop-at-bad"), next_command: None,
    }
    ShowVerification {
        does: "show what the last verification found",
        kind: AbilityKind::Looks, needs: Needs::Nothing, opens_field: false,
        phrase: say("rows", "what the last verification found, equal rows once; also rows bad, rows each"),
        line: None, command: None, next_command: None,
    }
    CancelVerification {
        does: "stop; what is finished stays in the report",
        kind: AbilityKind::Cancels, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: Some("cancel"), command: None, next_command: None,
    }
    ShowBackfill {
        does: "show what the last backfill found and made",
        kind: AbilityKind::Looks, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: Some("jobs"), command: None, next_command: None,
    }
    CancelBackfill {
        does: "stop; what is finished is kept (asks if it goes into the plan)",
        kind: AbilityKind::Cancels, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: Some("cancel"), command: None, next_command: None,
    }
    Reload {
        does: "read the registry from disk again",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: say("reload", "read the registry from disk again"),
        line: None, command: Some("bumpdesk list"), next_command: None,
    }

    // The plan.
    Add {
        does: "add this entry to the plan, or the marked ones: builds what the bump would write",
        kind: AbilityKind::Changes, needs: Needs::Entries, opens_field: false,
        phrase: say("plan add N", "add the rebuild of an entry to the plan, after a question; also plan add marked"),
        line: None, command: Some("bumpdesk plan add ADDRESS"),
        next_command: Some("bumpdesk plan add ADDRESS"),
    }
    ClearErrors {
        does: "plan to have the next bump try what waits again: clears its recorded failures",
        kind: AbilityKind::Changes, needs: Needs::Entry, opens_field: false,
        phrase: say("plan clear N", "plan to clear the recorded failures of an entry that waits for its next try"),
        line: None, command: Some("bumpdesk plan clear-errors ADDRESS@VERSION"), next_command: None,
    }
    Warn {
        does: "plan a warning that clients show to users",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: say("plan warn N TEXT", "plan a warning that clients show to users; also plan warn N moved-to ADDRESS"),
        line: None, command: Some("bumpdesk plan warn ADDRESS --text TEXT"), next_command: None,
    }
    Block {
        does: "plan to keep a version out that is not indexed, for a reason: an entry on the blacklist",
        kind: AbilityKind::Acts, needs: Needs::Entry, opens_field: true,
        phrase: say("plan block N VERSION TEXT", "plan to keep a version out, for this reason"),
        line: None, command: Some("bumpdesk plan block ADDRESS@MISSING --because TEXT"), next_command: None,
    }
    Remove {
        does: "plan to remove a version, or print the reply of the policy",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: say("plan remove N VERSION REASON", "plan to remove a version, with URL and NUMBER behind it; else the reply"),
        line: None, command: Some("bumpdesk plan remove ADDRESS@VERSION --because REASON"),
        next_command: None,
    }
    Submit {
        does: "plan a new provider, a new module or a new key of a namespace",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: say("plan submit KIND NAME", "plan a new provider or module by its REPOSITORY; also plan submit key NAMESPACE FILE"),
        line: None, command: Some("bumpdesk plan submit KIND REPOSITORY"), next_command: None,
    }
    ShowPlan {
        does: "show the plan and its files",
        kind: AbilityKind::Looks, needs: Needs::Nothing, opens_field: false,
        phrase: say("plan show", "the plan, its files numbered"),
        line: Some("plan"), command: None, next_command: Some("bumpdesk plan show"),
    }
    ShowFile {
        does: "look closer: at the file's lines, a long value whole, or into the fold",
        kind: AbilityKind::Looks, needs: Needs::Rows, opens_field: false,
        phrase: say("plan show N", "all that changes in file N of the plan; once read to its end it counts as looked at"),
        line: None, command: Some("bumpdesk plan show ADDRESS"),
        next_command: Some("bumpdesk plan show ADDRESS"),
    }
    RebuildFile {
        does: "build this file again on the registry and upstream as they are now (asks)",
        kind: AbilityKind::Changes, needs: Needs::Plan, opens_field: false,
        phrase: None, line: None, command: Some("bumpdesk plan add ADDRESS"), next_command: None,
    }
    RebuildPlan {
        does: "build the whole plan again on the registry and upstream as they are now (asks)",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: say("plan rebuild", "build the whole plan again, after a question"),
        line: None, command: Some("bumpdesk plan rebuild"), next_command: None,
    }
    CancelBuild {
        does: "cancel the build of files of the plan",
        kind: AbilityKind::Cancels, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: Some("cancel"), command: None, next_command: None,
    }
    DropFile {
        does: "remove the file from the plan, with its marks (asks)",
        kind: AbilityKind::Changes, needs: Needs::Plan, opens_field: false,
        phrase: say("plan drop N", "remove file N from the plan, after a question; also plan drop all"),
        line: None, command: Some("bumpdesk plan drop ADDRESS"), next_command: None,
    }
    Approve {
        does: "approve what is shown, if all of it was looked at; move on",
        kind: AbilityKind::Changes, needs: Needs::Plan, opens_field: false,
        phrase: say("approve N", "approve file N of the plan, or one version of it: approve N VERSION"),
        line: None, command: Some("bumpdesk plan approve ADDRESS"), next_command: None,
    }
    Reject {
        does: "reject: leave this change out of what would be sent",
        kind: AbilityKind::Changes, needs: Needs::Plan, opens_field: false,
        phrase: say("reject N", "keep file N, or one version of it, out of what would be sent"),
        line: None, command: Some("bumpdesk plan reject ADDRESS"), next_command: None,
    }
    Reopen {
        does: "undo the approval or the rejection",
        kind: AbilityKind::Changes, needs: Needs::Plan, opens_field: false,
        phrase: say("reopen N", "undo an approval or a rejection"),
        line: None, command: Some("bumpdesk plan reopen ADDRESS"), next_command: None,
    }
    Note {
        does: "write a note on this change",
        kind: AbilityKind::Acts, needs: Needs::Plan, opens_field: true,
        phrase: say("note N TEXT", "write a note on file N of the plan; without text it is removed"),
        line: None, command: Some("bumpdesk plan note ADDRESS --note TEXT"), next_command: None,
    }

    // Pull requests of others, and stranded versions.
    Watch {
        does: "follow a pull request to its merge and the bump after it",
        kind: AbilityKind::Looks, needs: Needs::Nothing, opens_field: false,
        phrase: say("watch NUMBER", "follow a pull request to its merge and the bump after it; watch alone reads those that are open"),
        line: None, command: Some("bumpdesk pr watch NUMBER"), next_command: None,
    }
    ListReviews {
        does: "list the open pull requests, and review each again",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: say("review", "the open pull requests of others, each made again from upstream"),
        line: None, command: Some("bumpdesk review"), next_command: Some("bumpdesk review"),
    }
    Review {
        does: "review this pull request again, as it is now",
        kind: AbilityKind::Changes, needs: Needs::Rows, opens_field: false,
        phrase: say("review NUMBER", "one of them, file by file; review NUMBER hash downloads and hashes its archives as well"),
        line: None, command: Some("bumpdesk review NUMBER"), next_command: Some("bumpdesk review NUMBER"),
    }
    HashReview {
        does: "download and hash the archives of this pull request, and review it again (only reads)",
        kind: AbilityKind::Acts, needs: Needs::Rows, opens_field: false,
        phrase: None, line: Some("review NUMBER hash"), command: Some("bumpdesk review NUMBER --hash"),
        next_command: Some("bumpdesk review NUMBER --hash"),
    }
    Judge {
        does: "submit a review of this pull request: approve, request changes or comment (sends nothing yet)",
        kind: AbilityKind::Acts, needs: Needs::Rows, opens_field: true,
        phrase: say("review NUMBER VERDICT", "approve, changes or comment, with words of your own, made ready; send DIGITS submits it"),
        line: None, command: Some("bumpdesk review NUMBER --approve --hash --dry-run"),
        next_command: Some("bumpdesk review NUMBER --comment --dry-run"),
    }
    CancelReview {
        does: "cancel the review; what it found is kept",
        kind: AbilityKind::Cancels, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: Some("cancel"), command: None, next_command: None,
    }
    ShowStranded {
        does: "list versions that no bump brings by itself",
        kind: AbilityKind::Looks, needs: Needs::Nothing, opens_field: false,
        phrase: say("stranded", "versions that no bump brings by itself; also stranded WORD, or ADDRESS VERSION"),
        line: None, command: Some("bumpdesk stranded"), next_command: None,
    }
    Ignore {
        does: "ignore this version, or the marked ones, until a date, for a reason; for you alone",
        kind: AbilityKind::Acts, needs: Needs::Rows, opens_field: true,
        phrase: say("ignore ADDRESS VERSION DATE WHY", "ignore a version until a date, for you alone"),
        line: None, command: Some("bumpdesk stranded ignore ADDRESS@MISSING --until 90d --because TEXT"),
        next_command: None,
    }
    Unignore {
        does: "no longer ignore this version, or the marked ones",
        kind: AbilityKind::Changes, needs: Needs::Rows, opens_field: false,
        phrase: say("unignore ADDRESS VERSION", "take back that a version is ignored"),
        line: None, command: Some("bumpdesk stranded unignore ADDRESS@MISSING"), next_command: None,
    }
    DraftMessage {
        does: "draft a message to the author of this version, or of the marked ones of one entry; it is copied, and sent to nobody",
        kind: AbilityKind::Acts, needs: Needs::Rows, opens_field: false,
        phrase: say("message ADDRESS VERSION", "a message to the author of a stranded version, to copy; it is not sent"),
        line: None, command: Some("bumpdesk stranded message ADDRESS@MISSING"), next_command: None,
    }
    Triage {
        does: "say why a version is not available",
        kind: AbilityKind::Looks, needs: Needs::Nothing, opens_field: false,
        phrase: say("triage ADDRESS", "why a version is not available: also ADDRESS@VERSION, a URL, or #NUMBER of an issue"),
        line: None, command: Some("bumpdesk triage ADDRESS@VERSION"), next_command: None,
    }

    // Writes to GitHub.
    ShowPull {
        does: "the pull request of the plan: its gates, and all that it would send (sends nothing yet)",
        kind: AbilityKind::Changes, needs: Needs::Plan, opens_field: false,
        phrase: None, line: None, command: Some("bumpdesk pr open --plan DIGITS --dry-run"),
        next_command: None,
    }
    NextPull {
        does: "show the next pull request that an earlier run left half-done",
        kind: AbilityKind::Changes, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: Some("pull"), command: None, next_command: None,
    }
    Recheck {
        does: "check the gates again; where it stopped, resume it by its digits",
        kind: AbilityKind::Changes, needs: Needs::Nothing, opens_field: false,
        phrase: say("pull", "the pull request of the plan: its gates, and all that it would send"),
        line: None, command: Some("bumpdesk pr open --plan DIGITS --dry-run"), next_command: None,
    }
    EditPull {
        does: "how it is opened: draft or ready, labels, reviewers, issues",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: true,
        phrase: say("pull WORDS", "the same, opened another way: ready, label:NAME, reviewer:LOGIN, fixes:NUMBER, fork"),
        line: Some("pull"), command: Some("bumpdesk pr open --plan DIGITS --dry-run"), next_command: None,
    }
    ShowGate {
        does: "a gate or a request whole",
        kind: AbilityKind::Looks, needs: Needs::Rows, opens_field: false,
        phrase: None, line: None, command: None, next_command: None,
    }
    Arm {
        does: "arm: allow writing to GitHub for ten minutes, for a reason",
        kind: AbilityKind::Acts, needs: Needs::Registry, opens_field: true,
        phrase: say("arm REASON", "allow writing to GitHub for ten minutes"),
        line: None, command: None, next_command: None,
    }
    Disarm {
        does: "disarm: only read again",
        kind: AbilityKind::Looks, needs: Needs::Nothing, opens_field: false,
        phrase: say("disarm", "only read again"),
        line: None, command: None, next_command: None,
    }
    WriteOut {
        does: "write to a file all that would be sent, with a patch (sends nothing)",
        kind: AbilityKind::Looks, needs: Needs::Nothing, opens_field: false,
        phrase: say("write FILE", "write what pull read out to a new file: every request, and a patch that git am takes"),
        line: None, command: Some("bumpdesk pr open --plan DIGITS --dry-run --out FILE"), next_command: None,
    }
    TypeDigits {
        does: "open the field for the digits that send what is shown",
        kind: AbilityKind::Changes, needs: Needs::Nothing, opens_field: true,
        phrase: say("send DIGITS", "open the pull request that was read out, by its six digits, after a question"),
        line: None, command: Some("bumpdesk pr open --plan DIGITS --dry-run"), next_command: None,
    }
    Resume {
        does: "send what is left of a pull request that stopped",
        kind: AbilityKind::Changes, needs: Needs::Nothing, opens_field: false,
        phrase: say("resume DIGITS", "send what is left of a pull request that stopped, after a question"),
        line: None, command: None, next_command: None,
    }
    Undo {
        does: "undo what was sent: shows it first, then takes its digits",
        kind: AbilityKind::Changes, needs: Needs::Nothing, opens_field: false,
        phrase: say("undo", "what undoing the pull request would send; then undo DIGITS does it"),
        line: None, command: Some("bumpdesk pr undo DIGITS"), next_command: None,
    }
    CancelPull {
        does: "stop: nothing more is sent (asks)",
        kind: AbilityKind::Cancels, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: None, command: None, next_command: None,
    }

    // Jobs and the program.
    ShowJobs {
        does: "show what is running, what has run, and the log",
        kind: AbilityKind::Looks, needs: Needs::Nothing, opens_field: false,
        phrase: say("jobs", "what is running, and the last jobs of this and earlier runs"),
        line: None, command: None, next_command: None,
    }
    RunAgain {
        does: "run it again: what failed, or what was left; of a run on GitHub's machines, shows what that would send",
        kind: AbilityKind::Changes, needs: Needs::Rows, opens_field: false,
        phrase: None, line: None, command: Some("bumpdesk survey --filter Q"), next_command: None,
    }
    CancelJob {
        does: "cancel the job; asks if it writes",
        kind: AbilityKind::Cancels, needs: Needs::Rows, opens_field: false,
        phrase: None, line: None, command: None, next_command: None,
    }
    CancelAll {
        does: "cancel all that is running",
        kind: AbilityKind::Cancels, needs: Needs::Nothing, opens_field: false,
        phrase: say("cancel", "stop what is running; what it found is kept"),
        line: None, command: None, next_command: None,
    }
    Leave {
        does: "leave the program",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: say("quit", "leave; Ctrl-D does the same"),
        line: None, command: None, next_command: None,
    }
    Clone {
        does: "get a registry with git",
        kind: AbilityKind::Acts, needs: Needs::Nothing, opens_field: false,
        phrase: None, line: Some("`bumpdesk clone`"), command: None, next_command: Some("bumpdesk clone"),
    }
}
