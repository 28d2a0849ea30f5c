//! When the commands of Verify can be done, why not, and what the footer calls them.

use crate::desk::ability::Ability;
use crate::desk::intent::Intent;
use crate::desk::run::End;
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::verify::lines::Shows;
use crate::tui::views::verify::state::Verify;
use crate::tui::views::verify::view::no_row;
use crate::tui::views::{View, ViewContext};

pub(super) fn check(verify: &Verify, context: &ViewContext<'_>, command: Command) -> Availability {
    let run = context.desk.run.as_ref();
    let has_any = run.is_some_and(|run| !run.rows.is_empty());
    match command {
        Command::Do(
            Ability::PauseVerification | Ability::MoreWorkers | Ability::FewerWorkers | Ability::StopAtBad,
        ) => verify.may(context, &Intent::StopAtBad(true)),
        // The filter may hide every row.
        Command::OnlyErrors | Command::Filter | Command::Sort => {
            shows_table(verify, context)?;
            if has_any { Ok(()) } else { why_empty(verify, context) }
        }
        Command::NextWanting | Command::PreviousWanting => {
            shows_table(verify, context)?;
            match run {
                Some(run) if run.groups.bad() > 0 => Ok(()),
                Some(_) if has_any => refuse("no target is bad"),
                _ => why_empty(verify, context),
            }
        }
        Command::Fold | Command::OpenFolds | Command::CloseFolds => {
            verify.check_rows(context)?;
            shows_table(verify, context)?;
            if run.is_some_and(|run| !Shows::can_fold(&run.groups)) {
                return refuse("each target has its own line: no two of one version have the same result");
            }
            Ok(())
        }
        Command::CopyMarkdown | Command::CopyJson if has_any => Ok(()),
        Command::CopyMarkdown | Command::CopyJson => why_empty(verify, context),
        _ => verify.common_availability(context, command),
    }
}

/// The word of a command in the footer.
pub(super) fn hint(
    verify: &Verify,
    context: &ViewContext<'_>,
    command: Command,
    word: &'static str,
) -> Option<&'static str> {
    let run = context.desk.run.as_ref();
    match command {
        Command::Do(Ability::PauseVerification) if run.is_some_and(|run| run.steer.is_paused) => {
            Some("resume")
        }
        Command::Do(Ability::PauseVerification) => Some("pause"),
        Command::Down if verify.is_expanded => Some("other targets"),
        // The details have a hint of their own.
        Command::Open if verify.is_expanded => None,
        Command::OtherPane if verify.is_expanded => Some("to the table"),
        Command::Open => {
            let group = verify.group(run)?;
            Some(if verify.shows.is_open(group) { "close" } else { "open" })
        }
        Command::OnlyErrors if run.is_some_and(|run| run.order.only_bad) && !verify.is_expanded => {
            Some("all rows")
        }
        Command::Back if !verify.is_expanded && !verify.filter.text().is_empty() => Some("clear filter"),
        _ => Some(word),
    }
}

/// The reason why the table has no rows.
pub(super) fn why_empty(verify: &Verify, context: &ViewContext<'_>) -> Availability {
    match &context.desk.run {
        Some(run) if !run.rows.is_empty() => refuse(no_row(verify, |command| context.key(command))),
        Some(run) => match run.end {
            None => refuse("what to verify is still being read"),
            Some(End::Done { .. }) => refuse("the last verification had nothing to verify"),
            Some(End::Cancelled) => refuse("the last verification was stopped before it had rows"),
            Some(End::Failed(_)) => refuse("the last verification failed before it had rows"),
        },
        None => {
            let key = context.key(Ability::Verify);
            refuse(format!("nothing has been verified yet; {key} in the Inventory verifies an entry"))
        }
    }
}

/// The view shows its table and not the details.
fn shows_table(verify: &Verify, context: &ViewContext<'_>) -> Availability {
    if !verify.is_expanded {
        return Ok(());
    }
    refuse(format!("the details are shown; {} goes back to the table", context.key(Command::Back)))
}
