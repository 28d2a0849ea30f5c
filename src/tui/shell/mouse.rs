//! The mouse, on until F2: the wheel scrolls, a click selects, the second opens; tabs, hints, statuses and column heads do
//! what they name. Everything it does has a key.

use ratatui::layout::Position;
use std::time::Duration;

use crate::tui::base::layout;
use crate::tui::base::layout::Class;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::keymap::{Bound, Command, Context, HintKeys, OPEN};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::{availability, footer, header, requests};
use crate::tui::widgets::message::Tone;

/// Rows that one notch of the wheel scrolls.
const NOTCH: usize = 3;
/// Two clicks on a cell within this open what stands there.
const TWICE: Duration = Duration::from_millis(500);

/// Switches it on or off.
pub(crate) fn toggle(model: &mut Model) -> Vec<Effect> {
    model.options.mouse = !model.options.mouse;
    model.reply(if model.options.mouse {
        "mouse on: click rows, tabs, statuses, column heads and hints, twice to open; Shift selects text; F2 turns it off"
    } else {
        "mouse off: the terminal selects text again"
    });
    vec![Effect::Mouse(model.options.mouse)]
}

/// The result of a mouse event.
pub(crate) enum MouseAction {
    /// Commands of the context that has the keys.
    Commands(Vec<Command>),
    /// It is done.
    Done(Vec<Effect>),
}

/// Returns the commands of a mouse event, or does it.
pub(crate) fn action(model: &mut Model, mouse: Mouse) -> MouseAction {
    match mouse {
        Mouse::WheelUp(column, row) => MouseAction::Commands(wheel(model, (column, row).into(), true)),
        Mouse::WheelDown(column, row) => MouseAction::Commands(wheel(model, (column, row).into(), false)),
        Mouse::Click(column, row) => {
            let cell = (column, row).into();
            match pressed(model, cell) {
                Some(commands) => MouseAction::Commands(commands),
                None => {
                    MouseAction::Done(requests::with_view(model, |view, context| view.click(context, cell)))
                }
            }
        }
    }
}

/// A notch in a view, over the pane beside its list, and in what has lines of its own above it. A field or a question has
/// nothing to scroll, and any command that means nothing to it would close it.
fn wheel(model: &Model, cell: Position, is_up: bool) -> Vec<Command> {
    let pick = |up, down| vec![if is_up { up } else { down }; NOTCH];
    let is_beside =
        || model.seen().is_some_and(|view| view.other(&model.desk, &model.paint()).contains(cell));
    match model.context() {
        Context::Help
        | Context::Palette
        | Context::Value
        | Context::Sort
        | Context::Views
        | Context::Triage => pick(Command::PreviousLine, Command::NextLine),
        Context::Filter => pick(Command::Up, Command::Down),
        context if context.is_overlay() => Vec::new(),
        _ if is_beside() => pick(Command::OtherUp, Command::OtherDown),
        _ => pick(Command::Up, Command::Down),
    }
}

/// The command of a hint or of a view in the header; the second click on a row opens it. Nothing happens under an overlay.
/// `None`: the view that is seen knows what stands there.
fn pressed(model: &mut Model, cell: Position) -> Option<Vec<Command>> {
    if model.size.class() == Class::Tiny {
        return Some(Vec::new());
    }
    if model.message.as_ref().is_some_and(|message| message.tone == Tone::Reply) {
        model.message = None;
    }
    let frame = layout::frame(model.size);
    if frame.hints.contains(cell) {
        return Some(hint(model, cell.x).into_iter().collect());
    }
    let context = model.context();
    if context.is_overlay() && context != Context::Filter {
        return Some(Vec::new());
    }
    if frame.header.contains(cell) {
        let id = header::view_at(model, cell).filter(|_| context != Context::Filter);
        let shown =
            id.and_then(|id| allowed(model, context, |bound| bound.place.command == Command::Show(id)));
        return Some(shown.into_iter().collect());
    }
    let last = model.clicked.replace((model.uptime, cell));
    let is_second = last.is_some_and(|(at, place)| place == cell && model.uptime.saturating_sub(at) < TWICE);
    let is_row = model.seen().is_some_and(|view| view.list(&model.desk, &model.paint()).contains(cell));
    if is_second && is_row && !context.is_overlay() {
        model.clicked = None;
        return Some(allowed(model, context, |bound| bound.action.name == OPEN).into_iter().collect());
    }
    None
}

/// The action of the hint that stands there; of several keys in a sequence the first is pressed.
fn hint(model: &mut Model, column: u16) -> Option<Command> {
    let hints = footer::hints_that_fit(model);
    let bound = hints.into_iter().find(|hint| hint.cells.contains(&usize::from(column)))?.bound;
    if matches!(bound.place.hint?.keys, HintKeys::Begin) {
        let first = bound.keys.first()?.first().copied()?;
        model.keys.pending = vec![first];
        return None;
    }
    Some(bound.place.command)
}

/// The command of an action in a context, if it can be done now; says why another one cannot.
fn allowed(model: &mut Model, context: Context, is_it: impl Fn(&Bound) -> bool) -> Option<Command> {
    let command = model.keys.bindings.within(context).find(|bound| is_it(bound))?.place.command;
    match availability::check(model, command) {
        Ok(()) => Some(command),
        Err(why) => {
            model.reply(why);
            None
        }
    }
}
