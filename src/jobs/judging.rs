//! The verdict of one entry, from its file, the facts of its repository and the keys on file. Sends no request.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::session::Session;
use crate::registry::{Entry, Facts, Kind, Observed, Row, Shape};
use crate::rules::{Case, Depth, FACTS_LAST, Keys, Now, Verdict, is_older, judge, missing_tags};

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

/// The verdict of one entry to that depth, at that moment, with its file as it was read; `None` if it need not be read.
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

/// Returns true if the keys on file count for a verdict for which the file was read.
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
