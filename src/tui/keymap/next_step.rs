//! The keys of next steps, as sentences name them, and the commands that lead from one view to another.
//!
//! A step may lead from one view to another, so this file names views.

use crate::desk::ability::NextStep;
use crate::tui::keymap::{Bindings, Command, Context, ViewId, table};

/// The key of a step in a sentence: `V` where the key is bound in the view that is seen, else with the place of its home in the
/// table of keys, `V in the Inventory`. A step without a key is named by its command line. `None` if there is none either, or if
/// the step leads to the view that is seen.
pub(crate) fn key(bindings: &Bindings, view: Context, step: &NextStep) -> Option<String> {
    if matches!(view, Context::View(id) if id.row().shown_by == Some(step.ability)) {
        return None;
    }
    let Some(bound) = bindings.step(view, step.ability) else {
        return step.command_line().map(|line| format!("`{line}`"));
    };
    let keys = bound.key();
    Some(match bound.context {
        context if context == view => keys,
        _ if step.is_there() => format!("{keys} there"),
        // Keys that are bound in nearly all views need no place.
        Context::View(id) if bound.place.contexts.len() < table::ALL_BUT_PULL.len() => {
            format!("{keys} {} {}", id.row().at, id.row().title)
        }
        _ => keys,
    })
}

/// The commands that show a view which sentences name.
pub(crate) const SHOW_CHANGES: Command = Command::Show(ViewId::Changes);
pub(crate) const SHOW_VERIFY: Command = Command::Show(ViewId::Verify);
pub(crate) const SHOW_BACKFILL: Command = Command::Show(ViewId::Backfill);
pub(crate) const SHOW_JOBS: Command = Command::Show(ViewId::Jobs);

/// The key of a command on the screen of one entry.
pub(crate) fn in_entry(bindings: &Bindings, command: impl Into<Command>) -> String {
    bindings.first(Context::View(ViewId::Entry), command)
}
