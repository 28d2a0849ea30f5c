//! A test that ends early for want of something says so: with `need!`, never with a bare `return`.

use super::source::{Fault, Source, is_word};

pub(super) fn check(source: &Source) -> Vec<Fault> {
    let mut faults = Vec::new();
    for attribute in ["#[test]", "#[tokio::test"] {
        for (start, _) in source.code.match_indices(attribute) {
            let Some(open) = source.code[start..].find('{').map(|at| start + at) else { continue };
            let body = &source.code[open..open + length(&source.code[open..])];
            for (at, word) in body.match_indices("return") {
                let rest = body[at + word.len()..].trim_start();
                let is_whole = !is_word(body.as_bytes()[at - 1]);
                if is_whole && rest.starts_with([';', '}', ',']) {
                    let text = "a test ends early and counts as passed: `need!` says what is missing";
                    faults.push(source.fault(source.line_of(open + at), text));
                }
            }
        }
    }
    faults
}

/// The length of a block, from its first brace to the one that closes it.
fn length(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

#[test]
fn silent_ends_are_found() {
    let cases = [
        ("#[test]\nfn a() {\n    let Some(x) = y() else { return };\n}\n", 1),
        (
            "#[tokio::test(flavor = \"multi_thread\")]\nasync fn a() {\n    if z() {\n        return;\n    }\n}\n",
            1,
        ),
        ("#[test]\n#[ignore = \"by hand\"]\nfn a() {\n    match x {\n        _ => return,\n    }\n}\n", 1),
        (
            "#[test]\nfn a() {\n    let x = need!(y());\n    let f = |z| { return z + 1; };\n}\nfn b() {\n    return;\n}\n",
            0,
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(check(&Source::new("tests/it/a.rs", text)).len(), wanted, "{text}");
    }
}
