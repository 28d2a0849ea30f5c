//! Names that say nothing, attributes that give no reason, and modules that do not say what they are.

use super::source::{Fault, Source, is_word};

const EMPTY_WORDS: [&str; 6] = ["util", "utils", "helper", "helpers", "common", "manager"];

/// Files, folders, modules and types that are named after nothing.
pub(super) fn check_words(source: &Source) -> Vec<Fault> {
    let mut faults = Vec::new();
    for part in source.path.split('/') {
        if EMPTY_WORDS.contains(&part.strip_suffix(".rs").unwrap_or(part)) {
            faults.push(source.fault(1, format!("`{part}` does not say what it is")));
        }
    }
    for keyword in ["mod", "struct", "enum", "trait", "type", "fn"] {
        for (at, name) in declared(&source.code, keyword) {
            let word =
                if name.starts_with(|c: char| c.is_ascii_uppercase()) { last_word(name) } else { name };
            if EMPTY_WORDS.contains(&word.to_ascii_lowercase().as_str()) {
                let text = format!("`{keyword} {name}` does not say what it is");
                faults.push(source.fault(source.line_of(at), text));
            }
        }
    }
    faults
}

/// The name after each use of a keyword, and the offset of the keyword.
pub(super) fn declared<'a>(code: &'a str, keyword: &str) -> Vec<(usize, &'a str)> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    for (at, _) in code.match_indices(keyword) {
        let name = at + keyword.len() + 1;
        let alone = (at == 0 || !is_word(bytes[at - 1])) && bytes.get(name - 1) == Some(&b' ');
        let length = bytes.iter().skip(name).take_while(|&&byte| is_word(byte)).count();
        if alone && length > 0 {
            found.push((at, &code[name..name + length]));
        }
    }
    found
}

/// The last word of a type's name: `KeyManager` is a manager.
fn last_word(name: &str) -> &str {
    &name[name.rfind(|c: char| c.is_ascii_uppercase()).unwrap_or(0)..]
}

/// Modules of the crate whose file stands beside their folder instead of in it.
pub(super) fn check_folders(sources: &[Source]) -> Vec<Fault> {
    let beside = |source: &&Source| {
        let folder = source.path.strip_suffix(".rs").filter(|path| path.starts_with("src/"));
        folder.is_some_and(|folder| {
            let inside =
                |other: &Source| other.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            sources.iter().any(inside)
        })
    };
    let fault = |source: &Source| source.fault(1, "a folder is described by its `mod.rs`");
    sources.iter().filter(beside).map(fault).collect()
}

/// `expect` and `allow` attributes without a reason, or with an empty one.
pub(super) fn check_reasons(source: &Source) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (open, _) in source.code.match_indices('#') {
        let rest = source.code[open + 1..].trim_start_matches('!');
        let Some(inside) = rest.strip_prefix('[') else { continue };
        let inside = &inside[..closing(inside)];
        let quiets = ["allow(", "expect("].iter().any(|lint| {
            inside.match_indices(lint).any(|(at, _)| at == 0 || !is_word(inside.as_bytes()[at - 1]))
        });
        let start = source.code.len() - rest.len() + 1;
        let said = source.raw[start..start + inside.len()].split_once("reason = \"").map(|(_, said)| said);
        if quiets && said.is_none_or(|said| said.trim_start().starts_with('"')) {
            faults.push(source.fault(source.line_of(open), "a lint is quieted without a reason"));
        }
    }
    faults
}

/// The distance to the bracket that closes an attribute.
fn closing(inside: &str) -> usize {
    let mut depth = 1;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    inside.len()
}

/// Files that do not open with a line about what they are. A stub has nothing to say yet.
pub(super) fn check_openings(source: &Source) -> Vec<Fault> {
    let is_stub = source.code.lines().count() < 2;
    if source.raw.starts_with("//!") || is_stub || source.is_test() && !source.path.starts_with("tests/") {
        return Vec::new();
    }
    vec![source.fault(1, "the file does not open with `//!`: what it is, what it never does, who calls it")]
}

#[test]
fn empty_words_are_found() {
    let planted = [
        ("src/rules/utils.rs", ""),
        ("src/helpers/a.rs", ""),
        ("src/tui/common/mod.rs", ""),
        ("src/a.rs", "pub struct KeyManager;"),
        ("src/a.rs", "mod common;"),
        ("src/a.rs", "fn helper() {}"),
        ("src/a.rs", "trait TextUtils {}"),
    ];
    for (path, text) in planted {
        assert_eq!(check_words(&Source::new(path, text)).len(), 1, "{path}: {text}");
    }
    let fine = "struct Managed;\nfn most_common() {}\nmod managers_of_keys;\n// mod utils\nlet manager = 1;";
    assert_eq!(check_words(&Source::new("src/commonly.rs", fine)), []);
}

#[test]
fn files_beside_their_folder_are_found() {
    let paths =
        ["src/a.rs", "src/a/b.rs", "src/ab.rs", "src/c/mod.rs", "src/c/d.rs", "tests/it.rs", "tests/it/e.rs"];
    let faults = check_folders(&paths.map(|path| Source::new(path, "")));
    assert_eq!(faults.iter().map(|fault| fault.file.as_str()).collect::<Vec<_>>(), ["src/a.rs"]);
}

#[test]
fn lints_quieted_in_silence_are_found() {
    let planted = [
        "#[allow(dead_code)]\nfn f() {}",
        "#![expect(clippy::disallowed_types)]",
        "#[expect(dead_code, reason = \"\")]\nfn f() {}",
        "#[cfg_attr(unix, allow(dead_code))]\nfn f() {}",
        "#[allow(\n    dead_code\n)]\nfn f() { let reason = \"x\"; }",
    ];
    for text in planted {
        assert_eq!(check_reasons(&Source::new("src/a.rs", text)).len(), 1, "{text}");
    }
    let fine = "#![expect(\n    dead_code,\n    reason = \"[a] reason\"\n)]\n// #[allow(dead_code)]\n#[derive(Debug)]\n\
                fn f() { x.expect(\"#[allow(a)]\"); }\n#[test]\nfn g() {}";
    assert_eq!(check_reasons(&Source::new("src/a.rs", fine)), []);
}

#[test]
fn silent_files_are_found() {
    assert_eq!(check_openings(&Source::new("src/a.rs", "use b::c;\nfn f() {}")).len(), 1);
    assert_eq!(check_openings(&Source::new("src/a.rs", "//! What it is.\nuse b::c;")), []);
    assert_eq!(check_openings(&Source::new("src/a/tests.rs", "use b::c;\nfn f() {}")), []);
}
