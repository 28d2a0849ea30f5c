//! Indexed versions against their sums of today (depth `sums`): drift, lost targets, releases that are gone.

use crate::registry::{Facts, Kind, Observed, ProviderVersion, ReleaseFacts, Repository, Target, Why};
use crate::rules::amount::counted;
use crate::rules::anatomy::Names;
use crate::rules::judge::missing::decided;
use crate::rules::judge::zips::{Cases, Zips, digest_of};
use crate::rules::judge::{Case, is_too_old, keys};
use crate::rules::verdict::NOT_HASHED;
use crate::rules::{Depth, Finding, Status, VersionMark, VersionState, anatomy, verify};

/// What the indexed versions showed.
pub(super) struct Checked {
    pub(super) versions: Vec<VersionState>,
    pub(super) findings: Vec<Finding>,
    /// Every indexed version was compared.
    pub(super) complete: bool,
}

/// The raw tag that an indexed provider version was built from: the part of its `shasums_url` behind `download/`.
pub(crate) fn indexed_tag(version: &ProviderVersion) -> Option<String> {
    let (_, rest) = version.shasums_url.split_once("/releases/download/")?;
    let (tag, _) = rest.rsplit_once('/')?;
    Some(tag.to_owned())
}

pub(super) fn check(case: &Case<'_>, facts: &Facts) -> Checked {
    let was_asked = case.depth == Depth::Sums;
    let mut checked = Checked { versions: Vec::new(), findings: Vec::new(), complete: was_asked };
    let Some(entry) = case.entry.and_then(|entry| entry.as_provider()) else {
        // A module has no sums: its tags are all there is. Of a provider whose file was not read nothing was compared.
        checked.complete &= case.address.kind() == Kind::Module;
        return checked;
    };
    if !was_asked && facts.releases.is_empty() && facts.zips.is_empty() {
        return checked;
    }
    // What an earlier survey read deeper still counts, as long as it is not too old.
    checked.complete = true;
    let mut unhashed = 0;
    for (place, version) in entry.versions.iter().enumerate() {
        let tag = indexed_tag(version).unwrap_or_default();
        let zips = Zips::of(facts, &tag, case.now);
        let previous = entry.versions.get(place + 1);
        checked
            .findings
            .extend(too_long(facts.releases.get(tag.as_str())).map(|it| it.on(&*version.version)));
        let compared = match facts.releases.get(tag.as_str()) {
            Some(release) => compare(case, version, release, (previous, zips)),
            None => by_zips(version, zips),
        };
        let signature = keys::judge(case, facts, version);
        checked.findings.extend(signature.finding);
        match compared {
            Compared::Unasked => checked.complete = false,
            Compared::ByZips(reason) => {
                checked.complete = false;
                let targets = version.targets.len() as u32;
                checked.versions.push(state(case, version, Status::Drifted, reason, targets));
            }
            Compared::Equal => {
                checked.complete &= signature.is_checked;
                if let Some((status, reason)) = signature.state {
                    let targets = version.targets.len() as u32;
                    checked.versions.push(state(case, version, status, reason, targets));
                }
            }
            Compared::State(status, reason, targets, cases) => {
                checked.versions.push(state(case, version, status, reason, targets));
                unhashed += usize::from(cases.is_unhashed());
                checked.findings.extend(cases.own_fault().map(|finding| finding.on(version.version.clone())));
                // The graver state speaks for the version; what its signature has to say is not lost.
                let finding = signature.state.map(|(status, reason)| Finding::error(status.name(), reason));
                checked.findings.extend(finding.map(|finding| finding.on(version.version.clone())));
            }
        }
    }
    if unhashed > 0 {
        let of = match unhashed {
            1 => "the version that differs".to_owned(),
            many => format!("{} that differ", counted(many, "version")),
        };
        let text = format!("the archives of {of} are not hashed yet");
        checked.findings.push(Finding::note(NOT_HASHED, text));
    }
    checked.findings.extend(keys::of_ring(case, &checked));
    checked
}

fn state(
    case: &Case<'_>,
    version: &ProviderVersion,
    status: Status,
    reason: String,
    targets: u32,
) -> VersionState {
    VersionState {
        version: version.version.clone(),
        tag: indexed_tag(version),
        mark: decided(case, &version.version).unwrap_or(VersionMark::Is(status)),
        reason,
        published: None,
        published_by: None,
        targets: Some(targets),
        attempts: 0,
        next_try: None,
    }
}

enum Compared {
    Unasked,
    /// SHA256SUMS is not known, and a zip is another one than was indexed: the reason.
    ByZips(String),
    Equal,
    /// Its state and why, and how many targets it has; of a drift, what its zips say.
    State(Status, String, u32, Cases),
}

fn compare(
    case: &Case<'_>,
    version: &ProviderVersion,
    release: &ReleaseFacts,
    (previous, zips): (Option<&ProviderVersion>, Zips<'_>),
) -> Compared {
    let stored = version.targets.len() as u32;
    let sums = match &release.sums {
        Observed::Unasked => return by_zips(version, zips),
        sums if sums.at().is_some_and(|at| is_too_old(case, at)) => return by_zips(version, zips),
        Observed::Unknown { why: Why::TooLarge { .. }, .. } => return by_zips(version, zips),
        Observed::Unknown { why, .. } => {
            let reason = format!("its checksums could not be read: {}", why.text());
            return Compared::State(Status::Unknown, reason, stored, Cases::default());
        }
        Observed::Absent { .. } => {
            let reason = "indexed, but its SHA256SUMS is gone upstream".to_owned();
            return Compared::State(Status::GoneUpstream, reason, stored, Cases::default());
        }
        Observed::Known { value, .. } => anatomy::parse_sums(&value.text),
    };
    let listed = |target: &Target| anatomy::sum_of(&sums, &target.filename);
    let differs = |target: &&Target| {
        listed(target).is_none_or(|sum| !sum.eq_ignore_ascii_case(&target.shasum))
            || digest_of(release, &target.filename)
                .is_some_and(|digest| !digest.eq_ignore_ascii_case(&target.shasum))
            || zips.differs(target)
    };
    let differing: Vec<&Target> = version.targets.iter().filter(differs).collect();
    let repository = Repository::from_url(&version.shasums_url).unwrap_or_else(|| case.address.repository());
    let tag = indexed_tag(version).unwrap_or_default();
    let offered = Names::new(&repository, case.address.name(), &tag).targets(&sums);
    let stored_names: Vec<&str> = version.targets.iter().map(|target| target.filename.as_str()).collect();
    let lost = offered.iter().filter(|target| !stored_names.contains(&target.filename.as_str())).count();
    let partial = || partial(version, lost, previous);
    let misstored = zips.misstored(version.targets.iter().filter(|target| !differs(target)));
    let misstored_text = misstored.text(version.targets.len());
    if !differing.is_empty() {
        // Whose fault it is stands first, as far as it is known: columns show the beginning.
        let cases = zips.cases(differing.iter().map(|target| (*target, listed(target))));
        let reasons = [
            cases.text(),
            uploaded_later(version, release, &differing),
            Some(format!("{} of {stored} stored checksums differ from upstream", differing.len())),
            misstored_text,
            (lost > 0).then(|| format!("partial: {}", partial())),
        ];
        let reason = reasons.into_iter().flatten().collect::<Vec<_>>().join("; ");
        return Compared::State(Status::Drifted, reason, stored, cases);
    }
    if let Some(text) = misstored_text {
        let reasons = [Some(text), (lost > 0).then(|| format!("partial: {}", partial()))];
        let reason = reasons.into_iter().flatten().collect::<Vec<_>>().join("; ");
        return Compared::State(Status::Drifted, reason, stored, misstored.cases);
    }
    // A zip that was replaced while its sums were left shows in GitHub's own digests alone.
    if let Observed::Unknown { why, .. } = &release.info {
        let reason = format!("its asset digests could not be read: {}", why.text());
        return Compared::State(Status::Unknown, reason, stored, Cases::default());
    }
    if lost > 0 {
        return Compared::State(
            Status::Partial,
            format!("indexed with {}", partial()),
            stored,
            Cases::default(),
        );
    }
    Compared::Equal
}

/// That the registry's own tool could not index the version again.
fn too_long(release: Option<&ReleaseFacts>) -> Option<Finding> {
    let Some(Why::TooLarge { limit_bytes }) = release?.sums.why() else { return None };
    let text = format!(
        "its SHA256SUMS has {limit_bytes} bytes or more, which the registry's own tool refuses: it was not compared; `verify` compares it"
    );
    Some(Finding::warning("sums-too-long", text))
}

/// `13 of 14 targets, 1 platforms lost since 1.0.0`.
fn partial(version: &ProviderVersion, lost: usize, previous: Option<&ProviderVersion>) -> String {
    let stored = version.targets.len();
    let against = match previous {
        Some(previous) if previous.targets.len() > stored => {
            format!(", {} platforms lost since {}", previous.targets.len() - stored, previous.version)
        }
        _ => String::new(),
    };
    format!("{stored} of {} targets{against}", lost + stored)
}

/// Without SHA256SUMS a zip that is another one than was indexed is a drift all the same.
fn by_zips(version: &ProviderVersion, zips: Zips<'_>) -> Compared {
    let stored = version.targets.len();
    match version.targets.iter().filter(|target| zips.differs(target)).count() {
        0 => {
            // Faults that can be seen without an archive are reported once the release was read.
            let misstored = zips.misstored(version.targets.iter());
            misstored.text(stored).map_or(Compared::Unasked, Compared::ByZips)
        }
        differing => {
            Compared::ByZips(format!("{differing} of {stored} zips are not those that were indexed"))
        }
    }
}

/// When the last of the files was uploaded whose checksums differ, if the version was indexed before.
fn uploaded_later(
    version: &ProviderVersion,
    release: &ReleaseFacts,
    differing: &[&Target],
) -> Option<String> {
    let discovered = version.discovered?;
    let differs = |name: &str| differing.iter().any(|target| target.filename == name);
    let assets = release.info.known()?.assets.iter().filter(|asset| differs(&asset.name));
    verify::uploaded_later(discovered, assets.filter_map(|asset| asset.updated_at).max()?)
}
