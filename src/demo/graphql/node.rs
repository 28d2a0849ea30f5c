//! The objects of the schema that this world knows, and their fields.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::fault::{FaultKind, Lane};
use crate::graphql::execute::Run;
use crate::graphql::mutation::{Committed, Made, words};
use crate::graphql::query::Field;
use crate::wire::git::head;
use crate::wire::objects;
use crate::wire::objects::seconds;
use crate::world::{Asset, Lookup, Oid, Release, Repository, Tag, World, key};

/// An object of the answer.
#[derive(Clone, Debug)]
pub(crate) enum Node<'a> {
    Query,
    Mutation,
    /// What a commit by `createCommitOnBranch` came to.
    Committed(&'a Committed),
    /// What `updateRefs` came to: the asker's own id of it.
    UpdatedRefs(Option<&'a str>),
    HostedRef(&'a Committed),
    HostedCommit(&'a Committed),
    RateLimit,
    Viewer,
    Owner(&'a str),
    Repository(&'a Repository),
    /// Type name of the connection, its nodes, the offset of the first, and how many there are in all.
    Connection(&'static str, Vec<Node<'a>>, usize, usize),
    PageInfo {
        start: usize,
        end: usize,
        total: usize,
    },
    Edge(Box<Node<'a>>, usize),
    Release(&'a Repository, &'a Release),
    Asset(&'a Repository, &'a Release, &'a Asset),
    Ref(&'a Repository, &'a Tag),
    Branch(&'a Repository),
    /// An annotated tag.
    TagObject(&'a Tag),
    Commit(Oid),
}

/// The value of a field.
pub(crate) enum Out<'a> {
    Plain(Value),
    One(Node<'a>),
    Many(Vec<Node<'a>>),
}

const NOTHING: Value = Value::Null;

impl<'a> Node<'a> {
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Query => "Query",
            Self::Mutation => "Mutation",
            Self::Committed(_) => "CreateCommitOnBranchPayload",
            Self::UpdatedRefs(_) => "UpdateRefsPayload",
            Self::RateLimit => "RateLimit",
            Self::Viewer => "User",
            Self::Owner(_) => "Organization",
            Self::Repository(_) => "Repository",
            Self::Connection(name, ..) => name,
            Self::PageInfo { .. } => "PageInfo",
            Self::Edge(..) => "Edge",
            Self::Release(..) => "Release",
            Self::Asset(..) => "ReleaseAsset",
            Self::Ref(..) | Self::Branch(_) | Self::HostedRef(_) => "Ref",
            Self::TagObject(_) => "Tag",
            Self::Commit(_) | Self::HostedCommit(_) => "Commit",
        }
    }

    /// Whether a fragment on this type applies.
    pub(crate) fn is_a(&self, on: &str) -> bool {
        on == self.type_name()
            || on == "Node"
            || (on == "GitObject"
                && matches!(self, Self::TagObject(_) | Self::Commit(_) | Self::HostedCommit(_)))
            || (on == "RepositoryOwner" && matches!(self, Self::Owner(_)))
    }

    /// The value of a field; `None` if the type has no such field.
    pub(crate) fn field(&self, run: &mut Run<'a>, field: &'a Field) -> Option<Out<'a>> {
        match self {
            Self::Query => query(run, field),
            Self::Mutation => mutated(run, field),
            Self::Committed(made) => match field.name.as_str() {
                "commit" => Some(Out::One(Self::HostedCommit(made))),
                "ref" => Some(Out::One(Self::HostedRef(made))),
                "clientMutationId" => Some(Out::Plain(NOTHING)),
                _ => None,
            },
            Self::UpdatedRefs(asker) => match field.name.as_str() {
                "clientMutationId" => Some(Out::Plain(json!(asker))),
                _ => None,
            },
            Self::HostedRef(made) => match field.name.as_str() {
                "name" => Some(Out::Plain(json!(made.branch))),
                "prefix" => Some(Out::Plain(json!("refs/heads/"))),
                "target" => Some(Out::One(Self::HostedCommit(made))),
                _ => None,
            },
            Self::HostedCommit(made) => of_commit(run, made, &field.name).map(Out::Plain),
            Self::RateLimit => rate_limit(run, &field.name).map(Out::Plain),
            Self::Viewer => match field.name.as_str() {
                "login" => Some(Out::Plain(json!(run.site.world.user.login))),
                _ => None,
            },
            Self::Owner(login) => match field.name.as_str() {
                "login" => Some(Out::Plain(json!(login))),
                "url" => Some(Out::Plain(json!(format!("https://github.com/{login}")))),
                _ => None,
            },
            Self::Repository(repository) => of_repository(run, repository, field),
            Self::Connection(_, nodes, start, total) => connection(nodes, *start, *total, &field.name),
            Self::PageInfo { start, end, total } => {
                page_info(*start, *end, *total, &field.name).map(Out::Plain)
            }
            Self::Edge(node, at) => match field.name.as_str() {
                "cursor" => Some(Out::Plain(json!(cursor(*at)))),
                "node" => Some(Out::One((**node).clone())),
                _ => None,
            },
            Self::Release(repository, release) => of_release(run, repository, release, field),
            Self::Asset(repository, release, asset) => {
                of_asset(repository, release, asset, &field.name).map(Out::Plain)
            }
            Self::Ref(repository, tag) => of_ref(repository, tag, &field.name),
            Self::Branch(repository) => match field.name.as_str() {
                "name" => Some(Out::Plain(json!("main"))),
                "prefix" => Some(Out::Plain(json!("refs/heads/"))),
                "target" => Some(Out::One(Self::Commit(head(repository)))),
                _ => None,
            },
            Self::TagObject(tag) => match field.name.as_str() {
                "oid" => Some(Out::Plain(json!(hex::encode(tag.oid)))),
                "name" => Some(Out::Plain(json!(tag.name))),
                "target" => Some(Out::One(Self::Commit(tag.peeled.unwrap_or(tag.oid)))),
                _ => None,
            },
            Self::Commit(oid) => match field.name.as_str() {
                "oid" => Some(Out::Plain(json!(hex::encode(oid)))),
                "abbreviatedOid" => Some(Out::Plain(json!(hex::encode(&oid[..4])[..7]))),
                _ => None,
            },
        }
    }
}

fn query<'a>(run: &mut Run<'a>, field: &'a Field) -> Option<Out<'a>> {
    match field.name.as_str() {
        "rateLimit" => Some(Out::One(Node::RateLimit)),
        "viewer" => Some(Out::One(Node::Viewer)),
        "repository" => Some(find(run, field)),
        _ => None,
    }
}

/// The result of a change, which was carried out before the answer is drawn.
fn mutated<'a>(run: &mut Run<'a>, field: &'a Field) -> Option<Out<'a>> {
    let (_, done) = run.done.iter().find(|(key, _)| key == field.key())?;
    match done {
        Ok(Made::Commit(made)) => Some(Out::One(Node::Committed(made))),
        Ok(Made::Refs { client_mutation_id }) => {
            Some(Out::One(Node::UpdatedRefs(client_mutation_id.as_deref())))
        }
        Err(refusal) => {
            let (kind, message) = words(refusal);
            run.error(kind, &message, field);
            Some(Out::Plain(NOTHING))
        }
    }
}

fn of_commit(run: &Run<'_>, made: &Committed, name: &str) -> Option<Value> {
    let commit = run.site.world.forge.objects.commit(&made.oid)?;
    Some(match name {
        "oid" => json!(hex::encode(made.oid)),
        "url" => json!(format!("https://github.com/{}/commit/{}", made.repository, hex::encode(made.oid))),
        "message" => json!(commit.message),
        "messageHeadline" => json!(commit.message.lines().next()),
        "committedDate" | "authoredDate" => json!(seconds(commit.at)),
        _ => return None,
    })
}

fn find<'a>(run: &mut Run<'a>, field: &'a Field) -> Out<'a> {
    let arguments = run.arguments(field);
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or("").to_owned();
    let (owner, name) = (text("owner"), text("name"));
    let world = run.site.world;
    if let Some(kind) = struck(world, &key(&owner, &name)) {
        run.error(&kind, &format!("The world answers {kind} for {owner}/{name}."), field);
        return Out::Plain(NOTHING);
    }
    let follow = arguments.get("followRenames").and_then(Value::as_bool).unwrap_or(true);
    match world.lookup(&owner, &name) {
        Lookup::Here(repository) => Out::One(Node::Repository(repository)),
        Lookup::Moved(repository) if follow => Out::One(Node::Repository(repository)),
        Lookup::Moved(_) | Lookup::Blocked | Lookup::Absent => {
            let message = format!("Could not resolve to a Repository with the name '{owner}/{name}'.");
            run.error("NOT_FOUND", &message, field);
            Out::Plain(NOTHING)
        }
    }
}

/// The type of error with which a fault strikes this one repository.
fn struck(world: &World, repository: &str) -> Option<String> {
    world.faults.iter().find_map(|fault| match &fault.kind {
        FaultKind::Graphql(kind)
            if !fault.repositories.is_empty()
                && fault.matches(Lane::Graphql, Some(repository), "/graphql", world.now)
                && fault.strike() =>
        {
            Some(kind.clone())
        }
        _ => None,
    })
}

fn rate_limit(run: &Run<'_>, name: &str) -> Option<Value> {
    Some(match name {
        "cost" => json!(run.cost.points),
        "limit" => json!(run.usage.limit),
        "used" => json!(run.usage.used),
        "remaining" => json!(run.usage.remaining()),
        "nodeCount" => json!(run.cost.nodes),
        "resetAt" => json!(jiff::Timestamp::from_second(run.usage.reset).ok()?.to_string()),
        _ => return None,
    })
}

fn of_repository<'a>(run: &Run<'a>, repository: &'a Repository, field: &'a Field) -> Option<Out<'a>> {
    let plain = |value: Value| Some(Out::Plain(value));
    let newest = || repository.tags.iter().map(|tag| tag.at).max().unwrap_or(run.site.world.now);
    let arguments = run.arguments(field);
    match field.name.as_str() {
        "id" => plain(json!(format!("R_kgDO{:012x}", repository.id))),
        "databaseId" => plain(json!(repository.id)),
        "name" => plain(json!(repository.name)),
        "nameWithOwner" => plain(json!(repository.full_name())),
        "url" => plain(json!(repository.url())),
        "owner" => Some(Out::One(Node::Owner(&repository.owner))),
        "isArchived" => plain(json!(repository.archived)),
        "isEmpty" => plain(json!(repository.empty)),
        "isDisabled" | "isFork" | "isPrivate" | "isLocked" => plain(json!(false)),
        "createdAt" => plain(json!("2019-06-01T08:00:00Z")),
        "updatedAt" | "pushedAt" => plain(json!(seconds(newest()))),
        "defaultBranchRef" if repository.empty => plain(NOTHING),
        "defaultBranchRef" => Some(Out::One(Node::Branch(repository))),
        "releases" => {
            let mut all = repository.listed_releases(run.site.world.user.push);
            if ascending(&arguments) {
                all.reverse();
            }
            let nodes = all.into_iter().map(|release| Node::Release(repository, release)).collect();
            Some(Out::One(paged("ReleaseConnection", nodes, &arguments)))
        }
        "release" => {
            let tag = arguments.get("tagName").and_then(Value::as_str).unwrap_or("");
            match repository.release(tag).filter(|release| !release.draft) {
                Some(release) => Some(Out::One(Node::Release(repository, release))),
                None => plain(NOTHING),
            }
        }
        "latestRelease" => match repository.listed_releases(false).into_iter().find(|one| !one.prerelease) {
            Some(release) => Some(Out::One(Node::Release(repository, release))),
            None => plain(NOTHING),
        },
        "refs" => Some(refs(repository, &arguments)),
        "ref" => {
            let name = arguments.get("qualifiedName").and_then(Value::as_str).unwrap_or("");
            let tag = name.strip_prefix("refs/tags/").and_then(|name| repository.tag(name));
            Some(tag.map_or(Out::Plain(NOTHING), |tag| Out::One(Node::Ref(repository, tag))))
        }
        _ => None,
    }
}

fn refs<'a>(repository: &'a Repository, arguments: &Map<String, Value>) -> Out<'a> {
    let prefix = arguments.get("refPrefix").and_then(Value::as_str).unwrap_or("");
    if !prefix.starts_with("refs/tags/") {
        let branches = if repository.empty { Vec::new() } else { vec![Node::Branch(repository)] };
        return Out::One(paged("RefConnection", branches, arguments));
    }
    let wanted = arguments.get("query").and_then(Value::as_str).unwrap_or("");
    let mut tags: Vec<&Tag> = repository.tags.iter().filter(|tag| tag.name.contains(wanted)).collect();
    let by_date = arguments.get("orderBy").is_some_and(|order| order["field"] == "TAG_COMMIT_DATE");
    if by_date {
        tags.sort_by_key(|tag| tag.at);
    } else {
        tags.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let descending = arguments.get("orderBy").is_some_and(|order| order["direction"] == "DESC");
    if descending || arguments.get("direction").is_some_and(|direction| direction == "DESC") {
        tags.reverse();
    }
    let nodes = tags.into_iter().map(|tag| Node::Ref(repository, tag)).collect();
    Out::One(paged("RefConnection", nodes, arguments))
}

fn ascending(arguments: &Map<String, Value>) -> bool {
    arguments.get("orderBy").is_some_and(|order| order["direction"] == "ASC")
}

fn of_release<'a>(
    run: &Run<'a>,
    repository: &'a Repository,
    release: &'a Release,
    field: &'a Field,
) -> Option<Out<'a>> {
    let plain = |value: Value| Some(Out::Plain(value));
    match field.name.as_str() {
        "id" => plain(json!(format!("RE_kgDO{:012x}", release.id))),
        "databaseId" => plain(json!(release.id)),
        "tagName" => plain(json!(release.tag)),
        "name" => plain(json!(release.title)),
        "description" => plain(json!("Changes since the last one.")),
        "isDraft" => plain(json!(release.draft)),
        "isPrerelease" => plain(json!(release.prerelease)),
        "isLatest" | "immutable" => plain(json!(false)),
        "createdAt" => plain(json!(seconds(release.created))),
        "updatedAt" => plain(json!(seconds(release.updated))),
        "publishedAt" if release.draft => plain(NOTHING),
        "publishedAt" => plain(json!(seconds(release.published))),
        "url" => plain(json!(format!(
            "{}/releases/tag/{}",
            repository.url(),
            crate::wire::call::encode(&release.tag)
        ))),
        "tag" => Some(
            repository
                .tag(&release.tag)
                .map_or(Out::Plain(NOTHING), |tag| Out::One(Node::Ref(repository, tag))),
        ),
        "tagCommit" => Some(
            repository
                .tag(&release.tag)
                .map_or(Out::Plain(NOTHING), |tag| Out::One(Node::Commit(tag.peeled.unwrap_or(tag.oid)))),
        ),
        "releaseAssets" => {
            let arguments = run.arguments(field);
            let name = arguments.get("name").and_then(Value::as_str);
            let nodes = release
                .assets
                .iter()
                .filter(|asset| name.is_none_or(|name| *name == *asset.name))
                .map(|asset| Node::Asset(repository, release, asset))
                .collect();
            Some(Out::One(paged("ReleaseAssetConnection", nodes, &arguments)))
        }
        _ => None,
    }
}

fn of_asset(repository: &Repository, release: &Release, asset: &Asset, name: &str) -> Option<Value> {
    Some(match name {
        "id" => json!(format!("RA_kgDO{:012x}", asset.id)),
        "name" => json!(asset.name),
        "size" => json!(asset.size),
        "digest" => asset.digest.map_or(NOTHING, |sum| json!(format!("sha256:{}", hex::encode(sum)))),
        "contentType" => json!(objects::content_type(&asset.name)),
        "createdAt" | "updatedAt" => json!(seconds(asset.updated)),
        "downloadCount" => json!(17),
        "downloadUrl" | "url" => json!(objects::download_url(repository, release, asset)),
        _ => return None,
    })
}

fn of_ref<'a>(repository: &'a Repository, tag: &'a Tag, name: &str) -> Option<Out<'a>> {
    Some(match name {
        "id" => Out::Plain(json!(format!("REF_{}", hex::encode(&tag.oid[..6])))),
        "name" => Out::Plain(json!(tag.name)),
        "prefix" => Out::Plain(json!("refs/tags/")),
        "repository" => Out::One(Node::Repository(repository)),
        "target" if tag.peeled.is_some() => Out::One(Node::TagObject(tag)),
        "target" => Out::One(Node::Commit(tag.oid)),
        _ => return None,
    })
}

/// The cursor after which the next page begins.
fn cursor(at: usize) -> String {
    STANDARD.encode(format!("cursor:v2:{at}"))
}

fn position(cursor: &Value) -> Option<usize> {
    let plain = STANDARD.decode(cursor.as_str()?).ok()?;
    String::from_utf8(plain).ok()?.strip_prefix("cursor:v2:")?.parse().ok()
}

fn paged<'a>(name: &'static str, nodes: Vec<Node<'a>>, arguments: &Map<String, Value>) -> Node<'a> {
    let total = nodes.len();
    let number = |name: &str| arguments.get(name).and_then(Value::as_u64).map(|n| n as usize);
    let start = arguments.get("after").and_then(position).map_or(0, |at| at + 1).min(total);
    let (start, end) = match (number("first"), number("last")) {
        (Some(first), _) => (start, (start + first).min(total)),
        (None, Some(last)) => (total.saturating_sub(last).max(start), total),
        (None, None) => (start, total),
    };
    let shown = nodes.into_iter().skip(start).take(end - start).collect();
    Node::Connection(name, shown, start, total)
}

fn connection<'a>(nodes: &[Node<'a>], start: usize, total: usize, name: &str) -> Option<Out<'a>> {
    Some(match name {
        "nodes" => Out::Many(nodes.to_vec()),
        "edges" => Out::Many(
            nodes
                .iter()
                .enumerate()
                .map(|(index, node)| Node::Edge(Box::new(node.clone()), start + index))
                .collect(),
        ),
        "totalCount" => Out::Plain(json!(total)),
        "pageInfo" => Out::One(Node::PageInfo { start, end: start + nodes.len(), total }),
        _ => return None,
    })
}

fn page_info(start: usize, end: usize, total: usize, name: &str) -> Option<Value> {
    let some = |at: usize| if start == end { NOTHING } else { json!(cursor(at)) };
    Some(match name {
        "hasNextPage" => json!(end < total),
        "hasPreviousPage" => json!(start > 0),
        "startCursor" => some(start),
        "endCursor" => some(end.saturating_sub(1)),
        _ => return None,
    })
}
