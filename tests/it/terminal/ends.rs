//! Every way the console ends, and what it is like to start it again.

use std::time::Duration;

use super::pty::{Pty, home};

use demo::{World, checkout, worlds};

#[test]
fn a_signal_ends_it_and_gives_the_terminal_back() {
    for name in ["TERM", "HUP", "INT", "QUIT"] {
        let home = home();
        let mut pty = Pty::start(home.path(), (80, 24), &["demo"]);
        pty.see(&["61 entries"]);
        pty.signal(name);
        let status = pty.end();
        assert_eq!(status.signal(), None, "SIG{name} is taken as a wish to leave");
        pty.assert_restored();
    }
}

#[test]
fn a_closed_terminal_ends_it() {
    let home = home();
    let mut pty = Pty::start(home.path(), (80, 24), &["demo"]);
    pty.see(&["survey done"]);
    pty.hang_up();
    let status = pty.end();
    assert_eq!(status.signal(), None, "it left by itself");
}

#[test]
fn leaving_while_a_survey_runs_asks_first() {
    let home = home();
    let mut pty = Pty::start(home.path(), (80, 24), &["demo", "--latency-ms", "3000"]);
    // Its key is offered only while a survey runs.
    pty.see(&["61 entries", "x cancel"]);
    pty.press("q");
    pty.see(&["Leave?", "survey everything"]);
    pty.press("q");
    let status = pty.end();
    assert_eq!((status.exit_code(), status.signal()), (0, None));
    pty.assert_restored();
}

#[test]
fn resizing_without_end_is_survived() {
    let home = home();
    let mut pty = Pty::start(home.path(), (80, 24), &["demo"]);
    pty.see(&["61 entries"]);
    for round in 0..200_u16 {
        pty.resize(((round * 37) % 190 + 1, (round * 23) % 60 + 1));
    }
    pty.resize((80, 24));
    pty.see(&["READ-ONLY", "61 entries", "? help"]);
    pty.press("\u{c}");
    pty.bytes_until_quiet(Duration::from_millis(300));
    pty.see(&["READ-ONLY", "61 entries", "? help"]);
    pty.resize((120, 40));
    pty.see(&["bumpdesk", "ADDRESS", "why     "]);
    pty.see(&["survey done"]);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
    pty.assert_restored();
}

/// Views, marks and the order are there again; a console that was killed after they were made loses none.
#[test]
fn what_was_found_and_marked_comes_back() {
    let home = home();
    let registry = home.path().join("registry");
    let world = World::parse(worlds::NEWCOMER).expect("the demo's world");
    checkout::write(&world, &registry).expect("the registry is written");
    let registry = registry.to_str().expect("a path of ASCII");
    let arguments = ["--registry", registry, "--no-token", "--web-url", "http://127.0.0.1:9"];
    let mut pty = Pty::start(home.path(), (120, 40), &arguments);
    pty.see(&["view: all  61 entries", "nothing is checked yet"]);
    // Different letters in one read would be a pasted text.
    pty.press("j  ");
    pty.see(&["2 marked"]);
    pty.press("s");
    pty.see(&["Sort and group"]);
    pty.press("a");
    pty.gone("Sort and group");
    pty.see(&["sort: address"]);
    pty.press("/kind:m\r");
    pty.see(&["filter> kind:m"]);
    pty.press("f");
    pty.see(&["name ["]);
    pty.press("modules");
    pty.see(&["name [modules"]);
    pty.press("\r");
    // Until it is saved its field takes the keys.
    pty.see(&["view: modules", "view `modules` saved"]);
    // The list of views is drawn after what came before it was handed on to be kept.
    pty.press("F");
    pty.see(&["Views", "kind:m"]);
    pty.press("\u{1b}");
    pty.gone("Views");
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
    pty.assert_restored();
    let mut again = Pty::start(home.path(), (120, 40), &arguments);
    again.see(&["61 entries", "2 marked", "sort: address"]);
    again.press("F");
    again.see(&["modules", "kind:m"]);
    again.press("q");
    again.gone("Views");
    again.press("q");
    assert_eq!(again.end().exit_code(), 0);
}

/// Killed without a chance to tidy up: the next start finds its state as it was and is not shut out.
#[test]
fn killed_and_started_again() {
    let home = home();
    let registry = home.path().join("registry");
    let world = World::parse(worlds::NEWCOMER).expect("the demo's world");
    checkout::write(&world, &registry).expect("the registry is written");
    let registry = registry.to_str().expect("a path of ASCII");
    let arguments = ["--registry", registry, "--no-token", "--web-url", "http://127.0.0.1:9"];
    for _ in 0..2 {
        let mut pty = Pty::start(home.path(), (100, 30), &arguments);
        pty.see(&["61 entries", "nothing is checked yet"]);
        pty.press("G");
        pty.signal("KILL");
        pty.end();
    }
    let mut pty = Pty::start(home.path(), (100, 30), &arguments);
    pty.see(&["61 entries", "none checked yet", "no token"]);
    assert!(!pty.text().contains("another"), "{}", pty.text());
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
    pty.assert_restored();
}
