//! Views in the console: which one the list shows, the list of them (`F`), saving one (`f`) and deleting one.

use crate::rules::amount::counted;
use crate::rules::view;
use crate::rules::view::View;
use crate::tui::field::Field;
use crate::tui::keymap::Command;
use crate::tui::model::{Model, Popup};
use crate::tui::places;

/// The open list of views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewList {
    /// The built-in ones first, each with how many rows it shows.
    pub(super) entries: Vec<(View, u64)>,
    /// How many of them are built in.
    pub(super) built_in: usize,
    pub(super) at: usize,
}

/// The field for the name of a view that is being saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameField {
    pub(crate) field: Field,
    /// Why the name was not taken, or the view not saved.
    pub(super) error: Option<String>,
    /// The view is on its way to the state.
    pub(in crate::tui) saving: bool,
}

impl NameField {
    /// What was typed stays, with the reason under it.
    pub(in crate::tui) fn fail(&mut self, why: String) {
        self.saving = false;
        self.error = Some(why);
    }
}

/// Opens the list of views, on the one that is shown.
pub(super) fn open_list(model: &mut Model) {
    let entries = model.inventory.list.counted_views();
    let name = model.inventory.list.view_name();
    let at = entries.iter().position(|(view, _)| Some(&view.name) == name.as_ref()).unwrap_or(0);
    model.popup = Some(Popup::Views(ViewList { entries, built_in: view::built_in().len(), at }));
}

/// Asks for a name.
pub(super) fn open_name(model: &mut Model) {
    let name = model.inventory.list.view_name().filter(|name| view::check_name(name).is_ok());
    let field = name.map(|name| Field::of(&name)).unwrap_or_default();
    model.popup = Some(Popup::NameView(NameField { field, ..NameField::default() }));
}

/// Does what a key of the list says.
pub(crate) fn act(model: &mut Model, command: Command) {
    let page = model.page();
    let Some(Popup::Views(list)) = &mut model.popup else { return };
    let bottom = list.entries.len().saturating_sub(1);
    match command {
        Command::NextLine => list.at = (list.at + 1).min(bottom),
        Command::PreviousLine => list.at = list.at.saturating_sub(1),
        Command::NextPage => list.at = (list.at + page).min(bottom),
        Command::PreviousPage => list.at = list.at.saturating_sub(page),
        Command::DropView => {
            let name = list.entries[list.at].0.name.clone();
            if list.at < list.built_in {
                model.reply(format!("`{name}` is built in and stays"));
            } else {
                model.popup = Some(Popup::DropView(name));
            }
        }
        Command::Accept => {
            let view = list.entries[list.at].0.clone();
            model.popup = None;
            show(model, view);
        }
        _ => model.popup = None,
    }
}

/// Shows a view.
fn show(model: &mut Model, view: View) {
    places::note(model);
    let page = model.page();
    let name = view.name.clone();
    model.inventory.list.take_view(view);
    model.inventory.arrange(page);
    let rows = counted(model.inventory.list.shown.len(), "row");
    model.reply(format!("view {name}: {rows}"));
}

/// Does what a key of the name's field says.
pub(crate) fn name(model: &mut Model, command: Command) {
    let Some(Popup::NameView(asked)) = &mut model.popup else { return };
    asked.error = None;
    match command {
        Command::ClearField | Command::DropWord | Command::Accept if asked.saving => {}
        Command::ClearField => asked.field.clear(),
        Command::DropWord => asked.field.drop_word(),
        Command::Accept => save(model),
        _ => model.popup = None,
    }
}

/// Takes the view into the list, and has it saved; the field closes once it is.
fn save(model: &mut Model) {
    let key = model.key(Command::Views);
    let Some(Popup::NameView(asked)) = &mut model.popup else { return };
    if let Some(error) = model.inventory.list.filter_errors.first() {
        asked.error = Some(format!("mend the filter first: {}", error.text));
        return;
    }
    let view = model.inventory.list.as_view(asked.field.text());
    let name = view.name.clone();
    let saved = view::save(&mut model.inventory.list.views, view).and_then(|replaced| {
        let old = if replaced { ", in place of the old one" } else { "" };
        model.inventory.list.keeping.save_by_hand(format!("view `{name}` saved{old}; {key} lists the views"))
    });
    match saved {
        Ok(()) => asked.saving = true,
        Err(why) => asked.fail(why),
    }
}

/// The answer to whether a view is to be deleted.
pub(crate) fn drop_view(model: &mut Model, command: Command) {
    let Some(Popup::DropView(name)) = model.popup.take() else { return };
    if command == Command::Accept {
        match view::delete(&mut model.inventory.list.views, &name) {
            Ok(view) => {
                let words = format!("view `{}` deleted", view.name);
                if let Err(why) = model.inventory.list.keeping.save_by_hand(words) {
                    model.reply(why);
                }
            }
            Err(why) => model.reply(why),
        }
    }
    open_list(model);
}
