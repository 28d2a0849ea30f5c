//! Rows as a table in Markdown: what is stored of each target, what upstream lists for it, and what its archive is.

use std::fmt::Write;

use crate::rules::markdown::{cell, put};
use crate::rules::verify::{Listed, Row, Zip};

const HEAD: &str =
    "\n| version | target | stored | upstream SHA256SUMS | archive | equal |\n|---|---|---|---|---|---|\n";
/// Digits of a checksum in it.
const DIGITS: usize = 12;

/// Adds it to a text of at most so many characters. Where rows are of several entries, the version is said with its entry.
pub(crate) fn table(text: &mut String, rows: &[&Row], most: usize) {
    let is_of_one = rows.windows(2).all(|pair| pair[0].address == pair[1].address);
    let told = rows.iter().map(|row| {
        let version =
            if is_of_one { row.version.clone() } else { format!("{} {}", row.address, row.version) };
        line(row, &version)
    });
    put(text, HEAD, told, most, "target");
    let _ = writeln!(text, "\nThe first {DIGITS} digits of each SHA-256.");
}

/// Whether the stored checksum is the one that upstream lists; `None` where nobody could read that.
pub(crate) fn is_listed(row: &Row) -> Option<bool> {
    match &row.listed {
        Listed::Sum { sum } => Some(sum.eq_ignore_ascii_case(&row.stored.shasum)),
        Listed::Omitted | Listed::SumsGone => Some(false),
        Listed::NotAsked | Listed::Unread { .. } => None,
    }
}

fn line(row: &Row, version: &str) -> String {
    let sum = |sum: &str| cell(sum.get(..DIGITS).unwrap_or(sum));
    let listed = match &row.listed {
        Listed::Sum { sum: listed } => sum(listed),
        Listed::Omitted => "not listed".to_owned(),
        Listed::SumsGone => "no SHA256SUMS".to_owned(),
        Listed::NotAsked | Listed::Unread { .. } => "not read".to_owned(),
    };
    let archive = match &row.zip {
        Zip::Hashed(computed) => sum(&computed.sha256),
        Zip::Gone => "gone".to_owned(),
        _ => "not read".to_owned(),
    };
    let equal = match is_listed(row) {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not known",
    };
    format!(
        "| {} | {} | {} | {listed} | {archive} | {equal} |",
        cell(version),
        cell(&row.target),
        sum(&row.stored.shasum)
    )
}
