//! Looks at one file of a work tree or folder with one stat. It is read only when neither the last run nor git's own index
//! proves its bytes, and parsed only when those bytes are unknown.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use crate::registry::{Address, Row, Shape, object_id};
use crate::store::checkout::{RawId, hex_id};
use crate::store::files;
use crate::store::files::Stat;
use crate::store::index::Parse;
use crate::store::index::kept::KeptFile;
use crate::store::index::tracked::Tracked;

/// A path to look at, and what is known about it.
pub(super) struct Candidate<'a> {
    pub(super) path: &'a str,
    pub(super) tracked: Option<&'a Tracked>,
    pub(super) known: Option<&'a KeptFile<'a>>,
}

/// A file that is there.
pub(super) struct Seen<'a> {
    pub(super) file: KeptFile<'a>,
    /// None for a path without an address.
    pub(super) row: Option<Row>,
    pub(super) shape: ShapeFrom,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShapeFrom {
    Cache,
    Parse,
    Nowhere,
}

pub(super) struct Inspector<'a> {
    pub(super) root: &'a Path,
    pub(super) git: bool,
    /// Files that git's index shows as they were in the last run are not looked at.
    pub(super) trusts_git: bool,
    pub(super) now: i64,
    pub(super) parse: Parse<'a>,
    pub(super) known: &'a [KeptFile<'a>],
    /// Shapes by folder (a provider's is another than a module's) and blob id, made when first needed.
    pub(super) by_id: OnceLock<HashMap<(u8, RawId), &'a [u8]>>,
}

impl<'a> Inspector<'a> {
    /// Looks at one file; `None` if it is not there.
    pub(super) fn inspect(&self, candidate: &Candidate<'a>, buffer: &mut Vec<u8>) -> Option<Seen<'a>> {
        if self.trusts_git
            && let Some(seen) = self.trust(candidate)
        {
            return Some(seen);
        }
        let full = self.root.join(candidate.path);
        let metadata = match full.symlink_metadata() {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return None,
            other => other,
        };
        let address = files::address_of(candidate.path);
        let checked = metadata.and_then(|metadata| {
            files::check_regular(&metadata)?;
            Ok(Stat::of(&metadata))
        });
        let (address, stat) = match (address, checked) {
            (Some(address), Ok(stat)) => (address, stat),
            (Some(address), Err(cause)) => return Some(self.unreadable(candidate, address, &cause)),
            (None, _) => return Some(unaddressed(candidate.path)),
        };
        if let Some(known) = candidate.known
            && known.settled
            && known.stat == stat
            && known.id.is_some() == self.git
            && let Some(shape) = known.shape()
        {
            let encoded = Cow::Borrowed(&*known.shape);
            return Some(self.seen(candidate, address, stat, known.id, (shape, encoded, ShapeFrom::Cache)));
        }
        let read = self.read(candidate, &full, address.clone(), stat, buffer);
        Some(read.unwrap_or_else(|cause| self.unreadable(candidate, address, &cause)))
    }

    /// What was known, if the file was clean and git has not moved on.
    fn trust(&self, candidate: &Candidate<'a>) -> Option<Seen<'a>> {
        let known = candidate.known.filter(|known| !known.dirty && known.id.is_some())?;
        candidate.tracked.filter(|tracked| tracked.id == known.id)?;
        let shape = (known.shape()?, Cow::Borrowed(&*known.shape), ShapeFrom::Cache);
        let mut seen = self.seen(candidate, files::address_of(candidate.path)?, known.stat, known.id, shape);
        // Not looked at, so no more proven than before.
        seen.file.settled = known.settled;
        Some(seen)
    }

    /// The rest of [`Self::inspect`] for a file that the last run does not prove: git's index may, else its bytes do.
    fn read(
        &self,
        candidate: &Candidate<'a>,
        full: &Path,
        address: Address,
        stat: Stat,
        buffer: &mut Vec<u8>,
    ) -> io::Result<Seen<'a>> {
        let tracked =
            candidate.tracked.filter(|tracked| tracked.proof.is_some_and(|proof| proof.holds(&stat)));
        let proven = tracked.and_then(|tracked| tracked.id);
        if let Some((id, shape)) = proven.and_then(|id| Some((id, self.known_shape(candidate, &id)?))) {
            return Ok(self.seen(candidate, address, stat, Some(id), shape));
        }
        let opened = files::read_regular(full, buffer)?;
        let hash = || proven.filter(|_| opened == stat).unwrap_or_else(|| object_id("blob", buffer));
        let id = self.git.then(hash);
        let shape = id.and_then(|id| self.known_shape(candidate, &id)).unwrap_or_else(|| {
            let shape = (self.parse)(address.kind(), buffer);
            let encoded = postcard::to_stdvec(&shape).unwrap_or_default();
            (shape, Cow::Owned(encoded), ShapeFrom::Parse)
        });
        Ok(self.seen(candidate, address, opened, id, shape))
    }

    fn known_shape(&self, candidate: &Candidate<'a>, id: &RawId) -> Option<FoundShape<'a>> {
        let by_path = candidate.known.filter(|known| known.id.as_ref() == Some(id));
        let encoded = match by_path {
            Some(known) => &*known.shape,
            None => self.by_id().get(&key(candidate.path, id)).copied()?,
        };
        Some((postcard::from_bytes(encoded).ok()?, Cow::Borrowed(encoded), ShapeFrom::Cache))
    }

    fn by_id(&self) -> &HashMap<(u8, RawId), &'a [u8]> {
        self.by_id.get_or_init(|| {
            let known = self.known.iter();
            known.filter_map(|known| Some((key(known.path, known.id.as_ref()?), &*known.shape))).collect()
        })
    }

    fn seen(
        &self,
        candidate: &Candidate<'a>,
        address: Address,
        stat: Stat,
        id: Option<RawId>,
        (shape, encoded, from): FoundShape<'a>,
    ) -> Seen<'a> {
        let dirty = self.git && candidate.tracked.is_none_or(|tracked| tracked.id != id);
        let settled = stat.settled(self.now);
        let blob = id.as_ref().map(hex_id).unwrap_or_default();
        Seen {
            file: KeptFile { path: candidate.path, id, stat, settled, dirty, shape: encoded },
            row: Some(Row { address, blob, dirty, lint: None, shape }),
            shape: from,
        }
    }

    fn unreadable(&self, candidate: &Candidate<'a>, address: Address, cause: &io::Error) -> Seen<'a> {
        let broken = Some(format!("cannot be read: {cause}").into());
        let shape = Shape { broken, ..Shape::default() };
        let shape = (shape, Cow::Borrowed(&[][..]), ShapeFrom::Nowhere);
        self.seen(candidate, address, Stat { modified: i64::MAX, ..Stat::default() }, None, shape)
    }
}

/// A shape, its encoding, and where it came from.
type FoundShape<'a> = (Shape, Cow<'a, [u8]>, ShapeFrom);

fn key(path: &str, id: &RawId) -> (u8, RawId) {
    (path.as_bytes().first().copied().unwrap_or_default(), *id)
}

fn unaddressed(path: &str) -> Seen<'_> {
    let stat = Stat::default();
    let shape = Cow::Borrowed(&[][..]);
    let file = KeptFile { path, id: None, stat, settled: false, dirty: false, shape };
    Seen { file, row: None, shape: ShapeFrom::Nowhere }
}
