//! The words of a pull request that edits entries, in the maintainers' own style: `Remove coder/coder 3.0.0`.

use crate::rules::edit::Edit;
use crate::rules::markdown::code;
use crate::rules::plain_text::visible;
use crate::rules::sending::SentFile;

/// The title, where all files are edited in the same way.
pub(super) fn title(files: &[SentFile]) -> Option<String> {
    let (first, rest) = files.split_first()?;
    let edit = first.edit.as_ref()?;
    if !rest.iter().all(|file| file.edit.as_ref() == Some(edit)) {
        return None;
    }
    let addresses: Vec<String> = files.iter().map(|file| file.address.to_string()).collect();
    let addresses = addresses.join(" and ");
    Some(match edit {
        Edit::ClearErrors(versions) => {
            visible(&format!("Clear recorded errors of {addresses} {}", versions.join(", "))).into_owned()
        }
        Edit::Warn(_) => format!("Add a warning to {}", visible(&addresses)),
    })
}

/// What was edited, and what follows from it.
pub(super) fn paragraph(file: &SentFile) -> Option<String> {
    let address = code(&file.address.to_string());
    Some(match file.edit.as_ref()? {
        Edit::ClearErrors(versions) => {
            let versions: Vec<String> = versions.iter().map(|version| code(version)).collect();
            format!(
                "{address}: the recorded failures of {} are cleared. Upstream is complete by now, so the next bump tries again without the rest of the wait.",
                versions.join(", ")
            )
        }
        Edit::Warn(text) => {
            format!("{address}: clients will show this warning to everybody who installs it: {}", code(text))
        }
    })
}
