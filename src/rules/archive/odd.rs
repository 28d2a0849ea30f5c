//! Why a zip cannot be trusted while it arrives. Not errors: a reason to look at it whole.

use super::limits::Limit;

/// The first thing in a streamed archive that was not as it should be, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{odd}{}", .entry.as_ref().map(|name| format!(" (`{name}`)")).unwrap_or_default())]
pub struct Reason {
    pub(crate) odd: Odd,
    /// How many bytes had been read; 0 where it showed when all were.
    pub(crate) offset_bytes: u64,
    /// The name of the entry in question, cut to 120 bytes.
    pub(crate) entry: Option<String>,
}

/// What was odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Odd {
    #[error("it does not begin with an entry")]
    Start,
    #[error("something that is not an entry lies between the entries or before the directory")]
    Gap,
    #[error("bytes follow its end")]
    Trailing,
    #[error("it stops before its end")]
    Truncated,
    #[error("an entry is said to be encrypted, patched or masked")]
    Encrypted,
    #[error("an entry is packed with method {0}")]
    Method(u16),
    #[error("a stored entry has its size after it, so nothing says where it ends")]
    StoredWithDescriptor,
    #[error("an entry's content is not a valid deflate stream")]
    Deflate,
    #[error("an entry's packed size is not what its header says")]
    PackedSize,
    #[error("an entry's unpacked size is not what its header says")]
    RawSize,
    #[error("what follows an entry's content is not its sizes")]
    Descriptor,
    #[error("an entry's checksum is wrong")]
    Checksum,
    #[error("a folder has content")]
    FolderContent,
    #[error("a zip64 field or record is missing or incomplete")]
    Zip64,
    #[error("the central directory and the entry's own header differ in the {0}")]
    Differs(Field),
    #[error("the central directory does not list the number of entries that there are")]
    Count,
    #[error("the record at the end does not describe the central directory that is there")]
    End,
    #[error("it belongs to a set of several disks")]
    Disks,
    #[error("its comment holds what may be taken for its end")]
    Comment,
    #[error("an entry's name holds a line break")]
    LineBreak,
    #[error("{0}")]
    Limit(#[from] Limit),
    /// Not the archive's fault: the hashes that were handed over are not those of this listing.
    #[error("not all of it was hashed")]
    Unhashed,
}

/// Where two records of one entry differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Field {
    #[error("name")]
    Name,
    #[error("flags")]
    Flags,
    #[error("method")]
    Method,
    #[error("checksum")]
    Checksum,
    #[error("packed size")]
    PackedSize,
    #[error("unpacked size")]
    RawSize,
    #[error("place")]
    Offset,
}
