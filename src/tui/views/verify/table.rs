//! The table: one line a target, with its four answers. Narrow windows keep the word and the first answer.

use ratatui::text::Line;

use crate::desk::run::{Run, Shape};
use crate::desk::telling::column;
use crate::desk::telling::verification::{notes, sign, signed};
use crate::rules::amount::{Form, bytes, counted};
use crate::rules::verify::{Answer, State};
use crate::tui::base::layout::Class;
use crate::tui::base::theme::Role;
use crate::tui::views::verify::gauges::figures_of;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

const STATE: usize = 10;
/// `112.1/271.0`.
const SIZE: usize = 11;
/// `differ`.
const ANSWER: usize = 6;
const SIG: usize = 6;
/// Columns below which one of address and version gives way.
const SLIM: u16 = 56;

fn answer_role(answer: Answer) -> Role {
    match answer {
        Answer::Same => Role::Fine,
        Answer::Differ => Role::Wrong,
        Answer::Gone => Role::Lost,
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
}

impl Columns {
    /// The address takes what the others leave.
    pub(super) fn of(shape: Shape, class: Class, width: u16) -> Self {
        let free = usize::from(width).saturating_sub(1 + STATE + 1);
        let (version, target) = match class {
            Class::Wide => (shape.version.clamp(7, 12), shape.target.clamp(11, 16)),
            Class::Medium => (shape.version.clamp(7, 9), shape.target.clamp(11, 13)),
            _ => (shape.version.clamp(7, 8), shape.target.clamp(9, 13)),
        };
        let answers = match class {
            Class::Wide => SIZE + 1 + (ANSWER + 2) + (ANSWER + 1) * 2 + SIG + 1 + 20,
            Class::Medium => (ANSWER + 1) * 3 + SIG,
            _ => ANSWER,
        };
        let rest = free.saturating_sub(version + 1 + target + 1 + answers + 1);
        let (address, version) = if class == Class::Narrow && width < SLIM {
            // One of them says enough where all rows are of one entry; else the name does.
            let rest = free.saturating_sub(target + 1 + ANSWER + 1);
            if shape.is_of_one { (0, rest) } else { (rest, 0) }
        } else {
            (rest.min(if class == Class::Wide { 34 } else { 40 }), version)
        };
        Self { class, width, address, version, target }
    }
}

/// The heads of the columns.
pub(super) fn heads(paint: &Paint<'_>, columns: Columns) -> Line<'static> {
    let Columns { class, width, address, version, target } = columns;
    let is_wide = class == Class::Wide;
    let mut strip = Strip::new(paint, width);
    strip.gap(1).cell(Role::Title, &format!("S {}", column::STATE.short), STATE, Cut::End);
    let columns = [
        (column::ADDRESS, address, Cut::End),
        (column::VERSION, version, Cut::End),
        (column::TARGET, target, Cut::End),
        (column::SIZE, if is_wide { SIZE } else { 0 }, Cut::Right),
        (column::ZH_SUMS, ANSWER + usize::from(is_wide), Cut::End),
        (column::ZH_ZIP, ANSWER, Cut::End),
        (column::H1, ANSWER, Cut::End),
        (column::SIG, SIG, Cut::End),
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

/// One row.
pub(super) fn row_line(
    paint: &Paint<'_>,
    run: &Run,
    place: usize,
    columns: Columns,
    under_cursor: bool,
) -> Line<'static> {
    let row = &run.rows[place];
    let state = run.state(place);
    let Columns { class, width, address, version, target } = columns;
    let (role, word) = story::sign(&sign(state), paint.glyphs);
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under_cursor { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.cell(role, &word, STATE, Cut::End);
    if address > 0 {
        let whole = row.address.to_string();
        strip.gap(1).cell(
            Role::Text,
            if whole.len() > address { row.address.name() } else { &whole },
            address,
            Cut::Middle,
        );
    }
    if version > 0 {
        strip.gap(1).cell(Role::Text, &row.version, version, Cut::End);
    }
    strip.gap(1).cell(Role::Text, &row.target, target, Cut::End);
    let answers = row.answers();
    let put = |strip: &mut Strip<'_>, answer: Answer, cells: usize, is_archive: bool| {
        // What is worked on has no answer yet.
        let open = is_archive && answer == Answer::NotDone && run.doing(place).is_some();
        let word = if open { ".." } else { answer.word() };
        strip.gap(1).cell(answer_role(answer), word, cells, Cut::End);
    };
    if class == Class::Narrow {
        put(&mut strip, answers.zh_sums, ANSWER, false);
        return strip.line();
    }
    if class == Class::Wide {
        strip.gap(1).cell(Role::Dim, &size(run, place), SIZE, Cut::Right);
    }
    put(&mut strip, answers.zh_sums, if class == Class::Wide { ANSWER + 1 } else { ANSWER }, false);
    put(&mut strip, answers.zh_zip, ANSWER, true);
    put(&mut strip, answers.h1, ANSWER, true);
    let signed = signed(answers.signature, Form::Short);
    strip.gap(1).cell(answer_role(answers.signature), signed, SIG, Cut::End);
    if class == Class::Wide {
        strip.gap(1).put(Role::Dim, &note(run, place));
    }
    strip.line()
}

fn size(run: &Run, place: usize) -> String {
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
    notes(row).into_iter().next().unwrap_or_default()
}

/// The line of the fold.
pub(super) fn fold_line(
    paint: &Paint<'_>,
    hidden: usize,
    key: &str,
    width: u16,
    under_cursor: bool,
) -> Line<'static> {
    let rows = counted(hidden, "more OK row");
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under_cursor { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.put(Role::Fold, &format!("... {rows} folded ({key} shows them)")).line()
}
