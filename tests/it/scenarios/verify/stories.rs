//! S5, S7, S8 and S9: the rows that they lead to, and what the command tells of them.

use bumpdesk::surface::jobs::{Job, JobEvent, VerifyPlan};
use bumpdesk::surface::rules::{Depth, Status};
use bytes::Bytes;
use demo::World;
use demo::fault::{Fault, FaultKind, Lane};

use super::{Ran, file, plan, verified};
use crate::door::{Door, WORLD};
use crate::stage::{Stage, Terms};

const S5: &str = include_str!("../../../scenarios/s5-recreated.toml");
const REUPLOADED: &str = "MISMATCH re-uploaded differ differ differ none";
const OK: &str = "OK equal same same same none";

async fn of(text: &str, words: &[&str]) -> Ran {
    let mut stage = Stage::set(text).await;
    verified(&mut stage, plan(words)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn s5_a_release_made_anew() {
    let ran = of(S5, &["coralogix/coralogix"]).await;
    let lines = ran.of("coralogix/coralogix");
    assert_eq!(lines.iter().filter(|line| *line == REUPLOADED).count(), 13, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| *line == OK).count(), 13, "{lines:?}");
    for row in ran.rows.iter().filter(|row| row.version == "3.14.1") {
        let newer = "uploaded 2 h 20 min after it was indexed";
        assert_eq!(row.newer_by().as_deref(), Some(newer));
        let reading = row.reading().expect("a reading");
        assert!(reading.contains("re-uploaded") && reading.ends_with(newer), "{reading}");
        assert_eq!(row.steps(), ["ask the author to release a new version"]);
    }
}

/// The command's block of one row, and its exit.
#[tokio::test(flavor = "multi_thread")]
async fn s5_as_the_command_tells_it() {
    let door = Door::on(S5).await;
    let said = door.said("verify coralogix/coralogix@3.14.1 --targets linux_amd64,darwin_arm64").await;
    said.is(
        1,
        &[
            "⊗ MISMATCH  coralogix/coralogix",
            "  2 targets  ",
            "  re-uploaded",
            "    targets           darwin_arm64, linux_amd64",
            "    indexed           2026-11-01 09:15:00Z",
            "    uploaded          2026-11-01 11:35:00Z, 2 h 20 min later",
            "indexed versions are immutable, so this is not rebuilt; uploaded 2 h 20 min after it was indexed",
            "    you can           ask the author to release a new version",
            "2 targets: 2 MISMATCH; ",
            "targets of a version with the same result are told as one; --each tells each",
            "bumpdesk: the report is in ",
            "bumpdesk: next: ask the author to release a new version (2 targets)",
        ],
    );
    let each = "verify coralogix/coralogix@3.14.1 --targets linux_amd64,darwin_arm64 --each";
    let said = door.said(each).await;
    said.is(1, &["    stored shasum     ", "    GitHub's digest   ", "    h1 stored         h1:"]);
    let rows = door.said("verify coralogix/coralogix@3.14.1 --targets linux_amd64,darwin_arm64 --json").await;
    let rows = rows.objects();
    assert_eq!(rows.iter().filter(|object| object["type"] == "target").count(), 2, "JSON keeps its rows");
    let objects = door.said("verify coralogix/coralogix@v3.14.2 --json --plain").await;
    objects.is(0, &[]);
    let objects = objects.objects();
    assert_eq!(objects.iter().filter(|object| object["type"] == "target").count(), 13);
    let first = &objects[0];
    assert_eq!((&first["v"], &first["state"], &first["case"]), (&1.into(), &"ok".into(), &"equal".into()));
    assert_eq!(first["answers"]["zh_zip"], "same");
    let tally = &objects.last().expect("an outcome")["tally"];
    assert_eq!((&tally["ok"], &tally["streamed"], &tally["spooled"]), (&13.into(), &13.into(), &0.into()));
    door.said("verify coralogix/coralogix --targets linux_amd64 --stop-at-bad --jobs 1").await.is(
        1,
        &[
            "1 MISMATCH",
            "stopped at the first bad target, as asked: 1 target was not reached",
            "next: verify it again: ",
        ],
    );
    door.said("verify --filter ns:coralogix --targets plan9_mips")
        .await
        .is(2, &["no version has a target plan9_mips"]);
    door.said("verify --filter ns:nobody").await.is(2, &["no provider matches `ns:nobody`"]);
    door.is_untouched();
}

/// A verification that could not read tags has gaps, as a survey has; the next one asks for them, and downloads nothing again.
#[tokio::test(flavor = "multi_thread")]
async fn tags_that_could_not_be_read_are_gaps() {
    let door = Door::on(WORLD).await;
    let fault = Fault::new(&[Lane::Git], FaultKind::try_from("status:500".to_owned()).expect("a kind"));
    door.server.edit(|world| world.faults = vec![fault]);
    let said = door.said("verify acme/quiet").await;
    let gaps = "1 of 1 not checked in full (1 whose tag was not read)";
    said.is(
        5,
        &["1 target: 1 OK", "the tag v1.0.0 could not be read: ", "next: run the same command again: ", gaps],
    );
    let json = door.said("verify acme/quiet --json").await;
    json.is(5, &[]);
    let outcome = json.objects().pop().expect("an outcome");
    assert_eq!(outcome["summary"]["tag_unread"], 1, "{outcome}");
    door.said("jobs").await.is(0, &["DONE, GAPS", gaps]);
    door.server.edit(|world| world.faults.clear());
    door.server.forget();
    door.said("verify acme/quiet").await.is(0, &["1 target: 1 OK", "reused from an earlier run: 1 archive"]);
    let asked = door.server.exchanges();
    assert!(!asked.iter().any(|one| one.target.contains(".zip")), "the archive is not asked for again");
    door.said("verify acme/quiet").await.is(0, &["1 target: 1 OK"]);
}

/// What was hashed tells the cases of DRIFT apart, in the list at once and after the next survey.
#[tokio::test(flavor = "multi_thread")]
async fn a_drift_tells_its_case_once_its_zips_were_hashed() {
    let mut stage = Stage::set(S5).await;
    let address = "coralogix/coralogix";
    let before = stage.survey(Depth::Sums).await[address].clone();
    assert_eq!(before.status, Status::Drifted);
    assert!(!before.because.text.contains("re-uploaded"), "{}", before.because.text);
    let (events, _) = stage.run(Job::Verify(plan(&[address]))).await;
    let judged = events.iter().find_map(|event| match event {
        JobEvent::Judged(batch) => Some(batch.clone()),
        _ => None,
    });
    let after = stage.survey(Depth::Sums).await[address].clone();
    for verdict in [judged.expect("a verdict")[0].verdict.clone(), after] {
        assert_eq!(verdict.status, Status::Drifted);
        assert!(
            verdict.because.text.contains("re-uploaded: zips and SHA256SUMS agree"),
            "{}",
            verdict.because.text
        );
    }
}

/// S7: an old version with new bytes, beside one that is gone.
#[tokio::test(flavor = "multi_thread")]
async fn s7_an_old_version_beside_one_that_is_gone() {
    let text = super::super::scene::before(include_str!("../../../scenarios/s7-deleted-tag.toml"));
    let ran = of(text, &["coder/coder@3.0.0", "coder/coder@2.18.0-pre0"]).await;
    for row in &ran.rows {
        let wanted = if row.version == "3.0.0" { "MISSING unknown gone gone gone none" } else { REUPLOADED };
        assert_eq!(super::line(row), wanted, "{} {}", row.version, row.target);
    }
    assert!(ran.rows.iter().filter(|row| row.version == "2.18.0-pre0").count() > 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn s8_indexed_half_way() {
    for (text, wanted) in [
        (include_str!("../../../scenarios/s8-half.toml"), REUPLOADED),
        (include_str!("../../../scenarios/s8-half-same.toml"), OK),
    ] {
        let ran = of(text, &["oracle/oci@6.11.0"]).await;
        assert_eq!(ran.of("oracle/oci"), [wanted]);
        let lost = &ran.rows[0].not_indexed;
        assert_eq!(lost.len(), 13);
        assert!(lost.iter().any(|it| it == "linux_arm64") && !lost.iter().any(|it| it == "linux_amd64"));
    }
}

/// What each name of a vector's checksums stands for here.
const LISTED: &str = "terraform-provider-rocket_1.2.0_linux_amd64.zip";
const LISTED_SUM: &str = "6e42b235a426c6ab149ad1b1f5ae3c0894409575c45d47698630034658cf0963";

/// Three releases with checksums that GnuPG signed: 2.2.0 with key A, the others with key B.
fn signed(keys: &[(&str, &'static [u8])]) -> World {
    let text = "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"namecheap/namecheap\"\n\
                targets = [\"linux_amd64\"]\nstored = [\"2.4.0\", \"2.3.3\", \"2.2.0\"]\n";
    let mut world = World::parse(text).expect("a world");
    let repository = world.repository_mut("namecheap", "terraform-provider-namecheap").expect("a repository");
    for release in &mut repository.releases {
        let signature: &[u8] = if &*release.tag == "v2.2.0" {
            include_bytes!("../../../vectors/openpgp/signatures/rsa4096.sig")
        } else {
            include_bytes!("../../../vectors/openpgp/signatures/ed25519.sig")
        };
        let sums = include_bytes!("../../../vectors/openpgp/sums.txt");
        file(&mut release.assets, "_SHA256SUMS").content = Some(Bytes::from_static(sums));
        file(&mut release.assets, "_SHA256SUMS.sig").content = Some(Bytes::from_static(signature));
        for asset in &mut release.assets {
            asset.digest = None;
        }
    }
    let data = world.files.get_mut("providers/n/namecheap/namecheap.json").expect("a file");
    let text = String::from_utf8(data.to_vec()).expect("UTF-8");
    let changed = text.lines().map(|line| match line.trim_start().split(':').next() {
        Some("\"filename\"") => format!("\"filename\": \"{LISTED}\",\n"),
        Some("\"shasum\"") => format!("\"shasum\": \"{LISTED_SUM}\",\n"),
        _ => format!("{line}\n"),
    });
    *data = changed.collect::<String>().into();
    for (name, key) in keys {
        world.files.insert(format!("keys/n/namecheap/{name}.asc"), Bytes::from_static(key));
    }
    world
}

const KEY_A: (&str, &[u8]) = ("a", include_bytes!("../../../vectors/openpgp/keys/rsa4096.asc"));
const KEY_B: (&str, &[u8]) = ("b", include_bytes!("../../../vectors/openpgp/keys/ed25519.asc"));

#[tokio::test(flavor = "multi_thread")]
async fn s9_keys_and_old_versions() {
    let (none, good) = ("SKIPPED unknown same - - none", "SKIPPED unknown same - - same");
    let bad = "BAD SIG unknown same - - differ";
    for (keys, wanted) in [
        (vec![], [none, none, none]),
        (vec![KEY_B], [good, good, bad]),
        (vec![KEY_A], [bad, bad, good]),
        (vec![KEY_A, KEY_B], [good, good, good]),
    ] {
        let mut stage = Stage::of(signed(&keys), Terms::default()).await;
        let quick = VerifyPlan { downloads: false, ..plan(&["namecheap/namecheap"]) };
        let ran = verified(&mut stage, quick).await;
        assert_eq!(ran.of("namecheap/namecheap"), wanted, "{} keys", keys.len());
        for row in ran.rows.iter().filter(|row| super::line(row) == bad) {
            let reading = row.reading().expect("a reading");
            assert!(reading.contains("signed by ") && reading.contains("; only "), "{reading}");
            assert_eq!(row.steps(), ["ask the author for the key that signed it"]);
        }
    }
}
