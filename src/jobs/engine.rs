//! Runs jobs: starts, cancels, and hands their events on in order.

use std::time::Duration;

use crate::jobs::Job;
use crate::jobs::JobEvent;
use crate::jobs::JobId;

/// The running jobs and their events.
#[derive(Debug)]
pub struct Engine {}

impl Engine {
    /// An engine on a world. Must be made inside the tokio runtime.
    pub fn new(_env: std::sync::Arc<crate::jobs::Env>) -> Self {
        Self {}
    }

    /// Starts a job under an id that the caller made.
    pub fn start(&mut self, _id: JobId, _job: Job) {}

    /// Asks a job to stop; it still ends with one `Ended`.
    pub fn cancel(&mut self, _id: JobId) {}

    /// The next event of any job; waits for ever while none runs.
    pub async fn next(&mut self) -> (JobId, JobEvent) {
        std::future::pending().await
    }

    /// Cancels all jobs and waits for their ends, at most for the grace period.
    pub async fn shutdown(&mut self, _grace: Duration) {}
}
