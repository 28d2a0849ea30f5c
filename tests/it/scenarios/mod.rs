//! The stories (`tests/scenarios/stories.md`) and the table of odd upstreams: verdict and proposed bytes, through the real jobs and
//! the loopback world. The worlds stand in `tests/scenarios`; what has to come of them stands there and here.

mod anatomy;
mod another;
mod backfill;
mod bump;
mod console;
pub(crate) mod edits;
mod failing;
mod faults;
mod forms;
mod guarded;
mod handed;
mod incidents;
mod kept;
mod keys;
mod ladder;
mod large;
mod lock;
mod modes;
mod mutations;
mod past;
mod plan;
pub(crate) mod pull;
mod recalled;
mod requests;
mod review;
mod reviews;
pub(crate) mod scene;
pub(crate) mod send;
mod stopped;
mod submissions;
mod submitted;
mod table;
mod verdict;
mod verify;
mod waiting;
pub(crate) mod watch;
