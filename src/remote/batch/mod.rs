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

/// What is asked about each repository of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Question {
    /// The release of that tag.
    Tag(String),
    /// The newest releases, up to that many (1 to 100).
    Newest(u8),
}

/// One alias' answer: one release for `Question::Tag`, any number for `Question::Newest`.
type Found = Result<Vec<ReleaseInfo>, Error>;

impl Remote {
    /// Reads the releases of many tags by GraphQL, in the order of the items. Twenty cost about one point.
    pub(crate) async fn release_batch(
        &self,
        items: &[(Repository, String)],
    ) -> Vec<Result<ReleaseInfo, Error>> {
        let items: Vec<(Repository, Question)> =
            items.iter().map(|(repository, tag)| (repository.clone(), Question::Tag(tag.clone()))).collect();
        let found = ask(self, &items).await;
        let only = |list: Vec<ReleaseInfo>| list.into_iter().next().ok_or(Error::NotFound { status: 404 });
        found.into_iter().map(|answer| answer.and_then(only)).collect()
    }

    /// Reads the newest releases (1 to 100) of many repositories by GraphQL. A hundred releases cost one point.
    #[cfg_attr(not(test), expect(dead_code, reason = "reviews ask for what is newest"))]
    pub(crate) async fn newest_batch(
        &self,
        repositories: &[Repository],
        count: u8,
    ) -> Vec<Result<Vec<ReleaseInfo>, Error>> {
        let items: Vec<(Repository, Question)> =
            repositories.iter().map(|repository| (repository.clone(), Question::Newest(count))).collect();
        ask(self, &items).await
    }
}

/// Asks about all items, in batches, and returns the answers in the order of the items.
async fn ask(remote: &Remote, items: &[(Repository, Question)]) -> Vec<Found> {
    let mut found: Vec<Option<Found>> = items.iter().map(|_| None).collect();
    let mut waiting: VecDeque<usize> = (0..items.len()).collect();
    let mut size = MOST_ALIASES;
    // In a row: as many as would have been needed without them, so that an API that is down costs twice that at most.
    let most_failures = items.len().div_ceil(MOST_ALIASES).max(2);
    let mut failures = 0;
    let mut is_repeated = false;
    while !waiting.is_empty() {
        let batch: Vec<usize> = waiting.drain(..size.min(waiting.len())).collect();
        let questions: Vec<&(Repository, Question)> = batch.iter().map(|&index| &items[index]).collect();
        let (error, is_heavy) = match once(remote, &questions).await {
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

async fn once(remote: &Remote, questions: &[&(Repository, Question)]) -> Result<Vec<Outcome>, Error> {
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

/// What the API said if it was too much of everything.
fn all_too_much(outcomes: &[Outcome]) -> Option<Error> {
    let told = outcomes.iter().map(|outcome| match outcome {
        Outcome::Again(error) => Some(error),
        Outcome::Done(_) => None,
    });
    told.collect::<Option<Vec<_>>>()?.first().copied().cloned()
}

/// Whether fewer questions at once may fare better: GitHub cuts off what takes it longer than ten seconds.
fn is_too_much(error: &Error) -> bool {
    matches!(error, Error::Status { status: 502 | 504 } | Error::TimedOut { .. })
}

/// Whether asking again at once is useless.
fn ends_the_batch(error: &Error) -> bool {
    matches!(
        error,
        Error::NoToken | Error::Unauthorized { .. } | Error::RateLimited { .. } | Error::Blocked { .. }
    )
}

/// The request's body: names and tags are variables, so that no text of theirs is ever part of the document.
fn question(questions: &[&(Repository, Question)]) -> Value {
    let mut variables = Map::new();
    let mut heads = String::new();
    let mut aliases = String::new();
    for (index, (repository, question)) in questions.iter().enumerate() {
        let _ = write!(heads, "$o{index}:String!,$n{index}:String!,");
        variables.insert(format!("o{index}"), json!(repository.owner));
        variables.insert(format!("n{index}"), json!(repository.name));
        let _ = write!(aliases, " r{index}:repository(owner:$o{index},name:$n{index}){{");
        match question {
            Question::Tag(tag) => {
                let _ = write!(heads, "$t{index}:String!,");
                variables.insert(format!("t{index}"), json!(tag));
                let _ = write!(aliases, "release(tagName:$t{index}){{...F}}}}");
            }
            Question::Newest(count) => {
                let count = (*count).clamp(1, 100);
                let _ = write!(
                    aliases,
                    "releases(first:{count},orderBy:{{field:CREATED_AT,direction:DESC}}){{nodes{{...F}}}}}}"
                );
            }
        }
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
        let items = [
            (Repository::new("a", "b"), Question::Tag("v1\"}".into())),
            (Repository::new("c", "d"), Question::Newest(3)),
        ];
        let body = question(&items.iter().collect::<Vec<_>>());
        let text = body["query"].as_str().unwrap();
        assert!(text.starts_with(
            "query($o0:String!,$n0:String!,$t0:String!,$o1:String!,$n1:String!){rateLimit{cost remaining resetAt} \
             r0:repository(owner:$o0,name:$n0){release(tagName:$t0){...F}} \
             r1:repository(owner:$o1,name:$n1){releases(first:3,orderBy:{field:CREATED_AT,direction:DESC}){nodes{...F}}}}"
        ));
        assert!(!text.contains("downloadCount"));
        assert_eq!(body["variables"], json!({"o0":"a","n0":"b","t0":"v1\"}","o1":"c","n1":"d"}));
        let opened = text.matches('{').count();
        assert_eq!(opened, text.matches('}').count());
    }
}
