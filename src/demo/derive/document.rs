//! What of a registry file a derived world needs, borrowed from the file's bytes.

use std::borrow::Cow;

use serde::Deserialize;

/// A provider's file.
#[derive(Debug, Deserialize)]
pub struct Provider<'a> {
    #[serde(borrow)]
    pub versions: Option<Vec<ProviderVersion<'a>>>,
}

/// A version of a provider.
#[derive(Debug, Deserialize)]
pub struct ProviderVersion<'a> {
    pub protocols: Option<Vec<String>>,
    #[serde(borrow, default)]
    pub shasums_url: Cow<'a, str>,
    #[serde(borrow)]
    pub targets: Option<Vec<Target<'a>>>,
    pub discovered: Option<String>,
}

/// A target of a version.
#[derive(Debug, Deserialize)]
pub struct Target<'a> {
    #[serde(borrow)]
    pub filename: Cow<'a, str>,
    #[serde(borrow)]
    pub shasum: Cow<'a, str>,
    pub size: Option<u64>,
}

/// A module's file.
#[derive(Debug, Deserialize)]
pub struct Module<'a> {
    #[serde(borrow)]
    pub versions: Option<Vec<ModuleVersion<'a>>>,
}

/// A version of a module: the raw tag.
#[derive(Debug, Deserialize)]
pub struct ModuleVersion<'a> {
    #[serde(borrow)]
    pub version: Cow<'a, str>,
    pub commit: Option<String>,
    pub discovered: Option<String>,
}

/// Owner, repository, tag and file of a release download's URL. The tag may hold slashes.
pub fn place(url: &str) -> Option<(&str, &str, &str, &str)> {
    let rest = url.strip_prefix("https://github.com/")?;
    let (owner, rest) = rest.split_once('/')?;
    let (name, rest) = rest.split_once('/')?;
    let (tag, file) = rest.strip_prefix("releases/download/")?.rsplit_once('/')?;
    [owner, name, tag, file].iter().all(|part| !part.is_empty()).then_some((owner, name, tag, file))
}
