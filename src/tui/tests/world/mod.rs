//! Fixed models for tests: a small registry with every status, a huge one, opened entries and differences.

mod lines;

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::jobs::data::{Loaded, Opened};
use crate::registry::{Address, Catalog, Entry, ProviderEntry, ProviderVersion, Row, Shape, Target};
use crate::rules::diff::{ChangeKind, Diff, Normalises, TargetChange, VersionChange};
use crate::rules::{
    Because, Class, Depth, Finding, Mode, Proposal, PublishedBy, Source, Status, Verdict, VersionMark,
    VersionState,
};

pub(in crate::tui) use lines::diff_lines;

pub(in crate::tui) fn now() -> Timestamp {
    "2026-09-22T12:05:00Z".parse().unwrap()
}

fn ago(minutes: i64) -> Timestamp {
    now().checked_sub(SignedDuration::from_mins(minutes)).unwrap()
}

const HOUR: i64 = 60;
const DAY: i64 = 24 * HOUR;

/// A verdict with its usual texts.
pub(in crate::tui) fn verdict(status: Status, indexed: &str, upstream: &str, age: Option<i64>) -> Verdict {
    let text = match status {
        Status::Current => format!("{indexed} is the highest tag upstream and indexed"),
        Status::Unknown => "not checked yet".to_owned(),
        status => format!("{upstream} against {indexed}: {}", status.row().means),
    };
    let asked = status != Status::Unknown;
    Verdict {
        status,
        because: Because {
            text,
            source: if asked { Source::Tags } else { Source::Memory },
            at: asked.then(|| ago(6)),
        },
        depth: asked.then_some(Depth::Versions),
        versions: Vec::new(),
        findings: Vec::new(),
        highest_indexed: Some(indexed.into()),
        highest_upstream: asked.then(|| upstream.into()),
        missing: asked.then_some(0),
        since: age.map(ago),
        checked_at: asked.then(|| ago(6)),
    }
}

fn missing(status: Status, version: &str, minutes: i64, reason: &str) -> VersionState {
    VersionState {
        version: version.into(),
        tag: Some(format!("v{version}")),
        mark: VersionMark::Is(status),
        reason: reason.into(),
        published: Some(ago(minutes)),
        published_by: Some(PublishedBy::Feed),
        targets: Some(14),
        attempts: 0,
        next_try: None,
    }
}

fn row(address: &str, versions: u32, targets: u32) -> Row {
    let shape = Shape { version_count: versions, target_count: targets, ..Shape::default() };
    Row::new(Address::parse(address).unwrap(), shape)
}

/// A registry of these rows and their verdicts.
pub(in crate::tui) fn registry(mut list: Vec<(Row, Verdict)>) -> Loaded {
    list.sort_by(|(a, _), (b, _)| a.address.cmp(&b.address));
    let (rows, verdicts): (Vec<Row>, Vec<Verdict>) = list.into_iter().unzip();
    Loaded {
        catalog: Arc::new(Catalog::new(rows, Vec::new())),
        verdicts,
        revision: "main@f00f6d5".into(),
        name: "opentofu/registry".into(),
        last_bump: Some(ago(11)),
        notices: Vec::new(),
        half_done: Vec::new(),
        has_token: true,
        git_per_second: Some(60.0),
        keeps: true,
        may_write: false,
    }
}

pub(in crate::tui) fn behind() -> Verdict {
    let mut verdict = verdict(Status::Behind, "3.69.0", "3.70.1", Some(6 * HOUR));
    verdict.because.text = "v3.70.1 is tagged upstream, complete, and not indexed".into();
    verdict.missing = Some(2);
    verdict.versions = vec![
        missing(Status::Behind, "3.70.1", 6 * HOUR, "complete upstream"),
        missing(Status::Behind, "3.70.0", 7 * HOUR, "complete upstream"),
        VersionState {
            mark: VersionMark::Blocked,
            published: None,
            published_by: None,
            ..missing(Status::Behind, "3.12.0", 0, "on the blacklist: bad signature")
        },
    ];
    verdict.findings = vec![
        Finding::note("shorthand-version", "`1.0` is listed but clients ask for `1.0.0`").on("1.0"),
        Finding::warning("bump-runs-failed", "three bump runs since the tag ended in an error"),
    ];
    verdict
}

/// A registry with every status once or more, as in the design's mock-ups.
pub(in crate::tui) fn normal() -> Loaded {
    use Status::{
        Behind, Current, Drifted, GoneUpstream, H1Missing, MissedOldLine, Moved, Partial, Pending, RepoGone,
        RetryWait, Shadowed, Stranded, Unknown,
    };
    let mut list = vec![(row("newrelic/newrelic", 204, 2856), behind())];
    for (address, status, indexed, upstream, count, minutes) in [
        ("auth0/auth0", RetryWait, "1.57.0", "1.58.0", 1, 3 * DAY),
        ("hashicorp/null", Shadowed, "3.2.4-alpha.2", "3.2.4", 1, 9 * DAY),
        ("azure/avm-res-cognitiveservices-account/azurerm", Behind, "0.1.1", "0.6.0", 5, 2 * DAY),
        ("coralogix/coralogix", Drifted, "3.14.1", "3.14.1", 0, 4 * HOUR),
        ("castai/castai", Drifted, "8.54.1", "8.54.1", 0, DAY),
        ("coder/coder", GoneUpstream, "3.0.0", "2.18.0", 0, 7 * DAY),
        ("outscale/outscale", Partial, "1.4.0", "1.4.0", 0, 12 * DAY),
        ("kislerdm/neon", Stranded, "0.1.0", "0.2.2", 2, 30 * DAY),
        ("cloudposse/components/aws", MissedOldLine, "1.510.0", "1.510.0", 1, 41 * DAY),
        ("juju/juju", Pending, "1.4.1", "1.5.0", 1, 12),
        ("oldcorp/widgets", RepoGone, "1.0.0", "-", 0, 90 * DAY),
        ("renamed/thing", Moved, "2.1.0", "2.1.0", 0, 20 * DAY),
        ("opentofu/random", H1Missing, "3.6.3", "3.6.3", 0, 2 * DAY),
        ("zededa/zedcloud", Current, "2.3.1-rc2", "2.3.1-rc2", 0, 2 * HOUR),
        ("datadog/datadog", Current, "3.53.0", "3.53.0", 0, 8 * HOUR),
        ("tencentcloudstack/tencentcloud", Current, "1.81.140", "1.81.140", 0, 9 * HOUR),
        ("newrelic/newrelic-cli", Current, "0.9.0", "0.9.0", 0, DAY),
        ("cloudposse/modules/root", Current, "0.44.1", "0.44.1", 0, DAY),
        ("hashicorp/aws", Current, "5.84.0", "5.84.0", 0, 2 * DAY),
    ] {
        let mut found = verdict(status, indexed, upstream, Some(minutes));
        found.missing = Some(count);
        if count > 0 {
            found.versions = vec![missing(status, upstream, minutes, "see the entry")];
        }
        list.push((row(address, 12, 144), found));
    }
    let mut throttled = verdict(Unknown, "1.2.0", "?", None);
    throttled.because = Because {
        text: "the tags could not be read: throttled until 12:06:02Z".into(),
        source: Source::Tags,
        at: Some(ago(1)),
    };
    throttled.checked_at = Some(ago(1));
    list.push((row("yukihira1992/managed-policies/aws", 3, 0), throttled));
    let unasked = verdict(Unknown, "1.0.1", "?", None);
    list.push((row("terraform-shoreline-cluster/observability-agent/shoreline", 4, 0), unasked));
    registry(list)
}

/// A registry of this many rows, such as the real one has.
pub(in crate::tui) fn huge(rows: u32) -> Loaded {
    // KEYS and UNUSABLE have tests of their own, and NOHASH has one row.
    let is_here =
        |status: &Status| !["KEYS", "UNUSABLE"].contains(&status.word()) && status.name() != "size-missing";
    let statuses: Vec<Status> = Status::all().filter(is_here).collect();
    let list = (0..rows).map(|at| {
        let address = if at % 7 == 0 {
            format!("ns{}/name{at}", at % 911)
        } else {
            format!("ns{}/name{at}/aws", at % 911)
        };
        let status =
            if at % 60 == 0 { statuses[(at / 60) as usize % statuses.len()] } else { Status::Current };
        (row(&address, at % 40, 0), verdict(status, "1.2.3", "1.2.4", Some(i64::from(at % 90_000))))
    });
    registry(list.collect())
}

/// The usual rows without any check.
pub(in crate::tui) fn unchecked() -> Loaded {
    let mut loaded = normal();
    for found in &mut loaded.verdicts {
        *found = verdict(Status::Unknown, "1.0.0", "?", None);
    }
    loaded
}

/// A registry with hostile characters in every text that comes from outside.
pub(in crate::tui) fn hostile() -> Loaded {
    let evil = "1.0\u{1b}[31m\u{202e}\u{200b}\u{7}\u{85}\u{2028}x";
    let mut found = behind();
    found.because.text = evil.into();
    found.highest_indexed = Some(evil.into());
    found.highest_upstream = Some(evil.into());
    for version in &mut found.versions {
        version.version = evil.into();
        version.tag = Some(evil.into());
        version.reason = evil.into();
    }
    for finding in &mut found.findings {
        finding.text = evil.into();
        finding.version = Some(evil.into());
    }
    let mut bad = row("evil/evil", 1, 1);
    bad.shape.broken = Some(evil.into());
    let mut name = row("a/b", 1, 1);
    name.address = Address::provider("a", evil);
    let mut loaded = registry(vec![(bad, found.clone()), (name, found)]);
    loaded.revision = evil.into();
    loaded.name = evil.into();
    loaded.notices = vec![evil.into()];
    loaded
}

fn version(name: &str, hashed: bool) -> ProviderVersion {
    let target = |at: u32| Target {
        os: "linux".into(),
        arch: format!("a{at}"),
        h1: hashed.then(|| "h1:x".into()),
        size: hashed.then_some(12),
        ..Target::default()
    };
    ProviderVersion {
        version: name.into(),
        targets: (0..14).map(target).collect(),
        discovered: hashed.then(|| ago(4 * DAY)),
        ..ProviderVersion::default()
    }
}

/// One opened entry, with its proposed rebuild.
pub(in crate::tui) fn opened(address: &str) -> Opened {
    let versions: Vec<ProviderVersion> =
        (0..204).map(|at| version(&format!("3.{}.{}", 69 - at / 3, 2 - at % 3), at < 6)).collect();
    let entry = Entry::Provider(ProviderEntry { versions, ..ProviderEntry::default() });
    let change = |name: &str, place| VersionChange {
        version: name.into(),
        kind: ChangeKind::Added,
        old_place: None,
        new_place: Some(place),
        fields: Vec::new(),
        targets: vec![
            TargetChange {
                platform: "linux_amd64".into(),
                kind: ChangeKind::Added,
                fields: Vec::new()
            };
            14
        ],
    };
    let diff = Diff {
        class: Class::Additive,
        versions: vec![change("3.70.1", 0), change("3.70.0", 1)],
        fields: Vec::new(),
        normalises: Normalises { empty_fields: 28, ..Normalises::default() },
        unchanged_versions: 204,
    };
    let parsed = Address::parse(address).unwrap();
    let proposal = Proposal {
        address: parsed.clone(),
        path: parsed.path(),
        mode: Mode::Add,
        base_digest: "5d0c1f9c02ab7e6b41d0f3a2c4e596b8a7d6c5e4f3b2a19087f6e5d4c3b2a190".into(),
        digest: "b6f7add03c464f43ac538c93819427f2fd0a26cf53ad56ab4c1adf44d11fdcbe".into(),
        bytes: Vec::new(),
        diff,
        findings: vec![Finding::warning("left-out", "left out: the release has no SHA256SUMS").on("3.70.2")],
    };
    Opened {
        keys: None,
        notices: Vec::new(),
        address: parsed,
        entry,
        verdict: behind(),
        proposal: Some(proposal),
        lines: Some(Arc::new(diff_lines(2, 204))),
        findings: Vec::new(),
    }
}
