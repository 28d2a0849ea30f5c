//! The state of the loopback world: upstream repositories, the registry's own files, the clock, faults and limits.
//!
//! Plain data that every answer of `demo` is computed from. Made by `scenario` (TOML) or `derive` (a real checkout);
//! changed by tests through `Server::edit`. It opens no file and no socket.

use std::collections::BTreeMap;

use bytes::Bytes;
use jiff::Timestamp;

use crate::digest::small_id;
use crate::fault::Fault;
use crate::forge::Forge;
use crate::object::Object;
use crate::scenario::spec::PlantSpec;

/// A git object id (SHA-1).
pub(crate) type Oid = [u8; 20];

/// Everything that the world answers from.
#[derive(Clone, Debug)]
pub struct World {
    /// The world's clock. It stands still until somebody sets it.
    pub now: Timestamp,
    /// By lower-case `owner/name`.
    pub repositories: BTreeMap<Box<str>, Repository>,
    /// Old lower-case `owner/name` to the key of the repository that moved away.
    pub redirects: BTreeMap<Box<str>, Box<str>>,
    /// The registry side: path below the registry's root to the file's bytes. Empty in a derived world.
    pub files: BTreeMap<String, Bytes>,
    /// The registry's commits before the newest one, the newest first.
    pub(crate) before: Vec<Before>,
    /// The registry's repository as it can be written to, its forks and the people. Empty in a derived world.
    pub forge: Forge,
    /// Which versions the served registry API lists, where that differs from the files: address to versions.
    pub served: BTreeMap<String, Vec<String>>,
    /// The versions that the search API lists, by address, where they differ from the files.
    pub searched: BTreeMap<String, Vec<String>>,
    /// The source entry of each provider whose pages the registry API copies, by address.
    pub copies: BTreeMap<String, String>,
    /// The changes to files and served documents that a scenario plants, by address.
    pub(crate) planted: BTreeMap<String, Vec<PlantSpec>>,
    pub faults: Vec<Fault>,
    pub limits: Limits,
    pub user: User,
    /// What was left out while the world was made, in words (a derived world skips files that do not parse).
    pub notes: Vec<String>,
}

/// A commit of the registry before another one.
#[derive(Clone, Debug)]
pub(crate) struct Before {
    pub(crate) at: Timestamp,
    /// Those that it has otherwise than the commit after it.
    pub(crate) files: BTreeMap<String, Bytes>,
}

/// What the servers allow.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Entries on one feed page; 10 on GitHub.
    pub(crate) feed_entries: usize,
    /// Added to every answer.
    pub(crate) latency_ms: u64,
    /// REST requests an hour with a token.
    pub(crate) rest_per_hour: u64,
    /// REST requests an hour without one.
    pub(crate) anonymous_per_hour: u64,
    /// GraphQL points an hour.
    pub(crate) graphql_points: u64,
    /// A GraphQL query with more repositories than this is answered with 502.
    pub(crate) graphql_aliases: Option<usize>,
    /// Requests that write, a minute and an hour.
    pub(crate) writes_per_minute: u64,
    pub(crate) writes_per_hour: u64,
    /// So many looks at a new fork find no branch in it.
    pub(crate) fork_looks: u32,
    /// A tree with more lines is truncated, in place of GitHub's own 100,000.
    pub(crate) tree_entries: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            feed_entries: 10,
            latency_ms: 0,
            rest_per_hour: 5000,
            anonymous_per_hour: 60,
            graphql_points: 5000,
            graphql_aliases: None,
            writes_per_minute: 80,
            writes_per_hour: 500,
            fork_looks: 0,
            tree_entries: None,
        }
    }
}

/// Whose token it is.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    pub(crate) login: String,
    /// The only token that is good; `None` takes any.
    pub(crate) token: Option<String>,
    /// With push access drafts are listed.
    pub(crate) push: bool,
}

impl Default for User {
    fn default() -> Self {
        Self { login: "maintainer".into(), token: None, push: false }
    }
}

/// Whether a repository answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Presence {
    #[default]
    Here,
    /// Deleted or private: the two look the same.
    Deleted,
    /// Taken down: 451.
    Blocked,
}

/// An upstream repository.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Below 2^31, as in GraphQL's `databaseId`.
    pub(crate) id: u64,
    /// What the git objects are made from: it follows from the first name and never changes.
    pub(crate) seed: u64,
    pub(crate) owner: Box<str>,
    pub(crate) name: Box<str>,
    pub presence: Presence,
    pub(crate) archived: bool,
    /// Without a single commit.
    pub(crate) empty: bool,
    pub(crate) tags: Vec<Tag>,
    pub releases: Vec<Release>,
    /// Runs of its own workflows, the newest first.
    pub(crate) builds: Vec<Build>,
}

/// One run of a repository's own workflow.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    pub(crate) at: Timestamp,
    /// What started it: `schedule`, `push`.
    pub(crate) event: Box<str>,
    /// GitHub's word for how it ended; `None`: it still runs.
    pub(crate) ended: Option<Box<str>>,
}

/// A git tag.
#[derive(Clone, Debug)]
pub(crate) struct Tag {
    pub(crate) name: Box<str>,
    /// The tag object of an annotated tag, else the commit.
    pub(crate) oid: Oid,
    /// The commit of an annotated tag.
    pub(crate) peeled: Option<Oid>,
    /// When it was pushed: its place in the feed.
    pub(crate) at: Timestamp,
}

/// A release; its tag is an entry of `Repository::tags` too, unless it is a draft.
#[derive(Clone, Debug)]
pub struct Release {
    /// Below 2^31.
    pub id: u64,
    pub tag: Box<str>,
    pub(crate) title: Box<str>,
    pub(crate) created: Timestamp,
    pub(crate) published: Timestamp,
    pub(crate) updated: Timestamp,
    pub(crate) draft: bool,
    pub(crate) prerelease: bool,
    pub assets: Vec<Asset>,
}

/// A file of a release.
#[derive(Clone, Debug)]
pub struct Asset {
    pub id: u64,
    pub name: Box<str>,
    pub size: u64,
    /// SHA-256; `None` for files from before GitHub computed it.
    pub digest: Option<[u8; 32]>,
    pub updated: Timestamp,
    /// `None`: listed, but the download answers 404.
    pub content: Option<Bytes>,
}

/// What stands at an `owner/name`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lookup<'a> {
    Here(&'a Repository),
    /// It was renamed or transferred.
    Moved(&'a Repository),
    Blocked,
    Absent,
}

/// One entry of a releases feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FeedEntry<'a> {
    pub(crate) tag: &'a str,
    pub(crate) title: &'a str,
    pub(crate) updated: Timestamp,
}

impl World {
    /// An empty world.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self {
            now,
            repositories: BTreeMap::new(),
            redirects: BTreeMap::new(),
            files: BTreeMap::new(),
            before: Vec::new(),
            forge: Forge::default(),
            served: BTreeMap::new(),
            searched: BTreeMap::new(),
            copies: BTreeMap::new(),
            planted: BTreeMap::new(),
            faults: Vec::new(),
            limits: Limits::default(),
            user: User::default(),
            notes: Vec::new(),
        }
    }

    /// The registry's commits, oldest first: the time of each, and the files that it adds or changes.
    pub(crate) fn history(&self) -> Vec<(Timestamp, BTreeMap<&str, &Bytes>)> {
        let mut files: BTreeMap<&str, &Bytes> =
            self.files.iter().map(|(path, bytes)| (path.as_str(), bytes)).collect();
        let mut commits = Vec::new();
        let mut at = self.now;
        for before in &self.before {
            let replace = |(path, older)| files.insert(path, older).map(|newer| (path, newer));
            let others = before.files.iter().map(|(path, bytes)| (path.as_str(), bytes));
            commits.push((at, others.filter_map(replace).collect()));
            at = before.at;
        }
        commits.push((at, files));
        commits.reverse();
        commits
    }

    /// The repository at a name in any case, redirects included.
    pub(crate) fn lookup(&self, owner: &str, name: &str) -> Lookup<'_> {
        let wanted = key(owner, name);
        if let Some(repository) = self.repositories.get(&*wanted) {
            return present(repository, Lookup::Here);
        }
        let mut at = &*wanted;
        for _ in 0..8 {
            let Some(next) = self.redirects.get(at) else { return Lookup::Absent };
            if let Some(repository) = self.repositories.get(next) {
                return present(repository, Lookup::Moved);
            }
            at = next;
        }
        Lookup::Absent
    }

    /// The repository that has this name now, whatever its presence.
    pub fn repository_mut(&mut self, owner: &str, name: &str) -> Option<&mut Repository> {
        self.repositories.get_mut(&*key(owner, name))
    }

    /// The repository with this numeric id.
    pub fn by_id(&self, id: u64) -> Option<&Repository> {
        self.repositories
            .values()
            .find(|repository| repository.id == id && repository.presence == Presence::Here)
    }

    /// Puts a repository under its name.
    pub(crate) fn insert(&mut self, repository: Repository) {
        self.repositories.insert(key(&repository.owner, &repository.name).into(), repository);
    }

    /// Renames or transfers: the old name redirects, the id stays.
    pub(crate) fn rename(&mut self, owner: &str, name: &str, new_owner: &str, new_name: &str) {
        let old = key(owner, name);
        let Some(mut repository) = self.repositories.remove(&*old) else { return };
        let new = key(new_owner, new_name);
        repository.owner = new_owner.into();
        repository.name = new_name.into();
        self.redirects.remove(&*new);
        self.redirects.insert(old.into(), new.as_str().into());
        self.repositories.insert(new.into(), repository);
    }
}

fn present<'a>(repository: &'a Repository, found: fn(&'a Repository) -> Lookup<'a>) -> Lookup<'a> {
    match repository.presence {
        Presence::Here => found(repository),
        Presence::Deleted => Lookup::Absent,
        Presence::Blocked => Lookup::Blocked,
    }
}

/// The key under which GitHub finds a repository: case does not count.
pub(crate) fn key(owner: &str, name: &str) -> String {
    let mut key = String::with_capacity(owner.len() + name.len() + 1);
    key.push_str(owner);
    key.push('/');
    key.push_str(name);
    key.make_ascii_lowercase();
    key
}

impl Repository {
    /// An empty-handed repository with an id that follows from its name.
    pub(crate) fn new(owner: &str, name: &str) -> Self {
        let seed = small_id(&["repository", &key(owner, name)]);
        Self {
            id: seed,
            seed,
            owner: owner.into(),
            name: name.into(),
            presence: Presence::Here,
            archived: false,
            empty: false,
            tags: Vec::new(),
            releases: Vec::new(),
            builds: Vec::new(),
        }
    }

    /// A tag with ids that follow from its name; it is not added.
    pub(crate) fn new_tag(&self, name: &str, annotated: bool, at: Timestamp) -> Tag {
        let commit = Object::commit(self.seed, name, "").oid();
        let oid = if annotated { Object::tag(&commit, name).oid() } else { commit };
        Tag { name: name.into(), oid, peeled: annotated.then_some(commit), at }
    }

    /// `owner/name` in its own case.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }

    /// The canonical URL, without a trailing slash.
    pub(crate) fn url(&self) -> String {
        format!("https://github.com/{}/{}", self.owner, self.name)
    }

    pub(crate) fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| &*tag.name == name)
    }

    pub fn release(&self, tag: &str) -> Option<&Release> {
        self.releases.iter().find(|release| &*release.tag == tag)
    }

    pub fn release_mut(&mut self, tag: &str) -> Option<&mut Release> {
        self.releases.iter_mut().find(|release| &*release.tag == tag)
    }

    /// Removes a tag together with its release.
    #[cfg(test)]
    pub(crate) fn remove_tag(&mut self, name: &str) {
        self.tags.retain(|tag| &*tag.name != name);
        self.releases.retain(|release| &*release.tag != name);
    }

    /// Releases that somebody without push access sees, newest first by creation, as the API sorts them.
    pub(crate) fn listed_releases(&self, drafts: bool) -> Vec<&Release> {
        let mut listed: Vec<&Release> =
            self.releases.iter().filter(|release| drafts || !release.draft).collect();
        listed.sort_by_key(|release| std::cmp::Reverse(release.created));
        listed
    }

    /// All entries of the feed, newest first by their own date: published releases, and tags without a release.
    pub(crate) fn feed(&self) -> Vec<FeedEntry<'_>> {
        let released: std::collections::BTreeSet<&str> =
            self.releases.iter().filter(|release| !release.draft).map(|release| &*release.tag).collect();
        let mut entries: Vec<FeedEntry<'_>> = self
            .releases
            .iter()
            .filter(|release| !release.draft)
            .map(|release| FeedEntry { tag: &release.tag, title: &release.title, updated: release.published })
            .collect();
        entries.extend(self.tags.iter().filter(|tag| !released.contains(&*tag.name)).map(|tag| FeedEntry {
            tag: &tag.name,
            title: &tag.name,
            updated: tag.at,
        }));
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.updated));
        entries
    }
}

impl Release {
    pub fn asset(&self, name: &str) -> Option<&Asset> {
        self.assets.iter().find(|asset| &*asset.name == name)
    }
}
