//! Backfills on GitHub's machines: the state of their runs, the logs of their jobs, and their results, merged. It only reads; a
//! sending starts a run.

use std::io::Cursor;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::jobs::context::Context;
use crate::jobs::data::{
    ActionsNews, ActionsTask, BackfillMerge, BackfillOutput, Failure, FailureKind, JobEvent, Phase, Progress,
    RunShown, Stop, Summary, Unit,
};
use crate::jobs::looks::{Looks, ends_following};
use crate::jobs::publish::failed;
use crate::jobs::{Env, backfill};
use crate::remote::Error;
use crate::rules::actions::{ArtifactRead, FILE, share_of};
use crate::rules::amount::bytes;
use crate::rules::archive::{self, Central, Contents, Limits};

/// The zip of one share: a line of it for each target takes some hundred bytes.
const ARTIFACT_LIMIT_BYTES: u64 = 256 << 20;
/// The most bytes of an unpacked share.
const SHARE_LIMIT_BYTES: u64 = 1 << 30;
const EXPIRED: &str = "GitHub keeps it no longer";

/// Characters of a line of a log.
const LINE_LIMIT: usize = 2_000;

pub(crate) async fn actions(env: &Arc<Env>, context: &Context, task: ActionsTask) -> Result<Summary, Stop> {
    let before = env.remote.counts().total();
    let end = match task {
        ActionsTask::Look { run, follow, log_lines } => look(env, context, run, (follow, log_lines)).await,
        ActionsTask::Log { job, name, lines } => {
            let read = context.run(log(env, (job, &name), lines)).await?.map(|event| {
                context.send(event);
                Summary::default()
            });
            read.map_err(Stop::Failed)
        }
        ActionsTask::Merge { run, sample, output } => merge(env, context, run, (sample, output)).await,
    };
    env.counted(&before, end)
}

/// The failure for a run that could not be read.
pub(super) fn missing(env: &Env, id: u64, error: &Error) -> Failure {
    let repository = &env.repository;
    match error {
        Error::NotFound { .. } => Failure::new(FailureKind::Usage, format!("looking at run {id}"))
            .cause(format!("`{}/{}` has no run of that number", repository.owner, repository.name))
            .hint("Run `bumpdesk backfill status`: it shows the newest one."),
        error => failed(env, error),
    }
}

async fn read(env: &Env, id: u64) -> Result<RunShown, Error> {
    let run = env.remote.workflow_run(&env.repository, id).await?;
    let jobs = env.remote.run_jobs(&env.repository, id).await?;
    let artifacts = env.remote.run_artifacts(&env.repository, id).await?;
    Ok(RunShown { run, jobs, artifacts })
}

/// The newest run that bumpdesk started.
async fn newest(env: &Env) -> Result<u64, Failure> {
    let none = |cause: String| {
        Failure::new(FailureKind::Usage, "looking for a backfill on GitHub's machines")
            .cause(cause)
            .hint("Start one with `bumpdesk backfill dispatch`.")
    };
    let runs = match env.remote.workflow_runs(&env.repository, FILE, None).await {
        Ok(runs) => runs,
        Err(Error::NotFound { .. }) => return Err(none(format!("there is no workflow {FILE}"))),
        Err(error) => return Err(failed(env, &error)),
    };
    let run = runs.iter().find(|run| run.dispatched().is_some());
    run.map(|run| run.id).ok_or_else(|| none("none was started so far".to_owned()))
}

async fn look(
    env: &Arc<Env>,
    context: &Context,
    run: Option<u64>,
    (follow, log_lines): (bool, usize),
) -> Result<Summary, Stop> {
    let id = match run {
        Some(id) => id,
        None => newest(env).await?,
    };
    let mut last: Option<Arc<RunShown>> = None;
    let mut looks = Looks::new(env);
    loop {
        let mut summary = Summary { unit: Unit::Job, ..Summary::default() };
        let Ok(read) = context.run(read(env, id)).await else { return Err(Stop::Cancelled(summary)) };
        let pause = match read {
            Ok(shown) => {
                let (over, bad) = shown.counts();
                summary = shown.summary();
                context.progress(progress(&shown, over, bad));
                let is_over = !follow || shown.run.state.is_over();
                if last.as_deref() != Some(&shown) {
                    let shown = Arc::new(shown);
                    context.send(JobEvent::Actions(ActionsNews::Run(Arc::clone(&shown))));
                    last = Some(shown);
                }
                if is_over {
                    let shown = last.as_deref();
                    for job in shown.into_iter().flat_map(RunShown::failed).filter(|_| log_lines > 0) {
                        match context.run(log(env, (job.id, &job.name), log_lines)).await {
                            Ok(Ok(event)) => context.send(event),
                            Ok(Err(failure)) => context.send(JobEvent::Note(failure.sentence())),
                            Err(_) => {}
                        }
                    }
                    return Ok(summary);
                }
                looks.succeeded()
            }
            // Whoever follows for hours meets a server that does not answer; the next look may.
            Err(error) if follow && last.is_some() && !ends_following(&error) => {
                let (pause, text) = looks.failed(&error, env.now());
                if let Some(text) = text {
                    context.send(JobEvent::Note(format!("run {id}: {text}")));
                }
                pause
            }
            Err(error) => return Err(missing(env, id, &error).into()),
        };
        context.rest();
        if context.run(tokio::time::sleep(pause)).await.is_err() {
            return Err(Stop::Cancelled(summary));
        }
    }
}

fn progress(shown: &RunShown, over: usize, bad: usize) -> Progress {
    Progress {
        phase: Phase::Watching,
        done: over as u64,
        // Between two jobs there is one to come.
        total: shown.jobs.len().max(over + usize::from(!shown.run.state.is_over())) as u64,
        failed: bad as u64,
        requests: 0,
        rate: 0.0,
        left: None,
        waiting: Some(format!("run {}: {}", shown.run.id, shown.run.state.word())),
    }
}

/// The end of a job's log, without the moment that stands before each line.
async fn log(env: &Env, (job, name): (u64, &str), most: usize) -> Result<JobEvent, Failure> {
    let text = match env.remote.job_log(&env.repository, job).await {
        Ok(text) => text.unwrap_or_default(),
        Err(error) => {
            return Err(Failure { doing: format!("reading the log of {name}"), ..failed(env, &error) });
        }
    };
    let is_moment = |text: &str| text.len() > 19 && text.ends_with('Z') && text.as_bytes()[10] == b'T';
    let plain = |line: &str| {
        let rest =
            line.split_once(' ').filter(|(moment, _)| is_moment(moment)).map_or(line, |(_, rest)| rest);
        rest.chars().take(LINE_LIMIT).collect()
    };
    let all: Vec<&str> = text.lines().collect();
    let left_out = all.len().saturating_sub(most);
    let lines = all[left_out..].iter().map(|line| plain(line)).collect();
    Ok(JobEvent::Actions(ActionsNews::Log { job, name: name.to_owned(), lines, left_out }))
}

/// Fetches the shares of a run and merges them. They are trusted no more than files that a user names.
async fn merge(
    env: &Arc<Env>,
    context: &Context,
    id: u64,
    (sample, output): (usize, BackfillOutput),
) -> Result<Summary, Stop> {
    let shown = context.run(read(env, id)).await?.map_err(|error| missing(env, id, &error))?;
    let refused = |cause: String, hint: String| {
        let failure = Failure::new(FailureKind::Conflict, format!("putting together what run {id} found"));
        Err(Stop::Failed(failure.cause(cause).hint(hint)))
    };
    context.send(JobEvent::Actions(ActionsNews::Run(Arc::new(shown.clone()))));
    let Some(named) = shown.run.dispatched() else {
        return refused(
            "it was not started by bumpdesk".to_owned(),
            "Run `bumpdesk backfill status`: it shows the newest one that was.".to_owned(),
        );
    };
    let mut shares: Vec<(usize, &ArtifactRead)> =
        shown.artifacts.iter().filter_map(|one| Some((share_of(&one.name)?, one))).collect();
    shares.sort_by_key(|(share, one)| (*share, one.id));
    if shares.is_empty() {
        return refused(
            format!("it is {}, and no share of it has left anything yet", shown.run.state.word()),
            format!("Follow it: `bumpdesk backfill status --run {id} --follow`."),
        );
    }
    let mut files = Vec::with_capacity(shares.len());
    for (place, (share, artifact)) in shares.iter().enumerate() {
        let name = format!("artifact {}", artifact.name);
        // Of two that share a name one is as good as the other, so that neither is believed.
        if shares[..place].iter().any(|(_, before)| before.name == artifact.name) {
            files.push((name, Err("the run has two of that name".to_owned())));
            continue;
        }
        let wanted = format!("share-{share}.jsonl");
        files.push((name, context.run(fetch(env, artifact, &wanted)).await??));
    }
    let plan = Some(named.plan.to_owned());
    let task = BackfillMerge { files: Vec::new(), plan, sample, output };
    backfill::merge_fetched(env, context, files, (&task, &mend(&shown))).await
}

/// The sentence that says how to fix a run with a bad artifact: run the failed jobs again, or start another run.
fn mend(shown: &RunShown) -> String {
    let id = shown.run.id;
    if !shown.run.state.is_over() {
        return format!(
            "Wait for its end: `bumpdesk backfill status --run {id} --follow`, then merge it again."
        );
    }
    if shown.failed().next().is_some() {
        return format!(
            "Run what failed again: `bumpdesk backfill rerun {id} --dry-run` shows what that sends; then merge it again. What ended at its limit \
             begins from nothing there, and ends at it again: dispatch over more shares instead, with a larger --shards. What is refused of a job that \
             ended well stays so: start another with `bumpdesk backfill dispatch`, and merge that run."
        );
    }
    "Start another with `bumpdesk backfill dispatch`, and merge that run: nothing of this one failed, so that nothing of it can \
     be run again."
        .to_owned()
}

/// The one file of a share, out of its zip; inside: why that is not believed.
async fn fetch(env: &Env, artifact: &ArtifactRead, wanted: &str) -> Result<Result<Vec<u8>, String>, Failure> {
    if artifact.is_expired {
        return Ok(Err(EXPIRED.to_owned()));
    }
    if artifact.size_bytes >= ARTIFACT_LIMIT_BYTES {
        return Ok(Err(format!("it has {}, and a share has less", bytes(artifact.size_bytes))));
    }
    let zip = match env.remote.artifact(&env.repository, artifact.id, ARTIFACT_LIMIT_BYTES).await {
        Ok(zip) => zip,
        // It went between the list and now.
        Err(Error::NotFound { .. }) => return Ok(Err(EXPIRED.to_owned())),
        Err(error) => return Err(failed(env, &error)),
    };
    let sum = hex::encode(Sha256::digest(&zip));
    if artifact.digest.as_ref().is_some_and(|digest| *digest != sum) {
        return Ok(Err("its bytes are not those that GitHub says it has".to_owned()));
    }
    Ok(unpacked(&zip, wanted))
}

fn unpacked(zip: &[u8], wanted: &str) -> Result<Vec<u8>, String> {
    let odd = || "it is not a zip of one share".to_owned();
    let limits = Limits { entries: 8, raw_bytes: SHARE_LIMIT_BYTES, ..Limits::default() };
    let mut reader = Cursor::new(zip);
    let central = Central::read(&mut reader, &limits).map_err(|_| odd())?;
    let entries = central.listing.entries();
    let [entry] = entries else { return Err(odd()) };
    if central.listing.name(entry) != wanted.as_bytes() {
        return Err(odd());
    }
    let mut bytes = Vec::new();
    let mut contents = Contents::new(&mut reader, zip.len() as u64, &limits);
    match contents.read(entry, false, &mut |piece| bytes.extend_from_slice(piece)) {
        Ok(_) => Ok(bytes),
        Err(archive::Stop::Limit(limit)) => Err(limit.to_string()),
        Err(_) => Err("it is damaged".to_owned()),
    }
}
