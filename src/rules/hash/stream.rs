//! zh and h1 in one pass over a body that arrives, in bounded memory.
//!
//! On one thread: [`Stream`]. On two: give each chunk to a [`BodyHash`] and to an [`Unpack`],
//! each full [`Batch`] to an [`EntryHash`], wherever these run, and [`conclude`]. Either way a body that is not plainly a zip
//! ends as [`Outcome::Spool`]: its zh is known, its h1 has to come from a copy of it ([`hash_archive`](super::hash_archive)).

use super::forms::Sum;
use super::remark::Remarks;
use super::{BodyHash, BodySum, EntryHash, EntrySum, Hashes};
use crate::rules::archive::{Batch, Limits, Listing, Odd, Reason, Unpack, shown};

/// Hashes a body and, while it arrives, what it unpacks to.
#[derive(Debug)]
pub struct Stream {
    body: BodyHash,
    unpack: Unpack,
    batch: Batch,
    entries: EntryHash,
}

/// What a body came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    pub body: BodySum,
    pub outcome: Outcome,
}

/// Whether a pass over the stream was enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Hashed(Hashes),
    /// It has to be looked at whole.
    Spool(Reason),
}

impl Stream {
    pub fn new(limits: Limits) -> Self {
        Self {
            body: BodyHash::default(),
            unpack: Unpack::new(limits),
            batch: Batch::default(),
            entries: EntryHash::default(),
        }
    }

    /// The next bytes, as many as there are.
    pub fn push(&mut self, mut chunk: &[u8]) {
        self.body.push(chunk);
        while !chunk.is_empty() && self.odd().is_none() {
            let taken = self.unpack.push(chunk, &mut self.batch);
            chunk = &chunk[taken..];
            if self.batch.is_full() {
                self.entries.push(&self.batch);
                self.batch.clear();
            }
        }
    }

    /// Why the body will have to be looked at whole, as soon as that is known.
    pub(crate) fn odd(&self) -> Option<&Reason> {
        self.unpack.odd()
    }

    /// After the last byte.
    pub fn finish(mut self) -> Finished {
        self.entries.push(&self.batch);
        let outcome = conclude(self.unpack.finish(), &self.entries.finish());
        Finished { body: self.body.finish(), outcome }
    }
}

/// Puts together what an `Unpack` found and what an `EntryHash` made of its batches.
pub(crate) fn conclude(listing: Result<Listing, Reason>, sums: &[EntrySum]) -> Outcome {
    let listing = match listing {
        Ok(listing) => listing,
        Err(reason) => return Outcome::Spool(reason),
    };
    let spool = |odd, entry| Outcome::Spool(Reason { odd, offset_bytes: 0, entry });
    if listing.len() != sums.len() {
        return spool(Odd::Unhashed, None);
    }
    let mut pairs = listing.entries().iter().zip(sums);
    if let Some((entry, _)) = pairs.find(|(entry, sum)| entry.crc != sum.crc) {
        return spool(Odd::Checksum, Some(shown(listing.name(entry))));
    }
    let sums: Vec<Sum> = sums.iter().map(|sum| Ok(sum.sha256)).collect();
    match Hashes::of(&listing, &sums, listing.raw_bytes(), Remarks::of_names(&listing)) {
        Ok(hashes) => Outcome::Hashed(hashes),
        // Every sum is there, so that no entry can be at fault.
        Err((place, _)) => spool(Odd::Unhashed, listing.names().nth(place).map(shown)),
    }
}
