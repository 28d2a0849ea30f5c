//! Streams, whole archives and both forms, on archives that a script made byte by byte (`tests/vectors/zip/make.py`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::io::Cursor;

use super::*;
use crate::rules::archive::Limits;

mod hostile;
mod oracle;

#[derive(serde::Deserialize)]
struct Vector {
    name: String,
    /// `hashed`, or why it cannot be streamed.
    stream: String,
    /// SHA-256 of the whole, by the script.
    zh: String,
    /// The hash, or a word.
    h1: String,
    directory: String,
    zip: String,
}

impl Vector {
    fn bytes(&self) -> Vec<u8> {
        STANDARD.decode(&self.zip).unwrap()
    }
}

fn vectors() -> Vec<Vector> {
    #[derive(serde::Deserialize)]
    struct Vectors {
        vector: Vec<Vector>,
    }
    let vectors: Vectors =
        toml::from_str(include_str!("../../../../tests/vectors/zip/vectors.toml")).unwrap();
    vectors.vector
}

fn streamed(bytes: &[u8], chunk_bytes: usize) -> Finished {
    let mut stream = Stream::new(Limits::default());
    for chunk in bytes.chunks(chunk_bytes) {
        stream.push(chunk);
    }
    stream.finish()
}

fn whole(bytes: &[u8]) -> Result<Hashes, NoHash> {
    hash_archive(Cursor::new(bytes), &Limits::default())
}

/// In the words of the vectors.
fn said(exact: &Result<Hashes, NoHash>) -> (String, String) {
    match exact {
        Ok(hashes) => {
            let directory = match &hashes.directory {
                Ok(h1) => h1.as_str(),
                Err(NotInstallable::Empty) => "empty",
                Err(NotInstallable::Outside(_)) => "outside",
                Err(NotInstallable::Name(_)) => "name",
                Err(NotInstallable::FileAndFolder(_)) => "file-and-folder",
                Err(NotInstallable::Permission { .. }) => "permission",
                Err(NotInstallable::Entry { .. }) => "entry",
            };
            (hashes.h1.clone(), directory.to_owned())
        }
        Err(NoHash::NotZip(_)) => ("not-zip".to_owned(), String::new()),
        Err(NoHash::LineBreak(_)) => ("line-break".to_owned(), String::new()),
        Err(NoHash::Entry { .. }) => ("entry".to_owned(), String::new()),
        Err(NoHash::Unlockable(installed)) => {
            (said(&Err(installed.why.clone())).0, installed.directory.clone())
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn vectors_hash_to_what_they_should() {
    let mut faults = Vec::new();
    for vector in vectors() {
        let bytes = vector.bytes();
        let exact = whole(&bytes);
        let expected = (vector.h1.clone(), vector.directory.clone());
        if said(&exact) != expected {
            faults.push(format!("{}: whole: {exact:?}, not {expected:?}", vector.name));
        }
        for chunk_bytes in [1, 7, 64 << 10] {
            let finished = streamed(&bytes, chunk_bytes);
            assert_eq!(finished.body.size_bytes, bytes.len() as u64);
            assert_eq!(finished.body.hex(), vector.zh, "{}", vector.name);
            let outcome = match &finished.outcome {
                Outcome::Hashed(hashes) => {
                    if Ok(hashes) != exact.as_ref() {
                        faults.push(format!("{}: streamed {hashes:?}, whole {exact:?}", vector.name));
                    }
                    "hashed".to_owned()
                }
                Outcome::Spool(reason) => format!("{:?}", reason.odd),
            };
            if outcome != vector.stream {
                faults.push(format!("{}, by {chunk_bytes}: {outcome}, not {}", vector.name, vector.stream));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[path = "../../../../tests/vectors/zip/random.rs"]
mod random;
#[path = "../../../../tests/vectors/zip/zipper.rs"]
mod zipper;

use random::Random;
use zipper::{Manner, Zipper};

/// h1 the plain way, from names and contents.
fn plain_h1(entries: &[(Vec<u8>, Vec<u8>)]) -> String {
    let mut sorted: Vec<&Vec<u8>> = entries.iter().map(|(name, _)| name).collect();
    sorted.sort();
    let mut whole = Sha256::new();
    for name in sorted {
        let (_, content) = entries.iter().rfind(|entry| entry.0 == *name).unwrap();
        whole.update(hex::encode(Sha256::digest(content)));
        whole.update([b"  ", name.as_slice(), b"\n"].concat());
    }
    format!("h1:{}", STANDARD.encode(whole.finalize()))
}

/// The bytes in chunks of random sizes.
fn streamed_at_random(bytes: &[u8], random: &mut Random, limits: Limits) -> Finished {
    let mut stream = Stream::new(limits);
    let mut rest = bytes;
    let bound = [1, 3, 40, 5000, 400_000][random.below(5)];
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at((1 + random.below(bound)).min(rest.len()));
        stream.push(chunk);
        rest = after;
    }
    stream.finish()
}

#[test]
fn random_zips_hash_alike_in_both_ways() {
    let mut random = Random(1);
    for run in 0..2000 {
        let largest = if run % 50 == 0 { 700_000 } else { 3000 };
        let made = random::made(&mut random, 8, largest);
        let exact = whole(&made.zip.bytes).unwrap_or_else(|error| panic!("run {run}: {error}"));
        assert_eq!(exact.h1, plain_h1(&made.entries), "run {run}");
        match streamed_at_random(&made.zip.bytes, &mut random, Limits::default()).outcome {
            Outcome::Hashed(hashes) => assert_eq!(hashes, exact, "run {run}"),
            Outcome::Spool(reason) => assert!(made.has_unsized_stored, "run {run}: {reason:?}"),
        }
    }
}

/// The promises about bytes from anywhere: no panic, nothing beyond the limits, and a streamed h1 only where the whole
/// archive has the same.
#[test]
fn harmed_zips_are_never_hashed_wrongly() {
    let limits =
        Limits { entries: 40, name_bytes: 4096, raw_bytes: 1 << 20, ratio: 50, free_raw_bytes: 1 << 16 };
    let mut random = Random(2);
    let mut hashed = 0;
    for run in 0..3000 {
        let made = random::made(&mut random, 5, 2000);
        let bytes = random::harm(&mut random, &made.zip);
        let exact = hash_archive(Cursor::new(&bytes), &limits);
        if let Outcome::Hashed(hashes) = streamed_at_random(&bytes, &mut random, limits).outcome {
            assert_eq!(Ok(&hashes), exact.as_ref(), "run {run}");
            assert!(hashes.raw_bytes <= limits.raw_bytes && hashes.entry_count <= limits.entries);
            hashed += 1;
        }
    }
    assert!(hashed > 100, "only {hashed} of them streamed: too much harm to show anything");
}

/// The first file of the top folder that is called `terraform-provider-NAME`, alone or followed by `_` or `.`.
#[test]
fn what_clients_start() {
    for (name, is_found) in [
        ("terraform-provider-rocket", true),
        ("terraform-provider-rocket_v1.0.0", true),
        ("terraform-provider-rocket_v1.0.0_x5.exe", true),
        ("terraform-provider-rocket.exe", true),
        ("terraform-provider-rocket_", true),
        ("./terraform-provider-rocket", true),
        ("//terraform-provider-rocket_v1.0.0", true),
        ("README.md", false),
        ("rocket", false),
        ("provider-rocket_v1.0.0", false),
        ("terraform-provider-other_v1.0.0", false),
        ("terraform-provider-rocket-x_v1.0.0", false),
        ("terraform-provider-rocketx", false),
        ("terraform-provider-", false),
        ("Terraform-Provider-Rocket", false),
        ("terraform-provider-Rocket_v1.0.0", false),
        ("terraform-provider-rocket/", false),
        ("bin/terraform-provider-rocket_v1.0.0", false),
        ("terraform-provider-rocket_v1.0.0/x", false),
    ] {
        let mut zipper = Zipper::default();
        zipper.entry(b"LICENSE", b"l", Manner::GO);
        zipper.entry(name.as_bytes(), if name.ends_with('/') { b"" } else { b"b" }, Manner::GO);
        let bytes = zipper.finish(b"", false).bytes;
        let Outcome::Hashed(hashes) = streamed(&bytes, 99).outcome else { panic!("{name}: not streamed") };
        for hashes in [hashes, whole(&bytes).unwrap()] {
            assert_eq!(hashes.binaries.has("rocket"), is_found, "{name}");
            // Clients ask for names in lower case alone.
            assert_eq!(hashes.binaries.has("Rocket"), is_found, "{name}");
        }
    }
}

/// Whoever unpacks is its owner, and reads all files again to compare them with the lock file. Of a name that comes twice the
/// first file is written over.
#[test]
fn files_that_their_owner_cannot_read() {
    let [unix, none, dos] = [3u8, 10, 0];
    for (system, mode, is_read, is_written_over) in [
        (unix, 0o755, true, true),
        (unix, 0o400, true, false),
        (unix, 0o444, true, false),
        (unix, 0o600, true, true),
        (unix, 0o200, false, false),
        (unix, 0o111, false, false),
        (unix, 0o077, false, false),
        (unix, 0, false, false),
        (none, 0o755, false, false),
        (dos, 0o755, true, true),
    ] {
        for (entries, is_fine) in [(1, is_read), (2, is_written_over)] {
            let mut zipper = Zipper::default();
            let manner = Manner { attributes: (0o100_000 | mode) << 16, ..Manner::GO };
            for _ in 0..entries {
                zipper.entry(b"bin", b"b", manner);
            }
            let mut bytes = zipper.finish(b"", false).bytes;
            made_by(&mut bytes, system);
            let hashes = whole(&bytes).unwrap();
            let told = format!("{entries} of system {system} with {mode:o}: {:?}", hashes.directory);
            match hashes.directory {
                Ok(h1) => assert!(is_fine && (h1 == hashes.h1) == (entries == 1), "{told}"),
                Err(fault) => {
                    assert!(!is_fine, "{told}");
                    let NotInstallable::Permission { path, as_root } = fault else { panic!("{told}") };
                    // Root unpacks each name once, regardless of its permissions.
                    assert_eq!((path.as_str(), as_root == hashes.h1), ("bin", entries == 1), "{told}");
                    assert_eq!(as_root, plain_h1(&[(b"bin".to_vec(), b"b".to_vec())]), "{told}");
                }
            }
        }
    }
}

/// Writes into each record of the central directory which system it was made on.
fn made_by(bytes: &mut [u8], system: u8) {
    let places: Vec<usize> =
        (0..bytes.len() - 4).filter(|&at| bytes[at..].starts_with(b"PK\x01\x02")).collect();
    for at in places {
        bytes[at + 5] = system;
    }
}

#[test]
fn a_zip_cut_anywhere_has_no_h1() {
    let vector = vectors().into_iter().find(|vector| vector.name == "go-made").unwrap();
    let bytes = vector.bytes();
    for length in 0..bytes.len() {
        let cut = &bytes[..length];
        let Outcome::Spool(reason) = streamed(cut, 100).outcome else { panic!("hashed {length} bytes") };
        assert_eq!(reason.odd, crate::rules::archive::Odd::Truncated, "{length} bytes");
        assert!(matches!(whole(cut), Err(NoHash::NotZip(_))), "{length} bytes");
    }
}

#[test]
fn many_entries_are_read_and_too_many_are_not() {
    let mut zipper = Zipper::default();
    let entries: Vec<(Vec<u8>, Vec<u8>)> =
        (0..70_000u32).map(|place| (format!("docs/{place:05}.md").into_bytes(), Vec::new())).collect();
    let packed = zipper::deflate(b"", 6);
    for (name, content) in &entries {
        zipper.entry_packed(name, content, &packed, Manner::GO);
    }
    let bytes = zipper.finish(b"", false).bytes;
    let Outcome::Hashed(hashes) = streamed(&bytes, 64 << 10).outcome else { panic!("not streamed") };
    assert_eq!((hashes.entry_count, hashes.forms_differ()), (70_000, false));
    assert_eq!(whole(&bytes).as_ref(), Ok(&hashes));
    assert_eq!(hashes.h1, {
        let empty = hex::encode(Sha256::digest(b""));
        let mut sum = Sha256::new();
        for (name, _) in &entries {
            sum.update([empty.as_bytes(), b"  ", name, b"\n"].concat());
        }
        format!("h1:{}", STANDARD.encode(sum.finalize()))
    });
    for limits in
        [Limits { entries: 69_999, ..Limits::default() }, Limits { name_bytes: 9999, ..Limits::default() }]
    {
        let mut stream = Stream::new(limits);
        stream.push(&bytes);
        let odd = stream.odd().map(|reason| reason.odd);
        assert!(matches!(odd, Some(crate::rules::archive::Odd::Limit(_))), "{odd:?}");
        assert!(matches!(hash_archive(Cursor::new(&bytes), &limits), Err(NoHash::Limit(_))));
    }
}

#[test]
fn bombs_meet_the_limit_that_is_theirs() {
    use crate::rules::archive::Limit;
    let mut zipper = Zipper::default();
    zipper.entry(b"zeros", &vec![0; 3 << 20], Manner::GO);
    let bytes = zipper.finish(b"", false).bytes;
    let free = Limits { free_raw_bytes: 1 << 20, ..Limits::default() };
    let cases = [
        (Limits { raw_bytes: 2 << 20, ..Limits::default() }, Limit::Raw(2 << 20)),
        (Limits { ratio: 100, ..free }, Limit::Ratio(100)),
    ];
    for (limits, limit) in cases {
        let mut stream = Stream::new(limits);
        stream.push(&bytes);
        let Outcome::Spool(reason) = stream.finish().outcome else { panic!("hashed a bomb") };
        assert_eq!(reason.odd, limit.into());
        assert_eq!(hash_archive(Cursor::new(&bytes), &limits), Err(NoHash::Limit(limit)));
    }
    assert!(matches!(streamed(&bytes, 999).outcome, Outcome::Hashed(_)));

    // Many entries that all lie in the same place.
    let mut one = Zipper::default();
    let mut random = Random(4);
    let content: Vec<u8> = (0..2u32 << 20).map(|_| random.next() as u8).collect();
    one.entry(b"a", &content, Manner { form: zipper::Form::Sized, ..Manner::GO });
    let bytes = one.finish(b"", false).bytes;
    let end = bytes.len() - 22;
    let start = u32::from_le_bytes(bytes[end + 16..end + 20].try_into().unwrap()) as usize;
    let mut overlapping = bytes[..start].to_vec();
    (0..20).for_each(|_| overlapping.extend_from_slice(&bytes[start..end]));
    let mut record = bytes[end..].to_vec();
    record[8..12].copy_from_slice(&[20, 0, 20, 0]);
    record[12..16].copy_from_slice(&(((end - start) * 20) as u32).to_le_bytes());
    overlapping.extend_from_slice(&record);
    assert_eq!(whole(&overlapping), Err(NoHash::Limit(Limit::Overlap)));
    assert!(matches!(streamed(&overlapping, 4096).outcome, Outcome::Spool(_)));
}

#[test]
fn two_machines_say_what_one_says() {
    use crate::rules::archive::{Batch, Unpack};
    let mut random = Random(3);
    for _ in 0..50 {
        let made = random::made(&mut random, 6, 600_000);
        let (mut unpack, mut entries, mut batch) =
            (Unpack::new(Limits::default()), EntryHash::default(), Batch::default());
        for mut chunk in made.zip.bytes.chunks(1 << 16) {
            while !chunk.is_empty() {
                chunk = &chunk[unpack.push(chunk, &mut batch)..];
                if batch.is_full() {
                    entries.push(&batch);
                    batch.clear();
                }
            }
        }
        let unfinished =
            conclude(Ok(crate::rules::archive::Listing::default()), &[EntrySum { sha256: [0; 32], crc: 0 }]);
        assert!(matches!(unfinished, Outcome::Spool(_)), "sums that are not of the listing");
        entries.push(&batch);
        let outcome = conclude(unpack.finish(), &entries.finish());
        assert_eq!(outcome, streamed(&made.zip.bytes, 777).outcome);
    }
}

/// Archives with several zip64 fields, with one that is too short, and without a required one
/// (`tests/vectors/zip/clients.toml`).
#[test]
fn zip64_fields_are_read_as_go_1_27_reads_them() {
    #[derive(serde::Deserialize)]
    struct Answered {
        name: String,
        h1: String,
        directory: String,
        zip: String,
    }
    #[derive(serde::Deserialize)]
    struct Cases {
        case: Vec<Answered>,
    }
    let cases: Cases = toml::from_str(include_str!("../../../../tests/vectors/zip/clients.toml")).unwrap();
    assert_eq!(cases.case.len(), 24);
    for case in cases.case {
        let bytes = STANDARD.decode(&case.zip).unwrap();
        let exact = whole(&bytes);
        let (h1, directory) = said(&exact);
        let is_same = |found: &str, wanted: &str| {
            if wanted.is_empty() { !found.starts_with("h1:") } else { found == wanted }
        };
        let message = format!("{}: {exact:?}, not {} and {}", case.name, case.h1, case.directory);
        assert!(is_same(&h1, &case.h1) && is_same(&directory, &case.directory), "{message}");
        // The second reader gives the same result, and hashing during the download gives the same hash.
        assert_eq!(oracle::h1(&bytes).unwrap_or_default(), case.h1, "{}", case.name);
        for chunk_bytes in [1, 64 << 10] {
            if let Outcome::Hashed(hashes) = streamed(&bytes, chunk_bytes).outcome {
                assert_eq!(Ok(&hashes), exact.as_ref(), "{}", case.name);
            }
        }
    }
}

/// The header belongs to the file that clients start: the first by name, and the last of several files with that
/// name.
#[test]
fn the_header_of_the_binary_that_clients_start_is_read() {
    /// A name, entries with their content, and the expected processor.
    type Case<'a> = (&'a str, Vec<(&'a str, &'a Vec<u8>)>, Option<&'a str>);

    let elf = |machine: u8| {
        let mut head = b"\x7fELF\x02\x01\x01".to_vec();
        head.resize(18, 0);
        head.extend([machine, 0]);
        head.resize(9_000, machine);
        head
    };
    let (amd64, arm64, script) = (elf(62), elf(183), b"#!/bin/sh\n".to_vec());
    let rocket = "terraform-provider-rocket_v1.0.0";
    let cases: [Case; 9] = [
        ("one", vec![("README.md", &script), (rocket, &amd64)], Some("amd64")),
        ("the first by name", vec![(rocket, &arm64), ("terraform-provider-rocket", &amd64)], Some("amd64")),
        ("the last of one name", vec![(rocket, &arm64), (rocket, &amd64)], Some("amd64")),
        (
            "of one path",
            vec![(rocket, &arm64), ("./terraform-provider-rocket_v1.0.0", &amd64)],
            Some("amd64"),
        ),
        (
            "of another provider",
            vec![("terraform-provider-other_v1", &arm64), (rocket, &amd64)],
            Some("amd64"),
        ),
        ("in a folder", vec![("bin/terraform-provider-rocket", &arm64), (rocket, &amd64)], Some("amd64")),
        ("a script", vec![(rocket, &script)], None),
        ("a script before a program", vec![("terraform-provider-rocket", &script), (rocket, &amd64)], None),
        ("none", vec![("README.md", &amd64)], None),
    ];
    for (name, entries, arch) in cases {
        for level in [None, Some(6)] {
            let mut zipper = Zipper::default();
            for (entry, content) in &entries {
                let form = zipper::Form::Sized;
                zipper.entry(entry.as_bytes(), content, Manner { form, level, ..Manner::GO });
            }
            let bytes = zipper.finish(b"", false).bytes;
            let exact = whole(&bytes).unwrap();
            let found = exact.binaries.executable("rocket").map(|executable| executable.arch.concat());
            assert_eq!(found.as_deref(), arch, "{name}");
            for chunk_bytes in [1, 1_000, 64 << 10] {
                let Outcome::Hashed(hashes) = streamed(&bytes, chunk_bytes).outcome else { panic!("{name}") };
                assert_eq!(hashes, exact, "{name}, by {chunk_bytes}");
            }
        }
    }
}
