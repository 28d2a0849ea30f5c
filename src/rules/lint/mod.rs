//! Checks of the data files themselves: no network, and never a change of the bump status. Each rule has a stable name.
//!
//! [`lint_shape`] and [`lint_catalog`] need the summary rows alone; [`lint_entry`] also reads the parsed file. Called by
//! `jobs::lint` and by the view of one entry.

mod content;
mod names;
mod versions;

use crate::registry::{Address, Catalog, Document, Entry, Shape};
use crate::rules::finding::Finding;

/// The names of all rules, for `--rule` and its error message.
pub const RULES: [&str; 19] = [
    "bad-shasum",
    "broken-file",
    "bytes",
    "capitals-in-path",
    "capitals-in-version",
    "crlf",
    "duplicate-version",
    "empty-versions",
    "invalid-version",
    "no-targets",
    "odd-platform",
    "odd-protocol",
    "odd-url",
    "rejected-name",
    "shorthand-version",
    "twin-tags",
    "unreachable-path",
    "unscheduled-shard",
    "unsorted-versions",
];

/// Checks one parsed file by every rule.
pub fn lint_entry(address: &Address, document: &Document, entry: &Entry) -> Vec<Finding> {
    let mut findings = names::check(address);
    findings.extend(versions::check(address.kind(), &entry.versions()));
    findings.extend(content::check(address.kind(), document, entry));
    findings
}

/// Checks what a summary row tells: names and version lists, nothing of targets or bytes.
pub fn lint_shape(address: &Address, shape: &Shape) -> Vec<Finding> {
    let mut findings = names::check(address);
    if let Some(text) = &shape.broken {
        findings.push(broken(text));
    } else {
        let list: Vec<&str> = shape.version_list().collect();
        findings.extend(versions::check(address.kind(), &list));
    }
    findings
}

/// Checks all summary rows and skipped paths; each finding with the path of its file.
pub fn lint_catalog(catalog: &Catalog) -> Vec<(String, Finding)> {
    let skipped = catalog.unreachable.iter().map(|path| (path.clone(), unreachable(path)));
    let rows = catalog.rows.iter().flat_map(|row| {
        let findings = lint_shape(&row.address, &row.shape);
        findings.into_iter().map(|finding| (row.path(), finding))
    });
    skipped.chain(rows).collect()
}

/// A file that cannot be read; the text says where and why.
pub fn broken(text: &str) -> Finding {
    Finding::error("broken-file", text)
}

/// A data file at a path that the registry's own listing skips.
pub fn unreachable(path: &str) -> Finding {
    let text = format!(
        "`{path}` is skipped by the registry's tools: it is neither served nor bumped; move it to \
         `<kind>/<first letter>/<namespace>/…` or delete it"
    );
    Finding::error("unreachable-path", text)
}

#[cfg(test)]
mod tests;
