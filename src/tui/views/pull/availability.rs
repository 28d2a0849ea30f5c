//! When the commands of the pull request can be done, why not, and what the footer calls them.

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::intent::Intent;
use crate::desk::sending::{Stage, Write};
use crate::desk::telling::pull;
use crate::rules::sending::{Gate, GateState, WriteOrigin};
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::pull::state::Pull;
use crate::tui::views::{View, ViewContext};

pub(super) fn check(view: &Pull, context: &ViewContext<'_>, command: Command) -> Availability {
    let desk = context.desk;
    let write = Pull::write(desk);
    match command {
        Command::Do(Ability::TypeDigits) if desk.pull.has_next(&desk.board) => Ok(()),
        Command::Do(Ability::TypeDigits) => match write {
            Some(write) => may_confirm(view, context, write),
            None => standing(view, context),
        },
        Command::Do(Ability::Undo) => match (write, desk.pull.failure.is_some()) {
            (Some(write @ Write::Undo), false) => may_confirm(view, context, write),
            _ => view.may(context, &Intent::LookAtUndo),
        },
        Command::Do(Ability::Recheck) if write == Some(Write::Resume) => {
            may_confirm(view, context, Write::Resume)
        }
        Command::Do(Ability::Recheck) if write == Some(Write::Undo) => Ok(()),
        Command::CopyLine if desk.pull.purpose.kind().origin == WriteOrigin::Jobs => {
            view.check_loaded(context)
        }
        Command::CopyLine => view.check_plan(context),
        // The filter may hide every gate.
        Command::Filter | Command::Sort | Command::CopyMarkdown | Command::CopyJson => {
            if desk.pull.prepared.is_some() { Ok(()) } else { standing(view, context) }
        }
        _ => view.common_availability(context, command),
    }
}

/// The word of a command in the footer. A command that would improve nothing is no hint: arming twice, or asking again of what
/// is open.
pub(super) fn hint(context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
    let desk = context.desk;
    let stage = desk.pull.stage(&desk.board);
    let is_over = matches!(stage, Stage::Done(_));
    let is_ended = desk.pull.watched.as_ref().is_some_and(|pull| !pull.state.is_open());
    // While a gate fails, nothing is there to be armed for.
    let is_bad = |gate: &Gate| gate.state == GateState::Fail;
    let fails = matches!(stage, Stage::Ready(prepared) if prepared.gates.iter().any(is_bad));
    let is_half_undone = matches!(stage, Stage::Undo(undo) if undo.course.is_begun());
    match command {
        Command::Do(Ability::Arm) if is_over || desk.arming.armed().is_some() || fails => None,
        Command::Do(Ability::EditPull | Ability::Recheck) if is_over => None,
        Command::Back if looks_at_undo(desk) => Some("keep it"),
        Command::Do(Ability::TypeDigits) if desk.pull.has_next(&desk.board) => Some("the next one"),
        // GitHub takes no merge back, and a closed pull request is taken back already.
        Command::Do(Ability::Undo) if is_ended => None,
        // Once undoing has begun, the sending cannot be kept any more.
        Command::Do(Ability::Recheck) if is_half_undone => None,
        Command::Do(Ability::Recheck) if Pull::write(desk) == Some(Write::Undo) => Some("keep it"),
        Command::Do(Ability::Recheck) if Pull::write(desk) == Some(Write::Resume) => Some("resume"),
        _ => Some(word),
    }
}

/// Returns true if an undo is shown of which nothing is done.
pub(super) fn looks_at_undo(desk: &Desk) -> bool {
    matches!(desk.pull.stage(&desk.board), Stage::Undo(undo) if !undo.course.is_begun())
}

/// The first sentence about how the pull request stands, as the reason.
pub(super) fn standing(view: &Pull, context: &ViewContext<'_>) -> Availability {
    match pull::standing(context.desk).into_iter().next() {
        Some(message) => refuse(view.text_of(&context.paint, &message)),
        None => Ok(()),
    }
}

fn may_confirm(view: &Pull, context: &ViewContext<'_>, write: Write) -> Availability {
    view.allow(context, context.desk.may_confirm(write).map(drop))
}
