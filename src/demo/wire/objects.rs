//! GitHub's REST objects, complete enough for its published description.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::digest::small_id;
use crate::forge::Role;
use crate::wire::answer::Site;
use crate::wire::call::encode;
use crate::wire::git::head;
use crate::world::{Asset, Build, Release, Repository, Tag};

/// A time in whole seconds, as the API writes it.
pub(crate) fn seconds(at: Timestamp) -> String {
    Timestamp::from_second(at.as_second()).unwrap_or(at).to_string()
}

pub(crate) fn node_id(kind: &str, id: u64) -> String {
    format!("{kind}_kgDO{id:012x}")
}

/// The number in a node id of that kind.
pub(crate) fn read_node_id(kind: &str, text: &str) -> Option<u64> {
    let digits = text.strip_prefix(kind)?.strip_prefix("_kgDO")?;
    u64::from_str_radix(digits, 16).ok()
}

/// A user or organization.
pub(crate) fn owner(site: &Site<'_>, login: &str, kind: &str) -> Value {
    let id = small_id(&["account", &login.to_ascii_lowercase()]);
    let url = format!("{}/users/{login}", site.api());
    let mut account = json!({
        "login": login,
        "id": id,
        "node_id": node_id("U", id),
        "avatar_url": format!("https://avatars.githubusercontent.com/u/{id}?v=4"),
        "gravatar_id": "",
        "url": url,
        "html_url": format!("https://github.com/{login}"),
        "type": kind,
        "site_admin": false,
        "user_view_type": "public",
    });
    for (field, suffix) in [
        ("followers_url", "/followers"),
        ("following_url", "/following{/other_user}"),
        ("gists_url", "/gists{/gist_id}"),
        ("starred_url", "/starred{/owner}{/repo}"),
        ("subscriptions_url", "/subscriptions"),
        ("organizations_url", "/orgs"),
        ("repos_url", "/repos"),
        ("events_url", "/events{/privacy}"),
        ("received_events_url", "/received_events"),
    ] {
        account[field] = json!(format!("{url}{suffix}"));
    }
    account
}

/// Links of a repository: field and what follows its URL.
const LINKS: [(&str, &str); 37] = [
    ("archive_url", "/{archive_format}{/ref}"),
    ("assignees_url", "/assignees{/user}"),
    ("blobs_url", "/git/blobs{/sha}"),
    ("branches_url", "/branches{/branch}"),
    ("collaborators_url", "/collaborators{/collaborator}"),
    ("comments_url", "/comments{/number}"),
    ("commits_url", "/commits{/sha}"),
    ("compare_url", "/compare/{base}...{head}"),
    ("contents_url", "/contents/{+path}"),
    ("contributors_url", "/contributors"),
    ("deployments_url", "/deployments"),
    ("downloads_url", "/downloads"),
    ("events_url", "/events"),
    ("forks_url", "/forks"),
    ("git_commits_url", "/git/commits{/sha}"),
    ("git_refs_url", "/git/refs{/sha}"),
    ("git_tags_url", "/git/tags{/sha}"),
    ("hooks_url", "/hooks"),
    ("issue_comment_url", "/issues/comments{/number}"),
    ("issue_events_url", "/issues/events{/number}"),
    ("issues_url", "/issues{/number}"),
    ("keys_url", "/keys{/key_id}"),
    ("labels_url", "/labels{/name}"),
    ("languages_url", "/languages"),
    ("merges_url", "/merges"),
    ("milestones_url", "/milestones{/number}"),
    ("notifications_url", "/notifications{?since,all,participating}"),
    ("pulls_url", "/pulls{/number}"),
    ("releases_url", "/releases{/id}"),
    ("stargazers_url", "/stargazers"),
    ("statuses_url", "/statuses/{sha}"),
    ("subscribers_url", "/subscribers"),
    ("subscription_url", "/subscription"),
    ("tags_url", "/tags"),
    ("teams_url", "/teams"),
    ("trees_url", "/git/trees{/sha}"),
    ("url", ""),
];

/// What a repository's object is drawn from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About<'a> {
    pub(crate) id: u64,
    pub(crate) owner: &'a str,
    pub(crate) name: &'a str,
    /// What its owner is: `User` or `Organization`.
    pub(crate) kind: &'static str,
    pub(crate) newest: Timestamp,
    pub(crate) archived: bool,
    pub(crate) fork: bool,
    /// What whoever asks may do in it.
    pub(crate) role: Role,
}

/// A whole upstream repository.
pub(crate) fn repository(site: &Site<'_>, repository: &Repository, version: &str) -> Value {
    let about = About {
        id: repository.id,
        owner: &repository.owner,
        name: &repository.name,
        kind: "Organization",
        newest: repository.tags.iter().map(|tag| tag.at).max().unwrap_or(site.world.now),
        archived: repository.archived,
        fork: false,
        role: if site.world.user.push { Role::Write } else { Role::Read },
    };
    repository_about(site, &about, version)
}

/// A whole repository.
pub(crate) fn repository_about(site: &Site<'_>, about: &About<'_>, version: &str) -> Value {
    let full_name = format!("{}/{}", about.owner, about.name);
    let (url, web) = (format!("{}/repos/{full_name}", site.api()), format!("https://github.com/{full_name}"));
    let account = owner(site, about.owner, about.kind);
    let mut value = json!({
        "id": about.id,
        "node_id": node_id("R", about.id),
        "name": about.name,
        "full_name": full_name,
        "private": false,
        "owner": account,
        "html_url": web,
        "description": null,
        "fork": about.fork,
    });
    for (field, suffix) in LINKS {
        value[field] = json!(format!("{url}{suffix}"));
    }
    put(
        &mut value,
        json!({
            "created_at": "2019-06-01T08:00:00Z",
            "updated_at": seconds(about.newest),
            "pushed_at": seconds(about.newest),
            "git_url": format!("git://github.com/{full_name}.git"),
            "ssh_url": format!("git@github.com:{full_name}.git"),
            "clone_url": format!("{web}.git"),
            "svn_url": web,
            "homepage": null,
            "mirror_url": null,
            "language": "Go",
            "license": null,
            "topics": [],
            "visibility": "public",
            "default_branch": "main",
            "archived": about.archived,
            "disabled": false,
            "allow_forking": true,
            "is_template": false,
            "web_commit_signoff_required": false,
            "permissions": permissions(about.role),
            "temp_clone_token": "",
        }),
    );
    if about.kind == "Organization" {
        value["organization"] = account;
    }
    put_counts(&mut value, version);
    value
}

/// What a role allows.
pub(crate) fn permissions(role: Role) -> Value {
    json!({
        "admin": role >= Role::Admin,
        "maintain": role >= Role::Maintain,
        "push": role >= Role::Write,
        "triage": role >= Role::Triage,
        "pull": true,
    })
}

/// Switches and counts that nobody here looks at.
fn put_counts(value: &mut Value, version: &str) {
    for field in ["has_issues", "has_projects", "has_wiki"] {
        value[field] = json!(true);
    }
    for field in ["has_pages", "has_discussions"] {
        value[field] = json!(false);
    }
    for field in [
        "forks_count",
        "forks",
        "stargazers_count",
        "watchers_count",
        "watchers",
        "open_issues_count",
        "open_issues",
        "subscribers_count",
        "network_count",
        "size",
    ] {
        value[field] = json!(3);
    }
    if version == "2022-11-28" {
        value["has_downloads"] = json!(true);
    }
}

/// Adds fields to an object.
pub(crate) fn put(value: &mut Value, more: Value) {
    if let (Value::Object(fields), Value::Object(more)) = (value, more) {
        fields.extend(more);
    }
}

/// A release with its assets.
pub(crate) fn release(site: &Site<'_>, repository: &Repository, release: &Release) -> Value {
    let url = format!("{}/repos/{}/releases/{}", site.api(), repository.full_name(), release.id);
    let tag = encode(&release.tag);
    let ball = |kind: &str| format!("{}/repos/{}/{kind}/{tag}", site.api(), repository.full_name());
    let assets: Vec<Value> = release.assets.iter().map(|one| asset(site, repository, release, one)).collect();
    json!({
        "url": url,
        "assets_url": format!("{url}/assets"),
        "upload_url": format!("https://uploads.github.com/repos/{}/releases/{}/assets{{?name,label}}", repository.full_name(), release.id),
        "html_url": format!("{}/releases/tag/{tag}", repository.url()),
        "id": release.id,
        "author": owner(site, &repository.owner, "User"),
        "node_id": node_id("RE", release.id),
        "tag_name": release.tag,
        "target_commitish": "main",
        "name": release.title,
        "draft": release.draft,
        "immutable": false,
        "prerelease": release.prerelease,
        "created_at": seconds(release.created),
        "updated_at": seconds(release.updated),
        "published_at": if release.draft { Value::Null } else { json!(seconds(release.published)) },
        "assets": assets,
        "tarball_url": ball("tarball"),
        "zipball_url": ball("zipball"),
        "body": "Changes since the last one.",
    })
}

/// The content type that an upload of this name gets.
pub(crate) fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("zip") => "application/zip",
        Some("json") => "application/json",
        Some("sig") => "application/pgp-signature",
        _ => "application/octet-stream",
    }
}

/// Where the web host serves an asset.
pub(crate) fn download_url(repository: &Repository, release: &Release, asset: &Asset) -> String {
    format!("{}/releases/download/{}/{}", repository.url(), encode(&release.tag), encode(&asset.name))
}

/// An asset of a release.
pub(crate) fn asset(site: &Site<'_>, repository: &Repository, release: &Release, asset: &Asset) -> Value {
    json!({
        "url": format!("{}/repos/{}/releases/assets/{}", site.api(), repository.full_name(), asset.id),
        "id": asset.id,
        "node_id": node_id("RA", asset.id),
        "name": asset.name,
        "label": "",
        "uploader": owner(site, &repository.owner, "User"),
        "content_type": content_type(&asset.name),
        "state": "uploaded",
        "size": asset.size,
        "digest": asset.digest.map(|sum| format!("sha256:{}", hex::encode(sum))),
        "download_count": 17,
        "created_at": seconds(asset.updated),
        "updated_at": seconds(asset.updated),
        "browser_download_url": download_url(repository, release, asset),
    })
}

/// A tag, as the list of tags shows it.
pub(crate) fn tag(site: &Site<'_>, repository: &Repository, tag: &Tag) -> Value {
    let sha = hex::encode(tag.peeled.unwrap_or(tag.oid));
    let base = format!("{}/repos/{}", site.api(), repository.full_name());
    json!({
        "name": tag.name,
        "zipball_url": format!("{base}/zipball/refs/tags/{}", encode(&tag.name)),
        "tarball_url": format!("{base}/tarball/refs/tags/{}", encode(&tag.name)),
        "commit": { "sha": sha, "url": format!("{base}/commits/{sha}") },
        "node_id": format!("REF_{}", hex::encode(&head(repository)[..6])),
    })
}

/// A run of a repository's own workflow.
pub(crate) fn build(site: &Site<'_>, of: &Repository, build: &Build, version: &str) -> Value {
    let base = format!("{}/repos/{}", site.api(), of.full_name());
    let id = small_id(&["build", &of.full_name(), &build.at.to_string()]);
    let (url, workflow) = (format!("{base}/actions/runs/{id}"), small_id(&["workflow", &of.full_name()]));
    let (actor, whole) = (owner(site, &of.owner, "Organization"), repository(site, of, version));
    json!({
        "id": id,
        "node_id": node_id("WFR", id),
        "name": "Sync and build",
        "head_branch": "main",
        "head_sha": hex::encode(head(of)),
        "path": ".github/workflows/sync.yml",
        "display_title": "Sync and build",
        "run_number": 1,
        "run_attempt": 1,
        "event": build.event,
        "status": if build.ended.is_some() { "completed" } else { "in_progress" },
        "conclusion": build.ended,
        "workflow_id": workflow,
        "url": url,
        "html_url": format!("{}/actions/runs/{id}", of.url()),
        "pull_requests": [],
        "created_at": seconds(build.at),
        "updated_at": seconds(build.at),
        "run_started_at": seconds(build.at),
        "actor": actor,
        "triggering_actor": actor,
        "jobs_url": format!("{url}/jobs"),
        "logs_url": format!("{url}/logs"),
        "check_suite_url": format!("{base}/check-suites/{id}"),
        "artifacts_url": format!("{url}/artifacts"),
        "cancel_url": format!("{url}/cancel"),
        "rerun_url": format!("{url}/rerun"),
        "previous_attempt_url": null,
        "workflow_url": format!("{base}/actions/workflows/{workflow}"),
        "head_commit": null,
        "repository": whole,
        "head_repository": whole,
    })
}

/// A tag, as a git reference.
pub(crate) fn reference(site: &Site<'_>, repository: &Repository, tag: &Tag) -> Value {
    let base = format!("{}/repos/{}/git", site.api(), repository.full_name());
    let (kind, folder) = if tag.peeled.is_some() { ("tag", "tags") } else { ("commit", "commits") };
    let sha = hex::encode(tag.oid);
    json!({
        "ref": format!("refs/tags/{}", tag.name),
        "node_id": format!("REF_{}", hex::encode(&tag.oid[..6])),
        "url": format!("{base}/refs/tags/{}", encode(&tag.name)),
        "object": { "sha": sha, "type": kind, "url": format!("{base}/{folder}/{sha}") },
    })
}
