//! Who stands behind a pull request: whom an organisation shows as its member, and who made and signed its commits.
//!
//! Reads alone. Names and subjects are data, cleaned here; what they mean is for `rules::review`.

use serde::Deserialize;

use crate::registry::Repository;
use crate::remote::Remote;
use crate::remote::hosted::{API, route};
use crate::remote::http::{Call, Error, clean, encode_path};
use crate::rules::review::{Maker, PullCommit, Signature};
use crate::settings::Lane;

/// A refusal has a sentence, and a yes has nothing.
const LIMIT_BYTES: u64 = 1 << 20;
/// Commits of a pull request are listed up to here (`github.md#pull-requests`).
const MOST_COMMITS: usize = 250;

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

impl From<Listed> for PullCommit {
    fn from(commit: Listed) -> Self {
        let maker = |account: Option<Account>, person: Option<Person>| match account.and_then(|one| one.login)
        {
            Some(login) => Maker::Login(clean(&login)),
            None => Maker::Name(clean(&person.and_then(|one| one.name).unwrap_or_default())),
        };
        let Listed { sha, commit, author, committer } = commit;
        Self {
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
}

impl Remote {
    /// Returns true if an organisation shows the account as its member. An account that is not an organisation shows
    /// nobody.
    pub(crate) async fn is_public_member(&self, organisation: &str, login: &str) -> Result<bool, Error> {
        let place = format!("{API}/orgs/{}/public_members/{}", encode_path(organisation), encode_path(login));
        let call = Call { resource: Some("core"), ..Call::get(Lane::Api, place, LIMIT_BYTES) };
        match self.http.call(&call).await {
            Ok(answer) if answer.status == 204 => Ok(true),
            Ok(answer) => Err(Error::Status { status: answer.status }),
            Err(Error::NotFound { status: 404 }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Reads the commits of a pull request, oldest first.
    pub(crate) async fn pull_commits(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<Vec<PullCommit>, Error> {
        let read: Vec<Listed> =
            self.all(route(repository, &format!("/pulls/{number}/commits?per_page=100"))).await?;
        if read.len() >= MOST_COMMITS {
            return Err(Error::unreadable("it has more commits than GitHub lists"));
        }
        Ok(read.into_iter().map(PullCommit::from).collect())
    }
}
