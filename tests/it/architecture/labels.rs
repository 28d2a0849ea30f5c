//! Labels are said once: what `desk/telling` calls a fact or a column, no face calls so by a literal of its own. A word that is
//! no label where it stands (a noun that is counted, a name of the JSON, a word that is typed) is nobody's business here: single
//! small words count where something is laid out.

use std::collections::BTreeSet;

use super::source::{Fault, Source, is_word};

const HOME: &str = "src/desk/telling/";
const FACES: [&str; 4] = ["src/cli/", "src/line/", "src/print/", "src/tui/"];
/// The functions that put a label on the screen.
const LAYS_OUT: [&str; 6] = ["label", "labelled", "labelled_at", "cell", "put", "fact"];
/// They explain the words of tables, and so repeat them.
const EXPLAINS: &str = "/legend.rs";

pub(super) fn check(sources: &[Source]) -> Vec<Fault> {
    let labels: BTreeSet<&str> =
        sources.iter().filter(|source| source.path.starts_with(HOME)).flat_map(labels).collect();
    assert!(labels.contains("if nothing is done") && labels.len() > 40, "they cannot be read: {labels:?}");
    let faces = sources
        .iter()
        .filter(|source| FACES.iter().any(|face| source.path.starts_with(face)) && !source.is_test());
    faces.flat_map(|source| own_labels(source, &labels)).collect()
}

/// The words of every `Label::of` and `Label::two`; single signs are none.
fn labels(source: &Source) -> Vec<&str> {
    let words = source.literals_at().into_iter().filter(|(at, _)| {
        let call = call_around(&source.code, *at).0;
        call == "Label::of" || call == "Label::two"
    });
    words.map(|(_, word)| word).filter(|word| word.len() > 1).collect()
}

fn own_labels(source: &Source, labels: &BTreeSet<&str>) -> Vec<Fault> {
    let product = source.product_lines();
    let mut faults = Vec::new();
    for (at, text) in source.literals_at() {
        let line = source.line_of(at);
        let (call, open) = call_around(&source.code, at);
        let function = call.rsplit("::").next().unwrap_or_default();
        let before = source.code[..at].trim_end();
        // The name of an argument, or a blank to be filled in.
        if line > product || before.ends_with("value_name =") || function == "replace" {
            continue;
        }
        let opens_pair = call.is_empty() && before.len() == open + 1 && before.ends_with('(');
        let is_laid_out = LAYS_OUT.contains(&function) || opens_pair;
        let is_sure = text.chars().any(|c| c.is_ascii_uppercase() || c == ' ');
        let is_label = labels.contains(text) && (is_sure || is_laid_out);
        let is_before_colon = text.split_once(": ").is_some_and(|(word, _)| labels.contains(word));
        let is_explained = source.path.ends_with(EXPLAINS) && !is_sure;
        if is_label && !is_explained || is_before_colon && !source.path.ends_with(EXPLAINS) {
            faults.push(
                source.fault(line, format!("`{text}` is a label of `desk/telling`: name it from there")),
            );
        }
    }
    faults
}

/// The function that is called with the brackets around a place (nothing for a pair or a list), and the offset of the opening
/// bracket.
fn call_around(code: &str, at: usize) -> (&str, usize) {
    let mut depth = 0_usize;
    let open = code[..at].char_indices().rev().find(|(_, c)| match c {
        ')' | ']' | '}' => {
            depth += 1;
            false
        }
        '(' | '[' | '{' if depth > 0 => {
            depth -= 1;
            false
        }
        c => matches!(c, '(' | '[' | '{' | ';'),
    });
    let open = open.map_or(0, |(open, _)| open);
    let before = &code[..open];
    let callee = before.trim_end_matches(|c: char| c.is_ascii() && is_word(c as u8) || c == ':' || c == '!');
    (before[callee.len()..].trim_end_matches('!'), open)
}

#[test]
fn labels_of_a_face_are_found() {
    let told = Source::new(
        "src/desk/telling/a.rs",
        "const A: Label = Label::two(\"if left\", \"if nothing is done\");\nconst B: Label = Label::of(\"why\");\n\
         const C: Label = Label::of(\"LACKS\");\nfn f() { Label::two(\"-\", \"not looked at\") }",
    );
    let labels: BTreeSet<&str> = labels(&told).into_iter().collect();
    assert_eq!(labels, ["LACKS", "if left", "if nothing is done", "not looked at", "why"].into());
    for planted in [
        "fn f() { strip.cell(Role::Title, \"LACKS\", 5, Cut::Right); }",
        "const NAMES: [&str; 2] = [\"STATUS\", \"LACKS\"];",
        "fn f() { lines.push(label(ui, \"why\").text(why)); }",
        "fn f() { story::labelled(paint, \"why\", &why, width) }",
        "fn f() { for (label, text) in [(\"what\", a), (\"why\", b)] {} }",
        "fn f() { let name = if plain { \"if nothing is done\" } else { short }; }",
        "fn f() { Line::of(format!(\"why: {why}\")) }",
        "fn f() { strip.put(Role::Dim, \"why\"); }",
        "fn f() { (\"x\", if seen { \"looked at\" } else { \"not looked at\" }) }",
    ] {
        let found = own_labels(&Source::new("src/tui/a.rs", planted), &labels);
        assert_eq!(found.len(), 1, "{planted}");
    }
    for fine in [
        "#[arg(long, value_name = \"LACKS\")]\nlength: u8,",
        "fn f() { line.replace(\"LACKS\", subject) }",
        "fn f() { output.object(\"why\", &why); counted(3, \"why\") }",
        "fn f() { strip.cell(Role::Title, LACKS.short, 5, Cut::Right); }",
        "fn f() { say(Word::Why, \"why\", \"says why: in words\") }",
        "#[cfg(test)]\nmod tests {\n    fn f() { label(\"why\") }\n}",
    ] {
        assert_eq!(own_labels(&Source::new("src/line/a.rs", fine), &labels), [], "{fine}");
    }
}
