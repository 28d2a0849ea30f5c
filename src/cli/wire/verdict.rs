//! Entries and their verdicts: types `row`, `entry`, `verdict`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use crate::cli::wire::key_sheet::Keys;
use crate::jobs::Opened;
use crate::registry::{Address, Row};
use crate::rules::{PublishedBy, Source, Status, Verdict, VersionMark, VersionState};

/// A verdict: of `survey` (type `verdict`) and inside `list` and `show`.
#[derive(Serialize)]
pub(crate) struct VerdictLine<'a> {
    address: String,
    kind: &'static str,
    path: String,
    status: &'static str,
    /// How deep it was checked; beyond it nothing is claimed.
    depth: &'static str,
    because: Because<'a>,
    indexed: Option<&'a str>,
    upstream: Option<&'a str>,
    missing: u32,
    since: Option<Moment>,
    checked_at: Option<Moment>,
    versions: Vec<StateLine<'a>>,
    findings: Vec<Finding<'a>>,
}

/// The fact that decided.
#[derive(Serialize)]
pub(crate) struct Because<'a> {
    text: &'a str,
    source: &'static str,
    at: Option<Moment>,
}

#[derive(Serialize)]
struct StateLine<'a> {
    version: &'a str,
    tag: Option<&'a str>,
    status: &'static str,
    reason: &'a str,
    published: Option<Moment>,
    published_by: Option<&'static str>,
    targets: Option<u32>,
    attempts: u32,
    next_try: Option<Moment>,
}

#[derive(Serialize)]
pub(crate) struct Finding<'a> {
    severity: &'static str,
    rule: &'a str,
    version: Option<&'a str>,
    text: &'a str,
}

/// One row of `list`, type `row`.
#[derive(Serialize)]
pub(crate) struct RowLine<'a> {
    #[serde(flatten)]
    verdict: VerdictLine<'a>,
    version_count: u32,
    target_count: u32,
    unhashed_targets: u32,
    error_count: u32,
    warning_count: u32,
    size_bytes: u32,
    dirty: bool,
    broken: Option<&'a str>,
}

/// One entry of `show`, type `entry`.
#[derive(Serialize)]
pub(crate) struct Entry<'a> {
    #[serde(flatten)]
    verdict: VerdictLine<'a>,
    repository: String,
    means: &'static str,
    if_left: &'static str,
    can_do: &'static str,
    indexed_versions: Vec<&'a str>,
    warnings: Vec<&'a str>,
    errors: Vec<Recorded<'a>>,
    lint: Vec<Finding<'a>>,
    /// The keys on file; null where nobody looked that deep.
    keys: Option<Keys<'a>>,
}

/// One record of `versions_errors`.
#[derive(Serialize)]
struct Recorded<'a> {
    version: &'a str,
    message: &'a str,
    at: Moment,
}

/// A time in RFC 3339.
pub(super) struct Moment(pub(super) Timestamp);

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// The field `statuses` of an outcome: how many entries have which status.
pub(crate) fn statuses(
    verdicts: impl Iterator<Item = Status>,
) -> BTreeMap<&'static str, BTreeMap<&'static str, u64>> {
    let mut counts = BTreeMap::new();
    for status in verdicts {
        *counts.entry(status.name()).or_default() += 1;
    }
    BTreeMap::from([("statuses", counts)])
}

fn source(source: Source) -> &'static str {
    match source {
        Source::File => "file",
        Source::Tags => "tags",
        Source::Feed => "feed",
        Source::Api => "api",
        Source::Sums => "sums",
        Source::Signature => "signature",
        Source::Zips => "zips",
        Source::Memory => "memory",
    }
}

impl<'a> VerdictLine<'a> {
    pub(crate) fn new(address: &Address, verdict: &'a Verdict) -> Self {
        Self {
            address: address.to_string(),
            kind: address.kind().word(),
            path: address.path(),
            status: verdict.status.name(),
            depth: verdict.depth.name(),
            because: Because::new(&verdict.because),
            indexed: verdict.highest_indexed.as_deref(),
            upstream: verdict.highest_upstream.as_deref(),
            missing: verdict.missing,
            since: verdict.since.map(Moment),
            checked_at: verdict.checked_at.map(Moment),
            versions: verdict.versions.iter().map(StateLine::new).collect(),
            findings: verdict.findings.iter().map(Finding::new).collect(),
        }
    }
}

impl<'a> Because<'a> {
    pub(crate) fn new(because: &'a crate::rules::Because) -> Self {
        Self { text: &because.text, source: source(because.source), at: because.at.map(Moment) }
    }
}

impl<'a> StateLine<'a> {
    fn new(state: &'a VersionState) -> Self {
        let by = |by| match by {
            PublishedBy::Feed => "feed",
            PublishedBy::Api => "api",
            PublishedBy::FirstSeen => "first-seen",
        };
        Self {
            version: &state.version,
            tag: state.tag.as_deref(),
            status: match state.mark {
                VersionMark::Is(status) => status.name(),
                VersionMark::Blocked => "blocked",
                VersionMark::Ignored => "ignored",
            },
            reason: &state.reason,
            published: state.published.map(|published| Moment(published.at)),
            published_by: state.published.map(|published| by(published.by)),
            targets: state.targets,
            attempts: state.attempts,
            next_try: state.next_try.map(Moment),
        }
    }
}

impl<'a> Finding<'a> {
    pub(crate) fn new(finding: &'a crate::rules::Finding) -> Self {
        Self {
            severity: finding.severity.name(),
            rule: finding.rule,
            version: finding.version.as_deref(),
            text: &finding.text,
        }
    }
}

impl<'a> RowLine<'a> {
    pub(crate) fn new(row: &'a Row, verdict: &'a Verdict) -> Self {
        Self {
            verdict: VerdictLine::new(&row.address, verdict),
            version_count: row.shape.version_count,
            target_count: row.shape.target_count,
            unhashed_targets: row.shape.unhashed_targets,
            error_count: row.shape.error_count,
            warning_count: row.shape.warning_count,
            size_bytes: row.shape.size_bytes,
            dirty: row.dirty,
            broken: row.shape.broken.as_deref(),
        }
    }
}

impl<'a> Entry<'a> {
    pub(crate) fn new(opened: &'a Opened) -> Self {
        let row = opened.verdict.status.row();
        let warnings = opened.entry.as_provider().map_or(&[][..], |entry| &entry.warnings);
        Self {
            verdict: VerdictLine::new(&opened.address, &opened.verdict),
            repository: opened.address.repository().url(),
            means: row.means,
            if_left: row.if_left,
            can_do: row.can_do,
            indexed_versions: opened.entry.versions(),
            warnings: warnings.iter().map(String::as_str).collect(),
            errors: opened.entry.errors().iter().map(Recorded::new).collect(),
            lint: opened.findings.iter().map(Finding::new).collect(),
            keys: opened.keys.as_deref().map(Keys::new),
        }
    }
}

impl<'a> Recorded<'a> {
    fn new(error: &'a crate::registry::RecordedError) -> Self {
        Self { version: &error.version, message: &error.message, at: Moment(error.utc_time) }
    }
}
