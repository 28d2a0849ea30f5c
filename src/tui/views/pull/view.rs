//! Draws the pull request.
//!
//! ```text
//! Pull request of plan 7c1e9a  on main@f00f6d5  1 file  2 versions  28 targets       sending 9ab31c
//! GATE                       STATE    EVIDENCE
//! -------------------------------------------------------------------------------------------------
//! > 1 write access           ! NOTE   ann may push to opentofu/registry; ...
//! -------------------------------------------------------------------------------------------------
//!   title   Manual bump of acme/rocket provider
//! -------------------------------------------------------------------------------------------------
//!   3 requests, one after the other
//! +- Confirm --------------------------------------------------------------------------------------+
//! | This opens 1 draft pull request on opentofu/registry as ann. Nothing is merged.                |
//! | P, then the digits 9ab31c: [          ]                                                        |
//! +------------------------------------------------------------------------------------------------+
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::sending::{Stage, Write};
use crate::desk::telling::column::STATE;
use crate::desk::telling::{pull, watch};
use crate::rules::amount::Form;
use crate::rules::sending::{Gate, GateName};
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::{Command, Context};
use crate::tui::views::pull::parts::{Parts, parts};
use crate::tui::views::pull::state::{Pull, Shown};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay};
use crate::tui::widgets::{popup, story};

/// Cells of a sign with its word; `REFUSED` is the longest.
const SIGN: usize = 11;
/// Cells of the field for the digits.
const FIELD: usize = 12;

pub(super) fn parts_of(state: &Pull, desk: &Desk, paint: &Paint<'_>) -> Parts {
    let shown = Shown::of(desk);
    let requests = shown.requests().len();
    let is_wide = paint.size.class() == Class::Wide;
    // Beside each other, the gates keep their place while the requests are sent.
    let rows = if is_wide { shown.gates().max(1) } else { state.rows(&shown) };
    let facts = about(desk, paint, paint.size.columns).len();
    parts(paint.size, rows, facts, requests)
}

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(state: &Pull, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let parts = parts_of(state, desk, paint);
    let shown = Shown::of(desk);
    let is_wide = paint.size.class() == Class::Wide;
    let in_requests = state.lists_requests(&shown);
    lay(buffer, parts.title, &[title(desk, paint, !in_requests || !is_wide, parts.title.width)]);
    if is_wide {
        lay(buffer, parts.heads, &[heads(paint, parts.heads.width)]);
    }
    let cursor = if in_requests && !is_wide {
        requests(state, &shown, (true, paint), parts.list, buffer)
    } else {
        gates(state, &shown, (!in_requests, paint), parts.list, buffer)
    };
    lay(buffer, parts.list_floor, &[paint.rule(parts.list_floor.width)]);
    lay(buffer, parts.facts, &about(desk, paint, parts.facts.width));
    let mut below = cursor;
    if !parts.requests.is_empty() {
        let mut list = parts.requests;
        let lead = match (shown.sent, shown.prepared) {
            (Some(sent), _) => pull::requests(&sent.course.sending, &sent.digits),
            (None, Some(prepared)) => pull::requests(&prepared.sending, prepared.digits()),
            (None, None) => String::new(),
        };
        let head = layout::cut_top(&mut list, 1);
        let title = paint.named_rule(head.width, in_requests, &[], &lead);
        lay(buffer, head, &[title]);
        let at = requests(state, &shown, (in_requests, paint), list, buffer);
        below = if in_requests { at } else { cursor };
    }
    lay(buffer, parts.floor, &[paint.rule(parts.floor.width)]);
    confirm(state, desk, paint, parts.confirm, buffer).or(below)
}

fn title(desk: &Desk, paint: &Paint<'_>, has_keys: bool, width: u16) -> Line<'static> {
    paint.pane_rule(width, has_keys, &[], |strip, role| {
        let Some(prepared) = &desk.pull.prepared else {
            let purpose = &desk.pull.purpose;
            strip.put(role, purpose.kind().title).gap(2).put(Role::Dim, &purpose.title());
            return;
        };
        let (name, of) = pull::title(prepared);
        strip.put(role, name).gap(1).put(role, &of);
        for part in std::iter::once(pull::base(prepared)).chain(pull::counts(prepared)) {
            if text::width(&part) + 2 <= strip.room() {
                strip.gap(2).put(Role::Dim, &part);
            }
        }
    })
}

/// The cells of the gates' names.
fn name_cells() -> usize {
    GateName::width() + 2
}

fn heads(paint: &Paint<'_>, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(3).cell(Role::Title, pull::GATE.short, name_cells(), Cut::End);
    strip.cell(Role::Title, STATE.short, SIGN, Cut::End).put(Role::Title, pull::EVIDENCE.short).line()
}

fn gates(
    state: &Pull,
    shown: &Shown<'_>,
    (has_cursor, paint): (bool, &Paint<'_>),
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let all = shown.prepared.map_or(&[][..], |prepared| &prepared.gates);
    let lines: Vec<Line<'_>> = (1..)
        .zip(all)
        .map(|(number, gate)| {
            gate_line(paint, (number, gate), has_cursor && number == state.at + 1, area.width)
        })
        .collect();
    rows(&lines, has_cursor.then_some(state), paint, area, buffer)
}

fn gate_line(paint: &Paint<'_>, (number, gate): (usize, &Gate), under: bool, width: u16) -> Line<'static> {
    let (role, word) = story::sign(&pull::sign(gate.state), paint.glyphs);
    let mut strip = row(paint, width, under);
    if paint.size.class() == Class::Narrow {
        // The sign and the name say it; the word gives way to what was found.
        strip.put(role, &word).gap(1).put(Role::Text, &format!("{number} {}", gate.name.word())).gap(2);
        return strip.put(Role::Dim, &gate.evidence).line();
    }
    strip.put(Role::Text, &number.to_string()).gap(1).cell(
        Role::Text,
        gate.name.word(),
        name_cells(),
        Cut::End,
    );
    strip.cell(role, &word, SIGN, Cut::End).put(Role::Text, &gate.evidence).line()
}

fn requests(
    state: &Pull,
    shown: &Shown<'_>,
    (has_cursor, paint): (bool, &Paint<'_>),
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let line = |(at, (request, step)): (usize, &(&_, Option<&_>))| {
        let mut strip = row(paint, area.width, has_cursor && at == state.at);
        strip.put(Role::Text, &(at + 1).to_string()).gap(1);
        if let Some(step) = step {
            let (role, word) = story::sign(&pull::sign_of(step, shown.is_running), paint.glyphs);
            strip.cell(role, &word, SIGN, Cut::End);
        }
        strip.put(Role::Text, &pull::request_line(request, *step)).line()
    };
    let all = shown.requests();
    let lines: Vec<Line<'_>> = all.iter().enumerate().map(line).collect();
    rows(&lines, has_cursor.then_some(state), paint, area, buffer)
}

/// The beginning of a row, with the cursor if it is there.
fn row<'p>(paint: &'p Paint<'_>, width: u16, under: bool) -> Strip<'p> {
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip
}

/// Draws rows from the top of the window, highlights the row of the cursor, and returns its cell.
fn rows(
    lines: &[Line<'_>],
    cursor: Option<&Pull>,
    paint: &Paint<'_>,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let top = cursor.map_or(0, |state| state.top);
    lay(buffer, area, lines.get(top..).unwrap_or_default());
    let down = u16::try_from(cursor?.at.checked_sub(top)?).ok().filter(|down| *down < area.height)?;
    let row = Area { y: area.y + down, height: 1, ..area };
    ground(buffer, row, paint.style(Role::Cursor));
    Some(Position::new(row.x, row.y))
}

/// The facts about a pull request that is ready; otherwise its state and the next steps.
fn about(desk: &Desk, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    let room = width.saturating_sub(2);
    let is_ready = matches!(desk.pull.stage(&desk.board), Stage::Ready(_)) && desk.pull.failure.is_none();
    let prepared = desk.pull.prepared.as_ref().filter(|_| is_ready);
    let mut lines = Vec::new();
    if let Some(prepared) = prepared {
        let cells = 11;
        for fact in pull::facts(prepared) {
            let part = (fact.label.form(Form::Short), Role::Text, &*fact.text);
            lines.extend(story::labelled_at(paint, (1, cells), part, width));
        }
        return lines;
    }
    for message in pull::standing(desk) {
        for line in paint.wrapped(room, Role::Text, &paint.text_of(&message)) {
            let mut line = line;
            line.spans.insert(0, ratatui::text::Span::raw(" "));
            lines.push(line);
        }
    }
    let watched =
        desk.pull.watched.as_ref().filter(|_| matches!(desk.pull.stage(&desk.board), Stage::Done(_)));
    for fact in watched.into_iter().flat_map(|pull| watch::facts(pull)) {
        let part = (fact.label.form(Form::Short), Role::meant(fact.tone), &*fact.text);
        lines.extend(story::labelled_at(paint, (1, 11), part, width));
    }
    lines
}

/// Draws the effect of the digits and their field, even if something prevents the write.
fn confirm(
    state: &Pull,
    desk: &Desk,
    paint: &Paint<'_>,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let write = Pull::write(desk)?;
    let (sending, digits) = desk.pull.to_confirm(write)?;
    let is_framed = area.height >= 4;
    let inner = if is_framed {
        popup::inside(area)
    } else {
        Area { x: area.x + 1, width: area.width.saturating_sub(1), ..area }
    };
    if is_framed {
        let frame = Block::bordered().border_set(paint.glyphs.frame()).border_style(paint.style(Role::Rule));
        let title = Strip::new(paint, area.width - 2)
            .put(Role::Rule, paint.glyphs.rule())
            .put(Role::Title, " Confirm ")
            .line();
        frame.title(title).render(area, buffer);
    }
    let mut strip = Strip::new(paint, inner.width);
    let is_open = state.digits.is_some();
    let lead = if is_open { "Type the digits" } else { "The digits" };
    strip.put(Role::Text, lead).gap(1).put(Role::Key, digits).put(Role::Text, ": [ ");
    let from = usize::from(inner.width) - strip.room();
    let empty = Field::default();
    let field = state.digits.as_ref().map_or(&empty, |open| &open.field);
    let seen = field.seen(paint.glyphs, FIELD);
    strip.cell(Role::Prompt, &seen.text, FIELD, Cut::End).put(Role::Text, " ]").gap(2);
    // Half a reason is useless; the last line has the whole reason.
    let beside = beside(desk, paint, write, is_open);
    if text::width(&beside) <= strip.room() {
        strip.put(Role::Dim, &beside);
    }
    let form = if is_framed { Form::Spoken } else { Form::Short };
    let meaning = pull::meaning(write, sending, form);
    lay(buffer, inner, &[paint.line(inner.width, Role::Text, &meaning), strip.line()]);
    is_open.then(|| Position::new(inner.x + (from + seen.cursor) as u16, inner.y + 1))
}

/// The hint beside the field.
fn beside(desk: &Desk, paint: &Paint<'_>, write: Write, is_open: bool) -> String {
    if is_open {
        let key = |command| paint.bindings.first(Context::Digits, command);
        return format!("{} sends when they match; {} leaves", key(Command::Accept), key(Command::Close));
    }
    match desk.may_confirm(write) {
        Ok(_) => format!("{} opens the field", paint.key(Ability::TypeDigits)),
        Err(why) => paint.text_of(&why),
    }
}
