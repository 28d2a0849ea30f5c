//! The words of a scenario file, as serde reads them. Every unknown word is an error; every value is checked while it
//! is read, so that errors name line and column.

use serde::Deserialize;

use crate::demo::fault::{FaultKind, Lane};
use crate::demo::moment::Moment;
use crate::demo::scenario::names::{Clock, ModuleName, ProviderName, Target};
use crate::demo::scenario::terse::{Several, Terse};

/// A whole scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub clock: Option<Clock>,
    #[serde(default)]
    pub provider: Vec<ProviderSpec>,
    #[serde(default)]
    pub module: Vec<ModuleSpec>,
    /// Upstream repositories that the registry has no entry for.
    #[serde(default)]
    pub repository: Vec<BareSpec>,
    #[serde(default)]
    pub key: Vec<KeySpec>,
    #[serde(default)]
    pub blacklist: Vec<BlockSpec>,
    /// The bytes of `versions_blacklist.json`, in place of the generated ones.
    pub blacklist_json: Option<String>,
    #[serde(default)]
    pub fault: Vec<FaultSpec>,
    #[serde(default)]
    pub limits: LimitsSpec,
    #[serde(default)]
    pub user: UserSpec,
    /// Further files of the registry, path to text.
    #[serde(default)]
    pub file: std::collections::BTreeMap<String, String>,
}

/// A provider: its registry file and its upstream repository.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderSpec {
    pub address: ProviderName,
    /// The owner upstream, where its case (or the owner itself) differs from the namespace.
    pub owner: Option<String>,
    pub targets: Option<Vec<Target>>,
    pub protocols: Option<Vec<String>>,
    /// What stands before the version in tags; `v` unless said.
    pub tag_prefix: Option<String>,
    #[serde(default)]
    pub zip_prefix_v: bool,
    /// Versions in the registry file, in the file's order (newest first), released upstream with the same bytes.
    #[serde(default)]
    pub stored: Vec<Terse<StoredSpec>>,
    /// The same file and repository under `opentofu/`, for a `hashicorp/` address.
    #[serde(default)]
    pub twin: bool,
    /// Bare tags, without a release.
    #[serde(default)]
    pub tags: Vec<Terse<TagSpec>>,
    #[serde(default)]
    pub releases: Vec<Terse<ReleaseSpec>>,
    /// Stored versions whose tag and release are gone.
    #[serde(default)]
    pub gone: Vec<String>,
    /// Stored versions whose release is gone while the tag stands.
    #[serde(default)]
    pub release_gone: Vec<String>,
    #[serde(default)]
    pub errors: Vec<ErrorSpec>,
    #[serde(default)]
    pub warnings: Vec<String>,
    #[serde(default)]
    pub stored_with: StoredWith,
    #[serde(default)]
    pub repository: RepositorySpec,
    /// The registry file's bytes, in place of the generated ones.
    pub json: Option<String>,
    /// The versions that the served API lists, where they differ from the file's.
    pub served: Option<Vec<String>>,
    /// The `[[key]]` that signs its releases, unless one says otherwise; none: their signatures sign nothing.
    pub signed_by: Option<String>,
}

/// A publisher's key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeySpec {
    pub name: String,
    /// Whom the registry has it on file for: namespaces, or `namespace/name` for one provider.
    #[serde(default)]
    pub on_file: Vec<String>,
    /// 2020-01-01 unless said.
    pub created: Option<Moment>,
    pub expires: Option<Moment>,
}

/// Which of the newer fields the registry file has.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StoredWith {
    /// `h1` and `size` of targets.
    pub hashes: bool,
    pub discovered: bool,
    /// `commit` of module versions.
    pub commit: bool,
}

impl Default for StoredWith {
    fn default() -> Self {
        Self { hashes: true, discovered: true, commit: true }
    }
}

/// A stored provider version.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredSpec {
    pub version: String,
    /// The tag it came from, where that is not prefix and version.
    pub tag: Option<String>,
    pub published: Option<Moment>,
    pub discovered: Option<Moment>,
    pub targets: Option<Vec<Target>>,
    pub protocols: Option<Vec<String>>,
    pub content_seed: Option<u64>,
    /// `false`: `h1` is empty and `size` 0, as in a file whose backfill did not reach it.
    pub hashes: Option<bool>,
    /// Another `[[key]]` than the provider's signed it.
    pub signed_by: Option<String>,
}

impl From<String> for StoredSpec {
    fn from(version: String) -> Self {
        Self { version, ..Self::default() }
    }
}

/// A bare tag.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagSpec {
    pub name: String,
    /// When it was pushed.
    pub at: Option<Moment>,
    pub annotated: Option<bool>,
}

impl From<String> for TagSpec {
    fn from(name: String) -> Self {
        Self { name, ..Self::default() }
    }
}

/// How a release's SHA256SUMS looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sums {
    #[default]
    Ok,
    Missing,
    /// Right, with blank lines between.
    Blank,
    /// Hex in capitals.
    Upper,
    /// `*name`, as `sha256sum --binary` writes.
    Binary,
    /// `./name`.
    Paths,
    Crlf,
    /// A page of HTML.
    Html,
    Empty,
    /// The last digit of the first sum is another one.
    Wrong,
    /// Lists its own signature too.
    Extra,
    /// Over 32 KiB.
    Big,
    /// Bytes that are no text.
    Garbage,
}

/// How a release's manifest looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Manifest {
    #[default]
    Ok,
    Missing,
    /// No JSON.
    Invalid,
    /// There, but not among the sums.
    Unlisted,
    /// Valid JSON without a list of protocols.
    NoList,
    /// With an empty list.
    EmptyList,
    Html,
}

/// A release upstream. One with the tag of a stored version takes that version's place.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseSpec {
    pub tag: String,
    pub title: Option<String>,
    pub published: Option<Moment>,
    /// When its files were (last) uploaded.
    pub assets_updated: Option<Moment>,
    pub targets: Option<Vec<Target>>,
    pub protocols: Option<Vec<String>>,
    #[serde(default)]
    pub sums: Sums,
    #[serde(default)]
    pub manifest: Manifest,
    pub sums_name: Option<String>,
    pub manifest_name: Option<String>,
    pub zip_prefix_v: Option<bool>,
    #[serde(default)]
    pub draft: bool,
    #[serde(default)]
    pub prerelease: bool,
    /// Other bytes than seed 1 gives.
    pub content_seed: Option<u64>,
    /// Listed in the sums, but without a file.
    #[serde(default)]
    pub absent: Vec<Target>,
    /// With a file, but not among the sums.
    #[serde(default)]
    pub unlisted: Vec<Target>,
    /// The file's bytes are not those that the sums list.
    #[serde(default)]
    pub mismatch: Vec<Target>,
    /// `false`: GitHub computed no digests (a release from before June 2025).
    pub digest: Option<bool>,
    /// `false`: no `.sig`.
    pub signature: Option<bool>,
    /// The bytes of the `.sig`, in base64: made by GnuPG over the sums of this very release.
    pub signed: Option<String>,
    /// Another `[[key]]` than the provider's signed it.
    pub signed_by: Option<String>,
    /// Further files, by name.
    #[serde(default)]
    pub extra: Vec<String>,
}

impl From<String> for ReleaseSpec {
    fn from(tag: String) -> Self {
        Self { tag, ..Self::default() }
    }
}

/// Records of failed bumps of one version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorSpec {
    pub version: String,
    pub message: String,
    /// One record.
    pub at: Option<Moment>,
    /// So many records, at the distances of the back-off, ending at `last`.
    pub count: Option<u32>,
    pub last: Option<Moment>,
}

/// What became of the repository.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "the words of a scenario: each may stand alone")]
pub struct RepositorySpec {
    pub id: Option<u64>,
    /// `owner/name`.
    pub moved_to: Option<ProviderName>,
    pub deleted: bool,
    /// Taken down: 451.
    pub blocked: bool,
    /// Without any commit, tag or release.
    pub empty: bool,
    pub archived: bool,
}

/// A module: its registry file and its upstream repository.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModuleSpec {
    pub address: ModuleName,
    pub owner: Option<String>,
    /// Tags in the registry file, in the file's order (newest first), with `v` where the tag has it.
    #[serde(default)]
    pub stored: Vec<Terse<StoredTagSpec>>,
    /// Further tags upstream.
    #[serde(default)]
    pub tags: Vec<Terse<TagSpec>>,
    /// Stored tags that are gone.
    #[serde(default)]
    pub gone: Vec<String>,
    /// Stored tags that point elsewhere now.
    #[serde(default)]
    pub retagged: Vec<String>,
    /// Every tag is an annotated one unless it says otherwise.
    #[serde(default)]
    pub annotated: bool,
    #[serde(default)]
    pub stored_with: StoredWith,
    #[serde(default)]
    pub repository: RepositorySpec,
    pub json: Option<String>,
    pub served: Option<Vec<String>>,
}

/// A stored module version: the raw tag.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredTagSpec {
    pub version: String,
    pub at: Option<Moment>,
    pub discovered: Option<Moment>,
    pub commit: Option<String>,
}

impl From<String> for StoredTagSpec {
    fn from(version: String) -> Self {
        Self { version, ..Self::default() }
    }
}

/// A repository that the registry has no entry for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BareSpec {
    /// `owner/name`.
    pub name: ProviderName,
    #[serde(default)]
    pub tags: Vec<Terse<TagSpec>>,
    #[serde(default)]
    pub releases: Vec<Terse<ReleaseSpec>>,
    #[serde(default)]
    pub repository: RepositorySpec,
}

/// An entry of `versions_blacklist.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockSpec {
    pub provider: Option<ProviderName>,
    pub module: Option<ModuleName>,
    pub version: String,
    #[serde(default)]
    pub reason: String,
}

/// A fault.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultSpec {
    pub on: Several<Lane>,
    /// `owner/name` upstream; on the registry's API the address. None strikes every one.
    #[serde(default)]
    pub repository: Several<String>,
    pub path: Option<String>,
    pub kind: FaultKind,
    pub times: Option<u32>,
    pub until: Option<Moment>,
    pub retry_after: Option<u64>,
}

/// What the far sides allow.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsSpec {
    pub feed_entries: Option<usize>,
    pub latency_ms: Option<u64>,
    pub rest_per_hour: Option<u64>,
    pub anonymous_per_hour: Option<u64>,
    pub graphql_points: Option<u64>,
    pub graphql_aliases: Option<usize>,
}

/// Whose token it is.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UserSpec {
    pub login: Option<String>,
    pub token: Option<String>,
    pub push: bool,
}
