//! Signed releases and their zips in one run: all four answers at once, in a world of one provider and in that of
//! `bumpdesk demo`.

use bumpdesk::surface::jobs::Outcome;
use bumpdesk::surface::rules::verify::{Answer, SignatureSays, Zip};
use demo::worlds::NEWCOMER;

use super::super::keys::{A_EXPIRED, B, s9};
use super::{line, plan, verified};
use crate::stage::Stage;

const GOOD: &str = "OK equal same same same same";

/// One key signs, the other is on file for one version less.
const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
key = [{ name = "acme", on_file = ["acme"] }, { name = "other" }]

[[provider]]
address = "acme/rocket"
signed_by = "acme"
targets = ["linux_amd64", "windows_amd64"]
stored = ["1.1.0", { version = "1.0.0", signed_by = "other" }]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn zip_h1_sums_and_signature_are_good_in_one_run() {
    let mut stage = Stage::set(WORLD).await;
    let ran = verified(&mut stage, plan(&["acme/rocket@1.1.0"])).await;
    assert_eq!(ran.of("acme/rocket"), [GOOD, GOOD]);
    for row in &ran.rows {
        let answers = row.answers();
        let all = [answers.zh_sums, answers.zh_zip, answers.h1, answers.signature];
        assert_eq!(all, [Answer::Same; 4]);
        assert_eq!([answers.size, answers.digest], [Answer::Same; 2]);
        assert!(matches!(&row.zip, Zip::Hashed(_)), "{:?}", row.zip);
        let SignatureSays::Good { by, file, warnings } = &row.signature else {
            panic!("{:?}", row.signature)
        };
        assert!(by.len() == 16 && warnings.is_empty(), "{by} {warnings:?}");
        assert_eq!(file, "keys/a/acme/provider-1577836800.asc");
    }
    let Outcome::Done(summary) = &ran.outcome else { panic!("{:?}", ran.outcome) };
    assert_eq!((summary.entries, summary.findings, summary.failed), (2, 0, 0));

    // The zips are as good as they were, and nobody on file signed for them.
    let ran = verified(&mut stage, plan(&["acme/rocket@1.0.0"])).await;
    assert_eq!(ran.of("acme/rocket"), ["BAD SIG equal same same same differ"; 2]);
    let reading = ran.rows[0].reading().expect("a reading");
    assert!(reading.contains("signed by ") && reading.contains("; only "), "{reading}");
}

/// Address, how many targets, and how each of them ends.
const DEMO: [(&str, usize, &str); 6] = [
    ("fernhollow/gristmill@1.24.0", 11, GOOD),
    ("brambleworks/ropewalk@1.0.3", 5, "BAD SIG equal same same same differ"),
    ("brambleworks/ropewalk@1.0.1", 5, GOOD),
    ("kestrel-yard/jesses@0.31.0", 11, GOOD),
    ("pebblecreek/plumbline@1.2.0", 11, "OK equal same same same none"),
    ("emberlight/bellows@3.14.1", 11, "MISMATCH re-uploaded differ differ differ same"),
];

/// What a newcomer sees: good signatures, another key, an expired one and none at all, beside good and other zips.
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_has_every_kind_of_signature() {
    let mut stage = Stage::set(NEWCOMER).await;
    for (wanted, targets, ends) in DEMO {
        let ran = verified(&mut stage, plan(&[wanted])).await;
        let lines: Vec<String> = ran.rows.iter().map(|row| line(row)).collect();
        assert_eq!(lines, vec![ends.to_owned(); targets], "{wanted}");
        for row in &ran.rows {
            let has_expired = match &row.signature {
                SignatureSays::Good { warnings, .. } => warnings.iter().any(|one| one.contains("expired")),
                _ => false,
            };
            assert_eq!(has_expired, wanted.starts_with("kestrel-yard/"), "{wanted}: {:?}", row.signature);
        }
    }
}

/// S9: the key of the oldest version has expired and still verifies it. All is read, nothing is alarming, and it is shown.
#[tokio::test(flavor = "multi_thread")]
async fn s9_an_expired_key_still_verifies_what_it_signed() {
    let mut stage = Stage::set(&s9(&[("a", A_EXPIRED), ("b", B)])).await;
    let ran = verified(&mut stage, plan(&["namecheap/namecheap"])).await;
    assert_eq!(ran.of("namecheap/namecheap"), [GOOD; 6]);
    for row in &ran.rows {
        assert!(matches!(&row.zip, Zip::Hashed(_)), "{:?}", row.zip);
        let SignatureSays::Good { by, file, warnings } = &row.signature else {
            panic!("{:?}", row.signature)
        };
        if row.version == "2.2.0" {
            assert_eq!((by.as_str(), file.as_str()), ("FB643F858ADD4ECD", "keys/n/namecheap/a.asc"));
            assert_eq!(warnings[..], ["the key expired on 2025-12-31"]);
            assert_eq!(row.reading().as_deref(), Some("the key expired on 2025-12-31"));
        } else {
            assert_eq!((by.as_str(), file.as_str()), ("66113FE92198D26C", "keys/n/namecheap/b.asc"));
            assert_eq!((&warnings[..], row.reading()), (&[][..], None));
        }
        assert!(row.steps().is_empty(), "{:?}", row.steps());
    }
    let Outcome::Done(summary) = &ran.outcome else { panic!("{:?}", ran.outcome) };
    assert_eq!((summary.entries, summary.findings, summary.failed), (6, 0, 0));
}

/// S5 by somebody who holds the key: made anew, and signed anew by a key on file. The good signature excuses nothing.
#[tokio::test(flavor = "multi_thread")]
async fn s5_signed_anew() {
    let world = r#"
clock = "2026-11-21T12:00:00Z"
key = [{ name = "acme", on_file = ["acme"] }]

[[provider]]
address = "acme/rocket"
signed_by = "acme"
targets = ["linux_amd64", "windows_amd64"]
stored = [{ version = "1.0.0", published = "2026-11-01T09:00:00Z", discovered = "2026-11-01T09:15:00Z" }]
releases = [{ tag = "v1.0.0", assets_updated = "2026-11-01T11:35:00Z", content_seed = 2 }]
"#;
    let mut stage = Stage::set(world).await;
    let ran = verified(&mut stage, plan(&["acme/rocket"])).await;
    assert_eq!(ran.of("acme/rocket"), ["MISMATCH re-uploaded differ differ differ same"; 2]);
    for row in &ran.rows {
        assert!(matches!(&row.signature, SignatureSays::Good { warnings, .. } if warnings.is_empty()));
        assert_eq!(row.steps(), ["ask the author to release a new version"]);
        let reading = row.reading().expect("a reading");
        assert!(reading.contains("was re-uploaded") && !reading.contains("signature"), "{reading}");
    }
    let Outcome::Done(summary) = &ran.outcome else { panic!("{:?}", ran.outcome) };
    assert_eq!((summary.findings, summary.failed), (2, 0));
}

/// A key may be on file for one provider of a namespace alone: it speaks for that one, and for no other.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_one_provider_speaks_for_it_alone() {
    let world = r#"
clock = "2026-11-21T12:00:00Z"
key = [{ name = "rocket", on_file = ["acme/rocket"] }, { name = "acme", on_file = ["acme"] }]

[[provider]]
address = "acme/rocket"
signed_by = "rocket"
targets = ["linux_amd64"]
stored = ["1.0.0"]

[[provider]]
address = "acme/other"
signed_by = "rocket"
targets = ["linux_amd64"]
stored = ["1.0.0"]
"#;
    let mut stage = Stage::set(world).await;
    let ran = verified(&mut stage, plan(&["acme/rocket", "acme/other"])).await;
    assert_eq!(ran.of("acme/rocket"), [GOOD]);
    assert_eq!(ran.of("acme/other"), ["BAD SIG equal same same same differ"]);
    let SignatureSays::Good { file, .. } = &ran.row("acme/rocket").signature else { panic!("not good") };
    assert_eq!(file, "keys/a/acme/rocket/provider-1577836800.asc");
    let SignatureSays::OtherKey { signed_by, on_file } = &ran.row("acme/other").signature else {
        panic!("{:?}", ran.row("acme/other").signature)
    };
    assert!(signed_by.len() == 1 && on_file.len() == 1 && signed_by != on_file, "{signed_by:?} {on_file:?}");
}

/// A file that is re-uploaded has another id at GitHub, even with the same name, so that the row can be told apart.
#[tokio::test(flavor = "multi_thread")]
async fn an_asset_has_githubs_own_id() {
    let mut stage = Stage::set(WORLD).await;
    let row = async |stage: &mut Stage| verified(stage, plan(&["acme/rocket@1.1.0"])).await.rows[0].clone();
    let id = async |stage: &mut Stage| row(stage).await.asset.as_ref().expect("an asset").id.clone();
    let before = row(&mut stage).await;
    let assets = |stage: &Stage| {
        stage.server.look(|world| {
            let repository = &world.repositories["acme/terraform-provider-rocket"];
            let asset = repository.release("v1.1.0").expect("a release").asset(&before.filename);
            asset.expect("an asset").id
        })
    };
    assert_eq!(id(&mut stage).await, Some(format!("RA_kgDO{:012x}", assets(&stage))));
    let first = before.asset.as_ref().expect("an asset").id.clone();
    stage.server.edit(|world| {
        let repository = world.repository_mut("acme", "terraform-provider-rocket").expect("a repository");
        for asset in &mut repository.release_mut("v1.1.0").expect("a release").assets {
            asset.id += 1;
        }
    });
    let second = id(&mut stage).await;
    assert_eq!(second, Some(format!("RA_kgDO{:012x}", assets(&stage))));
    assert_ne!(first, second);
}
