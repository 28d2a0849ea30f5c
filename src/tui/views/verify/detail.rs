//! What rows say in full: what is stored, what upstream has today, how to read that, and what can be done.

use ratatui::text::Line;

use crate::desk::telling::Fact;
use crate::desk::telling::entry::YOU_CAN;
use crate::desk::telling::target::{sign, subject};
use crate::desk::telling::verification::{answers, facts, signature};
use crate::rules::amount::bytes;
use crate::rules::verify::{Listed, Row, State, Zip};
use crate::tui::base::text;
use crate::tui::base::text::short_hash;
use crate::tui::base::theme::Role;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Paint, Strip};

/// The longest label and a blank.
const LABEL: usize = 18;

/// Everything that is known of rows. Of facts under one label, the first has it.
pub(super) fn whole(paint: &Paint<'_>, rows: &[&Row], state: State, width: u16) -> Vec<Line<'static>> {
    if rows.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![head(paint, rows, state, width)];
    let mut last = None;
    for Fact { label, text, tone, .. } in facts(rows).into_iter().chain([answers(rows)]) {
        let name = if last == Some(label) { "" } else { label.short };
        last = Some(label);
        lines.extend(story::labelled_at(paint, (2, LABEL), (name, Role::meant(tone), &text), width));
    }
    lines
}

fn head(paint: &Paint<'_>, rows: &[&Row], state: State, width: u16) -> Line<'static> {
    let (role, word) = story::sign(&sign(state), paint.glyphs);
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(role, &word).gap(1);
    strip.put(Role::Title, &title(rows));
    if let [row] = rows {
        strip.right(Role::Dim, &format!("{} ", row.address.path()));
    }
    strip.line()
}

fn title(rows: &[&Row]) -> String {
    let about = subject(rows);
    let link = if rows.len() == 1 { " " } else { ", " };
    format!("{} {}{link}{}", about.address, about.version, about.target)
}

/// The same in few lines: for the pane of a medium or narrow window. Of many rows what they have in common.
pub(super) fn short(paint: &Paint<'_>, rows: &[&Row], width: u16, height: u16) -> Vec<Line<'static>> {
    let [row, ..] = rows else { return Vec::new() };
    let told = match rows {
        [_] => row.reading(),
        _ => Some(row.reasons().join("; ")).filter(|reasons| !reasons.is_empty()),
    };
    let told = told.unwrap_or_else(|| match row.size_bytes() {
        Some(size) if rows.len() == 1 => format!("{}; {}", bytes(size), signature(&row.signature)),
        _ => signature(&row.signature),
    });
    let steps = row.steps();
    let mut parts = Vec::new();
    let cells = usize::from(width).saturating_sub(2);
    match rows {
        // The address stands in the table.
        [row] if row.state() == State::Mismatch && height > 2 => {
            let whole = format!("{} {}: {}", row.version, row.target, sums(paint, row));
            parts.push((Role::Text, if text::width(&whole) > cells { sums(paint, row) } else { whole }));
        }
        [row] if row.state() == State::Mismatch => parts.push((Role::Text, sums(paint, row))),
        _ if height > 2 => {
            let title = title(rows);
            let title = text::clean(&title, paint.glyphs);
            parts.push((Role::Title, text::elide_middle(&title, cells, paint.glyphs).into_owned()));
        }
        _ => {}
    }
    let step = steps.first().filter(|_| height > 2);
    let room = usize::from(height).saturating_sub(parts.len() + usize::from(step.is_some()));
    let mut wrapped = text::wrap(&text::clean(&told, paint.glyphs), cells);
    if let Some(cut) = wrapped.get(room).filter(|_| room > 0) {
        // There is more of it, and it says so.
        wrapped[room - 1] =
            text::elide_end(&format!("{} {cut}", wrapped[room - 1]), cells, paint.glyphs).into_owned();
    }
    parts.extend(wrapped.into_iter().take(room).map(|part| (Role::Text, part)));
    let mut lines: Vec<Line<'static>> =
        parts.iter().map(|(role, part)| Strip::new(paint, width).gap(1).put(*role, part).line()).collect();
    if let Some(step) = step {
        let mut strip = Strip::new(paint, width);
        lines.push(strip.gap(1).put(Role::Dim, YOU_CAN.short).gap(1).put(Role::Notice, step).line());
    }
    lines
}

/// What is stored beside what is there today.
fn sums(paint: &Paint<'_>, row: &Row) -> String {
    let today = match (&row.zip, &row.listed) {
        (Zip::Hashed(computed), _) => short_hash(&computed.sha256, paint.glyphs),
        (_, Listed::Sum { sum }) => short_hash(sum, paint.glyphs),
        _ => "not known".into(),
    };
    format!("stored {}, upstream {today}", short_hash(&row.stored.shasum, paint.glyphs))
}
