//! When the commands of Stranded can be done, and why not.

use crate::desk::ability::Ability;
use crate::desk::intent::{EntrySelection, Intent};
use crate::tui::keymap::{Availability, Command};
use crate::tui::views::stranded::selection;
use crate::tui::views::stranded::state::Stranded;
use crate::tui::views::{View, ViewContext};

pub(super) fn check(stranded: &Stranded, context: &ViewContext<'_>, command: Command) -> Availability {
    let desk = context.desk;
    let cards = || stranded.selected_cards(desk);
    match command {
        Command::NextWanting | Command::PreviousWanting => stranded.check_rows(context),
        Command::Do(Ability::Ignore) => {
            stranded.check_rows(context)?;
            stranded.allow(context, selection::ignorable(&cards()).map(drop))
        }
        Command::Do(Ability::DraftMessage) => {
            stranded.check_rows(context)?;
            stranded.allow(context, selection::draft(&cards()).map(drop))
        }
        Command::Do(Ability::SurveyBoard) => {
            stranded.check_rows(context)?;
            stranded.may(context, &Intent::survey(EntrySelection::Everything))
        }
        _ => stranded.common_availability(context, command),
    }
}
