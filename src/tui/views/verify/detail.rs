//! The details of rows: the conclusion, a grid of the platforms, the values that differ, a time line, and every other fact.

use ratatui::text::Line;

use crate::desk::telling::entry::YOU_CAN;
use crate::desk::telling::target::{conclusion, sign, subject};
use crate::desk::telling::verification::{Difference, Event};
use crate::desk::telling::{Fact, verification};
use crate::rules::amount::{bytes, minute};
use crate::rules::diff::PlatformTable;
use crate::rules::verify::{Listed, Row, State, Zip};
use crate::tui::base::text;
use crate::tui::base::text::short_hash;
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::{Cut, Paint, Strip};
use crate::tui::widgets::{compare, grid, story};

/// The longest label and a blank.
const LABEL: usize = 18;
/// The most targets whose checksums are listed.
const MOST_CHECKSUMS: usize = 40;

/// The rows under the cursor, and what is known around them.
pub(super) struct Details<'a> {
    pub(super) rows: Vec<&'a Row>,
    pub(super) state: State,
    /// All platforms of the version; `None` unless the rows are several of one version.
    pub(super) grid: Option<PlatformTable>,
    /// The details have the whole view: nothing stands beside them.
    pub(super) is_expanded: bool,
}

/// Everything that is known of rows. Of facts under one label, the first has it.
pub(super) fn whole(paint: &Paint<'_>, details: &Details<'_>, width: u16) -> Vec<Line<'static>> {
    let rows = &details.rows[..];
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = head(paint, details, width);
    let differences = match rows {
        [one] => verification::differences(one),
        _ => Vec::new(),
    };
    let is_drawn = |fact: &Fact| {
        let is_compared = |one: &Difference| one.sides.iter().any(|(label, _)| *label == fact.label);
        verification::is_time(fact.label)
            || (verification::is_list_of_targets(fact.label) && details.grid.is_some())
            || differences.iter().any(is_compared)
    };
    let mut last = None;
    // The picture stands below the explanation.
    let (mut is_proven, mut has_times) = (false, false);
    // The columns of a wide table have the answers.
    let answers = details.is_expanded.then(|| verification::answers(rows));
    for fact in verification::facts(rows).into_iter().chain(answers) {
        if !verification::is_why(fact.label) && !std::mem::replace(&mut is_proven, true) {
            lines.extend(proof(paint, details, &differences, width));
        }
        // The times of one target stand among its facts.
        let is_first_time = rows.len() == 1 && verification::is_time(fact.label);
        if is_first_time && !std::mem::replace(&mut has_times, true) {
            lines.extend(
                time_line(paint, details, width)
                    .map_or_else(|| times(paint, details, width), |line| vec![line]),
            );
        }
        if is_drawn(&fact) {
            continue;
        }
        let name = if last == Some(fact.label) { "" } else { fact.label.short };
        last = Some(fact.label);
        lines.extend(labelled(paint, name, &fact, width));
    }
    lines
}

/// The picture below the conclusion: the values that differ, the grid and the checksums of its targets, and the time line.
fn proof(
    paint: &Paint<'_>,
    details: &Details<'_>,
    differences: &[Difference],
    width: u16,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for Difference { sides } in differences {
        let label = |at: usize| format!("{:<cells$}", sides[at].0.short, cells = LABEL - 1);
        let labels = [label(0), label(1)];
        let sides = [(&*labels[0], &*sides[0].1), (&*labels[1], &*sides[1].1)];
        lines.extend(compare::lines(paint, 2, sides, width));
    }
    let is_group = details.rows.len() > 1;
    let time_line = if is_group { time_line(paint, details, width) } else { None };
    let has_line = time_line.is_some();
    lines.extend(time_line);
    if let Some(platforms) = &details.grid {
        lines.extend(grid::platforms(paint, platforms, verification::legend, width));
    }
    if is_group && !has_line {
        lines.extend(times(paint, details, width));
    }
    lines.extend(checksums(paint, &details.rows, width));
    lines
}

/// A table of the stored checksums beside those of today, where several rows differ.
fn checksums(paint: &Paint<'_>, rows: &[&Row], width: u16) -> Vec<Line<'static>> {
    let found: Vec<[String; 3]> = match rows {
        [_] => Vec::new(),
        rows => rows.iter().filter_map(|row| verification::checksums(row)).collect(),
    };
    if found.is_empty() {
        return Vec::new();
    }
    let row = |role: Role, cells: [&str; 3]| {
        let mut strip = Strip::new(paint, width);
        strip.gap(2).cell(Role::Dim, cells[0], LABEL, Cut::End);
        for text in &cells[1..] {
            strip.cell(role, text, LABEL, Cut::End);
        }
        strip.line()
    };
    let mut lines = vec![row(Role::Dim, verification::CHECKSUM_HEADS.map(|label| label.short))];
    for [target, stored, today] in found.iter().take(MOST_CHECKSUMS) {
        let hashes = [stored, today].map(|hash| short_hash(hash, paint.glyphs));
        lines.push(row(Role::Text, [target, &hashes[0], &hashes[1]]));
    }
    if let Some(more) = found.len().checked_sub(MOST_CHECKSUMS).filter(|more| *more > 0) {
        lines.push(row(Role::Dim, [&format!("and {more} more"), "", ""]));
    }
    lines
}

/// The known times of one version, one below the other.
fn times(paint: &Paint<'_>, details: &Details<'_>, width: u16) -> Vec<Line<'static>> {
    let facts = verification::time_facts(&events(details)).into_iter();
    facts.flat_map(|fact| labelled(paint, fact.label.short, &fact, width)).collect()
}

fn events(details: &Details<'_>) -> Vec<Event> {
    let is_of_one = verification::is_of_one_version(&details.rows);
    if is_of_one { verification::events(&details.rows) } else { Vec::new() }
}

fn labelled(paint: &Paint<'_>, label: &str, fact: &Fact, width: u16) -> Vec<Line<'static>> {
    story::labelled_at(paint, (2, LABEL), (label, Role::meant(fact.tone), &fact.text), width)
}

/// The known times in one line, with the time between them; `None` if they do not fit, if there is only one, or if the details have
/// room for a line each. A day stands where it begins.
fn time_line(paint: &Paint<'_>, details: &Details<'_>, width: u16) -> Option<Line<'static>> {
    if details.is_expanded {
        return None;
    }
    let events = events(details);
    let mut strip = Strip::new(paint, width);
    strip.gap(2);
    let mut before: Option<&Event> = None;
    let dash = paint.glyphs.rule();
    for event in &events {
        let at = minute(event.at);
        let (day, time) = at.split_once(' ').unwrap_or(("", &at));
        let is_same_day = before.is_some_and(|before| minute(before.at).starts_with(day));
        let gap = before.map(|before| format!(" {dash} {} {dash} ", verification::between(before, event)));
        let gap = gap.unwrap_or_default();
        let at = if is_same_day { time } else { &at };
        if text::width(&gap) + text::width(event.label.short) + 1 + text::width(at) >= strip.room() {
            return None;
        }
        let role = Role::meant(event.tone);
        strip.put(Role::Dim, &gap).put(role, event.label.short).gap(1).put(role, at);
        before = Some(event);
    }
    (events.len() > 1).then(|| strip.line())
}

/// The state, and whose fault it is where that is known and has room; else the conclusion in a few words.
fn head(paint: &Paint<'_>, details: &Details<'_>, width: u16) -> Vec<Line<'static>> {
    let (role, word) = story::sign(&sign(details.state), paint.glyphs);
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(role, &word);
    if details.rows.iter().all(|row| row.state() == details.state) {
        let row = details.rows[0];
        strip.gap(2);
        let fault = row.fault().filter(|fault| text::width(fault) <= strip.room());
        strip.put(Role::Title, &fault.map_or_else(|| conclusion(row), str::to_owned));
    }
    vec![strip.line()]
}

/// The subject of rows: `acme/rocket 1.0.0 linux_amd64`, `acme/rocket 1.0.0, 11 targets`.
pub(super) fn title(rows: &[&Row]) -> String {
    let about = subject(rows);
    let link = if rows.len() == 1 { " " } else { ", " };
    format!("{} {}{link}{}", about.address, about.version, about.target)
}

/// The conclusion in few lines, for the pane of a medium or narrow window; with the grid of platforms where that fits, and then all
/// of the explanation below it.
pub(super) fn short(paint: &Paint<'_>, details: &Details<'_>, width: u16, height: u16) -> Vec<Line<'static>> {
    let rows = &details.rows[..];
    let [row, ..] = rows else { return Vec::new() };
    if let Some(lines) = with_grid(paint, details, width).filter(|(least, _)| *least <= usize::from(height)) {
        return lines.1;
    }
    let reading = match rows {
        [_] => row.reading(),
        _ => Some(row.reasons().join("; ")).filter(|reasons| !reasons.is_empty()),
    };
    let summary = || {
        let found = conclusion(row);
        let size = row.size_bytes().filter(|_| rows.len() == 1).map(bytes);
        let parts = [
            Some(found).filter(|text| !text.is_empty()),
            size,
            Some(verification::signature(&row.signature)),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    };
    let reading = reading.unwrap_or_else(summary);
    let cells = usize::from(width).saturating_sub(2);
    let has_room = height > 2;
    let sums = match rows {
        [row] if row.state() == State::Mismatch => Some(sums(paint, row)),
        _ => None,
    };
    // In two lines the conclusion has few words.
    let reading = match &sums {
        Some(_) if !has_room => conclusion(row),
        _ => reading,
    };
    let step = row.steps().into_iter().next().filter(|_| has_room);
    let room = usize::from(height).saturating_sub(usize::from(sums.is_some()) + usize::from(step.is_some()));
    let mut wrapped = text::wrap(&text::clean(&reading, paint.glyphs), cells);
    if let Some(cut) = wrapped.get(room).filter(|_| room > 0) {
        // There is more of it, and it says so.
        wrapped[room - 1] =
            text::elide_end(&format!("{} {cut}", wrapped[room - 1]), cells, paint.glyphs).into_owned();
    }
    let parts = wrapped.into_iter().take(room).chain(sums);
    let mut lines: Vec<Line<'static>> =
        parts.map(|part| Strip::new(paint, width).gap(1).put(Role::Text, &part).line()).collect();
    if let Some(step) = step {
        let mut strip = Strip::new(paint, width);
        lines.push(strip.gap(1).put(Role::Dim, YOU_CAN.short).gap(1).put(Role::Notice, step).line());
    }
    lines
}

/// The conclusion, the grid, the next steps and the explanation, and the number of lines down to the end of the grid; `None` without a
/// grid.
fn with_grid(paint: &Paint<'_>, details: &Details<'_>, width: u16) -> Option<(usize, Vec<Line<'static>>)> {
    let mut lines = head(paint, details, width);
    lines.extend(grid::platforms(paint, details.grid.as_ref()?, verification::legend, width));
    let least = lines.len();
    let (steps, reading): (Vec<Fact>, Vec<Fact>) = verification::facts(&details.rows)
        .into_iter()
        .filter(|fact| verification::is_why(fact.label))
        .partition(|fact| fact.label == YOU_CAN);
    for fact in steps.iter().chain(&reading) {
        let label = (fact.label.short, Role::meant(fact.tone), &*fact.text);
        lines.extend(story::labelled_at(paint, (1, YOU_CAN.short.len() + 1), label, width));
    }
    Some((least, lines))
}

/// The stored checksum beside the one upstream today.
fn sums(paint: &Paint<'_>, row: &Row) -> String {
    let today = match (&row.zip, &row.listed) {
        (Zip::Hashed(computed), _) => short_hash(&computed.sha256, paint.glyphs),
        (_, Listed::Sum { sum }) => short_hash(sum, paint.glyphs),
        _ => "not known".into(),
    };
    format!("stored {}, upstream {today}", short_hash(&row.stored.shasum, paint.glyphs))
}
