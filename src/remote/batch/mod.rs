//! Releases of many repositories at once, by GraphQL.
//!
//! Each item is an alias of its own, so that one missing repository costs nobody else. A batch that is too much for
//! GitHub is halved; what did come is kept. Only ever asks; needs a token.

mod answer;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use serde_json::{Map, Value, json};

use crate::registry::{ReleaseInfo, Repository};
use crate::remote::Remote;
use crate::remote::http::{Error, signals};
use crate::settings::Lane;

use answer::{Limited, Outcome};

/// GitHub gives a query ten seconds; twenty aliases stay well below.
const MOST_ALIASES: usize = 20;

const FRAGMENT: &str = "fragment F on Release{databaseId tagName isDraft isPrerelease createdAt publishedAt \
     releaseAssets(first:100){nodes{id name size digest updatedAt}pageInfo{hasNextPage}}}";

/// The answer about one release.
type Found = Result<ReleaseInfo, Error>;

impl Remote {
    /// Reads the releases of many tags by GraphQL, in the order of the items. Twenty cost about one point.
    pub(crate) async fn release_batch(&self, items: &[(Repository, String)]) -> Vec<Found> {
        let mut found: Vec<Option<Found>> = items.iter().map(|_| None).collect();
        let mut waiting: VecDeque<usize> = (0..items.len()).collect();
        let mut size = MOST_ALIASES;
        // In a row: as many as would have been needed without them, so that an API that is down costs twice that at most.
        let most_failures = items.len().div_ceil(MOST_ALIASES).max(2);
        let mut failures = 0;
        let mut is_repeated = false;
        while !waiting.is_empty() {
            let batch: Vec<usize> = waiting.drain(..size.min(waiting.len())).collect();
            let questions: Vec<&(Repository, String)> = batch.iter().map(|&index| &items[index]).collect();
            let (error, is_heavy) = match once(self, &questions).await {
                Ok(outcomes) => {
                    if let Some(error) = all_too_much(&outcomes) {
                        (error, true)
                    } else {
                        (size, failures, is_repeated) = (MOST_ALIASES, 0, false);
                        let mut again = Vec::new();
                        for (index, outcome) in batch.iter().zip(outcomes) {
                            match outcome {
                                Outcome::Done(answer) => found[*index] = Some(answer),
                                Outcome::Again(_) => again.push(*index),
                            }
                        }
                        if !again.is_empty() {
                            size = batch.len().div_ceil(2);
                        }
                        again.into_iter().rev().for_each(|index| waiting.push_front(index));
                        continue;
                    }
                }
                Err(error) => {
                    let is_heavy = is_too_much(&error);
                    (error, is_heavy)
                }
            };
            failures += 1;
            if ends_the_batch(&error) || failures >= most_failures {
                // No token, a wrong one, a limit, or nothing but failures: the others would fare no better.
                for index in batch.into_iter().chain(waiting) {
                    found[index] = Some(Err(error.clone()));
                }
                break;
            }
            let is_given_up = if is_heavy { batch.len() == 1 } else { is_repeated };
            if is_given_up {
                for index in batch {
                    found[index] = Some(Err(error.clone()));
                }
                is_repeated = false;
                continue;
            }
            // What is too much is asked in halves, what failed once more.
            is_repeated = !is_heavy;
            if is_heavy {
                size = batch.len().div_ceil(2);
            }
            batch.into_iter().rev().for_each(|index| waiting.push_front(index));
        }
        let lost = || Err(Error::unreadable("the batch lost an answer"));
        found.into_iter().map(|answer| answer.unwrap_or_else(lost)).collect()
    }
}

async fn once(remote: &Remote, questions: &[&(Repository, String)]) -> Result<Vec<Outcome>, Error> {
    let posted = remote.query(&question(questions)).await.map_err(|error| match error {
        // What is missing then is the API, and none of the releases.
        Error::NotFound { status } => Error::Status { status },
        error => error,
    })?;
    let answer = answer::read(&remote.http, &posted.body, questions.len())?;
    remote.points.fetch_add(answer.cost, Ordering::Relaxed);
    if let Some(limited) = answer.limited {
        let mut signals = signals(posted.status, &posted.headers);
        if limited == Limited::Points && signals.retry_after.is_none() {
            signals.remaining = Some(0);
            signals.resource.get_or_insert_with(|| "graphql".into());
        }
        return Err(remote.http.limited(Lane::Api, &signals));
    }
    Ok(answer.outcomes)
}

/// The API's error if every alias was too much for it.
fn all_too_much(outcomes: &[Outcome]) -> Option<Error> {
    let errors = outcomes.iter().map(|outcome| match outcome {
        Outcome::Again(error) => Some(error),
        Outcome::Done(_) => None,
    });
    errors.collect::<Option<Vec<_>>>()?.first().copied().cloned()
}

/// Returns true if a smaller batch may succeed: GitHub cuts off a query that takes longer than ten seconds.
fn is_too_much(error: &Error) -> bool {
    matches!(error, Error::Status { status: 502 | 504 } | Error::TimedOut { .. })
}

/// Returns true if another query at once would fail too.
fn ends_the_batch(error: &Error) -> bool {
    matches!(
        error,
        Error::NoToken | Error::Unauthorized { .. } | Error::RateLimited { .. } | Error::Blocked { .. }
    )
}

/// The request's body: names and tags are variables, so that no text of theirs is ever part of the document.
fn question(questions: &[&(Repository, String)]) -> Value {
    let mut variables = Map::new();
    let mut heads = String::new();
    let mut aliases = String::new();
    for (index, (repository, tag)) in questions.iter().enumerate() {
        let _ = write!(heads, "$o{index}:String!,$n{index}:String!,$t{index}:String!,");
        variables.insert(format!("o{index}"), json!(repository.owner));
        variables.insert(format!("n{index}"), json!(repository.name));
        variables.insert(format!("t{index}"), json!(tag));
        let _ = write!(
            aliases,
            " r{index}:repository(owner:$o{index},name:$n{index}){{release(tagName:$t{index}){{...F}}}}"
        );
    }
    let heads = heads.trim_end_matches(',');
    let query = format!("query({heads}){{rateLimit{{cost remaining resetAt}}{aliases}}}{FRAGMENT}");
    json!({ "query": query, "variables": variables })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_carry_texts_as_variables() {
        let items =
            [(Repository::new("a", "b"), "v1\"}".to_owned()), (Repository::new("c", "d"), "v2".to_owned())];
        let body = question(&items.iter().collect::<Vec<_>>());
        let text = body["query"].as_str().unwrap();
        assert!(text.starts_with(
            "query($o0:String!,$n0:String!,$t0:String!,$o1:String!,$n1:String!,$t1:String!){rateLimit{cost remaining resetAt} \
             r0:repository(owner:$o0,name:$n0){release(tagName:$t0){...F}} \
             r1:repository(owner:$o1,name:$n1){release(tagName:$t1){...F}}}"
        ));
        assert!(!text.contains("downloadCount"));
        assert_eq!(body["variables"], json!({"o0":"a","n0":"b","t0":"v1\"}","o1":"c","n1":"d","t1":"v2"}));
        let opened = text.matches('{').count();
        assert_eq!(opened, text.matches('}').count());
    }
}
