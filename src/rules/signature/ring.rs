//! All keys that speak for one provider, read once and then asked about many versions.

use crate::registry::keys::KeyFile;
use crate::rules::signature::armor::{Label, Oddity};
use crate::rules::signature::details::{KeyDetails, KeyFault};
use crate::rules::signature::parse::Key;
use crate::rules::signature::{armor, parse};

/// Longest key file that is read. The largest on the registry has 8,589 bytes.
pub(crate) const KEY_FILE_BYTES_MAX: usize = 256 << 10;

/// The keys on file for a provider, in the order in which a client tries them.
#[derive(Clone, Debug, Default)]
pub struct KeyRing {
    pub(super) files: Vec<ReadFile>,
}

/// A key file as it was read.
#[derive(Clone, Debug)]
pub struct ReadFile {
    path: String,
    oddities: Vec<Oddity>,
    /// Keys of all blocks.
    pub(super) keys: Vec<Key>,
    /// How many of them stand in the first block, which is all that clients read.
    first_block: usize,
    /// Why nothing of it can be used.
    unreadable: Option<String>,
}

impl KeyRing {
    /// Reads key files, which come in the order of `registry::keys::speaking_for`. One that cannot be read stays in the
    /// ring with the reason, since a client fails on it.
    pub fn read(files: &[KeyFile]) -> Self {
        Self { files: files.iter().map(ReadFile::read).collect() }
    }

    pub fn files(&self) -> &[ReadFile] {
        &self.files
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

impl ReadFile {
    fn read(file: &KeyFile) -> Self {
        let (path, mut oddities, mut keys, mut first_block) = (file.path.clone(), Vec::new(), Vec::new(), 0);
        let mut read = || {
            if file.text.len() > KEY_FILE_BYTES_MAX {
                return Err(format!("it has more than {KEY_FILE_BYTES_MAX} bytes"));
            }
            let (blocks, odd) = armor::read(&file.text)?;
            oddities = odd;
            for (place, block) in blocks.iter().enumerate() {
                match block.label {
                    Label::PublicKey => keys.extend(parse::keys(&block.bytes)?),
                    Label::PrivateKey => return Err("it holds a private key".to_owned()),
                    Label::Signature | Label::Other => {
                        return Err("it holds something else than keys".to_owned());
                    }
                }
                if place == 0 {
                    first_block = keys.len();
                }
            }
            Ok(())
        };
        let unreadable = read().err();
        if unreadable.is_some() {
            keys.clear();
            first_block = 0;
        }
        Self { path, oddities, keys, first_block, unreadable }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// What is odd about its text.
    pub fn oddities(&self) -> &[Oddity] {
        &self.oddities
    }

    /// Why it cannot be read; a part of a sentence.
    pub fn unreadable(&self) -> Option<&str> {
        self.unreadable.as_deref()
    }

    /// Its keys, most often one.
    pub fn keys(&self) -> impl Iterator<Item = &KeyDetails> {
        self.keys.iter().map(|key| &key.details)
    }

    /// Whether a client takes the key at this place into account: it stands in the first block, and the client can read it.
    pub(super) fn is_seen_by_clients(&self, place: usize) -> bool {
        place < self.first_block && !self.keys[place].details.is_skipped_by_clients()
    }

    /// Whether a part of a key may sign; to a client, one that may not is as good as unknown.
    pub(super) fn may_sign(&self, key: usize, part: usize) -> bool {
        self.keys[key].details.part(part).is_some_and(|part| part.may_sign)
    }

    /// Why a client fails on the file as a whole; a part of a sentence.
    pub(super) fn client_fails(&self) -> Option<String> {
        if let Some(why) = self.unreadable() {
            return Some(why.to_owned());
        }
        if let Some(oddity) = self.oddities.iter().find(|oddity| oddity.breaks_clients()) {
            return Some(oddity.text().to_owned());
        }
        let none = (0..self.keys.len()).all(|place| !self.is_seen_by_clients(place));
        let fault = || self.keys.first().and_then(|key| key.details.faults.first()).map(KeyFault::text);
        none.then(|| fault().unwrap_or_else(|| "it has no key that clients can read".to_owned()))
    }
}
