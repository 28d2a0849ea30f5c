//! The form of a note on a change of the plan, or on all changes of a file.

use crate::desk::form::{FieldKind, FormAction, FormError, FormField, FormSubject, FormValues, InputForm};
use crate::desk::telling::Message;
use crate::registry::Address;
use crate::rules::plan::{LONGEST_NOTE, Which};

const NOTE: &str = "note";

/// The form with the present text, and why it could not be kept before.
pub(crate) fn form(
    (address, which): (Address, Which),
    about: String,
    text: String,
    unsaved: Option<String>,
) -> InputForm {
    let kind = FieldKind::Line { most: LONGEST_NOTE, text };
    InputForm {
        waiting: Some("keeping it"),
        fields: vec![FormField::new(NOTE, "for yourself, and for the text of a pull request", kind)],
        error: unsaved.map(|why| FormError { label: NOTE, text: Message::of(why) }),
        ..InputForm::new(FormSubject::Note { address, which }, "Note", "keep", about)
    }
}

pub(super) fn read(values: &FormValues) -> FormAction {
    FormAction::Note(values.text(NOTE).to_owned())
}
