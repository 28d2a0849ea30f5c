//! The survey: facts and verdicts for a set of entries, resumable at any moment.
//!
//! Facts are kept as they come, in small batches, so that a killed survey goes on where it was: what is younger than the
//! plan's limit is not asked again.

mod gather;
mod meter;
mod probe;
mod read;

use std::collections::HashSet;
use std::sync::Arc;

use crate::jobs::context::Context;
use crate::jobs::data::{ASKS_AGAIN, JobEvent, Judgement, Stop, Summary, SurveyPlan};
use crate::jobs::session::Session;
use crate::jobs::{Env, verdicts};
use crate::registry::{Address, Entry, Facts, Kind, Observed, Row, Shape};
use crate::rules::{Case, Depth, FACTS_LAST, Keys, Now, Verdict, is_older, judge, judge_gated, missing_tags};

pub(crate) use gather::{Gather, Gathered, Work};
pub(crate) use meter::waiting;
pub(crate) use probe::{MOST_MISSING, read_release};

/// What helps where nothing answers.
const REMEDY: &str = "`bumpdesk doctor --online` tries the servers";
/// Verdicts are said in batches of this size: the rows of a screen, at the usual pace every half second.
const SAY_AT: usize = 48;

pub(crate) async fn survey(env: &Arc<Env>, context: &Context, plan: SurveyPlan) -> Result<Summary, Stop> {
    let session = env.session().await?;
    let places = first_ones_first(session.select(&plan.scope)?, &session.catalog.rows, &plan.first);
    session.tell_notices(env, context);
    let mut batch = Vec::new();
    let gather = Gather::new(env, &session, context, plan.depth, plan.max_age).gated(plan.gate);
    let gathered = gather
        .run(&places, |_, judged| {
            batch.extend(judged);
            if batch.len() >= SAY_AT {
                context.send(JobEvent::Judged(std::mem::take(&mut batch)));
            }
        })
        .await;
    if !batch.is_empty() {
        context.send(JobEvent::Judged(batch));
    }
    if !gathered.cancelled && gathered.failure.is_none() {
        // Cancelled in it, the survey is done all the same: the next start judges what is left.
        verdicts::renew(env, &session, context, &places).await;
    }
    let summary = Summary { unkept: gathered.unkept, ..gathered.summary };
    finish(env, Gathered { summary, ..gathered })
}

/// Places of rows, those of some addresses before the others; else in the order in which they were.
fn first_ones_first(mut places: Vec<usize>, rows: &[Row], first: &[Address]) -> Vec<usize> {
    let first: HashSet<&Address> = first.iter().collect();
    places.sort_by_key(|place| !first.contains(&rows[*place].address));
    places
}

/// The end of a job that gathered facts.
pub(crate) fn finish(env: &Env, gathered: Gathered) -> Result<Summary, Stop> {
    let Gathered { mut summary, cancelled, failure, sent_before, .. } = gathered;
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    let mut limits = limits(env);
    let sent = env.remote.counts().total();
    summary.requests = sent.sent - sent_before.sent;
    summary.not_modified = sent.not_modified - sent_before.not_modified;
    let Summary { entries, failed, broken, .. } = summary;
    if failed > 0 && failed + broken >= entries && !cancelled {
        limits.push(format!("nothing could be read; {REMEDY}{ASKS_AGAIN}"));
    }
    let summary = Summary { limits, ..summary };
    if cancelled { Err(Stop::Cancelled(summary)) } else { Ok(summary) }
}

/// What could not be seen, in words.
pub(crate) fn limits(env: &Env) -> Vec<String> {
    let mut limits = Vec::new();
    if env.remote.is_token_refused() {
        limits.push(format!(
            "the token from {} was refused (HTTP 401), so what needs it is not known; set a valid one there, or ask without one with --no-token",
            env.token_name
        ));
    }
    if !env.remote.has_token() {
        limits.push(
            "no token: the releases API was not asked, so asset times and digests are not known; set GH_TOKEN to have them"
                .to_owned(),
        );
    }
    limits
}

/// The verdicts of all entries that share a repository.
pub(crate) fn judge_work(env: &Env, session: &Session, work: &Work, depth: Depth) -> Vec<Judgement> {
    let facts = &work.stored.facts;
    let verdict = |row: &Row| {
        if work.gated {
            let terms = (depth, env.now().into());
            return judge_gated(&case(env, session, row, Some(facts), (None, None), terms), facts);
        }
        judge_row(env, session, row, Some(facts), depth)
    };
    let rows = work.places.iter().map(|place| &session.catalog.rows[*place]);
    rows.map(|row| Judgement { address: row.address.clone(), verdict: verdict(row) }).collect()
}

/// The verdict of one entry from what is known of its repository.
pub(crate) fn judge_row(
    env: &Env,
    session: &Session,
    row: &Row,
    facts: Option<&Facts>,
    depth: Depth,
) -> Verdict {
    let terms = (depth, env.now().into());
    let entry = needs_entry(row, facts, terms).then(|| session.entry(row));
    judge_file(env, session, row, facts, entry.as_ref().map(Result::as_ref), terms)
}

/// The same with the file as it was read, where it was: to that depth, at that moment.
pub(crate) fn judge_file(
    env: &Env,
    session: &Session,
    row: &Row,
    facts: Option<&Facts>,
    entry: Option<Result<&Entry, &String>>,
    terms: (Depth, Now<'_>),
) -> Verdict {
    match entry {
        None => judge(&case(env, session, row, facts, (None, None), terms)),
        Some(Ok(entry)) => {
            let keys = keys(session, row, facts);
            judge(&case(env, session, row, facts, (Some(entry), keys.as_deref()), terms))
        }
        // The summary read it and the typed view does not: nothing may be claimed of such a file.
        Some(Err(text)) => {
            let shape = Shape { broken: Some(text.as_str().into()), ..row.shape.clone() };
            let broken = Row { shape, ..row.clone() };
            judge(&case(env, session, &broken, facts, (None, None), terms))
        }
    }
}

/// The verdict of an entry whose file is at hand: the same as [`judge_row`]'s, without reading it again.
pub(crate) fn judge_read(
    env: &Env,
    session: &Session,
    row: &Row,
    facts: Option<&Facts>,
    entry: &Entry,
    depth: Depth,
) -> Verdict {
    let terms = (depth, env.now().into());
    let entry = needs_entry(row, facts, terms).then_some(Ok(entry));
    judge_file(env, session, row, facts, entry, terms)
}

/// The keys on file, where anything is known that they could verify.
fn keys(session: &Session, row: &Row, facts: Option<&Facts>) -> Option<Arc<Keys>> {
    needs_keys(row, facts).then(|| session.keys_of(&row.address))
}

/// Whether the keys on file count for a verdict for which the file was read.
pub(crate) fn needs_keys(row: &Row, facts: Option<&Facts>) -> bool {
    facts.is_some_and(|facts| !facts.releases.is_empty()) && row.kind() == Kind::Provider
}

pub(crate) fn case<'a>(
    env: &Env,
    session: &'a Session,
    row: &'a Row,
    facts: Option<&'a Facts>,
    (entry, keys): (Option<&'a Entry>, Option<&'a Keys>),
    (depth, now): (Depth, Now<'a>),
) -> Case<'a> {
    Case {
        address: &row.address,
        shape: &row.shape,
        entry,
        facts,
        keys,
        blacklist: &session.blacklist,
        decisions: &session.decisions,
        features: env.features,
        depth,
        now,
    }
}

/// The parsed file is read only where a verdict needs more than its summary.
pub(crate) fn needs_entry(row: &Row, facts: Option<&Facts>, (depth, now): (Depth, Now<'_>)) -> bool {
    if row.shape.broken.is_some() {
        return false;
    }
    if depth == Depth::Sums {
        return true;
    }
    let Some(facts) = facts else { return false };
    // A day after a survey nothing is claimed of any entry: a start must not read all files for that.
    let Observed::Known { value: tags, at } = &facts.tags else { return false };
    if is_older(now, *at, FACTS_LAST) {
        return false;
    }
    // The recorded commits are compared with the tags. Without recorded commits the summary is enough.
    if row.kind() == Kind::Module {
        return row.shape.commit_count > 0;
    }
    if !facts.releases.is_empty() || !facts.zips.is_empty() {
        return true;
    }
    row.shape.error_count > 0 && !missing_tags(row.kind(), row.shape.version_list(), tags).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_looks_at_is_asked_first() {
        let address = |name: &str| Address::provider("acme", name);
        let row = |name| Row {
            address: address(name),
            blob: "".into(),
            dirty: false,
            lint: None,
            shape: Shape::default(),
        };
        let rows = ["anvil", "bolt", "cog", "dowel"].map(row);
        let first = [address("dowel"), address("bolt"), address("not-in-it")];
        assert_eq!(first_ones_first(vec![0, 1, 3], &rows, &first), [1, 3, 0]);
        assert_eq!(first_ones_first(vec![0, 2], &rows, &[]), [0, 2]);
    }
}
