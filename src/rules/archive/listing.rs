//! The entries that an archive was found to have, in order, held compactly: one arena of names, 48 bytes an entry.

use super::layout;
use super::layout::CentralHeader;

/// The start of the names of provider programs.
pub(crate) const PROGRAM: &str = "terraform-provider-";
/// The number of bytes kept of a program, which is enough for the headers of all executable formats.
pub(crate) const HEAD_BYTES: usize = 1024;
/// The most programs of one archive whose first bytes are kept. An honest archive has one.
const HEADS_MAX: usize = 16;

/// The entries of an archive, in the order of its central directory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    names: Vec<u8>,
    entries: Vec<Listed>,
    /// The first bytes of programs, each with the index of its entry.
    heads: Vec<(usize, Box<[u8]>)>,
}

/// Collects the first bytes of an entry whose name is that of a program.
#[derive(Debug, Default)]
pub(crate) struct Head(Option<Vec<u8>>);

impl Head {
    pub(crate) fn of(name: &[u8]) -> Self {
        let file = name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        Self(file.starts_with(PROGRAM.as_bytes()).then(Vec::new))
    }

    /// Takes the next bytes of the entry's content.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if let Some(head) = &mut self.0 {
            let left = HEAD_BYTES - head.len();
            head.extend_from_slice(&bytes[..bytes.len().min(left)]);
        }
    }
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

    /// Keeps the first bytes of the entry at `place` if it is a program and the limit is not reached.
    pub(crate) fn keep_head(&mut self, place: usize, head: Head) {
        if let Some(head) = head.0
            && self.heads.len() < HEADS_MAX
        {
            self.heads.push((place, head.into_boxed_slice()));
        }
    }

    /// The first bytes of the entry at `place`; `None` if they were not kept.
    pub(crate) fn head(&self, place: usize) -> Option<&[u8]> {
        self.heads.iter().find(|(of, _)| *of == place).map(|(_, head)| &**head)
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Listed> {
        self.entries.last_mut()
    }

    pub(crate) fn entry_mut(&mut self, place: usize) -> Option<&mut Listed> {
        self.entries.get_mut(place)
    }
}
