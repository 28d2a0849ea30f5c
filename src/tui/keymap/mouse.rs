//! What the mouse did, as far as it means something.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

/// What the mouse did, and in which cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mouse {
    WheelUp,
    WheelDown,
    Click(u16, u16),
}

/// A mouse event that means something.
pub(crate) fn of(event: MouseEvent) -> Option<Mouse> {
    match event.kind {
        MouseEventKind::ScrollUp => Some(Mouse::WheelUp),
        MouseEventKind::ScrollDown => Some(Mouse::WheelDown),
        MouseEventKind::Down(MouseButton::Left) => Some(Mouse::Click(event.column, event.row)),
        _ => None,
    }
}
