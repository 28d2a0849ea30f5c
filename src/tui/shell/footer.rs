//! The last two lines: the last message, what runs or what waits, and the keys that are legal now, from the key table.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::text::Line;

use crate::desk::Registry;
use crate::tui::base::layout::{Area, Class, Frame};
use crate::tui::base::text::width;
use crate::tui::base::theme::Role;
use crate::tui::keymap::{Bound, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::{legal, planning, verifying};
use crate::tui::views::inventory;
use crate::tui::widgets::progress;
use crate::tui::widgets::strip::{Paint, Strip, lay};

/// Draws message and hints.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, frame: &Frame, buffer: &mut Buffer) {
    lay(buffer, frame.message, &[message(model, paint, frame.message)]);
    lay(buffer, frame.hints, &[hints(model, paint, frame.hints.width)]);
}

fn message(model: &Model, paint: &Paint<'_>, area: Area) -> Line<'static> {
    let mut strip = Strip::new(paint, area.width);
    if matches!(model.desk.registry, Registry::Failed(_)) {
        return strip.line();
    }
    if let Some(message) = model.message_shown() {
        strip.gap(1).put(message.tone.role(), &message.text);
        // A notice stays; what is new must not wait until it is gone.
        if let Some(news) = inventory::news(&model.desk.list).filter(|_| model.screen == ViewId::Inventory) {
            strip.right(Role::Warning, &format!("{news} "));
        }
        return strip.line();
    }
    if model.screen == ViewId::Verify {
        let (tone, text) = verifying::standing(model);
        return strip.gap(1).put(tone.role(), &text).line();
    }
    let running = model
        .desk
        .board
        .survey()
        .or_else(|| model.desk.board.verifying())
        .or_else(|| model.desk.board.building())
        .or_else(|| model.desk.board.opening());
    match running {
        Some(job) => progress::line(paint, job, area.width),
        None if model.screen == ViewId::Inventory => {
            inventory::rest(&model.views.inventory, &model.desk.list, paint, area.width)
        }
        None => strip.gap(1).put(Role::Dim, &planning::standing(model)).line(),
    }
}

/// The keys that can be pressed now, or what ends a sequence.
fn hints(model: &Model, paint: &Paint<'_>, columns: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, columns);
    if !model.keys.pending.is_empty() {
        return strip.gap(1).key("Esc", "or another key ends the sequence").line();
    }
    for (place, bound) in hints_that_fit(model) {
        let used = usize::from(columns) - strip.room();
        let word = bound.place.hint.map_or("", |hint| hint.word);
        strip.gap(place.start - used).key(&model.keys.bindings.hinted(bound), word);
    }
    strip.line()
}

/// The hints that fit, each with its place; the least important ones give way first, and none is cut.
pub(crate) fn hints_that_fit(model: &Model) -> Vec<(Range<usize>, &Bound)> {
    let gap = if model.size.class() == Class::Narrow { 1 } else { 2 };
    let bindings = &model.keys.bindings;
    let mut list: Vec<(u8, usize, &Bound)> = bindings
        .within(model.context())
        .filter(|bound| !bound.keys.is_empty() && legal::meets(model, bound.action.need).is_ok())
        .filter_map(|bound| {
            let hint = bound.place.hint?;
            Some((hint.rank, width(&bindings.hinted(bound)) + 1 + width(hint.word), bound))
        })
        .collect();
    let cells =
        |list: &[(u8, usize, &Bound)]| -> usize { list.iter().map(|(_, cells, _)| cells + gap).sum() };
    while cells(&list) + 1 > usize::from(model.size.columns) + gap {
        let Some(worst) = list.iter().map(|(rank, ..)| *rank).max() else { break };
        let Some(at) = list.iter().rposition(|(rank, ..)| *rank == worst) else { break };
        list.remove(at);
    }
    let mut at = 1;
    let placed = list.into_iter().map(|(_, cells, bound)| {
        let place = at..at + cells;
        at += cells + gap;
        (place, bound)
    });
    placed.collect()
}
