//! The content of one entry, and the descriptor that may follow it.

use flate2::{FlushDecompress, Status};

use super::layout::{LocalHeader, Widths, u32_at, u64_at};
use super::{At, Batch, Odd, Unpack, layout};

/// A descriptor of the longest form, and the signature behind it that tells the forms apart.
const DESCRIPTOR_AND_NEXT_BYTES: usize = 28;

/// How content is packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Packing {
    #[default]
    Stored,
    Deflated,
}

/// What is known of the content that is being read.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) packing: Packing,
    has_descriptor: bool,
    is_folder: bool,
    /// Packed bytes still to come; where only the content itself tells its end, the most there can be.
    pub(super) left_bytes: u64,
    packed_bytes: u64,
    raw_bytes: u64,
    /// The header told the packed size, so that the content ends there.
    is_sized: bool,
    /// What the header said, unless it left that to the descriptor.
    said_raw_bytes: Option<u64>,
}

impl Content {
    pub(super) fn of(header: &LocalHeader, widths: Widths, is_folder: bool) -> Result<Self, Odd> {
        let has_descriptor = header.flags & layout::FLAG_DESCRIPTOR != 0;
        let packing = match header.method {
            layout::STORED => Packing::Stored,
            layout::DEFLATED => Packing::Deflated,
            other => return Err(Odd::Method(other)),
        };
        let is_unsaid = has_descriptor && widths.packed_bytes == 0;
        if is_unsaid && packing == Packing::Stored {
            return Err(Odd::StoredWithDescriptor);
        }
        let left_bytes = if is_unsaid { u64::MAX } else { widths.packed_bytes };
        let is_sized = !is_unsaid;
        let said_raw_bytes = (is_sized || widths.raw_bytes != 0).then_some(widths.raw_bytes);
        let (packed_bytes, raw_bytes) = (0, 0);
        Ok(Self {
            packing,
            has_descriptor,
            is_folder,
            left_bytes,
            packed_bytes,
            raw_bytes,
            is_sized,
            said_raw_bytes,
        })
    }
}

impl Unpack {
    /// Inflates into the batch; takes nothing when only output was pending.
    pub(super) fn inflate(&mut self, chunk: &[u8], batch: &mut Batch) -> Result<usize, Odd> {
        let room = usize::try_from(self.content.left_bytes).unwrap_or(usize::MAX).min(chunk.len());
        let (read, wrote) = (self.inflater.total_in(), self.inflater.total_out());
        let status = self
            .inflater
            .decompress(&chunk[..room], batch.room(), FlushDecompress::None)
            .map_err(|_| Odd::Deflate)?;
        let taken = (self.inflater.total_in() - read) as usize;
        let unpacked = (self.inflater.total_out() - wrote) as usize;
        self.head.push(&batch.room()[..unpacked]);
        batch.filled(unpacked);
        self.unpacked(taken, unpacked)?;
        if status == Status::StreamEnd {
            if self.content.is_sized && self.content.left_bytes != 0 {
                return Err(Odd::PackedSize);
            }
            self.end_content(batch)?;
        } else if taken == 0 && unpacked == 0 {
            // Nothing goes in and nothing comes out: what the header called the whole content is not.
            return Err(Odd::PackedSize);
        }
        Ok(taken)
    }

    pub(super) fn copy(&mut self, chunk: &[u8], batch: &mut Batch) -> Result<usize, Odd> {
        let room = batch.room();
        let left = usize::try_from(self.content.left_bytes).unwrap_or(usize::MAX);
        let taken = left.min(chunk.len()).min(room.len());
        room[..taken].copy_from_slice(&chunk[..taken]);
        self.head.push(&chunk[..taken]);
        batch.filled(taken);
        self.unpacked(taken, taken)?;
        if self.content.left_bytes == 0 {
            self.end_content(batch)?;
        }
        Ok(taken)
    }

    fn unpacked(&mut self, taken: usize, unpacked: usize) -> Result<(), Odd> {
        self.offset += taken as u64;
        let content = &mut self.content;
        content.left_bytes -= taken as u64;
        content.packed_bytes += taken as u64;
        content.raw_bytes += unpacked as u64;
        self.raw_bytes += unpacked as u64;
        self.limits.check_raw(self.raw_bytes, self.offset)?;
        let is_more_than_said = content.said_raw_bytes.is_some_and(|said| content.raw_bytes > said);
        if is_more_than_said { Err(Odd::RawSize) } else { Ok(()) }
    }

    /// All of the packed bytes were read: what the header said is held against what was there.
    pub(super) fn end_content(&mut self, batch: &mut Batch) -> Result<(), Odd> {
        let content = &self.content;
        // Go makes an empty folder of any name that ends in a slash, and never opens its content; an entry of another name
        // whose deflate stream has no bytes is broken for it.
        if content.packing == Packing::Deflated && content.packed_bytes == 0 && !content.is_folder {
            return Err(Odd::Deflate);
        }
        if content.is_folder && content.raw_bytes != 0 {
            return Err(Odd::FolderContent);
        }
        if content.said_raw_bytes.is_some_and(|said| said != content.raw_bytes) {
            return Err(Odd::RawSize);
        }
        if content.has_descriptor {
            self.need = DESCRIPTOR_AND_NEXT_BYTES;
            self.at = At::Descriptor;
            return Ok(());
        }
        self.end_entry(None, batch);
        self.at = At::Record;
        Ok(())
    }

    /// Sizes and checksum behind the content: with a signature or without, of 32 bits or of 64.
    pub(super) fn descriptor(&mut self, batch: &mut Batch) -> Result<(), Odd> {
        let held = &self.held;
        // As Go has it: what looks like the signature is the signature.
        let from = if u32_at(held, 0) == layout::DESCRIPTOR { super::SIGNATURE_BYTES } else { 0 };
        let (packed, raw) = (self.content.packed_bytes, self.content.raw_bytes);
        let goes_on = |at: usize| matches!(u32_at(held, at), layout::LOCAL | layout::CENTRAL);
        let is_wide =
            u64_at(held, from + 4) == packed && u64_at(held, from + 12) == raw && goes_on(from + 20);
        let is_narrow = u64::from(u32_at(held, from + 4)) == packed
            && u64::from(u32_at(held, from + 8)) == raw
            && goes_on(from + 12);
        let end = match (is_wide, is_narrow) {
            (true, _) => from + 20,
            (_, true) => from + 12,
            _ => return Err(Odd::Descriptor),
        };
        let crc = u32_at(held, from);
        if self.listing.entries().last().is_some_and(|entry| entry.crc != 0 && entry.crc != crc) {
            return Err(Odd::Descriptor);
        }
        self.end_entry(Some(crc), batch);
        self.held.drain(..end);
        self.need = super::SIGNATURE_BYTES;
        self.at = At::Record;
        while self.held.len() >= self.need && matches!(self.at, At::Record) {
            self.record(batch)?;
        }
        Ok(())
    }

    fn end_entry(&mut self, crc: Option<u32>, batch: &mut Batch) {
        batch.end_entry();
        let head = std::mem::take(&mut self.head);
        self.listing.keep_head(self.listing.len() - 1, head);
        if let Some(entry) = self.listing.last_mut() {
            entry.packed_bytes = self.content.packed_bytes;
            entry.raw_bytes = self.content.raw_bytes;
            entry.crc = crc.unwrap_or(entry.crc);
        }
    }
}
