//! Draws a form: a field a line with its help or error below it, the keys of the field with the cursor at the foot, and what the
//! form would send at the right, or below where the window is narrow.
//!
//! ```text
//! +- Your verdict ----------------------------------------------------------------+
//! | On #12. Nothing is posted before its gates pass.                              |
//! |                                                                               |
//! | verdict        -  approve                                                     |
//! |                   only SAME can be approved; the result is DIFFERS            |
//! |               (*) request changes                                             |
//! |               ( ) comment                                                     |
//! | your words    |the checksum of linux_amd64 differs                           ||
//! |               |                                                              ||
//! | line comments [x] beside the lines that differ                                |
//! |                                                                               |
//! | an approval posts none; Space turns it on or off                              |
//! +-------------------------------------------------------------------------------+
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::form::{FieldKind, FieldNote};
use crate::tui::base::layout::{Area, Size};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::{Command, Context};
use crate::tui::widgets::form::{FormCard, FormInput};
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Cut, Paint, Strip, lay, wall};

/// Lines that a page of the preview scrolls.
pub(super) const PAGE: usize = 10;

/// From so many columns the preview stands at the right of the fields.
const BESIDE: u16 = 110;

/// The widest form without a preview beside it, and with one. In a window that is little wider it takes all columns.
const WIDEST: [u16; 2] = [90, 150];

/// The most rows of a text of several lines that has no more room than others leave it.
const TEXT_ROWS: usize = 5;

/// The cells of the edges of a field.
const EDGES: usize = 2;

/// A window of fewer rows has no room for air.
const LOW: u16 = 24;

/// The columns of the box and of the fields in it.
fn columns(size: Size, has_preview: bool) -> (u16, u16) {
    let is_beside = has_preview && size.columns >= BESIDE;
    let columns = layout::broad(size, WIDEST[usize::from(is_beside)]);
    let inner = columns.saturating_sub(4);
    (columns, if is_beside { (inner * 42 / 100).saturating_sub(1) } else { inner })
}

/// The cells of the labels, and of a blank behind them.
fn label_cells(card: &FormCard) -> usize {
    card.form.fields.iter().map(|field| field.label.len()).max().unwrap_or(0) + 1
}

/// Returns true if the preview stands at the right of the fields.
fn is_beside(size: Size, card: &FormCard) -> bool {
    card.form.has_preview && size.columns >= BESIDE
}

/// The cells of a text of several lines.
pub(super) fn text_cells(size: Size, card: &FormCard) -> usize {
    let (_, width) = columns(size, card.form.has_preview);
    usize::from(width).saturating_sub(label_cells(card) + EDGES)
}

/// Draws the form with the meanings of its texts and the lines that it would send; gives the place of the text cursor.
pub(crate) fn view(
    paint: &Paint<'_>,
    card: &FormCard,
    (notes, preview): (&[FieldNote], &[String]),
    buffer: &mut Buffer,
) -> Position {
    let (columns, width) = columns(paint.size, card.form.has_preview);
    let is_beside = is_beside(paint.size, card);
    let is_roomy = paint.size.rows >= LOW;
    // A text of several lines looks like one, where that takes little from what is sent.
    let least = if !is_roomy {
        1
    } else if card.form.has_preview && !is_beside {
        2
    } else {
        3
    };
    let all = |rows: usize| lines(paint, card, notes, (width, rows));
    let (mut lines, (mut row, mut column)) = all(least);
    // The lines of the preview, each as it is broken, as far as they can have room.
    let preview_width = if is_beside { columns.saturating_sub(width + 7) } else { width };
    let most = usize::from(paint.size.rows);
    let cells = usize::from(preview_width).max(1);
    let broken = preview.iter().take(most).map(|line| text::wrap(line, cells).len().max(1));
    let preview_rows = if preview.is_empty() { 0 } else { broken.sum::<usize>() + 1 };
    let wanted =
        if is_beside { lines.len().max(preview_rows.min(most * 2 / 3)) } else { lines.len() + preview_rows };
    let area = layout::popup(paint.size, columns, u16::try_from(wanted + 2).unwrap_or(u16::MAX));
    let inner = popup::inside(area);
    popup::view(paint, area, card.form.title, &[], buffer);
    let spare = usize::from(inner.height).saturating_sub(lines.len());
    if is_beside && spare > 0 {
        (lines, (row, column)) = all(least + spare);
    }
    let mut left = Area { width, ..inner };
    left.height = left.height.min(lines.len() as u16);
    // A low window shows the lines around the cursor.
    let first = layout::first_visible(0, row, usize::from(left.height), lines.len());
    lay(buffer, left, &lines[first..]);
    let right = if is_beside {
        // A blank, the wall and a blank. The wall begins in the frame.
        let between = width + 3;
        let height = area.height.saturating_sub(1);
        wall(buffer, Area { x: inner.x + width + 1, y: area.y, width: 1, height }, paint);
        Area { x: inner.x + between, width: inner.width.saturating_sub(between), ..inner }
    } else {
        Area { y: inner.y + left.height, height: inner.height - left.height, ..inner }
    };
    draw_preview(paint, card, preview, right, buffer);
    let column = (column as u16).min(width.saturating_sub(1));
    Position::new(inner.x + column, inner.y + (row - first) as u16)
}

/// The lines at the left, and the row and the cell of the cursor. A text of several lines has `text_rows` rows.
fn lines(
    paint: &Paint<'_>,
    card: &FormCard,
    notes: &[FieldNote],
    (width, text_rows): (u16, usize),
) -> (Vec<Line<'static>>, (usize, usize)) {
    let mut lines = paint.wrapped(width, Role::Text, &card.form.about);
    let (fields, (row, column)) = fields(paint, card, notes, (width, text_rows));
    // A form of one line needs no air.
    let air = usize::from(card.inputs.len() > 1 && paint.size.rows >= LOW);
    lines.extend(std::iter::repeat_n(Line::default(), air));
    let row = lines.len() + row;
    lines.extend(fields);
    let foot = foot(paint, card, width);
    if !foot.is_empty() {
        lines.extend(std::iter::repeat_n(Line::default(), air));
    }
    lines.extend(foot);
    (lines, (row, column))
}

/// The lines of all fields, and the row and the cell of the cursor.
fn fields(
    paint: &Paint<'_>,
    card: &FormCard,
    notes: &[FieldNote],
    (width, text_rows): (u16, usize),
) -> (Vec<Line<'static>>, (usize, usize)) {
    let cells = label_cells(card);
    let room = usize::from(width).saturating_sub(cells);
    let inner = room.saturating_sub(EDGES);
    let is_low = paint.size.rows < LOW;
    let (mut lines, mut cursor) = (Vec::new(), (0, 0));
    for (place, (field, input)) in card.form.fields.iter().zip(&card.inputs).enumerate() {
        let is_at = place == card.at;
        let edge = if is_at { Role::Key } else { Role::Dim };
        let begin = |first: bool| {
            let mut strip = Strip::new(paint, width);
            strip.cell(edge, if first { field.label } else { "" }, cells, Cut::End);
            strip
        };
        let from = lines.len();
        let ink = if is_at { Role::Prompt } else { Role::Text };
        let (row, column) = match (input, &field.kind) {
            (FormInput::Text(area), _) => {
                let most = TEXT_ROWS.min(usize::from(paint.size.rows / 5)).max(text_rows);
                let seen = area.seen(paint.glyphs, inner, most);
                let is_empty = area.field.text().is_empty();
                let wall = paint.glyphs.wall();
                for row in 0..seen.rows.len().max(text_rows) {
                    let mut strip = begin(row == 0);
                    // Rows that are not seen.
                    let is_cut =
                        row == 0 && seen.hidden.0 > 0 || row + 1 == seen.rows.len() && seen.hidden.1 > 0;
                    let mark = if is_cut { paint.glyphs.pick("…", "..") } else { "" };
                    // An empty text says what it takes.
                    let (ink, text) = match seen.rows.get(row) {
                        _ if is_empty && row == 0 => (Role::Dim, field.help),
                        text => (ink, text.map_or("", String::as_str)),
                    };
                    let mark_cells = text::width(mark);
                    strip.put(edge, wall).cell(ink, text, inner - mark_cells, Cut::End);
                    lines.push(strip.put(Role::Dim, mark).put(edge, wall).line());
                }
                (seen.cursor.0, seen.cursor.1 + 1)
            }
            (FormInput::Line(input), kind) => {
                // A short text has a short field.
                let most = match kind {
                    FieldKind::Line { most, .. } => most + 1,
                    _ => inner,
                };
                let cells = inner.min(most);
                let seen = input.seen(paint.glyphs, cells);
                lines.push(
                    begin(true).put(edge, "[").cell(ink, &seen.text, cells, Cut::End).put(edge, "]").line(),
                );
                (0, seen.cursor + 1)
            }
            (FormInput::Choice(chosen), FieldKind::Choice { choices, .. }) => {
                let mut row = 0;
                for (at, choice) in choices.iter().enumerate() {
                    let is_chosen = at == *chosen;
                    row = if is_chosen { lines.len() - from } else { row };
                    let (mark, role) = match choice.refused {
                        Some(_) => (paint.glyphs.pick(" –  ", " -  "), Role::Dim),
                        None if is_chosen && is_at => ("(*) ", Role::Title),
                        None if is_chosen => ("(*) ", Role::Text),
                        None => ("( ) ", Role::Text),
                    };
                    lines.push(begin(at == 0).put(role, mark).put(role, choice.text).line());
                    // The reason has lines of its own, so that it does not read on from the choice.
                    let reason = choice.refused.as_deref().unwrap_or_default();
                    let indent = cells + mark.chars().count();
                    let reason = paint.wrapped(width.saturating_sub(indent as u16), Role::Text, reason);
                    lines.extend(
                        reason.into_iter().filter(|line| line.width() > 0).map(|line| indented(indent, line)),
                    );
                }
                (row, 1)
            }
            (FormInput::Toggle(is_on), FieldKind::Toggle { text, .. }) => {
                let mut strip = begin(true);
                strip.put(if is_at { Role::Title } else { Role::Text }, if *is_on { "[x] " } else { "[ ] " });
                lines.push(strip.put(Role::Text, text).line());
                (0, 1)
            }
            (FormInput::Choice(_) | FormInput::Toggle(_), _) => (0, 0),
        };
        if is_at {
            cursor = (from + row, cells + column);
        }
        let below = match card.error.as_ref().filter(|(label, _)| *label == field.label) {
            Some((_, error)) => Some((Role::Error, error.as_str())),
            None if !matches!(input, FormInput::Line(_)) || is_low && !is_at => None,
            None => match notes.get(place) {
                _ if is_at && card.waits => card.form.waiting.map(|text| (Role::Dim, text)),
                Some(Some((tone, note))) => Some((Role::meant(*tone), note.as_str())),
                _ => Some((Role::Dim, field.help)).filter(|(_, help)| !help.is_empty()),
            },
        };
        if let Some((role, text)) = below {
            // It begins below the first letter of the field.
            let indent = cells + 1;
            let below = paint.wrapped(width.saturating_sub(indent as u16), role, text);
            lines.extend(below.into_iter().map(|line| indented(indent, line)));
        }
    }
    (lines, cursor)
}

fn indented(cells: usize, mut line: Line<'static>) -> Line<'static> {
    line.spans.insert(0, " ".repeat(cells).into());
    line
}

/// The line at the foot: the keys that change the field with the cursor. A form of plain lines has none.
fn foot(paint: &Paint<'_>, card: &FormCard, width: u16) -> Vec<Line<'static>> {
    if card.inputs.iter().all(|input| matches!(input, FormInput::Line(_))) {
        return Vec::new();
    }
    let help = card.form.fields.get(card.at).map_or("", |field| field.help);
    let text = match card.inputs.get(card.at) {
        _ if card.waits => card.form.waiting.unwrap_or_default().to_owned(),
        Some(FormInput::Choice(_)) => "Space or arrows choose".to_owned(),
        Some(FormInput::Toggle(_)) if help.is_empty() => "Space turns it on or off".to_owned(),
        Some(FormInput::Toggle(_)) => format!("{help}; Space turns it on or off"),
        Some(FormInput::Text(_)) => "Enter begins a line; Tab leaves it".to_owned(),
        Some(FormInput::Line(_)) | None => String::new(),
    };
    paint.wrapped(width, Role::Dim, &text)
}

/// The lines that would be sent, from the top; the last row says how many more there are.
fn draw_preview(paint: &Paint<'_>, card: &FormCard, preview: &[String], area: Area, buffer: &mut Buffer) {
    let room = usize::from(area.height).saturating_sub(1);
    if preview.is_empty() || room == 0 {
        return;
    }
    let of_line = |text: &String| match &**text {
        "" => vec![Line::default()],
        text => paint.wrapped(area.width, Role::Text, text),
    };
    let all: Vec<Line<'static>> = preview.iter().flat_map(of_line).collect();
    let from = card.scrolled.min(all.len().saturating_sub(room));
    let shown = &all[from..all.len().min(from + room)];
    let title = if shown.len() == all.len() {
        "What is posted".to_owned()
    } else {
        let key = paint.bindings.first(Context::Form, Command::NextPage);
        let to = paint.glyphs.pick("–", "-");
        format!("What is posted, lines {}{to}{} of {} ({key})", from + 1, from + shown.len(), all.len())
    };
    lay(buffer, area, &[paint.line(area.width, Role::Title, &title)]);
    lay(buffer, Area { y: area.y + 1, height: area.height - 1, ..area }, shown);
}
