//! Everything that a maintainer sees and may do. It is pure, and equal for all faces, which translate and lay
//! out.

pub(crate) mod ability;
pub(crate) mod activity;
pub(crate) mod arming;
pub(crate) mod asking;
pub(crate) mod board;
pub(crate) mod filling;
pub(crate) mod folding;
pub(crate) mod form;
pub(crate) mod hear;
pub(crate) mod history;
pub(crate) mod intent;
pub(crate) mod launch;
pub(crate) mod list;
pub(crate) mod machines;
pub(crate) mod naming;
pub(crate) mod objects;
pub(crate) mod planning;
pub(crate) mod reviews;
pub(crate) mod run;
pub(crate) mod sending;
pub(crate) mod stranded;
pub(crate) mod table;
pub(crate) mod targets;
pub(crate) mod telling;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod triage;

use std::time::Duration;

use jiff::Timestamp;

use crate::desk::activity::CountedActivity;
use crate::desk::arming::Arming;
use crate::desk::board::Board;
use crate::desk::filling::Filling;
use crate::desk::history::History;
use crate::desk::launch::Estimating;
use crate::desk::list::List;
use crate::desk::machines::Machines;
use crate::desk::planning::Planning;
use crate::desk::reviews::Reviews;
use crate::desk::run::Run;
use crate::desk::sending::PullRequest;
use crate::desk::stranded::Stranded;
use crate::desk::triage::Lookup;
use crate::jobs::data::{Failure, LimitLeft};

/// The state of the registry.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Registry {
    /// No registry was found.
    Missing,
    #[default]
    Loading,
    Failed(Failure),
    Loaded(Header),
}

/// The facts about a loaded registry besides its entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) revision: String,
    pub(crate) last_bump: Option<Timestamp>,
    pub(crate) has_token: bool,
    /// Requests to git per second; `None` without a limit.
    pub(crate) git_per_second: Option<f64>,
    pub(crate) keeps: bool,
}

impl Header {
    /// The shortest time of so many requests to git; `None` without a limit.
    pub(crate) fn least_time(&self, requests: usize) -> Option<Duration> {
        self.git_per_second.map(|rate| Duration::from_secs_f64(requests as f64 / rate))
    }
}

/// The kind of action that counts as consent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Consent {
    /// A drawn row and its key, for changes that can be reverted; everything else needs a confirmation.
    #[default]
    Drawn,
    /// The answer to a question, for every write. Long jobs start one by one, because two cannot be followed
    /// by ear.
    Spoken,
    /// The command line, which is complete in itself.
    Typed,
}

/// The whole desk.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    pub(crate) consent: Consent,
    /// True if the program was started with permission to write to GitHub. A command knows it at once; a
    /// console learns it with the registry.
    pub(crate) may_write: bool,
    pub(crate) registry: Registry,
    /// The name of the registry, if its folder gives none.
    pub(crate) name: Option<String>,
    pub(crate) list: List,
    /// The files that bumps changed lately.
    pub(crate) activity: CountedActivity,
    pub(crate) board: Board,
    pub(crate) planning: Planning,
    /// The pull request of the plan, or another sending.
    pub(crate) pull: PullRequest,
    /// Others' pull requests.
    pub(crate) reviews: Reviews,
    pub(crate) stranded: Stranded,
    /// Backfills on GitHub's machines.
    pub(crate) machines: Machines,
    pub(crate) arming: Arming,
    /// The owner of the token, once GitHub has named it.
    pub(crate) account: Option<String>,
    /// The rest of the API's hourly limit after the last job.
    pub(crate) api_limit: Option<LimitLeft>,
    pub(crate) history: History,
    /// The verification that runs, or the last one.
    pub(crate) run: Option<Run>,
    /// The last line of triage, and its answers.
    pub(crate) triage: Option<Lookup>,
    /// The backfill that runs, or the last one.
    pub(crate) filling: Option<Filling>,
    /// The latest estimate of a new backfill.
    pub(crate) estimate: Option<Estimating>,
}

impl Desk {
    /// An empty desk at this time.
    pub(crate) fn at(now: Timestamp) -> Self {
        Self { list: List::at(now), ..Self::default() }
    }
}
