//! Draws the tree of files and changes.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::planning::Planning;
use crate::desk::telling::column;
use crate::desk::telling::planned::{change, class_tone, seen, standing, state_tone};
use crate::rules::Status;
use crate::rules::amount::Form;
use crate::rules::plan::{Answer, FileState, Piece, PlannedFile};
use crate::tui::base::layout::Area;
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::views::changes::state::Changes;
use crate::tui::views::changes::tree::entries;
use crate::tui::widgets::diff::Counts;
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay};

const CLASS: usize = 9;
const SEEN: usize = 8;
/// The sign of what is left out.
const REJECTED: &str = "x";

/// The column heads.
pub(super) fn heads(paint: &Paint<'_>, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    let room = usize::from(width).saturating_sub(CLASS + SEEN + 2 + 1);
    strip.gap(1).cell(Role::Title, column::FILES.short, room, Cut::End);
    strip.cell(Role::Title, column::CLASS.short, CLASS, Cut::End).gap(1);
    strip.cell(Role::Title, column::SEEN.short, SEEN, Cut::End).line()
}

/// A file's class: glyph and word.
pub(super) fn class(strip: &mut Strip<'_>, file: &PlannedFile) {
    strip.put(Role::meant(class_tone(file.class)), &format!("{} {}", file.class.glyph(), file.class.word()));
}

/// Draws what of the tree is in its window; gives the cell of the cursor.
pub(super) fn view(
    changes: &Changes,
    planning: &Planning,
    paint: &Paint<'_>,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let mut cursor = None;
    let mut line = 0usize;
    for entry in entries(changes, planning) {
        let (first, end) = (line, line + entry.height);
        line = end;
        if end <= changes.top {
            continue;
        }
        let y = first.saturating_sub(changes.top);
        if y >= usize::from(area.height) {
            break;
        }
        let Some(file) = planning.files().get(entry.at.file) else { continue };
        let under = entry.at == changes.at;
        let mut lines = match entry.at.piece.and_then(|at| file.pieces.get(at)) {
            Some(piece) => vec![piece_line(paint, piece, under, area.width)],
            None => file_lines(paint, file, under, area.width),
        };
        lines.drain(..changes.top.saturating_sub(first).min(lines.len()));
        let height = (lines.len() as u16).min(area.height - y as u16);
        let place = Area { y: area.y + y as u16, height, ..area };
        lay(buffer, place, &lines);
        if under {
            let style = if changes.in_lines() { Role::Text } else { Role::Cursor };
            if style == Role::Cursor {
                ground(buffer, place, paint.style(style));
            }
            cursor = Some(Position::new(place.x, place.y));
        }
    }
    cursor
}

fn file_lines(paint: &Paint<'_>, file: &PlannedFile, under: bool, width: u16) -> Vec<Line<'static>> {
    let sign = match &file.state {
        FileState::Approved => paint.glyphs.status(Status::Current),
        FileState::Held(_) => "!",
        FileState::Nothing(_) if file.rejected() > 0 => REJECTED,
        FileState::Nothing(_) => "=",
        FileState::Open => " ",
    };
    let role = Role::meant(state_tone(&file.state));
    let mut first = Strip::new(paint, width);
    first.cell(Role::Key, if under { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    first.put(role, sign).gap(1);
    let room = first.room();
    first.put(Role::Text, &text::elide_middle(&file.path, room, paint.glyphs));
    let counts = Counts::of(&file.left);
    let mut figures = Vec::new();
    if counts.added > 0 || (file.rejected() == 0 && counts.changed + counts.removed == 0) {
        figures.push(format!("+{} ver", counts.added));
    }
    if counts.added_targets > 0 {
        figures.push(format!("+{} tgt", counts.added_targets));
    }
    for (count, sign) in [(counts.changed, "~"), (counts.removed, "-")] {
        if count > 0 {
            figures.push(format!("{sign}{count} ver"));
        }
    }
    let mut second = Strip::new(paint, width);
    let room = usize::from(width).saturating_sub(CLASS + SEEN + 2 + 3);
    let mut told = figures.join(" ");
    let with_rejected = format!("{told}  {} rejected", file.rejected());
    if file.rejected() > 0 && text::width(with_rejected.trim()) <= room {
        with_rejected.trim().clone_into(&mut told);
    }
    second.gap(3).cell(Role::Dim, &told, room, Cut::End);
    second.cell(Role::meant(class_tone(file.class)), file.class.word(), CLASS, Cut::End).gap(1);
    let seen = match &file.state {
        FileState::Held(_) => "held".to_owned(),
        FileState::Nothing(_) if file.rejected() > 0 => Answer::Rejected.word().to_owned(),
        FileState::Nothing(_) => "unsent".to_owned(),
        FileState::Approved => format!("{} {sign}", seen(file, Form::Short)),
        FileState::Open => seen(file, Form::Short),
    };
    second.cell(role, &seen, SEEN, Cut::End);
    vec![first.line(), second.line()]
}

fn piece_line(paint: &Paint<'_>, piece: &Piece, under: bool, width: u16) -> Line<'static> {
    let sign = match piece.mark.answer {
        Answer::Approved => paint.glyphs.status(Status::Current),
        Answer::Rejected => REJECTED,
        Answer::Open => " ",
    };
    let (standing, tone) = standing(piece);
    let role = Role::meant(tone);
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.gap(2).put(role, sign).gap(1);
    let targets = if piece.targets > 0 { format!("{} tgt", piece.targets) } else { String::new() };
    let note = if piece.mark.note.is_empty() { " " } else { "*" };
    // In the columns of the file's own line.
    let room = usize::from(width).saturating_sub(CLASS + SEEN + 2 + 5);
    let name =
        text::elide_end(piece.part.name(), room.saturating_sub(text::width(&targets) + 2), paint.glyphs);
    let rest = room.saturating_sub(text::width(&name) + 1);
    strip.put(Role::Text, &name).gap(1).cell(Role::Dim, &targets, rest, Cut::End);
    strip.cell(Role::Dim, change(piece).short, CLASS, Cut::End).gap(1);
    strip.cell(role, standing.short, SEEN, Cut::End).put(Role::Notice, note).line()
}
