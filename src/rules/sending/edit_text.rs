//! The words of a pull request that edits entries, in the maintainers' own style: `Remove coder/coder 3.0.0`.

use crate::registry::short_id;
use crate::rules::amount::counted;
use crate::rules::edit::Edit;
use crate::rules::markdown::code;
use crate::rules::sending::SentFile;

/// The title, where all files are edited in the same way.
pub(super) fn title(files: &[SentFile], noun: &str) -> Option<String> {
    let (first, rest) = files.split_first()?;
    let edit = first.edit.as_ref()?;
    // What is filled in is another thing in every file.
    let is_same = |file: &SentFile| match (edit, file.edit.as_ref()) {
        (Edit::Fill(_), Some(Edit::Fill(_))) => true,
        (edit, other) => other == Some(edit),
    };
    if !rest.iter().all(is_same) {
        return None;
    }
    let addresses = match rest {
        [] => first.address.to_string(),
        // An entry and its twin.
        [twin] => format!("{} and {}", first.address, twin.address),
        _ => counted(files.len(), noun),
    };
    Some(match edit {
        Edit::ClearErrors(versions) => format!("Clear recorded errors of {addresses} {}", some(versions)),
        Edit::Warn(_) => format!("Add a warning to {addresses}"),
        Edit::Remove(versions, _) => format!("Remove {addresses} {}", some(versions)),
        Edit::RemoveEntry(_) => format!("Remove {addresses}"),
        Edit::Block(versions, _) => format!("Keep {addresses} {} out", some(versions)),
        // As the registry's own submission has it.
        Edit::Submit if rest.is_empty() => format!("Create {noun} {addresses}"),
        Edit::Submit => format!("Create {addresses}"),
        Edit::Key(key) => format!("Create provider key {}", key.owner(&first.address)),
        Edit::Fill(_) => format!("Fill in h1 and size of {addresses}"),
    })
}

/// `1.0.0, 1.1.0, 1.2.0`, `1.0.0 and 8 more`.
fn some(versions: &[String]) -> String {
    match versions {
        [first, rest @ ..] if rest.len() > 2 => format!("{first} and {} more", rest.len()),
        _ => versions.join(", "),
    }
}

fn names(versions: &[String]) -> String {
    versions.iter().map(|version| code(version)).collect::<Vec<_>>().join(", ")
}

/// What was edited, and what follows from it.
pub(super) fn paragraph(file: &SentFile, base: &str) -> Option<String> {
    let address = code(&file.address.to_string());
    Some(match file.edit.as_ref()? {
        Edit::ClearErrors(versions) => format!(
            "{address}: clears the recorded failures of {}. Upstream is complete now, so the next bump tries again at once.",
            names(versions)
        ),
        Edit::Warn(text) => {
            format!("{address}: clients will show this warning to everyone who installs it: {}", code(text))
        }
        Edit::Remove(versions, permit) => format!(
            "**Needs two approvals.** {address}: {} is removed, and put on the blacklist so that the next bump leaves it out. Reason: {} ({}), announced at {}, decided in #{}.",
            names(versions),
            permit.reason().title().to_lowercase(),
            format_args!("an exceptional circumstance of `POLICY.md` as of {}", code(short_id(base))),
            permit.announcement(),
            permit.issue()
        ),
        Edit::RemoveEntry(permit) => format!(
            "**Needs two approvals.** {address}: the whole entry is removed and its file is deleted. Lock files and configurations that name it stop working. No bump adds it again; only a new submission does. Keys on file stay. Reason: {} ({}), announced at {}, decided in #{}.",
            permit.reason().title().to_lowercase(),
            format_args!("an exceptional circumstance of `POLICY.md` as of {}", code(short_id(base))),
            permit.announcement(),
            permit.issue()
        ),
        Edit::Block(versions, reason) => format!(
            "{address}: {} is put on the blacklist, so that no bump adds it. Reason: {}",
            names(versions),
            code(reason)
        ),
        Edit::Submit => {
            format!(
                "{address}: a new entry with every version that upstream has, as the submission form creates it."
            )
        }
        Edit::Key(key) => format!(
            "The key {} is put on file for {}: clients check the signatures of its releases with it.",
            code(key.fingerprint()),
            code(&key.owner(&file.address))
        ),
        Edit::Fill(fills) => format!(
            "{address}: fills in h1 and size of {}. A backfill computed them from archives whose SHA-256 is the one in the registry; a review with `--hash` computes them again. Nothing else in the file changes.",
            counted(fills.len(), "target")
        ),
    })
}
