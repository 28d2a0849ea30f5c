//! Version constraints in the normal form that a lock file wants: `~> 5.0, != 5.1.0`.

use std::cmp::Ordering;

use crate::registry::Version;
use crate::registry::version::compare;

const OPERATORS: [&str; 7] = ["~>", ">=", "<=", "!=", ">", "<", "="];

/// Puts constraints into normal form: one blank behind each operator, versions in full (but for `~> 1.2`), each once, in the
/// order of the versions.
///
/// # Errors
/// The text is no list of constraints: which part is not, and why.
pub fn constraints(text: &str) -> Result<String, String> {
    let mut all: Vec<(String, String)> = Vec::new();
    for part in text.split(',') {
        let one = read(part.trim())?;
        if !all.contains(&one) {
            all.push(one);
        }
    }
    // Stable: of one version the order stays as it was written.
    all.sort_by(|a, b| order(&a.1, &b.1));
    let written = all.iter().map(|(operator, version)| match operator.as_str() {
        "" => version.clone(),
        operator => format!("{operator} {version}"),
    });
    Ok(written.collect::<Vec<_>>().join(", "))
}

fn order(a: &str, b: &str) -> Ordering {
    compare(a, b)
}

fn read(part: &str) -> Result<(String, String), String> {
    let operator = OPERATORS.iter().find(|operator| part.starts_with(**operator)).copied().unwrap_or("");
    let text = part[operator.len()..].trim_start();
    let wrong = || format!("`{part}` is no constraint: write an operator and a version, such as `>= 1.2.0`");
    let version = Version::parse(text).ok().filter(|_| !text.starts_with('v')).ok_or_else(wrong)?;
    let numbers = text.split(['-', '+']).next().unwrap_or_default().split('.').count();
    let version = match (operator, numbers) {
        // `~> 1.2` goes up to 2, `~> 1.2.0` up to 1.3.
        ("~>", 1) => format!("{text}.0"),
        ("~>", 2) => text.to_owned(),
        _ => version.padded(),
    };
    // An exact version stands by itself.
    Ok((if operator == "=" { "" } else { operator }.to_owned(), version))
}
