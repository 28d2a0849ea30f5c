//! Files that something must name: themes, snapshots. And places that nothing here may name.

use std::collections::HashSet;

use super::source::{Fault, Source};
use super::tree::TextFile;

fn fault(file: &str, line: usize, text: impl Into<String>) -> Fault {
    Fault { file: file.into(), line, text: text.into() }
}

/// Theme files that the console does not know.
pub(super) fn check_themes(files: &[TextFile], sources: &[Source]) -> Vec<Fault> {
    let console = || sources.iter().filter(|source| source.path.starts_with("src/tui/"));
    let themes = files.iter().filter(|file| file.path.starts_with("themes/"));
    let unknown = themes.filter(|file| {
        !console().any(|source| source.literals.iter().any(|literal| literal.ends_with(&file.path)))
    });
    unknown.map(|file| fault(&file.path, 1, "no source under `src/tui` lists this theme")).collect()
}

/// Snapshots that no test makes any more, or that lie elsewhere than in `snapshots/`.
pub(super) fn check_snapshots(files: &[TextFile], sources: &[Source]) -> Vec<Fault> {
    // The faults planted in these rules' own tests make no snapshots.
    let makers = sources.iter().filter(|source| !source.path.starts_with("tests/it/architecture"));
    let literals: HashSet<&str> = makers.flat_map(|source| &source.literals).map(String::as_str).collect();
    let is_pattern = |literal: &&&str| literal.contains('{') && literal.contains(['-', 'x']);
    let patterns: Vec<&str> = literals.iter().filter(is_pattern).copied().collect();
    let mut faults = Vec::new();
    for file in files {
        let Some(path) = file.path.strip_suffix(".snap") else { continue };
        match path.strip_prefix("snapshots/") {
            Some(name) if is_mentioned(name, &literals, &patterns) => {}
            Some(name) => faults.push(fault(&file.path, 1, format!("no test makes a snapshot `{name}`"))),
            None => faults.push(fault(&file.path, 1, "snapshots lie in `snapshots/`")),
        }
    }
    faults
}

/// Returns true if a literal gives this name: as it stands, or as a format string whose blanks are filled with numbers or with
/// other literals. So `"{screen}-{case}-{width}x{height}"` gives `inventory-empty-80x24` only while both words exist.
fn is_mentioned(name: &str, literals: &HashSet<&str>, patterns: &[&str]) -> bool {
    let fills = |part: &str| {
        !part.is_empty() && (part.bytes().all(|byte| byte.is_ascii_digit()) || literals.contains(part))
    };
    literals.contains(name) || patterns.iter().any(|pattern| gives(pattern, name, &fills))
}

fn gives(pattern: &str, name: &str, fills: &dyn Fn(&str) -> bool) -> bool {
    let Some((fixed, rest)) = pattern.split_once('{') else { return pattern == name };
    let (Some(name), Some((_, rest))) = (name.strip_prefix(fixed), rest.split_once('}')) else {
        return false;
    };
    let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
    ends.skip(1).any(|end| fills(&name[..end]) && gives(rest, &name[end..], fills))
}

/// Words for places outside of the repository, put together here so that this file does not say them.
const OUTSIDE: [&str; 2] = [concat!("/wo", "rk"), concat!("../sha", "red")];
/// The CI script alone may look beside the repository, for data that it hands to the tests.
const CI: &str = ".ci/run";

/// Mentions of places that exist on one machine only.
pub(super) fn check_outside(files: &[TextFile]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            let said = OUTSIDE.iter().find(|place| says(line, place));
            let allowed = said == Some(&OUTSIDE[1]) && file.path == CI;
            if let Some(place) = said
                && !allowed
            {
                faults.push(fault(
                    &file.path,
                    number + 1,
                    format!("`{place}` lies outside of the repository"),
                ));
            }
        }
    }
    faults
}

/// Returns true if a line names the place itself, and not a word that only begins or ends like it.
fn says(line: &str, place: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    line.match_indices(place).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + place.len()..].chars().next();
        // A place from the root does not follow a folder's name, nor a host's.
        let from_root = !place.starts_with('/') || !before.is_some_and(|c| is_part(c) || ".}~*]".contains(c));
        from_root && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
fn text_file(path: &str, text: &str) -> TextFile {
    TextFile { path: path.into(), text: text.into() }
}

#[test]
fn unlisted_themes_are_found() {
    let source = Source::new(
        "src/tui/base/theme/mod.rs",
        "include_str!(\"../../../../themes/dark.toml\") // themes/odd.toml",
    );
    let files = ["themes/dark.toml", "themes/odd.toml"].map(|path| text_file(path, ""));
    let faults = check_themes(&files, &[source]);
    assert_eq!(faults.iter().map(|fault| fault.file.as_str()).collect::<Vec<_>>(), ["themes/odd.toml"]);
}

#[test]
fn orphan_snapshots_are_found() {
    let source = Source::new(
        "src/tui/tests.rs",
        "assert_snapshot!(format!(\"{screen}-{case}-{w}x{h}\"), x); f(\"inventory\", \"no-match\"); \
         assert_snapshot!(\"help-page\", y); // \"gone-case\"",
    );
    let cases = [
        ("snapshots/inventory-no-match-80x24.snap", true),
        ("snapshots/help-page.snap", true),
        ("snapshots/inventory-gone-80x24.snap", false),
        ("snapshots/inventory-no-match-80x.snap", false),
        ("snapshots/help.snap", false),
        ("src/tui/snapshots/help-page.snap", false),
    ];
    for (path, fine) in cases {
        let faults = check_snapshots(&[text_file(path, "")], std::slice::from_ref(&source));
        assert_eq!(faults.is_empty(), fine, "{path}: {faults:?}");
    }
}

#[test]
fn places_outside_are_found() {
    let [root, beside] = OUTSIDE;
    let cases = [
        ("README.md", format!("see {root}/main"), false),
        ("src/a.rs", format!("\"{root}\""), false),
        ("README.md", format!("({beside}/data)"), false),
        (".ci/run", format!("{root}/x"), false),
        (".ci/run", format!("data={beside}/data"), true),
        ("src/a.rs", format!(".github{root}flows, net{root}, src{root}/a"), true),
        ("src/a.rs", format!("{beside}-memory"), true),
    ];
    for (path, text, fine) in cases {
        let faults = check_outside(&[text_file(path, &text)]);
        assert_eq!(faults.is_empty(), fine, "{path}: {text}: {faults:?}");
    }
}
