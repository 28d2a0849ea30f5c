//! Archives that were made to harm, at the limits that hold outside of tests; and ones that are cut off anywhere. What has an
//! h1 has the one that a second reader finds, and what has none there has none here.

use std::io::Cursor;

use super::random::Random;
use super::zipper::{Form, Manner, Zipper};
use super::{oracle, random, streamed, streamed_at_random, vectors, whole, zipper};
use crate::rules::archive::{Batch, Limit, Limits, Odd, Unpack};
use crate::rules::hash::{NoHash, Outcome, RemarkKind, Stream, hash_archive};

/// What a stream stops for; the bytes that it was fed before it said so, in chunks of 64 KiB.
fn stopped(bytes: &[u8]) -> (Option<Odd>, usize) {
    let mut stream = Stream::new(Limits::default());
    let mut fed = 0;
    for chunk in bytes.chunks(64 << 10) {
        stream.push(chunk);
        fed += chunk.len();
        if stream.odd().is_some() {
            break;
        }
    }
    let odd = stream.odd().map(|reason| reason.odd);
    (odd, fed)
}

fn meets(bytes: &[u8], limit: Limit) {
    assert_eq!(stopped(bytes).0, Some(limit.into()));
    assert_eq!(whole(bytes), Err(NoHash::Limit(limit)));
}

/// A MiB that packs as well as deflate can, and one that packs to a hundredth of it.
fn packed(is_dense: bool) -> (Vec<u8>, Vec<u8>) {
    let mut random = Random(7);
    let mut content = vec![0; 1 << 20];
    if !is_dense {
        for place in (0..content.len()).step_by(240) {
            content[place] = random.next() as u8;
        }
    }
    let packed = zipper::deflate(&content, 6);
    (content, packed)
}

/// Many entries of one content, which was packed once.
fn repeated(count: u32, is_dense: bool) -> Vec<u8> {
    let (content, packed) = packed(is_dense);
    let mut zipper = Zipper::default();
    for place in 0..count {
        zipper.entry_packed(format!("{place:04}").as_bytes(), &content, &packed, Manner::GO);
    }
    zipper.finish(b"", false).bytes
}

#[test]
fn a_bomb_meets_the_ratio_that_holds_outside() {
    // In one entry and in many: what was free for one is not free for each.
    let mut one = Zipper::default();
    one.entry(b"zeros", &vec![0; 65 << 20], Manner::GO);
    for bytes in [one.finish(b"", false).bytes, repeated(70, true)] {
        assert!(bytes.len() < 200 << 10);
        meets(&bytes, Limit::Ratio(200));
    }
    // A content that packs well is no bomb.
    let bytes = repeated(70, false);
    assert!(bytes.len() * 200 > 70 << 20);
    let Outcome::Hashed(hashes) = streamed(&bytes, 64 << 10).outcome else { panic!("not streamed") };
    assert_eq!((whole(&bytes).as_ref(), hashes.raw_bytes), (Ok(&hashes), 70 << 20));
}

/// What an archive claims costs nothing: only what it really unpacks to does.
#[test]
fn a_claim_of_many_gib_is_no_content() {
    let far = 5u64 << 30;
    for (form, level) in [(Form::Sized, Some(6)), (Form::Sized, None), (Form::Signed { wide: true }, Some(6))]
    {
        let mut zipper = Zipper::default();
        zipper.entry(b"a", &[7; 3000], Manner { form, level, zip64: true, ..Manner::GO });
        let made = zipper.finish(b"", true);
        // Every field that says how much it unpacks to, and of a stored one how much it takes, says five GiB.
        let mut bytes = made.bytes.clone();
        let raw = 3000u64.to_le_bytes();
        for field in made.fields.iter().filter(|field| field.len() == 8) {
            if bytes[(*field).clone()] == raw {
                bytes[(*field).clone()].copy_from_slice(&far.to_le_bytes());
            }
        }
        assert_ne!(bytes, made.bytes);
        assert!(matches!(streamed(&bytes, 1000).outcome, Outcome::Spool(_)), "{form:?} {level:?}");
        let why = whole(&bytes);
        assert!(matches!(why, Err(NoHash::Entry { .. })), "{form:?} {level:?}: {why:?}");
    }
}

/// The same entry again and again, from a few KiB that are never held together.
#[test]
fn what_really_unpacks_to_more_than_four_gib_is_refused() {
    let (content, packed) = packed(false);
    let mut zipper = Zipper::default();
    zipper.entry_packed(b"a", &content, &packed, Manner::GO);
    let (mut unpack, mut batch) = (Unpack::new(Limits::default()), Batch::default());
    for place in 0..=4096 {
        assert_eq!(unpack.odd(), None, "{place}");
        let mut rest = &zipper.bytes[..];
        while !rest.is_empty() && unpack.odd().is_none() {
            rest = &rest[unpack.push(rest, &mut batch)..];
            if batch.is_full() {
                batch.clear();
            }
        }
    }
    assert_eq!(unpack.odd().map(|reason| reason.odd), Some(Limit::Raw(4 << 30).into()));
}

#[test]
fn names_and_numbers_meet_the_limits_that_hold_outside() {
    let empty = zipper::deflate(b"", 6);
    let mut long = Zipper::default();
    for place in 0..130u32 {
        let name = format!("{place:04}{}", "n".repeat(65_500));
        long.entry_packed(name.as_bytes(), b"", &empty, Manner::GO);
    }
    let bytes = long.finish(b"", false).bytes;
    meets(&bytes, Limit::Names(8 << 20));
    assert!(
        stopped(&bytes).1 < bytes.len() * 2 / 3,
        "it is read no further than to the name that is too many"
    );

    let mut many = Zipper::default();
    for place in 0..100_001u32 {
        many.entry_packed(format!("{place:06}").as_bytes(), b"", &empty, Manner::GO);
    }
    meets(&many.finish(b"", false).bytes, Limit::Entries(100_000));
}

/// Zips in zips: the inner ones are contents like any other, so that each level costs no more than its own bytes.
#[test]
fn an_archive_in_an_archive_is_never_unpacked() {
    let mut inner = repeated(64, true);
    for level in 0..6 {
        let mut zipper = Zipper::default();
        for copy in 0..3u8 {
            let manner = if level % 2 == 0 {
                Manner::GO
            } else {
                Manner { form: Form::Sized, level: None, ..Manner::GO }
            };
            zipper.entry(&[b'a' + copy, b'.', b'z', b'i', b'p'], &inner, manner);
        }
        let bytes = zipper.finish(b"", false).bytes;
        let Outcome::Hashed(hashes) = streamed(&bytes, 64 << 10).outcome else { panic!("level {level}") };
        assert_eq!((hashes.entry_count, hashes.raw_bytes), (3, 3 * inner.len() as u64), "level {level}");
        assert_eq!(whole(&bytes).as_ref(), Ok(&hashes), "level {level}");
        assert_eq!(oracle::h1(&bytes).as_ref(), Some(&hashes.h1), "level {level}");
        inner = bytes;
    }
}

/// Cut off behind any of its bytes, an archive has no h1 that could be taken for its own.
#[test]
fn an_archive_cut_anywhere_has_no_h1_of_its_own() {
    let of = |name: &str| vectors().into_iter().find(|vector| vector.name == name).expect(name);
    for name in [
        "go-made",
        "stored",
        "stored-descriptor",
        "stored-zip",
        "zip64-all",
        "zip64-descriptor",
        "zip64-end",
        "zip64-end-half",
        "leading-uncounted",
        "descriptor-raw",
        "comment",
        "encrypted-claim",
        "gap-between",
    ] {
        let vector = of(name);
        let bytes = vector.bytes();
        assert_eq!(oracle::h1(&bytes).as_ref(), Some(&vector.h1), "{name}");
        for length in 0..bytes.len() {
            let cut = &bytes[..length];
            let is_streamed = matches!(streamed(cut, 100).outcome, Outcome::Hashed(_));
            assert!(!is_streamed, "{name}: {length} bytes are hashed while they arrive");
            let exact = whole(cut);
            assert_eq!(
                oracle::h1(cut).as_ref(),
                exact.as_ref().ok().map(|hashes| &hashes.h1),
                "{name} {length}"
            );
            // Only an archive within it can be meant then, and what stands in front of that is told.
            if let Ok(hashes) = exact {
                let has = |kind| hashes.remarks.iter().any(|remark| remark.kind == kind);
                assert_eq!(name, "stored-zip", "{length} bytes: {hashes:?}");
                assert!(hashes.h1 != vector.h1 && has(RemarkKind::Leading), "{length}: {hashes:?}");
            }
        }
    }
}

/// Whatever is done to archives: the second reader and ours have the same h1, or neither has one.
#[test]
fn harmed_zips_hash_as_a_second_reader_says() {
    let mut random = Random(5);
    let (mut agreed, mut spooled) = (0, 0);
    for run in 0..4000 {
        let made = random::made(&mut random, 5, 2000);
        let bytes = random::harm(&mut random, &made.zip);
        let exact = hash_archive(Cursor::new(&bytes), &Limits::default());
        if matches!(exact, Err(NoHash::Limit(_))) {
            continue;
        }
        let theirs = oracle::h1(&bytes);
        let ours = exact.as_ref().ok().map(|hashes| &hashes.h1);
        assert_eq!(ours, theirs.as_ref(), "run {run}: {exact:?}");
        agreed += usize::from(theirs.is_some());
        if let (Outcome::Spool(_), Some(_)) =
            (streamed_at_random(&bytes, &mut random, Limits::default()).outcome, theirs)
        {
            spooled += 1;
        }
    }
    assert!(
        agreed > 800 && spooled > 300,
        "{agreed} with an h1, {spooled} of them read twice: too few to show anything"
    );
}

#[test]
fn the_second_reader_knows_the_vectors() {
    for vector in vectors() {
        let wanted = Some(vector.h1.clone()).filter(|h1| h1.starts_with("h1:"));
        assert_eq!(oracle::h1(&vector.bytes()), wanted, "{}", vector.name);
    }
}
