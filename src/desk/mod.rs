//! What a maintainer has before them and may do, pure: the same for all faces, which translate and lay out.

pub(crate) mod arming;
pub(crate) mod asking;
pub(crate) mod board;
pub(crate) mod filling;
pub(crate) mod folding;
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
pub(crate) mod telling;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod triage;

use jiff::Timestamp;

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
use crate::jobs::data::Failure;

/// The registry, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Registry {
    /// No registry was found.
    Missing,
    #[default]
    Loading,
    Failed(Failure),
    Loaded(Header),
}

/// What is known of a loaded registry besides its entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) revision: String,
    pub(crate) last_bump: Option<Timestamp>,
    pub(crate) has_token: bool,
    /// How many requests a second go to git; `None`: as fast as it can.
    pub(crate) git_per_second: Option<f64>,
    pub(crate) keeps: bool,
}

/// What counts as a yes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Consent {
    /// A row that is drawn and a key that means it, for what can be taken out again; the rest is asked about.
    #[default]
    Drawn,
    /// The answer to a question, for every write. Long jobs come one by one: nobody can hear two.
    Spoken,
    /// The command line, which says it all.
    Typed,
}

/// All of it.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    pub(crate) consent: Consent,
    /// The program was started so that it may write to GitHub: a command knows, a console learns it with the registry.
    pub(crate) may_write: bool,
    pub(crate) registry: Registry,
    /// What the registry is called, where its folder says nothing.
    pub(crate) name: Option<String>,
    pub(crate) list: List,
    pub(crate) board: Board,
    pub(crate) planning: Planning,
    /// The pull request of the plan.
    pub(crate) pull: PullRequest,
    /// Pull requests of others.
    pub(crate) reviews: Reviews,
    pub(crate) stranded: Stranded,
    /// Backfills on GitHub's machines.
    pub(crate) machines: Machines,
    pub(crate) arming: Arming,
    pub(crate) history: History,
    /// The verification that runs, or the last one.
    pub(crate) run: Option<Run>,
    /// What was asked last in one line, and its answers.
    pub(crate) triage: Option<Lookup>,
    /// The backfill that runs, or the last one.
    pub(crate) filling: Option<Filling>,
    /// What the next one would cost, as it was counted last.
    pub(crate) estimate: Option<Estimating>,
}

impl Desk {
    /// An empty one, at a time.
    pub(crate) fn at(now: Timestamp) -> Self {
        Self { list: List::at(now), ..Self::default() }
    }
}
