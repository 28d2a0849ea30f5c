//! GitHub's REST API: repositories, releases, assets and tags, with pages, redirects, limits and validators. What can be
//! written to is in `hosted`.

use http::Method;
use serde_json::{Value, json};

use crate::wire::answer::{Frame, Site};
use crate::wire::call::{Call, Reply, decode};
use crate::wire::quota::{Resource, Usage};
use crate::wire::{account, hosted, objects, trouble};
use crate::world::{Build, Lookup, Repository, World};

/// The API versions that exist; the first is the default.
const VERSIONS: [&str; 2] = ["2022-11-28", "2026-03-10"];

/// Answers a REST request that reads.
pub(crate) fn answer(site: &Site<'_>, call: &Call) -> Reply {
    match admit(site, call) {
        Err(reply) => *reply,
        Ok(admitted) => {
            let reply = site.validated_api(call, route(site, call, admitted.version));
            admitted.marked(site, reply)
        }
    }
}

/// Carries out a REST request that writes.
pub(crate) fn write(world: &mut World, frame: Frame<'_>, call: &Call) -> Reply {
    let site = frame.site(world);
    let admitted = match admit(&site, call) {
        Ok(admitted) => admitted,
        Err(reply) => return *reply,
    };
    let Some(login) = site.caller(call) else {
        return admitted.marked(&site, trouble::api(401, "Requires authentication"));
    };
    let made = hosted::act(world, call, &login);
    let site = frame.site(world);
    let reply = match made {
        Ok(made) => hosted::drawn(&site, &made, &login, admitted.version),
        Err(refusal) => hosted::refused(&refusal),
    };
    admitted.marked(&site, reply)
}

/// A request that may be answered.
struct Admitted {
    version: &'static str,
    resource: Resource,
    cost: u64,
    usage: Usage,
}

impl Admitted {
    /// The reply with the headers that stand on every answer; an unchanged one costs nothing.
    fn marked(self, site: &Site<'_>, reply: Reply) -> Reply {
        let Self { version, resource, cost, mut usage } = self;
        if reply.status == 304 && resource == Resource::Core {
            site.quota.refund(resource, cost);
            usage = site
                .quota
                .spend(resource, resource.limit(&site.world.limits), site.world.now, 0)
                .unwrap_or(usage);
        }
        usage
            .mark(reply)
            .with("x-github-api-version-selected", version)
            .with("x-github-media-type", "github.v3; format=json")
    }
}

fn admit(site: &Site<'_>, call: &Call) -> Result<Admitted, Box<Reply>> {
    let asked = call.header("x-github-api-version").unwrap_or(VERSIONS[0]);
    let Some(version) = VERSIONS.into_iter().find(|version| *version == asked) else {
        return Err(trouble::api(400, &format!("\"{asked}\" is not a supported API version.")).into());
    };
    let token = call.token();
    if token.is_some() && !site.accepts(token.as_deref()) {
        return Err(trouble::api(401, "Bad credentials").into());
    }
    let resource = if token.is_some() { Resource::Core } else { Resource::Anonymous };
    let cost = u64::from(call.path != "/rate_limit");
    match site.quota.spend(resource, resource.limit(&site.world.limits), site.world.now, cost) {
        Ok(usage) => Ok(Admitted { version, resource, cost, usage }),
        Err(usage) => Err(usage.mark(trouble::api(403, "API rate limit exceeded for user ID 1.")).into()),
    }
}

impl Site<'_> {
    fn validated_api(&self, call: &Call, reply: Reply) -> Reply {
        if reply.status == 200 && call.path != "/rate_limit" { self.validated(call, reply) } else { reply }
    }
}

fn route(site: &Site<'_>, call: &Call, version: &str) -> Reply {
    if !matches!(call.method, Method::GET | Method::HEAD) {
        return trouble::api(404, "Not Found");
    }
    let parts: Vec<&str> = call.path.trim_start_matches('/').split('/').collect();
    match parts[..] {
        ["rate_limit"] => account::rate_limit(site, call, version),
        ["user"] => account::user(site, call),
        ["users" | "orgs", ..] => hosted::about_people(site, call, &parts),
        ["repositories", id, ref rest @ ..] => {
            let id = id.parse().unwrap_or(0);
            match (site.world.by_id(id), site.world.forge.by_id(id)) {
                (Some(repository), _) => below(site, call, repository, rest, version),
                (None, Some(own)) => hosted::below(site, call, own, rest, version),
                (None, None) => trouble::api(404, "Not Found"),
            }
        }
        ["repos", owner, name, ref rest @ ..] => {
            let (owner, name) = (decode(owner), decode(name));
            if let Some(own) = site.world.forge.find(&owner, &name) {
                return hosted::below(site, call, own, rest, version);
            }
            match site.world.lookup(&owner, &name) {
                Lookup::Here(repository) => below(site, call, repository, rest, version),
                Lookup::Moved(repository) => moved(site, call, repository, rest),
                Lookup::Blocked => trouble::api(451, "Repository access blocked"),
                Lookup::Absent => trouble::api(404, "Not Found"),
            }
        }
        _ => trouble::api(404, "Not Found"),
    }
}

fn moved(site: &Site<'_>, call: &Call, repository: &Repository, rest: &[&str]) -> Reply {
    let mut place = format!("{}/repositories/{}", site.api(), repository.id);
    for part in rest {
        place.push('/');
        place.push_str(part);
    }
    if !call.query.is_empty() {
        place.push('?');
        place.push_str(&call.query);
    }
    let body = json!({
        "message": "Moved Permanently",
        "url": place,
        "documentation_url": "https://docs.github.com/v3/#http-redirects",
    });
    Reply::json(301, &body).with("location", place)
}

fn below(site: &Site<'_>, call: &Call, repository: &Repository, rest: &[&str], version: &str) -> Reply {
    let drafts = site.world.user.push && call.token().is_some();
    match rest {
        [] => Reply::json(200, &objects::repository(site, repository, version)),
        ["releases"] => {
            let listed = repository.listed_releases(drafts);
            page(site, call, &listed, |release| objects::release(site, repository, release))
        }
        ["releases", "latest"] => {
            match repository.listed_releases(false).into_iter().find(|one| !one.prerelease) {
                Some(release) => Reply::json(200, &objects::release(site, repository, release)),
                None => trouble::api(404, "Not Found"),
            }
        }
        ["releases", "tags", tag @ ..] if !tag.is_empty() => {
            match repository.release(&decode(&tag.join("/"))).filter(|release| !release.draft) {
                Some(release) => Reply::json(200, &objects::release(site, repository, release)),
                None => trouble::api(404, "Not Found"),
            }
        }
        ["releases", id] | ["releases", id, "assets"] => {
            let found =
                repository.listed_releases(drafts).into_iter().find(|release| id.parse() == Ok(release.id));
            match found {
                None => trouble::api(404, "Not Found"),
                Some(release) if rest.len() == 2 => {
                    Reply::json(200, &objects::release(site, repository, release))
                }
                Some(release) => {
                    let assets: Vec<_> = release.assets.iter().collect();
                    page(site, call, &assets, |asset| objects::asset(site, repository, release, asset))
                }
            }
        }
        ["actions", "runs"] => {
            let event = call.parameter("event");
            let is_asked = |build: &&Build| event.as_deref().is_none_or(|event| *event == *build.event);
            let builds: Vec<_> = repository.builds.iter().filter(is_asked).collect();
            page_under(site, call, &builds, "workflow_runs", |build| {
                objects::build(site, repository, build, version)
            })
        }
        ["tags"] => {
            let mut tags: Vec<_> = repository.tags.iter().collect();
            tags.sort_unstable_by(|a, b| b.name.cmp(&a.name));
            page(site, call, &tags, |tag| objects::tag(site, repository, tag))
        }
        ["git", "matching-refs", "tags", ..] if repository.empty => {
            trouble::api(409, "Git Repository is empty.")
        }
        ["git", "matching-refs", "tags", prefix @ ..] => {
            let prefix = decode(&prefix.join("/"));
            let mut tags: Vec<_> =
                repository.tags.iter().filter(|tag| tag.name.starts_with(&*prefix)).collect();
            tags.sort_unstable_by(|a, b| a.name.cmp(&b.name));
            Reply::json(200, &tags.iter().map(|tag| objects::reference(site, repository, tag)).collect())
        }
        _ => trouble::api(404, "Not Found"),
    }
}

/// One page of a list, with the links to the others.
pub(crate) fn page<T>(site: &Site<'_>, call: &Call, all: &[T], draw: impl Fn(&T) -> Value) -> Reply {
    let (shown, reply) = paged(site, call, all);
    Reply { body: shown.iter().map(draw).collect::<Value>().to_string().into(), ..reply }
}

/// The same of a list that stands in an object under a name, beside how many there are.
pub(crate) fn page_under<T>(
    site: &Site<'_>,
    call: &Call,
    all: &[T],
    name: &str,
    draw: impl Fn(&T) -> Value,
) -> Reply {
    let (shown, reply) = paged(site, call, all);
    let body = json!({ "total_count": all.len(), name: shown.iter().map(draw).collect::<Value>() });
    Reply { body: body.to_string().into(), ..reply }
}

/// What one page shows, and a reply without a body that has the links.
fn paged<'a, T>(site: &Site<'_>, call: &Call, all: &'a [T]) -> (&'a [T], Reply) {
    let number = |name: &str, most: usize, usual: usize| {
        call.parameter(name)
            .and_then(|text| text.parse().ok())
            .filter(|n| *n > 0)
            .map_or(usual, |n: usize| n.min(most))
    };
    let page_size = number("per_page", 100, 30);
    let current = number("page", usize::MAX, 1);
    let last = all.len().div_ceil(page_size).max(1);
    let start = (current - 1).saturating_mul(page_size).min(all.len());
    let shown = &all[start..all.len().min(start + page_size)];
    let reply = Reply::json(200, &Value::Null);
    let others: Vec<String> = call
        .query
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("page="))
        .map(str::to_owned)
        .collect();
    let link = |page: usize, rel: &str| {
        let mut query = others.clone();
        query.push(format!("page={page}"));
        format!("<{}{}?{}>; rel=\"{rel}\"", site.api(), call.path, query.join("&"))
    };
    let mut links = Vec::new();
    if current > 1 {
        links.push(link(current - 1, "prev"));
    }
    if current < last {
        links.push(link(current + 1, "next"));
        links.push(link(last, "last"));
    }
    if current > 1 {
        links.push(link(1, "first"));
    }
    let reply = if links.is_empty() { reply } else { reply.with("link", links.join(", ")) };
    (shown, reply)
}
