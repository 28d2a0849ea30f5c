//! (entry, facts, now) → verdict: the ladder of `src/manual/statuses.md` applied to one entry.
//!
//! Tags are the truth about which versions exist; the feed gives publish times and the repository's id; releases and sums
//! are known for missing versions, and for indexed ones where the survey went to depth `sums`.

mod clients;
mod forget;
mod gate;
mod indexed;
mod keys;
mod missing;
mod parts;
mod tags;
mod twins;
mod zips;

use jiff::{SignedDuration, Timestamp};

use crate::registry::{
    Address, Blacklist, Decision, Entry, Facts, Kind, Observed, ReleaseFacts, Shape, Tags, version,
};
use crate::rules::{
    Because, Depth, Finding, Now, Remedy, Source, Status, Verdict, VersionState, amount, left_out,
};
use crate::settings::Features;

pub(crate) use forget::{UNASKED_LAST, forget};
pub(crate) use gate::{feed_gate_holds, judge_gated};
pub(crate) use indexed::indexed_tag;
pub(crate) use keys::{Keys, NotChecked, check_signature, signed_files};
pub(crate) use missing::{Breakage, breakage, holding, missing_tags, tag_version};
pub(crate) use tags::{ALL_MOVED, all_tags_moved};

/// Facts older than this say nothing any more.
pub(crate) const FACTS_LAST: SignedDuration = SignedDuration::from_hours(24);
/// The delay within which a missing version is normal.
pub(crate) const NORMAL_DELAY: SignedDuration = SignedDuration::from_mins(30);

/// Everything that a verdict follows from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<'a> {
    pub(crate) address: &'a Address,
    pub(crate) shape: &'a Shape,
    /// The parsed file; needed where it has error records or the depth is `sums`.
    pub(crate) entry: Option<&'a Entry>,
    /// `None`: nobody ever asked.
    pub(crate) facts: Option<&'a Facts>,
    /// `None`: nobody looked, since nothing is known that they could verify.
    pub(crate) keys: Option<&'a Keys>,
    pub(crate) blacklist: &'a Blacklist,
    pub(crate) decisions: &'a [Decision],
    pub(crate) features: Features,
    /// The depth that was asked for.
    pub(crate) depth: Depth,
    pub(crate) now: Now<'a>,
}

/// Judges one entry.
pub(crate) fn judge(case: &Case<'_>) -> Verdict {
    if let Some(broken) = &case.shape.broken {
        let finding = Finding::error("broken-file", broken.to_string());
        let text = format!("`{}`: {broken}; fix the file", case.address.path());
        let because = Because { text, source: Source::File, at: None };
        return Verdict { findings: vec![finding], ..bare(case, Status::Unknown, because) };
    }
    clients::overrule(case, by_upstream(case))
}

/// The verdict from upstream, before other rules change it.
fn by_upstream(case: &Case<'_>) -> Verdict {
    let Some(facts) = case.facts else {
        return bare(case, Status::Unknown, because("not checked yet", Source::Tags, None));
    };
    match &facts.tags {
        Observed::Unasked => bare(case, Status::Unknown, because("not checked yet", Source::Tags, None)),
        Observed::Unknown { at, why } => {
            let text = format!("the tags could not be read: {}", why.text());
            in_vain(case, because(text, Source::Tags, Some(*at)))
        }
        Observed::Absent { at, .. } | Observed::Known { at, .. } if is_too_old(case, *at) => {
            let text = format!("the tags were last read on {}, more than 24 h ago", amount::minute(*at));
            bare(case, Status::Unknown, because(text, Source::Tags, Some(*at)))
        }
        Observed::Absent { at, status } => {
            if let Some(because) = doubt(facts, *at) {
                let text = format!("{} answers {status} to git, {because}", case.address.repository());
                return in_vain(case, self::because(text, Source::Tags, Some(*at)));
            }
            let text = format!("{} answers {status}", case.address.repository());
            // A missing repository has no version that could be indexed.
            let gone = bare(case, Status::RepoGone, because(text, Source::Tags, Some(*at)));
            Verdict { depth: Some(Depth::Versions), missing: Some(0), ..gone }
        }
        Observed::Known { value, at } => with_tags(case, facts, value, *at),
    }
}

/// Why a repository that answers 404 to git may be there all the same.
fn doubt(facts: &Facts, asked_at: Timestamp) -> Option<String> {
    match &facts.feed {
        Observed::Known { at, .. } if *at >= asked_at => Some("though its releases feed is there".to_owned()),
        Observed::Unknown { why, .. } => {
            Some(format!("and its releases feed could not be asked whether it is there: {}", why.text()))
        }
        _ => None,
    }
}

fn because(text: impl Into<String>, source: Source, at: Option<Timestamp>) -> Because {
    Because { text: text.into(), source, at }
}

fn bare(case: &Case<'_>, status: Status, because: Because) -> Verdict {
    Verdict {
        checked_at: because.at,
        highest_indexed: case.shape.highest().map(Into::into),
        since: case.shape.discovered,
        ..Verdict::new(status, because)
    }
}

/// What was asked and not read was not checked.
fn in_vain(case: &Case<'_>, because: Because) -> Verdict {
    Verdict { checked_at: None, ..bare(case, Status::Unknown, because) }
}

fn with_tags(case: &Case<'_>, facts: &Facts, tags: &Tags, read_at: Timestamp) -> Verdict {
    let mut findings = Vec::new();
    let gone_versions = missing::gone(case, tags);
    let missing = missing::states(case, facts, tags);
    let checked = indexed::check(case, facts);
    let depth = if checked.complete { Depth::Sums } else { Depth::Versions };
    findings.extend(source_findings(case, facts));
    findings.extend(checked.findings);
    findings.extend(twins::findings(case, facts, tags, &missing));
    findings.extend(keys::of_missing(case, facts, &missing));
    findings.extend(parts::findings(case, facts, &missing));
    let compared = tags::compare(case, tags, read_at);
    findings.extend(compared.findings);
    let highest_upstream = version::highest(tags.list.iter().filter_map(|tag| tag_version(&tag.name)));
    let is_indexable = |state: &&VersionState| {
        state.status().is_some_and(|status| matches!(status.row().remedy, Remedy::Rebuild | Remedy::Wait))
    };
    let is_unread = |state: &VersionState| state.status().is_some_and(Status::is_unknown);
    let indexable = missing.iter().filter(is_indexable).count() as u32;
    // An unread version may or may not count, so the number is not known.
    let missing_count = (!missing.iter().any(is_unread)).then_some(indexable);
    let is_open = |state: &&VersionState| state.status().is_some_and(|status| !status.is_unknown());
    let oldest_missing = missing.iter().filter(is_open).filter_map(|state| state.published).min();
    // A version whose tag is gone has no sums either: one state says it.
    let is_told = |state: &VersionState| {
        gone_versions.iter().any(|gone| gone.version == state.version && gone.mark == state.mark)
    };
    let checked_versions: Vec<VersionState> =
        checked.versions.into_iter().filter(|state| !is_told(state)).collect();
    let mut versions: Vec<VersionState> =
        missing.into_iter().chain(gone_versions).chain(checked_versions).chain(compared.versions).collect();
    versions.sort_by(|a, b| version::compare(&b.version, &a.version));

    let (status, because) = reused(case, facts, &mut findings)
        .or_else(|| {
            let is_known = |state: &VersionState| state.status().is_none_or(|status| !status.is_unknown());
            redirected(case, tags, read_at).filter(|_| versions.iter().all(is_known))
        })
        .or_else(|| by_versions(case, facts, &versions, read_at))
        .unwrap_or_else(|| fine(case, tags, (&versions, &compared.not_known), read_at));
    note_lesser(&versions, status, &mut findings);
    let probed = facts.releases.values().filter_map(|release| release.sums.at());
    let probed = probed.filter(|at| !is_too_old(case, *at));
    Verdict {
        status,
        because,
        depth: Some(depth),
        versions,
        findings,
        highest_indexed: case.shape.highest().map(Into::into),
        highest_upstream: highest_upstream.map(Into::into),
        missing: missing_count,
        since: oldest_missing.or(case.shape.discovered),
        checked_at: probed.chain([read_at]).min(),
    }
}

/// A name that now belongs to another repository. Its missing versions are not probed, so this is told before UNKNOWN.
fn reused(case: &Case<'_>, facts: &Facts, findings: &mut Vec<Finding>) -> Option<(Status, Because)> {
    let (first, now) = (facts.first_repository_id?, facts.repository_id()?);
    if first == now {
        return None;
    }
    let text = format!("{} was repository {first} and is now repository {now}", case.address.repository());
    findings.push(Finding::error(
        "repository-id-changed",
        format!("{text}: somebody else may have taken the name; nothing is proposed"),
    ));
    Some((Status::Moved, because(text, Source::Feed, facts.feed.at())))
}

fn redirected(case: &Case<'_>, tags: &Tags, read_at: Timestamp) -> Option<(Status, Because)> {
    let to = tags.moved.as_ref()?;
    let text = format!("{} redirects to {}/{}", case.address.repository(), to.owner, to.name);
    Some((Status::Moved, because(text, Source::Tags, Some(read_at))))
}

/// Whether a fact says nothing any more; one from the future was read by a clock that was wrong.
fn is_too_old(case: &Case<'_>, read_at: Timestamp) -> bool {
    is_stale(case.now, read_at)
}

/// Whether what was read then says nothing any more; also if it was read in what is the future by now's clock.
pub(super) fn is_stale(now: Now<'_>, read_at: Timestamp) -> bool {
    is_older(now, read_at, FACTS_LAST)
}

/// The same for what is kept for another time.
pub(crate) fn is_older<'a>(now: impl Into<Now<'a>>, read_at: Timestamp, keeps_for: SignedDuration) -> bool {
    let now = now.into();
    now.is_longer_since(read_at, keeps_for) || !now.is_since(read_at, -NORMAL_DELAY)
}

/// Whether nothing may be proposed for an entry, because its repository's name was re-used.
pub(crate) fn is_name_reused(facts: &Facts) -> bool {
    matches!((facts.first_repository_id, facts.repository_id()), (Some(first), Some(now)) if first != now)
}

/// The lowest rung of the ladder that any version stands on.
fn by_versions(
    case: &Case<'_>,
    facts: &Facts,
    versions: &[VersionState],
    read_at: Timestamp,
) -> Option<(Status, Because)> {
    let status = versions.iter().filter_map(VersionState::status).min()?;
    let on_it: Vec<&VersionState> = versions.iter().filter(|state| state.status() == Some(status)).collect();
    let first = on_it.first()?;
    let more = match on_it.len() {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let waits = first.next_try.filter(|_| status.row().remedy == Remedy::Wait);
    let tries = waits.map_or_else(String::new, |next| {
        format!("; {}; next try {}", amount::counted(first.attempts, "failed try"), amount::minute(next))
    });
    let text = format!("{}: {}{tries}{more}", first.version, first.reason);
    let release = first.tag.as_ref().and_then(|tag| facts.releases.get(tag.as_str()));
    let signature = first.tag.as_ref().and_then(|tag| facts.signatures.get(tag.as_str()));
    let (source, at) = match (status.row().source, release) {
        // A module has nothing to compare but its tags.
        _ if status.is_drift() && case.address.kind() == Kind::Module => (Source::Tags, Some(read_at)),
        (Source::Tags, _) => (Source::Tags, Some(read_at)),
        (Source::Signature, _) => (Source::Signature, signature.and_then(Observed::at)),
        // Gone by its tag, which it then does not have.
        _ if first.tag.is_none() => (Source::Tags, Some(read_at)),
        (Source::Zips, release) if release.is_none_or(|release| release.sums.known().is_none()) => {
            let zips = first.tag.as_ref().and_then(|tag| facts.zips.get(tag.as_str()));
            (Source::Zips, zips.and_then(|zips| zips.values().map(|zip| zip.at).max()))
        }
        (_, release) if status.is_unknown() => unread_source(case, facts, first, release),
        (_, Some(release)) if release.info.is_absent() => (Source::Api, release.info.at()),
        (_, release) => (Source::Sums, release.and_then(|release| release.sums.at())),
    };
    Some((status, Because { text, source, at }))
}

/// The source for want of which a version is not known.
fn unread_source(
    case: &Case<'_>,
    facts: &Facts,
    state: &VersionState,
    release: Option<&ReleaseFacts>,
) -> (Source, Option<Timestamp>) {
    let sums = (Source::Sums, release.and_then(|release| release.sums.at()));
    if case.shape.version_list().any(|version| version == state.version) {
        let signature = state.tag.as_ref().and_then(|tag| facts.signatures.get(tag.as_str()));
        return match (release, signature) {
            (Some(release), _) if release.sums.known().is_some() && release.info.why().is_some() => {
                (Source::Api, release.info.at())
            }
            (_, Some(signature)) if signature.why().is_some() => (Source::Signature, signature.at()),
            _ => sums,
        };
    }
    let has_files = release.map_or(case.address.kind() == Kind::Module, |release| {
        let was_read = release.sums.known().is_some() || release.sums.is_absent();
        was_read && release.manifest.why().is_none() && !sums.1.is_some_and(|at| is_too_old(case, at))
    });
    if has_files { (Source::Feed, facts.feed.at()) } else { sums }
}

fn fine(
    case: &Case<'_>,
    tags: &Tags,
    (versions, not_known): (&[VersionState], &str),
    read_at: Timestamp,
) -> (Status, Because) {
    let unhashed = case.shape.unhashed_targets;
    if unhashed > 0 && case.features.has(crate::settings::Feature::TargetHashes) {
        let text = format!("{unhashed} of {} targets have no h1 or size", case.shape.target_count);
        return (Status::H1Missing, because(text, Source::File, None));
    }
    let missing = match left_out(versions) {
        text if text.is_empty() => ", none missing".to_owned(),
        text => format!("; {text}, no other missing"),
    };
    let text = match (case.shape.version_count, tags.list.len()) {
        (0, 0) => "no version is indexed and the repository has no tags".to_owned(),
        (0, _) => format!("no version is indexed{missing}"),
        (1, _) => format!("the one version has its tag{missing}"),
        (stored, _) => format!("all {stored} versions have their tags{missing}"),
    };
    let text = format!("{text}{not_known}");
    (Status::Current, because(text, Source::Tags, Some(read_at)))
}

/// What a failed feed costs is said, and costs nothing else.
fn source_findings(case: &Case<'_>, facts: &Facts) -> Vec<Finding> {
    match &facts.feed {
        Observed::Unknown { why, .. } => vec![Finding::warning(
            "feed-unread",
            format!("the releases feed could not be read ({}): publish times are not known", why.text()),
        )],
        Observed::Absent { status, .. } if !case.shape.versions.is_empty() => {
            vec![Finding::note(
                "feed-absent",
                format!("the releases feed answers {status}: publish times are not known"),
            )]
        }
        _ => Vec::new(),
    }
}

/// States below the one that won are named as findings, so that a graver one hides nothing.
fn note_lesser(versions: &[VersionState], winner: Status, findings: &mut Vec<Finding>) {
    for state in versions {
        let Some(status) = state.status().filter(|status| *status != winner && status.row().noted) else {
            continue;
        };
        let finding = Finding::warning(status.name(), state.reason.clone());
        findings.push(finding.on(state.version.clone()));
    }
}

#[cfg(test)]
mod tests;
