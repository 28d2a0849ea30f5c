//! The table: one line a target, or one for those that say the same, with the four answers. Narrow windows keep the word and
//! the answer that counts.

use ratatui::text::Line;

use crate::desk::run::{Run, Shape};
use crate::desk::telling::column;
use crate::desk::telling::verification::{Subject, notes, sign, signed, size, subject};
use crate::rules::amount::{Form, bytes};
use crate::rules::verify::{Answer, State};
use crate::tui::base::layout::Class;
use crate::tui::base::theme::Role;
use crate::tui::views::verify::gauges::figures_of;
use crate::tui::views::verify::lines::Line as Entry;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

const STATE: usize = 10;
/// `112.1/271.0`.
const SIZE: usize = 11;
/// `differ`.
const ANSWER: usize = 6;
const SIG: usize = 6;
/// `none`.
const SHORT_SIG: usize = 4;
/// `uploaded again`; the address comes before what the line below tells whole.
const SHORTEST_NOTE: usize = 14;
/// Columns below which one of address and version gives way.
const SLIM: u16 = 56;

fn answer_role(answer: Answer) -> Role {
    match answer {
        Answer::Same => Role::Fine,
        Answer::Differ | Answer::Gone => Role::Act,
        Answer::Unknown => Role::Warning,
        Answer::New | Answer::NotDone | Answer::NotNeeded => Role::Dim,
    }
}

/// How the table is cut into columns; the same for all its lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    class: Class,
    width: u16,
    address: usize,
    version: usize,
    target: usize,
    /// The h1 gives way where it would cut an address: the archive's answer is mostly the same.
    has_h1: bool,
}

impl Columns {
    /// The address takes what it needs of what the others leave; in a wide window the notes take the rest.
    pub(super) fn of(shape: Shape, class: Class, width: u16) -> Self {
        let free = usize::from(width).saturating_sub(1 + STATE + 1);
        let (version, target) = match class {
            Class::Wide => (shape.version.clamp(8, 12), shape.target.clamp(11, 16)),
            Class::Medium => (shape.version.clamp(7, 9), shape.target.clamp(10, 13)),
            _ => (shape.version.clamp(7, 8), shape.target.clamp(10, 13)),
        };
        let answers = match class {
            Class::Wide => SIZE + 1 + (ANSWER + 2) + (ANSWER + 1) * 2 + SIG + 1 + SHORTEST_NOTE,
            Class::Medium => (ANSWER + 1) * 3 + SHORT_SIG,
            _ => ANSWER,
        };
        let mut rest = free.saturating_sub(version + 1 + target + 1 + answers + 1);
        let has_h1 = class != Class::Medium || shape.address <= rest;
        rest += if has_h1 { 0 } else { ANSWER + 1 };
        let (address, version) = if class == Class::Narrow && width < SLIM {
            // One of them says enough where all rows are of one entry; else the address does.
            let rest = free.saturating_sub(target + 1 + ANSWER + 1);
            if shape.is_of_one { (0, rest) } else { (rest, 0) }
        } else {
            (rest.min(shape.address.max(column::ADDRESS.short.len())), version)
        };
        Self { class, width, address, version, target, has_h1 }
    }
}

/// The heads of the columns.
pub(super) fn heads(paint: &Paint<'_>, columns: Columns) -> Line<'static> {
    let Columns { class, width, address, version, target, has_h1 } = columns;
    let is_wide = class == Class::Wide;
    let mut strip = Strip::new(paint, width);
    strip.gap(1).cell(Role::Title, &format!("S {}", column::STATE.short), STATE, Cut::End);
    let of_four = |cells: usize| if class == Class::Narrow { 0 } else { cells };
    let columns = [
        (column::ADDRESS, address, Cut::End),
        (column::VERSION, version, Cut::End),
        (column::TARGET, target, Cut::End),
        (column::SIZE, if is_wide { SIZE } else { 0 }, Cut::Right),
        (column::ANSWER, ANSWER - of_four(ANSWER), Cut::End),
        (column::ZH_SUMS, of_four(ANSWER + usize::from(is_wide)), Cut::End),
        (column::ZH_ZIP, of_four(ANSWER), Cut::End),
        (column::H1, if has_h1 { of_four(ANSWER) } else { 0 }, Cut::End),
        (column::SIG, of_four(if is_wide { SIG } else { SHORT_SIG }), Cut::End),
    ];
    for (label, cells, cut) in columns.into_iter().filter(|(_, cells, _)| *cells > 0) {
        // Where there is little room, what both begin with goes.
        let name = if is_wide { label.short } else { label.short.trim_start_matches("ZH") };
        strip.gap(1).cell(Role::Title, name, cells, cut);
    }
    if is_wide {
        strip.gap(1).put(Role::Title, column::NOTE.short);
    }
    strip.line()
}

/// One line.
pub(super) fn line(
    paint: &Paint<'_>,
    run: &Run,
    entry: Entry<'_>,
    columns: Columns,
    under_cursor: bool,
) -> Line<'static> {
    let (rows, place) = match entry {
        Entry::Row(place) | Entry::Inside(place) => (vec![run.rows[place].as_ref()], place),
        Entry::Head(group) => (run.rows_of(group), group.first()),
    };
    let is_worked_on = match entry {
        Entry::Head(group) => group.places.iter().any(|place| run.doing(*place).is_some()),
        _ => run.doing(place).is_some(),
    };
    let Columns { class, width, address, version, target, has_h1 } = columns;
    let (role, word) = story::sign(&sign(run.state(place)), paint.glyphs);
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under_cursor { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.cell(role, &word, STATE, Cut::End);
    // What its head says is not said again.
    let names = if matches!(entry, Entry::Inside(_)) { Role::Dim } else { Role::Text };
    let about = subject(&rows);
    if address > 0 {
        strip.gap(1).cell(names, &about.address, address, Cut::Middle);
    }
    if version > 0 {
        strip.gap(1).cell(names, short_version(&about, version), version, Cut::End);
    }
    let heading = if matches!(entry, Entry::Head(_)) { Role::Fold } else { Role::Text };
    strip.gap(1).cell(heading, &about.target, target, Cut::End);
    let answers = rows[0].answers();
    let put = |strip: &mut Strip<'_>, answer: Answer, cells: usize, is_archive: bool| {
        // What is worked on has no answer yet.
        let open = is_archive && answer == Answer::NotDone && is_worked_on;
        let word = if open { ".." } else { answer.word() };
        strip.gap(1).cell(answer_role(answer), word, cells, Cut::End);
    };
    let signed = signed(answers.signature, Form::Short);
    if class == Class::Narrow {
        let is_bad = |answer: Answer| matches!(answer_role(answer), Role::Act);
        let of_file = [answers.zh_sums, answers.zh_zip, answers.h1];
        match of_file.into_iter().find(|answer| is_bad(*answer)) {
            None if is_bad(answers.signature) => {
                strip.gap(1).cell(answer_role(answers.signature), signed, ANSWER, Cut::End);
            }
            found => put(&mut strip, found.unwrap_or(answers.zh_sums), ANSWER, false),
        }
        return strip.line();
    }
    if class == Class::Wide {
        let size = match rows[..] {
            [_] => size_of(run, place),
            _ => size(&rows).map_or_else(|| "-".into(), bytes),
        };
        strip.gap(1).cell(Role::Dim, &size, SIZE, Cut::Right);
    }
    put(&mut strip, answers.zh_sums, if class == Class::Wide { ANSWER + 1 } else { ANSWER }, false);
    put(&mut strip, answers.zh_zip, ANSWER, true);
    if has_h1 {
        put(&mut strip, answers.h1, ANSWER, true);
    }
    let cells = if class == Class::Wide { SIG } else { SHORT_SIG };
    strip.gap(1).cell(answer_role(answers.signature), signed, cells, Cut::End);
    if class == Class::Wide {
        let note = if rows.len() == 1 { note(run, place) } else { notes(rows[0]).join("; ") };
        strip.gap(1).put(Role::Dim, &note);
    }
    strip.line()
}

/// The version, or how many; where there is no room for that, that they are several.
fn short_version(about: &Subject, cells: usize) -> &str {
    let is_count = about.version.ends_with(" versions");
    if is_count && about.version.len() > cells { "several" } else { &about.version }
}

fn size_of(run: &Run, place: usize) -> String {
    let known = run.rows[place].size_bytes();
    match (run.doing(place), known) {
        (Some((State::Hashing, read)), _) | (Some((_, read)), None) => bytes(read),
        (Some((_, read)), Some(size)) => figures_of(read.min(size), size),
        (None, Some(size)) => bytes(size),
        (None, None) => "-".into(),
    }
}

/// What there is to say of a row in a few words.
fn note(run: &Run, place: usize) -> String {
    let row = &run.rows[place];
    if let Some((state, read)) = run.doing(place) {
        if state == State::Hashing {
            return String::new();
        }
        let percent = row.size_bytes().filter(|size| *size > 0).map(|size| read.min(size) * 100 / size);
        return percent.map(|percent| format!("{percent}%")).unwrap_or_default();
    }
    notes(row).join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_comes_before_a_note_that_is_told_below() {
        let shape = Shape { address: 25, version: 10, target: 13, is_of_one: false };
        assert_eq!(Columns::of(shape, Class::Wide, 120).address, 25);
    }

    #[test]
    fn an_address_comes_before_an_answer_that_is_told_below() {
        let columns = |address| {
            let shape = Shape { address, version: 6, target: 13, is_of_one: false };
            let Columns { address, has_h1, .. } = Columns::of(shape, Class::Medium, 80);
            (address, has_h1)
        };
        assert_eq!([12, 18, 25, 40].map(columns), [(12, true), (18, true), (25, false), (27, false)]);
    }
}
