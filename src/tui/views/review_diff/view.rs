//! Draws the lines of a pull request.
//!
//! ```text
//! - #5594 Add copperkettle/toolbelt 1.32.0 ---------------------------
//!  base -> head   1 of 3 files   providers/c/copperkettle/toolbelt.json
//!  X DIFFERS  1.32.0 linux_amd64: shasum is "9eea..", and upstream gives
//!  version 1.32.0 > target linux_amd64 > shasum           change 1/4
//! ------------------------------------------------------------------
//! +>   17           "shasum": "9eeaeaa99a3545a0..",
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::telling::review;
use crate::rules::amount::counted;
use crate::tui::base::layout::{self, Area, Class, Size};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::views::review_diff::ReviewDiff;
use crate::tui::widgets::diff::{headline, view as lines};
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Cut, Paint, Strip, lay};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    title: Area,
    banner: Area,
    /// The result of the file, and why.
    reason: Area,
    path: Area,
    wall: Area,
    pub(super) lines: Area,
}

/// A lower window has no row for a rule above the lines.
const ROOMY: u16 = 48;

/// The places of the parts.
pub(super) fn parts(size: Size) -> Parts {
    let mut rest = layout::frame(size).body;
    let title = layout::cut_top(&mut rest, u16::from(size.class() != Class::Narrow));
    let banner = layout::cut_top(&mut rest, 1);
    let reason = layout::cut_top(&mut rest, 1);
    let path = layout::cut_top(&mut rest, 1);
    let wall = layout::cut_top(&mut rest, u16::from(size.rows >= ROOMY));
    Parts { title, banner, reason, path, wall, lines: rest }
}

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(
    state: &ReviewDiff,
    desk: &Desk,
    paint: &Paint<'_>,
    buffer: &mut Buffer,
) -> Option<Position> {
    let parts = parts(paint.size);
    let narrow = paint.size.class() == Class::Narrow;
    let subject = review::subject_of(desk, state.number);
    let result = review::result_of(desk, state.number).map(|sign| story::sign(&sign, paint.glyphs));
    let word = result.as_ref().map(|(_, word)| &**word).unwrap_or_default();
    let title = paint.named_rule(parts.title.width, true, &[word], &subject);
    lay(buffer, parts.title, &[title]);
    lay(buffer, parts.banner, &[side(state, paint, result.filter(|_| narrow), parts.banner.width)]);
    lay(buffer, parts.reason, &[reason(state, desk, paint, parts.reason.width)]);
    let typing = headline(paint, &state.pane, parts.path, narrow, buffer);
    lay(buffer, parts.wall, &[paint.rule(parts.wall.width)]);
    if state.pane.has_lines() {
        return typing.or(lines(paint, &state.pane, parts.lines, (narrow, true), buffer));
    }
    let width = parts.lines.width.saturating_sub(2);
    let text = paint.wrapped(width, Role::Text, &state.why_empty_text(desk));
    lay(buffer, Area { x: parts.lines.x + 1, width, ..parts.lines }, &text);
    typing
}

/// The two sides, the place of the file, and its path; before them the pull request and its result, where no rule names them.
fn side(state: &ReviewDiff, paint: &Paint<'_>, result: Option<(Role, String)>, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    if let Some((role, word)) = result {
        strip.gap(1).put(Role::Title, &format!("#{}", state.number)).gap(1).put(role, &word).gap(1);
    }
    strip.gap(1).put(Role::Title, review::side(state.against)).gap(3);
    let Some(file) = state.file() else { return strip.line() };
    let place = format!("{} of {}", state.at + 1, counted(state.files().len(), "file"));
    strip.put(Role::Dim, &place).gap(3);
    let room = strip.room();
    strip.cell(Role::Path, &file.path, room, Cut::Middle).line()
}

/// The result of the file, and why: in a sentence where it fits, else in a few words.
fn reason(state: &ReviewDiff, desk: &Desk, paint: &Paint<'_>, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    let result = state.file().and_then(|file| review::file_result(desk, state.number, &file.path));
    let Some((sign, [sentence, brief])) = result else { return strip.line() };
    let (role, word) = story::sign(&sign, paint.glyphs);
    strip.gap(1).put(role, &word).gap(2);
    let text = if text::width(&sentence) <= strip.room() { sentence } else { brief };
    strip.put(Role::Text, &text).line()
}

impl ReviewDiff {
    /// The text in the place of missing lines.
    pub(super) fn why_empty_text(&self, desk: &Desk) -> String {
        if let Some(limit) = &self.pane.limit {
            return review::too_long(limit, self.number, self.against);
        }
        match self.file().map(|file| file.against(self.against)) {
            Some(Ok(_)) => review::no_difference(self.against).to_owned(),
            Some(Err(why)) => why.clone(),
            None => review::no_lines(desk, self.number),
        }
    }
}
