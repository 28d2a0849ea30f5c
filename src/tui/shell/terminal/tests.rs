#![expect(clippy::disallowed_types, reason = "the tests start themselves again")]

use std::env;
use std::io::Read;
use std::process::{Command, Stdio};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::*;

#[test]
fn restoring_twice_does_nothing_the_second_time() {
    let active = AtomicBool::new(false);
    restore(&active, &Modes::now());
    assert!(!active.load(Ordering::SeqCst));
}

/// The variable that tells this test program that it is the child of one of the tests below.
const ROLE: &str = "BUMPDESK_TEST_GUARD";

/// Runs one test of this program again, as a child in a terminal of its own, and gives what it wrote and how it ended.
fn in_a_terminal(test: &str, role: &str) -> (String, u32) {
    let pair = native_pty_system().openpty(PtySize::default()).expect("a terminal");
    let mut command = CommandBuilder::new(env::current_exe().expect("this program"));
    command.args([
        "--exact",
        "--nocapture",
        "--test-threads=1",
        &format!("tui::shell::terminal::tests::{test}"),
    ]);
    command.env(ROLE, role);
    command.env("RUST_BACKTRACE", "0");
    let mut child = pair.slave.spawn_command(command).expect("a child");
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().expect("a reader");
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    // The end comes as an error on Linux.
    while let Ok(count @ 1..) = reader.read(&mut part) {
        bytes.extend_from_slice(&part[..count]);
    }
    let status = child.wait().expect("an end");
    (String::from_utf8_lossy(&bytes).into_owned(), status.exit_code())
}

/// Where something stands last.
fn last(text: &str, part: &str) -> usize {
    text.rfind(part).unwrap_or_else(|| panic!("no {part:?} in\n{text}"))
}

/// Everything that was switched on is off again, and this text stands on the screen of before, at the start of a line.
fn assert_restored(text: &str, message: &str) {
    for mode in ["1049", "2004", "2031", "1000", "1006"] {
        assert!(last(text, &format!("\x1b[?{mode}l")) > last(text, &format!("\x1b[?{mode}h")), "{mode}");
    }
    assert!(last(text, "\x1b[?25h") > last(text, "\x1b[?1049l"));
    assert!(text.find(message).expect("the message is there") > last(text, "\x1b[?1049l"), "{text}");
    // In raw mode a line end is not turned into CR LF.
    let after = &text[last(text, "\x1b[?1049l")..];
    assert!(after.matches('\n').count() == after.matches("\r\n").count(), "raw mode is off: {after:?}");
}

/// Whether this process is the one in the terminal.
#[expect(clippy::disallowed_methods, reason = "the test starts itself again, and tells itself so")]
fn is_the_child() -> bool {
    env::var(ROLE).is_ok()
}

fn taken() -> Guard {
    let guard = Guard::enter(Some(Path::new("/var/log/the.log"))).expect("it works").expect("a terminal");
    guard.follow_ground().expect("it is written");
    guard.use_mouse(true).expect("it is written");
    guard
}

#[test]
fn a_panic_of_the_console_gives_the_terminal_back_and_says_why() {
    if is_the_child() {
        let _guard = taken();
        panic!("the reason of the console");
    }
    let (text, code) =
        in_a_terminal("a_panic_of_the_console_gives_the_terminal_back_and_says_why", "console");
    assert_restored(&text, "the reason of the console");
    assert!(text.contains("the log has more: /var/log/the.log"), "{text}");
    assert_ne!(code, 0);
}

#[test]
fn a_panic_of_a_worker_is_told_at_the_end() {
    if is_the_child() {
        let guard = taken();
        assert!(thread::spawn(|| panic!("the reason of a worker")).join().is_err());
        assert!(guard.is_active(), "the console goes on");
        guard.write("the console goes on").expect("it is written");
    } else {
        let (text, code) = in_a_terminal("a_panic_of_a_worker_is_told_at_the_end", "worker");
        assert!(last(&text, "the console goes on") < last(&text, "\x1b[?1049l"));
        assert_restored(&text, "a worker failed: ");
        assert!(text.contains("the reason of a worker"), "{text}");
        assert!(text.contains("the log has more: /var/log/the.log"), "{text}");
        assert_eq!(code, 0);
    }
}

#[test]
fn without_a_terminal_nothing_is_taken() {
    if is_the_child() {
        assert!(Guard::enter(None).expect("no error").is_none());
    } else {
        let mut command = Command::new(env::current_exe().expect("this program"));
        command.args(["--exact", "tui::shell::terminal::tests::without_a_terminal_nothing_is_taken"]);
        let output = command.env(ROLE, "nobody").stdin(Stdio::null()).output().expect("a child");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "{told}");
    }
}
