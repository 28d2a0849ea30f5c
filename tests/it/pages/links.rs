//! No link, topic or citation leads nowhere: on the pages, and in what the code says of itself.

use std::collections::BTreeSet;
use std::path::Path;

use super::complete::said;
use crate::architecture::tree::{TextFile, root, text_files};

/// Where the repository's own files lie, as pages and comments name them.
const FOLDERS: [&str; 6] = ["src/", "tests/", "themes/", "snapshots/", ".ci/", "benches/"];

/// What a file says to people, line by line: all of a page but its code, and the comments of code.
fn sayings(file: &TextFile) -> Vec<(usize, &str)> {
    let lines = file.text.lines().enumerate().map(|(at, line)| (at + 1, line));
    match Path::new(&file.path).extension().and_then(|extension| extension.to_str()) {
        Some("md") => {
            let mut in_code = false;
            let outside = lines.filter(move |(_, line)| {
                let fence = line.starts_with("```");
                in_code ^= fence;
                !in_code && !fence
            });
            outside.collect()
        }
        Some("rs") => lines.filter(|(_, line)| line.trim_start().starts_with("//")).collect(),
        Some("toml") => lines.filter(|(_, line)| line.trim_start().starts_with('#')).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn is_page(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "md")
}

/// A heading as a link names it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

fn has_anchor(page: &TextFile, wanted: &str) -> bool {
    sayings(page).iter().any(|(_, line)| line.starts_with('#') && anchor(line) == wanted)
}

/// The page that a citation names: by its path from the root or from the citing file, or by a name that only one has.
fn cited<'a>(files: &'a [TextFile], from: &str, name: &str) -> Option<&'a TextFile> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = normal(&format!("{folder}/{name}"));
    let exact = files.iter().find(|file| file.path == name || file.path == beside);
    exact.or_else(|| {
        let end = format!("/{name}");
        let mut named = files.iter().filter(|file| file.path.ends_with(&end));
        named.next().filter(|_| named.next().is_none())
    })
}

/// A path without `.` and `..`.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

fn is_there(files: &[TextFile], path: &str) -> bool {
    let path = path.trim_end_matches('/');
    let below = format!("{path}/");
    files.iter().any(|file| file.path == path || file.path.starts_with(&below)) || root().join(path).exists()
}

/// Links of Markdown, `[words](place)`, that lead to no file or heading.
fn dead_links(files: &[TextFile]) -> Vec<String> {
    let mut dead = Vec::new();
    for file in files.iter().filter(|file| is_page(&file.path)) {
        for (at, line) in sayings(file) {
            for rest in line.split("](").skip(1) {
                let place = rest.split(')').next().unwrap_or_default();
                if place.starts_with("https://") {
                    continue;
                }
                let (path, heading) = place.split_once('#').unwrap_or((place, ""));
                let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let path =
                    if path.is_empty() { file.path.clone() } else { normal(&format!("{folder}/{path}")) };
                let page = files.iter().find(|known| known.path == path);
                let heading_is_there =
                    heading.is_empty() || page.is_some_and(|page| has_anchor(page, heading));
                if !is_there(files, &path) || !heading_is_there {
                    dead.push(format!("{}:{at}: `{place}` leads nowhere", file.path));
                }
            }
        }
    }
    dead
}

/// Citations of pages, with or without a heading, and of places in the repository that are not there, and numbers of sections
/// that nobody can look up.
fn dead_citations(files: &[TextFile]) -> Vec<String> {
    let mut dead = Vec::new();
    for file in files {
        for (at, line) in sayings(file) {
            let mut complain = |text: String| dead.push(format!("{}:{at}: {text}", file.path));
            for quoted in line.split('`').skip(1).step_by(2) {
                if let Some(fault) = fault_of(files, &file.path, quoted) {
                    complain(fault);
                }
            }
            if line.contains('\u{a7}') && !["RFC", "Semver"].iter().any(|known| line.contains(known)) {
                complain("a section of no named standard".to_owned());
            }
        }
    }
    dead
}

/// What is wrong with a word in backticks, if it is a citation.
fn fault_of(files: &[TextFile], from: &str, quoted: &str) -> Option<String> {
    if quoted.contains(char::is_whitespace) {
        return None;
    }
    let (name, heading) = quoted.split_once('#').unwrap_or((quoted, ""));
    if is_page(name) && !name.contains('*') {
        let Some(page) = cited(files, from, name) else { return Some(format!("there is no page `{name}`")) };
        let fine = heading.is_empty() || has_anchor(page, heading);
        return (!fine).then(|| format!("`{}` has no heading `{heading}`", page.path));
    }
    if FOLDERS.iter().any(|folder| name.starts_with(folder)) {
        // `*` and `NAME` stand for any name.
        let fixed = name.split(['*', '<', '{']).next().unwrap_or(name);
        let fixed = match fixed.rsplit_once('/') {
            Some((folder, last)) if last.starts_with(|c: char| c.is_ascii_uppercase()) => folder,
            _ => fixed,
        };
        let there = is_there(files, fixed) || is_there(files, &format!("{fixed}.rs"));
        return (!there).then(|| format!("there is no `{name}`"));
    }
    None
}

/// Stories that a comment names by their number, and that no page tells.
fn untold_stories(files: &[TextFile]) -> Vec<String> {
    let stories = files.iter().find(|file| file.path == "tests/scenarios/stories.md").expect("the stories");
    let told: BTreeSet<&str> = stories
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("## ")?.split(['.', ' ', ':']).next())
        .collect();
    let is_number = |word: &&str| {
        word.strip_prefix('S').is_some_and(|rest| {
            !rest.is_empty() && rest.len() <= 2 && rest.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let mut untold = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("tests/") || file.path.starts_with("src/")) {
        for (at, line) in sayings(file) {
            let words = line.split(|c: char| !c.is_ascii_alphanumeric());
            for word in words.filter(is_number).filter(|word| !told.contains(word)) {
                untold.push(format!("{}:{at}: nobody tells `{word}`", file.path));
            }
        }
    }
    untold
}

fn none(faults: &[String]) {
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn links_lead_somewhere() {
    none(&dead_links(&text_files()));
}

#[test]
fn citations_name_what_is_there() {
    none(&dead_citations(&text_files()));
}

#[test]
fn stories_are_told() {
    none(&untold_stories(&text_files()));
}

/// `bumpdesk help WORD`, wherever it is said: on pages, in comments, and in what the program prints.
#[tokio::test]
async fn topics_that_are_named_exist() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, text) = said(folder.path(), &["help", "--json"]).await;
    let mut named = 0;
    for file in text_files().iter().filter(|file| file.path != "tests/it/pages/links.rs") {
        for (at, line) in file.text.lines().enumerate() {
            for rest in line.split("bumpdesk help ").skip(1) {
                let word =
                    rest.split(|c: char| !c.is_ascii_lowercase() && c != '-').next().unwrap_or_default();
                if word.is_empty() {
                    continue;
                }
                named += 1;
                let there = text.contains(&format!("\"name\":\"{word}\""));
                assert!(there, "{}:{}: there is no topic `{word}`", file.path, at + 1);
            }
        }
    }
    assert!(named > 20, "{named}");
}

#[cfg(test)]
fn made(path: &str, text: &str) -> TextFile {
    TextFile { path: path.into(), text: text.into() }
}

#[test]
fn dead_ones_are_found() {
    let page = || made("src/a/formats.md", "# Formats\n\n## Keys, and more\n");
    for (path, text, fine) in [
        ("x.md", "[a](src/a/formats.md)", true),
        ("x.md", "[a](src/a/formats.md#keys-and-more) [b](https://example.org/a.md)", true),
        ("src/b/x.md", "[a](../a/formats.md)", true),
        ("x.md", "```sh\n[a](nowhere.md)\n```", true),
        ("x.md", "[a](src/a/formats.md#keys)", false),
        ("x.md", "[a](formats.md)", false),
        ("x.md", "[a](#here)", false),
    ] {
        assert_eq!(dead_links(&[page(), made(path, text)]).is_empty(), fine, "{path}: {text}");
    }
    for (path, text, fine) in [
        ("src/b/x.rs", "//! As told (`formats.md#keys-and-more`).", true),
        ("src/b/x.rs", "let a = \"`other.md`\"; // a string", true),
        ("src/b/x.rs", "// Semver \u{a7}11, `src/a/*.md`, `tests/it/main`, `src/a/NAME.txt`", true),
        ("src/b/x.rs", "/// As told (`formats.md` \u{a7}3).", false),
        ("src/b/x.rs", "    // see `formats.md#values`", false),
        ("src/b/x.rs", "// `other.md`", false),
        ("src/b/x.toml", "# `src/c/`", false),
        ("src/b/x.md", "in `src/no_such.rs`", false),
    ] {
        let faults = dead_citations(&[page(), made(path, text)]);
        assert_eq!(faults.is_empty(), fine, "{path}: {text}: {faults:?}");
    }
    let stories = || made("tests/scenarios/stories.md", "# Stories\n\n## S1. A story\n");
    for (text, fine) in [("// S1, made anew", true), ("// S2", false), ("const S2: u8 = 1;", true)] {
        let faults = untold_stories(&[stories(), made("tests/it/x.rs", text)]);
        assert_eq!(faults.is_empty(), fine, "{text}: {faults:?}");
    }
}
