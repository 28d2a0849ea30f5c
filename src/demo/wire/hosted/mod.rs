//! GitHub's REST API of repositories that are written to: refs, trees and contents, pull requests with all that hangs on
//! them, checks and rules, people and forks.
//!
//! A read is a pure function of the world; a write changes the forge first and is drawn after it.

mod actions;
mod draw;
mod read;
mod write;

#[cfg(test)]
mod tests;

pub(crate) use read::{about_people, below};
pub(crate) use write::{act, drawn};

use crate::forge::Refusal;
use crate::wire::call::Reply;
use crate::wire::trouble;
use serde_json::json;

/// How a refusal looks on the wire.
pub(crate) fn refused(refusal: &Refusal) -> Reply {
    match refusal {
        Refusal::NotFound => trouble::api(404, "Not Found"),
        Refusal::Forbidden(needed) => trouble::api(403, "Resource not accessible by personal access token")
            .with("x-accepted-github-permissions", needed),
        Refusal::Limited => trouble::secondary().with("retry-after", "60"),
        Refusal::NotNow(message) => trouble::api(403, message),
        Refusal::Conflict(message) => trouble::api(409, message),
        Refusal::Stale { .. } => trouble::api(409, "The branch was changed meanwhile"),
        // Errors of refs and workflows have their sentence on top; others stand in a list.
        Refusal::Invalid { resource: "Reference" | "Repository" | "Workflow", message, .. } => {
            trouble::api(422, message)
        }
        Refusal::Invalid { resource, field, code, message } => {
            let mut error = json!({ "resource": resource, "code": code });
            if !field.is_empty() {
                error["field"] = json!(field);
            }
            if !message.is_empty() {
                error["message"] = json!(message);
            }
            Reply::json(
                422,
                &json!({
                    "message": "Validation Failed",
                    "errors": [error],
                    "documentation_url": "https://docs.github.com/rest",
                    "status": "422",
                }),
            )
        }
    }
}
