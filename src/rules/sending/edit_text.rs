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
    let kind = first.address.kind().word();
    Some(match edit {
        Edit::ClearErrors(versions) => {
            visible(&format!("Clear recorded errors of {addresses} {}", versions.join(", "))).into_owned()
        }
        Edit::Warn(_) => format!("Add a warning to {}", visible(&addresses)),
        Edit::Remove(versions, _) => {
            visible(&format!("Remove {addresses} {}", versions.join(", "))).into_owned()
        }
        Edit::Block(versions, _) => {
            visible(&format!("Keep {addresses} {} out", versions.join(", "))).into_owned()
        }
        // As the registry's own submission has it.
        Edit::Submit => visible(&format!("Create {kind} {addresses}")).into_owned(),
        Edit::Key(key) => visible(&format!("Create provider key {}", key.owner(&first.address))).into_owned(),
    })
}

fn names(versions: &[String]) -> String {
    versions.iter().map(|version| code(version)).collect::<Vec<_>>().join(", ")
}

/// What was edited, and what follows from it.
pub(super) fn paragraph(file: &SentFile, base: &str) -> Option<String> {
    let address = code(&file.address.to_string());
    Some(match file.edit.as_ref()? {
        Edit::ClearErrors(versions) => format!(
            "{address}: the recorded failures of {} are cleared. Upstream is complete by now, so the next bump tries again without the rest of the wait.",
            names(versions)
        ),
        Edit::Warn(text) => {
            format!("{address}: clients will show this warning to everybody who installs it: {}", code(text))
        }
        Edit::Remove(versions, permit) => format!(
            "**Needs two approvals.** {address}: {} is removed, and put on the blacklist so that the next bump leaves it out. Reason: {} ({}), announced at {}, decided in #{}.",
            names(versions),
            permit.reason().title().to_lowercase(),
            format_args!(
                "an exceptional circumstance of `POLICY.md` as of {}",
                code(base.get(..7).unwrap_or(base))
            ),
            permit.announcement(),
            permit.issue()
        ),
        Edit::Block(versions, reason) => format!(
            "{address}: {} is put on the blacklist, so that no bump adds it. Reason: {}",
            names(versions),
            code(reason)
        ),
        Edit::Submit => {
            format!("{address}: a new entry, with all that upstream has, as the submission form makes it.")
        }
        Edit::Key(key) => format!(
            "The key {} is put on file for {}: clients check the signatures of its releases with it.",
            code(key.fingerprint()),
            code(&key.owner(&file.address))
        ),
    })
}
