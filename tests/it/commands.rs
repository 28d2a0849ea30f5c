//! Every command in text, JSON and plain mode on one small world: what it prints and how it exits, kept as transcripts; and
//! that none of it holds an escape byte, whatever is said about colours.

use bumpdesk::front;

use crate::door::Door;
use crate::door::Said;
use crate::door::WORLD;
use crate::transcript;

/// One after the other, each on what the ones before left behind.
const LINES: &[&str] = &[
    "list",
    "survey --depth sums",
    "list",
    "list --sort behind --filter kind:provider",
    "list --csv",
    "show acme/rocket",
    "show umbrella/vpc/aws",
    "survey acme/rocket --check --max-age 1h",
    "diff acme/rocket",
    "diff acme/rocket --patch",
    "diff acme/quiet --check",
    "diff acme/rocket --check",
    "bump --dry-run --max-age 1h",
    "lint",
    "view list",
    "plan show",
    "plan add acme/rocket",
    "plan approve acme/rocket",
    "plan show acme/rocket",
    "plan approve acme/rocket",
    "plan note acme/rocket --note fine",
    "plan show",
    "plan reject acme/rocket@1.1.0",
    "plan reopen acme/rocket",
    "plan rebuild --max-age 1h",
    "plan drop --all",
    "jobs",
    "log --errors",
    "config check",
    "show acme/rockte",
    "list --filter statsu:x",
];

/// Commands of which only the form is worth keeping, since they follow from tables that have tests of their own.
const PAPERS: &[&str] = &[
    "keys",
    "completions bash",
    "completions zsh",
    "completions fish",
    "completions powershell",
    "man",
    "--help",
    "--version",
];

async fn door() -> Door {
    let mut door = Door::on(WORLD).await;
    door.console_keys = front::CONSOLE.keys;
    door
}

/// Takes out what belongs to this run: its folder and its ports.
fn steady(door: &Door, text: &str) -> String {
    let folder = door.folder.path().display().to_string();
    let addresses = door.server.addresses();
    let mut text = text.replace(&folder, "FOLDER");
    for (url, name) in [
        (&addresses.graphql, "GRAPHQL"),
        (&addresses.api, "API"),
        (&addresses.web, "WEB"),
        (&addresses.served, "SERVED"),
        (&addresses.search, "SEARCH"),
    ] {
        text = text.replace(url.as_str(), name);
    }
    text
}

#[track_caller]
fn assert_no_escape(said: &Said, line: &str) {
    for text in [&said.out, &said.err] {
        assert!(!text.contains('\u{1b}'), "{line}: {text:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_in_every_form() {
    for (name, option) in [("text", "--color=always"), ("json", "--json"), ("plain", "--plain")] {
        let door = door().await;
        let mut kept = String::new();
        for line in LINES.iter().copied().filter(|line| option != "--json" || !line.contains("--csv")) {
            let said = door.said(&format!("{line} {option}")).await;
            assert_no_escape(&said, line);
            kept.push_str(&format!("$ bumpdesk {line}\n{}exit {}\n\n", said.out, said.exit));
        }
        transcript::keep(&format!("commands-{name}"), &steady(&door, &kept));
        door.is_untouched();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn papers_have_no_escape_byte() {
    let door = door().await;
    let mut kept = String::new();
    for line in PAPERS {
        for option in ["", "--color=always", "--plain"] {
            let said = door.said(&format!("{line} {option}")).await;
            assert_no_escape(&said, line);
            assert_eq!((said.exit, said.err.as_str()), (0, ""), "{line}");
        }
        let said = door.said(line).await;
        let first = said.out.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        kept.push_str(&format!("$ bumpdesk {line}\n{first}\n\n"));
    }
    transcript::keep("papers", &kept);
}

/// The surroundings differ from machine to machine: what every line is about stays, and the worst state.
#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tells_the_same_topics_in_every_form() {
    let door = door().await;
    for line in ["doctor", "doctor --online", "doctor --plain", "doctor --json", "doctor --color=always"] {
        let said = door.said(line).await;
        assert_no_escape(&said, line);
        said.is(said.exit.min(1), &["terminal", "token", "state folder", "log", "clock"]);
    }
}
