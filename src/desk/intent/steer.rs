//! Steers a job that downloads: pauses it, sets its number of downloads, or lets it stop at the first bad row.

use crate::desk::Desk;
use crate::desk::intent::Step;
use crate::desk::telling::{Message, refuse};
use crate::jobs::data::{JobId, MOST_WORKERS, Steer};

/// A job that downloads archives and can be steered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steered {
    Verification,
    Backfill,
}

impl Desk {
    pub(super) fn pause(&self, which: Steered, is_paused: bool) -> Result<Step, Message> {
        let (id, steer) = self.steered(which)?;
        match (steer.is_paused, is_paused) {
            (true, true) => refuse("it is already paused"),
            (false, false) => refuse("it is not paused"),
            _ => Ok(Step::Steer(id, Steer { is_paused, ..steer })),
        }
    }

    pub(super) fn set_workers(&self, which: Steered, workers: usize) -> Result<Step, Message> {
        let (id, steer) = self.steered(which)?;
        if !(1..=MOST_WORKERS).contains(&workers) {
            return refuse(format!("the number of downloads at once is from 1 to {MOST_WORKERS}"));
        }
        Ok(Step::Steer(id, Steer { workers: Some(workers), ..steer }))
    }

    pub(super) fn stop_at_bad(&self, stops: bool) -> Result<Step, Message> {
        let (id, steer) = self.steered(Steered::Verification)?;
        Ok(Step::Steer(id, Steer { stops_at_bad: Some(stops), ..steer }))
    }

    /// The job that downloads and is not about to end, and how it was steered so far.
    fn steered(&self, which: Steered) -> Result<(JobId, Steer), Message> {
        let (known, job, none) = match which {
            Steered::Verification => (
                self.run.as_ref().filter(|run| run.is_running()).map(|run| (run.job, run.steer)),
                self.board.verifying(),
                "no verification is running",
            ),
            Steered::Backfill => (
                self.filling.as_ref().filter(|one| one.is_running()).map(|one| (one.job, one.steer)),
                self.board.filling(),
                "no backfill is running",
            ),
        };
        match (known, job) {
            (None, _) => refuse(none),
            (Some(_), Some(job)) if job.cancelling => refuse("it is already stopping"),
            (Some(known), _) => Ok(known),
        }
    }

    /// The job that is steered if none is pointed at: the backfill, if one runs.
    pub(crate) fn steered_now(&self) -> Steered {
        if self.board.filling().is_some() { Steered::Backfill } else { Steered::Verification }
    }

    /// Keeps how a job is steered from now on.
    pub(super) fn keep_steer(&mut self, id: JobId, steer: Steer) {
        for kept in [
            self.run.as_mut().map(|run| (run.job, &mut run.steer)),
            self.filling.as_mut().map(|filling| (filling.job, &mut filling.steer)),
        ] {
            if let Some((_, kept)) = kept.filter(|(job, _)| *job == id) {
                *kept = steer;
            }
        }
        if let Some(job) = self.board.find(id) {
            job.is_paused = steer.is_paused;
        }
    }
}
