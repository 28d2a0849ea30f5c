//! What the mouse did, as far as it means something.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

/// What the mouse did, and in which column and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mouse {
    WheelUp(u16, u16),
    WheelDown(u16, u16),
    Click(u16, u16),
}

/// A mouse event that means something.
pub(crate) fn of(event: MouseEvent) -> Option<Mouse> {
    let did = match event.kind {
        MouseEventKind::ScrollUp => Mouse::WheelUp,
        MouseEventKind::ScrollDown => Mouse::WheelDown,
        MouseEventKind::Down(MouseButton::Left) => Mouse::Click,
        _ => return None,
    };
    Some(did(event.column, event.row))
}
