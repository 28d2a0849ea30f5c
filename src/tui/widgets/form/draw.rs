//! Draws a form: a field a line, its error below it, the help of the field with the cursor at the foot, and what the form would
//! send at the right, or below where the window is narrow.
//!
//! ```text
//! +- Your verdict ----------------------------------------------------------------+
//! | On #12. Nothing is posted before its gates pass.                              |
//! |                                                                               |
//! | verdict        -  approve  DIFFERS, and only SAME can be approved                 |
//! |               (*) request changes                                             |
//! |               ( ) comment                                                     |
//! | your words>   the checksum of linux_amd64 differs                             |
//! | line comments [x] beside the lines that differ                                |
//! |                                                                               |
//! | an approval posts none; Space turns it on or off                              |
//! +-------------------------------------------------------------------------------+
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::form::FieldKind;
use crate::desk::telling::Tone;
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

/// The widest form without a preview beside it, and with one.
const WIDEST: [u16; 2] = [90, 150];

/// Rows of a text of several lines.
const TEXT_ROWS: usize = 5;

/// A window of fewer rows has no room for air.
const LOW: u16 = 24;

/// The columns of the box and of the fields in it.
fn columns(size: Size, has_preview: bool) -> (u16, u16) {
    let is_beside = has_preview && size.columns >= BESIDE;
    let columns = size.columns.saturating_sub(4).min(WIDEST[usize::from(is_beside)]);
    let inner = columns.saturating_sub(4);
    (columns, if is_beside { (inner * 45 / 100).saturating_sub(1) } else { inner })
}

/// The cells of the labels, and of a text behind them.
fn label_cells(card: &FormCard) -> usize {
    let cells =
        card.form.fields.iter().zip(&card.inputs).map(|(field, input)| label(field.label, input).len());
    cells.max().unwrap_or(0) + 1
}

fn label(label: &str, input: &FormInput) -> String {
    match input {
        FormInput::Line(_) | FormInput::Text(_) => format!("{label}>"),
        FormInput::Choice(_) | FormInput::Toggle(_) => label.to_owned(),
    }
}

/// Returns true if the preview stands at the right of the fields.
fn is_beside(size: Size, card: &FormCard) -> bool {
    card.form.has_preview && size.columns >= BESIDE
}

/// The cells of a text of several lines.
pub(super) fn text_cells(size: Size, card: &FormCard) -> usize {
    let (_, width) = columns(size, card.form.has_preview);
    usize::from(width).saturating_sub(label_cells(card))
}

/// Draws the form with the meaning of the field with the cursor and the lines that it would send; gives the place of the text
/// cursor.
pub(crate) fn view(
    paint: &Paint<'_>,
    card: &FormCard,
    (note, preview): (Option<(Tone, String)>, &[String]),
    buffer: &mut Buffer,
) -> Position {
    let (columns, width) = columns(paint.size, card.form.has_preview);
    let is_beside = is_beside(paint.size, card);
    let mut lines = paint.wrapped(width, Role::Text, &card.form.about);
    let (fields, (row, column)) = fields(paint, card, width);
    // A form of one line needs no air.
    let air = usize::from(card.inputs.len() > 1 && paint.size.rows >= LOW);
    lines.extend(std::iter::repeat_n(Line::default(), air));
    let row = lines.len() + row;
    lines.extend(fields);
    lines.extend(std::iter::repeat_n(Line::default(), air));
    lines.extend(foot(paint, card, note, width));
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
    let mut left = Area { width, ..inner };
    left.height = left.height.min(lines.len() as u16);
    // A low window shows the lines around the cursor.
    let first = layout::first_visible(0, row, usize::from(left.height), lines.len());
    lay(buffer, left, &lines[first..]);
    let right = if is_beside {
        // A blank, the wall and a blank.
        let between = width + 3;
        wall(buffer, Area { x: inner.x + width + 1, width: 1, ..inner }, paint);
        Area { x: inner.x + between, width: inner.width.saturating_sub(between), ..inner }
    } else {
        Area { y: inner.y + left.height, height: inner.height - left.height, ..inner }
    };
    draw_preview(paint, card, preview, right, buffer);
    let column = (column as u16).min(width.saturating_sub(1));
    Position::new(inner.x + column, inner.y + (row - first) as u16)
}

/// The lines of all fields, and the row and the cell of the cursor.
fn fields(paint: &Paint<'_>, card: &FormCard, width: u16) -> (Vec<Line<'static>>, (usize, usize)) {
    let cells = label_cells(card);
    let room = usize::from(width).saturating_sub(cells);
    let (mut lines, mut cursor) = (Vec::new(), (0, 0));
    for (place, (field, input)) in card.form.fields.iter().zip(&card.inputs).enumerate() {
        let is_at = place == card.at;
        let label = label(field.label, input);
        let begin = |first: bool| {
            let mut strip = Strip::new(paint, width);
            let role = if is_at { Role::Key } else { Role::Dim };
            strip.cell(role, if first { &label } else { "" }, cells, Cut::End);
            strip
        };
        let from = lines.len();
        let ink = if is_at { Role::Prompt } else { Role::Text };
        let (row, column) = match (input, &field.kind) {
            (FormInput::Text(area), _) => {
                let seen =
                    area.seen(paint.glyphs, room, TEXT_ROWS.min(usize::from(paint.size.rows / 5)).max(1));
                let is_empty = area.field.text().is_empty();
                for (row, text) in seen.rows.iter().enumerate() {
                    let mut strip = begin(row == 0);
                    // An empty text says what it takes, as long as the cursor is elsewhere.
                    if is_empty && !is_at {
                        strip.put(Role::Dim, field.help);
                    }
                    strip.put(ink, text);
                    // Rows that are not seen.
                    let is_cut =
                        row == 0 && seen.hidden.0 > 0 || row + 1 == seen.rows.len() && seen.hidden.1 > 0;
                    strip.right(Role::Dim, if is_cut { paint.glyphs.pick("…", "..") } else { "" });
                    lines.push(strip.line());
                }
                // An empty text looks like one of several lines, where that takes nothing from what is sent.
                let is_roomy =
                    paint.size.rows >= LOW && (!card.form.has_preview || is_beside(paint.size, card));
                let spare = if is_roomy { 3usize.saturating_sub(seen.rows.len()) } else { 0 };
                lines.extend(std::iter::repeat_n(Line::default(), spare));
                seen.cursor
            }
            (FormInput::Line(field), _) => {
                let seen = field.seen(paint.glyphs, room);
                lines.push(begin(true).put(ink, &seen.text).line());
                (0, seen.cursor)
            }
            (FormInput::Choice(chosen), FieldKind::Choice { choices, .. }) => {
                let mut row = 0;
                for (at, choice) in choices.iter().enumerate() {
                    let is_chosen = at == *chosen;
                    row = if is_chosen { lines.len() - from } else { row };
                    let role = match choice.refused {
                        Some(_) => Role::Dim,
                        None if is_chosen && is_at => Role::Title,
                        None => Role::Text,
                    };
                    let mut strip = begin(at == 0);
                    let mark = match choice.refused {
                        Some(_) => paint.glyphs.pick(" –  ", " -  "),
                        None if is_chosen => "(*) ",
                        None => "( ) ",
                    };
                    strip.put(role, mark).put(role, choice.text);
                    let reason = choice.refused.as_deref().unwrap_or_default();
                    let parts =
                        wrapped_beside(paint, reason, strip.room().saturating_sub(2), room.saturating_sub(4));
                    for (line, part) in parts.iter().enumerate() {
                        if line > 0 {
                            lines.push(strip.line());
                            strip = begin(false);
                            strip.gap(4);
                        } else {
                            strip.gap(2);
                        }
                        strip.put(Role::Dim, part);
                    }
                    lines.push(strip.line());
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
        if let Some(error) = card.error.as_ref().filter(|(label, _)| *label == field.label) {
            lines.extend(paint.wrapped(width, Role::Error, &error.1));
        }
    }
    (lines, cursor)
}

/// A text broken into a first line of so many cells, and others of more.
fn wrapped_beside(paint: &Paint<'_>, long: &str, first: usize, others: usize) -> Vec<String> {
    if long.is_empty() {
        return Vec::new();
    }
    let clean = text::clean(long, paint.glyphs);
    let mut parts = text::wrap(&clean, first.max(1));
    let rest = parts.split_off(1).join(" ");
    if !rest.is_empty() {
        parts.extend(text::wrap(&rest, others.max(1)));
    }
    parts
}

/// The keys that change the field with the cursor, where that is no plain line.
fn keys_of_field(card: &FormCard) -> String {
    match card.inputs.get(card.at) {
        Some(FormInput::Choice(_)) => "Space or arrows choose".to_owned(),
        Some(FormInput::Toggle(_)) => "Space turns it on or off".to_owned(),
        Some(FormInput::Text(_)) => "Enter begins a line".to_owned(),
        Some(FormInput::Line(_)) | None => String::new(),
    }
}

/// The lines at the foot: what is awaited, or the help of the field with the cursor.
fn foot(paint: &Paint<'_>, card: &FormCard, note: Option<(Tone, String)>, width: u16) -> Vec<Line<'static>> {
    match card.form.waiting.filter(|_| card.waits) {
        Some(waiting) => vec![paint.line(width, Role::Dim, waiting)],
        None if card.error.is_some() && card.inputs.len() == 1 => Vec::new(),
        None if let Some((tone, text)) = note => paint.wrapped(width, Role::meant(tone), &text),
        None => {
            let help = card.form.fields.get(card.at).map_or("", |field| field.help);
            let keys = keys_of_field(card);
            let parts = [help, &keys].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
            paint.wrapped(width, Role::Dim, &parts.join("; "))
        }
    }
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
