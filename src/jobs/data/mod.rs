//! The data of jobs: what a job is given, the events that it sends, and how it ends. The floors above start jobs and show their
//! events with these types alone.
//!
//! Plain values. Nothing here names the world of the jobs, a body, an adapter or anything asynchronous.

mod actions;
mod backfill;
mod event;
mod failure;
mod inquiry;
mod job;
mod lock;
mod log;
mod outcome;
mod past;
mod plan;
mod progress;
mod sending;
mod table;
mod triage;
mod verify;

pub(crate) use actions::{ActionsNews, ActionsTask, RunShown};
pub(crate) use backfill::{
    BackfillLimits, BackfillMerge, BackfillOutput, BackfillPart, BackfillRun, Bundle, Estimated,
};
pub use backfill::{BackfillNews, BackfillTask};
pub use event::{Applied, JobEvent, Loaded, Opened};
pub(crate) use event::{Confirmed, Judgement};
pub use failure::{Failure, FailureKind};
pub(crate) use inquiry::{Inquiry, LimitLeft};
pub use job::{BumpPlan, Gate, Job, JobId, LintPlan, OpenPlan, Scope, SurveyPlan, Writes};
pub(crate) use job::{DecideTask, NewFile, ReplyPlan, ReviewPlan, WatchPlan};
pub(crate) use lock::{CheckedFile, LockNews, LockPlan, LockWhat, LockedVersion};
pub(crate) use log::{LogLevel, LogLine, LogQuery};
pub(crate) use outcome::{ASKS_AGAIN, Stop, TRIES_SERVERS, Unit};
pub use outcome::{Outcome, Summary};
pub(crate) use past::{PastJob, PastState};
pub(crate) use plan::PlanOpened;
pub use plan::{PlanAdd, PlanMark, PlanTask};
pub use progress::Meter;
pub(crate) use progress::{Phase, Progress};
pub(crate) use sending::{PlannedPull, Prepared, SendTask, StartedRun, Subject};
pub(crate) use table::{JobLane, MAX_AGE};
pub(crate) use triage::{TriageAnswer, TriageList, TriagePlan, Triaged};
pub(crate) use verify::{MOST_WORKERS, WORKERS};
pub use verify::{Steer, VerifyNews, VerifyPlan, Wanted};
