//! The form before versions are ignored for a while: until when, and why.

use jiff::Timestamp;

use crate::desk::form::{FieldKind, FormAction, FormError, FormField, FormSubject, FormValues, InputForm};
use crate::desk::intent::Intent;
use crate::jobs::data::DecideTask;
use crate::registry::Address;
use crate::rules::decision::{self, LONGEST_REASON};

const UNTIL: &str = "until";
const REASON: &str = "why";

/// The form for these versions.
pub(crate) fn form(of: Vec<(Address, String)>) -> InputForm {
    let named = match &of[..] {
        [(address, version)] => format!("{version} of {address}"),
        many => format!("{} marked versions", many.len()),
    };
    let about = format!(
        "{named}: until that day surveys skip it, and no status counts it. This stays on this machine; nobody else sees it."
    );
    let reason = FieldKind::Line { most: LONGEST_REASON, text: String::new() };
    InputForm {
        fields: vec![
            FormField::new(UNTIL, "a day such as 2027-01-01, or +30d", FieldKind::Day),
            FormField::new(REASON, "the reason, in one line", reason),
        ],
        ..InputForm::new(FormSubject::Ignore(of), "Ignore until a day", "ignore it", about)
    }
}

pub(super) fn read(
    of: &[(Address, String)],
    values: &FormValues,
    now: Timestamp,
) -> Result<FormAction, FormError> {
    let (until, reason) = (values.text(UNTIL), values.text(REASON));
    decision::until(until, now).map_err(|why| FormError::new(UNTIL, why))?;
    let decisions = decision::ignoring(of, until, reason, now).map_err(|why| FormError::new(REASON, why))?;
    Ok(FormAction::Act(Intent::Decide(DecideTask::Ignore(decisions))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::form::FormValue;

    #[test]
    fn the_field_that_is_wrong_is_named() {
        let of = [(Address::parse("acme/rocket").unwrap(), "1.1.0".to_owned())];
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let values = |until: &str, why: &str| {
            let text = |text: &str| FormValue::Text(text.to_owned());
            FormValues(vec![(UNTIL, text(until)), (REASON, text(why))])
        };
        let line = decision::ignoring(&of, "30d", "never released", now).unwrap();
        for until in ["30d", "+30d", " + 30d "] {
            let action = read(&of, &values(until, "never released"), now);
            assert_eq!(
                action,
                Ok(FormAction::Act(Intent::Decide(DecideTask::Ignore(line.clone())))),
                "{until}"
            );
        }
        for (until, why, label) in
            [("", "x", UNTIL), ("soon", "x", UNTIL), ("2020-01-01", "x", UNTIL), ("30d", "", REASON)]
        {
            assert_eq!(read(&of, &values(until, why), now).unwrap_err().label, label, "{until} {why}");
        }
    }
}
