//! Texts about an entry: its problem, the reason, the effect of waiting, the options, and the facts behind
//! them.

use std::fmt::Write;

use jiff::Timestamp;

use crate::desk::ability::Ability;
use crate::desk::telling::{Fact, Label, Sign, Tone, notice};
use crate::jobs::data::Opened;
use crate::registry::version::trim_v;
use crate::registry::{Address, Entry, Kind, ProviderVersion, Shape};
use crate::rules::amount::{Form, age, ago, clock, counted, grouped, moment};
use crate::rules::diff::{PlatformMark, PlatformTable};
use crate::rules::lint::RULES;
use crate::rules::{
    Finding, Gap, KeySheet, PublishedBy, Remedy, Severity, Source, Verdict, VersionMark, VersionState,
    left_out, signature,
};

pub(crate) const REPO: Label = Label::two("repo", "repository");
pub(crate) const FILE: Label = Label::of("file");
pub(super) const WHAT: Label = Label::of("what");
pub(crate) const WHY: Label = Label::of("why");
pub(crate) const IF_LEFT: Label = Label::two("impact", "if nothing is done");
pub(crate) const YOU_CAN: Label = Label::of("you can");
pub(crate) const NEXT: Label = Label::of("next");
pub(super) const CHECKED: Label = Label::of("checked");
const INDEXED: Label = Label::of("indexed");
const HIGHEST: Label = Label::two("highest", "highest version");
/// Warnings that the registry shows to users of the entry.
const WARNED: Label = Label::two("warned", "users are warned");
const VERSION: Label = Label::of("version");
const RELEASE: Label = Label::of("release");
const FAILED_TRY: Label = Label::of("failed try");
pub(crate) const KEYS: Label = Label::of("keys");
pub(crate) const SIGNED: Label = Label::of("signed");
const DROPPED: Label = Label::two("dropped", "dropped platforms");
const NEW_KEY: Label = Label::of("new key");
const WOULD_STOP: Label = Label::of("would stop");

pub(crate) const NO_KEYS: &str = "none on file: OpenTofu checks no signature, Terraform refuses the entry";

/// Indexed versions that are named; the others are counted.
const NEWEST: usize = 5;

/// The age in the AGE column.
const AGE: Label = Label::of("age");

/// The page that shows the entry: the next step depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    List,
    Entry,
}

/// The sign of the status, its plain words, and the versions that are missing or left out.
pub(crate) fn headline(kind: Kind, verdict: &Verdict) -> (Sign, &'static str, String) {
    (Sign::verdict(verdict), verdict.plain(kind), missing(verdict))
}

/// `2 missing: 3.70.1 3.70.0`; if none is missing, the versions that are left out: `6.2.0 is blocked`.
fn missing(verdict: &Verdict) -> String {
    let Some(missing) = verdict.missing.filter(|missing| *missing > 0) else {
        return left_out(&verdict.versions);
    };
    let names: Vec<&str> = verdict
        .versions
        .iter()
        .filter(|version| is_missing(version))
        .take(4)
        .map(|version| version.version.as_str())
        .collect();
    format!("{missing} missing: {}", names.join(" "))
}

/// Returns true if the version is upstream and not indexed.
pub(crate) fn is_missing(version: &VersionState) -> bool {
    matches!(version.mark, VersionMark::Is(status) if status.row().missing)
}

/// Five facts: the problem, the reason, the effect of waiting, the options, and the next step.
pub(crate) fn answer(kind: Kind, verdict: &Verdict, place: Place, now: Timestamp) -> [Fact; 5] {
    [
        Fact::of(WHAT, verdict.means(kind)),
        Fact::of(WHY, because(verdict, now)),
        Fact::of(IF_LEFT, verdict.if_left(kind)),
        Fact::of(YOU_CAN, verdict.can_do(kind)),
        next(verdict, place, now),
    ]
}

/// The deciding fact with its source and its clock time.
fn because(verdict: &Verdict, now: Timestamp) -> String {
    let because = &verdict.because;
    match because.at {
        Some(at) => format!("{} ({}, {})", because.text, because.source.name(), clock(at, now)),
        None if because.source == Source::File => format!("{} ({})", because.text, because.source.name()),
        // Never asked: there is no source to name.
        None => because.text.clone(),
    }
}

/// The step that helps next, and its effect.
fn next(verdict: &Verdict, place: Place, now: Timestamp) -> Fact {
    let on_list = place == Place::List;
    let waits = waits_until(verdict).filter(|at| *at > now);
    let steps = match verdict.status.row().remedy {
        Remedy::AskAuthor if verdict.wants_hashing() => {
            let hashes = (Ability::Verify, "hashes its archives, and says who is at fault where that shows");
            if on_list { vec![hashes, (Ability::Look, "lists the versions")] } else { vec![hashes] }
        }
        Remedy::AskAuthor if verdict.is_own_fault().is_some() && !on_list => {
            vec![(Ability::CopyPath, "copies the path of the file to repair")]
        }
        Remedy::SurveyAgain if verdict.gap() == Some(Gap::Loading) => Vec::new(),
        Remedy::SurveyAgain if verdict.gap() == Some(Gap::BrokenFile) => {
            vec![(Ability::CopyPath, "copies the path of the file to repair")]
        }
        Remedy::SurveyAgain => {
            let is_first = verdict.gap() == Some(Gap::Unasked);
            let surveys = if is_first { "surveys it" } else { "surveys it again" };
            let all = on_list.then_some((Ability::SurveyShown, "surveys all rows shown"));
            std::iter::once((Ability::Survey, surveys)).chain(all).collect()
        }
        Remedy::Wait if waits.is_some() => match of_remedy(verdict, Remedy::Rebuild).next() {
            Some(_) => vec![(Ability::Build, "shows the rebuild that adds the other missing versions")],
            None => Vec::new(),
        },
        Remedy::Rebuild | Remedy::Wait => {
            vec![(Ability::Build, "shows the rebuild that adds what is missing")]
        }
        Remedy::SeeUpstream if on_list => {
            vec![(Ability::Browse, "gives its URL"), (Ability::Look, "lists the versions")]
        }
        Remedy::SeeUpstream => vec![(Ability::Browse, "gives its URL, to look at the repository")],
        Remedy::Backfill => vec![(Ability::Backfill, "fills them in, into the plan")],
        Remedy::CorrectFile => vec![(Ability::CopyPath, "copies the path of the file to correct")],
        Remedy::AskAuthor => match place {
            Place::List => vec![(Ability::Look, "lists the versions and what was found")],
            Place::Entry => vec![(Ability::Browse, "gives the URL of the repository, to ask its author")],
        },
        Remedy::Nothing => Vec::new(),
    };
    let text = match waits {
        _ if !steps.is_empty() => String::new(),
        Some(at) => format!("wait until {}; nothing can be planned before", clock(at, now)),
        None if verdict.gap() == Some(Gap::Loading) => "it comes by itself".into(),
        None => "nothing needs doing here".into(),
    };
    let steps = steps.into_iter().map(|(ability, does)| (ability.into(), does)).collect();
    Fact { steps, ..Fact::of(NEXT, text) }
}

/// The abilities that the next step of an entry names.
pub(crate) fn next_abilities(
    kind: Kind,
    verdict: &Verdict,
    place: Place,
    now: Timestamp,
) -> impl Iterator<Item = Ability> {
    let [.., next] = answer(kind, verdict, place, now);
    next.steps.into_iter().map(|(step, _)| step.ability)
}

/// The time of the next try among the versions that wait for one.
fn waits_until(verdict: &Verdict) -> Option<Timestamp> {
    of_remedy(verdict, Remedy::Wait).filter_map(|version| version.next_try).min()
}

fn of_remedy(verdict: &Verdict, remedy: Remedy) -> impl Iterator<Item = &VersionState> {
    let has =
        move |version: &&VersionState| version.status().is_some_and(|status| status.row().remedy == remedy);
    verdict.versions.iter().filter(has)
}

/// The sign of a version's mark.
pub(crate) fn mark(mark: VersionMark) -> Sign {
    match mark {
        VersionMark::Is(status) => Sign::status(status),
        VersionMark::Blocked => {
            Sign { glyph: "⊘", ascii: "/", word: "BLOCKED".into(), tone: Tone::Warning }
        }
        VersionMark::Ignored => Sign { glyph: "‣", ascii: "x", word: "IGNORED".into(), tone: Tone::Quiet },
    }
}

/// The reason for a version's mark, the number of failed tries, and the time of the next try.
pub(crate) fn reason(version: &VersionState, now: Timestamp) -> String {
    let mut parts = vec![version.reason.clone()];
    if version.attempts > 0 {
        parts.push(counted(version.attempts, "failed try"));
    }
    if let Some(at) = version.next_try {
        parts.push(format!("next try {}", clock(at, now)));
    }
    parts.join("; ")
}

/// Findings, the gravest first, each under its severity.
pub(crate) fn findings<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Vec<Fact> {
    let mut sorted: Vec<&Finding> = findings.into_iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    sorted.into_iter().map(finding).collect()
}

fn finding(finding: &Finding) -> Fact {
    let text = about(finding.version.as_deref(), &finding.text, &finding.rule);
    Fact::of(Label::of(finding.severity.name()), text).tone(gravity(finding.severity))
}

pub(crate) fn gravity(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Error,
        Severity::Warning => Tone::Warning,
        Severity::Note => Tone::Quiet,
    }
}

/// `1.0: listed, but clients ask for another spelling [shorthand-version]`. Only the checks of the files show
/// their names: other findings have no name that a maintainer could use.
pub(crate) fn about(version: Option<&str>, text: &str, rule: &str) -> String {
    let about = version.map(|version| format!("{version}: ")).unwrap_or_default();
    let check = if RULES.contains(&rule) { format!(" [{rule}]") } else { String::new() };
    format!("{about}{text}{check}")
}

/// All facts about an opened entry, for a page that has room for them.
pub(crate) fn sheet(opened: &Opened, now: Timestamp, form: Form) -> Vec<Fact> {
    let verdict = &opened.verdict;
    let mut facts = Vec::from(answer(opened.address.kind(), verdict, Place::Entry, now));
    // There is no row to go on with.
    facts.retain(|fact| fact.label != NEXT || !fact.steps.is_empty());
    facts.push(checked(verdict, now, form));
    facts.extend(whereabouts(&opened.address, opened.address.repository().url()));
    facts.extend(indexed(opened));
    facts.extend(verdict.versions.iter().map(|state| version(state, now, form)));
    facts.extend(notice::facts(&opened.notices));
    facts.extend(opened.entry.errors().iter().map(|error| {
        Fact::of(FAILED_TRY, format!("{} at {}: {}", error.version, moment(error.utc_time), error.message))
    }));
    facts.extend(opened.keys.iter().flat_map(|sheet| keys(sheet)));
    facts.extend(findings(verdict.findings.iter().chain(&opened.findings)));
    facts
}

/// The facts about an entry that was not opened. They are fewer, because its file was not read.
pub(crate) fn unopened(address: &Address, verdict: &Verdict, now: Timestamp, form: Form) -> Vec<Fact> {
    let mut facts = Vec::from(answer(address.kind(), verdict, Place::Entry, now));
    facts.push(checked(verdict, now, form));
    facts.extend(whereabouts(address, address.repository().url()));
    facts.extend(verdict.versions.iter().map(|state| version(state, now, form)));
    facts.extend(findings(&verdict.findings));
    facts
}

/// The upstream repository, written as the room allows, and the path of the data file.
pub(crate) fn whereabouts(address: &Address, repository: String) -> [Fact; 2] {
    [Fact::of(REPO, repository), Fact::of(FILE, address.path())]
}

/// `204 versions, 2,856 targets, 1 warning`, or why the file could not be read.
pub(crate) fn counts(shape: &Shape) -> String {
    if let Some(broken) = &shape.broken {
        return format!("unreadable file: {broken}");
    }
    let others = [
        (shape.target_count, "target"),
        (shape.warning_count, "warning"),
        (shape.error_count, "recorded error"),
    ];
    let others = others.into_iter().filter(|(count, _)| *count > 0);
    let others = others.map(|(count, noun)| counted(count, noun));
    std::iter::once(counted(shape.version_count, "version")).chain(others).collect::<Vec<_>>().join(", ")
}

/// The facts behind a row of the list: its versions, the meaning of its age, and its last check.
pub(crate) fn standing(shape: &Shape, verdict: &Verdict, now: Timestamp) -> Vec<Fact> {
    let names: Vec<&str> = shape.version_list().take(NEWEST).collect();
    let others = (shape.version_count as usize).saturating_sub(names.len());
    let more = if others > 0 { format!(" and {} more", grouped(others)) } else { String::new() };
    let indexed = if names.is_empty() {
        counts(shape)
    } else {
        format!("{}{more} ({})", names.join(", "), counts(shape))
    };
    let newest = match (&verdict.highest_indexed, &verdict.highest_upstream) {
        (Some(indexed), Some(upstream)) if indexed == upstream => {
            Some(format!("{indexed}, the newest upstream too"))
        }
        (Some(indexed), Some(upstream)) => Some(format!("{indexed}; upstream has {upstream}")),
        (Some(indexed), None) if verdict.gap().is_some() => Some(format!("{indexed}; upstream is not known")),
        (Some(indexed), None) => Some(format!("{indexed}; upstream has none")),
        (None, Some(upstream)) => Some(format!("none; upstream has {upstream}")),
        (None, None) => None,
    };
    let age = verdict.since.map(|since| {
        let age = age(since, now, Form::Spoken);
        // Without a date of a missing version it is that of the newest indexed one.
        if verdict.missing.unwrap_or(0) == 0 || shape.discovered == Some(since) {
            format!("newest indexed {age} ago")
        } else if verdict
            .versions
            .iter()
            .any(|one| one.published == Some(since) && one.published_by == Some(PublishedBy::FirstSeen))
        {
            format!("the oldest missing version was first seen {age} ago; no bump has added it")
        } else {
            format!("the oldest missing version came out {age} ago; no bump has added it")
        }
    });
    let facts = [(INDEXED, Some(indexed)), (HIGHEST, newest), (AGE, age)].into_iter();
    let facts = facts.filter_map(|(label, text)| Some(Fact::of(label, text?)));
    let checked = match (verdict.checked_at, verdict.depth) {
        (Some(at), Some(depth)) => Some(Fact::of(
            CHECKED,
            format!("{}, to depth `{}`; deeper checks not done", clock(at, now), depth.name()),
        )),
        (at, _) => at.map(|_| checked(verdict, now, Form::Short)),
    };
    facts.chain(checked).collect()
}

fn checked(verdict: &Verdict, now: Timestamp, form: Form) -> Fact {
    let text = match (verdict.checked_at, verdict.depth) {
        (Some(at), Some(depth)) => format!(
            "to depth `{}`, {} ({}); deeper checks not done",
            depth.name(),
            moment(at),
            ago(at, now, form)
        ),
        (Some(at), None) => format!("{} ({}), too long ago to count", moment(at), ago(at, now, form)),
        (None, _) => match verdict.because.at {
            Some(at) => format!("not yet: the try at {} ({}) failed", moment(at), ago(at, now, form)),
            None => "never".into(),
        },
    };
    Fact::of(CHECKED, text)
}

/// The indexed versions, newest first, and the warnings that users see.
fn indexed(opened: &Opened) -> Vec<Fact> {
    let versions = opened.entry.versions();
    let provider = opened.entry.as_provider();
    let targets: usize = provider.map_or(0, |entry| entry.versions.iter().map(|one| one.targets.len()).sum());
    let mut what = counted(versions.len(), "version");
    if targets > 0 {
        let _ = write!(what, ", {}", counted(targets, "target"));
    }
    if !versions.is_empty() {
        let _ = write!(what, ": {}", versions[..versions.len().min(NEWEST)].join(", "));
    }
    if versions.len() > NEWEST {
        let _ = write!(what, " and {} more", grouped(versions.len() - NEWEST));
    }
    let warnings = provider.map_or(&[][..], |entry| &entry.warnings);
    let mut facts = vec![Fact::of(INDEXED, what)];
    facts.extend(warnings.iter().map(|warning| Fact::of(WARNED, warning.as_str())));
    facts
}

/// One line about a version, with everything that is known about it.
fn version(state: &VersionState, now: Timestamp, form: Form) -> Fact {
    let mut parts = vec![reason(state, now)];
    parts.extend(particulars(state, true, now, form));
    let text = format!("{}: {}", state.version, parts.join("; "));
    Fact { sign: Some(mark(state.mark)), ..Fact::of(VERSION, text) }
}

/// The tag and the publication date of a version, and between them its targets where `has_targets`.
fn particulars(state: &VersionState, has_targets: bool, now: Timestamp, form: Form) -> Vec<String> {
    let tag = state.tag.as_ref().filter(|tag| **tag != state.version);
    let mut parts: Vec<String> = tag.map(|tag| format!("tag {tag}")).into_iter().collect();
    parts.extend(state.targets.filter(|_| has_targets).map(|targets| counted(targets, "target")));
    parts.extend(state.published.zip(state.published_by).map(|(at, by)| {
        let at = format!("{} ({})", moment(at), ago(at, now, form));
        match by {
            PublishedBy::Feed => format!("published {at}, from the feed"),
            PublishedBy::Api => format!("published {at}, from the API"),
            PublishedBy::FirstSeen => format!("first seen by us {at}"),
        }
    }));
    parts
}

/// The facts about one version of an entry: the reason for its mark, its particulars, its signer, and its
/// findings.
pub(crate) fn one_version(
    version: &str,
    (verdict, findings): (&Verdict, &[Finding]),
    opened: Option<&Opened>,
    now: Timestamp,
) -> Vec<Fact> {
    let is_it = |name: &str| trim_v(name) == trim_v(version);
    // `1.0.0` may be missing while `v1.0.0` is indexed; the state of one does not describe the other.
    let state = verdict.versions.iter().find(|state| state.version == version);
    let stored = opened.and_then(|opened| stored(&opened.entry, version, now));
    let mut facts = if let Some(state) = state {
        // The targets of an indexed version are those of its file.
        let particulars = particulars(state, stored.is_none(), now, Form::Short).join("; ");
        vec![Fact::of(WHY, reason(state, now)), Fact::of(RELEASE, particulars)]
    } else {
        let depth =
            verdict.depth.map_or_else(|| "not checked".into(), |depth| format!("depth `{}`", depth.name()));
        vec![Fact::of(WHY, format!("indexed; no fault is known ({depth})"))]
    };
    facts.extend(stored);
    facts.extend(opened.into_iter().flat_map(|opened| notice::of_version(&opened.notices, version)));
    let matrix = opened.and_then(|opened| opened.keys.as_ref()?.matrix.as_ref());
    let signed = matrix.and_then(|matrix| matrix.rows.iter().find(|row| is_it(&row.version)));
    // A signature that is the reason for the mark has been named.
    let is_new = |text: &String| state.is_none_or(|state| state.reason != *text);
    facts.extend(signed.map(signature::Row::text).filter(is_new).map(|text| Fact::of(SIGNED, text)));
    let is_about = |finding: &&Finding| finding.version.as_deref().is_some_and(is_it);
    facts.extend(self::findings(findings.iter().filter(is_about)));
    facts.retain(|fact| !fact.text.is_empty());
    facts
}

/// A version of the file, and the next one in the file.
fn stored_with_before<'a>(
    entry: &'a Entry,
    version: &str,
) -> Option<(&'a ProviderVersion, Option<&'a ProviderVersion>)> {
    let versions = &entry.as_provider()?.versions;
    let at = versions.iter().position(|stored| stored.version == version)?;
    Some((&versions[at], versions.get(at + 1)))
}

/// The platforms of an indexed version, and as lost those that only the version before it has.
pub(crate) fn platforms(entry: &Entry, version: &str) -> Option<PlatformTable> {
    let (stored, before) = stored_with_before(entry, version)?;
    PlatformTable::of_stored(&stored.targets, before.map_or(&[], |before| &before.targets))
}

/// `10 platforms that 6.10.0 has: darwin amd64 arm64, linux 386`; the names only where no grid shows them. `None` where the version
/// before has no others.
pub(crate) fn lost_platforms(entry: &Entry, version: &str, with_names: bool) -> Option<Fact> {
    let (_, before) = stored_with_before(entry, version)?;
    let table = platforms(entry, version)?;
    let lost = table.marked(PlatformMark::Lost);
    let count: usize = lost.iter().map(|(_, architectures)| architectures.len()).sum();
    let before = before.filter(|_| count > 0)?;
    let mut text = format!("{} that {} has", counted(count, "platform"), before.version);
    if with_names {
        let names =
            lost.iter().map(|(system, architectures)| format!("{system} {}", architectures.join(" ")));
        let _ = write!(text, ": {}", names.collect::<Vec<_>>().join(", "));
    }
    Some(Fact::of(DROPPED, text))
}

/// The version in the data file: its targets, its hashes, and the date of its indexing.
fn stored(entry: &Entry, version: &str, now: Timestamp) -> Option<Fact> {
    let (stored, _) = stored_with_before(entry, version)?;
    let all = stored.targets.len();
    let hashes = match stored.targets.iter().filter(|target| target.is_hashed()).count() {
        0 => "no h1 and size".to_owned(),
        some if some == all => "h1 and size for all".to_owned(),
        some => format!("h1 and size for {some}"),
    };
    let mut text = format!("{}, {hashes}", counted(all, "target"));
    if let Some(at) = stored.discovered {
        let _ = write!(text, "; indexed {}", clock(at, now));
    }
    Some(Fact::of(FILE, text))
}

/// The keys on file, the versions that they verify, and the effect of one more key.
fn keys(sheet: &KeySheet) -> Vec<Fact> {
    let mut facts: Vec<Fact> =
        sheet.keys.iter().map(|key| Fact::of(KEYS, format!("{} ({})", key.text(), key.path))).collect();
    if sheet.keys.is_empty() {
        facts.push(Fact::of(KEYS, NO_KEYS));
    }
    if let Some(matrix) = &sheet.matrix {
        facts.extend(matrix.text().into_iter().map(|text| Fact::of(SIGNED, text)));
        let rows = matrix.rows.iter().filter(|row| !row.installs());
        facts.extend(rows.map(|row| Fact::of(SIGNED, format!("{}: {}", row.version, row.text()))));
    }
    if let Some(preview) = &sheet.preview {
        facts.push(Fact::of(NEW_KEY, preview.text()));
        let stops = preview.preview.stops.iter();
        facts.extend(stops.map(|stop| {
            Fact::of(WOULD_STOP, format!("{}: signed by {}", stop.version, stop.signed_by.join(" and ")))
        }));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Because, Status};

    const NOW: &str = "2026-11-21T12:00:00Z";

    fn version(name: &str, status: Status, next_try: Option<&str>) -> VersionState {
        VersionState {
            version: name.into(),
            tag: None,
            mark: VersionMark::Is(status),
            reason: "complete upstream".into(),
            published: None,
            published_by: None,
            targets: None,
            attempts: 3,
            next_try: next_try.map(|at| at.parse().unwrap()),
        }
    }

    /// `1.0.0` is missing while `v1.0.0` is indexed: each has its own reason.
    #[test]
    fn a_state_describes_only_the_version_with_its_name() {
        let unusable = VersionState {
            reason: "begins with `v`".into(),
            ..version("v1.0.0", Status::ListUnreadable, None)
        };
        let missing = version("1.0.0", Status::Behind, None);
        let because = Because { text: String::new(), source: Source::File, at: None };
        let verdict =
            Verdict { versions: vec![unusable, missing], ..Verdict::new(Status::ListUnreadable, because) };
        let why = |name: &str| one_version(name, (&verdict, &[]), None, NOW.parse().unwrap())[0].text.clone();
        assert!(why("v1.0.0").starts_with("begins with `v`"), "{}", why("v1.0.0"));
        assert!(why("1.0.0").starts_with("complete upstream"), "{}", why("1.0.0"));
        assert!(why("1.1.0").starts_with("indexed; no fault is known"), "{}", why("1.1.0"));
    }

    /// An upstream that answered without versions is known; one that did not answer is not.
    #[test]
    fn no_version_upstream_is_not_an_upstream_that_is_unknown() {
        let now: Timestamp = NOW.parse().unwrap();
        for (status, wanted) in [
            (Status::RepoGone, "1.0.0; upstream has none"),
            (Status::Unknown, "1.0.0; upstream is not known"),
        ] {
            let because = Because { text: String::new(), source: Source::Tags, at: Some(now) };
            let verdict = Verdict { highest_indexed: Some("1.0.0".into()), ..Verdict::new(status, because) };
            let facts = standing(&Shape::default(), &verdict, now);
            assert_eq!(facts.iter().find(|fact| fact.label == HIGHEST).unwrap().text, wanted);
        }
    }

    /// Each unknown state has its own advice, and shows no other state's advice.
    #[test]
    fn an_unknown_state_is_not_a_broken_file() {
        let at: Timestamp = NOW.parse().unwrap();
        let unknown =
            |text: &str, source, at| Verdict::new(Status::Unknown, Because { text: text.into(), source, at });
        let broken = Verdict {
            findings: vec![Finding::error("broken-file", "broken JSON at 1:2")],
            ..unknown("broken JSON at 1:2", Source::File, None)
        };
        let old = Verdict { checked_at: Some(at), ..unknown("read 25 h ago", Source::Tags, Some(at)) };
        let (survey, path) = (Some(Ability::Survey), Some(Ability::CopyPath));
        let mut texts = Vec::new();
        for (name, verdict, can, ability) in [
            ("loading", unknown("being read", Source::Pending, None), "wait until the registry is", None),
            ("broken", broken, "repair the file", path),
            ("never asked", unknown("not checked yet", Source::Tags, None), "survey it", survey),
            ("kept", unknown("not checked yet", Source::Memory, None), "survey it", survey),
            ("too old", old, "survey it again: what was read", survey),
            ("not read", unknown("throttled", Source::Tags, Some(at)), "survey it again; the reason", survey),
        ] {
            for place in [Place::List, Place::Entry] {
                let facts = answer(Kind::Provider, &verdict, place, at);
                assert!(facts[3].text.starts_with(can), "{name}: {}", facts[3].text);
                assert_eq!(facts[4].steps.first().map(|(step, _)| step.ability), ability, "{name}");
                let is_file = name == "broken";
                let all = facts.iter().map(|fact| &*fact.text).collect::<Vec<_>>().join("; ");
                assert_eq!(all.contains("repair"), is_file, "{name}: {all}");
                assert_eq!(facts[4].text == "it comes by itself", name == "loading", "{name}");
                assert!(facts[..4].iter().all(|fact| fact.text.chars().count() < 70), "{name}: {all}");
                texts.push((name, facts[0].text.clone()));
            }
        }
        texts.dedup();
        let mut meanings: Vec<&String> = texts.iter().map(|(_, text)| text).collect();
        meanings.sort();
        meanings.dedup();
        assert_eq!(meanings.len(), 5, "{texts:?}");
    }

    /// The next step promises no version that a rebuild would not add.
    #[test]
    fn a_version_that_waits_for_its_next_try_is_not_to_be_planned() {
        let because = Because { text: "it waits".into(), source: Source::Sums, at: None };
        let waits = |at| version("1.1.0", Status::RetryWait, Some(at));
        let other = version("1.0.1", Status::MissedOldLine, None);
        let later = "2026-11-21T15:30:00Z";
        for (versions, text, way) in [
            (vec![waits(later)], "wait until 15:30Z; nothing can be planned before", None),
            (vec![waits(later), other], "", Some("shows the rebuild that adds the other missing versions")),
            (vec![waits(NOW)], "", Some("shows the rebuild that adds what is missing")),
        ] {
            let verdict = Verdict { versions, ..Verdict::new(Status::RetryWait, because.clone()) };
            for place in [Place::List, Place::Entry] {
                let [.., can, next] = answer(Kind::Provider, &verdict, place, NOW.parse().unwrap());
                assert_eq!((&*next.text, next.steps.first().map(|step| step.1)), (text, way));
                assert!(!can.text.contains("plan now"), "{can:?}");
            }
        }
    }
}
