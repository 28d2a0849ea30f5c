//! A disk that is full, or takes nothing at all: made by the limit of a process on the size of its files, since mounts are
//! not everybody's.

use std::fmt::Write;

use crate::door::{Door, WORLD};

/// A provider whose data file is over a MiB.
fn big() -> String {
    let mut text =
        format!("{WORLD}\n[[provider]]\naddress = \"acme/big\"\nreleases = [\"v1.100.0\"]\nstored = [");
    for minor in (0..100).rev() {
        let _ = write!(text, "\"1.{minor}.0\", ");
    }
    text.push_str("]\ntargets = [");
    for os in ["darwin", "freebsd", "linux", "windows", "openbsd", "solaris"] {
        for arch in ["386", "amd64", "arm", "arm64"] {
            let _ = write!(text, "\"{os}_{arch}\", ");
        }
    }
    text.push_str("]\n");
    text
}

const BIG: &str = "providers/a/acme/big.json";

/// Blocks are of 512 or of 1,024 bytes, as the shell has it.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fills_up_while_a_file_is_written() {
    let door = Door::on(&big()).await;
    let before = door.read(BIG);
    assert!(before.len() > 1 << 20, "{}", before.len());
    let said = door.shell("trap '' XFSZ; ulimit -f 900", &["bump", "--feature", "target-hashes=off"]);
    let path = door.registry.join(BIG);
    said.is(
        5,
        &[&format!("writing `{BIG}`"), &format!("`{}` was not written and is as it was", path.display())],
    );
    said.is(5, &["Check the disk, then run the same command again"]);
    assert_eq!(door.read(BIG), before);
    // The small ones had room, and no half of the big one is left.
    let status = door.git(&["status", "--porcelain=v1", "--untracked-files=all"]);
    assert_eq!(status, " M modules/u/umbrella/vpc/aws.json\n M providers/a/acme/rocket.json\n");
    // With room again the same command does what is left.
    let again = door.shell(":", &["bump", "--feature", "target-hashes=off"]);
    again.is(0, &[&format!("wrote {BIG}")]);
    again.is_not(&["rocket"]);
}

/// Not even the state and the index find room: the survey still tells, and the bump says that it wrote nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_takes_nothing() {
    let door = Door::on(WORLD).await;
    let full = "trap '' XFSZ; ulimit -f 0";
    let listed = door.shell(full, &["list"]);
    listed.is(0, &["acme/rocket", "nothing is kept between runs"]);
    door.shell(full, &["survey"]).is(0, &["BEHIND acme/rocket", "nothing is kept between runs"]);
    let bumped = door.shell(full, &["bump", "--feature", "target-hashes=off"]);
    bumped.is(5, &["was not written and is as it was", "Check the disk"]);
    bumped.is_not(&["wrote"]);
    door.is_untouched();
}

/// The state was there before; what the survey reads of a repository with many tags finds no room in it.
#[tokio::test(flavor = "multi_thread")]
async fn a_state_that_cannot_grow() {
    let mut tags = String::from("tags = [\"v1.1.0\"");
    for tag in 0..9_000 {
        let _ = write!(tags, ", \"release-{tag}\"");
    }
    let door = Door::on(&WORLD.replace("tags = [\"v1.1.0\"]", &format!("{tags}]"))).await;
    door.shell(":", &["list"]).is(0, &[]);
    let lost = "what was read was not kept, so the next survey asks again: the state database `";
    door.shell("trap '' XFSZ; ulimit -f 200", &["survey"])
        .is(5, &["BEHIND acme/rocket", lost, "state.sqlite3", "3 read and not kept"]);
    door.shell(":", &["survey"]).is(0, &["BEHIND acme/rocket"]);
    door.shell(":", &["list", "--status", "behind"]).is(0, &["2 of 3 entries"]);
    door.is_untouched();
}

/// Each entry that was planned is kept by itself: the one that finds no room is said, and so is how many did.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_that_finds_room_for_some() {
    let door = Door::on(&big()).await;
    door.shell(":", &["list"]).is(0, &[]);
    let add = ["plan", "add", "acme/rocket", "umbrella/vpc/aws", "acme/big"];
    let said = door.shell("trap '' XFSZ; ulimit -f 600", &add);
    said.is(5, &["keeping the plan: the state database `", "2 of 3 entries were added to the plan."]);
    let shown = door.shell(":", &["plan", "show"]);
    shown.is(0, &["2 files", "umbrella/vpc/aws", "acme/rocket"]);
    shown.is_not(&["acme/big"]);
    // With room again the same command adds the one that is left.
    door.shell(":", &add).is(0, &[]);
    door.shell(":", &["plan", "show"]).is(0, &["3 files", "acme/big"]);
}

/// Downloads are hashed while they arrive: without room for a copy only the file itself cannot be written.
#[tokio::test(flavor = "multi_thread")]
async fn a_spool_that_cannot_be_written() {
    let door = Door::on(WORLD).await;
    let bumped = door.shell("trap '' XFSZ; ulimit -f 0", &["bump", "acme/rocket"]);
    bumped.is(5, &["writing `providers/a/acme/rocket.json`", "was not written and is as it was"]);
    bumped.is_not(&["wrote", "version-unread"]);
    door.is_untouched();
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn an_output_that_cannot_be_written() {
    let door = Door::on(WORLD).await;
    for line in [&["list"][..], &["list", "--json"], &["survey"], &["doctor"]] {
        let said = door.shell("exec >/dev/full", line);
        said.is(5, &["standard output cannot be written: No space left on device"]);
    }
    door.is_untouched();
}

/// A file where a folder of ours should be costs memory between runs, and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn folders_of_ours_that_are_none() {
    let mut door = Door::on(WORLD).await;
    std::fs::write(door.folder.path().join("taken"), "x").expect("a file");
    door.set("BUMPDESK_STATE_DIR", "taken");
    door.set("BUMPDESK_CACHE_DIR", "taken");
    door.said("list").await.is(0, &["acme/rocket", "nothing is kept between runs", "taken"]);
    door.said("survey").await.is(0, &["BEHIND acme/rocket"]);
    // An empty list would say that there were none.
    door.said("jobs").await.is(0, &["nothing is kept between runs"]);
    let doctor = door.said("doctor").await;
    doctor.is(2, &["fail state folder", "fail cache folder", "cannot be written"]);
    door.is_untouched();
}
