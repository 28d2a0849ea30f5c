//! The jobs that run: their ids, what they are for, how far they are.
//!
//! Ids are made here, so `update` knows them without an answer; events of ids that are not on the board are dropped.

use jiff::Timestamp;

use crate::jobs::{Job, JobId, Progress};
use crate::registry::Address;
use crate::tui::outside::Viewer;

/// What a job was started for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Work {
    Load,
    /// How many entries; `None` is the whole registry.
    Survey(Option<usize>),
    Open(Address),
    /// Read an entry to show it outside.
    Show(Viewer),
    /// Reads or keeps what outlives a run; nobody waits for it.
    Memory,
    /// Building files of the plan.
    Build,
    /// Comparing what is stored with what upstream serves.
    Verify,
    /// Something short that nobody waits for.
    Quiet(Errand),
}

/// What is done without a word: it has no row in Jobs and no progress.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Errand {
    ReadPlan,
    OpenPlanned(Address),
    /// Says something about changes of the plan; whether only that they were seen.
    Mark {
        only_seen: bool,
    },
    DropPlanned,
    ReadJournal,
    ReadLog,
}

/// What a job is called, and what it was asked, to ask it again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Told {
    pub(crate) kind: &'static str,
    pub(crate) what: String,
    pub(crate) since: Timestamp,
    pub(crate) job: Job,
}

/// One running job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Running {
    pub(crate) id: JobId,
    pub(crate) work: Work,
    /// In the journal, once it said so.
    pub(crate) number: Option<i64>,
    pub(crate) progress: Option<Progress>,
    /// It was asked to stop.
    pub(crate) cancelling: bool,
    /// `None` for what leaves no line in the journal.
    pub(crate) told: Option<Told>,
    /// Entries that it could not judge, for another try.
    pub(crate) failed: Vec<Address>,
}

/// All running jobs.
#[derive(Clone, Debug, Default)]
pub struct Board {
    last: u64,
    last_quiet: u64,
    /// Jobs of the memory are counted down from the end: they come and go beside what was asked for.
    memories: u64,
    running: Vec<Running>,
}

/// Quiet jobs are numbered apart, so that the others count without gaps.
const QUIET: u64 = 1 << 32;

impl Board {
    /// Puts a job on the board under a new id.
    pub(crate) fn begin(&mut self, work: Work) -> JobId {
        let id = if matches!(work, Work::Quiet(_)) {
            self.last_quiet += 1;
            JobId(QUIET + self.last_quiet)
        } else if work == Work::Memory {
            self.memories += 1;
            JobId(u64::MAX - self.memories)
        } else {
            self.last += 1;
            JobId(self.last)
        };
        self.running.push(Running {
            id,
            work,
            number: None,
            progress: None,
            cancelling: false,
            told: None,
            failed: Vec::new(),
        });
        id
    }

    pub(crate) fn find(&mut self, id: JobId) -> Option<&mut Running> {
        self.running.iter_mut().find(|job| job.id == id)
    }

    /// Takes a job off the board.
    pub(crate) fn end(&mut self, id: JobId) -> Option<Running> {
        let at = self.running.iter().position(|job| job.id == id)?;
        Some(self.running.remove(at))
    }

    pub(crate) fn survey(&self) -> Option<&Running> {
        self.running.iter().find(|job| matches!(job.work, Work::Survey(_)))
    }

    pub(crate) fn loading(&self) -> Option<&Running> {
        self.running.iter().find(|job| job.work == Work::Load)
    }

    /// The job that opens an entry; there is one at most.
    pub(crate) fn opening(&self) -> Option<&Running> {
        self.running.iter().find(|job| matches!(job.work, Work::Open(_)))
    }

    pub(crate) fn is_showing(&self) -> bool {
        self.running.iter().any(|job| matches!(job.work, Work::Show(_)))
    }

    /// The job that builds files of the plan.
    pub(crate) fn building(&self) -> Option<&Running> {
        self.running.iter().find(|job| job.work == Work::Build)
    }

    /// The verification that runs; there is one at most.
    pub(crate) fn verifying(&self) -> Option<&Running> {
        self.running.iter().find(|job| job.work == Work::Verify)
    }

    /// A quiet job that is on its way.
    pub(crate) fn errand(&self, is_it: impl Fn(&Errand) -> bool) -> Option<&Running> {
        self.running.iter().find(|job| matches!(&job.work, Work::Quiet(errand) if is_it(errand)))
    }

    /// The jobs with a row of their own, the newest first.
    pub(crate) fn told(&self) -> impl Iterator<Item = (&Running, &Told)> {
        self.running.iter().rev().filter_map(|job| Some((job, job.told.as_ref()?)))
    }

    /// Whether nothing runs that shows.
    pub(crate) fn is_empty(&self) -> bool {
        self.running.iter().all(|job| matches!(job.work, Work::Quiet(_) | Work::Memory))
    }
}
