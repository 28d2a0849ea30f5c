//! The front page and the manual say what is so: their tables are the program's tables, their captures are what tests see.
//!
//! `UPDATE_PAGES=1 cargo test --test it -- pages terminal::tour` writes the tables and captures anew.
#![expect(
    clippy::disallowed_methods,
    reason = "this test reads and, when told by the environment, writes the pages themselves"
)]

mod complete;
mod links;
mod outputs;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use bumpdesk::surface::rules::Status;

use crate::architecture::tree::root;

const END: &str = "<!-- end -->\n";
/// Blocks are written one at a time: each of them writes its whole page.
static WRITING: Mutex<()> = Mutex::new(());
const CAPTURE: &str = "<!-- capture: ";

/// One page, by its path in the repository.
struct Page {
    path: String,
    text: String,
}

fn file(path: &str) -> PathBuf {
    root().join(path)
}

fn page(path: &str) -> String {
    std::fs::read_to_string(file(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn front_page() -> String {
    page("README.md")
}

/// A page of the manual.
fn topic(name: &str) -> String {
    page(&format!("src/manual/{name}.md"))
}

/// The front page, and all pages of the manual.
fn pages() -> Vec<Page> {
    let folder = std::fs::read_dir(file("src/manual")).expect("a folder of pages");
    let names = folder.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let topics = names.filter(|name| links::is_page(name)).map(|name| format!("src/manual/{name}"));
    let paths = std::iter::once("README.md".to_owned()).chain(topics);
    paths.map(|path| Page { text: page(&path), path }).collect()
}

/// The one page that has this marker.
fn page_with(marker: &str) -> Page {
    let line = format!("{marker}\n");
    let mut found: Vec<Page> = pages().into_iter().filter(|page| page.text.contains(&line)).collect();
    let page = found.pop().unwrap_or_else(|| panic!("no page has a block `{marker}`"));
    assert!(found.is_empty(), "{} has a block `{marker}` too", found[0].path);
    page
}

/// The page with what stands between a marker's line and the next end marker replaced; `None` if they are not there.
fn with_block(page: &str, marker: &str, block: &str) -> Option<String> {
    let start = page.find(&format!("{marker}\n"))? + marker.len() + 1;
    let end = start + page[start..].find(END)?;
    Some(format!("{}{block}{}", &page[..start], &page[end..]))
}

/// The text between a marker's line and the next end marker.
fn block_of<'a>(page: &'a str, marker: &str) -> Option<&'a str> {
    let start = page.find(&format!("{marker}\n"))? + marker.len() + 1;
    Some(&page[start..start + page[start..].find(END)?])
}

/// Compares a block with what it should be, or writes it when told to.
fn keep_block(marker: &str, block: &str) {
    let _one = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let Page { path, text } = page_with(marker);
    let wanted =
        with_block(&text, marker, block).unwrap_or_else(|| panic!("`{marker}` in {path} has no end"));
    if text == wanted {
        return;
    }
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write(file(&path), wanted).unwrap_or_else(|error| panic!("{path}: {error}"));
        return;
    }
    panic!(
        "`{marker}` in {path} is stale; run `UPDATE_PAGES=1 cargo test --test it -- pages terminal::tour`, or paste:\n{block}"
    );
}

fn status_table() -> String {
    let head = "| word | glyph | level | in plain words | in JSON | what it means | if nothing is done | you can |\n|---|---|---|---|---|---|---|---|\n";
    let lines = Status::all().map(Status::row).map(|row| {
        let glyphs =
            if row.glyph == row.ascii { row.glyph.into() } else { format!("{} `{}`", row.glyph, row.ascii) };
        format!(
            "| {} | {glyphs} | {} | {} | `{}` | {} | {} | {} |\n",
            row.word,
            row.level.name(),
            row.plain,
            row.name,
            row.means,
            row.if_left,
            row.can_do
        )
    });
    std::iter::once(head.to_owned()).chain(lines).collect()
}

/// The console's actions, with their keys, where these count, and the command line that does the same.
fn key_table() -> String {
    let head =
        "| keys | where | what it does | in the palette | the same as a command |\n|---|---|---|---|---|\n";
    let line = |row: bumpdesk::surface::tui::KeyRow| {
        let keys: Vec<String> = row.keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
        let keys =
            if keys.is_empty() { "none: the palette copies the command".into() } else { keys.join(" ") };
        let twin = row.command.map_or_else(|| "only on the screen".into(), |line| format!("`{line}`"));
        let label = row.label.replace('|', "\\|");
        format!("| {keys} | {} | {label} | `{}` | {twin} |\n", row.place, row.name)
    };
    std::iter::once(head.to_owned())
        .chain(bumpdesk::surface::tui::keys(None).0.into_iter().map(line))
        .collect()
}

/// The texts after a kind of marker, in all pages: the names of captures, the commands of outputs.
fn marked(kind: &str) -> Vec<String> {
    let name = |line: &str| Some(line.strip_prefix(kind)?.strip_suffix(" -->")?.to_owned());
    pages().iter().flat_map(|page| page.text.lines().filter_map(name).collect::<Vec<_>>()).collect()
}

/// Compares a screen that was seen with its capture, or keeps it when told to.
pub(crate) fn keep_screen(name: &str, screen: &str) {
    if !is_kept(name, screen) {
        keep_block(&format!("{CAPTURE}{name} -->"), &format!("```text\n{}\n```\n", screen.trim_end()));
    }
}

/// Returns true if a screen is the capture of this name, but for the count of requests and the budget that they left: repeated
/// requests depend on the machine.
pub(crate) fn is_kept(name: &str, screen: &str) -> bool {
    is_block(&format!("{CAPTURE}{name} -->"), screen)
}

fn is_block(marker: &str, text: &str) -> bool {
    let Page { path, text: page } = page_with(marker);
    let kept = block_of(&page, marker).unwrap_or_else(|| panic!("`{marker}` in {path} has no end"));
    let kept = kept.strip_prefix("```text\n").and_then(|kept| kept.strip_suffix("```\n"));
    kept.is_some_and(|kept| steady(kept) == steady(text))
}

/// A screen without the counts of requests, the budget that is left, and blanks at the ends of lines.
fn steady(screen: &str) -> Vec<String> {
    let is_figure = |c: char| c.is_ascii_digit() || c == ',';
    let steady = |line: &str| match (line.split_once(" API "), line.split_once(" requests")) {
        (Some((before, budget)), _) => {
            format!("{before} API {}", budget.trim_start_matches(is_figure).trim_end())
        }
        (None, Some((before, after))) => {
            // The cells behind are filled up by as many blanks as there are digits less.
            let after: Vec<&str> = after.split_whitespace().collect();
            format!("{}requests {}", before.trim_end_matches(is_figure), after.join(" "))
        }
        (None, None) => line.trim_end().to_owned(),
    };
    screen.trim_end().lines().map(steady).collect()
}

#[test]
fn the_status_table_is_the_ladder() {
    keep_block("<!-- statuses -->", &status_table());
}

#[test]
fn the_key_table_is_the_action_table() {
    keep_block("<!-- keys -->", &key_table());
}

/// The tour keeps the captures: one that it does not see would never be compared.
#[test]
fn every_capture_is_seen_by_the_tour() {
    let tour = page("tests/it/terminal/tour.rs");
    let names = marked(CAPTURE);
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        assert!(tour.contains(&format!("\"{name}\"")), "the tour does not see `{name}`");
    }
}

/// Each block of text in a page is compared with the program's output.
#[test]
fn every_block_of_text_is_compared() {
    for Page { path, text } in pages() {
        assert_eq!(text.matches("\n```").count() % 2, 0, "{path} has a block without an end");
        let mut before = "";
        for (at, line) in text.lines().enumerate() {
            let is_marked = before.starts_with("<!-- ") && before != END.trim_end();
            assert!(line != "```text" || is_marked, "{path}:{}: nobody compares this block", at + 1);
            before = line;
        }
    }
}

/// Line mode's captures are pieces of its transcript: each thing that is typed, with its answer.
#[test]
fn captures_of_line_mode_are_in_its_transcript() {
    for name in marked("<!-- lines: ") {
        let marker = format!("<!-- lines: {name} -->");
        let Page { path, text } = page_with(&marker);
        let block = block_of(&text, &marker).expect("a block has an end");
        let block = block.trim_start_matches("```text\n").trim_end_matches("```\n").trim_end();
        let transcript = page(&format!("tests/transcripts/{name}.txt"));
        for piece in block.split("\n> ") {
            let piece = format!("\n> {}", piece.trim_start_matches("> "));
            // Whole lines, but for what was typed behind a question.
            let is_whole =
                |rest: &str| rest.starts_with('\n') || piece.ends_with('>') && rest.starts_with(' ');
            let told =
                transcript.match_indices(&piece).any(|(at, _)| is_whole(&transcript[at + piece.len()..]));
            assert!(told, "{path} tells what `{name}` does not:{piece}");
        }
    }
}

#[test]
fn the_page_opens_with_what_a_newcomer_needs() {
    let page = front_page();
    assert!(
        page.len() <= 10 << 10,
        "README.md has {} bytes: it is a door, the manual has the rest",
        page.len()
    );
    let opening = page.split("\n## ").next().expect("a text has a first part");
    for wanted in ["# bumpdesk\n", CAPTURE, "\ncargo run -- demo\n", "\ncargo test\n"] {
        assert!(opening.contains(wanted), "`{}` is not in the opening of README.md", wanted.trim());
    }
}

#[test]
fn a_screen_is_kept_but_for_its_requests() {
    assert_eq!(steady("a  \nb, 362 requests, c\n\n"), steady("a\nb, 9 requests, c"));
    assert_eq!(steady("b, 1,362 requests   now"), steady("b, 9 requests       now"));
    assert_ne!(steady("b, 362 requests, 1 broken"), steady("b, 362 requests, 2 broken"));
    assert_ne!(steady("main@07d904a"), steady("main@07d904b"));
    assert_eq!(steady("ann  API 4,976/5,000  bump 12:00Z"), steady("ann  API 979/5,000  bump 12:00Z"));
    assert_ne!(steady("ann  API 4,976/5,000  bump 12:00Z"), steady("ann  API 4,976/5,000  bump 12:15Z"));
}

#[test]
fn a_stale_block_is_found() {
    let page = "a\n<!-- x -->\nold\n<!-- end -->\nb\n<!-- end -->\n";
    let fresh = "a\n<!-- x -->\nnew\n<!-- end -->\nb\n<!-- end -->\n";
    assert_eq!(with_block(page, "<!-- x -->", "new\n").as_deref(), Some(fresh));
    assert_eq!(with_block(fresh, "<!-- x -->", "new\n").as_deref(), Some(fresh));
    assert_eq!(with_block(page, "<!-- y -->", "new\n"), None);
    assert_eq!(block_of(page, "<!-- x -->"), Some("old\n"));
    assert_eq!(block_of(page, "<!-- y -->"), None);
}
