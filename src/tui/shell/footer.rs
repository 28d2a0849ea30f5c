//! The last lines: the last message, what runs or what waits, and the keys that can be pressed now, from the key table.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

use crate::desk::Registry;
use crate::desk::ability::{Ability, AbilityKind};
use crate::tui::base::layout::{Area, Class, Frame};
use crate::tui::base::text;
use crate::tui::base::text::width;
use crate::tui::base::theme::Role;
use crate::tui::keymap::{Bound, Command, Context};
use crate::tui::shell::model::Model;
use crate::tui::shell::{availability, hinting};
use crate::tui::widgets::message::Message;
use crate::tui::widgets::progress;
use crate::tui::widgets::strip::{Paint, Strip, ground, lay};

/// A message takes so many lines at most.
const MOST_LINES: usize = 3;
/// The text at rest may cover the rule above the footer, and no more.
const LINES_AT_REST: usize = 2;

/// Draws message and hints.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, frame: &Frame, buffer: &mut Buffer) {
    let lines = match model.message_shown() {
        Some(_) if matches!(model.desk.registry, Registry::Failed(_)) => Vec::new(),
        Some(message) => message_lines(model, paint, message, frame.message.width),
        None => standing(model, paint, frame.message),
    };
    let above = (lines.len() as u16).saturating_sub(1).min(frame.body.height);
    let area = Area { y: frame.message.y - above, height: frame.message.height + above, ..frame.message };
    clear(buffer, area, paint);
    lay(buffer, area, &lines);
    lay(buffer, frame.hints, &[hints(model, paint, frame.hints.width)]);
}

/// The whole of a message; the last line says if even that was too little.
fn message_lines(model: &Model, paint: &Paint<'_>, message: &Message, width: u16) -> Vec<Line<'static>> {
    // A notice stays for a while; what is new must not wait until it is gone.
    let news = model.seen().and_then(|view| view.news(&model.desk));
    let news = news.map(|news| format!("{news} ")).unwrap_or_default();
    wrapped(paint, message.tone.role(), model.words(message), (width, MOST_LINES), &news)
}

/// A text in so many lines at most; what stands at the right of the last.
fn wrapped(
    paint: &Paint<'_>,
    role: Role,
    text: &str,
    (width, most): (u16, usize),
    right: &str,
) -> Vec<Line<'static>> {
    let clean = text::clean(text, paint.glyphs);
    let mut parts = text::wrap(&clean, usize::from(width).saturating_sub(2));
    if parts.len() > most {
        let rest = parts.split_off(most - 1);
        parts.push(rest.join(" "));
    }
    let last = parts.len().saturating_sub(1);
    let line = |(place, part): (usize, &String)| {
        let mut strip = Strip::new(paint, width);
        strip.gap(1).put(role, part);
        if place == last {
            strip.right(Role::Warning, right);
        }
        strip.line()
    };
    parts.iter().enumerate().map(line).collect()
}

/// Empties an area: a style that is laid over another would keep its bold.
fn clear(buffer: &mut Buffer, area: Area, paint: &Paint<'_>) {
    Clear.render(area.intersection(buffer.area), buffer);
    ground(buffer, area, paint.style(Role::Text));
}

/// The status of the view, or else the running job, or else the view's text at rest.
fn standing(model: &Model, paint: &Paint<'_>, area: Area) -> Vec<Line<'static>> {
    if matches!(model.desk.registry, Registry::Failed(_)) {
        return Vec::new();
    }
    let Some(view) = model.seen() else { return Vec::new() };
    let context = model.question_context();
    let size = (area.width, LINES_AT_REST);
    if let Some((tone, text)) = view.status(&context) {
        return wrapped(paint, tone.role(), &text, size, "");
    }
    if let Some(job) = model.desk.board.foremost() {
        return vec![progress::details(paint, job, area.width)];
    }
    if let Some(text) = view.rest_text(&context) {
        return wrapped(paint, Role::Dim, &text, size, "");
    }
    match view.rest_line(&context, area.width) {
        Some(line) => vec![line],
        None => wrapped(paint, Role::Dim, "", size, ""),
    }
}

/// The keys that can be pressed now, or what ends a sequence.
fn hints(model: &Model, paint: &Paint<'_>, columns: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, columns);
    if !model.keys.pending.is_empty() {
        return strip.gap(1).key("Esc", "or another key ends the sequence").line();
    }
    for hint in hints_that_fit(model) {
        let used = usize::from(columns) - strip.room();
        strip.gap(hint.cells.start - used);
        let keys = model.keys.bindings.hinted(hint.bound);
        if hint.group == HintGroup::Destroys {
            strip.put(Role::Act, &keys).put(Role::Act, " ").put(Role::Act, hint.word);
        } else {
            strip.key(&keys, hint.word);
        }
    }
    strip.line()
}

/// The groups of hints, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum HintGroup {
    /// Keys of this place, by use.
    Here,
    /// Keys that work everywhere.
    General,
    /// Keys that take something away or stop something.
    Destroys,
}

impl HintGroup {
    fn of(command: Command) -> Self {
        match command {
            Command::Do(Ability::Leave) | Command::Back | Command::Palette | Command::Help => Self::General,
            Command::Do(ability) if ability.row().kind != AbilityKind::Ordinary => Self::Destroys,
            _ => Self::Here,
        }
    }
}

/// No more hints are shown.
const MOST_HINTS: usize = 10;

/// A hint of the last line.
#[derive(Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) cells: Range<usize>,
    pub(crate) bound: &'a Bound,
    pub(crate) group: HintGroup,
    word: &'static str,
}

/// The hints that fit, in their order; the most important ones come first to the room, and none is cut.
pub(crate) fn hints_that_fit(model: &Model) -> Vec<Shown<'_>> {
    let gap = if model.size.class() == Class::Narrow { 1 } else { 2 };
    let bindings = &model.keys.bindings;
    let view = model.seen().filter(|_| matches!(model.context(), Context::View(_)));
    let named = view.map_or_else(Vec::new, |view| view.named_steps(&model.question_context()));
    let is_named = |bound: &Bound| named.iter().any(|command| bound.place.takes(*command));
    let mut list: Vec<(HintGroup, u8, usize, &'static str, &Bound)> = bindings
        .within(model.context())
        .filter(|bound| !bound.keys.is_empty() && availability::check(model, bound.place.command).is_ok())
        .filter_map(|bound| {
            let word = hinting::word(model, bound)?;
            let cells = width(&bindings.hinted(bound)) + 1 + width(word);
            Some((HintGroup::of(bound.place.command), bound.place.hint?.rank, cells, word, bound))
        })
        .collect();
    list.sort_by_key(|(_, rank, ..)| *rank);
    let by_use: Vec<&Bound> = list.iter().map(|(.., bound)| *bound).collect();
    // A key that a sentence on the screen names keeps its hint longest.
    list.sort_by_key(|(.., bound)| !is_named(bound));
    // The gaps between the three groups are wider.
    let mut room = usize::from(model.size.columns).saturating_sub(1 + gap);
    list.retain(|(_, _, cells, ..)| {
        let has_room = cells + gap <= room;
        room -= if has_room { cells + gap } else { 0 };
        has_room
    });
    list.truncate(MOST_HINTS);
    let place = |bound: &Bound| by_use.iter().position(|one| std::ptr::eq(*one, bound));
    list.sort_by_key(|(group, .., bound)| (*group, place(bound)));
    let (mut at, mut before) = (1, None);
    let placed = list.into_iter().map(|(group, _, length, label, bound)| {
        at += if before.is_some_and(|before| before != group) { gap } else { 0 };
        before = Some(group);
        let cells = at..at + length;
        at += length + gap;
        Shown { cells, bound, group, word: label }
    });
    placed.collect()
}
