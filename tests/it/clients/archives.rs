//! Archives against Go and the clients' unpacking: the h1 of each zip, and that of the folder that it unpacks to.

use std::path::Path;

use bumpdesk::surface::rules::archive::Limits;
use bumpdesk::surface::rules::hash::{
    Finished, Hashes, NoHash, NotInstallable, Outcome, Stream, Unlockable, hash_archive,
};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{stored, tell, unpacked};
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
    /// The h1 of the folder, if root gets a different one.
    dir_as_root: Option<String>,
}

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

/// The sets of stored answers, each with its number of cases.
const SETS: [(&str, usize); 2] = [("archives", 574), ("archives-2", 84)];

#[test]
fn archives_hash_and_unpack_as_those_of_clients() {
    let data = need!(stored());
    let mut odd = Vec::new();
    for (set, count) in SETS {
        let text = std::fs::read_to_string(data.join(format!("{set}.jsonl"))).expect("a list of answers");
        let cases: Vec<Answered> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let folder = unpacked(&data.join(format!("{set}.tar.gz")));
        assert_eq!(cases.len(), count, "{set}");
        let before = odd.len();
        odd.extend(cases.iter().filter_map(|case| difference(folder.path(), case)));
        tell(&format!(
            "{set}: {} of {count} archives hash and unpack as those of clients",
            count - (odd.len() - before)
        ));
    }
    assert!(odd.is_empty(), "{} differ:\n{}", odd.len(), odd.join("\n"));
}

/// The differences between the hashes of a zip and the stored ones.
fn difference(folder: &Path, case: &Answered) -> Option<String> {
    let bytes = std::fs::read(folder.join(&case.file)).expect("a zip of the cases");
    assert_eq!((hex::encode(Sha256::digest(&bytes)), bytes.len() as u64), (case.sha256.clone(), case.size));
    let exact = hash_archive(std::io::Cursor::new(&bytes), &Limits::default());
    let finished = streamed(&bytes);
    assert_eq!(finished.body.hex(), case.sha256, "{}", case.file);
    // The hash computed during the download equals the hash of the whole archive.
    if let Outcome::Hashed(hashes) = finished.outcome {
        assert_eq!(Ok(&hashes), exact.as_ref(), "{}", case.file);
    }
    let as_root = match &exact {
        Ok(Hashes { directory: Err(NotInstallable::Permission { as_root, .. }), .. }) => {
            Some(as_root.clone())
        }
        _ => None,
    };
    // If unpacking succeeded and only hashing was denied, the case was not repeated as root.
    let was_asked = case.dir_as_root.is_some()
        || !case.dir_err.as_deref().is_some_and(|error| error.starts_with("hash: open"));
    if was_asked && as_root != case.dir_as_root {
        return Some(format!("{}: as root {as_root:?}, not {:?}", case.file, case.dir_as_root));
    }
    let (h1, directory) = found(exact);
    let is_same =
        |found: &Result<String, String>, wanted: &str| found.as_deref().unwrap_or_default() == wanted;
    let differs = !is_same(&h1, &case.h1) || !is_same(&directory, &case.dir);
    differs.then(|| {
        format!(
            "{}:\n  h1 {h1:?}, not {:?} {:?}\n  folder {directory:?}, not {:?} {:?}",
            case.file, case.h1, case.h1_err, case.dir, case.dir_err
        )
    })
}
