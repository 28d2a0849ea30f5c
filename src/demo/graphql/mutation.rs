//! What a mutation changes: carried out field by field, in the order of the text, before its answer is drawn.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::forge::change::{NewCommit, RefUpdate};
use crate::forge::objects::read_oid;
use crate::forge::{Refusal, verify};
use crate::graphql::execute::resolve;
use crate::graphql::query::{Document, SelectionKind};
use crate::wire::objects::read_node_id;
use crate::world::{Oid, World, key};

/// What came of one field.
pub(crate) type Done = Result<Made, Refusal>;

/// What a field made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    Commit(Committed),
    /// Branches were made, moved or deleted; the asker's own id of it comes back.
    Refs {
        client_mutation_id: Option<String>,
    },
}

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
        let carry_out = match field.name.as_str() {
            "createCommitOnBranch" => commit,
            "updateRefs" => update_refs,
            _ => continue,
        };
        let input = field.arguments.iter().find(|(name, _)| name == "input");
        let input = input.map_or(Value::Null, |(_, input)| resolve(input, document, variables));
        let done = carry_out(world, login, &input);
        let failed = done.is_err();
        all.push((field.key().to_owned(), done));
        if failed {
            break;
        }
    }
    all
}

fn may_make(world: &mut World) -> Result<(), Refusal> {
    let (per_minute, per_hour) = (world.limits.writes_per_minute, world.limits.writes_per_hour);
    world.forge.may_make(world.now, per_minute, per_hour)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn commit(world: &mut World, login: &str, input: &Value) -> Done {
    may_make(world)?;
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
    Ok(Made::Commit(Committed { repository: full_name, branch, oid }))
}

fn update_refs(world: &mut World, login: &str, input: &Value) -> Done {
    may_make(world)?;
    let number = read_node_id("R", &text(&input["repositoryId"])).ok_or(Refusal::NotFound)?;
    let repository = world.forge.by_id(number).ok_or(Refusal::NotFound)?.key();
    let invalid = |field, message: &str| Refusal::invalid("Ref", field, message);
    let oid = |value: &Value, field| {
        read_oid(&text(value)).ok_or_else(|| invalid(field, "Expected a git object id."))
    };
    let update = |one: &Value| {
        let name = text(&one["name"]);
        let branch = name
            .strip_prefix("refs/heads/")
            .ok_or_else(|| invalid("name", "The name is not the full name of a branch."))?;
        Ok(RefUpdate {
            branch: branch.to_owned(),
            before: if one["beforeOid"].is_null() {
                None
            } else {
                Some(oid(&one["beforeOid"], "beforeOid")?)
            },
            after: oid(&one["afterOid"], "afterOid")?,
            force: one["force"].as_bool().unwrap_or(false),
        })
    };
    let updates = input["refUpdates"].as_array().into_iter().flatten().map(update);
    let updates = updates.collect::<Result<Vec<_>, _>>()?;
    world.forge.update_refs(world.now, (&repository, login), &updates)?;
    verify::judge_queued(world);
    Ok(Made::Refs { client_mutation_id: input["clientMutationId"].as_str().map(str::to_owned) })
}

/// GitHub's type and sentence for a refusal.
pub(crate) fn words(refusal: &Refusal) -> (&'static str, String) {
    match refusal {
        Refusal::NotFound => ("NOT_FOUND", "Could not resolve to a Repository or branch.".into()),
        Refusal::Forbidden(_) => ("FORBIDDEN", "Resource not accessible by personal access token".into()),
        Refusal::NotNow(message) => ("FORBIDDEN", (*message).to_owned()),
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
