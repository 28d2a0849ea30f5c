//! The mouse, off until F2: the wheel scrolls, a click selects a row. Everything it does has a key.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use crate::tui::keymap::{Command, Context};
use crate::tui::layout;
use crate::tui::layout::Area;
use crate::tui::model::{Model, Screen};
use crate::tui::msg::Effect;
use crate::tui::screens::{changes, diff, jobs, verify};

/// What the mouse did, and in which cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mouse {
    WheelUp,
    WheelDown,
    Click(u16, u16),
}

/// Rows that one notch of the wheel scrolls.
const NOTCH: usize = 3;

/// A mouse event that means something.
pub(super) fn of(event: MouseEvent) -> Option<Mouse> {
    match event.kind {
        MouseEventKind::ScrollUp => Some(Mouse::WheelUp),
        MouseEventKind::ScrollDown => Some(Mouse::WheelDown),
        MouseEventKind::Down(MouseButton::Left) => Some(Mouse::Click(event.column, event.row)),
        _ => None,
    }
}

/// Switches it on or off.
pub(super) fn toggle(model: &mut Model) -> Vec<Effect> {
    model.options.mouse = !model.options.mouse;
    model.reply(if model.options.mouse {
        "mouse on: the wheel scrolls, a click selects a row; hold Shift to select text; F2 turns it off"
    } else {
        "mouse off: the terminal selects text again"
    });
    vec![Effect::Mouse(model.options.mouse)]
}

/// The commands that a movement stands for, in the context that has the keys.
pub(super) fn commands(model: &mut Model, mouse: Mouse) -> Vec<Command> {
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
    let page = model.page();
    let below = |area: Area| {
        let inside = area.contains((column, row).into());
        inside.then(|| usize::from(row - area.y))
    };
    match model.screen {
        Screen::Inventory => {
            let area = layout::inventory(model.size, model.inventory.wish()).list;
            let Some(down) = below(area) else { return };
            let place = model.inventory.top + down;
            if place < model.inventory.line_count() {
                model.inventory.go(place, page);
            }
        }
        Screen::Entry => {
            let Some(down) = below(layout::entry(model.size).list) else { return };
            let Some(entry) = &mut model.entry else { return };
            if entry.top + down < entry.rows.len() {
                entry.go(entry.top + down, page);
            }
        }
        Screen::Changes => changes::click(model, below),
        Screen::Verify => {
            if let Some(down) = below(verify::parts(model.size).list) {
                verify::point_at(model, down);
            }
        }
        Screen::Jobs => {
            if let Some(down) = below(jobs::parts(model.size).list) {
                jobs::point_at(model, down);
            }
        }
        Screen::Diff => {
            let Some(down) = below(model.diff_parts().lines) else { return };
            diff::point_at(model, down);
        }
    }
}
