//! Prepares a run on GitHub's machines: makes the plan once more here, and checks it against the gates.

use std::sync::Arc;

use crate::jobs::context::Context;
use crate::jobs::data::{Failure, Prepared, StartedRun, Stop, Subject, Summary, WORKERS};
use crate::jobs::publish::failed;
use crate::jobs::{Env, backfill};
use crate::registry::{Address, Kind, Repository};
use crate::remote::{Error, HostedRepository, WorkflowRead};
use crate::rules::actions::{Dispatched, FILE, PATH, inputs, nonce_of, source_of};
use crate::rules::backfill::Selection;
use crate::rules::sending::{ActionsPlan, Author, Gate, Request, Sending, WorkflowThere, arguments};

/// `before`: so many runs of this plan were started from here before, by its digest.
pub(super) async fn prepared(
    env: &Arc<Env>,
    context: &Context,
    plan: &ActionsPlan,
    before: impl Fn(&str) -> Result<usize, Failure>,
) -> Result<(Prepared, Summary), Stop> {
    let upstream = |error: Error| failed(env, &error);
    let owner = env.remote.owner().await.map_err(upstream)?;
    let hosted = env.remote.hosted(&env.repository).await.map_err(upstream)?;
    let prepared = match plan {
        ActionsPlan::Dispatch { selection, shares } => {
            let ready = dispatch(env, context, (&owner, &hosted), (selection, *shares), before);
            context.run(ready).await
        }
        ActionsPlan::Rerun { run } => context.run(rerun(env, (&owner, &hosted), *run)).await,
    };
    Ok((prepared??, Summary::default()))
}

fn name(repository: &Repository) -> String {
    format!("{}/{}", repository.owner, repository.name)
}

async fn dispatch(
    env: &Arc<Env>,
    context: &Context,
    (owner, hosted): (&Author, &HostedRepository),
    (selection, shares): (&Selection, usize),
    before: impl Fn(&str) -> Result<usize, Failure>,
) -> Result<Prepared, Failure> {
    let upstream = |error: Error| failed(env, &error);
    let found = backfill::estimated(env, context, selection, (WORKERS, shares)).await?;
    let (repository, branch) = (&hosted.repository, &hosted.default_branch);
    let there = there(env, repository, branch).await.map_err(upstream)?;
    let runs = match there {
        WorkflowThere::Absent => Vec::new(),
        _ => env.remote.workflow_runs(repository, FILE, None).await.map_err(upstream)?,
    };
    let is_there = if found.base.is_empty() {
        None
    } else {
        match env.remote.compare(repository, (&found.base, branch)).await {
            // What comes before the branch, or is where it is, is the newest commit that both have.
            Ok(compared) => Some(compared.merge_base == found.base),
            Err(Error::NotFound { .. }) => None,
            Err(error) => return Err(upstream(error)),
        }
    };
    let nonce = nonce_of(&found.digest, &owner.login, before(&found.digest)?);
    let dispatched = Dispatched { plan: &found.digest, nonce: &nonce };
    let inputs = inputs((&found.base, dispatched), &arguments(selection), shares);
    let gates = vec![
        Gate::starts(&owner.login, &name(repository), hosted.may_push),
        Gate::workflow(&there, branch),
        Gate::commit(&found.base, branch, is_there, &changed(env, selection, &found.base).await),
        Gate::no_other_run(&found.digest, &runs),
        Gate::shares(&found.shares, inputs.values().map(|text| text.chars().count()).sum()),
    ];
    let request = Request::Dispatch {
        repository: repository.clone(),
        workflow: FILE.to_owned(),
        branch: branch.clone(),
        inputs,
    };
    let sending = Sending::of_one((&owner.login, &env.servers), request);
    let subject = Subject::Run(StartedRun {
        plan: found.digest.clone(),
        base: found.base.clone(),
        run: None,
        shares: found.shares,
    });
    Ok(Prepared { subject, gates, digest: sending.digest(), sending })
}

/// The workflow's file as it is on the branch.
async fn there(env: &Env, repository: &Repository, branch: &str) -> Result<WorkflowThere, Error> {
    match env.remote.workflow(repository, FILE).await? {
        WorkflowRead::Absent => return Ok(WorkflowThere::Absent),
        WorkflowRead::Off(state) => return Ok(WorkflowThere::Off(state)),
        WorkflowRead::Active => {}
    }
    let file = env.remote.file_at(repository, PATH, branch).await?;
    let source = file.as_deref().and_then(|file| source_of(std::str::from_utf8(file).ok()?));
    Ok(source.map_or(WorkflowThere::Other, WorkflowThere::Ours))
}

/// The files here that the plan was made from and that the commit does not have so, or why that cannot be told.
async fn changed(env: &Arc<Env>, selection: &Selection, base: &str) -> Result<Vec<String>, String> {
    let session = env.session().await.map_err(|failure| failure.sentence())?;
    let (selection, base) = (selection.clone(), base.to_owned());
    let compare = tokio::task::spawn_blocking(move || {
        let mut committed = session.checkout.committed(&base).map_err(|error| error.to_string())?;
        let is_asked = |address: &Address| match &selection {
            Selection::Everything => address.kind() == Kind::Provider,
            Selection::These(these) => these.iter().any(|one| one.address == *address),
        };
        let mut changed = Vec::new();
        for row in session.catalog.rows.iter().filter(|row| is_asked(&row.address)) {
            let path = row.path();
            if committed.remove(&*path).as_ref() != Some(&row.blob) {
                changed.push(path);
            }
        }
        // What is left the registry here does not have at all.
        let is_gone = |path: &str| {
            Address::from_path(path).is_some_and(|address| is_asked(&address) && address.path() == path)
        };
        changed.extend(committed.into_keys().filter(|path| is_gone(path)).map(String::from));
        Ok(changed)
    });
    compare.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
}

async fn rerun(
    env: &Arc<Env>,
    (owner, hosted): (&Author, &HostedRepository),
    id: u64,
) -> Result<Prepared, Failure> {
    let repository = &hosted.repository;
    let run = env
        .remote
        .workflow_run(repository, id)
        .await
        .map_err(|error| crate::jobs::actions::missing(env, id, &error))?;
    let jobs = env.remote.run_jobs(repository, id).await.map_err(|error| failed(env, &error))?;
    let gates =
        vec![Gate::starts(&owner.login, &name(repository), hosted.may_push), Gate::ended(&run, &jobs)];
    let request = Request::RerunFailed { repository: repository.clone(), run: id, attempt: run.attempt };
    let sending = Sending::of_one((&owner.login, &env.servers), request);
    let plan = run.dispatched().map(|named| named.plan.to_owned()).unwrap_or_default();
    let subject =
        Subject::Run(StartedRun { plan, base: run.head.clone(), run: Some(id), shares: Vec::new() });
    Ok(Prepared { subject, gates, digest: sending.digest(), sending })
}
