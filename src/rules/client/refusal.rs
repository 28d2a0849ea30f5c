//! The one rule for everything that clients refuse because of stored or served text. The content of archives does not
//! matter here.
//!
//! The rule reads three things: a data file ([`of_entry`]), a served list of versions ([`of_list`]) and a served
//! download document ([`of_document`]). The steps of [`super::Chain`], statuses, `lint`, `verify`, `triage`, plans,
//! gates and reviews all take these faults from here. Source: OpenTofu's `internal/getproviders`
//! (`registry.md#what-a-client-checks`).

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::registry::{ProviderEntry, ProviderVersion, ServedDocument, Target};
use crate::rules::Finding;
use crate::rules::anatomy::has_scheme;
use crate::rules::client::{ClientVersion, Step, StepName};
use crate::rules::plain_text::visible;

/// The major protocol versions that clients support: 5 and 6.
const SPOKEN: std::ops::Range<u64> = 5..7;
/// GitHub accepts no larger file in a release, so a larger size is wrong (GitHub's documentation, "About releases").
const LARGEST_BYTES: u64 = 2 << 30;
/// The message of clients for a version without targets.
pub(crate) const NO_TARGETS: &str = "platform not supported: the version lists no platform";
/// The most unreadable versions that one sentence names.
const NAMED: usize = 3;

/// The clients that refuse something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Clients {
    /// All releases of OpenTofu and Terraform.
    All,
    /// OpenTofu 1.12 and later, which reads `packages`.
    NewerTofu,
    /// Terraform only.
    Terraform,
}

impl Clients {
    /// The subject of a sentence, for a verb in the plural.
    pub(crate) fn subject(self) -> &'static str {
        match self {
            Self::All => "clients",
            Self::NewerTofu => "OpenTofu clients from 1.12 on",
            Self::Terraform => "Terraform clients",
        }
    }
}

/// One kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The list contains a version that clients cannot read.
    Version,
    /// Clients write the version, and request it, in another spelling.
    Spelling,
    Protocols,
    /// The version lists no platform.
    NoTargets,
    SumsUrl,
    SignatureUrl,
    ArchiveUrl,
    Filename,
    Checksum,
    /// Clients cannot read the name of a platform.
    Platform,
    Hash,
    /// A size that is missing, zero or negative.
    Size,
    /// A size that no file in a release can have.
    Oversize,
    /// The document describes a platform other than the requested one.
    OtherPlatform,
    /// `packages` lacks the platform or its checksum.
    Packages,
    Key,
}

impl Fault {
    /// The step at which a client fails because of this fault.
    pub(super) fn step(self) -> StepName {
        match self {
            Self::Version => StepName::Listing,
            Self::Protocols => StepName::Protocol,
            Self::Spelling | Self::NoTargets | Self::OtherPlatform => StepName::Platform,
            Self::SumsUrl => StepName::Checksums,
            Self::SignatureUrl => StepName::SignatureFile,
            Self::ArchiveUrl => StepName::Archive,
            Self::Filename => StepName::ChecksumList,
            Self::Checksum | Self::Platform | Self::Hash | Self::Size | Self::Oversize | Self::Packages => {
                StepName::Package
            }
            Self::Key => StepName::Signature,
        }
    }

    /// Returns true for a missing size, which a backfill fills in.
    pub(crate) fn is_unfilled(self) -> bool {
        self == Self::Size
    }
}

/// A fault without its place: the clients that refuse it, and the cause as part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cause {
    pub(super) fault: Fault,
    pub(super) clients: Clients,
    pub(super) text: String,
}

/// One fault that makes clients refuse something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) fault: Fault,
    pub(crate) clients: Clients,
    /// The version as it is stored or served; `None` for the whole provider.
    pub(crate) version: Option<String>,
    /// The affected platforms, such as `linux_amd64`; empty for every platform of the version.
    pub(crate) targets: Vec<String>,
    /// The cause, in lower case and without a full stop.
    pub(crate) cause: String,
}

impl Refusal {
    /// Returns true if no client gets any version of the provider.
    pub(crate) fn is_of_provider(&self) -> bool {
        self.version.is_none()
    }

    /// Returns true if it affects one version on one platform.
    pub(crate) fn hits(&self, version: &str, platform: &str) -> bool {
        self.hits_version(version)
            && (self.targets.is_empty() || self.targets.iter().any(|target| target == platform))
    }

    /// Returns true if `now` adds nothing to this refusal: it is the same fault of the same version, on no other platform.
    /// A fault of the whole provider is covered only by itself.
    pub(crate) fn covers(&self, now: &Self) -> bool {
        let is_narrower = self.targets.is_empty()
            || !now.targets.is_empty() && now.targets.iter().all(|target| self.targets.contains(target));
        let is_same = (self.fault, self.clients, &self.version) == (now.fault, now.clients, &now.version);
        self == now || !self.is_of_provider() && is_same && is_narrower
    }

    /// Returns true if it affects at least one platform of a version.
    pub(crate) fn hits_version(&self, version: &str) -> bool {
        self.version.as_deref().is_none_or(|own| own == version)
    }

    /// A sentence with the clients, the scope and the cause: `clients refuse every platform: protocols six: …`.
    pub(crate) fn text(&self) -> String {
        let (subject, cause) = (self.clients.subject(), &self.cause);
        if self.fault == Fault::Version {
            return format!("no client can read this provider's list: {cause}");
        }
        if self.is_of_provider() {
            return format!("{subject} refuse every version of it: {cause}");
        }
        match &self.targets[..] {
            [] => format!("{subject} refuse every platform of it: {cause}"),
            [one] => format!("{subject} refuse {}: {cause}", visible(one)),
            [first, others @ ..] => {
                format!("{subject} refuse {} and {} more: {cause}", visible(first), others.len())
            }
        }
    }
}

/// All refusals for a data file: those of the provider first, then version by version in the order of the file.
pub(crate) fn of_entry(entry: &ProviderEntry) -> Vec<Refusal> {
    let names: Vec<&str> = entry.versions.iter().map(|version| version.version.as_str()).collect();
    of_versions(&names, &entry.versions)
}

/// All refusals for some versions of a data file. `names` are the names of all its versions.
pub(crate) fn of_versions(names: &[&str], versions: &[ProviderVersion]) -> Vec<Refusal> {
    let is_listed = |name: &str| names.contains(&name);
    let of_provider = of_list(versions.iter().map(|version| version.version.as_str()));
    let of_each = versions.iter().flat_map(|version| of_version_among(&is_listed, version));
    of_provider.into_iter().chain(of_each).collect()
}

/// The findings for a reviewer about what clients would refuse in the versions that a change adds or edits. This
/// includes a list that no client can read, even if it could not be read before.
pub(crate) fn of_change(before: &ProviderEntry, after: &ProviderEntry) -> Vec<Finding> {
    let old: HashMap<&str, &ProviderVersion> =
        before.versions.iter().map(|version| (version.version.as_str(), version)).collect();
    let is_changed = |version: &&ProviderVersion| old.get(version.version.as_str()) != Some(version);
    let names: Vec<&str> = after.versions.iter().map(|version| version.version.as_str()).collect();
    of_changed(before, &names, after.versions.iter().filter(is_changed))
}

/// The findings of [`of_change`] for versions that were already compared. `names` are the names of all versions after the
/// change, and `changed` the versions that were added or edited.
pub(crate) fn of_changed<'a>(
    before: &ProviderEntry,
    names: &[&str],
    changed: impl IntoIterator<Item = &'a ProviderVersion>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(refusal) = of_list(names.iter().copied()) {
        let old: HashSet<&str> = before.versions.iter().map(|version| version.version.as_str()).collect();
        let added = names.iter().copied().filter(|name| !old.contains(name));
        findings.extend(added.map(|added| Finding::warning(RULE, refusal.text()).on(added)));
    }
    let is_listed = |name: &str| names.contains(&name);
    for version in changed {
        let before_it = before.versions.iter().filter(|old| old.version == version.version);
        let known: Vec<Refusal> = before_it.flat_map(|old| of_version(before, old)).collect();
        let is_new = |refusal: &Refusal| !known.iter().any(|old| old.covers(refusal));
        let new = of_version_among(&is_listed, version).into_iter().filter(is_new);
        findings.extend(new.map(|refusal| Finding::warning(RULE, refusal.text()).on(&*version.version)));
    }
    findings
}

/// The rule for a finding about something that clients refuse.
pub(crate) const RULE: &str = "clients-refuse";

/// The fault of a stored or served list of versions that hides every version of the provider.
pub(crate) fn of_list<'a>(versions: impl IntoIterator<Item = &'a str>) -> Option<Refusal> {
    let cause = list(versions)?;
    let Cause { fault, clients, text } = cause;
    Some(Refusal { fault, clients, version: None, targets: Vec::new(), cause: text })
}

/// All refusals for one version of a data file, except for a fault that hides the whole provider.
pub(crate) fn of_version(entry: &ProviderEntry, version: &ProviderVersion) -> Vec<Refusal> {
    of_version_among(&|name| entry.lists(name), version)
}

fn of_version_among(is_listed: &dyn Fn(&str) -> bool, version: &ProviderVersion) -> Vec<Refusal> {
    let shared = [
        spelling(is_listed, version),
        protocols(&version.protocols),
        version.targets.is_empty().then(no_targets),
        sums_url(&version.shasums_url),
        signature_url(&version.shasums_signature_url),
        platforms(odd_platforms(version)),
        hashes(odd_hashes(version)),
    ];
    let mut found: Vec<Refusal> =
        shared.into_iter().flatten().map(|cause| cause.on(&version.version, Vec::new())).collect();
    for target in &version.targets {
        for cause in of_target(target) {
            let alike = found.iter_mut().find(|known| {
                !known.targets.is_empty() && (known.fault, known.clients) == (cause.fault, cause.clients)
            });
            match alike {
                Some(known) => known.targets.push(target.platform()),
                None => found.push(cause.on(&version.version, vec![target.platform()])),
            }
        }
    }
    found
}

/// The platforms of a version whose parts clients may read otherwise. Healthy files have none, and a survey asks this of
/// each target of the registry, so only those are written out.
pub(super) fn odd_platforms(version: &ProviderVersion) -> impl Iterator<Item = String> {
    let is_odd = |part: &String| part.contains(['_', ' ', '\t', '\n', '\r']);
    version
        .targets
        .iter()
        .filter(move |target| is_odd(&target.os) || is_odd(&target.arch))
        .map(Target::platform)
}

/// The stored h1 of each platform that is not served as it should be: one without a scheme.
pub(super) fn odd_hashes(version: &ProviderVersion) -> impl Iterator<Item = (String, &str)> {
    let hashes = version.targets.iter().filter_map(|target| Some((target, target.h1.as_deref()?)));
    let odd = hashes.filter(|(_, h1)| !h1.is_empty() && !has_scheme(h1));
    odd.map(|(target, h1)| (target.platform(), h1))
}

fn of_target(target: &Target) -> impl Iterator<Item = Cause> {
    let causes = [
        archive_url(&target.download_url),
        filename(&target.filename),
        checksum(&target.shasum),
        target.size.and_then(|size| self::size(Some(size.into()))),
    ];
    causes.into_iter().flatten()
}

/// All refusals for the download document that was served for one platform of a version.
pub(crate) fn of_document(version: &str, platform: (&str, &str), document: &ServedDocument) -> Vec<Refusal> {
    let target = format!("{}_{}", platform.0, platform.1);
    let packages = document.packages.as_deref().unwrap_or_default();
    let shared =
        [
            protocols(&document.protocols),
            sums_url(&document.shasums_url),
            signature_url(&document.shasums_signature_url),
            platforms(packages.iter().map(|package| package.platform.clone())),
            hashes(packages.iter().flat_map(|package| {
                package.hashes.iter().map(|hash| (package.platform.clone(), hash.as_str()))
            })),
        ];
    let own = [
        other_platform(platform, (document.os.as_str(), document.arch.as_str())),
        archive_url(&document.download_url),
        filename(&document.filename),
        checksum(&document.shasum),
    ];
    let shared = shared.into_iter().flatten().map(|cause| cause.on(version, Vec::new()));
    let own = own.into_iter().flatten().chain(package(&target, document));
    shared.chain(own.map(|cause| cause.on(version, vec![target.clone()]))).collect()
}

/// Checks the requested platform in `packages`.
fn package(target: &str, document: &ServedDocument) -> Option<Cause> {
    let packages = document.packages.as_deref().filter(|packages| !packages.is_empty())?;
    let newer = |fault, text| Some(Cause { fault, clients: Clients::NewerTofu, text });
    let Some(own) = packages.iter().find(|package| package.platform == target) else {
        let text = format!("registry response missing package with platform \"{target}\"");
        return newer(Fault::Packages, text);
    };
    if let Some(cause) = size(own.size) {
        return Some(cause);
    }
    let mut zips = own.hashes.iter().filter_map(|hash| hash.strip_prefix("zh:")).peekable();
    if zips.peek().is_none() {
        return newer(Fault::Packages, format!("registry response has no `zh:` hash for {target}"));
    }
    let other = zips.find(|zip| *zip != document.shasum)?;
    let text = format!(
        "registry response expected sha256sum is \"{}\", which does not match the platform's value of \"{}\"",
        visible(&document.shasum),
        visible(other)
    );
    newer(Fault::Packages, text)
}

impl Cause {
    fn of_all(fault: Fault, text: impl Into<String>) -> Self {
        Self { fault, clients: Clients::All, text: text.into() }
    }

    /// The step at which a client fails because of this fault.
    pub(super) fn step(self) -> Step {
        Step::fail(self.fault.step(), self.text)
    }

    fn on(self, version: &str, targets: Vec<String>) -> Refusal {
        let Self { fault, clients, text } = self;
        Refusal { fault, clients, version: Some(version.to_owned()), targets, cause: text }
    }
}

/// A single version that a client cannot read hides the whole provider.
pub(super) fn list<'a>(versions: impl IntoIterator<Item = &'a str>) -> Option<Cause> {
    let unreadable: Vec<&str> =
        versions.into_iter().filter(|text| ClientVersion::parse(text).is_none()).collect();
    let [first, others @ ..] = &unreadable[..] else { return None };
    let mut text = format!("version `{}` {}", visible(first), Unreadable(first));
    if !others.is_empty() {
        let named: Vec<String> =
            others.iter().take(NAMED - 1).map(|other| format!("`{}`", visible(other))).collect();
        let more = match others.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        text = format!("{text}; clients cannot read {}{more} either", named.join(", "));
    }
    Some(Cause::of_all(Fault::Version, text))
}

/// Displays the reason why a client cannot read a version, as the end of a sentence.
struct Unreadable<'a>(&'a str);

impl fmt::Display for Unreadable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0;
        let begins_with_v =
            text.strip_prefix(['v', 'V']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let core = text.split(['-', '+']).next().unwrap_or_default();
        let numbers = core.split('.').count();
        let is_numeric = !core.is_empty()
            && core.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        if text.is_empty() {
            f.write_str("is empty")
        } else if begins_with_v {
            write!(f, "begins with `{}`", &text[..1])
        } else if text.trim() != text {
            f.write_str("has white space around it")
        } else if is_numeric && numbers > 3 {
            write!(f, "has {numbers} numbers, and clients read three at most")
        } else if is_numeric && core.split('.').any(|part| part.parse::<u64>().is_err()) {
            f.write_str("has a number that does not fit into 64 bits")
        } else {
            f.write_str("is not a version")
        }
    }
}

/// Clients request a version in their own spelling, but the registry has it only in the stored one.
pub(super) fn spelling(is_listed: &dyn Fn(&str) -> bool, version: &ProviderVersion) -> Option<Cause> {
    let text = version.version.as_str();
    let normal = ClientVersion::parse(text)?.normal();
    if normal == text {
        return None;
    }
    let text = if is_listed(&normal) {
        format!(
            "clients take `{text}` for {normal}, which the registry lists too, and get that one's platforms"
        )
    } else {
        format!(
            "platform not supported: clients take `{text}` for {normal} and ask for that, and the registry has it only under `{text}`"
        )
    };
    Some(Cause::of_all(Fault::Spelling, text))
}

/// Every listed protocol must be readable, and one must be supported. Clients do not check a missing list.
pub(super) fn protocols(protocols: &[String]) -> Option<Cause> {
    let listed = || visible(&protocols.join(", ")).into_owned();
    if let Some(odd) = protocols.iter().find(|protocol| ClientVersion::parse(protocol).is_none()) {
        let text = format!(
            "protocols {}: registry response includes invalid version string `{}`",
            listed(),
            visible(odd)
        );
        return Some(Cause::of_all(Fault::Protocols, text));
    }
    let is_unspoken = !protocols.is_empty() && !protocols.iter().any(|protocol| is_spoken(protocol));
    is_unspoken.then(|| {
        Cause::of_all(Fault::Protocols, format!("protocols {}: clients speak only 5 and 6", listed()))
    })
}

pub(super) fn is_spoken(protocol: &str) -> bool {
    ClientVersion::parse(protocol)
        .is_some_and(|read| read.prerelease.is_empty() && SPOKEN.contains(&read.numbers[0]))
}

pub(super) fn no_targets() -> Cause {
    Cause::of_all(Fault::NoTargets, NO_TARGETS)
}

pub(super) fn sums_url(url: &str) -> Option<Cause> {
    if url.is_empty() {
        // An empty URL leads clients back to the registry's own answer.
        let text = "the registry has no URL of SHA256SUMS for it: clients read the registry's own answer instead, and find no checksum there";
        return Some(Cause::of_all(Fault::SumsUrl, text));
    }
    unfollowed("SHASUMS URL", url).map(|text| Cause::of_all(Fault::SumsUrl, text))
}

/// An empty URL leads to the registry's own answer. That counts as a signature only if a key is on file, which the
/// step of the signature checks.
pub(super) fn signature_url(url: &str) -> Option<Cause> {
    let text = unfollowed("SHASUMS signature URL", url).filter(|_| !url.is_empty())?;
    Some(Cause::of_all(Fault::SignatureUrl, text))
}

pub(super) fn archive_url(url: &str) -> Option<Cause> {
    if url.is_empty() {
        let text = "the registry has no URL of the archive: clients read the registry's own answer instead";
        return Some(Cause::of_all(Fault::ArchiveUrl, text));
    }
    unfollowed("download URL", url).map(|text| Cause::of_all(Fault::ArchiveUrl, text))
}

/// The reason why clients find nothing at a URL; `None` if it is an http or https URL with a host.
fn unfollowed(what: &str, url: &str) -> Option<String> {
    let after = |begin: &str| {
        let (own, rest) = url.split_at_checked(begin.len())?;
        own.eq_ignore_ascii_case(begin).then_some(rest)
    };
    let host = ["https://", "http://", "//"].into_iter().find_map(after);
    if host.is_some_and(|host| !host.is_empty() && !host.starts_with(['/', '?', '#'])) {
        return None;
    }
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    };
    Some(if url.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme)) {
        format!("registry response includes invalid {what}: must use http or https scheme")
    } else {
        format!("the {what} `{}` names no host, so clients look for it on the registry's own", visible(url))
    })
}

/// Clients compare the name with the second word of each line in SHA256SUMS. Releases list files without a path.
pub(super) fn filename(name: &str) -> Option<Cause> {
    let why = if name.is_empty() {
        "the name of the archive is empty"
    } else if name.chars().any(char::is_whitespace) {
        "the name of the archive has white space"
    } else if name.contains(['/', '\\']) {
        "the name of the archive has a path"
    } else {
        return None;
    };
    let text = format!("checksum list has no SHA-256 hash for \"{}\": {why}", visible(name));
    Some(Cause::of_all(Fault::Filename, text))
}

pub(super) fn checksum(shasum: &str) -> Option<Cause> {
    // Clients take capital digits too.
    let is_hex = shasum.len() == 64 && shasum.bytes().all(|byte| byte.is_ascii_hexdigit());
    let text = || format!("the checksum `{}` is not a SHA-256", visible(shasum));
    (!is_hex).then(|| Cause::of_all(Fault::Checksum, text()))
}

/// One platform in `packages` that clients cannot read makes them refuse all platforms of the version.
pub(super) fn platforms(mut platforms: impl Iterator<Item = String>) -> Option<Cause> {
    let is_odd =
        |platform: &String| platform.matches('_').count() != 1 || platform.contains([' ', '\t', '\n', '\r']);
    let odd = platforms.find(is_odd)?;
    let text = format!("registry response includes invalid package platform \"{}\"", visible(&odd));
    Some(Cause { fault: Fault::Platform, clients: Clients::NewerTofu, text })
}

/// One hash without a scheme makes clients refuse all platforms of the version. An empty hash is not served.
pub(super) fn hashes<'a>(mut hashes: impl Iterator<Item = (String, &'a str)>) -> Option<Cause> {
    let (platform, hash) = hashes.find(|(_, hash)| !hash.is_empty() && !has_scheme(hash))?;
    let text = format!(
        "registry response includes invalid package hash `{}`: that of {} has no scheme such as `h1:`",
        visible(hash),
        visible(&platform)
    );
    Some(Cause { fault: Fault::Hash, clients: Clients::NewerTofu, text })
}

/// A missing size is read as 0.
pub(super) fn size(size: Option<i128>) -> Option<Cause> {
    let (fault, text) = match size {
        None => (Fault::Size, "registry response has no package size, and clients read that as 0".to_owned()),
        Some(size) if size <= 0 => {
            (Fault::Size, format!("registry response has invalid package size {size}"))
        }
        Some(size) if size > i128::from(LARGEST_BYTES) => (
            Fault::Oversize,
            format!(
                "registry response indicates a package of size {size}, and GitHub takes no file so large"
            ),
        ),
        Some(_) => return None,
    };
    Some(Cause { fault, clients: Clients::NewerTofu, text })
}

fn other_platform(requested: (&str, &str), answered: (&str, &str)) -> Option<Cause> {
    let name = |(os, arch): (&str, &str)| format!("{}_{}", visible(os), visible(arch));
    let text = || {
        let (requested, answered) = (name(requested), name(answered));
        format!("registry response to request for {requested} archive has incorrect target {answered}")
    };
    (requested != answered).then(|| Cause::of_all(Fault::OtherPlatform, text()))
}

/// A key that clients cannot use stops the installation of every version that is served with it. `why` is part of a
/// sentence.
pub(crate) fn key(version: &str, why: &str) -> Refusal {
    Cause::of_all(Fault::Key, format!("a signing key cannot be used: {why}")).on(version, Vec::new())
}

/// An entry without keys. OpenTofu installs it without checking a signature; Terraform requires a key.
pub(crate) fn without_keys() -> Refusal {
    let cause = "no key is on file, and only OpenTofu clients do without a signature then";
    Refusal {
        fault: Fault::Key,
        clients: Clients::Terraform,
        version: None,
        targets: Vec::new(),
        cause: cause.to_owned(),
    }
}
