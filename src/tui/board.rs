//! The jobs that run: their ids, what they are for, how far they are.
//!
//! Ids are made here, so `update` knows them without an answer; events of ids that are not on the board are dropped.

use crate::jobs::JobId;
use crate::jobs::Progress;
use crate::registry::Address;
use crate::tui::outside::Viewer;

/// What a job was started for.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    Load,
    /// How many entries; `None` is the whole registry.
    Survey(Option<usize>),
    Open(Address),
    /// Read an entry to show it outside.
    Show(Viewer),
    /// Reads or keeps what outlives a run; nobody waits for it.
    Memory,
}

/// One running job.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    pub id: JobId,
    pub work: Work,
    pub progress: Option<Progress>,
    /// It was asked to stop.
    pub cancelling: bool,
}

/// All running jobs.
#[derive(Clone, Debug, Default)]
pub struct Board {
    last: u64,
    /// Jobs of the memory are counted down from the end: they come and go beside what was asked for.
    memories: u64,
    running: Vec<Running>,
}

impl Board {
    /// Puts a job on the board under a new id.
    pub fn begin(&mut self, work: Work) -> JobId {
        let id = if work == Work::Memory {
            self.memories += 1;
            JobId(u64::MAX - self.memories)
        } else {
            self.last += 1;
            JobId(self.last)
        };
        self.running.push(Running { id, work, progress: None, cancelling: false });
        id
    }

    pub fn find(&mut self, id: JobId) -> Option<&mut Running> {
        self.running.iter_mut().find(|job| job.id == id)
    }

    /// Takes a job off the board.
    pub fn end(&mut self, id: JobId) -> Option<Running> {
        let at = self.running.iter().position(|job| job.id == id)?;
        Some(self.running.remove(at))
    }

    pub fn survey(&self) -> Option<&Running> {
        self.running.iter().find(|job| matches!(job.work, Work::Survey(_)))
    }

    pub fn loading(&self) -> Option<&Running> {
        self.running.iter().find(|job| job.work == Work::Load)
    }

    /// The job that opens an entry; there is one at most.
    pub fn opening(&self) -> Option<&Running> {
        self.running.iter().find(|job| matches!(job.work, Work::Open(_)))
    }

    pub fn is_showing(&self) -> bool {
        self.running.iter().any(|job| matches!(job.work, Work::Show(_)))
    }

    /// Whether nothing runs that shows.
    pub fn is_empty(&self) -> bool {
        self.running.iter().all(|job| job.work == Work::Memory)
    }
}
