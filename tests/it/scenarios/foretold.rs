//! Warnings about a version before it is indexed: `show`, the diff, the plan, the gates, the text of a pull request
//! and a review contain the same sentences. Also tests versions that clients cannot tell apart.

use serde_json::Value;

use super::pull::{committed, ready, sending};
use super::review::theirs;
use crate::door::{Door, Output};

/// A provider with an indexed 1.0.0 for two platforms with protocol 6.0, and a release v1.1.0 with the given fields.
fn provider(release: &str, more: &str) -> String {
    format!(
        "clock = \"2026-11-21T12:00:00Z\"\n[user]\nlogin = \"ann\"\npush = true\n[[provider]]\naddress = \"acme/rocket\"\n\
         targets = [\"linux_amd64\", \"darwin_arm64\"]\nprotocols = [\"6.0\"]\n{more}\n\
         stored = [{{ version = \"1.0.0\", published = \"-90d\" }}]\nreleases = [{{ tag = \"v1.1.0\"{release} }}]\n"
    )
}

fn gate(output: &Output, number: u64) -> (String, String) {
    let gates = output.objects();
    let gate = gates.iter().find(|it| it["type"] == "gate" && it["number"] == number);
    let gate = gate.unwrap_or_else(|| panic!("{output}"));
    let text = |key: &str| gate[key].as_str().expect("a text").to_owned();
    (text("state"), text("evidence"))
}

/// Plans the entry, shows it and approves it.
async fn planned(door: &Door, address: &str) -> Output {
    door.said(&format!("plan add {address}")).await.is(0, &[]);
    let shown = door.said(&format!("plan show {address}")).await;
    door.said(&format!("plan approve {address}")).await.is(0, &[]);
    shown
}

async fn reviewed(door: &Door, prepared: &Value, path: &str) -> Output {
    let file = String::from_utf8(committed(prepared, path)).expect("UTF-8");
    let number = theirs(door, prepared, &[(path, &file)], &[]).await;
    door.said(&format!("review {number} --hash")).await
}

/// P9: every place that shows a proposed version shows its warnings.
#[tokio::test(flavor = "multi_thread")]
async fn p9_warnings_stand_beside_a_proposed_version() {
    stamped!(crate::COMMANDS);
    let changed = "protocols 5.0; the version before has 6.0";
    for (release, more, texts) in [
        (
            ", manifest_name = \"terraform-provider-rocket_manifest.json\"",
            "",
            &["found nearest terraform-provider-rocket_manifest.json", changed][..],
        ),
        (", manifest = \"invalid\"", "", &["the manifest cannot be read as JSON", changed]),
        (", protocols = [\"4.0\"]", "", &["the manifest names protocol `4.0`; clients speak 5.x and 6.x"]),
        (", targets = [\"linux_amd64\"]", "", &["1 platform lost since 1.0.0: darwin_arm64"]),
        (", manifest = \"empty-list\"", "", &["clients find none that they speak"]),
        (
            "",
            r#"binary = "missing""#,
            &[
                "no client can install it: provider binary not found: could not find executable file starting with terraform-provider-rocket",
            ],
        ),
        (
            "",
            r#"binary = "in-folder""#,
            &[
                "no client can install it: provider binary not found: could not find executable file starting with terraform-provider-rocket",
            ],
        ),
        (
            "",
            r#"binary = "for-linux""#,
            &[
                "darwin_arm64: the provider's binary is for Unix (ELF), amd64 and not for darwin_arm64: clients install it and cannot start it",
            ],
        ),
    ] {
        let door = Door::on(&provider(release, more)).await;
        let shown = planned(&door, "acme/rocket").await;
        shown.is(0, texts);
        door.said("diff acme/rocket").await.is(0, texts);
        door.said("bump acme/rocket --dry-run").await.is(0, texts);
        let output = ready(&door, &door.plan_name().await, "--json").await;
        let (state, evidence) = gate(&output, 8);
        // The file would contain a new error.
        let error = match release {
            _ if release.contains("4.0") => Some("clients speak only 5 and 6"),
            _ if release.contains("empty-list") => Some("it lists no protocol"),
            _ => None,
        };
        if let Some(error) = error {
            assert_eq!(state, "fail", "{evidence}");
            assert!(evidence.contains(error), "{evidence}");
            continue;
        }
        assert_eq!(state, "note", "{evidence}");
        let prepared = sending(&output);
        let body = prepared["requests"][2]["body"]["body"].as_str().expect("a text").to_owned();
        for text in texts {
            assert!(evidence.contains(text), "{evidence}");
            assert!(body.contains(&text.replace('`', "")) || body.contains(text), "{body}");
        }
        reviewed(&door, &prepared, "providers/a/acme/rocket.json").await.is(0, texts);
    }
}

/// A version that matches the one before has no warning anywhere.
#[tokio::test(flavor = "multi_thread")]
async fn p9_a_version_without_warnings_has_none() {
    let door = Door::on(&provider("", "")).await;
    planned(&door, "acme/rocket").await.is_not(&["warning", "note"]);
    let output = ready(&door, &door.plan_name().await, "--json").await;
    assert_eq!(gate(&output, 8).0, "pass");
    let body = sending(&output)["requests"][2]["body"]["body"].as_str().expect("a text").to_owned();
    assert!(!body.contains("Warnings about"), "{body}");
}

/// P4: a twin is never plainly additive, and its effect is reported everywhere before it is sent.
#[tokio::test(flavor = "multi_thread")]
async fn p4_a_twin_is_reported_everywhere() {
    let module = |stored: &str, tag: &str| {
        format!(
            "clock = \"2026-11-21T12:00:00Z\"\n[user]\nlogin = \"ann\"\npush = true\n[[module]]\n\
             address = \"acme/vpc/aws\"\nstored = [\"{stored}\"]\ntags = [{{ name = \"{tag}\", at = \"-2d\" }}]\n"
        )
    };
    for (stored, tag) in [("2.2.0", "v2.2.0"), ("v2.2.0", "2.2.0"), ("v1.0.0-rc1", "v1.0.0-RC1")] {
        let door = Door::on(&module(stored, tag)).await;
        let takes = format!("{tag} takes the place of {stored} for clients: commit ");
        let texts = [takes.as_str()];
        door.said("show acme/vpc/aws --max-age 0").await.is(0, &texts);
        let diff = door.said("diff acme/vpc/aws").await;
        diff.is(0, &["TWINS", &takes]);
        diff.is_not(&["ADDITIVE"]);
        let shown = planned(&door, "acme/vpc/aws").await;
        shown.is(0, &["TWINS", &takes]);
        shown.is_not(&["ADDITIVE"]);
        door.said("bump acme/vpc/aws --dry-run").await.is(0, &texts);
        let output = ready(&door, &door.plan_name().await, "--json").await;
        let (state, evidence) = gate(&output, 5);
        assert_eq!(state, "note", "{evidence}");
        assert!(evidence.contains(&takes), "{evidence}");
        assert_ne!(gate(&output, 8).0, "fail", "{output}");
        let prepared = sending(&output);
        let body = prepared["requests"][2]["body"]["body"].as_str().expect("a text");
        assert!(body.contains(&takes), "{body}");
        reviewed(&door, &prepared, "modules/a/acme/vpc/aws.json").await.is(0, &texts);
    }
}

/// P5: a module whose tags moved, in every command that reports it.
#[tokio::test(flavor = "multi_thread")]
async fn p5_a_moved_tag_is_reported_everywhere() {
    let world = |retagged: &str| {
        format!(
            "clock = \"2026-11-21T12:00:00Z\"\n[[module]]\naddress = \"acme/vpc/aws\"\n\
             stored = [\"v1.1.0\", \"v1.0.0\"]\nretagged = [{retagged}]\n"
        )
    };
    let moved = "v1.0.0: tag moved: commit ";
    let door = Door::on(&world("\"v1.0.0\"")).await;
    for depth in ["versions", "sums"] {
        let output = door.said(&format!("survey --depth {depth} --max-age 0")).await;
        output.is(0, &["DRIFT", moved]);
    }
    let shown = door.said("show acme/vpc/aws").await;
    shown.is(0, &["DRIFT", moved, "a tag no longer points to the commit", "ask the author about the move"]);
    shown.is_not(&["checksum error", "none differs"]);
    let output = door.said("triage acme/vpc/aws@1.0.0").await;
    output.is(0, &["DRIFT", moved, "is the tag at the recorded commit?"]);
    output.is_not(&["checksum"]);
    let output = door.said("triage acme/vpc/aws@1.1.0").await;
    output.is(0, &["the tag v1.1.0 is at the recorded commit"]);
    door.said("lint acme/vpc/aws").await.is_not(&["all-tags-moved"]);

    let door = Door::on(&world("\"v1.0.0\", \"v1.1.0\"")).await;
    // Without a survey nothing is known about upstream.
    door.said("lint acme/vpc/aws").await.is_not(&["all-tags-moved"]);
    let alarm = "all 2 tags with a recorded commit point to other commits";
    door.said("show acme/vpc/aws --max-age 0").await.is(0, &["DRIFT", alarm]);
    door.said("lint acme/vpc/aws").await.is(1, &["all-tags-moved", alarm]);

    let fine = Door::on(&world("")).await;
    let shown = fine.said("show acme/vpc/aws --max-age 0 --depth sums").await;
    shown.is(0, &["every upstream version is indexed; no tag with a recorded commit has moved"]);
    shown.is_not(&["checksums"]);
    fine.said("verify acme/vpc/aws").await.is(2, &["is a module"]);
}
