//! When the commands of Reviews can be done, why not, and what the footer calls them.

use crate::desk::ability::Ability;
use crate::desk::intent::{Cancel, Intent};
use crate::desk::reviews::Standing;
use crate::jobs::data::ReviewPlan;
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::reviews::state::Reviews;
use crate::tui::views::{View, ViewContext};

pub(super) fn check(reviews: &Reviews, context: &ViewContext<'_>, command: Command) -> Availability {
    match command {
        Command::Do(Ability::Judge) => {
            reviews.check_rows(context)?;
            match reviews.verdict(context.desk, "comment") {
                Some(Ok(plan)) => reviews.may(context, &Intent::PrepareVerdict(plan)),
                Some(Err(why)) => refuse(why),
                None => Ok(()),
            }
        }
        Command::Do(Ability::HashReview) => can_review(reviews, context, true),
        Command::Do(Ability::Review) => can_review(reviews, context, false),
        Command::Do(Ability::ListReviews) => reviews.may(context, &Intent::ListReviews),
        Command::Do(Ability::CancelReview) => reviews.may(context, &Intent::Cancel(Cancel::Review)),
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
        _ => reviews.common_availability(context, command),
    }
}

/// The word of a command in the footer.
pub(super) fn hint(reviews: &Reviews, command: Command, word: &'static str) -> &'static str {
    if command == Command::Open && reviews.is_whole { "to the list" } else { word }
}

/// The pull request under the cursor can be reviewed.
fn can_review(reviews: &Reviews, context: &ViewContext<'_>, hashes: bool) -> Availability {
    reviews.check_rows(context)?;
    let number = reviews.selected(context.desk).map(|(pull, _)| pull.number);
    number.map_or(Ok(()), |number| reviews.may(context, &Intent::Review(ReviewPlan { number, hashes })))
}
