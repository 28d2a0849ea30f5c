//! The context of a job body: how it sends events, and the request to stop.

use std::future::Future;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use crate::jobs::data::{JobEvent, JobId, Judgement, Progress, Steer, Stop, Summary};

/// The least time between two progress events of a job.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// The job was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cancelled;

impl From<Cancelled> for Stop {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled(Summary::default())
    }
}

/// One running job's context.
#[derive(Debug)]
pub(crate) struct Context {
    id: JobId,
    sender: mpsc::UnboundedSender<(JobId, JobEvent)>,
    cancel: CancellationToken,
    steer: watch::Receiver<Steer>,
    last_progress: Mutex<LastProgress>,
}

#[derive(Debug, Default)]
struct LastProgress {
    at: Option<Instant>,
    /// The newest progress that was held back.
    held: Option<Progress>,
    closed: bool,
}

/// Writes failures into the log: one line for each entry whose status is not known.
fn note_down(event: &JobEvent) {
    match event {
        JobEvent::Note(note) => tracing::info!(target: "bumpdesk::jobs", "{note}"),
        JobEvent::Judged(judged) => {
            for Judgement { address, verdict } in judged.iter().filter(|one| one.verdict.status.is_unknown())
            {
                tracing::error!(target: "bumpdesk::jobs", "{address}: {}", verdict.because.text);
            }
        }
        JobEvent::Found(path, finding) if finding.leaves_unknown().is_some() => {
            tracing::error!(target: "bumpdesk::jobs", "{path}: {}", finding.text);
        }
        JobEvent::Watched(pull) => {
            tracing::info!(target: "bumpdesk::jobs", "#{}: {}", pull.number, pull.told());
        }
        _ => {}
    }
}

impl Context {
    pub(crate) fn new(
        id: JobId,
        sender: mpsc::UnboundedSender<(JobId, JobEvent)>,
        cancel: CancellationToken,
        steer: watch::Receiver<Steer>,
    ) -> Self {
        Self { id, sender, cancel, steer, last_progress: Mutex::default() }
    }

    /// Says something; nothing follows the end.
    pub(crate) fn send(&self, event: JobEvent) {
        note_down(&event);
        if !self.last_progress().closed {
            let _ = self.sender.send((self.id, event));
        }
    }

    /// Says how far the job is, at most ten times a second; the last one is kept and said at the end.
    #[expect(
        clippy::disallowed_methods,
        reason = "throttles by the monotonic clock, which no result depends on"
    )]
    pub(crate) fn progress(&self, progress: Progress) {
        let now = Instant::now();
        let mut last = self.last_progress();
        if last.at.is_some_and(|at| now.duration_since(at) < PROGRESS_EVERY) {
            last.held = Some(progress);
            return;
        }
        last.at = Some(now);
        last.held = None;
        if !last.closed {
            let _ = self.sender.send((self.id, JobEvent::Progress(progress)));
        }
    }

    /// Says the progress that was held back: for a while none may follow.
    pub(crate) fn rest(&self) {
        if let Some(progress) = self.last_progress().held.take() {
            let _ = self.sender.send((self.id, JobEvent::Progress(progress)));
        }
    }

    /// Sends the progress that was held back, then no more.
    pub(crate) fn close(&self) {
        self.rest();
        self.last_progress().closed = true;
    }

    /// Awaits a future unless the job is asked to stop first.
    pub(crate) async fn run<F: Future>(&self, future: F) -> Result<F::Output, Cancelled> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Cancelled),
            output = future => Ok(output),
        }
    }

    /// The requests to a running job other than to stop, now and whenever they change.
    pub(crate) fn steer(&self) -> watch::Receiver<Steer> {
        self.steer.clone()
    }

    /// The request to stop, for work on a thread of its own.
    pub(crate) fn cancellation(&self) -> CancellationToken {
        self.cancel.clone()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    pub(crate) fn checkpoint(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    fn last_progress(&self) -> std::sync::MutexGuard<'_, LastProgress> {
        // A panic while holding it leaves plain values behind.
        self.last_progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
