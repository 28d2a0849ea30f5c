//! The keys on file, as one opened registry has them: read once, made into a ring once for each set of files.
//!
//! Nine of ten providers have none, so that asking for theirs must cost next to nothing; and a namespace with forty providers
//! has its keys checked once. Nothing here judges a key.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::jobs::session::Session;
use crate::registry::keys::{KeyFile, KeyScope};
use crate::registry::{Address, keys};
use crate::rules::Keys;
use crate::rules::signature::KeyRing;
use crate::store::{Checkout, FolderStamp};

const KEYS: &str = "keys";

/// All key files, read at the first use.
#[derive(Debug, Default)]
pub(crate) struct KeyFolder {
    files: OnceLock<Result<KeyTexts, String>>,
    /// By the paths that make one up.
    rings: Mutex<HashMap<Vec<String>, Arc<Keys>>>,
}

/// The contents of the key folder.
#[derive(Debug, Default)]
struct KeyTexts {
    /// `None`: there is no way to see later if all this is still so.
    stamp: Option<FolderStamp>,
    paths_by_namespace: HashMap<String, Vec<String>>,
    /// By path: the text, or why it cannot be read.
    texts: HashMap<String, Result<Vec<u8>, String>>,
}

impl KeyFolder {
    /// Makes a folder from these files, each by its path; files that are not keys are left out.
    pub(super) fn of(files: &BTreeMap<String, Vec<u8>>) -> Self {
        let mut texts = KeyTexts::default();
        for (path, text) in files {
            if let Some(scope) = KeyScope::of(path) {
                texts.paths_by_namespace.entry(scope.namespace.to_owned()).or_default().push(path.clone());
                texts.texts.insert(path.clone(), Ok(text.clone()));
            }
        }
        Self { files: OnceLock::from(Ok(texts)), rings: Mutex::default() }
    }
}

impl KeyTexts {
    fn read(checkout: &Checkout) -> Result<Self, String> {
        let mut read = Self { stamp: checkout.stamp_folder(KEYS), ..Self::default() };
        let paths = checkout.files_under(KEYS).map_err(|error| error.to_string())?;
        let named: Vec<&str> =
            paths.iter().map(String::as_str).filter(|path| KeyScope::of(path).is_some()).collect();
        for path in &named {
            if let Some(scope) = KeyScope::of(path) {
                let paths = read.paths_by_namespace.entry(scope.namespace.to_owned()).or_default();
                paths.push((*path).to_owned());
            }
        }
        let mut keep = |path: &str, text: Result<&[u8], crate::store::Error>| {
            read.texts.insert(path.to_owned(), text.map(<[u8]>::to_vec).map_err(|error| error.to_string()));
        };
        checkout.read_many(&named, &mut keep).map_err(|error| error.to_string())?;
        // A reason for not being read may pass without a trace.
        if read.texts.values().any(Result::is_err) {
            read.stamp = None;
        }
        Ok(read)
    }
}

impl Session {
    fn key_texts(&self) -> Result<&KeyTexts, String> {
        self.keys.files.get_or_init(|| KeyTexts::read(&self.checkout)).as_ref().map_err(Clone::clone)
    }

    /// The stamp that shows later whether the keys are still those of this session; `None` if nothing does.
    pub(crate) fn key_stamp(&self) -> Option<&FolderStamp> {
        self.key_texts().ok()?.stamp.as_ref()
    }

    /// The paths of the keys that speak for an entry, in the order of a client; none for a module.
    fn key_paths(&self, address: &Address) -> Result<Vec<&str>, String> {
        let Address::Provider(provider) = address else { return Ok(Vec::new()) };
        let paths = self.key_texts()?.paths_by_namespace.get(provider.effective_namespace());
        Ok(keys::speaking_for(provider, paths.into_iter().flatten().map(String::as_str)))
    }

    /// Returns true if a client would want signatures of an entry. True also if the keys cannot be read, since then it is not
    /// known.
    pub(crate) fn has_keys(&self, address: &Address) -> bool {
        self.key_paths(address).map_or(true, |paths| !paths.is_empty())
    }

    /// The key files that speak for an entry.
    ///
    /// # Errors
    /// A file or folder cannot be read: which and why.
    pub(crate) fn key_files(&self, address: &Address) -> Result<Vec<KeyFile>, String> {
        let texts = &self.key_texts()?.texts;
        let read = |path: &str| {
            let text = texts.get(path).cloned().unwrap_or_else(|| Err(format!("`{path}` was not read")))?;
            Ok(KeyFile { path: path.to_owned(), text })
        };
        self.key_paths(address)?.into_iter().map(read).collect()
    }

    /// The keys that an entry is judged by.
    pub(crate) fn keys_of(&self, address: &Address) -> Arc<Keys> {
        let paths = match self.key_paths(address) {
            Ok(paths) => paths.into_iter().map(str::to_owned).collect::<Vec<_>>(),
            Err(why) => return Arc::new(Err(why)),
        };
        if paths.is_empty() {
            return Arc::new(Ok(KeyRing::default()));
        }
        let rings = || self.keys.rings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ring) = rings().get(&paths) {
            return Arc::clone(ring);
        }
        // Not under the lock: the other half of the list goes on meanwhile.
        let ring = Arc::new(self.key_files(address).map(|files| KeyRing::read(&files)));
        rings().insert(paths, Arc::clone(&ring));
        ring
    }
}
