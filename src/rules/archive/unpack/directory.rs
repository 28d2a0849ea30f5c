//! The central directory and its end, held against what was read before them.

use super::layout::{CentralHeader, u16_at, u32_at, u64_at};
use super::{At, Odd, Unpack, layout};
use crate::rules::archive::odd::Field;

/// What was found of the central directory.
#[derive(Debug, Default)]
pub(super) struct Directory {
    pub(super) start: u64,
    bytes: u64,
    /// Entries whose central record agreed.
    confirmed: usize,
    /// Where the zip64 record begins, if there is one.
    end64: Option<u64>,
}

impl Unpack {
    /// The next entry's record in the central directory says again what its own header said.
    pub(super) fn central(&mut self) -> Result<(), Odd> {
        let header = CentralHeader::read(&self.held);
        let whole = layout::CENTRAL_BYTES + header.tail_bytes();
        if self.held.len() < whole {
            self.need = whole;
            return Ok(());
        }
        let place = self.directory.confirmed;
        let (name, rest) = self.held[layout::CENTRAL_BYTES..].split_at(header.name_bytes);
        let listed = *self.listing.entries().get(place).ok_or(Odd::Count)?;
        self.subject = Some(place);
        let widths = header.widths.widened(&rest[..header.extra_bytes]).ok_or(Odd::Zip64)?;
        if header.disk != 0 {
            return Err(Odd::Disks);
        }
        let differences = [
            (self.listing.name(&listed) != name, Field::Name),
            (listed.flags != header.flags, Field::Flags),
            (listed.method != header.method, Field::Method),
            (listed.crc != header.crc, Field::Checksum),
            (listed.packed_bytes != widths.packed_bytes, Field::PackedSize),
            (listed.raw_bytes != widths.raw_bytes, Field::RawSize),
            (listed.offset != widths.offset, Field::Offset),
        ];
        if let Some((_, field)) = differences.into_iter().find(|(differs, _)| *differs) {
            return Err(Odd::Differs(field));
        }
        let (is_folder, owner) = (header.is_folder(name), header.owner());
        if let Some(entry) = self.listing.entry_mut(place) {
            (entry.is_folder, entry.owner) = (is_folder, owner);
        }
        self.directory.confirmed += 1;
        self.next_record();
        Ok(())
    }

    pub(super) fn close_directory(&mut self) -> Result<(), Odd> {
        self.subject = None;
        self.directory.bytes = self.start() - self.directory.start;
        if self.directory.confirmed == self.listing.len() { Ok(()) } else { Err(Odd::Count) }
    }

    pub(super) fn end64(&mut self) -> Result<(), Odd> {
        let held = &self.held;
        let fixed = (layout::END64_BYTES - 12) as u64;
        if u64_at(held, 4) != fixed {
            return Err(Odd::Zip64);
        }
        if u32_at(held, 16) != 0 || u32_at(held, 20) != 0 {
            return Err(Odd::Disks);
        }
        let count = self.listing.len() as u64;
        let said = [u64_at(held, 24), u64_at(held, 32), u64_at(held, 40), u64_at(held, 48)];
        if said != [count, count, self.directory.bytes, self.directory.start] {
            return Err(Odd::End);
        }
        self.directory.end64 = Some(self.start());
        self.next_record();
        Ok(())
    }

    pub(super) fn locator(&mut self) -> Result<(), Odd> {
        let held = &self.held;
        if u32_at(held, 4) != 0 || u32_at(held, 16) != 1 {
            return Err(Odd::Disks);
        }
        if Some(u64_at(held, 8)) != self.directory.end64 {
            return Err(Odd::Zip64);
        }
        self.next_record();
        Ok(())
    }

    pub(super) fn end(&mut self) -> Result<(), Odd> {
        let held = &self.held;
        let whole = layout::END_BYTES + usize::from(u16_at(held, 20));
        if held.len() < whole {
            self.need = whole;
            return Ok(());
        }
        if u16_at(held, 4) != 0 || u16_at(held, 6) != 0 {
            return Err(Odd::Disks);
        }
        // Readers look for the end from behind: one that begins inside of this one, or in its comment, would be found first.
        let signature = layout::END.to_le_bytes();
        if held[1..].windows(signature.len()).any(|window| window == signature) {
            return Err(Odd::Comment);
        }
        let said = EndFields::read(held);
        let count = self.listing.len() as u64;
        let real =
            EndFields { on_disk: count, count, bytes: self.directory.bytes, start: self.directory.start };
        // Info-ZIP writes a zip64 record into what it pipes without pointing to it: what is said here is then the whole truth.
        let is_right = if said.asks_for_zip64() {
            self.directory.end64.is_some() && said.agrees_with(&real)
        } else {
            // Go finds a directory that is not empty in spite of the record behind it.
            said == real && (self.directory.end64.is_none() || count > 0)
        };
        if !is_right {
            return Err(Odd::End);
        }
        self.at = At::Ended;
        Ok(())
    }
}

/// What the record at the very end says of the central directory.
#[derive(PartialEq, Eq)]
struct EndFields {
    on_disk: u64,
    count: u64,
    bytes: u64,
    start: u64,
}

impl EndFields {
    fn read(record: &[u8]) -> Self {
        Self {
            on_disk: u16_at(record, 8).into(),
            count: u16_at(record, 10).into(),
            bytes: u32_at(record, 12).into(),
            start: u32_at(record, 16).into(),
        }
    }

    /// Whether Go looks for a zip64 record.
    fn asks_for_zip64(&self) -> bool {
        self.count == 0xffff || self.bytes == 0xffff_ffff || self.start == 0xffff_ffff
    }

    /// Each field says the truth, or leaves it to the zip64 record.
    fn agrees_with(&self, real: &Self) -> bool {
        let agrees = |said: u64, real: u64, saturated: u64| said == real || said == saturated;
        agrees(self.on_disk, real.on_disk, 0xffff)
            && agrees(self.count, real.count, 0xffff)
            && agrees(self.bytes, real.bytes, 0xffff_ffff)
            && agrees(self.start, real.start, 0xffff_ffff)
    }
}
