//! When the commands of Reviews can be done, why not, and what the footer calls them.

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::intent::Intent;
use crate::desk::reviews::Standing;
use crate::desk::telling::review;
use crate::rules::sending::VerdictPlan;
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::reviews::state::{Focus, Reviews};
use crate::tui::views::{View, ViewContext};

pub(super) fn check(reviews: &Reviews, context: &ViewContext<'_>, command: Command) -> Availability {
    match command {
        Command::Do(Ability::Judge) => {
            reviews.check_rows(context)?;
            let Some((pull, _)) = reviews.selected(context.desk) else { return Ok(()) };
            let plan = VerdictPlan::new(pull.number, context.desk.reviews.was_hashed(pull.number));
            reviews.may(context, &Intent::prepare(plan))
        }
        // Its lines are there already, or on their way.
        Command::Do(Ability::ReviewDiff)
            if reviews
                .selected(context.desk)
                .is_some_and(|(pull, _)| has_lines(context.desk, pull.number)) =>
        {
            Ok(())
        }
        Command::CopyMarkdown | Command::CopyJson => {
            reviews.check_rows(context)?;
            match reviews.selected(context.desk) {
                Some((_, Standing::Waiting)) => {
                    let key = context.key(Ability::Review);
                    refuse(format!("it was not reviewed yet; {key} reviews it"))
                }
                _ => Ok(()),
            }
        }
        // The filter may hide every row.
        Command::Filter | Command::Sort if context.desk.reviews.order().count() > 0 => Ok(()),
        Command::Filter | Command::Sort => reviews.check_rows(context),
        _ => reviews.common_availability(context, command),
    }
}

/// Returns true if the lines of a pull request are known, or being read.
pub(super) fn has_lines(desk: &Desk, number: u64) -> bool {
    desk.reviews.differences(number).is_some()
        || desk.board.running(|job| review::is_review_of(job, number)).is_some()
}

/// The word of a command in the footer; `None` for one that has nothing to do here.
pub(super) fn hint(
    reviews: &Reviews,
    desk: &Desk,
    command: Command,
    word: &'static str,
) -> Option<&'static str> {
    let lacks_hashes = || match reviews.selected(desk) {
        Some((_, Standing::Reviewed(found))) => found.review.files.iter().any(|file| file.lacks_hashes),
        _ => true,
    };
    match command {
        Command::Open if reviews.focus == Focus::Whole => Some("to the list"),
        Command::Back if reviews.focus == Focus::List && !reviews.filter.text().is_empty() => {
            Some("clear filter")
        }
        Command::Do(Ability::HashReview) if !lacks_hashes() => None,
        _ => Some(word),
    }
}
