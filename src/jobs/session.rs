//! One opened registry: its files, its catalog, its blacklist.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, Scope};
use crate::jobs::key_folder::KeyFolder;
use crate::jobs::publish::HalfDone;
use crate::jobs::{Env, lint, publish};
use crate::registry::{
    Address, Blacklist, Catalog, Decision, Document, Entry, Row, SHAPE_FORMAT, Shape, short_id,
};
use crate::store::{Checkout, Early, Extent, load_catalog, load_early};

/// One data file, read once for everything that is said of it.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) bytes: Vec<u8>,
    pub(crate) document: Document,
    pub(crate) entry: Entry,
}

/// The registry as it was read once.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) checkout: Checkout,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) blacklist: Blacklist,
    /// Why the blacklist could not be read; nothing may be proposed then.
    pub(crate) blacklist_error: Option<String>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) notices: Vec<String>,
    /// Sendings of earlier runs.
    pub(crate) half_done: HalfDone,
    /// `main@f00f6d5`; empty where there is no git.
    pub(crate) revision: String,
    pub(crate) last_bump: Option<Timestamp>,
    pub(super) keys: KeyFolder,
    /// Entries of the catalog that the registry does not have yet, as the registry's own tool begins them.
    new: Vec<Address>,
    /// All files that there are, by path, where they are not those of the checkout.
    files: Option<BTreeMap<String, Vec<u8>>>,
}

impl Session {
    pub(crate) async fn open(env: &Arc<Env>) -> Result<Arc<Self>, Failure> {
        let env = Arc::clone(env);
        let read = tokio::task::spawn_blocking(move || Self::read(&env));
        let session = read.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))?;
        Ok(Arc::new(session))
    }

    /// The registry before each of its files was looked at, and whether more than their names is known. `None` if it cannot
    /// be had so. What else a start needs of the disk is read meanwhile.
    pub(crate) async fn early<T: Send + 'static>(
        env: &Arc<Env>,
        beside: impl FnOnce(&Env, &Checkout) -> T + Send + 'static,
    ) -> Option<(Arc<Self>, bool, T)> {
        let env = Arc::clone(env);
        let read = tokio::task::spawn_blocking(move || {
            let path = env.registry.as_ref()?;
            let checkout = Checkout::open(path, env.reference.as_deref()).ok()?;
            let cache_file = cache_file(&env, checkout.root(), INDEX_NAMES, "");
            let (loaded, beside) = std::thread::scope(|scope| {
                let beside = scope.spawn(|| beside(&env, &checkout));
                let loaded = load_early(&checkout, &cache_file, SHAPE_FORMAT, &Shape::parse);
                (loaded, beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            });
            let (mut catalog, is_read) = match loaded? {
                Early::Read(catalog) => (catalog, true),
                Early::Named(catalog) => (catalog, false),
            };
            lint::recall(&env, checkout.root(), &mut catalog.rows);
            let (blacklist, blacklist_error) = read_blacklist(&checkout);
            let decisions =
                env.state().as_ref().and_then(|state| state.decisions(&env.world).ok()).unwrap_or_default();
            let session = Self {
                checkout,
                catalog: Arc::new(catalog),
                blacklist,
                blacklist_error,
                decisions,
                notices: Vec::new(),
                half_done: HalfDone::default(),
                revision: String::new(),
                last_bump: None,
                keys: KeyFolder::default(),
                new: Vec::new(),
                files: None,
            };
            Some((Arc::new(session), is_read, beside))
        });
        read.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
    }

    fn read(env: &Env) -> Result<Self, Failure> {
        let Some(path) = &env.registry else { return Err(no_registry()) };
        let fail = |error: crate::store::Error| {
            Failure::new(FailureKind::Usage, format!("opening the registry `{}`", path.display()))
                .cause(error.to_string())
                .hint("Name a registry checkout with --registry, or try `bumpdesk demo`.")
        };
        let checkout = Checkout::open(path, env.reference.as_deref()).map_err(fail)?;
        let cache_file = cache_file(env, checkout.root(), INDEX_NAMES, "");
        // Git takes as long to start as the index takes to load: they go side by side.
        let (loaded, (revision, last_bump)) = std::thread::scope(|scope| {
            let history = scope.spawn(|| history(&checkout));
            let loaded =
                load_catalog(&checkout, &cache_file, SHAPE_FORMAT, Extent::Everything, &Shape::parse);
            (loaded, history.join().unwrap_or_default())
        });
        let mut loaded = loaded.map_err(fail)?;
        if let Some(failure) = gone(&checkout) {
            return Err(failure);
        }
        lint::recall(env, checkout.root(), &mut loaded.catalog.rows);
        let (blacklist, blacklist_error) = read_blacklist(&checkout);
        let decisions =
            env.state().as_ref().and_then(|state| state.decisions(&env.world).ok()).unwrap_or_default();
        let mut notices: Vec<String> = env.state_notice.iter().cloned().collect();
        notices.extend(loaded.notice);
        notices.extend(blacklist_error.clone());
        let unreadable = loaded
            .unreadable
            .iter()
            .take(3)
            .map(|at| format!("`{}` {}; nothing in it is listed until that is fixed", at.path, at.why));
        notices.extend(unreadable);
        notices.extend(lost(&loaded.missing));
        let half_done = publish::half_done(env);
        notices.extend(half_done.unreadable.iter().cloned());
        let catalog = Arc::new(loaded.catalog);
        let keys = KeyFolder::default();
        Ok(Self {
            checkout,
            catalog,
            blacklist,
            blacklist_error,
            decisions,
            notices,
            half_done,
            revision,
            last_bump,
            keys,
            new: Vec::new(),
            files: None,
        })
    }

    /// The same registry with these entries too, where it does not have them.
    pub(crate) fn with_new(self: &Arc<Self>, addresses: impl Iterator<Item = Address>) -> Arc<Self> {
        let new: Vec<Address> = addresses.filter(|address| self.catalog.find(address).is_none()).collect();
        if new.is_empty() {
            return Arc::clone(self);
        }
        let mut rows = self.catalog.rows.clone();
        rows.extend(new.iter().map(|address| Row::new(address.clone(), Shape::default())));
        Arc::new(Self { new, ..self.of(rows) })
    }

    /// A registry of these files alone, data and keys, each by its path.
    pub(crate) fn of_files(&self, files: BTreeMap<String, Vec<u8>>) -> Self {
        let row = |(path, bytes): (&String, &Vec<u8>)| {
            let address = Address::from_path(path)?;
            let shape = Shape::parse(address.kind(), bytes);
            Some(Row::new(address, shape))
        };
        let like = self.of(files.iter().filter_map(row).collect());
        Self { keys: KeyFolder::of(&files), files: Some(files), ..like }
    }

    /// The same registry with these decisions.
    pub(crate) fn deciding(&self, decisions: Vec<Decision>) -> Self {
        Self { decisions, catalog: Arc::clone(&self.catalog), ..self.of(Vec::new()) }
    }

    /// The same with these entries.
    fn of(&self, rows: Vec<Row>) -> Self {
        Self {
            checkout: self.checkout.clone(),
            catalog: Arc::new(Catalog::new(rows, self.catalog.unreachable.clone())),
            blacklist: self.blacklist.clone(),
            blacklist_error: self.blacklist_error.clone(),
            decisions: self.decisions.clone(),
            notices: self.notices.clone(),
            half_done: self.half_done.clone(),
            revision: self.revision.clone(),
            last_bump: self.last_bump,
            keys: KeyFolder::default(),
            new: Vec::new(),
            files: None,
        }
    }

    /// Whether the registry has no file of it yet.
    pub(crate) fn is_new(&self, address: &Address) -> bool {
        self.new.contains(address)
    }

    /// That the registry went away since it was opened: what was not read of it then looks like what never was.
    pub(crate) fn is_gone(&self) -> Option<Failure> {
        gone(&self.checkout)
    }

    /// Says what a list would say first, unless somebody has: a job may be all that a command runs.
    pub(crate) fn tell_notices(&self, env: &Env, context: &Context) {
        if env.takes_notice() {
            for notice in self.notices.iter().chain(&self.half_done.words) {
                context.send(JobEvent::Note(notice.clone()));
            }
        }
    }

    /// The places of the rows that a scope names.
    pub(crate) fn select(&self, scope: &Scope) -> Result<Vec<usize>, Failure> {
        let rows = &self.catalog.rows;
        match scope {
            Scope::Everything => Ok((0..rows.len()).collect()),
            Scope::Prefix(_) => {
                Ok((0..rows.len()).filter(|place| scope.has(&rows[*place].address)).collect())
            }
            Scope::Addresses(addresses) => {
                let mut places = Vec::with_capacity(addresses.len());
                for address in addresses {
                    let place = self.catalog.place(address).ok_or_else(|| {
                        Failure::unregistered(format!("looking for `{address}`"), address, &self.catalog)
                    })?;
                    places.push(place);
                }
                places.sort_unstable();
                places.dedup();
                Ok(places)
            }
        }
    }

    /// Reads one data file as it is.
    pub(crate) fn bytes(&self, row: &Row) -> Result<Vec<u8>, String> {
        match &self.files {
            Some(files) => {
                files.get(&row.path()).cloned().ok_or_else(|| format!("`{}` was not read", row.path()))
            }
            None => self.checkout.read(&row.path()).map_err(|error| error.to_string()),
        }
    }

    /// Reads one data file as bytes, tree and typed view. The error is that entry's trouble, not the job's.
    pub(crate) fn reading(&self, row: &Row) -> Result<Reading, String> {
        if self.is_new(&row.address) {
            let (document, entry) = Entry::new_file(row.kind());
            return Ok(Reading { bytes: Vec::new(), document, entry });
        }
        let bytes = self.bytes(row)?;
        let read = Entry::read(row.kind(), &bytes);
        let (document, entry) = read.map_err(|error| format!("`{}`: {error}", row.path()))?;
        Ok(Reading { bytes, document, entry })
    }

    /// Reads one data file as bytes and typed view, much faster than with its tree.
    pub(crate) fn parsed(&self, row: &Row) -> Result<(Vec<u8>, Entry), String> {
        if self.is_new(&row.address) {
            return Ok((Vec::new(), Entry::new_file(row.kind()).1));
        }
        let bytes = self.bytes(row)?;
        let parsed = Entry::parse(row.kind(), &bytes);
        let entry = parsed.map_err(|error| format!("`{}`: {error}", row.path()))?;
        Ok((bytes, entry))
    }

    /// Reads one entry.
    pub(crate) fn entry(&self, row: &Row) -> Result<Entry, String> {
        self.parsed(row).map(|(_, entry)| entry)
    }
}

/// What the log says of the commit: its name and the last automatic bump. Nothing of it is worth failing for.
fn history(checkout: &Checkout) -> (String, Option<Timestamp>) {
    let head = checkout.head().ok().flatten();
    let revision = head.map_or_else(String::new, |head| {
        let short = short_id(&head.commit);
        head.branch.as_ref().map_or_else(|| short.to_owned(), |branch| format!("{branch}@{short}"))
    });
    (revision, checkout.bump_commit_time().ok().flatten())
}

/// What git tracks and the disk has not: those entries are not in the list.
fn lost(missing: &[String]) -> Option<String> {
    let first = missing.first()?;
    let more = if missing.len() > 1 { format!(" (and {} more)", missing.len() - 1) } else { String::new() };
    Some(format!(
        "`{first}`{more} is in git's index and not on disk, so it is not listed; `git checkout -- providers modules` brings back what was not removed on purpose"
    ))
}

fn read_blacklist(checkout: &Checkout) -> (Blacklist, Option<String>) {
    let read = match checkout.blacklist() {
        Ok(None) => return (Blacklist::default(), None),
        Ok(Some(bytes)) => Blacklist::parse(&bytes).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match read {
        Ok(list) => (list, None),
        Err(error) => (Blacklist::default(), Some(error)),
    }
}

pub(crate) fn gone(checkout: &Checkout) -> Option<Failure> {
    (!checkout.is_there()).then(|| {
        Failure::new(FailureKind::Data, format!("reading the registry `{}`", checkout.root().display()))
            .cause("it was moved or deleted while it was read")
            .hint("Put it back, or name it with --registry, then run the same command again.")
    })
}

fn no_registry() -> Failure {
    Failure::new(FailureKind::Usage, "looking for a registry")
        .cause("there is no `providers` or `modules` folder here or above, and none was named")
        .hint("Name a checkout with --registry PATH, get one with `bumpdesk clone`, or try `bumpdesk demo`.")
}

/// How the names of index files begin and end.
pub(super) const INDEX_NAMES: (&str, &str) = ("index-", ".bin");

/// The file in the cache folder for this registry and reference, and for whatever else tells one from another.
pub(super) fn cache_file(env: &Env, root: &Path, (begin, end): (&str, &str), more: &str) -> PathBuf {
    let key = format!("{}\n{}{more}", root.display(), env.reference.as_deref().unwrap_or(""));
    let name = crate::registry::digest(key.as_bytes());
    env.cache_dir.join(format!("{begin}{}{end}", &name[..16]))
}
