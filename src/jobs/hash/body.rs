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

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::io::Write;

    use super::*;

    fn zip() -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("bin", zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(b"X").unwrap();
        writer.start_file("README.md", zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(b"r").unwrap();
        writer.finish().unwrap().into_inner()
    }

    fn hashed(pieces: Vec<Piece>, spool_bytes: u64) -> Summed {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path(), spool_bytes).unwrap();
        let (sender, receiver) = mpsc::channel(pieces.len().max(1));
        for piece in pieces {
            sender.try_send(piece).unwrap();
        }
        drop(sender);
        let summed = hash(receiver, &spool);
        assert_eq!(spool.used_bytes(), 0);
        summed
    }

    #[test]
    fn an_ordinary_archive_needs_no_copy_and_an_odd_one_does() {
        const H1: &str = "h1:QExrC0UEro2jd7wMqdzv3wDtw9ef1uHZEFxBWTkq4lM=";
        let plain = zip();
        let odd = [&b"#!/bin/sh\n"[..], &plain].concat();
        for (bytes, spool_bytes, h1, is_spooled) in [
            (&plain, 1 << 20, Ok(H1), false),
            (&plain, 0, Ok(H1), false),
            (&odd, 1 << 20, Ok(H1), true),
            (&odd, 0, Err("no copy of it could be kept"), true),
        ] {
            let summed = hashed(vec![Piece::Bytes(bytes.clone().into())], spool_bytes);
            assert_eq!(summed.spooled.is_some(), is_spooled);
            assert_eq!(summed.body.size_bytes, bytes.len() as u64);
            match (summed.hashes, h1) {
                (Ok(hashes), Ok(h1)) => assert_eq!(hashes.h1, h1),
                (Err(error), Err(text)) => assert!(error.to_string().contains(text), "{error}"),
                (hashes, _) => panic!("{hashes:?}"),
            }
        }
    }

    #[test]
    fn a_body_that_begins_anew_forgets_what_came_before() {
        let plain = zip();
        let pieces = vec![
            Piece::Bytes(Bytes::copy_from_slice(&plain[..plain.len() / 2])),
            Piece::Anew,
            Piece::Bytes(plain.clone().into()),
        ];
        let summed = hashed(pieces, 1 << 20);
        assert_eq!(summed.body.size_bytes, plain.len() as u64);
        assert!(summed.hashes.is_ok() && summed.spooled.is_none());
    }
}
