//! The registry's own repository as GitHub has it: who may write, what its branches hold at a commit, which changes wait.
//!
//! Reads alone. Paths and names from answers are data: nothing here follows them.

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderValue;
use http::header::ACCEPT;
use octocrab::Page;
use serde::Deserialize;

use crate::registry::Repository;
use crate::remote::api;
use crate::remote::error::Error;
use crate::remote::http::{Call, Http, encode_path, encode_query};
use crate::settings::Lane;

const API: &str = "https://api.github.com";
/// Of a file: GitHub gives no larger one.
const FILE_LIMIT_BYTES: u64 = 100 << 20;
/// Of a pull request GitHub lists so many files, and ends the list there.
const MOST_FILES: usize = 3_000;
/// A list that goes on after so many pages of a hundred is a fault.
const MOST_PAGES: usize = 30;

/// Whose token it is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Owner {
    pub(crate) login: String,
    pub(crate) id: u64,
    #[serde(default)]
    pub(crate) name: Option<String>,
}

/// The registry's repository, as this account sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostedRepository {
    /// Under its name of today.
    pub(crate) repository: Repository,
    pub(crate) default_branch: String,
    /// Whether the account may push; what its token may is not told.
    pub(crate) may_push: bool,
}

/// A pull request in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedPull {
    pub(crate) number: u64,
    pub(crate) author: String,
    pub(crate) is_open: bool,
}

#[derive(Deserialize)]
struct Login {
    login: String,
}

#[derive(Deserialize)]
struct About {
    name: String,
    owner: Login,
    default_branch: String,
    #[serde(default)]
    permissions: Permissions,
}

#[derive(Default, Deserialize)]
struct Permissions {
    #[serde(default)]
    push: bool,
}

#[derive(Deserialize)]
struct Reference {
    object: Object,
}

#[derive(Deserialize)]
struct Object {
    sha: String,
}

#[derive(Deserialize)]
struct Pull {
    number: u64,
    state: String,
    user: Option<Login>,
}

#[derive(Deserialize)]
struct ChangedFile {
    filename: String,
    previous_filename: Option<String>,
}

#[derive(Deserialize)]
struct Listed {
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

impl From<Pull> for ListedPull {
    fn from(pull: Pull) -> Self {
        // An account that was deleted is none.
        let author = pull.user.map_or_else(|| "ghost".to_owned(), |user| user.login);
        Self { number: pull.number, author, is_open: pull.state == "open" }
    }
}

fn route(repository: &Repository, rest: &str) -> String {
    format!("/repos/{}/{}{rest}", encode_path(&repository.owner), encode_path(&repository.name))
}

pub(super) async fn owner(http: &Arc<Http>) -> Result<Owner, Error> {
    if !http.has_token() {
        return Err(Error::NoToken);
    }
    api::get(http, "/user").await
}

pub(super) async fn about(http: &Arc<Http>, repository: &Repository) -> Result<HostedRepository, Error> {
    let about: About = api::get(http, &route(repository, "")).await?;
    Ok(HostedRepository {
        repository: Repository::new(&about.owner.login, &about.name),
        default_branch: about.default_branch,
        may_push: about.permissions.push,
    })
}

/// The commit that a branch points to; `None`: there is no such branch.
pub(super) async fn tip(
    http: &Arc<Http>,
    repository: &Repository,
    branch: &str,
) -> Result<Option<String>, Error> {
    let read =
        api::get::<Reference>(http, &route(repository, &format!("/git/ref/heads/{}", encode_path(branch))))
            .await;
    let sha = match read {
        Ok(reference) => reference.object.sha,
        Err(Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_oid = matches!(sha.len(), 40 | 64) && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_oid {
        Ok(Some(sha))
    } else {
        Err(Error::protocol("a branch points to something that is not a commit id"))
    }
}

/// The bytes of a file at a commit; `None`: it is not there.
pub(super) async fn file(
    http: &Http,
    repository: &Repository,
    path: &str,
    at: &str,
) -> Result<Option<Bytes>, Error> {
    let url = format!(
        "{API}{}?ref={}",
        route(repository, &format!("/contents/{}", encode_path(path))),
        encode_query(at)
    );
    let call = Call {
        resource: Some("core"),
        headers: vec![(ACCEPT, HeaderValue::from_static("application/vnd.github.raw+json"))],
        ..Call::get(Lane::Api, url, FILE_LIMIT_BYTES)
    };
    match http.call(&call).await {
        Ok(answer) => Ok(Some(answer.body)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The paths of what lies in a folder at a commit: files, then folders. Nothing where there is no such folder.
pub(super) async fn folder(
    http: &Arc<Http>,
    repository: &Repository,
    path: &str,
    at: &str,
) -> Result<(Vec<String>, Vec<String>), Error> {
    let route = route(repository, &format!("/contents/{}?ref={}", encode_path(path), encode_query(at)));
    let listed: Vec<Listed> = match api::get(http, &route).await {
        Ok(listed) => listed,
        Err(Error::NotFound { .. }) => Vec::new(),
        Err(error) => return Err(error),
    };
    let of = |kind: &str| {
        let listed = listed.iter().filter(|one| one.kind == kind);
        listed.map(|one| one.path.clone()).collect()
    };
    Ok((of("file"), of("dir")))
}

pub(super) async fn open_pulls(http: &Arc<Http>, repository: &Repository) -> Result<Vec<ListedPull>, Error> {
    let pulls: Vec<Pull> = all(http, route(repository, "/pulls?state=open&per_page=100")).await?;
    Ok(pulls.into_iter().map(ListedPull::from).collect())
}

/// The newest pull request of a branch of the repository itself, open or not.
pub(super) async fn pull_of(
    http: &Arc<Http>,
    repository: &Repository,
    branch: &str,
) -> Result<Option<ListedPull>, Error> {
    let head = encode_query(&format!("{}:{branch}", repository.owner));
    let pulls: Vec<Pull> =
        all(http, route(repository, &format!("/pulls?state=all&head={head}&per_page=100"))).await?;
    Ok(pulls.into_iter().map(ListedPull::from).next())
}

/// The paths that a pull request changes, those that it moves away from included; `None` where they are more than GitHub lists.
pub(super) async fn changed_paths(
    http: &Arc<Http>,
    repository: &Repository,
    number: u64,
) -> Result<Option<Vec<String>>, Error> {
    let files: Vec<ChangedFile> =
        all(http, route(repository, &format!("/pulls/{number}/files?per_page=100"))).await?;
    let is_whole = files.len() < MOST_FILES;
    let paths = files.into_iter().flat_map(|file| [Some(file.filename), file.previous_filename]).flatten();
    Ok(is_whole.then(|| paths.collect()))
}

/// All pages of a list.
async fn all<T: serde::de::DeserializeOwned>(http: &Arc<Http>, first: String) -> Result<Vec<T>, Error> {
    let (mut items, mut next) = (Vec::new(), Some(first));
    for _ in 0..MOST_PAGES {
        let Some(route) = next else { return Ok(items) };
        let page: Page<T> = api::get(http, &route).await?;
        items.extend(page.items);
        next = page.next.map(|uri| uri.to_string());
    }
    if next.is_some() { Err(Error::protocol("a list without end")) } else { Ok(items) }
}
