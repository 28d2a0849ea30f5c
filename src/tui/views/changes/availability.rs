//! When the commands of Changes can be done, why not, and what the footer calls them.

use crate::desk::ability::Ability;
use crate::rules::amount::counted;
use crate::rules::plan::{Plan, Refusal, Unseen, Verb, Which};
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::changes::state::Changes;
use crate::tui::views::{View, ViewContext};

pub(super) fn check(changes: &Changes, context: &ViewContext<'_>, command: Command) -> Availability {
    let pull = &context.desk.pull;
    match command {
        // The filter may hide every file.
        Command::Filter if !changes.in_lines() => changes.check_plan(context),
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
        Command::Sort
        | Command::NextFile
        | Command::PreviousFile
        | Command::OtherPane
        | Command::Do(Ability::Note | Ability::ShowPull)
        | Command::CopyMarkdown
        | Command::CopyJson => changes.check_plan(context),
        Command::Do(Ability::Approve) => {
            folds_hide_nothing(changes, context)?;
            was_shown(changes, context)?;
            changes.common_availability(context, command)
        }
        _ => changes.common_availability(context, command),
    }
}

/// The word of a command in the footer.
pub(super) fn hint(
    changes: &Changes,
    context: &ViewContext<'_>,
    command: Command,
    word: &'static str,
) -> Option<&'static str> {
    if command == Command::Back && !changes.in_lines() && !changes.filter.text().is_empty() {
        return Some("clear filter");
    }
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

/// A change can be approved while no fold hides a difference of it.
fn folds_hide_nothing(changes: &Changes, context: &ViewContext<'_>) -> Availability {
    let hidden = changes.hidden_differences(&context.desk.planning);
    if hidden == 0 {
        return Ok(());
    }
    let what = format!("{} unlike the others", counted(hidden, "target"));
    refuse(format!("a fold hides {what}; {} opens all folds", context.key(Command::OpenFolds)))
}

/// Says what is left to show of the change under the cursor, and the key that shows it.
fn was_shown(changes: &Changes, context: &ViewContext<'_>) -> Availability {
    let planning = &context.desk.planning;
    let (Some(file), Some(piece)) = (changes.file(planning), changes.piece(planning)) else { return Ok(()) };
    let approved = file.answer(&Which::Piece(piece.id.clone()), &Verb::Approve);
    let review = changes.open_review(planning).filter(|review| review.is_of(file));
    let (Err(Refusal::NotSeen { .. }), Some(review)) = (approved, review) else { return Ok(()) };
    let Some(unseen) = review.unseen(piece, &changes.arrivals) else { return Ok(()) };
    let is_folded = match &unseen {
        Unseen::Platforms(_, blocks) => blocks.iter().any(|block| review.pane.is_hidden(*block)),
        Unseen::NotReached | Unseen::Summary | Unseen::OwnLines => false,
    };
    let way = if is_folded {
        format!("{} opens all folds", context.key(Command::OpenFolds))
    } else {
        format!("{} shows what is left", changes.key_to_see(&context.paint))
    };
    refuse(format!("{}: {}; {way}", piece.part.name(), unseen.text()))
}
