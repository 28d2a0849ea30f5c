//! Unpacked bytes on their way from [`Unpack`](super::Unpack) to the hash: the contents of entries one after another, with
//! marks where each ends. Plain data, made once and used again, so that both sides may stand on one thread or on two.

/// Large enough that handing one over costs nothing beside hashing it, small enough to stay in a core's cache.
const BYTES: usize = 256 << 10;
/// Less room than this is not worth an inflate call.
const ROOM_BYTES: usize = 4 << 10;
/// Ends of entries; empty entries take no bytes.
const ENDS: usize = 1024;

/// A piece of what an archive's entries unpack to; at most 256 KiB.
#[derive(Debug)]
pub(crate) struct Batch {
    bytes: Box<[u8]>,
    used: usize,
    ends: Vec<usize>,
}

impl Default for Batch {
    fn default() -> Self {
        Self { bytes: vec![0; BYTES].into_boxed_slice(), used: 0, ends: Vec::with_capacity(ENDS + 1) }
    }
}

impl Batch {
    /// Whether it has to be hashed and cleared before more can be unpacked.
    pub(crate) fn is_full(&self) -> bool {
        BYTES - self.used < ROOM_BYTES || self.ends.len() >= ENDS
    }

    /// Makes it as new, keeping its buffer.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.ends.clear();
    }

    pub(crate) fn room(&mut self) -> &mut [u8] {
        &mut self.bytes[self.used..]
    }

    pub(crate) fn filled(&mut self, bytes: usize) {
        self.used += bytes;
    }

    pub(crate) fn end_entry(&mut self) {
        self.ends.push(self.used);
    }

    /// The pieces in order, and whether an entry ends with each.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (&[u8], bool)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ends = self.ends.iter().map(|&end| (end, true)).chain(std::iter::once((self.used, false)));
        starts.zip(ends).map(|(start, (end, is_end))| (&self.bytes[start..end], is_end))
    }
}
