//! The words of a scenario file, as serde reads them. Every unknown word is an error; every value is checked while it
//! is read, so that errors name line and column.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::archive::Binary;
use crate::fault::{FaultKind, Lane};
use crate::forge::Role;
use crate::forge::actions::Fate;
use crate::forge::actions::spoil::Spoil;
use crate::moment::Moment;
use crate::scenario::names::{Clock, EntryPath, ModuleName, ProviderName, Target};
use crate::scenario::terse::{Several, Terse};

/// A whole scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    pub(crate) clock: Option<Clock>,
    #[serde(default)]
    pub(crate) provider: Vec<ProviderSpec>,
    #[serde(default)]
    pub(crate) module: Vec<ModuleSpec>,
    /// Upstream repositories that the registry has no entry for.
    #[serde(default)]
    pub(crate) repository: Vec<BareSpec>,
    #[serde(default)]
    pub(crate) key: Vec<KeySpec>,
    #[serde(default)]
    pub(crate) blacklist: Vec<BlockSpec>,
    /// The bytes of `versions_blacklist.json`, in place of the generated ones.
    pub(crate) blacklist_json: Option<String>,
    #[serde(default)]
    pub(crate) fault: Vec<FaultSpec>,
    #[serde(default)]
    pub(crate) limits: LimitsSpec,
    #[serde(default)]
    pub(crate) user: UserSpec,
    /// People besides the user.
    #[serde(default)]
    pub(crate) account: Vec<AccountSpec>,
    /// Somebody who looks after pull requests; nobody unless said.
    pub(crate) colleague: Option<ColleagueSpec>,
    /// What becomes of workflows that are started by hand.
    #[serde(default)]
    pub(crate) actions: ActionsSpec,
    /// The registry's commits before the newest one; none unless said.
    pub(crate) before: Option<BeforeSpec>,
    /// Pull requests that are open when the world begins.
    #[serde(default)]
    pub(crate) pull: Vec<PullSpec>,
    /// Issues of the registry, without those that are pull requests.
    #[serde(default)]
    pub(crate) issue: Vec<IssueSpec>,
    /// Further files of the registry, path to text.
    #[serde(default)]
    pub(crate) file: BTreeMap<String, String>,
}

/// A provider: its registry file and its upstream repository.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderSpec {
    pub(crate) address: ProviderName,
    /// The owner upstream, where its case (or the owner itself) differs from the namespace.
    pub(crate) owner: Option<String>,
    pub(crate) targets: Option<Vec<Target>>,
    pub(crate) protocols: Option<Vec<String>>,
    /// What stands before the version in tags; `v` unless said.
    pub(crate) tag_prefix: Option<String>,
    #[serde(default)]
    pub(crate) zip_prefix_v: bool,
    /// The binary that its archives hold.
    #[serde(default)]
    pub(crate) binary: Binary,
    /// Versions in the registry file, in the file's order (newest first), released upstream with the same bytes.
    #[serde(default)]
    pub(crate) stored: Vec<Terse<StoredSpec>>,
    /// The same file and repository under `opentofu/`, for a `hashicorp/` address.
    #[serde(default)]
    pub(crate) twin: bool,
    /// Bare tags, without a release.
    #[serde(default)]
    pub(crate) tags: Vec<Terse<TagSpec>>,
    #[serde(default)]
    pub(crate) releases: Vec<Terse<ReleaseSpec>>,
    /// Stored versions whose tag and release are gone.
    #[serde(default)]
    pub(crate) gone: Vec<String>,
    /// Stored versions whose release is gone while the tag stands.
    #[serde(default)]
    pub(crate) release_gone: Vec<String>,
    #[serde(default)]
    pub(crate) errors: Vec<ErrorSpec>,
    #[serde(default)]
    pub(crate) warnings: Vec<String>,
    #[serde(default)]
    pub(crate) stored_with: StoredWith,
    #[serde(default)]
    pub(crate) repository: RepositorySpec,
    /// The registry file's bytes, in place of the generated ones.
    pub(crate) json: Option<String>,
    /// The versions that the served API lists, where they differ from the file's.
    pub(crate) served: Option<Vec<String>>,
    /// The `[[key]]` that signs its releases, unless one says otherwise; none: their signatures sign nothing.
    pub(crate) signed_by: Option<String>,
    /// Runs of the repository's own workflows.
    #[serde(default)]
    pub(crate) builds: Vec<BuildSpec>,
    /// Fields that differ, in the file or in the served documents, from what the rest of the scenario produces.
    #[serde(default)]
    pub(crate) plant: Vec<PlantSpec>,
}

/// One field to change, add or remove.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlantSpec {
    #[serde(rename = "in")]
    pub(crate) place: PlantPlace,
    /// A JSON pointer: `/versions/0/version`; `-` as its last part adds to a list.
    pub(crate) at: String,
    /// The new value; `None` removes the field.
    pub(crate) value: Option<serde_json::Value>,
}

/// The document in which a field is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PlantPlace {
    /// The registry's file. The served documents are made from it, so they change too.
    File,
    /// The served list of versions only.
    List,
    /// The served download documents only.
    Download,
}

/// One run of a repository's own workflow.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BuildSpec {
    pub(crate) at: Moment,
    /// What started it.
    pub(crate) event: String,
    /// GitHub's word for how it ended; none: it still runs.
    pub(crate) ended: Option<String>,
}

/// A publisher's key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeySpec {
    pub(crate) name: String,
    /// Whom the registry has it on file for: namespaces, or `namespace/name` for one provider.
    #[serde(default)]
    pub(crate) on_file: Vec<String>,
    /// 2020-01-01 unless said.
    pub(crate) created: Option<Moment>,
    pub(crate) expires: Option<Moment>,
    /// Its own signature does not say what the key may do. Clients do not use such a key.
    #[serde(default)]
    pub(crate) without_flags: bool,
}

/// Which of the newer fields the registry file has.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StoredWith {
    /// `h1` and `size` of targets.
    pub(crate) hashes: bool,
    pub(crate) discovered: bool,
    /// `commit` of module versions.
    pub(crate) commit: bool,
}

impl Default for StoredWith {
    fn default() -> Self {
        Self { hashes: true, discovered: true, commit: true }
    }
}

/// A stored provider version.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredSpec {
    pub(crate) version: String,
    /// The tag it came from, where that is not prefix and version.
    pub(crate) tag: Option<String>,
    pub(crate) published: Option<Moment>,
    pub(crate) discovered: Option<Moment>,
    pub(crate) targets: Option<Vec<Target>>,
    pub(crate) protocols: Option<Vec<String>>,
    pub(crate) content_seed: Option<u64>,
    /// `false`: `h1` is empty and `size` 0, as in a file whose backfill did not reach it.
    pub(crate) hashes: Option<bool>,
    /// Another `[[key]]` than the provider's signed it.
    pub(crate) signed_by: Option<String>,
}

impl From<String> for StoredSpec {
    fn from(version: String) -> Self {
        Self { version, ..Self::default() }
    }
}

/// A bare tag.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TagSpec {
    pub(crate) name: String,
    /// When it was pushed.
    pub(crate) at: Option<Moment>,
    pub(crate) annotated: Option<bool>,
}

impl From<String> for TagSpec {
    fn from(name: String) -> Self {
        Self { name, ..Self::default() }
    }
}

/// How a release's SHA256SUMS looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Sums {
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
pub(crate) enum Manifest {
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
pub(crate) struct ReleaseSpec {
    pub(crate) tag: String,
    pub(crate) title: Option<String>,
    pub(crate) published: Option<Moment>,
    /// When its files were (last) uploaded.
    pub(crate) assets_updated: Option<Moment>,
    pub(crate) targets: Option<Vec<Target>>,
    pub(crate) protocols: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) sums: Sums,
    #[serde(default)]
    pub(crate) manifest: Manifest,
    pub(crate) sums_name: Option<String>,
    pub(crate) manifest_name: Option<String>,
    pub(crate) zip_prefix_v: Option<bool>,
    #[serde(default)]
    pub(crate) draft: bool,
    #[serde(default)]
    pub(crate) prerelease: bool,
    /// Other bytes than seed 1 gives.
    pub(crate) content_seed: Option<u64>,
    /// Listed in the sums, but without a file.
    #[serde(default)]
    pub(crate) absent: Vec<Target>,
    /// With a file, but not among the sums.
    #[serde(default)]
    pub(crate) unlisted: Vec<Target>,
    /// The file's bytes are not those that the sums list.
    #[serde(default)]
    pub(crate) mismatch: Vec<Target>,
    /// `false`: GitHub computed no digests (a release from before June 2025).
    pub(crate) digest: Option<bool>,
    /// `false`: no `.sig`.
    pub(crate) signature: Option<bool>,
    /// The bytes of the `.sig`, in base64: made by GnuPG over the sums of this very release.
    pub(crate) signed: Option<String>,
    /// Another `[[key]]` than the provider's signed it.
    pub(crate) signed_by: Option<String>,
    /// Further files, by name.
    #[serde(default)]
    pub(crate) extra: Vec<String>,
}

impl From<String> for ReleaseSpec {
    fn from(tag: String) -> Self {
        Self { tag, ..Self::default() }
    }
}

/// Records of failed bumps of one version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorSpec {
    pub(crate) version: String,
    pub(crate) message: String,
    /// One record.
    pub(crate) at: Option<Moment>,
    /// So many records, at the distances of the back-off, ending at `last`.
    pub(crate) count: Option<u32>,
    pub(crate) last: Option<Moment>,
}

/// What became of the repository.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "the words of a scenario: each may stand alone")]
pub(crate) struct RepositorySpec {
    pub(crate) id: Option<u64>,
    /// `owner/name`.
    pub(crate) moved_to: Option<ProviderName>,
    pub(crate) deleted: bool,
    /// Taken down: 451.
    pub(crate) blocked: bool,
    /// Without any commit, tag or release.
    pub(crate) empty: bool,
    pub(crate) archived: bool,
}

/// A module: its registry file and its upstream repository.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModuleSpec {
    pub(crate) address: ModuleName,
    pub(crate) owner: Option<String>,
    /// Tags in the registry file, in the file's order (newest first), with `v` where the tag has it.
    #[serde(default)]
    pub(crate) stored: Vec<Terse<StoredTagSpec>>,
    /// Further tags upstream.
    #[serde(default)]
    pub(crate) tags: Vec<Terse<TagSpec>>,
    /// Stored tags that are gone.
    #[serde(default)]
    pub(crate) gone: Vec<String>,
    /// Stored tags that point elsewhere now.
    #[serde(default)]
    pub(crate) retagged: Vec<String>,
    /// Every tag is an annotated one unless it says otherwise.
    #[serde(default)]
    pub(crate) annotated: bool,
    #[serde(default)]
    pub(crate) stored_with: StoredWith,
    #[serde(default)]
    pub(crate) repository: RepositorySpec,
    pub(crate) json: Option<String>,
    pub(crate) served: Option<Vec<String>>,
}

/// A stored module version: the raw tag.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredTagSpec {
    pub(crate) version: String,
    pub(crate) at: Option<Moment>,
    pub(crate) discovered: Option<Moment>,
    pub(crate) commit: Option<String>,
}

impl From<String> for StoredTagSpec {
    fn from(version: String) -> Self {
        Self { version, ..Self::default() }
    }
}

/// A repository that the registry has no entry for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BareSpec {
    /// `owner/name`.
    pub(crate) name: ProviderName,
    #[serde(default)]
    pub(crate) tags: Vec<Terse<TagSpec>>,
    #[serde(default)]
    pub(crate) releases: Vec<Terse<ReleaseSpec>>,
    #[serde(default)]
    pub(crate) repository: RepositorySpec,
}

/// An entry of `versions_blacklist.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockSpec {
    pub(crate) provider: Option<ProviderName>,
    pub(crate) module: Option<ModuleName>,
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) reason: String,
}

/// A fault.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FaultSpec {
    pub(crate) on: Several<Lane>,
    /// `owner/name` upstream; on the registry's API the address. None strikes every one.
    #[serde(default)]
    pub(crate) repository: Several<String>,
    pub(crate) path: Option<String>,
    pub(crate) kind: FaultKind,
    pub(crate) times: Option<u32>,
    pub(crate) until: Option<Moment>,
    pub(crate) retry_after: Option<u64>,
}

/// What the servers allow.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LimitsSpec {
    pub(crate) feed_entries: Option<usize>,
    pub(crate) latency_ms: Option<u64>,
    pub(crate) rest_per_hour: Option<u64>,
    pub(crate) anonymous_per_hour: Option<u64>,
    pub(crate) graphql_points: Option<u64>,
    pub(crate) graphql_aliases: Option<usize>,
    /// So many looks at a new check find it queued, the last of them running.
    pub(crate) check_looks: Option<u32>,
    /// A tree with more lines is cut short.
    pub(crate) tree_entries: Option<usize>,
}

/// What becomes of workflows that are started by hand.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ActionsSpec {
    /// Paths of workflows that are switched off.
    pub(crate) disabled: BTreeSet<String>,
    /// A dispatch is answered without the run that it made, as by older servers.
    pub(crate) without_details: bool,
    /// So many looks at a new run find it queued.
    pub(crate) queue_looks: u32,
    /// Jobs that are not just carried out.
    pub(crate) fate: Vec<Fate>,
    /// Artifacts that are served otherwise than they were left.
    pub(crate) spoil: Vec<Spoil>,
}

/// Somebody with a login.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountSpec {
    pub(crate) login: String,
    /// As their profile shows it.
    pub(crate) name: Option<String>,
    /// The token that acts for them.
    pub(crate) token: Option<String>,
    /// What they may do in the registry's repository; `read` unless said.
    #[serde(default)]
    pub(crate) role: Role,
    /// Shown as a member of the registry's organisation.
    #[serde(default)]
    pub(crate) member: bool,
    /// Further organisations that show them as a member.
    #[serde(default)]
    pub(crate) public_in: Vec<String>,
}

/// Versions of entries.
pub(crate) type VersionsSpec = BTreeMap<EntryPath, Vec<String>>;

/// The registry's oldest commit, which somebody has who did not fetch since, and the commits up to the newest one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BeforeSpec {
    pub(crate) at: Moment,
    /// What was not indexed yet.
    pub(crate) without: VersionsSpec,
    /// The number of files that the bump of each day changed since, the last one on the day of the newest commit; 0 is a day
    /// without a bump. If it is empty, the newest commit is the only one after this.
    #[serde(default)]
    pub(crate) bumps: Vec<usize>,
}

/// An issue.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IssueSpec {
    pub(crate) number: u64,
    pub(crate) author: String,
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) body: String,
    pub(crate) opened: Moment,
}

/// A pull request. Whoever may write to the registry's repository has the branch there, anybody else in a fork. No colleague
/// looks after it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PullSpec {
    pub(crate) number: u64,
    /// The login of an `[[account]]`, of the user or of the colleague.
    pub(crate) author: String,
    /// Not said of one by bumpdesk, which has its own.
    #[serde(default)]
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) body: String,
    pub(crate) opened: Moment,
    /// Made on the commit of `[before]`.
    #[serde(default)]
    pub(crate) on_before: bool,
    /// Sent by bumpdesk: one signed commit that adds versions of modules, and its title and text.
    #[serde(default)]
    pub(crate) by_bumpdesk: bool,
    pub(crate) commit: Vec<CommitSpec>,
}

/// A commit of a pull request; each on top of the one before.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommitSpec {
    /// Versions as upstream has them: added, or in the place of what is indexed.
    #[serde(default)]
    pub(crate) versions: VersionsSpec,
    /// The last digit of a target's `shasum` becomes another.
    pub(crate) flipped: Option<FlippedSpec>,
    /// Further files, path to text.
    #[serde(default)]
    pub(crate) file: BTreeMap<String, String>,
    /// Files that go.
    #[serde(default)]
    pub(crate) gone: Vec<String>,
    /// What a tree says that a file is, path to octal: `100755` executable, `120000` a symbolic link.
    #[serde(default)]
    pub(crate) mode: BTreeMap<String, String>,
    /// `[[key]]`s by the namespace, or `namespace/name`, that they are handed in for.
    #[serde(default)]
    pub(crate) key: BTreeMap<String, String>,
    /// A commit of the registry's branch that is a parent of it as well.
    pub(crate) joins: Option<Joined>,
    /// The registry's branch takes it in with a merge of its own before the next one is made.
    #[serde(default)]
    pub(crate) taken_in: bool,
    /// Made on the site, which signs.
    #[serde(default)]
    pub(crate) signed: bool,
    /// Pushed after so many looks at the pull request, counted from the commit before.
    pub(crate) after_looks: Option<u32>,
}

/// Which commit of the registry's branch, as it was when the pull request began.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Joined {
    /// What came to it since is not taken in.
    Oldest,
    /// What came to it is.
    Newest,
    /// So many before the newest.
    #[serde(untagged)]
    Before(usize),
}

/// One target of one version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlippedSpec {
    pub(crate) entry: EntryPath,
    pub(crate) version: String,
    pub(crate) target: Target,
}

/// A colleague. Each number counts the looks at the pull request that find it as it was before; a look is a read of the pull
/// request itself.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ColleagueSpec {
    /// One who has no `[[account]]` of that login gets one, and may merge.
    pub(crate) login: String,
    /// From the end of the required check, if it passes, to the review; an approval marks a draft ready first.
    #[serde(default)]
    pub(crate) review_after: u32,
    #[serde(default)]
    pub(crate) verdict: VerdictSpec,
    /// From the approval to the merge; none unless said.
    pub(crate) merge_after: Option<u32>,
    /// From the merge to the next bump; none unless said. A bump adds the missing tags of the first module that the pull request
    /// leaves alone.
    pub(crate) bump_after: Option<u32>,
    /// The bump puts back what the pull request changed, instead.
    #[serde(default)]
    pub(crate) bump_rewrites: bool,
}

/// What a colleague says.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum VerdictSpec {
    #[default]
    Approve,
    RequestChanges,
}

/// Whose token it is.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct UserSpec {
    pub(crate) login: Option<String>,
    pub(crate) token: Option<String>,
    pub(crate) push: bool,
}
