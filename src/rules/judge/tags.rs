//! Module tags that were moved since the registry recorded their commit.
//!
//! The stored id and today's come from the same column of the same listing, so that an annotated tag's own id is compared
//! with itself and never with the commit behind it.

use std::collections::HashMap;

use crate::registry::Tags;
use crate::rules::Finding;
use crate::rules::judge::Case;

/// Moved tags that one finding each is made of; the rest is counted.
const SAID_MAX: usize = 20;

/// One finding for each moved tag. Nothing where the file was not read, or records no commits.
pub(super) fn moved(case: &Case<'_>, tags: &Tags) -> Vec<Finding> {
    let Some(entry) = case.entry.and_then(|entry| entry.as_module()) else { return Vec::new() };
    let today: HashMap<&str, &str> = tags.list.iter().map(|tag| (&*tag.name, &*tag.oid)).collect();
    let mut found = Vec::new();
    let mut more = 0_usize;
    for version in &entry.versions {
        let Some(stored) = version.commit.as_deref().filter(|stored| !stored.is_empty()) else { continue };
        let Some(now) = today.get(version.version.as_str()) else { continue };
        if stored.eq_ignore_ascii_case(now) {
            continue;
        }
        if found.len() == SAID_MAX {
            more += 1;
            continue;
        }
        let text = format!(
            "the tag was moved since it was indexed: {stored} is recorded, {now} is upstream; clients get the recorded one"
        );
        found.push(Finding::warning("tag-moved", text).on(version.version.clone()));
    }
    if more > 0 {
        found.push(Finding::warning(
            "tag-moved",
            format!("{more} more tags were moved since they were indexed"),
        ));
    }
    found
}
