use std::time::Duration;

use jiff::Timestamp;

use super::*;
use unicode_width::UnicodeWidthStr;

use crate::desk::ability::Ability;
use crate::jobs::data::{FailureKind, Opened};
use crate::print::output::tests::{fitted, ui};
use crate::registry::{Address, Entry, ProviderEntry, ProviderVersion, RecordedError, Row, Shape, Target};
use crate::rules::diff::{ChangeKind, Diff, FieldChange, Normalises, TargetChange, VersionChange};
use crate::rules::{
    Because, Class, Depth, Mode, Proposal, PublishedBy, Source, Verdict, VersionMark, VersionState,
};

pub(crate) fn now() -> Timestamp {
    "2026-09-22T12:00:00Z".parse().unwrap()
}

fn before(length: Duration) -> Timestamp {
    now().checked_sub(length).unwrap()
}

/// BEHIND by one version with a tag that tries to clear the screen.
pub(crate) fn verdict() -> Verdict {
    Verdict {
        status: Status::Behind,
        because: Because {
            text: "3.70.1: tagged upstream, complete, not indexed".into(),
            source: Source::Tags,
            at: Some(before(Duration::from_mins(6))),
        },
        depth: Some(Depth::Versions),
        versions: vec![VersionState {
            version: "3.70.1".into(),
            tag: Some("v3.70.1\u{1b}[2J".into()),
            mark: VersionMark::Is(Status::Behind),
            reason: "complete upstream".into(),
            published: Some(before(Duration::from_hours(6))),
            published_by: Some(PublishedBy::Feed),
            targets: Some(14),
            attempts: 1,
            next_try: Some(now()),
        }],
        findings: vec![Finding::warning("feed-unread", "the feed could not be read").on("3.70.0")],
        highest_indexed: Some("3.69.0".into()),
        highest_upstream: Some("3.70.1".into()),
        missing: Some(1),
        since: Some(before(Duration::from_hours(6))),
        checked_at: Some(before(Duration::from_mins(6))),
    }
}

pub(crate) fn opened() -> Opened {
    let version = ProviderVersion {
        version: "3.69.0".into(),
        targets: vec![Target::default()],
        ..ProviderVersion::default()
    };
    let entry = ProviderEntry {
        versions: vec![version],
        warnings: vec!["moved".into()],
        versions_errors: vec![RecordedError {
            version: "3.70.1".into(),
            message: "no sums\nat all".into(),
            utc_time: before(Duration::from_hours(1)),
        }],
        ..ProviderEntry::default()
    };
    Opened {
        keys: None,
        notices: Vec::new(),
        address: Address::provider("newrelic", "newrelic"),
        entry: Entry::Provider(entry),
        verdict: verdict(),
        proposal: None,
        lines: None,
        findings: vec![Finding::note("crlf", "lines end in CR LF")],
    }
}

pub(crate) fn rebuild() -> Proposal {
    let field = |name: &str| FieldChange { field: name.into(), old: Some("\"a\"".into()), new: None };
    let target = TargetChange {
        platform: "linux_amd64".into(),
        kind: ChangeKind::Changed,
        fields: vec![field("shasum")],
    };
    let change = |version: &str, kind, targets| VersionChange {
        version: version.into(),
        kind,
        old_place: (kind != ChangeKind::Added).then_some(4),
        new_place: Some(0),
        fields: Vec::new(),
        targets,
    };
    Proposal {
        address: Address::provider("newrelic", "newrelic"),
        path: "providers/n/newrelic/newrelic.json".into(),
        mode: Mode::Add,
        base_digest: "aa".into(),
        digest: "bb".into(),
        bytes: b"{}".to_vec(),
        diff: Diff {
            class: Class::Mutates,
            versions: vec![
                change("3.70.1", ChangeKind::Added, vec![target.clone(), target.clone()]),
                change("3.69.0", ChangeKind::Changed, vec![target]),
                change("3.1.0", ChangeKind::Moved, Vec::new()),
            ],
            fields: vec![field("warnings")],
            normalises: Normalises { key_orders: 1, empty_fields: 3, moved_versions: 0, layout: true },
            unchanged_versions: 204,
        },
        findings: vec![Finding::note("left-out", "no sums").on("3.70.0")],
    }
}

pub(crate) fn row() -> Row {
    Row::new(Address::provider("newrelic", "newrelic"), Shape { version_count: 1, ..Shape::default() })
}

fn shown(lines: &[Line]) -> String {
    lines.iter().map(|line| line.shown().trim_end().to_owned() + "\n").collect()
}

#[test]
fn show_answers_the_four_questions() {
    let told = |ui: &Ui| {
        let name = |step: &NextStep| (step.ability == Ability::Build).then(|| "diff N".to_owned());
        shown(&entry(ui, now(), &opened(), name))
    };
    assert_eq!(
        told(&Ui { plain: true, ..ui() }),
        "\
newrelic/newrelic, provider, BEHIND, not indexed yet, 1 missing: 3.70.1
what: a newer version is complete upstream and not indexed yet
why: 3.70.1: tagged upstream, complete, not indexed (git tags, 11:54Z)
if nothing is done: bumps run every 15 minutes; the next one should add it
you can: wait; if it stays, check the bump runs, or add it to the plan
next: diff N shows the rebuild that adds what is missing
checked: to depth `versions`, 2026-09-22 11:54:00Z (6 minutes ago); deeper checks not done
repository: https://github.com/newrelic/terraform-provider-newrelic
file: providers/n/newrelic/newrelic.json
indexed: 1 version, 1 target: 3.69.0
users are warned: moved
version: BEHIND 3.70.1: complete upstream; 1 failed try; next try 12:00Z; tag v3.70.1\\u{1b}[2J; 14 targets; published 2026-09-22 06:00:00Z (6 hours ago), from the feed
failed try: 3.70.1 at 2026-09-22 11:00:00Z: no sums\\nat all
warning: 3.70.0: the feed could not be read
note: lines end in CR LF [crlf]
"
    );
    assert!(
        told(&ui())
            .starts_with("newrelic/newrelic  provider  ⇡ BEHIND ⋅ not indexed yet  1 missing: 3.70.1\n")
    );
    assert!(told(&Ui { ascii: true, ..ui() }).contains("version    ^ BEHIND 3.70.1: "));
    assert!(told(&Ui { ascii: true, ..ui() }).contains("^ BEHIND - not indexed yet  1 missing"));
    assert!(told(&ui()).contains("\nimpact     bumps run every 15 minutes"));
}

#[test]
fn lists_align_number_and_quote() {
    let (long, current) =
        (row(), Verdict { status: Status::Current, missing: Some(0), since: None, ..verdict() });
    let short = Row { address: Address::module("a", "b", "c"), ..row() };
    let verdict = verdict();
    let both = [(&long, &verdict), (&short, &current)];
    assert_eq!(
        shown(&rows(&ui(), now(), &both, true, None)),
        "\x20 STATUS         ADDRESS            INDEXED  UPSTREAM  LACKS  AGE  WHY
⇡ BEHIND         newrelic/newrelic  3.69.0   3.70.1       +1   6h  3.70.1: tagged upstream, complete, not indexed
✓ OK (versions)  a/b/c              3.69.0   3.70.1        -    -  3.70.1: tagged upstream, complete, not indexed
"
    );
    assert_eq!(
        shown(&rows(&ui(), now(), &both[..1], true, Some(85))),
        "\x20 STATUS  ADDRESS            INDEXED  UPSTREAM  LACKS  AGE  WHY
⇡ BEHIND  newrelic/newrelic  3.69.0   3.70.1       +1   6h  3.70.1: tagged upstream,…
"
    );
    assert_eq!(
        shown(&rows(&Ui { plain: true, ..ui() }, now(), &both, true, Some(40))),
        "1. BEHIND newrelic/newrelic, provider, 1 version missing, 6 hours\n2. OK (versions) a/b/c, module\n"
    );
    // Every width holds the table; what tells entries apart is the last to give way.
    let wide = Verdict { highest_upstream: Some("1.0.20230316224912-dev".into()), ..verdict.clone() };
    for columns in 60..200 {
        let table = shown(&rows(&ui(), now(), &[(&long, &wide)], true, Some(columns)));
        assert!(table.lines().all(|line| line.width() <= columns), "{columns}: {table}");
        assert!(table.contains("newrelic/newrelic"), "{columns}: {table}");
        assert!(columns < 90 || table.contains("1.0.20230316224912-dev"), "{columns}: {table}");
    }
    let odd = Verdict { highest_upstream: Some("=1+\"x".into()), ..verdict.clone() };
    assert_eq!(
        shown(&csv(&[(&long, &odd)])),
        "kind,address,status,depth,indexed,upstream,missing,since,checked_at,because\n\
         provider,newrelic/newrelic,behind,versions,3.69.0,\"'=1+\"\"x\",1,2026-09-22T06:00:00Z,2026-09-22T11:54:00Z,\
         \"3.70.1: tagged upstream, complete, not indexed\"\n"
    );
}

/// An unknown number is empty, because a spreadsheet would read `0` as "nothing is missing".
#[test]
fn csv_leaves_what_is_unknown_empty() {
    let row = row();
    let last = |verdict: &Verdict| {
        let text = shown(&csv(&[(&row, verdict)]));
        text.lines().last().unwrap().to_owned()
    };
    let because = |text: &str| Because { text: text.into(), source: Source::Tags, at: None };
    let unasked = Verdict {
        highest_indexed: Some("3.69.0".into()),
        ..Verdict::new(Status::Unknown, because("not checked yet"))
    };
    assert_eq!(last(&unasked), "provider,newrelic/newrelic,unknown,,3.69.0,,,,,\"not checked yet\"");
    let unread = Verdict { depth: Some(Depth::Versions), highest_upstream: Some("4.0.0".into()), ..unasked };
    assert_eq!(
        last(&unread),
        "provider,newrelic/newrelic,unknown,versions,3.69.0,4.0.0,,,,\"not checked yet\""
    );
    let gated = Verdict { depth: Some(Depth::Feed), status: Status::Current, ..unread };
    assert_eq!(last(&gated), "provider,newrelic/newrelic,current,feed,3.69.0,4.0.0,,,,\"not checked yet\"");
    let fine = Verdict { missing: Some(0), ..gated };
    assert_eq!(last(&fine), "provider,newrelic/newrelic,current,feed,3.69.0,4.0.0,0,,,\"not checked yet\"");
}

#[test]
fn a_proposal_is_described_in_words() {
    assert_eq!(
        shown(&proposal(&ui(), &rebuild(), &verdict())),
        "\
newrelic/newrelic  ! MUTATES  mode add  providers/n/newrelic/newrelic.json
  status     ⇡ BEHIND: 3.70.1: tagged upstream, complete, not indexed
+ 3.70.1 added, 2 targets
! 3.69.0 changed, 1 target
    ! linux_amd64 changed
        shasum: \"a\" -> nothing
~ 3.1.0 moved from place 5 to 1
  warnings: \"a\" -> nothing
  normalises 1 key order, 3 empty fields, line ends or spacing (the registry's own writer does so on every rewrite)
  unchanged  204 versions
  note left-out 3.70.0: no sums
  base       sha256 aa
  proposed   sha256 bb
"
    );
}

#[test]
fn files_and_counts_have_lines() {
    let applied_one = Applied {
        address: Address::provider("a", "b"),
        path: "providers/a/a/b.json".into(),
        added: vec!["1.0.0".into(), "1.1.0".into()],
        recorded: vec!["1.2.0".into()],
        written: true,
    };
    assert_eq!(
        applied(&applied_one).shown(),
        "wrote providers/a/a/b.json: added 1.0.0, 1.1.0; recorded the failed try of 1.2.0"
    );
    let judgement = Judgement { address: Address::provider("a", "b"), verdict: verdict() };
    assert_eq!(shown(&counts(&ui(), &[judgement.verdict.status])), "⇡ BEHIND 1\n");
    assert_eq!(
        judged(&ui(), &judgement).shown(),
        "⇡ BEHIND a/b: 3.70.1: tagged upstream, complete, not indexed"
    );
}

/// Targets that are fine and that are not, of one version and of another, each told and told as one.
#[test]
fn verified_rows_fit_the_terminal() {
    use crate::rules::verify::{Listed, Row as Verified, Zip};
    let fine = crate::rules::verify::tests::row;
    let other = || Verified { listed: Listed::Sum { sum: "b".repeat(64) }, ..fine() };
    let why = "the connection was reset while the archive was read, five times in a row".to_owned();
    let rows = [
        fine(),
        Verified { target: "windows_arm64".into(), ..other() },
        Verified { target: "darwin_arm64".into(), ..other() },
        Verified { version: "10.20.30-rc.1".into(), zip: Zip::Failed { why }, ..fine() },
        Verified { zip: Zip::Skipped { why: "it has more than 256 MiB".into() }, ..fine() },
    ];
    let rows = rows.map(std::sync::Arc::new);
    // In plain mode a sentence is a line.
    for each in [false, true] {
        let lines = verified(&ui(), &rows, each);
        for columns in 40..200 {
            let text = fitted(&lines, columns);
            assert!(text.contains("MISMATCH"), "{text}");
        }
    }
}

#[test]
fn a_planned_file_fits_the_terminal() {
    let file = crate::rules::plan::tests::in_review();
    let plan = crate::rules::plan::Plan::new(vec![file.clone()]);
    for plain in [false, true] {
        let ui = Ui { plain, ..ui() };
        let lines: Vec<Line> = std::iter::once(plan_head(&plan)).chain(planned(&ui, &file)).collect();
        for columns in 40..200 {
            let text = fitted(&lines, columns);
            assert!(text.contains("TO REVIEW") && text.contains("SHA256SUMS"), "{text}");
        }
    }
}

#[test]
fn ends_are_printed_on_standard_error() {
    let failure = Failure::new(FailureKind::Network, "reading tags")
        .cause("no route\u{1b}[2J")
        .cause("cable")
        .hint("Plug it in.");
    let summary =
        Summary { entries: 1, requests: 2_000, limits: vec!["no token".into()], ..Summary::default() };
    let cases = [
        (
            Outcome::Failed(failure),
            "bumpdesk: reading tags: no route\\u{1b}[2J\n  because cable\n  Plug it in.\n",
        ),
        (Outcome::Done(summary), "bumpdesk: survey done: 1 entry, 2,000 requests\n  no token\n"),
        (
            Outcome::Cancelled(Summary::default()),
            "bumpdesk: survey cancelled; what was read is kept, and the same command continues\n",
        ),
    ];
    for (outcome, wanted) in cases {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let environment = crate::boot::Environment::made_up("/", &[]);
        let mut output = Output::new(&mut out, &mut err, &environment, ui(), false);
        tell_outcome(&mut output, "survey", &outcome);
        assert_eq!(String::from_utf8(err).unwrap(), wanted);
        assert!(out.is_empty());
    }
}
