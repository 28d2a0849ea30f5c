//! The words of the last line for commands: the word of the key table, or what the key would do just now.

use crate::tui::keymap::{Bound, Command, Context};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::{availability, triaging};
use crate::tui::widgets::palette;

/// The word; `None` where there is nothing to hint at.
pub(super) fn word(model: &Model, bound: &Bound) -> Option<&'static str> {
    let word = bound.place.hint?.word;
    match (bound.context, bound.place.command) {
        (Context::Palette, Command::Accept) => match &model.popup {
            Some(Popup::Palette(found)) => {
                let check = |command| availability::check(model, command);
                palette::takes(&model.keys.bindings, &check, model.subject_of_lines(), found)
            }
            _ => None,
        },
        (Context::Form, command) => {
            let Some(Popup::Form(form)) = &model.popup else { return None };
            form.hint(command, word)
        }
        (Context::Filter, Command::Close) if !model.seen()?.filter_before().is_empty() => Some("old filter"),
        (Context::Triage, Command::Accept) => triaging::entry(model).is_ok().then_some(word),
        (Context::Triage, Command::CopyMarkdown) => triaging::answered(model).is_ok().then_some(word),
        (Context::View(_), command) => model.seen()?.hint(&model.question_context(), command, word),
        _ => Some(word),
    }
}
