//! The front page says what is so: its tables are the program's tables, its capture is the snapshot that tests make.
//!
//! `UPDATE_README=1 cargo test --test it readme` writes the tables and captures anew.
#![expect(
    clippy::disallowed_methods,
    reason = "this test reads and, when told by the environment, writes the page itself"
)]

mod complete;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bumpdesk::surface::rules::Status;
use bumpdesk::surface::settings::Feature;

const END: &str = "<!-- end -->\n";
/// Blocks are written one at a time: each of them writes the whole page.
static WRITING: Mutex<()> = Mutex::new(());
const CAPTURE: &str = "<!-- capture: ";

fn root() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

fn page() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("there is a README.md")
}

/// The page with what stands between a marker's line and the next end marker replaced; `None` if they are not there.
fn with_block(page: &str, marker: &str, block: &str) -> Option<String> {
    let start = page.find(&format!("{marker}\n"))? + marker.len() + 1;
    let end = start + page[start..].find(END)?;
    Some(format!("{}{block}{}", &page[..start], &page[end..]))
}

/// Compares a block with what it should be, or writes it when told to.
fn keep_block(marker: &str, block: &str) {
    let _one = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let page = page();
    let wanted =
        with_block(&page, marker, block).unwrap_or_else(|| panic!("no block `{marker}` in README.md"));
    if page == wanted {
        return;
    }
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(root().join("README.md"), wanted).expect("README.md can be written");
        return;
    }
    panic!(
        "`{marker}` in README.md is stale; run `UPDATE_README=1 cargo test --test it readme`, or paste:\n{block}"
    );
}

fn status_table() -> String {
    let head = "| word | glyph | in JSON | what it means | if nothing is done |\n|---|---|---|---|---|\n";
    let lines = Status::all().map(Status::row).map(|row| {
        let glyphs =
            if row.glyph == row.ascii { row.glyph.into() } else { format!("{} `{}`", row.glyph, row.ascii) };
        format!("| {} | {glyphs} | `{}` | {} | {} |\n", row.word, row.name, row.means, row.if_left)
    });
    std::iter::once(head.to_owned()).chain(lines).collect()
}

/// The console's actions, with their keys, where these count, and the command line that does the same.
fn key_table() -> String {
    let head =
        "| keys | where | what it does | in the palette | the same as a command |\n|---|---|---|---|---|\n";
    let line = |row: bumpdesk::surface::tui::KeyRow| {
        let keys: Vec<String> = row.keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
        let twin = row.twin.map_or_else(|| "only on the screen".into(), |line| format!("`{line}`"));
        let label = row.label.replace('|', "\\|");
        format!("| {} | {} | {label} | `{}` | {twin} |\n", keys.join(" "), row.place, row.name)
    };
    std::iter::once(head.to_owned())
        .chain(bumpdesk::surface::tui::keys(None).0.into_iter().map(line))
        .collect()
}

/// The text of a snapshot, without the head that insta writes.
fn snapshot_text(snapshot: &str) -> Option<&str> {
    snapshot.strip_prefix("---\n")?.split_once("\n---\n").map(|(_, text)| text)
}

/// The names that the page asks captures of.
fn captures(page: &str) -> Vec<&str> {
    page.lines().filter_map(|line| line.strip_prefix(CAPTURE)?.strip_suffix(" -->")).collect()
}

/// Compares a screen that was seen with its capture, or keeps it when told to.
pub(crate) fn keep_screen(name: &str, screen: &str) {
    if !is_kept(name, screen) {
        keep_block(&format!("{CAPTURE}{name} -->"), &format!("```text\n{}\n```\n", screen.trim_end()));
    }
}

/// Whether a screen is the capture of this name, but for the count of requests: what is asked twice depends on the machine.
pub(crate) fn is_kept(name: &str, screen: &str) -> bool {
    let page = page();
    let start = page.find(&format!("{CAPTURE}{name} -->\n"));
    let start = start.unwrap_or_else(|| panic!("README.md has no capture `{name}`"));
    let kept = page[start..].split_once("```text\n").and_then(|(_, rest)| rest.split_once("```\n"));
    kept.is_some_and(|(kept, _)| steady(kept) == steady(screen))
}

/// A screen without the counts of requests, and without blanks at the ends of lines.
fn steady(screen: &str) -> Vec<String> {
    let steady = |line: &str| match line.split_once(" requests") {
        Some((before, after)) => {
            let is_figure = |c: char| c.is_ascii_digit() || c == ',';
            // The cells behind are filled up by as many blanks as there are digits less.
            let after: Vec<&str> = after.split_whitespace().collect();
            format!("{}requests {}", before.trim_end_matches(is_figure), after.join(" "))
        }
        None => line.trim_end().to_owned(),
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

#[test]
fn captures_are_the_snapshots() {
    let page = page();
    let names = captures(&page);
    assert!(!names.is_empty(), "the page opens with a capture of the console");
    let folder = root().join("snapshots");
    if !has_snapshots(&folder) {
        return;
    }
    // The screens of the demo are kept by those who see them.
    for name in names.into_iter().filter(|name| !name.starts_with("demo-")) {
        let file = folder.join(format!("{name}.snap"));
        let snapshot = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("no snapshot `{name}`"));
        let text = snapshot_text(&snapshot).expect("a snapshot has a head and a text");
        keep_block(&format!("{CAPTURE}{name} -->"), &format!("```text\n{}\n```\n", text.trim_end()));
    }
}

fn has_snapshots(folder: &Path) -> bool {
    let is_snapshot = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.path().extension().is_some_and(|extension| extension == "snap"))
    };
    std::fs::read_dir(folder).is_ok_and(|entries| entries.into_iter().any(is_snapshot))
}

#[test]
fn the_page_opens_with_what_a_newcomer_needs() {
    let page = page();
    let opening = page.split("\n## ").next().expect("a text has a first part");
    for wanted in ["# bumpdesk\n", CAPTURE, "\ncargo run --release -- demo\n", "\ncargo test\n"] {
        assert!(opening.contains(wanted), "`{}` is not in the opening of README.md", wanted.trim());
    }
}

#[test]
fn every_feature_is_named() {
    let page = page();
    for feature in Feature::ALL {
        assert!(page.contains(&format!("| `features.{feature}` |")), "`{feature}` is not in README.md");
    }
}

#[test]
fn a_screen_is_kept_but_for_its_requests() {
    assert_eq!(steady("a  \nb, 362 requests, c\n\n"), steady("a\nb, 9 requests, c"));
    assert_eq!(steady("b, 1,362 requests   now"), steady("b, 9 requests       now"));
    assert_ne!(steady("b, 362 requests, 1 broken"), steady("b, 362 requests, 2 broken"));
    assert_ne!(steady("main@07d904a"), steady("main@07d904b"));
}

#[test]
fn a_stale_block_is_found() {
    let page = "a\n<!-- x -->\nold\n<!-- end -->\nb\n<!-- end -->\n";
    let fresh = "a\n<!-- x -->\nnew\n<!-- end -->\nb\n<!-- end -->\n";
    assert_eq!(with_block(page, "<!-- x -->", "new\n").as_deref(), Some(fresh));
    assert_eq!(with_block(fresh, "<!-- x -->", "new\n").as_deref(), Some(fresh));
    assert_eq!(with_block(page, "<!-- y -->", "new\n"), None);
    assert_eq!(snapshot_text("---\nsource: a\nexpression: b\n---\nc\nd\n"), Some("c\nd\n"));
    assert_eq!(captures("x\n<!-- capture: a-b -->\n"), ["a-b"]);
}
