//! The table of abilities.

use crate::desk::ability::{AbilityKind, AbilityRow, Needs, Phrase};

/// Makes the abilities and their rows. A row that leaves a column out does not compile.
macro_rules! abilities {
    ($($ability:ident {
        does: $does:expr, phrase: $phrase:expr,
        kind: $kind:ident, needs: $needs:ident, opens_field: $opens_field:expr,
        line: $line:expr, command: $command:expr, next_command: $next_command:expr,
    })+) => {
        /// Something that a maintainer can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Ability {
            $($ability,)+
        }

        /// The rows, in the order of the abilities.
        pub(super) const TABLE: &[AbilityRow] = &[$(AbilityRow {
            ability: Ability::$ability,
            does: $does,
            phrase: $phrase,
            kind: AbilityKind::$kind,
            needs: Needs::$needs,
            opens_field: $opens_field,
            line: $line,
            command: $command,
            next_command: $next_command,
        },)+];
    };
}

#[expect(clippy::unnecessary_wraps, reason = "a row without a phrase has `None` in this column")]
const fn say(form: &'static str, does: &'static str) -> Option<Phrase> {
    Some(Phrase { form, does })
}

abilities! {
    // The registry, its list, and one entry.
    DeleteView {
        does: "delete the view under the cursor, after a question",
        phrase: say("delete NAME", "delete a view of your own, after a question"),
        kind: Destroys, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk view delete NAME"), next_command: None,
    }
    Views {
        does: "the views: choose or delete one", phrase: None,
        kind: Ordinary, needs: Registry, opens_field: false, line: Some("view"),
        command: Some("bumpdesk view list"), next_command: None,
    }
    Look {
        does: "open the entry: all versions, why, what next",
        phrase: say("open N", "one entry: what it is, why, what if nothing is done, what can be done; a number alone does the same"),
        kind: Ordinary, needs: Rows, opens_field: false, line: None, command: Some("bumpdesk show ADDRESS"), next_command: None,
    }
    Build {
        does: "build the proposed rebuild and show what it changes (writes nothing)",
        phrase: say("diff N", "build the proposed rebuild and say what it changes; writes nothing"),
        kind: Ordinary, needs: Entry, opens_field: false, line: None,
        command: Some("bumpdesk diff ADDRESS"), next_command: Some("bumpdesk diff ADDRESS"),
    }
    Browse {
        does: "open the upstream repository in the browser, or copy its URL", phrase: None,
        kind: Ordinary, needs: Entry, opens_field: false, line: None, command: None, next_command: None,
    }
    CopyPath {
        does: "copy the JSON path (diff) or the file's path", phrase: None,
        kind: Ordinary, needs: Entry, opens_field: false, line: None, command: None, next_command: None,
    }
    Survey {
        does: "survey this entry, or the marked ones, now", phrase: say("survey N", "ask upstream about one entry now"),
        kind: Ordinary, needs: Entries, opens_field: false, line: None,
        command: Some("bumpdesk survey ADDRESS --max-age 0"), next_command: Some("bumpdesk survey ADDRESS"),
    }
    SurveyShown {
        does: "survey all rows that the filter shows",
        phrase: say("survey shown", "ask upstream about all that the list has; also survey marked, survey all"),
        kind: Ordinary, needs: Rows, opens_field: false, line: None, command: Some("bumpdesk survey --filter Q"), next_command: None,
    }
    SurveyBoard {
        does: "survey all entries that are on the board", phrase: None,
        kind: Ordinary, needs: Rows, opens_field: false, line: None, command: Some("bumpdesk survey --filter Q"), next_command: None,
    }
    CancelSurvey {
        does: "cancel the running survey; what it found is kept", phrase: None,
        kind: Cancels, needs: Nothing, opens_field: false, line: Some("cancel"), command: None, next_command: None,
    }

    // Verifications and backfills.
    Verify {
        does: "verify this entry, or the marked ones, against upstream now (only reads)",
        phrase: say("verify N", "is what is stored still what upstream serves? only reads; also ADDRESS@VERSION, verify marked"),
        kind: Ordinary, needs: Entries, opens_field: false, line: None,
        command: Some("bumpdesk verify ADDRESS"), next_command: Some("bumpdesk verify ADDRESS"),
    }
    VerifyRest {
        does: "verify what is left of it, or all of it again", phrase: None,
        kind: Ordinary, needs: Nothing, opens_field: false, line: Some("verify N"),
        command: Some("bumpdesk verify ADDRESS"), next_command: None,
    }
    Backfill {
        does: "fill in h1 and size of this entry, or of the marked ones, where they are lacking: says what it would cost, and asks",
        phrase: say("backfill N", "fill in h1 and size of an entry where they are lacking, after a question; also backfill marked"),
        kind: Ordinary, needs: Entries, opens_field: true, line: None,
        command: Some("bumpdesk backfill run ADDRESS"), next_command: Some("bumpdesk backfill run ADDRESS"),
    }
    BackfillRest {
        does: "continue with what is left, or could not be read", phrase: None,
        kind: Ordinary, needs: Nothing, opens_field: false, line: Some("backfill N"),
        command: Some("bumpdesk backfill run ADDRESS"), next_command: None,
    }
    Dispatch {
        does: "fill in h1 and size on GitHub's machines: asks how many, then shows the gates (sends nothing yet)",
        phrase: say("dispatch N MACHINES", "make ready to fill it in on so many of GitHub's machines; also dispatch marked MACHINES"),
        kind: Ordinary, needs: Entries, opens_field: true, line: None,
        command: Some("bumpdesk backfill dispatch ADDRESS --shards 2 --dry-run"), next_command: None,
    }
    FollowRun {
        does: "follow the newest backfill on GitHub's machines",
        phrase: say("run NUMBER", "follow a backfill on GitHub's machines to its end; run alone follows the newest"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk backfill status --follow"), next_command: Some("bumpdesk backfill status --run NUMBER --follow"),
    }
    RerunRun {
        does: "run once more what failed of a run on GitHub's machines (shows first what that would send)",
        phrase: say("run NUMBER again", "make ready to run once more what failed of it; send DIGITS sends that"),
        kind: Ordinary, needs: Rows, opens_field: false, line: None,
        command: None, next_command: Some("bumpdesk backfill rerun NUMBER --dry-run"),
    }
    MergeRun {
        does: "put what this run on GitHub's machines found into the plan (asks)",
        phrase: say("run NUMBER merge", "put what it found into the plan, after a question"),
        kind: Ordinary, needs: Rows, opens_field: false, line: None,
        command: Some("bumpdesk backfill merge --run RUN"), next_command: Some("bumpdesk backfill merge --run NUMBER"),
    }
    ReadRunLogs {
        does: "to the log; of a run on GitHub's machines to its jobs, and to the log of one", phrase: None,
        kind: Ordinary, needs: Rows, opens_field: false, line: Some("run NUMBER"),
        command: Some("bumpdesk log"), next_command: Some("bumpdesk backfill status --run NUMBER --log 20"),
    }
    PauseVerification {
        does: "pause or resume",
        phrase: say("pause", "pause a verification or a backfill: running downloads finish, no more start"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }
    PauseBackfill {
        does: "pause or resume", phrase: say("resume", "resume what was paused"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }
    PauseJob {
        does: "pause a verification or a backfill, or resume it", phrase: None,
        kind: Ordinary, needs: Rows, opens_field: false, line: None, command: None, next_command: None,
    }
    MoreWorkers {
        does: "more downloads at once",
        phrase: say("workers N", "how many downloads a verification or a backfill may have at once"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }
    FewerWorkers {
        does: "fewer downloads at once", phrase: None,
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }
    StopAtBad {
        does: "stop at the next bad row, or continue past all of them", phrase: None,
        kind: Ordinary, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk verify ADDRESS --stop-at-bad"), next_command: None,
    }
    ShowVerification {
        does: "show what the last verification found",
        phrase: say("rows", "what the last verification found, equal rows once; also rows bad, rows each"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }
    CancelVerification {
        does: "stop; what is finished stays in the report", phrase: None,
        kind: Cancels, needs: Nothing, opens_field: false, line: Some("cancel"), command: None, next_command: None,
    }
    ShowBackfill {
        does: "show what the last backfill found and made", phrase: None,
        kind: Ordinary, needs: Nothing, opens_field: false, line: Some("jobs"), command: None, next_command: None,
    }
    CancelBackfill {
        does: "stop; what is finished is kept (asks if it goes into the plan)", phrase: None,
        kind: Cancels, needs: Nothing, opens_field: false, line: Some("cancel"), command: None, next_command: None,
    }
    Reload {
        does: "read the registry from disk again", phrase: say("reload", "read the registry from disk again"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: Some("bumpdesk list"), next_command: None,
    }

    // The plan.
    Add {
        does: "add this entry to the plan, or the marked ones: builds what the bump would write",
        phrase: say("plan add N", "add the rebuild of an entry to the plan, after a question; also plan add marked"),
        kind: Ordinary, needs: Entries, opens_field: false, line: None,
        command: Some("bumpdesk plan add ADDRESS"), next_command: Some("bumpdesk plan add ADDRESS"),
    }
    ClearErrors {
        does: "plan to have the next bump try what waits again: clears its recorded failures",
        phrase: say("plan clear N", "plan to clear the recorded failures of an entry that waits for its next try"),
        kind: Ordinary, needs: Entry, opens_field: false, line: None,
        command: Some("bumpdesk plan clear-errors ADDRESS@VERSION"), next_command: None,
    }
    Warn {
        does: "plan a warning that clients show to users",
        phrase: say("plan warn N TEXT", "plan a warning that clients show to users; also plan warn N moved-to ADDRESS"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk plan warn ADDRESS --text TEXT"), next_command: None,
    }
    Block {
        does: "plan to keep a version out that is not indexed, for a reason: an entry on the blacklist",
        phrase: say("plan block N VERSION TEXT", "plan to keep a version out, for this reason"),
        kind: Ordinary, needs: Entry, opens_field: true, line: None,
        command: Some("bumpdesk plan block ADDRESS@MISSING --because TEXT"), next_command: None,
    }
    Remove {
        does: "plan to remove a version, or print the reply of the policy",
        phrase: say("plan remove N VERSION REASON", "plan to remove a version, with URL and NUMBER behind it; else the reply"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk plan remove ADDRESS@VERSION --because REASON"), next_command: None,
    }
    Submit {
        does: "plan a new provider, a new module or a new key of a namespace",
        phrase: say("plan submit KIND NAME", "plan a new provider or module by its REPOSITORY; also plan submit key NAMESPACE FILE"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk plan submit KIND REPOSITORY"), next_command: None,
    }
    ShowPlan {
        does: "show the plan and its files", phrase: say("plan show", "the plan, its files numbered"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: Some("plan"),
        command: None, next_command: Some("bumpdesk plan show"),
    }
    ShowFile {
        does: "look closer: at the file's lines, a long value whole, or into the fold",
        phrase: say("plan show N", "all that changes in file N of the plan; once read to its end it counts as looked at"),
        kind: Ordinary, needs: Rows, opens_field: false, line: None,
        command: Some("bumpdesk plan show ADDRESS"), next_command: Some("bumpdesk plan show ADDRESS"),
    }
    RebuildFile {
        does: "build this file again on the registry and upstream as they are now (asks)", phrase: None,
        kind: Ordinary, needs: Plan, opens_field: false, line: None,
        command: Some("bumpdesk plan add ADDRESS"), next_command: None,
    }
    RebuildPlan {
        does: "build the whole plan again on the registry and upstream as they are now (asks)",
        phrase: say("plan rebuild", "build the whole plan again, after a question"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: Some("bumpdesk plan rebuild"), next_command: None,
    }
    CancelBuild {
        does: "cancel the build of files of the plan", phrase: None,
        kind: Cancels, needs: Nothing, opens_field: false, line: Some("cancel"), command: None, next_command: None,
    }
    DropFile {
        does: "remove the file from the plan, with its marks (asks)",
        phrase: say("plan drop N", "remove file N from the plan, after a question; also plan drop all"),
        kind: Destroys, needs: Plan, opens_field: false, line: None,
        command: Some("bumpdesk plan drop ADDRESS"), next_command: None,
    }
    Approve {
        does: "approve what is shown, if all of it was looked at",
        phrase: say("approve N", "approve file N of the plan, or one version of it: approve N VERSION"),
        kind: Ordinary, needs: Plan, opens_field: false, line: None,
        command: Some("bumpdesk plan approve ADDRESS"), next_command: None,
    }
    Reject {
        does: "reject: leave this change out of what would be sent",
        phrase: say("reject N", "keep file N, or one version of it, out of what would be sent"),
        kind: Destroys, needs: Plan, opens_field: false, line: None,
        command: Some("bumpdesk plan reject ADDRESS"), next_command: None,
    }
    Reopen {
        does: "undo the approval or the rejection", phrase: say("reopen N", "undo an approval or a rejection"),
        kind: Ordinary, needs: Plan, opens_field: false, line: None,
        command: Some("bumpdesk plan reopen ADDRESS"), next_command: None,
    }
    Note {
        does: "write a note on this change",
        phrase: say("note N TEXT", "write a note on file N of the plan; without text it is removed"),
        kind: Ordinary, needs: Plan, opens_field: true, line: None,
        command: Some("bumpdesk plan note ADDRESS --note TEXT"), next_command: None,
    }

    // Pull requests of others, and stranded versions.
    Watch {
        does: "follow a pull request to its merge and the bump after it",
        phrase: say("watch NUMBER", "follow a pull request to its merge and the bump after it; watch alone reads those that are open"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk pr watch NUMBER"), next_command: None,
    }
    ListReviews {
        does: "list the open pull requests, and review each again",
        phrase: say("review", "the open pull requests of others, each made again from upstream"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk review"), next_command: Some("bumpdesk review"),
    }
    Review {
        does: "review this pull request again, as it is now",
        phrase: say("review NUMBER", "one of them, file by file; review NUMBER hash downloads and hashes its archives as well"),
        kind: Ordinary, needs: Rows, opens_field: false, line: None,
        command: Some("bumpdesk review NUMBER"), next_command: Some("bumpdesk review NUMBER"),
    }
    HashReview {
        does: "download and hash the archives of this pull request, and review it again (only reads)", phrase: None,
        kind: Ordinary, needs: Rows, opens_field: false, line: Some("review NUMBER hash"),
        command: Some("bumpdesk review NUMBER --hash"), next_command: Some("bumpdesk review NUMBER --hash"),
    }
    ReviewDiff {
        does: "show what this pull request changes, line by line, and where it is not what upstream gives",
        phrase: say("review NUMBER diff", "the lines that it changes; review NUMBER upstream for those that are not what upstream gives"),
        kind: Ordinary, needs: Rows, opens_field: false, line: None,
        command: Some("bumpdesk review NUMBER --diff"), next_command: Some("bumpdesk review NUMBER --diff"),
    }
    Judge {
        does: "submit a review of this pull request: approve, request changes or comment (sends nothing yet)",
        phrase: say("review NUMBER VERDICT", "approve, changes or comment, with words of your own, made ready; send DIGITS submits it"),
        kind: Ordinary, needs: Rows, opens_field: true, line: None,
        command: Some("bumpdesk review NUMBER --approve --hash --dry-run"),
        next_command: Some("bumpdesk review NUMBER --comment --dry-run"),
    }
    CancelReview {
        does: "cancel the review; what it found is kept", phrase: None,
        kind: Cancels, needs: Nothing, opens_field: false, line: Some("cancel"), command: None, next_command: None,
    }
    ShowStranded {
        does: "list versions that no bump brings by itself",
        phrase: say("stranded", "versions that no bump brings by itself; also stranded WORD, or ADDRESS VERSION"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: Some("bumpdesk stranded"), next_command: None,
    }
    Ignore {
        does: "ignore this version, or the marked ones, until a date, for a reason; for you alone",
        phrase: say("ignore ADDRESS VERSION DATE WHY", "ignore a version until a date, for you alone"),
        kind: Ordinary, needs: Rows, opens_field: true, line: None,
        command: Some("bumpdesk stranded ignore ADDRESS@MISSING --until 90d --because TEXT"), next_command: None,
    }
    Unignore {
        does: "no longer ignore this version, or the marked ones",
        phrase: say("unignore ADDRESS VERSION", "take back that a version is ignored"),
        kind: Ordinary, needs: Rows, opens_field: false, line: None,
        command: Some("bumpdesk stranded unignore ADDRESS@MISSING"), next_command: None,
    }
    DraftMessage {
        does: "draft a message to the author of this version, or of the marked ones of one entry; it is copied, and sent to nobody",
        phrase: say("message ADDRESS VERSION", "a message to the author of a stranded version, to copy; it is not sent"),
        kind: Ordinary, needs: Rows, opens_field: false, line: None,
        command: Some("bumpdesk stranded message ADDRESS@MISSING"), next_command: None,
    }
    Triage {
        does: "say why a version is not available",
        phrase: say("triage ADDRESS", "why a version is not available: also ADDRESS@VERSION, a URL, or #NUMBER of an issue"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk triage ADDRESS@VERSION"), next_command: None,
    }

    // Writes to GitHub.
    ShowPull {
        does: "the pull request of the plan: its gates, and all that it would send (sends nothing yet)", phrase: None,
        kind: Ordinary, needs: Plan, opens_field: false, line: None,
        command: Some("bumpdesk pr open --plan DIGITS --dry-run"), next_command: None,
    }
    NextPull {
        does: "show the next pull request that an earlier run left half-done", phrase: None,
        kind: Ordinary, needs: Nothing, opens_field: false, line: Some("pull"), command: None, next_command: None,
    }
    Recheck {
        does: "check the gates again; where it stopped, resume it by its digits",
        phrase: say("pull", "the pull request of the plan: its gates, and all that it would send"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk pr open --plan DIGITS --dry-run"), next_command: None,
    }
    EditPull {
        does: "how it is opened: draft or ready, labels, reviewers, issues",
        phrase: say("pull WORDS", "the same, opened another way: ready, label:NAME, reviewer:LOGIN, fixes:NUMBER, fork"),
        kind: Ordinary, needs: Nothing, opens_field: true, line: Some("pull"),
        command: Some("bumpdesk pr open --plan DIGITS --dry-run"), next_command: None,
    }
    ShowGate {
        does: "a gate or a request whole", phrase: None,
        kind: Ordinary, needs: Rows, opens_field: false, line: None, command: None, next_command: None,
    }
    Arm {
        does: "arm: allow writing to GitHub for ten minutes, for a reason",
        phrase: say("arm REASON", "allow writing to GitHub for ten minutes"),
        kind: Ordinary, needs: Registry, opens_field: true, line: None, command: None, next_command: None,
    }
    Disarm {
        does: "disarm: only read again", phrase: say("disarm", "only read again"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }
    WriteOut {
        does: "write to a file all that would be sent, with a patch (sends nothing)",
        phrase: say("write FILE", "write what pull read out to a new file: every request, and a patch that git am takes"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk pr open --plan DIGITS --dry-run --out FILE"), next_command: None,
    }
    TypeDigits {
        does: "open the field for the digits that send what is shown",
        phrase: say("send DIGITS", "open the pull request that was read out, by its six digits, after a question"),
        kind: Ordinary, needs: Nothing, opens_field: true, line: None,
        command: Some("bumpdesk pr open --plan DIGITS --dry-run"), next_command: None,
    }
    Resume {
        does: "send what is left of a pull request that stopped",
        phrase: say("resume DIGITS", "send what is left of a pull request that stopped, after a question"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }
    Undo {
        does: "undo what was sent: shows it first, then takes its digits",
        phrase: say("undo", "what undoing the pull request would send; then undo DIGITS does it"),
        kind: Destroys, needs: Nothing, opens_field: false, line: None,
        command: Some("bumpdesk pr undo DIGITS"), next_command: None,
    }
    CancelPull {
        does: "stop: nothing more is sent (asks)", phrase: None,
        kind: Cancels, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }

    // Jobs and the program.
    ShowJobs {
        does: "show what is running, what has run, and the log",
        phrase: say("jobs", "what is running, and the last jobs of this and earlier runs"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }
    RunAgain {
        does: "run it again: what failed, or what was left; of a run on GitHub's machines, shows what that would send",
        phrase: None, kind: Ordinary, needs: Rows, opens_field: false, line: None,
        command: Some("bumpdesk survey --filter Q"), next_command: None,
    }
    CancelJob {
        does: "cancel the job; asks if it writes", phrase: None,
        kind: Cancels, needs: Rows, opens_field: false, line: None, command: None, next_command: None,
    }
    CancelAll {
        does: "cancel all that is running", phrase: say("cancel", "stop what is running; what it found is kept"),
        kind: Cancels, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }
    Leave {
        does: "leave the program", phrase: say("quit", "leave; Ctrl-D does the same"),
        kind: Ordinary, needs: Nothing, opens_field: false, line: None, command: None, next_command: None,
    }
    Clone {
        does: "get a registry with git", phrase: None,
        kind: Ordinary, needs: Nothing, opens_field: false, line: Some("`bumpdesk clone`"),
        command: None, next_command: Some("bumpdesk clone"),
    }
}
