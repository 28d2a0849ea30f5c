//! The one table of actions. Everything that names a key is made from it: hints, `?`, the palette, which-key boxes,
//! `bumpdesk keys`, the manual page and `src/manual/key-table.md`.
//!
//! Outside of overlays a key stands in one row only, so the same letter means the same in every view. `1` to `8` are
//! kept for views; nothing is bound to Backspace, Delete or Insert.

use crate::desk::intent::OnEntry;
use crate::tui::keymap::Context::View;
use crate::tui::keymap::ViewId::{
    Backfill, Changes, Diff, Entry, Inventory, Jobs, Pull, Reviews, Stranded, Verify,
};
use crate::tui::keymap::action::{Action, Command, HintKeys, act};
use crate::tui::keymap::{Context, ViewId};

const VIEWS: &[Context] = &Context::VIEWS;
/// Where one entry is meant.
const ABOUT: &[Context] = &[View(Inventory), View(Entry), View(Diff), View(Changes)];
const LIST: &[Context] = &[View(Inventory)];
const ONE: &[Context] = &[View(Inventory), View(Entry)];
const DIFF: &[Context] = &[View(Diff)];
const CHANGES: &[Context] = &[View(Changes)];
const VERIFY: &[Context] = &[View(Verify)];
const BACKFILL: &[Context] = &[View(Backfill)];
const JOBS: &[Context] = &[View(Jobs)];
const REVIEWS: &[Context] = &[View(Reviews)];
const STRANDED: &[Context] = &[View(Stranded)];
const PULL: &[Context] = &[View(Pull)];
/// All views but the pull request: a number shows its view, and there it may be one of the digits.
const NUMBERS: &[Context] = &[
    View(Inventory),
    View(Entry),
    View(Diff),
    View(Changes),
    View(Reviews),
    View(Verify),
    View(Backfill),
    View(Stranded),
    View(Jobs),
];
/// Where lines of a difference are seen.
const LINED: &[Context] = &[View(Diff), View(Changes)];
/// Where a line may be longer than the window.
const LONG: &[Context] = &[View(Diff), View(Changes), View(Jobs)];
/// Where there is something to be planned.
const PLANNABLE: &[Context] = &[View(Inventory), View(Entry), View(Diff)];
const FILTER: &[Context] = &[Context::Filter];
const HELP: &[Context] = &[Context::Help];
const PALETTE: &[Context] = &[Context::Palette];
/// Where letters are typed.
const FIELDS: &[Context] = &[
    Context::Filter,
    Context::Search,
    Context::Note,
    Context::Block,
    Context::Ignore,
    Context::NewBackfill,
    Context::Help,
    Context::Palette,
    Context::NameView,
    Context::Arm,
    Context::AskFor,
    Context::Shares,
    Context::NameFile,
    Context::Digits,
];
const PAGES: &[Context] =
    &[Context::Filter, Context::Help, Context::Palette, Context::Views, Context::Triage];
/// Where lines fold.
const FOLDS: &[Context] = &[View(Inventory), View(Diff), View(Changes), View(Verify)];
const SORT: &[Context] = &[Context::Sort];
const SAVED: &[Context] = &[Context::Views];
const NAME: &[Context] = &[Context::NameView];
const DROP: &[Context] = &[Context::DropView];
const LEAVE: &[Context] = &[Context::Leave];
const SEARCH: &[Context] = &[Context::Search];
const NOTE: &[Context] = &[Context::Note];
const ASK: &[Context] = &[Context::Ask];
const BLOCK: &[Context] = &[Context::Block];
const IGNORE: &[Context] = &[Context::Ignore];
const NEW_BACKFILL: &[Context] = &[Context::NewBackfill];
const ARM: &[Context] = &[Context::Arm];
const ASK_FOR: &[Context] = &[Context::AskFor];
const SHARES: &[Context] = &[Context::Shares];
const NAME_FILE: &[Context] = &[Context::NameFile];
const DIGITS: &[Context] = &[Context::Digits];
const VALUE: &[Context] = &[Context::Value];
const TRIAGE: &[Context] = &[Context::Triage];

/// The row of the command that shows a numbered view.
const fn show(name: &'static str, id: ViewId, label: &'static str) -> Action {
    act(name, Command::Show(id), label).on(NUMBERS, id.keys())
}

/// All actions, in the order of the `?` page.
#[rustfmt::skip]
pub(super) const TABLE: &[Action] = &[
    // moving
    act("down", Command::Down, "down one row")
        .on(VIEWS, &["j", "down"]).hinted(4, "move", HintKeys::With(Command::Up))
        .screen_only(),
    act("up", Command::Up, "up one row").on(VIEWS, &["k", "up"]).screen_only(),
    act("top", Command::Top, "to the first row").on(VIEWS, &["g g", "home"]).screen_only(),
    act("bottom", Command::Bottom, "to the last row").on(VIEWS, &["G", "end"]).screen_only(),
    act("half-down", Command::HalfDown, "down half a page").on(VIEWS, &["ctrl-d"]).screen_only(),
    act("half-up", Command::HalfUp, "up half a page").on(VIEWS, &["ctrl-u"]).screen_only(),
    act("page-down", Command::PageDown, "down a page").on(VIEWS, &["pgdn"]).screen_only(),
    act("page-up", Command::PageUp, "up a page").on(VIEWS, &["pgup"]).screen_only(),
    act("other-down", Command::OtherDown, "scroll the other pane down").on(VIEWS, &["J"])
        .screen_only(),
    act("other-up", Command::OtherUp, "scroll the other pane up").on(VIEWS, &["K"])
        .screen_only(),
    // the diff
    act("next-hunk", Command::NextHunk, "to the next change")
        .on(LINED, &["]"]).hinted(2, "change", HintKeys::With(Command::PreviousHunk))
        .screen_only(),
    act("previous-hunk", Command::PreviousHunk, "to the previous change").on(LINED, &["["])
        .screen_only(),
    act("next-file", Command::NextFile, "to the next file of the plan")
        .on(CHANGES, &[")"]).hinted(4, "file", HintKeys::With(Command::PreviousFile))
        .screen_only(),
    act("previous-file", Command::PreviousFile, "to the previous file of the plan").on(CHANGES, &["("])
        .screen_only(),
    act("more-context", Command::MoreContext, "show more unchanged lines around changes").on(LINED, &["}"])
        .screen_only(),
    act("less-context", Command::LessContext, "show fewer unchanged lines around changes").on(LINED, &["{"])
        .screen_only(),
    act("fold", Command::Fold, "open or close the fold under the cursor").on(LINED, &["z a"]).hint(4, "fold")
        .on(LIST, &["z a"]).says("open or close the group under the cursor")
        .on(VERIFY, &["z a"]).says("show or fold the targets with the same result").hint(8, "fold")
        .screen_only(),
    act("open-folds", Command::OpenFolds, "open all folds").on(FOLDS, &["z R"]).screen_only(),
    act("close-folds", Command::CloseFolds, "close all folds").on(FOLDS, &["z M"]).screen_only(),
    act("layout", Command::Layout, "layout: unified, side by side where there is room, structure")
        .on(LINED, &["t"]).hint(8, "layout")
        .screen_only(),
    act("left", Command::Left, "scroll to the left")
        .on(LONG, &["h", "left"]).hinted(9, "scroll", HintKeys::With(Command::Right))
        .on(STRANDED, &["h", "left"]).says("to the column on the left").hinted(3, "column", HintKeys::With(Command::Right))
        .screen_only(),
    act("right", Command::Right, "scroll to the right").on(LONG, &["l", "right"])
        .on(STRANDED, &["l", "right"]).says("to the column on the right")
        .screen_only(),
    act("wrap", Command::Wrap, "wrap long lines, or cut them").on(LONG, &["w"]).hint(9, "wrap")
        .screen_only(),
    act("other-pane", Command::OtherPane, "to the other pane")
        .on(CHANGES, &["tab"]).says("from the files to the lines, and back").hint(2, "files/lines")
        .on(PULL, &["tab"]).says("from the gates to the requests, and back").hint(6, "gates/requests")
        .on(REVIEWS, &["tab"]).says("all of the pull request on the whole screen, and back")
        .on(STRANDED, &["tab"]).says("the whole story of this version, and back")
        .on(JOBS, &["tab"]).says("from the jobs to those of a run on GitHub's machines, then to the log, and back").hint(3, "pane")
        .on(VERIFY, &["tab"]).says("all that is known of what is under the cursor, on the whole screen, and back").hint(3, "details")
        .on(BACKFILL, &["tab"]).says("all that is known of this target, on the whole screen, and back")
        .on(LIST, &["tab"]).says("into the preview, where keys then move its lines, and back").hint(12, "preview")
        .screen_only(),
    // reviewing
    act("add", Command::Add, "add this entry to the plan, or the marked ones: builds what the bump would write")
        .on(PLANNABLE, &["a"]).hint(5, "add")
        .on(STRANDED, &["a"]).says("add the entry of this version to the plan, or those of the marked ones").hint(5, "add")
        .on(JOBS, &["a"]).says("put what this run on GitHub's machines found into the plan (asks)").hint(4, "into the plan")
        .like("bumpdesk backfill merge --run RUN")
        .same_as("bumpdesk plan add ADDRESS"),
    act("clear-errors", Command::ClearErrors, "plan to have the next bump try what waits again: clears its recorded failures")
        .on(PLANNABLE, &["E"])
        .on(STRANDED, &["E"]).says("plan to clear the failed tries of this version, or of the marked ones of one entry").hint(6, "clear tries")
        .same_as("bumpdesk plan clear-errors ADDRESS@VERSION"),
    act("block", Command::Block, "plan to keep a version out that is not indexed, for a reason: an entry on the blacklist")
        .on(PLANNABLE, &["B"])
        .on(STRANDED, &["B"]).says("plan to keep this version out, or the marked ones of one entry, for a reason").hint(8, "block")
        .same_as("bumpdesk plan block ADDRESS@MISSING --because TEXT"),
    act("ignore", Command::Ignore, "ignore this version, or the marked ones, until a date, for a reason; for you alone")
        .on(STRANDED, &["i"]).hint(6, "ignore")
        .same_as("bumpdesk stranded ignore ADDRESS@MISSING --until 90d --because TEXT"),
    act("message", Command::Message, "draft a message to the author of this version, or of the marked ones of one entry; it is copied, and sent to nobody")
        .on(STRANDED, &["m"]).hint(7, "message")
        .same_as("bumpdesk stranded message ADDRESS@MISSING"),
    act("reject", Command::Reject, "reject: leave this change out of what would be sent")
        .on(CHANGES, &["X"]).hint(3, "reject")
        .same_as("bumpdesk plan reject ADDRESS"),
    act("take-back", Command::TakeBack, "undo the approval or the rejection").on(CHANGES, &["u"]).hint(3, "take back")
        .on(PULL, &["u"]).says("undo what was sent: shows it first, then takes its digits").hint(3, "undo").like("bumpdesk pr undo DIGITS")
        .on(STRANDED, &["u"]).says("no longer ignore this version, or the marked ones").like("bumpdesk stranded unignore ADDRESS@MISSING")
        .same_as("bumpdesk plan reopen ADDRESS"),
    act("note", Command::Note, "write a note on this change").on(CHANGES, &["c"]).hint(3, "note")
        .same_as("bumpdesk plan note ADDRESS --note TEXT"),
    act("drop", Command::Drop, "remove the file from the plan, with its marks (asks)").on(CHANGES, &["-"])
        .same_as("bumpdesk plan drop ADDRESS"),
    act("pull-request", Command::Publish, "the pull request of the plan: its gates, and all that it would send (sends nothing yet)")
        .on(CHANGES, &["P"]).hint(1, "pull request")
        .on(PULL, &["P"]).says("open the field for the digits that send what is shown").hint(1, "type the digits").opens_field()
        .same_as("bumpdesk pr open --plan DIGITS --dry-run"),
    act("verdict", Command::Judge, "submit a review of this pull request: approve, request changes or comment (sends nothing yet)")
        .on(REVIEWS, &["Y"]).hint(2, "verdict")
        .same_as("bumpdesk review NUMBER --approve --hash --dry-run"),
    act("write-out", Command::WriteOut, "write to a file all that would be sent, with a patch (sends nothing)")
        .on(PULL, &["D"]).hint(6, "to a file")
        .same_as("bumpdesk pr open --plan DIGITS --dry-run --out FILE"),
    act("arm", Command::Arm, "arm: allow writing to GitHub for ten minutes, for a reason")
        .on(NUMBERS, &["W a"])
        .on(PULL, &["W a"]).hinted(2, "arm", HintKeys::Begin)
        .screen_only(),
    act("disarm", Command::Disarm, "disarm: only read again").on(VIEWS, &["W d"])
        .screen_only(),
    // verifying
    act("verify", Command::Verify, "verify: checksums, archives, h1 and signature against upstream now (only reads)")
        .on(&[View(Inventory)], &["V"]).says("verify this entry, or the marked ones, against upstream now (only reads)")
        .hint(8, "verify")
        .on(&[View(Entry)], &["V"]).says("verify this version against upstream now (only reads)").hint(3, "verify version")
        .on(CHANGES, &["V"]).says("verify what is stored of this entry against upstream now (only reads)")
        .on(REVIEWS, &["V"]).says("download and hash the archives of this pull request, and review it again (only reads)")
        .hint(3, "hash").like("bumpdesk review NUMBER --hash")
        .on(STRANDED, &["V"]).says("verify what is indexed of this, or of the marked ones, against upstream now (only reads)").hint(9, "verify")
        .on(BACKFILL, &["V"]).says("verify the version of this target against upstream now (only reads)").hint(8, "verify")
        .on(VERIFY, &["V"]).says("verify what is left of it, or all of it again").hint(1, "again")
        .same_as("bumpdesk verify ADDRESS"),
    act("backfill", Command::Backfill, "fill in h1 and size of this entry, or of the marked ones, where they are lacking: says what it would cost, and asks")
        .on(ONE, &["b"])
        .on(BACKFILL, &["b"]).says("a new backfill: of what, how much and into what; says what it would cost, and asks").hint(4, "new")
        .same_as("bumpdesk backfill run ADDRESS"),
    act("dispatch", Command::Dispatch, "fill in h1 and size on GitHub's machines: asks how many, then shows the gates (sends nothing yet)")
        .on(ONE, &["W b"])
        .same_as("bumpdesk backfill dispatch ADDRESS --shards 2 --dry-run"),
    act("more-workers", Command::MoreWorkers, "more downloads at once")
        .on(VERIFY, &[">"]).hinted(7, "workers", HintKeys::With(Command::FewerWorkers))
        .on(BACKFILL, &[">"]).hinted(7, "workers", HintKeys::With(Command::FewerWorkers))
        .screen_only(),
    act("fewer-workers", Command::FewerWorkers, "fewer downloads at once").on(VERIFY, &["<"]).on(BACKFILL, &["<"])
        .screen_only(),
    act("stop-at-bad", Command::StopAtBad, "stop at the next bad row, or continue past all of them").on(VERIFY, &["S"])
        .same_as("bumpdesk verify ADDRESS --stop-at-bad"),
    // jobs
    act("only-errors", Command::OnlyErrors, "which lines of the log: without successful requests, only errors and warnings, or all")
        .on(JOBS, &["!"]).hint(6, "log lines")
        .on(VERIFY, &["!"]).says("show only bad targets, or all").hint(5, "only bad").only_here()
        .on(BACKFILL, &["!"]).says("show only what could not be filled in, or all").hint(5, "only bad").only_here()
        .same_as("bumpdesk log --errors"),
    act("clear-done", Command::ClearDone, "hide or show finished jobs").on(JOBS, &["C"]).hint(7, "clear done")
        .screen_only(),
    // looking
    act("open", Command::Open, "look closer at what is under the cursor")
        .on(LIST, &["enter"]).says("open the entry: all versions, why, what next").hint(3, "open")
        .on(DIFF, &["enter"]).says("look closer: a long value whole, or into the fold").only_here()
        .on(CHANGES, &["enter"]).says("look closer: at the file's lines, a long value whole, or into the fold")
        .like("bumpdesk plan show ADDRESS")
        .on(VERIFY, &["enter"]).says("open or close the targets with the same result; all about one target, or back to the table").hint(4, "open/close").only_here()
        .on(PULL, &["enter"]).says("a gate or a request whole").hint(4, "whole").only_here()
        .on(REVIEWS, &["enter"]).says("all of the pull request on the whole screen, and back").hint(3, "open")
        .like("bumpdesk review NUMBER")
        .on(STRANDED, &["enter"]).says("the whole story of this version, and back").hint(3, "story")
        .like("bumpdesk stranded ADDRESS MISSING")
        .on(BACKFILL, &["enter"]).says("all that is known of this target, and back").hint(3, "details").only_here()
        .on(JOBS, &["enter"]).says("to the log; of a run on GitHub's machines to its jobs, and to the log of one").hint(4, "its log").like("bumpdesk log")
        .same_as("bumpdesk show ADDRESS"),
    act("build", Command::Entry(OnEntry::Build), "build the proposed rebuild and show what it changes (writes nothing)")
        .on(ONE, &["d"]).hint(2, "diff")
        .same_as("bumpdesk diff ADDRESS"),
    act("survey-this", Command::SurveyThis, "survey this entry, or the marked ones, now")
        .on(ONE, &["r"]).hint(5, "survey this")
        .on(CHANGES, &["r"]).says("build this file again on the registry and upstream as they are now (asks)")
        .like("bumpdesk plan add ADDRESS")
        .on(PULL, &["r"]).says("check the gates again; where it stopped, resume it by its digits").hint(5, "check again")
        .like("bumpdesk pr open --plan DIGITS --dry-run")
        .on(REVIEWS, &["r"]).says("review this pull request again, as it is now").hint(5, "review again")
        .like("bumpdesk review NUMBER")
        .on(STRANDED, &["r"]).says("survey the entry of this version, or those of the marked ones, now").hint(7, "survey")
        .on(BACKFILL, &["r"]).says("continue with what is left, or could not be read").hint(1, "continue")
        .like("bumpdesk backfill run ADDRESS")
        .on(JOBS, &["r"]).says("run it again: what failed, or what was left; of a run on GitHub's machines, shows what that would send").hint(3, "retry")
        .like("bumpdesk survey --filter Q")
        .same_as("bumpdesk survey ADDRESS --max-age 0"),
    act("survey-shown", Command::SurveyShown, "survey all rows that the filter shows")
        .on(LIST, &["R"]).hint(3, "survey shown")
        .on(CHANGES, &["R"]).says("build the whole plan again on the registry and upstream as they are now (asks)")
        .like("bumpdesk plan rebuild")
        .on(REVIEWS, &["R"]).says("list the open pull requests, and review each again").hint(6, "list again")
        .like("bumpdesk review")
        .on(STRANDED, &["R"]).says("survey all entries that are on the board").like("bumpdesk survey --filter Q")
        .on(JOBS, &["R"]).says("follow the newest backfill on GitHub's machines").like("bumpdesk backfill status --follow")
        .same_as("bumpdesk survey --filter Q"),
    act("cancel-job", Command::CancelJob, "cancel the running survey; what it found is kept")
        .on(ABOUT, &["x"]).hint(1, "cancel survey")
        .on(STRANDED, &["x"]).hint(1, "cancel survey")
        .on(VERIFY, &["x"]).says("stop; what is finished stays in the report").hint(2, "cancel")
        .on(PULL, &["x"]).says("stop: nothing more is sent (asks)").hint(2, "stop")
        .on(REVIEWS, &["x"]).says("cancel the review; what it found is kept").hint(1, "cancel")
        .on(BACKFILL, &["x"]).says("stop; what is finished is kept (asks if it goes into the plan)").hint(2, "cancel")
        .on(JOBS, &["x"]).says("cancel the job; asks if it writes").hint(2, "cancel")
        .screen_only(),
    act("reload", Command::Reload, "read the registry from disk again").on(LIST, &["L"])
        .same_as("bumpdesk list"),
    act("preview", Command::Preview, "show or hide the preview").on(LIST, &["p"])
        .screen_only(),
    act("browse", Command::Browse, "open the upstream repository in the browser, or copy its URL")
        .on(ABOUT, &["o"]).hint(10, "upstream")
        .on(REVIEWS, &["o"]).says("open the pull request in the browser, or copy its URL")
        .on(JOBS, &["o"]).says("open the run on GitHub's machines in the browser, or copy its URL").hint(6, "on GitHub")
        .on(VERIFY, &["o"])
        .on(BACKFILL, &["o"])
        .on(STRANDED, &["o"]).hint(10, "upstream")
        .screen_only(),
    act("edit", Command::Edit, "look at a copy of the data file in your editor (changes nothing)").on(ABOUT, &["e"])
        .on(PULL, &["e"]).says("how it is opened: draft or ready, labels, reviewers, issues").hint(5, "edit").opens_field()
        .like("bumpdesk pr open --plan DIGITS --dry-run")
        .screen_only(),
    act("pager", Command::Page, "look at the data file, or at the patch, in your pager").on(ABOUT, &["|"])
        .screen_only(),
    // finding and choosing
    act("filter", Command::Filter, "filter: words, status:WORD, ns:, kind:, has:, is:, a|b, !term and more; Tab completes")
        .on(LIST, &["/"]).hint(4, "filter")
        .on(LINED, &["/"]).says("search in the lines, folded ones too").only_here()
        .on(JOBS, &["/"]).says("search in the log").hint(6, "search").like("bumpdesk log")
        .same_as("bumpdesk list --filter Q"),
    act("sort", Command::Sort, "choose the order of the rows, and what they are grouped by")
        .on(LIST, &["s"]).hint(7, "sort")
        .same_as("bumpdesk list --sort WORD --group WORD"),
    act("views", Command::Views, "the views: choose or delete one").on(LIST, &["F"]).hint(9, "views")
        .same_as("bumpdesk view list"),
    act("save-view", Command::SaveView, "save filter, order and grouping as a view").on(LIST, &["f"])
        .same_as("bumpdesk view save NAME --filter Q"),
    act("next-wanting", Command::NextWanting, "to the next row that is new since the last look, or needs attention")
        .on(LIST, &["n"]).hint(9, "next new")
        .on(STRANDED, &["n"]).says("to the next version that is new since the last visit").hint(9, "next new")
        .on(LONG, &["n"]).says("to the next hit of the search")
        .on(VERIFY, &["n"]).says("to the next bad targets").hint(9, "next bad")
        .on(BACKFILL, &["n"]).says("to the next bad target").hint(9, "next bad")
        .screen_only(),
    act("previous-wanting", Command::PreviousWanting, "to the one before that is new, or needs attention")
        .on(LIST, &["N"])
        .on(STRANDED, &["N"]).says("to the one before that is new")
        .on(LONG, &["N"]).says("to the hit before")
        .on(VERIFY, &["N"]).says("to the bad targets before")
        .on(BACKFILL, &["N"]).says("to the bad target before")
        .screen_only(),
    act("jump-back", Command::JumpBack, "back to the place before the last jump").on(VIEWS, &["ctrl-o"])
        .screen_only(),
    act("mark", Command::Mark, "mark the row and move on").on(LIST, &["space"]).hint(6, "mark")
        .on(STRANDED, &["space"]).hint(5, "mark")
        .on(CHANGES, &["space"]).says("approve what is shown, if all of it was looked at; move on").hint(2, "approve")
        .like("bumpdesk plan approve ADDRESS")
        .on(VERIFY, &["space"]).says("pause or resume").hint(2, "pause/resume")
        .on(BACKFILL, &["space"]).says("pause or resume").hint(2, "pause/resume").only_here()
        .on(JOBS, &["space"]).says("pause a verification or a backfill, or resume it").hint(2, "pause/resume").only_here()
        .screen_only(),
    act("range", Command::Range, "begin a range, or mark the rows of it").on(LIST, &["v"])
        .screen_only(),
    act("mark-shown", Command::MarkShown, "mark all rows that the filter shows").on(LIST, &["A"])
        .on(STRANDED, &["A"]).says("mark all of this column")
        .screen_only(),
    act("invert", Command::Invert, "invert the marks of the rows shown").on(LIST, &["I"])
        .screen_only(),
    act("back", Command::Back, "step back: leave the range, clear the marks, then the filter; leave a screen")
        .on(NUMBERS, &["esc"]).hint(8, "back")
        .on(PULL, &["esc"]).says("back to the plan, to Reviews or to Jobs; what was made ready stays").hint(3, "back")
        .screen_only(),
    // copying
    act("copy-address", Command::CopyAddress, "copy the address")
        .on(ABOUT, &["y a"]).hinted(10, "copy", HintKeys::Begin)
        .on(VERIFY, &["y a"]).hinted(9, "copy", HintKeys::Begin)
        .on(BACKFILL, &["y a"]).hinted(9, "copy", HintKeys::Begin)
        .on(STRANDED, &["y a"]).hinted(11, "copy", HintKeys::Begin)
        .screen_only(),
    act("copy-url", Command::CopyUrl, "copy the upstream URL").on(ABOUT, &["y u"])
        .on(REVIEWS, &["y u"]).says("copy the pull request's URL").hinted(9, "copy", HintKeys::Begin)
        .on(VERIFY, &["y u"]).says("copy the archive's URL")
        .on(BACKFILL, &["y u"]).says("copy the archive's URL")
        .on(STRANDED, &["y u"])
        .screen_only(),
    act("copy-path", Command::CopyPath, "copy the JSON path (diff) or the file's path").on(ABOUT, &["y p"])
        .on(VERIFY, &["y p"]).says("copy the path of the report")
        .on(BACKFILL, &["y p"]).says("copy the path of what is kept of the run")
        .screen_only(),
    act("copy-command", Command::CopyLine, "copy the command line that does the same").on(ABOUT, &["y c"])
        .on(VERIFY, &["y c"]).says("copy the command line that verifies this row")
        .on(BACKFILL, &["y c"]).says("copy the command line of this backfill")
        .on(STRANDED, &["y c"]).says("copy the command line that tells this version")
        .on(REVIEWS, &["y c"]).says("copy the command line that reviews this pull request")
        .on(PULL, &["y c"]).says("copy the command line that shows the same").hinted(7, "copy", HintKeys::Begin)
        .on(JOBS, &["y c"]).says("copy the command line of this job").hinted(12, "copy", HintKeys::Begin)
        .screen_only(),
    act("copy-markdown", Command::CopyMarkdown, "copy the entry as Markdown, for an issue or a comment")
        .on(PLANNABLE, &["y m"])
        .on(CHANGES, &["y m"]).says("copy the plan as Markdown, for an issue or a comment").like("bumpdesk plan show --markdown")
        .on(VERIFY, &["y m"]).says("copy the report as Markdown, for an issue or a comment").like("bumpdesk verify ADDRESS --markdown")
        .on(BACKFILL, &["y m"]).says("copy the report as Markdown, for an issue or a comment")
        .like("bumpdesk backfill run ADDRESS --markdown")
        .on(REVIEWS, &["y m"]).says("copy the review as Markdown, for an issue or a comment").like("bumpdesk review NUMBER --markdown")
        .on(STRANDED, &["y m"]).says("copy this version and its story as Markdown, for an issue or a comment")
        .like("bumpdesk stranded ADDRESS MISSING --markdown")
        .on(TRIAGE, &["y m"]).says("copy the answer as Markdown, for an issue or a comment")
        .like("bumpdesk triage ADDRESS@VERSION --markdown").hint(2, "copy as Markdown")
        .on(PULL, &["y m"]).says("copy gates and text of what is ready as Markdown, for an issue or a comment").only_here()
        .same_as("bumpdesk show ADDRESS --markdown"),
    act("copy-json", Command::CopyJson, "copy the entry as JSON")
        .on(PLANNABLE, &["y j"])
        .on(CHANGES, &["y j"]).says("copy the plan as JSON").like("bumpdesk plan show --json")
        .on(VERIFY, &["y j"]).says("copy the report as JSON").like("bumpdesk verify ADDRESS --json")
        .on(BACKFILL, &["y j"]).says("copy the report as JSON").like("bumpdesk backfill run ADDRESS --json")
        .on(REVIEWS, &["y j"]).says("copy the review as JSON").like("bumpdesk review NUMBER --json")
        .on(STRANDED, &["y j"]).says("copy this version and its story as JSON").like("bumpdesk stranded ADDRESS MISSING --json")
        .on(TRIAGE, &["y j"]).says("copy the answer as JSON").like("bumpdesk triage ADDRESS@VERSION --json")
        .on(PULL, &["y j"]).says("copy gates and requests of what is ready as JSON").only_here()
        .same_as("bumpdesk show ADDRESS --json"),
    act("copy-hash", Command::CopyHash, "copy the checksum that upstream has today").on(VERIFY, &["y h"])
        .on(BACKFILL, &["y h"]).says("copy the h1 that was computed, or the checksum that upstream has")
        .screen_only(),
    // the program
    show("show-inventory", Inventory, "to the Inventory").same_as("bumpdesk list"),
    show("show-changes", Changes, "to Changes: the plan and its review")
        .same_as("bumpdesk plan show"),
    show("show-reviews", Reviews, "to Reviews: the pull requests of others, each beside what upstream gives")
        .same_as("bumpdesk review"),
    show("show-verify", Verify, "to Verify: what the last verification found")
        .screen_only(),
    show("show-backfill", Backfill, "to Backfill: what the last backfill found and made")
        .screen_only(),
    show("show-stranded", Stranded, "to Stranded: what no bump brings by itself, by what would have to happen")
        .same_as("bumpdesk stranded"),
    show("show-jobs", Jobs, "to Jobs: what is running, what has run, and the log")
        .same_as("bumpdesk jobs"),
    act("palette", Command::Palette, "search all actions by name or key, and run one")
        .on(VIEWS, &[":"]).hint(7, "command")
        .same_as("bumpdesk keys"),
    act("help", Command::Help, "the keys of this view; type to search").on(VIEWS, &["?"]).hint(1, "help")
        .same_as("bumpdesk keys"),
    act("theme", Command::Theme, "next theme").on(VIEWS, &["T"]).same_as("bumpdesk --theme NAME"),
    act("quit", Command::Quit, "leave the program").on(VIEWS, &["q"]).hint(6, "quit").screen_only(),
    act("mouse", Command::Mouse, "mouse on or off: the wheel scrolls, a click selects, two clicks open")
        .on(&Context::ALL, &["f2"]).screen_only(),
    act("redraw", Command::Redraw, "redraw the screen").on(&Context::ALL, &["ctrl-l"]).screen_only(),
    act("suspend", Command::Suspend, "suspend the program").on(&Context::ALL, &["ctrl-z"]).screen_only(),
    act("interrupt", Command::Interrupt, "leave a field or an overlay; never quits").on(&Context::ALL, &["ctrl-c"])
        .screen_only(),
    // fields and overlays
    act("accept", Command::Accept, "accept what is chosen")
        .on(FILTER, &["enter"]).says("keep the filter").hint(1, "keep")
        .on(PALETTE, &["enter"]).says("run the action under the cursor, or copy the command line").hint(1, "run")
        .on(SORT, &["enter"]).says("choose the line under the cursor").hint(1, "take")
        .on(SAVED, &["enter"]).says("show the view under the cursor").hint(1, "show")
        .on(NAME, &["enter"]).says("save the view").hint(1, "save")
        .on(DROP, &["x", "enter"]).says("delete the view").hint(1, "delete")
        .on(LEAVE, &["q", "enter"]).says("stop what is running and leave").hint(1, "stop and leave")
        .on(SEARCH, &["enter"]).says("keep the search, to its next hit").hint(1, "next hit")
        .on(NOTE, &["enter"]).says("keep the note; an empty one is removed").hint(1, "keep")
        .on(BLOCK, &["enter"]).says("plan to keep it out").hint(1, "plan it")
        .on(IGNORE, &["enter"]).says("ignore it until then").hint(1, "ignore it")
        .on(NEW_BACKFILL, &["enter"]).says("begin it, after a question").hint(1, "begin (asks)")
        .on(ARM, &["enter"]).says("arm it").hint(1, "arm")
        .on(ASK_FOR, &["enter"]).says("take it, and check the gates again").hint(1, "take")
        .on(SHARES, &["enter"]).says("take it, and check the gates").hint(1, "take")
        .on(NAME_FILE, &["enter"]).says("write the file; one that exists is not replaced").hint(1, "write")
        .on(DIGITS, &["enter"]).says("send what is shown, if these are its digits").hint(1, "send")
        .on(ASK, &["y"]).says("yes, do it").hint(1, "yes")
        .on(TRIAGE, &["enter"]).says("open the entry that was asked about").hint(1, "open the entry")
        .screen_only(),
    act("close", Command::Close, "leave this without choosing anything")
        .on(FILTER, &["esc"]).says("back to the filter before").hint(2, "undo")
        .on(HELP, &["esc", "enter"]).says("close").hint(1, "close")
        .on(PALETTE, &["esc"]).says("close, run nothing").hint(2, "close")
        .on(SORT, &["esc", "q"]).says("close, keep the order").hint(2, "keep")
        .on(SAVED, &["esc", "q"]).says("close, keep the view").hint(3, "close")
        .on(NAME, &["esc"]).says("save nothing").hint(2, "leave it")
        .on(DROP, &["esc", "n"]).says("keep the view").hint(2, "keep it")
        .on(LEAVE, &["esc", "n"]).says("stay").hint(2, "stay")
        .on(&[Context::Search, Context::Note], &["esc"]).says("leave it as it was").hint(2, "undo")
        .on(BLOCK, &["esc"]).says("block nothing").hint(2, "leave it")
        .on(IGNORE, &["esc"]).says("ignore nothing").hint(2, "leave it")
        .on(NEW_BACKFILL, &["esc"]).says("begin nothing, and go back").hint(2, "leave it")
        .on(ARM, &["esc"]).says("leave it unarmed").hint(2, "leave it")
        .on(ASK_FOR, &["esc"]).says("leave it as it was").hint(2, "leave it")
        .on(SHARES, &["esc"]).says("make nothing ready").hint(2, "leave it")
        .on(NAME_FILE, &["esc"]).says("write nothing").hint(2, "leave it")
        .on(DIGITS, &["esc"]).says("leave the field, send nothing").hint(2, "leave it")
        .on(ASK, &["esc", "n"]).says("no, leave everything as it is").hint(2, "no")
        .on(VALUE, &["esc", "enter", "q"]).says("close").hint(1, "close")
        .on(TRIAGE, &["esc", "q"]).says("close; what is still being read is left").hint(3, "close")
        .screen_only(),
    act("complete", Command::Complete, "complete what was typed: a field, its value, a namespace, an address")
        .on(FILTER, &["tab"]).hint(3, "complete")
        .screen_only(),
    act("next-line", Command::NextLine, "down one line")
        .on(PALETTE, &["down", "ctrl-n"])
        .on(NEW_BACKFILL, &["tab", "down"]).says("to the next field").hint(2, "next field")
        .on(FILTER, &["down", "ctrl-n"]).says("a newer filter")
        .on(HELP, &["down", "ctrl-n"]).says("scroll down").hinted(2, "scroll", HintKeys::With(Command::PreviousLine))
        .on(SORT, &["j", "down"]).hinted(3, "move", HintKeys::With(Command::PreviousLine))
        .on(VALUE, &["j", "down"]).says("scroll down").hinted(2, "scroll", HintKeys::With(Command::PreviousLine))
        .on(TRIAGE, &["j", "down"]).says("scroll down").hinted(4, "scroll", HintKeys::With(Command::PreviousLine))
        .on(SAVED, &["j", "down"]).hinted(4, "move", HintKeys::With(Command::PreviousLine))
        .screen_only(),
    act("previous-line", Command::PreviousLine, "up one line")
        .on(PALETTE, &["up", "ctrl-p"])
        .on(NEW_BACKFILL, &["shift-tab", "up"]).says("to the field before")
        .on(FILTER, &["up", "ctrl-p"]).says("an older filter").hint(4, "older")
        .on(HELP, &["up", "ctrl-p"]).says("scroll up")
        .on(SORT, &["k", "up"])
        .on(VALUE, &["k", "up"]).says("scroll up")
        .on(TRIAGE, &["k", "up"]).says("scroll up")
        .on(SAVED, &["k", "up"])
        .screen_only(),
    act("next-page", Command::NextPage, "down a page").on(PAGES, &["pgdn", "ctrl-d"])
        .screen_only(),
    act("previous-page", Command::PreviousPage, "up a page").on(PAGES, &["pgup"])
        .screen_only(),
    act("clear-field", Command::ClearField, "empty the field").on(FIELDS, &["ctrl-u"]).hint(3, "clear").screen_only(),
    act("drop-word", Command::DropWord, "delete the word before the cursor").on(FIELDS, &["ctrl-w"]).screen_only(),
    act("sort-status", Command::SortStatus, "status, then newest first").on(SORT, &["s"]).screen_only(),
    act("sort-newest", Command::SortNewest, "newest first").on(SORT, &["n"]).screen_only(),
    act("sort-oldest", Command::SortOldest, "oldest first").on(SORT, &["o"]).screen_only(),
    act("sort-address", Command::SortAddress, "address").on(SORT, &["a"]).screen_only(),
    act("sort-behind", Command::SortBehind, "most missing versions first").on(SORT, &["b"]).screen_only(),
    act("group-none", Command::GroupNone, "no groups").on(SORT, &["U"]).screen_only(),
    act("group-status", Command::GroupStatus, "group by status").on(SORT, &["S"]).screen_only(),
    act("group-namespace", Command::GroupNamespace, "group by namespace").on(SORT, &["N"]).screen_only(),
    act("group-kind", Command::GroupKind, "group by kind").on(SORT, &["K"]).screen_only(),
    act("delete-view", Command::DropView, "delete the view under the cursor, after a question")
        .on(SAVED, &["x"]).hint(2, "delete")
        .same_as("bumpdesk view delete NAME"),
];

/// The row of a command.
pub(super) fn row(command: Command) -> &'static Action {
    TABLE
        .iter()
        .find(|action| action.command == command)
        .expect("every command has a row: the tests see to it")
}

/// The row of a name.
pub(super) fn named(name: &str) -> Option<&'static Action> {
    TABLE.iter().find(|action| action.name == name)
}
