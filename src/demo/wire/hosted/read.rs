//! What may be read of a repository that is written to.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::forge::check::Run;
use crate::forge::objects::{Commit, TreeEntry, read_oid};
use crate::forge::pull::Pull;
use crate::forge::{Hosted, Issue, MAIN};
use crate::wire::answer::Site;
use crate::wire::call::{Call, Reply, decode};
use crate::wire::hosted::{actions, draw};
use crate::wire::rest::page;
use crate::wire::trouble;
use crate::world::Oid;

/// Lines of a tree that one answer holds.
const MOST_ENTRIES: usize = 100_000;
/// Lines of a folder that `contents` lists.
const MOST_LISTED: usize = 1_000;
/// Files of a pull request or a comparison that are listed.
const MOST_FILES: usize = 3_000;
const MOST_COMPARED: usize = 300;
/// Commits that a comparison lists.
const MOST_COMMITS: usize = 250;

fn missing() -> Reply {
    trouble::api(404, "Not Found")
}

/// Users and members of organisations.
pub(crate) fn about_people(site: &Site<'_>, call: &Call, parts: &[&str]) -> Reply {
    let forge = &site.world.forge;
    match parts {
        ["users", login] => match forge.account(&decode(login)) {
            Some(account) => Reply::json(200, &draw::user(site, &account.login, account.name.as_deref())),
            None => missing(),
        },
        ["orgs", organisation, "public_members", login] => {
            let is_public = forge.account(&decode(login)).is_some_and(|account| {
                account.public_in.contains(&decode(organisation).to_ascii_lowercase())
            });
            if is_public { Reply::bare(204) } else { missing() }
        }
        ["orgs", organisation, "public_members"] => {
            let organisation = decode(organisation).to_ascii_lowercase();
            let members: Vec<_> =
                forge.accounts.values().filter(|account| account.public_in.contains(&organisation)).collect();
            page(site, call, &members, |account| crate::wire::objects::owner(site, &account.login, "User"))
        }
        _ => missing(),
    }
}

/// What stands below a repository.
pub(crate) fn below(site: &Site<'_>, call: &Call, hosted: &Hosted, rest: &[&str], version: &str) -> Reply {
    let forge = &site.world.forge;
    let objects = &forge.objects;
    match rest {
        [] => {
            let login = site.caller(call);
            Reply::json(200, &draw::repository(site, hosted, login.as_deref(), version))
        }
        ["branches", name @ ..] if !name.is_empty() => {
            let name = decode(&name.join("/"));
            match hosted.tip(&name).and_then(|tip| Some((tip, objects.commit(&tip)?))) {
                Some((oid, tip)) => Reply::json(200, &draw::branch(site, hosted, &name, (&oid, &tip))),
                None => trouble::api(404, "Branch not found"),
            }
        }
        ["rules", "branches", branch @ ..] if !branch.is_empty() => {
            Reply::json(200, &draw::rules(hosted, &decode(&branch.join("/"))))
        }
        ["git", kind, name @ ..] if !name.is_empty() => {
            git(site, call, hosted, kind, &decode(&name.join("/")))
        }
        ["contents", path @ ..] => contents(site, call, hosted, &decode(&path.join("/"))),
        ["commits"] => commits(site, call, hosted),
        ["commits", at, kind @ ("check-runs" | "status")] => match find(site, hosted, &decode(at)) {
            Some(oid) => checks(site, call, hosted, &oid, kind, version),
            None => trouble::api(422, &format!("No commit found for SHA: {at}")),
        },
        ["commits", at @ ..] if !at.is_empty() => {
            let at = decode(&at.join("/"));
            match find(site, hosted, &at).and_then(|oid| Some((oid, objects.commit(&oid)?))) {
                Some((oid, commit)) => {
                    let mut drawn = draw::commit(site, hosted, &oid, &commit);
                    let changes = commit
                        .parents
                        .first()
                        .map(|parent| site.world.forge.changes_between(parent, &oid))
                        .unwrap_or_default();
                    let files = changes.iter().map(|change| draw::changed_file(site, hosted, &oid, change));
                    drawn["files"] = files.collect();
                    Reply::json(200, &drawn)
                }
                None => trouble::api(422, &format!("No commit found for SHA: {at}")),
            }
        }
        ["compare", range @ ..] if !range.is_empty() => compare(site, hosted, &decode(&range.join("/"))),
        ["pulls"] => pulls(site, call, hosted, version),
        ["pulls", number, of @ ..] => match hosted.pull(number.parse().unwrap_or(0)) {
            Some(pull) => of_pull(site, call, hosted, pull, of, version),
            None => missing(),
        },
        ["issues", number] => {
            let is_it = |issue: &&Issue| number.parse() == Ok(issue.number);
            match hosted.issues.iter().find(is_it) {
                Some(issue) => Reply::json(200, &draw::issue(site, hosted, issue)),
                None => missing(),
            }
        }
        ["issues", number, of @ ("comments" | "labels")] => match hosted.pull(number.parse().unwrap_or(0)) {
            Some(pull) if *of == "comments" => {
                let all: Vec<_> = pull.comments.iter().collect();
                page(site, call, &all, |comment| draw::comment(site, hosted, pull, comment))
            }
            Some(pull) => page(site, call, &pull.labels, |name| draw::label(site, hosted, name)),
            None => missing(),
        },
        ["labels"] => {
            let all: Vec<_> = hosted.labels.iter().collect();
            page(site, call, &all, |name| draw::label(site, hosted, name))
        }
        ["collaborators", login, "permission"] => {
            if site.caller(call).is_none() {
                return trouble::api(401, "Requires authentication");
            }
            match forge.account(&decode(login)) {
                Some(account) => {
                    Reply::json(200, &draw::permission(site, &account.login, hosted.role(&account.login)))
                }
                None => missing(),
            }
        }
        ["forks"] => {
            let key = hosted.key();
            let forks: Vec<_> = forge
                .repositories
                .values()
                .filter(|one| one.parent.as_deref() == Some(key.as_str()))
                .collect();
            page(site, call, &forks, |fork| draw::repository(site, fork, None, version))
        }
        ["actions", of @ ..] => actions::read(site, call, hosted, of, version),
        _ => missing(),
    }
}

/// A commit by branch, whole ref or id; only what the repository's branches lead to counts as there.
fn find(site: &Site<'_>, hosted: &Hosted, name: &str) -> Option<Oid> {
    let plain = name.strip_prefix("refs/heads/").or(name.strip_prefix("heads/")).unwrap_or(name);
    hosted.tip(plain).or_else(|| read_oid(name).filter(|oid| site.world.forge.objects.commit(oid).is_some()))
}

/// The git database.
fn git(site: &Site<'_>, call: &Call, hosted: &Hosted, kind: &str, name: &str) -> Reply {
    let objects = &site.world.forge.objects;
    let branch = name.strip_prefix("heads/");
    let draw_ref = |(name, tip): (&String, &Oid)| draw::reference(site, hosted, name, tip);
    match kind {
        "ref" => match branch.and_then(|branch| Some((branch, hosted.tip(branch)?))) {
            Some((branch, tip)) => Reply::json(200, &draw::reference(site, hosted, branch, &tip)),
            None => missing(),
        },
        "matching-refs" => {
            let fits = |(one, _): &(&String, &Oid)| branch.is_some_and(|branch| one.starts_with(branch));
            Reply::json(200, &hosted.branches.iter().filter(fits).map(draw_ref).collect())
        }
        "commits" => match read_oid(name).and_then(|oid| Some((oid, objects.commit(&oid)?))) {
            Some((oid, commit)) => Reply::json(200, &draw::git_commit(site, hosted, &oid, &commit)),
            None => missing(),
        },
        "trees" => tree(site, call, hosted, name),
        "blobs" => match read_oid(name).and_then(|oid| Some((oid, objects.blob(&oid)?))) {
            Some((_, bytes)) if wants_raw(call) => raw(bytes),
            Some((oid, bytes)) => Reply::json(200, &draw::blob(site, hosted, &oid, bytes)),
            None => missing(),
        },
        _ => missing(),
    }
}

fn wants_raw(call: &Call) -> bool {
    call.header("accept").is_some_and(|accept| accept.contains("application/vnd.github.raw"))
}

fn raw(bytes: &bytes::Bytes) -> Reply {
    Reply::new(200, "application/vnd.github.raw+json; charset=utf-8", bytes.clone())
}

fn tree(site: &Site<'_>, call: &Call, hosted: &Hosted, name: &str) -> Reply {
    let objects = &site.world.forge.objects;
    let of_commit = find(site, hosted, name).and_then(|oid| objects.commit(&oid)).map(|commit| commit.tree);
    let Some(oid) = of_commit.or_else(|| read_oid(name)) else { return missing() };
    let Some(entries) = objects.tree(&oid) else { return missing() };
    let mut drawn: Vec<Value> = Vec::new();
    if call.parameter("recursive").is_some() {
        objects
            .collect(&oid, "", &mut |path, entry| drawn.push(draw::tree_entry(site, hosted, &path, entry)));
    } else {
        drawn.extend(entries.iter().map(|entry| draw::tree_entry(site, hosted, &entry.name, entry)));
    }
    let most = site.world.limits.tree_entries.unwrap_or(MOST_ENTRIES);
    let truncated = drawn.len() > most;
    drawn.truncate(most);
    Reply::json(200, &draw::tree(site, hosted, &oid, &drawn, truncated))
}

fn contents(site: &Site<'_>, call: &Call, hosted: &Hosted, path: &str) -> Reply {
    let objects = &site.world.forge.objects;
    let at = call.parameter("ref").unwrap_or_else(|| MAIN.to_owned());
    let Some(commit) = find(site, hosted, &at).and_then(|oid| objects.commit(&oid)) else {
        return trouble::api(404, &format!("No commit found for the ref {at}"));
    };
    let mut place = commit.tree;
    let mut found: Option<TreeEntry> = None;
    for part in path.split('/').filter(|part| !part.is_empty()) {
        found = objects.tree(&place).into_iter().flatten().find(|entry| entry.name == part);
        let Some(entry) = &found else { return missing() };
        place = entry.oid;
    }
    match found {
        Some(entry) if !entry.is_folder() => match objects.blob(&entry.oid) {
            Some(bytes) if wants_raw(call) => raw(bytes),
            _ => {
                let leaf = crate::forge::objects::Leaf { mode: entry.mode, blob: entry.oid };
                Reply::json(200, &draw::file(site, hosted, path, &at, &leaf))
            }
        },
        _ => {
            let entries = objects.tree(&place).unwrap_or_default();
            let line = |entry: &TreeEntry| {
                let place =
                    if path.is_empty() { entry.name.clone() } else { format!("{path}/{}", entry.name) };
                let length = objects.blob(&entry.oid).map_or(0, bytes::Bytes::len);
                let kind = if entry.is_folder() { "dir" } else { "file" };
                draw::listed_file(site, hosted, &place, &at, (kind, &entry.oid, length))
            };
            Reply::json(200, &entries.iter().take(MOST_LISTED).map(line).collect())
        }
    }
}

fn commits(site: &Site<'_>, call: &Call, hosted: &Hosted) -> Reply {
    let objects = &site.world.forge.objects;
    let at = call.parameter("sha").unwrap_or_else(|| MAIN.to_owned());
    let Some(oid) = find(site, hosted, &at) else { return missing() };
    let path = call.parameter("path");
    let touches = |commit: &Commit, oid: &Oid| {
        let Some(path) = &path else { return true };
        let below = |files: &crate::forge::objects::Files| {
            files
                .iter()
                .filter(|(name, _)| *name == path || name.starts_with(&format!("{path}/")))
                .map(|(name, leaf)| (name.clone(), *leaf))
                .collect::<Vec<_>>()
        };
        let before = commit.parents.first().map(|parent| objects.files(parent)).unwrap_or_default();
        below(&objects.files(oid)) != below(&before)
    };
    let listed: Vec<(Oid, Commit)> = objects
        .history(oid)
        .into_iter()
        .filter_map(|oid| Some((oid, objects.commit(&oid)?)))
        .filter(|(oid, commit)| touches(commit, oid))
        .collect();
    page(site, call, &listed, |(oid, commit)| draw::commit(site, hosted, oid, commit))
}

fn checks(site: &Site<'_>, call: &Call, hosted: &Hosted, oid: &Oid, kind: &str, version: &str) -> Reply {
    let forge = &site.world.forge;
    if kind == "check-runs" {
        let name = call.parameter("check_name");
        let runs: Vec<&Run> = forge
            .runs_on(&hosted.key(), oid)
            .filter(|run| name.as_deref().is_none_or(|name| name == run.name))
            .collect();
        let drawn: Vec<Value> = runs.iter().map(|run| draw::check_run(site, hosted, run)).collect();
        return Reply::json(200, &json!({ "total_count": runs.len(), "check_runs": drawn }));
    }
    let base = format!("{}/repos/{}/commits/{}", site.api(), hosted.full_name(), hex::encode(oid));
    let statuses = forge.statuses_on(&hosted.key(), oid);
    let all: Vec<&str> = statuses.iter().map(|one| &*one.state).collect();
    let state = match () {
        () if all.iter().any(|state| ["error", "failure"].contains(state)) => "failure",
        () if all.is_empty() || all.contains(&"pending") => "pending",
        () => "success",
    };
    let drawn: Vec<Value> = statuses.iter().map(|one| draw::status(site, hosted, one, false)).collect();
    Reply::json(
        200,
        &json!({
            "state": state,
            "statuses": drawn,
            "sha": hex::encode(oid),
            "total_count": drawn.len(),
            "repository": draw::repository(site, hosted, None, version),
            "commit_url": base,
            "url": format!("{base}/status"),
        }),
    )
}

fn compare(site: &Site<'_>, hosted: &Hosted, range: &str) -> Reply {
    let objects = &site.world.forge.objects;
    let Some((base, head)) = range.split_once("...") else { return missing() };
    // A fork's branch is named `owner:branch`.
    let end = |name: &str| match name.split_once(':') {
        Some((owner, branch)) => site
            .world
            .forge
            .network(hosted)
            .find(|one| one.owner.eq_ignore_ascii_case(owner))
            .and_then(|one| one.branches.get(branch).copied()),
        None => find(site, hosted, name),
    };
    let (Some(base), Some(head)) = (end(base), end(head)) else { return missing() };
    let Some(common) = objects.merge_base(base, head) else { return missing() };
    let before: BTreeSet<Oid> = objects.history(base).into_iter().collect();
    let after: BTreeSet<Oid> = objects.history(head).into_iter().collect();
    let mut ahead: Vec<Oid> = objects.history(head).into_iter().filter(|oid| !before.contains(oid)).collect();
    ahead.reverse();
    let behind = before.difference(&after).count();
    let status = match (ahead.len(), behind) {
        (0, 0) => "identical",
        (_, 0) => "ahead",
        (0, _) => "behind",
        _ => "diverged",
    };
    let drawn = |oid: &Oid| objects.commit(oid).map(|commit| draw::commit(site, hosted, oid, &commit));
    let (url, html) = (
        format!("{}/repos/{}/compare/{range}", site.api(), hosted.full_name()),
        format!("https://github.com/{}/compare/{range}", hosted.full_name()),
    );
    let files = site.world.forge.changes_between(&common, &head);
    let files: Vec<Value> = files
        .iter()
        .take(MOST_COMPARED)
        .map(|change| draw::changed_file(site, hosted, &head, change))
        .collect();
    Reply::json(
        200,
        &json!({
            "url": url,
            "html_url": html,
            "permalink_url": html,
            "diff_url": format!("{html}.diff"),
            "patch_url": format!("{html}.patch"),
            "base_commit": drawn(&base),
            "merge_base_commit": drawn(&common),
            "status": status,
            "ahead_by": ahead.len(),
            "behind_by": behind,
            "total_commits": ahead.len(),
            "commits": ahead.iter().take(MOST_COMMITS).filter_map(drawn).collect::<Vec<_>>(),
            "files": files,
        }),
    )
}

fn pulls(site: &Site<'_>, call: &Call, hosted: &Hosted, version: &str) -> Reply {
    let state = call.parameter("state").unwrap_or_else(|| "open".to_owned());
    let (head, base) = (call.parameter("head"), call.parameter("base"));
    let owner_of = |pull: &Pull| {
        site.world.forge.repositories.get(&pull.from).map(|from| from.owner.to_string()).unwrap_or_default()
    };
    let mut listed: Vec<&Pull> = hosted
        .pulls
        .iter()
        .filter(|pull| match state.as_str() {
            "all" => true,
            "closed" => !pull.open,
            _ => pull.open,
        })
        .filter(|pull| {
            head.as_ref().is_none_or(|head| *head == format!("{}:{}", owner_of(pull), pull.branch))
        })
        .filter(|pull| base.as_ref().is_none_or(|base| *base == pull.base))
        .collect();
    let by_update = call.parameter("sort").is_some_and(|sort| sort == "updated");
    listed.sort_by_key(|pull| (if by_update { pull.updated } else { pull.created }, pull.number));
    if call.parameter("direction").is_none_or(|direction| direction == "desc") {
        listed.reverse();
    }
    page(site, call, &listed, |pull| draw::short_pull(site, hosted, pull, version))
}

fn of_pull(site: &Site<'_>, call: &Call, hosted: &Hosted, pull: &Pull, of: &[&str], version: &str) -> Reply {
    let forge = &site.world.forge;
    match of {
        [] => Reply::json(200, &draw::pull(site, hosted, pull, version)),
        ["files"] => {
            let mut changes = forge.changes(pull);
            changes.truncate(MOST_FILES);
            page(site, call, &changes, |change| draw::changed_file(site, hosted, &pull.head, change))
        }
        ["commits"] => {
            let all: Vec<(Oid, Commit)> = forge
                .commits(pull)
                .into_iter()
                .filter_map(|oid| Some((oid, forge.objects.commit(&oid)?)))
                .collect();
            page(site, call, &all, |(oid, commit)| draw::commit(site, hosted, oid, commit))
        }
        ["reviews"] => {
            let all: Vec<_> = pull.reviews.iter().filter(|review| review.is_listed()).collect();
            page(site, call, &all, |review| draw::review(site, hosted, pull, review))
        }
        ["requested_reviewers"] => {
            let users: Vec<Value> =
                pull.reviewers.iter().map(|login| crate::wire::objects::owner(site, login, "User")).collect();
            Reply::json(200, &json!({ "users": users, "teams": [] }))
        }
        ["merge"] if pull.merged.is_some() => Reply::bare(204),
        _ => missing(),
    }
}
