//! The other rebuilds, the feed gate, the formats before the newer fields, and a survey without a token.

use std::time::Duration;

use bumpdesk::surface::jobs::{Gate, Scope, SurveyPlan};
use bumpdesk::surface::rules::{Class, Depth, Mode};
use bumpdesk::surface::settings::Features;
use demo::fault::Lane;

use super::scene::{after, before, check_bytes, lines, same};
use crate::stage::{Stage, Terms};

/// The rebuild of one entry: class, rules of its findings, bytes.
async fn rebuilt(stage: &mut Stage, address: &str, mode: Mode) -> (Class, Vec<String>, String) {
    let opened = stage.rebuild(address, mode).await;
    let proposal = opened.proposal.as_ref().expect("a proposal");
    let rules = proposal.findings.iter().map(|finding| finding.rule.to_string()).collect();
    (proposal.diff.class, rules, String::from_utf8(proposal.bytes.clone()).expect("UTF-8"))
}

#[tokio::test(flavor = "multi_thread")]
async fn refresh_builds_the_named_versions_again() {
    let text = include_str!("../../scenarios/refresh.toml");
    let mut stage = Stage::set(before(text)).await;
    let old = stage.file("acme/rocket");
    let wanted = &after(text)["providers/a/acme/rocket.json"];
    let (class, rules, bytes) =
        rebuilt(&mut stage, "acme/rocket", Mode::Refresh(vec!["v1.1.0".into()])).await;
    assert_eq!((class, rules), (Class::Mutates, vec![]));
    same(&bytes, wanted, "refreshed");

    for (version, rules) in [
        ("1.0.0", ["no-tag", "nothing-to-build"]),
        ("1.3.0", ["not-indexed", "nothing-to-build"]),
        ("9.9.9", ["not-indexed", "nothing-to-build"]),
    ] {
        let told = rebuilt(&mut stage, "acme/rocket", Mode::Refresh(vec![version.into()])).await;
        assert_eq!(told, (Class::Noop, rules.map(str::to_owned).into(), old.clone()), "{version}");
    }
    // One that cannot be built again stays as it is, beside one that can.
    let both = Mode::Refresh(vec!["1.1.0".into(), "1.0.0".into()]);
    let (_, rules, bytes) = rebuilt(&mut stage, "acme/rocket", both).await;
    assert_eq!(rules, ["no-tag"]);
    same(&bytes, wanted, "refreshed beside one that is gone");
    // A version whose zip is broken is not dropped for it.
    let told = rebuilt(&mut stage, "acme/rocket", Mode::Refresh(vec!["1.2.0".into()])).await;
    assert_eq!(told, (Class::Noop, vec!["archive-mismatch".to_owned()], old));
}

#[tokio::test(flavor = "multi_thread")]
async fn scratch_takes_what_is_released() {
    let text = include_str!("../../scenarios/scratch.toml");
    let mut stage = Stage::set(before(text)).await;
    let path = stage.registry().join("providers/a/acme/rocket.json");
    // The fields beside the versions, which no scenario writes.
    let with_more = |text: &str| text.replacen("{\n", "{\n  \"repository\": \"https://example.com/r\",\n", 1);
    std::fs::write(&path, with_more(&stage.file("acme/rocket"))).expect("the file");
    let (class, rules, bytes) = rebuilt(&mut stage, "acme/rocket", Mode::Scratch).await;
    assert_eq!((class, rules), (Class::Removes, vec!["not-complete".to_owned()]));
    same(&bytes, &with_more(&after(text)["providers/a/acme/rocket.json"]), "from scratch");

    // Where the releases cannot be read, nothing is dropped.
    stage.server.edit(|world| {
        let html = demo::fault::FaultKind::Html;
        world.faults = vec![demo::fault::Fault::new(&[Lane::Rest, Lane::Graphql], html)];
    });
    let old = stage.file("acme/rocket");
    let (class, rules, bytes) = rebuilt(&mut stage, "acme/rocket", Mode::Scratch).await;
    assert_eq!((class, bytes), (Class::Noop, old));
    assert!(rules.iter().any(|rule| rule == "version-unread"), "{rules:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_gate_spends_one_request_on_a_current_provider() {
    let text = include_str!("../../scenarios/gate.toml");
    let mut stage = Stage::set(before(text)).await;
    let plan = SurveyPlan::new(Scope::Everything, Depth::Versions, Duration::ZERO, Gate::Feed);
    let (verdicts, _) = stage.survey_by(plan.clone()).await;
    assert_eq!(lines(&verdicts)["acme/behind"], "behind 1.1.0=behind");
    // What it cannot see, and says so: an older line that is not the newest entry.
    for name in ["acme/current", "acme/old-line"] {
        assert_eq!(lines(&verdicts)[name], "current; gate-feed");
        assert_eq!((verdicts[name].word().as_str(), verdicts[name].depth), ("OK (feed)", Some(Depth::Feed)));
    }
    let repositories = |lane: Lane| {
        let mut names: Vec<String> = stage
            .server
            .exchanges()
            .iter()
            .filter(|one| one.lane == lane)
            .filter_map(|one| {
                one.target.split('/').nth(2).map(|name| name.trim_end_matches(".git").to_owned())
            })
            .collect();
        names.sort();
        names
    };
    let of = |names: &[&str]| names.iter().map(|name| format!("terraform-{name}")).collect::<Vec<_>>();
    assert_eq!(
        repositories(Lane::Feed),
        of(&["provider-behind", "provider-current", "provider-nofeed", "provider-old-line"])
    );
    assert_eq!(repositories(Lane::Git), of(&["aws-vpc", "provider-behind", "provider-nofeed"]));
    // A feed that fails gates nothing: the tags are asked.
    assert_eq!(lines(&verdicts)["acme/nofeed"], "behind 1.1.0=behind; feed-unread");
    assert_eq!(stage.survey_by(plan).await.0, verdicts);
    assert_eq!(
        lines(&stage.steady(Depth::Versions).await)["acme/old-line"],
        "missed-old-line 1.0.1=missed-old-line"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_newer_fields_the_older_format_is_written() {
    let text = include_str!("../../scenarios/older-format.toml");
    let terms = Terms { features: Features::none(), ..Terms::default() };
    let mut stage = Stage::set_under(before(text), terms).await;
    let verdicts = stage.steady(Depth::Versions).await;
    assert_eq!(lines(&verdicts)["acme/rocket"], "stranded 1.2.0=stranded 1.1.0=behind");
    assert_eq!(lines(&verdicts)["acme/vpc/aws"], "behind v1.1.0=behind");
    check_bytes(&mut stage, text, verdicts.keys()).await;
    let zips = stage.server.exchanges().iter().filter(|one| one.target.contains(".zip")).count();
    assert_eq!(zips, 0, "no zip is read for fields that are not written");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_token_the_verdicts_are_the_same_and_it_says_so() {
    for text in [
        include_str!("../../scenarios/s4-retry-wait.toml"),
        include_str!("../../scenarios/s7-deleted-tag.toml"),
        include_str!("../../scenarios/s8-half-same.toml"),
    ] {
        let told = Stage::set(before(text)).await.survey(Depth::Sums).await;
        let mut stage = Stage::set_without_token(before(text)).await;
        assert_eq!(lines(&stage.steady(Depth::Sums).await), lines(&told));
        let (_, summary) = stage.survey_aged(Depth::Sums, Duration::ZERO).await;
        assert!(summary.limits[0].starts_with("no token"), "{:?}", summary.limits);
        let counts = stage.server.counts();
        assert_eq!((counts.of(Lane::Graphql), counts.of(Lane::Rest)), (0, 0));
    }
}
