//! Sources that fail: what cannot be read is unknown, costs only what it tells, and is never written about.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use bumpdesk::surface::jobs::{BumpPlan, FailureKind, Gate, Job, Outcome, Scope, SurveyPlan};
use bumpdesk::surface::registry::Address;
use bumpdesk::surface::rules::{Depth, PublishedBy, Source, Status, Verdict};
use demo::World;
use demo::fault::{Fault, FaultKind, Lane};

use super::scene::{after, before, check_bytes, check_files, lines};
use crate::stage::{Stage, Terms};

/// Failures that nobody waits for.
const FINAL: [&str; 8] = [
    "status:429",
    "status:403-secondary",
    "status:403",
    "status:451",
    "html",
    "empty",
    "garbage",
    "short:30",
];
/// Failures after which a request is repeated.
const TRANSIENT: [&str; 5] = ["status:500", "status:502", "status:503", "truncate:20", "reset"];

/// A provider and a module for each fault, with a missing version each; behind the mark what they are when it ends.
fn world(kinds: &[&str]) -> String {
    let (mut text, mut then) = ("clock = \"2026-11-21T12:00:00Z\"\n".to_owned(), String::new());
    let found = "discovered = \"2026-11-21T12:00:00Z\"";
    for n in 0..kinds.len() {
        let (provider, module) = (
            format!("[[provider]]\naddress = \"acme/p{n}\"\ntargets = [\"linux_amd64\"]\n"),
            format!("[[module]]\naddress = \"acme/m{n}/aws\"\n"),
        );
        let (old, tag) = ("version = \"1.0.0\", published = \"-90d\"", "version = \"v1.0.0\", at = \"-90d\"");
        let _ = writeln!(text, "{provider}stored = [{{ {old} }}]\nreleases = [\"v1.1.0\"]");
        let _ = writeln!(text, "{module}stored = [{{ {tag} }}]\ntags = [\"v1.1.0\"]");
        let _ = writeln!(then, "{provider}stored = [{{ version = \"1.1.0\", {found} }}, {{ {old} }}]");
        let _ = writeln!(then, "{module}stored = [{{ version = \"v1.1.0\", {found} }}, {{ {tag} }}]");
    }
    format!("{text}\n# after:\nclock = \"2026-11-21T12:00:00Z\"\n{then}")
}

/// Every kind of fault on one lane, each at its own provider and module.
fn plant(stage: &Stage, lanes: &[Lane], kinds: &[&str]) {
    let faults = kinds.iter().enumerate().map(|(n, kind)| {
        let kind = FaultKind::try_from((*kind).to_owned()).expect("a kind");
        let fault = Fault::new(lanes, kind).at(&format!("acme/terraform-provider-p{n}"));
        fault.at(&format!("acme/terraform-aws-m{n}"))
    });
    let faults = faults.collect();
    stage.server.edit(|world| world.faults = faults);
}

fn all_are(verdicts: &BTreeMap<String, Verdict>, provider: &str, module: &str) {
    for (address, line) in lines(verdicts) {
        let wanted = if address.ends_with("/aws") { module } else { provider };
        assert_eq!(line, wanted, "{address}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_that_cannot_be_read() {
    let text = world(&FINAL);
    let mut stage = Stage::set(before(&text)).await;
    plant(&stage, &[Lane::Git], &FINAL);
    let verdicts = stage.steady(Depth::Versions).await;
    all_are(&verdicts, "unknown", "unknown");
    for verdict in verdicts.values() {
        let text = &verdict.because.text;
        assert!(text.starts_with("the tags could not be read: ") && text.len() > 35, "{text}");
    }
    assert_eq!(stage.bump().await, [""; 0]);
    check_files(&stage, &after(before(&text)));
    // The same with facts of better days: they do not stand in for what cannot be read now.
    plant(&stage, &[], &FINAL);
    all_are(&stage.survey(Depth::Versions).await, "behind 1.1.0=behind", "behind v1.1.0=behind");
    plant(&stage, &[Lane::Git], &FINAL);
    all_are(&stage.steady(Depth::Versions).await, "unknown", "unknown");
    plant(&stage, &[], &FINAL);
    check_bytes(&mut stage, &text, verdicts.keys()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_fails_costs_the_times_alone() {
    let text = world(&FINAL);
    let mut stage = Stage::set(before(&text)).await;
    plant(&stage, &[Lane::Feed], &FINAL);
    let verdicts = stage.steady(Depth::Versions).await;
    // The API dates a release, and nothing else dates a module's tag.
    all_are(&verdicts, "behind 1.1.0=behind; feed-unread", "unknown v1.1.0=unknown; feed-unread");
    check_bytes(&mut stage, &text, verdicts.keys()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_that_are_repeated_first() {
    for kind in TRANSIENT {
        let text = world(&[kind]);
        let mut stage = Stage::set(before(&text)).await;
        plant(&stage, &[Lane::Git], &[kind]);
        all_are(&stage.survey(Depth::Versions).await, "unknown", "unknown");
        // One stumble is nothing.
        plant(&stage, &[Lane::Git], &[kind]);
        stage.server.edit(|world| world.faults.iter_mut().for_each(|fault| fault.times = Some(1)));
        let told = stage.survey(Depth::Versions).await;
        all_are(&told, "behind 1.1.0=behind", "behind v1.1.0=behind");
    }
}

/// Sums that cannot be read leave a version unknown, and no failure is recorded for them.
#[tokio::test(flavor = "multi_thread")]
async fn sums_that_cannot_be_read() {
    let kinds = ["status:429", "status:403", "status:451"];
    let text = world(&kinds);
    for lane in [Lane::Asset, Lane::Object] {
        let mut stage = Stage::set(before(&text)).await;
        plant(&stage, &[lane], &kinds);
        let verdicts = stage.steady(Depth::Versions).await;
        all_are(&verdicts, "unknown 1.1.0=unknown", "behind v1.1.0=behind");
        let because = &verdicts["acme/p0"].because.text;
        assert_eq!(because, "1.1.0: missing, and its checksums could not be read: throttled");
        let modules: Vec<String> =
            (0..kinds.len()).map(|n| format!("modules/a/acme/m{n}/aws.json")).collect();
        assert_eq!(stage.bump().await, modules);
        plant(&stage, &[], &kinds);
        stage.restart();
        check_bytes(&mut stage, &text, verdicts.keys()).await;
    }
}

/// A zip that cannot be read refuses its version for now: nothing is written, nothing recorded.
#[tokio::test(flavor = "multi_thread")]
async fn zips_that_cannot_be_read() {
    let kinds = ["status:429", "status:403", "html", "truncate:100", "short:100", "reset"];
    let text = world(&kinds);
    let mut stage = Stage::set(before(&text)).await;
    plant(&stage, &[Lane::Object], &kinds);
    stage.server.edit(|world| {
        world.faults.iter_mut().for_each(|fault| fault.path = Some("*.zip".into()));
    });
    let verdicts = stage.steady(Depth::Versions).await;
    all_are(&verdicts, "behind 1.1.0=behind", "behind v1.1.0=behind");
    let written = stage.bump().await;
    assert!(written.len() == kinds.len() && written.iter().all(|path| path.starts_with("modules/")));
    plant(&stage, &[], &kinds);
    check_bytes(&mut stage, &text, verdicts.keys()).await;
}

/// Without the releases API everything is still found, by downloads.
#[tokio::test(flavor = "multi_thread")]
async fn an_api_that_fails() {
    let text = world(&["html"]);
    for kind in ["html", "status:403-primary", "status:401", "garbage"] {
        let mut stage = Stage::set(before(&text)).await;
        let kind = FaultKind::try_from(kind.to_owned()).expect("a kind");
        stage.server.edit(|world| world.faults = vec![Fault::new(&[Lane::Rest, Lane::Graphql], kind)]);
        let verdicts = stage.steady(Depth::Versions).await;
        all_are(&verdicts, "behind 1.1.0=behind", "behind v1.1.0=behind");
        check_bytes(&mut stage, &text, verdicts.keys()).await;
    }
}

/// A tag that no feed dates is as old as our first sight of it, and that is said.
#[tokio::test(flavor = "multi_thread")]
async fn a_tag_without_a_feed_is_dated_by_first_sight() {
    let clock =
        "clock = \"2026-11-21T12:00:00Z\"\n[[module]]\naddress = \"acme/vpc/aws\"\nstored = [\"v1.0.0\"]\n";
    let mut stage = Stage::set(&format!("{clock}[[fault]]\non = \"feed\"\nkind = \"html\"\n")).await;
    stage.steady(Depth::Versions).await;
    let tagged = World::parse(&format!("{clock}tags = [\"v1.1.0\"]\n")).expect("a world").repositories;
    stage.server.edit(|world| world.repositories = tagged);
    stage.pass(Duration::from_mins(10));
    for (minutes, wanted) in [
        (0, "pending v1.1.0=pending; feed-unread"),
        (29, "pending v1.1.0=pending; feed-unread"),
        (1, "behind v1.1.0=behind; feed-unread"),
    ] {
        stage.pass(Duration::from_mins(minutes));
        let verdict = &stage.steady(Depth::Versions).await["acme/vpc/aws"];
        assert_eq!(crate::stage::line(verdict), wanted);
        let version = &verdict.versions[0];
        assert_eq!(version.published_by, Some(PublishedBy::FirstSeen));
        assert_eq!(version.published.expect("a time").to_string(), "2026-11-21T12:10:00Z");
    }
}

/// A zip that was replaced while its sums were left: only GitHub's digest tells, so nothing is OK without it.
#[tokio::test(flavor = "multi_thread")]
async fn digests_that_cannot_be_read() {
    let text = "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/rocket\"\n\
                targets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n";
    let mut world = World::parse(text).expect("a world");
    for asset in world.repositories.values_mut().flat_map(|it| &mut it.releases).flat_map(|it| &mut it.assets)
    {
        if asset.name.ends_with(".zip") {
            asset.digest = Some([7; 32]);
        }
    }
    let mut stage = Stage::of(world, Terms::default()).await;
    for kind in ["status:500", "html", "garbage", "status:404", "graphql:INTERNAL"] {
        let fault = FaultKind::try_from(kind.to_owned()).expect("a kind");
        stage.server.edit(|world| world.faults = vec![Fault::new(&[Lane::Graphql], fault)]);
        let (verdicts, summary) = stage.survey_aged(Depth::Sums, Duration::from_mins(15)).await;
        let verdict = &verdicts["acme/rocket"];
        assert_eq!(verdict.status, Status::Unknown, "{kind}: {verdict:?}");
        let told = "1.0.0: its asset digests could not be read: ";
        assert!(verdict.because.text.starts_with(told), "{}", verdict.because.text);
        assert_eq!((verdict.because.source, summary.failed), (Source::Api, 1));
    }
    // The same command asks the API again, and nothing else.
    stage.server.edit(|world| world.faults.clear());
    stage.restart();
    stage.server.forget();
    let (verdicts, summary) = stage.survey_aged(Depth::Sums, Duration::from_mins(15)).await;
    assert_eq!((verdicts["acme/rocket"].status, summary.failed), (Status::Drifted, 0));
    let counts = stage.server.counts();
    assert_eq!((counts.of(Lane::Graphql), counts.total()), (1, 1));
}

/// What failed is counted by the verdicts, and asked again by the same command.
#[tokio::test(flavor = "multi_thread")]
async fn a_manifest_that_cannot_be_read() {
    let text = world(&["status:500"]);
    let mut stage = Stage::set(before(&text)).await;
    plant(&stage, &[Lane::Asset], &["status:500"]);
    stage.server.edit(|world| world.faults[0].path = Some("*manifest.json".into()));
    for _ in 0..2 {
        let (verdicts, summary) = stage.survey_aged(Depth::Versions, Duration::from_mins(15)).await;
        assert_eq!(lines(&verdicts)["acme/p0"], "unknown 1.1.0=unknown");
        assert_eq!((summary.entries, summary.failed), (2, 1));
    }
    plant(&stage, &[], &["status:500"]);
    let (verdicts, summary) = stage.survey_aged(Depth::Versions, Duration::from_mins(15)).await;
    assert_eq!((lines(&verdicts)["acme/p0"].as_str(), summary.failed), ("behind 1.1.0=behind", 0));
}

/// A release lists a file that answers 404: nothing is stranded, nothing is written, nothing is recorded.
#[tokio::test(flavor = "multi_thread")]
async fn a_404_of_a_file_that_the_release_lists() {
    let text = world(&["status:404"]);
    for (lane, path, told) in [
        (
            Lane::Asset,
            "*manifest.json",
            "its manifest could not be read: it answered HTTP 404, though the release lists it",
        ),
        (
            Lane::Object,
            "*manifest.json",
            "its manifest could not be read: it answered HTTP 404, though the release leads to it",
        ),
        (
            Lane::Asset,
            "*SHA256SUMS",
            "its checksums could not be read: it answered HTTP 404, though the release lists it",
        ),
    ] {
        let mut stage = Stage::set(before(&text)).await;
        let before = stage.file("acme/p0");
        plant(&stage, &[lane], &["status:404"]);
        stage.server.edit(|world| world.faults[0].path = Some(path.into()));
        let verdicts = stage.steady(Depth::Versions).await;
        assert_eq!(verdicts["acme/p0"].because.text, format!("1.1.0: missing, and {told}"));
        assert_eq!(stage.bump().await, ["modules/a/acme/m0/aws.json"]);
        assert_eq!(stage.file("acme/p0"), before);
        plant(&stage, &[], &["status:404"]);
        check_bytes(&mut stage, &text, verdicts.keys()).await;
    }
}

/// A server that asks for a pause of years holds nobody who asks for everything anew; and the pause names its day.
#[tokio::test(flavor = "multi_thread")]
async fn a_pause_of_a_day_holds_only_what_is_young_enough() {
    let text = world(&["status:429"]);
    let mut stage = Stage::set(before(&text)).await;
    plant(&stage, &[Lane::Git], &["status:429"]);
    stage.server.edit(|world| world.faults[0].retry_after = Some(1_000_000_000));
    let fresh = Duration::from_mins(15);
    let (verdicts, _) = stage.survey_aged(Depth::Versions, fresh).await;
    let told = "the tags could not be read: throttled until 2026-11-22 12:00:00Z";
    assert_eq!(verdicts["acme/p0"].because.text, told);
    plant(&stage, &[], &["status:429"]);
    stage.restart();
    stage.server.forget();
    stage.survey_aged(Depth::Versions, fresh).await;
    assert_eq!(stage.server.counts().of(Lane::Git), 0);
    all_are(&stage.survey(Depth::Versions).await, "behind 1.1.0=behind", "behind v1.1.0=behind");
}

/// Who tags thousands is looked at over several runs, the newest first.
#[tokio::test(flavor = "multi_thread")]
async fn a_repository_of_many_missing_versions() {
    stamped!(crate::COMMANDS);
    let tags: Vec<String> = (0..1_030).map(|n| format!("\"v2.{n}.0\"")).collect();
    let text = format!(
        "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/many\"\n\
         targets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\ntags = [{}]\n",
        tags.join(", ")
    );
    let mut stage = Stage::set(&text).await;
    let fresh = Duration::from_mins(15);
    let (verdicts, summary) = stage.survey_aged(Depth::Versions, fresh).await;
    let verdict = &verdicts["acme/many"];
    assert_eq!(verdict.because.text, "2.29.0: missing, and not looked at yet (and 29 more)");
    assert_eq!((verdict.status, summary.failed), (Status::Unknown, 1));
    assert!(stage.server.counts().of(Lane::Asset) <= 2_000);
    stage.server.forget();
    let (verdicts, summary) = stage.survey_aged(Depth::Versions, fresh).await;
    assert_eq!((verdicts["acme/many"].status, summary.failed), (Status::Stranded, 0));
    assert_eq!(stage.server.counts().of(Lane::Asset), 2 * 30);
}

/// Killed while it looked at the third part of them: what was looked at before that is not asked again.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_killed_amid_many_missing_versions() {
    stamped!(crate::COMMANDS);
    let tags: Vec<String> = (0..900).map(|n| format!("\"v2.{n}.0\"")).collect();
    let text = format!(
        "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/many\"\n\
         targets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\ntags = [{}]\n",
        tags.join(", ")
    );
    let mut stage = Stage::set(&text).await;
    let stall = FaultKind::try_from("slow:1h".to_owned()).expect("a kind");
    let mut fault = Fault::new(&[Lane::Asset], stall);
    fault.path = Some("*/v2.150.0/*".into());
    stage.server.edit(|world| world.faults = vec![fault]);
    let survey = || {
        let max_age = Duration::from_mins(15);
        Job::Survey(SurveyPlan::new(Scope::Everything, Depth::Versions, max_age, Gate::Tags))
    };
    let asked = |stage: &Stage| -> Vec<u32> {
        let exchanges = stage.server.exchanges();
        let asked = exchanges
            .iter()
            .filter(|one| one.lane == Lane::Asset)
            .filter_map(|one| one.target.split("/v2.").nth(1)?.split('.').next()?.parse().ok());
        asked.collect()
    };
    stage.start(survey());
    // It never ends by itself.
    while !asked(&stage).iter().any(|number| *number < 300) {
        tokio::task::yield_now().await;
    }
    stage.restart();
    stage.server.edit(|world| world.faults.clear());
    stage.server.forget();
    stage.run(survey()).await;
    let again = asked(&stage);
    let newest = again.iter().max().expect("the rest is asked");
    assert!(*newest < 300, "v2.{newest}.0 was looked at before");
    assert!(again.contains(&0) && again.contains(&150), "{again:?}");
}

/// A registry that goes away is no registry without entries.
#[tokio::test(flavor = "multi_thread")]
async fn a_registry_that_vanishes() {
    let text = world(&["status:500"]);
    let mut stage = Stage::set(before(&text)).await;
    stage.survey(Depth::Versions).await;
    std::fs::rename(stage.registry(), stage.folder.path().join("elsewhere")).expect("a folder");
    let survey = SurveyPlan::new(Scope::Everything, Depth::Versions, Duration::ZERO, Gate::Tags);
    let bump = BumpPlan { scope: Scope::Everything, max_age: Duration::ZERO, dry_run: false };
    for job in [Job::Survey(survey), Job::Bump(bump)] {
        let (_, outcome) = stage.run(job).await;
        let Outcome::Failed(failure) = outcome else { panic!("{outcome:?}") };
        assert_eq!(failure.kind, FailureKind::Data);
        assert_eq!(failure.causes, ["it was moved or deleted while it was read"]);
    }
}

/// A survey that asks a host nothing, because all facts are fresh, ends well while the host is given up.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_is_enough_while_a_host_is_given_up() {
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    for n in 0..60 {
        let _ = writeln!(text, "[[module]]\naddress = \"acme/m{n}/aws\"\nstored = [\"v1.0.0\"]");
    }
    let mut stage = Stage::set(&text).await;
    let plan = |numbers: std::ops::Range<u32>, max_age| {
        let addresses = numbers.map(|n| Address::parse(&format!("acme/m{n}/aws")).expect("an address"));
        SurveyPlan::new(Scope::Addresses(addresses.collect()), Depth::Versions, max_age, Gate::Tags)
    };
    let (read, _) = stage.survey_by(plan(0..3, Duration::ZERO)).await;
    let fault = Fault::new(&[Lane::Git], FaultKind::try_from("reset".to_owned()).expect("a kind"));
    stage.server.edit(|world| world.faults = vec![fault]);
    let (_, outcome) = stage.run(Job::Survey(plan(3..60, Duration::ZERO))).await;
    assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
    for _ in 0..20 {
        let (again, summary) = stage.survey_by(plan(0..3, Duration::from_hours(1))).await;
        assert_eq!((&again, summary.fresh, summary.requests), (&read, 3, 0));
    }
}
