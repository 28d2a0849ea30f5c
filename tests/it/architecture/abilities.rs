//! Every ability can be named: by a key, by words of line mode, or by a command line.
//!
//! Nobody could find one that has none of these, and a sentence could not name the step to it. A line has one meaning,
//! so that no form stands twice.

use std::collections::BTreeSet;

use super::source::{Fault, Source, is_word};

const TABLE: &str = "src/desk/ability/table.rs";
const KEYS: &str = "src/tui/keymap/table.rs";

/// The parts of a row that name the ability.
const NAMES: [&str; 3] = ["phrase: say(\"", "line: Some(\"", "command: Some(\""];

pub(super) fn check(sources: &[Source]) -> Vec<Fault> {
    let find = |path: &str| sources.iter().find(|source| source.path == path).expect(path);
    let (table, keys) = (find(TABLE), find(KEYS));
    assert!(rows(table).len() > 60, "the table cannot be read");
    faults(table, keys)
}

fn faults(table: &Source, keys: &Source) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut forms = BTreeSet::new();
    for (line, name, text) in rows(table) {
        if !has_key(keys, name) && !NAMES.iter().any(|part| text.contains(*part)) {
            faults.push(table.fault(line, format!("`{name}` has no key, no word and no command")));
        }
        let form = text.split_once(NAMES[0]).and_then(|(_, rest)| rest.split('"').next());
        if let Some(form) = form.filter(|form| !forms.insert((*form).to_owned())) {
            faults.push(table.fault(line, format!("`{form}` is a form of two abilities")));
        }
    }
    faults
}

/// The rows of the table: the line, the ability, and the columns.
fn rows(table: &Source) -> Vec<(usize, &str, String)> {
    let mut rows: Vec<(usize, &str, String)> = Vec::new();
    let mut is_inside = false;
    for (at, line) in table.raw.lines().enumerate() {
        if !is_inside {
            is_inside = line == "abilities! {";
        } else if let Some(name) = line.strip_prefix("    ").and_then(|line| line.strip_suffix(" {")) {
            rows.push((at + 1, name, String::new()));
        } else if let Some((_, _, text)) = rows.last_mut() {
            text.push_str(line);
        }
    }
    rows
}

/// Returns true if a place in the table of keys names the ability.
fn has_key(keys: &Source, name: &str) -> bool {
    let path = format!("Ability::{name}");
    let ends = |at: usize| !keys.code.as_bytes().get(at + path.len()).is_some_and(|byte| is_word(*byte));
    keys.code.match_indices(&path).any(|(at, _)| ends(at))
}

#[test]
fn abilities_without_a_name_are_found() {
    let row =
        |name: &str, columns: &str| format!("    {name} {{\n        does: \"it\", {columns},\n    }}\n");
    let none = "phrase: None, line: None, command: None, next_command: None";
    let text = [
        "macro_rules! abilities {\n    () => {\n    };\n}\n\nabilities! {\n    // A group.\n".to_owned(),
        row("Spoken", "phrase: say(\"speak N\", \"say it\"), line: None, command: None"),
        row("Typed", "phrase: None, line: None, command: None, next_command: Some(\"bumpdesk it\")"),
        row("Keyed", none),
        row("Lost", none),
        row("Twin", "phrase: say(\"speak N\", \"say it again\"), line: None, command: None"),
        "}\n".to_owned(),
    ];
    let table = Source::new(TABLE, &text.concat());
    let keys =
        Source::new(KEYS, "role(\"a\").to(LIST, &[\"a\"], Ability::Keyed).also(&[Ability::LostFound])");
    let found: Vec<String> = faults(&table, &keys).into_iter().map(|fault| fault.text).collect();
    assert_eq!(found, ["`Lost` has no key, no word and no command", "`speak N` is a form of two abilities"]);
}
