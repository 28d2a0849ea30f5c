//! The cache file: what is known about each data file and folder since the last run.
//!
//! Postcard. Decoding borrows from the bytes of the file; a shape is decoded only when its row is made.

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::registry::Shape;
use crate::store::Error;
use crate::store::cache_file::{CacheFile, CacheFormat};
use crate::store::checkout::{Dir, RawId};
use crate::store::files::{Stat, path_order};
use crate::store::index::on_two_threads;

/// The format of this file, apart from the shapes in it.
const FORMAT: CacheFormat = CacheFormat { magic: b"bumpdesk index\n\0", number: 2 };

/// What was read last time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Origin<'a> {
    /// A work tree with git's index in that state.
    #[serde(borrow)]
    Index(Cow<'a, [u8]>),
    /// The commit with that id.
    Commit(Cow<'a, str>),
    /// A folder.
    Folder,
}

/// The decoded cache file.
#[derive(Debug)]
pub(super) struct Kept<'a> {
    pub(super) origin: Origin<'a>,
    /// In path order.
    pub(super) files: Vec<KeptFile<'a>>,
    dirs: &'a [u8],
}

/// What the next cache file is made of.
pub(super) struct ToKeep<'a> {
    pub(super) root: &'a str,
    pub(super) shape_format: u32,
    pub(super) origin: Origin<'a>,
    /// In path order.
    pub(super) files: &'a [&'a KeptFile<'a>],
    /// Sorted by path; empty where folders do not matter.
    pub(super) dirs: &'a [Dir<'a>],
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptFile<'a> {
    pub(super) path: &'a str,
    /// The blob id of the bytes; none in a plain folder.
    #[serde(with = "optional_id")]
    pub(super) id: Option<RawId>,
    pub(super) stat: Stat,
    /// Whether the stat values prove the bytes.
    pub(super) settled: bool,
    pub(super) dirty: bool,
    /// The postcard of a [`Shape`]; empty where there is none, since the file has no address or could not be read.
    #[serde(borrow, with = "bytes")]
    pub(super) shape: Cow<'a, [u8]>,
}

impl KeptFile<'_> {
    pub(super) fn shape(&self) -> Option<Shape> {
        postcard::from_bytes(&self.shape).ok()
    }
}

/// The bytes of a cache file, or nothing.
pub(super) struct KeptBuffer(CacheFile);

impl KeptBuffer {
    pub(super) fn read(path: &Path) -> Self {
        Self(FORMAT.read(path))
    }

    /// What was read last time, without its files. `None` on any doubt.
    pub(super) fn origin(&self, root: &Path, shape_format: u32) -> Option<Origin<'_>> {
        Some(self.stored(root, shape_format)?.origin)
    }

    /// `None` on any doubt: another format, another registry.
    fn stored(&self, root: &Path, shape_format: u32) -> Option<Stored<'_>> {
        let stored: Stored<'_> = postcard::from_bytes(self.0.payload()).ok()?;
        (stored.shape_format == shape_format && stored.root == root.to_str()?).then_some(stored)
    }

    /// `None` on any doubt, as above.
    pub(super) fn decode(&self, root: &Path, shape_format: u32) -> Option<Kept<'_>> {
        let stored = self.stored(root, shape_format)?;
        let Stored { first: Bytes(first), second: Bytes(second), dirs: Bytes(dirs), origin, .. } = stored;
        let files = |half| postcard::from_bytes::<Vec<KeptFile<'_>>>(half).ok();
        let (first, second) = on_two_threads(|| files(first), || files(second));
        let mut files = first?;
        files.extend(second?);
        let sorted = files.is_sorted_by(|a, b| path_order(a.path, b.path).is_lt());
        sorted.then_some(Kept { origin, files, dirs })
    }
}

impl<'a> Kept<'a> {
    /// The folders, sorted by path; none, so that all are walked, if they cannot be read.
    pub(super) fn dirs(&self) -> Vec<Dir<'a>> {
        let dirs: Vec<(&str, Stat, bool)> = postcard::from_bytes(self.dirs).unwrap_or_default();
        let dir = |(path, stat, settled)| Dir { path: Cow::Borrowed(path), stat, settled };
        dirs.into_iter().map(dir).collect()
    }
}

impl ToKeep<'_> {
    pub(super) fn write(&self, path: &Path) -> Result<(), Error> {
        let payload = self.encode().map_err(|error| Error::from_write(path, std::io::Error::other(error)))?;
        FORMAT.write(path, &payload)
    }

    fn encode(&self) -> postcard::Result<Vec<u8>> {
        let (first, second) = self.files.split_at(self.files.len() / 2);
        let (first, second) = on_two_threads(|| postcard::to_stdvec(first), || postcard::to_stdvec(second));
        let dirs: Vec<_> = self.dirs.iter().map(|dir| (&*dir.path, dir.stat, dir.settled)).collect();
        let (first, second, dirs) = (first?, second?, postcard::to_stdvec(&dirs)?);
        let payload = Vec::with_capacity(first.len() + second.len() + dirs.len() + (8 << 10));
        let stored = Stored {
            root: self.root,
            shape_format: self.shape_format,
            origin: self.origin.clone(),
            first: Bytes(&first),
            second: Bytes(&second),
            dirs: Bytes(&dirs),
        };
        postcard::to_extend(&stored, payload)
    }
}

/// The whole file. Its large parts are postcards of their own: the two halves of the files are decoded on two threads, the
/// folders only when they are wanted.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    root: &'a str,
    shape_format: u32,
    #[serde(borrow)]
    origin: Origin<'a>,
    #[serde(borrow)]
    first: Bytes<'a>,
    #[serde(borrow)]
    second: Bytes<'a>,
    #[serde(borrow)]
    dirs: Bytes<'a>,
}

/// Bytes that serde moves as a whole and borrows; a plain slice goes byte by byte when it is written.
struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Bytes<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(deserializer).map(Self)
    }
}

mod bytes {
    use super::{Bytes, Cow, Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        Bytes(bytes).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Cow<'de, [u8]>, D::Error> {
        Bytes::deserialize(deserializer).map(|bytes| Cow::Borrowed(bytes.0))
    }
}

mod optional_id {
    use super::{Bytes, Deserialize, Deserializer, RawId, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde hands the field over like that")]
    pub(super) fn serialize<S: Serializer>(id: &Option<RawId>, serializer: S) -> Result<S::Ok, S::Error> {
        Bytes(id.as_ref().map_or(&[], |id| id)).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RawId>, D::Error> {
        let Bytes(bytes) = Bytes::deserialize(deserializer)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        bytes.try_into().map(Some).map_err(serde::de::Error::custom)
    }
}
