//! Use cases: asynchronous, cancellable, headless. All faces start the same jobs and print or draw the same
//! events.
//!
//! - What a job is asked, says and comes to: `event`; those of the plan, of lock files and of verification in their folders.
//! - How a job is started, cancelled and ended: `engine`; what its body holds: `context`; the world that it works in: `env`.
//! - The jobs: `load`, `survey`, `open`, `bump`, `lint`, `verify`, `backfill`, `actions`, `lock`, `plan`, `publish`,
//!   `pulls`, `reply`, `review`, `triage`, `stranded`, `inquire`, `write_out`.
//! - What several of them need: an opened registry (`session`), its keys (`key_folder`), one entry's rebuild (`propose`),
//!   archives (`hash`), many requests at once (`fan`).
//! - What stays between runs: which jobs ran (`journal`), the log (`log`), verdicts that hold still (`verdicts`), what a
//!   console remembers (`memory`); `tidy` forgets what nobody uses.

mod actions;
mod backfill;
mod bump;
mod context;
mod engine;
mod env;
mod event;
mod fan;
mod figures;
mod hash;
mod inquire;
mod journal;
mod key_folder;
mod lint;
mod load;
mod lock;
mod log;
mod looks;
mod memory;
mod open;
mod plan;
mod propose;
mod publish;
mod pulls;
mod reply;
mod review;
mod session;
mod stranded;
mod survey;
mod tidy;
mod triage;
mod verdicts;
mod verify;
mod write_out;

pub(crate) use crate::store::{StateSize, folder_size, on_path};
pub(crate) use actions::{ActionsNews, ActionsTask, RunShown};
pub(crate) use backfill::{
    BackfillLimits, BackfillMerge, BackfillOutput, BackfillPart, BackfillRun, Bundle, Estimated,
};
pub use backfill::{BackfillNews, BackfillTask};
pub use engine::Engine;
pub use env::{Clock, Env, EnvOptions};
pub(crate) use env::{check_servers, state_size};
pub use event::{
    Applied, BumpPlan, Failure, FailureKind, Gate, Job, JobEvent, JobId, LintPlan, Loaded, OpenPlan, Opened,
    Outcome, Scope, Summary, SurveyPlan, Writes,
};
pub(crate) use event::{Confirmed, Judgement, Phase, Progress, Stop, Unit};
pub use hash::{Cores, Meter, Piece, hash_body};
pub(crate) use inquire::{Inquiry, LimitLeft};
pub(crate) use journal::{PastJob, PastState};
pub(crate) use lock::{CheckedFile, LockNews, LockPlan, LockWhat, LockedVersion};
pub(crate) use log::{LogLevel, LogLine, LogQuery, path as log_path};
pub(crate) use plan::PlanOpened;
pub use plan::{PlanAdd, PlanMark, PlanTask};
pub(crate) use publish::{PlannedPull, Prepared, SendTask, StartedRun, Subject};
pub(crate) use pulls::WatchPlan;
pub(crate) use reply::ReplyPlan;
pub(crate) use review::ReviewPlan;
pub(crate) use stranded::DecideTask;
pub(crate) use survey::ASKS_AGAIN;
pub(crate) use triage::{TriageAnswer, TriageList, TriagePlan, Triaged};
pub(crate) use verify::{MOST_WORKERS, WORKERS};
pub use verify::{Steer, VerifyNews, VerifyPlan, Wanted};
pub(crate) use write_out::NewFile;
