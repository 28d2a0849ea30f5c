//! The mouse, off until F2: the wheel scrolls, a click selects a row. Everything it does has a key.

use crate::tui::keymap::mouse::Mouse;
use crate::tui::keymap::{Command, Context};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;

/// Rows that one notch of the wheel scrolls.
const NOTCH: usize = 3;

/// Switches it on or off.
pub(crate) fn toggle(model: &mut Model) -> Vec<Effect> {
    model.options.mouse = !model.options.mouse;
    model.reply(if model.options.mouse {
        "mouse on: the wheel scrolls, a click selects a row; hold Shift to select text; F2 turns it off"
    } else {
        "mouse off: the terminal selects text again"
    });
    vec![Effect::Mouse(model.options.mouse)]
}

/// The commands that a movement stands for, in the context that has the keys.
pub(crate) fn commands(model: &mut Model, mouse: Mouse) -> Vec<Command> {
    match mouse {
        Mouse::WheelUp => wheel(model.context(), Command::Up, Command::PreviousLine),
        Mouse::WheelDown => wheel(model.context(), Command::Down, Command::NextLine),
        Mouse::Click(column, row) => {
            click(model, column, row);
            Vec::new()
        }
    }
}

/// A notch in a view, and in what has lines of its own above it. A field or a question has nothing to scroll, and any
/// command that means nothing to it would close it.
fn wheel(context: Context, in_view: Command, above: Command) -> Vec<Command> {
    match context {
        Context::Help | Context::Palette | Context::Value | Context::Sort | Context::Views => {
            vec![above; NOTCH]
        }
        Context::Filter => vec![in_view; NOTCH],
        context if context.is_overlay() => Vec::new(),
        _ => vec![in_view; NOTCH],
    }
}

/// Puts the cursor on the row that was clicked. Nothing happens beside rows, or under an overlay.
fn click(model: &mut Model, column: u16, row: u16) {
    if model.context().is_overlay() && model.context() != Context::Filter {
        return;
    }
    let screen = model.screen;
    let (mut scene, views) = model.scene();
    if let Some(view) = views.get_mut(screen) {
        view.click(&mut scene, (column, row).into());
    }
}
