//! One opened registry: its files, its catalog, its blacklist, and its keys (`keys`). `opening` reads it.

mod keys;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::data::{Failure, FailureKind, Scope};
use crate::registry::{Address, Blacklist, Catalog, Decision, Document, Entry, Row, Shape};
use crate::rules::sending::Course;
use crate::store::Checkout;

use keys::KeyFolder;

/// One data file, read once for all its findings.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) bytes: Vec<u8>,
    pub(crate) document: Document,
    pub(crate) entry: Entry,
}

/// Sendings of earlier runs that were cut off and wait to be continued or taken back, the newest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct HalfDone {
    /// Each in words, with the commands that do it.
    pub(crate) words: Vec<String>,
    /// Each as consoles show it; behind what it takes back, if it does.
    pub(crate) courses: Vec<Arc<Course>>,
    /// The reasons why sendings cannot be read.
    pub(crate) unreadable: Vec<String>,
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
    pub(crate) half_done: HalfDone,
    /// `main@f00f6d5`; empty where there is no git.
    pub(crate) revision: String,
    pub(crate) last_bump: Option<Timestamp>,
    keys: KeyFolder,
    /// Entries of the catalog that the registry does not have yet, as the registry's own tool begins them.
    new: Vec<Address>,
    /// All files by path, if they are not those of the checkout.
    files: Option<BTreeMap<String, Vec<u8>>>,
}

impl Session {
    /// The registry as its files were read, before git and earlier runs are asked about it.
    pub(super) fn new(
        checkout: Checkout,
        catalog: Catalog,
        (blacklist, blacklist_error): (Blacklist, Option<String>),
        decisions: Vec<Decision>,
    ) -> Self {
        Self {
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
        }
    }

    /// Adds these entries to the registry, where it does not have them.
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

    /// Copies the registry with these decisions.
    pub(crate) fn deciding(&self, decisions: Vec<Decision>) -> Self {
        Self { decisions, catalog: Arc::clone(&self.catalog), ..self.of(Vec::new()) }
    }

    /// Copies the registry with these entries.
    fn of(&self, rows: Vec<Row>) -> Self {
        let catalog = Catalog::new(rows, self.catalog.unreachable.clone());
        let blacklist = (self.blacklist.clone(), self.blacklist_error.clone());
        Self {
            notices: self.notices.clone(),
            half_done: self.half_done.clone(),
            revision: self.revision.clone(),
            last_bump: self.last_bump,
            ..Self::new(self.checkout.clone(), catalog, blacklist, self.decisions.clone())
        }
    }

    /// Returns true if the registry has no file for it yet.
    pub(crate) fn is_new(&self, address: &Address) -> bool {
        self.new.contains(address)
    }

    /// The failure if the registry went away since it was opened: files that were not read then look like files that never
    /// existed.
    pub(crate) fn is_gone(&self) -> Option<Failure> {
        gone(&self.checkout)
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

pub(crate) fn gone(checkout: &Checkout) -> Option<Failure> {
    (!checkout.is_there()).then(|| {
        Failure::new(FailureKind::Data, format!("reading the registry `{}`", checkout.root().display()))
            .cause("it was moved or deleted while it was read")
            .hint("Put it back, or name it with --registry, then run the same command again.")
    })
}
