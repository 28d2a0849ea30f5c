//! The step from the plan to its pull request.

use crate::desk::intent::Intent;
use crate::desk::sending::Stage;
use crate::rules::plan::Plan;
use crate::tui::views::{ActionContext, ViewRequest};

/// Shows the pull request of the plan. It is prepared first if there is none, or if it belongs to an earlier
/// plan.
pub(super) fn show(context: &mut ActionContext<'_>) {
    context.desk.show_next();
    // A look at an undo ends where it was left.
    if let Stage::Undo(_) = context.desk.pull.stage(&context.desk.board) {
        context.desk.pull.leave_undo();
    }
    let desk = &*context.desk;
    let plan = desk.planning.plan.as_ref().map(Plan::name);
    let is_same = plan == Some(desk.pull.purpose.of());
    let is_to_do = match desk.pull.stage(&desk.board) {
        Stage::Nothing | Stage::Failed(_) => true,
        Stage::Preparing | Stage::Ready(_) | Stage::Done(_) | Stage::Undone(_) => !is_same,
        Stage::Sending(_) | Stage::Stopped(_) | Stage::Undo(_) => false,
    };
    if is_to_do {
        let intent = Intent::prepare(desk.pull.purpose.pull());
        let is_refused = desk.may(&intent).is_err();
        context.request(ViewRequest::Act(intent));
        if is_refused {
            // The reason is shown where the key was pressed.
            return;
        }
    }
    context.request(ViewRequest::ShowSending);
}
