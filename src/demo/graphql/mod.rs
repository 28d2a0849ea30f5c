//! GitHub's GraphQL endpoint, as far as surveys need it: repositories, releases, assets and tags, many in one query.
//!
//! The query is parsed and carried out field by field, so that any shape of it is answered or refused as GitHub would;
//! an unknown field is an error. It writes nothing. Cost and node counts follow GitHub's published formula.

pub(crate) mod cost;
pub(crate) mod execute;
pub(crate) mod node;
pub(crate) mod query;
pub(crate) mod tokens;

use serde_json::{Map, Value, json};

use crate::demo::graphql::cost::Cost;
use crate::demo::graphql::execute::Run;
use crate::demo::graphql::query::Document;
use crate::demo::wire::answer::Site;
use crate::demo::wire::call::{Call, Reply};
use crate::demo::wire::quota::{Resource, Usage};
use crate::demo::wire::trouble;

/// Answers a request to `/graphql`.
pub(crate) fn answer(site: &Site<'_>, call: &Call) -> Reply {
    if call.method != http::Method::POST {
        return trouble::api(404, "Not Found");
    }
    let token = call.token();
    if !site.accepts(token.as_deref()) {
        let message = if token.is_some() {
            "Bad credentials"
        } else {
            "This endpoint requires you to be authenticated."
        };
        return trouble::api(401, message);
    }
    let limit = Resource::Graphql.limit(&site.world.limits);
    let usage = site.quota.spend(Resource::Graphql, limit, site.world.now, 0).unwrap_or_else(|usage| usage);
    let (document, variables) = match read(call) {
        Ok(read) => read,
        Err(Refusal::Request(message)) => return usage.mark(trouble::api(400, message)),
        Err(Refusal::Query(message)) => return usage.mark(refusal(None, &message)),
    };
    let cost = match Cost::of(&document, &variables) {
        Ok(cost) => cost,
        Err((kind, message)) => return usage.mark(refusal(Some(kind), &message)),
    };
    if site.world.limits.graphql_aliases.is_some_and(|most| cost.repositories > most) {
        return usage.mark(too_slow());
    }
    match site.quota.spend(Resource::Graphql, limit, site.world.now, cost.points) {
        Ok(usage) => usage.mark(run(site, &document, &variables, cost, usage)),
        Err(usage) => usage.mark(refusal(Some("RATE_LIMITED"), "API rate limit exceeded for user ID 1.")),
    }
}

/// Why a request is not carried out.
enum Refusal {
    /// It is no GraphQL request.
    Request(&'static str),
    /// The query is wrong.
    Query(String),
}

fn read(call: &Call) -> Result<(Document, Map<String, Value>), Refusal> {
    let body: Value =
        serde_json::from_slice(&call.body).map_err(|_| Refusal::Request("Problems parsing JSON"))?;
    let Some(query) = body["query"].as_str() else {
        return Err(Refusal::Request("A query attribute must be specified and must be a string."));
    };
    let document = Document::parse(query).map_err(|error| Refusal::Query(error.to_string()))?;
    let variables = body["variables"].as_object().cloned().unwrap_or_default();
    Ok((document, variables))
}

fn run(
    site: &Site<'_>,
    document: &Document,
    variables: &Map<String, Value>,
    cost: Cost,
    usage: Usage,
) -> Reply {
    let mut run = Run::new(site, document, variables, cost, usage);
    let data = run.carry_out();
    if run.refused {
        return Reply::json(200, &json!({ "errors": run.errors }));
    }
    let mut answer = json!({ "data": data });
    if !run.errors.is_empty() {
        answer["errors"] = Value::Array(run.errors);
    }
    Reply::json(200, &answer)
}

/// An answer without data.
fn refusal(kind: Option<&str>, message: &str) -> Reply {
    let mut error = json!({ "message": message });
    if let Some(kind) = kind {
        error["type"] = json!(kind);
    }
    Reply::json(200, &json!({ "errors": [error] }))
}

fn too_slow() -> Reply {
    let message = "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug.";
    Reply::json(502, &json!({ "data": null, "errors": [{ "message": message }] }))
}

#[cfg(test)]
mod tests;
