//! The keys on file for one provider as a sheet: each key with its end, versions against keys, and what one more key would
//! change. Made for whoever opens an entry; it decides no status.

use jiff::Timestamp;
use serde::Serialize;

use crate::registry::keys::KeyFile;
use crate::registry::{Facts, ProviderAddress, ProviderEntry, ProviderVersion};
use crate::rules::amount::day;
use crate::rules::signature::{Check, KeyDetails, KeyRing, Matrix, Preview, ReadFile, Release, preview};
use crate::rules::{NotChecked, Now, check_signature, indexed_tag, signed_files};

/// The sheet of one provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySheet {
    /// The keys on file, in the order in which a client tries them.
    pub(crate) keys: Vec<KeyLine>,
    /// `None`: nothing is known of any signature, or no key is on file.
    pub(crate) matrix: Option<Matrix>,
    /// What a key that is not on file yet would change.
    pub(crate) preview: Option<KeyPreview>,
}

/// One key on file, or one file that holds none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct KeyLine {
    pub(crate) path: String,
    /// Of the primary key.
    pub(crate) key_id: Option<String>,
    pub(crate) fingerprint: Option<String>,
    /// When its last part that may sign ends; `None`: never, or none may.
    pub(crate) expires: Option<Timestamp>,
    /// `None` if the file cannot be read; the same is true for the next two fields.
    #[serde(rename = "expired")]
    pub(crate) is_expired: Option<bool>,
    #[serde(rename = "revoked")]
    pub(crate) is_revoked: Option<bool>,
    /// By its own word.
    pub(crate) may_sign: Option<bool>,
    /// The reason why a key that was read may not sign.
    #[serde(skip)]
    pub(crate) cannot_sign: Option<&'static str>,
    /// Why the file cannot be read.
    pub(crate) unreadable: Option<String>,
}

/// A key that may be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyPreview {
    /// Its key ids; none if it cannot be read.
    pub(crate) key_ids: Vec<String>,
    /// Why it cannot be read.
    pub(crate) unreadable: Option<String>,
    pub(crate) preview: Preview,
}

impl KeySheet {
    /// Makes the sheet from what is known; asks nobody. `new` is a key file that is not on file, under the path that it would
    /// have.
    pub(crate) fn new(
        address: &ProviderAddress,
        entry: &ProviderEntry,
        facts: &Facts,
        (files, new): (&[KeyFile], Option<&KeyFile>),
        now: Timestamp,
    ) -> Self {
        let ring = KeyRing::read(files);
        let now = Now::from(now);
        let keys = lines(&ring, now);
        let check = |tag: Option<String>| -> Result<Check, String> {
            let tag = tag.ok_or_else(|| "its URL names no tag".to_owned())?;
            check_signature(facts, &tag, &ring, now).map_err(|why| why.text().to_owned())
        };
        let results =
            entry.versions.iter().map(|version| (version.version.clone(), check(indexed_tag(version))));
        let matrix =
            (!ring.is_empty() && !facts.signatures.is_empty()).then(|| Matrix::new(&ring, results.collect()));
        let preview = new.map(|new| {
            let read = KeyRing::read(std::slice::from_ref(new));
            let key_ids = read.files().iter().flat_map(ReadFile::keys).map(|key| key.primary.key_id.clone());
            let unreadable = read.files().first().and_then(|file| file.unreadable().map(str::to_owned));
            let releases: Vec<Release<'_>> = releases(entry, facts, now);
            KeyPreview {
                key_ids: key_ids.collect(),
                unreadable,
                preview: preview(address, files, new, &releases, now),
            }
        });
        Self { keys, matrix, preview }
    }
}

impl NotChecked {
    /// Why, as a part of a sentence.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Unasked => "not read yet",
            Self::Failed(why) => why,
        }
    }
}

impl KeyLine {
    /// `66113FE92198D26C, expires on 2027-01-01`.
    pub(crate) fn text(&self) -> String {
        if let Some(why) = &self.unreadable {
            return format!("cannot be read: {why}");
        }
        let key_id = self.key_id.as_deref().unwrap_or("no key");
        if self.is_revoked == Some(true) {
            return format!("{key_id}, revoked");
        }
        if let Some(why) = self.cannot_sign {
            return format!("{key_id}, {why}");
        }
        match self.expires {
            None => format!("{key_id}, does not expire"),
            Some(at) if self.is_expired == Some(true) => format!("{key_id}, expired on {}", day(at)),
            Some(at) => format!("{key_id}, expires on {}", day(at)),
        }
    }
}

impl KeyPreview {
    /// `B verifies 2 of 3 versions; 2.2.0 installs today without a check and would fail`.
    pub(crate) fn text(&self) -> String {
        match &self.unreadable {
            Some(why) => format!("the key cannot be read ({why}), and every installation would fail on it"),
            None => format!("{} {}", self.key_ids.join(" and "), self.preview.text()),
        }
    }
}

fn lines(ring: &KeyRing, now: Now<'_>) -> Vec<KeyLine> {
    let mut lines = Vec::new();
    for file in ring.files() {
        let path = file.path().to_owned();
        let before = lines.len();
        lines.extend(file.keys().map(|key| line(path.clone(), key, now)));
        if lines.len() == before {
            lines.push(KeyLine {
                path,
                key_id: None,
                fingerprint: None,
                expires: None,
                is_expired: None,
                is_revoked: None,
                may_sign: None,
                cannot_sign: None,
                unreadable: Some(file.unread().unwrap_or("it holds no key").to_owned()),
            });
        }
    }
    lines
}

fn line(path: String, key: &KeyDetails, now: Now<'_>) -> KeyLine {
    let expires = key.ends();
    KeyLine {
        path,
        key_id: Some(key.primary.key_id.clone()),
        fingerprint: Some(key.primary.fingerprint.clone()),
        expires,
        is_expired: Some(expires.is_some_and(|at| now.has_come(at))),
        is_revoked: Some(key.primary.revoked.is_some()),
        may_sign: Some(key.may_sign()),
        cannot_sign: key.cannot_sign(),
        unreadable: None,
    }
}

/// Sums and signature of each indexed version, as far as they were read.
fn releases<'a>(entry: &'a ProviderEntry, facts: &'a Facts, now: Now<'_>) -> Vec<Release<'a>> {
    let files = |version: &ProviderVersion| {
        let tag = indexed_tag(version).ok_or("its URL names no tag")?;
        let files = signed_files(facts, &tag, now).map_err(|why| why.text().to_owned())?;
        // No signature is like one that says nothing.
        Ok((files.sums, files.signature.unwrap_or_default()))
    };
    let release = |version: &'a ProviderVersion| Release { version: &version.version, files: files(version) };
    entry.versions.iter().map(release).collect()
}
