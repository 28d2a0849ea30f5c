//! The keys of next steps: which command takes a step, in which view, and how a sentence names both.
//!
//! A step may lead from one view to another, so this table names views. A view overrides what differs on its own screen
//! (`View::step_key`).

use crate::desk::ability::{Ability, NextStep};
use crate::tui::keymap::{Bindings, Command, Context, ViewId};

/// The command that takes the step to an ability.
pub(crate) fn command(ability: Ability) -> Option<Command> {
    Some(match ability {
        Ability::Resume => Command::Do(Ability::Recheck),
        Ability::RerunRun => Command::Do(Ability::RunAgain),
        Ability::NextPull => Command::Do(Ability::TypeDigits),
        // Only the screen of a run names this step, and leaving that screen takes it.
        Ability::ShowJobs => Command::Back,
        Ability::Survey
        | Ability::Recheck
        | Ability::Review
        | Ability::BackfillRest
        | Ability::SurveyShown
        | Ability::ListReviews
        | Ability::Verify
        | Ability::HashReview
        | Ability::Backfill
        | Ability::PauseBackfill
        | Ability::Build
        | Ability::Look
        | Ability::ShowGate
        | Ability::ReadRunLogs
        | Ability::MergeRun
        | Ability::Browse
        | Ability::CopyPath
        | Ability::Arm
        | Ability::TypeDigits
        | Ability::Judge
        | Ability::CancelReview
        | Ability::CancelBackfill
        | Ability::EditPull
        | Ability::Undo => Command::Do(ability),
        _ => return None,
    })
}

/// The key of a step as another view than its own names it: `V in the Inventory`. `view` is the context on screen. `None` if
/// no key takes the step.
pub(crate) fn key(bindings: &Bindings, view: Context, step: &NextStep) -> Option<String> {
    let at = |view, command| bindings.first(Context::View(view), command);
    let here = |command| bindings.first(view, command);
    Some(match step.ability {
        Ability::Clone => "`bumpdesk clone`".to_owned(),
        Ability::Views => here(Command::Do(Ability::Views)),
        Ability::Leave => here(Command::Do(Ability::Leave)),
        Ability::Reload => here(Command::Do(Ability::Reload)),
        Ability::Add => format!("{} in the Inventory", in_inventory(bindings, Ability::Add)),
        Ability::Verify => {
            format!("{} in the Inventory", in_inventory(bindings, Ability::Verify))
        }
        Ability::VerifyRest => format!("{} in Verify", at(ViewId::Verify, Command::Do(Ability::VerifyRest))),
        Ability::Survey => {
            format!("{} in the Inventory", in_inventory(bindings, Ability::Survey))
        }
        Ability::Resume | Ability::Undo | Ability::Recheck | Ability::EditPull => {
            format!("{} on the pull request", at(ViewId::Pull, command(step.ability)?))
        }
        Ability::ShowPull | Ability::NextPull => {
            format!("{} in Changes", at(ViewId::Changes, Command::Do(Ability::ShowPull)))
        }
        Ability::ShowJobs => here(SHOW_JOBS),
        Ability::FollowRun => format!("{} in Jobs", in_jobs(bindings, Ability::FollowRun)),
        Ability::RerunRun | Ability::MergeRun | Ability::ReadRunLogs => {
            format!("{} in Jobs", in_jobs(bindings, command(step.ability)?))
        }
        Ability::ListReviews
        | Ability::Review
        | Ability::HashReview
        | Ability::Judge
        | Ability::CancelReview => {
            format!("{} in Reviews", at(ViewId::Reviews, command(step.ability)?))
        }
        Ability::Backfill => {
            format!("{} in the Inventory", in_inventory(bindings, Ability::Backfill))
        }
        Ability::BackfillRest => {
            format!("{} in Backfill", at(ViewId::Backfill, Command::Do(Ability::BackfillRest)))
        }
        Ability::CancelBackfill => {
            format!("{} there", at(ViewId::Backfill, Command::Do(Ability::CancelBackfill)))
        }
        Ability::ShowBackfill => here(SHOW_BACKFILL),
        Ability::ShowPlan | Ability::ShowFile => here(SHOW_CHANGES),
        Ability::CancelSurvey => here(Command::Do(Ability::CancelSurvey)),
        Ability::CancelBuild => format!("{} in Jobs", in_jobs(bindings, Ability::CancelJob)),
        Ability::CancelVerification => {
            format!("{} there", at(ViewId::Verify, Command::Do(Ability::CancelVerification)))
        }
        Ability::ShowVerification => here(SHOW_VERIFY),
        Ability::CancelAll => return None,
        _ => here(command(step.ability)?),
    })
}

/// The commands that show a view which sentences name.
pub(crate) const SHOW_CHANGES: Command = Command::Show(ViewId::Changes);
pub(crate) const SHOW_VERIFY: Command = Command::Show(ViewId::Verify);
pub(crate) const SHOW_BACKFILL: Command = Command::Show(ViewId::Backfill);
pub(crate) const SHOW_JOBS: Command = Command::Show(ViewId::Jobs);

/// The key of a command in the Inventory.
pub(crate) fn in_inventory(bindings: &Bindings, command: impl Into<Command>) -> String {
    bindings.first(Context::View(ViewId::Inventory), command)
}

/// The key of a command on the screen of one entry.
pub(crate) fn in_entry(bindings: &Bindings, command: impl Into<Command>) -> String {
    bindings.first(Context::View(ViewId::Entry), command)
}

/// The key of a command in Changes.
pub(crate) fn in_changes(bindings: &Bindings, command: impl Into<Command>) -> String {
    bindings.first(Context::View(ViewId::Changes), command)
}

/// The key of a command in Jobs.
pub(crate) fn in_jobs(bindings: &Bindings, command: impl Into<Command>) -> String {
    bindings.first(Context::View(ViewId::Jobs), command)
}
