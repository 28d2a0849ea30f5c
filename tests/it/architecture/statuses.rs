//! Statuses are told apart in `rules/status` alone. Elsewhere product code names a variant of `Status` as a value only, to make
//! it or to hand it on: in no pattern (`match`, `matches!`, `if let`), beside no comparison, in no list that is searched.
//! Then a new status is a row of the ladder, and nobody has forgotten it.

use super::source::{Fault, Source, is_word};

const HOME: &str = "src/rules/status.rs";
const NAME: &str = "Status::";

pub(super) fn check(sources: &[Source]) -> Vec<Fault> {
    let home = sources.iter().find(|source| source.path == HOME).expect("the ladder is where it was");
    let statuses = statuses(&home.raw);
    assert!(statuses.len() > 10, "the ladder cannot be read: {statuses:?}");
    let strangers = sources.iter().filter(|source| source.path.starts_with("src/") && source.path != HOME);
    strangers.filter(|source| !source.is_test()).flat_map(|source| distinctions(source, &statuses)).collect()
}

/// The variants: whatever opens a row of the ladder.
fn statuses(ladder: &str) -> Vec<&str> {
    let rows = ladder.split_once("ladder! {").map_or("", |(_, rows)| rows);
    let name =
        |line: &str| line.strip_prefix("    ").is_some_and(|name| name.starts_with(char::is_uppercase));
    rows.lines().filter(|line| name(line)).filter_map(|line| line.trim().strip_suffix(" {")).collect()
}

fn distinctions(source: &Source, statuses: &[&str]) -> Vec<Fault> {
    let product = source.product_lines();
    let mut faults = Vec::new();
    for road in ["Status as ", "Status::{", "Status::*", "[Status; ", "[Status] ="] {
        for (at, _) in source.code.match_indices(road) {
            let before = source.code[..at].chars().next_back();
            let is_whole = road.starts_with('[') || !before.is_some_and(is_name);
            let line = source.line_of(at);
            // `Status as usize` is a place in a list of all.
            let is_number = source.code[at + road.len()..].starts_with("usize");
            if is_whole && !is_number && line <= product {
                let text = format!("`{}` is a road around the ladder in `rules/status`", road.trim_end());
                faults.push(source.fault(line, text));
            }
        }
    }
    for (at, _) in source.code.match_indices(NAME) {
        let name: &str = &source.code[at + NAME.len()..];
        let name = &name[..name.bytes().position(|byte| !is_word(byte)).unwrap_or(name.len())];
        let is_whole = at == 0 || !is_word(source.code.as_bytes()[at - 1]);
        let line = source.line_of(at);
        let is_ours = is_whole && statuses.contains(&name) && line <= product;
        if is_ours && is_pattern_or_compared(&source.code, at, at + NAME.len() + name.len()) {
            let text = format!("`Status::{name}` is told apart here: ask the ladder's row in `rules/status`");
            faults.push(source.fault(line, text));
        }
    }
    faults
}

/// Looks at the name with its path, then at each constructor, tuple or list around it.
fn is_pattern_or_compared(code: &str, mut start: usize, mut end: usize) -> bool {
    loop {
        let before = code[..start].trim_end_matches(|c: char| c == ':' || c == '&' || is_name(c)).trim_end();
        let after = code[end..].trim_start();
        let is_compared = ["==", "!=", "<", ">"].iter().any(|sign| after.starts_with(sign))
            || ["==", "!=", "<=", ">=", " <", " >"].iter().any(|sign| before.ends_with(sign));
        let is_guarded = after.strip_prefix("if").is_some_and(|rest| !rest.starts_with(is_name));
        let is_alternative = after.starts_with('|') && !after.starts_with("||");
        let is_let = after.starts_with("= ") || after.starts_with("=\n");
        if is_compared || is_guarded || is_alternative || is_let || after.starts_with("=>") {
            return true;
        }
        let Some((open, close)) = around(code, start, end) else { return false };
        let callee = code[..open].trim_end_matches(|c: char| c == ':' || c == '!' || is_name(c));
        let callee = code[callee.len()..open].rsplit("::").next().unwrap_or_default().trim_start_matches('!');
        let is_searched = code[close + 1..].trim_start().starts_with(".contains");
        if callee == "matches!" || callee == "contains" || is_searched {
            return true;
        }
        if callee.starts_with(|c: char| c.is_lowercase()) {
            return false;
        }
        (start, end) = (open - callee.len(), close + 1);
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The brackets next around a place: none if a brace comes first.
fn around(code: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let mut depth = 0_usize;
    let open = code[..start].char_indices().rev().find(|(_, c)| match c {
        ')' | ']' | '}' => {
            depth += 1;
            false
        }
        '(' | '[' | '{' if depth > 0 => {
            depth -= 1;
            false
        }
        c => matches!(c, '(' | '[' | '{' | ';') && depth == 0,
    });
    let (open, _) = open.filter(|(_, c)| matches!(c, '(' | '['))?;
    let mut depth = 0_usize;
    let close = code[end..].char_indices().find(|(_, c)| match c {
        '(' | '[' | '{' => {
            depth += 1;
            false
        }
        ')' | ']' | '}' if depth > 0 => {
            depth -= 1;
            false
        }
        c => matches!(c, ')' | ']' | '}'),
    });
    close.map(|(at, _)| (open, end + at))
}

#[test]
fn distinguished_statuses_are_found() {
    let ladder =
        Source::new(HOME, "ladder! {\n    Unknown {\n    }\n    Behind {\n    }\n    Current {\n    }\n}\n");
    let statuses = statuses(&ladder.raw);
    assert_eq!(statuses, ["Unknown", "Behind", "Current"]);
    for planted in [
        "fn f() { match s { Status::Behind => 1, _ => 2 } }",
        "fn f() { match s { Status::Behind if x => 1, _ => 2 } }",
        "fn f() { match s { Status::Behind | _ => 1 } }",
        "fn f() { match p { (Status::Current, Depth::Sums) => 1, _ => 2 } }",
        "fn f() { match m { VersionMark::Is(Status::Current) => 1, _ => 2 } }",
        "fn f() { matches!(s, Status::Behind) }",
        "fn f() { !matches!(m, VersionMark::Is(rules::Status::Behind)) }",
        "fn f() { s == Status::Behind }",
        "fn f() { *s != rules::Status::Behind }",
        "fn f() { Status::Behind == s }",
        "fn f() { s < Status::Behind }",
        "fn f() { m == VersionMark::Is(Status::Unknown) }",
        "fn f() { if let Some(Status::Behind) = s {} }",
        "fn f() { let Status::Behind = s else { return };  }",
        "fn f() { [Status::Unknown, Status::Behind].contains(&s) }",
        "fn f() { list.contains(&Status::Behind) }",
        "const WAITS: [Status; 2] = [Status::Unknown, Status::Behind];",
        "const WAITS: &[Status] = &[Status::Unknown];",
        "use crate::rules::Status as S;",
        "use crate::rules::Status::{self, Behind};",
    ] {
        let found = distinctions(&Source::new("src/tui/a.rs", planted), &statuses);
        assert!(!found.is_empty(), "{planted}");
    }
    for fine in [
        "fn f() -> Status { Status::Behind }",
        "fn f() { bare(case, Status::Unknown, because) }",
        "fn f() { match x { 1 => Status::Behind, _ => Status::Unknown } }",
        "fn f() { match x { 1 => (Status::Behind, text), _ => (Status::Unknown, other) } }",
        "fn f() { let mark = decided().unwrap_or(VersionMark::Is(Status::Behind)); }",
        "fn f() { Verdict { status: Status::Unknown, at: None } }",
        "fn f() { tally.counts[Status::Current as usize] }",
        "fn f() { s.map(|x| Status::Behind).max() }",
        "fn f() { if x { Status::Behind } else { Status::Unknown } }",
        "fn f() { status == flate2::Status::StreamEnd }",
        "fn f() { Some(Status::of_word(word)) == other }",
        "#[cfg(test)]\nmod tests {\n    fn f() { s == Status::Behind }\n}",
    ] {
        assert_eq!(distinctions(&Source::new("src/tui/a.rs", fine), &statuses), [], "{fine}");
    }
}
