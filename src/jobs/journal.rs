//! The journal of jobs: which were started, how they ended, and which were cut off. Looking leaves no trace in it.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, Outcome, PastJob, PastState, Summary, Writes};
use crate::jobs::env::CUT_OFF;
use crate::jobs::{Env, log};
use crate::rules::amount;
use crate::store::{Error, JobRecord, RegistryKey};

/// Ended jobs that are remembered.
const REMEMBERED: usize = 500;

/// The end of a job, as it is stored.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct End {
    state: String,
    why: String,
    #[serde(flatten)]
    counts: Summary,
}

/// The description of a job, as it is stored. An older bumpdesk stored the sentence alone.
#[derive(Debug, Serialize)]
struct StoredJob<'a> {
    what: Cow<'a, str>,
    job: Option<Cow<'a, Job>>,
}

/// Bytes of a question that are stored: it names some hundred entries. Jobs reads many of them, again and again.
const MOST_JOB_BYTES: usize = 8 * 1024;

impl<'a> StoredJob<'a> {
    fn to_bytes(what: &'a str, job: &'a Job) -> Vec<u8> {
        let whole = Self { what: what.into(), job: Some(Cow::Borrowed(job)) };
        // A job that is only ever asked by a command has no form.
        let bytes = serde_json::to_vec(&whole).ok().filter(|bytes| bytes.len() <= MOST_JOB_BYTES);
        bytes.unwrap_or_else(|| {
            let short = Self { job: None, ..whole };
            serde_json::to_vec(&short).expect("a text is JSON")
        })
    }

    /// Reads a description. If this bumpdesk does not know the job, its words are kept.
    fn parse(bytes: &'a [u8]) -> Self {
        #[derive(Deserialize)]
        struct Stored {
            what: String,
            job: serde_json::Value,
        }
        match serde_json::from_slice::<Stored>(bytes) {
            Ok(stored) => Self {
                what: stored.what.into(),
                job: serde_json::from_value::<Job>(stored.job).ok().map(Cow::Owned),
            },
            Err(_) => Self { what: String::from_utf8_lossy(bytes), job: None },
        }
    }
}

/// A job that was begun.
#[derive(Debug)]
pub(crate) struct JournalEntry {
    kind: &'static str,
    /// True if the end of the job is logged, because the job does more than look.
    is_logged: bool,
    /// Its line in the journal, if there could be one.
    id: Option<i64>,
    /// The most that the job may write.
    writes: Writes,
    /// The log tag of the job's registry.
    tag: Option<String>,
}

/// Notes that a job begins. Where the state cannot be written the job runs all the same.
pub(crate) fn begin(env: &Env, job: &Job) -> JournalEntry {
    let kind = job.kind();
    let registry = env.registry_name();
    let key = registry.as_deref().map(|registry| RegistryKey { world: &env.world, registry });
    let tag = key.map(|key| log::tag(key.world, key.registry));
    let writes = job.writes();
    let Some(what) = job.label() else {
        return JournalEntry { kind, is_logged: false, id: None, writes, tag };
    };
    let id = env.state().as_mut().and_then(|state| {
        let id = state.begin_job(key, kind, &StoredJob::to_bytes(&what, job), env.now()).ok()?;
        if id % 50 == 0 {
            // Old lines are in nobody's way, only too many.
            let _ = state.prune_jobs(REMEMBERED);
        }
        Some(id)
    });
    let entry = JournalEntry { kind, is_logged: true, id, writes, tag };
    entry.span().in_scope(|| tracing::info!(target: "bumpdesk::jobs", "{kind} {what} begins"));
    entry
}

impl JournalEntry {
    /// Its number in the journal, if it has a line there.
    pub(crate) fn number(&self) -> Option<i64> {
        self.id
    }

    /// The span that adds the job's number and registry to each of its log lines.
    pub(crate) fn span(&self) -> tracing::Span {
        tracing::info_span!(target: "bumpdesk::jobs", "job", job = self.id, registry = self.tag)
    }
}

/// Removes a job from the journal if its reader went away before the end. Such a job only printed.
pub(crate) fn leave(env: &Env, entry: &JournalEntry) {
    tracing::info!(target: "bumpdesk::jobs", "{} stopped: nothing reads its output any more", entry.kind);
    forget(env, entry);
}

fn forget(env: &Env, entry: &JournalEntry) {
    if let (Some(id), Some(state)) = (entry.id, env.state().as_mut())
        && let Err(error) = state.forget_job(id)
    {
        tracing::warn!(%error, "a job was not removed from the journal");
    }
}

/// Returns true if a job never began because its arguments were wrong. Such a job cannot have written anything.
fn is_misuse(entry: &JournalEntry, outcome: &Outcome) -> bool {
    let Outcome::Failed(failure) = outcome else { return false };
    matches!(failure.kind, FailureKind::Usage | FailureKind::Config) && entry.writes < Writes::Files
}

/// Records how a job ended. A wrong command line or configuration is not recorded as a job.
pub(crate) fn end(env: &Env, entry: &JournalEntry, outcome: &Outcome) {
    let kind = entry.kind;
    if is_misuse(entry, outcome) {
        forget(env, entry);
        return;
    }
    if let Outcome::Failed(failure) = outcome {
        let causes = failure.causes.join("; ");
        tracing::error!(target: "bumpdesk::jobs", "{kind} failed: {}: {causes}", failure.doing);
    }
    if !entry.is_logged {
        return;
    }
    let end = End::of(outcome);
    if let Outcome::Done(summary) | Outcome::Cancelled(summary) = outcome {
        tracing::info!(target: "bumpdesk::jobs", "{kind} {}: {}", end.state, summary.words().join(", "));
    }
    if let (Some(id), Some(state)) = (entry.id, env.state().as_mut()) {
        let text = serde_json::to_string(&end).expect("texts and numbers are JSON");
        if let Err(error) = state.end_job(id, &text, env.now()) {
            tracing::warn!(%error, "the end of a job was not kept");
        }
    }
}

/// Sends the last jobs, newest first.
///
/// Lists the jobs of the open registry. Lists all jobs if `everywhere` is set or no registry is open.
pub(crate) fn list(
    env: &Arc<Env>,
    context: &Context,
    most: usize,
    everywhere: bool,
) -> Result<Summary, Failure> {
    if let Some(why) = env.state_notice.as_ref().filter(|_| env.takes_notice()) {
        // An empty list would otherwise say that there were no jobs.
        context.send(JobEvent::Note(why.clone()));
    }
    let registry = if everywhere { None } else { env.registry_name() };
    let key = registry.as_deref().map(|registry| RegistryKey { world: &env.world, registry });
    let read = env.state().as_ref().map_or(Ok((Vec::new(), 0)), |state| -> Result<_, Error> {
        let others = key.map_or(Ok(0), |key| state.count_other_jobs(key))?;
        Ok((state.last_jobs(key, most)?, others))
    });
    let (records, others) = read.map_err(|error| {
        Failure::new(FailureKind::Internal, "reading the journal of jobs").cause(error.to_string())
    })?;
    let entries = records.len() as u64;
    context.send(JobEvent::PastJobs(records.iter().map(past).collect()));
    let limits = left_out(others).into_iter().collect();
    Ok(Summary { entries, limits, ..Summary::default() })
}

/// A note with the number of jobs that are not listed, and the command that lists them.
fn left_out(others: u64) -> Option<String> {
    let (jobs, are) = match others {
        0 => return None,
        1 => ("job", "is"),
        _ => ("jobs", "are"),
    };
    let others = amount::grouped(others);
    Some(format!("{others} {jobs} of other registries {are} left out; `bumpdesk jobs --all` lists them"))
}

fn past(record: &JobRecord) -> PastJob {
    let outcome = record.outcome.as_deref();
    let end: End = outcome.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let state = match (outcome, end.state.as_str()) {
        (None, _) => PastState::Running,
        (Some(CUT_OFF), _) => PastState::CutOff,
        (Some(_), "cancelled") => PastState::Cancelled,
        (Some(_), "failed") => PastState::Failed(end.why.clone()),
        (Some(_), _) => PastState::Done,
    };
    let stored = StoredJob::parse(&record.plan);
    PastJob {
        id: record.id,
        kind: record.kind.clone(),
        registry: record.registry.clone(),
        what: stored.what.into_owned(),
        job: stored.job.map(Cow::into_owned),
        ended_at: record.ended_at.filter(|_| state != PastState::CutOff),
        state,
        started_at: record.started_at,
        counts: end.counts,
    }
}

impl End {
    fn of(outcome: &Outcome) -> Self {
        let (state, summary) = match outcome {
            Outcome::Done(summary) => ("done", summary),
            Outcome::Cancelled(summary) => ("cancelled", summary),
            Outcome::Failed(failure) => {
                let why = format!("{}: {}", failure.doing, failure.causes.join("; "));
                return Self { state: "failed".into(), why, ..Self::default() };
            }
        };
        let counts = Summary { limits: Vec::new(), ..summary.clone() };
        Self { state: state.to_owned(), why: String::new(), counts }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::Timestamp;

    use super::*;
    use crate::jobs::data::{Gate, PlanAdd, PlanTask, Scope, SurveyPlan, VerifyPlan, Wanted};
    use crate::registry::Address;
    use crate::rules::{Depth, Mode};

    fn record(outcome: Option<&str>) -> JobRecord {
        let at = Timestamp::UNIX_EPOCH;
        JobRecord {
            id: 7,
            kind: "bump".into(),
            plan: b"everything".to_vec(),
            started_at: at,
            ended_at: outcome.map(|_| at),
            outcome: outcome.map(ToOwned::to_owned),
            registry: None,
        }
    }

    /// Jobs that only commands start have no form, and a question of very many entries is too long.
    #[test]
    fn a_job_comes_back_if_it_can_start_again() {
        let survey = |addresses| {
            let scope = Scope::Addresses(addresses);
            let (max_age, gate) = (Duration::from_mins(15), Gate::Feed);
            Job::Survey(SurveyPlan::new(scope, Depth::Sums, max_age, gate))
        };
        let one = Address::provider("acme", "rocket");
        let files = vec![(one.clone(), Mode::Refresh(vec!["1.2.0".into()]))];
        let add = PlanAdd { files, max_age: Duration::ZERO };
        let verify = VerifyPlan::new(vec![Wanted { address: one.clone(), version: Some("1.2.0".into()) }]);
        let rebuild = PlanTask::Rebuild { max_age: Duration::ZERO };
        for job in [
            survey(vec![one.clone()]),
            Job::Plan(PlanTask::Add(add)),
            Job::Plan(rebuild),
            Job::Verify(verify),
        ] {
            let bytes = StoredJob::to_bytes("it", &job);
            let job_again = past(&JobRecord { plan: bytes, ..record(None) });
            assert_eq!((job_again.what.as_str(), job_again.job), ("it", Some(job)));
        }
        for job in [Job::Load, survey(vec![one; 30_000])] {
            let bytes = StoredJob::to_bytes("it", &job);
            let job_again = past(&JobRecord { plan: bytes, ..record(None) });
            assert_eq!((job_again.what.as_str(), job_again.job), ("it", None));
        }
        assert_eq!(past(&record(None)).what, "everything", "as an older bumpdesk noted it");
    }

    #[test]
    fn ends_come_back() {
        let summary = Summary { entries: 3, failed: 1, ..Summary::default() };
        let failure = Failure::new(FailureKind::Network, "reading").cause("a").cause("b");
        for (outcome, wanted) in [
            (Outcome::Done(summary.clone()), PastState::Done),
            (Outcome::Cancelled(summary.clone()), PastState::Cancelled),
            (Outcome::Failed(failure), PastState::Failed("reading: a; b".into())),
        ] {
            let text = serde_json::to_string(&End::of(&outcome)).unwrap();
            let job = past(&record(Some(&text)));
            assert_eq!(job.state, wanted);
            if !matches!(outcome, Outcome::Failed(_)) {
                assert_eq!(job.counts, summary);
            }
        }
        assert_eq!(past(&record(None)).state, PastState::Running);
        let cut = past(&record(Some(CUT_OFF)));
        assert_eq!((cut.state, cut.ended_at), (PastState::CutOff, None));
        assert_eq!(past(&record(Some("of a later bumpdesk"))).state, PastState::Done);
    }
}
