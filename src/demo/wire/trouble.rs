//! What hosts send when something is wrong: pages of HTML, API errors, and the bodies of faults.

use bytes::Bytes;
use serde_json::{Value, json};

use crate::fault::{Fault, FaultKind, Lane};
use crate::scenario::HTML;
use crate::wire::call::{Call, Reply};

/// A page of the web host.
pub(crate) fn page(status: u16, title: &str) -> Reply {
    let body = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title} · GitHub</title></head>\n\
         <body><h1>{title}</h1></body>\n</html>\n"
    );
    Reply::new(status, "text/html; charset=utf-8", body)
}

/// An error of the API.
pub(crate) fn api(status: u16, message: &str) -> Reply {
    Reply::json(
        status,
        &json!({ "message": message, "documentation_url": "https://docs.github.com/rest", "status": status.to_string() }),
    )
}

/// GitHub's secondary limit.
pub(crate) fn secondary() -> Reply {
    api(403, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
}

/// The text that belongs to a status.
fn words(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        401 => "Bad credentials",
        403 => "Resource not accessible by personal access token",
        404 => "Not Found",
        429 => "API rate limit exceeded",
        451 => "Repository access blocked",
        502 => {
            "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug."
        }
        503 => "Service unavailable",
        _ => "Server Error",
    }
}

/// The reply that a fault gives in place of the right one; `None` if it only changes the right one.
pub(crate) fn instead(fault: &Fault, lane: Lane, call: &Call) -> Option<Reply> {
    let reply = match &fault.kind {
        FaultKind::Status(status) => status_reply(*status, lane),
        FaultKind::Echo(status) => echo(*status, call),
        FaultKind::Secondary => secondary(),
        FaultKind::Primary => {
            api(403, "API rate limit exceeded for user ID 1.").with("x-ratelimit-remaining", "0")
        }
        FaultKind::Html => Reply::new(200, "text/html; charset=utf-8", HTML),
        FaultKind::Empty => Reply::bare(200),
        FaultKind::Garbage => {
            Reply::new(200, content_type(lane), Bytes::from_static(b"\xff\xfe\x00{<\x1b]0;x\x07garbage"))
        }
        // Without its query, which the next one does not add again.
        FaultKind::Loop => Reply::bare(302).with("location", "?"),
        FaultKind::Reset => Reply { broken_after: Some(0), ..Reply::text(200, "this never arrives") },
        FaultKind::Graphql(kind) if lane == Lane::Graphql => Reply::json(
            200,
            &json!({ "errors": [{ "type": kind, "message": format!("The world answers {kind} to every query for now.") }] }),
        ),
        FaultKind::Slow(_)
        | FaultKind::Withhold(_)
        | FaultKind::Acted(_)
        | FaultKind::Other(_)
        | FaultKind::Truncate(_)
        | FaultKind::Short(_)
        | FaultKind::Declares(_)
        | FaultKind::Graphql(_)
        | FaultKind::Null(_) => {
            return None;
        }
    };
    Some(match fault.retry_after {
        Some(seconds) => reply.with("retry-after", seconds.to_string()),
        None => reply,
    })
}

/// A reply that repeats the request's token: alone, as it was sent, and in a link.
fn echo(status: u16, call: &Call) -> Reply {
    let sent = call.header("authorization").unwrap_or("nobody");
    let token = call.token().unwrap_or_else(|| "nobody".into());
    let body = json!({
        "message": format!("bad token {token}, sent as {sent}"),
        "title": token,
        "login": token,
        "errors": [{ "message": format!("{sent} may not do that") }],
    });
    Reply::json(status, &body)
        .with("etag", format!("\"{token}\""))
        .with("link", format!("</user?token={token}>; rel=\"next\""))
        .with("x-ratelimit-remaining", token)
}

fn content_type(lane: Lane) -> &'static str {
    match lane {
        Lane::Feed => "application/atom+xml; charset=utf-8",
        Lane::Git => "application/x-git-upload-pack-result",
        Lane::Rest | Lane::Graphql | Lane::Served | Lane::Search => "application/json; charset=utf-8",
        Lane::Asset | Lane::Object | Lane::Other => "application/octet-stream",
    }
}

fn status_reply(status: u16, lane: Lane) -> Reply {
    match lane {
        Lane::Rest | Lane::Graphql => api(status, words(status)),
        Lane::Git if status == 429 => {
            Reply::text(429, "This request was rate-limited due to too many requests. Please retry later.\n")
        }
        Lane::Git if status == 401 => {
            Reply::text(401, "Repository not found.").with("www-authenticate", "Basic realm=\"GitHub\"")
        }
        Lane::Git | Lane::Object | Lane::Served | Lane::Search => Reply::text(status, words(status)),
        Lane::Feed | Lane::Asset | Lane::Other if status == 429 => page(429, "Rate limit"),
        Lane::Feed | Lane::Asset | Lane::Other => page(status, words(status)),
    }
}

/// What a fault does to a right reply on its way out.
pub(crate) fn damage(fault: &Fault, lane: Lane, mut reply: Reply) -> Reply {
    match &fault.kind {
        FaultKind::Acted(status) => reply = status_reply(*status, lane),
        FaultKind::Truncate(bytes) => reply.broken_after = Some((*bytes).min(reply.body.len())),
        FaultKind::Declares(bytes) => {
            reply.broken_after = Some(1.min(reply.body.len()));
            reply = reply.with("content-length", bytes.to_string());
        }
        FaultKind::Short(bytes) => reply.body.truncate(*bytes),
        FaultKind::Null(field) => {
            if let Ok(mut answer) = serde_json::from_slice::<Value>(&reply.body) {
                empty(&mut answer, field);
                reply.body = answer.to_string().into();
            }
        }
        _ => {}
    }
    reply
}

/// Takes what every field of that name holds.
fn empty(json: &mut Value, field: &str) {
    match json {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == field {
                    *value = Value::Null;
                }
                empty(value, field);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| empty(item, field)),
        _ => {}
    }
}
