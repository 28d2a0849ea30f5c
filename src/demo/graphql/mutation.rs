//! What a mutation changes: carried out field by field, in the order of the text, before its answer is drawn.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::demo::forge::change::NewCommit;
use crate::demo::forge::objects::read_oid;
use crate::demo::forge::{Refusal, verify};
use crate::demo::graphql::execute::resolve;
use crate::demo::graphql::query::{Document, SelectionKind};
use crate::demo::world::{Oid, World, key};

/// What came of one field.
pub(crate) type Done = Result<Committed, Refusal>;

/// A commit that was made on a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Committed {
    /// `owner/name`.
    pub(crate) repository: String,
    pub(crate) branch: String,
    pub(crate) oid: Oid,
}

/// Carries out all fields; after the first that is refused, none.
pub(crate) fn carry_out(
    world: &mut World,
    login: &str,
    document: &Document,
    variables: &Map<String, Value>,
) -> Vec<(String, Done)> {
    let mut all = Vec::new();
    for selection in &document.selections {
        let SelectionKind::Field(field) = &selection.kind else { continue };
        if field.name != "createCommitOnBranch" {
            continue;
        }
        let input = field.arguments.iter().find(|(name, _)| name == "input");
        let input = input.map_or(Value::Null, |(_, input)| resolve(input, document, variables));
        let done = commit(world, login, &input);
        let failed = done.is_err();
        all.push((field.key().to_owned(), done));
        if failed {
            break;
        }
    }
    all
}

fn commit(world: &mut World, login: &str, input: &Value) -> Done {
    let (per_minute, per_hour) = (world.limits.writes_per_minute, world.limits.writes_per_hour);
    world.forge.may_make(world.now, per_minute, per_hour)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let invalid = |field, message: &str| Refusal::invalid("Commit", field, message);
    let full_name = text(&input["branch"]["repositoryNameWithOwner"]);
    let branch = text(&input["branch"]["branchName"]);
    let branch = branch.strip_prefix("refs/heads/").unwrap_or(&branch).to_owned();
    let (owner, name) = full_name.split_once('/').ok_or(Refusal::NotFound)?;
    let expected = read_oid(&text(&input["expectedHeadOid"]))
        .ok_or_else(|| invalid("expectedHeadOid", "Expected a git object id."))?;
    let list = |name: &str| input["fileChanges"][name].as_array().map_or(&[][..], Vec::as_slice);
    let additions = list("additions").iter().map(|one| {
        let bytes = STANDARD.decode(text(&one["contents"])).ok()?;
        Some((text(&one["path"]), bytes.into()))
    });
    let additions: Option<Vec<_>> = additions.collect();
    let new = NewCommit {
        branch: branch.clone(),
        expected,
        headline: text(&input["message"]["headline"]),
        body: text(&input["message"]["body"]),
        additions: additions.ok_or_else(|| invalid("fileChanges", "The contents are no base64."))?,
        deletions: list("deletions").iter().map(|one| text(&one["path"])).collect(),
    };
    let oid = world.forge.commit_on_branch(world.now, &key(owner, name), login, new)?;
    verify::judge_queued(world);
    Ok(Committed { repository: full_name, branch, oid })
}

/// GitHub's type and sentence for a refusal.
pub(crate) fn words(refusal: &Refusal) -> (&'static str, String) {
    match refusal {
        Refusal::NotFound => ("NOT_FOUND", "Could not resolve to a Repository or branch.".into()),
        Refusal::Forbidden(_) => ("FORBIDDEN", "Resource not accessible by personal access token".into()),
        Refusal::Limited => ("RATE_LIMITED", "You have exceeded a secondary rate limit.".into()),
        Refusal::Invalid { message, .. } | Refusal::Conflict(message) => ("UNPROCESSABLE", message.clone()),
        Refusal::Stale { expected } => (
            "STALE_DATA",
            format!(
                "Expected branch to point to \"{}\" but it did not.  Pull and try again.",
                hex::encode(expected)
            ),
        ),
    }
}
