//! The keys of next steps: which command takes a step, in which view, and how a sentence names both.
//!
//! A step may lead from one view to another, so this table names views. A view overrides what differs on its own screen
//! (`View::step_key`).

use crate::desk::intent::OnEntry;
use crate::desk::telling::Way;
use crate::tui::keymap::{Bindings, Command, Context, ViewId};

/// The command that takes a step.
pub(crate) fn command(way: &Way) -> Option<Command> {
    Some(match way {
        Way::Survey | Way::Recheck | Way::Resume | Way::Review(_) | Way::BackfillRest | Way::RerunRun(_) => {
            Command::SurveyThis
        }
        Way::SurveyShown | Way::ListReviews => Command::SurveyShown,
        Way::Verify | Way::HashReview(_) => Command::Verify,
        Way::Backfill => Command::Backfill,
        Way::PauseBackfill => Command::Mark,
        Way::Build => Command::Entry(OnEntry::Build),
        Way::Open | Way::Gate | Way::RunLogs(_) => Command::Open,
        Way::MergeRun(_) => Command::Add,
        // Only the screen of a run names this step, and leaving that screen takes it.
        Way::ShowJobs => Command::Back,
        Way::Browse => Command::Browse,
        Way::CopyPath => Command::CopyPath,
        Way::Arm => Command::Arm,
        Way::Digits | Way::NextPull => Command::Publish,
        Way::Judge(_) => Command::Judge,
        Way::CancelReview | Way::CancelBackfill => Command::CancelJob,
        Way::AskFor => Command::Edit,
        Way::Undo => Command::TakeBack,
        _ => return None,
    })
}

/// The key of a step as another view than its own names it: `V in the Inventory`. `view` is the context on screen. `None` if
/// no key takes the step.
pub(crate) fn key(bindings: &Bindings, view: Context, way: &Way) -> Option<String> {
    let at = |view, command| bindings.first(Context::View(view), command);
    let here = |command| bindings.first(view, command);
    Some(match way {
        Way::Clone => "`bumpdesk clone`".to_owned(),
        Way::Views => here(Command::Views),
        Way::Leave => here(Command::Quit),
        Way::Reload => here(Command::Reload),
        Way::Add(_) => format!("{} in the Inventory", in_inventory(bindings, Command::Add)),
        Way::Verify => format!("{} in the Inventory", in_inventory(bindings, Command::Verify)),
        Way::VerifyRest => format!("{} in Verify", at(ViewId::Verify, Command::Verify)),
        Way::Survey => format!("{} in the Inventory", in_inventory(bindings, Command::SurveyThis)),
        Way::Resume | Way::Undo | Way::Recheck | Way::AskFor => {
            format!("{} on the pull request", at(ViewId::Pull, command(way)?))
        }
        Way::ShowPull | Way::NextPull => {
            format!("{} in Changes", at(ViewId::Changes, Command::Publish))
        }
        Way::ShowJobs => here(SHOW_JOBS),
        Way::FollowRun(_) => format!("{} in Jobs", in_jobs(bindings, Command::SurveyShown)),
        Way::RerunRun(_) | Way::MergeRun(_) | Way::RunLogs(_) => {
            format!("{} in Jobs", in_jobs(bindings, command(way)?))
        }
        Way::ListReviews | Way::Review(_) | Way::HashReview(_) | Way::Judge(_) | Way::CancelReview => {
            format!("{} in Reviews", at(ViewId::Reviews, command(way)?))
        }
        Way::Backfill => format!("{} in the Inventory", in_inventory(bindings, Command::Backfill)),
        Way::BackfillRest => format!("{} in Backfill", at(ViewId::Backfill, Command::SurveyThis)),
        Way::CancelBackfill => format!("{} there", at(ViewId::Backfill, Command::CancelJob)),
        Way::ShowBackfill => here(SHOW_BACKFILL),
        Way::ShowPlan | Way::ShowFile(_) => here(SHOW_CHANGES),
        Way::CancelSurvey => here(Command::CancelJob),
        Way::CancelBuild => format!("{} in Jobs", in_jobs(bindings, Command::CancelJob)),
        Way::CancelVerification => format!("{} there", at(ViewId::Verify, Command::CancelJob)),
        Way::ShowVerification => here(SHOW_VERIFY),
        Way::CancelAll => return None,
        way => here(command(way)?),
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
