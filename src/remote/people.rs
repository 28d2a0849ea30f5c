//! Who stands behind a pull request: whom an organisation shows as its member, and who made and signed its commits.
//!
//! Reads alone. Names and subjects are data, cleaned here; what they mean is for `rules::review`.

use std::sync::Arc;

use serde::Deserialize;

use crate::registry::Repository;
use crate::remote::hosted::{API, all, route};
use crate::remote::http::{Call, Error, Http, clean, encode_path};
use crate::rules::review::{Maker, PullCommit, Signature};
use crate::settings::Lane;

/// A refusal has a sentence, and a yes has nothing.
const LIMIT_BYTES: u64 = 1 << 20;
/// Commits of a pull request are listed up to here (`github.md#pull-requests`).
const MOST_COMMITS: usize = 250;

/// Whether an organisation shows somebody as its member. An account that is not an organisation shows nobody.
pub(super) async fn is_public_member(http: &Http, organisation: &str, login: &str) -> Result<bool, Error> {
    let place = format!("{API}/orgs/{}/public_members/{}", encode_path(organisation), encode_path(login));
    let call = Call { resource: Some("core"), ..Call::get(Lane::Api, place, LIMIT_BYTES) };
    match http.call(&call).await {
        Ok(answer) if answer.status == 204 => Ok(true),
        Ok(answer) => Err(Error::Status { status: answer.status }),
        Err(Error::NotFound { status: 404 }) => Ok(false),
        Err(error) => Err(error),
    }
}

#[derive(Deserialize)]
struct Listed {
    sha: String,
    commit: Inner,
    author: Option<Account>,
    committer: Option<Account>,
}

/// An account that GitHub found by the address; an empty object where it found none.
#[derive(Deserialize)]
struct Account {
    login: Option<String>,
}

#[derive(Deserialize)]
struct Inner {
    message: String,
    author: Option<Person>,
    committer: Option<Person>,
    verification: Option<Verification>,
}

#[derive(Deserialize)]
struct Person {
    name: Option<String>,
}

#[derive(Deserialize)]
struct Verification {
    verified: bool,
    reason: String,
}

/// The commits that a pull request brings, oldest first.
pub(super) async fn commits(
    http: &Arc<Http>,
    repository: &Repository,
    number: u64,
) -> Result<Vec<PullCommit>, Error> {
    let read: Vec<Listed> =
        all(http, route(repository, &format!("/pulls/{number}/commits?per_page=100"))).await?;
    if read.len() >= MOST_COMMITS {
        return Err(Error::unreadable("it has more commits than GitHub lists"));
    }
    Ok(read.into_iter().map(told).collect())
}

fn told(commit: Listed) -> PullCommit {
    let maker = |account: Option<Account>, person: Option<Person>| match account.and_then(|one| one.login) {
        Some(login) => Maker::Login(clean(&login)),
        None => Maker::Name(clean(&person.and_then(|one| one.name).unwrap_or_default())),
    };
    let Listed { sha, commit, author, committer } = commit;
    PullCommit {
        id: clean(&sha),
        subject: clean(commit.message.lines().next().unwrap_or_default()),
        author: maker(author, commit.author),
        committer: maker(committer, commit.committer),
        signature: match commit.verification {
            Some(Verification { verified: true, .. }) => Signature::Verified,
            Some(Verification { reason, .. }) if reason == "unsigned" => Signature::Unsigned,
            Some(Verification { reason, .. }) => Signature::NotVerified(clean(&reason)),
            None => Signature::NotVerified("GitHub does not say".to_owned()),
        },
    }
}
