//! What may be written: the request is read, the forge changes, and what came of it is drawn.

use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};

use crate::forge::check::Status;
use crate::forge::objects::read_oid;
use crate::forge::pull::{NewPull, Opinion, Pull, Remark, Review};
use crate::forge::{Refusal, verify};
use crate::wire::answer::Site;
use crate::wire::call::{Call, Reply, decode};
use crate::wire::hosted::{actions, draw};
use crate::wire::trouble;
use crate::world::{World, key};

/// What a write made, to be drawn: in which repository, and what.
pub(crate) struct Made {
    repository: String,
    what: What,
}

enum What {
    Branch(u16, String),
    Nothing,
    Pull(u16, u64),
    /// A pull request as lists have it.
    ShortPull(u64),
    Review(u64, u64),
    Comment(u64, u64),
    Labels(u64),
    Status(Status),
    Fork,
    Synced {
        branch: String,
        moved: bool,
    },
    Actions(actions::Made),
}

/// Reads values of a body, and says as GitHub does what is missing.
struct Asked<'a>(&'a Value);

impl Asked<'_> {
    fn text(&self, resource: &'static str, field: &'static str) -> Result<String, Refusal> {
        self.maybe(field).ok_or(Refusal::Invalid {
            resource,
            field,
            code: "missing_field",
            message: String::new(),
        })
    }

    fn maybe(&self, field: &str) -> Option<String> {
        self.0[field].as_str().map(str::to_owned)
    }

    fn is(&self, field: &str) -> Option<bool> {
        self.0[field].as_bool()
    }

    fn list(&self, field: &str) -> Vec<String> {
        let texts = self.0[field].as_array().into_iter().flatten();
        texts.filter_map(|one| one.as_str().or(one["name"].as_str())).map(str::to_owned).collect()
    }
}

/// Carries a write out in the name of `login`.
pub(crate) fn act(world: &mut World, call: &Call, login: &str) -> Result<Made, Refusal> {
    let parts: Vec<String> = call.path.trim_start_matches('/').split('/').map(decode).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let ["repos", owner, name, rest @ ..] = &parts[..] else { return Err(Refusal::NotFound) };
    let repository = key(owner, name);
    if !world.forge.repositories.contains_key(&repository) {
        return Err(Refusal::NotFound);
    }
    let (per_minute, per_hour) = (world.limits.writes_per_minute, world.limits.writes_per_hour);
    world.forge.may_make(world.now, per_minute, per_hour)?;
    let body: Value = serde_json::from_slice(&call.body).unwrap_or(Value::Null);
    let what = carry_out(world, call, (&repository, login), rest, &body)?;
    verify::judge_queued(world);
    let repository = match what {
        What::Fork => key(login, name),
        _ => repository,
    };
    Ok(Made { repository, what })
}

fn carry_out(
    world: &mut World,
    call: &Call,
    (repository, login): (&str, &str),
    rest: &[&str],
    body: &Value,
) -> Result<What, Refusal> {
    let (now, looks) = (world.now, world.limits.fork_looks);
    let forge = &mut world.forge;
    let asked = Asked(body);
    let place = (repository, login);
    match (&call.method, rest) {
        (&Method::POST, ["actions", of @ ..]) => {
            Ok(What::Actions(actions::write(forge, now, place, of, body)?))
        }
        (&Method::POST, ["git", "refs"]) => {
            let name = asked.text("Reference", "ref")?;
            let at = asked.text("Reference", "sha")?;
            let at = read_oid(&at).ok_or_else(|| {
                Refusal::invalid(
                    "Reference",
                    "sha",
                    "The sha parameter must be exactly 40 characters and contain only [0-9a-f].",
                )
            })?;
            forge.create_ref(repository, login, &name, at)?;
            Ok(What::Branch(201, name.trim_start_matches("refs/heads/").to_owned()))
        }
        (&Method::PATCH, ["git", "refs", "heads", branch @ ..]) => {
            let branch = branch.join("/");
            let to = asked.text("Reference", "sha")?;
            let to =
                read_oid(&to).ok_or_else(|| Refusal::invalid("Reference", "sha", "Object does not exist"))?;
            forge.move_ref(now, place, &branch, to, asked.is("force").unwrap_or(false))?;
            Ok(What::Branch(200, branch))
        }
        (&Method::DELETE, ["git", "refs", "heads", branch @ ..]) => {
            forge.delete_ref(now, repository, login, &branch.join("/"))?;
            Ok(What::Nothing)
        }
        (&Method::POST, ["pulls"]) => {
            let new = NewPull {
                title: asked.text("PullRequest", "title")?,
                head: asked.text("PullRequest", "head")?,
                head_repository: asked.maybe("head_repo"),
                base: asked.text("PullRequest", "base")?,
                body: asked.maybe("body").unwrap_or_default(),
                draft: asked.is("draft").unwrap_or(false),
                maintainer_can_modify: asked.is("maintainer_can_modify").unwrap_or(true),
            };
            Ok(What::Pull(201, forge.open_pull(now, repository, login, new)?))
        }
        (&Method::PATCH, ["pulls", number]) => {
            let number = number_of(number)?;
            let state = asked.maybe("state").map(|state| state == "open");
            forge.edit_pull(now, place, number, &|pull: &mut Pull| {
                pull.title = asked.maybe("title").unwrap_or_else(|| pull.title.clone());
                pull.body = asked.maybe("body").unwrap_or_else(|| pull.body.clone());
                pull.base = asked.maybe("base").unwrap_or_else(|| pull.base.clone());
                pull.open = state.unwrap_or(pull.open);
            })?;
            Ok(What::Pull(200, number))
        }
        (&Method::POST, ["pulls", number, "reviews"]) => {
            let number = number_of(number)?;
            let pull = forge.repositories[repository].pull(number).ok_or(Refusal::NotFound)?;
            let review = read_review(body, pull, now)?;
            Ok(What::Review(number, forge.review(now, place, number, review)?))
        }
        (&Method::POST, ["pulls", number, "requested_reviewers"]) => {
            let number = number_of(number)?;
            forge.request_reviewers(place, number, &asked.list("reviewers"))?;
            Ok(What::ShortPull(number))
        }
        (&Method::POST, ["issues", number, "labels"]) => {
            let number = number_of(number)?;
            forge.label(place, number, &asked.list("labels"))?;
            Ok(What::Labels(number))
        }
        (&Method::POST, ["issues", number, "comments"]) => {
            let number = number_of(number)?;
            let body = asked.text("IssueComment", "body")?;
            Ok(What::Comment(number, forge.comment(now, place, number, body)?))
        }
        (&Method::POST, ["statuses", at]) => {
            let commit = read_oid(at).ok_or(Refusal::NotFound)?;
            let status = Status {
                repository: repository.to_owned(),
                commit,
                context: asked.maybe("context").unwrap_or_else(|| "default".to_owned()),
                state: asked.text("Status", "state")?,
                description: asked.maybe("description"),
                creator: login.into(),
                at: now,
            };
            forge.set_status(status.clone())?;
            Ok(What::Status(status))
        }
        (&Method::POST, ["forks"]) => {
            forge.fork(repository, login, looks)?;
            Ok(What::Fork)
        }
        (&Method::POST, ["merge-upstream"]) => {
            let branch = asked.text("Repository", "branch")?;
            let moved = forge.merge_upstream(now, repository, login, &branch)?;
            Ok(What::Synced { branch, moved })
        }
        _ => Err(Refusal::NotFound),
    }
}

fn number_of(text: &str) -> Result<u64, Refusal> {
    text.parse().map_err(|_| Refusal::NotFound)
}

fn read_review(body: &Value, pull: &Pull, now: jiff::Timestamp) -> Result<Review, Refusal> {
    let verdict = match body["event"].as_str() {
        Some("APPROVE") => Opinion::Approve,
        Some("REQUEST_CHANGES") => Opinion::RequestChanges,
        Some("COMMENT") => Opinion::Comment,
        None if body["event"].is_null() => Opinion::Pending,
        _ => {
            return Err(Refusal::Invalid {
                resource: "PullRequestReview",
                field: "event",
                code: "invalid",
                message: String::new(),
            });
        }
    };
    let commit = match body["commit_id"].as_str() {
        Some(text) => read_oid(text).ok_or_else(|| Refusal::invalid("PullRequestReview", "commit_id", ""))?,
        None => pull.head,
    };
    let remark = |one: &Value| Remark {
        path: one["path"].as_str().unwrap_or_default().to_owned(),
        line: one["line"].as_u64().unwrap_or_default(),
        left: one["side"] == "LEFT",
        body: one["body"].as_str().unwrap_or_default().to_owned(),
    };
    Ok(Review {
        id: 0,
        author: pull.author.clone(),
        verdict,
        body: body["body"].as_str().unwrap_or_default().to_owned(),
        commit,
        at: now,
        remarks: body["comments"].as_array().into_iter().flatten().map(remark).collect(),
        dismissed: false,
        late_looks: Arc::default(),
    })
}

/// The answer to a write that was carried out.
pub(crate) fn drawn(site: &Site<'_>, made: &Made, login: &str, version: &str) -> Reply {
    let Some(hosted) = site.world.forge.repositories.get(&made.repository) else {
        return trouble::api(404, "Not Found");
    };
    let found = |status: u16, drawn: Option<Value>| match drawn {
        Some(drawn) => Reply::json(status, &drawn),
        None => trouble::api(404, "Not Found"),
    };
    let pull = |number: u64| hosted.pull(number);
    match &made.what {
        What::Nothing => Reply::bare(204),
        What::Actions(made) => actions::drawn(site, hosted, made, version),
        What::Branch(status, branch) => {
            let tip = hosted.branches.get(branch);
            found(*status, tip.map(|tip| draw::reference(site, hosted, branch, tip)))
        }
        What::Pull(status, number) => {
            found(*status, pull(*number).map(|pull| draw::pull(site, hosted, pull, version)))
        }
        What::ShortPull(number) => {
            found(201, pull(*number).map(|pull| draw::short_pull(site, hosted, pull, version)))
        }
        What::Review(number, id) => {
            let of = |pull: &Pull| {
                let review = pull.reviews.iter().find(|one| one.id == *id)?;
                Some(draw::review(site, hosted, pull, review))
            };
            found(200, pull(*number).and_then(of))
        }
        What::Comment(number, id) => {
            let of = |pull: &Pull| {
                let comment = pull.comments.iter().find(|one| one.id == *id)?;
                Some(draw::comment(site, hosted, pull, comment))
            };
            found(201, pull(*number).and_then(of))
        }
        What::Labels(number) => {
            let labels = pull(*number).into_iter().flat_map(|pull| &pull.labels);
            Reply::json(200, &labels.map(|name| draw::label(site, hosted, name)).collect())
        }
        What::Status(status) => Reply::json(201, &draw::status(site, hosted, status, true)),
        What::Fork => Reply::json(202, &draw::repository(site, hosted, Some(login), version)),
        What::Synced { branch, moved } => {
            let upstream = hosted.parent.as_ref().and_then(|key| site.world.forge.repositories.get(key));
            let owner = upstream.map_or("", |upstream| &upstream.owner);
            let (kind, message) = if *moved {
                (
                    "fast-forward",
                    format!("Successfully fetched and fast-forwarded from upstream {owner}:{branch}."),
                )
            } else {
                ("none", format!("This branch is not behind the upstream {owner}:{branch}."))
            };
            Reply::json(
                200,
                &json!({ "message": message, "merge_type": kind, "base_branch": format!("{owner}:{branch}") }),
            )
        }
    }
}
