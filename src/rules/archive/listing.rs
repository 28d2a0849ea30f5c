//! The entries that an archive was found to have, in order, held compactly: one arena of names, 48 bytes an entry.

use super::layout;
use super::layout::CentralHeader;

/// The entries of an archive, in the order of its central directory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    names: Vec<u8>,
    entries: Vec<Listed>,
}

/// One entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    name_start: u32,
    name_bytes: u16,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    /// Unpacking makes a folder of it.
    pub(crate) is_folder: bool,
    /// The permissions of its owner once it is unpacked: 4 to read, 2 to write, 1 to start.
    pub(crate) owner: u8,
    pub(crate) crc: u32,
    pub(crate) packed_bytes: u64,
    pub(crate) raw_bytes: u64,
    /// Where its local header begins.
    pub(crate) offset: u64,
}

impl Listed {
    pub(crate) fn of(header: &CentralHeader, name: &[u8], offset: u64) -> Self {
        Self {
            name_start: 0,
            name_bytes: 0,
            flags: header.flags,
            method: header.method,
            is_folder: header.is_folder(name),
            owner: header.owner(),
            crc: header.crc,
            packed_bytes: header.widths.packed_bytes,
            raw_bytes: header.widths.raw_bytes,
            offset,
        }
    }

    pub(crate) fn is_said_encrypted(&self) -> bool {
        self.flags & layout::FLAG_ENCRYPTED != 0
    }

    /// An entry of which nothing is known yet but what its local header says.
    pub(crate) fn begun(flags: u16, method: u16, crc: u32, offset: u64) -> Self {
        let (name_start, name_bytes, is_folder, owner, packed_bytes, raw_bytes) = (0, 0, false, 0, 0, 0);
        Self { name_start, name_bytes, flags, method, is_folder, owner, crc, packed_bytes, raw_bytes, offset }
    }
}

impl Listing {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All contents together, as the entries say.
    pub(crate) fn raw_bytes(&self) -> u64 {
        self.entries.iter().fold(0, |sum, entry| sum.saturating_add(entry.raw_bytes))
    }

    /// The names, as they are stored.
    pub(crate) fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.entries.iter().map(|entry| self.name(entry))
    }

    pub(crate) fn name_bytes(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn entries(&self) -> &[Listed] {
        &self.entries
    }

    pub(crate) fn name(&self, entry: &Listed) -> &[u8] {
        let start = entry.name_start as usize;
        &self.names[start..start + usize::from(entry.name_bytes)]
    }

    /// Adds an entry; the arena stays below 4 GiB because `Limits` are checked first.
    pub(crate) fn push(&mut self, name: &[u8], entry: Listed) {
        let name_start = self.names.len() as u32;
        self.names.extend_from_slice(name);
        self.entries.push(Listed { name_start, name_bytes: name.len() as u16, ..entry });
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Listed> {
        self.entries.last_mut()
    }

    pub(crate) fn entry_mut(&mut self, place: usize) -> Option<&mut Listed> {
        self.entries.get_mut(place)
    }
}
