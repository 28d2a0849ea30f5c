//! The lines of a pull request: both sides, its files one by one, and what stands where there are none.

use std::sync::Arc;

use super::fake_plan::changed_lines;
use super::others::listed;
use super::reviews::last_message;
use super::{press, screen, tell};
use crate::desk::reviews::tests::{open_pull, review};
use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, JobId, Outcome, ReviewPlan, Summary};
use crate::rules::diff::Lines;
use crate::rules::review::{FileDifferences, PullDifferences, Result as Word};
use crate::tui::keymap::ViewId;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;

const ROCKET: &str = "providers/a/acme/rocket.json";

/// An entry with both differences, one that is the same upstream, and files that are no data.
fn files() -> Vec<FileDifferences> {
    let lines = || Ok(Arc::new(changed_lines()));
    let text = |old: &str, new: &str| Ok(Arc::new(Lines::of_text(old.into(), new.into())));
    let without = FileDifferences::without;
    let same = "{\n  \"versions\": []\n}\n";
    vec![
        FileDifferences { path: ROCKET.into(), change: lines(), upstream: lines() },
        FileDifferences {
            change: text("", "{\n  \"versions\": []\n}\n"),
            upstream: text(same, same),
            ..without("modules/a/acme/added/aws.json", "")
        },
        FileDifferences {
            change: text("{\n  \"versions\": []\n}\n", ""),
            ..without("modules/a/acme/gone/aws.json", "the file is removed")
        },
        FileDifferences {
            change: text("{\n}\n", "{\nnot JSON\u{1b}[31m\n"),
            ..without("modules/a/acme/broken/aws.json", "it cannot be rebuilt from upstream")
        },
        without("README.md", "`README.md` is not a file of an entry, a key or the blacklist"),
    ]
}

fn differences(number: u64, files: Vec<FileDifferences>) -> JobEvent {
    let review = review(open_pull(number), ROCKET, Word::Differs, &["x"]);
    JobEvent::Differences(Arc::new(PullDifferences::new(&review, files)))
}

/// Reads the lines of the pull request under the cursor.
fn reading(columns: u16, rows: u16) -> (Model, JobId) {
    let mut model = listed(columns, rows);
    let effects = press(&mut model, "d");
    let [Effect::Start(id, Job::Review(ReviewPlan { number: 15, hashes: false }))] = effects[..] else {
        panic!("{effects:?}")
    };
    (model, id)
}

fn read(columns: u16, rows: u16, files: Vec<FileDifferences>) -> Model {
    let (mut model, id) = reading(columns, rows);
    tell(&mut model, id, differences(15, files));
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    model
}

pub(super) mod states {
    use super::*;

    /// Its base against its head.
    pub(in crate::tui::tests) fn normal(columns: u16, rows: u16) -> Model {
        let mut model = upstream(columns, rows);
        press(&mut model, "<tab>");
        model
    }

    pub(in crate::tui::tests) fn upstream(columns: u16, rows: u16) -> Model {
        read(columns, rows, files())
    }

    pub(in crate::tui::tests) fn empty(columns: u16, rows: u16) -> Model {
        read(columns, rows, Vec::new())
    }

    pub(in crate::tui::tests) fn loading(columns: u16, rows: u16) -> Model {
        reading(columns, rows).0
    }

    pub(in crate::tui::tests) fn error(columns: u16, rows: u16) -> Model {
        let (mut model, id) = reading(columns, rows);
        let failure = Failure::new(FailureKind::Network, "reading pull request #15").cause("no answer");
        tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
        model
    }

    /// Fifty files, and one line of a megabyte.
    pub(in crate::tui::tests) fn huge(columns: u16, rows: u16) -> Model {
        let lines = Arc::new(Lines::of_text(Vec::new(), "x".repeat(1 << 20).into()));
        let of = |at: usize| FileDifferences {
            change: Ok(Arc::clone(&lines)),
            ..FileDifferences::without(&format!("modules/a/acme/m{at}/aws.json"), "")
        };
        let mut model = read(columns, rows, (0..50).map(of).collect());
        press(&mut model, "<tab>");
        model
    }
}

#[test]
fn both_sides_of_every_file_are_shown() {
    let mut model = states::upstream(120, 40);
    assert_eq!(model.screen, ViewId::ReviewDiff);
    let has = |model: &Model, wanted: &[&str]| {
        let text = screen(model);
        for wanted in wanted {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
    };
    // The lines that differ from upstream come first, under the result.
    has(&model, &["#15 Manual bump", "X DIFFERS", "upstream > head   1 of 5 files", "aa00"]);
    press(&mut model, "<tab>");
    has(&model, &["base > head   1 of 5 files   providers/a/acme/rocket.json", "aa00", "bb00"]);
    press(&mut model, "<tab>");
    press(&mut model, ")");
    has(&model, &["upstream > head   2 of 5 files", "nothing differs: upstream gives the same file"]);
    press(&mut model, "<tab>");
    has(&model, &["base > head   2 of 5 files   modules/a/acme/added/aws.json", "+>", "\"versions\": []"]);
    press(&mut model, ")");
    has(&model, &["3 of 5 files", "->", "\"versions\": []"]);
    press(&mut model, "<tab>");
    has(&model, &["the file is removed"]);
    press(&mut model, ") <tab>");
    has(&model, &["4 of 5 files", "not JSON?[31m"]);
    press(&mut model, ")");
    has(&model, &["5 of 5 files", "`README.md` is not a file of an entry"]);
    press(&mut model, ") ) ( ( ( (");
    has(&model, &["1 of 5 files"]);
    assert_eq!(press(&mut model, "y c"), [Effect::Copy("bumpdesk review 15 --diff".into())]);
    press(&mut model, "<tab>");
    assert_eq!(press(&mut model, "y c"), [Effect::Copy("bumpdesk review 15 --against-upstream".into())]);
    press(&mut model, "/ b b <enter>");
    assert!(last_message(&model).contains("found"), "{}", last_message(&model));
    press(&mut model, "<esc>");
    assert_eq!(model.screen, ViewId::Reviews);
    // Their lines are known.
    assert_eq!(press(&mut model, "d"), []);
    assert_eq!(model.screen, ViewId::ReviewDiff);
}

/// The lines of one pull request are kept, for the commit that is listed.
#[test]
fn lines_of_another_pull_request_or_commit_are_read_again() {
    let mut model = states::normal(120, 40);
    press(&mut model, "<esc> j");
    let effects = press(&mut model, "d");
    assert!(
        matches!(effects[..], [Effect::Start(_, Job::Review(ReviewPlan { number: 16, .. }))]),
        "{effects:?}"
    );
    assert!(screen(&model).contains("reading the pull request"), "{}", screen(&model));
    let mut model = states::normal(120, 40);
    press(&mut model, "<esc>");
    let effects = press(&mut model, "R");
    let [Effect::Start(id, Job::Reviews)] = effects[..] else { panic!("{effects:?}") };
    let mut moved = open_pull(15);
    moved.head = "0".repeat(40);
    tell(&mut model, id, JobEvent::OpenPulls(Arc::new(vec![moved])));
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    let effects = press(&mut model, "d");
    assert!(
        matches!(effects[..], [Effect::Start(_, Job::Review(ReviewPlan { number: 15, .. }))]),
        "{effects:?}"
    );
}

#[test]
fn what_has_no_room_is_left_out_by_its_name() {
    let text = screen(&states::huge(80, 24)).split_whitespace().collect::<Vec<_>>().join(" ");
    for wanted in ["1 of 50 files", "a line has 1,048,576 bytes", "`bumpdesk review 15 --diff` prints them"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let mut model = states::huge(120, 40);
    for _ in 0..16 {
        press(&mut model, ")");
    }
    let text = screen(&model);
    assert!(
        text.contains("17 of 50 files") && text.contains("left out: the lines of all files have more than"),
        "{text}"
    );
}

/// Who reads the lines can decide at once: the verdict is about the pull request that they belong to.
#[test]
fn a_verdict_begins_at_the_lines() {
    let mut model = read(120, 40, files());
    assert!(screen(&model).contains("Y verdict"), "{}", screen(&model));
    press(&mut model, "Y");
    let text = screen(&model);
    assert!(text.contains("Your verdict") && text.contains("On #15."), "{text}");
}
