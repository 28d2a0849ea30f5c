//! The keys on file, as one opened registry has them: listed once, read for the providers that are judged by them.
//!
//! Nine of ten providers have none, so that asking for theirs must cost next to nothing. Nothing here judges a key.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::jobs::session::Session;
use crate::registry::Address;
use crate::registry::keys;
use crate::registry::keys::KeyFile;
use crate::registry::keys::KeyScope;
use crate::rules::Keys;
use crate::rules::signature::KeyRing;

/// The paths of all key files, by namespace, once somebody asked.
#[derive(Debug, Default)]
pub(crate) struct KeyFolder {
    by_namespace: OnceLock<Result<HashMap<String, Vec<String>>, String>>,
}

impl Session {
    /// The paths of the keys that speak for an entry, in the order of a client; none for a module.
    fn key_paths(&self, address: &Address) -> Result<Vec<&str>, String> {
        let Address::Provider(provider) = address else { return Ok(Vec::new()) };
        let by_namespace = self.keys.by_namespace.get_or_init(|| {
            let paths = self.checkout.files_under("keys").map_err(|error| error.to_string())?;
            let mut by_namespace: HashMap<String, Vec<String>> = HashMap::new();
            for path in paths {
                if let Some(scope) = KeyScope::of(&path) {
                    by_namespace.entry(scope.namespace.to_owned()).or_default().push(path);
                }
            }
            Ok(by_namespace)
        });
        let paths = by_namespace.as_ref().map_err(Clone::clone)?.get(provider.effective_namespace());
        Ok(keys::speaking_for(provider, paths.into_iter().flatten().map(String::as_str)))
    }

    /// Whether a client would want signatures of an entry. Also where the keys cannot be read, since then nobody knows.
    pub(crate) fn has_keys(&self, address: &Address) -> bool {
        self.key_paths(address).map_or(true, |paths| !paths.is_empty())
    }

    /// The key files that speak for an entry.
    ///
    /// # Errors
    /// A file or folder cannot be read: which and why.
    pub(crate) fn key_files(&self, address: &Address) -> Result<Vec<KeyFile>, String> {
        let read = |path: &str| {
            let text = self.checkout.read(path).map_err(|error| error.to_string())?;
            Ok(KeyFile { path: path.to_owned(), text })
        };
        self.key_paths(address)?.into_iter().map(read).collect()
    }

    /// The keys that an entry is judged by.
    pub(crate) fn keys_of(&self, address: &Address) -> Keys {
        self.key_files(address).map(|files| KeyRing::read(&files))
    }
}
