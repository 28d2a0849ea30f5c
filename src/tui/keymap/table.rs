//! The one table of actions. Everything that names a key is made from it: hints, `?`, the palette, which-key boxes,
//! `bumpdesk keys`, the manual page and `src/manual/key-table.md`.
//!
//! Outside of overlays a key stands in one row only, so the same letter means the same in every view. `1` to `8` are
//! kept for views; nothing is bound to Backspace, Delete or Insert.

use crate::desk::ability::Ability;
use crate::tui::keymap::Context::View;
use crate::tui::keymap::ViewId::{
    Backfill, Changes, Diff, Entry, Inventory, Jobs, Pull, ReviewDiff, Reviews, Stranded, Verify,
};
use crate::tui::keymap::action::{Action, Command, HintKeys, SCREEN_ONLY, act, role};
use crate::tui::keymap::section::Section;
use crate::tui::keymap::{Context, ViewId};

const VIEWS: &[Context] = &Context::VIEWS;
/// The views whose keys act on one entry.
const ABOUT: &[Context] = &[View(Inventory), View(Entry), View(Diff), View(Changes)];
const LIST: &[Context] = &[View(Inventory)];
const ONE: &[Context] = &[View(Inventory), View(Entry)];
const ENTRY: &[Context] = &[View(Entry)];
const DIFF: &[Context] = &[View(Diff)];
const CHANGES: &[Context] = &[View(Changes)];
const VERIFY: &[Context] = &[View(Verify)];
const BACKFILL: &[Context] = &[View(Backfill)];
const JOBS: &[Context] = &[View(Jobs)];
const REVIEWS: &[Context] = &[View(Reviews)];
const REVIEW_DIFF: &[Context] = &[View(ReviewDiff)];
const STRANDED: &[Context] = &[View(Stranded)];
const PULL: &[Context] = &[View(Pull)];
/// All views but the pull request, where these rows have words of their own.
pub(super) const ALL_BUT_PULL: &[Context] = &{
    let mut views = [View(Inventory); VIEWS.len() - 1];
    let (mut from, mut to) = (0, 0);
    while from < VIEWS.len() {
        if !matches!(VIEWS[from], View(Pull)) {
            views[to] = VIEWS[from];
            to += 1;
        }
        from += 1;
    }
    views
};
/// The views that show lines of a difference.
const LINED: &[Context] = &[View(Diff), View(Changes), View(ReviewDiff)];
const DIFFS: &[Context] = &[View(Diff), View(ReviewDiff)];
/// The views in which a line may be longer than the window.
const LONG: &[Context] = &[View(Diff), View(Changes), View(ReviewDiff), View(Jobs)];
/// The views with something to plan.
const PLANNABLE: &[Context] = &[View(Inventory), View(Entry), View(Diff)];
const FILTER: &[Context] = &[Context::Filter];
const HELP: &[Context] = &[Context::Help];
const PALETTE: &[Context] = &[Context::Palette];
/// The contexts in which letters are typed.
const FIELDS: &[Context] = &[
    Context::Filter,
    Context::Search,
    Context::Form,
    Context::NewBackfill,
    Context::Help,
    Context::Palette,
    Context::Digits,
];
const PAGES: &[Context] =
    &[Context::Filter, Context::Form, Context::Help, Context::Palette, Context::Views, Context::Triage];
/// The views in which lines fold.
const FOLDS: &[Context] = &[View(Inventory), View(Diff), View(Changes), View(ReviewDiff), View(Verify)];
const SORT: &[Context] = &[Context::Sort];
const SAVED: &[Context] = &[Context::Views];
const DROP: &[Context] = &[Context::DropView];
const LEAVE: &[Context] = &[Context::Leave];
const SEARCH: &[Context] = &[Context::Search];
const FORM: &[Context] = &[Context::Form];
const ASK: &[Context] = &[Context::Ask];
const NEW_BACKFILL: &[Context] = &[Context::NewBackfill];
const DIGITS: &[Context] = &[Context::Digits];
const VALUE: &[Context] = &[Context::Value];
const TRIAGE: &[Context] = &[Context::Triage];

/// The row of the command that shows a numbered view.
const fn show(name: &'static str, id: ViewId, label: &'static str, line: Option<&'static str>) -> Action {
    act(name, Section::Program, Command::Show(id), label, line).on(VIEWS, id.keys())
}

/// All actions, in the order of the `?` page.
#[rustfmt::skip]
pub(super) const TABLE: &[Action] = &[
    // moving
    act("down", Section::Move, Command::Down, "down one row", SCREEN_ONLY)
        .on(VIEWS, &["j", "down"]).hinted(4, "move", HintKeys::With(Command::Up)),
    act("up", Section::Move, Command::Up, "up one row", SCREEN_ONLY).on(VIEWS, &["k", "up"]),
    act("top", Section::Move, Command::Top, "to the first row", SCREEN_ONLY).on(VIEWS, &["g g", "home"]),
    act("bottom", Section::Move, Command::Bottom, "to the last row", SCREEN_ONLY).on(VIEWS, &["G", "end"]),
    act("half-down", Section::Move, Command::HalfDown, "down half a page", SCREEN_ONLY).on(VIEWS, &["ctrl-d"]),
    act("half-up", Section::Move, Command::HalfUp, "up half a page", SCREEN_ONLY).on(VIEWS, &["ctrl-u"]),
    act("page-down", Section::Move, Command::PageDown, "down a page", SCREEN_ONLY).on(VIEWS, &["pgdn"]),
    act("page-up", Section::Move, Command::PageUp, "up a page", SCREEN_ONLY).on(VIEWS, &["pgup"]),
    act("other-down", Section::Read, Command::OtherDown, "scroll the other pane down", SCREEN_ONLY).on(VIEWS, &["J"]).on(DIGITS, &["pgdn"]),
    act("other-up", Section::Read, Command::OtherUp, "scroll the other pane up", SCREEN_ONLY).on(VIEWS, &["K"]).on(DIGITS, &["pgup"]),
    // the diff
    act("next-hunk", Section::Read, Command::NextHunk, "to the next change", SCREEN_ONLY)
        .on(LINED, &["]"]).hinted(3, "change", HintKeys::With(Command::PreviousHunk)),
    act("previous-hunk", Section::Read, Command::PreviousHunk, "to the previous change", SCREEN_ONLY)
        .on(LINED, &["["]),
    act("next-file", Section::Read, Command::NextFile, "to the next file of the plan", SCREEN_ONLY)
        .on(CHANGES, &[")"]).hinted(4, "file", HintKeys::With(Command::PreviousFile))
        .on(REVIEW_DIFF, &[")"]).says("to the next file of the pull request").hinted(4, "file", HintKeys::With(Command::PreviousFile)),
    act("previous-file", Section::Read, Command::PreviousFile, "to the previous file of the plan", SCREEN_ONLY)
        .on(CHANGES, &["("])
        .on(REVIEW_DIFF, &["("]).says("to the previous file of the pull request"),
    act("more-context", Section::Read, Command::MoreContext, "show more unchanged lines around changes", SCREEN_ONLY)
        .on(LINED, &["}"]),
    act("less-context", Section::Read, Command::LessContext, "show fewer unchanged lines around changes", SCREEN_ONLY)
        .on(LINED, &["{"]),
    act("fold", Section::Read, Command::Fold, "open or close the fold under the cursor", SCREEN_ONLY)
        .on(LINED, &["z a"]).hint(4, "fold")
        .on(LIST, &["z a"]).says("open or close the group under the cursor")
        .on(VERIFY, &["z a"]).says("show or fold the targets with the same result").hint(8, "fold"),
    act("open-folds", Section::Read, Command::OpenFolds, "open all folds", SCREEN_ONLY).on(FOLDS, &["z R"]),
    act("close-folds", Section::Read, Command::CloseFolds, "close all folds", SCREEN_ONLY).on(FOLDS, &["z M"]),
    act("layout", Section::Read, Command::Layout, "layout: unified, side by side where there is room, structure", SCREEN_ONLY)
        .on(LINED, &["t"]).hint(8, "layout"),
    act("left", Section::Read, Command::Left, "scroll to the left", SCREEN_ONLY)
        .on(LONG, &["h", "left"]).hinted(9, "scroll", HintKeys::With(Command::Right))
        .on(STRANDED, &["h", "left"]).says("to the column on the left").hinted(3, "column", HintKeys::With(Command::Right)),
    act("right", Section::Read, Command::Right, "scroll to the right", SCREEN_ONLY)
        .on(LONG, &["l", "right"])
        .on(STRANDED, &["l", "right"]).says("to the column on the right"),
    act("wrap", Section::Read, Command::Wrap, "wrap long lines, or cut them", SCREEN_ONLY)
        .on(LONG, &["w"]).hint(9, "wrap"),
    act("other-pane", Section::Read, Command::OtherPane, "to the other pane", SCREEN_ONLY)
        .on(CHANGES, &["tab"]).says("from the files to the lines, and back").hint(3, "files/lines")
        .on(PULL, &["tab"]).says("from the gates to the requests, and back; gates that all pass are listed first").hint(6, "gates/requests")
        .on(REVIEWS, &["tab"]).says("to the pull request beside the list, or below it, and back")
        .on(REVIEW_DIFF, &["tab"]).says("from what it changes to where it is not what upstream gives, and back").like("bumpdesk review NUMBER --against-upstream").hint(1, "other side")
        .on(STRANDED, &["tab"]).says("the whole story of this version, and back")
        .on(JOBS, &["tab"]).says("from the jobs to those of a run on GitHub's machines, then to the log, and back").hint(3, "pane")
        .on(VERIFY, &["tab"]).says("all that is known of what is under the cursor, on the whole screen, and back").hint(3, "details")
        .on(BACKFILL, &["tab"]).says("all that is known of this target, on the whole screen, and back")
        .on(LIST, &["tab"]).says("into the preview, where keys then move its lines, and back").hint(12, "preview"),
    // reviewing
    role("add", Section::Act)
        .to(ONE, &["a"], Ability::Add).hint(4, "add")
        .to(DIFF, &["a"], Ability::Add).hint(1, "add to the plan")
        .to(STRANDED, &["a"], Ability::Add).says("add the entry of this version to the plan, or those of the marked ones").hint(5, "add")
        .to(JOBS, &["a"], Ability::MergeRun).hint(4, "into the plan"),
    role("clear-errors", Section::Act)
        .to(PLANNABLE, &["E"], Ability::ClearErrors)
        .to(STRANDED, &["E"], Ability::ClearErrors).says("plan to clear the failed tries of this version, or of the marked ones of one entry").hint(6, "clear tries"),
    role("block", Section::Act)
        .to(PLANNABLE, &["B"], Ability::Block)
        .to(STRANDED, &["B"], Ability::Block).says("plan to keep this version out, or the marked ones of one entry, for a reason").hint(8, "block"),
    role("ignore", Section::Act).to(STRANDED, &["i"], Ability::Ignore).hint(6, "ignore"),
    role("message", Section::Act).to(STRANDED, &["m"], Ability::DraftMessage).hint(7, "message"),
    role("reject", Section::Decide).to(CHANGES, &["X"], Ability::Reject).hint(3, "reject"),
    role("take-back", Section::Decide)
        .to(CHANGES, &["u"], Ability::Reopen).hint(3, "take back")
        .to(PULL, &["u"], Ability::Undo).hint(3, "undo")
        .to(STRANDED, &["u"], Ability::Unignore),
    role("note", Section::Decide).to(CHANGES, &["c"], Ability::Note).hint(7, "note"),
    role("drop", Section::Decide).to(CHANGES, &["-"], Ability::DropFile),
    role("pull-request", Section::Act)
        .to(CHANGES, &["P"], Ability::ShowPull).hint(2, "pull request").also(&[Ability::NextPull])
        .to(PULL, &["P"], Ability::TypeDigits).hint(1, "type the digits").also(&[Ability::NextPull]),
    role("verdict", Section::Act)
        .to(REVIEWS, &["Y"], Ability::Judge).hint(2, "verdict")
        .to(REVIEW_DIFF, &["Y"], Ability::Judge).hint(1, "verdict"),
    role("write-out", Section::Act).to(PULL, &["D"], Ability::WriteOut).hint(6, "to a file"),
    role("arm", Section::Act)
        .to(ALL_BUT_PULL, &["W a"], Ability::Arm)
        .to(PULL, &["W a"], Ability::Arm).hinted(2, "arm", HintKeys::Begin),
    role("disarm", Section::Act).to(VIEWS, &["W d"], Ability::Disarm),
    // verifying
    role("verify", Section::Act)
        .to(&[View(Inventory)], &["V"], Ability::Verify).hint(5, "verify")
        .to(&[View(Entry)], &["V"], Ability::Verify).says("verify this version against upstream now (only reads)").hint(3, "verify version")
        .to(CHANGES, &["V"], Ability::Verify).says("verify what is stored of this entry against upstream now (only reads)")
        .to(REVIEWS, &["V"], Ability::HashReview).hint(3, "hash")
        .to(STRANDED, &["V"], Ability::Verify).says("verify what is indexed of this, or of the marked ones, against upstream now (only reads)").hint(9, "verify")
        .to(BACKFILL, &["V"], Ability::Verify).says("verify the version of this target against upstream now (only reads)").hint(8, "verify")
        .to(VERIFY, &["V"], Ability::VerifyRest).hint(11, "again"),
    role("backfill", Section::Act)
        .to(ONE, &["b"], Ability::Backfill).hint(13, "fill in hashes")
        .to(BACKFILL, &["b"], Ability::Backfill).says("a new backfill: of what, how much and into what; says what it would cost, and asks").hint(4, "new"),
    role("dispatch", Section::Act).to(ONE, &["W b"], Ability::Dispatch),
    role("more-workers", Section::Steer)
        .to(VERIFY, &[">"], Ability::MoreWorkers).hinted(8, "workers", HintKeys::With(Command::Do(Ability::FewerWorkers)))
        .to(BACKFILL, &[">"], Ability::MoreWorkers).hinted(7, "workers", HintKeys::With(Command::Do(Ability::FewerWorkers))),
    role("fewer-workers", Section::Steer)
        .to(VERIFY, &["<"], Ability::FewerWorkers)
        .to(BACKFILL, &["<"], Ability::FewerWorkers),
    role("stop-at-bad", Section::Steer).to(VERIFY, &["S"], Ability::StopAtBad),
    // jobs
    act("only-errors", Section::Find, Command::OnlyErrors, "which lines of the log: without successful requests, only errors and warnings, or all", Some("bumpdesk log --errors"))
        .on(JOBS, &["!"]).hint(6, "log lines")
        .on(VERIFY, &["!"]).says("show only bad targets, or all").only_here().hint(7, "only bad")
        .on(BACKFILL, &["!"]).says("show only what could not be filled in, or all").only_here().hint(5, "only bad"),
    act("clear-done", Section::Steer, Command::ClearDone, "hide or show finished jobs", SCREEN_ONLY)
        .on(JOBS, &["C"]).hint(7, "clear done"),
    // looking
    act("open", Section::Look, Command::Open, "look closer at what is under the cursor", SCREEN_ONLY)
        .to(LIST, &["enter"], Ability::Look).hint(3, "open")
        .on(DIFF, &["enter"]).says("look closer: a long value whole, or into the fold")
        .on(REVIEW_DIFF, &["enter"]).says("look closer: a long value whole, or into the fold")
        .to(CHANGES, &["enter"], Ability::ShowFile)
        .on(VERIFY, &["enter"]).says("open or close the targets with the same result; all about one target, or back to the table").hint(2, "open/close")
        .to(PULL, &["enter"], Ability::ShowGate).hint(4, "whole")
        .on(REVIEWS, &["enter"]).says("all of the pull request on the whole screen, and back").like("bumpdesk review NUMBER").hint(3, "open")
        .on(STRANDED, &["enter"]).says("the whole story of this version, and back").like("bumpdesk stranded ADDRESS MISSING").hint(3, "story")
        .on(BACKFILL, &["enter"]).says("all that is known of this target, and back").hint(3, "details")
        .to(JOBS, &["enter"], Ability::ReadRunLogs).hint(4, "its log"),
    role("build", Section::Look)
        .to(ONE, &["d"], Ability::Build).hint(2, "diff")
        .to(REVIEWS, &["d"], Ability::ReviewDiff).hint(2, "diff"),
    role("survey-this", Section::Act)
        .to(ONE, &["r"], Ability::Survey).hint(6, "survey this")
        .to(CHANGES, &["r"], Ability::RebuildFile)
        .to(PULL, &["r"], Ability::Recheck).hint(5, "check again").also(&[Ability::Resume])
        .to(REVIEWS, &["r"], Ability::Review).hint(5, "review again")
        .to(STRANDED, &["r"], Ability::Survey).says("survey the entry of this version, or those of the marked ones, now").hint(7, "survey")
        .to(BACKFILL, &["r"], Ability::BackfillRest).hint(1, "continue")
        .to(JOBS, &["r"], Ability::RunAgain).hint(3, "retry").also(&[Ability::RerunRun]),
    role("survey-shown", Section::Act)
        .to(LIST, &["R"], Ability::SurveyShown).hint(5, "survey shown")
        .to(CHANGES, &["R"], Ability::RebuildPlan)
        .to(REVIEWS, &["R"], Ability::ListReviews).hint(6, "list again")
        .to(STRANDED, &["R"], Ability::SurveyBoard)
        .to(JOBS, &["R"], Ability::FollowRun),
    role("cancel-job", Section::Steer)
        .to(ABOUT, &["x"], Ability::CancelSurvey).hint(1, "cancel survey")
        .to(STRANDED, &["x"], Ability::CancelSurvey).hint(1, "cancel survey")
        .to(VERIFY, &["x"], Ability::CancelVerification).hint(1, "cancel")
        .to(PULL, &["x"], Ability::CancelPull).hint(2, "stop")
        .to(REVIEWS, &["x"], Ability::CancelReview).hint(1, "cancel")
        .to(BACKFILL, &["x"], Ability::CancelBackfill).hint(2, "cancel")
        .to(JOBS, &["x"], Ability::CancelJob).hint(2, "cancel").also(&[Ability::CancelBuild, Ability::CancelSurvey]),
    role("reload", Section::Act).to(LIST, &["L"], Ability::Reload),
    act("preview", Section::Read, Command::Preview, "show or hide the preview", SCREEN_ONLY).on(LIST, &["p"]),
    act("divider-back", Section::Read, Command::DividerBack, "move the divider between two panes to the left, or up", SCREEN_ONLY).on(VIEWS, &[","]),
    act("divider-on", Section::Read, Command::DividerOn, "move the divider between two panes to the right, or down", SCREEN_ONLY).on(VIEWS, &["."]),
    act("zoom", Section::Read, Command::Zoom, "give the pane with the keys the whole view, and back", SCREEN_ONLY).on(VIEWS, &["Z"]),
    role("browse", Section::Copy)
        .to(ABOUT, &["o"], Ability::Browse).hint(11, "upstream")
        .to(REVIEWS, &["o"], Ability::Browse).says("open the pull request in the browser, or copy its URL")
        .to(JOBS, &["o"], Ability::Browse).says("open the run on GitHub's machines in the browser, or copy its URL").hint(6, "on GitHub")
        .to(VERIFY, &["o"], Ability::Browse)
        .to(BACKFILL, &["o"], Ability::Browse)
        .to(STRANDED, &["o"], Ability::Browse).hint(10, "upstream"),
    act("edit", Section::Copy, Command::Edit, "look at a copy of the data file in your editor (changes nothing)", SCREEN_ONLY)
        .on(ABOUT, &["e"])
        .to(PULL, &["e"], Ability::EditPull).hint(5, "edit"),
    act("pager", Section::Copy, Command::Page, "look at the data file, or at the patch, in your pager", SCREEN_ONLY)
        .on(ABOUT, &["|"]),
    // finding and choosing
    act("filter", Section::Find, Command::Filter, "filter: words, status:WORD, ns:, kind:, has:, is:, a|b, !term and more; Tab completes", Some("bumpdesk list --filter Q"))
        .on(LIST, &["/"]).hint(3, "filter")
        .on(REVIEWS, &["/"]).says("filter by plain words, all of which a row must have; !word leaves rows out").only_here().hint(7, "filter")
        .on(VERIFY, &["/"]).says("filter by plain words of state, note and names; !word leaves targets out").only_here().hint(8, "filter")
        .on(BACKFILL, &["/"]).says("filter by plain words of state, reason and names; !word leaves targets out").only_here().hint(6, "filter")
        .on(ENTRY, &["/"]).says("filter by plain words of version, state and reason; !word leaves versions out").only_here().hint(8, "filter")
        .on(CHANGES, &["/"]).says("filter the files by plain words, or search in the lines where these have the keys").only_here()
        .on(PULL, &["/"]).says("filter the gates by plain words; !word leaves gates out").only_here()
        .on(DIFFS, &["/"]).says("search in the lines, folded ones too").only_here().hint(7, "search")
        .on(JOBS, &["/"]).says("search in the log").like("bumpdesk log").hint(6, "search"),
    act("sort", Section::Find, Command::Sort, "choose the order of the rows, and what they are grouped by", Some("bumpdesk list --sort WORD --group WORD"))
        .on(LIST, &["s"]).hint(5, "sort")
        .on(ENTRY, &["s"]).says("choose the order of the versions").only_here()
        .on(CHANGES, &["s"]).says("choose the order of the files").only_here()
        .on(PULL, &["s"]).says("choose the order of the gates").only_here()
        .on(REVIEWS, &["s"]).says("choose the order of the rows").only_here().hint(8, "sort")
        .on(VERIFY, &["s"]).says("choose the order of the targets").only_here().hint(10, "sort")
        .on(BACKFILL, &["s"]).says("choose the order of the targets").only_here().hint(8, "sort"),
    role("views", Section::Find).to(LIST, &["F"], Ability::Views).hint(5, "views"),
    act("save-view", Section::Find, Command::SaveView, "save filter, order and grouping as a view", Some("bumpdesk view save NAME --filter Q"))
        .on(LIST, &["f"]).hint(4, "save view"),
    act("next-wanting", Section::Find, Command::NextWanting, "to the next row that is new since the last look, or needs attention", SCREEN_ONLY)
        .on(LIST, &["n"]).hint(9, "next new")
        .on(STRANDED, &["n"]).says("to the next version that is new since the last visit").hint(9, "next new")
        .on(LONG, &["n"]).says("to the next hit of the search")
        .on(VERIFY, &["n"]).says("to the next bad targets").hint(6, "next bad")
        .on(BACKFILL, &["n"]).says("to the next bad target").hint(9, "next bad"),
    act("previous-wanting", Section::Find, Command::PreviousWanting, "to the one before that is new, or needs attention", SCREEN_ONLY)
        .on(LIST, &["N"])
        .on(STRANDED, &["N"]).says("to the one before that is new")
        .on(LONG, &["N"]).says("to the hit before")
        .on(VERIFY, &["N"]).says("to the bad targets before")
        .on(BACKFILL, &["N"]).says("to the bad target before"),
    act("jump-back", Section::Find, Command::JumpBack, "back to the place before the last jump", SCREEN_ONLY)
        .on(VIEWS, &["ctrl-o"]),
    act("mark", Section::Decide, Command::Mark, "mark the row and move on", SCREEN_ONLY)
        .on(LIST, &["space"]).hint(6, "mark")
        .on(STRANDED, &["space"]).hint(5, "mark")
        .to(CHANGES, &["space"], Ability::Approve).hint(1, "approve")
        .to(VERIFY, &["space"], Ability::PauseVerification).hint(1, "pause/resume")
        .to(BACKFILL, &["space"], Ability::PauseBackfill).hint(2, "pause/resume")
        .to(JOBS, &["space"], Ability::PauseJob).hint(2, "pause/resume"),
    act("range", Section::Decide, Command::Range, "begin a range, or mark the rows of it", SCREEN_ONLY)
        .on(LIST, &["v"]),
    act("mark-shown", Section::Decide, Command::MarkShown, "mark all rows that the filter shows", SCREEN_ONLY)
        .on(LIST, &["A"])
        .on(STRANDED, &["A"]).says("mark all of this column"),
    act("invert", Section::Decide, Command::Invert, "invert the marks of the rows shown", SCREEN_ONLY)
        .on(LIST, &["I"]),
    act("back", Section::Program, Command::Back, "step back: leave the range, clear the marks, then the filter; leave a screen", SCREEN_ONLY)
        .on(ALL_BUT_PULL, &["esc"]).hint(4, "back")
        .on(PULL, &["esc"]).says("back to the plan, to Reviews or to Jobs; what was made ready stays").hint(3, "back").also(&[Ability::ShowJobs]),
    // copying
    act("copy-address", Section::Copy, Command::CopyAddress, "copy the address", SCREEN_ONLY)
        .on(ABOUT, &["y a"]).hinted(10, "copy", HintKeys::Begin)
        .on(VERIFY, &["y a"]).hinted(9, "copy", HintKeys::Begin)
        .on(BACKFILL, &["y a"]).hinted(9, "copy", HintKeys::Begin)
        .on(STRANDED, &["y a"]).hinted(11, "copy", HintKeys::Begin),
    act("copy-url", Section::Copy, Command::CopyUrl, "copy the upstream URL", SCREEN_ONLY)
        .on(ABOUT, &["y u"])
        .on(REVIEWS, &["y u"]).says("copy the pull request's URL").hinted(9, "copy", HintKeys::Begin)
        .on(VERIFY, &["y u"]).says("copy the archive's URL")
        .on(BACKFILL, &["y u"]).says("copy the archive's URL")
        .on(STRANDED, &["y u"]),
    role("copy-path", Section::Copy)
        .to(ABOUT, &["y p"], Ability::CopyPath).hint(13, "copy path")
        .to(VERIFY, &["y p"], Ability::CopyPath).says("copy the path of the report")
        .to(BACKFILL, &["y p"], Ability::CopyPath).says("copy the path of what is kept of the run"),
    act("copy-command", Section::Copy, Command::CopyLine, "copy the command line that does the same", SCREEN_ONLY)
        .on(ABOUT, &["y c"])
        .on(VERIFY, &["y c"]).says("copy the command line that verifies this row")
        .on(BACKFILL, &["y c"]).says("copy the command line of this backfill")
        .on(STRANDED, &["y c"]).says("copy the command line that tells this version")
        .on(REVIEWS, &["y c"]).says("copy the command line that reviews this pull request")
        .on(REVIEW_DIFF, &["y c"]).says("copy the command line that prints these lines").hinted(10, "copy", HintKeys::Begin)
        .on(PULL, &["y c"]).says("copy the command line that shows the same").hinted(7, "copy", HintKeys::Begin)
        .on(JOBS, &["y c"]).says("copy the command line of this job").hinted(12, "copy", HintKeys::Begin),
    act("copy-markdown", Section::Copy, Command::CopyMarkdown, "copy the entry as Markdown, for an issue or a comment", Some("bumpdesk show ADDRESS --markdown"))
        .on(PLANNABLE, &["y m"])
        .on(CHANGES, &["y m"]).says("copy the plan as Markdown, for an issue or a comment").like("bumpdesk plan show --markdown")
        .on(VERIFY, &["y m"]).says("copy the report as Markdown, for an issue or a comment").hint(6, "copy report").like("bumpdesk verify ADDRESS --markdown")
        .on(BACKFILL, &["y m"]).says("copy the report as Markdown, for an issue or a comment").like("bumpdesk backfill run ADDRESS --markdown")
        .on(REVIEWS, &["y m"]).says("copy the review as Markdown, for an issue or a comment").like("bumpdesk review NUMBER --markdown")
        .on(STRANDED, &["y m"]).says("copy this version and its story as Markdown, for an issue or a comment").like("bumpdesk stranded ADDRESS MISSING --markdown")
        .on(TRIAGE, &["y m"]).says("copy the answer as Markdown, for an issue or a comment").like("bumpdesk triage ADDRESS@VERSION --markdown").hint(2, "copy as Markdown")
        .on(PULL, &["y m"]).says("copy gates and text of what is ready as Markdown, for an issue or a comment").only_here(),
    act("copy-json", Section::Copy, Command::CopyJson, "copy the entry as JSON", Some("bumpdesk show ADDRESS --json"))
        .on(PLANNABLE, &["y j"])
        .on(CHANGES, &["y j"]).says("copy the plan as JSON").like("bumpdesk plan show --json")
        .on(VERIFY, &["y j"]).says("copy the report as JSON").like("bumpdesk verify ADDRESS --json")
        .on(BACKFILL, &["y j"]).says("copy the report as JSON").like("bumpdesk backfill run ADDRESS --json")
        .on(REVIEWS, &["y j"]).says("copy the review as JSON").like("bumpdesk review NUMBER --json")
        .on(STRANDED, &["y j"]).says("copy this version and its story as JSON").like("bumpdesk stranded ADDRESS MISSING --json")
        .on(TRIAGE, &["y j"]).says("copy the answer as JSON").like("bumpdesk triage ADDRESS@VERSION --json")
        .on(PULL, &["y j"]).says("copy gates and requests of what is ready as JSON").only_here(),
    act("copy-hash", Section::Copy, Command::CopyHash, "copy the checksum that upstream has today", SCREEN_ONLY)
        .on(VERIFY, &["y h"])
        .on(BACKFILL, &["y h"]).says("copy the h1 that was computed, or the checksum that upstream has"),
    // the program
    show("show-inventory", Inventory, "to the Inventory", Some("bumpdesk list")),
    show("show-changes", Changes, "to Changes: the plan and its review", Some("bumpdesk plan show")).also(&[Ability::ShowPlan, Ability::ShowFile]),
    show("show-reviews", Reviews, "to Reviews: the pull requests of others, each beside what upstream gives", Some("bumpdesk review")),
    show("show-verify", Verify, "to Verify: what the last verification found", SCREEN_ONLY).also(&[Ability::ShowVerification]),
    show("show-backfill", Backfill, "to Backfill: what the last backfill found and made", SCREEN_ONLY).also(&[Ability::ShowBackfill]),
    show("show-stranded", Stranded, "to Stranded: what no bump brings by itself, by what would have to happen", Some("bumpdesk stranded")).also(&[Ability::ShowStranded]),
    show("show-jobs", Jobs, "to Jobs: what is running, what has run, and the log", Some("bumpdesk jobs")).also(&[Ability::ShowJobs]),
    act("palette", Section::Program, Command::Palette, "search all actions by name or key, and run one", Some("bumpdesk keys"))
        .on(VIEWS, &[":"]).hint(7, "command"),
    act("help", Section::Program, Command::Help, "the keys of this view; type to search", Some("bumpdesk keys"))
        .on(VIEWS, &["?"]).hint(1, "help"),
    act("theme", Section::Program, Command::Theme, "next theme", Some("bumpdesk --theme NAME")).on(VIEWS, &["T"]),
    role("quit", Section::Program).to(VIEWS, &["q"], Ability::Leave).hint(4, "quit"),
    act("mouse", Section::Program, Command::Mouse, "mouse on or off: the wheel scrolls, a click selects, two clicks open", SCREEN_ONLY)
        .on(&Context::ALL, &["f2"]),
    act("redraw", Section::Program, Command::Redraw, "redraw the screen", SCREEN_ONLY).on(&Context::ALL, &["ctrl-l"]),
    act("suspend", Section::Program, Command::Suspend, "suspend the program", SCREEN_ONLY)
        .on(&Context::ALL, &["ctrl-z"]),
    act("interrupt", Section::Program, Command::Interrupt, "leave a field or an overlay; never quits", SCREEN_ONLY)
        .on(&Context::ALL, &["ctrl-c"]),
    // fields and overlays
    act("accept", Section::Field, Command::Accept, "accept what is chosen", SCREEN_ONLY)
        .on(FILTER, &["enter"]).says("keep the filter").hint(1, "keep filter")
        .on(PALETTE, &["enter"]).says("run the action under the cursor, or copy the command line").hint(1, "run")
        .on(SORT, &["enter"]).says("choose the line under the cursor").hint(1, "choose")
        .on(SAVED, &["enter"]).says("show the view under the cursor").hint(1, "show")
        .on(DROP, &["x", "enter"]).says("delete the view").hint(1, "delete")
        .on(LEAVE, &["q", "enter"]).says("stop what is running and leave").hint(1, "stop and leave")
        .on(SEARCH, &["enter"]).says("keep the search, to its next hit").hint(1, "next hit")
        .on(FORM, &["enter"]).says("do what the form is for; in a text of several lines, begin a new one").hint(1, "accept")
        .on(NEW_BACKFILL, &["enter"]).says("begin it, after a question").hint(1, "begin (asks)")
        .on(DIGITS, &["enter"]).says("send what is shown, if these are its digits").hint(1, "send")
        .on(ASK, &["y"]).says("yes, do it").hint(1, "yes")
        .on(TRIAGE, &["enter"]).says("open the entry that was asked about").hint(1, "open the entry"),
    act("close", Section::Field, Command::Close, "leave this without choosing anything", SCREEN_ONLY)
        .on(FILTER, &["esc"]).says("back to the filter before").hint(2, "clear filter")
        .on(HELP, &["esc", "enter"]).says("close").hint(1, "close")
        .on(PALETTE, &["esc"]).says("close, run nothing").hint(2, "close")
        .on(SORT, &["esc", "q"]).says("close, keep the order").hint(2, "close")
        .on(SAVED, &["esc", "q"]).says("close, keep the view").hint(3, "close")
        .on(DROP, &["esc", "n"]).says("keep the view").hint(2, "keep it")
        .on(LEAVE, &["esc", "n"]).says("stay").hint(2, "stay")
        .on(SEARCH, &["esc"]).says("leave it as it was").hint(2, "cancel")
        .on(FORM, &["esc"]).says("leave the form; nothing is done").hint(3, "cancel")
        .on(NEW_BACKFILL, &["esc"]).says("begin nothing, and go back").hint(2, "cancel")
        .on(DIGITS, &["esc", "tab"]).says("leave the field, send nothing").hint(2, "leave")
        .on(ASK, &["esc", "n"]).says("no, leave everything as it is").hint(2, "no")
        .on(VALUE, &["esc", "enter", "q"]).says("close").hint(1, "close")
        .on(TRIAGE, &["esc", "q"]).says("close; what is still being read is left").hint(3, "close"),
    act("complete", Section::Field, Command::Complete, "complete what was typed: a field, its value, a namespace, an address", SCREEN_ONLY)
        .on(FILTER, &["tab"]).hint(3, "complete"),
    act("next-line", Section::Field, Command::NextLine, "down one line", SCREEN_ONLY)
        .on(PALETTE, &["down", "ctrl-n"])
        .on(NEW_BACKFILL, &["tab", "down"]).says("to the next field").hint(2, "next field")
        .on(FORM, &["down"]).says("down a line or a choice, and to the next field")
        .on(FILTER, &["down", "ctrl-n"]).says("a newer filter")
        .on(HELP, &["down", "ctrl-n"]).says("scroll down").hinted(2, "scroll", HintKeys::With(Command::PreviousLine))
        .on(SORT, &["j", "down"]).hinted(3, "move", HintKeys::With(Command::PreviousLine))
        .on(VALUE, &["j", "down"]).says("scroll down").hinted(2, "scroll", HintKeys::With(Command::PreviousLine))
        .on(TRIAGE, &["j", "down"]).says("scroll down").hinted(4, "scroll", HintKeys::With(Command::PreviousLine))
        .on(SAVED, &["j", "down"]).hinted(4, "move", HintKeys::With(Command::PreviousLine)),
    act("previous-line", Section::Field, Command::PreviousLine, "up one line", SCREEN_ONLY)
        .on(PALETTE, &["up", "ctrl-p"])
        .on(NEW_BACKFILL, &["shift-tab", "up"]).says("to the field before")
        .on(FORM, &["up"]).says("up a line or a choice, and to the field before")
        .on(FILTER, &["up", "ctrl-p"]).says("an older filter").hint(4, "older")
        .on(HELP, &["up", "ctrl-p"]).says("scroll up")
        .on(SORT, &["k", "up"])
        .on(VALUE, &["k", "up"]).says("scroll up")
        .on(TRIAGE, &["k", "up"]).says("scroll up")
        .on(SAVED, &["k", "up"]),
    act("next-page", Section::Field, Command::NextPage, "down a page", SCREEN_ONLY).on(PAGES, &["pgdn", "ctrl-d"]),
    act("previous-page", Section::Field, Command::PreviousPage, "up a page", SCREEN_ONLY).on(PAGES, &["pgup"]),
    act("next-field", Section::Field, Command::NextField, "to the next field", SCREEN_ONLY)
        .on(FORM, &["tab"]).hint(2, "next field"),
    act("previous-field", Section::Field, Command::PreviousField, "to the field before", SCREEN_ONLY)
        .on(FORM, &["shift-tab"]),
    act("edit-text", Section::Field, Command::EditText, "write a text of several lines in your editor", SCREEN_ONLY)
        .on(FORM, &["ctrl-o"]).hint(4, "editor"),
    act("clear-field", Section::Field, Command::ClearField, "empty the field", SCREEN_ONLY)
        .on(FIELDS, &["ctrl-u"]).hint(3, "clear"),
    act("drop-word", Section::Field, Command::DropWord, "delete the word before the cursor", SCREEN_ONLY)
        .on(FIELDS, &["ctrl-w"]),
    act("sort-status", Section::Field, Command::SortStatus, "status, then newest first", SCREEN_ONLY).on(SORT, &["s"]),
    act("sort-newest", Section::Field, Command::SortNewest, "newest first", SCREEN_ONLY).on(SORT, &["n"]),
    act("sort-oldest", Section::Field, Command::SortOldest, "oldest first", SCREEN_ONLY).on(SORT, &["o"]),
    act("sort-address", Section::Field, Command::SortAddress, "address", SCREEN_ONLY).on(SORT, &["a"]),
    act("sort-behind", Section::Field, Command::SortBehind, "most missing versions first", SCREEN_ONLY)
        .on(SORT, &["b"]),
    act("group-none", Section::Field, Command::GroupNone, "no groups", SCREEN_ONLY).on(SORT, &["U"]),
    act("group-status", Section::Field, Command::GroupStatus, "group by status", SCREEN_ONLY).on(SORT, &["S"]),
    act("group-namespace", Section::Field, Command::GroupNamespace, "group by namespace", SCREEN_ONLY)
        .on(SORT, &["N"]),
    act("group-kind", Section::Field, Command::GroupKind, "group by kind", SCREEN_ONLY).on(SORT, &["K"]),
    role("delete-view", Section::Field).to(SAVED, &["x"], Ability::DeleteView).hint(2, "delete"),
];

/// The row that opens what is under the cursor, as a second click does.
pub(crate) const OPEN: &str = "open";

/// The row of a name.
pub(super) fn named(name: &str) -> Option<&'static Action> {
    TABLE.iter().find(|action| action.name == name)
}
