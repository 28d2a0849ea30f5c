//! Views in the console: the current view, the list of them (`F`), saving one (`f`) and deleting one.

use crate::desk::ability::Ability;
use crate::desk::list::List;
use crate::rules::amount::counted;
use crate::rules::view;
use crate::rules::view::View;
use crate::tui::keymap::Command;
use crate::tui::views::ActionContext;
use crate::tui::views::inventory::state::{Inventory, page};
use crate::tui::widgets::field::Field;

/// The open list of views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ViewList {
    /// The views, the built-in ones first, each with its number of rows.
    pub(super) entries: Vec<(View, u64)>,
    pub(super) at: usize,
}

/// The field for the name of a view that is being saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameField {
    pub(crate) field: Field,
    /// The reason why the name was refused, or the view not saved.
    pub(super) error: Option<String>,
    /// True while the view is being saved.
    pub(in crate::tui) saving: bool,
}

impl NameField {
    /// The field with the name of the current view, if that is one of the maintainer's own.
    pub(crate) fn of(list: &List) -> Self {
        let name = list.view_name().filter(|name| view::check_name(name).is_ok());
        Self { field: name.map(|name| Field::of(&name)).unwrap_or_default(), ..Self::default() }
    }

    /// Keeps the typed name, with the reason below it.
    pub(in crate::tui) fn fail(&mut self, why: String) {
        self.saving = false;
        self.error = Some(why);
    }
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

/// Runs a command of the name field; `None` closes the field.
pub(crate) fn name(
    context: &mut ActionContext<'_>,
    mut name_field: NameField,
    command: Command,
) -> Option<NameField> {
    name_field.error = None;
    match command {
        Command::ClearField | Command::DropWord | Command::Accept if name_field.saving => {}
        Command::ClearField => name_field.field.clear(),
        Command::DropWord => name_field.field.drop_word(),
        Command::Accept => save(context, &mut name_field),
        _ => return None,
    }
    Some(name_field)
}

/// Saves the view; the field closes once the view is stored.
fn save(context: &mut ActionContext<'_>, name_field: &mut NameField) {
    match context.desk.list.save_view(name_field.field.text()) {
        Ok(()) => name_field.saving = true,
        Err(why) => name_field.fail(why),
    }
}
