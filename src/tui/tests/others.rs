//! Reviews: others' pull requests, the list and the reviews, and the effect of keys.

use std::sync::Arc;

use super::reviews::last_message;
use super::{drawn, press, screen, started, tell, world};
use crate::desk::reviews::tests::{open_pull, review};
use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, JobId, Loaded, Outcome, ReviewPlan, Summary};
use crate::rules::review::{
    Mismatch, OpenPull, Opinion, OtherLine, OwnVerdict, Point, Result as Word, Review, Statement,
};
use crate::rules::sending::Purpose;
use crate::tui::base::theme::Role;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::views::reviews::Focus;

const ROCKET: &str = "providers/a/acme/rocket.json";
/// Two checksums that differ in the last of 64 digits.
const SUMS: [&str; 2] = [
    "9eeaeaa99a3545a0c8814aed7caa230237eee0cb075f09831ae3c8dc1e1a2660",
    "9eeaeaa99a3545a0c8814aed7caa230237eee0cb075f09831ae3c8dc1e1a2668",
];

/// Reviews while the list is being read.
pub(in crate::tui::tests) fn listing(columns: u16, rows: u16) -> (Model, JobId) {
    let mut model = started(world::normal(), columns, rows);
    let effects = press(&mut model, "3");
    let [Effect::Start(id, Job::Reviews)] = effects[..] else { panic!("{effects:?}") };
    (model, id)
}

pub(in crate::tui::tests) fn failed(columns: u16, rows: u16) -> Model {
    let (mut model, id) = listing(columns, rows);
    let failure = Failure::new(FailureKind::Network, "asking GitHub about the registry's repository")
        .cause("api.github.com cannot be reached: the host's name was not found");
    tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
    model
}

/// Titles and logins of all kinds, and one pull request for each word.
fn pulls() -> Vec<OpenPull> {
    let mut pulls: Vec<OpenPull> = (12..=18).rev().map(open_pull).collect();
    pulls[1].title =
        "a title\u{1b}[31m of many words, longer than any column that it may stand in \u{202e}txt".into();
    pulls[2].author = "0pentofu-with-a-long-login".into();
    pulls[3].draft = true;
    pulls
}

fn reviews() -> Vec<Review> {
    let pulls = pulls();
    let of = |at: usize, word, points: &[&str]| review(pulls[at].clone(), ROCKET, word, points);
    let mut hashed = of(0, Word::Same, &[]);
    hashed.notes.push("upstream has 1.2.0 as well, which it does not add".into());
    let digit = Mismatch {
        version: Some("1.1.0".into()),
        platform: Some("linux_amd64".into()),
        field: "shasum".into(),
        claimed: Some(format!("\"{}\"", SUMS[0])),
        upstream: Some(format!("\"{}\"", SUMS[1])),
        point: 0,
    };
    let mut differs = of(3, Word::Differs, &[]);
    differs.files[0].points.push(Point::differs(&digit));
    differs.files[0].lines.push(OtherLine { line: 7, given: vec![format!("\"shasum\": \"{}\"", SUMS[1])] });
    differs.files[0].mismatches.push(digit);
    differs.files[0].equal.push("1.1.0: 10 other platforms, protocols as upstream".into());
    let mut refused = of(2, Word::Refused, &[]);
    let removed = |version| Point::of(Statement::Removed, version, None, None);
    refused.files[0].points.extend(["1.0.0", "1.0.1"].map(removed));
    refused.files.extend(
        review(
            open_pull(1),
            "README.md",
            Word::Refused,
            &["`README.md` is not a file of an entry, a key or the blacklist"],
        )
        .files,
    );
    vec![
        hashed,
        of(1, Word::NotHashed, &[]),
        refused,
        differs,
        of(4, Word::Unknown, &["1.1.0: SHA256SUMS could not be read: 500 from github.com"]),
    ]
}

/// A list with reviews of all but two pull requests; one of these moved after its review.
pub(in crate::tui::tests) fn listed(columns: u16, rows: u16) -> Model {
    let (mut model, id) = listing(columns, rows);
    let mut all = pulls();
    let moved = review(all[5].clone(), ROCKET, Word::Same, &[]);
    tell(&mut model, id, JobEvent::OpenPulls(Arc::new(all.clone())));
    for review in reviews().into_iter().chain([moved]) {
        tell(&mut model, id, JobEvent::Reviewed(Arc::new(review)));
    }
    all[5].head = "0".repeat(40);
    tell(&mut model, id, JobEvent::OpenPulls(Arc::new(all)));
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    model
}

pub(super) mod states {
    use super::*;
    pub(in crate::tui::tests) use super::{failed, listed};

    pub(in crate::tui::tests) fn empty(columns: u16, rows: u16) -> Model {
        let (mut model, id) = listing(columns, rows);
        tell(&mut model, id, JobEvent::OpenPulls(Arc::default()));
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
        model
    }

    pub(in crate::tui::tests) fn loading(columns: u16, rows: u16) -> Model {
        listing(columns, rows).0
    }

    pub(in crate::tui::tests) fn huge(columns: u16, rows: u16) -> Model {
        let (mut model, id) = listing(columns, rows);
        tell(&mut model, id, JobEvent::OpenPulls(Arc::new((1..=400).rev().map(open_pull).collect())));
        let mut all = review(open_pull(1), ROCKET, Word::Refused, &[]);
        let platforms = ["darwin_arm64", "freebsd_386", "linux_amd64", "linux_arm", "windows_amd64"];
        for (at, platform) in (0..60).flat_map(|at| platforms.map(|platform| (at, platform))) {
            let version = format!("1.{at}.0");
            let point = Point::of(Statement::Changes, &version, Some(platform), Some("shasum"));
            all.files[0].points.push(point);
        }
        tell(&mut model, id, JobEvent::Reviewed(Arc::new(all)));
        model
    }

    /// The details of the pull request that differs, on the whole screen.
    pub(in crate::tui::tests) fn whole(columns: u16, rows: u16) -> Model {
        let mut model = listed(columns, rows);
        press(&mut model, "<enter>");
        model
    }

    /// A filter that is being typed.
    pub(in crate::tui::tests) fn filtered(columns: u16, rows: u16) -> Model {
        let mut model = listed(columns, rows);
        press(&mut model, "/ s a m e");
        model
    }
}

/// The numbers of the listed pull requests, as they stand on the screen.
fn numbers(model: &Model) -> Vec<u64> {
    model.desk.reviews.rows().map(|(pull, _)| pull.number).collect()
}

/// A list of which only some rows fit says which of them are seen.
#[test]
fn every_size_says_which_rows_are_seen() {
    for (columns, rows) in [(200, 50), (120, 40), (110, 24), (80, 24), (60, 20), (40, 12)] {
        let mut model = states::huge(columns, rows);
        let seen = usize::from(model.seen().expect("a view").list(&model.desk, &model.paint()).height);
        let has = |model: &Model, wanted: &str| {
            let text = screen(model);
            assert!(text.contains(wanted), "{columns}x{rows}: no `{wanted}` in\n{text}");
        };
        has(&model, &format!("1-{seen} of 400"));
        press(&mut model, "G");
        has(&model, &format!("{}-400 of 400", 401 - seen));
        press(&mut model, "/ r e f u s e d");
        has(&model, "1 of 400");
        let model = listed(columns, rows);
        let seen = usize::from(model.seen().expect("a view").list(&model.desk, &model.paint()).height);
        has(&model, &format!("1-{} of 7", seen.min(7)));
    }
}

#[test]
fn plain_words_filter_the_list_until_esc() {
    let mut model = listed(80, 24);
    press(&mut model, "G / s a m e <enter>");
    assert_eq!(numbers(&model), [17, 18]);
    assert_eq!(model.context(), Context::View(ViewId::Reviews));
    let (pull, _) = model.views.reviews.selected(&model.desk).expect("a row");
    assert_eq!(pull.number, 18, "the cursor stays with its pull request");
    assert!(screen(&model).contains("filter> same") && screen(&model).contains("2 of 7"));
    // Esc drops the typed text, and the filter before comes back.
    press(&mut model, "/ x y z");
    assert!(numbers(&model).is_empty());
    let text = screen(&model);
    assert!(text.contains("the filter hides every row; Esc clears it"), "{text}");
    press(&mut model, "<esc>");
    assert_eq!(numbers(&model), [17, 18]);
    press(&mut model, "<esc>");
    assert_eq!((numbers(&model).len(), model.screen), (7, ViewId::Reviews));
    press(&mut model, "<esc>");
    assert_eq!(model.screen, ViewId::Inventory);
}

#[test]
fn the_order_is_chosen_in_a_menu_or_by_a_click_on_a_head() {
    let mut model = listed(260, 50);
    assert_eq!(numbers(&model), [15, 16, 14, 13, 12, 17, 18]);
    assert!(screen(&model).contains("worst first  1-7 of 7"), "{}", screen(&model));
    press(&mut model, "s");
    assert!(
        screen(&model).contains("s sort: worst first") && screen(&model).contains("current; again reverses")
    );
    press(&mut model, "j j <enter>");
    assert_eq!((numbers(&model), last_message(&model)), ((12..=18).rev().collect(), "sorted by: number"));
    press(&mut model, "s s s s");
    assert_eq!(numbers(&model), [18, 17, 12, 13, 14, 16, 15]);
    assert!(screen(&model).contains("worst first, reversed  1-7 of 7"), "{}", screen(&model));
    let click = |model: &mut Model, words: &str| {
        let text = screen(model);
        let found = text.lines().enumerate().find_map(|(y, line)| Some((y, line.find(words)?)));
        let (y, x) = found.unwrap_or_else(|| panic!("`{words}` is not seen\n{text}"));
        update(model, Msg::Mouse(Mouse::Click(x as u16 + 1, y as u16)));
    };
    for (head, wanted) in [
        ("TITLE", [17, 12, 13, 14, 15, 16, 18]),
        ("BY ", [16, 18, 17, 15, 14, 13, 12]),
        ("RESULT", [15, 16, 14, 13, 12, 17, 18]),
        // It sorts by nothing.
        ("WHY", [15, 16, 14, 13, 12, 17, 18]),
    ] {
        click(&mut model, head);
        assert_eq!(numbers(&model), wanted, "{head}");
    }
    click(&mut model, "SHA256SUMS could");
    let (pull, _) = model.views.reviews.selected(&model.desk).expect("a row");
    assert_eq!(pull.number, 14);
}

/// Reviews come in one by one, and each moves its row. The cursor stays with its pull request.
#[test]
fn rows_move_and_the_cursor_follows() {
    let (mut model, id) = listing(120, 40);
    tell(&mut model, id, JobEvent::OpenPulls(Arc::new(pulls())));
    press(&mut model, "G k");
    for review in reviews() {
        tell(&mut model, id, JobEvent::Reviewed(Arc::new(review)));
        let (pull, _) = model.views.reviews.selected(&model.desk).expect("a row");
        assert_eq!(pull.number, 13);
    }
    assert_eq!(numbers(&model), [15, 16, 14, 13, 12, 17, 18]);
}

#[test]
fn keys_review_the_pull_request_under_the_cursor() {
    let mut model = listed(120, 40);
    let starts = |model: &mut Model, keys: &str| -> Vec<Job> {
        let effects = press(model, keys);
        let jobs = effects.iter().filter_map(|effect| match effect {
            Effect::Start(id, job) => Some((*id, job.clone())),
            _ => None,
        });
        let jobs: Vec<(JobId, Job)> = jobs.collect();
        for (id, _) in &jobs {
            tell(model, *id, JobEvent::Ended(Outcome::Done(Summary::default())));
        }
        jobs.into_iter().map(|(_, job)| job).collect()
    };
    assert_eq!(starts(&mut model, "r"), [Job::Review(ReviewPlan { number: 15, hashes: false })]);
    assert_eq!(starts(&mut model, "j V"), [Job::Review(ReviewPlan { number: 16, hashes: true })]);
    assert_eq!(starts(&mut model, "R"), [Job::Reviews]);
    // The context of the pull request is read when it is opened.
    assert_eq!(starts(&mut model, "<enter>"), [Job::Review(ReviewPlan { number: 16, hashes: false })]);
    assert_eq!(starts(&mut model, "<esc>"), []);
    // It is listed once, however often it is shown.
    assert_eq!(starts(&mut model, "1 3"), []);
    assert_eq!(press(&mut model, "y c"), [Effect::Copy("bumpdesk review 16".into())]);
    assert_eq!(
        press(&mut model, "y u"),
        [Effect::Copy("https://github.com/opentofu/registry/pull/16".into())]
    );
    press(&mut model, "x");
    assert_eq!(last_message(&model), "x: nothing is being reviewed");
    let effects = press(&mut model, "R");
    let [Effect::Start(id, Job::Reviews)] = effects[..] else { panic!("{effects:?}") };
    press(&mut model, "r");
    assert_eq!(last_message(&model), "r: reviewing the open pull requests is running already; x cancels it");
    assert_eq!(press(&mut model, "x"), [Effect::Cancel(id)]);
}

/// A look at the view does not use up the few requests that GitHub answers without a token.
#[test]
fn without_a_token_nothing_is_listed_unasked() {
    let mut model = started(Loaded { has_token: false, ..world::normal() }, 80, 24);
    assert_eq!(press(&mut model, "3"), []);
    let text = screen(&model);
    assert!(text.contains("were not listed yet; R lists and reviews them"), "{text}");
    assert!(matches!(press(&mut model, "R")[..], [Effect::Start(_, Job::Reviews)]));
}

/// The two values stand below each other at every width, and the character that differs is never cut. In one colour the caret
/// says it.
#[test]
fn what_differs_is_seen_at_every_width() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let mut model = listed(columns, rows);
        press(&mut model, "<enter>");
        let text = screen(&model);
        let lines: Vec<&str> = text.lines().collect();
        let conclusion = lines
            .iter()
            .position(|line| line.contains("X DIFFERS  one checksum is not what upstream publishes"));
        assert!(conclusion.is_some(), "{text}");
        let claimed =
            lines.iter().position(|line| line.contains("pull request 9eeaea")).expect("it is there");
        assert!(lines[claimed + 1].contains("upstream     9eeaea"), "{text}");
        let caret = lines[claimed + 2].find('^').expect("a caret");
        assert_eq!([&lines[claimed][caret..], &lines[claimed + 1][caret..]], ["0", "8"], "{text}");
        assert!(text.contains("10 other platforms"), "{text}");
        press(&mut model, "<esc>");
        assert_eq!(model.screen, ViewId::Reviews);
        assert_eq!(model.views.reviews.focus, Focus::List);
        press(&mut model, "<esc>");
        assert_eq!(model.screen, ViewId::Inventory);
    }
}

/// A review that was sent from this console is marked in its row and in its details.
#[test]
fn ones_own_verdict_stands_in_the_row() {
    let (mut model, id) = listing(120, 40);
    let own = OwnVerdict {
        pull: 18,
        opinion: Opinion::Approve,
        commit: open_pull(18).head,
        at: "2026-09-22T11:40:00Z".parse().expect("a time"),
    };
    tell(&mut model, id, JobEvent::OwnVerdicts(vec![own]));
    tell(&mut model, id, JobEvent::OpenPulls(Arc::new(pulls())));
    for review in reviews() {
        tell(&mut model, id, JobEvent::Reviewed(Arc::new(review)));
    }
    press(&mut model, "G");
    let text = screen(&model);
    let row = text.lines().find(|line| line.contains("  18  ")).expect("a row");
    assert!(row.contains("approved by you 11:40Z"), "{text}");
    assert!(text.contains(" v approved by you 11:40Z"), "{text}");
}

/// Every width shows the accepted words, the note that nothing is submitted yet, and the end of the typed
/// text.
#[test]
fn a_verdict_is_written_at_every_width() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = listed(columns, rows);
        press(&mut model, "j k Y");
        // The words inside the frame.
        let flat = |model: &Model| {
            let text = screen(model);
            let inside = text.lines().filter_map(|line| line.split('|').nth(1));
            inside.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
        };
        for wanted in [
            "Nothing is posted before its gates pass.",
            "- approve only SAME can be approved; the result is DIFFERS",
            "(*) request changes",
            "( ) comment",
            "your words",
            "[x] beside the lines that differ",
            "Space or arrows choose",
        ] {
            assert!(flat(&model).contains(wanted), "{columns}x{rows}: {wanted}: {}", screen(&model));
        }
        press(&mut model, "down");
        assert!(flat(&model).contains("(*) comment"), "{}", screen(&model));
        press(&mut model, "tab");
        press(&mut model, &vec!["x"; 100].join(" "));
        press(&mut model, "y z");
        let text = screen(&model);
        assert!(text.contains("xxxyz") && text.contains("your words"), "{columns}x{rows}: {text}");
    }
}

/// The list is read again while a verdict is written: the verdict stays with its pull request, wherever the cursor is then.
#[test]
fn a_verdict_is_on_the_pull_request_that_its_field_names() {
    for stays in [true, false] {
        let mut model = listed(120, 40);
        let effects = press(&mut model, "R");
        let [Effect::Start(id, Job::Reviews)] = effects[..] else { panic!("{effects:?}") };
        press(&mut model, "j k Y");
        assert!(screen(&model).contains("On #15."), "{}", screen(&model));
        let others = pulls().into_iter().filter(|pull| stays || pull.number != 15);
        let all = std::iter::once(open_pull(19)).chain(others).collect();
        tell(&mut model, id, JobEvent::OpenPulls(Arc::new(all)));
        let effects = press(&mut model, "down <enter>");
        if stays {
            let [Effect::Start(_, Job::Prepare(Purpose::Verdict(plan)))] = &effects[..] else {
                panic!("{effects:?}")
            };
            assert_eq!(plan.number, 15);
        } else {
            assert!(effects.is_empty(), "{effects:?}");
            assert!(screen(&model).contains("#15 is not open any more"), "{}", screen(&model));
        }
    }
}

/// After the list is read again the cursor stays on its pull request, and one that moved is not shown as
/// reviewed.
#[test]
fn the_cursor_stays_with_its_pull_request() {
    let mut model = listed(80, 24);
    press(&mut model, "j");
    let effects = press(&mut model, "R");
    let [Effect::Start(id, Job::Reviews)] = effects[..] else { panic!("{effects:?}") };
    let mut all: Vec<OpenPull> = pulls();
    all.insert(0, open_pull(19));
    all[3].head = "0".repeat(40);
    tell(&mut model, id, JobEvent::OpenPulls(Arc::new(all)));
    let (pull, _) = model.views.reviews.selected(&model.desk).expect("a row");
    assert_eq!(pull.number, 16);
    let text = screen(&model);
    assert!(text.contains("MOVED") && text.contains("at 1a2b3c4 it was REFUSED"), "{text}");
}

#[test]
fn text_of_others_is_inert() {
    let shown = screen(&listed(120, 40));
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown}");
}

/// Keys and modules have no archives: nothing offers to hash them.
#[test]
fn hashing_is_offered_where_archives_are_not_hashed() {
    for lacks_hashes in [false, true] {
        let (mut model, id) = listing(120, 40);
        tell(&mut model, id, JobEvent::OpenPulls(Arc::new(vec![open_pull(12)])));
        let mut review = review(open_pull(12), ROCKET, Word::Differs, &["x"]);
        review.files[0].lacks_hashes = lacks_hashes;
        tell(&mut model, id, JobEvent::Reviewed(Arc::new(review)));
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
        assert_eq!(screen(&model).contains("V hash"), lacks_hashes, "{}", screen(&model));
    }
}

/// The next step stands above the proof in a low window, and its key has the colour of keys.
#[test]
fn the_next_step_is_seen_without_scrolling() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let model = listed(columns, rows);
        let text = screen(&model);
        let (y, line) =
            text.lines().enumerate().find(|(_, line)| line.contains("Y requests")).expect("a line");
        let x = line.find("Y requests").expect("a column") as u16;
        let key = drawn(&model)[(x, y as u16)].style();
        assert_eq!(key.fg, model.paint().style(Role::Key).fg, "{columns}x{rows}");
        let place = |words: &str| text.lines().position(|line| line.contains(words)).expect(words);
        assert_eq!(
            place("do not approve") < place("linux_amd64 shasum"),
            rows < 30,
            "{columns}x{rows}: {text}"
        );
    }
}
