//! The stranded board for people: by column and cause, a card a line; and one card whole.

use jiff::Timestamp;

use crate::boot::Ui;
use crate::desk::telling::stranded::{line, sheet, sign, title, ways};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::rules::amount::grouped;
use crate::rules::stranded::{Card, Cause, Column};

/// Cells of the labels.
const LABEL: usize = 10;

/// Cards in the order of the board, each with whether it is new.
pub(crate) fn cards(ui: &Ui, cards: &[(&Card, bool)], now: Timestamp) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut before: Option<(Column, Cause)> = None;
    let count = |fits: &dyn Fn(&Card) -> bool| cards.iter().filter(|(card, _)| fits(card)).count();
    for (card, is_new) in cards {
        let place = (card.column, card.cause);
        if before.is_none_or(|(column, _)| column != card.column) {
            let in_column = count(&|other| other.column == card.column);
            lines.push(
                Line::default()
                    .color(Color::Bold, heading(ui, title(card.column).form(text::form(ui)), in_column)),
            );
        }
        if before != Some(place) {
            let alike = count(&|other| (other.column, other.cause) == place);
            lines.push(Line::of(format!("  {}", heading(ui, card.cause.words(), alike))));
        }
        before = Some(place);
        lines.push(card_line(ui, card, *is_new, now));
    }
    lines
}

fn heading(ui: &Ui, words: &str, count: usize) -> String {
    let count = grouped(count);
    if ui.plain { format!("{words}: {count}") } else { format!("{words}  {count}") }
}

/// `    % BACKOFF acme/rocket 1.1.0: why`.
fn card_line(ui: &Ui, card: &Card, is_new: bool, now: Timestamp) -> Line {
    let begin = Line::of(if is_new { "  new " } else { "    " });
    text::sign(begin, ui, &sign(card)).text(format!(" {}", line(card, now))).hanging(6)
}

/// One, with its story and the ways on.
pub(crate) fn card(ui: &Ui, card: &Card, now: Timestamp) -> Vec<Line> {
    let between = if ui.plain { ", " } else { "  " };
    let head = Line::default().color(Color::Bold, card.subject()).text(between);
    let head = text::sign(head, ui, &sign(card));
    let facts = sheet(card, now).into_iter().chain(ways(card));
    let lines = facts.filter_map(|fact| text::fact(ui, LABEL, &fact, |_| None));
    std::iter::once(head).chain(lines).collect()
}
