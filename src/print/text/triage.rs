//! The answers of a triage for people: one whole, or a line for each of a list.

use jiff::Timestamp;

use crate::boot::Ui;
use crate::desk::telling::triage::{READING, line, sheet, sign};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::rules::triage::Triage;

/// Cells of the labels.
const LABEL: usize = 11;

/// All that is told of one.
pub(crate) fn triaged(ui: &Ui, triage: &Triage, now: Timestamp) -> Vec<Line> {
    let between = if ui.plain { ", " } else { "  " };
    let mut title = Line::default().color(Color::Bold, triage.subject()).text(between);
    title = title.text(format!("{}{between}", triage.address.kind().word()));
    let title = match sign(triage) {
        Some(sign) => text::sign(title, ui, &sign),
        None => title.text(READING),
    };
    let facts = sheet(triage, now);
    let lines = facts.iter().filter_map(|fact| text::fact(ui, LABEL, fact, |_| None));
    std::iter::once(title).chain(lines).collect()
}

/// One of a list.
pub(crate) fn listed_triage(ui: &Ui, triage: &Triage) -> Line {
    let begin = Line::default();
    let begin = match sign(triage) {
        Some(sign) => text::sign(begin, ui, &sign).text(" "),
        None => begin,
    };
    begin.text(line(triage)).hanging(2)
}
