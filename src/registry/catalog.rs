//! One summary row per data file: what lists, filters and surveys need, without the 260 MB of bodies.

use serde::{Deserialize, Serialize};

use crate::registry::{Address, Kind};

/// The summary of one data file. About 27,500 of them stay in memory, so it is kept small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub address: Address,
    /// The git blob id of the bytes, hex; empty when the registry is no git repository.
    pub blob: Box<str>,
    /// The file differs from the commit that is checked out.
    pub dirty: bool,
    /// How many findings the last lint of just these bytes had; `None`: it never looked at them.
    pub lint: Option<u32>,
    pub shape: Shape,
}

impl Row {
    /// A file of which git says nothing, and that was never linted.
    pub fn new(address: Address, shape: Shape) -> Self {
        Self { address, blob: Box::default(), dirty: false, lint: None, shape }
    }
}

/// What one parse of a data file gives. Depends on the bytes alone, so it can be stored by blob id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Why the file could not be read, with line and column; everything else is then empty.
    pub broken: Option<Box<str>>,
    /// The versions as stored (module tags raw), in file order, joined by `\n`.
    pub versions: Box<str>,
    pub version_count: u32,
    /// Which of [`Shape::version_list`] is the highest by the registry's order, from 0.
    pub highest_at: u32,
    /// Targets of all versions.
    pub target_count: u32,
    /// Targets whose `h1` is missing or empty, or whose `size` is missing or 0.
    pub unhashed_targets: u32,
    /// A data file with only the versions that clients may refuse because a field has an unusual form; empty for nearly
    /// every file.
    pub unusual: Box<str>,
    /// The number of a module's versions that have a recorded commit.
    pub commit_count: u32,
    /// Records in `versions_errors`.
    pub error_count: u32,
    pub warning_count: u32,
    pub size_bytes: u32,
    /// The newest `discovered` of any version.
    pub discovered: Option<jiff::Timestamp>,
}

impl Shape {
    pub(crate) fn version_list(&self) -> impl Iterator<Item = &str> {
        self.versions.split('\n').filter(|version| !version.is_empty())
    }

    /// The highest version by the registry's order, as stored.
    pub(crate) fn highest(&self) -> Option<&str> {
        self.version_list().nth(self.highest_at as usize)
    }
}

impl Row {
    pub(crate) fn kind(&self) -> Kind {
        self.address.kind()
    }

    pub(crate) fn path(&self) -> String {
        self.address.path()
    }
}

/// All rows, sorted by kind and address, and what was skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    pub rows: Vec<Row>,
    /// Data paths that the registry's own listing skips, such as files one directory too deep.
    pub unreachable: Vec<String>,
}

impl Catalog {
    /// Sorts the rows and makes the catalog.
    pub fn new(mut rows: Vec<Row>, mut unreachable: Vec<String>) -> Self {
        rows.sort_unstable_by(|a, b| a.address.cmp(&b.address));
        unreachable.sort_unstable();
        Self { rows, unreachable }
    }

    pub(crate) fn find(&self, address: &Address) -> Option<&Row> {
        self.rows.get(self.place(address)?)
    }

    /// Where its row stands.
    pub(crate) fn place(&self, address: &Address) -> Option<usize> {
        self.rows.binary_search_by(|row| row.address.cmp(address)).ok()
    }
}
