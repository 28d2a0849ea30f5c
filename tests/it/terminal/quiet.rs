//! What the console does without: a registry, colours, a terminal.

use std::os::unix::fs::PermissionsExt;

use super::pty::{Pty, home};

use demo::{World, checkout, worlds};

#[test]
fn without_a_registry_it_says_how_to_get_one() {
    let home = home();
    let mut pty = Pty::start(home.path(), (80, 24), &[]);
    pty.see(&["No registry was found here", "bumpdesk demo", "bumpdesk clone", "--registry PATH", "q quit"]);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
    pty.assert_restored();
}

/// The parameters of every sequence that sets colours or attributes.
fn attributes(raw: &str) -> Vec<&str> {
    raw.split("\u{1b}[")
        .skip(1)
        .filter_map(|part| {
            let end = part.find(|c: char| !c.is_ascii_digit() && c != ';' && c != ':')?;
            part[end..].starts_with('m').then_some(&part[..end])
        })
        .collect()
}

fn is_colour(parameter: &str) -> bool {
    let number: u16 = parameter.parse().unwrap_or(0);
    matches!(number, 30..=38 | 40..=48 | 58 | 90..=97 | 100..=107)
}

#[test]
fn no_color_draws_no_colour() {
    for (variables, coloured) in [(&[("NO_COLOR", "1")][..], false), (&[][..], true)] {
        let home = home();
        let mut pty = Pty::start_with(home.path(), (120, 40), variables, &["demo"]);
        pty.see(&["survey done", "∆ DRIFT", "⇡ BEHIND"]);
        pty.press("/rookery\r");
        pty.see(&["filter> rookery", "1 of 61"]);
        pty.press("d");
        pty.see(&["ADDITIVE"]);
        pty.press("q");
        assert_eq!(pty.end().exit_code(), 0);
        let raw = String::from_utf8_lossy(&pty.raw);
        let colours = attributes(&raw).iter().any(|list| list.split([';', ':']).any(is_colour));
        assert_eq!(colours, coloured);
    }
}

/// A `gh` that never answers: the list comes all the same, without a token, and says so.
#[test]
fn a_hanging_gh_does_not_hold_the_console_back() {
    let home = home();
    let registry = home.path().join("registry");
    let world = World::parse(worlds::NEWCOMER).expect("the demo's world");
    checkout::write(&world, &registry).expect("the registry is written");
    let gh = home.path().join("gh");
    std::fs::write(&gh, "#!/bin/sh\nexec sleep 600\n").expect("a program");
    std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).expect("it may run");
    let path = format!("{}:/usr/bin:/bin", home.path().display());
    let arguments = ["--registry", registry.to_str().expect("a path of ASCII")];
    let mut pty = Pty::start_with(home.path(), (80, 24), &[("PATH", &path)], &arguments);
    pty.see(&["61 entries", "no token"]);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
}

#[test]
fn the_keys_are_listed_without_a_terminal() {
    let listed = std::process::Command::new(env!("CARGO_BIN_EXE_bumpdesk")).arg("keys").output();
    let text = String::from_utf8(listed.expect("it runs").stdout).expect("text");
    for wanted in ["Inventory, one entry\n", "build the proposed rebuild", "everywhere\n", "Ctrl-z"] {
        assert!(text.contains(wanted), "no `{wanted}` in\n{text}");
    }
    assert!(!text.contains('\u{1b}'));
}
