//! S1, S4, S5, S7, S8 and S10 of the stories (`tests/scenarios/stories.md`), with their variants.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use bumpdesk::surface::rules::{Class, Depth, Mode, Source};

use super::scene::{after, before, check_bytes, check_files, lines};
use crate::stage::{Stage, line};

#[tokio::test(flavor = "multi_thread")]
async fn s1_older_line_missed() {
    let mut stage = Stage::set(include_str!("../../scenarios/s1-old-line.toml")).await;
    let verdicts = stage.steady(Depth::Versions).await;
    let verdict = &verdicts["cloudposse/utils"];
    assert_eq!(line(verdict), "missed-old-line 1.33.0=missed-old-line 1.32.0=missed-old-line");
    assert!(verdict.because.text.contains("below the highest indexed 2.1.0"), "{:?}", verdict.because);
    assert_eq!(verdict.versions.iter().map(|state| state.targets).collect::<Vec<_>>(), [Some(11), Some(11)]);

    let before = stage.file("cloudposse/utils");
    let opened = stage.rebuild("cloudposse/utils", Mode::Add).await;
    let proposal = opened.proposal.as_ref().expect("a proposal");
    assert_eq!(proposal.diff.class, Class::Additive);
    assert_eq!(proposal.findings, []);
    let text = String::from_utf8(proposal.bytes.clone()).expect("UTF-8");
    let versions: Vec<&str> =
        text.lines().filter_map(|line| line.trim().strip_prefix("\"version\": ")).collect();
    assert_eq!(
        versions,
        ["\"2.1.0\",", "\"2.0.0\",", "\"1.33.0\",", "\"1.32.0\",", "\"1.31.0\",", "\"1.30.0\","]
    );
    // Taking the two versions out again leaves every other byte as it was.
    let start = text.find("    {\n      \"version\": \"1.33.0\"").expect("the first");
    let end = text.find("    {\n      \"version\": \"1.31.0\"").expect("the next");
    assert_eq!(format!("{}{}", &text[..start], &text[end..]), before);

    assert_eq!(stage.bump().await, ["providers/c/cloudposse/utils.json"]);
    assert_eq!(stage.file("cloudposse/utils"), text);
    stage.restart();
    assert_eq!(line(&stage.survey(Depth::Versions).await["cloudposse/utils"]), "current");
}

#[tokio::test(flavor = "multi_thread")]
async fn s1_mismatch_refuses_one_version() {
    let text = include_str!("../../scenarios/s1-mismatch.toml");
    let mut stage = Stage::set(before(text)).await;
    // A survey with a token sees this through GitHub's digests.
    let verdicts = stage.steady(Depth::Versions).await;
    assert_eq!(lines(&verdicts)["cloudposse/utils"], "stranded 1.33.0=stranded 1.32.0=missed-old-line");
    let opened = stage.rebuild("cloudposse/utils", Mode::Add).await;
    let findings = &opened.proposal.as_ref().expect("a proposal").findings;
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!((&*findings[0].rule, findings[0].version.as_deref()), ("archive-mismatch", Some("1.33.0")));
    assert!(
        findings[0].text.starts_with("left out: linux_amd64: the zip's SHA-256 is "),
        "{}",
        findings[0].text
    );
    check_bytes(&mut stage, text, verdicts.keys()).await;
    assert_eq!(lines(&stage.survey(Depth::Versions).await)["cloudposse/utils"], "stranded 1.33.0=stranded");
}

#[tokio::test(flavor = "multi_thread")]
async fn s4_fixed_upstream_and_still_waiting() {
    let text = include_str!("../../scenarios/s4-retry-wait.toml");
    let mut stage = Stage::set(before(text)).await;
    let verdict = &stage.steady(Depth::Versions).await["auth0/auth0"];
    assert_eq!(line(verdict), "retry-wait 1.58.0=retry-wait");
    assert_eq!(
        verdict.because.text,
        "1.58.0: complete since 2026-11-21 05:00Z; last tried on 2026-11-20 12:00Z; \
         8 failed tries; next try 2026-11-23 04:00Z"
    );
    assert_eq!(verdict.because.source, Source::Sums);
    let version = &verdict.versions[0];
    assert_eq!((version.targets, version.attempts), (Some(13), 8));
    assert_eq!(version.next_try.map(|at| at.to_string()).as_deref(), Some("2026-11-23T04:00:00Z"));

    let old = stage.file("auth0/auth0");
    let opened = stage.rebuild("auth0/auth0", Mode::Add).await;
    let proposal = opened.proposal.as_ref().expect("a proposal");
    assert_eq!(
        (proposal.diff.class, String::from_utf8_lossy(&proposal.bytes).as_ref()),
        (Class::Noop, &*old)
    );
    assert_eq!(proposal.findings.iter().map(|finding| &*finding.rule).collect::<Vec<_>>(), ["backing-off"]);
    assert_eq!(stage.bump().await, [""; 0]);

    // A minute before the wait is over nothing happens; at its end the version comes and its records go.
    stage.pass(Duration::from_mins(40 * 60 - 1));
    assert_eq!(stage.bump().await, [""; 0]);
    assert_eq!(stage.file("auth0/auth0"), old);
    stage.pass(Duration::from_mins(1));
    assert_eq!(lines(&stage.steady(Depth::Versions).await)["auth0/auth0"], "behind 1.58.0=behind");
    assert_eq!(stage.bump().await, ["providers/a/auth0/auth0.json"]);
    check_files(&stage, &after(text));
    stage.restart();
    assert_eq!(lines(&stage.survey(Depth::Versions).await)["auth0/auth0"], "current");
}

#[tokio::test(flavor = "multi_thread")]
async fn s4_sums_still_absent() {
    let text = include_str!("../../scenarios/s4-still-absent.toml");
    let mut stage = Stage::set(text).await;
    let verdict = &stage.steady(Depth::Versions).await["auth0/auth0"];
    assert_eq!(line(verdict), "stranded 1.58.0=stranded");
    assert_eq!(
        verdict.because.text,
        "1.58.0: the release has no SHA256SUMS (expected terraform-provider-auth0_1.58.0_SHA256SUMS)"
    );
    assert_eq!((verdict.missing, verdict.versions[0].attempts), (Some(0), 8));
    assert_eq!(stage.bump().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn s5_release_made_anew() {
    let text = include_str!("../../scenarios/s5-recreated.toml");
    let mut stage = Stage::set(text).await;
    // At depth `versions` nothing is claimed about checksums.
    let verdict = &stage.steady(Depth::Versions).await["coralogix/coralogix"];
    assert_eq!((line(verdict).as_str(), verdict.word().as_str()), ("current", "OK (versions)"));
    let verdicts = stage.steady(Depth::Sums).await;
    let verdict = &verdicts["coralogix/coralogix"];
    assert_eq!(line(verdict), "drifted 3.14.1=drifted; not-hashed");
    assert_eq!(
        verdict.because.text,
        "3.14.1: uploaded 2 h 20 min after it was indexed; \
         13 of 13 stored checksums differ from upstream"
    );
    assert_eq!((verdict.depth, verdict.because.source), (Some(Depth::Sums), Source::Sums));
    check_bytes(&mut stage, text, verdicts.keys()).await;
}

/// What upstream has put back is no drift at the next survey, whatever was said of it before.
#[tokio::test(flavor = "multi_thread")]
async fn a_drift_that_is_put_right_upstream_goes_away() {
    let text = "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/rocket\"\n\
                targets = [\"linux_amd64\"]\nstored = [{ version = \"1.0.0\", published = \"-90d\" }]\n";
    let mut stage = Stage::set(text).await;
    let put = |stage: &Stage, change: &dyn Fn(&[u8]) -> Vec<u8>| {
        stage.server.edit(|world| {
            let repository = world.repository_mut("acme", "terraform-provider-rocket").expect("a repository");
            let assets = &mut repository.release_mut("v1.0.0").expect("a release").assets;
            let sums = assets.iter_mut().find(|asset| asset.name.ends_with("_SHA256SUMS")).expect("sums");
            let new = change(sums.content.as_deref().expect("a text"));
            sums.size = new.len() as u64;
            sums.digest = None;
            sums.content = Some(new.into());
        });
    };
    let good = std::cell::RefCell::new(Vec::new());
    put(&stage, &|old| {
        *good.borrow_mut() = old.to_vec();
        [&b"0".repeat(64)[..], &old[64..]].concat()
    });
    let verdict = stage.survey(Depth::Sums).await.remove("acme/rocket").expect("a verdict");
    assert_eq!(line(&verdict), "drifted 1.0.0=drifted; not-hashed");
    put(&stage, &|_| good.borrow().clone());
    let fresh = Duration::from_mins(15);
    stage.pass(Duration::from_mins(20));
    let (mut verdicts, _) = stage.survey_aged(Depth::Sums, fresh).await;
    let verdict = verdicts.remove("acme/rocket").expect("a verdict");
    assert_eq!((line(&verdict).as_str(), verdict.depth), ("current", Some(Depth::Sums)));
}

#[tokio::test(flavor = "multi_thread")]
async fn s7_deleted_tag_and_unrelated_drift() {
    let text = include_str!("../../scenarios/s7-deleted-tag.toml");
    let mut stage = Stage::set(before(text)).await;
    let verdicts = stage.steady(Depth::Sums).await;
    let verdict = &verdicts["coder/coder"];
    assert_eq!(
        line(verdict),
        "gone-upstream 3.0.0=gone-upstream 2.18.0-pre0=drifted 2.13.0=missed-old-line \
         2.0.1=missed-old-line; drifted not-hashed"
    );
    assert_eq!(verdict.because.text, "3.0.0: indexed, but its tag is gone upstream");
    assert_eq!(verdict.because.source, Source::Tags);
    let drift = verdict.versions.iter().find(|state| state.version == "2.18.0-pre0").expect("it");
    assert!(drift.reason.starts_with("13 of 13 stored checksums differ"), "{}", drift.reason);
    check_bytes(&mut stage, text, verdicts.keys()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn s8_indexed_half_way() {
    let text = include_str!("../../scenarios/s8-half.toml");
    let mut stage = Stage::set(text).await;
    let verdicts = stage.steady(Depth::Sums).await;
    let verdict = &verdicts["oracle/oci"];
    assert_eq!(line(verdict), "drifted 6.11.0=drifted; not-hashed");
    assert_eq!(
        verdict.because.text,
        "6.11.0: uploaded 20 min after it was indexed; 1 of 1 stored checksums differ from upstream; \
         partial: 1 of 14 targets, 13 platforms lost since 6.10.0"
    );
    check_bytes(&mut stage, text, verdicts.keys()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn s8_indexed_half_way_with_the_same_hash() {
    let text = include_str!("../../scenarios/s8-half-same.toml");
    let mut stage = Stage::set(text).await;
    let verdicts = stage.steady(Depth::Sums).await;
    let verdict = &verdicts["oracle/oci"];
    assert_eq!(line(verdict), "partial 6.11.0=partial");
    assert_eq!(verdict.because.text, "6.11.0: indexed with 1 of 14 targets, 13 platforms lost since 6.10.0");
    check_bytes(&mut stage, text, verdicts.keys()).await;
}

/// A hundred providers: forty with a new release, one with an older one, five throttled on feed and tags.
fn s10_world() -> String {
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    for n in 0..100 {
        let _ = writeln!(
            text,
            "[[provider]]\naddress = \"acme/p{n:02}\"\ntargets = [\"linux_amd64\"]\n\
             stored = [{{ version = \"1.0.0\", published = \"-90d\" }}]"
        );
        let published = match n {
            0..40 => format!("-{}m", 40 + 17 * n),
            40 => "-3d".to_owned(),
            41..45 => "-2d".to_owned(),
            _ => continue,
        };
        let _ = writeln!(text, "releases = [{{ tag = \"v1.1.0\", published = \"{published}\" }}]");
    }
    let names: Vec<String> = (41..46).map(|n| format!("\"acme/terraform-provider-p{n}\"")).collect();
    let _ = writeln!(
        text,
        "[[fault]]\non = [\"feed\", \"git\"]\nrepository = [{}]\nkind = \"status:429\"\nretry_after = 60\nuntil = \"+60s\"",
        names.join(", ")
    );
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn s10_throttled_feed_and_tags() {
    stamped!(crate::COMMANDS);
    let mut stage = Stage::set(&s10_world()).await;
    let check = |verdicts: &BTreeMap<&str, String>, throttled: [&str; 5]| {
        for (n, (address, line)) in verdicts.iter().enumerate() {
            let wanted = match n {
                0..=40 => "behind 1.1.0=behind",
                41..46 => throttled[n - 41],
                _ => "current",
            };
            assert_eq!(line, wanted, "{address}");
        }
    };
    let verdicts = stage.steady(Depth::Versions).await;
    check(&lines(&verdicts), ["unknown"; 5]);
    let because = &verdicts["acme/p43"].because;
    assert_eq!(because.text, "the tags could not be read: throttled until 2026-11-21 12:01:00Z");
    assert_eq!((because.source, verdicts["acme/p43"].checked_at), (Source::Tags, None));

    // They are not asked again before the time that they said, not even by a bump, which leaves them alone.
    stage.server.forget();
    stage.pass(Duration::from_secs(59));
    let fresh = Duration::from_mins(15);
    check(&lines(&stage.survey_aged(Depth::Versions, fresh).await.0), ["unknown"; 5]);
    assert_eq!(stage.server.counts().faults, 0);
    let untouched = stage.file("acme/p41");
    assert_eq!(stage.bump().await.len(), 41);
    assert_eq!(stage.file("acme/p41"), untouched);

    stage.pass(Duration::from_secs(1));
    let verdicts = stage.steady(Depth::Versions).await;
    let behind = "behind 1.1.0=behind";
    let told = lines(&verdicts);
    let shown: Vec<&str> = (41..46).map(|n| told[format!("acme/p{n}").as_str()].as_str()).collect();
    assert_eq!(shown, [behind, behind, behind, behind, "current"]);
    assert_eq!(told["acme/p00"], "current", "the bump has added it");
}
