//! The one table of actions. Everything that names a key is made from it: hints, `?`, the palette, which-key boxes,
//! `bumpdesk keys`, the manual page and the front page.
//!
//! Outside of overlays a key stands in one row only, so the same letter means the same in every view. `1` to `8` are
//! kept for views; nothing is bound to Backspace, Delete or Insert.

use crate::tui::keymap::Context;
use crate::tui::keymap::action::Action;
use crate::tui::keymap::action::Command;
use crate::tui::keymap::action::HintKeys;
use crate::tui::keymap::action::act;
use crate::tui::keymap::legal;

const VIEWS: &[Context] = &[Context::Inventory, Context::Entry, Context::Diff];
const LIST: &[Context] = &[Context::Inventory];
const ONE: &[Context] = &[Context::Inventory, Context::Entry];
const DIFF: &[Context] = &[Context::Diff];
const FILTER: &[Context] = &[Context::Filter];
const HELP: &[Context] = &[Context::Help];
const PALETTE: &[Context] = &[Context::Palette];
/// Where letters are typed.
const FIELDS: &[Context] = &[Context::Filter, Context::Help, Context::Palette, Context::NameView];
const PAGES: &[Context] = &[Context::Filter, Context::Help, Context::Palette, Context::Views];
/// Where lines fold.
const FOLDS: &[Context] = &[Context::Inventory, Context::Diff];
const SORT: &[Context] = &[Context::Sort];
const SAVED: &[Context] = &[Context::Views];
const NAME: &[Context] = &[Context::NameView];
const DROP: &[Context] = &[Context::DropView];
const LEAVE: &[Context] = &[Context::Leave];

/// All actions, in the order of the `?` page.
#[rustfmt::skip]
pub(super) const TABLE: &[Action] = &[
    // moving
    act("down", Command::Down, "down one row")
        .on(VIEWS, &["j", "down"]).hinted(4, "move", HintKeys::With(Command::Up))
        .when(legal::has_rows).screen_only(),
    act("up", Command::Up, "up one row").on(VIEWS, &["k", "up"]).when(legal::has_rows).screen_only(),
    act("top", Command::Top, "to the first row").on(VIEWS, &["g g", "home"]).when(legal::has_rows).screen_only(),
    act("bottom", Command::Bottom, "to the last row").on(VIEWS, &["G", "end"]).when(legal::has_rows).screen_only(),
    act("half-down", Command::HalfDown, "down half a page").on(VIEWS, &["ctrl-d"]).when(legal::has_rows).screen_only(),
    act("half-up", Command::HalfUp, "up half a page").on(VIEWS, &["ctrl-u"]).when(legal::has_rows).screen_only(),
    act("page-down", Command::PageDown, "down a page").on(VIEWS, &["pgdn"]).when(legal::has_rows).screen_only(),
    act("page-up", Command::PageUp, "up a page").on(VIEWS, &["pgup"]).when(legal::has_rows).screen_only(),
    act("other-down", Command::OtherDown, "scroll the other pane down").on(VIEWS, &["J"])
        .when(legal::has_rows).screen_only(),
    act("other-up", Command::OtherUp, "scroll the other pane up").on(VIEWS, &["K"])
        .when(legal::has_rows).screen_only(),
    // the diff
    act("next-hunk", Command::NextHunk, "to the next change")
        .on(DIFF, &["]"]).hinted(2, "hunk", HintKeys::With(Command::PreviousHunk))
        .when(legal::has_rows).screen_only(),
    act("previous-hunk", Command::PreviousHunk, "to the previous change").on(DIFF, &["["])
        .when(legal::has_rows).screen_only(),
    act("fold", Command::Fold, "open or close the fold under the cursor").on(DIFF, &["z a"]).hint(3, "fold")
        .on(LIST, &["z a"]).says("open or close the group under the cursor")
        .when(legal::can_fold).screen_only(),
    act("open-folds", Command::OpenFolds, "open all folds").on(FOLDS, &["z R"]).when(legal::can_fold).screen_only(),
    act("close-folds", Command::CloseFolds, "close all folds").on(FOLDS, &["z M"]).when(legal::can_fold).screen_only(),
    act("left", Command::Left, "scroll to the left")
        .on(DIFF, &["h", "left"]).hinted(9, "scroll", HintKeys::With(Command::Right))
        .when(legal::has_rows).screen_only(),
    act("right", Command::Right, "scroll to the right").on(DIFF, &["l", "right"]).when(legal::has_rows).screen_only(),
    act("wrap", Command::Wrap, "wrap long lines, or cut them").on(DIFF, &["w"]).hint(7, "wrap")
        .when(legal::has_rows).screen_only(),
    // looking
    act("open", Command::Open, "look closer at what is under the cursor")
        .on(LIST, &["enter"]).says("open the entry: all versions, why, what next").hint(3, "open")
        .on(DIFF, &["enter"]).says("look closer: open or close the fold").only_here()
        .when(legal::has_rows).same_as("bumpdesk show ADDRESS"),
    act("build", Command::Build, "build the proposed rebuild and show what it changes (writes nothing)")
        .on(ONE, &["d"]).hint(2, "diff")
        .when(legal::has_subject).same_as("bumpdesk diff ADDRESS"),
    act("survey-this", Command::SurveyThis, "survey this entry, or the marked ones, now")
        .on(ONE, &["r"]).hint(5, "survey this")
        .when(legal::can_survey).same_as("bumpdesk survey ADDRESS --max-age 0"),
    act("survey-shown", Command::SurveyShown, "survey all rows that the filter shows")
        .on(LIST, &["R"]).hint(3, "survey shown")
        .when(legal::can_survey_shown).same_as("bumpdesk survey --filter Q"),
    act("cancel-job", Command::CancelJob, "cancel the running survey; what it found is kept")
        .on(VIEWS, &["x"]).hint(1, "cancel survey")
        .when(legal::has_survey).screen_only(),
    act("reload", Command::Reload, "read the registry from disk again").on(LIST, &["L"])
        .when(legal::can_reload).same_as("bumpdesk list"),
    act("preview", Command::Preview, "show or hide the preview").on(LIST, &["p"]).hint(11, "preview")
        .when(legal::has_preview).screen_only(),
    act("browse", Command::Browse, "open the upstream repository in the browser, or copy its URL")
        .on(VIEWS, &["o"]).hint(10, "upstream")
        .when(legal::has_subject).screen_only(),
    act("edit", Command::Edit, "look at a copy of the data file in your editor (changes nothing)").on(VIEWS, &["e"])
        .when(legal::can_show).screen_only(),
    act("pager", Command::Page, "look at the data file, or at the patch, in your pager").on(VIEWS, &["|"])
        .when(legal::can_show).screen_only(),
    // finding and choosing
    act("filter", Command::Filter, "filter: words, ~letters, status:WORD, kind:, ns:, behind:>2, age:>1d, has:, is:, why:, !term")
        .on(LIST, &["/"]).hint(4, "filter")
        .when(legal::is_loaded).same_as("bumpdesk list --filter Q"),
    act("sort", Command::Sort, "choose the order of the rows, and what they are grouped by")
        .on(LIST, &["s"]).hint(7, "sort")
        .when(legal::is_loaded).same_as("bumpdesk list --sort WORD --group WORD"),
    act("views", Command::Views, "the views: choose or delete one").on(LIST, &["F"]).hint(9, "views")
        .when(legal::is_loaded).same_as("bumpdesk view list"),
    act("save-view", Command::SaveView, "save filter, order and grouping as a view").on(LIST, &["f"])
        .when(legal::is_loaded).same_as("bumpdesk view save NAME --filter Q"),
    act("next-wanting", Command::NextWanting, "to the next row that is new since the last look, or needs attention")
        .on(LIST, &["n"]).hint(9, "next new")
        .when(legal::has_rows).screen_only(),
    act("previous-wanting", Command::PreviousWanting, "to the one before that is new, or needs attention")
        .on(LIST, &["N"])
        .when(legal::has_rows).screen_only(),
    act("jump-back", Command::JumpBack, "back to the place before the last jump").on(VIEWS, &["ctrl-o"])
        .when(legal::can_jump_back).screen_only(),
    act("mark", Command::Mark, "mark the row and move on").on(LIST, &["space"]).hint(6, "mark")
        .when(legal::has_rows).screen_only(),
    act("range", Command::Range, "begin a range, or mark the rows of it").on(LIST, &["v"])
        .when(legal::has_rows).screen_only(),
    act("mark-shown", Command::MarkShown, "mark all rows that the filter shows").on(LIST, &["A"])
        .when(legal::has_rows).screen_only(),
    act("invert", Command::Invert, "turn the marks of the shown rows round").on(LIST, &["I"])
        .when(legal::has_rows).screen_only(),
    act("back", Command::Back, "step back: leave the range, clear the marks, then the filter; leave a screen")
        .on(VIEWS, &["esc"]).hint(8, "back")
        .when(legal::can_step_back).screen_only(),
    // copying
    act("copy-address", Command::CopyAddress, "copy the address")
        .on(VIEWS, &["y a"]).hinted(10, "copy", HintKeys::Begin)
        .when(legal::has_subject).screen_only(),
    act("copy-url", Command::CopyUrl, "copy the upstream URL").on(VIEWS, &["y u"])
        .when(legal::has_subject).screen_only(),
    act("copy-path", Command::CopyPath, "copy the JSON path (diff) or the file's path").on(VIEWS, &["y p"])
        .when(legal::has_subject).screen_only(),
    act("copy-command", Command::CopyLine, "copy the command line that does the same").on(VIEWS, &["y c"])
        .when(legal::has_subject).screen_only(),
    // the program
    act("show-inventory", Command::ShowInventory, "to the Inventory").on(VIEWS, &["1"]).same_as("bumpdesk list"),
    act("palette", Command::Palette, "search all actions by name or key, and run one")
        .on(VIEWS, &[":"]).hint(7, "command")
        .same_as("bumpdesk keys"),
    act("help", Command::Help, "the keys of this view; type to search").on(VIEWS, &["?"]).hint(1, "help")
        .same_as("bumpdesk keys"),
    act("theme", Command::Theme, "next theme").on(VIEWS, &["T"]).same_as("bumpdesk --theme NAME"),
    act("quit", Command::Quit, "leave the program").on(VIEWS, &["q"]).hint(6, "quit").screen_only(),
    act("mouse", Command::Mouse, "mouse on or off: the wheel scrolls, a click selects a row")
        .on(&Context::ALL, &["f2"]).screen_only(),
    act("redraw", Command::Redraw, "draw the screen anew").on(&Context::ALL, &["ctrl-l"]).screen_only(),
    act("suspend", Command::Suspend, "suspend the program").on(&Context::ALL, &["ctrl-z"]).screen_only(),
    act("interrupt", Command::Interrupt, "leave a field or an overlay; never quits").on(&Context::ALL, &["ctrl-c"])
        .screen_only(),
    // fields and overlays
    act("accept", Command::Accept, "take what is chosen")
        .on(FILTER, &["enter"]).says("keep the filter").hint(1, "keep")
        .on(PALETTE, &["enter"]).says("run the action under the cursor").hint(1, "run")
        .on(SORT, &["enter"]).says("take the line under the cursor").hint(1, "take")
        .on(SAVED, &["enter"]).says("show the view under the cursor").hint(1, "show")
        .on(NAME, &["enter"]).says("save the view").hint(1, "save")
        .on(DROP, &["x", "enter"]).says("delete the view").hint(1, "delete")
        .on(LEAVE, &["q", "enter"]).says("stop the survey and leave").hint(1, "stop the survey and leave")
        .screen_only(),
    act("close", Command::Close, "leave this without taking anything")
        .on(FILTER, &["esc"]).says("back to the filter before").hint(2, "undo")
        .on(HELP, &["esc", "enter"]).says("close").hint(1, "close")
        .on(PALETTE, &["esc"]).says("close, run nothing").hint(2, "close")
        .on(SORT, &["esc", "q"]).says("close, keep the order").hint(2, "keep")
        .on(SAVED, &["esc", "q"]).says("close, keep the view").hint(3, "close")
        .on(NAME, &["esc"]).says("save nothing").hint(2, "leave it")
        .on(DROP, &["esc", "n"]).says("keep the view").hint(2, "keep it")
        .on(LEAVE, &["esc", "n"]).says("stay").hint(2, "stay")
        .screen_only(),
    act("next-line", Command::NextLine, "down one line")
        .on(PALETTE, &["down", "ctrl-n"])
        .on(FILTER, &["down", "ctrl-n"]).says("a newer filter")
        .on(HELP, &["down", "ctrl-n"]).says("scroll down").hinted(2, "scroll", HintKeys::With(Command::PreviousLine))
        .on(SORT, &["j", "down"]).hinted(3, "move", HintKeys::With(Command::PreviousLine))
        .on(SAVED, &["j", "down"]).hinted(4, "move", HintKeys::With(Command::PreviousLine))
        .screen_only(),
    act("previous-line", Command::PreviousLine, "up one line")
        .on(PALETTE, &["up", "ctrl-p"])
        .on(FILTER, &["up", "ctrl-p"]).says("an older filter").hint(4, "older")
        .on(HELP, &["up", "ctrl-p"]).says("scroll up")
        .on(SORT, &["k", "up"])
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
