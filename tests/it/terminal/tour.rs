//! The tour of a newcomer through `bumpdesk demo`: lines that the design promised before there was a screen.

use std::time::Duration;

use super::pty::{Pty, home};
use crate::need::{Missing, need};
use crate::pages;

const ENTER: &str = "\r";
const ESC: &str = "\u{1b}";

/// The demo at a fixed moment: its ages, its commit and its plan are the same in every run.
const DEMO: [&str; 3] = ["demo", "--now", "2026-11-21T12:00:00Z"];
/// A screen that is no capture after so long without a byte is not going to be one.
const QUIET: Duration = Duration::from_secs(5);

/// A demo whose survey is over.
fn surveyed(home: &std::path::Path, cells: (u16, u16)) -> Pty {
    let mut pty = Pty::start(home, cells, &DEMO);
    pty.see(&["survey done"]);
    // The rest of the frame may still be under way.
    pty.bytes_until_quiet(Duration::from_millis(200));
    pty
}

/// Leaves, and checks what is left behind.
fn leave(mut pty: Pty) {
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

/// What is wrong, why, what if it is left, what can be done, which key is next: on the first screen, for its first row.
fn assert_first_screen_answers(screen: &str) {
    for wanted in [
        "READ-ONLY",
        "[1 Inventory]",
        "⊗ GONE",
        "answers 404",
        "if left",
        "its versions stay listed",
        "next    o gives its URL",
        "? help",
    ] {
        assert!(screen.contains(wanted), "no `{wanted}` in\n{screen}");
    }
    assert!(!screen.contains("/tmp/") && !screen.contains("client error"), "{screen}");
}

/// Compares the screen with its capture in the pages.
fn keep(pty: &mut Pty, name: &str) {
    let screen = pty.settle(QUIET, |screen| pages::is_kept(name, screen));
    pages::keep_screen(name, &screen);
}

/// The tour of the manual: start, filter, open, look at the rebuild, add it to the plan, review and approve it, see what ran,
/// leave. Each of its screens is there as a capture.
#[test]
fn the_tour_of_the_manual() {
    let home = home();
    let mut pty = surveyed(home.path(), (120, 40));
    keep(&mut pty, "demo-120x40");
    // By now the survey's last word could be read, and the next key takes it away, however fast the machine is.
    pty.bytes_until_quiet(Duration::from_millis(4_100));
    pty.resize((120, 32));
    pty.press("/rookery\r");
    pty.see(&["filter> rookery", "1 of 61", "\u{25b8} \u{21e1} BEHIND"]);
    pty.press(ENTER);
    pty.see(&["> entry", "VERSION", "next    d shows the rebuild"]);
    keep(&mut pty, "demo-entry");
    pty.press("d");
    pty.see(&["> proposed rebuild", "+ ADDITIVE", "10 more targets of the same shape"]);
    keep(&mut pty, "demo-diff");
    // Whatever is pressed within a second of Enter may be the rest of a sentence.
    pty.bytes_until_quiet(Duration::from_millis(1_100));
    pty.press("a");
    pty.see(&["owlbarn/rookery is in the plan", "2 Changes(1)"]);
    pty.press("2");
    // Its lines are read after the list is there; those of the version fit here, and so were looked at.
    pty.see(&["[2 Changes(1)]", "TO REVIEW", "1/1", "next: all of it was looked"]);
    pty.press(" ");
    pty.see(&["approved owlbarn/rookery; u takes it back", "APPROVED"]);
    keep(&mut pty, "demo-changes");
    pty.press("8");
    pty.see(&["[8 Jobs]", "plan add owlbarn/rookery"]);
    pty.press("!");
    pty.see(&["log, following, only errors, warnings and failed requests"]);
    // The order of the log's lines depends on the machine.
    let list = |screen: &str| screen.split("\u{2500}\u{2500} log").next().unwrap_or_default().to_owned();
    let screen = pty.settle(QUIET, |screen| pages::is_kept("demo-jobs", &list(screen)));
    pages::keep_screen("demo-jobs", &list(&screen));
    // To the Inventory's list, from wherever one is.
    pty.press("1");
    pty.see(&["[1 Inventory]", "filter> rookery"]);
    pty.press(":");
    pty.see(&["Command: Inventory"]);
    pty.press("plan");
    pty.see(&[": plan", "add this entry"]);
    keep(&mut pty, "demo-palette");
    pty.press(ESC);
    pty.gone("Command:");
    leave(pty);
}

/// From a BEHIND row to an opened pull request and its merge, by what the screens say alone.
#[test]
fn a_newcomer_opens_a_pull_request_and_sees_it_merged() {
    let home = home();
    let mut pty = surveyed(home.path(), (120, 40));
    pty.press("/rookery\r");
    pty.see(&["filter> rookery", "\u{25b8} \u{21e1} BEHIND"]);
    pty.bytes_until_quiet(Duration::from_millis(1_100));
    pty.press("a");
    pty.see(&["owlbarn/rookery is in the plan", "2 Changes(1)"]);
    pty.press("2");
    pty.see(&["[2 Changes(1)]", "TO REVIEW", "1/1"]);
    pty.press(" ");
    pty.see(&["approved owlbarn/rookery; u takes it back", "P pull request"]);
    // Keys that come in one breath with others only look.
    pty.bytes_until_quiet(Duration::from_millis(400));
    pty.press("P");
    pty.see(&[
        "> pull request",
        "9 size of the pull request",
        "writing is not armed; W a arms it for ten minutes",
    ]);
    pty.press("Wa");
    pty.see(&["reason>"]);
    pty.press("the bump missed it\r");
    pty.see(&["ARMED until", "P opens the field"]);
    pty.bytes_until_quiet(Duration::from_millis(1_100));
    pty.press("P");
    pty.see(&["Type the digits "]);
    let text = pty.text();
    let digits = text.split("Type the digits ").nth(1).and_then(|rest| rest.get(..6)).expect("six digits");
    pty.press(&format!("{digits}\r"));
    pty.see(&["is open: https://github.com/opentofu/registry/pull/", "DONE"]);
    pty.see(&["merged by sol-demo"]);
    pty.press(ESC);
    pty.bytes_until_quiet(Duration::from_millis(400));
    pty.press("q");
    pty.end();
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The digits of what is made ready.
fn digits(screen: &str) -> String {
    let digits = screen.split("igits ").find_map(|rest| rest.get(..6).filter(|rest| is_hex(rest)));
    digits.unwrap_or_else(|| panic!("no digits in\n{screen}")).to_owned()
}

/// The same without its digits: they say where it goes too, which is another place in each run.
fn keep_verdict(pty: &mut Pty, name: &str) {
    let steady = |screen: &str| screen.replace(&digits(screen), "4f21c0");
    let screen = pty.settle(QUIET, |screen| pages::is_kept(name, &steady(screen)));
    pages::keep_screen(name, &steady(&screen));
}

/// From the list of other people's pull requests to a submitted review, by what the screens say alone.
#[test]
fn a_newcomer_approves_a_pull_request() {
    let home = home();
    let mut pty = surveyed(home.path(), (120, 40));
    pty.press("3");
    pty.see(&["[3 Reviews(11)]", "SAME, NOT HASHED  5598"]);
    pty.bytes_until_quiet(Duration::from_millis(400));
    pty.press("jjj");
    pty.press("jjjjjjj");
    pty.see(&["#5589 ", "no archive was read; V downloads and hashes them"]);
    pty.bytes_until_quiet(Duration::from_millis(400));
    pty.press("V");
    pty.see(&["SAME  #5589", "all of it is what upstream gives; Y approves it, or says something else"]);
    pty.bytes_until_quiet(Duration::from_millis(400));
    pty.press("Y");
    pty.see(&["Your verdict", "approve, changes or comment", "verdict>"]);
    pty.press("approve thank you\r");
    pty.see(&["> verdict", "commit as reviewed", "writing is not armed; W a arms it for ten minutes"]);
    pty.bytes_until_quiet(Duration::from_millis(1_100));
    pty.press("Wa");
    pty.see(&["reason>"]);
    pty.press("reviews of the day\r");
    pty.see(&["ARMED until", "P opens the field"]);
    keep_verdict(&mut pty, "demo-verdict");
    pty.bytes_until_quiet(Duration::from_millis(1_100));
    pty.press("P");
    pty.see(&["Type the digits "]);
    let digits = digits(&pty.text());
    pty.press(&format!("{digits}\r"));
    pty.see(&["the approval of pull request #5589 is submitted", "cannot be taken back"]);
    pty.bytes_until_quiet(Duration::from_millis(1_100));
    pty.press(ESC);
    pty.see(&["[3 Reviews(11)]", "RESULT"]);
    leave(pty);
}

/// The view of other people's pull requests, as the manual shows it at three sizes: the list, then all of one, then a verdict.
#[test]
fn the_reviews_of_the_manual() {
    for (cells, list, whole, verdict) in [
        ((120, 34), "demo-reviews-120x34", "demo-review", ""),
        ((80, 24), "demo-reviews-80x24", "demo-review-80x24", "demo-verdict-80x24"),
        ((60, 20), "demo-reviews-60x20", "demo-review-60x20", "demo-verdict-60x20"),
    ] {
        let home = home();
        let mut pty = surveyed(home.path(), cells);
        pty.press("3");
        pty.see(&["[3 Reviews(11)]", "5599"]);
        pty.settle(QUIET, |screen| !screen.contains("NOT READ"));
        pty.bytes_until_quiet(Duration::from_millis(4_100));
        pty.press("jjjjj");
        keep(&mut pty, list);
        pty.press(ENTER);
        pty.see(&["who "]);
        keep(&mut pty, whole);
        // The widest one is in the way of a newcomer.
        if !verdict.is_empty() {
            pty.press(ESC);
            pty.see(&[" 5594 "]);
            pty.press("jjjjj");
            pty.see(&["#5589"]);
            pty.bytes_until_quiet(Duration::from_millis(400));
            pty.press("V");
            pty.see(&["SAME  #5589"]);
            pty.bytes_until_quiet(Duration::from_millis(400));
            pty.press("Y");
            pty.see(&["verdict>"]);
            pty.press("approve thank you\r");
            pty.see(&["> verdict"]);
            pty.bytes_until_quiet(Duration::from_millis(1_100));
            pty.press("Wa");
            pty.see(&["reason>"]);
            pty.press("reviews of the day\r");
            pty.see(&["ARMED until"]);
            keep_verdict(&mut pty, verdict);
            pty.bytes_until_quiet(Duration::from_millis(1_100));
            pty.press(ESC);
            pty.see(&["  5589 "]);
        }
        leave(pty);
    }
}

/// From an entry that lacks its hashes to a file in the plan, by what the screens say alone.
#[test]
fn a_newcomer_fills_in_what_lacks_its_hashes() {
    let home = home();
    let mut pty = surveyed(home.path(), (80, 24));
    pty.bytes_until_quiet(Duration::from_millis(4_100));
    pty.press("/tallow\r");
    pty.see(&["\u{25b8} # NOHASH", "b fills them in"]);
    pty.bytes_until_quiet(Duration::from_millis(1_100));
    pty.press("b");
    pty.see(&["h1 or size of 22 targets in 2 versions", "bumpdesk backfill run copperkettle/tallow"]);
    keep(&mut pty, "demo-backfill-new");
    pty.press(ENTER);
    pty.see(&["Fill in h1 and size?", "y fill in"]);
    // Whatever is pressed within a second of Enter may be the rest of a sentence.
    pty.bytes_until_quiet(Duration::from_millis(1_100));
    pty.press("y");
    pty.see(&["22/22", "done: 22 targets: 22 filled in; 1 file in the plan now; 2 shows it"]);
    pty.bytes_until_quiet(Duration::from_millis(4_100));
    pty.press("j");
    keep(&mut pty, "demo-backfill-80x24");
    pty.press("2");
    pty.see(&["[2 Changes(1)]", "copperkettle/tallow"]);
    leave(pty);
}

/// The stranded board, as the manual shows it, and the story of a card.
#[test]
fn the_board_of_the_manual() {
    for (cells, board, story) in [
        ((120, 40), "demo-stranded-120x40", ""),
        ((80, 24), "demo-stranded-80x24", "demo-story"),
        ((60, 20), "demo-stranded-60x20", ""),
    ] {
        let home = home();
        let mut pty = surveyed(home.path(), cells);
        pty.press("6");
        pty.see(&["6 Stra", "FIXED UPSTREAM, STUCK", "BEHIND"]);
        pty.bytes_until_quiet(Duration::from_millis(4_100));
        pty.press("l");
        pty.see(&["kestrel-yard/gatehouse@1.58.0"]);
        keep(&mut pty, board);
        if !story.is_empty() {
            pty.press(ENTER);
            pty.see(&["8 failed tries", "costs "]);
            keep(&mut pty, story);
            pty.press(ESC);
            pty.bytes_until_quiet(Duration::from_millis(400));
        }
        pty.press("ll");
        pty.see(&["POLICY OR DECIDED", "GHOST"]);
        leave(pty);
    }
}

/// A line typed into the palette is answered above the view, and closing the answer leads back.
#[test]
fn a_newcomer_asks_why_a_version_is_not_available() {
    for (cells, name) in [((120, 40), ""), ((80, 24), "demo-triage-80x24"), ((60, 20), "demo-triage-60x20")] {
        let home = home();
        let mut pty = surveyed(home.path(), cells);
        pty.press(":");
        pty.see(&["Command"]);
        pty.press("tidewrack/windvane@0.1.0");
        pty.see(&["look up tidewrack/windvane@0.1.0"]);
        pty.bytes_until_quiet(Duration::from_millis(1_100));
        pty.press(ENTER);
        pty.see(&["Triage: tidewrack/windvane@0.1.0", "STALE"]);
        if !name.is_empty() {
            keep(&mut pty, name);
        }
        pty.press(ENTER);
        pty.see(&["tidewrack/windvane", "versions"]);
        pty.bytes_until_quiet(Duration::from_millis(400));
        pty.press(ESC);
        pty.bytes_until_quiet(Duration::from_millis(400));
        leave(pty);
    }
}

/// A backfill on two of GitHub's machines, which the demo carries out itself: asked for, sent by its digits, followed, and put into the
/// plan. At three sizes, as the manual shows it.
#[test]
fn a_newcomer_backfills_on_many_machines() {
    for (cells, dispatch, run) in [
        ((120, 40), "", "demo-run-120x40"),
        ((80, 24), "demo-dispatch-80x24", "demo-run-80x24"),
        ((60, 20), "demo-dispatch-60x20", "demo-run-60x20"),
    ] {
        let home = home();
        let mut pty = surveyed(home.path(), cells);
        pty.press("/tallow\r");
        pty.see(&["copperkettle/tallow"]);
        pty.bytes_until_quiet(Duration::from_millis(1_100));
        pty.press("Wb");
        pty.see(&["machines> 2"]);
        pty.bytes_until_quiet(Duration::from_millis(1_100));
        pty.press(ENTER);
        pty.see(&["Dispatch of backfill", "size of the shares", "starts a backfill on 2 machines"]);
        pty.bytes_until_quiet(Duration::from_millis(1_100));
        pty.press("Wa");
        pty.see(&["reason>"]);
        pty.press("hashes are lacking\r");
        pty.see(&["ARMED until"]);
        if !dispatch.is_empty() {
            keep_verdict(&mut pty, dispatch);
        }
        pty.bytes_until_quiet(Duration::from_millis(1_100));
        pty.press("P");
        pty.see(&["Type the digits "]);
        let digits = digits(&pty.text());
        pty.press(&format!("{digits}\r"));
        pty.see(&["of backfill.yml", "Esc show"]);
        pty.bytes_until_quiet(Duration::from_millis(1_100));
        pty.press(ESC);
        pty.see(&["8 Jobs", "share 1 of 2", "share 2 of 2", "put together"]);
        pty.see(&["3 of 3 jobs are"]);
        // The order of the log's lines depends on the machine.
        let list = |screen: &str| {
            let list = screen.split("\u{2500}\u{2500} log").next().unwrap_or_default();
            list.replace(&digits, "4f21c0")
        };
        pty.bytes_until_quiet(Duration::from_millis(4_100));
        // What was said of the end goes with a key, if it came as late as that.
        pty.press("k");
        let screen = pty.settle(QUIET, |screen| pages::is_kept(run, &list(screen)));
        pages::keep_screen(run, &list(&screen));
        pty.press("a");
        pty.see(&["Put it together?"]);
        pty.bytes_until_quiet(Duration::from_millis(1_100));
        pty.press("y");
        pty.see(&["1 file in the plan now"]);
        leave(pty);
    }
}

#[test]
fn wide() {
    let home = home();
    let mut pty = surveyed(home.path(), (120, 40));
    let first = pty.text();
    assert_first_screen_answers(&first);
    pty.see(&[
        "bumpdesk",
        "demo registry main@",
        "61 entries",
        "need attention",
        "GHOST 4",
        "NOHASH 2",
        "sort: status, age",
    ]);
    pty.see(&["STATUS", "ADDRESS", "UPSTREAM", "LACKS", "what    ", "why     ", "you can "]);
    pty.press("/status:drift");
    pty.see(&["filter> status:drift", "3 of 61", "Enter keep"]);
    assert!(!pty.text().contains("⊗ GONE     "), "other rows are filtered out");
    pty.press(ENTER);
    pty.see(&["∆ DRIFT", "clients refuse it or lock a wrong", "next    V hashes its archives"]);
    pty.press(ENTER);
    pty.see(&["> entry", "VERSION", "why     ", "if left "]);
    pty.press(ESC);
    pty.gone("> entry");
    pty.see(&["filter> status:drift"]);
    pty.press(ESC);
    pty.see(&["filter> (none)"]);
    pty.press("/rookery\r");
    pty.see(&["⇡ BEHIND", "1 missing", "next    d shows the rebuild"]);
    pty.press("d");
    pty.see(&[
        "> proposed rebuild",
        "+ ADDITIVE",
        "what the registry's bump would write",
        "unchanged",
        "change 1/1",
    ]);
    pty.see(&["version 1.9.0"]);
    pty.press("zR");
    pty.see(&["\"version\": \"1.9.0\"", "\"shasum\""]);
    pty.press("1");
    pty.see(&["rookery", "filter> rookery"]);
    pty.press(ESC);
    pty.see(&["filter> (none)"]);
    pty.press("?");
    pty.see(&["Help: Inventory", "build the proposed rebuild", "Esc close"]);
    pty.press(ESC);
    pty.gone("Help:");
    pty.press("s");
    pty.see(&["Sort", "newest first", "Enter take"]);
    pty.press(ESC);
    pty.gone("newest first");
    pty.press("  ");
    pty.see(&["2 marked"]);
    leave(pty);
}

#[test]
fn medium() {
    let home = home();
    let mut pty = surveyed(home.path(), (80, 24));
    assert_first_screen_answers(&pty.text());
    pty.see(&[
        "5 Backfill 6 Stranded 8 Jobs",
        "61 entries, 27 need attention",
        "sort: status, age",
        "S STATUS",
        "UPSTREAM",
    ]);
    pty.press("/status:stranded\r");
    pty.see(&["↧ STRANDED", "filter> status:stranded", "retries get rarer"]);
    pty.press(ENTER);
    pty.see(&["> entry", "why     ", "VERSION"]);
    pty.press("1");
    pty.see(&["S STATUS"]);
    pty.press("/");
    pty.see(&["Enter keep"]);
    pty.press("\u{15}rookery\r");
    pty.see(&["filter> rookery"]);
    pty.press("d");
    pty.see(&["+ ADDITIVE", "unchanged", "version 1.9.0"]);
    pty.press("?");
    pty.see(&["Help: the proposed rebuild"]);
    pty.press(ESC);
    pty.gone("Help:");
    leave(pty);
}

#[test]
fn narrow_and_tiny() {
    let home = home();
    let mut pty = surveyed(home.path(), (60, 20));
    pty.see(&["READ-ONLY", "all 61, 27 need attention", "⊗ GONE", "⊗ GONE", "+1", "? help"]);
    pty.press("/rookery\r");
    pty.see(&["⇡ BEHIND", "owlbarn/rookery"]);
    pty.press("d");
    pty.see(&["+ ADDITIVE +1 version, +11 targets"]);
    pty.press("1");
    // A key in the same moment as a resize is heard late: the library leaves it unread until the next key.
    pty.see(&["filter> rookery"]);
    pty.resize((40, 12));
    pty.see(&["READ-ONLY", "⇡ BEHIND", "rookery", "? help"]);
    pty.resize((39, 11));
    pty.see(&["needs 40x12: make the window larger", "q quits"]);
    leave(pty);
}

/// A screen that nobody touches after its survey writes nothing: the header has clock times, not ages.
#[test]
fn idle_writes_nothing_and_then_hears_every_key() {
    let home = home();
    let mut pty = surveyed(home.path(), (120, 40));
    pty.bytes_until_quiet(Duration::from_millis(500));
    assert_eq!(pty.bytes_until_quiet(Duration::from_secs(2)), 0, "{}", pty.text());
    for (key, seen) in
        [("?", "Help: Inventory"), (ESC, "filter> (none)"), (" ", "1 marked"), (" ", "2 marked")]
    {
        pty.press(key);
        pty.see(&[seen]);
        pty.bytes_until_quiet(Duration::from_millis(300));
    }
    leave(pty);
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
    leave(pty);
}
