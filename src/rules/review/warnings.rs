//! Changes of the warnings of an entry. Upstream has nothing to compare with them, so a person decides.

use crate::registry::{Document, Json};
use crate::rules::plain_text::visible;
use crate::rules::warning::{self, Named};

/// The changes between the warnings of two files.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Warnings that clients could not show.
    pub(super) faults: Vec<String>,
    /// The added, corrected and removed warnings with their texts. Empty if the warnings are the same.
    pub(super) points: Vec<String>,
}

/// Compares two lists of warnings. If as many texts were removed as added, the changes count as corrections.
pub(super) fn changes(before: &[String], after: &[String]) -> Changes {
    if before == after {
        return Changes::default();
    }
    let without = |list: &[String], other: &[String]| {
        let mut other: Vec<&String> = other.iter().collect();
        let is_other = |text: &&String| match other.iter().position(|one| *one == *text) {
            Some(at) => {
                other.swap_remove(at);
                false
            }
            None => true,
        };
        list.iter().filter(is_other).cloned().collect::<Vec<_>>()
    };
    let (gone, new) = (without(before, after), without(after, before));
    let quoted = |text: &String| format!("\"{}\"", visible(text));
    let mut points = Vec::new();
    if gone.is_empty() && new.is_empty() {
        points.push("`warnings`: the texts are in another order".to_owned());
    }
    if gone.len() == new.len() {
        for (old, new) in gone.iter().zip(&new) {
            points.push(format!("`warnings`: a text is corrected; until now it is {}", quoted(old)));
            points.push(format!("the corrected text is {}", quoted(new)));
        }
    } else {
        points.extend(new.iter().map(|text| format!("`warnings`: a text is added: {}", quoted(text))));
        points.extend(gone.iter().map(|text| format!("`warnings`: a text is removed: {}", quoted(text))));
    }
    let fault = |text: &String| Some(format!("{}: {}", warning::check_form(text).err()?, quoted(text)));
    Changes { faults: new.iter().filter_map(fault).collect(), points }
}

/// Sentences about the addresses that the warnings of a file name.
pub(super) fn addresses(named: &[Named]) -> impl Iterator<Item = String> {
    named.iter().map(|named| match named.problem() {
        Some(problem) => problem,
        None if named.is_registered => format!("it names `{}`, which is registered", named.address),
        None => format!("it names `{}`, which is not registered", named.address),
    })
}

/// The document with the warnings of another document, at their place in that document.
pub(super) fn carried_over(document: &Document, from: &Document) -> Document {
    let mut root = document.root().clone();
    warning::set(&mut root, from.root().field(warning::KEY).map(Json::items).unwrap_or_default().to_vec());
    if let (Json::Object(fields), Some(place)) = (&mut root, place(from)) {
        let now = fields.iter().rposition(|(key, _)| key == warning::KEY);
        if let Some(now) = now.filter(|_| place < fields.len()) {
            let warnings = fields.remove(now);
            fields.insert(place, warnings);
        }
    }
    if root == *document.root() { document.clone() } else { document.with_root(root) }
}

/// Returns true if the warnings come after all fields that the registry's own writer puts first.
pub(super) fn stand_last(document: &Document) -> bool {
    let fields = document.root().fields();
    let behind = place(document).map_or(&[][..], |at| &fields[at + 1..]);
    !behind.iter().any(|(key, _)| ["repository", "versions", "versions_errors"].contains(&&**key))
}

fn place(document: &Document) -> Option<usize> {
    document.root().fields().iter().rposition(|(key, _)| key == warning::KEY)
}
