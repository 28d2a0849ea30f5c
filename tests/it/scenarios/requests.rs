//! How many requests a survey spends, and where the token goes with them.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use bumpdesk::surface::rules::{Depth, Status};
use demo::fault::Lane;
use demo::wire::call::Host;

use super::scene::{before, lines};
use crate::stage::{CANARY, Stage};

const FRESH: Duration = Duration::from_mins(15);

#[tokio::test(flavor = "multi_thread")]
async fn one_request_a_module_and_two_a_provider() {
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    for n in 0..12 {
        let _ = writeln!(
            text,
            "[[provider]]\naddress = \"acme/p{n}\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]"
        );
    }
    for n in 0..30 {
        let _ = writeln!(text, "[[module]]\naddress = \"acme/m{n}/aws\"\nstored = [\"v1.1.0\", \"v1.0.0\"]");
    }
    let mut stage = Stage::set(&text).await;
    let (first, summary) = stage.survey_aged(Depth::Versions, FRESH).await;
    assert!(lines(&first).values().all(|line| line == "current"));
    let counts = stage.server.counts();
    assert_eq!((counts.of(Lane::Git), counts.of(Lane::Feed), counts.total()), (42, 12, 54));
    assert_eq!((summary.entries, summary.requests, summary.fresh, summary.not_modified), (42, 54, 0, 0));

    // Within the age nothing is asked, by the same process or the next.
    stage.server.forget();
    for _ in 0..2 {
        let (second, summary) = stage.survey_aged(Depth::Versions, FRESH).await;
        assert_eq!((summary.requests, summary.fresh, second == first), (0, 42, true));
        stage.pass(Duration::from_mins(7));
    }
    assert_eq!(stage.server.counts().total(), 0);

    // After it the feeds are asked on condition, and the tags plainly.
    stage.pass(Duration::from_mins(1));
    let (third, summary) = stage.survey_aged(Depth::Versions, FRESH).await;
    assert_eq!(lines(&third), lines(&first));
    let counts = stage.server.counts();
    assert_eq!((counts.of(Lane::Git), counts.of(Lane::Feed), counts.not_modified), (42, 12, 12));
    assert_eq!((summary.requests, summary.fresh, summary.not_modified), (54, 0, 12));
    let feeds = stage.server.exchanges();
    let mut feeds = feeds.iter().filter(|one| one.lane == Lane::Feed);
    assert!(feeds.all(|one| one.headers.contains_key("if-none-match") && one.status == 304));
    // What a 304 confirmed is as young as that.
    stage.server.forget();
    assert_eq!(stage.survey_aged(Depth::Versions, FRESH).await.1.requests, 0);
}

/// What missing versions need on top: once, and kept like the rest.
#[tokio::test(flavor = "multi_thread")]
async fn a_missing_version_is_probed_once() {
    let text = before(include_str!("../../scenarios/old-line.toml"));
    let mut stage = Stage::set(text).await;
    let (first, _) = stage.survey_aged(Depth::Versions, FRESH).await;
    let counts = stage.server.counts();
    let of = |lane| counts.of(lane);
    // The module's feed dates the missing tag; sums and manifest are a redirect and a download each.
    assert_eq!((of(Lane::Git), of(Lane::Feed), of(Lane::Asset), of(Lane::Object)), (2, 2, 2, 2));
    assert_eq!(of(Lane::Graphql) + of(Lane::Rest), 1);
    stage.server.forget();
    stage.restart();
    let (second, _) = stage.survey_aged(Depth::Versions, FRESH).await;
    assert_eq!((stage.server.counts().total(), second == first), (0, true));
}

/// Tokens go to the configured hosts and nowhere else, and lie nowhere afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn the_token_stays_where_it_belongs() {
    for text in [
        include_str!("../../scenarios/moved.toml"),
        include_str!("../../scenarios/s1-mismatch.toml"),
        include_str!("../../scenarios/s7-deleted-tag.toml"),
    ] {
        let mut stage = Stage::set(before(text)).await;
        let told = format!("{:?}", stage.steady(Depth::Sums).await);
        let written = format!("{:?}", stage.bump_telling().await);
        assert!(!told.contains(CANARY) && !written.contains(CANARY));
        let exchanges = stage.server.exchanges();
        let objects: Vec<_> = exchanges.iter().filter(|one| one.host == Host::Object).collect();
        assert!(objects.iter().any(|one| one.target.contains(".zip")), "no zip was read");
        for one in objects {
            assert!(!one.authorized() && !one.carries(CANARY), "{}", one.target);
        }
        assert!(exchanges.iter().any(|one| one.host == Host::Api && one.authorized()));
        assert!(exchanges.iter().all(|one| !one.target.contains(CANARY)));
        stage.restart();
        assert!(count_files(stage.folder.path()) > 3);
        check_folder(stage.folder.path());
    }
}

fn count_files(folder: &Path) -> usize {
    let entries = ["state", "cache", "registry"].map(|name| std::fs::read_dir(folder.join(name)));
    entries.into_iter().map(|entries| entries.expect("a folder").count()).sum()
}

/// No file below the folder holds the token, plainly or as it goes over the wire.
fn check_folder(folder: &Path) {
    use base64::Engine;
    let basic = base64::engine::general_purpose::STANDARD.encode(format!("x-access-token:{CANARY}"));
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            check_folder(&path);
            continue;
        }
        let bytes = std::fs::read(&path).expect("a file");
        for text in [CANARY, &basic] {
            let found = bytes.windows(text.len()).any(|window| window == text.as_bytes());
            assert!(!found, "`{}` holds the token", path.display());
        }
    }
}

/// The first design's estimate for its gate: about 120 API calls a round, for 3,000 providers of which some hundred have a newest
/// tag that never became a release.
#[tokio::test(flavor = "multi_thread")]
async fn stranded_tags_of_three_thousand_providers_cost_few_api_calls() {
    stamped!(crate::COMMANDS);
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    for n in 0..3_000 {
        let stranded = if n % 25 == 0 { "tags = [\"v1.1.0\"]" } else { "" };
        let _ = writeln!(
            text,
            "[[provider]]\naddress = \"acme/p{n}\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n{stranded}"
        );
    }
    let mut stage = Stage::set(&text).await;
    let verdicts = stage.survey(Depth::Versions).await;
    let stranded = verdicts.values().filter(|verdict| verdict.status == Status::Stranded).count();
    assert_eq!((verdicts.len(), stranded), (3_000, 120));
    let counts = stage.server.counts();
    let calls = counts.of(Lane::Rest) + counts.of(Lane::Graphql);
    eprintln!("120 stranded tags among 3,000 providers: {calls} API calls");
    assert!(calls > 0 && calls <= 120, "{calls} API calls");
    assert!(counts.of(Lane::Asset) <= 2 * 120, "two names of the sums for each stranded tag");
}
