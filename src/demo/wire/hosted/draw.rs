//! The REST objects of repositories that are written to, complete enough for GitHub's published description.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::digest::small_id;
use crate::forge::check::{Run, State, Status};
use crate::forge::objects::{Commit, Leaf, Person, TreeEntry};
use crate::forge::pull::{Comment, FileChange, Opinion, Pull, Review};
use crate::forge::{Hosted, Issue, Role};
use crate::object::Kind;
use crate::wire::answer::Site;
use crate::wire::call::encode;
use crate::wire::objects::{self, About, node_id, owner, seconds};
use crate::world::Oid;

/// A patch of more than this is left out of the list of files.
const LONGEST_PATCH: usize = 500 << 10;
const MOST_PATCH_LINES: usize = 20_000;

impl Site<'_> {
    /// Somebody as a short object.
    pub(super) fn person(&self, login: &str) -> Value {
        owner(self, login, if login == "opentofu" { "Organization" } else { "User" })
    }

    pub(super) fn url_of(&self, hosted: &Hosted) -> String {
        format!("{}/repos/{}", self.api(), hosted.full_name())
    }
}

/// A whole repository, as `login` sees it.
pub(super) fn repository(site: &Site<'_>, hosted: &Hosted, login: Option<&str>, version: &str) -> Value {
    let mut value = short_repository(site, hosted, login, version);
    if let Some(parent) = hosted.parent.as_ref().and_then(|key| site.world.forge.repositories.get(key)) {
        let parent = short_repository(site, parent, login, version);
        value["parent"] = parent.clone();
        value["source"] = parent;
    }
    value
}

pub(super) fn short_repository(
    site: &Site<'_>,
    hosted: &Hosted,
    login: Option<&str>,
    version: &str,
) -> Value {
    let about = About {
        id: hosted.id,
        owner: &hosted.owner,
        name: &hosted.name,
        kind: if hosted.parent.is_some() { "User" } else { "Organization" },
        newest: site.world.now,
        archived: false,
        fork: hosted.parent.is_some(),
        role: login.map_or(Role::Read, |login| hosted.role(login)),
    };
    objects::repository_about(site, &about, version)
}

/// A repository on the web host, as links for people have it.
pub(super) fn page_of(hosted: &Hosted) -> String {
    format!("https://github.com/{}", hosted.full_name())
}

fn sha(oid: &Oid) -> String {
    hex::encode(oid)
}

/// A branch as a git reference.
pub(super) fn reference(site: &Site<'_>, hosted: &Hosted, branch: &str, tip: &Oid) -> Value {
    let base = format!("{}/git", site.url_of(hosted));
    json!({
        "ref": format!("refs/heads/{branch}"),
        "node_id": format!("REF_{}", hex::encode(&tip[..6])),
        "url": format!("{base}/refs/heads/{}", encode(branch)),
        "object": { "sha": sha(tip), "type": "commit", "url": format!("{base}/commits/{}", sha(tip)) },
    })
}

fn stamped(person: &Person, commit: &Commit) -> Value {
    json!({ "name": person.name, "email": person.email, "date": seconds(commit.at) })
}

/// Whether the site vouches for a commit.
fn verification(commit: &Commit) -> Value {
    match &commit.signature {
        Some(signature) => json!({
            "verified": true,
            "reason": "valid",
            "signature": signature,
            "payload": commit.payload(),
            "verified_at": seconds(commit.at),
        }),
        None => json!({
            "verified": false, "reason": "unsigned", "signature": null, "payload": null, "verified_at": null,
        }),
    }
}

/// A commit of the git database.
pub(super) fn git_commit(site: &Site<'_>, hosted: &Hosted, oid: &Oid, commit: &Commit) -> Value {
    let (base, page) = (site.url_of(hosted), page_of(hosted));
    let parents: Vec<Value> = commit
        .parents
        .iter()
        .map(|parent| {
            let parent = sha(parent);
            json!({
                "sha": parent,
                "url": format!("{base}/git/commits/{parent}"),
                "html_url": format!("{page}/commit/{parent}"),
            })
        })
        .collect();
    json!({
        "sha": sha(oid),
        "node_id": format!("C_{}", sha(oid)),
        "url": format!("{base}/git/commits/{}", sha(oid)),
        "html_url": format!("{page}/commit/{}", sha(oid)),
        "author": stamped(&commit.author, commit),
        "committer": stamped(&commit.committer, commit),
        "message": commit.message,
        "tree": { "sha": sha(&commit.tree), "url": format!("{base}/git/trees/{}", sha(&commit.tree)) },
        "parents": parents,
        "verification": verification(commit),
    })
}

/// A commit as the site shows it: with the accounts of its people, where it knows them.
pub(super) fn commit(site: &Site<'_>, hosted: &Hosted, oid: &Oid, commit: &Commit) -> Value {
    let base = site.url_of(hosted);
    let url = format!("{base}/commits/{}", sha(oid));
    let mut inner = git_commit(site, hosted, oid, commit);
    let parents = inner["parents"].take();
    let account = |person: &Person| {
        let known = site.world.forge.accounts.values().find(|account| account.person() == *person);
        match (known, person.email.as_str()) {
            (Some(account), _) => site.person(&account.login),
            (None, "noreply@github.com") => site.person("web-flow"),
            (None, _) => Value::Null,
        }
    };
    let parents: Vec<Value> = parents
        .as_array()
        .into_iter()
        .flatten()
        .map(|parent| {
            json!({
                "sha": parent["sha"],
                "url": format!("{base}/commits/{}", parent["sha"].as_str().unwrap_or_default()),
                "html_url": parent["html_url"],
            })
        })
        .collect();
    json!({
        "sha": sha(oid),
        "node_id": inner["node_id"],
        "url": url,
        "html_url": inner["html_url"],
        "comments_url": format!("{url}/comments"),
        "commit": {
            "url": inner["url"],
            "author": inner["author"],
            "committer": inner["committer"],
            "message": commit.message,
            "tree": inner["tree"],
            "comment_count": 0,
            "verification": inner["verification"],
        },
        "author": account(&commit.author),
        "committer": account(&commit.committer),
        "parents": parents,
    })
}

/// A branch with its tip.
pub(super) fn branch(site: &Site<'_>, hosted: &Hosted, name: &str, (oid, tip): (&Oid, &Commit)) -> Value {
    let url = format!("{}/branches/{}", site.url_of(hosted), encode(name));
    json!({
        "name": name,
        "commit": commit(site, hosted, oid, tip),
        "_links": { "self": url, "html": format!("{}/tree/{}", page_of(hosted), encode(name)) },
        "protected": name == crate::forge::MAIN && hosted.rules.approvals > 0,
        "protection": { "enabled": false, "required_status_checks": { "enforcement_level": "off", "contexts": [], "checks": [] } },
        "protection_url": format!("{url}/protection"),
    })
}

/// A line of a tree; `path` is below the tree that was asked for.
pub(super) fn tree_entry(site: &Site<'_>, hosted: &Hosted, path: &str, entry: &TreeEntry) -> Value {
    let kind = if entry.is_folder() { Kind::Tree } else { Kind::Blob };
    let folder = if entry.is_folder() { "trees" } else { "blobs" };
    let mut value = json!({
        "path": path,
        "mode": format!("{:06o}", entry.mode),
        "type": kind.name(),
        "sha": sha(&entry.oid),
        "url": format!("{}/git/{folder}/{}", site.url_of(hosted), sha(&entry.oid)),
    });
    if let Some(bytes) = site.world.forge.objects.blob(&entry.oid) {
        value["size"] = json!(bytes.len());
    }
    value
}

pub(super) fn tree(site: &Site<'_>, hosted: &Hosted, oid: &Oid, entries: &[Value], truncated: bool) -> Value {
    json!({
        "sha": sha(oid),
        "url": format!("{}/git/trees/{}", site.url_of(hosted), sha(oid)),
        "tree": entries,
        "truncated": truncated,
    })
}

/// Base64 in lines of sixty characters, as the API wraps it.
fn wrapped(bytes: &[u8]) -> String {
    let text = STANDARD.encode(bytes);
    let lines = text.as_bytes().chunks(60).map(|line| String::from_utf8_lossy(line));
    lines.fold(String::new(), |all, line| all + &line + "\n")
}

pub(super) fn blob(site: &Site<'_>, hosted: &Hosted, oid: &Oid, bytes: &[u8]) -> Value {
    json!({
        "sha": sha(oid),
        "node_id": format!("B_{}", sha(oid)),
        "size": bytes.len(),
        "url": format!("{}/git/blobs/{}", site.url_of(hosted), sha(oid)),
        "content": wrapped(bytes),
        "encoding": "base64",
    })
}

/// A file of a commit; its content stands in it up to one MB.
pub(super) fn file(site: &Site<'_>, hosted: &Hosted, path: &str, at: &str, leaf: &Leaf) -> Value {
    let bytes = site.world.forge.objects.blob(&leaf.blob).cloned().unwrap_or_default();
    let mut value = listed_file(site, hosted, path, at, ("file", &leaf.blob, bytes.len()));
    let small = bytes.len() <= 1 << 20;
    value["content"] = json!(if small { wrapped(&bytes) } else { String::new() });
    value["encoding"] = json!(if small { "base64" } else { "none" });
    value
}

/// A line of a folder's listing.
pub(super) fn listed_file(
    site: &Site<'_>,
    hosted: &Hosted,
    path: &str,
    at: &str,
    (kind, oid, length): (&str, &Oid, usize),
) -> Value {
    let (base, page, place) = (site.url_of(hosted), page_of(hosted), encode(path));
    let folder = if kind == "dir" { "trees" } else { "blobs" };
    let url = format!("{base}/contents/{place}?ref={}", encode(at));
    let git = format!("{base}/git/{folder}/{}", sha(oid));
    let html = format!("{page}/{}/{at}/{place}", if kind == "dir" { "tree" } else { "blob" });
    let raw = format!("https://raw.githubusercontent.com/{}/{at}/{place}", hosted.full_name());
    json!({
        "name": path.rsplit('/').next().unwrap_or(path),
        "path": path,
        "sha": sha(oid),
        "size": length,
        "url": url,
        "html_url": html,
        "git_url": git,
        "download_url": if kind == "dir" { Value::Null } else { json!(raw) },
        "type": kind,
        "_links": { "self": url, "git": git, "html": html },
    })
}

fn association(hosted: &Hosted, login: &str) -> &'static str {
    match hosted.role(login) {
        Role::Read => "CONTRIBUTOR",
        _ => "MEMBER",
    }
}

/// A label; its colour is always the same.
pub(super) fn label(site: &Site<'_>, hosted: &Hosted, name: &str) -> Value {
    let id = small_id(&["label", name]);
    json!({
        "id": id,
        "node_id": node_id("LA", id),
        "url": format!("{}/labels/{}", site.url_of(hosted), encode(name)),
        "name": name,
        "color": "ededed",
        "default": false,
        "description": "",
    })
}

/// One side of a pull request.
fn side(site: &Site<'_>, hosted: Option<&Hosted>, branch: &str, tip: &Oid, version: &str) -> Value {
    let owner = hosted.map_or("", |hosted| &hosted.owner);
    json!({
        "label": format!("{owner}:{branch}"),
        "ref": branch,
        "sha": sha(tip),
        "user": site.person(owner),
        "repo": hosted.map(|hosted| short_repository(site, hosted, None, version)),
    })
}

/// A pull request as lists have it.
pub(super) fn short_pull(site: &Site<'_>, hosted: &Hosted, pull: &Pull, version: &str) -> Value {
    let (base, page) = (site.url_of(hosted), page_of(hosted));
    let (url, html) = (format!("{base}/pulls/{}", pull.number), format!("{page}/pull/{}", pull.number));
    let issue = format!("{base}/issues/{}", pull.number);
    let id = small_id(&["pull", &hosted.key(), &pull.number.to_string()]);
    let head = site.world.forge.repositories.get(&pull.from);
    let labels: Vec<Value> = pull.labels.iter().map(|name| label(site, hosted, name)).collect();
    let reviewers: Vec<Value> = pull.reviewers.iter().map(|login| site.person(login)).collect();
    let links = json!({
        "self": { "href": url },
        "html": { "href": html },
        "issue": { "href": issue },
        "comments": { "href": format!("{issue}/comments") },
        "review_comments": { "href": format!("{url}/comments") },
        "review_comment": { "href": format!("{base}/pulls/comments{{/number}}") },
        "commits": { "href": format!("{url}/commits") },
        "statuses": { "href": format!("{base}/statuses/{}", sha(&pull.head)) },
    });
    let merged_at = pull.merged.as_ref().map(|merged| seconds(merged.at));
    let merge_commit = pull.merged.as_ref().map(|merged| sha(&merged.commit));
    let mut value = json!({
        "url": url,
        "id": id,
        "node_id": node_id("PR", id),
        "html_url": html,
        "diff_url": format!("{html}.diff"),
        "patch_url": format!("{html}.patch"),
        "issue_url": issue,
        "commits_url": format!("{url}/commits"),
        "review_comments_url": format!("{url}/comments"),
        "review_comment_url": format!("{base}/pulls/comments{{/number}}"),
        "comments_url": format!("{issue}/comments"),
        "statuses_url": format!("{base}/statuses/{}", sha(&pull.head)),
        "number": pull.number,
        "state": if pull.open { "open" } else { "closed" },
        "locked": false,
        "title": pull.title,
        "user": site.person(&pull.author),
        "body": pull.body,
        "labels": labels,
        "milestone": null,
        "active_lock_reason": null,
        "created_at": seconds(pull.created),
        "updated_at": seconds(pull.updated),
        "closed_at": pull.closed.map(seconds),
        "merged_at": merged_at,
        "assignees": [],
        "requested_reviewers": reviewers,
        "requested_teams": [],
        "head": side(site, head, &pull.branch, &pull.head, version),
        "base": side(site, Some(hosted), &pull.base, &pull.base_tip, version),
        "_links": links,
        "author_association": association(hosted, &pull.author),
        "auto_merge": null,
        "draft": pull.draft,
    });
    if version == "2022-11-28" {
        value["merge_commit_sha"] = json!(merge_commit);
        value["assignee"] = Value::Null;
    }
    value
}

/// A pull request on its own.
pub(super) fn pull(site: &Site<'_>, hosted: &Hosted, pull: &Pull, version: &str) -> Value {
    let forge = &site.world.forge;
    let changes = forge.changes(pull);
    let (mut added, mut removed) = (0, 0);
    for change in &changes {
        let patch = forge.patch(change).unwrap_or_default();
        (added, removed) = (added + patch.added, removed + patch.removed);
    }
    let mergeable = pull.open.then(|| forge.is_mergeable(hosted, pull));
    let mut value = short_pull(site, hosted, pull, version);
    for (field, said) in [
        ("merged", json!(pull.merged.is_some())),
        ("mergeable", json!(mergeable)),
        ("rebaseable", json!(mergeable)),
        ("mergeable_state", json!(merge_state(site, hosted, pull, mergeable))),
        ("merged_by", pull.merged.as_ref().map_or(Value::Null, |merged| site.person(&merged.by))),
        ("comments", json!(pull.comments.len())),
        ("review_comments", json!(pull.reviews.iter().map(|review| review.remarks.len()).sum::<usize>())),
        ("maintainer_can_modify", json!(pull.maintainer_can_modify)),
        ("commits", json!(forge.commits(pull).len())),
        ("additions", json!(added)),
        ("deletions", json!(removed)),
        ("changed_files", json!(changes.len())),
    ] {
        value[field] = said;
    }
    value
}

/// GitHub's one word for what stands in the way.
fn merge_state(site: &Site<'_>, hosted: &Hosted, pull: &Pull, mergeable: Option<bool>) -> &'static str {
    let passed = |name: &String| {
        site.world
            .forge
            .runs_on(&hosted.key(), &pull.head)
            .any(|run| run.name == *name && run.state_so_far() == State::Passed)
    };
    match mergeable {
        None => "unknown",
        Some(false) => "dirty",
        Some(true) if pull.draft => "draft",
        Some(true)
            if pull.approvals() < hosted.rules.approvals || !hosted.rules.checks.iter().all(passed) =>
        {
            "blocked"
        }
        Some(true) => "clean",
    }
}

/// A file of a pull request.
pub(super) fn changed_file(site: &Site<'_>, hosted: &Hosted, head: &Oid, change: &FileChange) -> Value {
    let (base, page, place) = (site.url_of(hosted), page_of(hosted), encode(&change.path));
    let at = sha(head);
    let leaf = change.after.or(change.before);
    let patch = site.world.forge.patch(change);
    let (added, removed) = patch.as_ref().map_or((0, 0), |patch| (patch.added, patch.removed));
    let mut value = json!({
        "sha": leaf.map(|leaf| sha(&leaf.blob)),
        "filename": change.path,
        "status": change.status(),
        "additions": added,
        "deletions": removed,
        "changes": added + removed,
        "blob_url": format!("{page}/blob/{at}/{place}"),
        "raw_url": format!("{page}/raw/{at}/{place}"),
        "contents_url": format!("{base}/contents/{place}?ref={at}"),
    });
    if let Some(previous) = &change.previous {
        value["previous_filename"] = json!(previous);
    }
    if let Some(patch) = patch.filter(|patch| {
        !patch.hunks.is_empty()
            && patch.hunks.len() <= LONGEST_PATCH
            && patch.added + patch.removed <= MOST_PATCH_LINES
    }) {
        value["patch"] = json!(patch.hunks);
    }
    value
}

fn word(opinion: Opinion) -> &'static str {
    match opinion {
        Opinion::Approve => "APPROVED",
        Opinion::RequestChanges => "CHANGES_REQUESTED",
        Opinion::Comment => "COMMENTED",
        Opinion::Pending => "PENDING",
    }
}

pub(super) fn review(site: &Site<'_>, hosted: &Hosted, pull: &Pull, review: &Review) -> Value {
    let html = format!("{}/pull/{}#pullrequestreview-{}", page_of(hosted), pull.number, review.id);
    let of = format!("{}/pulls/{}", site.url_of(hosted), pull.number);
    // A push dismisses the approvals before it, by the branch's rules.
    let is_dismissed = review.dismissed
        || review.verdict == Opinion::Approve && review.commit != pull.head && hosted.rules.approvals > 0;
    let mut value = json!({
        "id": review.id,
        "node_id": node_id("PRR", review.id),
        "user": site.person(&review.author),
        "body": review.body,
        "state": if is_dismissed { "DISMISSED" } else { word(review.verdict) },
        "html_url": html,
        "pull_request_url": of,
        "_links": { "html": { "href": html }, "pull_request": { "href": of } },
        "commit_id": sha(&review.commit),
        "author_association": association(hosted, &review.author),
    });
    if review.verdict != Opinion::Pending {
        value["submitted_at"] = json!(seconds(review.at));
    }
    value
}

/// An issue on its own, as the API draws one that nobody has touched since.
pub(super) fn issue(site: &Site<'_>, hosted: &Hosted, issue: &Issue) -> Value {
    let url = format!("{}/issues/{}", site.url_of(hosted), issue.number);
    let id = small_id(&["issue", &hosted.key(), &issue.number.to_string()]);
    json!({
        "url": url,
        "repository_url": site.url_of(hosted),
        "labels_url": format!("{url}/labels{{/name}}"),
        "comments_url": format!("{url}/comments"),
        "events_url": format!("{url}/events"),
        "html_url": format!("{}/issues/{}", page_of(hosted), issue.number),
        "id": id,
        "node_id": node_id("I", id),
        "number": issue.number,
        "title": issue.title,
        "user": site.person(&issue.author),
        "labels": [],
        "state": "open",
        "locked": false,
        "assignee": null,
        "assignees": [],
        "milestone": null,
        "comments": 0,
        "created_at": seconds(issue.opened),
        "updated_at": seconds(issue.opened),
        "closed_at": null,
        "closed_by": null,
        "author_association": association(hosted, &issue.author),
        "active_lock_reason": null,
        "body": issue.body,
        "reactions": {
            "url": format!("{url}/reactions"), "total_count": 0, "+1": 0, "-1": 0, "laugh": 0, "hooray": 0, "confused": 0,
            "heart": 0, "rocket": 0, "eyes": 0,
        },
        "timeline_url": format!("{url}/timeline"),
        "performed_via_github_app": null,
        "state_reason": null,
    })
}

pub(super) fn comment(site: &Site<'_>, hosted: &Hosted, pull: &Pull, comment: &Comment) -> Value {
    let base = site.url_of(hosted);
    json!({
        "id": comment.id,
        "node_id": node_id("IC", comment.id),
        "url": format!("{base}/issues/comments/{}", comment.id),
        "html_url": format!("{}/pull/{}#issuecomment-{}", page_of(hosted), pull.number, comment.id),
        "issue_url": format!("{base}/issues/{}", pull.number),
        "body": comment.body,
        "user": site.person(&comment.author),
        "created_at": seconds(comment.at),
        "updated_at": seconds(comment.at),
        "author_association": association(hosted, &comment.author),
        "performed_via_github_app": null,
    })
}

/// The pull request that a run is for, as runs name it.
fn pull_of_run(site: &Site<'_>, hosted: &Hosted, run: &Run) -> Vec<Value> {
    let Some(pull) = hosted.pull(run.pull) else { return Vec::new() };
    let short = |hosted: &Hosted| json!({ "id": hosted.id, "url": site.url_of(hosted), "name": hosted.name });
    let head = site.world.forge.repositories.get(&pull.from).unwrap_or(hosted);
    vec![json!({
        "id": small_id(&["pull", &hosted.key(), &pull.number.to_string()]),
        "number": pull.number,
        "url": format!("{}/pulls/{}", site.url_of(hosted), pull.number),
        "head": { "ref": pull.branch, "sha": sha(&pull.head), "repo": short(head) },
        "base": { "ref": pull.base, "sha": sha(&pull.base_tip), "repo": short(hosted) },
    })]
}

/// When a run began and ended, as far as it has.
fn times(run: &Run, state: State) -> (Value, Value) {
    let at = json!(seconds(run.created));
    match state.words() {
        ("queued", _) => (Value::Null, Value::Null),
        (_, None) => (at, Value::Null),
        (_, Some(_)) => (at.clone(), at),
    }
}

pub(super) fn check_run(site: &Site<'_>, hosted: &Hosted, run: &Run) -> Value {
    let state = run.state();
    let (status, conclusion) = state.words();
    let (started, completed) = times(run, state);
    let url = format!("{}/check-runs/{}", site.url_of(hosted), run.id);
    let app = if run.workflow.is_some() {
        ("GitHub Actions", "github-actions", 15_368)
    } else {
        ("DCO", "dco", 1_861)
    };
    json!({
        "id": run.id,
        "head_sha": sha(&run.head),
        "node_id": node_id("CR", run.id),
        "external_id": format!("{:x}", run.id),
        "url": url,
        "html_url": format!("{}/runs/{}", page_of(hosted), run.id),
        "details_url": format!("{}/runs/{}", page_of(hosted), run.id),
        "status": status,
        "conclusion": conclusion,
        "started_at": started,
        "completed_at": completed,
        "output": {
            "title": null,
            "summary": if run.summary.is_empty() { Value::Null } else { json!(run.summary) },
            "text": null,
            "annotations_count": 0,
            "annotations_url": format!("{url}/annotations"),
        },
        "name": run.name,
        "check_suite": { "id": run.id },
        "app": {
            "id": app.2,
            "slug": app.1,
            "node_id": node_id("A", app.2),
            "owner": owner(site, "github", "Organization"),
            "name": app.0,
            "description": null,
            "external_url": "https://help.github.com/en/actions",
            "html_url": format!("https://github.com/apps/{}", app.1),
            "created_at": "2018-07-30T09:30:17Z",
            "updated_at": "2024-04-10T20:33:16Z",
            "permissions": {},
            "events": [],
        },
        "pull_requests": pull_of_run(site, hosted, run),
    })
}

/// What a program says of a commit; `whole` with who it is.
pub(super) fn status(site: &Site<'_>, hosted: &Hosted, status: &Status, whole: bool) -> Value {
    let id = small_id(&["status", &sha(&status.commit), &status.context, &status.state]);
    let mut value = json!({
        "url": format!("{}/statuses/{}", site.url_of(hosted), sha(&status.commit)),
        "avatar_url": null,
        "id": id,
        "node_id": node_id("SC", id),
        "state": status.state,
        "description": status.description,
        "target_url": null,
        "context": status.context,
        "created_at": seconds(status.at),
        "updated_at": seconds(status.at),
    });
    if whole {
        value["creator"] = site.person(&status.creator);
    }
    value
}

/// The commit of a run, as runs show it.
pub(super) fn head_commit(site: &Site<'_>, head: &Oid) -> Value {
    let Some(commit) = site.world.forge.objects.commit(head) else { return Value::Null };
    let who = |person: &Person| json!({ "name": person.name, "email": person.email });
    json!({
        "id": sha(head),
        "tree_id": sha(&commit.tree),
        "message": commit.message,
        "timestamp": seconds(commit.at),
        "author": who(&commit.author),
        "committer": who(&commit.committer),
    })
}

/// A run of Actions that checks a commit.
pub(super) fn run(site: &Site<'_>, hosted: &Hosted, run: &Run, version: &str) -> Value {
    let (status, conclusion) = run.state().words();
    let (base, page) = (site.url_of(hosted), page_of(hosted));
    let url = format!("{base}/actions/runs/{}", run.id);
    let pull = hosted.pull(run.pull);
    let from = pull.and_then(|pull| site.world.forge.repositories.get(&pull.from)).unwrap_or(hosted);
    let workflow = small_id(&["workflow", run.name]);
    json!({
        "id": run.id,
        "node_id": node_id("WFR", run.id),
        "name": run.name,
        "head_branch": run.branch,
        "head_sha": sha(&run.head),
        "path": run.workflow,
        "display_title": pull.map_or(run.name, |pull| &pull.title),
        "run_number": 1,
        "run_attempt": 1,
        "event": if run.pull == 0 { "schedule" } else { "pull_request" },
        "status": status,
        "conclusion": conclusion,
        "workflow_id": workflow,
        "url": url,
        "html_url": format!("{page}/actions/runs/{}", run.id),
        "pull_requests": pull_of_run(site, hosted, run),
        "created_at": seconds(run.created),
        "updated_at": seconds(run.created),
        "jobs_url": format!("{url}/jobs"),
        "logs_url": format!("{url}/logs"),
        "check_suite_url": format!("{base}/check-suites/{}", run.id),
        "artifacts_url": format!("{url}/artifacts"),
        "cancel_url": format!("{url}/cancel"),
        "rerun_url": format!("{url}/rerun"),
        "workflow_url": format!("{base}/actions/workflows/{workflow}"),
        "head_commit": head_commit(site, &run.head),
        "repository": short_repository(site, hosted, None, version),
        "head_repository": short_repository(site, from, None, version),
    })
}

/// The one job of a run.
pub(super) fn job(site: &Site<'_>, hosted: &Hosted, run: &Run) -> Value {
    let state = run.state();
    let (status, conclusion) = state.words();
    let (started, completed) = times(run, state);
    let base = site.url_of(hosted);
    json!({
        "id": run.id,
        "run_id": run.id,
        "run_url": format!("{base}/actions/runs/{}", run.id),
        "node_id": node_id("CR", run.id),
        "head_sha": sha(&run.head),
        "url": format!("{base}/actions/jobs/{}", run.id),
        "html_url": format!("{}/actions/runs/{}/job/{}", page_of(hosted), run.id, run.id),
        "status": status,
        "conclusion": conclusion,
        "created_at": seconds(run.created),
        "started_at": if started.is_null() { json!(seconds(run.created)) } else { started },
        "completed_at": completed,
        "name": run.name,
        "check_run_url": format!("{base}/check-runs/{}", run.id),
        "labels": ["ubuntu-latest"],
        "runner_id": null,
        "runner_name": null,
        "runner_group_id": null,
        "runner_group_name": null,
        "workflow_name": run.name,
        "head_branch": run.branch,
    })
}

/// What the served branch asks of a change, as rules.
pub(super) fn rules(hosted: &Hosted, branch: &str) -> Value {
    if branch != crate::forge::MAIN || hosted.rules.approvals == 0 {
        return json!([]);
    }
    let source = json!({ "ruleset_source_type": "Repository", "ruleset_source": hosted.full_name(), "ruleset_id": 42 });
    let checks: Vec<Value> = hosted.rules.checks.iter().map(|name| json!({ "context": name })).collect();
    let mut pull = json!({
        "type": "pull_request",
        "parameters": {
            "dismiss_stale_reviews_on_push": true,
            "require_code_owner_review": true,
            "require_last_push_approval": false,
            "required_approving_review_count": hosted.rules.approvals,
            "required_review_thread_resolution": false,
        },
    });
    let mut required = json!({
        "type": "required_status_checks",
        "parameters": { "required_status_checks": checks, "strict_required_status_checks_policy": false },
    });
    objects::put(&mut pull, source.clone());
    objects::put(&mut required, source);
    json!([pull, required])
}

/// A person with a page of their own.
pub(super) fn user(site: &Site<'_>, login: &str, name: Option<&str>) -> Value {
    let mut user = site.person(login);
    for field in ["company", "location", "email", "hireable", "bio", "twitter_username"] {
        user[field] = Value::Null;
    }
    user["name"] = json!(name);
    user["blog"] = json!("");
    for field in ["public_repos", "public_gists", "followers", "following"] {
        user[field] = json!(0);
    }
    user["created_at"] = json!("2018-02-03T04:05:06Z");
    user["updated_at"] = json!("2026-02-03T04:05:06Z");
    user
}

/// A permission, as asked about one person.
pub(super) fn permission(site: &Site<'_>, login: &str, role: Role) -> Value {
    let (permission, role_name) = match role {
        Role::Read => ("read", "read"),
        Role::Triage => ("read", "triage"),
        Role::Write => ("write", "write"),
        Role::Maintain => ("write", "maintain"),
        Role::Admin => ("admin", "admin"),
    };
    let mut user = site.person(login);
    user["permissions"] = objects::permissions(role);
    user["role_name"] = json!(role_name);
    json!({ "permission": permission, "role_name": role_name, "user": user })
}
