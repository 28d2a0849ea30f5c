//! When the commands of Backfill can be done, why not, and what the footer calls them.

use crate::desk::ability::Ability;
use crate::desk::intent::{Intent, Steered};
use crate::desk::telling::backfill;
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::backfill::state::Backfill;
use crate::tui::views::backfill::view::no_row;
use crate::tui::views::{View, ViewContext};

pub(super) fn check(view: &Backfill, context: &ViewContext<'_>, command: Command) -> Availability {
    let desk = context.desk;
    match command {
        Command::Do(Ability::Backfill) => {
            view.check_loaded(context)?;
            view.allow(context, desk.may_begin_backfill())
        }
        Command::Do(Ability::PauseBackfill | Ability::MoreWorkers | Ability::FewerWorkers) => {
            view.may(context, &Intent::Workers(Steered::Backfill, 1))
        }
        // The filter may hide every row.
        Command::OnlyErrors | Command::Filter | Command::Sort => {
            shows_table(view, context)?;
            if is_empty(context) { why_empty(view, context) } else { Ok(()) }
        }
        Command::NextWanting | Command::PreviousWanting => {
            shows_table(view, context)?;
            match &desk.filling {
                Some(filling) if filling.bad() > 0 => Ok(()),
                Some(filling) if !filling.rows.is_empty() => refuse("no target is bad"),
                _ => why_empty(view, context),
            }
        }
        Command::CopyMarkdown | Command::CopyJson => view.check_rows(context),
        _ => view.common_availability(context, command),
    }
}

/// The word of a command in the footer.
pub(super) fn hint(
    view: &Backfill,
    context: &ViewContext<'_>,
    command: Command,
    word: &'static str,
) -> &'static str {
    let filling = context.desk.filling.as_ref();
    let is_paused = || filling.is_some_and(|filling| filling.steer.is_paused);
    match command {
        Command::Do(Ability::PauseBackfill) if is_paused() => "resume",
        Command::Do(Ability::PauseBackfill) => "pause",
        Command::Open if view.is_expanded => "to the table",
        Command::OnlyErrors if filling.is_some_and(|filling| filling.order.only_bad) => "all rows",
        Command::Back if !view.is_expanded && !view.filter.text().is_empty() => "clear filter",
        _ => word,
    }
}

/// The reason why the table has no rows.
pub(super) fn why_empty(view: &Backfill, context: &ViewContext<'_>) -> Availability {
    if is_empty(context) {
        return refuse(view.text_of(&context.paint, &backfill::none(context.desk)));
    }
    refuse(no_row(view, |command| context.key(command)))
}

fn is_empty(context: &ViewContext<'_>) -> bool {
    context.desk.filling.as_ref().is_none_or(|filling| filling.rows.is_empty())
}

/// The view shows its table and not the details.
fn shows_table(view: &Backfill, context: &ViewContext<'_>) -> Availability {
    if !view.is_expanded {
        return Ok(());
    }
    refuse(format!("the details are shown; {} goes back to the table", context.key(Command::Back)))
}
