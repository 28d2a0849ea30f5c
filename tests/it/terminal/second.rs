//! Two consoles on one state: the second reads, keeps nothing, and says so for as long as it is open.

use std::time::Duration;

use super::pty::{Pty, home};

use demo::{World, checkout, worlds};

const READ_ONLY: &str = "another bumpdesk holds the state";
/// In the header, for as long as it is so.
const KEEPS_NOTHING: &str = "nothing is saved when you quit  ";

fn leave(mut pty: Pty) {
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0, "{}", pty.text());
    pty.assert_restored();
}

#[test]
fn the_second_console_is_read_only_and_says_so() {
    let home = home();
    let registry = home.path().join("registry");
    let world = World::parse(worlds::NEWCOMER).expect("the demo's world");
    checkout::write(&world, &registry).expect("the registry is written");
    let registry = registry.to_str().expect("a path of ASCII");
    let start = || {
        let arguments = ["--registry", registry, "--no-token", "--web-url", "http://127.0.0.1:9"];
        let mut pty = Pty::start(home.path(), (120, 40), &arguments);
        pty.see(&["view: all", "61 entries", "none checked yet", "? help"]);
        pty
    };
    let mut first = start();
    assert!(!first.text().contains(KEEPS_NOTHING), "{}", first.text());
    first.press(" ");
    first.see(&["1 marked"]);

    let mut second = start();
    second.see(&[READ_ONLY, KEEPS_NOTHING]);
    // Looking works, and so do marks, for as long as it is open.
    second.press("A");
    second.see(&["61 marked", KEEPS_NOTHING]);
    second.press("/kind:p\r");
    second.see(&["filter> kind:p"]);
    // What is saved by hand is not called saved: the reason stands under its name, which stays in the field.
    second.press("f");
    second.see(&["name ["]);
    second.press("mine");
    second.see(&["name [mine"]);
    second.press("\r");
    second.see(&[
        "name [mine",
        "not saved: another bumpdesk holds the state",
        "nothing is saved from here",
        KEEPS_NOTHING,
    ]);
    assert!(!second.text().contains("`mine` saved"), "{}", second.text());
    second.press("\x1b");
    second.gone("name [mine");
    leave(second);

    // The first one was not disturbed, and what it kept is there; the second kept nothing.
    first.press(" ");
    first.see(&["2 marked"]);
    first.press("F");
    first.see(&["Views"]);
    assert!(!first.text().contains("mine"), "{}", first.text());
    first.press("q");
    first.gone("Views");
    // Keys as fast as letters of a text do not leave.
    first.bytes_until_quiet(Duration::from_millis(350));
    leave(first);
    let mut third = start();
    third.see(&["filter> (none)", "2 marked"]);
    assert!(!third.text().contains(KEEPS_NOTHING), "{}", third.text());
    leave(third);
}
