//! Use cases: asynchronous, cancellable, headless. Both faces start the same jobs and print or draw the same events.

mod engine;
mod event;

pub use engine::Engine;
pub use event::{
    Applied, Failure, FailureKind, Job, JobEvent, JobId, Judgement, Loaded, OpenPlan, Opened, Outcome, Phase,
    Progress, Scope, Summary, SurveyPlan,
};
