//! The last two lines: the last message or the running survey, and the keys that are legal now, from the key table.

use ratatui::buffer::Buffer;
use ratatui::text::Line;

use crate::tui::layout::{Area, Class, Frame};
use crate::tui::model::{Model, Registry, Screen, Tone};
use crate::tui::screens::inventory;
use crate::tui::text::width;
use crate::tui::theme::Role;
use crate::tui::widgets::progress;
use crate::tui::widgets::strip::{Paint, Strip, lay};
use crate::tui::{planning, verifying};

/// Draws message and hints.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, frame: &Frame, buffer: &mut Buffer) {
    lay(buffer, frame.message, &[message(model, paint, frame.message)]);
    lay(buffer, frame.hints, &[hints(model, paint, frame.hints.width)]);
}

fn message(model: &Model, paint: &Paint<'_>, area: Area) -> Line<'static> {
    let mut strip = Strip::new(paint, area.width);
    if matches!(model.registry, Registry::Failed(_)) {
        return strip.line();
    }
    if let Some(message) = model.message_shown() {
        strip.gap(1).put(role(message.tone), &message.text);
        // A notice stays; what is new must not wait until it is gone.
        if let Some(news) = inventory::news(&model.inventory).filter(|_| model.screen == Screen::Inventory) {
            strip.right(Role::Warning, &format!("{news} "));
        }
        return strip.line();
    }
    if model.screen == Screen::Verify {
        let (tone, text) = verifying::standing(model);
        return strip.gap(1).put(role(tone), &text).line();
    }
    let running = model
        .board
        .survey()
        .or_else(|| model.board.verifying())
        .or_else(|| model.board.building())
        .or_else(|| model.board.opening());
    match running {
        Some(job) => progress::line(model, paint, job, area.width),
        None if model.screen == Screen::Inventory => inventory::rest(model, paint, area.width),
        None => strip.gap(1).put(Role::Dim, &planning::standing(model)).line(),
    }
}

fn role(tone: Tone) -> Role {
    match tone {
        Tone::Reply | Tone::Notice => Role::Notice,
        Tone::Warning => Role::Warning,
        Tone::Error => Role::Error,
    }
}

/// The hints that fit; the least important ones give way first, and none is cut.
fn hints(model: &Model, paint: &Paint<'_>, columns: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, columns);
    strip.gap(1);
    if !model.keys.pending.is_empty() {
        return strip.key("Esc", "or another key ends the sequence").line();
    }
    let short = model.size.class() == Class::Narrow;
    let gap = if short { 1 } else { 2 };
    let bindings = &model.keys.bindings;
    let mut list: Vec<(u8, String, &str)> = bindings
        .within(model.context())
        .filter(|bound| !bound.keys.is_empty() && (bound.action.legal)(model).is_ok())
        .filter_map(|bound| {
            let hint = bound.place.hint?;
            Some((hint.rank, bindings.hinted(bound), hint.word))
        })
        .collect();
    let cells = |list: &[(u8, String, &str)]| -> usize {
        list.iter().map(|(_, keys, word)| width(keys) + 1 + width(word) + gap).sum()
    };
    while cells(&list) > strip.room() + gap {
        let Some(worst) = list.iter().map(|(rank, ..)| *rank).max() else { break };
        let Some(at) = list.iter().rposition(|(rank, ..)| *rank == worst) else { break };
        list.remove(at);
    }
    for (place, (_, keys, word)) in list.iter().enumerate() {
        strip.gap(if place == 0 { 0 } else { gap }).key(keys, word);
    }
    strip.line()
}
