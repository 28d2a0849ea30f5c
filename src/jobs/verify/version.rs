//! The facts of one version upstream that need no archive: checksums, signature, and the release as the API describes it.

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;

use crate::jobs::Env;
use crate::jobs::verify::question::VersionToVerify;
use crate::registry::{ReleaseInfo, Repository};
use crate::remote::{Error, SMALL_LIMIT_BYTES};
use crate::rules::anatomy::Names;
use crate::rules::verify::{AssetSays, Listed, NO_URL, Row, SignatureSays};
use crate::rules::{anatomy, indexed_tag};

/// The answers that all targets of a version share.
#[derive(Clone, Debug)]
pub(super) struct VersionSays {
    /// File names and sums.
    sums: Result<Vec<(String, String)>, Gap>,
    /// The size of a document that is too long for the registry.
    long_bytes: Option<u64>,
    signature: SignatureSays,
    info: Result<Option<ReleaseInfo>, String>,
}

#[derive(Clone, Debug)]
enum Gap {
    Gone,
    Unread(String),
}

/// Reads checksums and signature where the data file says they are, as a client does.
pub(super) async fn read(
    env: &Arc<Env>,
    version: &VersionToVerify,
    info: Result<Option<ReleaseInfo>, String>,
) -> VersionSays {
    let stored = &version.stored;
    let small = async |url: &str| small(env, url).await.map_err(|gap| gap.believed(url, &info));
    let document = small(&stored.shasums_url).await;
    let signature = match &*version.keys {
        Err(why) => SignatureSays::Unread { why: format!("the keys could not be read: {why}") },
        Ok(ring) if ring.is_empty() => SignatureSays::NoKeys,
        Ok(ring) => match &document {
            Err(Gap::Gone) => SignatureSays::Gone,
            Err(Gap::Unread(why)) => SignatureSays::Unread { why: why.clone() },
            Ok(document) => match small(&stored.shasums_signature_url).await {
                Ok(signature) => SignatureSays::of(ring.check(document, &signature, env.now())),
                Err(Gap::Gone) => SignatureSays::Gone,
                Err(Gap::Unread(why)) => SignatureSays::Unread { why },
            },
        },
    };
    let long_bytes =
        document.as_ref().ok().map(|bytes| bytes.len() as u64).filter(|len| *len >= SMALL_LIMIT_BYTES);
    let sums = document.map(|bytes| anatomy::parse_sums(&String::from_utf8_lossy(&bytes)));
    VersionSays { sums, long_bytes, signature, info }
}

async fn small(env: &Arc<Env>, url: &str) -> Result<Bytes, Gap> {
    if url.is_empty() {
        return Err(Gap::Unread(NO_URL.to_owned()));
    }
    env.remote.client_file(url).await.map_err(|error| match error {
        Error::NotFound { .. } => Gap::Gone,
        other => Gap::Unread(other.to_string()),
    })
}

impl Gap {
    /// A 404 of a file that the release lists is none.
    fn believed(self, url: &str, info: &Result<Option<ReleaseInfo>, String>) -> Self {
        match (self, info) {
            (Self::Gone, Ok(Some(info))) if lists(info, url.rsplit('/').next().unwrap_or(url)) => {
                Self::Unread("it answered HTTP 404, though the release lists it".to_owned())
            }
            (gap, _) => gap,
        }
    }
}

fn lists(info: &ReleaseInfo, file: &str) -> bool {
    info.assets.iter().any(|asset| *asset.name == *file)
}

impl VersionSays {
    /// The note about a SHA256SUMS file that is too long for the registry's own tool. No row has a place for it.
    pub(super) fn note(&self, version: &VersionToVerify) -> Option<String> {
        self.long_bytes.map(|bytes| {
            format!(
                "{} {}: SHA256SUMS has {bytes} bytes: clients read it, and the registry's own tool, which stops at 32 KiB, would not index it again",
                version.address, version.stored.version
            )
        })
    }

    /// The registry's platforms that the checksums list archives for and that were not indexed; `None` where that is not known.
    pub(super) fn not_indexed<'a>(
        &self,
        version: &VersionToVerify,
        stored: impl Iterator<Item = &'a str>,
    ) -> Option<Vec<String>> {
        let sums = self.sums.as_ref().ok().filter(|_| version.is_whole)?;
        let stored: HashSet<&str> = stored.collect();
        let repository = Repository::from_url(&version.stored.shasums_url)?;
        let names = Names::new(&repository, version.address.name(), &indexed_tag(&version.stored)?);
        let offered = names.targets(sums);
        let lost = offered.iter().filter(|target| !stored.contains(target.filename.as_str()));
        Some(lost.map(|target| format!("{}_{}", target.os, target.arch)).collect())
    }

    /// Puts what the version says into a row of it.
    pub(super) fn put_into(&self, row: &mut Row) {
        row.listed = match &self.sums {
            Ok(sums) => anatomy::sum_of(sums, &row.filename)
                .map_or(Listed::Omitted, |sum| Listed::Sum { sum: sum.to_owned() }),
            Err(Gap::Gone) => Listed::SumsGone,
            Err(Gap::Unread(why)) => Listed::Unread { why: why.clone() },
        };
        row.signature = self.signature.clone();
        row.asset_unread = self.info.as_ref().err().cloned();
        let Ok(Some(info)) = &self.info else { return };
        row.times.release_created_at = info.created_at;
        row.times.release_published_at = info.published_at;
        let asset = info.assets.iter().find(|asset| *asset.name == *row.filename);
        row.asset = asset.map(|asset| AssetSays {
            id: asset.id.as_deref().map(str::to_owned),
            size_bytes: asset.size_bytes,
            sha256: asset.digest.as_deref().and_then(|it| it.strip_prefix("sha256:")).map(str::to_owned),
            updated_at: asset.updated_at,
        });
    }
}
