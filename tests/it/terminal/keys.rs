//! Keys in a real terminal: the palette, and a key file of one's own.

use super::pty::{Pty, home};

/// Puts a key file where the program looks for it.
fn write_keys(home: &std::path::Path, text: &str) {
    let folder = home.join(".config/bumpdesk");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("keys.toml"), text).expect("a file");
}

#[test]
fn the_palette_finds_and_runs() {
    stamped!(crate::PROGRAM);
    let home = home();
    let mut pty = Pty::start(home.path(), (80, 24), &["demo"]);
    pty.see(&["survey done"]);
    pty.press(":");
    pty.see(&["Command: Inventory", "type a name"]);
    pty.press("hunk");
    pty.see(&[": hunk", "not now: only in the proposed rebuild"]);
    pty.press("\r");
    pty.see(&["next-hunk: only in the proposed rebuild"]);
    pty.press("\u{15}quit");
    pty.see(&[": quit"]);
    pty.press("\r");
    assert_eq!(pty.end().exit_code(), 0);
    pty.assert_restored();
}

/// Letters that come one by one are keys, also right after Enter. The same letters in one write are a pasted text.
#[test]
fn keys_act_at_once_and_a_pasted_text_does_not() {
    stamped!(crate::PROGRAM);
    let home = home();
    let mut pty = Pty::start(home.path(), (120, 40), &["demo"]);
    pty.see(&["survey done"]);
    pty.press("/rookery\rada");
    pty.see(&["filter> rookery", "1 of 61", "what was pasted after the field closed was dropped"]);
    pty.press("bacon");
    pty.see(&["a pasted text was dropped: no field is open"]);
    assert!(!pty.text().contains("is in the plan"), "{}", pty.text());
    pty.press("/");
    pty.see(&["Ctrl-u clear"]);
    pty.press("\u{15}");
    pty.see(&["61 of 61"]);
    for (at, letter) in "rookery".char_indices() {
        pty.press(&letter.to_string());
        pty.see(&[&format!("filter> {}", &"rookery"[..=at])]);
    }
    pty.press("\ra");
    pty.see(&["owlbarn/rookery is in the plan"]);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_key_file_counts_and_a_faulty_one_is_said() {
    stamped!(crate::PROGRAM);
    let home = home();
    write_keys(home.path(), "[anywhere]\nquit = \"g q\"\nhelp = \"F1\"\n");
    let mut pty = Pty::start(home.path(), (120, 40), &["demo"]);
    pty.see(&["survey done", "F1 help", "gq quit"]);
    pty.press("\u{1b}OP");
    pty.see(&["Help: Inventory", "search>"]);
    pty.press("\u{1b}");
    pty.gone("Help:");
    pty.press("g");
    pty.see(&["g then", "leave the program"]);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);

    write_keys(home.path(), "[anywhere]\nquitt = \"g q\"\n");
    let mut pty = Pty::start(home.path(), (120, 40), &["demo"]);
    pty.see(&["survey done", "keys.toml has 1 mistake", "q quit"]);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
}
