//! The last two lines: the last message or the running survey, and the keys that are legal now, from the key table.

use ratatui::buffer::Buffer;
use ratatui::text::Line;

use crate::tui::chord::Chord;
use crate::tui::keymap::actions_in;
use crate::tui::layout::Area;
use crate::tui::layout::Class;
use crate::tui::layout::Frame;
use crate::tui::model::Model;
use crate::tui::model::Registry;
use crate::tui::model::Tone;
use crate::tui::text::width;
use crate::tui::theme::Role;
use crate::tui::widgets::progress;
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::strip::Strip;
use crate::tui::widgets::strip::lay;

/// Draws message and hints.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, frame: &Frame, buffer: &mut Buffer) {
    lay(buffer, frame.message, &[message(model, paint, frame.message)]);
    lay(buffer, frame.hints, &[hints(model, paint, frame.hints.width)]);
}

fn message(model: &Model, paint: &Paint<'_>, area: Area) -> Line<'static> {
    let mut strip = Strip::new(paint, area.width);
    if let Some(error) = &model.inventory.filter.error {
        return strip.gap(1).put(Role::Error, &format!("filter: {error}")).line();
    }
    if matches!(model.registry, Registry::Failed(_)) {
        return strip.line();
    }
    if let Some(message) = model.message_shown() {
        let role = match message.tone {
            Tone::Reply | Tone::Notice => Role::Notice,
            Tone::Warning => Role::Warning,
            Tone::Error => Role::Error,
        };
        return strip.gap(1).put(role, &message.text).line();
    }
    match model.board.survey().or_else(|| model.board.opening()) {
        Some(job) => progress::line(model, paint, job, area.width),
        None => strip.line(),
    }
}

/// The hints that fit; the least important ones give way first, and none is cut.
fn hints(model: &Model, paint: &Paint<'_>, columns: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, columns);
    strip.gap(1);
    if !model.pending.is_empty() {
        return sequel(model, &mut strip);
    }
    let short = model.size.class() == Class::Narrow;
    let gap = if short { 1 } else { 2 };
    let mut list: Vec<_> = actions_in(model.context())
        .filter(|action| action.hint.rank > 0 && (action.legal)(model))
        .map(|action| action.hint)
        .collect();
    let cells = |list: &[crate::tui::keymap::Hint]| -> usize {
        list.iter().map(|hint| width(hint.keys) + 1 + width(hint.word) + gap).sum()
    };
    while cells(&list) > strip.room() + gap {
        let Some(worst) = list.iter().map(|hint| hint.rank).max() else { break };
        let Some(at) = list.iter().rposition(|hint| hint.rank == worst) else { break };
        list.remove(at);
    }
    for (place, hint) in list.iter().enumerate() {
        strip.gap(if place == 0 { 0 } else { gap }).key(hint.keys, hint.word);
    }
    strip.line()
}

/// After the first key of a sequence: what may follow.
fn sequel(model: &Model, strip: &mut Strip<'_>) -> Line<'static> {
    let begun: Vec<String> = model.pending.iter().map(Chord::to_string).collect();
    strip.put(Role::Key, &begun.join(" ")).put(Role::Dim, " then");
    for action in actions_in(model.context()).filter(|action| (action.legal)(model)) {
        for text in action.chords {
            let Some(keys) = Chord::sequence(text) else { continue };
            if keys.len() > model.pending.len() && keys.starts_with(&model.pending) {
                strip.gap(2).key(&keys[model.pending.len()].to_string(), action.label);
            }
        }
    }
    strip.line()
}
