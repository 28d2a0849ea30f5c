//! What one row says in full: what is stored, what upstream has today, how to read that, and what can be done.

use ratatui::text::Line;

use crate::desk::telling::Fact;
use crate::desk::telling::entry::YOU_CAN;
use crate::desk::telling::verification::{answers, facts, sign, signature};
use crate::rules::amount::bytes;
use crate::rules::verify::{Listed, Row, State, Zip};
use crate::tui::base::text;
use crate::tui::base::text::short_hash;
use crate::tui::base::theme::Role;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Paint, Strip};

/// The longest label and a blank.
const LABEL: usize = 18;

/// Everything that is known of a row. Of facts under one label, the first has it.
pub(super) fn whole(paint: &Paint<'_>, row: &Row, state: State, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![head(paint, row, state, width)];
    let mut last = None;
    for Fact { label, text, tone, .. } in facts(row).into_iter().chain([answers(row)]) {
        let name = if last == Some(label) { "" } else { label.short };
        last = Some(label);
        lines.extend(story::labelled_at(paint, (2, LABEL), (name, Role::meant(tone), &text), width));
    }
    lines
}

fn head(paint: &Paint<'_>, row: &Row, state: State, width: u16) -> Line<'static> {
    let (role, word) = story::sign(&sign(state), paint.glyphs);
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(role, &word).gap(1);
    strip.put(Role::Title, &format!("{} {} {}", row.address, row.version, row.target));
    strip.right(Role::Dim, &format!("{} ", row.address.path())).line()
}

/// The same in few lines: for the pane of a medium or narrow window.
pub(super) fn short(paint: &Paint<'_>, row: &Row, width: u16, height: u16) -> Vec<Line<'static>> {
    let today = match (&row.zip, &row.listed) {
        (Zip::Hashed(computed), _) => short_hash(&computed.sha256),
        (_, Listed::Sum { sum }) => short_hash(sum),
        _ => "not known".into(),
    };
    let sums = format!("stored {}, upstream {today}", short_hash(&row.stored.shasum));
    let mut lines = Vec::new();
    let mut first = Strip::new(paint, width);
    first.gap(1);
    if height > 2 {
        first
            .put(Role::Title, &format!("{} {} {}", row.address.name(), row.version, row.target))
            .put(Role::Text, ": ");
    }
    lines.push(first.put(Role::Text, &sums).line());
    let told = row.reading().unwrap_or_else(|| match row.size_bytes() {
        Some(size) => format!("{}; {}", bytes(size), signature(&row.signature)),
        None => signature(&row.signature),
    });
    let steps = row.steps();
    let room = usize::from(height).saturating_sub(1 + usize::from(height > 2 && !steps.is_empty()));
    let clean = text::clean(&told, paint.glyphs);
    let cells = usize::from(width).saturating_sub(2);
    let mut parts = text::wrap(&clean, cells);
    if let Some(cut) = parts.get(room).filter(|_| room > 0) {
        // It goes on, and says so.
        parts[room - 1] = text::elide_end(&format!("{} {cut}", parts[room - 1]), cells).into_owned();
    }
    lines.extend(
        parts.iter().take(room).map(|part| Strip::new(paint, width).gap(1).put(Role::Text, part).line()),
    );
    if let Some(step) = steps.first().filter(|_| height > 2) {
        lines.push(
            Strip::new(paint, width)
                .gap(1)
                .put(Role::Dim, YOU_CAN.short)
                .gap(1)
                .put(Role::Notice, step)
                .line(),
        );
    }
    lines
}
