//! What is done with bytes once they are there and unpacked: the copy on disk, zh, and the sums of the entries. It needs
//! nothing of the unpacking, so that it may run on another thread.

use bytes::Bytes;

use crate::rules::amount;
use crate::rules::archive::Batch;
use crate::rules::hash::{BodyHash, EntryHash, NoHash};
use crate::store::{Error, Spool, SpoolFile};

/// Pieces of a body may be small, or may unpack to nothing.
const PIECES: usize = 512;
const PIECE_BYTES: usize = 256 << 10;

/// A stretch of a body, and what it unpacked to; made once and used again.
#[derive(Debug, Default)]
pub(super) struct Load {
    /// What came before does not count.
    anew: bool,
    pieces: Vec<Bytes>,
    piece_bytes: usize,
    pub(super) batch: Batch,
}

impl Load {
    pub(super) fn push(&mut self, piece: Bytes) {
        self.piece_bytes += piece.len();
        self.pieces.push(piece);
    }

    /// Whether the sums have to take it before there can be more.
    pub(super) fn is_full(&self) -> bool {
        self.batch.is_full() || self.piece_bytes >= PIECE_BYTES || self.pieces.len() >= PIECES
    }

    /// Makes it the first one of a new body.
    pub(super) fn begin_anew(&mut self) {
        self.clear();
        self.anew = true;
    }

    fn clear(&mut self) {
        self.anew = false;
        self.pieces.clear();
        self.piece_bytes = 0;
        self.batch.clear();
    }
}

/// The sums of one body, and its copy.
pub(super) struct Sums {
    spool: Spool,
    pub(super) copy: Copy,
    pub(super) body: BodyHash,
    pub(super) entries: EntryHash,
}

impl Sums {
    pub(super) fn new(spool: &Spool) -> Self {
        Self {
            spool: spool.clone(),
            copy: Copy::new(spool),
            body: BodyHash::default(),
            entries: EntryHash::default(),
        }
    }

    /// Takes loads in the order in which they were filled, and leaves each empty.
    pub(super) fn take(&mut self, load: &mut Load) {
        if load.anew {
            // Space of the old copy is free before the new one begins.
            self.copy = Copy::Lost(String::new());
            *self = Self::new(&self.spool);
        }
        for piece in &load.pieces {
            self.copy.append(piece);
            self.body.push(piece);
        }
        self.entries.push(&load.batch);
        load.clear();
    }
}

/// The copy, or why there is none: most archives never need it, so a full disk is no reason to stop.
pub(super) enum Copy {
    Kept(SpoolFile),
    Lost(String),
}

impl Copy {
    fn new(spool: &Spool) -> Self {
        spool.file().map_or_else(|error| Self::lost(&error), Self::Kept)
    }

    fn append(&mut self, bytes: &[u8]) {
        if let Self::Kept(file) = self
            && let Err(error) = file.append(bytes)
        {
            *self = Self::lost(&error);
        }
    }

    /// Without the folder's path: what becomes of an archive is told in pull requests and reports, which leave this machine.
    fn lost(error: &Error) -> Self {
        let why = match error {
            Error::DiskFull { .. } => "the disk is full".to_owned(),
            Error::SpoolFull { cap_bytes, .. } => {
                format!("{} of downloads are the most", amount::bytes(*cap_bytes))
            }
            // The texts of such errors name places too.
            Error::Write { cause, .. } => cause.kind().to_string(),
            _ => "it failed".to_owned(),
        };
        Self::Lost(format!("{why}; `bumpdesk doctor` says where downloads are kept"))
    }

    pub(super) fn whole(self) -> Result<SpoolFile, NoHash> {
        match self {
            Self::Kept(file) => Ok(file),
            Self::Lost(why) => Err(NoHash::Read(format!("no copy of it could be kept: {why}"))),
        }
    }
}
