//! GitHub's GraphQL endpoint, as far as surveys and publishing need it: repositories, releases, assets and tags, many in one
//! query, and commits on branches.
//!
//! The query is parsed and carried out field by field, so that any shape of it is answered or refused as GitHub would;
//! an unknown field is an error. What it changes is changed before the answer is drawn. Cost and node counts follow GitHub's published formula.

pub(crate) mod cost;
pub(crate) mod execute;
pub(crate) mod mutation;
pub(crate) mod node;
pub(crate) mod query;
pub(crate) mod tokens;

use serde_json::{Map, Value, json};

use crate::forge::Refusal;
use crate::graphql::cost::Cost;
use crate::graphql::execute::Run;
use crate::graphql::query::Document;
use crate::wire::answer::{Frame, Site};
use crate::wire::call::{Call, Reply};
use crate::wire::quota::{Resource, Usage};
use crate::wire::trouble;
use crate::world::World;

/// Whether a request asks for a change.
pub(crate) fn is_mutation(call: &Call) -> bool {
    const WORD: &[u8] = b"mutation";
    call.path == "/graphql"
        && call.body.windows(WORD.len()).any(|word| word == WORD)
        && read(call).is_ok_and(|(document, _)| document.mutates)
}

/// Answers a request to `/graphql` that asks.
pub(crate) fn answer(site: &Site<'_>, call: &Call) -> Reply {
    match admit(site, call) {
        Ok(Admitted { document, variables, cost, usage }) => {
            usage.mark(run(Run::new(site, &document, &variables, cost, usage)))
        }
        Err(reply) => *reply,
    }
}

/// Carries out a request to `/graphql` that changes something.
pub(crate) fn write(world: &mut World, frame: Frame<'_>, call: &Call) -> Reply {
    let site = frame.site(world);
    let Admitted { document, variables, cost, usage } = match admit(&site, call) {
        Ok(admitted) => admitted,
        Err(reply) => return *reply,
    };
    let login = site.caller(call).unwrap_or_default();
    let done = mutation::carry_out(world, &login, &document, &variables);
    if done.iter().any(|(_, result)| *result == Err(Refusal::Limited)) {
        return usage.mark(trouble::secondary().with("retry-after", "60"));
    }
    let site = frame.site(world);
    usage.mark(run(Run::new(&site, &document, &variables, cost, usage).after(&done)))
}

/// A query that may be carried out.
struct Admitted {
    document: Document,
    variables: Map<String, Value>,
    cost: Cost,
    usage: Usage,
}

fn admit(site: &Site<'_>, call: &Call) -> Result<Admitted, Box<Reply>> {
    if call.method != http::Method::POST {
        return Err(trouble::api(404, "Not Found").into());
    }
    let token = call.token();
    if !site.accepts(token.as_deref()) {
        let message = if token.is_some() {
            "Bad credentials"
        } else {
            "This endpoint requires you to be authenticated."
        };
        return Err(trouble::api(401, message).into());
    }
    let limit = Resource::Graphql.limit(&site.world.limits);
    let usage = site.quota.spend(Resource::Graphql, limit, site.world.now, 0).unwrap_or_else(|usage| usage);
    let refused = |reply: Reply| Box::new(usage.mark(reply));
    let (document, variables) = match read(call) {
        Ok(read) => read,
        Err(Refused::Request(message)) => return Err(refused(trouble::api(400, message))),
        Err(Refused::Query(message)) => return Err(refused(refusal(None, &message))),
    };
    let cost =
        Cost::of(&document, &variables).map_err(|(kind, message)| refused(refusal(Some(kind), &message)))?;
    if site.world.limits.graphql_aliases.is_some_and(|most| cost.repositories > most) {
        return Err(refused(too_slow()));
    }
    match site.quota.spend(Resource::Graphql, limit, site.world.now, cost.points) {
        Ok(usage) => Ok(Admitted { document, variables, cost, usage }),
        Err(usage) => {
            let reply = refusal(Some("RATE_LIMITED"), "API rate limit exceeded for user ID 1.");
            Err(usage.mark(reply).into())
        }
    }
}

/// Why a request is not carried out.
enum Refused {
    /// It is no GraphQL request.
    Request(&'static str),
    /// The query is wrong.
    Query(String),
}

fn read(call: &Call) -> Result<(Document, Map<String, Value>), Refused> {
    let body: Value =
        serde_json::from_slice(&call.body).map_err(|_| Refused::Request("Problems parsing JSON"))?;
    let Some(query) = body["query"].as_str() else {
        return Err(Refused::Request("A query attribute must be specified and must be a string."));
    };
    let document = Document::parse(query).map_err(|error| Refused::Query(error.to_string()))?;
    let variables = body["variables"].as_object().cloned().unwrap_or_default();
    Ok((document, variables))
}

fn run(mut run: Run<'_>) -> Reply {
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
