//! Runs jobs: starts, cancels, and hands their events on in order.
//!
//! Every started job yields exactly one `Ended`, also on error, cancel and panic; its events arrive in order and none
//! follow the end; cancelling is a request that a body obeys at its next `run` or `checkpoint`.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;
use tracing::instrument::WithSubscriber;

use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, JobId, Outcome, Steer, Stop, Summary};
use crate::jobs::inquire::{CORE, limit_left};
use crate::jobs::{
    Clock, Env, actions, activity, backfill, bump, inquire, journal, lint, load, lock, memory, open, plan,
    publish, pulls, read_log, reply, review, stranded, survey, tidy, triage, verify, write_out,
};

/// The running jobs and their events.
#[derive(Debug)]
pub struct Engine {
    env: Arc<Env>,
    running: HashMap<JobId, Running>,
    sender: mpsc::UnboundedSender<(JobId, JobEvent)>,
    receiver: mpsc::UnboundedReceiver<(JobId, JobEvent)>,
}

#[derive(Debug)]
struct Running {
    cancel: CancellationToken,
    /// Set when the reader of the job's output went away.
    left: Arc<AtomicBool>,
    only_prints: bool,
    steer: watch::Sender<Steer>,
    task: JoinHandle<()>,
}

impl Engine {
    /// An engine on a world. Jobs run on the tokio runtime that `start` is called in.
    pub fn new(env: Arc<Env>) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        Self { env, running: HashMap::new(), sender, receiver }
    }

    /// Starts a job under an id that the caller made.
    #[expect(clippy::disallowed_methods, reason = "the one home of spawned jobs")]
    pub fn start(&mut self, id: JobId, job: Job) {
        let cancel = CancellationToken::new();
        let (left, only_prints) = (Arc::new(AtomicBool::new(false)), job.only_prints());
        let (steer, steered) = watch::channel(Steer::default());
        let context = Context::new(id, self.sender.clone(), cancel.clone(), steered);
        let (env, sender) = (Arc::clone(&self.env), self.sender.clone());
        let log = env.log.clone();
        let is_left = Arc::clone(&left);
        let run = async move {
            let entry = journal::begin(&env, &job);
            if let Some(number) = entry.number() {
                context.send(JobEvent::Numbered(number));
            }
            let span = entry.span();
            let body = AssertUnwindSafe(perform(&env, &context, job).instrument(span.clone())).catch_unwind();
            let end = body.await.unwrap_or_else(|panic| Err(panicked(panic.as_ref()).into()));
            let outcome = Outcome::from(end);
            let is_left = is_left.load(Ordering::Relaxed) && matches!(outcome, Outcome::Cancelled(_));
            span.in_scope(|| {
                if is_left { journal::leave(&env, &entry) } else { journal::end(&env, &entry, &outcome) }
            });
            if entry.number().is_some() {
                tidy::tidy(&env).await;
            }
            if let Some(note) = env.clock_note() {
                context.send(JobEvent::Note(note));
            }
            let mut limits = env.remote.rate().quotas.into_iter().map(limit_left);
            if let Some(core) = limits.find(|limit| limit.resource == CORE) {
                context.send(JobEvent::LimitLeft(core));
            }
            context.close();
            // Whoever sees the end may open the same state anew: nothing of it is held any more.
            drop(env);
            // The receiver is gone only when the whole engine is.
            let _ = sender.send((id, JobEvent::Ended(outcome)));
        };
        let task = match log {
            Some(log) => tokio::spawn(run.with_subscriber(log)),
            None => tokio::spawn(run),
        };
        self.running.insert(id, Running { cancel, left, only_prints, steer, task });
    }

    /// Sends messages on this thread outside of jobs to the log too, until the guard is dropped.
    pub(crate) fn keep_log(&self) -> Option<tracing::dispatcher::DefaultGuard> {
        self.env.log.as_ref().map(tracing::dispatcher::set_default)
    }

    /// The clock of the jobs.
    pub(crate) fn clock(&self) -> Clock {
        self.env.clock
    }

    /// Asks a job to stop; it still ends with one `Ended`.
    pub fn cancel(&mut self, id: JobId) {
        if let Some(running) = self.running.get(&id) {
            running.cancel.cancel();
        }
    }

    /// Stops the jobs that only print, because their reader went away, and keeps no trace of them in the journal. The
    /// other jobs continue; returns true if there are any.
    pub(crate) fn leave(&mut self) -> bool {
        for running in self.running.values().filter(|running| running.only_prints) {
            running.left.store(true, Ordering::Relaxed);
            running.cancel.cancel();
        }
        self.running.values().any(|running| !running.only_prints)
    }

    /// Tells a job something besides to stop; those that cannot be steered do not listen.
    pub fn steer(&mut self, id: JobId, steer: Steer) {
        if let Some(running) = self.running.get(&id) {
            let _ = running.steer.send(steer);
        }
    }

    /// The next event of any job; waits for ever while none runs.
    pub async fn next(&mut self) -> (JobId, JobEvent) {
        match self.receiver.recv().await {
            Some((id, event)) => {
                if matches!(event, JobEvent::Ended(_)) {
                    self.running.remove(&id);
                }
                (id, event)
            }
            // Cannot happen: the engine holds a sender itself.
            None => std::future::pending().await,
        }
    }

    /// Returns true if any job is running.
    pub fn is_busy(&self) -> bool {
        !self.running.is_empty()
    }

    /// Cancels all jobs, waits for their ends at most for the grace period, then aborts what is left.
    pub async fn shutdown(&mut self, grace: Duration) {
        for running in self.running.values() {
            running.cancel.cancel();
        }
        let all_ended = async {
            while self.is_busy() {
                let _ = self.next().await;
            }
        };
        if tokio::time::timeout(grace, all_ended).await.is_err() {
            for running in self.running.values() {
                running.task.abort();
            }
            self.running.clear();
        }
    }
}

async fn perform(env: &Arc<Env>, context: &Context, job: Job) -> Result<Summary, Stop> {
    match job {
        Job::Load => Ok(load::load(env, context).await?),
        Job::Survey(plan) => survey::survey(env, context, plan).await,
        Job::Open(plan) => open::open(env, context, &plan).await,
        Job::Read(address) => Ok(open::read(env, context, address).await?),
        Job::Bump(plan) => bump::bump(env, context, plan).await,
        Job::Lint(plan) => lint::lint(env, context, plan).await,
        Job::Plan(task) => plan::plan(env, context, task).await,
        Job::Prepare(plan) => publish::prepare(env, context, plan).await,
        Job::Send(task) => publish::send(env, context, task).await,
        Job::Watch(plan) => pulls::watch(env, context, plan).await,
        Job::Reviews => review::list(env, context).await,
        Job::Review(plan) => review::review(env, context, plan).await,
        Job::Reply(plan) => reply::reply(env, context, plan).await,
        Job::Triage(plan) => triage::triage(env, context, plan).await,
        Job::Stranded => stranded::stranded(env, context).await,
        Job::Activity(known) => activity::activity(env, context, known).await,
        Job::Decide(task) => Ok(stranded::decide(env, context, &task).await?),
        Job::WriteOut(file) => Ok(write_out::write_out(&file)?),
        Job::ReadLog(query) => Ok(read_log::read_log(env, context, &query)?),
        Job::ListJobs { most, everywhere } => Ok(journal::list(env, context, most, everywhere)?),
        Job::Verify(plan) => verify::verify(env, context, plan).await,
        Job::Backfill(task) => backfill::backfill(env, context, task).await,
        Job::Actions(task) => actions::actions(env, context, task).await,
        Job::Lock(plan) => lock::lock(env, context, plan).await,
        Job::Inquire => inquire::inquire(env, context).await,
        Job::Recall => Ok(memory::recall(env, context)?),
        Job::Remember(values) => Ok(memory::remember(env, &values)?),
    }
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> Failure {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Failure::new(FailureKind::Internal, "running a job")
        .cause(format!("a bug in bumpdesk: {text}"))
        .hint("Report it with the log; what was finished is kept.")
}
