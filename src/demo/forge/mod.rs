//! What the invented GitHub keeps of repositories that are written to: the registry's own and its forks, with the people
//! who may.
//!
//! Upstream repositories are plain data (`world`); these have real git objects, branches that move, pull requests, reviews
//! and checks. State and its rules only: `wire` and `graphql` turn requests into calls of these and draw what comes of it.
//! Nothing here reads a clock: who calls says what time it is.

pub mod actions;
pub(crate) mod change;
pub(crate) mod check;
pub(crate) mod colleague;
pub(crate) mod objects;
pub(crate) mod pull;
pub(crate) mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bytes::Bytes;
use jiff::Timestamp;

use crate::digest::small_id;
use crate::forge::actions::Actions;
use crate::forge::check::{Run, Status};
use crate::forge::colleague::Colleague;
use crate::forge::objects::{Commit, Files, Objects, Person};
use crate::forge::pull::Pull;
use crate::world::{Oid, World, key};

/// Where the registry's data is kept.
pub(crate) const REGISTRY: (&str, &str) = ("opentofu", "registry");
/// The branch that is served.
pub(crate) const MAIN: &str = "main";
/// Subject of the commits that the registry's automation makes, without the letter.
const BUMP: &str = "Automated bump of versions for providers and modules";

/// Repositories that share their objects, and the people who write to them.
#[derive(Clone, Debug, Default)]
pub struct Forge {
    pub(crate) objects: Objects,
    /// By lower-case `owner/name`.
    pub(crate) repositories: BTreeMap<String, Hosted>,
    /// By lower-case login.
    pub accounts: BTreeMap<String, Account>,
    /// Moments at which something was made that others are told of: GitHub limits those.
    pub(crate) made: Vec<Timestamp>,
    pub(crate) runs: Vec<Run>,
    /// What other programs say of commits, oldest first.
    pub(crate) statuses: Vec<Status>,
    /// Somebody who looks after what others open.
    pub(crate) colleague: Option<Colleague>,
    /// So many looks at a new check find it queued, then running.
    pub check_looks: u32,
    /// So many looks at the reviews of a pull request do not find a new one.
    pub review_looks: u32,
    /// A pull request that this maintainer merges as soon as somebody downloads an asset.
    pub merged_meanwhile: Option<(u64, String)>,
    /// Workflows that are started by hand.
    pub actions: Actions,
}

/// Somebody with a login.
#[derive(Clone, Debug)]
pub struct Account {
    pub(crate) login: Box<str>,
    /// As their profile shows it.
    pub name: Option<String>,
    /// The token that acts for them.
    pub token: Option<String>,
    /// Organisations that show them as a member, lower case.
    pub public_in: BTreeSet<String>,
}

impl Account {
    pub fn new(login: &str, token: Option<&str>) -> Self {
        Self { login: login.into(), name: None, token: token.map(str::to_owned), public_in: BTreeSet::new() }
    }

    /// The number of an account of that login.
    pub(crate) fn id_of(login: &str) -> u64 {
        small_id(&["account", &login.to_ascii_lowercase()])
    }

    /// As author of what they do on the site.
    pub(crate) fn person(&self) -> Person {
        let Self { login, name, .. } = self;
        Person {
            name: name.clone().unwrap_or_else(|| login.to_string()),
            email: format!("{}+{login}@users.noreply.github.com", Self::id_of(login)),
        }
    }
}

/// What somebody may do in a repository; each may what the ones before it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    #[default]
    Read,
    Triage,
    Write,
    Maintain,
    Admin,
}

/// A repository that can be written to.
#[derive(Clone, Debug)]
pub struct Hosted {
    pub(crate) id: u64,
    pub(crate) owner: Box<str>,
    pub(crate) name: Box<str>,
    /// The key of the one that it was forked from.
    pub(crate) parent: Option<String>,
    /// Branch to tip, without `refs/heads/`.
    pub(crate) branches: BTreeMap<String, Oid>,
    /// By lower-case login; anybody else reads.
    pub roles: BTreeMap<String, Role>,
    pub(crate) rules: Rules,
    pub(crate) labels: BTreeSet<String>,
    pub(crate) pulls: Vec<Pull>,
    /// Those that are no pull requests.
    pub(crate) issues: Vec<Issue>,
    /// A new fork fills in later: so many looks at it find no branch.
    pub(crate) empty_looks: Arc<AtomicU32>,
}

/// An issue that somebody wrote.
#[derive(Clone, Debug)]
pub(crate) struct Issue {
    pub(crate) number: u64,
    pub(crate) author: String,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) opened: Timestamp,
}

/// What the served branch asks of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) approvals: u64,
    /// Names of checks that must pass.
    pub(crate) checks: Vec<String>,
}

/// Why a write was not done. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    NotFound,
    /// The permission that it lacks, as `x-accepted-github-permissions` names it.
    Forbidden(&'static str),
    Limited,
    /// It is not to be had as things stand, in GitHub's sentence: 403.
    NotNow(&'static str),
    /// A value that does not fit: of which object, which field, GitHub's code, and its sentence.
    Invalid {
        resource: &'static str,
        field: &'static str,
        code: &'static str,
        message: String,
    },
    Conflict(String),
    /// The branch points elsewhere than its writer thinks.
    Stale {
        expected: Oid,
    },
}

impl Refusal {
    pub(crate) fn invalid(resource: &'static str, field: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid { resource, field, code: "invalid", message: message.into() }
    }
}

impl Forge {
    /// A forge with the registry, whose served branch holds the world's files, and nobody who may write.
    pub(crate) fn of_registry(world: &World) -> Self {
        let mut forge = Self::default();
        let (owner, name) = REGISTRY;
        let mut registry = Hosted::new(owner, name);
        registry.rules = Rules { approvals: 1, checks: vec![check::VERIFY.to_owned()] };
        registry.labels =
            ["bug", "manual-bump", "needs-two-approvals", "provider", "module"].map(str::to_owned).into();
        let mut line = Vec::new();
        let mut stored = Files::new();
        for (at, files) in world.history() {
            let plain = |(path, bytes): (&str, &Bytes)| (path.to_owned(), forge.objects.plain(bytes.clone()));
            stored.extend(files.into_iter().map(plain));
            let tree = forge.objects.put_tree(&stored);
            line = vec![forge.objects.put_commit(&automated(tree, line, 'a', at))];
        }
        registry.branches.extend(line.into_iter().map(|tip| (MAIN.to_owned(), tip)));
        forge.repositories.insert(key(owner, name), registry);
        forge
    }

    pub(crate) fn find(&self, owner: &str, name: &str) -> Option<&Hosted> {
        self.repositories.get(&key(owner, name))
    }

    pub(crate) fn by_id(&self, id: u64) -> Option<&Hosted> {
        self.repositories.values().find(|hosted| hosted.id == id)
    }

    /// The registry's repository, for tests that give roles or look at pull requests.
    pub fn registry_mut(&mut self) -> Option<&mut Hosted> {
        self.repositories.get_mut(&key(REGISTRY.0, REGISTRY.1))
    }

    pub(crate) fn account(&self, login: &str) -> Option<&Account> {
        self.accounts.get(&login.to_ascii_lowercase())
    }

    /// Whose token it is.
    pub(crate) fn of_token(&self, token: &str) -> Option<&Account> {
        self.accounts.values().find(|account| account.token.as_deref() == Some(token))
    }

    /// The repositories that a repository shares its objects with: its parent and all forks of that.
    pub(crate) fn network(&self, hosted: &Hosted) -> impl Iterator<Item = &Hosted> {
        let root = hosted.parent.clone().unwrap_or_else(|| hosted.key());
        self.repositories
            .values()
            .filter(move |one| one.key() == root || one.parent.as_deref() == Some(root.as_str()))
    }

    /// Whether one more thing may be made that others are told of; counts it if so.
    pub(crate) fn may_make(&mut self, now: Timestamp, per_minute: u64, per_hour: u64) -> Result<(), Refusal> {
        let since = |seconds: i64| {
            self.made.iter().filter(|at| now.as_second() - at.as_second() < seconds).count() as u64
        };
        if since(60) >= per_minute || since(3_600) >= per_hour {
            return Err(Refusal::Limited);
        }
        self.made.push(now);
        Ok(())
    }
}

/// A bump of the registry's automation: of the namespaces with this letter.
pub(crate) fn automated(tree: Oid, parents: Vec<Oid>, letter: char, at: Timestamp) -> Commit {
    let who = Person { name: "OpenTofu Core Development Team".into(), email: "core@opentofu.org".into() };
    Commit {
        tree,
        parents,
        author: who.clone(),
        committer: who,
        at,
        signature: None,
        message: format!("{BUMP} ({letter})\n"),
    }
}

impl Hosted {
    pub(crate) fn new(owner: &str, name: &str) -> Self {
        Self {
            id: small_id(&["repository", &key(owner, name)]),
            owner: owner.into(),
            name: name.into(),
            parent: None,
            branches: BTreeMap::new(),
            roles: BTreeMap::new(),
            rules: Rules { approvals: 0, checks: Vec::new() },
            labels: BTreeSet::new(),
            issues: Vec::new(),
            pulls: Vec::new(),
            empty_looks: Arc::default(),
        }
    }

    pub(crate) fn key(&self) -> String {
        key(&self.owner, &self.name)
    }

    /// `owner/name`.
    pub(crate) fn full_name(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }

    /// What somebody may do here; owners may everything.
    pub(crate) fn role(&self, login: &str) -> Role {
        if self.owner.eq_ignore_ascii_case(login) {
            return Role::Admin;
        }
        self.roles.get(&login.to_ascii_lowercase()).copied().unwrap_or_default()
    }

    /// Whether it has a role of its own here.
    pub(crate) fn is_collaborator(&self, login: &str) -> bool {
        self.role(login) > Role::Read
    }

    /// The tip of a branch, as somebody sees it who looks now: a new fork fills in after some looks.
    pub(crate) fn tip(&self, branch: &str) -> Option<Oid> {
        let left =
            self.empty_looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if left.is_ok() { None } else { self.branches.get(branch).copied() }
    }

    /// The pull request of that number.
    pub fn pull(&self, number: u64) -> Option<&Pull> {
        self.pulls.iter().find(|pull| pull.number == number)
    }
}
