//! The action table outside of the console: what commands, the manual page and the key file make of it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use crate::door::made_up;
use bumpdesk::surface::front::CONSOLE;
use bumpdesk::surface::{cli, tui};
use serde_json::Value;

/// Runs one command line in a folder whose `config` is the user's; exit code, output, talk.
async fn run_line(folder: &Path, line: &str) -> (u8, String, String) {
    let args: Vec<OsString> =
        std::iter::once("bumpdesk").chain(line.split(' ')).map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = cli::run(args, &made_up(folder, &[]), CONSOLE, &mut out, &mut err).await;
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (exit.code(), text(out), text(err))
}

fn with_keys(text: &str) -> tempfile::TempDir {
    with("keys.toml", text)
}

fn with(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("config")).expect("a folder");
    std::fs::write(folder.path().join("config").join(name), text).expect("a file");
    folder
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

/// The command with its options is parsed before help is shown; words in capitals stand for any value.
#[tokio::test]
async fn every_command_of_the_table_is_a_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let commands: BTreeSet<&str> = tui::keys(None).0.iter().filter_map(|row| row.command).collect();
    assert!(commands.len() > 4, "{commands:?}");
    for twin in commands {
        let line = twin.strip_prefix("bumpdesk ").unwrap_or_else(|| panic!("`{twin}` is another program"));
        let word = line.split(' ').next().unwrap_or_default();
        // These take one of a few words.
        let line = line
            .replace("--sort WORD", "--sort behind")
            .replace("--group WORD", "--group status")
            .replace("review NUMBER", "review 12")
            .replace("--run RUN", "--run 7");
        let (exit, out, err) = run_line(folder.path(), &format!("{line} --help")).await;
        assert_eq!((exit, err.as_str()), (0, ""), "{twin}");
        assert!(word.starts_with("--") || out.contains(&format!("bumpdesk {word}")), "{twin}: {out}");
    }
}

#[tokio::test]
async fn the_list_of_keys_is_the_table() {
    let folder = with_keys("[inventory]\nsort = [\"S\", \"ctrl-s\"]\n");
    let (exit, out, _) = run_line(folder.path(), "keys --json").await;
    let objects = objects(&out);
    let keys: Vec<&Value> = objects.iter().filter(|object| object["type"] == "key").collect();
    assert_eq!((exit, keys.len()), (0, tui::keys(None).0.len()));
    let sort = keys.iter().find(|key| key["name"] == "sort").expect("it is listed");
    assert_eq!(sort["chords"], serde_json::json!(["S", "Ctrl-s"]));
    assert_eq!(sort["contexts"], serde_json::json!(["inventory"]));
    assert_eq!((&sort["palette"], &sort["screen_only"]), (&":sort".into(), &false.into()));
    let wrap = keys.iter().find(|key| key["name"] == "wrap").expect("it is listed");
    assert_eq!((&wrap["command"], &wrap["screen_only"]), (&serde_json::Value::Null, &true.into()));
    let open = keys.iter().find(|key| key["name"] == "open").expect("it is listed");
    assert_eq!((&open["command"], &open["screen_only"]), (&"bumpdesk show ADDRESS".into(), &false.into()));
    let (_, text, _) = run_line(folder.path(), "keys").await;
    assert!(text.contains("S, Ctrl-s") && text.contains("every view\n"), "{text}");
}

#[tokio::test]
async fn the_manual_has_a_section_of_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, page, _) = run_line(folder.path(), "man").await;
    let section = page.split(".SH KEYS").nth(1).and_then(|rest| rest.split(".TH").next()).expect("a section");
    for row in tui::keys(None).0 {
        assert!(section.contains(&row.name.replace('-', "\\-")), "`{}` is not in the manual page", row.name);
    }
}

#[tokio::test]
async fn the_configuration_is_checked() {
    let empty = tempfile::tempdir().expect("a folder");
    let (exit, out, err) = run_line(empty.path(), "config check").await;
    assert_eq!((exit, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("keys.toml: there is none"), "{out}");

    let fine = with_keys("[anywhere]\nhelp = [\"?\", \"F1\"]\n");
    let (exit, out, _) = run_line(fine.path(), "config check").await;
    assert_eq!(exit, 0, "{out}");
    assert!(out.contains("config/keys.toml: fine"), "{out}");

    let wrong = with_keys("[inventry]\nsort = \"S\"\n\n[diff]\n  fold = \"g\"\n  top = \"g g\"\n");
    let (exit, out, err) = run_line(wrong.path(), "config check").await;
    assert_eq!(exit, 2);
    assert!(out.contains("config/keys.toml:1:2: there is no place `[inventry]`"), "{out}");
    assert!(out.contains("Write `[inventory]` instead."), "{out}");
    assert!(
        out.contains("config/keys.toml:6:9: `g g` begins with `g`, the key of `fold` in `[diff]`"),
        "{out}"
    );
    assert!(err.contains("2 mistakes"), "{err}");
    let (exit, out, _) = run_line(wrong.path(), "config check --json").await;
    let objects = objects(&out);
    let mistake = objects.iter().find(|object| object["type"] == "mistake").expect("a mistake");
    assert_eq!((exit, &mistake["line"], &mistake["column"]), (2, &1.into(), &2.into()));
    assert_eq!(objects.last().expect("an outcome")["type"], "outcome");

    // Commands that do not need the keys go on, and say so.
    let (exit, out, err) = run_line(wrong.path(), "keys").await;
    assert_eq!(exit, 0);
    assert!(err.contains("config check") && out.contains("za") | out.contains("z a"), "{err}");

    // A key that another action had counts, and is named.
    let taken = with_keys("[inventory]\nsort = \"Z\"\n");
    let (exit, out, _) = run_line(taken.path(), "config check").await;
    let note =
        "config/keys.toml:2:8: `Z` is your key of `sort`, so `Z` is not a key of `zoom` in `[inventory]`";
    assert!(exit == 0 && out.contains(note), "{exit}\n{out}");
    let (_, out, _) = run_line(taken.path(), "config check --json").await;
    assert!(self::objects(&out).iter().any(|object| object["type"] == "key-note"), "{out}");
    let (_, out, _) = run_line(taken.path(), "doctor").await;
    assert!(out.contains("takes 1 key from other actions"), "{out}");

    let settings = with("config.toml", "[ui]\ncolour = \"auto\"\n");
    let (exit, out, _) = run_line(settings.path(), "config check").await;
    assert_eq!(exit, 2);
    assert!(out.contains("config.toml:2:1`: there is no key `ui.colour`"), "{out}");

    let themed = with("config.toml", "[ui]\ntheme = \"lihgt\"\n");
    let (exit, out, _) = run_line(themed.path(), "config check").await;
    assert_eq!(exit, 2);
    assert!(out.contains("config.toml:2:9: there is no theme `lihgt`; write `light`"), "{out}");
}

/// The line mode has a word for every action that a command can do, and names no action that there is not.
#[tokio::test]
async fn every_action_has_a_word_in_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, out, _) = run_line(folder.path(), "keys --json").await;
    let mut spoken = 0;
    for key in objects(&out).iter().filter(|object| object["type"] == "key") {
        let has_word = key["plain"].is_string();
        spoken += usize::from(has_word);
        assert!(
            has_word || key["screen_only"] == true || key["only_drawn"].is_string(),
            "{} can be done by a command and has no word in `line::words`",
            key["name"]
        );
    }
    assert!(spoken > 20, "{spoken}");
}
