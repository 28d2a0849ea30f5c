//! The cache file: what is known about each data file and folder since the last run.
//!
//! `magic, format, checksum, length`, then postcard. Decoding borrows from the file's bytes; a shape is decoded only when
//! its row is made.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use serde::Deserialize;
use serde::Deserializer;
use serde::Serialize;
use serde::Serializer;

use crate::registry::Shape;
use crate::store::Error;
use crate::store::atomic::Replacement;
use crate::store::checkout::Dir;
use crate::store::checkout::RawId;
use crate::store::files::Stat;

const MAGIC: &[u8; 16] = b"bumpdesk index\n\0";
/// The format of this file, apart from the shapes in it.
const FORMAT: u32 = 1;
const HEADER_BYTES: usize = 16 + 4 + 4 + 8;
const CAP_BYTES: u64 = 256 << 20;

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
    pub(super) root: Cow<'a, str>,
    pub(super) shape_format: u32,
    pub(super) origin: Origin<'a>,
    /// Sorted by path.
    pub(super) files: Vec<KeptFile<'a>>,
    /// Sorted by path; empty where folders do not matter.
    pub(super) dirs: Vec<Dir<'a>>,
}

#[derive(Clone, Debug)]
pub(super) struct KeptFile<'a> {
    pub(super) path: &'a str,
    /// The blob id of the bytes; none in a plain folder.
    pub(super) id: Option<RawId>,
    pub(super) stat: Stat,
    /// Whether the stat values prove the bytes.
    pub(super) settled: bool,
    pub(super) dirty: bool,
    /// The postcard of a [`Shape`]; empty where there is none, since the file has no address or could not be read.
    pub(super) shape: Cow<'a, [u8]>,
}

impl KeptFile<'_> {
    pub(super) fn shape(&self) -> Option<Shape> {
        postcard::from_bytes(&self.shape).ok()
    }
}

/// The bytes of a cache file, or nothing.
pub(super) struct KeptBuffer(Vec<u8>);

impl KeptBuffer {
    pub(super) fn read(path: &Path) -> Self {
        let small = path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= CAP_BYTES);
        Self(if small { std::fs::read(path).unwrap_or_default() } else { Vec::new() })
    }

    /// `None` on any doubt: another format, another registry, a wrong checksum.
    pub(super) fn decode(&self, root: &Path, shape_format: u32) -> Option<Kept<'_>> {
        let (header, payload) = self.0.split_at_checked(HEADER_BYTES)?;
        if header != self::header(payload) {
            return None;
        }
        let stored: Stored<'_> = postcard::from_bytes(payload).ok()?;
        if stored.shape_format != shape_format || stored.root != root.to_str()? {
            return None;
        }
        let files: Vec<_> = stored.files.into_iter().map(StoredFile::into_kept).collect::<Option<_>>()?;
        let sorted = files.is_sorted_by(|a, b| a.path < b.path);
        let dirs = stored.dirs.into_iter().map(|(path, stat, settled)| Dir {
            path: Cow::Borrowed(path),
            stat,
            settled,
        });
        sorted.then(|| Kept {
            root: Cow::Borrowed(stored.root),
            shape_format,
            origin: stored.origin,
            files,
            dirs: dirs.collect(),
        })
    }
}

impl Kept<'_> {
    pub(super) fn write(&self, path: &Path) -> Result<(), Error> {
        let failed = |cause| Error::from_write(path, cause);
        let files = self.files.iter().map(StoredFile::of).collect();
        let dirs = self.dirs.iter().map(|dir| (&*dir.path, dir.stat, dir.settled)).collect();
        let stored = Stored {
            root: &self.root,
            shape_format: self.shape_format,
            origin: self.origin.clone(),
            files,
            dirs,
        };
        let payload =
            postcard::to_stdvec(&stored).map_err(|error| failed(std::io::Error::other(error.to_string())))?;
        let mut replacement = Replacement::begin(path, None).map_err(failed)?;
        let file = replacement.file();
        file.write_all(&header(&payload)).and_then(|()| file.write_all(&payload)).map_err(failed)?;
        // Not durable: a file that a power cut leaves in pieces fails its checksum and is made again.
        replacement.finish().map_err(failed)
    }
}

fn header(payload: &[u8]) -> [u8; HEADER_BYTES] {
    let mut sum = flate2::Crc::new();
    sum.update(payload);
    let mut header = [0; HEADER_BYTES];
    header[..16].copy_from_slice(MAGIC);
    header[16..20].copy_from_slice(&FORMAT.to_le_bytes());
    header[20..24].copy_from_slice(&sum.sum().to_le_bytes());
    header[24..].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    header
}

#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    root: &'a str,
    shape_format: u32,
    #[serde(borrow)]
    origin: Origin<'a>,
    #[serde(borrow)]
    files: Vec<StoredFile<'a>>,
    #[serde(borrow)]
    dirs: Vec<(&'a str, Stat, bool)>,
}

#[derive(Serialize, Deserialize)]
struct StoredFile<'a> {
    path: &'a str,
    #[serde(borrow)]
    id: Bytes<'a>,
    stat: Stat,
    settled: bool,
    dirty: bool,
    #[serde(borrow)]
    shape: Bytes<'a>,
}

impl<'a> StoredFile<'a> {
    fn of(file: &'a KeptFile<'_>) -> Self {
        Self {
            path: file.path,
            id: Bytes(file.id.as_ref().map_or(&[], |id| id)),
            stat: file.stat,
            settled: file.settled,
            dirty: file.dirty,
            shape: Bytes(&file.shape),
        }
    }

    fn into_kept(self) -> Option<KeptFile<'a>> {
        let id = if self.id.0.is_empty() { None } else { Some(self.id.0.try_into().ok()?) };
        let shape = Cow::Borrowed(self.shape.0);
        let Self { path, stat, settled, dirty, .. } = self;
        Some(KeptFile { path, id, stat, settled, dirty, shape })
    }
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
