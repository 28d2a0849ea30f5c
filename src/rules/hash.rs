//! zh and h1: what an archive hashes to (`spec/registry.md` §6).
//!
//! [`Stream`] hashes a body and its entries while it arrives; what it cannot be sure of is left to [`hash_archive`], which
//! reads a whole copy by its central directory as the registry and the client do. No files, threads or clocks here: bytes and
//! readers come from the callers in `jobs`.

mod body;
mod entries;
mod exact;
mod forms;
mod remark;
mod stream;
#[cfg(test)]
mod tests;

use std::io::Read;
use std::io::Seek;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::Digest;
use sha2::Sha256;

pub use body::BodyHash;
pub use body::BodySum;
pub use entries::EntryHash;
pub use entries::EntrySum;
pub use exact::NoHash;
pub use exact::hash_archive;
pub use forms::NotInstallable;
pub use remark::Remark;
pub use remark::RemarkKind;
pub use stream::Finished;
pub use stream::Outcome;
pub use stream::Stream;
pub use stream::conclude;

use crate::rules::archive::EntryFault;
use crate::rules::archive::Listing;

/// What an archive's contents hash to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashes {
    /// The form of a zip, with its prefix: the registry's.
    pub h1: String,
    /// The form of the directory that the client unpacks it to, with its prefix; or why the client cannot.
    pub directory: Result<String, NotInstallable>,
    pub entry_count: usize,
    /// All contents together, unpacked.
    pub raw_bytes: u64,
    /// What is unusual about the archive, in the order of the kinds.
    pub remarks: Vec<Remark>,
}

impl Hashes {
    /// Whether an installed package hashes to something else than the archive: then a lock file made from the one does not
    /// fit the other.
    pub fn forms_differ(&self) -> bool {
        self.directory.as_ref() != Ok(&self.h1)
    }

    fn of(
        listing: &Listing,
        sums: &[forms::Sum],
        raw_bytes: u64,
        remarks: remark::Remarks,
    ) -> Result<Self, (usize, EntryFault)> {
        Ok(Self {
            h1: forms::zip_form(listing, sums)?,
            directory: forms::directory_form(listing, sums),
            entry_count: listing.len(),
            raw_bytes,
            remarks: remarks.finish(),
        })
    }
}

/// No package comes near this many bytes unpacked; a bomb does.
const UNPACKED_LIMIT_BYTES: u64 = 4 << 30;

/// Why an archive has no h1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashError {
    #[error("no readable zip: {0}")]
    Zip(String),
    #[error("an entry's name holds a line break, which h1 cannot express")]
    Name,
    #[error("two entries have the same name; such archives are not hashed yet")]
    Duplicate,
    #[error("it unpacks to more than {UNPACKED_LIMIT_BYTES} bytes")]
    TooLarge,
}

/// Computes the h1 of a zip, with its `h1:` prefix.
///
/// # Errors
/// The archive is no zip, or one that h1 cannot express.
pub fn h1_of_zip<R: Read + Seek>(archive: R) -> Result<String, HashError> {
    let zip = |error: zip::result::ZipError| HashError::Zip(error.to_string());
    let mut archive = zip::ZipArchive::new(archive).map_err(zip)?;
    if archive.has_duplicate_names() {
        return Err(HashError::Duplicate);
    }
    let mut lines: Vec<(Vec<u8>, String)> = Vec::with_capacity(archive.len());
    let mut unpacked = 0u64;
    for place in 0..archive.len() {
        let mut entry = archive.by_index(place).map_err(zip)?;
        let name = entry.name_raw().to_vec();
        if name.contains(&b'\n') {
            return Err(HashError::Name);
        }
        let mut digest = Sha256::new();
        let mut buffer = vec![0u8; 64 << 10];
        loop {
            let count = entry.read(&mut buffer).map_err(|error| HashError::Zip(error.to_string()))?;
            if count == 0 {
                break;
            }
            unpacked += count as u64;
            if unpacked > UNPACKED_LIMIT_BYTES {
                return Err(HashError::TooLarge);
            }
            digest.update(&buffer[..count]);
        }
        lines.push((name, crate::registry::hex(&digest.finalize())));
    }
    lines.sort();
    let mut whole = Sha256::new();
    for (name, sum) in lines {
        whole.update(sum.as_bytes());
        whole.update(b"  ");
        whole.update(&name);
        whole.update(b"\n");
    }
    Ok(format!("h1:{}", STANDARD.encode(whole.finalize())))
}

#[cfg(test)]
mod whole_tests {
    use std::io::Cursor;
    use std::io::Write;

    use super::*;

    fn zip_of(entries: &[(&str, &str)]) -> Cursor<Vec<u8>> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        for (name, content) in entries {
            if name.ends_with('/') {
                writer.add_directory(*name, options).unwrap();
            } else {
                writer.start_file(*name, options).unwrap();
                writer.write_all(content.as_bytes()).unwrap();
            }
        }
        writer.finish().unwrap()
    }

    #[test]
    fn h1_is_gos() {
        // Checked with Go: spec/registry.md §6.2.
        let cases: [(&[(&str, &str)], &str); 3] = [
            (&[], "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
            (&[("bin", "X"), ("README.md", "r")], "h1:QExrC0UEro2jd7wMqdzv3wDtw9ef1uHZEFxBWTkq4lM="),
            (
                &[("docs/", ""), ("README.md", "r"), ("bin", "X")],
                "h1:IVlcV610jiXAoVqGSvGXatbCC4mboZ4q+K+NBtM+cC8=",
            ),
        ];
        for (entries, expected) in cases {
            assert_eq!(h1_of_zip(zip_of(entries)).as_deref(), Ok(expected));
        }
        assert!(matches!(h1_of_zip(Cursor::new(b"<html>".to_vec())), Err(HashError::Zip(_))));
        assert_eq!(h1_of_zip(zip_of(&[("a\nb", "")])), Err(HashError::Name));
    }
}
