//! One telling: the console at 120 columns, the lines and the text of a command call every fact by the same label, and say the
//! same of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::boot::Ui;
use crate::desk::history::past_row;
use crate::desk::telling::entry::{NEXT, Place, YOU_CAN, answer, headline, sheet, whereabouts};
use crate::desk::telling::{Fact, column, job, planned, verification};
use crate::line::tests::{text_of_entry, text_of_jobs};
use crate::print::output::Line;
use crate::print::text;
use crate::print::text::tests::now;
use crate::rules::amount::Form;
use crate::rules::verify::State;
use crate::tui::tests::labels;

fn shown(lines: &[Line]) -> String {
    lines.iter().map(|line| line.shown() + "\n").collect()
}

/// Letters alone: what is wrapped, cut into columns or laid out otherwise stays the same.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The text to the right of the vertical rule, without the lines that have no rule.
fn pane(screen: &str) -> String {
    screen.lines().filter_map(|line| Some(line.split_once("| ")?.1.to_owned() + "\n")).collect()
}

/// Facts that a face does not tell under their labels: the label, a blank or a colon, and the text as far as the line goes.
fn untold(face: &str, facts: &[Fact], form: Form) -> Vec<String> {
    let after_label = |line: &str, fact: &Fact| {
        let rest = line.trim_start().strip_prefix(fact.label.form(form))?;
        let rest = if form == Form::Spoken { rest.strip_prefix(':')? } else { rest };
        rest.starts_with(' ').then(|| letters(rest))
    };
    let is_told = |fact: &&Fact| {
        let text = letters(&fact.text);
        face.lines().filter_map(|line| after_label(line, fact)).any(|told| {
            // A sign may stand before it.
            !told.is_empty() && (told.contains(&text) || text.starts_with(&told))
        })
    };
    let missing = facts.iter().filter(|fact| !is_told(fact));
    missing.map(|fact| format!("{}: {}", fact.label.form(form), fact.text)).collect()
}

/// Lines that tell something under no label of the facts.
fn strange(face: &str, facts: &[Fact], form: Form) -> Vec<String> {
    let known: BTreeSet<&str> = facts.iter().map(|fact| fact.label.form(form)).collect();
    let is_known = |line: &str| known.iter().any(|label| line.trim_start().starts_with(label));
    face.lines().filter(|line| !is_known(line)).map(str::to_owned).collect()
}

#[test]
fn an_entry_has_the_same_labels_in_all_faces() {
    let ui = Ui::default();
    let mut statuses = BTreeSet::new();
    for (opened, screen) in labels::entries() {
        statuses.insert(opened.verdict.status.word());
        let name = |_: &_| Some("it".to_owned());
        let text = shown(&text::entry(&ui, now(), &opened, name));
        let said = text_of_entry(opened.clone());
        let spoken = sheet(&opened, now(), Form::Spoken);
        let short = sheet(&opened, now(), Form::Short);
        let (title, rest) = text.split_once('\n').expect("a title");
        assert!(title.contains(&headline(opened.address.kind(), &opened.verdict).0.word), "{title}");
        let plain = headline(opened.address.kind(), &opened.verdict).1;
        for face in [title, &said, &screen] {
            assert!(face.contains(plain), "{plain}: {face}");
        }
        assert_eq!(untold(rest, &short, Form::Short), [""; 0], "{text}");
        assert_eq!(strange(rest, &short, Form::Short), [""; 0], "{text}");
        // What nothing in lines stands for is left out.
        let heard: Vec<Fact> = spoken.into_iter().filter(|fact| fact.label != NEXT).collect();
        assert_eq!(untold(&said, &heard, Form::Spoken), [""; 0], "{said}");
        let mut drawn = Vec::from(answer(opened.address.kind(), &opened.verdict, Place::Entry, now()));
        drawn.extend(whereabouts(&opened.address, opened.address.repository().to_string()));
        assert_eq!(untold(&pane(&screen), &drawn, Form::Short), [""; 0], "{screen}");
    }
    assert!(statuses.len() > 12, "{statuses:?}");
}

#[test]
fn a_verified_target_has_the_same_labels_in_all_faces() {
    let mut states = BTreeSet::new();
    for (row, screen) in labels::verified() {
        states.insert(row.state().word());
        let facts = verification::facts(&[&row]);
        assert_eq!(untold(&screen, &facts, Form::Short), [""; 0], "{screen}");
        let said = shown(&text::verified_facts(&[&row]));
        assert_eq!(untold(&said, &facts, Form::Spoken), [""; 0], "{said}");
        let text = shown(&text::verified(&Ui::default(), &[Arc::new(row.clone())], false));
        for label in
            [column::STATE, column::ADDRESS, column::TARGET, column::SUMS, column::ARCHIVE, column::SIGNED]
        {
            assert!(text.lines().next().is_some_and(|head| head.contains(label.short)), "{text}");
        }
        if row.state().is_bad() {
            assert_eq!(untold(&text, &facts, Form::Short), [""; 0], "{text}");
        }
    }
    for state in [State::Mismatch, State::Missing, State::Skipped, State::Ok, State::Queued] {
        assert!(states.contains(state.word()), "{states:?}");
    }
}

#[test]
fn a_planned_file_has_the_same_labels_in_all_faces() {
    let mut states = BTreeSet::new();
    for (file, screen) in labels::planned() {
        states.insert(file.state.word());
        let text = shown(&text::planned(&Ui::default(), &file));
        let said = shown(&crate::line::tests::lines_of_file(&file));
        for (face, form) in [(&screen, Form::Short), (&text, Form::Spoken), (&said, Form::Spoken)] {
            for word in [file.class.word(), file.state.word()] {
                assert!(face.contains(word), "no `{word}` in {face}");
            }
            let next = planned::next(&file);
            assert!(face.contains(&format!("{}: ", next.label.short)), "{face}");
            let is_counted = face.contains(&planned::seen(&file, form));
            assert!(is_counted || form == Form::Short, "{face}");
        }
        for piece in &file.pieces {
            let words = [planned::change(piece), planned::standing(piece).0];
            for word in words {
                assert!(
                    screen.contains(word.short) && text.contains(word.spoken),
                    "{word:?}: {text}{screen}"
                );
            }
        }
    }
    assert!(states.len() > 1, "{states:?}");
}

#[test]
fn a_job_has_the_same_labels_in_all_faces() {
    let (jobs, screen) = labels::past_jobs();
    let text = shown(&text::jobs(&Ui::default(), &jobs, now(), false));
    let said = text_of_jobs(jobs.clone());
    for past in &jobs {
        let row = past_row(past);
        let result = job::result(&row);
        for face in [&screen, &text, &said] {
            let line = face.lines().find(|line| line.contains(row.what) && line.contains(row.kind));
            let line = line.unwrap_or_else(|| panic!("no {} {} in {face}", row.kind, row.what));
            // Where there is no room, the end of it is cut.
            let start: String = result.chars().take(40).collect();
            assert!(line.contains(row.state.word()) && line.contains(&start), "`{result}`: {line}");
        }
    }
}

#[test]
fn a_label_of_a_faces_own_is_found() {
    let facts = [Fact::of(YOU_CAN, "wait; if it stays, look again")];
    let fine = " you can wait; if it\n         stays, look again\n";
    assert_eq!(untold(fine, &facts, Form::Short), [""; 0]);
    for planted in [" can do  wait; if it\n         stays, look again\n", " you can do it again\n", ""] {
        assert_eq!(untold(planted, &facts, Form::Short).len(), 1, "{planted}");
    }
    assert_eq!(strange("you can    wait\ncan do     wait\n", &facts, Form::Short), ["can do     wait"]);
}
