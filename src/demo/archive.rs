//! Small real zips: what a provider's release holds, with the sums that the registry stores of it.
//!
//! The bytes follow from repository, version, target and seed alone. Hashes are computed here, apart from `rules`, so
//! that a wrong rule there cannot confirm itself.

use std::io::{Cursor, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Deserialize;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::digest::sha256;

/// A zip and what there is to know of it.
#[derive(Clone, Debug)]
pub struct Package {
    pub(crate) bytes: Bytes,
    pub sha256: [u8; 32],
    /// With its `h1:` prefix, in the zip form of `registry.md#hashes`.
    pub h1: String,
}

/// The binary that an archive holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Binary {
    /// A text without a header that names a system, where clients look for it.
    #[default]
    Plain,
    /// None: the archive holds only documents.
    Missing,
    /// In a folder, where clients do not look.
    InFolder,
    /// One for `linux_amd64`, whatever the target is.
    ForLinux,
}

/// The first bytes of an ELF file for `linux_amd64`.
const ELF_HEAD: &str = "\x7fELF\x02\x01\x01\x03\0\0\0\0\0\0\0\0\x02\0\x3e\0";

/// Makes the zip of one target. Another `seed` gives other contents, as a release that was made again has.
pub fn package(repository: &str, version: &str, target: &str, seed: u64) -> Package {
    package_with(Binary::Plain, repository, version, target, seed)
}

/// Makes the zip of one target with the given binary.
pub(crate) fn package_with(
    binary: Binary,
    repository: &str,
    version: &str,
    target: &str,
    seed: u64,
) -> Package {
    let [license, readme, (program, line)] = files(repository, version, target, seed);
    let content = match binary {
        Binary::Plain => (program, line),
        Binary::Missing => ("docs/index.md".to_owned(), line),
        Binary::InFolder => (format!("bin/{program}"), line),
        Binary::ForLinux => (program, format!("{ELF_HEAD}{line}")),
    };
    packed(&[license, readme, content])
}

fn files(repository: &str, version: &str, target: &str, seed: u64) -> [(String, String); 3] {
    let project = repository.rsplit('/').next().unwrap_or(repository);
    let program = format!("{project}_v{version}{}", if target.starts_with("windows") { ".exe" } else { "" });
    let line = format!("{repository} {version} {target} build {seed}\n");
    [
        (
            "LICENSE".to_owned(),
            "Mozilla Public License Version 2.0 (an excerpt that stands for it)\n".to_owned(),
        ),
        ("README.md".to_owned(), format!("# {project}\n\nVersion {version}.\n")),
        (program, line.repeat(24)),
    ]
}

fn packed(files: &[(String, String)]) -> Package {
    let bytes = pack(files);
    Package { sha256: sha256(&bytes), h1: h1_of(&mut files.to_vec()), bytes: bytes.into() }
}

/// A zip of these files, which follows from names and contents alone.
pub(crate) fn pack<T: AsRef<[u8]>>(files: &[(String, T)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::with_capacity(1024)));
    for (name, text) in files {
        let method = if name == "LICENSE" { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o755);
        writer.start_file(name.as_str(), options).expect("a plain name fits into a zip");
        writer.write_all(text.as_ref()).expect("memory takes every byte");
    }
    writer.finish().expect("memory takes every byte").into_inner()
}

/// `<hex sha256><two spaces><name>` a line, sorted by name, hashed once more.
pub(crate) fn h1_of<T: AsRef<[u8]> + Ord>(files: &mut [(String, T)]) -> String {
    files.sort();
    let mut listing = String::new();
    for (name, content) in files {
        listing.push_str(&hex::encode(sha256(content.as_ref())));
        listing.push_str("  ");
        listing.push_str(name);
        listing.push('\n');
    }
    format!("h1:{}", STANDARD.encode(sha256(listing.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h1_of_known_files() {
        let mut files = [("bin".to_owned(), "X"), ("README.md".to_owned(), "r")];
        assert_eq!(h1_of(&mut files), "h1:QExrC0UEro2jd7wMqdzv3wDtw9ef1uHZEFxBWTkq4lM=");
    }

    #[test]
    fn the_same_words_give_the_same_zip() {
        let first = package("o/terraform-provider-x", "1.0.0", "linux_amd64", 1);
        assert_eq!(first.bytes, package("o/terraform-provider-x", "1.0.0", "linux_amd64", 1).bytes);
        let again = package("o/terraform-provider-x", "1.0.0", "linux_amd64", 2);
        assert_ne!(first.sha256, again.sha256);
        assert_ne!(first.h1, again.h1);
        let mut archive = zip::ZipArchive::new(Cursor::new(first.bytes)).unwrap();
        assert_eq!(archive.len(), 3);
        let mut text = String::new();
        std::io::Read::read_to_string(
            &mut archive.by_name("terraform-provider-x_v1.0.0").unwrap(),
            &mut text,
        )
        .unwrap();
        assert!(text.starts_with("o/terraform-provider-x 1.0.0 linux_amd64 build 1\n"));
    }
}
