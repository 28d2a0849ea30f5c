//! The form before writing is armed: the reason.

use crate::desk::arming::LONGEST_REASON;
use crate::desk::form::{FieldKind, FormAction, FormField, FormSubject, FormValues, InputForm};
use crate::desk::intent::Intent;
use crate::desk::telling::arming::READING;

const REASON: &str = "reason";

pub(crate) fn form() -> InputForm {
    let kind = FieldKind::Line { most: LONGEST_REASON, text: String::new() };
    InputForm {
        waiting: Some(READING),
        fields: vec![FormField::new(REASON, "what you are going to write to GitHub, and why", kind)],
        ..InputForm::new(
            FormSubject::Arm,
            "Arm",
            "arm",
            "For ten minutes this console may write to GitHub. Each write still asks for its digits. Suspending the program ends it.",
        )
    }
}

pub(super) fn read(values: &FormValues) -> FormAction {
    FormAction::Act(Intent::Arm(values.text(REASON).to_owned()))
}
