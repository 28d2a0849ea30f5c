//! What of a registry file a derived world needs, borrowed from the file's bytes.

use std::borrow::Cow;

use serde::Deserialize;

/// A provider's file.
#[derive(Debug, Deserialize)]
pub(crate) struct Provider<'a> {
    #[serde(borrow)]
    pub(crate) versions: Option<Vec<ProviderVersion<'a>>>,
}

/// A version of a provider.
#[derive(Debug, Deserialize)]
pub(crate) struct ProviderVersion<'a> {
    pub(crate) protocols: Option<Vec<String>>,
    #[serde(borrow, default)]
    pub(crate) shasums_url: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) targets: Option<Vec<Target<'a>>>,
    pub(crate) discovered: Option<String>,
}

/// A target of a version.
#[derive(Debug, Deserialize)]
pub(crate) struct Target<'a> {
    #[serde(borrow)]
    pub(crate) filename: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) shasum: Cow<'a, str>,
    pub(crate) size: Option<u64>,
}

/// A module's file.
#[derive(Debug, Deserialize)]
pub(crate) struct Module<'a> {
    #[serde(borrow)]
    pub(crate) versions: Option<Vec<ModuleVersion<'a>>>,
}

/// A version of a module: the raw tag.
#[derive(Debug, Deserialize)]
pub(crate) struct ModuleVersion<'a> {
    #[serde(borrow)]
    pub(crate) version: Cow<'a, str>,
    pub(crate) commit: Option<String>,
    pub(crate) discovered: Option<String>,
}

/// Owner, repository, tag and file of a release download's URL. The tag may hold slashes.
pub(crate) fn place(url: &str) -> Option<(&str, &str, &str, &str)> {
    let rest = url.strip_prefix("https://github.com/")?;
    let (owner, rest) = rest.split_once('/')?;
    let (name, rest) = rest.split_once('/')?;
    let (tag, file) = rest.strip_prefix("releases/download/")?.rsplit_once('/')?;
    [owner, name, tag, file].iter().all(|part| !part.is_empty()).then_some((owner, name, tag, file))
}
