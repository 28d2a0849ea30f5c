//! Circles of files: two files that need each other are one thing in two places. Only a parent and its child may.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::paths::paths;
use super::source::{Fault, Source, is_word};

const HERE: &str = "tests/it/architecture/circles.rs";

/// The circles that are left, each with all its files. The list can only get shorter: a circle that is not in it is a fault, and
/// so is a file of it that is in its circle no longer.
pub(super) const EXCUSED: &[&[&str]] = &[
    &[
        "demo::archive",
        "demo::digest",
        "demo::forge",
        "demo::forge::actions",
        "demo::forge::actions::spoil",
        "demo::object",
        "demo::scenario::spec",
        "demo::world",
    ],
    &[
        "demo::graphql",
        "demo::wire::account",
        "demo::wire::answer",
        "demo::wire::download",
        "demo::wire::feed",
        "demo::wire::git",
        "demo::wire::objects",
        "demo::wire::rest",
        "demo::wire::served",
    ],
    &["demo::graphql::cost", "demo::graphql::execute", "demo::graphql::mutation", "demo::graphql::node"],
    &["demo::machine", "demo::wire::terms"],
    &["rules::diff", "rules::proposal"],
    &["rules::diff::build", "rules::diff::drawing", "rules::diff::lines"],
    &[
        "rules::judge::indexed",
        "rules::judge::keys",
        "rules::judge::missing",
        "rules::judge::zips",
        "rules::status",
        "rules::triage",
        "rules::verdict",
        "rules::verify::reading",
    ],
    &["rules::plan::file", "rules::plan::mark", "rules::plan::outcome", "rules::plan::piece"],
    &["rules::signature::check", "rules::signature::client"],
];

/// The folders whose circles may be in the list. The world of the demo is a package of its own.
const EXCUSED_IN: [&str; 2] = ["rules::", "demo::"];

/// The files of the packages by their module paths, and what each module re-exports under a name of its own.
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
            for tree in public_uses(&product(source)) {
                let renamed = renamed(tree);
                for path in paths(&format!("use {tree};")) {
                    let relative = || [split(module), path.names.clone()].concat();
                    let full = absolute(module, &path.names).unwrap_or_else(relative);
                    let last = path.names.last().cloned().unwrap_or_default();
                    let name = renamed.get(&last).unwrap_or(&last);
                    given_on.insert((module.clone(), name.clone()), full.join("::"));
                }
            }
        }
        Self { files, given_on }
    }

    /// The module whose file a path leads to, followed through what modules re-export.
    fn home(&self, names: &[String], depth: usize) -> Option<String> {
        for end in (1..=names.len()).rev() {
            let module = names[..end].join("::");
            if !self.files.contains_key(&module) {
                continue;
            }
            let next = names.get(end).and_then(|name| self.given_on.get(&(module.clone(), name.clone())));
            if let Some(full) = next.filter(|_| depth < 8) {
                let mut on = split(full);
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
        let homes = all.filter_map(|path| self.home(&absolute(module, &path.names)?, 0));
        homes
            .filter(|other| other != module && !is_child(module, other) && !is_child(other, module))
            .collect()
    }
}

fn split(module: &str) -> Vec<String> {
    module.split("::").map(str::to_owned).collect()
}

/// A path of a module from the root on; `None` if it is relative to what the module imports or declares.
fn absolute(module: &str, names: &[String]) -> Option<Vec<String>> {
    let mut start = match names[0].as_str() {
        "crate" if module.starts_with("demo::") => vec!["demo".to_owned()],
        "crate" => Vec::new(),
        "self" => split(module),
        "super" => split(module.rsplit_once("::").map_or("", |(parent, _)| parent)),
        _ => return None,
    };
    start.extend_from_slice(&names[1..]);
    Some(start)
}

fn product(source: &Source) -> String {
    source.code.lines().take(source.product_lines()).collect::<Vec<_>>().join("\n")
}

/// The tree of each `pub use`: `a::{b, c as d}` of `pub(crate) use a::{b, c as d};`.
fn public_uses(code: &str) -> Vec<&str> {
    let ends_with_pub = |text: &str| {
        let before = text.strip_suffix("pub").map(str::as_bytes);
        before.is_some_and(|before| before.last().is_none_or(|byte| !is_word(*byte)))
    };
    let uses = code.match_indices("use ").filter(|(at, _)| {
        let before = code[..*at].trim_end();
        // `pub(crate)` and `pub(in crate::jobs)` are as public as `pub` here.
        let before = match before.strip_suffix(')') {
            Some(inside) => inside.rsplit_once('(').map_or("", |(before, _)| before.trim_end()),
            None => before,
        };
        ends_with_pub(before)
    });
    uses.filter_map(|(at, word)| code[at + word.len()..].split_once(';')).map(|(tree, _)| tree).collect()
}

/// The word before each `as`, with the word after it.
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

/// One fault for each file in a circle that is not excused, and one for each excuse without a circle.
pub(super) fn check(sources: &[Source], excused: &[&[&str]]) -> Vec<Fault> {
    let map = Map::of(sources);
    let modules: Vec<&str> = map.files.keys().map(String::as_str).collect();
    let place = |module: &str| modules.binary_search(&module).ok();
    let needs: Vec<Vec<usize>> = map
        .files
        .iter()
        .map(|(module, source)| map.needs(module, source).iter().filter_map(|other| place(other)).collect())
        .collect();
    let reached: Vec<BTreeSet<usize>> = (0..modules.len()).map(|start| reached_from(start, &needs)).collect();
    // All files of the circle that a file is in; none if it is in no circle.
    let circle = |at: usize| -> BTreeSet<&str> {
        let is_in = |other: &&usize| reached[**other].contains(&at);
        reached[at].iter().filter(is_in).map(|other| modules[*other]).collect()
    };
    let mut faults = Vec::new();
    for (at, source) in map.files.values().enumerate() {
        let circle = circle(at);
        let is_excused = excused.iter().any(|row| circle.iter().all(|module| row.contains(module)));
        if !circle.is_empty() && !is_excused {
            let way: Vec<&str> = way_back(at, &needs).into_iter().map(|place| modules[place]).collect();
            faults.push(source.fault(1, format!("a circle of files: {}", way.join(" -> "))));
        }
    }
    let mut fault = |text: String| faults.push(Fault { file: HERE.to_owned(), line: 1, text });
    for row in excused {
        let circle = row.first().and_then(|module| place(module)).map(circle).unwrap_or_default();
        for module in *row {
            if !circle.contains(module) {
                fault(format!(
                    "`{module}` is no longer in a circle with `{}`: remove it from the list",
                    row[0]
                ));
            }
            if !EXCUSED_IN.iter().any(|folder| module.starts_with(folder)) {
                fault(format!("`{module}`: no circle is excused there"));
            }
        }
    }
    faults
}

/// The files that a file needs, directly or through others. Its own place is among them if it is in a circle.
fn reached_from(start: usize, needs: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start];
    while let Some(here) = open.pop() {
        open.extend(needs[here].iter().filter(|next| reached.insert(**next)));
    }
    reached
}

/// The shortest way from a file back to itself.
fn way_back(start: usize, needs: &[Vec<usize>]) -> Vec<usize> {
    let mut before: Vec<Option<usize>> = vec![None; needs.len()];
    let mut open = VecDeque::from([start]);
    while let Some(here) = open.pop_front() {
        for next in &needs[here] {
            if *next == start {
                let way = std::iter::successors(Some(here), |place| before[*place]);
                let mut way: Vec<usize> = std::iter::once(start).chain(way).collect();
                way.reverse();
                return way;
            }
            if before[*next].is_none() {
                before[*next] = Some(here);
                open.push_back(*next);
            }
        }
    }
    Vec::new()
}

#[test]
fn circles_are_found() {
    let source = |path: &str, text: &str| Source::new(path, text);
    let two = [
        source("src/tui/a.rs", "use crate::tui::b::B;"),
        source("src/tui/b.rs", "fn b() { crate::tui::a::f() }"),
        source("src/tui/c.rs", "use crate::tui::a::A;"),
    ];
    let faults = check(&two, &[]);
    assert_eq!(
        faults.iter().map(|fault| fault.file.as_str()).collect::<Vec<_>>(),
        ["src/tui/a.rs", "src/tui/b.rs"]
    );
    let given_on = [
        source("src/desk/mod.rs", "mod a;\nmod b;\npub(crate) use a::{A, C as D};\npub(crate) use b::B;"),
        source("src/desk/a.rs", "use crate::desk::B;"),
        source("src/desk/b.rs", "use crate::desk::D;"),
    ];
    assert_eq!(check(&given_on, &[]).len(), 2, "{:?}", check(&given_on, &[]));
    let three = [
        source("src/cli/a.rs", "use crate::cli::b::B;"),
        source("src/cli/b.rs", "use super::c::C;"),
        source("src/cli/c.rs", "use crate::cli::a::A;"),
    ];
    assert_eq!(check(&three, &[]).len(), 3);
    assert_eq!(check(&three, &[])[0].text, "a circle of files: cli::a -> cli::b -> cli::c -> cli::a");
    // Any folder, files of two folders, and the package of the demo, whose root is another one.
    let anywhere = [
        source("src/jobs/a.rs", "use crate::jobs::data::b::B;"),
        source("src/jobs/data/b.rs", "use crate::jobs::a::A;"),
        source("src/rules/c.rs", "use crate::rules::d::D;"),
        source("src/rules/d.rs", "use crate::rules::c::C;"),
        source("src/demo/e.rs", "use crate::f::F;"),
        source("src/demo/f.rs", "use crate::e::E;"),
    ];
    assert_eq!(check(&anywhere, &[]).len(), 6, "{:?}", check(&anywhere, &[]));
    let fine = [
        source("src/tui/v/mod.rs", "mod a;\nuse crate::tui::v::a::A;\npub(crate) struct P;"),
        source(
            "src/tui/v/a.rs",
            "use crate::tui::v::P;\n#[cfg(test)]\nmod tests {\n    use crate::tui::v::b::B;\n}",
        ),
        source("src/tui/v/b.rs", "use crate::tui::v::a::A;"),
    ];
    assert_eq!(check(&fine, &[]), [], "parent and child, and tests");
}

#[test]
fn excuses_only_get_fewer() {
    let source = |path: &str, text: &str| Source::new(path, text);
    let circle = [
        source("src/rules/a.rs", "use crate::rules::b::B;"),
        source("src/rules/b.rs", "use crate::rules::a::A;"),
        source("src/rules/c.rs", "use crate::rules::a::A;"),
    ];
    let texts = |sources: &[Source], excused: &[&[&str]]| -> Vec<String> {
        check(sources, excused).into_iter().map(|fault| fault.text).collect()
    };
    assert_eq!(texts(&circle, &[&["rules::a", "rules::b"]]), Vec::<String>::new());
    // A file that joins the circle.
    let larger = [
        source("src/rules/a.rs", "use crate::rules::b::B;"),
        source("src/rules/b.rs", "use crate::rules::a::A;\nuse crate::rules::c::C;"),
        source("src/rules/c.rs", "use crate::rules::a::A;"),
    ];
    assert_eq!(texts(&larger, &[&["rules::a", "rules::b"]]).len(), 3);
    assert_eq!(texts(&larger, &[&["rules::a", "rules::b", "rules::c"]]), Vec::<String>::new());
    // One that left it, a circle that was cut, and a file that does not exist.
    let gone = "`rules::c` is no longer in a circle with `rules::a`: remove it from the list";
    assert_eq!(texts(&circle, &[&["rules::a", "rules::b", "rules::c"]]), [gone]);
    assert_eq!(texts(&circle[1..], &[&["rules::b", "rules::x"]]).len(), 2);
    // A folder that stays without circles.
    let jobs = [
        source("src/jobs/a.rs", "use crate::jobs::b::B;"),
        source("src/jobs/b.rs", "use crate::jobs::a::A;"),
    ];
    let refused = texts(&jobs, &[&["jobs::a", "jobs::b"]]);
    assert_eq!(
        refused,
        ["jobs::a", "jobs::b"].map(|module| format!("`{module}`: no circle is excused there"))
    );
}

#[test]
fn reexports_are_found_wherever_they_stand() {
    let code = "pub fn publish() {}\npub(crate) use a::{A, publisher as P};\nuse b::B;\npub use c::public;\nmod d {\n    \
                pub(in crate::x) use e::E;\n}\nfn republic() { use f::F; }\nlet reuse = 1;";
    assert_eq!(public_uses(code), ["a::{A, publisher as P}", "c::public", "e::E"]);
    // A file is reached by what the folder re-exports, whatever the names around it are.
    let through = [
        Source::new("src/desk/mod.rs", "pub fn publish() {}\npub(crate) use a::{A, publisher as P};"),
        Source::new("src/desk/a.rs", "use crate::desk::b::B;"),
        Source::new("src/desk/b.rs", "use crate::desk::P;"),
    ];
    assert_eq!(check(&through, &[]).len(), 2);
}
