//! Sources that fail: what cannot be read is unknown, costs only what it tells, and is never written about.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use bumpdesk::surface::demo::World;
use bumpdesk::surface::demo::fault::{Fault, FaultKind, Lane};
use bumpdesk::surface::rules::{Depth, PublishedBy, Verdict};

use super::scene::{after, before, check_bytes, check_files, lines};
use crate::stage::Stage;

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
    all_are(&verdicts, "behind 1.1.0=behind; feed-unread", "behind v1.1.0=behind; feed-unread");
    check_bytes(&mut stage, &text, verdicts.keys()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_that_are_repeated_first() {
    let text = world(&TRANSIENT);
    let mut stage = Stage::set(before(&text)).await;
    plant(&stage, &[Lane::Git], &TRANSIENT);
    all_are(&stage.survey(Depth::Versions).await, "unknown", "unknown");
    // One stumble is nothing.
    plant(&stage, &[Lane::Git], &TRANSIENT);
    stage.server.edit(|world| world.faults.iter_mut().for_each(|fault| fault.times = Some(1)));
    let told = stage.survey(Depth::Versions).await;
    all_are(&told, "behind 1.1.0=behind", "behind v1.1.0=behind");
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
