//! What the console does without: a registry, colours, a terminal.

use super::pty::Pty;
use super::pty::home;

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
        pty.press("/rookery\rd");
        pty.see(&["ADDITIVE"]);
        pty.press("q");
        assert_eq!(pty.end().exit_code(), 0);
        let raw = String::from_utf8_lossy(&pty.raw);
        let colours = attributes(&raw).iter().any(|list| list.split([';', ':']).any(is_colour));
        assert_eq!(colours, coloured);
    }
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
