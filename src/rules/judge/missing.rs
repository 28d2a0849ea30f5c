//! Tags against the stored list: versions that are missing, and versions whose tag is gone.

use std::collections::HashSet;

use jiff::Timestamp;

use crate::registry::version::trim_v;
use crate::registry::{
    Address, BrokenArchive, Decision, Facts, Kind, Observed, ReleaseFacts, Tag, Tags, Version, Why, version,
};
use crate::rules::amount::{day, minute};
use crate::rules::anatomy::Names;
use crate::rules::judge::{Case, NORMAL_DELAY, is_too_old};
use crate::rules::{Now, PublishedBy, Status, VersionMark, VersionState, anatomy, retry};
use crate::settings::{Feature, Features, words};

/// The version that a tag names, without its `v`; `None` for tags that the registry drops: monorepo tags with `/`, `V1.0`,
/// four parts.
pub(crate) fn tag_version(tag: &str) -> Option<&str> {
    Version::parse(tag).ok().map(|version| version.text())
}

/// The tags that the bump would try to add: semantic versions whose stored form is not in the file. Blacklisted ones too.
pub(crate) fn missing_tags<'a>(
    kind: Kind,
    stored: impl Iterator<Item = &'a str>,
    tags: &'a Tags,
) -> Vec<&'a Tag> {
    let stored: HashSet<&str> = stored.collect();
    tags.list
        .iter()
        .filter(|tag| {
            let Some(version) = tag_version(&tag.name) else { return false };
            !stored.contains(match kind {
                Kind::Provider => version,
                Kind::Module => &*tag.name,
            })
        })
        .collect()
}

/// Indexed versions whose tag is absent.
pub(super) fn gone(case: &Case<'_>, tags: &Tags) -> Vec<VersionState> {
    let kind = case.address.kind();
    let present: HashSet<&str> = tags
        .list
        .iter()
        .filter_map(|tag| match kind {
            Kind::Provider => tag_version(&tag.name),
            Kind::Module => Some(&*tag.name),
        })
        .collect();
    let what =
        if tags.list.is_empty() { "the repository has no tags at all" } else { "its tag is gone upstream" };
    let absent = case.shape.version_list().filter(|version| !present.contains(version));
    absent
        .map(|version| VersionState {
            version: version.to_owned(),
            tag: None,
            mark: decided(case, version).unwrap_or(VersionMark::Is(Status::GoneUpstream)),
            reason: format!("indexed, but {what}"),
            published: None,
            published_by: None,
            targets: None,
            attempts: 0,
            next_try: None,
        })
        .collect()
}

/// The state of every version tag that is not indexed.
pub(super) fn states(case: &Case<'_>, facts: &Facts, tags: &Tags) -> Vec<VersionState> {
    let kind = case.address.kind();
    let missing = missing_tags(kind, case.shape.version_list(), tags);
    missing.into_iter().map(|tag| state(case, facts, tag)).collect()
}

fn state(case: &Case<'_>, facts: &Facts, tag: &Tag) -> VersionState {
    let stored_form = match case.address.kind() {
        Kind::Provider => trim_v(&tag.name),
        Kind::Module => &tag.name,
    };
    let (published, published_by) = published(facts, &tag.name).unzip();
    let errors = case.entry.map_or(&[][..], |entry| entry.errors());
    let tries = retry::tries(errors, stored_form);
    let mut state = VersionState {
        version: stored_form.to_owned(),
        tag: Some(tag.name.to_string()),
        mark: VersionMark::Is(Status::Behind),
        reason: String::new(),
        published,
        published_by,
        targets: None,
        attempts: tries.as_ref().map_or(0, |tries| tries.count),
        next_try: tries.as_ref().map(|tries| case.now.next_run(tries.waits_until)),
    };
    if let Some(entry) = case.blacklist.find(case.address, &tag.name) {
        state.mark = VersionMark::Blocked;
        state.reason = format!("on the blacklist: {}", entry.reason);
        return state;
    }
    let is_old = published.map(|at| case.now.is_since(at, NORMAL_DELAY));
    let unread_feed = match &facts.feed {
        Observed::Unknown { why, .. } => Some(why.text()),
        // The repository is there, so its feed is.
        Observed::Absent { status, .. } => Some(format!("it answered HTTP {status}")),
        Observed::Unasked | Observed::Known { .. } => None,
    };
    let unread_feed = unread_feed.filter(|_| match published_by {
        Some(PublishedBy::Feed | PublishedBy::Api) => false,
        // What we saw first may be older than our last look; a module's feed dates it no better.
        Some(PublishedBy::FirstSeen) => case.address.kind() == Kind::Provider && is_old == Some(false),
        None => true,
    });
    let is_fresh = is_old == Some(false) && unread_feed.is_none();
    // Whether it is the normal delay depends on the date alone.
    let if_dated = |told: (Status, String)| match &unread_feed {
        Some(why) => {
            let text = "missing, and its date is not known: the releases feed could not be read";
            (Status::Unknown, format!("{text}: {why}"))
        }
        None => told,
    };
    let (status, reason) = match case.address.kind() {
        Kind::Module => if_dated(indexable(case, &state.version, is_fresh)),
        Kind::Provider => {
            let none = ReleaseFacts::default();
            let release = facts.releases.get(&tag.name).unwrap_or(&none);
            match probe(case, &tag.name, release, facts.broken.get(&tag.name)) {
                Probe::Unknown(text) => (Status::Unknown, text),
                Probe::Broken(_, text) if is_fresh => (
                    Status::Pending,
                    format!("published {}, still incomplete: {text}", published_clock(published, case.now)),
                ),
                Probe::Broken(_, text) => if_dated((Status::Stranded, text)),
                Probe::Complete(targets) => {
                    state.targets = Some(targets);
                    match &tries {
                        Some(tries) if !case.now.has_come(tries.waits_until) => {
                            (Status::RetryWait, waiting(release, tries))
                        }
                        _ => if_dated(indexable(case, &state.version, is_fresh)),
                    }
                }
            }
        }
    };
    state.reason = reason;
    state.mark = match decision(case, &state.version) {
        // Upstream is not asked about it, so nothing is claimed of it.
        Some(decision) => {
            state.reason = ignored(decision);
            VersionMark::Ignored
        }
        None => VersionMark::Is(status),
    };
    state
}

/// The state of a version that the bump can add.
fn indexable(case: &Case<'_>, version: &str, is_fresh: bool) -> (Status, String) {
    let top = case.shape.highest();
    if is_fresh {
        return (Status::Pending, "published less than 30 minutes ago and not indexed yet".to_owned());
    }
    let Some(top) = top else {
        return (Status::Behind, "complete upstream, and nothing is indexed yet".to_owned());
    };
    if version::compare(version, top).is_lt() {
        return (Status::MissedOldLine, format!("complete upstream, below the highest indexed {top}"));
    }
    if let (Ok(new), Ok(indexed)) = (Version::parse(version), Version::parse(top))
        && indexed.is_prerelease()
        && !new.is_prerelease()
    {
        return (
            Status::Shadowed,
            format!("a stable version, not indexed, hidden by the indexed prerelease {top}"),
        );
    }
    (Status::Behind, format!("complete upstream, above the highest indexed {top}"))
}

/// How often it was tried, and when next, stands in fields of its own.
fn waiting(release: &ReleaseFacts, tries: &retry::Tries) -> String {
    let since = match release.sums.known().and_then(|sums| complete_since(release, sums.modified)) {
        Some(at) => format!("complete since {}", minute(at)),
        None => "complete upstream now".to_owned(),
    };
    format!("{since}; last tried on {}", minute(tries.last))
}

fn complete_since(release: &ReleaseFacts, modified: Option<Timestamp>) -> Option<Timestamp> {
    let info = release.info.known();
    let asset = info.and_then(|info| info.assets.iter().find(|asset| asset.name.ends_with("_SHA256SUMS")));
    asset.and_then(|asset| asset.updated_at).or(modified)
}

words! {
    /// Why the registry's tool cannot index a release.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(crate) enum Breakage: [words] {
        NoRelease = "a tag without a release",
        NoSums = "no SHA256SUMS",
        OtherName = "SHA256SUMS under another name",
        NoArchive = "no archive under an expected name",
        BadSums = "checksums that are none",
        BadArchive = "an archive that is broken upstream",
        TooLong = "a file over the registry's limit",
    }
}

impl Breakage {
    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NoRelease => "no-release",
            Self::NoSums => "no-sums",
            Self::OtherName => "other-name",
            Self::NoArchive => "no-archive",
            Self::BadSums => "bad-sums",
            Self::BadArchive => "bad-archive",
            Self::TooLong => "too-long",
        }
    }
}

enum Probe {
    Unknown(String),
    Broken(Breakage, String),
    /// How many targets the bump would index.
    Complete(u32),
}

/// Whether the registry's tool could index the release, by what was read of it.
fn probe(case: &Case<'_>, tag: &str, release: &ReleaseFacts, broken: Option<&BrokenArchive>) -> Probe {
    if release.sums.at().is_some_and(|at| is_too_old(case, at)) {
        return Probe::Unknown("missing, and its checksums were last read more than 24 h ago".to_owned());
    }
    let broken = broken.filter(|broken| !is_too_old(case, broken.at));
    look(case.address, case.features, tag, (release, broken))
}

/// The reason why the registry's tool cannot index the release of a tag, from what was read of the release. `broken`
/// is the archive because of which a rebuild gave up the version.
pub(crate) fn breakage(
    address: &Address,
    features: Features,
    tag: &str,
    release: (&ReleaseFacts, Option<&BrokenArchive>),
) -> Option<Breakage> {
    match look(address, features, tag, release) {
        Probe::Broken(breakage, _) => Some(breakage),
        Probe::Unknown(_) | Probe::Complete(_) => None,
    }
}

fn look(
    address: &Address,
    features: Features,
    tag: &str,
    (release, broken): (&ReleaseFacts, Option<&BrokenArchive>),
) -> Probe {
    let names = Names::new(&address.repository(), address.name(), tag);
    let sums = match &release.sums {
        Observed::Unasked => {
            return Probe::Unknown("missing, and not looked at yet".to_owned());
        }
        Observed::Unknown { why: Why::TooLarge { limit_bytes }, .. } => {
            return Probe::Broken(
                Breakage::TooLong,
                format!("its SHA256SUMS is not below the registry's limit of {limit_bytes} bytes"),
            );
        }
        Observed::Unknown { why, .. } => {
            return Probe::Unknown(format!("missing, and its checksums could not be read: {}", why.text()));
        }
        Observed::Absent { .. } => {
            let (breakage, text) = no_sums(&names, release);
            return Probe::Broken(breakage, text);
        }
        Observed::Known { value, .. } => value,
    };
    if let Observed::Unknown { why: Why::TooLarge { limit_bytes }, .. } = &release.manifest {
        return Probe::Broken(
            Breakage::TooLong,
            format!("its manifest is not below the registry's limit of {limit_bytes} bytes"),
        );
    }
    if let Observed::Unknown { why, .. } = &release.manifest {
        return Probe::Unknown(format!("missing, and its manifest could not be read: {}", why.text()));
    }
    let offered = names.targets(&anatomy::parse_sums(&sums.text));
    if offered.is_empty() {
        let parts = anatomy::Parts::of(&names, release);
        let hint = match parts.misnamed.first() {
            Some(lack) => lack.text(),
            None => format!("such as {}", names.file("linux_amd64.zip")),
        };
        return Probe::Broken(Breakage::NoArchive, format!("its SHA256SUMS names no expected file, {hint}"));
    }
    if let Some(target) = anatomy::without_sum(&offered) {
        return Probe::Broken(
            Breakage::BadSums,
            format!("its SHA256SUMS has no SHA-256 for {}", target.filename),
        );
    }
    let odd = offered.iter().find(|target| !anatomy::is_sum(&target.shasum));
    if let Some(target) = odd.filter(|_| features.has(Feature::TargetHashes)) {
        return Probe::Broken(
            Breakage::BadSums,
            format!("its SHA256SUMS has no lower-case SHA-256 for {}", target.filename),
        );
    }
    // In a format without hashes, the registry's tool reads no archive.
    if features.has(Feature::TargetHashes)
        && let Some(text) = broken_archive(&offered, release, broken)
    {
        return Probe::Broken(Breakage::BadArchive, text);
    }
    Probe::Complete(offered.len() as u32)
}

/// The archive because of which the registry's tool gives up the version, from GitHub's list of assets or from a
/// rebuild.
fn broken_archive(
    offered: &[anatomy::OfferedTarget],
    release: &ReleaseFacts,
    broken: Option<&BrokenArchive>,
) -> Option<String> {
    let listed = |file: &str| {
        let target = offered.iter().find(|target| target.filename == file);
        target.map(|target| target.shasum.as_str()).unwrap_or_default()
    };
    if let Some((file, fault)) = anatomy::broken_asset(offered, release) {
        return Some(anatomy::fault_text(file, listed(file), &fault));
    }
    let broken = broken.filter(|broken| anatomy::still_holds(broken, offered, release))?;
    let text = anatomy::fault_text(&broken.file, &broken.listed, &broken.fault);
    Some(format!("{text} (as a rebuild found on {})", minute(broken.at)))
}

fn no_sums(names: &Names, release: &ReleaseFacts) -> (Breakage, String) {
    if release.info.is_absent() {
        return (Breakage::NoRelease, "a tag without a release".to_owned());
    }
    let expected = names.file("SHA256SUMS");
    let assets =
        release.info.known().map(|info| info.assets.iter().map(|asset| &*asset.name).collect::<Vec<_>>());
    match assets.map(|assets| anatomy::nearest(&expected, &assets)) {
        Some(Some(name)) => (Breakage::OtherName, format!("expected {expected}, found nearest {name}")),
        Some(None) => (Breakage::NoSums, format!("the release has no SHA256SUMS (expected {expected})")),
        None => (Breakage::NoSums, format!("no SHA256SUMS upstream (expected {expected})")),
    }
}

/// When a version appeared, and how we know.
fn published(facts: &Facts, tag: &str) -> Option<(Timestamp, PublishedBy)> {
    let of_feed = facts.feed.known().and_then(|feed| feed.entries.iter().find(|entry| &*entry.tag == tag));
    if let Some(entry) = of_feed {
        return Some((entry.updated, PublishedBy::Feed));
    }
    let info = facts.releases.get(tag).and_then(|release| release.info.known());
    if let Some(at) = info.and_then(|info| info.published_at) {
        return Some((at, PublishedBy::Api));
    }
    facts.first_seen.get(tag).map(|at| (*at, PublishedBy::FirstSeen))
}

/// A decision of ours about the version, if one holds.
pub(super) fn decided(case: &Case<'_>, version: &str) -> Option<VersionMark> {
    decision(case, version).map(|_| VersionMark::Ignored)
}

fn decision<'a>(case: &Case<'a>, version: &str) -> Option<&'a Decision> {
    holding(case.decisions, case.address, version, case.now)
}

/// The decision about a version that holds now.
pub(crate) fn holding<'a>(
    decisions: &'a [Decision],
    address: &Address,
    version: &str,
    now: Now<'_>,
) -> Option<&'a Decision> {
    if decisions.is_empty() {
        return None;
    }
    let address = address.to_string();
    decisions.iter().find(|decision| {
        decision.address == address
            && decision.version.as_deref().is_none_or(|wanted| trim_v(wanted) == trim_v(version))
            && decision.until().is_none_or(|until| !now.has_come(until))
    })
}

/// `ignored by you until 2027-01-01: never released`.
fn ignored(decision: &Decision) -> String {
    let until = decision.until().map(|until| format!(" until {}", day(until))).unwrap_or_default();
    format!("ignored by you{until}: {}", decision.reason)
}

fn published_clock(published: Option<Timestamp>, now: Now<'_>) -> String {
    published.map_or_else(String::new, |at| format!("at {}", now.clock(at)))
}
