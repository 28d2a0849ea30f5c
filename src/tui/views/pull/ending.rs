//! The end of a job about what is sent: the job that follows what was sent, and the message.

use crate::desk::form::FormSubject;
use crate::desk::intent::Intent;
use crate::desk::sending::Stage;
use crate::desk::telling::{pull, written};
use crate::jobs::data::{Job, Outcome, SendTask, WatchPlan};
use crate::tui::views::pull::state::Pull;
use crate::tui::views::{ActionContext, View, ViewRequest};
use crate::tui::widgets::message::Tone;

/// Follows what was sent, and reports an end that is not seen here.
pub(super) fn end(view: &Pull, context: &mut ActionContext<'_>, job: &Job, outcome: &Outcome) {
    if let (Job::Send(SendTask::Open { .. } | SendTask::Resume { .. }), Outcome::Done(_)) = (job, outcome) {
        follow(context);
    }
    match (job, outcome) {
        (Job::WriteOut(_), Outcome::Failed(failure)) => {
            context.request(ViewRequest::EndForm(FormSubject::File, Some(failure.clone())));
        }
        (Job::WriteOut(file), _) => {
            context.request(ViewRequest::EndForm(FormSubject::File, None));
            if let Some(prepared) = &context.desk.pull.prepared {
                let text = written::written(&file.path, prepared);
                context.report(Tone::Notice, text);
            }
        }
        (Job::Prepare(_) | Job::Send(_), _) if context.is_seen => {}
        (Job::Prepare(_) | Job::Send(_), Outcome::Failed(failure)) => context.fail(failure),
        (Job::Send(_), Outcome::Done(_)) => {
            if let Some(message) = pull::standing(context.desk).into_iter().next() {
                let text = view.text_of(&context.paint, &message);
                context.report(Tone::Notice, text);
            }
        }
        _ => {}
    }
}

/// Follows a pull request that was opened until it is merged and the bump after it was seen, and a run that was started.
fn follow(context: &mut ActionContext<'_>) {
    let desk = &*context.desk;
    let Stage::Done(sent) = desk.pull.stage(&desk.board) else { return };
    // Where GitHub does not say which run it made, the newest one may be another.
    let request = match (sent.course.run(), sent.course.pull()) {
        (Some(run), _) => {
            let intent = Intent::FollowRun(Some(run));
            desk.may(&intent).is_ok().then_some(ViewRequest::Act(intent))
        }
        (None, number @ Some(_)) if desk.board.watching().is_none() => {
            Some(ViewRequest::Start(Job::Watch(WatchPlan { number, once: false })))
        }
        _ => None,
    };
    context.requests.extend(request);
}
