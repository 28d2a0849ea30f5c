//! The form before the filter, the order and the groups of the list are saved as a view: its name.

use crate::desk::form::{FieldKind, FormAction, FormField, FormSubject, FormValues, InputForm};
use crate::desk::list::List;
use crate::rules::order::Group;
use crate::rules::view;

const NAME: &str = "name";

/// The longest name that can be typed, in characters.
const MOST: usize = 200;

/// The form with the name of the current view, if that is one of the maintainer's own.
pub(crate) fn form(list: &List) -> InputForm {
    let name = list.view_name().filter(|name| view::check_name(name).is_ok()).unwrap_or_default();
    let filter = if list.filter.trim().is_empty() { "everything" } else { list.filter.trim() };
    let group = match list.group {
        Group::None => String::new(),
        group => format!("; group: {}", group.name()),
    };
    let about = format!("{filter}; sort: {}{group}", list.sort.label());
    InputForm {
        waiting: Some("saving it"),
        fields: vec![FormField::new(
            NAME,
            "the name that the list of views shows",
            FieldKind::Line { most: MOST, text: name },
        )],
        ..InputForm::new(FormSubject::SaveView, "Save this view", "save", about)
    }
}

/// A warning where the name is taken.
pub(super) fn note(list: &List, values: &FormValues) -> Option<String> {
    let typed = values.text(NAME);
    let is_known = !typed.trim().is_empty() && list.views.iter().any(|view| view::is_same(&view.name, typed));
    is_known.then(|| "replaces the view of this name".to_owned())
}

pub(super) fn read(values: &FormValues) -> FormAction {
    FormAction::SaveView(values.text(NAME).to_owned())
}
