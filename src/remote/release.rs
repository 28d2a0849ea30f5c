//! Releases and their assets from the REST API, in the registry's own shapes.
//!
//! Only what GitHub counts as a release is there, never a bare tag; drafts only for those who may push. The download
//! count is never read: it changes all the time.

use jiff::Timestamp;
use serde::Deserialize;

use crate::registry::{Asset, ReleaseInfo, Repository};
use crate::remote::Remote;
use crate::remote::http::{Error, encode_path};

/// GitHub's lists end at 10,000 releases; a list that goes on is a fault.
const MOST_PAGES: usize = 100;

#[derive(Debug, Deserialize)]
struct Release {
    id: u64,
    tag_name: String,
    #[serde(default)]
    draft: bool,
    #[serde(default)]
    prerelease: bool,
    created_at: Option<Timestamp>,
    published_at: Option<Timestamp>,
    #[serde(default)]
    assets: Vec<ReleaseAsset>,
}

#[derive(Debug, Deserialize)]
struct ReleaseAsset {
    node_id: Option<String>,
    name: String,
    #[serde(default)]
    state: Option<String>,
    #[serde(default)]
    size: u64,
    digest: Option<String>,
    updated_at: Option<Timestamp>,
}

/// A node id as GitHub makes them; anything else is none.
pub(super) fn node_id(text: String) -> Option<Box<str>> {
    let is_sound = (1..=100).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-=".contains(&byte));
    is_sound.then(|| text.into())
}

impl From<Release> for ReleaseInfo {
    fn from(release: Release) -> Self {
        let uploaded = |asset: &ReleaseAsset| asset.state.as_deref().is_none_or(|state| state == "uploaded");
        Self {
            id: Some(release.id),
            tag: release.tag_name.into(),
            draft: release.draft,
            prerelease: release.prerelease,
            created_at: release.created_at,
            published_at: release.published_at,
            assets: release.assets.into_iter().filter(uploaded).map(Asset::from).collect(),
            truncated: false,
        }
    }
}

impl From<ReleaseAsset> for Asset {
    fn from(asset: ReleaseAsset) -> Self {
        Self {
            id: asset.node_id.and_then(node_id),
            name: asset.name.into(),
            size_bytes: asset.size,
            digest: asset.digest.map(Into::into),
            updated_at: asset.updated_at,
        }
    }
}

impl Remote {
    /// Reads the release of a tag. `NotFound`: there is no such release, or no such repository.
    #[cfg(test)]
    pub(crate) async fn release(&self, repository: &Repository, tag: &str) -> Result<ReleaseInfo, Error> {
        let route = format!("{}/releases/tags/{}", route(repository), encode_path(tag));
        self.get::<Release>(&route).await.map(Into::into)
    }

    /// Reads all releases, newest first as GitHub lists them, with one request for each hundred.
    pub(crate) async fn releases(&self, repository: &Repository) -> Result<Vec<ReleaseInfo>, Error> {
        let first = format!("{}/releases?per_page=100", route(repository));
        let releases: Vec<Release> = self.pages(first, MOST_PAGES).await?;
        Ok(releases.into_iter().map(ReleaseInfo::from).collect())
    }
}

fn route(repository: &Repository) -> String {
    format!("/repos/{}/{}", encode_path(&repository.owner), encode_path(&repository.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read_leniently() {
        let text = r#"{"id":7,"tag_name":"v1","draft":false,"prerelease":true,"created_at":"2026-01-01T00:00:00Z",
            "published_at":null,"unknown":1,"assets":[
            {"id":1,"node_id":"RA_kwDO","name":"a","state":"uploaded","size":5,"digest":"sha256:00","updated_at":"2026-01-01T00:00:00Z","download_count":9},
            {"id":2,"name":"b","state":"open","size":0,"digest":null,"updated_at":null},
            {"id":3,"node_id":"a\u001bb","name":"c"}]}"#;
        let info: ReleaseInfo = serde_json::from_str::<Release>(text).unwrap().into();
        assert_eq!((info.id, &*info.tag, info.prerelease, info.published_at), (Some(7), "v1", true, None));
        let names: Vec<(&str, Option<&str>)> =
            info.assets.iter().map(|a| (&*a.name, a.id.as_deref())).collect();
        assert_eq!(names, [("a", Some("RA_kwDO")), ("c", None)]);
        assert_eq!(info.assets[0].digest.as_deref(), Some("sha256:00"));
    }
}
