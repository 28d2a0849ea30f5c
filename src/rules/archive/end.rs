//! The end of an archive, looked for from behind: where the central directory lies. As Go's `archive/zip` looks for it.

use std::io;
use std::io::{Read, Seek, SeekFrom};

use super::layout;
use super::layout::{CentralHeader, u16_at, u32_at, u64_at};

/// Why bytes are no archive that Go would open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotZip {
    #[error("it has no end record of a zip")]
    NoEnd,
    #[error("its zip64 end record is not where it should be")]
    NoEnd64,
    #[error("its end record points outside of it")]
    Outside,
    #[error("it ends inside its central directory")]
    Cut,
    #[error("its central directory does not have the number of entries that its end record says")]
    Count,
}

/// What the end of an archive says.
pub(crate) struct End {
    /// Of the whole archive.
    pub(crate) size_bytes: u64,
    /// What to add to every place that the directory names: bytes stand before the archive.
    pub(crate) base: i64,
    pub(crate) directory_start: u64,
    pub(crate) count: u64,
    /// Bytes behind the end record and its comment.
    pub(crate) trailing_bytes: u64,
}

/// Reads at a place until the buffer is full or the archive ends; how much there was.
pub(crate) fn read_at<R: Read + Seek>(
    reader: &mut R,
    size_bytes: u64,
    offset: u64,
    buffer: &mut [u8],
) -> io::Result<usize> {
    go_to(reader, size_bytes, offset)?;
    fill(reader, buffer)
}

/// Goes to a place, or to the end if the archive names one behind it: file systems refuse places that no file of theirs can
/// have, which would look as if the copy could not be read.
pub(crate) fn go_to<R: Seek>(reader: &mut R, size_bytes: u64, offset: u64) -> io::Result<()> {
    reader.seek(SeekFrom::Start(offset.min(size_bytes))).map(drop)
}

/// Reads until the buffer is full or nothing comes any more.
pub(crate) fn fill<R: Read>(reader: &mut R, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

impl End {
    pub(crate) fn find<R: Read + Seek>(reader: &mut R) -> io::Result<Result<Self, NotZip>> {
        let size_bytes = reader.seek(SeekFrom::End(0))?;
        let Some((place, record)) = end_record(reader, size_bytes)? else { return Ok(Err(NotZip::NoEnd)) };
        let behind = (layout::END_BYTES + usize::from(u16_at(&record, 20))) as u64;
        let mut end = Self {
            size_bytes,
            base: 0,
            directory_start: u32_at(&record, 16).into(),
            count: u16_at(&record, 10).into(),
            trailing_bytes: size_bytes - place - behind,
        };
        let mut directory_bytes = u64::from(u32_at(&record, 12));
        let mut directory_end = place;
        if (end.count == 0xffff || directory_bytes == 0xffff_ffff || end.directory_start == 0xffff_ffff)
            && let Some(place) = locator(reader, size_bytes, place)?
        {
            let mut record = [0; layout::END64_BYTES];
            let count = read_at(reader, size_bytes, place, &mut record)?;
            if count < record.len() || u32_at(&record, 0) != layout::END64 {
                return Ok(Err(NotZip::NoEnd64));
            }
            end.count = u64_at(&record, 32);
            directory_bytes = u64_at(&record, 40);
            end.directory_start = u64_at(&record, 48);
            directory_end = place;
        }
        end.settle_base(reader, directory_bytes, directory_end)
    }

    /// Where the archive begins, if not at the first byte.
    fn settle_base<R: Read + Seek>(
        mut self,
        reader: &mut R,
        directory_bytes: u64,
        directory_end: u64,
    ) -> io::Result<Result<Self, NotZip>> {
        let narrow = |value: u64| i64::try_from(value).ok();
        let (Some(bytes), Some(start)) = (narrow(directory_bytes), narrow(self.directory_start)) else {
            return Ok(Err(NotZip::Outside));
        };
        self.base = (directory_end as i64).wrapping_sub(bytes).wrapping_sub(start);
        let at = self.base.wrapping_add(start);
        if at < 0 || at as u64 >= self.size_bytes {
            return Ok(Err(NotZip::Outside));
        }
        if self.base > 0 && is_entry_at(reader, self.size_bytes, self.directory_start)? {
            self.base = 0;
        }
        Ok(Ok(self))
    }
}

/// The last end record whose comment fits: looked for in the last KiB, then in the last 65.
fn end_record<R: Read + Seek>(reader: &mut R, size_bytes: u64) -> io::Result<Option<(u64, Vec<u8>)>> {
    for window in [1 << 10, 65 << 10] {
        let window = size_bytes.min(window);
        let mut tail = vec![0; window as usize];
        let count = read_at(reader, size_bytes, size_bytes - window, &mut tail)?;
        tail.truncate(count);
        let last = tail.len().saturating_sub(layout::END_BYTES - 1);
        if let Some(at) = (0..last).rev().find(|&at| u32_at(&tail, at) == layout::END) {
            let comment = usize::from(u16_at(&tail, at + 20));
            // One whose comment is cut off is none, and then nothing before it is looked at in this window.
            if at + layout::END_BYTES + comment <= tail.len() {
                tail.drain(..at);
                tail.truncate(layout::END_BYTES);
                return Ok(Some((size_bytes - window + at as u64, tail)));
            }
        }
        if window == size_bytes {
            break;
        }
    }
    Ok(None)
}

/// Where the zip64 end record is said to be.
fn locator<R: Read + Seek>(reader: &mut R, size_bytes: u64, end: u64) -> io::Result<Option<u64>> {
    let Some(place) = end.checked_sub(layout::LOCATOR_BYTES as u64) else { return Ok(None) };
    let mut record = [0; layout::LOCATOR_BYTES];
    let count = read_at(reader, size_bytes, place, &mut record)?;
    let is_whole = count == record.len() && u32_at(&record, 0) == layout::LOCATOR;
    let is_one_disk = u32_at(&record, 4) == 0 && u32_at(&record, 16) == 1;
    let place = u64_at(&record, 8);
    Ok((is_whole && is_one_disk && i64::try_from(place).is_ok()).then_some(place))
}

/// Whether a whole record of the central directory stands here.
fn is_entry_at<R: Read + Seek>(reader: &mut R, size_bytes: u64, offset: u64) -> io::Result<bool> {
    let mut record = vec![0; layout::CENTRAL_BYTES];
    let count = read_at(reader, size_bytes, offset, &mut record)?;
    if count < record.len() || u32_at(&record, 0) != layout::CENTRAL {
        return Ok(false);
    }
    let header = CentralHeader::read(&record);
    let mut tail = vec![0; header.tail_bytes()];
    if fill(reader, &mut tail)? < tail.len() {
        return Ok(false);
    }
    let extra = &tail[header.name_bytes..header.name_bytes + header.extra_bytes];
    Ok(header.widths.widened(extra).is_some())
}
