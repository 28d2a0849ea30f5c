//! Every status of the ladder: the deciding fact, its source and its time, and the four answers that go with it.

use std::time::Duration;

use bumpdesk::surface::rules::{Depth, Source, Status};

use super::scene::lines;
use crate::door::Door;
use crate::stage::Stage;

const TABLE: [(&str, &str, Source); 20] = [
    ("unknown", "the tags could not be read: throttled until 2026-11-21 13:00:00Z", Source::Tags),
    (
        "list-unreadable",
        "no client can read this provider's list: version `v1.0.0` begins with `v`",
        Source::File,
    ),
    ("repo-gone", "acme/terraform-provider-repo-gone answers 404", Source::Tags),
    ("moved", "acme/terraform-provider-moved redirects to zenith/terraform-provider-moved", Source::Tags),
    ("gone-upstream", "1.1.0: indexed, but its tag is gone upstream", Source::Tags),
    ("drifted", "1.0.0: 1 of 1 stored checksums differ from upstream", Source::Sums),
    ("partial", "1.0.0: indexed with 1 of 2 targets", Source::Sums),
    (
        "clients-refuse",
        "1.0.0: clients refuse every platform of it: protocols six: registry response includes invalid version string `six`",
        Source::File,
    ),
    (
        "retry-wait",
        "1.1.0: complete since 2026-11-21 11:00Z; last tried on 2026-11-21 10:30Z; \
         3 failed tries; next try 2026-11-21 12:30Z",
        Source::Sums,
    ),
    (
        "stranded",
        "1.1.0: expected terraform-provider-stranded_1.1.0_SHA256SUMS, \
         found nearest terraform-provider-stranded_1.01.0_SHA256SUMS",
        Source::Sums,
    ),
    (
        "shadowed",
        "1.1.0: a stable version, not indexed, hidden by the indexed prerelease 1.1.0-rc1",
        Source::Tags,
    ),
    ("missed-old-line", "1.0.1: complete upstream, below the highest indexed 2.0.0", Source::Tags),
    ("behind", "1.1.0: complete upstream, above the highest indexed 1.0.0", Source::Tags),
    ("pending", "1.1.0: published less than 30 minutes ago and not indexed yet", Source::Tags),
    ("key-mismatch", "1.0.0: signed by 66113FE92198D26C; only FB643F858ADD4ECD on file", Source::Signature),
    (
        "key-expired",
        "1.0.0: signed by FB643F858ADD4ECD on 2025-03-01 (keys/a/acme/key-expired/provider.asc); the key expired on 2025-12-31",
        Source::Signature,
    ),
    ("unsigned", "1.0.0: no signature: SHA256SUMS.sig answers 404", Source::Signature),
    (
        "size-missing",
        "1.0.0: OpenTofu clients from 1.12 on refuse linux_amd64: registry response has invalid package size 0",
        Source::File,
    ),
    ("h1-missing", "2 of 4 targets have no h1 or size", Source::File),
    ("current", "the one version has its tag, none missing", Source::Tags),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_status_names_its_fact_its_source_and_its_time() {
    let mut stage = Stage::set(include_str!("../../scenarios/ladder.toml")).await;
    let first = stage.steady(Depth::Sums).await;
    assert_eq!(first.len(), TABLE.len());
    // Ten minutes later, out of what was kept: the times stay those of the readings.
    stage.server.forget();
    stage.pass(Duration::from_mins(10));
    let (later, summary) = stage.survey_aged(Depth::Sums, Duration::from_mins(15)).await;
    assert_eq!((stage.server.counts().total(), summary.requests, summary.fresh), (0, 0, 20));
    assert_eq!(lines(&first), lines(&later));
    for (name, text, source) in TABLE {
        let verdict = &later[&format!("acme/{name}")];
        assert_eq!(verdict.status.name(), name, "{verdict:?}");
        assert_eq!(verdict.because.text, text, "{name}");
        assert_eq!(verdict.because.source, source, "{name}");
        let at = (source != Source::File).then_some("2026-11-21T12:00:00Z");
        assert_eq!(verdict.because.at.map(|at| at.to_string()).as_deref(), at, "{name}");
    }
}

#[test]
fn every_status_answers_what_why_what_if_and_what_next() {
    assert_eq!(Status::COUNT, TABLE.len());
    for (status, (name, ..)) in Status::all().zip(TABLE) {
        let row = status.row();
        assert_eq!(row.name, name);
        for text in [row.word, row.plain, row.means, row.if_left, row.can_do] {
            assert!(text.len() > 1 && !text.ends_with('.') && text.trim() == text, "{name}: {text:?}");
        }
    }
}

/// Facts that are a day old say nothing any more, and a deep look that was not taken is not claimed.
#[tokio::test(flavor = "multi_thread")]
async fn old_facts_are_unknown_and_depth_is_said() {
    let mut stage = Stage::set(include_str!("../../scenarios/ladder.toml")).await;
    let shallow = stage.survey(Depth::Versions).await;
    for name in ["current", "drifted", "partial"] {
        let verdict = &shallow[&format!("acme/{name}")];
        assert_eq!(
            (verdict.word().as_str(), verdict.depth),
            ("OK (versions)", Some(Depth::Versions)),
            "{name}"
        );
    }
    let deep = stage.survey(Depth::Sums).await;
    assert_eq!((deep["acme/current"].word().as_str(), deep["acme/current"].depth), ("OK", Some(Depth::Sums)));
    // Nothing upstream answers any more, and a day goes by: what was known is shown as unknown, never as fine.
    stage.server.edit(|world| {
        let every = [demo::fault::Lane::Git, demo::fault::Lane::Feed];
        // HTML pages everywhere would end the survey early.
        let garbage = demo::fault::FaultKind::Garbage;
        world.faults = vec![demo::fault::Fault::new(&every, garbage)];
    });
    stage.pass(Duration::from_hours(25));
    let (old, _) = stage.survey_aged(Depth::Versions, Duration::MAX).await;
    // A status that comes from the data file alone stays known.
    for (address, verdict) in old.iter().filter(|(address, _)| *address != "acme/list-unreadable") {
        assert_eq!(verdict.status, Status::Unknown, "{address}: {verdict:?}");
    }
    let because = &old["acme/current"].because;
    assert_eq!(because.text, "the tags were last read on 2026-11-21 12:00Z, more than 24 h ago");
    let steady = stage.steady(Depth::Versions).await;
    for (address, verdict) in steady.iter().filter(|(address, _)| *address != "acme/list-unreadable") {
        assert_eq!(verdict.status, Status::Unknown, "{address}: {verdict:?}");
    }
}

/// The command says the same: as JSON the deciding fact, its source and its time, as text the four answers.
#[tokio::test(flavor = "multi_thread")]
async fn show_answers_for_every_status() {
    let door = Door::on(include_str!("../../scenarios/ladder.toml")).await;
    door.said("survey --depth sums --max-age 0").await;
    for (name, text, source) in TABLE {
        let shown = door.said(&format!("show acme/{name} --json")).await;
        let entry = shown.objects().into_iter().find(|object| object["type"] == "entry").expect("an entry");
        assert_eq!(entry["status"], name, "{entry}");
        assert_eq!(entry["because"]["text"], text, "{entry}");
        assert!(entry["because"]["source"].is_string(), "{entry}");
        assert_eq!(entry["because"]["at"].is_string(), source != Source::File, "{entry}");
        let status = Status::from_name(name).expect("a status").row();
        let told = door.said(&format!("show acme/{name}")).await;
        let can_do = entry["can_do"].as_str().expect("a text");
        for answer in [status.word, status.means, status.if_left, can_do] {
            assert!(told.out.contains(answer), "`{answer}` is not in\n{}", told.out);
        }
        let hashes = format!("`bumpdesk verify acme/{name}` hashes its archives");
        assert_eq!(told.out.contains(&hashes), can_do.starts_with("verify it first"), "{}", told.out);
        assert!(
            told.out.contains(text.split(';').next().unwrap_or(text)),
            "`{text}` is not in\n{}",
            told.out
        );
    }
}
