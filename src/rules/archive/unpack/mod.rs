//! A zip unpacked while it arrives: a push parser over local headers, contents, descriptors, the central directory and its end.
//!
//! Strict where Go is lenient: every byte must belong to a record, and everything that a local header or a descriptor said
//! must be said again by the central directory, in the same order. What passes has one reading only, which is also Go's;
//! anything else is [`Odd`] and stops the parser for good. Memory: the listing within its `Limits`, one record (at most
//! 193 KiB), and the inflater. Called by `rules::hash`, with a [`Batch`] that it fills.

mod content;
mod directory;

use flate2::Decompress;

use super::batch::Batch;
use super::layout::{LocalHeader, u32_at};
use super::limits::Limits;
use super::listing::{Head, Listed, Listing};
use super::odd::{Odd, Reason};
use super::{layout, shown};
use content::{Content, Packing};
use directory::Directory;

/// Unpacks a zip from chunks of any size.
#[derive(Debug)]
pub(crate) struct Unpack {
    limits: Limits,
    at: At,
    phase: Phase,
    /// The record that is being gathered, and how much of it there has to be before anything more can be said.
    held: Vec<u8>,
    need: usize,
    /// Bytes taken so far, those held included.
    offset: u64,
    listing: Listing,
    content: Content,
    head: Head,
    inflater: Decompress,
    raw_bytes: u64,
    directory: Directory,
    /// The entry that is being read, for messages.
    subject: Option<usize>,
}

#[derive(Debug)]
enum At {
    Record,
    Content,
    Descriptor,
    Ended,
    Odd(Reason),
}

/// Which records may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Locals,
    Central,
    End64,
    Locator,
    End,
}

const SIGNATURE_BYTES: usize = 4;

impl Unpack {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            at: At::Record,
            phase: Phase::Locals,
            held: Vec::new(),
            need: SIGNATURE_BYTES,
            offset: 0,
            listing: Listing::default(),
            content: Content::default(),
            head: Head::default(),
            inflater: Decompress::new(false),
            raw_bytes: 0,
            directory: Directory::default(),
            subject: None,
        }
    }

    /// Takes bytes and fills the batch; returns how many it took. It takes fewer than there are only when the batch is full:
    /// then hash it, clear it, and push the rest.
    pub(crate) fn push(&mut self, chunk: &[u8], batch: &mut Batch) -> usize {
        let mut taken = 0;
        while taken < chunk.len() && !batch.is_full() {
            if matches!(self.at, At::Odd(_)) {
                return chunk.len();
            }
            match self.step(&chunk[taken..], batch) {
                Ok(more) => taken += more,
                Err(odd) => self.give_up(odd),
            }
        }
        taken
    }

    /// Why it was given up, as soon as it was; nothing more is unpacked then.
    pub(crate) fn odd(&self) -> Option<&Reason> {
        match &self.at {
            At::Odd(reason) => Some(reason),
            _ => None,
        }
    }

    /// After the last byte: the entries, in order, each of them confirmed by the central directory but for its checksum.
    ///
    /// # Errors
    /// Why the archive has to be looked at whole.
    pub(crate) fn finish(mut self) -> Result<Listing, Reason> {
        if !matches!(self.at, At::Ended | At::Odd(_)) {
            self.give_up(Odd::Truncated);
        }
        match self.at {
            At::Odd(reason) => Err(reason),
            _ => Ok(self.listing),
        }
    }

    fn give_up(&mut self, odd: Odd) {
        let entry = self.subject.and_then(|place| self.listing.entries().get(place));
        let entry = entry.map(|entry| shown(self.listing.name(entry)));
        self.at = At::Odd(Reason { odd, offset_bytes: self.offset, entry });
        self.listing = Listing::default();
        self.held = Vec::new();
    }

    /// One thing at a time; takes at least a byte, or fills the batch, or changes the state.
    fn step(&mut self, chunk: &[u8], batch: &mut Batch) -> Result<usize, Odd> {
        match self.at {
            At::Record => {
                let taken = self.gather(chunk);
                while self.held.len() >= self.need && matches!(self.at, At::Record) {
                    self.record(batch)?;
                }
                Ok(taken)
            }
            At::Content => match self.content.packing {
                Packing::Stored => self.copy(chunk, batch),
                Packing::Deflated => self.inflate(chunk, batch),
            },
            At::Descriptor => {
                let taken = self.gather(chunk);
                if self.held.len() >= self.need {
                    self.descriptor(batch)?;
                }
                Ok(taken)
            }
            At::Ended => Err(Odd::Trailing),
            At::Odd(_) => Ok(chunk.len()),
        }
    }

    fn gather(&mut self, chunk: &[u8]) -> usize {
        let taken = self.need.saturating_sub(self.held.len()).min(chunk.len());
        self.held.extend_from_slice(&chunk[..taken]);
        self.offset += taken as u64;
        taken
    }

    /// Where the record that is held began.
    fn start(&self) -> u64 {
        self.offset - self.held.len() as u64
    }

    fn next_record(&mut self) {
        self.held.clear();
        self.need = SIGNATURE_BYTES;
        self.at = At::Record;
    }

    fn record(&mut self, batch: &mut Batch) -> Result<(), Odd> {
        let signature = u32_at(&self.held, 0);
        if self.need == SIGNATURE_BYTES {
            self.need = self.admit(signature)?;
            return Ok(());
        }
        match signature {
            layout::LOCAL => self.local(batch),
            layout::CENTRAL => self.central(),
            layout::END64 => self.end64(),
            layout::LOCATOR => self.locator(),
            _ => self.end(),
        }
    }

    /// Whether a record may stand here; how many fixed bytes it has.
    fn admit(&mut self, signature: u32) -> Result<usize, Odd> {
        let (phase, bytes) = match (self.phase, signature) {
            (Phase::Locals, layout::LOCAL) => (Phase::Locals, layout::LOCAL_BYTES),
            (Phase::Locals | Phase::Central, layout::CENTRAL) => (Phase::Central, layout::CENTRAL_BYTES),
            (Phase::Locals | Phase::Central, layout::END64) => (Phase::End64, layout::END64_BYTES),
            (Phase::Locals | Phase::Central | Phase::Locator, layout::END) => (Phase::End, layout::END_BYTES),
            (Phase::End64, layout::LOCATOR) => (Phase::Locator, layout::LOCATOR_BYTES),
            _ if self.start() == 0 => return Err(Odd::Start),
            _ => return Err(Odd::Gap),
        };
        if self.phase == Phase::Locals && phase != Phase::Locals {
            self.directory.start = self.start();
            self.subject = None;
        }
        if phase != Phase::Locals && phase != Phase::Central && self.phase <= Phase::Central {
            self.close_directory()?;
        }
        self.phase = phase;
        Ok(bytes)
    }

    /// An entry's own header: noted down, and its content begun.
    fn local(&mut self, batch: &mut Batch) -> Result<(), Odd> {
        let header = LocalHeader::read(&self.held);
        let whole = layout::LOCAL_BYTES + header.name_bytes + header.extra_bytes;
        if self.held.len() < whole {
            self.need = whole;
            return Ok(());
        }
        let (name, extra) = self.held[layout::LOCAL_BYTES..].split_at(header.name_bytes);
        let begun = Listed::begun(header.flags, header.method, header.crc, self.start());
        self.listing.push(name, begun);
        self.subject = Some(self.listing.len() - 1);
        self.limits.check_listing(self.listing.len(), self.listing.name_bytes())?;
        if name.contains(&b'\n') {
            return Err(Odd::LineBreak);
        }
        if header.flags & (layout::FLAG_ENCRYPTED | layout::FLAGS_STRANGE) != 0 {
            return Err(Odd::Encrypted);
        }
        let is_folder = name.ends_with(b"/");
        self.head = Head::of(name);
        let widths = header.widths.widened(extra).ok_or(Odd::Zip64)?;
        self.content = Content::of(&header, widths, is_folder)?;
        self.inflater.reset(false);
        self.next_record();
        self.at = At::Content;
        if self.content.left_bytes == 0 {
            self.end_content(batch)?;
        }
        Ok(())
    }
}
