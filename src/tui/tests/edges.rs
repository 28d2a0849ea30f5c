//! Overlaps and ends of lines: nothing shows through, no text is cut while there is room, and no text stands
//! in the last column.

use ratatui::style::Modifier;

use super::fake_plan::FakePlan;
use super::reviews::{go, looking};
use super::{drawn, options, press, records, screen, started, tell, world};
use crate::jobs::data::{JobEvent, JobId};
use crate::rules::{Status, VersionMark};
use crate::tui::shell::model::{Model, Options};
use crate::tui::shell::msg::Msg;
use crate::tui::shell::update::update;
use crate::tui::widgets::message::Tone;

/// The first cell of a row of the list belongs to its mark, which is bold.
#[test]
fn nothing_of_what_lies_under_a_message_shows_through() {
    let mut model = started(world::normal(), 60, 20);
    model.say(Tone::Warning, "survey done, 3 of 61 not checked in full (2 not read upstream, 1 broken file)");
    let buffer = drawn(&model);
    let top = (0..20).find(|y| buffer[(1, *y)].symbol() == "s").expect("the message");
    for x in 0..60 {
        assert!(!buffer[(x, top)].modifier.contains(Modifier::BOLD), "cell {x} of\n{}", screen(&model));
    }
}

#[test]
fn an_error_of_the_filter_stands_alone_in_its_lines() {
    let mut model = started(world::normal(), 80, 24);
    press(&mut model, "/ h a s :");
    let text = screen(&model);
    assert!(text.lines().any(|line| line.trim_end().ends_with("dirty, broken")), "{text}");
}

#[test]
fn the_page_without_a_registry_is_whole_at_every_width() {
    for columns in 40..130 {
        let shown = screen(&Model::new(Options { registry_hint: None, ..options(columns, 24) }))
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(shown.contains("every status in it; no network, no token"), "{columns}: {shown}");
    }
}

#[test]
fn the_palette_tells_names_and_reasons_whole_in_the_row_or_below() {
    let mut model = started(world::normal(), 60, 20);
    press(&mut model, ": b u i l d");
    let text = screen(&model);
    assert!(text.contains("(writes nothing)"), "{text}");
    assert!(text.contains("same as: bumpdesk diff"), "{text}");
    for (columns, rows, is_beside) in [(120, 40, true), (80, 24, false), (60, 20, false)] {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, ": c a n c e l - j o b");
        let text = screen(&model);
        let count = text.matches("no survey is running").count();
        assert_eq!(count, 1 + usize::from(is_beside), "{text}");
        assert!(text.contains("cancel the running survey"), "{text}");
    }
}

#[test]
fn jobs_leave_the_last_column_free_and_give_the_rest_to_results() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let mut model = records::busy(columns, rows);
        let free = |model: &_| {
            let buffer = drawn(model);
            (2..rows - 2).find(|y| ![" ", "-"].contains(&buffer[(columns - 1, *y)].symbol()))
        };
        assert_eq!(free(&model), None, "{columns}x{rows}\n{}", screen(&model));
        press(&mut model, "j j");
        assert_eq!(free(&model), None, "{columns}x{rows}\n{}", screen(&model));
    }
}

/// The list takes the rows that its jobs need, and the log the rest; a finished job names the next step.
#[test]
fn jobs_give_the_log_the_room_and_say_what_comes_next() {
    let mut model = records::busy(120, 40);
    let rule = |model: &_| screen(model).lines().position(|line| line.contains("- Log  ")).unwrap();
    let before = rule(&model);
    press(&mut model, "j j j");
    assert!(screen(&model).contains("r runs again what is missing"), "{}", screen(&model));
    assert_eq!(rule(&model), before);
    press(&mut model, "C");
    assert!(rule(&model) < before, "{}", screen(&model));
}

#[test]
fn what_is_paused_has_no_time_left() {
    let mut model = records::busy(120, 40);
    let last = |model: &_| screen(model).lines().nth(38).unwrap_or_default().to_owned();
    assert!(last(&model).contains(" left"), "{}", last(&model));
    model.desk.board.find(JobId(2)).unwrap().is_paused = true;
    assert!(!last(&model).contains(" left") && !last(&model).contains("/s"), "{}", last(&model));
}

/// An entry opens on the version behind its status, so that the next key acts on that version.
#[test]
fn an_entry_opens_on_the_version_that_its_status_is_about() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter> <enter>");
    let mut opened = world::opened("newrelic/newrelic");
    opened.verdict.status = Status::Drifted;
    for version in &mut opened.verdict.versions {
        version.mark = VersionMark::Blocked;
    }
    let last = opened.verdict.versions.len() - 1;
    opened.verdict.versions[last].mark = VersionMark::Is(Status::Drifted);
    let wanted = opened.verdict.versions[last].version.clone();
    let known = opened.verdict.clone();
    tell(&mut model, JobId(2), JobEvent::Opened(opened.clone().into()));
    let under_cursor = |model: &Model| {
        let entry = model.views.entry.as_ref().unwrap();
        entry.rows[entry.cursor].version.clone()
    };
    assert_eq!(under_cursor(&model), wanted);

    // An entry that was opened before a survey reached it: the cursor goes to the version once it is known,
    // unless the maintainer has moved the cursor.
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter> <enter>");
    opened.verdict.status = Status::Unknown;
    opened.verdict.versions.clear();
    tell(&mut model, JobId(2), JobEvent::Opened(opened.into()));
    let first = under_cursor(&model);
    assert_ne!(first, wanted);
    model.views.entry.as_mut().unwrap().judge(&known);
    assert_eq!(under_cursor(&model), wanted);
    press(&mut model, "g g");
    let chosen = under_cursor(&model);
    assert_ne!(chosen, wanted);
    model.views.entry.as_mut().unwrap().judge(&known);
    assert_eq!(under_cursor(&model), chosen);
}

/// The notes of a plan are visible without opening each field.
#[test]
fn a_note_is_read_beside_its_file() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, "j c o k ! <enter>");
    assert!(screen(&model).contains(": note: ok!"), "{}", screen(&model));
}

/// Hints without room are left out by their rank; a short hint that fits is kept.
#[test]
fn a_hint_that_fits_is_shown() {
    let model = started(world::normal(), 80, 24);
    let hints = screen(&model).lines().last().unwrap().to_owned();
    assert!(hints.contains("q quit"), "{hints}");
}

/// A row with a blocked version has no status of its own, but OK alone would hide the blocked version.
#[test]
fn a_row_says_that_a_version_of_it_is_blocked() {
    let mut loaded = world::normal();
    let place = loaded.verdicts.iter().position(|verdict| verdict.status == Status::Current).unwrap();
    let mut blocked = world::behind().versions;
    blocked.retain(|version| version.mark == VersionMark::Blocked);
    loaded.verdicts[place].versions = blocked;
    let address = loaded.catalog.rows[place].address.to_string();
    let mut model = started(loaded, 120, 40);
    press(&mut model, "G");
    let is_its = |list: &&str| list.contains("v OK") && list.contains(&address);
    let shown = |model: &_| {
        let text = screen(model);
        text.lines().filter_map(|line| line.split('|').next()).find(is_its).unwrap().to_owned()
    };
    press(&mut model, "/");
    for letter in address.chars() {
        press(&mut model, &letter.to_string());
    }
    press(&mut model, "<enter>");
    assert!(shown(&model).contains(" / "), "{}", shown(&model));
    update(&mut model, Msg::Resize(crate::tui::Size::new(60, 20)));
    assert!(shown(&model).contains(" / "), "{}", shown(&model));
}
