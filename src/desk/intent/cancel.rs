//! Stops running jobs.

use crate::desk::Desk;
use crate::desk::intent::{Prompt, Step};
use crate::desk::telling::{Message, refuse};
use crate::desk::triage::Lookup;
use crate::jobs::data::{JobId, Writes};

/// The running job that is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancel {
    This(JobId),
    Survey,
    Verification,
    Backfill,
    /// The job that reviews.
    Review,
    /// The pull request that is made ready or sent.
    Pull,
    /// The line that is being answered.
    Triage,
    All,
}

impl Desk {
    pub(super) fn cancel(&self, cancel: Cancel) -> Result<Step, Message> {
        const STOPPING: &str = "it is already stopping";
        let board = &self.board;
        let (job, none, stopping) = match cancel {
            Cancel::This(id) => {
                let job = board.journalled().find(|job| job.id == id);
                (job, "this job is not running here", STOPPING)
            }
            Cancel::Survey => (board.survey(), "no survey is running", "the survey is already stopping"),
            Cancel::Verification => (board.verifying(), "no verification is running", STOPPING),
            Cancel::Backfill => (board.filling(), "no backfill is running", STOPPING),
            Cancel::Review => (board.reviewing(), "nothing is being reviewed", STOPPING),
            Cancel::Pull => {
                let job = board.sending().or_else(|| board.preparing());
                (job, "nothing of the pull request is running", STOPPING)
            }
            Cancel::Triage => {
                let running = self.triage.as_ref().and_then(Lookup::running);
                let job = board.all().iter().find(|job| Some(job.id) == running);
                (job, "nothing is being looked up", STOPPING)
            }
            Cancel::All => {
                let all = board.all();
                if all.is_empty() {
                    return refuse("nothing is running");
                }
                let ids = all.iter().filter(|job| !job.cancelling).map(|job| job.id);
                return Ok(Step::Cancel(ids.collect()));
            }
        };
        match job {
            None => refuse(none),
            Some(job) if job.cancelling => refuse(stopping),
            Some(job) => Ok(Step::Cancel(vec![job.id])),
        }
    }

    /// The question before a job that writes is stopped.
    pub(super) fn cancel_prompt(&self, cancel: Cancel, ids: &[JobId]) -> Option<Prompt> {
        match cancel {
            Cancel::This(_) | Cancel::Backfill => {
                let id = ids.first()?;
                let job = self.board.journalled().find(|job| job.id == *id)?;
                (job.job.writes() > Writes::Memory).then(|| {
                    let line = job.journal_line.as_ref();
                    let name = line.map(|(kind, label)| format!("{kind} {label}")).unwrap_or_default();
                    let says =
                        format!("{name} writes. It stops at the next safe point; what it wrote stays.");
                    ("Cancel the job?", vec![says], "cancel it")
                })
            }
            Cancel::Pull => self.board.sending().map(|_| {
                let says =
                    "It stops before the next request; what was sent stays, and can be resumed or undone.";
                ("Stop sending?", vec![says.to_owned()], "stop")
            }),
            Cancel::Survey | Cancel::Verification | Cancel::Review | Cancel::Triage | Cancel::All => None,
        }
    }
}
