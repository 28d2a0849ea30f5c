//! Views in the console: the current view, the list of them (`F`), saving one (`f`) and deleting one.

use crate::desk::ability::Ability;
use crate::desk::list::List;
use crate::rules::amount::counted;
use crate::rules::view::View;
use crate::tui::keymap::Command;
use crate::tui::views::ActionContext;
use crate::tui::views::inventory::state::{Inventory, page};

/// The open list of views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ViewList {
    /// The views, the built-in ones first, each with its number of rows.
    pub(super) entries: Vec<(View, u64)>,
    pub(super) at: usize,
}

impl ViewList {
    /// All views, with the cursor on the current one.
    pub(crate) fn of(list: &List) -> Self {
        let entries = list.counted_views();
        let name = list.view_name();
        let at = entries.iter().position(|(view, _)| Some(&view.name) == name.as_ref()).unwrap_or(0);
        Self { entries, at }
    }
}

/// The outcome of a key in the list of views.
pub(crate) enum Listed {
    /// The list stays open in this state.
    Stays(ViewList),
    /// The list stays open, and asks before it deletes this view.
    Drop(ViewList, String),
    Closed,
}

/// Runs a command of the list.
pub(crate) fn act(
    inventory: &mut Inventory,
    context: &mut ActionContext<'_>,
    mut list: ViewList,
    command: Command,
) -> Listed {
    let page = page(&context.desk.list, &context.paint);
    let bottom = list.entries.len().saturating_sub(1);
    match command {
        Command::NextLine => list.at = (list.at + 1).min(bottom),
        Command::PreviousLine => list.at = list.at.saturating_sub(1),
        Command::NextPage => list.at = (list.at + page).min(bottom),
        Command::PreviousPage => list.at = list.at.saturating_sub(page),
        Command::Do(Ability::DeleteView) => {
            let name = list.entries[list.at].0.name.clone();
            return Listed::Drop(list, name);
        }
        Command::Accept => {
            show(inventory, context, list.entries.swap_remove(list.at).0);
            return Listed::Closed;
        }
        _ => return Listed::Closed,
    }
    Listed::Stays(list)
}

/// Shows a view.
fn show(inventory: &mut Inventory, context: &mut ActionContext<'_>, view: View) {
    context.requests.extend(inventory.note_place(&context.desk.list));
    let page = page(&context.desk.list, &context.paint);
    let list = &mut context.desk.list;
    let name = view.name.clone();
    list.take_view(view);
    inventory.arrange(list, page);
    let rows = counted(list.shown.len(), "row");
    context.reply(format!("view {name}: {rows}"));
}
