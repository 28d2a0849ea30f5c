//! The keys of next steps: which command takes a step, in which view, and how a sentence names both.
//!
//! A step may lead from one view to another, so this table names views. A view overrides what differs on its own screen
//! (`View::step_key`).

use crate::desk::ability::{Ability, NextStep};
use crate::desk::intent::OnEntry;
use crate::tui::keymap::{Bindings, Command, Context, ViewId};

/// The command that takes the step to an ability.
pub(crate) fn command(ability: Ability) -> Option<Command> {
    Some(match ability {
        Ability::Survey
        | Ability::Recheck
        | Ability::Resume
        | Ability::Review
        | Ability::BackfillRest
        | Ability::RerunRun => Command::SurveyThis,
        Ability::SurveyShown | Ability::ListReviews => Command::SurveyShown,
        Ability::Verify | Ability::HashReview => Command::Verify,
        Ability::Backfill => Command::Backfill,
        Ability::PauseBackfill => Command::Mark,
        Ability::Build => Command::Entry(OnEntry::Build),
        Ability::Look | Ability::ShowGate | Ability::ReadRunLogs => Command::Open,
        Ability::MergeRun => Command::Add,
        // Only the screen of a run names this step, and leaving that screen takes it.
        Ability::ShowJobs => Command::Back,
        Ability::Browse => Command::Browse,
        Ability::CopyPath => Command::CopyPath,
        Ability::Arm => Command::Arm,
        Ability::TypeDigits | Ability::NextPull => Command::Publish,
        Ability::Judge => Command::Judge,
        Ability::CancelReview | Ability::CancelBackfill => Command::CancelJob,
        Ability::EditPull => Command::Edit,
        Ability::Undo => Command::TakeBack,
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
        Ability::Views => here(Command::Views),
        Ability::Leave => here(Command::Quit),
        Ability::Reload => here(Command::Reload),
        Ability::Add => format!("{} in the Inventory", in_inventory(bindings, Command::Add)),
        Ability::Verify => format!("{} in the Inventory", in_inventory(bindings, Command::Verify)),
        Ability::VerifyRest => format!("{} in Verify", at(ViewId::Verify, Command::Verify)),
        Ability::Survey => format!("{} in the Inventory", in_inventory(bindings, Command::SurveyThis)),
        Ability::Resume | Ability::Undo | Ability::Recheck | Ability::EditPull => {
            format!("{} on the pull request", at(ViewId::Pull, command(step.ability)?))
        }
        Ability::ShowPull | Ability::NextPull => {
            format!("{} in Changes", at(ViewId::Changes, Command::Publish))
        }
        Ability::ShowJobs => here(SHOW_JOBS),
        Ability::FollowRun => format!("{} in Jobs", in_jobs(bindings, Command::SurveyShown)),
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
        Ability::Backfill => format!("{} in the Inventory", in_inventory(bindings, Command::Backfill)),
        Ability::BackfillRest => format!("{} in Backfill", at(ViewId::Backfill, Command::SurveyThis)),
        Ability::CancelBackfill => format!("{} there", at(ViewId::Backfill, Command::CancelJob)),
        Ability::ShowBackfill => here(SHOW_BACKFILL),
        Ability::ShowPlan | Ability::ShowFile => here(SHOW_CHANGES),
        Ability::CancelSurvey => here(Command::CancelJob),
        Ability::CancelBuild => format!("{} in Jobs", in_jobs(bindings, Command::CancelJob)),
        Ability::CancelVerification => format!("{} there", at(ViewId::Verify, Command::CancelJob)),
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
pub(crate) fn in_inventory(bindings: &Bindings, command: Command) -> String {
    bindings.first(Context::View(ViewId::Inventory), command)
}

/// The key of a command on the screen of one entry.
pub(crate) fn in_entry(bindings: &Bindings, command: Command) -> String {
    bindings.first(Context::View(ViewId::Entry), command)
}

/// The key of a command in Changes.
pub(crate) fn in_changes(bindings: &Bindings, command: Command) -> String {
    bindings.first(Context::View(ViewId::Changes), command)
}

/// The key of a command in Jobs.
pub(crate) fn in_jobs(bindings: &Bindings, command: Command) -> String {
    bindings.first(Context::View(ViewId::Jobs), command)
}
