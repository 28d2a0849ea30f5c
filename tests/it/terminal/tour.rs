//! The tour of a newcomer through `bumpdesk demo`: lines that the design promised before there was a screen.

use std::time::Duration;

use super::pty::{Pty, home};
use crate::need::{Missing, need};
use crate::pages;
use crate::seat::Seat;

const ENTER: &str = "\r";
const ESC: &str = "\u{1b}";

/// The demo at a fixed moment: its ages, its commit and its plan are the same in every run.
const DEMO: [&str; 3] = ["demo", "--now", "2026-11-21T12:00:00Z"];
/// A screen that is no capture after so long without news from a job is not going to be one.
const QUIET: Duration = Duration::from_secs(5);

/// A demo whose survey is over.
fn surveyed(cells: (u16, u16)) -> Seat {
    let mut seat = Seat::at(cells, &DEMO);
    seat.see(&["survey done"]);
    seat
}

/// Leaves.
fn leave(mut seat: Seat) {
    seat.press("q");
    assert_eq!(seat.end(), (0, String::new()));
}

/// Opens the demo in a real terminal and waits for the end of its survey.
fn surveyed_in_a_terminal(home: &std::path::Path, cells: (u16, u16)) -> Pty {
    let mut pty = Pty::start(home, cells, &DEMO);
    pty.see(&["survey done"]);
    // The rest of the frame may still be under way.
    pty.bytes_until_quiet(Duration::from_millis(200));
    pty
}

/// Leaves, and checks what is left behind.
fn leave_the_terminal(mut pty: Pty) {
    pty.press("q");
    let status = pty.end();
    assert_eq!((status.exit_code(), status.signal()), (0, None), "{}", pty.text());
    pty.assert_restored();
    let left = pty.text();
    let said = ["", "bumpdesk: the plan (1 file) is deleted with the demo"];
    assert!(
        said.contains(&left.trim()),
        "nothing of the screen stays, and what becomes of a plan is said: {left}"
    );
}

/// Asserts that the first screen says of its first row what is wrong, why, what if it is left, what can be done, and which key
/// is next.
fn assert_first_screen_answers(screen: &str) {
    for wanted in [
        "READ-ONLY",
        "[1 Inv",
        "⊗ GONE",
        "answers 404",
        "impact",
        "listed versions fail",
        "next    o gives its URL",
        "? help",
    ] {
        assert!(screen.contains(wanted), "no `{wanted}` in\n{screen}");
    }
    assert!(!screen.contains("/tmp/") && !screen.contains("client error"), "{screen}");
}

/// Compares the screen with its capture in the pages.
fn keep(seat: &mut Seat, name: &'static str) {
    let screen = seat.settle(QUIET, |screen| pages::is_kept(name, screen));
    pages::keep_screen(name, &screen);
}

/// The tour of the manual: start, filter, open, look at the rebuild, add it to the plan, review and approve it, see what ran,
/// leave. Each of its screens is there as a capture.
#[test]
fn the_tour_of_the_manual() {
    stamped!(crate::PROGRAM);
    let mut seat = surveyed((120, 40));
    keep(&mut seat, "demo-120x40");
    // By now the survey's last word could be read, and the next key takes it away, however fast the machine is.
    seat.pass(Duration::from_millis(4_100));
    seat.resize((120, 32));
    seat.press("/rookery\r");
    seat.see(&["filter> rookery", "1 of 61", "\u{25b8} \u{21e1} BEHIND"]);
    seat.press(ENTER);
    seat.see(&["> entry", "VERSION", "next    d shows the rebuild"]);
    keep(&mut seat, "demo-entry");
    seat.press("d");
    seat.see(&["> proposed rebuild", "+ ADDITIVE", "version 1.9.0 (11 targets)", "zh and h1 verified"]);
    keep(&mut seat, "demo-diff");
    seat.press("a");
    seat.see(&["owlbarn/rookery is in the plan", "2 Changes 1"]);
    seat.press("2");
    // Its lines are read after the list is there. A key leads to the version, and its summary fits here.
    seat.see(&["[2 Changes 1]", "to review", "0/1", "version 1.9.0 (11 targets)"]);
    seat.press("j");
    seat.see(&["owlbarn/rookery 1.9.0", "1/1 seen", "approve"]);
    seat.press(" ");
    seat.see(&["approved 1.9.0; u takes it back", "1 of 1 file approved"]);
    keep(&mut seat, "demo-changes");
    seat.press("8");
    seat.see(&["[8 Jobs]", "plan add owlbarn/rookery"]);
    seat.press("!");
    seat.see(&["Log  following, only errors, warnings and failed requests"]);
    // The order of the log's lines depends on the machine.
    let list = |screen: &str| screen.split("\u{2500} Log  ").next().unwrap_or_default().to_owned();
    let screen = seat.settle(QUIET, move |screen| pages::is_kept("demo-jobs", &list(screen)));
    pages::keep_screen("demo-jobs", &list(&screen));
    // To the Inventory's list, from wherever one is.
    seat.press("1");
    seat.see(&["[1 Inventory]", "filter> rookery"]);
    seat.press(":");
    seat.see(&["Command: Inventory"]);
    seat.press("plan");
    seat.see(&[": plan", "add this entry"]);
    keep(&mut seat, "demo-palette");
    seat.press(ESC);
    seat.gone("Command:");
    leave(seat);
}

/// From a BEHIND row to an opened pull request and its merge, by what the screens say alone.
#[test]
fn a_newcomer_opens_a_pull_request_and_sees_it_merged() {
    stamped!(crate::PROGRAM);
    let home = home();
    let mut pty = surveyed_in_a_terminal(home.path(), (120, 40));
    pty.press("/rookery\r");
    pty.see(&["filter> rookery", "\u{25b8} \u{21e1} BEHIND"]);
    pty.press("a");
    pty.see(&["owlbarn/rookery is in the plan", "2 Changes 1"]);
    pty.press("2");
    pty.see(&["[2 Changes 1]", "to review", "0/1"]);
    pty.press("j");
    pty.see(&["owlbarn/rookery 1.9.0", "1/1 seen"]);
    pty.press(" ");
    pty.see(&["approved 1.9.0; u takes it back", "P pull request"]);
    pty.press("P");
    pty.see(&["> pull request", "others pass", "this console is READ-ONLY; W a arms it for ten minutes"]);
    pty.press("Wa");
    pty.see(&["reason ["]);
    // A pasted Enter accepts no form.
    pty.press("the bump missed it");
    pty.see(&["reason [the bump missed it"]);
    pty.press(ENTER);
    pty.see(&["ARMED until", "Type the digits "]);
    let text = pty.text();
    let digits = text.split("Type the digits ").nth(1).and_then(|rest| rest.get(..6)).expect("six digits");
    pty.press(digits);
    pty.see(&[&format!("[ {digits}")]);
    pty.press(ENTER);
    pty.see(&["https://github.com/opentofu/registry/pull/", "DONE"]);
    pty.see(&["merged by sol-demo  of plan", "\u{2713} merged"]);
    pty.press(ESC);
    pty.gone("> pull request");
    leave_the_terminal(pty);
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the digits of what is made ready.
fn digits(screen: &str) -> Option<&str> {
    screen.split("igits ").find_map(|rest| rest.get(..6).filter(|rest| is_hex(rest)))
}

/// Compares the screen with its capture, without the digits, which depend on the addresses of the run.
fn keep_verdict(seat: &mut Seat, name: &'static str) {
    let steady = |screen: &str| match digits(screen) {
        Some(digits) => screen.replace(digits, "4f21c0"),
        None => screen.to_owned(),
    };
    let screen = seat.settle(QUIET, move |screen| pages::is_kept(name, &steady(screen)));
    pages::keep_screen(name, &steady(&screen));
}

/// Types the digits that the screen shows, and returns them.
fn type_digits(seat: &mut Seat) -> String {
    seat.see(&["Type the digits "]);
    let screen = seat.text();
    let digits = digits(&screen).unwrap_or_else(|| panic!("no digits in\n{screen}"));
    seat.press(&format!("{digits}\r"));
    digits.to_owned()
}

/// Waits for the end of the reviews, which comes after the last result is shown. Until then the console refuses a second one.
fn finish_reviews(seat: &mut Seat) {
    seat.rest(QUIET);
}

/// From the list of other people's pull requests to a submitted review, by what the screens say alone.
#[test]
fn a_newcomer_approves_a_pull_request() {
    stamped!(crate::PROGRAM);
    let mut seat = surveyed((120, 40));
    seat.press("3");
    seat.see(&["[3 Reviews 11]", "NOT HASHED  5598"]);
    seat.press("/5589\r");
    seat.see(&["1 of 11", "#5589 ", "no archive was read; V downloads"]);
    finish_reviews(&mut seat);
    seat.press("V");
    seat.see(&["SAME  byte for byte what upstream gives", "everything matches upstream, but a check"]);
    finish_reviews(&mut seat);
    seat.press("Y");
    seat.see(&["Your verdict", "(*) approve", "your words", "What is posted"]);
    seat.press("\tthank you\u{f}");
    seat.see(&["thank you", "written in an editor"]);
    seat.press("\t\r");
    seat.see(&["> verdict", "6 of 6 gates pass", "this console is READ-ONLY; W a arms it for ten minutes"]);
    seat.press("\t");
    seat.see(&["commit as reviewed", "1\u{2013}6 of 6"]);
    seat.press("\t\t");
    seat.see(&["6 of 6 gates pass"]);
    seat.press("Wa");
    seat.see(&["reason ["]);
    seat.press("reviews of the day\r");
    seat.see(&["ARMED until"]);
    keep_verdict(&mut seat, "demo-verdict");
    type_digits(&mut seat);
    seat.see(&["the approval of pull request #5589 is submitted", "cannot be taken back"]);
    seat.press(ESC);
    seat.see(&["[3 Reviews 11]", "RESULT"]);
    leave(seat);
}

/// The values that differ stand below each other, and one key shows the lines of either difference.
#[test]
fn a_newcomer_sees_what_a_pull_request_changes() {
    stamped!(crate::PROGRAM);
    for cells in [(120, 40), (80, 24)] {
        let mut seat = surveyed(cells);
        seat.press("3");
        seat.see(&["[3 Rev", "5594"]);
        finish_reviews(&mut seat);
        for _ in 0..11 {
            if !seat.text().contains("#5594 Add copperkettle/toolbelt") {
                seat.press("j");
            }
        }
        seat.see(&["one checksum is not what upstream", "pull request ", "^"]);
        seat.pass(Duration::from_millis(400));
        seat.press("d");
        seat.see(&["⊗ DIFFERS", "upstream → head", "> shasum"]);
        seat.press("\t");
        seat.see(&["base → head", "change 1/", "\"version\": \"1.32.0\""]);
        seat.press(ESC);
        seat.see(&["RESULT"]);
        leave(seat);
    }
}

/// The view of other people's pull requests, as the manual shows it at three sizes: the list, then all of one, then a verdict.
#[test]
fn the_reviews_of_the_manual() {
    stamped!(crate::PROGRAM);
    for (cells, list, whole, verdict) in [
        ((120, 34), "demo-reviews-120x34", "demo-review", ""),
        ((80, 24), "demo-reviews-80x24", "demo-review-80x24", "demo-verdict-80x24"),
        ((60, 20), "demo-reviews-60x20", "demo-review-60x20", "demo-verdict-60x20"),
    ] {
        let mut seat = surveyed(cells);
        seat.press("3");
        seat.see(&["Rev", "5594"]);
        seat.settle(QUIET, |screen| !screen.contains("NOT READ"));
        seat.pass(Duration::from_millis(4_100));
        keep(&mut seat, list);
        seat.press(ENTER);
        seat.see(&["who "]);
        keep(&mut seat, whole);
        // The widest one is in the way of a newcomer.
        if !verdict.is_empty() {
            seat.press(ESC);
            seat.see(&[" 5594 "]);
            seat.press("jjjjjjjj");
            seat.see(&["#5589"]);
            finish_reviews(&mut seat);
            seat.press("V");
            seat.see(&["SAME  byte for byte what upstream gives"]);
            finish_reviews(&mut seat);
            seat.press("Y");
            seat.see(&["your words"]);
            seat.press("\tthank you\t\r");
            seat.see(&["> verdict"]);
            seat.press("Wa");
            seat.see(&["reason ["]);
            seat.press("reviews of the day\r");
            seat.see(&["ARMED until"]);
            keep_verdict(&mut seat, verdict);
            seat.press(ESC);
            seat.see(&["P opens the field"]);
            seat.press(ESC);
            seat.see(&["  5589 "]);
        }
        leave(seat);
    }
}

/// From an entry that lacks its hashes to a file in the plan, by what the screens say alone.
#[test]
fn a_newcomer_fills_in_what_lacks_its_hashes() {
    stamped!(crate::PROGRAM);
    let mut seat = surveyed((80, 24));
    seat.pass(Duration::from_millis(4_100));
    seat.press("/tallow\r");
    seat.see(&["\u{25b8} # NOHASH", "b fills them in"]);
    seat.press("b");
    seat.see(&["h1 or size of 22 targets in 2 versions", "bumpdesk backfill run copperkettle/tallow"]);
    keep(&mut seat, "demo-backfill-new");
    seat.press(ENTER);
    seat.see(&["Fill in h1 and size?", "y fill in"]);
    seat.press("y");
    seat.see(&["22/22", "done: 22 targets: 22 filled in; 1 file in the plan now; 2 shows it"]);
    seat.pass(Duration::from_millis(4_100));
    seat.press("j");
    keep(&mut seat, "demo-backfill-80x24");
    seat.press("2");
    seat.see(&["Plan ", "copperkettle/tallow"]);
    leave(seat);
}

/// The stranded board, as the manual shows it, and the story of a card.
#[test]
fn the_board_of_the_manual() {
    stamped!(crate::PROGRAM);
    for (cells, board, story) in [
        ((120, 40), "demo-stranded-120x40", ""),
        ((80, 24), "demo-stranded-80x24", "demo-story"),
        ((60, 20), "demo-stranded-60x20", ""),
    ] {
        let mut seat = surveyed(cells);
        seat.press("6");
        seat.see(&["Str", "FIXED UPSTREAM, STUCK", "BEHIND"]);
        seat.pass(Duration::from_millis(4_100));
        seat.press("l");
        seat.see(&["kestrel-yard/gatehouse@1.58.0"]);
        keep(&mut seat, board);
        if !story.is_empty() {
            seat.press(ENTER);
            seat.see(&["8 failed tries", "costs "]);
            keep(&mut seat, story);
            seat.press(ESC);
        }
        seat.press("ll");
        seat.see(&["POLICY OR DECIDED", "GHOST"]);
        leave(seat);
    }
}

/// A line typed into the palette is answered above the view, and closing the answer leads back.
#[test]
fn a_newcomer_asks_why_a_version_is_not_available() {
    stamped!(crate::PROGRAM);
    for (cells, name) in [((120, 40), ""), ((80, 24), "demo-triage-80x24"), ((60, 20), "demo-triage-60x20")] {
        let mut seat = surveyed(cells);
        seat.press(":");
        seat.see(&["Command"]);
        seat.press("tidewrack/windvane@0.1.0");
        seat.see(&["look up tidewrack/windvane@0.1.0"]);
        seat.press(ENTER);
        seat.see(&["Triage: tidewrack/windvane@0.1.0", "STALE"]);
        if !name.is_empty() {
            keep(&mut seat, name);
        }
        seat.press(ENTER);
        seat.see(&["tidewrack/windvane", "versions"]);
        seat.press(ESC);
        leave(seat);
    }
}

/// A backfill on two of GitHub's machines, which the demo carries out itself: asked for, sent by its digits, followed, and put into the
/// plan. At three sizes, as the manual shows it.
#[test]
fn a_newcomer_backfills_on_many_machines() {
    stamped!(crate::PROGRAM);
    for (cells, dispatch, run) in [
        ((120, 40), "", "demo-run-120x40"),
        ((80, 24), "demo-dispatch-80x24", "demo-run-80x24"),
        ((60, 20), "demo-dispatch-60x20", "demo-run-60x20"),
    ] {
        let mut seat = surveyed(cells);
        seat.press("/tallow\r");
        seat.see(&["copperkettle/tallow"]);
        seat.press("Wb");
        seat.see(&["machines [2"]);
        seat.press(ENTER);
        seat.see(&["Dispatch of backfill", "5 of 5 gates pass", "starts a backfill on 2 machines"]);
        seat.press("Wa");
        seat.see(&["reason ["]);
        seat.press("hashes are lacking\r");
        seat.see(&["ARMED until"]);
        if !dispatch.is_empty() {
            keep_verdict(&mut seat, dispatch);
        }
        let digits = type_digits(&mut seat);
        seat.see(&["of backfill.yml", "Esc show"]);
        seat.press(ESC);
        seat.see(&["Jobs", "share 1 of 2", "share 2 of 2", "put together"]);
        seat.see(&["3 of 3 jobs are"]);
        // The order of the log's lines depends on the machine.
        let list = move |screen: &str| {
            let list = screen.split("\u{2500} Log  ").next().unwrap_or_default();
            let list = list.replace(&digits, "4f21c0");
            // The artifacts contain the path of a temporary folder, so their size differs between machines.
            ["6.3", "6.5", "6.6"]
                .iter()
                .fold(list, |list, size| list.replace(&format!("artifacts, {size} kB"), "artifacts, 6.4 kB"))
        };
        seat.pass(Duration::from_millis(4_100));
        // What was said of the end goes with a key, if it came as late as that.
        seat.press("k");
        let hoped = list.clone();
        let screen = seat.settle(QUIET, move |screen| pages::is_kept(run, &hoped(screen)));
        pages::keep_screen(run, &list(&screen));
        seat.press("a");
        seat.see(&["Put it together?"]);
        seat.press("y");
        seat.see(&["1 file in the plan now"]);
        leave(seat);
    }
}

#[test]
fn wide() {
    stamped!(crate::PROGRAM);
    let mut seat = surveyed((120, 40));
    let first = seat.text();
    assert_first_screen_answers(&first);
    seat.see(&["bumpdesk", "main@", "61 entries", "12 act ━", "25 fine ━", "sort: level, age"]);
    seat.see(&["STATUS", "ADDRESS", "VERSIONS", "AGE", "what    ", "why     ", "you can "]);
    seat.press("/status:drift");
    seat.see(&["filter> status:drift", "3 of 61", "Enter keep"]);
    assert!(!seat.text().contains("⊗ GONE     "), "other rows are filtered out");
    seat.press(ENTER);
    seat.see(&["∆ DRIFT", "clients refuse it or lock a", "next    V hashes its archives"]);
    seat.press(ENTER);
    seat.see(&["> entry", "VERSION", "why     ", "impact "]);
    seat.press(ESC);
    seat.gone("> entry");
    seat.see(&["filter> status:drift"]);
    seat.press(ESC);
    seat.see(&["filter> (none)"]);
    seat.press("/rookery\r");
    seat.see(&["⇡ BEHIND", "1 missing", "next    d shows the rebuild"]);
    seat.press("d");
    seat.see(&[
        "> proposed rebuild",
        "+ ADDITIVE",
        "what the registry's bump would write",
        "unchanged",
        "change 1/1",
    ]);
    seat.see(&["version 1.9.0"]);
    seat.press("zR");
    seat.see(&["\"version\": \"1.9.0\"", "\"shasum\""]);
    seat.press("1");
    seat.see(&["rookery", "filter> rookery"]);
    seat.press(ESC);
    seat.see(&["filter> (none)"]);
    seat.press("?");
    seat.see(&["Help: Inventory", "build the proposed rebuild", "Esc close"]);
    seat.press(ESC);
    seat.gone("Help:");
    seat.press("s");
    seat.see(&["Sort", "newest first", "Enter choose"]);
    seat.press(ESC);
    seat.gone("newest first");
    seat.press("  ");
    seat.see(&["2 marked"]);
    leave(seat);
}

#[test]
fn medium() {
    stamped!(crate::PROGRAM);
    let mut seat = surveyed((80, 24));
    assert_first_screen_answers(&seat.text());
    seat.see(&["8 Jobs", "61 entries", " act ", "sort: level, age", "STATUS", "VERSIONS"]);
    seat.press("/status:stranded\r");
    seat.see(&["↧ STRANDED", "filter> status:stranded", "retries get rarer"]);
    seat.press(ENTER);
    seat.see(&["> entry", "why     ", "VERSION"]);
    seat.press("1");
    seat.see(&["VERSIONS"]);
    seat.press("/");
    seat.see(&["Enter keep"]);
    seat.press("\u{15}rookery\r");
    seat.see(&["filter> rookery"]);
    seat.press("d");
    seat.see(&["+ ADDITIVE", "unchanged", "version 1.9.0"]);
    seat.press("?");
    seat.see(&["Help: the proposed rebuild"]);
    seat.press(ESC);
    seat.gone("Help:");
    leave(seat);
}

#[test]
fn narrow_and_tiny() {
    stamped!(crate::PROGRAM);
    let mut seat = surveyed((60, 20));
    seat.see(&["READ-ONLY", "all 61, 25 need attention", "⊗ GONE", "+1", "? help"]);
    seat.press("/rookery\r");
    seat.see(&["⇡ BEHIND", "owlbarn/rookery"]);
    seat.press("d");
    seat.see(&["+ ADDITIVE +1 version, +11 targets"]);
    seat.press("1");
    seat.see(&["filter> rookery"]);
    seat.resize((40, 12));
    seat.see(&["READ-ONLY", "⇡ BEHIND", "rookery", "? help"]);
    seat.resize((39, 11));
    seat.see(&["needs 40x12: make the window larger", "q quits"]);
    leave(seat);
}

/// A screen that nobody touches after its survey writes nothing: the header has clock times, not ages.
#[test]
fn idle_writes_nothing_and_then_hears_every_key() {
    let home = home();
    let mut pty = surveyed_in_a_terminal(home.path(), (120, 40));
    pty.bytes_until_quiet(Duration::from_millis(500));
    assert_eq!(pty.bytes_until_quiet(Duration::from_secs(2)), 0, "{}", pty.text());
    for (key, seen) in
        [("?", "Help: Inventory"), (ESC, "filter> (none)"), (" ", "1 marked"), (" ", "2 marked")]
    {
        pty.press(key);
        pty.see(&[seen]);
        pty.bytes_until_quiet(Duration::from_millis(300));
    }
    leave_the_terminal(pty);
}

fn own_network() -> Result<(), Missing> {
    let probe = std::process::Command::new("unshare").args(["-rn", "ip", "link", "set", "lo", "up"]).output();
    let works = probe.is_ok_and(|output| output.status.success());
    works.then_some(()).ok_or(Missing { need: "network", why: "`unshare -rn` or `ip` does not work here" })
}

/// In a network of its own that has nothing but loopback, where the kernel lets us make one.
#[test]
fn the_demo_needs_no_network() {
    need!(own_network());
    let home = home();
    let line = format!("ip link set lo up && exec {} demo", env!("CARGO_BIN_EXE_bumpdesk"));
    let path = [("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")];
    let mut pty = Pty::run(home.path(), (120, 40), &path, &["unshare", "-rn", "sh", "-c", &line]);
    pty.see(&["survey done"]);
    pty.bytes_until_quiet(Duration::from_millis(200));
    assert_first_screen_answers(&pty.text());
    leave_the_terminal(pty);
}
