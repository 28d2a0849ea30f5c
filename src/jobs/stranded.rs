//! The stranded board, from the registry's files and the facts of earlier surveys, without any request. And the versions that
//! this maintainer ignores on it, for themselves alone.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{DecideTask, Failure, FailureKind, JobEvent, Judgement, Stop, Summary};
use crate::jobs::judging::judge_row;
use crate::jobs::session::Session;
use crate::jobs::verdicts::Kept;
use crate::registry::version::trim_v;
use crate::registry::{Address, Decision, Facts, Row};
use crate::rules::stranded::{Board, Card, CardCase, cards, may_have_cards};
use crate::rules::{Depth, Verdict, tag_version};
use crate::store::Error;

const IGNORING: &str = "ignoring versions";
/// Entries that are looked at between two looks at whether it was cancelled.
const CHUNK: usize = 1_024;

/// The facts that were read for the board.
#[derive(Default)]
struct Read {
    cards: Vec<Card>,
    unread: usize,
    odd_tags: usize,
    /// Entries whose file could not be read.
    broken: u64,
}

pub(crate) async fn stranded(env: &Arc<Env>, context: &Context) -> Result<Summary, Stop> {
    let session = env.session().await?;
    session.tell_notices(env, context);
    let (world, list, cancel) = (Arc::clone(env), Arc::clone(&session), context.cancellation());
    let read = tokio::task::spawn_blocking(move || {
        let kept = Kept::read(&world, list.checkout.root());
        let verdicts = kept.open(&world, &list);
        let mut read = Read::default();
        for rows in list.catalog.rows.chunks(CHUNK) {
            if cancel.is_cancelled() {
                return None;
            }
            let rows: Vec<&Row> = rows.iter().collect();
            let judged = verdicts.recall(&rows).verdicts;
            for (row, verdict) in rows.into_iter().zip(&judged) {
                read.take(&world, &list, row, verdict);
            }
        }
        Some(read)
    });
    let read = read.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    let summary = Summary { entries: session.catalog.rows.len() as u64, ..Summary::default() };
    let Some(Read { cards, unread, odd_tags, broken }) = read else {
        return Err(Stop::Cancelled(summary));
    };
    context.send(JobEvent::Stranded(Arc::new(Board::of(cards, unread, odd_tags))));
    Ok(Summary { broken, ..summary })
}

impl Read {
    fn take(&mut self, env: &Env, session: &Session, row: &Row, verdict: &Verdict) {
        self.unread += usize::from(verdict.status.is_unknown() && verdict.versions.is_empty());
        if !may_have_cards(verdict, row.shape.error_count) {
            return;
        }
        let Ok(entry) = session.entry(row) else {
            self.broken += 1;
            return;
        };
        let facts = facts(env, &row.address);
        if let Some(tags) = facts.as_ref().and_then(|facts| facts.tags.known()) {
            self.odd_tags += tags.list.iter().filter(|tag| tag_version(&tag.name).is_none()).count();
        }
        self.cards.extend(cards(&CardCase {
            address: &row.address,
            entry: &entry,
            facts: facts.as_ref(),
            verdict,
            blacklist: &session.blacklist,
            decisions: &session.decisions,
            features: env.features,
            now: env.now(),
        }));
    }
}

fn facts(env: &Env, address: &Address) -> Option<Facts> {
    let key = address.repository().key();
    let state = env.state();
    state.as_ref()?.load_fact(&env.world, &key).ok()?.map(|stored| stored.facts)
}

/// Keeps decisions, and judges their entries again.
pub(crate) async fn decide(env: &Arc<Env>, context: &Context, task: &DecideTask) -> Result<Summary, Failure> {
    let session = env.session().await?;
    let addresses = task.addresses();
    if let Some(unknown) = addresses.iter().find(|address| session.catalog.find(address).is_none()) {
        return Err(Failure::unregistered(doing(task), unknown, &session.catalog));
    }
    if !env.keeps() {
        return Err(unkept(
            task,
            "nothing is kept from here: there is no state, or another bumpdesk holds it".into(),
        ));
    }
    if let DecideTask::Ignore(decisions) = task {
        for decision in decisions {
            check_there(env, &session, context, decision)?;
        }
    }
    let kept = env.state().as_mut().map(|state| match task {
        DecideTask::Ignore(decisions) => state.save_decisions(&env.world, decisions).map(|()| true),
        DecideTask::TakeBack(versions) => {
            let mut was_any = false;
            for (address, version) in versions {
                // Each as it may have been kept.
                for version in [version.as_str(), trim_v(version)] {
                    was_any |= state.remove_decision(&env.world, &address.to_string(), Some(version))?;
                }
            }
            Ok(was_any)
        }
    });
    match kept {
        Some(Ok(true)) => {}
        Some(Ok(false)) => {
            let failure = Failure::new(FailureKind::Usage, doing(task)).cause("none of them is ignored");
            return Err(failure.hint("`bumpdesk stranded --column decided` lists what is."));
        }
        Some(Err(error @ Error::ReadOnly { .. })) => return Err(unkept(task, error.to_string())),
        Some(Err(error)) => {
            return Err(Failure::new(FailureKind::Internal, doing(task)).cause(error.to_string()));
        }
        None => return Err(unkept(task, "there is no state folder".into())),
    }
    let session = env.redecide().await?;
    let rows = addresses.iter().filter_map(|address| session.catalog.find(address));
    let judged: Vec<Judgement> = rows
        .map(|row| {
            let facts = facts(env, &row.address);
            let verdict = judge_row(env, &session, row, facts.as_ref(), Depth::Versions);
            Judgement { address: row.address.clone(), verdict }
        })
        .collect();
    let entries = judged.len() as u64;
    context.send(JobEvent::Judged(judged));
    Ok(Summary { entries, ..Summary::default() })
}

/// Checks that there is such a version at all. A mistyped version would be ignored for as long, and so would the version itself
/// if it ever appeared.
fn check_there(env: &Env, session: &Session, context: &Context, decision: &Decision) -> Result<(), Failure> {
    let Some(version) = decision.version.as_deref().map(trim_v) else { return Ok(()) };
    let row = Address::parse(&decision.address).ok().and_then(|address| session.catalog.find(&address));
    let Some(entry) = row.and_then(|row| session.entry(row).ok()) else { return Ok(()) };
    let is_indexed = entry.versions().iter().any(|one| trim_v(one) == version);
    if is_indexed || entry.errors().iter().any(|one| trim_v(&one.version) == version) {
        return Ok(());
    }
    let facts = row.and_then(|row| facts(env, &row.address));
    let Some(tags) = facts.as_ref().and_then(|facts| facts.tags.known()) else {
        context.send(JobEvent::Note(format!(
            "whether {} has {version} is not known: it was not surveyed yet",
            decision.address
        )));
        return Ok(());
    };
    let is_tagged = |name: &str| tag_version(name).is_some_and(|tagged| trim_v(tagged) == version);
    if tags.list.iter().any(|tag| is_tagged(&tag.name)) {
        return Ok(());
    }
    let cause = format!("{} has no {version}: it is neither indexed nor tagged upstream", decision.address);
    Err(Failure::new(FailureKind::Usage, IGNORING).cause(cause).hint(format!(
        "`bumpdesk stranded {0}` lists what is stranded of it; if it is new, survey it first: `bumpdesk survey {0}`.",
        decision.address
    )))
}

fn doing(task: &DecideTask) -> &'static str {
    match task {
        DecideTask::Ignore(_) => IGNORING,
        DecideTask::TakeBack(_) => "taking back what is ignored",
    }
}

fn unkept(task: &DecideTask, why: String) -> Failure {
    Failure::new(FailureKind::Conflict, doing(task))
        .cause(why)
        .hint("Quit the other bumpdesk, or name a folder that can be written with --state-dir.")
}
