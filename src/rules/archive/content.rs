//! The contents of a whole archive's entries, one by one, checked as Go's `archive/zip` checks them.
//!
//! An entry that is broken is an [`EntryFault`] of that entry; what would take too much memory or time ends the whole.

use std::io;
use std::io::{Read, Seek};

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::end::{fill, go_to, read_at};
use super::layout;
use super::layout::{LocalHeader, u32_at};
use super::limits::{Limit, Limits};
use super::listing::Listed;

const PACKED_BYTES: usize = 64 << 10;
const RAW_BYTES: usize = 256 << 10;
/// Each byte of an honest archive is read once. Small ones may be odd.
const SLACK_BYTES: u64 = 1 << 20;

/// What is wrong with one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryFault {
    #[error("it has no header where the central directory says")]
    Header,
    #[error("it is packed with method {0}")]
    Method(u16),
    #[error("it is not a valid deflate stream")]
    Deflate,
    #[error("its size is not the one that the central directory says")]
    Size,
    #[error("its checksum is wrong")]
    Checksum,
    #[error("its descriptor is missing or its checksum is not the central directory's")]
    Descriptor,
    #[error("it is a folder with content")]
    FolderContent,
}

/// Reads the entries of one archive; counts what they cost.
pub(crate) struct Contents<'a, R> {
    reader: &'a mut R,
    limits: &'a Limits,
    size_bytes: u64,
    packed_bytes: u64,
    raw_bytes: u64,
    inflater: Decompress,
    packed: Box<[u8]>,
    raw: Box<[u8]>,
}

/// Why an entry could not be read to its end.
pub(crate) enum Stop {
    Read(io::Error),
    Limit(Limit),
    Fault(EntryFault),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl From<EntryFault> for Stop {
    fn from(fault: EntryFault) -> Self {
        Self::Fault(fault)
    }
}

impl<'a, R: Read + Seek> Contents<'a, R> {
    pub(crate) fn new(reader: &'a mut R, size_bytes: u64, limits: &'a Limits) -> Self {
        Self {
            reader,
            limits,
            size_bytes,
            packed_bytes: 0,
            raw_bytes: 0,
            inflater: Decompress::new(false),
            packed: vec![0; PACKED_BYTES].into_boxed_slice(),
            raw: vec![0; RAW_BYTES].into_boxed_slice(),
        }
    }

    /// What all entries read so far unpacked to.
    pub(crate) fn raw_bytes(&self) -> u64 {
        self.raw_bytes
    }

    /// Hands the content to `sink` in pieces. Whether it had a checksum to be checked against.
    pub(crate) fn read(
        &mut self,
        entry: &Listed,
        is_folder_name: bool,
        sink: &mut impl FnMut(&[u8]),
    ) -> Result<bool, Stop> {
        let start = self.content_start(entry.offset)?;
        if is_folder_name {
            return if entry.raw_bytes == 0 { Ok(true) } else { Err(EntryFault::FolderContent.into()) };
        }
        let (size, crc) = match entry.method {
            layout::STORED => self.copy(start, entry, sink)?,
            layout::DEFLATED => self.inflate(start, entry, sink)?,
            other => return Err(EntryFault::Method(other).into()),
        };
        if size != entry.raw_bytes {
            return Err(EntryFault::Size.into());
        }
        if entry.flags & layout::FLAG_DESCRIPTOR != 0 {
            self.descriptor(start.wrapping_add(entry.packed_bytes), entry.crc)?;
        } else if entry.crc == 0 {
            // Go takes 0 for "not said".
            return Ok(crc == 0);
        }
        if crc == entry.crc { Ok(true) } else { Err(EntryFault::Checksum.into()) }
    }

    fn content_start(&mut self, offset: u64) -> Result<u64, Stop> {
        if i64::try_from(offset).is_err() {
            return Err(EntryFault::Header.into());
        }
        let mut record = [0; layout::LOCAL_BYTES];
        let count = read_at(self.reader, self.size_bytes, offset, &mut record)?;
        if count < record.len() || u32_at(&record, 0) != layout::LOCAL {
            return Err(EntryFault::Header.into());
        }
        let header = LocalHeader::read(&record);
        Ok(offset + (layout::LOCAL_BYTES + header.name_bytes + header.extra_bytes) as u64)
    }

    fn copy(&mut self, start: u64, entry: &Listed, sink: &mut impl FnMut(&[u8])) -> Result<(u64, u32), Stop> {
        let mut crc = Crc::new();
        let (mut left, mut size) = (entry.packed_bytes, 0);
        go_to(self.reader, self.size_bytes, start)?;
        loop {
            let count = self.fetch(&mut left)?;
            if count == 0 {
                return Ok((size, crc.sum()));
            }
            size += count as u64;
            self.count_raw(count, size, entry)?;
            crc.update(&self.packed[..count]);
            sink(&self.packed[..count]);
        }
    }

    fn inflate(
        &mut self,
        start: u64,
        entry: &Listed,
        sink: &mut impl FnMut(&[u8]),
    ) -> Result<(u64, u32), Stop> {
        let mut crc = Crc::new();
        let mut left = entry.packed_bytes;
        self.inflater.reset(false);
        go_to(self.reader, self.size_bytes, start)?;
        let (mut from, mut to) = (0, 0);
        loop {
            if from == to {
                (from, to) = (0, self.fetch(&mut left)?);
            }
            let (read, wrote) = (self.inflater.total_in(), self.inflater.total_out());
            let packed = &self.packed[from..to];
            let status = self
                .inflater
                .decompress(packed, &mut self.raw, FlushDecompress::None)
                .map_err(|_| EntryFault::Deflate)?;
            let taken = (self.inflater.total_in() - read) as usize;
            let unpacked = (self.inflater.total_out() - wrote) as usize;
            from += taken;
            self.count_raw(unpacked, self.inflater.total_out(), entry)?;
            crc.update(&self.raw[..unpacked]);
            sink(&self.raw[..unpacked]);
            if status == Status::StreamEnd {
                return Ok((self.inflater.total_out(), crc.sum()));
            }
            if taken == 0 && unpacked == 0 {
                return Err(EntryFault::Deflate.into());
            }
        }
    }

    /// The next packed bytes into the buffer; none where the entry or the archive ends.
    fn fetch(&mut self, left: &mut u64) -> Result<usize, Stop> {
        let want = usize::try_from(*left).unwrap_or(usize::MAX).min(PACKED_BYTES);
        let count = fill(self.reader, &mut self.packed[..want])?;
        *left -= count as u64;
        self.packed_bytes += count as u64;
        if self.packed_bytes > self.size_bytes.saturating_mul(2).saturating_add(SLACK_BYTES) {
            return Err(Stop::Limit(Limit::Overlap));
        }
        Ok(count)
    }

    fn count_raw(&mut self, more: usize, size: u64, entry: &Listed) -> Result<(), Stop> {
        self.raw_bytes += more as u64;
        self.limits.check_raw(self.raw_bytes, self.size_bytes).map_err(Stop::Limit)?;
        if size > entry.raw_bytes { Err(EntryFault::Size.into()) } else { Ok(()) }
    }

    /// The checksum behind the content; the sizes there have two widths, and nobody says which, so that they are not read.
    fn descriptor(&mut self, place: u64, crc: u32) -> Result<(), Stop> {
        if i64::try_from(place).is_err() {
            return Err(EntryFault::Descriptor.into());
        }
        let mut record = [0; 16];
        let count = read_at(self.reader, self.size_bytes, place, &mut record)?;
        let from = if count >= 4 && u32_at(&record, 0) == layout::DESCRIPTOR { 4 } else { 0 };
        let is_right = count >= from + 12 && u32_at(&record, from) == crc;
        if is_right { Ok(()) } else { Err(EntryFault::Descriptor.into()) }
    }
}
