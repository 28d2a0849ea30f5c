//! Archives against Go and the clients' unpacking: the h1 of each zip, and that of the folder that it unpacks to.

use std::path::Path;

use bumpdesk::surface::rules::archive::Limits;
use bumpdesk::surface::rules::hash::{Finished, Hashes, NoHash, Outcome, Stream, Unlockable, hash_archive};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{stored, unpacked};
use crate::need::need;

/// What was answered to one zip.
#[derive(Debug, Deserialize)]
struct Answered {
    file: String,
    sha256: String,
    size: u64,
    /// Of the zip; empty: there is none.
    h1: String,
    h1_err: Option<String>,
    /// Of the folder; empty: clients cannot unpack it.
    dir: String,
    dir_err: Option<String>,
}

/// Where we say another thing, each with its reason.
const ON_PURPOSE: [(&str, &str); 0] = [];

/// The two hashes of a zip, with why where there is none.
type Found = (Result<String, String>, Result<String, String>);

fn found(hashes: Result<Hashes, NoHash>) -> Found {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    match hashes {
        Ok(Hashes { h1, directory, .. }) => (Ok(h1), directory.map_err(|why| text(&why))),
        Err(NoHash::Unlockable(unpacked)) => {
            let Unlockable { why, directory, .. } = *unpacked;
            (Err(text(&why)), Ok(directory))
        }
        Err(why) => (Err(text(&why)), Err(text(&why))),
    }
}

fn streamed(bytes: &[u8]) -> Finished {
    let mut stream = Stream::new(Limits::default());
    bytes.chunks(1_000).for_each(|chunk| stream.push(chunk));
    stream.finish()
}

#[test]
fn archives_hash_and_unpack_as_those_of_clients() {
    let data = need!(stored());
    let text = std::fs::read_to_string(data.join("archives.jsonl")).expect("a list of answers");
    let cases: Vec<Answered> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let folder = unpacked(&data.join("archives.tar.gz"));
    assert_eq!(cases.len(), 574);
    let mut odd = Vec::new();
    for case in &cases {
        let path: &Path = &folder.path().join(&case.file);
        let bytes = std::fs::read(path).expect("a zip of the cases");
        assert_eq!(
            (hex::encode(Sha256::digest(&bytes)), bytes.len() as u64),
            (case.sha256.clone(), case.size)
        );
        let exact = hash_archive(std::io::Cursor::new(&bytes), &Limits::default());
        let finished = streamed(&bytes);
        assert_eq!(finished.body.hex(), case.sha256, "{}", case.file);
        // What is told while it arrives is what the whole archive says.
        if let Outcome::Hashed(hashes) = finished.outcome {
            assert_eq!(Ok(&hashes), exact.as_ref(), "{}", case.file);
        }
        if ON_PURPOSE.iter().any(|(file, _)| *file == case.file) {
            continue;
        }
        let (h1, directory) = found(exact);
        let is_same =
            |found: &Result<String, String>, wanted: &str| found.as_deref().unwrap_or_default() == wanted;
        if !is_same(&h1, &case.h1) || !is_same(&directory, &case.dir) {
            odd.push(format!(
                "{}:\n  h1 {h1:?}, not {:?} {:?}\n  folder {directory:?}, not {:?} {:?}",
                case.file, case.h1, case.h1_err, case.dir, case.dir_err
            ));
        }
    }
    assert!(odd.is_empty(), "{} differ:\n{}", odd.len(), odd.join("\n"));
}
