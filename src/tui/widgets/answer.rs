//! A line of triage and its answers in an overlay: the word and the reason, the options, and each step with
//! its evidence.

use ratatui::buffer::Buffer;
use ratatui::text::Line;

use crate::desk::telling::triage::{READING, UNREAD, sheet, sign};
use crate::desk::triage::Lookup;
use crate::jobs::data::TriageAnswer;
use crate::rules::triage::Triage;
use crate::tui::base::layout::{self, Area};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::keymap::{Command, Context};
use crate::tui::widgets::strip::{Paint, Strip};
use crate::tui::widgets::{popup, story};

/// Cells of a label: `checksums` and a blank.
const LABEL: usize = 10;
/// Rows of the frame and of the line of keys.
const AROUND: u16 = 3;
/// Rows that most answers need with the frame. The later parts of an answer have their room from the start,
/// so that nothing jumps.
const ROWS: u16 = 25;

/// The number of lines that can be scrolled away.
pub(crate) fn last(paint: &Paint<'_>, lookup: &Lookup) -> usize {
    let (area, lines) = laid(paint, lookup);
    lines.len().saturating_sub(usize::from(area.height.saturating_sub(AROUND)))
}

pub(crate) fn view(paint: &Paint<'_>, lookup: &Lookup, from: usize, buffer: &mut Buffer) {
    let (area, mut lines) = laid(paint, lookup);
    let room = usize::from(area.height.saturating_sub(AROUND));
    let (from, hidden) = layout::scrolled(from, room, lines.len());
    lines.drain(..from);
    lines.truncate(room);
    lines.resize(room, Line::default());
    let key = |command| paint.bindings.first(Context::Triage, command);
    let mut keys = Strip::new(paint, popup::inside(area).width);
    keys.key(&key(Command::Close), "close");
    if hidden > 0 || from > 0 {
        keys.gap(3).key(&key(Command::NextLine), &format!("{hidden} more lines"));
    }
    lines.push(keys.line());
    let typed = text::clean(&lookup.typed, paint.glyphs);
    let title = format!(
        "Triage: {}",
        text::elide_middle(&typed, usize::from(area.width).saturating_sub(16), paint.glyphs)
    );
    popup::view(paint, area, &title, &lines, buffer);
}

fn laid(paint: &Paint<'_>, lookup: &Lookup) -> (Area, Vec<Line<'static>>) {
    let columns = layout::broad(paint.size, 100);
    let lines = lines(paint, lookup, popup::inside(layout::popup(paint.size, columns, ROWS)).width);
    let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(AROUND).max(ROWS);
    (layout::popup(paint.size, columns, rows), lines)
}

fn lines(paint: &Paint<'_>, lookup: &Lookup, width: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for triaged in &lookup.answers {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        match &triaged.answer {
            TriageAnswer::First(triage) | TriageAnswer::Whole(triage) => {
                lines.extend(of_one(paint, triage, lookup.is_over, width));
            }
            TriageAnswer::NotUnderstood { why, .. } => lines.extend(paint.wrapped(width, Role::Warning, why)),
            TriageAnswer::Unread { why, .. } => lines.extend(paint.wrapped(width, Role::Error, why)),
        }
    }
    if let Some(failure) = &lookup.failure {
        lines.extend(paint.wrapped(width, Role::Error, failure));
    } else if lines.is_empty() {
        lines.extend(paint.wrapped(width, Role::Dim, READING));
    }
    lines
}

fn of_one(paint: &Paint<'_>, triage: &Triage, is_over: bool, width: u16) -> Vec<Line<'static>> {
    let mut head = Strip::new(paint, width);
    head.gap(1);
    match sign(triage) {
        Some(sign) => {
            let (role, word) = story::sign(&sign, paint.glyphs);
            head.put(role, &word);
        }
        None => {
            head.put(Role::Dim, if is_over { UNREAD } else { READING });
        }
    }
    head.gap(2).put(Role::Title, &triage.subject());
    if let Some(issue) = triage.issue {
        head.put(Role::Dim, &format!(" (#{issue})"));
    }
    head.right(Role::Dim, triage.address.kind().word());
    let facts = sheet(triage, paint.now);
    let rows = facts.iter().flat_map(|fact| {
        story::labelled_at(paint, (1, LABEL), (fact.label.short, Role::meant(fact.tone), &*fact.text), width)
    });
    std::iter::once(head.line()).chain(rows).collect()
}
