//! Imports: one `use` a module, since rustfmt sorts what stands in braces but merges nothing.

use super::source::{Fault, Source};

/// Modules that are imported twice in one scope, and braces inside of braces, which hide what is imported.
pub(super) fn check(source: &Source) -> Vec<Fault> {
    let mut faults = Vec::new();
    // The surface lists names by their users.
    if source.path == "src/surface.rs" {
        return faults;
    }
    // Visibility and module of each import whose scope is still open, with its indentation and line.
    let mut open: Vec<(String, usize, usize)> = Vec::new();
    let mut before = "";
    let lines: Vec<&str> = source.code.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        if !text.is_empty() {
            open.retain(|(_, scope, _)| *scope <= indent);
        }
        // An attribute is about one import alone: `#[cfg(unix)] use …`.
        let is_alone = before.starts_with("#[");
        before = text;
        let is_import = text.starts_with("use ") || text.starts_with("pub") && text.contains(" use ");
        if !is_import {
            continue;
        }
        let whole: String = lines[at..].iter().flat_map(|line| [line.trim(), " "]).collect();
        let tree = &whole[..whole.find(';').unwrap_or(whole.len())];
        if tree.matches('{').count() > 1 {
            faults.push(source.fault(at + 1, "braces in braces: one `use` a module"));
        }
        let module = tree.find('{').or_else(|| tree.rfind("::").map(|end| end + 2)).map(|end| &tree[..end]);
        let Some(module) = module.filter(|_| !is_alone) else { continue };
        match open.iter().find(|(known, scope, _)| known == module && *scope == indent) {
            Some((_, _, first)) => {
                let text = format!("`{module}` is imported in line {first} already: one `use` a module");
                faults.push(source.fault(at + 1, text));
            }
            None => open.push((module.to_owned(), indent, at + 1)),
        }
    }
    faults
}

#[test]
fn modules_that_are_imported_twice_are_found() {
    let planted = [
        "use crate::rules::Status;\nuse crate::rules::Mode;",
        "use crate::rules::{\n    Status,\n};\nuse a::b;\nuse crate::rules::Mode;",
        "pub(crate) use a::B;\npub(crate) use a::C;",
        "fn f() {\n    use a::B;\n    use a::C;\n}",
        "use a::{b::{C, D}, e};",
    ];
    for text in planted {
        assert_eq!(check(&Source::new("src/a.rs", text)).len(), 1, "{text}");
    }
    let fine = [
        "use crate::rules::{Mode, Status};\nuse crate::rules::plan::Plan;\nuse crate::rules;\nuse std;",
        "use a::B;\n#[cfg(unix)]\nuse a::C;\nuse d::E;",
        "use a::B;\npub(crate) use a::C;\nfn f() {\n    use a::D;\n}\nfn g() {\n    use a::D;\n}",
    ];
    for text in fine {
        assert_eq!(check(&Source::new("src/a.rs", text)), [], "{text}");
    }
}
