//! kill -9 where it hurts: while an archive is read a second time from its copy, and between the last row and the line that
//! ends a report.

use std::collections::BTreeSet;
use std::path::Path;

use bytes::Bytes;
use demo::World;
use demo::fault::Lane;
use sha2::{Digest, Sha256};

use super::reports::{Running, hashed, lines, whole_lines};
use super::zipper::{Manner, Zipper};
use super::{edit, file, zipper};
use crate::door::Door;

const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"

[[provider]]
address = "acme/rocket"
stored = ["1.0.0"]
targets = ["darwin_amd64", "linux_amd64", "linux_arm64", "windows_amd64"]
"#;

/// The archives that were asked for, by their targets.
fn asked(door: &Door) -> BTreeSet<String> {
    let exchanges = door.server.exchanges();
    let zips = exchanges.iter().filter(|one| one.lane == Lane::Object && one.target.contains(".zip"));
    let name = |target: &str| target.split(".zip").next()?.split("_1.0.0_").nth(1).map(str::to_owned);
    zips.filter_map(|one| name(&one.target)).collect()
}

fn all() -> BTreeSet<String> {
    ["darwin_amd64", "linux_amd64", "linux_arm64", "windows_amd64"].map(str::to_owned).into()
}

/// An archive that has to be read a second time, and takes a while to: much comes out of it, and bytes stand in front.
fn slow_to_read() -> Bytes {
    let mut content = vec![0; 16 << 20];
    let mut word = 1u32;
    for place in (0..content.len()).step_by(240) {
        word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        content[place] = (word >> 24) as u8;
    }
    let packed = zipper::deflate(&content, 6);
    let mut zipper = Zipper::default();
    for place in 0..48u8 {
        zipper.entry_packed(&[b'a', place + b'0'], &content, &packed, Manner::GO);
    }
    [&b"#!"[..], &zipper.finish(b"", false).bytes].concat().into()
}

/// `linux_arm64` as that archive, with checksums to match.
fn with_a_slow_one() -> World {
    let mut world = World::parse(WORLD).expect("a world");
    let zip = slow_to_read();
    let sum: [u8; 32] = Sha256::digest(&zip).into();
    edit(&mut world, "rocket", |assets| {
        let asset = file(assets, "linux_arm64.zip");
        let old = hex::encode(asset.digest.expect("a digest"));
        (asset.size, asset.digest, asset.content) = (zip.len() as u64, Some(sum), Some(zip));
        let sums = file(assets, "_SHA256SUMS");
        let text = String::from_utf8(sums.content.as_ref().expect("sums").to_vec()).expect("UTF-8");
        sums.content = Some(text.replace(&old, &hex::encode(sum)).into());
    });
    world
}

/// Whether a process reads a file without a name again that it has written to its end: it has gone back in it.
#[cfg(target_os = "linux")]
fn reads_its_copy(process: u32, written: &mut u64) -> bool {
    let Ok(open) = std::fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    for entry in open.flatten() {
        let is_copy =
            std::fs::read_link(entry.path()).is_ok_and(|to| to.to_string_lossy().ends_with("(deleted)"));
        let said = std::fs::read_to_string(format!(
            "/proc/{process}/fdinfo/{}",
            entry.file_name().to_string_lossy()
        ));
        let at =
            said.ok().and_then(|said| said.lines().next()?.strip_prefix("pos:")?.trim().parse::<u64>().ok());
        let (true, Some(at)) = (is_copy, at) else { continue };
        // Nobody goes back in a copy but to read it.
        if at > 1 << 20 && at < *written {
            return true;
        }
        *written = at.max(*written);
    }
    false
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_kill_while_a_copy_is_read() {
    stamped!(crate::COMMANDS);
    let door = Door::of(with_a_slow_one()).await;
    let report = door.folder.path().join("report.jsonl");
    for _ in 0..2 {
        let before = hashed(&report);
        door.server.forget();
        let mut running = Running::on(&door, &report, &[]);
        let mut written = 0;
        while !reads_its_copy(running.id(), &mut written) || hashed(&report).len() < 3 {
            assert!(running.is_alive(), "it has ended by itself");
            std::thread::yield_now();
        }
        running.kill();
        // Three are finished, and the one whose copy was read is not; a copy leaves nothing behind.
        assert_eq!(hashed(&report), &all() - &["linux_arm64".to_owned()].into());
        assert!(whole_lines(&report).iter().all(|line| line["line"] != "end"));
        assert_eq!(asked(&door), &all() - &before);
        let cache = crate::door::files_below(door.folder.path());
        let large = cache.iter().filter(|path| std::fs::metadata(path).is_ok_and(|is| is.len() > 4 << 20));
        assert_eq!(large.collect::<Vec<_>>(), [&report; 0]);
    }
    door.server.forget();
    let said = door.said(&words(&report)).await;
    said.is(1, &["reused from an earlier run: 3 archives", "4 targets: 1 MISMATCH, 3 OK"]);
    assert_eq!(asked(&door), ["linux_arm64".to_owned()].into());
    let row = lines(&report)
        .into_iter()
        .find(|line| line["target"] == "linux_arm64" && line["zip"]["is"] == "hashed");
    let zip = &row.expect("its row")["zip"];
    assert_eq!(zip["spooled"], "it does not begin with an entry");
    assert!(zip["h1"].as_str().is_some_and(|h1| h1.starts_with("h1:")), "{zip}");
}

fn words(report: &Path) -> String {
    format!("verify acme/rocket --report {}", report.display())
}

/// All rows are there, and the line that ends them is not, or half of it, or half of the last row.
#[tokio::test(flavor = "multi_thread")]
async fn a_kill_before_the_end_is_written() {
    let door = Door::on(WORLD).await;
    let report = door.folder.path().join("report.jsonl");
    door.said(&words(&report)).await.is(0, &["4 targets: 4 OK; "]);
    let whole = std::fs::read(&report).expect("a report");
    let starts: Vec<usize> = (0..whole.len()).filter(|at| *at == 0 || whole[at - 1] == b'\n').collect();
    let [.., last_row, end] = starts[..] else { panic!("{} lines", starts.len()) };
    let torn =
        |line: &[u8]| serde_json::from_slice::<serde_json::Value>(line).expect("a line")["target"].clone();
    let last_target = torn(&whole[last_row..end]).as_str().expect("a target").to_owned();
    for (length, again) in [
        (end, BTreeSet::new()),
        (end + 1, BTreeSet::new()),
        (end + (whole.len() - end) / 2, BTreeSet::new()),
        (whole.len() - 2, BTreeSet::new()),
        // Without its line end nobody knows whether a line is whole; asking once more is right, and so is not to.
        (last_row + 9, [last_target.clone()].into()),
        (end - 2, [last_target.clone()].into()),
    ] {
        std::fs::write(&report, &whole[..length]).expect("a report");
        door.server.forget();
        let said = door.said(&words(&report)).await;
        said.is(0, &["4 targets: 4 OK; "]);
        assert_eq!(asked(&door), again, "cut behind {length} of {} bytes: {said}", whole.len());
        let lines = lines(&report);
        assert_eq!(lines.last().expect("a line")["how"], "done");
        assert_eq!(lines.iter().filter(|line| line["line"] == "end").count(), 1, "{length}");
        assert_eq!(hashed(&report), all());
    }
}
