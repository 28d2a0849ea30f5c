//! The releases of the versions that are asked about, as the API tells them: digests, ids and times without any download.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::verify::question::VersionToVerify;
use crate::registry::{ReleaseInfo, Repository};
use crate::remote::Error;
use crate::rules::indexed_tag;

/// In the order of the versions.
#[derive(Default)]
pub(super) struct Releases {
    /// `Err`: why the API did not tell it, though it may be there.
    pub(super) list: Vec<Result<Option<ReleaseInfo>, String>>,
}

impl Releases {
    /// The number of releases that could not be read from the API, and the error of the first one.
    pub(super) fn unread(&self) -> (usize, Option<&str>) {
        let mut whys = self.list.iter().filter_map(|info| info.as_ref().err());
        let first = whys.next();
        (usize::from(first.is_some()) + whys.count(), first.map(String::as_str))
    }
}

/// Asks for the releases; nothing without a token.
pub(super) async fn releases(env: &Arc<Env>, versions: &[VersionToVerify]) -> Releases {
    let mut releases = Releases::default();
    if !env.remote.has_token() {
        releases.list.resize(versions.len(), Ok(None));
        return releases;
    }
    let named: Vec<_> = versions
        .iter()
        .map(|version| {
            let repository = Repository::from_url(&version.stored.shasums_url);
            let repository = repository.unwrap_or_else(|| version.address.repository());
            indexed_tag(&version.stored).map(|tag| (repository, tag))
        })
        .collect();
    let requests: Vec<_> = named.iter().flatten().cloned().collect();
    let mut answers = env.remote.release_batch(&requests).await.into_iter();
    for named in named {
        releases.list.push(match named.and_then(|_| answers.next()) {
            Some(Ok(info)) => Ok(Some(info)),
            // That there is none is what the checksums will show too.
            None | Some(Err(Error::NotFound { .. })) => Ok(None),
            Some(Err(error)) => Err(error.to_string()),
        });
    }
    releases
}
