//! Checks of the data files themselves: no network, and never a change of the bump status. Each rule has a stable name.
//!
//! Called by `jobs::lint`, by `jobs::bump`, and when an entry is opened.

mod content;
mod names;
mod versions;

use crate::registry::{Address, Document, Entry};
use crate::rules::ALL_MOVED;
use crate::rules::finding::Finding;

/// The names of all rules, for `--rule` and its error message.
pub(crate) const RULES: [&str; 26] = [
    ALL_MOVED,
    "bad-h1",
    "bad-shasum",
    "bad-size",
    "broken-file",
    "bytes",
    "capitals-in-path",
    "capitals-in-version",
    "crlf",
    "duplicate-version",
    "empty-versions",
    "invalid-version",
    "no-shasums-url",
    "no-signature-url",
    "no-targets",
    "odd-filename",
    "odd-platform",
    "odd-protocol",
    "odd-url",
    "odd-warning",
    "rejected-name",
    "shorthand-version",
    TWIN_TAGS,
    "unreachable-path",
    "unscheduled-shard",
    "unsorted-versions",
];

/// The rule for two versions that clients request by the same path.
pub(crate) const TWIN_TAGS: &str = "twin-tags";

/// Checks one parsed file by every rule. `is_served` returns true if the registry serves an address to clients.
pub(crate) fn lint_entry(
    address: &Address,
    document: &Document,
    entry: &Entry,
    is_served: &dyn Fn(&Address) -> bool,
) -> Vec<Finding> {
    let mut findings = names::check(address);
    findings.extend(versions::check(address.kind(), document, &entry.versions()));
    findings.extend(content::check(address.kind(), document, entry));
    findings.extend(content::check_warnings(address, entry, is_served));
    findings
}

/// Checks of a name alone: what clients refuse as an address, and what no bump reaches.
pub(crate) fn names(address: &Address) -> Vec<Finding> {
    names::check(address)
}

/// A file that cannot be read; the text says where and why.
pub(crate) fn broken(text: &str) -> Finding {
    Finding::error("broken-file", text)
}

/// A data file at a path that the registry's own listing skips.
pub(crate) fn unreachable(path: &str) -> Finding {
    let text = format!(
        "`{path}` is skipped by the registry's tools: it is neither served nor bumped; move it to \
         `<kind>/<first letter>/<namespace>/…` or delete it"
    );
    Finding::error("unreachable-path", text)
}

#[cfg(test)]
mod tests;
