//! Use cases: asynchronous, cancellable, headless. All faces start the same jobs and print or draw the same
//! events.
//!
//! - The data of jobs, which is all that most floors above name: plans, events, outcomes, failures: `data`.
//! - The life of a job from its start to its end: `engine`; the context of its body: `context`; the world that it works in:
//!   `env`.
//! - The jobs: `load`, `survey`, `open`, `bump`, `lint`, `verify`, `backfill`, `actions`, `lock`, `plan`, `publish`,
//!   `pulls`, `reply`, `review`, `triage`, `stranded`, `activity`, `inquire`, `read_log`, `write_out`.
//! - Parts that several of them need: an opened registry with its keys (`session`) and its opening (`opening`), one entry's
//!   verdict (`judging`) and rebuild (`propose`), archives (`hash`), many requests at once (`fan`).
//! - Data that stays between runs: which jobs ran (`journal`), the log (`log`), verdicts that are still valid (`verdicts`), the
//!   memory of a console (`memory`); `tidy` removes unused data.

mod actions;
mod activity;
mod backfill;
mod bump;
mod clock;
mod context;
pub(crate) mod data;
mod engine;
mod env;
mod fan;
mod hash;
mod inquire;
mod journal;
mod judging;
mod lint;
mod load;
mod lock;
mod log;
mod looks;
mod memory;
mod open;
mod opening;
mod plan;
mod propose;
mod publish;
mod pulls;
mod read_log;
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
pub(crate) use activity::count_activity;
pub use clock::Clock;
pub use engine::Engine;
pub use env::{Env, EnvOptions};
pub(crate) use env::{check_servers, state_size};
pub use hash::{Cores, Piece, hash_body};
pub(crate) use log::path as log_path;
