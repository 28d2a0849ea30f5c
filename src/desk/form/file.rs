//! The form before what would be sent is written to a file: its name.

use crate::desk::Desk;
use crate::desk::form::{FieldKind, FormAction, FormField, FormSubject, FormValues, InputForm};
use crate::desk::intent::Intent;
use crate::desk::telling::written;

const FILE: &str = "file";

/// The longest path that can be typed, in characters.
const MOST: usize = 200;

pub(crate) fn form(desk: &Desk) -> InputForm {
    let name = desk.pull.prepared.as_deref().map(written::file_name).unwrap_or_default();
    let kind = FieldKind::Line { most: MOST, text: name };
    InputForm {
        waiting: Some(written::WRITING),
        fields: vec![FormField::new(FILE, "the name of a new file; an existing file is not replaced", kind)],
        ..InputForm::new(
            FormSubject::File,
            "Write to a file",
            "write",
            "Writes every request that would be sent, and a patch for `git am`. Sends nothing.",
        )
    }
}

pub(super) fn read(values: &FormValues) -> FormAction {
    FormAction::Act(Intent::WriteOut(values.text(FILE).trim().into()))
}
