//! Artifacts that reach whoever fetches them otherwise than their jobs left them: forged, old, cut off, doubled, gone.
//!
//! A run's own machines get what was left: what is spoiled here is what somebody outside is told and served.

use std::io::{Cursor, Read as _};

use bytes::Bytes;
use jiff::Timestamp;
use serde::Deserialize;

use crate::archive::pack;
use crate::digest::{sha256, small_id};
use crate::forge::actions::{ActionsRun, Artifact};

/// What becomes of an artifact.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spoil {
    /// Its whole name.
    pub artifact: String,
    pub how: How,
}

/// Where its zip changes, GitHub's digest is of what it became, as it is where somebody else put it up; `cut-off` and `digest`
/// are what happens on the way.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum How {
    /// In its file one text stands in the place of another, wherever that stood.
    Edit {
        from: String,
        to: String,
    },
    /// Its file ends after so many bytes.
    Short(usize),
    /// Its file has the content that the file of this artifact has.
    As(String),
    /// Its file goes on with so many bytes of zero.
    Padded(usize),
    /// Its file has another name.
    Renamed(String),
    /// Another file lies beside it.
    Crowded,
    /// It is no zip.
    Letter,
    /// There is a second one of its name.
    Twice,
    Expired,
    /// It is said to have so many bytes.
    Declares(u64),
    /// Half of its bytes are served.
    CutOff,
    /// The digest is that of other bytes.
    Digest,
}

/// An artifact as the world tells of it.
#[derive(Clone, Debug)]
pub(crate) struct Served {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
    pub(crate) size_bytes: u64,
    pub(crate) digest: String,
    pub(crate) is_expired: bool,
    pub(crate) created: Timestamp,
}

impl Served {
    fn new(artifact: &Artifact) -> Self {
        let mut served = Self {
            id: artifact.id,
            name: artifact.name.clone(),
            bytes: Bytes::new(),
            size_bytes: 0,
            digest: String::new(),
            is_expired: false,
            created: artifact.created,
        };
        served.put(artifact.zip.clone());
        served
    }

    /// Other bytes, of which everything is told as it is.
    fn put(&mut self, bytes: Bytes) {
        self.digest = hex::encode(sha256(&bytes));
        self.size_bytes = bytes.len() as u64;
        self.bytes = bytes;
    }
}

/// The first file of a zip.
fn file_of(zip: &[u8]) -> Option<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).ok()?;
    let mut entry = archive.by_index(0).ok()?;
    let mut content = Vec::new();
    entry.read_to_end(&mut content).ok()?;
    Some((entry.name().ok()?.into_owned(), content))
}

impl ActionsRun {
    /// Its artifacts, oldest first, as they are told and served.
    pub(crate) fn served(&self, spoils: &[Spoil]) -> Vec<Served> {
        let mut all: Vec<Served> = self.artifacts.iter().map(Served::new).collect();
        for spoil in spoils {
            let Some(at) = all.iter().position(|one| one.name == spoil.artifact) else { continue };
            if let How::Twice = spoil.how {
                let id = small_id(&["second artifact", &all[at].id.to_string()]);
                let second = Served { id, ..all[at].clone() };
                all.push(second);
            } else {
                self.spoil(&mut all[at], &spoil.how);
            }
        }
        all
    }

    fn spoil(&self, one: &mut Served, how: &How) {
        let Some((name, mut content)) = file_of(&one.bytes) else { return };
        let packed = |files: &[(String, Vec<u8>)]| Bytes::from(pack(files));
        match how {
            How::Edit { from, to } => {
                let text = String::from_utf8_lossy(&content).replace(from, to);
                one.put(packed(&[(name, text.into_bytes())]));
            }
            How::Short(bytes) => {
                content.truncate(*bytes);
                one.put(packed(&[(name, content)]));
            }
            How::As(other) => {
                let other = self.artifacts.iter().find(|one| one.name == *other);
                if let Some((_, content)) = other.and_then(|other| file_of(&other.zip)) {
                    one.put(packed(&[(name, content)]));
                }
            }
            How::Padded(bytes) => {
                content.resize(content.len() + bytes, 0);
                one.put(packed(&[(name, content)]));
            }
            How::Renamed(name) => one.put(packed(&[(name.clone(), content)])),
            How::Crowded => {
                let beside = ("beside.txt".to_owned(), b"Beside it.\n".to_vec());
                one.put(packed(&[(name, content), beside]));
            }
            How::Letter => one.put(Bytes::from_static(b"Dear all, this is not a zip.\n")),
            How::Expired => one.is_expired = true,
            How::Declares(bytes) => one.size_bytes = *bytes,
            How::CutOff => one.bytes.truncate(one.bytes.len() / 2),
            How::Digest => one.digest = hex::encode(sha256(b"other bytes")),
            How::Twice => {}
        }
    }
}
