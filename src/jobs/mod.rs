//! Use cases: asynchronous, cancellable, headless. Both faces start the same jobs and print or draw the same events.

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
mod memory;
mod open;
mod plan;
mod propose;
mod session;
mod survey;
mod verify;

pub(crate) use crate::store::folder_size;
pub use engine::Engine;
pub use env::{Clock, Env, EnvOptions};
pub use event::{
    Applied, BumpPlan, Confirmed, Failure, FailureKind, Gate, Job, JobEvent, JobId, Judgement, LintPlan,
    Loaded, OpenPlan, Opened, Outcome, Phase, Progress, Scope, Summary, SurveyPlan, Writes,
};
pub use hash::{Cores, Piece, Summed, hash_body};
pub use inquire::{Inquiry, LimitLeft};
pub use journal::{PastJob, PastState};
pub use lock::{CheckedFile, LockNews, LockPlan, LockWhat, LockedVersion};
pub(crate) use log::path as log_path;
pub use log::{LogLevel, LogLine, LogQuery};
pub use plan::{PlanAdd, PlanMark, PlanOpened, PlanTask};
pub use verify::{MOST_WORKERS, Meter, Steer, VerifyNews, VerifyPlan, WORKERS, Wanted};
