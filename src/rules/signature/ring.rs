//! All keys that speak for one provider, read once and then asked about many versions.

use crate::registry::keys::KeyFile;
use crate::rules::signature::armor::{Label, Oddity};
use crate::rules::signature::details::{KeyDetails, KeyFault};
use crate::rules::signature::parse::{Key, Stops, Unread};
use crate::rules::signature::stream::Release;
use crate::rules::signature::{armor, packet, parse};

/// Longest key file that is read. The largest on the registry has 8,589 bytes.
pub(crate) const KEY_FILE_BYTES_MAX: usize = 256 << 10;

/// The keys on file for a provider, in the order in which a client tries them.
#[derive(Clone, Debug, Default)]
pub struct KeyRing {
    pub(super) files: Vec<ReadFile>,
}

/// A key file as it was read.
#[derive(Clone, Debug, Default)]
pub struct ReadFile {
    path: String,
    oddities: Vec<Oddity>,
    /// Keys of all blocks.
    pub(super) keys: Vec<Key>,
    /// How many of them stand in the first block, which is all that clients read.
    first_block: usize,
    /// Why clients fail on the packets of the first block.
    stops: Stops,
    holds_private: bool,
    /// Why nothing of it can be used.
    unreadable: Option<String>,
    /// Which limit of this program it passes; clients have none.
    beyond: Option<String>,
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
        let mut read = Self { path: file.path.clone(), ..Self::default() };
        if file.text.len() > KEY_FILE_BYTES_MAX {
            read.beyond = Some(format!("it has more than {KEY_FILE_BYTES_MAX} bytes"));
            return read;
        }
        let (blocks, oddities) = match armor::read(&file.text) {
            Ok(blocks) => blocks,
            Err(why) => return Self { unreadable: Some(why), ..read },
        };
        read.oddities = oddities;
        for (place, block) in blocks.iter().enumerate() {
            let parsed = match block.label {
                Label::PublicKey | Label::PrivateKey => parse::keys(&block.bytes),
                Label::Signature | Label::Other => {
                    Err(Unread::Broken("it holds something other than keys".to_owned()))
                }
            };
            match parsed {
                Ok(parsed) => {
                    read.keys.extend(parsed.keys);
                    read.holds_private |= parsed.holds_private;
                    if place == 0 {
                        (read.first_block, read.stops) = (read.keys.len(), parsed.stops);
                    }
                }
                // Nobody looks at a later one.
                Err(_) if place > 0 => {}
                Err(Unread::Broken(why)) => return Self { unreadable: Some(why), ..read },
                Err(Unread::Beyond(why)) => return Self { beyond: Some(why), ..read },
            }
        }
        read
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

    /// Which limit of this program it passes, so that nothing of it was read; a part of a sentence.
    pub(super) fn beyond(&self) -> Option<&str> {
        self.beyond.as_deref()
    }

    /// Why nothing of it is known: a part of a sentence.
    pub(crate) fn unread(&self) -> Option<&str> {
        self.unreadable().or(self.beyond())
    }

    pub(super) fn holds_private(&self) -> bool {
        self.holds_private
    }

    /// Its keys, most often one.
    pub fn keys(&self) -> impl Iterator<Item = &KeyDetails> {
        self.keys.iter().map(|key| &key.details)
    }

    /// Whether a client of a release takes the key at this place into account: it stands in the first block, and the client can
    /// read it.
    pub(super) fn is_seen_by_clients(&self, place: usize, release: Release) -> bool {
        let key = &self.keys[place];
        place < self.first_block
            && !key.details_for(release).is_skipped_by_clients()
            && packet::is_known_key(&key.primary, release)
    }

    /// Returns true if a part of a key may sign. Clients of the release treat a part that may not sign like an
    /// unknown key.
    pub(super) fn may_sign(&self, key: usize, part: usize, release: Release) -> bool {
        self.keys[key].details_for(release).part(part).is_some_and(|part| part.may_sign)
    }

    /// The reason why the newest clients cannot read the file as a whole, as part of a sentence.
    pub(crate) fn refused_by_clients(&self) -> Option<String> {
        self.client_fails(Release::Newest)
    }

    /// Why a client of a release fails on the file as a whole; a part of a sentence.
    pub(super) fn client_fails(&self, release: Release) -> Option<String> {
        if let Some(why) = self.unreadable() {
            return Some(why.to_owned());
        }
        if let Some(oddity) = self.oddities.iter().find(|oddity| oddity.breaks(release)) {
            return Some(oddity.text().to_owned());
        }
        if let Some(why) = self.stops.why(release) {
            return Some(why.to_owned());
        }
        let none = (0..self.keys.len()).all(|place| !self.is_seen_by_clients(place, release));
        let fault =
            || self.keys.first().and_then(|key| key.details_for(release).faults.first()).map(KeyFault::text);
        let why = || fault().unwrap_or_else(|| "it has no key that clients can read".to_owned());
        (none && self.beyond.is_none()).then(why)
    }
}
