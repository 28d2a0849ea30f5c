//! The text of one provider's lock, byte by byte as the client writes one with these hashes. Where SHA256SUMS names other files
//! than archives, such as the manifest, `tofu init` adds their zh when it installs: [`crate::rules::lock::recorded()`] tells which.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::registry::Address;
use crate::rules::lock::HOST;

/// What a lock file begins with.
pub(crate) const HEADER: &str = "\
# This file is maintained automatically by \"tofu init\".
# Manual edits may be lost in future updates.
";

/// The block with its newline. Hashes stand in it once each and sorted, so that h1 comes before zh; `version` and
/// `constraints` are in normal form.
pub(crate) fn block<'a>(
    address: &Address,
    version: &str,
    constraints: Option<&str>,
    hashes: impl IntoIterator<Item = &'a str>,
) -> String {
    let mut text = format!("provider {} {{\n", quoted(&format!("{HOST}/{address}")));
    // The equal signs of neighbours stand below each other; a list of several lines is nobody's neighbour.
    match constraints {
        Some(constraints) => {
            let _ = writeln!(text, "  version     = {}", quoted(version));
            let _ = writeln!(text, "  constraints = {}", quoted(constraints));
        }
        None => {
            let _ = writeln!(text, "  version = {}", quoted(version));
        }
    }
    let hashes: BTreeSet<&str> = hashes.into_iter().collect();
    if !hashes.is_empty() {
        text.push_str("  hashes = [\n");
        for hash in hashes {
            let _ = writeln!(text, "    {},", quoted(hash));
        }
        text.push_str("  ]\n");
    }
    text.push_str("}\n");
    text
}

/// A string of HCL. What would begin a template is doubled.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '$' | '%' if letters.peek() == Some(&'{') => {
                quoted.push(letter);
                quoted.push(letter);
            }
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
