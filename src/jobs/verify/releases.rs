//! The releases of the versions that are asked about, as the API tells them: digests, ids and times without any download.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::verify::question::AskedVersion;
use crate::registry::{ReleaseInfo, Repository};
use crate::remote::Error;
use crate::rules::indexed_tag;

/// In the order of the versions.
#[derive(Default)]
pub(super) struct Releases {
    pub(super) list: Vec<Option<ReleaseInfo>>,
    /// Those that the API did not tell, though they may be there, and why the first of them was not told.
    pub(super) unread: usize,
    pub(super) why: Option<String>,
}

/// Asks for the releases; nothing without a token.
pub(super) async fn releases(env: &Arc<Env>, versions: &[AskedVersion]) -> Releases {
    let mut releases = Releases::default();
    if !env.remote.has_token() {
        releases.list.resize(versions.len(), None);
        return releases;
    }
    let named: Vec<_> = versions
        .iter()
        .map(|asked| {
            let repository = Repository::from_url(&asked.stored.shasums_url);
            let repository = repository.unwrap_or_else(|| asked.address.repository());
            indexed_tag(&asked.stored).map(|tag| (repository, tag))
        })
        .collect();
    let asked: Vec<_> = named.iter().flatten().cloned().collect();
    let mut answers = env.remote.release_batch(&asked).await.into_iter();
    for named in named {
        releases.list.push(match named.and_then(|_| answers.next()) {
            Some(Ok(info)) => Some(info),
            // That there is none is what the checksums will show too.
            None | Some(Err(Error::NotFound { .. })) => None,
            Some(Err(error)) => {
                releases.unread += 1;
                releases.why.get_or_insert_with(|| error.to_string());
                None
            }
        });
    }
    releases
}
