//! Says why versions are not available.

use crate::desk::intent::Step;
use crate::desk::telling::Message;
use crate::jobs::data::{Job, TriagePlan};

/// Looks up lines, or a list of them.
pub(super) fn triage(plan: &TriagePlan) -> Result<Step, Message> {
    if plan.lines.is_empty() && plan.list.is_none() {
        return Err(Message::of("no line is asked about").wrong());
    }
    Ok(Step::Start(Job::Triage(plan.clone())))
}
