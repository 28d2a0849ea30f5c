//! The manual leaves nothing out: commands, options, settings, themes and the places of keys, each by asking the program.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use crate::architecture::tree::sources;
use crate::door::made_up;
use bumpdesk::surface::front::CONSOLE;
use bumpdesk::surface::settings::Feature;
use bumpdesk::surface::{cli, tui};

use super::{Page, file, keep_block, pages, topic};

/// Runs one command line in a folder of its own; exit code, and output and talk together.
pub(super) async fn said(folder: &Path, words: &[&str]) -> (u8, String) {
    let args: Vec<OsString> =
        std::iter::once("bumpdesk").chain(words.iter().copied()).map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = cli::run(args, &made_up(folder, &[]), CONSOLE, &mut out, &mut err).await;
    out.extend(err);
    (exit.code(), String::from_utf8(out).expect("UTF-8"))
}

/// The words under `Commands:` of a help page.
fn commands(help: &str) -> Vec<&str> {
    let list = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest);
    let list = list.lines().take_while(|line| !line.is_empty());
    list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Every command as it is typed, those within commands too.
async fn every_command(folder: &Path) -> Vec<String> {
    let (_, help) = said(folder, &["--help"]).await;
    let mut all = Vec::new();
    for word in commands(&help) {
        let (_, help) = said(folder, &[word, "--help"]).await;
        let within = commands(&help);
        // One that does something by itself too says so in its usage.
        if within.is_empty() || help.contains(&format!("\n       bumpdesk {word} <COMMAND>")) {
            all.push(word.to_owned());
        }
        // The help of commands within commands is the parser's own.
        all.extend(
            within.into_iter().filter(|below| *below != "help").map(|below| format!("{word} {below}")),
        );
    }
    all
}

/// The rows of the table of commands: the command of the first cell, the example of the last.
fn rows(page: &str) -> Vec<(&str, &str)> {
    page.lines()
        .filter_map(|line| line.strip_prefix("| `")?.strip_suffix("` |"))
        .filter_map(|line| Some((line.split_once('`')?.0, line.rsplit_once('`')?.1)))
        .collect()
}

/// A line of an example as a shell would take it apart, as far as examples need it.
fn words(example: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = None;
    for c in example.chars() {
        match c {
            '\'' | '"' if quoted == Some(c) => quoted = None,
            '\'' | '"' if quoted.is_none() => quoted = Some(c),
            ' ' if quoted.is_none() => words.push(String::new()),
            _ => words.last_mut().expect("one word at least").push(c),
        }
    }
    words
}

/// A row of the table: what a command's help says first, and its first example, as far as it is bumpdesk's own.
async fn row(folder: &Path, command: &str) -> String {
    let line: Vec<&str> = command.split(' ').chain(["--help"]).collect();
    let (_, help) = said(folder, &line).await;
    let about: Vec<&str> = help.lines().take_while(|line| !line.is_empty()).collect();
    let examples = help.split_once("\nExample").map_or("", |(_, rest)| rest);
    let example = examples.lines().nth(1).unwrap_or_default().trim();
    let example = example.split(" | ").next().unwrap_or_default();
    format!("| `{command}` | {} | `{example}` |\n", about.join(" "))
}

#[tokio::test]
async fn the_command_table_is_what_help_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = "| command | what it does | an example |\n|---|---|---|\n".to_owned();
    table += "| `bumpdesk` | Open the console | `bumpdesk --registry ~/registry` |\n";
    for command in every_command(folder.path()).await {
        table += &row(folder.path(), &command).await;
    }
    keep_block("<!-- commands -->", &table);
}

#[tokio::test]
async fn every_command_has_its_row_and_every_row_its_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = topic("commands");
    let rows = rows(&page);
    let wanted = every_command(folder.path()).await;
    assert!(wanted.len() > 20, "{wanted:?}");
    for command in &wanted {
        assert!(rows.iter().any(|(name, _)| name == command), "`help commands` has no row for `{command}`");
    }
    for (name, example) in rows {
        assert!(
            name == "bumpdesk" || wanted.iter().any(|known| known == name),
            "there is no command `{name}`"
        );
        let command = if name == "bumpdesk" { name.to_owned() } else { format!("bumpdesk {name}") };
        assert!(example.starts_with(&command), "the example of `{name}` is `{example}`");
        // With its options: an unknown one fails before help is shown. What follows a `>` or `|` is the shell's.
        let example =
            example.split(" >").next().and_then(|text| text.split(" | ").next()).unwrap_or_default();
        // A digest is told by its beginning.
        let mut line = words(&example.trim().replace("5f0c…", &"5f0c".repeat(16)));
        line.push("--help".into());
        let line: Vec<&str> = line.iter().skip(1).map(String::as_str).collect();
        let (exit, text) = said(folder.path(), &line).await;
        assert_eq!(exit, 0, "`{example}`: {text}");
    }
}

#[tokio::test]
async fn every_option_of_all_commands_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let manual: String = pages().into_iter().map(|page| page.text).collect();
    let (_, help) = said(folder.path(), &["--help"]).await;
    let options: BTreeSet<&str> = help
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("--"))
        .filter_map(|line| line.split([' ', ',']).next())
        .collect();
    assert!(options.len() > 10, "{options:?}");
    for option in options {
        assert!(
            manual.contains(&format!("`--{option}`")) || manual.contains(&format!("`--{option} ")),
            "`--{option}` is on no page of the manual"
        );
    }
}

/// The program lists its keys to somebody who wrote a wrong one.
#[tokio::test]
async fn every_setting_is_named() {
    let page = topic("configuration");
    let mut found = 0;
    for section in ["", "endpoints", "features", "pace", "ui"] {
        let folder = tempfile::tempdir().expect("a folder");
        let head = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
        std::fs::create_dir(folder.path().join("config")).expect("a folder");
        std::fs::write(folder.path().join("config/config.toml"), format!("{head}qqqqqqqqqqqqqqqq = 1\n"))
            .expect("a file");
        let (_, text) = said(folder.path(), &["config", "check"]).await;
        let known = text.split_once("Known keys here: ").unwrap_or_else(|| panic!("[{section}]: {text}")).1;
        for key in known.split('.').next().expect("a first part").split(", ") {
            let name = if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") };
            assert!(page.contains(&format!("| `{name}` |")), "`help configuration` has no row for `{name}`");
            found += 1;
        }
    }
    assert!(found > 25, "{found}");
}

#[test]
fn every_feature_is_named() {
    let page = topic("configuration");
    for feature in Feature::ALL {
        assert!(
            page.contains(&format!("| `features.{feature}` |")),
            "`help configuration` has no `{feature}`"
        );
    }
}

/// Each kind of object that the product prints, by the literal behind `object(`.
#[test]
fn every_type_of_object_is_named() {
    let page = topic("json");
    let sources = sources();
    let product = sources.iter().filter(|source| source.path.starts_with("src/") && !source.is_test());
    let mut kinds = BTreeSet::new();
    for source in product {
        let calls = source.raw.split("object(").skip(1);
        kinds.extend(calls.filter_map(|rest| Some(rest.trim_start().strip_prefix('"')?.split_once('"')?.0)));
    }
    assert!(kinds.len() > 15, "{kinds:?}");
    for kind in kinds {
        assert!(page.contains(&format!("`{kind}`")), "`help json` does not name the type `{kind}`");
    }
}

/// Every page is a topic, in reading order, and no topic hides a command's own help.
#[tokio::test]
async fn every_page_is_a_topic() {
    let folder = tempfile::tempdir().expect("a folder");
    let (exit, text) = said(folder.path(), &["help", "--json"]).await;
    assert_eq!(exit, 0, "{text}");
    let objects: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let named = |kind: &str| -> BTreeSet<String> {
        let of_kind = objects.iter().filter(|object| object["type"] == kind);
        of_kind.map(|object| object["name"].as_str().expect("a name").to_owned()).collect()
    };
    let (topics, commands) = (named("topic"), named("command"));
    let name = |page: Page| Some(page.path.strip_prefix("src/manual/")?.strip_suffix(".md")?.to_owned());
    let written = pages().into_iter().filter_map(name);
    assert_eq!(topics, written.collect(), "each page has one row in the table of topics");
    assert_eq!(topics.intersection(&commands).count(), 0, "{topics:?}");
    assert!(commands.contains("help") && commands.len() > 15, "{commands:?}");
    for name in &topics {
        let text = topic(name);
        assert!(text.starts_with("# "), "{name} begins with its heading");
        let (exit, printed) = said(folder.path(), &["help", name]).await;
        assert_eq!(exit, 0, "{printed}");
        assert!(printed.starts_with(text.lines().next().expect("a line")), "{printed}");
        assert!(!printed.contains("<!--"), "{printed}");
    }
}

#[test]
fn every_theme_is_named() {
    let page = topic("themes");
    for entry in std::fs::read_dir(file("themes")).expect("a folder of themes").flatten() {
        let file = entry.file_name();
        let name = file.to_str().and_then(|name| name.strip_suffix(".toml")).expect("a theme");
        assert!(page.contains(&format!("`{name}`")), "`{name}` is not in `help themes`");
    }
}

#[test]
fn every_place_of_keys_is_named() {
    let page = topic("key-table");
    let places: BTreeSet<&str> = tui::keys(None).0.iter().flat_map(|row| row.contexts.clone()).collect();
    for place in places {
        assert!(
            page.contains(&format!("`{place}`")),
            "the place `{place}` of keys.toml is not in `help key-table`"
        );
    }
}

#[test]
fn examples_come_apart_as_in_a_shell() {
    assert_eq!(words("a 'b c' \"d e\" f"), ["a", "b c", "d e", "f"]);
    assert_eq!(commands("x\n\nCommands:\n  a  does\n       more\n  help  b\n\nOptions:\n  c"), ["a", "help"]);
}
