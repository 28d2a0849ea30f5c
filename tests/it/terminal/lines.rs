//! The line mode in a real terminal: no escape byte, no cursor moved, and a session that is kept as a transcript.

use demo::Exchange;
use demo::fault::Lane;

use super::pty::{Pty, home};
use super::stories::{opened, world};
use crate::door::Door;
use crate::hygiene::pulls;
use crate::hygiene::world::is_obeyed;
use crate::scenarios::edits::is_untouched_upstream;
use crate::scenarios::pull::WORLD;
use crate::scenarios::reviews::two_hundred;
use crate::transcript;

const DEMO: [&str; 4] = ["demo", "--plain", "--now", "2026-11-21T12:00:00Z"];

/// All that the terminal got, without carriage returns.
fn heard(pty: &Pty) -> String {
    String::from_utf8(pty.raw.clone()).expect("UTF-8").replace("\r\n", "\n")
}

/// Waits for a prompt, which only stands where nothing runs.
fn rest(pty: &mut Pty, prompt: &str) {
    pty.wait_raw(&format!("prompt `{prompt}`"), |raw| raw.ends_with(format!("\n{prompt}").as_bytes()));
}

/// Types a line at the prompt, and waits for the next one.
fn say(pty: &mut Pty, line: &str, next: &str) {
    let before = pty.raw.len();
    pty.press(&format!("{line}\n"));
    pty.wait_raw(&format!("answer to `{line}`"), |raw| {
        raw.len() > before + line.len() + 1 && raw.ends_with(format!("\n{next}").as_bytes())
    });
}

fn assert_no_escape(pty: &Pty) {
    let odd = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r' | b'\t');
    assert!(!pty.raw.iter().any(odd), "{:?}", heard(pty));
    assert!(!pty.raw.split(|byte| *byte == b'\n').any(|line| {
        // A carriage return elsewhere than before the line end would take the reader back.
        line.iter().rev().skip(1).any(|byte| *byte == b'\r')
    }));
}

#[test]
fn a_session_in_lines() {
    stamped!(crate::PROGRAM);
    let home = home();
    let mut pty = Pty::start(home.path(), (200, 50), &DEMO);
    rest(&mut pty, "> ");
    for line in ["next", "filter rookery", "1", "diff 1"] {
        say(&mut pty, line, "> ");
    }
    say(&mut pty, "plan add 1", "yes or no> ");
    say(&mut pty, "yes", "> ");
    say(&mut pty, "approve 1", "> ");
    say(&mut pty, "plan show 1", "> ");
    say(&mut pty, "next all", "> ");
    say(&mut pty, "approve 1", "yes or no> ");
    say(&mut pty, "yes", "> ");
    for line in ["stranded", "stranded kestrel-yard/gatehouse 1.58.0", "triage tidewrack/windvane@0.1.0"] {
        say(&mut pty, line, "> ");
    }
    for line in ["plan show", "jobs", "help plan", "aprove 1"] {
        say(&mut pty, line, "> ");
    }
    pty.press("quit\n");
    assert_eq!(pty.end().exit_code(), 0);
    assert_no_escape(&pty);
    transcript::keep("line-mode", &heard(&pty));
}

/// From a marked row to an opened pull request by words; until the last of them nothing reaches the registry on GitHub.
#[tokio::test(flavor = "multi_thread")]
async fn a_pull_request_is_opened_by_words() {
    let door = world(WORLD).await;
    let variables: Vec<(&str, &str)> =
        door.variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let line = ["--plain", "--write", "--no-throttle"];
    let mut pty = Pty::start_with(door.folder.path(), (200, 50), &variables, &line);
    rest(&mut pty, "> ");
    say(&mut pty, "mark 1", "> ");
    say(&mut pty, "plan add marked", "yes or no> ");
    say(&mut pty, "yes", "> ");
    for word in ["pull", "send 000000", "plan show 1", "next all"] {
        say(&mut pty, word, "> ");
    }
    say(&mut pty, "approve 1", "yes or no> ");
    for word in ["yes", "send 000000", "pull"] {
        say(&mut pty, word, "> ");
    }
    let text = heard(&pty);
    let digits =
        text.rsplit("digits are ").next().and_then(|rest| rest.get(..6)).expect("six digits").to_owned();
    let right = format!("send {digits}");
    assert!(text.contains("gate 7 fails: every change looked at"), "{text}");
    assert!(
        text.ends_with(
            "nothing was sent yet: this console is READ-ONLY; arm REASON arms it for ten minutes\n> "
        ),
        "{text}"
    );
    // Not armed; not these digits; not meant after all.
    say(&mut pty, &right, "> ");
    say(&mut pty, "arm the bump missed it", "> ");
    for wrong in ["send", "send 000000", &right[..10], "undo 000000", "resume 000000"] {
        say(&mut pty, wrong, "> ");
    }
    say(&mut pty, &right, "yes or no> ");
    say(&mut pty, "no", "> ");
    say(&mut pty, "disarm", "> ");
    say(&mut pty, &right, "> ");
    is_untouched_upstream(&door).await;
    say(&mut pty, "arm the bump missed it", "> ");
    say(&mut pty, &right, "yes or no> ");
    pty.press("yes\n");
    pty.wait_raw("its address", |raw| contains(raw, "https://github.com/opentofu/registry/pull/"));
    assert_no_escape(&pty);
    assert_eq!(opened(&door).await.1.len(), 1);
}

/// What GitHub is asked for, by one console, for the open pull requests and within the minute for them once more.
pub(crate) fn listed_twice(door: &Door) -> [Vec<Exchange>; 2] {
    let variables: Vec<(&str, &str)> =
        door.variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut pty = Pty::start_with(door.folder.path(), (200, 50), &variables, &["--plain", "--no-throttle"]);
    rest(&mut pty, "> ");
    [(); 2].map(|()| {
        door.server.forget();
        say(&mut pty, "review", "> ");
        assert!(!heard(&pty).contains("error: "), "{}", heard(&pty));
        let of_github = |one: &Exchange| matches!(one.lane, Lane::Rest | Lane::Graphql);
        door.server.exchanges().into_iter().filter(of_github).collect()
    })
}

/// Two hundred of them, on two pages and one that ends the list.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_list_is_asked_for_on_condition() {
    stamped!(crate::PROGRAM);
    let door = world(&two_hundred()).await;
    let asked = listed_twice(&door);
    println!("{:?} requests for 200 open pull requests, twice", asked.each_ref().map(Vec::len));
    assert!(asked.iter().all(|asked| (200..=600).contains(&asked.len())));
    let lists = asked.map(|asked| {
        let lists = asked.into_iter().filter(|one| one.target.contains("/pulls?"));
        lists.map(|one| (one.status, one.headers.contains_key("if-none-match"))).collect::<Vec<_>>()
    });
    assert_eq!(lists, [[(200, false); 3], [(304, true); 3]]);
}

/// Pull requests of which every text is hostile, read out: every character of it fills one cell.
#[tokio::test(flavor = "multi_thread")]
async fn what_others_wrote_is_read_out_and_not_obeyed() {
    let door = pulls::door().await;
    let variables: Vec<(&str, &str)> =
        door.variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut pty = Pty::start_with(door.folder.path(), (200, 50), &variables, &["--plain", "--no-throttle"]);
    rest(&mut pty, "> ");
    say(&mut pty, "review", "> ");
    for number in pulls::NUMBERS {
        for line in ["review N", "review N comment hello", "markdown review N"] {
            say(&mut pty, &line.replace('N', &number.to_string()), "> ");
        }
    }
    pty.press("quit\n");
    assert_eq!(pty.end().exit_code(), 0);
    assert_no_escape(&pty);
    let text = heard(&pty);
    let obeyed = text.lines().find(|line| line.chars().any(is_obeyed));
    assert_eq!(obeyed, None);
    for wanted in ["#9001 ", "`@everyone|", "docs/@everyone", "9.0.0\\u{1b}[2J", "**who asks**: `"] {
        assert!(text.contains(wanted), "{wanted} is not in {text}");
    }
}

/// Ways in: each of them alone is enough.
#[test]
fn variables_and_dumb_terminals_ask_for_lines() {
    stamped!(crate::PROGRAM);
    for variable in [("BUMPDESK_PLAIN", "1"), ("ACCESSIBLE", "1"), ("TERM", "dumb")] {
        let home = home();
        let mut pty = Pty::start_with(home.path(), (80, 24), &[variable], &["demo", "--color", "always"]);
        rest(&mut pty, "> ");
        pty.press("\u{4}");
        assert_eq!(pty.end().exit_code(), 0, "{variable:?}");
        assert_no_escape(&pty);
        assert!(heard(&pty).contains("1 to 20 of 61; next"), "{}", heard(&pty));
    }
}

/// Ctrl-C cancels what runs and at rest says how to leave; Ctrl-D asks while something runs.
#[test]
fn interrupts_and_ends() {
    let home = home();
    let mut pty = Pty::start(home.path(), (80, 24), &["demo", "--plain", "--latency-ms", "60000"]);
    pty.wait_raw("survey", |raw| contains(raw, "now: survey of everything"));
    pty.press("\u{4}");
    pty.wait_raw("question", |raw| contains(raw, "stop and leave? write yes or no"));
    pty.press("no\n");
    pty.wait_raw("answer", |raw| contains(raw, "staying"));
    pty.press("\u{3}");
    pty.wait_raw("stop", |raw| contains(raw, "now: stopping: survey of everything"));
    pty.wait_raw("end", |raw| contains(raw, "done: survey of everything was cancelled"));
    rest(&mut pty, "> ");
    pty.press("\u{3}");
    pty.wait_raw("advice", |raw| contains(raw, "nothing is running; write quit to leave"));
    rest(&mut pty, "> ");
    pty.press("\u{4}");
    assert_eq!(pty.end().exit_code(), 0);
}

/// Bad rows at once, then all of them, and the tally last.
#[test]
fn a_verification_is_heard() {
    stamped!(crate::PROGRAM);
    let home = home();
    let mut pty = Pty::start(home.path(), (200, 50), &DEMO);
    rest(&mut pty, "> ");
    say(&mut pty, "verify fernhollow/gristmill@1.24.0", "> ");
    let good = heard(&pty);
    for wanted in [
        "\nnow: verification of fernhollow slash gristmill 1.24.0\nnow: 11 targets to verify; ",
        "\n1. OK fernhollow slash gristmill 1.24.0, 11 targets: checksums file same, archive same, h1 same, signature good\n",
        "\ndone: verification of fernhollow slash gristmill 1.24.0; 11 targets: 11 OK; ",
    ] {
        assert!(good.contains(wanted), "no `{wanted}` in {good}");
    }
    say(&mut pty, "verify brambleworks/ropewalk@1.0.3", "> ");
    say(&mut pty, "rows bad", "> ");
    say(&mut pty, "1", "> ");
    let text = heard(&pty);
    let text = &text[good.len()..];
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("no `{words}` in {text}"));
    // The first of them is told at once, whichever that is, and all in one line when it is over.
    let row = "BAD SIG brambleworks slash ropewalk 1.0.3";
    let (at_once, listed) = (at(&format!("\n{row} ")), at(&format!("\n1. {row}, 5 targets: ")));
    let end = at("; 5 targets: 5 BAD SIG; ");
    assert!(at_once < listed && listed < end, "{text}");
    assert!(text[at_once..listed].contains("\n  meaning: signed by "), "{text}");
    assert!(text[end..].contains("\n  targets: ") && text[end..].contains("\n  you can: "), "{text}");
    pty.press("quit\n");
    assert_eq!(pty.end().exit_code(), 0);
    assert_no_escape(&pty);
}

#[test]
fn a_verification_waits_goes_on_and_stops() {
    let home = home();
    let mut pty = Pty::start(home.path(), (80, 24), &["demo", "--plain", "--latency-ms", "60000"]);
    pty.wait_raw("survey", |raw| contains(raw, "now: survey of everything"));
    pty.press("cancel\n");
    rest(&mut pty, "> ");
    pty.press("verify fernhollow/gristmill@1.24.0\n");
    pty.wait_raw("rows", |raw| contains(raw, "now: 11 targets to verify"));
    for (line, answer) in [
        ("pause", "now: paused"),
        ("resume", "now: resumed"),
        ("workers 2", "now: 2 downloads at once at most"),
        ("cancel", "now: stopping: verification of"),
    ] {
        pty.press(&format!("{line}\n"));
        pty.wait_raw(line, |raw| contains(raw, answer));
    }
    pty.wait_raw("end", |raw| contains(raw, "was cancelled; "));
    rest(&mut pty, "> ");
    pty.press("\u{4}");
    assert_eq!(pty.end().exit_code(), 0);
}

#[test]
fn a_signal_leaves_as_quit_does() {
    stamped!(crate::PROGRAM);
    for name in ["TERM", "HUP"] {
        let home = home();
        let mut pty = Pty::start(home.path(), (80, 24), &DEMO);
        rest(&mut pty, "> ");
        pty.signal(name);
        assert_eq!(pty.end().exit_code(), 0);
        let left: Vec<_> = std::fs::read_dir(home.path())
            .expect("the home")
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("bumpdesk-demo"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn without_a_registry_it_says_how_to_get_one() {
    let home = home();
    let mut pty = Pty::start(home.path(), (80, 24), &["--plain"]);
    rest(&mut pty, "> ");
    let text = heard(&pty);
    for wanted in ["error: looking for a registry", "bumpdesk clone", "bumpdesk demo"] {
        assert!(text.contains(wanted), "{text}");
    }
    pty.press("list\nquit\n");
    assert_eq!(pty.end().exit_code(), 0);
    assert!(heard(&pty).contains("error: the registry could not be read; reload tries again"));
}

fn contains(raw: &[u8], text: &str) -> bool {
    raw.windows(text.len()).any(|part| part == text.as_bytes())
}
