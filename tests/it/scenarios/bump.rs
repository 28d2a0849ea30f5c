//! What the bump takes, refuses, records and waits for.

use std::collections::BTreeMap;
use std::time::Duration;

use bumpdesk::surface::rules::{Depth, Mode};
use demo::World;

use super::scene::{after, before, lines, play, same};
use crate::stage::Stage;

const CLOCK: &str = "clock = \"2026-11-21T12:00:00Z\"\n";

/// The whole file, written by hand but for what follows from the zips.
#[tokio::test(flavor = "multi_thread")]
async fn the_whole_file_by_hand() {
    let text = format!(
        "{CLOCK}[[provider]]\naddress = \"acme/rocket\"\ntargets = [\"linux_amd64\"]\nprotocols = [\"5.0\", \"6.0\"]\n\
         releases = [\"v0.1.0\"]\njson = '''{{\"versions\":null,\"warnings\":[\"old\"],\"note\":1}}'''\n"
    );
    let mut stage = Stage::set(&text).await;
    assert_eq!(lines(&stage.steady(Depth::Versions).await)["acme/rocket"], "behind 0.1.0=behind");
    assert_eq!(stage.bump().await, ["providers/a/acme/rocket.json"]);
    let zip = stage.server.look(|world| {
        let repository = &world.repositories["acme/terraform-provider-rocket"];
        let release = repository.release("v0.1.0").expect("the release");
        release.asset("terraform-provider-rocket_0.1.0_linux_amd64.zip").expect("the zip").clone()
    });
    let package = demo::archive::package("acme/terraform-provider-rocket", "0.1.0", "linux_amd64", 1);
    let shasum = hex::encode(package.sha256);
    let base = "https://github.com/acme/terraform-provider-rocket/releases/download/v0.1.0/terraform-provider-rocket_0.1.0";
    let wanted = format!(
        r#"{{
  "versions": [
    {{
      "version": "0.1.0",
      "protocols": [
        "5.0",
        "6.0"
      ],
      "shasums_url": "{base}_SHA256SUMS",
      "shasums_signature_url": "{base}_SHA256SUMS.sig",
      "targets": [
        {{
          "os": "linux",
          "arch": "amd64",
          "filename": "terraform-provider-rocket_0.1.0_linux_amd64.zip",
          "download_url": "{base}_linux_amd64.zip",
          "shasum": "{shasum}",
          "h1": "{h1}",
          "size": {size}
        }}
      ],
      "discovered": "2026-11-21T12:00:00Z"
    }}
  ],
  "warnings": [
    "old"
  ],
  "note": 1
}}"#,
        h1 = package.h1,
        size = zip.size
    );
    same(&stage.file("acme/rocket"), &wanted, "acme/rocket");
}

/// The two failures that production records: written once, waited for, written again, and deleted by success.
#[tokio::test(flavor = "multi_thread")]
async fn failures_are_recorded_waited_for_and_forgotten() {
    let world = |sums: &str| {
        format!(
            "{CLOCK}[[provider]]\naddress = \"acme/rocket\"\ntargets = [\"linux_amd64\"]\nstored = [{{ version = \"1.0.0\", published = \"-90d\" }}]\n\
             releases = [{{ tag = \"v1.1.0\", published = \"-1h\", sums = \"{sums}\" }}, {{ tag = \"v1.2.0\", published = \"-1h\", sums = \"empty\" }}]\n"
        )
    };
    let mut stage = Stage::set(&world("missing")).await;
    let old = stage.file("acme/rocket");
    let applied = stage.bump_telling().await;
    assert_eq!(applied.len(), 1);
    assert_eq!(applied[0].added, [""; 0]);
    let mut recorded = applied[0].recorded.clone();
    recorded.sort();
    assert_eq!(recorded, ["1.1.0", "1.2.0"]);
    let record = |version: &str, message: &str, at: &str| {
        format!(
            "    {{\n      \"version\": \"{version}\",\n      \"message\": \"{message}\",\n      \"utc_time\": \"2026-11-21T{at}Z\"\n    }}"
        )
    };
    let (sums, zips) = ("checksums not found in release", "no artifacts in release");
    let with = |records: &[String]| {
        let head = old.strip_suffix("\n  ]\n}").expect("the end of the list");
        format!("{head}\n  ],\n  \"versions_errors\": [\n{}\n  ]\n}}", records.join(",\n"))
    };
    let once = with(&[record("1.2.0", zips, "12:00:00"), record("1.1.0", sums, "12:00:00")]);
    same(&stage.file("acme/rocket"), &once, "after the first run");
    let told = stage.steady(Depth::Versions).await;
    assert_eq!(
        lines(&told)["acme/rocket"],
        "stranded 1.2.0=stranded 1.1.0=stranded; targets-lost zip-unlisted"
    );
    assert_eq!(told["acme/rocket"].versions[0].attempts, 1);

    stage.pass(Duration::from_mins(29));
    assert_eq!(stage.bump().await, [""; 0]);
    stage.pass(Duration::from_mins(1));
    assert_eq!(stage.bump().await.len(), 1);
    let twice = with(&[
        record("1.2.0", zips, "12:00:00"),
        record("1.2.0", zips, "12:30:00"),
        record("1.1.0", sums, "12:00:00"),
        record("1.1.0", sums, "12:30:00"),
    ]);
    same(&stage.file("acme/rocket"), &twice, "after the second run");

    // Mended upstream: it waits out its hour, and its records go when it is added.
    let mended = World::parse(&world("ok")).expect("a world").repositories;
    stage.server.edit(|world| world.repositories = mended);
    stage.pass(Duration::from_mins(59));
    assert_eq!(
        lines(&stage.steady(Depth::Versions).await)["acme/rocket"],
        "retry-wait 1.2.0=stranded 1.1.0=retry-wait; stranded targets-lost zip-unlisted"
    );
    assert_eq!(stage.bump().await, [""; 0]);
    stage.pass(Duration::from_mins(1));
    let applied = stage.bump_telling().await;
    assert_eq!((&*applied[0].added, &*applied[0].recorded), (&["1.1.0".into()][..], &["1.2.0".into()][..]));
    let last = stage.file("acme/rocket");
    assert!(!last.contains(sums) && last.matches(zips).count() == 3, "{last}");
    assert!(last.contains("\"discovered\": \"2026-11-21T13:30:00Z\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn blacklisted_versions_are_left_out() {
    let text = include_str!("../../scenarios/blacklist.toml");
    let verdicts = [
        ("acme/rocket", "behind 1.2.0=behind 1.1.0=blocked"),
        ("acme/quiet", "current 1.1.0=blocked"),
        ("acme/vpc/aws", "current v1.1.0=blocked"),
        ("hashicorp/null", "current 3.2.4=blocked"),
        ("opentofu/null", "behind 3.2.4=behind"),
    ];
    let mut stage = play(text, &verdicts).await;
    let opened = stage.rebuild("acme/quiet", Mode::Add).await;
    let findings = &opened.proposal.as_ref().expect("a proposal").findings;
    assert_eq!(findings.len(), 1);
    assert_eq!(
        (&*findings[0].rule, &*findings[0].text),
        ("blacklisted", "on the blacklist: leaked a secret")
    );
    assert_eq!(stage.survey(Depth::Versions).await["acme/quiet"].missing, Some(0));
}

/// One process that bumps, surveys and bumps again, as a console does.
#[tokio::test(flavor = "multi_thread")]
async fn a_process_sees_what_it_wrote() {
    let text = include_str!("../../scenarios/old-line.toml");
    let mut stage = Stage::set(before(text)).await;
    assert_eq!(stage.bump().await.len(), 2);
    assert_eq!(stage.bump().await, [""; 0]);
    super::scene::check_files(&stage, &after(text));
    assert_eq!(lines(&stage.survey(Depth::Versions).await)["acme/rocket"], "current");
    // A pull behind the back of a process that has read the old files: the proposal goes by the file as it is now.
    let mut stage = Stage::set(before(text)).await;
    stage.survey(Depth::Versions).await;
    for (path, new) in after(text) {
        std::fs::write(stage.registry().join(path), new).expect("a file");
    }
    let opened = stage.rebuild("acme/rocket", Mode::Add).await;
    let proposal = opened.proposal.as_ref().expect("a proposal");
    assert_eq!(proposal.diff.class, bumpdesk::surface::rules::Class::Noop);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_writes_nothing() {
    use bumpdesk::surface::jobs::{BumpPlan, Job, JobEvent, Scope};
    let text = include_str!("../../scenarios/old-line.toml");
    let mut stage = Stage::set(before(text)).await;
    let old: BTreeMap<String, String> = after(before(text));
    let plan = BumpPlan { scope: Scope::Prefix("A".into()), max_age: Duration::ZERO, dry_run: true };
    let (events, _) = stage.run(Job::Bump(plan)).await;
    let applied = events.iter().filter(|event| matches!(event, JobEvent::Applied(it) if !it.written)).count();
    assert_eq!(applied, 2);
    super::scene::check_files(&stage, &old);
}
