//! The form before versions are blocked: the reason, which stands in the blacklist.

use crate::desk::form::{FieldKind, FormAction, FormError, FormField, FormSubject, FormValues, InputForm};
use crate::desk::intent::Intent;
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::edit::{Edit, LONGEST_REASON};

const REASON: &str = "reason";

/// The form for these versions of entries; `None` if there are none.
pub(crate) fn form(of: Vec<(Address, Vec<String>)>) -> Option<InputForm> {
    let named = match &of[..] {
        [] => return None,
        [(address, versions)] => format!("{} of {address}", versions.join(", ")),
        many => {
            let versions = many.iter().map(|(_, versions)| versions.len()).sum::<usize>();
            format!("{} of {}", counted(versions, "version"), counted(many.len(), "entry"))
        }
    };
    let about = format!(
        "{named}: this plans a blacklist entry. Once it is merged, bumps leave the version out, whatever upstream has."
    );
    let kind = FieldKind::Line { most: LONGEST_REASON, text: String::new() };
    Some(InputForm {
        fields: vec![FormField::new(REASON, "the reason, which everybody can read in the blacklist", kind)],
        ..InputForm::new(FormSubject::Block(of), "Block", "plan it", about)
    })
}

pub(super) fn read(of: &[(Address, Vec<String>)], values: &FormValues) -> Result<FormAction, FormError> {
    let edit = |(address, versions): &(Address, Vec<String>)| {
        Ok((address.clone(), Edit::blocking(versions.clone(), values.text(REASON))?))
    };
    let edits = of.iter().map(edit).collect::<Result<_, String>>();
    edits.map(|edits| FormAction::Act(Intent::Edit(edits))).map_err(|why| FormError::new(REASON, why))
}
