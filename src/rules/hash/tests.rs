//! Streams, whole archives and both forms, on archives that a script made byte by byte (`tests/vectors/zip/make.py`).

use std::io::Cursor;

use super::*;
use crate::rules::archive::Limits;

#[derive(serde::Deserialize)]
struct Vector {
    name: String,
    /// `hashed`, or why it cannot be streamed.
    stream: String,
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
    let vectors: Vectors = toml::from_str(include_str!("../../../tests/vectors/zip/vectors.toml")).unwrap();
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
fn said(hashed: &Result<Hashes, NoHash>) -> (String, String) {
    match hashed {
        Ok(hashes) => {
            let directory = match &hashes.directory {
                Ok(h1) => h1.as_str(),
                Err(NotInstallable::Empty) => "empty",
                Err(NotInstallable::Outside(_)) => "outside",
                Err(NotInstallable::Name(_)) => "name",
                Err(NotInstallable::FileAndFolder(_)) => "file-and-folder",
                Err(NotInstallable::Entry { .. }) => "entry",
            };
            (hashes.h1.clone(), directory.to_owned())
        }
        Err(NoHash::NotZip(_)) => ("not-zip".to_owned(), String::new()),
        Err(NoHash::LineBreak(_)) => ("line-break".to_owned(), String::new()),
        Err(NoHash::Entry { .. }) => ("entry".to_owned(), String::new()),
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
            assert_eq!(finished.body.sha256, <[u8; 32]>::from(Sha256::digest(&bytes)), "{}", vector.name);
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
