//! Reads a GraphQL answer, alias by alias. Sends nothing.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::registry::{Asset, ReleaseInfo};
use crate::remote::batch::Found;
use crate::remote::http::{Error, Http};
use crate::remote::release::node_id;

/// One alias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done(Found),
    /// It was too much at once; the error, if it was asked alone.
    Again(Error),
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BatchAnswer {
    /// In the order of the aliases.
    pub(super) outcomes: Vec<Outcome>,
    /// Points that the query has cost.
    pub(super) cost: u64,
    pub(super) limited: Option<Limited>,
}

/// The query was refused because of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limited {
    /// The hour's points are used up, whatever the headers say remains.
    Points,
    /// Too much in too short a time.
    Pace,
}

#[derive(Debug, Deserialize)]
struct Body {
    data: Option<Map<String, Value>>,
    #[serde(default)]
    errors: Vec<Fault>,
}

#[derive(Debug, Deserialize)]
struct Fault {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    message: String,
    path: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Release {
    database_id: Option<u64>,
    tag_name: String,
    #[serde(default)]
    is_draft: bool,
    #[serde(default)]
    is_prerelease: bool,
    created_at: Option<Timestamp>,
    published_at: Option<Timestamp>,
    #[serde(rename = "releaseAssets")]
    assets: Option<Assets>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assets {
    nodes: Option<Vec<Option<AssetNode>>>,
    page_info: Option<PageInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageInfo {
    has_next_page: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AssetNode {
    id: Option<String>,
    name: String,
    #[serde(default)]
    size: u64,
    digest: Option<String>,
    updated_at: Option<Timestamp>,
}

impl From<Release> for ReleaseInfo {
    fn from(release: Release) -> Self {
        let (nodes, more) = match release.assets {
            Some(assets) => {
                (assets.nodes.unwrap_or_default(), assets.page_info.is_some_and(|p| p.has_next_page))
            }
            None => (Vec::new(), true),
        };
        // A node that GitHub could not tell is an asset that was not read.
        let truncated = more || nodes.iter().any(Option::is_none);
        Self {
            id: release.database_id,
            tag: release.tag_name.into(),
            draft: release.is_draft,
            prerelease: release.is_prerelease,
            created_at: release.created_at,
            published_at: release.published_at,
            assets: nodes.into_iter().flatten().map(Asset::from).collect(),
            truncated,
        }
    }
}

impl From<AssetNode> for Asset {
    fn from(node: AssetNode) -> Self {
        Self {
            id: node.id.and_then(node_id),
            name: node.name.into(),
            size_bytes: node.size,
            digest: node.digest.map(Into::into),
            updated_at: node.updated_at,
        }
    }
}

/// Reads an answer to a query with that many aliases.
pub(super) fn read(http: &Http, body: &[u8], aliases: usize) -> Result<BatchAnswer, Error> {
    let Body { data, errors } = serde_json::from_slice(body)
        .map_err(|error| http.unreadable(format!("no GraphQL answer: {error}")))?;
    let limited = errors.iter().find_map(Fault::limited);
    let mut data = data.unwrap_or_default();
    let cost = data.get("rateLimit").and_then(|limit| limit.get("cost")).and_then(Value::as_u64).unwrap_or(0);
    let outcome = |index: usize| {
        let alias = format!("r{index}");
        let is_its = |fault: &&Fault| fault.alias() == Some(alias.as_str());
        // What is wrong with this alias, else what is wrong with the whole query.
        let fault =
            errors.iter().find(is_its).or_else(|| errors.iter().find(|fault| fault.alias().is_none()));
        alias_outcome(http, data.remove(&alias), fault)
    };
    let outcomes = (0..aliases).map(outcome).collect();
    Ok(BatchAnswer { outcomes, cost, limited })
}

fn alias_outcome(http: &Http, value: Option<Value>, fault: Option<&Fault>) -> Outcome {
    let gone = || Outcome::Done(Err(Error::NotFound { status: 404 }));
    let Some(Value::Object(mut repository)) = value else {
        return match fault {
            Some(fault) => fault.outcome(http),
            None if value == Some(Value::Null) => gone(),
            None => Outcome::Done(Err(Error::unreadable("the answer leaves an alias out"))),
        };
    };
    let release = match repository.remove("release") {
        Some(Value::Null) => return fault.map_or_else(gone, |fault| fault.outcome(http)),
        Some(release) => serde_json::from_value::<Release>(release),
        None => return Outcome::Done(Err(Error::unreadable("an answer without a release"))),
    };
    let release = release.map(ReleaseInfo::from);
    Outcome::Done(release.map_err(|error| http.unreadable(format!("a release of another shape: {error}"))))
}

impl Fault {
    fn alias(&self) -> Option<&str> {
        self.path.as_ref()?.first()?.as_str()
    }

    fn limited(&self) -> Option<Limited> {
        let message = self.message.to_ascii_lowercase();
        if message.contains("secondary rate limit") {
            return Some(Limited::Pace);
        }
        let is_limited = matches!(self.kind.as_deref(), Some("RATE_LIMITED" | "RATE_LIMIT"));
        (is_limited || message.contains("rate limit exceeded")).then_some(Limited::Points)
    }

    fn outcome(&self, http: &Http) -> Outcome {
        let message = self.message.to_ascii_lowercase();
        let heavy = ["something went wrong", "resource limits for this query", "timeout", "timed out"];
        if heavy.iter().any(|words| message.contains(words)) {
            return Outcome::Again(http.unreadable(self.message.as_str()));
        }
        Outcome::Done(Err(match self.kind.as_deref() {
            Some("NOT_FOUND") => Error::NotFound { status: 404 },
            Some("FORBIDDEN" | "INSUFFICIENT_SCOPES") => {
                Error::Unauthorized { status: 403, message: http.scrub(self.message.as_str()) }
            }
            _ => http.unreadable(format!("GraphQL says: {}", self.message)),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::remote::RemoteOptions;

    use super::*;

    fn read(body: &[u8], aliases: usize) -> Result<BatchAnswer, Error> {
        super::read(&Http::new(RemoteOptions::default()).unwrap(), body, aliases)
    }

    fn outcomes(body: &str, aliases: usize) -> Vec<Outcome> {
        read(body.as_bytes(), aliases).unwrap().outcomes
    }

    fn missing() -> Outcome {
        Outcome::Done(Err(Error::NotFound { status: 404 }))
    }

    #[test]
    fn partial_data_is_kept() {
        let body = r#"{"data":{"rateLimit":{"cost":3,"remaining":10,"resetAt":"2026-01-01T00:00:00Z"},
            "r0":{"release":{"databaseId":5,"tagName":"v1","isDraft":false,"isPrerelease":true,"createdAt":"2026-01-01T00:00:00Z",
              "publishedAt":null,"releaseAssets":{"nodes":[{"id":"RA_kwDO","name":"a","size":3,"digest":null,"updatedAt":"2026-01-01T00:00:00Z"}],
              "pageInfo":{"hasNextPage":true}}}},
            "r1":null, "r2":{"release":null}, "r3":null},
            "errors":[{"type":"NOT_FOUND","path":["r1"],"message":"Could not resolve to a Repository"},
                      {"message":"Something went wrong while executing your query. Please include `1`","path":["r3"]}]}"#;
        let answer = read(body.as_bytes(), 4).unwrap();
        assert_eq!((answer.cost, answer.limited), (3, None));
        let Outcome::Done(Ok(release)) = &answer.outcomes[0] else { panic!("{answer:?}") };
        assert_eq!(
            (release.id, &*release.tag, release.truncated, release.assets.len()),
            (Some(5), "v1", true, 1)
        );
        assert_eq!(release.assets[0].id.as_deref(), Some("RA_kwDO"));
        assert_eq!(answer.outcomes[1..3], [missing(), missing()]);
        assert!(matches!(answer.outcomes[3], Outcome::Again(_)));
    }

    #[test]
    fn a_release_without_a_list_of_assets_is_not_read_whole() {
        let body = r#"{"data":{
            "r0":{"release":{"tagName":"v2","releaseAssets":{"nodes":[],"pageInfo":{"hasNextPage":false}}}},
            "r1":{"release":{"tagName":"v1"}},
            "r2":{}}}"#;
        let outcomes = outcomes(body, 3);
        let is_truncated = |outcome: &Outcome| match outcome {
            Outcome::Done(Ok(release)) => Some(release.truncated),
            _ => None,
        };
        let read: Vec<Option<bool>> = outcomes.iter().map(is_truncated).collect();
        assert_eq!(read, [Some(false), Some(true), None]);
    }

    #[test]
    fn faults_of_the_whole_query_reach_every_alias() {
        let heavy = r#"{"data":null,"errors":[{"message":"Resource limits for this query exceeded."}]}"#;
        assert!(outcomes(heavy, 2).iter().all(|outcome| matches!(outcome, Outcome::Again(_))));
        let other = r#"{"errors":[{"message":"Parse error on \"x\""}]}"#;
        assert!(
            matches!(&outcomes(other, 1)[0], Outcome::Done(Err(Error::Protocol(text))) if text.contains("Parse error"))
        );
        let forbidden =
            r#"{"data":{"r0":null},"errors":[{"type":"FORBIDDEN","path":["r0"],"message":"SAML"}]}"#;
        assert!(matches!(
            &outcomes(forbidden, 1)[0],
            Outcome::Done(Err(Error::Unauthorized { status: 403, .. }))
        ));
    }

    #[test]
    fn limits_have_two_names() {
        for kind in ["RATE_LIMITED", "RATE_LIMIT"] {
            let body = format!(r#"{{"errors":[{{"type":"{kind}","message":"API rate limit"}}]}}"#);
            assert_eq!(read(body.as_bytes(), 1).unwrap().limited, Some(Limited::Points));
        }
        let pace = b"{\"errors\":[{\"message\":\"You have exceeded a secondary rate limit\"}]}";
        assert_eq!(read(pace, 1).unwrap().limited, Some(Limited::Pace));
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        for body in ["", "<html>", "[]", "3"] {
            assert!(matches!(read(body.as_bytes(), 1), Err(Error::Protocol(_))), "{body}");
        }
        assert!(matches!(&outcomes("{}", 1)[0], Outcome::Done(Err(Error::Protocol(_)))));
        assert!(matches!(
            &outcomes(r#"{"data":{"r0":{"release":{"tagName":4}}}}"#, 1)[0],
            Outcome::Done(Err(Error::Protocol(_)))
        ));
    }
}
