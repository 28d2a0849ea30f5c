//! h1 of a whole archive by its central directory: what Go's `archive/zip` and `dirhash` make of it, within limits.

use std::io::{Read, Seek};

use sha2::{Digest, Sha256};

use super::Hashes;
use super::forms::{Binaries, Sum, directory_form};
use super::remark::{RemarkKind, Remarks};
use crate::rules::archive::{
    Central, Contents, EntryFault, Head, Limit, Limits, NoDirectory, NotZip, Stop, shown,
};

/// Why an archive has no h1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoHash {
    #[error("not a readable zip: {0}")]
    NotZip(#[from] NotZip),
    #[error("an entry's name holds a line break, which h1 cannot express (`{0}`)")]
    LineBreak(String),
    #[error("the entry `{name}` cannot be read: {fault}")]
    Entry { name: String, fault: EntryFault },
    #[error(transparent)]
    Unlockable(Box<Unlockable>),
    /// Not computed; nothing is said about what Go would make of it.
    #[error("the archive is beyond what this program reads: {0}")]
    Limit(#[from] Limit),
    /// The copy could not be read, whatever the archive is.
    #[error("the archive could not be read: {0}")]
    Read(String),
}

/// An archive that clients unpack although it has no h1, such as one with a folder that has content: clients do not open a folder's
/// entry when they unpack. The first installation works, and the next one, with its lock file, does not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Unlockable {
    pub why: NoHash,
    /// The form of the directory, with its prefix.
    pub directory: String,
    pub(crate) binaries: Binaries,
}

impl From<NoDirectory> for NoHash {
    fn from(why: NoDirectory) -> Self {
        match why {
            NoDirectory::Read(error) => Self::Read(error.to_string()),
            NoDirectory::NotZip(why) => Self::NotZip(why),
            NoDirectory::Limit(limit) => Self::Limit(limit),
        }
    }
}

/// Computes both forms of h1 over a whole archive.
///
/// # Errors
/// It has no h1, or is beyond the limits, or could not be read.
pub fn hash_archive<R: Read + Seek>(mut archive: R, limits: &Limits) -> Result<Hashes, NoHash> {
    let mut central = Central::read(&mut archive, limits)?;
    let listing = &central.listing;
    let mut remarks = Remarks::of_names(listing);
    let mut heads = Vec::new();
    remarks.bytes(RemarkKind::Leading, central.leading_bytes);
    remarks.bytes(RemarkKind::Trailing, central.trailing_bytes);
    let mut contents = Contents::new(&mut archive, central.size_bytes, limits);
    let mut sums: Vec<Sum> = Vec::with_capacity(listing.len());
    let mut sha256 = Sha256::new();
    for (entry, name) in listing.entries().iter().zip(listing.names()) {
        let mut head = Head::of(name);
        let read = contents.read(entry, name.ends_with(b"/"), &mut |piece| {
            sha256.update(piece);
            head.push(piece);
        });
        let sum: [u8; 32] = sha256.finalize_reset().into();
        match read {
            Ok(is_checked) => {
                if !is_checked {
                    remarks.entry(RemarkKind::Unchecked, name);
                }
                if entry.is_said_encrypted() {
                    remarks.entry(RemarkKind::Encrypted, name);
                }
                heads.push((sums.len(), head));
                sums.push(Ok(sum));
            }
            Err(Stop::Fault(fault)) => {
                remarks.entry(RemarkKind::Hidden, name);
                sums.push(Err(fault));
            }
            Err(Stop::Limit(limit)) => return Err(NoHash::Limit(limit)),
            Err(Stop::Read(error)) => return Err(NoHash::Read(error.to_string())),
        }
    }
    let raw_bytes = contents.raw_bytes();
    for (place, head) in heads {
        central.listing.keep_head(place, head);
    }
    let listing = &central.listing;
    let why = match listing.names().find(|name| name.contains(&b'\n')) {
        Some(name) => NoHash::LineBreak(shown(name)),
        None => match Hashes::of(listing, &sums, raw_bytes, remarks) {
            Ok(hashes) => return Ok(hashes),
            Err((place, fault)) => {
                NoHash::Entry { name: listing.names().nth(place).map(shown).unwrap_or_default(), fault }
            }
        },
    };
    Err(match directory_form(listing, &sums) {
        Ok(directory) => {
            NoHash::Unlockable(Box::new(Unlockable { why, directory, binaries: Binaries::of(listing) }))
        }
        Err(_) => why,
    })
}
