//! The hashing side of a download, on a thread of its own: it takes pieces as they come, and keeps a copy on disk for the
//! archives that have to be looked at whole.

use bytes::Bytes;
use tokio::sync::mpsc;

use crate::rules::archive::Limits;
use crate::rules::hash::BodySum;
use crate::rules::hash::Hashes;
use crate::rules::hash::NoHash;
use crate::rules::hash::Outcome;
use crate::rules::hash::Stream;
use crate::rules::hash::hash_archive;
use crate::store::Spool;
use crate::store::SpoolFile;

/// Pieces that may wait for the hashing; the download waits when there are more.
const WAITING: usize = 4;

/// What the download says.
#[derive(Debug)]
pub(super) enum Piece {
    Bytes(Bytes),
    /// What came before does not count: the file begins anew.
    Anew,
}

/// What a whole body came to.
#[derive(Debug)]
pub(crate) struct Summed {
    pub(crate) body: BodySum,
    pub(crate) hashes: Result<Hashes, NoHash>,
    /// Why it had to be read a second time from its copy.
    pub(crate) spooled: Option<String>,
}

pub(super) fn channel() -> (mpsc::Sender<Piece>, mpsc::Receiver<Piece>) {
    mpsc::channel(WAITING)
}

/// Takes pieces until the sender is gone. Nothing is said of a body whose sender gave up: the caller knows.
pub(super) fn hash(mut pieces: mpsc::Receiver<Piece>, spool: &Spool) -> Summed {
    let limits = Limits::default();
    let mut stream = Stream::new(limits);
    let mut copy = Copy::new(spool);
    while let Some(piece) = pieces.blocking_recv() {
        match piece {
            Piece::Bytes(bytes) => {
                copy.append(&bytes);
                stream.push(&bytes);
            }
            Piece::Anew => {
                stream = Stream::new(limits);
                // Space of the old copy is free before the new one begins.
                drop(copy);
                copy = Copy::new(spool);
            }
        }
    }
    let finished = stream.finish();
    match finished.outcome {
        Outcome::Hashed(hashes) => Summed { body: finished.body, hashes: Ok(hashes), spooled: None },
        Outcome::Spool(reason) => {
            let hashes = copy.whole().and_then(|file| hash_archive(file, &limits));
            Summed { body: finished.body, hashes, spooled: Some(reason.to_string()) }
        }
    }
}

/// The copy, or why there is none: most archives never need it, so a full disk is no reason to stop.
enum Copy {
    Kept(SpoolFile),
    Lost(String),
}

impl Copy {
    fn new(spool: &Spool) -> Self {
        spool.file().map_or_else(|error| Self::Lost(error.to_string()), Self::Kept)
    }

    fn append(&mut self, bytes: &[u8]) {
        if let Self::Kept(file) = self
            && let Err(error) = file.append(bytes)
        {
            *self = Self::Lost(error.to_string());
        }
    }

    fn whole(self) -> Result<SpoolFile, NoHash> {
        match self {
            Self::Kept(file) => Ok(file),
            Self::Lost(why) => Err(NoHash::Read(format!("no copy of it could be kept: {why}"))),
        }
    }
}
