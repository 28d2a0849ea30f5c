//! A whole archive by its central directory, read as Go's `archive/zip` reads it: the truth about what it holds.
//!
//! Lenient where Go is: local headers are not compared, gaps and bytes in front are passed over, records are read until one is
//! none.

use std::io;
use std::io::{BufReader, Read, Seek, SeekFrom};

use super::end::{End, NotZip, fill};
use super::layout;
use super::layout::{CentralHeader, u32_at};
use super::limits::{Limit, Limits};
use super::listing::{Listed, Listing};

/// The directory of an archive.
#[derive(Debug)]
pub(crate) struct Central {
    pub(crate) listing: Listing,
    /// Of the whole archive.
    pub(crate) size_bytes: u64,
    /// Bytes before the archive begins, by what its end says.
    pub(crate) leading_bytes: u64,
    /// Bytes behind its end record and comment.
    pub(crate) trailing_bytes: u64,
}

/// Why there is no directory.
#[derive(Debug)]
pub(crate) enum NoDirectory {
    Read(io::Error),
    NotZip(NotZip),
    Limit(Limit),
}

impl From<io::Error> for NoDirectory {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl Central {
    pub(crate) fn read<R: Read + Seek>(reader: &mut R, limits: &Limits) -> Result<Self, NoDirectory> {
        let end = End::find(reader)?.map_err(NoDirectory::NotZip)?;
        let start = end.base.wrapping_add(end.directory_start as i64) as u64;
        reader.seek(SeekFrom::Start(start))?;
        let mut records = BufReader::with_capacity(64 << 10, reader);
        let mut listing = Listing::default();
        let mut record = Vec::new();
        while let Some(header) = next_record(&mut records, &mut record)? {
            let name = &record[..header.name_bytes];
            limits
                .check_listing(listing.len() + 1, listing.name_bytes() + name.len())
                .map_err(NoDirectory::Limit)?;
            let offset = (header.widths.offset as i64).wrapping_add(end.base) as u64;
            listing.push(name, Listed::of(&header, name, offset));
        }
        // Go compares 16 bits, whichever record the number is from.
        if listing.len() as u16 != end.count as u16 {
            return Err(NoDirectory::NotZip(NotZip::Count));
        }
        Ok(Self {
            listing,
            size_bytes: end.size_bytes,
            leading_bytes: end.base.max(0) as u64,
            trailing_bytes: end.trailing_bytes,
        })
    }
}

/// The next record, its name at the start of the buffer; `None` where none stands any more. To Go, a part of a record is none,
/// but an archive that ends exactly where a record or its name would begin is broken.
fn next_record<R: Read>(records: &mut R, buffer: &mut Vec<u8>) -> Result<Option<CentralHeader>, NoDirectory> {
    let mut fixed = [0; layout::CENTRAL_BYTES];
    let count = fill(records, &mut fixed)?;
    if count == 0 {
        return Err(NoDirectory::NotZip(NotZip::Cut));
    }
    if count < fixed.len() || u32_at(&fixed, 0) != layout::CENTRAL {
        return Ok(None);
    }
    let mut header = CentralHeader::read(&fixed);
    buffer.resize(header.tail_bytes(), 0);
    let count = fill(records, buffer)?;
    if count == 0 && !buffer.is_empty() {
        return Err(NoDirectory::NotZip(NotZip::Cut));
    }
    if count < buffer.len() {
        return Ok(None);
    }
    let extra = &buffer[header.name_bytes..header.name_bytes + header.extra_bytes];
    let Some(widths) = header.widths.widened(extra) else { return Ok(None) };
    header.widths = widths;
    Ok(Some(header))
}
