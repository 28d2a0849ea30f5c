//! SHA256SUMS and its signature as a client gets them, whether or not a key is on file.

use std::sync::Arc;

use bytes::Bytes;

use crate::jobs::Env;
use crate::registry::ProviderVersion;
use crate::remote::Error;
use crate::rules::Keys;
use crate::rules::client::Fetched;
use crate::rules::signature::Check;

/// What was read of one version.
#[derive(Clone, Debug)]
pub(super) struct Documents {
    pub(super) sums: Fetched<String>,
    pub(super) signature_file: Fetched<()>,
    /// What both come to with the keys on file.
    pub(super) signature: Result<Check, String>,
}

/// Reads them where the data file says they are.
pub(super) async fn read(env: &Arc<Env>, version: &ProviderVersion, keys: &Keys) -> Documents {
    let (sums, signature) =
        tokio::join!(small(env, &version.shasums_url), small(env, &version.shasums_signature_url));
    let check = match (keys, &sums, &signature) {
        (Err(why), _, _) => Err(format!("the keys on file could not be read: {why}")),
        // Without a key the content counts for nothing.
        (Ok(keys), _, _) if keys.is_empty() => Ok(keys.check(&[], &[], env.now())),
        (Ok(keys), Fetched::Got(sums), Fetched::Got(signature)) => Ok(keys.check(sums, signature, env.now())),
        (Ok(_), Fetched::Unread(why), _) => Err(format!("SHA256SUMS could not be read: {why}")),
        (Ok(_), _, Fetched::Unread(why)) => Err(format!("SHA256SUMS.sig could not be read: {why}")),
        (Ok(_), _, _) => Err("without SHA256SUMS and its signature there is nothing to check".to_owned()),
    };
    Documents {
        sums: sums.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        signature_file: signature.map(|_| ()),
        signature: check,
    }
}

async fn small(env: &Arc<Env>, url: &str) -> Fetched<Bytes> {
    match env.remote.client_file(url).await {
        Ok(bytes) => Fetched::Got(bytes),
        Err(Error::NotFound { .. }) => Fetched::Missing,
        Err(other) => Fetched::Unread(other.to_string()),
    }
}
