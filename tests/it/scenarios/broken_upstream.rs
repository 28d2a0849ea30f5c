//! Releases that are broken before the registry indexes them. Every kind of broken archive is named, with a message
//! to its author. The finding of a rebuild is kept until the release changes.

use demo::World;
use demo::world::Asset;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::door::Door;

const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
[[provider]]
address = "acme/rocket"
targets = ["darwin_arm64", "linux_amd64"]
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-26h" }]
"#;
const ZIP: &str = "terraform-provider-rocket_1.1.0_linux_amd64.zip";

fn edit(door: &Door, change: impl FnOnce(&mut Vec<Asset>)) {
    door.server.edit(|world: &mut World| {
        let repository = world.repository_mut("acme", "terraform-provider-rocket").expect("a repository");
        change(&mut repository.release_mut("v1.1.0").expect("a release").assets);
    });
}

fn find<'a>(assets: &'a mut [Asset], end: &str) -> &'a mut Asset {
    assets.iter_mut().find(|asset| asset.name.ends_with(end)).expect("an asset")
}

/// Replaces the Linux archive by other bytes with a new id. `is_listed` adds their SHA-256 to SHA256SUMS.
fn replace(assets: &mut [Asset], bytes: Vec<u8>, is_listed: bool) {
    let sum: [u8; 32] = Sha256::digest(&bytes).into();
    let zip = find(assets, "linux_amd64.zip");
    (zip.size, zip.digest, zip.content) = (bytes.len() as u64, Some(sum), Some(bytes.into()));
    zip.id += 1;
    if is_listed {
        list(assets, &hex::encode(sum));
    }
}

/// Puts another SHA-256 for the Linux archive into SHA256SUMS.
fn list(assets: &mut [Asset], sum: &str) {
    let sums = find(assets, "_SHA256SUMS");
    let text = String::from_utf8(sums.content.as_ref().expect("sums").to_vec()).expect("UTF-8");
    let lines = text
        .lines()
        .map(|line| if line.ends_with(ZIP) { format!("{sum}  {ZIP}\n") } else { format!("{line}\n") });
    let text: String = lines.collect();
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    (sums.size, sums.digest, sums.content) = (text.len() as u64, Some(digest), Some(text.into()));
}

fn longer(assets: &mut [Asset]) {
    let mut bytes = find(assets, "linux_amd64.zip").content.as_ref().expect("a zip").to_vec();
    bytes.push(b'\n');
    replace(assets, bytes, false);
}

/// A kind of broken archive, the sentence about it, and whether GitHub's list of assets shows it.
struct Kind {
    name: &'static str,
    spoil: fn(&mut Vec<Asset>),
    text: &'static str,
    is_listed: bool,
}

fn of(name: &'static str, spoil: fn(&mut Vec<Asset>), text: &'static str, is_listed: bool) -> Kind {
    Kind { name, spoil, text, is_listed }
}

fn kinds() -> Vec<Kind> {
    vec![
        of(
            "absent",
            |assets| assets.retain(|asset| !asset.name.ends_with("linux_amd64.zip")),
            "SHA256SUMS lists terraform-provider-rocket_1.1.0_linux_amd64.zip, and the release does not have it",
            true,
        ),
        of("a byte longer", |assets| longer(assets), "and SHA256SUMS lists", true),
        of(
            "300 MiB",
            |assets| replace(assets, vec![0; 300 << 20], true),
            "is not below the registry's limit of 268435456 bytes",
            true,
        ),
        of("an upload that did not finish", |assets| replace(assets, Vec::new(), true), ZIP, true),
        of(
            "an HTML page",
            |assets| replace(assets, b"<!DOCTYPE html><title>Not Found</title>".to_vec(), true),
            "as a zip: not a readable zip",
            false,
        ),
        of(
            "a bare binary",
            |assets| replace(assets, [b"\x7fELF\x02\x01\x01".to_vec(), vec![7; 4000]].concat(), true),
            "as a zip: not a readable zip",
            false,
        ),
        of(
            "a gzip file",
            |assets| replace(assets, [b"\x1f\x8b\x08\x00".to_vec(), vec![1; 400]].concat(), true),
            "as a zip: not a readable zip",
            false,
        ),
        of(
            "a truncated zip",
            |assets| {
                let zip = find(assets, "linux_amd64.zip").content.as_ref().expect("a zip").to_vec();
                replace(assets, zip[..zip.len() / 2].to_vec(), true);
            },
            "as a zip: not a readable zip",
            false,
        ),
        of(
            "listed twice, the last line wrong",
            |assets| {
                let sums = find(assets, "_SHA256SUMS");
                let mut text = sums.content.as_ref().expect("sums").to_vec();
                text.extend(format!("{}  {ZIP}\n", "0".repeat(64)).into_bytes());
                let digest: [u8; 32] = Sha256::digest(&text).into();
                (sums.size, sums.digest, sums.content) = (text.len() as u64, Some(digest), Some(text.into()));
            },
            "and SHA256SUMS lists 0000",
            true,
        ),
    ]
}

async fn status(door: &Door, command: &str) -> (String, String) {
    let output = door.said(&format!("{command} acme/rocket --max-age 0 --json")).await;
    let verdict = output.object("verdict", "acme/rocket");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&verdict["status"]), text(&verdict["because"]["text"]))
}

/// GitHub's list or a rebuild finds the fault. The status is STRANDED, and the archive is named with a message to its
/// author.
#[tokio::test(flavor = "multi_thread")]
async fn every_broken_archive_is_named_with_a_message_to_its_author() {
    stamped!(crate::COMMANDS);
    for Kind { name, spoil, text, is_listed } in kinds() {
        for token in [true, false] {
            let mut door = Door::on(WORLD).await;
            if !token {
                door.unset("GH_TOKEN");
            }
            edit(&door, spoil);
            let (first, why) = status(&door, "survey").await;
            let seen = token && is_listed;
            assert_eq!(first, if seen { "stranded" } else { "behind" }, "{name}, token {token}: {why}");
            // A rebuild finds the fault and names the cause. No server failed.
            let diff = door.said("diff acme/rocket").await;
            assert_eq!(diff.exit, 0, "{name}, token {token}: {diff}");
            diff.is(0, &["its author has to fix the release"]);
            diff.is_not(&["tries the servers", "could not be read"]);
            let bump = door.said("bump acme/rocket --dry-run").await;
            assert_eq!(bump.exit, 0, "{name}, token {token}: {bump}");
            bump.is_not(&["tries the servers", "could not be read"]);
            let (second, why) = status(&door, "survey").await;
            assert_eq!(second, "stranded", "{name}, token {token}: {why}");
            assert!(why.starts_with("1.1.0: broken upstream: ") && why.contains(text), "{name}: {why}");
            assert!(why.contains(ZIP), "{name}: {why}");
            // All commands report the same.
            door.said("show acme/rocket").await.is(0, &["STRANDED", "broken upstream: "]);
            door.said("triage acme/rocket@1.1.0").await.is(0, &["STRANDED", "broken upstream: "]);
            let board = door.said("stranded --json").await;
            assert!(board.out.contains("bad-archive"), "{name}: {board}");
            let message = door.said("stranded message acme/rocket@1.1.0").await;
            message.is(0, &["broken upstream: ", ZIP]);
            message.is_not(&["nothing to fix"]);
            door.is_untouched();
        }
    }
}

/// The finding of a rebuild is dropped when the author repairs the release.
#[tokio::test(flavor = "multi_thread")]
async fn a_repaired_release_is_complete_again() {
    for token in [true, false] {
        let mut door = Door::on(WORLD).await;
        if !token {
            door.unset("GH_TOKEN");
        }
        let mut good = Vec::new();
        edit(&door, |assets| {
            good = find(assets, "linux_amd64.zip").content.as_ref().expect("a zip").to_vec();
            replace(assets, b"no zip".to_vec(), true);
        });
        door.said("diff acme/rocket").await.is(0, &["broken upstream: "]);
        assert_eq!(status(&door, "survey").await.0, "stranded", "token {token}");
        edit(&door, |assets| replace(assets, good, true));
        assert_eq!(status(&door, "survey").await.0, "behind", "token {token}");
        let output = door.said("bump acme/rocket").await;
        output.is(0, &["1.1.0"]);
        assert_eq!(status(&door, "survey").await.0, "current", "token {token}");
    }
}

/// A rebuild that finds a broken archive again keeps the finding, however old the first one is, and also for another bad
/// file of the same name.
#[tokio::test(flavor = "multi_thread")]
async fn a_fault_that_is_found_again_is_kept_again() {
    let mut door = Door::on(WORLD).await;
    edit(&door, |assets| replace(assets, b"no zip".to_vec(), true));
    door.said("diff acme/rocket").await.is(0, &["broken upstream: "]);
    // Facts are kept for a day.
    door.server.edit(|world| world.now += std::time::Duration::from_hours(25));
    door.set("BUMPDESK_NOW", "2026-11-22T13:00:00Z");
    door.said("diff acme/rocket").await.is(0, &["broken upstream: "]);
    assert_eq!(status(&door, "survey").await.0, "stranded", "the same fault a day later");
    edit(&door, |assets| replace(assets, b"not a zip either".to_vec(), true));
    assert_eq!(status(&door, "survey").await.0, "behind", "another file, which nobody has read");
    door.said("diff acme/rocket").await.is(0, &["broken upstream: "]);
    assert_eq!(status(&door, "survey").await.0, "stranded", "the same fault of another file");
}

/// If GitHub's own list contradicts a download, the download is at fault, and nothing is kept.
#[tokio::test(flavor = "multi_thread")]
async fn a_failing_server_is_not_a_broken_release() {
    use demo::fault::{Fault, FaultKind, Lane};
    for kind in [FaultKind::Garbage, FaultKind::Html, FaultKind::Status(404), FaultKind::Short(100)] {
        let door = Door::on(WORLD).await;
        door.server.edit(|world| {
            let mut fault = Fault::new(&[Lane::Asset, Lane::Object], kind.clone());
            fault.path = Some("*linux_amd64.zip".to_owned());
            world.faults = vec![fault];
        });
        let output = door.said("diff acme/rocket").await;
        output.is_not(&["broken upstream: ", "its author has to fix"]);
        door.server.edit(|world| world.faults = Vec::new());
        assert_eq!(status(&door, "survey").await.0, "behind", "{kind:?}");
    }
}
