//! What is unusual about an archive that has an h1: kept short, one line a kind, whatever the number of entries.

use crate::rules::archive::{Listing, shown};

/// A kind of oddity, how often it was met, and the first entry that showed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) kind: RemarkKind,
    /// Entries; bytes for what stands in front of or behind the archive.
    pub(crate) count: u64,
    /// The name of an entry, cut to 120 bytes; empty where no entry is meant.
    pub(crate) example: String,
}

/// What is unusual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub(crate) enum RemarkKind {
    /// They count in the form of a zip and not in the form of a directory.
    #[error("folders have entries of their own")]
    Folder,
    /// Only the last one's content counts.
    #[error("several entries have one name")]
    Duplicate,
    #[error("names begin with a slash")]
    Absolute,
    #[error("names lead out of the folder")]
    Outside,
    #[error("names hold a NUL byte")]
    Nul,
    #[error("names hold a backslash")]
    Backslash,
    #[error("entries are said to be encrypted and are not")]
    Encrypted,
    #[error("entries have no checksum")]
    Unchecked,
    #[error("entries are broken, and a later one has the same name")]
    Hidden,
    #[error("bytes come before the archive")]
    Leading,
    #[error("bytes come after the archive")]
    Trailing,
}

/// Collects remarks.
#[derive(Debug, Default)]
pub(super) struct Remarks(Vec<Remark>);

impl Remarks {
    /// What the names alone show.
    pub(super) fn of_names(listing: &Listing) -> Self {
        let mut remarks = Self::default();
        for (entry, name) in listing.entries().iter().zip(listing.names()) {
            let mut parts = name.split(|byte| matches!(byte, b'/' | b'\\'));
            let shown = [
                (entry.is_folder, RemarkKind::Folder),
                (name.starts_with(b"/"), RemarkKind::Absolute),
                (parts.any(|part| part == b".."), RemarkKind::Outside),
                (name.contains(&0), RemarkKind::Nul),
                (name.contains(&b'\\'), RemarkKind::Backslash),
            ];
            for (_, kind) in shown.into_iter().filter(|(is_so, _)| *is_so) {
                remarks.entry(kind, name);
            }
        }
        let mut names: Vec<&[u8]> = listing.names().collect();
        names.sort_unstable();
        for pair in names.windows(2).filter(|pair| pair[0] == pair[1]) {
            remarks.entry(RemarkKind::Duplicate, pair[0]);
        }
        remarks
    }

    pub(super) fn entry(&mut self, kind: RemarkKind, name: &[u8]) {
        match self.0.iter_mut().find(|remark| remark.kind == kind) {
            Some(remark) => remark.count += 1,
            None => self.0.push(Remark { kind, count: 1, example: shown(name) }),
        }
    }

    pub(super) fn bytes(&mut self, kind: RemarkKind, count: u64) {
        if count > 0 {
            self.0.push(Remark { kind, count, example: String::new() });
        }
    }

    /// In the order of the kinds.
    pub(super) fn finish(mut self) -> Vec<Remark> {
        self.0.sort_by_key(|remark| remark.kind);
        self.0
    }
}
