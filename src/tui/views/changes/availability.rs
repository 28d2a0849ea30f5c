//! When the commands of Changes can be done, why not, and what the footer calls them.

use crate::desk::ability::Ability;
use crate::desk::intent::Intent;
use crate::rules::amount::counted;
use crate::rules::plan::{Plan, Verb};
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::changes::state::Changes;
use crate::tui::views::{View, ViewContext};

pub(super) fn check(changes: &Changes, context: &ViewContext<'_>, command: Command) -> Availability {
    let pull = &context.desk.pull;
    match command {
        // A pull request that an earlier run left is there without a plan too.
        Command::Do(Ability::ShowPull) if pull.is_earlier() || pull.waiting() > 0 => {
            changes.check_loaded(context)
        }
        Command::NextHunk
        | Command::PreviousHunk
        | Command::MoreContext
        | Command::LessContext
        | Command::Layout
        | Command::Filter => has_lines(changes, context),
        Command::NextFile
        | Command::PreviousFile
        | Command::Do(Ability::Note | Ability::DropFile)
        | Command::OtherPane
        | Command::Do(Ability::ShowPull)
        | Command::CopyMarkdown
        | Command::CopyJson => changes.check_plan(context),
        Command::Do(Ability::Approve) => can_approve(changes, context),
        Command::Do(Ability::Reject) => can_answer(changes, context, Verb::Reject),
        Command::Do(Ability::Reopen) => can_answer(changes, context, Verb::Reopen),
        Command::Do(Ability::RebuildFile | Ability::RebuildPlan) => changes.may(context, &Intent::rebuild()),
        _ => changes.common_availability(context, command),
    }
}

/// The word of a command in the footer.
pub(super) fn hint(context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
    let is_approved = || context.desk.planning.plan.as_ref().is_some_and(Plan::is_approved);
    (command != Command::Do(Ability::ShowPull) || is_approved()).then_some(word)
}

fn has_lines(changes: &Changes, context: &ViewContext<'_>) -> Availability {
    changes.check_plan(context)?;
    if changes.has_lines(&context.desk.planning) {
        return Ok(());
    }
    refuse("the lines of this file are not here yet")
}

/// A change can be approved once it was looked at, and while no fold hides a difference of it.
fn can_approve(changes: &Changes, context: &ViewContext<'_>) -> Availability {
    let hidden = changes.hidden_differences(&context.desk.planning);
    if hidden > 0 {
        let what = format!("{} unlike the others", counted(hidden, "target"));
        let key = context.key(Command::OpenFolds);
        return refuse(format!("a fold hides {what}; {key} opens all folds"));
    }
    can_answer(changes, context, Verb::Approve)
}

/// The change under the cursor, or the file, can get this answer.
fn can_answer(changes: &Changes, context: &ViewContext<'_>, verb: Verb) -> Availability {
    changes.check_plan(context)?;
    match changes.says(&context.desk.planning, verb) {
        Some(mark) => changes.may(context, &Intent::Say(vec![mark])),
        None => Ok(()),
    }
}
