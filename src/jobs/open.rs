//! One entry, opened for looking at: its versions, its verdict, and the proposed rebuild if one is asked for.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, OpenPlan, Opened, Scope, Stop, Summary};
use crate::jobs::judging::judge_read;
use crate::jobs::memory::notices;
use crate::jobs::propose::{Proposed, propose_on};
use crate::jobs::session::{Reading, Session};
use crate::jobs::survey::{Gather, Gathered, finish};
use crate::registry::keys::KeyFile;
use crate::registry::{Address, Entry, Facts, keys};
use crate::rules::diff::Lines;
use crate::rules::notice::of_entry;
use crate::rules::signature::KEY_FILE_BYTES_MAX;
use crate::rules::{Depth, KeySheet, Proposal, lint, warning};
use crate::store::read_small;

/// Sends the opened entry as soon as it is there: letting go of the trees of a large one takes as long as parsing it.
pub(crate) async fn open(env: &Arc<Env>, context: &Context, plan: &OpenPlan) -> Result<Summary, Stop> {
    let session = env.session().await?;
    let places = session.select(&Scope::Addresses(vec![plan.address.clone()]))?;
    let row = &session.catalog.rows[places[0]];
    let mut facts = Facts::default();
    // Without an age limit whatever is kept is taken as it is, and nothing is asked.
    let gathered = if let Some(max_age) = plan.max_age {
        let gather = Gather::new(env, &session, context, plan.depth, max_age);
        let gather = if plan.with_key.is_some() { gather.with_signatures() } else { gather };
        gather.run(&places, |work, _| facts = work.stored.facts.clone()).await
    } else {
        let key = row.address.repository().key();
        let stored = env.state().as_ref().and_then(|state| state.load_fact(&env.world, &key).ok().flatten());
        facts = stored.map(|stored| stored.facts).unwrap_or_default();
        let summary = Summary { entries: 1, ..Summary::default() };
        Gathered {
            summary,
            cancelled: false,
            failure: None,
            unkept: 0,
            sent_before: env.remote.counts().total(),
        }
    };
    if gathered.cancelled || gathered.failure.is_some() {
        return finish(env, gathered);
    }
    let reading = session.reading(row).map_err(|cause| broken(&row.address, cause))?;
    let verdict = judge_read(env, &session, row, Some(&facts), &reading.entry, plan.depth);
    let is_served = |address: &Address| warning::is_served(&session.catalog, address);
    let findings = lint::lint_entry(&row.address, &reading.document, &reading.entry, &is_served);
    let keys = key_sheet(env, &session, plan, &reading.entry, &facts)?.map(Arc::new);
    // Those that something is said of come first.
    let first = verdict.versions.iter().map(|state| state.version.as_str());
    let versions: Vec<&str> = first.chain(reading.entry.versions()).collect();
    let notices = of_entry(&notices(env), &row.address, &versions);
    let opened = |entry, rebuild: Option<(Proposal, Lines)>| {
        let (proposal, lines) = rebuild.unzip();
        let lines = lines.map(Arc::new);
        Opened { address: row.address.clone(), entry, verdict, proposal, lines, findings, keys, notices }
    };
    let Some(mode) = &plan.rebuild else {
        context.send(JobEvent::Opened(Arc::new(opened(reading.entry, None))));
        return finish(env, gathered);
    };
    let Ok(proposed) = context.run(propose_on(env, &session, row, reading, &facts, mode)).await else {
        return finish(env, Gathered { cancelled: true, ..gathered });
    };
    let Proposed { proposal, old, new, judged, .. } = proposed?;
    // A version that could not be read while the proposal was built counts like a source that was not read before.
    let is_unread = proposal.findings.iter().any(|finding| finding.leaves_unknown().is_some());
    let failed = gathered.summary.failed.max(u64::from(is_unread));
    let gathered = Gathered { summary: Summary { failed, ..gathered.summary }, ..gathered };
    let Reading { bytes, document, entry } = old;
    let new_bytes = proposal.bytes.clone();
    let lines = Lines::of(row.kind(), (&document, bytes), (&new, new_bytes), &proposal.diff);
    context.send(JobEvent::Opened(Arc::new(opened(entry, Some((proposal, lines))))));
    // The archives were read after the opened verdict was made, so their result is newer.
    if let Some(judgement) = judged {
        context.send(JobEvent::Judged(vec![judgement]));
    }
    finish(env, gathered)
}

/// The keys on file, where signatures were read or a key is to be tried.
fn key_sheet(
    env: &Env,
    session: &Session,
    plan: &OpenPlan,
    entry: &Entry,
    facts: &Facts,
) -> Result<Option<KeySheet>, Failure> {
    // Where checksums were read, whoever looks wants to know who vouches for them, or that nobody does.
    let is_read = !facts.signatures.is_empty() || !facts.releases.is_empty();
    let wanted = plan.with_key.is_some() || plan.depth == Depth::Sums || is_read;
    let (Address::Provider(provider), Some(entry), true) = (&plan.address, entry.as_provider(), wanted)
    else {
        return Ok(None);
    };
    let fail = |doing: &str, cause: String, hint: &str| {
        Failure::new(FailureKind::Data, doing).cause(cause).hint(hint)
    };
    let new = plan.with_key.as_ref().map(|path| {
        let text = read_small(path, KEY_FILE_BYTES_MAX as u64).map_err(|error| {
            fail("reading the key", error.to_string(), "Name a file with an armored public key.")
        })?;
        // The name that the registry gives a new key.
        let name = format!("{}/provider-{}.asc", keys::folder(provider), env.now().as_second());
        Ok(KeyFile { path: name, text })
    });
    let new = new.transpose()?;
    let files = match session.key_files(&plan.address) {
        Ok(files) => files,
        // The verdict says that they could not be read.
        Err(_) if new.is_none() => return Ok(None),
        Err(cause) => return Err(fail("reading the keys on file", cause, "Fix the file that is named.")),
    };
    Ok(Some(KeySheet::new(provider, entry, facts, (&files, new.as_ref()), env.now())))
}

/// Reads a data file without parsing it: a broken file is the one that a maintainer has to see.
pub(crate) async fn read(env: &Arc<Env>, context: &Context, address: Address) -> Result<Summary, Failure> {
    let session = env.session().await?;
    let places = session.select(&Scope::Addresses(vec![address.clone()]))?;
    let bytes = session
        .bytes(&session.catalog.rows[places[0]])
        .map_err(|cause| Failure::new(FailureKind::Data, format!("reading {address}")).cause(cause))?;
    context.send(JobEvent::Read(address, bytes.into()));
    Ok(Summary { entries: 1, ..Summary::default() })
}

fn broken(subject: &Address, cause: String) -> Failure {
    Failure::new(FailureKind::Data, format!("opening {subject}"))
        .cause(cause)
        .hint("Fix the file at the place that is named; the other entries work.")
}
