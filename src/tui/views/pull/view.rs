//! Draws the pull request.
//!
//! ```text
//! - Pull request of plan 7c1e9a  on main@f00f6d5  1 file  2 versions  28 targets ------- 1-9 of 9 -
//! GATE                       STATE    EVIDENCE
//! >1 write access            ! NOTE   ann may push to opentofu/registry; ...
//! -------------------------------------------------------------------------------------------------
//!  title   Manual bump of acme/rocket provider
//! - 3 requests, sent in this order; their digits are 9ab31c ----------------------------------------
//! +- Confirm --------------------------------------------------------------------------------------+
//! | This opens 1 draft pull request on opentofu/registry as ann. Nothing is merged.                |
//! | Type the digits 9ab31c: [          ]                                                           |
//! +------------------------------------------------------------------------------------------------+
//! ```
//!
//! Gates that all pass take one line, and what happened to a pull request after it was sent is a line of steps:
//!
//! ```text
//! - #12 merged by sol  of plan 7c1e9a ------------------------------------------------------------
//!  vvvvvvvvv 9 of 9 gates pass
//! -------------------------------------------------------------------------------------------------
//!  v opened 11:20Z > v checks > v review 11:41Z > v merged 11:52Z > ~ in the registry
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};

use crate::desk::Desk;
use crate::desk::ability::{Ability, NextStep};
use crate::desk::sending::Stage;
use crate::desk::table::ColumnPlace;
use crate::desk::telling::{Sign, pull, watch};
use crate::jobs::data::Prepared;
use crate::rules::amount::{Form, clock, grouped};
use crate::rules::pull_steps::pull_steps;
use crate::rules::sending::Gate;
use crate::rules::watch::WatchedPull;
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::{Command, Context};
use crate::tui::views::View;
use crate::tui::views::pull::parts::{Parts, parts};
use crate::tui::views::pull::state::{Pull, Shown};
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay};
use crate::tui::widgets::table::TableWindow;
use crate::tui::widgets::{popup, story, table};

/// Cells of a sign with its word; `REFUSED` is the longest.
const SIGN: usize = 11;
/// Cells of the field for the digits.
const FIELD: usize = 12;
/// Cells of the labels of facts.
const LABEL: usize = 11;
/// Lines that every gate has below the table on a wide window, and twice those that it has elsewhere.
const MOST_GATE: usize = 4;
/// Lines of the posted text that are shown below the other facts. The request shows all of them.
const MOST_TEXT: usize = 200;

pub(super) fn parts_of(state: &Pull, desk: &Desk, paint: &Paint<'_>) -> Parts {
    place(state, desk, paint, about(state, desk, paint, paint.size.columns).len())
}

fn place(state: &Pull, desk: &Desk, paint: &Paint<'_>, facts: usize) -> Parts {
    let shown = &Shown::of(desk);
    let is_wide = paint.size.class() == Class::Wide;
    // Beside each other, the gates keep their place while the requests are sent.
    let has_requests = state.lists_requests(shown) && !is_wide;
    let rows = if has_requests { shown.requests().len() } else { state.gate_lines(shown).max(1) };
    let list = (rows, state.folded(shown).is_none());
    parts(paint.size, list, facts, shown.requests().len(), Pull::write(desk).is_some())
}

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(state: &Pull, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let shown = Shown::of(desk);
    let about = about(state, desk, paint, paint.size.columns);
    let parts = place(state, desk, paint, about.len());
    let is_wide = paint.size.class() == Class::Wide;
    let in_requests = state.lists_requests(&shown);
    let has_list = !in_requests || !is_wide;
    let window = state.window(&shown);
    // One line that stands for all gates has no position.
    let is_table = in_requests || state.folded(&shown).is_none();
    let seen =
        if has_list && is_table { table::seen(paint, window, parts.list.height) } else { String::new() };
    let has_keys = has_list && window.is_focused;
    let typed = if !in_requests && state.filter.is_shown() {
        let found = table::found(paint, window, parts.list.height, state.order.count());
        table::filter(paint, &state.filter, &found, parts.title, buffer)
    } else {
        lay(buffer, parts.title, &[title(desk, paint, (has_keys, &seen), parts.title.width)]);
        None
    };
    let places = gate_places(&shown, parts.list.width);
    if !parts.heads.is_empty() {
        lay(buffer, parts.heads, &[table::heads(paint, &pull::GATE_COLUMNS, &places, parts.heads.width)]);
    }
    let cursor = if in_requests && !is_wide {
        requests(state, &shown, (true, paint), parts.list, buffer)
    } else {
        gates(state, &shown, (!in_requests, paint), &places, parts.list, buffer)
    };
    let hidden = about.len().saturating_sub(state.down + usize::from(parts.facts.height));
    // The field for the digits has a key of its own for the lines below.
    let context = if state.digits.is_some() { Context::Digits } else { paint.view };
    let more = Paint { view: context, ..*paint }.hidden(hidden);
    lay(buffer, parts.list_floor, &[paint.rule_with(parts.list_floor.width, &more)]);
    lay(buffer, parts.facts, about.get(state.down..).unwrap_or_default());
    let mut below = cursor;
    if !parts.requests.is_empty() {
        let mut list = parts.requests;
        let lead = match (shown.sent, shown.prepared) {
            (Some(sent), _) if shown.is_done => pull::sent_requests(&sent.course, &sent.digits),
            (Some(sent), _) => pull::requests(&sent.course.sending, Some(&sent.digits)),
            (None, Some(prepared)) => {
                let digits = (!fails(desk)).then(|| prepared.digits());
                pull::requests(&prepared.sending, digits)
            }
            (None, None) => String::new(),
        };
        let head = layout::cut_top(&mut list, 1);
        let title = paint.named_rule(head.width, in_requests && window.is_focused, &[], &lead);
        lay(buffer, head, &[title]);
        let at = requests(state, &shown, (in_requests, paint), list, buffer);
        below = if in_requests { at } else { cursor };
    }
    lay(buffer, parts.floor, &[paint.rule(parts.floor.width)]);
    confirm(state, desk, paint, parts.confirm, buffer).or(typed).or(below)
}

/// The subject, or the pull request and its state once it was opened; and `right`, the visible rows.
fn title(desk: &Desk, paint: &Paint<'_>, (has_keys, right): (bool, &str), width: u16) -> Line<'static> {
    paint.pane_rule(width, has_keys, &[right], |strip, role| {
        let heading = pull::heading(desk);
        let Some(prepared) = &desk.pull.prepared else {
            let purpose = &desk.pull.purpose;
            let name = heading.unwrap_or_else(|| purpose.kind().title.to_owned());
            strip.put(role, &name).gap(2).put(Role::Dim, &purpose.title());
            return;
        };
        let (name, of) = pull::title(prepared);
        match heading {
            Some(heading) => strip.put(role, &heading).gap(2).put(Role::Dim, &of),
            None => strip.put(role, name).gap(1).put(role, &of),
        };
        let parts = [pull::base(prepared)].into_iter().chain(pull::checked(desk, paint.now));
        for part in parts.chain(pull::counts(prepared)) {
            if text::width(&part) + 2 <= strip.room() {
                strip.gap(2).put(Role::Dim, &part);
            }
        }
    })
}

pub(super) fn gate_places(shown: &Shown<'_>, width: u16) -> Vec<ColumnPlace> {
    let mut longest = [0; 3];
    for (number, gate) in (1..).zip(shown.gates()) {
        for (column, longest) in longest.iter_mut().enumerate().take(2) {
            let cell = pull::gate_cell(number, gate, shown.standing, column);
            let glyph = if cell.glyph.is_some() { 2 } else { 0 };
            *longest = text::width(&cell.text).saturating_add(glyph).max(*longest);
        }
    }
    table::places(&pull::GATE_COLUMNS, &longest, width)
}

/// Draws a row for each gate, or one line if all of them pass.
fn gates(
    state: &Pull,
    shown: &Shown<'_>,
    (has_cursor, paint): (bool, &Paint<'_>),
    places: &[ColumnPlace],
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    if let Some((signs, text)) = state.folded(shown) {
        let line = marks(row(paint, area.width, has_cursor), paint, &signs, &text);
        return rows(&[line], has_cursor.then_some(state), paint, area, buffer);
    }
    let gates = state.gates(shown);
    let mut area = area;
    let passing = state.passing(shown);
    if passing > 0 {
        let line = layout::cut_bottom(&mut area, 1);
        let (signs, text) = pull::others(passing);
        lay(buffer, line, &[marks(row(paint, line.width, false), paint, &signs, &text)]);
    }
    if gates.is_empty() && !shown.gates().is_empty() {
        let text = format!(" {}", table::all_hidden(&paint.key(Command::Back)));
        lay(buffer, area, &[paint.line(area.width, Role::Text, &text)]);
    }
    let cell =
        |row: usize, column: usize| pull::gate_cell(gates[row].0, gates[row].1, shown.standing, column);
    let window = if has_cursor {
        state.window(shown)
    } else {
        TableWindow { count: gates.len(), cursor: usize::MAX, top: 0, is_focused: false }
    };
    table::rows(paint, (&pull::GATE_COLUMNS, places), window, cell, area, buffer)
}

/// The line that stands for all gates: the sign of each, and their count.
fn marks(mut strip: Strip<'_>, paint: &Paint<'_>, signs: &[Sign], text: &str) -> Line<'static> {
    for sign in signs {
        strip.put(Role::meant(sign.tone), paint.glyphs.pick(sign.glyph, sign.ascii));
    }
    strip.gap(1).put(Role::Text, text).line()
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
    if cursor?.digits.is_none() {
        ground(buffer, row, paint.style(Role::Cursor));
    }
    Some(Position::new(row.x, row.y))
}

/// The facts about a pull request that is ready, and its text; otherwise its state and the next steps.
pub(super) fn about(state: &Pull, desk: &Desk, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    let room = width.saturating_sub(2);
    let is_ready = matches!(desk.pull.stage(&desk.board), Stage::Ready(_)) && desk.pull.failure.is_none();
    let prepared = desk.pull.prepared.as_ref().filter(|_| is_ready);
    let shown = Shown::of(desk);
    let mut lines = gate_text(state, &shown, paint, width);
    if let Some(prepared) = prepared {
        for fact in pull::facts(prepared) {
            let part = (fact.label.form(Form::Short), Role::Text, &*fact.text);
            lines.extend(story::labelled_at(paint, (1, LABEL), part, width));
        }
        lines.extend(posted(prepared, paint, width));
        return lines;
    }
    for message in pull::standing(desk) {
        for line in paint.wrapped(room, Role::Text, &state.text_of(paint, &message)) {
            let mut line = line;
            line.spans.insert(0, ratatui::text::Span::raw(" "));
            lines.push(line);
        }
    }
    // Gates without a place of their own have their line above the steps.
    if shown.is_done && state.lists_requests(&shown) && paint.size.class() != Class::Wide {
        let line = pull::gates_line(shown.gates(), true);
        lines.extend(line.map(|(signs, text)| marks(row(paint, width, false), paint, &signs, &text)));
    }
    let watched = desk.pull.watched.as_deref().filter(|_| shown.is_done);
    lines.extend(watched.into_iter().flat_map(|pull| steps(pull, paint, width)));
    lines.extend(watched.into_iter().flat_map(|pull| {
        story::labelled_at(paint, (1, LABEL), (pull::TITLE.short, Role::Text, &pull.title), width)
    }));
    for fact in watched.into_iter().flat_map(watch::facts) {
        let part = (fact.label.form(Form::Short), Role::meant(fact.tone), &*fact.text);
        lines.extend(story::labelled_at(paint, (1, LABEL), part, width));
    }
    lines
}

/// The gate under the cursor in full, above the facts, if the table cuts off a gate or one fails. It has as many lines for every
/// gate, so that nothing below it jumps.
fn gate_text(state: &Pull, shown: &Shown<'_>, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    let Some((number, gate)) = state.gate(shown) else { return Vec::new() };
    let places = gate_places(shown, width);
    let evidence = places.iter().find(|place| place.column == 2).map_or(0, |place| place.cells);
    let is_whole = |gate: &Gate| {
        let cell = pull::gate_cell(0, gate, shown.standing, 2);
        text::width(&text::clean(&cell.text, paint.glyphs)) <= evidence
    };
    let gates = state.gates(shown);
    if gates.iter().all(|(_, gate)| gate.remedy.is_none() && is_whole(gate)) {
        return Vec::new();
    }
    let lines = |number: usize, gate: &Gate| {
        let name = |step: &NextStep| state.step_key(paint, step);
        let sentence = pull::gate_text(gate, shown.standing, is_whole(gate), name);
        story::labelled_at(paint, (1, LABEL), (&pull::gate_number(number), Role::Text, &sentence), width)
    };
    let all = gates.iter().map(|(number, gate)| lines(*number, gate).len());
    let most = if paint.size.class() == Class::Wide { MOST_GATE } else { MOST_GATE / 2 };
    let height = all.max().unwrap_or_default().min(most);
    let mut lines = lines(number, gate);
    lines.resize_with(lines.len().max(height), Line::default);
    // The smallest windows have two lines for all of it.
    lines.extend((paint.size.class() != Class::Narrow).then(|| paint.rule(width)));
    lines
}

/// The text that is posted, line by line.
fn posted(prepared: &Prepared, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    let body = pull::body(prepared);
    let mut texts = body.lines();
    let labels = std::iter::once(pull::TEXT.short).chain(std::iter::repeat(""));
    let first = texts.by_ref().take(MOST_TEXT).collect::<Vec<_>>();
    let rest = match texts.count() {
        0 => None,
        more => Some(format!("{} and {} more lines", paint.glyphs.pick("…", "..."), grouped(more))),
    };
    let lines = first.into_iter().chain(rest.as_deref());
    let line = |(label, text)| story::labelled_at(paint, (1, LABEL), (label, Role::Text, text), width);
    labels.zip(lines).flat_map(line).collect()
}

/// The steps of a pull request after it was opened, as one bar; on a narrow window in two lines.
fn steps(pull: &WatchedPull, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    let arrow = paint.glyphs.pick(" →", " >");
    let mut lines = Vec::new();
    let mut strip = Strip::new(paint, width);
    for (place, step) in pull_steps(pull).iter().enumerate() {
        let (role, name) = story::sign(&watch::step_sign(step), paint.glyphs);
        let at = step.at.map(|at| format!(" {}", clock(at, paint.now))).unwrap_or_default();
        if place > 0 {
            strip.put(Role::Dim, arrow);
            if text::width(&name) + text::width(&at) + 1 + text::width(arrow) > strip.room() {
                lines.push(strip.line());
                strip = Strip::new(paint, width);
            }
        }
        strip.gap(1).put(role, &name).put(Role::Dim, &at);
    }
    lines.push(strip.line());
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
    let is_framed = is_framed(area);
    let inner = inside(area);
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
    let refusal = refusal(desk, paint, area);
    let lead = if is_open { "Type the digits" } else { "The digits" };
    // Digits that cannot be typed give way to the reason.
    let room = usize::from(inner.width).saturating_sub(text::width(lead) + text::width(digits) + 3);
    let gives_way = |why: &String| fails(desk) || text::width(why) > room;
    let mut cursor = None;
    if !refusal.as_ref().is_some_and(gives_way) {
        strip.put(if is_open { Role::Accent } else { Role::Text }, lead).gap(1).put(Role::Key, digits);
        // Brackets without a cursor would look like a field that takes the keys.
        if let Some(open) = &state.digits {
            let seen = open.field.seen(paint.glyphs, FIELD);
            strip.put(Role::Text, ": [ ");
            let from = usize::from(inner.width) - strip.room();
            cursor = Some(Position::new(inner.x + (from + seen.cursor) as u16, inner.y + 1));
            strip.cell(Role::Prompt, &seen.text, FIELD, Cut::End).put(Role::Text, " ]");
        }
        strip.gap(2);
    }
    let beside = if desk.may_confirm(write).is_ok() { Some(field_hint(paint, is_open)) } else { refusal };
    // Half a hint is useless.
    let beside = beside.filter(|text| text::width(text) <= strip.room());
    strip.put(Role::Dim, &beside.unwrap_or_default());
    let form = if is_framed { Form::Spoken } else { Form::Short };
    let meaning = pull::meaning(write, sending, form);
    lay(buffer, inner, &[paint.line(inner.width, Role::Text, &meaning), strip.line()]);
    cursor
}

/// Returns true if the effect of the digits and their field have a frame.
fn is_framed(area: Area) -> bool {
    area.height >= 4
}

/// The cells inside the frame, or beside the margin where there is none.
fn inside(area: Area) -> Area {
    if is_framed(area) {
        popup::inside(area)
    } else {
        Area { x: area.x + 1, width: area.width.saturating_sub(1), ..area }
    }
}

/// Returns true if a gate of the prepared write fails, so that no digits would send it.
fn fails(desk: &Desk) -> bool {
    matches!(desk.pull.stage(&desk.board), Stage::Ready(prepared) if prepared.failing().next().is_some())
}

/// The reason why the digits would do nothing, if their line has room for all of it. Half a reason is useless.
pub(super) fn refusal(desk: &Desk, paint: &Paint<'_>, area: Area) -> Option<String> {
    let why = desk.may_confirm(Pull::write(desk)?).err()?;
    Some(paint.text_of(&why)).filter(|why| text::width(why) <= usize::from(inside(area).width))
}

/// The hint beside the field.
fn field_hint(paint: &Paint<'_>, is_open: bool) -> String {
    if is_open {
        let key = |command| paint.bindings.first(Context::Digits, command);
        return format!("{} sends when they match; {} leaves", key(Command::Accept), key(Command::Close));
    }
    format!("{} opens the field", paint.key(Ability::TypeDigits))
}
