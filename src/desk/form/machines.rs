//! The form before a backfill is shared out over GitHub's machines: over how many.

use crate::desk::Desk;
use crate::desk::form::{FieldKind, FormAction, FormError, FormField, FormSubject, FormValues, InputForm};
use crate::desk::intent::{EntrySelection, Intent};
use crate::desk::telling::Message;
use crate::desk::telling::machines::{MANY, read_shares};
use crate::rules::sending::{ActionsPlan, Purpose};

const SHARES: &str = "machines";

/// The number that is proposed for a new run.
pub(crate) const FEW: usize = 2;

/// The form for a new run of the selection, or for the one that is made ready. `named` says what is selected.
pub(crate) fn form(selection: Option<EntrySelection>, named: &str, shares: usize) -> InputForm {
    let kind = FieldKind::Line { most: 3, text: shares.to_string() };
    InputForm {
        fields: vec![FormField::new(SHARES, MANY, kind)],
        ..InputForm::new(
            FormSubject::Machines(selection),
            "On GitHub's machines",
            "check the gates",
            format!("{named}The run is made ready and shown with its gates; nothing is sent yet."),
        )
    }
}

pub(super) fn read(
    desk: &Desk,
    selection: Option<&EntrySelection>,
    values: &FormValues,
) -> Result<FormAction, FormError> {
    let wrong = |why: Message| FormError { label: SHARES, text: why };
    let shares = read_shares(values.text(SHARES)).map_err(|why| wrong(Message::of(why)))?;
    let plan = match (selection, &desk.pull.purpose) {
        (Some(selection), _) => desk.dispatching(selection, shares).map_err(wrong)?,
        (None, Purpose::Actions(ActionsPlan::Dispatch { selection, .. })) => {
            ActionsPlan::Dispatch { selection: selection.clone(), shares }
        }
        (None, _) => return Err(FormError::new(SHARES, "no run is made ready any more")),
    };
    Ok(FormAction::Act(Intent::prepare(plan)))
}
