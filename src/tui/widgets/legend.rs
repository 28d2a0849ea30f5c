//! What the columns, signs and figures of a view say, for the middle part of the `?` page.
//!
//! Plain sentences, which each view gives; keys in them are filled in by `help`.

use crate::desk::telling::column;

/// The word or sign, and what it says.
pub(crate) type Legend = &'static [(&'static str, &'static str)];

/// Stands for the keys of the views.
pub(crate) const VIEWS: &str = "VIEWS";
/// Stands for the key that runs a job again.
pub(crate) const AGAIN: &str = "AGAIN";

/// What is said of a proposed change, in every view that shows one.
pub(crate) const CHANGES: Legend = &[
    ("ADDITIVE +", "only new versions are added; nothing that is listed changes"),
    ("TWINS &", "a new version takes another's place for clients, or is hidden by it"),
    ("REORDERS ~", "only the order of keys, or the layout, changes"),
    ("MUTATES !", "a version that is listed would change: held by policy"),
    ("REMOVES -", "a version or target that is listed would be removed: held by policy"),
    ("NOOP =", "nothing changes: the file stays as it is"),
    ("ver, tgt", "versions, targets (platforms); v and t where there is less room"),
    (column::SEEN.short, "how many of the changes you have looked at"),
];
