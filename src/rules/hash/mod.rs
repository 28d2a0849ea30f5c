//! zh and h1: what an archive hashes to (`registry.md#hashes`).
//!
//! [`Stream`] hashes a body and its entries while it arrives; what it cannot be sure of is left to [`hash_archive`], which
//! reads a whole copy by its central directory as the registry and the client do. No files, threads or clocks here: bytes and
//! readers come from the callers in `jobs`.

mod body;
mod entries;
mod exact;
mod forms;
mod remark;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use body::{BodyHash, BodySum};
pub(crate) use entries::{EntryHash, EntrySum};
pub use exact::{NoHash, Unlockable, hash_archive};
pub(crate) use forms::Binaries;
pub use forms::NotInstallable;
pub(crate) use remark::Remark;
#[cfg(test)]
pub(crate) use remark::RemarkKind;
pub(crate) use stream::conclude;
pub use stream::{Finished, Outcome, Stream};

use crate::rules::archive::{EntryFault, Listing};

/// What an archive's contents hash to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashes {
    /// The form of a zip, with its prefix: the registry's.
    pub h1: String,
    /// The form of the directory that the client unpacks it to, with its prefix; or why the client cannot.
    pub directory: Result<String, NotInstallable>,
    pub(crate) binaries: Binaries,
    pub entry_count: usize,
    /// All contents together, unpacked.
    pub raw_bytes: u64,
    /// What is unusual about the archive, in the order of the kinds.
    pub(crate) remarks: Vec<Remark>,
}

impl Hashes {
    /// Whether an installed package hashes to something else than the archive: then a lock file made from the one does not
    /// fit the other.
    pub(crate) fn forms_differ(&self) -> bool {
        self.directory.as_ref() != Ok(&self.h1)
    }

    fn of(
        listing: &Listing,
        sums: &[forms::Sum],
        raw_bytes: u64,
        remarks: remark::Remarks,
    ) -> Result<Self, (usize, EntryFault)> {
        Ok(Self {
            h1: forms::zip_form(listing, sums)?,
            directory: forms::directory_form(listing, sums),
            binaries: Binaries::of(listing),
            entry_count: listing.len(),
            raw_bytes,
            remarks: remarks.finish(),
        })
    }
}
