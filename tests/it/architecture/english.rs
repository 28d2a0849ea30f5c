//! Plain English in doc comments and in names: a doc line has a subject and a verb, or is a noun phrase, and a name uses the words
//! of the field. `english-left.txt` lists the files that do not follow yet, and can only shrink.

use std::collections::HashMap;

use super::names::declared;
use super::source::{Fault, Source, is_word};

/// Openings of doc lines that are clauses without a subject, each with its remedy.
const OPENINGS: [(&str, &str); 5] = [
    ("What", "a noun phrase, or \"Returns …\""),
    ("Whether", "\"True if …\", or \"Returns true if …\""),
    ("How", "a noun phrase (\"The number of …\"), or \"Returns …\""),
    ("The same", "name the item it is like, and the difference"),
    ("Of", "begin with the subject"),
];

/// Words that are refused in names, each with its replacement.
const WORDS: [(&str, &str); 13] = [
    ("told", "`text`, `line`, `rendered`, `reported`"),
    ("heard", "`received`, `events`"),
    ("meant", "`selected`, `selection`"),
    ("said", "`text`, `message`, `reported`"),
    ("asked", "`requested`, `query`, `prompt`"),
    ("came", "`finished`, `result`"),
    ("became", "`result`, `status`"),
    ("dear", "`costly`"),
    ("whoever", "the role: `reviewer`, `author`"),
    ("somebody", "the role: `reviewer`, `author`"),
    ("nobody", "`none`, or what is missing"),
    ("wish", "`request`"),
    ("twin", "the relation: `same_as`, `counterpart`"),
];

/// Each line: a path, its refused openings, its refused names.
const LIST: &str = "tests/it/architecture/english-left.txt";

/// Refused openings and names beyond those that the list allows, and lines of the list that allow too many.
pub(super) fn check(sources: &[Source], list: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut listed = HashMap::new();
    for (at, line) in list.lines().enumerate() {
        let mut fault = |text| faults.push(Fault { file: LIST.to_owned(), line: at + 1, text });
        let [path, openings, names] = line.split(' ').collect::<Vec<_>>()[..] else {
            fault(format!("`{line}` is not a path and two figures"));
            continue;
        };
        let Some(source) = sources.iter().find(|source| source.path == path) else {
            fault(format!("`{path}` is gone: remove the line"));
            continue;
        };
        let figures = [openings, names].map(|figure| figure.parse::<usize>().unwrap_or(0));
        let found = found(source);
        for ((kind, found), figure) in found.iter().zip(figures) {
            if found.len() < figure {
                let left = found.len();
                fault(format!(
                    "`{path}` has {left} refused {kind}: lower the figure from {figure} to {left}"
                ));
            }
        }
        if figures == [0, 0] {
            fault(format!("`{path}` has nothing refused: remove the line"));
        }
        listed.insert(path, figures);
    }
    for source in sources {
        let figures = listed.get(source.path.as_str()).copied().unwrap_or_default();
        for ((kind, found), figure) in found(source).into_iter().zip(figures) {
            if found.len() <= figure {
                continue;
            }
            if figure > 0 {
                let text = format!("{} refused {kind}, and {LIST} allows {figure}:", found.len());
                faults.push(source.fault(1, text));
            }
            faults.extend(found);
        }
    }
    faults
}

fn found(source: &Source) -> [(&'static str, Vec<Fault>); 2] {
    [("openings", openings(source)), ("names", names(source))]
}

/// Refused openings of doc comments, of their list items, and of sentences that begin a line of them.
fn openings(source: &Source) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut begins = true;
    for (at, line) in source.raw.lines().enumerate() {
        let line = line.trim();
        let Some(text) = ["///", "//!"].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim) else {
            begins = true;
            continue;
        };
        let item = text.strip_prefix("- ");
        let opens = |word: &str| {
            let rest = item.unwrap_or(text).strip_prefix(word);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        if (begins || item.is_some())
            && let Some((word, remedy)) = OPENINGS.iter().find(|(word, _)| opens(word))
        {
            faults.push(source.fault(at + 1, format!("a doc line opens with `{word}`; better: {remedy}")));
        }
        begins = text.is_empty() || text.ends_with(['.', '!', '?']);
    }
    faults
}

/// Functions, types, modules, constants, fields of structs and variants of enums with a refused word in their name.
fn names(source: &Source) -> Vec<Fault> {
    let keywords = ["fn", "struct", "enum", "trait", "type", "mod", "const", "static"];
    let declared = keywords.iter().flat_map(|keyword| declared(&source.code, keyword));
    let declared = declared.map(|(at, name)| (source.line_of(at), name));
    let mut faults = Vec::new();
    for (line, name) in declared.chain(members(&source.code)) {
        let words = words(name);
        if let Some((word, better)) = WORDS.iter().find(|(word, _)| words.split(' ').any(|it| it == *word)) {
            faults.push(source.fault(line, format!("`{name}` has the word `{word}`; better: {better}")));
        }
    }
    faults
}

/// The fields of structs and the variants of enums, with their lines: rustfmt gives each a line, one step deeper than its type.
fn members(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut outer = None;
    for (at, line) in code.lines().enumerate() {
        let text = line.trim();
        let depth = line.len() - line.trim_start().len();
        let bare = without_visibility(text);
        match outer {
            None if (bare.starts_with("struct ") || bare.starts_with("enum ")) && text.ends_with('{') => {
                outer = Some(depth);
            }
            Some(outer_depth) if text.starts_with('}') && depth == outer_depth => outer = None,
            Some(outer_depth) if depth == outer_depth + 4 => {
                let length = bare.bytes().take_while(|byte| is_word(*byte)).count();
                found.push((at + 1, &bare[..length]));
            }
            _ => {}
        }
    }
    found
}

fn without_visibility(text: &str) -> &str {
    match text.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ").map_or(text, |(_, bare)| bare),
        None => text.strip_prefix("pub ").unwrap_or(text),
    }
}

/// The words of a name in small letters, with a space between two: split at underscores and at capitals.
fn words(name: &str) -> String {
    let is_constant = !name.contains(|c: char| c.is_ascii_lowercase());
    let mut words = String::new();
    for c in name.chars() {
        if c == '_' || c.is_ascii_uppercase() && !is_constant {
            words.push(' ');
        }
        if c != '_' {
            words.push(c.to_ascii_lowercase());
        }
    }
    words
}

#[test]
fn refused_openings_are_found() {
    let planted = [
        ("/// What it is.\nfn f() {}", 1, "What"),
        ("//! Whether it is.\n", 1, "Whether"),
        ("struct A {\n    /// How many there are.\n    b: u8,\n}", 2, "How"),
        ("/// One.\n/// The same of two.\nfn f() {}", 2, "The same"),
        ("/// One\n///\n/// Of two, the first.\nfn f() {}", 3, "Of"),
        ("/// The parts:\n/// - the first,\n/// - What is left.\nfn f() {}", 3, "What"),
        ("/// One\nfn f() {}\n/// What's next\nfn g() {}", 3, "What"),
    ];
    for (text, line, word) in planted {
        let faults = check(&[Source::new("src/a.rs", text)], "");
        let [fault] = &faults[..] else { panic!("{text}: {faults:?}") };
        assert_eq!((fault.file.as_str(), fault.line), ("src/a.rs", line), "{text}");
        let remedy = OPENINGS.iter().find(|(it, _)| *it == word).map_or("", |(_, remedy)| remedy);
        assert_eq!(fault.text, format!("a doc line opens with `{word}`; better: {remedy}"), "{text}");
    }
    let fine = "//! Whatever, however, often.\n\n/// Reads\n/// What continues a sentence.\n/// Returns one. What comes later in \
                a line\nfn f() {}\n// What is not a doc comment.\nconst A: &str = \"/// What\";";
    assert_eq!(check(&[Source::new("src/a.rs", fine)], ""), []);
}

#[test]
fn refused_names_are_found() {
    let planted = [
        ("pub(super) fn told_of() {}", 1, "told_of", "told"),
        ("struct UnheardHeard;", 1, "UnheardHeard", "heard"),
        ("mod asked;", 1, "asked", "asked"),
        ("trait Wish {}", 1, "Wish", "wish"),
        ("type Meant = u8;", 1, "Meant", "meant"),
        ("const MOST_SAID: u8 = 1;", 1, "MOST_SAID", "said"),
        ("pub struct A {\n    pub(crate) nobody: u8,\n}", 2, "nobody", "nobody"),
        (
            "mod a {\n    enum B {\n        C { d: u8 },\n        BecameOld(u8),\n    }\n}",
            4,
            "BecameOld",
            "became",
        ),
        ("#[cfg(test)]\nmod tests {\n    #[test]\n    fn who_came() {}\n}", 4, "who_came", "came"),
    ];
    for (text, line, name, word) in planted {
        let faults = check(&[Source::new("tests/a.rs", text)], "");
        let [fault] = &faults[..] else { panic!("{text}: {faults:?}") };
        assert_eq!((fault.file.as_str(), fault.line), ("tests/a.rs", line), "{text}");
        let better = WORDS.iter().find(|(it, _)| *it == word).map_or("", |(_, better)| better);
        assert_eq!(fault.text, format!("`{name}` has the word `{word}`; better: {better}"), "{text}");
    }
    let fine = "fn untold() { let told = said(); }\nstruct Cameo {\n    twins: u8,\n}\n// fn told() {}\nstruct B;\nfn f() {\n    \
                A { said: 1 };\n}";
    assert_eq!(check(&[Source::new("src/a.rs", fine)], ""), []);
}

#[test]
fn the_list_only_shrinks() {
    let source = || Source::new("src/a.rs", "/// What it is.\nfn told() {}\n/// How it is.\nfn f() {}");
    let texts =
        |list: &str| -> Vec<String> { check(&[source()], list).iter().map(ToString::to_string).collect() };
    assert_eq!(texts("src/a.rs 2 1\n"), [""; 0]);
    assert_eq!(
        texts("src/a.rs 3 1\n"),
        [format!("{LIST}:1: `src/a.rs` has 2 refused openings: lower the figure from 3 to 2")]
    );
    assert_eq!(
        texts("src/a.rs 2 4\n"),
        [format!("{LIST}:1: `src/a.rs` has 1 refused names: lower the figure from 4 to 1")]
    );
    let found = texts("src/a.rs 1 1\n");
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0], format!("src/a.rs:1: 2 refused openings, and {LIST} allows 1:"));
    assert!(found[2].starts_with("src/a.rs:3: a doc line opens with `How`"), "{found:?}");
    let found = texts("src/a.rs 2 0\n");
    assert_eq!(
        found,
        ["src/a.rs:2: `told` has the word `told`; better: `text`, `line`, `rendered`, `reported`"]
    );
    let gone = format!("{LIST}:2: `src/b.rs` is gone: remove the line");
    assert_eq!(texts("src/a.rs 2 1\nsrc/b.rs 1 0\n"), [gone]);
    let malformed = format!("{LIST}:2: `src/b.rs 1` is not a path and two figures");
    assert_eq!(texts("src/a.rs 2 1\nsrc/b.rs 1\n"), [malformed]);
    let clean = Source::new("src/c.rs", "fn f() {}");
    let faults = check(&[clean], "src/c.rs 0 0\n");
    assert_eq!(faults[0].text, "`src/c.rs` has nothing refused: remove the line");
}
