//! When the commands of Stranded can be done, and why not.

use crate::desk::ability::Ability;
use crate::desk::intent::{Intent, Meant};
use crate::rules::edit::Edit;
use crate::tui::keymap::{Availability, Command};
use crate::tui::views::stranded::selection;
use crate::tui::views::stranded::state::Stranded;
use crate::tui::views::{View, ViewContext};

pub(super) fn check(stranded: &Stranded, context: &ViewContext<'_>, command: Command) -> Availability {
    let desk = context.desk;
    let cards = || stranded.meant(desk);
    match command {
        Command::NextWanting | Command::PreviousWanting => stranded.check_rows(context),
        Command::Do(Ability::ClearErrors) => {
            stranded.check_subject(context)?;
            stranded.may(context, &selection::clearing(&cards())?)
        }
        Command::Do(Ability::Block) => {
            stranded.check_subject(context)?;
            let of = selection::by_entry(&cards());
            for (address, versions) in &of {
                for version in versions {
                    stranded.allow(context, desk.blockable(address, Some(version)).map(drop))?;
                }
            }
            let edit = |(address, versions)| (address, Edit::Block(versions, String::new()));
            stranded.may(context, &Intent::Edit(of.into_iter().map(edit).collect()))
        }
        Command::Do(Ability::Ignore) => {
            stranded.check_rows(context)?;
            selection::ignorable(&cards()).map(drop)
        }
        Command::Do(Ability::DraftMessage) => {
            stranded.check_rows(context)?;
            selection::draft(&cards()).map(drop)
        }
        Command::Do(Ability::Unignore) => {
            stranded.check_rows(context)?;
            stranded.may(context, &selection::taking_back(&cards())?)
        }
        Command::Do(Ability::SurveyBoard) => {
            stranded.check_rows(context)?;
            stranded.may(context, &Intent::survey(Meant::Everything))
        }
        _ => stranded.common_availability(context, command),
    }
}
