//! Without styles every status, class, answer and job state is still a word on the screen, and no two look
//! alike.

use std::collections::BTreeSet;
use std::sync::Arc;

use unicode_width::UnicodeWidthStr;

use crate::desk::history::JobState;
use crate::desk::telling::job::sign;
use crate::rules::plan::{Answer, FileState};
use crate::rules::{Class, Status};
use crate::tui::base::glyphs::Glyphs;
use crate::tui::shell::model::Model;
use crate::tui::tests::fake_plan::FakePlan;
use crate::tui::tests::frames::SIZES;
use crate::tui::tests::{answer, press, records, reviews, screen, started, world};

const CLASSES: [Class; 5] = [Class::Noop, Class::Additive, Class::Reorders, Class::Mutates, Class::Removes];

const STATES: [JobState; 8] = [
    JobState::Waiting,
    JobState::Running,
    JobState::Paused,
    JobState::Done,
    JobState::DoneWithGaps,
    JobState::Failed,
    JobState::Cancelled,
    JobState::CutOff,
];

/// All frames while a key moves through a list.
fn on_the_way(model: &mut Model, key: &str, steps: usize) -> String {
    let mut seen = screen(model);
    for _ in 0..steps {
        press(model, key);
        seen.push_str(&screen(model));
    }
    seen
}

/// Checks words and signs of one kind: all differ, each sign has one cell, also on East Asian terminals.
fn check_distinct(kind: &str, list: &[(String, String)]) {
    let words: BTreeSet<&str> = list.iter().map(|(_, word)| word.as_str()).collect();
    let signs: BTreeSet<&str> = list.iter().map(|(sign, _)| sign.as_str()).collect();
    assert_eq!((words.len(), signs.len()), (list.len(), list.len()), "{kind}: {list:?}");
    for (sign, word) in list {
        assert_eq!(
            (sign.chars().count(), sign.width(), sign.width_cjk()),
            (1, 1, 1),
            "{kind}: {sign} {word}"
        );
        assert!(!word.is_empty() && word.is_ascii() && word.width() == word.len(), "{kind}: {word}");
    }
}

#[test]
fn each_kind_of_word_is_distinct_in_both_sets_of_glyphs() {
    for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
        let statuses =
            Status::words().map(|status| (glyphs.status(status).to_owned(), status.word().to_owned()));
        check_distinct("status", &statuses.collect::<Vec<_>>());
    }
    let classes = CLASSES.map(|class| (class.glyph().to_owned(), class.word().to_owned()));
    check_distinct("class", &classes);
    check_distinct("job", &STATES.map(|state| (sign(state).glyph.to_owned(), state.word().to_owned())));
    let answers: BTreeSet<&str> =
        [Answer::Open, Answer::Approved, Answer::Rejected].map(Answer::word).into_iter().collect();
    assert_eq!(answers.len(), 3);
    let states = [
        FileState::Open,
        FileState::Approved,
        FileState::Held(String::new()),
        FileState::Nothing(String::new()),
    ];
    assert_eq!(states.iter().map(FileState::word).collect::<BTreeSet<_>>().len(), states.len());
}

#[test]
fn every_state_of_a_job_is_a_word() {
    for (columns, rows) in SIZES {
        let mut model = records::busy(columns, rows);
        press(&mut model, "g g");
        let mut seen = on_the_way(&mut model, "j", 8);
        model.desk.board.find(crate::jobs::data::JobId(2)).unwrap().is_paused = true;
        seen.push_str(&on_the_way(&mut model, "k", 8));
        for state in STATES {
            let sign = format!("{} {}", sign(state).ascii, state.word());
            assert!(seen.contains(&sign), "{columns}x{rows}: {sign}\n{seen}");
        }
    }
}

#[test]
fn classes_answers_and_what_holds_a_file_are_words() {
    for (columns, rows) in SIZES {
        let mut fake = FakePlan::normal();
        let mut model = reviews::looking(&mut fake, columns, rows);
        // One is approved, a version of another one rejected, one is held.
        reviews::go(&mut fake, &mut model, "<enter> <esc> <space> ) ) ) j X");
        model.message = None;
        press(&mut model, "g g");
        let seen = on_the_way(&mut model, "j", 12);
        // A file that only adds says how much; its class stands beside the lines.
        for word in ["+1 version", "MUTATES ~1", "READ-ONLY"] {
            // The smallest window has the names and the states.
            assert!(columns < 60 || seen.contains(word), "{columns}x{rows}: {word}\n{seen}");
        }
        for (version, word) in [("v1.1.0 ", "approved"), ("3.70.1 ", "rejected")] {
            let told = seen.lines().any(|line| line.contains(version) && line.contains(word));
            assert!(told, "{columns}x{rows}: {version} {word}\n{seen}");
        }
        let mut fake = FakePlan::normal();
        let mut model = reviews::looking(&mut fake, columns, rows);
        let seen = on_the_way(&mut model, ")", 4);
        assert!(seen.contains("held"), "{columns}x{rows}\n{seen}");
    }
}

#[test]
fn every_status_is_distinct_without_colour() {
    let with_keys = || {
        let mut loaded = world::normal();
        let others = [Status::KeyMismatch, Status::ListUnreadable, Status::SizeMissing];
        let fine = loaded.verdicts.iter_mut().rev().filter(|verdict| verdict.status == Status::Current);
        for (verdict, status) in fine.zip(others) {
            verdict.status = status;
        }
        loaded
    };
    let loaded = with_keys();
    for status in Status::words() {
        assert!(loaded.verdicts.iter().any(|verdict| verdict.status == status), "{status:?}");
    }
    for (columns, rows) in SIZES {
        let mut seen = String::new();
        let mut model = started(with_keys(), columns, rows);
        for _ in 0..30 {
            seen.push_str(&screen(&model));
            press(&mut model, "j");
        }
        for status in Status::words() {
            let sign = format!("{} {}", Glyphs::Ascii.status(status), status.word());
            assert!(seen.contains(&sign), "{columns}x{rows} {sign}");
        }
    }
}

#[test]
fn nothing_hostile_reaches_a_cell() {
    for (columns, rows) in SIZES {
        let mut model = started(world::hostile(), columns, rows);
        let mut frames = vec![screen(&model)];
        let mut effects = press(&mut model, "<enter>");
        let mut opened = world::opened("evil/evil");
        opened.address = model.subject().unwrap().clone();
        opened.verdict = world::hostile().verdicts[0].clone();
        let lines = Arc::make_mut(opened.lines.as_mut().unwrap());
        lines.new_text = lines.new_text.replace("newrelic", "\u{1b}]0;x\u{7}\u{202e}");
        lines.lines.clear();
        lines.blocks.truncate(1);
        lines.lines.push(crate::rules::diff::Line {
            mark: crate::rules::diff::LineMark::Added,
            number: 1,
            before: None,
            start: 0,
            end: lines.new_text.len() as u32,
            block: 0,
        });
        answer(&mut model, &effects, opened.clone());
        frames.push(screen(&model));
        effects = press(&mut model, "d");
        answer(&mut model, &effects, opened);
        frames.push(screen(&model));
        press(&mut model, "w");
        frames.push(screen(&model));
        for frame in frames {
            let bad = frame
                .chars()
                .find(|c| (c.is_control() && *c != '\n') || ('\u{200b}'..='\u{202e}').contains(c));
            assert_eq!(bad, None, "{columns}x{rows}\n{frame}");
        }
    }
}
