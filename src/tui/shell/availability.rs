//! When a command can be done, and why not: what is the same in all views. A view answers for the rest (`View::availability`).
//!
//! A reason stands on the message line after the key, and in the palette beside the action. It names the way out with the keys
//! that are bound now.

use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::triaging;

/// Returns the reason why a command cannot be done now.
pub(crate) fn check(model: &Model, command: Command) -> Availability {
    let Some(view) = model.seen() else { return Ok(()) };
    let context = model.question_context();
    match command {
        Command::Show(id) if !id.is_home() => view.check_loaded(&context),
        Command::JumpBack if model.jumps.is_empty() => refuse("there is no place to go back to"),
        Command::CopyMarkdown | Command::CopyJson if matches!(model.popup, Some(Popup::Triage(_))) => {
            triaging::answered(model)
        }
        Command::EditText => match &model.popup {
            Some(Popup::Form(form)) if !form.is_in_text() => {
                refuse("only a text of several lines is written in an editor")
            }
            _ if !model.options.has_editor => refuse("no editor was found; set EDITOR and start again"),
            _ => Ok(()),
        },
        _ => view.availability(&context, command),
    }
}
