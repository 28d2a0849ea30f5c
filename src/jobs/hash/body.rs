//! The hashing side of a download, on a thread of its own or two: it takes pieces as they come, and keeps a copy on disk for
//! the archives that have to be looked at whole.

use bytes::Bytes;
use tokio::sync::mpsc;

use crate::jobs::hash::cores::Cores;
use crate::jobs::hash::hasher::Hasher;
use crate::jobs::hash::sums::{Load, Sums};
use crate::rules::archive::{Limits, Unpack};
use crate::rules::hash::{BodySum, Hashes, NoHash, Outcome, conclude, hash_archive};
use crate::store::Spool;

/// Pieces that may wait for the hashing; the download waits when there are more.
const WAITING: usize = 4;

/// What the download says.
#[derive(Clone, Debug)]
pub enum Piece {
    Bytes(Bytes),
    /// What came before does not count: the file begins anew.
    Anew,
}

/// What a whole body came to.
#[derive(Debug, PartialEq, Eq)]
pub struct Summed {
    pub body: BodySum,
    pub hashes: Result<Hashes, NoHash>,
    /// Why it had to be read a second time from its copy.
    pub spooled: Option<String>,
}

pub(super) fn channel() -> (mpsc::Sender<Piece>, mpsc::Receiver<Piece>) {
    mpsc::channel(WAITING)
}

/// Hashes pieces until there are no more. This thread unpacks; while a core would idle, a second one hashes what was unpacked.
/// Holds at most 2 MiB besides the pieces and what `Limits` allow.
pub fn hash_body(mut next: impl FnMut() -> Option<Piece>, spool: &Spool, cores: &Cores) -> Summed {
    let limits = Limits::default();
    let _core = cores.enter();
    let mut unpack = Unpack::new(limits);
    let mut sums = Hasher::new(Sums::new(spool), cores);
    let mut load = Load::default();
    while let Some(piece) = next() {
        match piece {
            Piece::Bytes(bytes) => {
                load.push(bytes.clone());
                let mut rest = &bytes[..];
                while !rest.is_empty() {
                    rest = &rest[unpack.push(rest, &mut load.batch)..];
                    if load.is_full() {
                        load = sums.pass(load);
                    }
                }
            }
            Piece::Anew => {
                unpack = Unpack::new(limits);
                load.begin_anew();
                load = sums.pass(load);
            }
        }
    }
    let Sums { body, entries, copy, .. } = sums.finish(load);
    let body = body.finish();
    match conclude(unpack.finish(), &entries.finish()) {
        Outcome::Hashed(hashes) => Summed { body, hashes: Ok(hashes), spooled: None },
        Outcome::Spool(reason) => {
            let hashes = copy.whole().and_then(|file| hash_archive(file, &limits));
            Summed { body, hashes, spooled: Some(reason.to_string()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    fn zip() -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("bin", zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(b"X").unwrap();
        writer.start_file("README.md", zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(b"r").unwrap();
        writer.finish().unwrap().into_inner()
    }

    /// On one core and on two, which has to come to the same.
    fn hashed(pieces: &[Piece], spool_bytes: u64) -> Summed {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path(), spool_bytes).unwrap();
        let [one, two] = [1, 2].map(|cores| {
            let mut pieces = pieces.iter().cloned();
            let summed = hash_body(|| pieces.next(), &spool, &Cores::new(cores));
            assert_eq!(spool.used_bytes(), 0);
            summed
        });
        assert_eq!(one, two);
        two
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
            let summed = hashed(&[Piece::Bytes(bytes.clone().into())], spool_bytes);
            assert_eq!(summed.spooled.is_some(), is_spooled);
            assert_eq!(summed.body.size_bytes, bytes.len() as u64);
            match (summed.hashes, h1) {
                (Ok(hashes), Ok(h1)) => assert_eq!(hashes.h1, h1),
                (Err(error), Err(text)) => assert!(error.to_string().contains(text), "{error}"),
                (hashes, _) => panic!("{hashes:?}"),
            }
        }
    }

    /// What is told of it may leave this machine.
    #[test]
    fn a_copy_that_cannot_be_kept_names_no_place() {
        let odd = [&b"#!/bin/sh\n"[..], &zip()].concat();
        for (cap_bytes, is_gone) in [(10, false), (1 << 20, true)] {
            let folder = tempfile::tempdir().unwrap();
            let spool = Spool::new(&folder.path().join("spool"), cap_bytes).unwrap();
            if is_gone {
                std::fs::remove_dir(folder.path().join("spool")).unwrap();
            }
            let mut pieces = [Piece::Bytes(odd.clone().into())].into_iter();
            let summed = hash_body(|| pieces.next(), &spool, &Cores::new(1));
            let why = summed.hashes.unwrap_err().to_string();
            assert!(why.contains("no copy of it could be kept") && !why.contains("spool"), "{why}");
            assert!(!why.contains(folder.path().to_str().unwrap()), "{why}");
        }
    }

    /// A file system refuses places that memory only finds empty.
    #[test]
    fn a_copy_is_read_as_the_archive_in_memory_would_be() {
        let plain = zip();
        let end = plain.len() - 22;
        let place = (i64::MAX as u64).to_le_bytes();
        let locator = [b"PK\x06\x07\0\0\0\0", place.as_slice(), b"\x01\0\0\0"].concat();
        let counts = [&plain[end..end + 8], &[0xff; 4], &plain[end + 12..]].concat();
        let far_end = [&plain[..end], &locator, &counts].concat();
        // The first entry of the central directory says where it begins.
        let start = u32::from_le_bytes(plain[end + 16..end + 20].try_into().unwrap()) as usize;
        let wide = [&[1, 0, 8, 0], place.as_slice()].concat();
        let name_end = start + 46 + 3;
        let record =
            [&plain[start..start + 30], &[12, 0], &plain[start + 32..start + 42], &[0xff; 4]].concat();
        let mut far_entry =
            [&plain[..start], &record, &plain[start + 46..name_end], &wide, &plain[name_end..]].concat();
        let bytes = (end - start + wide.len()) as u32;
        far_entry[end + wide.len() + 12..][..4].copy_from_slice(&bytes.to_le_bytes());
        for bytes in [far_end, far_entry] {
            let summed = hashed(&[Piece::Bytes(bytes.clone().into())], 1 << 20);
            let exact = hash_archive(Cursor::new(&bytes), &Limits::default());
            assert_eq!((&summed.hashes, summed.spooled.is_some()), (&exact, true));
            let why = exact.unwrap_err();
            assert!(matches!(why, NoHash::NotZip(_) | NoHash::Entry { .. }), "{why:?}");
        }
    }

    #[test]
    fn a_body_that_begins_anew_forgets_what_came_before() {
        let plain = zip();
        let pieces = [
            Piece::Bytes(Bytes::copy_from_slice(&plain[..plain.len() / 2])),
            Piece::Anew,
            Piece::Bytes(plain.clone().into()),
        ];
        let summed = hashed(&pieces, 1 << 20);
        assert_eq!(summed.body.size_bytes, plain.len() as u64);
        assert!(summed.hashes.is_ok() && summed.spooled.is_none());
    }

    /// More than the loads hold that go round, in pieces of many sizes; the second thread comes and goes with other bodies.
    #[test]
    fn threads_may_come_and_go() {
        let mut content = Vec::new();
        let mut word = 1u32;
        while content.len() < 6 << 20 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            content.extend_from_slice(&(word >> 20).to_le_bytes());
        }
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["a", "b", "c/"] {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(if name == "c/" { &[] } else { &content }).unwrap();
        }
        let zip = Bytes::from(writer.finish().unwrap().into_inner());
        let expected = hash_archive(Cursor::new(&zip), &Limits::default());
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path(), 1 << 30).unwrap();
        let cores = Cores::new(2);
        let (mut rest, mut other, mut count) = (zip.clone(), None, 0);
        let next = || {
            count += 1;
            if count % 7 == 0 {
                other = if other.is_some() { None } else { Some(cores.enter()) };
            }
            let piece = rest.split_to(rest.len().min(1 + count * 977));
            (!piece.is_empty()).then_some(Piece::Bytes(piece))
        };
        let summed = hash_body(next, &spool, &cores);
        assert!(count > 14, "the second thread went and came again");
        assert_eq!((summed.hashes, summed.spooled), (expected, None));
        let mut body = crate::rules::hash::BodyHash::default();
        body.push(&zip);
        assert_eq!(summed.body, body.finish());
    }
}
