//! The objects that several commands print; those of one command stand in its file, and in `desk::objects` stand those that are
//! copied as well, with the envelope around each.
//!
//! What has a meaning of its own derives its shape where it lives; here and there stands what is put together for scripts alone.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::print::output::{Line, Output};
use crate::print::text;
use crate::rules::{Finding, Status};

/// Something that was found in a file, type `finding`.
#[derive(Serialize)]
pub(crate) struct Found<'a, T> {
    pub(crate) path: &'a str,
    #[serde(flatten)]
    pub(crate) finding: &'a T,
}

/// Tells what was found in a file.
pub(crate) fn tell_finding(output: &mut Output<'_>, path: &str, finding: &Finding) {
    if output.json {
        output.object("finding", &Found { path, finding });
    } else {
        output.line(&text::finding(Line::of(format!("{path}: ")), finding));
    }
}

/// The field `statuses` of an outcome: how many entries have which status.
pub(crate) fn statuses(
    verdicts: impl Iterator<Item = Status>,
) -> BTreeMap<&'static str, BTreeMap<&'static str, u64>> {
    let mut counts = BTreeMap::new();
    for status in verdicts {
        *counts.entry(status.name()).or_default() += 1;
    }
    BTreeMap::from([("statuses", counts)])
}

#[cfg(test)]
mod tests;
