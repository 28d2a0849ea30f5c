//! Circles of files: two files that need each other are one thing in two places. A parent and its child may; nobody else.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::paths;
use super::source::{Fault, Source};

/// Where no circle is let stand.
const FOLDERS: [&str; 4] = ["src/tui/", "src/cli/", "src/line/", "src/desk/"];

/// The files of a crate by their module paths, and what each module gives on under a name of its own.
struct Map<'a> {
    files: BTreeMap<String, &'a Source>,
    given_on: BTreeMap<(String, String), String>,
}

impl<'a> Map<'a> {
    fn of(sources: &'a [Source]) -> Self {
        let files: BTreeMap<String, &Source> = sources
            .iter()
            .filter(|source| source.path.starts_with("src/") && !source.is_test())
            .map(|source| (module_of(&source.path), source))
            .collect();
        let mut given_on = BTreeMap::new();
        for (module, source) in &files {
            for statement in product(source).split(';').filter_map(public_use) {
                let renamed = renamed(statement);
                for path in paths(&format!("use {statement};")) {
                    let mut names = path.names.clone();
                    let full = match names[0].as_str() {
                        "crate" => names.split_off(1).join("::"),
                        _ => format!("{module}::{}", path.text()),
                    };
                    let last = path.names.last().cloned().unwrap_or_default();
                    let name = renamed.get(&last).unwrap_or(&last);
                    given_on.insert((module.clone(), name.clone()), full);
                }
            }
        }
        Self { files, given_on }
    }

    /// The module whose file a path leads to, followed through what modules give on.
    fn home(&self, names: &[String], depth: usize) -> Option<String> {
        for end in (1..=names.len()).rev() {
            let module = names[..end].join("::");
            if !self.files.contains_key(&module) {
                continue;
            }
            let next = names.get(end).and_then(|name| self.given_on.get(&(module.clone(), name.clone())));
            if let Some(full) = next.filter(|_| depth < 8) {
                let mut on: Vec<String> = full.split("::").map(str::to_owned).collect();
                on.extend_from_slice(&names[end + 1..]);
                return self.home(&on, depth + 1);
            }
            return Some(module);
        }
        None
    }

    /// The modules that a file names, without itself, its parent and its children.
    fn needs(&self, module: &str, source: &Source) -> BTreeSet<String> {
        let lines = source.product_lines();
        let all = paths(&source.code).into_iter().filter(|path| path.line <= lines);
        let homes = all.filter_map(|path| match path.names[0].as_str() {
            "crate" => self.home(&path.names[1..], 0),
            "super" => {
                let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
                let names: Vec<String> = parent.split("::").map(str::to_owned).collect();
                self.home(&[&names, &path.names[1..]].concat(), 0)
            }
            _ => None,
        });
        homes
            .filter(|other| other != module && !is_child(module, other) && !is_child(other, module))
            .collect()
    }
}

fn product(source: &Source) -> String {
    source.code.lines().take(source.product_lines()).collect::<Vec<_>>().join("\n")
}

/// `a::{b, c as d}` of `pub(crate) use a::{b, c as d}`.
fn public_use(statement: &str) -> Option<&str> {
    let at = statement.rfind("pub")?;
    let (visible, used) = statement[at..].split_once("use ")?;
    let visible = visible.trim();
    (visible == "pub" || (visible.starts_with("pub(") && visible.ends_with(')'))).then_some(used)
}

/// What stands before each `as`, with what stands after it.
fn renamed(statement: &str) -> BTreeMap<String, String> {
    let words: Vec<&str> =
        statement.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let triples = words.windows(3).filter(|triple| triple[1] == "as");
    triples.map(|triple| (triple[0].to_owned(), triple[2].to_owned())).collect()
}

/// `src/tui/views/mod.rs` is `tui::views`.
fn module_of(path: &str) -> String {
    let inside = path.trim_start_matches("src/").trim_end_matches(".rs");
    inside.strip_suffix("/mod").unwrap_or(inside).replace('/', "::")
}

fn is_child(parent: &str, module: &str) -> bool {
    module
        .strip_prefix(parent)
        .and_then(|rest| rest.strip_prefix("::"))
        .is_some_and(|name| !name.contains("::"))
}

/// One fault a file from which a way leads back to it.
pub(super) fn check(sources: &[Source]) -> Vec<Fault> {
    let map = Map::of(sources);
    let inside = |source: &Source| FOLDERS.iter().any(|folder| source.path.starts_with(folder));
    let all: Vec<(&String, &Source)> = map
        .files
        .iter()
        .filter(|(_, source)| inside(source))
        .map(|(module, source)| (module, *source))
        .collect();
    let needs: BTreeMap<&str, BTreeSet<String>> =
        all.iter().map(|(module, source)| (module.as_str(), map.needs(module, source))).collect();
    let mut faults = Vec::new();
    for (module, source) in all {
        if let Some(way) = way_back(module, &needs) {
            faults.push(source.fault(1, format!("a circle of files: {}", way.join(" -> "))));
        }
    }
    faults
}

/// The shortest way from a module back to itself.
fn way_back(module: &str, needs: &BTreeMap<&str, BTreeSet<String>>) -> Option<Vec<String>> {
    let mut ways = vec![vec![module.to_owned()]];
    let mut been = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let here = way.last().map(String::as_str).unwrap_or_default();
            for next in needs.get(here).into_iter().flatten() {
                let whole = [way.clone(), vec![next.clone()]].concat();
                if next == module {
                    return Some(whole);
                }
                if been.insert(next.clone()) {
                    longer.push(whole);
                }
            }
        }
        ways = longer;
    }
    None
}

#[test]
fn circles_are_found() {
    let source = |path: &str, text: &str| Source::new(path, text);
    let two = [
        source("src/tui/a.rs", "use crate::tui::b::B;"),
        source("src/tui/b.rs", "fn b() { crate::tui::a::f() }"),
        source("src/tui/c.rs", "use crate::tui::a::A;"),
    ];
    let faults = check(&two);
    assert_eq!(
        faults.iter().map(|fault| fault.file.as_str()).collect::<Vec<_>>(),
        ["src/tui/a.rs", "src/tui/b.rs"]
    );
    let given_on = [
        source("src/desk/mod.rs", "mod a;\nmod b;\npub(crate) use a::{A, C as D};\npub(crate) use b::B;"),
        source("src/desk/a.rs", "use crate::desk::B;"),
        source("src/desk/b.rs", "use crate::desk::D;"),
    ];
    assert_eq!(check(&given_on).len(), 2, "{:?}", check(&given_on));
    let three = [
        source("src/cli/a.rs", "use crate::cli::b::B;"),
        source("src/cli/b.rs", "use super::c::C;"),
        source("src/cli/c.rs", "use crate::cli::a::A;"),
    ];
    assert_eq!(check(&three).len(), 3);
    let fine = [
        source("src/tui/v/mod.rs", "mod a;\nuse crate::tui::v::a::A;\npub(crate) struct P;"),
        source(
            "src/tui/v/a.rs",
            "use crate::tui::v::P;\n#[cfg(test)]\nmod tests {\n    use crate::tui::v::b::B;\n}",
        ),
        source("src/tui/v/b.rs", "use crate::tui::v::a::A;"),
        source("src/rules/a.rs", "use crate::rules::b::B;"),
        source("src/rules/b.rs", "use crate::rules::a::A;"),
    ];
    assert_eq!(check(&fine), [], "parent and child, tests, and folders that are not looked at");
}
