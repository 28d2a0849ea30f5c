//! Copying what a screen tells for an issue or a comment: as Markdown, or as the JSON that a command prints of it.

use crate::desk::objects;
use crate::desk::objects::TriageObject;
use crate::desk::telling::triage;
use crate::rules::amount::{counted, grouped};
use crate::rules::plain_text::visible;
use crate::tui::keymap::Command;
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::views::CopyText;

/// The most characters that GitHub takes in an issue or a comment.
const LONGEST: usize = 65_536;

/// The text of what is seen.
fn text(model: &Model, command: Command) -> Option<CopyText> {
    if !matches!(model.popup, Some(Popup::Triage(_))) {
        return model.seen()?.copy_text(&model.question_context(), command);
    }
    let lookup = model.desk.triage.as_ref()?;
    let markdown = || {
        let whole: Vec<String> = lookup.whole().map(|one| triage::markdown(one, model.now)).collect();
        whole.join("\n")
    };
    Some(CopyText::new(format!("the answer on {}", visible(&lookup.typed)), command, markdown, |out| {
        lookup.whole().try_for_each(|one| objects::write(out, "triage", &TriageObject::new(one)))
    }))
}

/// Copies it, and says what was copied and how much that is.
pub(crate) fn copy(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(CopyText { name, text }) = text(model, command) else { return Vec::new() };
    let form = if command == Command::CopyJson { "JSON" } else { "Markdown" };
    let lines = counted(text.lines().count(), "line");
    let characters = text.chars().count();
    let length = if characters > LONGEST {
        format!("; {} characters are more than an issue takes", grouped(characters))
    } else {
        String::new()
    };
    model.reply(format!("copying {name} as {form}, {lines}{length}"));
    vec![Effect::Copy(text)]
}
