//! One entry, opened for looking at: its versions, its verdict, and the proposed rebuild if one is asked for.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::Failure;
use crate::jobs::FailureKind;
use crate::jobs::JobEvent;
use crate::jobs::OpenPlan;
use crate::jobs::Opened;
use crate::jobs::Outcome;
use crate::jobs::Scope;
use crate::jobs::Summary;
use crate::jobs::context::Context;
use crate::jobs::propose::propose;
use crate::jobs::survey::Gather;
use crate::jobs::survey::Gathered;
use crate::jobs::survey::finish;
use crate::jobs::survey::judge_row;
use crate::registry::Address;
use crate::registry::Entry;
use crate::registry::Facts;
use crate::rules::diff::Lines;
use crate::rules::lint;

pub(crate) async fn open(env: &Arc<Env>, context: &Context, plan: OpenPlan) -> Outcome {
    match opened(env, context, &plan).await {
        Ok((opened, gathered)) => {
            if let Some(opened) = opened {
                context.send(JobEvent::Opened(Arc::new(opened)));
            }
            finish(env, gathered)
        }
        Err(failure) => Outcome::Failed(failure),
    }
}

async fn opened(
    env: &Arc<Env>,
    context: &Context,
    plan: &OpenPlan,
) -> Result<(Option<Opened>, Gathered), Failure> {
    let session = env.session().await?;
    let places = session.select(&Scope::Addresses(vec![plan.address.clone()]))?;
    let row = &session.catalog.rows[places[0]];
    let mut facts = Facts::default();
    // Without an age limit whatever is kept is taken as it is, and nothing is asked.
    let gathered = if let Some(max_age) = plan.max_age {
        let gather = Gather::new(env, &session, context, plan.depth, max_age);
        gather.run(&places, |work| facts = work.stored.facts.clone()).await
    } else {
        let key = row.address.repository().key();
        let stored = env.state().as_ref().and_then(|state| state.load_fact(&env.world, &key).ok().flatten());
        facts = stored.map(|stored| stored.facts).unwrap_or_default();
        let summary = Summary { entries: 1, ..Summary::default() };
        Gathered { summary, cancelled: false, sent_before: env.remote.counts().total() }
    };
    if gathered.cancelled {
        return Ok((None, gathered));
    }
    let verdict = judge_row(env, &session, row, Some(&facts), plan.depth);
    let (_, document) = session.document(row).map_err(|cause| broken(&row.address, cause))?;
    let entry = Entry::view(&row.address, &document)
        .map_err(|cause| broken(&row.address, format!("`{}`: {cause}", row.path())))?;
    let findings = lint::lint_entry(&row.address, &document, &entry);
    let mut opened =
        Opened { address: row.address.clone(), entry, verdict, proposal: None, lines: None, findings };
    if let Some(mode) = &plan.rebuild {
        let Ok(proposed) = context.run(propose(env, &session, row, &facts, mode)).await else {
            return Ok((None, Gathered { cancelled: true, ..gathered }));
        };
        let proposed = proposed?;
        let lines = Lines::build(row.kind(), &proposed.old, &proposed.new, &proposed.proposal.diff);
        opened.lines = Some(Arc::new(lines));
        opened.proposal = Some(proposed.proposal);
    }
    Ok((Some(opened), gathered))
}

/// Reads a data file without looking into it: the one that is broken is the one that somebody has to see.
pub(crate) async fn read(env: &Arc<Env>, context: &Context, address: Address) -> Outcome {
    match read_bytes(env, &address).await {
        Ok(bytes) => {
            context.send(JobEvent::Read(address, bytes.into()));
            Outcome::Done(Summary { entries: 1, ..Summary::default() })
        }
        Err(failure) => Outcome::Failed(failure),
    }
}

async fn read_bytes(env: &Arc<Env>, address: &Address) -> Result<Vec<u8>, Failure> {
    let session = env.session().await?;
    let places = session.select(&Scope::Addresses(vec![address.clone()]))?;
    session.bytes(&session.catalog.rows[places[0]]).map_err(|cause| Failure {
        kind: FailureKind::Data,
        doing: format!("reading {address}"),
        causes: vec![cause],
        hint: None,
    })
}

fn broken(subject: &Address, cause: String) -> Failure {
    Failure {
        kind: FailureKind::Data,
        doing: format!("opening {subject}"),
        causes: vec![cause],
        hint: Some("Mend the file at the place that is named; the other entries work.".into()),
    }
}
