//! Backfills: S12 of the stories (`tests/scenarios/stories.md`), what becomes of targets that cannot be filled in, kills, limits, and shares of one
//! plan on several machines.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use demo::World;
use demo::fault::{Fault, FaultKind, Lane};
use serde_json::Value;

use super::edits::{approve, files, pushing};
use super::pull::{ready, sending};
use super::review::{theirs, word};
use super::scene::same;
use crate::door::{Door, Output};

pub(super) const ROCKET: &str = "providers/a/acme/rocket.json";
pub(super) const S12: &str = include_str!("../../scenarios/s12-backfill.toml");

/// How often each archive was asked for: once for each redirect that led to its bytes.
pub(super) fn downloads(door: &Door) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for one in door.server.exchanges() {
        if one.lane == Lane::Object && one.target.contains(".zip") {
            let name = one.target.split('?').next().expect("a path").rsplit('/').next().expect("a name");
            *counts.entry(name.to_owned()).or_default() += 1;
        }
    }
    counts
}

fn object(said: &Output, kind: &str) -> Value {
    said.objects()
        .into_iter()
        .find(|object| object["type"] == kind)
        .unwrap_or_else(|| panic!("no {kind}: {said}"))
}

/// What the registry has to be: the same world, where every version but the drifted one has its hashes.
fn filled() -> String {
    let text = S12.replace("tag = \"1.0.0\", hashes = false", "tag = \"1.0.0\"");
    let world = World::parse(&text).expect("a world");
    let bytes = &world.files.iter().find(|(path, _)| **path == *ROCKET).expect("the file").1;
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Approves the plan and makes it ready: the one file that would be sent, which is as it has to be.
pub(super) async fn sends_what_did_not_drift(door: &Door) -> String {
    let plan = approve(door, "acme/rocket").await;
    let said = ready(door, &plan, "--acknowledge-drift --json").await;
    assert_eq!(said.exit, 0, "{said}");
    assert!(said.out.contains("h1 and size of 3 targets are as a backfill found them"), "{said}");
    let sending = sending(&said);
    let sent = files(&sending);
    let [(path, new)] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!(path, ROCKET);
    same(new, &filled(), ROCKET);
    let title = sending["requests"][2]["body"]["title"].as_str().expect("a title");
    assert_eq!(title, "Fill in h1 and size of acme/rocket");
    new.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn s12_only_h1_and_size_of_what_did_not_drift_are_filled_in() {
    let mut door = Door::on(&pushing(S12)).await;
    let old = door.read(ROCKET);
    let said = door.said("backfill plan acme/rocket").await;
    said.is(
        0,
        &[
            "h1 or size of 4 targets in 2 versions",
            "guessed by the mean of the sizes that are stored for the same provider",
        ],
    );
    assert_eq!(downloads(&door).len(), 0, "an estimate asks nobody");

    // A dry run finds all of it, and the run after it downloads nothing but what is bad.
    let said = door.said("backfill run acme/rocket --dry-run").await;
    said.is(
        0,
        &[
            "DRIFT acme/rocket 0.9.0 linux_amd64: upstream has another archive",
            "4 targets: 3 filled in, 1 drifted",
        ],
    );
    door.said("plan show").await.is(0, &["the plan is empty"]);
    assert_eq!(downloads(&door).values().sum::<usize>(), 4);
    door.server.forget();
    let said = door.said("backfill run acme/rocket --check").await;
    said.is(
        1,
        &[
            "reused from an earlier run: 3 targets",
            "1 file in the plan now",
            "4 targets: 3 filled in, 1 drifted",
        ],
    );
    let again = downloads(&door);
    assert_eq!(again.len(), 1, "{again:?}");
    assert!(again.keys().all(|name| name.contains("0.9.0")), "{again:?}");

    door.said("backfill run acme/rocket --dry-run --markdown").await.is(
        0,
        &[
            "### Backfill of `acme/rocket`",
            "4 targets: 3 filled in, 1 drifted.",
            "- DRIFT `acme/rocket 0.9.0 linux_amd64`",
        ],
    );

    let new = &sends_what_did_not_drift(&door).await;
    assert_eq!(door.read(ROCKET), old, "no data file is written");

    // Once it is merged there is nothing left but the drift, told again.
    door.put(ROCKET, new.as_bytes());
    door.said("plan drop --all").await.is(0, &[]);
    door.server.forget();
    let said = door.said("backfill run acme/rocket").await;
    said.is(0, &["DRIFT acme/rocket 0.9.0 linux_amd64", "nothing new for the plan", "1 target: 1 drifted"]);
    assert_eq!(downloads(&door).values().sum::<usize>(), 1);
    door.said("plan show").await.is(0, &["the plan is empty"]);
    assert_eq!(door.read(ROCKET), *new);
    door.set("BUMPDESK_NOW", "2026-11-21T13:00:00Z");
    door.said("backfill run acme/rocket@1.0.0")
        .await
        .is(0, &["every target of what was named has its h1 and its size"]);
}

/// A version, bounds, a filter, what is marked, or all of it; and what cannot be asked for.
#[tokio::test(flavor = "multi_thread")]
async fn a_selection_is_named_in_many_ways() {
    let door = Door::on(S12).await;
    for (words, lacking) in [
        (&["acme/rocket@1.0.0"][..], "3 targets in 1 version"),
        (&["acme/rocket@<1"], "1 target in 1 version"),
        (&["acme/rocket@>= 0.9, < 1.1"], "4 targets in 2 versions"),
        (&["--filter", "rocket"], "4 targets in 2 versions"),
        (&["--all"], "4 targets in 2 versions"),
        (&["acme/quiet"], "0 targets in 0 versions"),
    ] {
        door.run(&[&["backfill", "plan"], words].concat()).await.is(0, &[lacking]);
    }
    for (words, why) in [
        (&["acme/rocket@9.9.9"][..], "`acme/rocket` has no version 9.9.9"),
        (&["acme/rocket@>9"], "`acme/rocket` has no version within these bounds"),
        (&["acme/rocket@>=x"], "is not a constraint"),
        (&["acme/rokcet"], "acme/rocket"),
        (&["--marked"], "no provider is marked"),
        (&["--filter", "nobody"], "no provider matches"),
        (&["--all", "--feature", "target-hashes=off"], "the feature target-hashes is off"),
        (&["acme/rocket", "--all"], "cannot be used with"),
        (&[], "required"),
    ] {
        let said = door.run(&[&["backfill", "plan"], words].concat()).await;
        assert!(said.exit == 2 && said.err.contains(why), "{words:?}: {said}");
    }
}

pub(super) const MANY: &str = r#"
clock = "2026-11-21T12:00:00Z"

[[provider]]
address = "acme/rocket"
targets = ["darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64"]
stored = [
    { version = "1.2.0", hashes = false },
    { version = "1.1.0", hashes = false },
    { version = "1.0.0", hashes = false },
]
"#;

fn strike(door: &Door, lane: Lane, path: &str, kind: FaultKind, times: Option<u32>) {
    let mut fault = Fault::new(&[lane], kind);
    (fault.path, fault.times) = (Some(path.to_owned()), times);
    door.server.edit(|world| world.faults.push(fault));
}

/// Each target that fails is a row of its own with its reason, and all the others are filled in.
#[tokio::test(flavor = "multi_thread")]
async fn what_fails_is_told_and_nothing_else_is_lost() {
    let door = Door::on(&format!(
        "{MANY}releases = [{{ tag = \"v1.0.0\", absent = [\"linux_amd64\"], mismatch = [\"darwin_arm64\"] }}]\n"
    ))
    .await;
    strike(&door, Lane::Asset, "*1.2.0_darwin_arm64*", FaultKind::Status(500), None);
    strike(&door, Lane::Asset, "*1.2.0_linux_amd64*", FaultKind::Html, None);
    strike(&door, Lane::Object, "*1.2.0_linux_arm64*", FaultKind::Reset, None);
    // Asked to slow down once, it is asked again, and told.
    strike(&door, Lane::Asset, "*1.1.0_linux_arm64*", FaultKind::Status(429), Some(1));
    let said = door.said("backfill run acme/rocket --json").await;
    assert_eq!(said.exit, 5, "{said}");
    let states: BTreeMap<String, String> = said
        .objects()
        .into_iter()
        .filter(|object| object["type"] == "fill")
        .map(|object| {
            let text = |name: &str| object[name].as_str().expect("a text").to_owned();
            (format!("{} {}", text("version"), text("target")), text("word"))
        })
        .collect();
    let wanted = [
        ("1.0.0 darwin_arm64", "DRIFT"),
        ("1.0.0 linux_amd64", "GONE"),
        ("1.0.0 linux_arm64", "HELD"),
        ("1.0.0 windows_amd64", "HELD"),
        ("1.1.0 darwin_arm64", "FILLED"),
        ("1.1.0 linux_amd64", "FILLED"),
        ("1.1.0 linux_arm64", "FILLED"),
        ("1.1.0 windows_amd64", "FILLED"),
        ("1.2.0 darwin_arm64", "FAILED"),
        ("1.2.0 linux_amd64", "FAILED"),
        ("1.2.0 linux_arm64", "FAILED"),
        ("1.2.0 windows_amd64", "FILLED"),
    ];
    let wanted: BTreeMap<String, String> =
        wanted.into_iter().map(|(name, word)| (name.to_owned(), word.to_owned())).collect();
    assert_eq!(states, wanted, "{said}");
    let slow = "asked to slow down";
    assert!(
        said.objects().iter().any(|object| object["text"].as_str().is_some_and(|text| text.contains(slow))),
        "{said}"
    );
    let shown = door.said("plan show acme/rocket").await;
    shown.is(0, &["1.2.0", "1.1.0"]);
    assert!(!shown.out.contains("1.0.0: "), "{shown}");

    // What failed is tried again, and what is known is not.
    door.server.edit(|world| world.faults.clear());
    door.server.forget();
    let said = door.said("backfill run acme/rocket").await;
    said.is(
        0,
        &["12 targets: 8 filled in, 2 held back with their version, 1 drifted, 1 that cannot be filled in"],
    );
    let again = downloads(&door);
    assert!(again.values().all(|count| *count == 1) && again.len() == 4, "{again:?}");
}

/// What could not be read is not said to lack nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_broken_file_is_not_one_that_lacks_nothing() {
    let door = Door::on(MANY).await;
    door.put("providers/a/acme/rocket.json", b"{ not json");
    let whole = "every target of what was named has its h1";
    for command in ["backfill plan acme/rocket", "backfill run acme/rocket"] {
        let said = door.said(command).await;
        said.is(5, &["1 file cannot be read, and what it lacks is not known"]);
        said.is_not(&[whole]);
    }
    let said = door.said("backfill dispatch acme/rocket --shards 1 --dry-run").await;
    said.is(4, &["no target is known to lack anything"]);
}

/// A host that declares more than the registry reads, one that redirects in a circle, and one that is slow: each is a row with its reason.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_or_leads_nowhere_is_a_row_of_its_own() {
    let door = Door::on(MANY).await;
    strike(&door, Lane::Object, "*1.2.0_darwin_arm64*", FaultKind::Declares(268_435_456), None);
    // Below that all of it is asked for.
    strike(&door, Lane::Object, "*1.2.0_linux_amd64*", FaultKind::Declares(268_435_200), None);
    strike(&door, Lane::Asset, "*1.2.0_linux_arm64*", FaultKind::Loop, None);
    strike(&door, Lane::Object, "*1.2.0_windows_amd64*", FaultKind::Slow(Duration::from_millis(300)), None);
    let said = door.said("backfill run acme/rocket --json").await;
    assert_eq!(said.exit, 5, "{said}");
    let fills: Vec<Value> = said.objects().into_iter().filter(|object| object["type"] == "fill").collect();
    for (target, word, reason) in [
        ("darwin_arm64", "TOO LARGE", "256 MiB"),
        ("linux_amd64", "FAILED", ""),
        ("linux_arm64", "FAILED", "redirect"),
        ("windows_amd64", "FILLED", ""),
    ] {
        let row = fills.iter().find(|row| row["version"] == "1.2.0" && row["target"] == target);
        let row = row.unwrap_or_else(|| panic!("{target}: {said}"));
        assert_eq!(row["word"], word, "{row}");
        assert!(row["reason"].as_str().is_some_and(|text| text.contains(reason)), "{row}");
    }
    assert_eq!(fills.iter().filter(|row| row["word"] == "FILLED").count(), 9, "{said}");
    // What failed is not taken for done.
    door.said("plan show acme/rocket").await.is(0, &["1.2.0", "1.1.0", "1.0.0"]);
}

/// The disk is full after a few rows; with room again the same command goes on, and downloads nothing twice.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_share_that_finds_no_room() {
    let door = Door::on(MANY).await;
    let estimate = object(&door.said("backfill plan acme/rocket --json").await, "estimate");
    let plan = estimate["plan"].as_str().expect("a digest");
    let out = door.folder.path().join("share.jsonl");
    let path = out.display().to_string();
    let words = ["backfill", "shard", "1/1", "--plan", plan, "--out", &path, "--jobs", "1", "acme/rocket"];
    let said = door.shell("trap '' XFSZ; ulimit -f 8", &words);
    said.is(5, &["the same command continues"]);
    let rows = |text: &str| text.lines().filter(|line| line.contains("\"line\":\"row\"")).count();
    let before = rows(&std::fs::read_to_string(&out).expect("a share"));
    assert!((1..12).contains(&before), "{before}: {said}");
    door.server.forget();
    door.shell(":", &words).is(0, &[]);
    let again = downloads(&door);
    assert_eq!((again.len(), again.values().max()), (12 - before, Some(&1)), "{again:?}");
    assert_eq!(rows(&std::fs::read_to_string(&out).expect("a share")), 12);
    door.said(&format!("backfill merge {path}")).await.is(0, &["12 targets: 12 filled in"]);
}

/// A limit of bytes stops it with what was found kept; the same command continues. A version that is not known whole waits.
#[tokio::test(flavor = "multi_thread")]
async fn a_limit_stops_it_and_the_same_command_goes_on() {
    let door = Door::on(MANY).await;
    let estimate = object(&door.said("backfill plan acme/rocket --json").await, "estimate");
    assert_eq!(estimate["targets"], 12);
    // Nothing is known of their sizes: the first may be as large as is assumed, and the second would be over it.
    let said = door.said("backfill run acme/rocket --max-bytes 15728641 --jobs 1").await;
    assert_eq!(said.exit, 5, "{said}");
    assert!(said.err.contains("stopped at the limit of"), "{said}");
    let first = downloads(&door);
    assert_eq!(first.len(), 1, "{first:?}");
    door.server.forget();
    let said = door.said("backfill run acme/rocket --max-time 0").await;
    assert!(said.exit == 5 && said.err.contains("stopped at the limit of"), "{said}");
    door.server.forget();
    door.said("backfill run acme/rocket")
        .await
        .is(0, &["12 targets: 12 filled in", "1 file in the plan now"]);
    let rest = downloads(&door);
    assert!(first.keys().all(|name| !rest.contains_key(name)), "{first:?} {rest:?}");
}

/// What is in the plan already in another way stays there; what was found waits for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_planned_otherwise_is_left_alone() {
    let door = Door::on(&format!("{MANY}releases = [\"v1.3.0\"]\n")).await;
    door.said("plan add acme/rocket").await.is(0, &[]);
    let before = door.plan_name().await;
    let said = door.said("backfill run acme/rocket@1.2.0").await;
    said.is(0, &["`acme/rocket` is not planned: the plan has it already (adds missing versions)"]);
    assert_eq!(door.plan_name().await, before);
    door.said("plan drop acme/rocket").await.is(0, &[]);
    door.server.forget();
    door.said("backfill run acme/rocket@1.2.0").await.is(0, &["reused", "1 file in the plan now"]);
    // Beside what an earlier one found.
    door.said("backfill run acme/rocket@1.1.0").await.is(0, &["1 file in the plan now"]);
    door.said("plan show acme/rocket").await.is(0, &["1.2.0", "1.1.0"]);
    assert_eq!(downloads(&door).len(), 4);
}

/// Patches that git takes, the same each time, and never over another file.
#[tokio::test(flavor = "multi_thread")]
async fn patches_are_what_the_plan_would_be() {
    let door = Door::on(S12).await;
    let folder = door.folder.path().join("patches");
    let line = format!("backfill run --all --out {} --bundle letter", folder.display());
    door.said(&line).await.is(0, &["wrote", "0001-a.patch"]);
    door.said("plan show").await.is(0, &["the plan is empty"]);
    let patch = folder.join("0001-a.patch");
    let bytes = std::fs::read(&patch).expect("a patch");
    door.said(&line).await.is(0, &["0001-a.patch"]);
    assert_eq!(std::fs::read(&patch).expect("a patch"), bytes);
    door.git(&["am", "--quiet", &patch.display().to_string()]);
    same(&door.read(ROCKET), &filled(), ROCKET);
    assert_eq!(
        door.git(&["show", "--name-only", "--format=%s"]),
        format!("Fill in h1 and size of acme/rocket\n\n{ROCKET}\n")
    );
    door.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    std::fs::write(&patch, "mine").expect("a file");
    let said = door.said(&line).await;
    assert!(said.exit == 2 && said.err.contains("there is a file of that name"), "{said}");
    assert_eq!(std::fs::read(&patch).expect("a patch"), b"mine");
}

/// A process of its own.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The binary on the door's world, with a state folder of its own if one is named.
fn command(door: &Door, words: &[&str], state: Option<&str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
    command.args(words).arg("--no-throttle").current_dir(door.folder.path()).env_clear();
    command.env("HOME", door.folder.path()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.envs(door.variables.iter().map(|(name, value)| (name, value)));
    if let Some(state) = state {
        command.env("BUMPDESK_STATE_DIR", door.folder.path().join(state));
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Three providers with 25 versions of 4 targets each.
fn three_hundred() -> String {
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    for name in ["acme/rocket", "acme/sundial", "umbrella/portal"] {
        let versions: Vec<String> =
            (0..25).rev().map(|minor| format!("{{ version = \"1.{minor}.0\", hashes = false }}")).collect();
        let _ = write!(
            text,
            "[[provider]]\naddress = \"{name}\"\ntargets = [\"darwin_arm64\", \"linux_amd64\", \"linux_arm64\", \"windows_amd64\"]\nstored = [{}]\n",
            versions.join(", ")
        );
    }
    text
}

/// The bytes of all patches in a folder, by name. What is being written, or was cut off in it, lies there under a name of its own,
/// which nobody takes for a patch, and may be gone by the time that it would be read.
fn patches(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .filter(|(name, _)| !name.starts_with(".bumpdesk-"))
        .map(|(name, path)| (name, std::fs::read(path).expect("a file")))
        .collect()
}

fn journals(door: &Door) -> Vec<PathBuf> {
    let files = crate::door::files_below(door.folder.path());
    let is_one =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("backfill-"));
    files.into_iter().filter(is_one).collect()
}

/// The archives of rows that the journal has whole.
fn kept(door: &Door) -> Vec<String> {
    let text: String =
        journals(door).iter().map(|path| std::fs::read_to_string(path).unwrap_or_default()).collect();
    let rows = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let name = |row: Value| Some(row["url"].as_str()?.rsplit('/').next()?.to_owned());
    rows.filter(|row| row["line"] == "row").filter_map(name).collect()
}

const KILLS: u32 = 100;

/// kill -9 at 100 moments, drawn by dice that are always the same: while archives are read, and while patches are written. What comes of it in
/// the end is what an uninterrupted run gives, no archive that was finished is downloaded again, and no patch is ever half-written.
#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_kills_lose_nothing_that_was_finished() {
    stamped!(crate::COMMANDS);
    let door = Door::on(&three_hundred()).await;
    let folder = |name: &str| door.folder.path().join(name);
    let start = |out: &str, state: &str| {
        let line = format!("backfill run --all --jobs 3 --bundle provider --out {}", folder(out).display());
        let words: Vec<&str> = line.split(' ').collect();
        Running(command(&door, &words, Some(state)).spawn().expect("it starts"))
    };
    let written = || if folder("killed").is_dir() { patches(&folder("killed")) } else { BTreeMap::new() };
    let mut whole = start("whole", "other");
    assert_eq!(whole.0.wait().expect("a process").code(), Some(0));
    let whole = patches(&folder("whole"));
    assert_eq!(whole.len(), 3);
    std::fs::remove_dir_all(door.folder.path().join("other")).expect("a folder");
    door.server.forget();
    let mut dice = 0x9e37_79b9_7f4a_7c15u64;
    // How often each archive had been asked for when its row was first seen to be kept.
    let mut settled: BTreeMap<String, usize> = BTreeMap::new();
    let mut while_writing = 0;
    for kill in 0..KILLS {
        let before = kept(&door).len();
        let mut running = start("killed", "state");
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // After so many rows of this run, or, in one of four, as soon as it runs at all; once all are there, after so many patches.
        let (rows, files) = ((dice >> 33) as usize % 8, (dice >> 45) as usize % 4);
        let is_read = before == 300;
        let waits =
            || if is_read { written().len() < files } else { kept(&door).len() < (before + rows).min(300) };
        let mut polls = 0;
        while waits() && running.0.try_wait().expect("a process").is_none() {
            polls += 1;
            assert!(polls < 200_000, "it does nothing");
            std::thread::yield_now();
        }
        running.0.kill().expect("a process");
        running.0.wait().expect("a process");
        while_writing += usize::from(is_read);
        let asked = downloads(&door);
        for name in kept(&door) {
            let count = asked.get(&name).copied().unwrap_or_default();
            assert_eq!(*settled.entry(name.clone()).or_insert(count), count, "{name}, kill {kill}");
        }
        for (name, bytes) in written() {
            assert_eq!(whole.get(&name), Some(&bytes), "{name} is not whole, kill {kill}");
        }
    }
    println!("{KILLS} kills, {while_writing} of them after the last row");
    assert!(while_writing >= 5, "{while_writing}");
    let mut last = start("killed", "state");
    assert_eq!(last.0.wait().expect("a process").code(), Some(0));
    let asked = downloads(&door);
    assert_eq!(asked.len(), 300);
    assert!(settled.iter().all(|(name, count)| asked[name] == *count), "downloaded again after it was kept");
    assert_eq!(kept(&door).len(), 300, "no row was made twice");
    assert_eq!(written(), whole);
}

/// Two at once: one of them does it, the other says who does.
#[tokio::test(flavor = "multi_thread")]
async fn two_runs_of_one_question_do_not_meet() {
    let door = Door::on(MANY).await;
    strike(&door, Lane::Object, "*.zip", FaultKind::Withhold(Duration::from_mins(10)), None);
    let words = ["backfill", "run", "--all", "--out", "one"];
    let mut first = Running(command(&door, &words, Some("state")).spawn().expect("it starts"));
    while journals(&door).iter().all(|path| std::fs::metadata(path).map_or(0, |it| it.len()) == 0) {
        assert!(first.0.try_wait().expect("a process").is_none());
        std::thread::yield_now();
    }
    let second = command(&door, &words, Some("state")).output().expect("it runs");
    assert_eq!(second.status.code(), Some(4), "{}", String::from_utf8_lossy(&second.stderr));
    let err = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(err.contains("another process") || err.contains("another bumpdesk"), "{err}");
}

/// What a filter came to here is named on the command lines, with the limits; the digest stands there whole, and once by itself.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_prints_commands_that_mean_the_same_elsewhere() {
    let door = Door::on(&pushing(S12)).await;
    let limits = "--max-time 90m --max-bytes 5GB --jobs 3";
    let planned = door.said(&format!("backfill plan --filter acme/rocket {limits}")).await;
    let estimate = object(&door.said("backfill plan acme/rocket --json").await, "estimate");
    let digest = estimate["plan"].as_str().expect("a digest");
    let options = "acme/rocket --max-bytes 5GB --max-time 90m --jobs 3";
    planned.is(0, &[&format!("next: bumpdesk backfill run {options}"), digest]);
    let planned = door.said(&format!("backfill plan --filter acme/rocket {limits} --shards 2")).await;
    let command = format!("bumpdesk backfill shard 1/2 --plan {digest} {options} --out shard-1-of-2.jsonl");
    planned.is(0, &[&command]);
    assert_eq!(planned.out.lines().filter(|line| line.starts_with("digest")).count(), 1, "{planned}");
    let said = door.said(&format!("backfill shard 1/2 --plan {} acme/rocket --out x", &digest[..12])).await;
    said.is(2, &["write all 64 digits of it, as `bumpdesk backfill plan` prints them"]);
}

/// The commands that `plan --shards` prints, as processes side by side, and their files put together.
#[tokio::test(flavor = "multi_thread")]
async fn four_shares_are_one_run() {
    stamped!(crate::COMMANDS);
    let door = Door::on(&three_hundred()).await;
    let planned = door.said("backfill plan --all --shards 4").await;
    planned.is(0, &["1/4", "4/4", "bumpdesk backfill merge"]);
    let digest = object(&door.said("backfill plan --all --json").await, "estimate")["plan"]
        .as_str()
        .expect("a digest")
        .to_owned();
    let commands: Vec<Vec<String>> = planned
        .out
        .lines()
        .filter_map(|line| line.split_once(": bumpdesk ").map(|(_, command)| command))
        .map(|command| command.split(' ').map(str::to_owned).collect())
        .collect();
    assert_eq!(commands.len(), 4, "{planned}");
    let running: Vec<Running> = commands
        .iter()
        .map(|words| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            assert!(words.contains(&&*digest));
            // On one machine, with one state folder.
            Running(command(&door, &words, Some("shared")).spawn().expect("it starts"))
        })
        .collect();
    for mut one in running {
        assert_eq!(one.0.wait().expect("a process").code(), Some(0));
    }
    let asked = downloads(&door);
    assert!(asked.len() == 300 && asked.values().all(|count| *count == 1), "{asked:?}");
    let folder = door.folder.path().display().to_string();
    let share = |number: usize| door.folder.path().join(format!("shard-{number}-of-4.jsonl"));
    let merge = |files: &[PathBuf], more: &str| {
        let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        format!("backfill merge {} --plan {digest} {more}", files.join(" ")).replace("FOLDER", &folder)
    };
    let all: Vec<PathBuf> = [3, 1, 4, 2].map(share).into();
    door.said(&merge(&all, "--out FOLDER/merged"))
        .await
        .is(0, &["300 targets: 300 filled in", "computed again here: 5 targets"]);
    door.said(&format!("backfill run --all --out {folder}/whole"))
        .await
        .is(0, &["300 targets: 300 filled in"]);
    let there = |name: &str| patches(&door.folder.path().join(name));
    assert_eq!(there("merged"), there("whole"));

    // Whatever is wrong with a share, it is named, and nothing is written.
    let text = std::fs::read_to_string(share(2)).expect("a share");
    let lines: Vec<&str> = text.lines().collect();
    let without = |at: usize| [&lines[..at], &lines[at + 1..]].concat().join("\n") + "\n";
    let h1 =
        lines[1].split("\"h1\":\"h1:").nth(1).expect("an h1").split('"').next().expect("an h1").to_owned();
    let other = text.replacen(
        &h1,
        lines[2].split("\"h1\":\"h1:").nth(1).expect("an h1").split('"').next().expect("one"),
        1,
    );
    let earlier = text.replace(&digest, &"0".repeat(64));
    for (what, bytes, told) in [
        (
            "cut off",
            text[..text.len() / 2].to_owned(),
            "shard-2-of-4.jsonl: it was cut off in the middle of a line",
        ),
        (
            "cut off at a line",
            lines[..20].join("\n") + "\n",
            "shard-2-of-4.jsonl: it ends before its share is done",
        ),
        (
            "a row less",
            without(5),
            "shard-2-of-4.jsonl: its targets are not those that the plan gave to share 2 of 4",
        ),
        ("another h1", other, "shard-2-of-4.jsonl: line 2 does not fit its checksum"),
        ("of another plan", earlier, "shard-2-of-4.jsonl: it is of the plan 000000000000"),
        ("empty", String::new(), "shard-2-of-4.jsonl: it was cut off"),
        ("a letter", "dear all\n".to_owned(), "shard-2-of-4.jsonl: it does not begin as a share"),
        ("of share 1", std::fs::read_to_string(share(1)).expect("a share"), "it is share 1 of 4, as "),
    ] {
        std::fs::write(share(2), &bytes).expect("a file");
        let said = door.said(&merge(&all, "--out FOLDER/refused")).await;
        assert!(said.exit == 4 && said.err.contains(told), "{what}: {said}");
        assert!(!door.folder.path().join("refused").exists(), "{what}");
    }
    let said = door.said(&merge(&[share(1), share(3), share(4)], "--out FOLDER/refused")).await;
    assert!(said.exit == 4 && said.err.contains("share 2 of 4 is missing"), "{said}");
    std::fs::write(share(2), &text).expect("a file");
    let said =
        door.said(&merge(&[share(1), share(2), share(2), share(3), share(4)], "--out FOLDER/refused")).await;
    assert!(said.exit == 4 && said.err.contains("it is share 2 of 4, as "), "{said}");
    // A registry that moved on meanwhile has other checksums, or is another plan.
    let registry = door.read(ROCKET);
    let sum =
        registry.split("\"shasum\": \"").nth(1).expect("a sum").split('"').next().expect("a sum").to_owned();
    door.put(ROCKET, registry.replace(&sum, &"a".repeat(64)).as_bytes());
    let said = door.said(&merge(&all, "--out FOLDER/refused")).await;
    assert!(
        said.exit == 4 && said.err.contains("the registry does not have it with that checksum"),
        "{said}"
    );
    let said = door.said(&format!("backfill shard 1/4 --plan {digest} --all --out {folder}/new.jsonl")).await;
    assert!(said.exit == 4 && said.err.contains("the plan is"), "{said}");
    assert!(!door.folder.path().join("new.jsonl").exists());
}

/// What is planned of a version goes again once an archive of it turns out to be another one, and a patch says so.
#[tokio::test(flavor = "multi_thread")]
async fn what_drifts_in_a_later_run_leaves_the_plan() {
    let door =
        Door::on(&format!("{MANY}releases = [{{ tag = \"v1.0.0\", mismatch = [\"darwin_arm64\"] }}]\n"))
            .await;
    let patches = door.folder.path().join("patches");
    let out = format!("backfill run acme/rocket@1.0.0 --out {}", patches.display());
    strike(&door, Lane::Asset, "*1.0.0_darwin_arm64*", FaultKind::Status(500), None);
    door.said("backfill run acme/rocket").await.is(5, &["11 filled in, 1 could not be read"]);
    door.said(&out).await.is(5, &["0001-acme-rocket.patch"]);
    door.said("plan show acme/rocket").await.is(0, &["1.0.0", "1.1.0"]);
    door.server.edit(|world| world.faults.clear());
    let said = door.said("backfill run acme/rocket@1.0.0").await;
    said.is(0, &["DRIFT acme/rocket 1.0.0 darwin_arm64", "3 targets that were planned leave the plan"]);
    let shown = door.said("plan show acme/rocket").await;
    shown.is(0, &["1.1.0", "1.2.0"]);
    assert!(!shown.out.contains("1.0.0"), "{shown}");
    door.said(&out).await.is(0, &["0001-acme-rocket.patch` again: it is of an earlier run"]);
    // Where nothing else was planned of the file, it is not in the plan any more.
    door.said("plan drop --all").await.is(0, &[]);
    strike(&door, Lane::Asset, "*1.0.0_darwin_arm64*", FaultKind::Status(500), None);
    door.said("backfill run acme/rocket@1.0.0").await.is(5, &["1 file in the plan now"]);
    door.server.edit(|world| world.faults.clear());
    door.said("backfill run acme/rocket@1.0.0").await.is(0, &["leave the plan"]);
    door.said("plan show").await.is(0, &["the plan is empty"]);
}

/// An archive that is gone leaves its target empty. Clients refused that target before too, so it stops neither the pull
/// request nor its review.
#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_stays_empty_stops_nothing() {
    let world = format!("{MANY}releases = [{{ tag = \"v1.0.0\", absent = [\"linux_amd64\"] }}]\n");
    let door = Door::on(&pushing(&world)).await;
    door.said("backfill run acme/rocket").await.is(0, &["11 filled in", "1 that cannot be filled in"]);
    let plan = approve(&door, "acme/rocket").await;
    let output = ready(&door, &plan, "--json").await;
    assert_eq!(output.exit, 0, "{output}");
    let prepared = sending(&output);
    let sent = files(&prepared);
    let sent: Vec<(&str, &str)> = sent.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert!(sent[0].1.contains("\"size\": 0"), "{}", sent[0].1);
    let number = theirs(&door, &prepared, &sent, &[]).await;
    let review = door.said(&format!("review {number} --json")).await;
    assert_ne!(word(&review), "refused", "{review}");
    review.is_not(&["invalid package size"]);
}

/// The same command goes on into the same folder: a patch of what was known then gives way to that of all of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_patch_of_a_run_that_was_not_whole_gives_way() {
    let door = Door::on(MANY).await;
    let folder = |name: &str| door.folder.path().join(name);
    let run = |name: &str| format!("backfill run acme/rocket --out {}", folder(name).display());
    strike(&door, Lane::Asset, "*1.0.0_darwin_arm64*", FaultKind::Status(500), None);
    door.said(&run("twice")).await.is(5, &["11 filled in"]);
    door.server.edit(|world| world.faults.clear());
    door.said(&run("twice")).await.is(0, &["12 filled in"]);
    door.said(&run("once")).await.is(0, &["12 filled in"]);
    assert_eq!(patches(&folder("twice")), patches(&folder("once")));
    // What somebody else wrote stays.
    std::fs::create_dir(folder("other")).expect("a folder");
    std::fs::write(folder("other").join("0001-acme-rocket.patch"), "From somebody\n").expect("a file");
    door.said(&run("other")).await.is(2, &["there is a file of that name"]);
}

/// What came of archives that broke off counts towards the limit as well.
#[tokio::test(flavor = "multi_thread")]
async fn archives_that_break_off_count_towards_the_limit() {
    let door = Door::on(MANY).await;
    strike(&door, Lane::Object, "*", FaultKind::Truncate(50), None);
    // As much as is assumed of one archive, and a little more.
    let said = door.said("backfill run acme/rocket --max-bytes 15728680 --jobs 1").await;
    said.is(5, &["stopped at the limit", "could not be read"]);
    assert!((1..4).contains(&downloads(&door).len()), "{said}");
}

/// A share that was forged as a whole, checksums and all, is seen where it is computed again.
#[tokio::test(flavor = "multi_thread")]
async fn a_plausible_h1_is_seen_by_a_sample_alone() {
    let door = Door::on(MANY).await;
    let digest = object(&door.said("backfill plan --all --json").await, "estimate")["plan"]
        .as_str()
        .expect("a digest")
        .to_owned();
    let out = door.folder.path().join("share.jsonl");
    let line = format!("backfill shard 1/1 --plan {digest} --all --out {}", out.display());
    door.said(&line).await.is(0, &["12 targets: 12 filled in"]);
    let text = std::fs::read_to_string(&out).expect("a share");
    std::fs::write(&out, forged(&text)).expect("a file");
    let folder = door.folder.path().join("merged");
    let merge = format!("backfill merge {} --plan {digest} --out {}", out.display(), folder.display());
    // Some are computed again unless that is declined.
    let said = door.said(&merge).await;
    assert!(
        said.exit == 4
            && said.err.contains("share.jsonl: acme/rocket")
            && said.err.contains("computed again it is another"),
        "{said}"
    );
    // What cannot be computed again is not believed.
    strike(&door, Lane::Asset, "*", FaultKind::Status(500), None);
    let said = door.said(&merge).await;
    assert!(
        said.exit == 4
            && said.err.contains("it could not be computed again: ")
            && said.err.contains("with --sample 0 nothing is computed again"),
        "{said}"
    );
    assert!(!said.out.contains("filled in"), "nothing of it is taken: {said}");
    door.said(&format!("{merge} --sample 0")).await.is(0, &["12 filled in"]);
}

/// A machine that lies has one share of many: of each at least one result is computed again.
#[tokio::test(flavor = "multi_thread")]
async fn each_share_is_sampled() {
    let door = Door::on(MANY).await;
    let digest = object(&door.said("backfill plan --all --json").await, "estimate")["plan"]
        .as_str()
        .expect("a digest")
        .to_owned();
    let share =
        |number: usize| door.folder.path().join(format!("share-{number}.jsonl")).display().to_string();
    for number in 1..=4 {
        let line = format!("backfill shard {number}/4 --plan {digest} --all --out {}", share(number));
        door.said(&line).await.is(0, &["filled in"]);
    }
    let text = std::fs::read_to_string(share(3)).expect("a share");
    std::fs::write(share(3), forged(&text)).expect("a file");
    let files = (1..=4).map(share).collect::<Vec<_>>().join(" ");
    let out = door.folder.path().join("merged").display().to_string();
    let said = door.said(&format!("backfill merge {files} --plan {digest} --out {out} --sample 1")).await;
    assert!(said.exit == 4 && said.err.contains("share-3.jsonl: acme/rocket"), "{said}");
}

/// A world, a file with the share of all targets, and the command that merges the share.
async fn one_share(world: &str) -> (Door, PathBuf, String) {
    let door = Door::on(world).await;
    let digest = object(&door.said("backfill plan --all --json").await, "estimate")["plan"]
        .as_str()
        .expect("a digest")
        .to_owned();
    let out = door.folder.path().join("share.jsonl");
    let output =
        door.said(&format!("backfill shard 1/1 --plan {digest} --all --out {}", out.display())).await;
    assert_eq!(output.exit, 0, "{output}");
    let merge = format!("backfill merge {} --plan {digest}", out.display());
    (door, out, merge)
}

fn is_target(row: &Value) -> bool {
    row["version"] == "1.0.0" && row["target"] == "darwin_arm64"
}

/// A claim that a target is bad is checked before anything leaves the plan. This does not depend on the claim or on
/// the sample.
#[tokio::test(flavor = "multi_thread")]
async fn a_false_claim_of_a_share_is_refused() {
    let (door, out, merge) = one_share(MANY).await;
    let honest = std::fs::read_to_string(&out).expect("a share");
    door.said("backfill run acme/rocket").await.is(0, &["12 filled in"]);
    // Showing the file marks it as seen.
    door.said("plan show acme/rocket").await.is(0, &["1.0.0"]);
    let planned = door.said("plan show acme/rocket --json").await.out;
    let sum = "d".repeat(64);
    for claim in [
        format!("{{\"state\":\"drifted\",\"sha256\":\"{sum}\"}}"),
        "{\"state\":\"gone\"}".to_owned(),
        "{\"state\":\"too-large\",\"limit\":268435456}".to_owned(),
        "{\"state\":\"otherwise\",\"why\":\"its author let it go\"}".to_owned(),
        "{\"state\":\"no-hash\",\"why\":\"it is no zip\"}".to_owned(),
    ] {
        std::fs::write(&out, claiming(&honest, is_target, |_| claim.clone())).expect("a file");
        for sample in ["", " --sample 0"] {
            let output = door.said(&format!("{merge}{sample}")).await;
            assert_eq!(output.exit, 4, "{claim}: {output}");
            let name = "share.jsonl: acme/rocket 1.0.0 darwin_arm64: the share says: ";
            assert!(
                output.err.contains(name) && output.err.contains("; read again here: h1:"),
                "{claim}: {output}"
            );
            let all = format!("{}{}", output.out, output.err);
            assert!(!all.contains("leave the plan") && !all.contains("DRIFT"), "{claim}: {output}");
        }
        assert_eq!(door.said("plan show acme/rocket --json").await.out, planned, "{claim}");
    }
    // A share that reports everything as bad is refused too.
    std::fs::write(&out, claiming(&honest, |_| true, |_| "{\"state\":\"gone\"}".to_owned())).expect("a file");
    door.said(&merge).await.is(4, &["and 2 more"]);
    assert_eq!(door.said("plan show acme/rocket --json").await.out, planned);
    // A text that is not a checksum is refused, even with characters of several bytes.
    let odd = "{\"state\":\"drifted\",\"sha256\":\"aééééééé\"}";
    std::fs::write(&out, claiming(&honest, is_target, |_| odd.to_owned())).expect("a file");
    door.said(&merge).await.is(4, &["is not a SHA-256"]);
}

/// A confirmed claim is reported in the words of the check.
#[tokio::test(flavor = "multi_thread")]
async fn a_confirmed_claim_of_a_share_counts() {
    let world = format!("{MANY}releases = [{{ tag = \"v1.0.0\", mismatch = [\"darwin_arm64\"] }}]\n");
    let (door, out, merge) = one_share(&world).await;
    let honest = std::fs::read_to_string(&out).expect("a share");
    let sum = "d".repeat(64);
    let forged = claiming(&honest, is_target, |_| format!("{{\"state\":\"drifted\",\"sha256\":\"{sum}\"}}"));
    for text in [&honest, &forged] {
        std::fs::write(&out, text).expect("a file");
        let output = door.said(&merge).await;
        output.is(
            0,
            &["read again here, and as the shares say: 1 target", "DRIFT acme/rocket 1.0.0 darwin_arm64"],
        );
        assert!(!output.out.contains("dddddddd"), "{output}");
        door.said("plan drop --all").await.is(0, &[]);
    }
}

/// A claim that cannot be checked neither removes anything from the plan nor fills anything in.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_that_cannot_be_checked_is_unknown() {
    let (door, out, merge) = one_share(MANY).await;
    let honest = std::fs::read_to_string(&out).expect("a share");
    door.said("backfill run acme/rocket").await.is(0, &["12 filled in"]);
    // Showing the file marks it as seen.
    door.said("plan show acme/rocket").await.is(0, &["1.0.0"]);
    let planned = door.said("plan show acme/rocket --json").await.out;
    let sum = "d".repeat(64);
    for claim in
        [format!("{{\"state\":\"drifted\",\"sha256\":\"{sum}\"}}"), "{\"state\":\"gone\"}".to_owned()]
    {
        std::fs::write(&out, claiming(&honest, is_target, |_| claim.clone())).expect("a file");
        strike(&door, Lane::Asset, "*1.0.0_darwin_arm64*", FaultKind::Status(500), None);
        let output = door.said(&format!("{merge} --sample 0")).await;
        let all = format!("{}{}", output.out, output.err);
        assert!(all.contains("that could not be read again, so it is not believed"), "{claim}: {output}");
        assert!(!all.contains("leave the plan") && !all.contains("DRIFT acme"), "{claim}: {output}");
        assert_eq!(door.said("plan show acme/rocket --json").await.out, planned, "{claim}");
        door.server.edit(|world| world.faults.clear());
    }
}

/// A long text in a share is cut when it is read, and the number of characters left out is shown.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_text_of_a_share_is_cut() {
    stamped!(crate::COMMANDS);
    let (door, out, merge) = one_share(MANY).await;
    let honest = std::fs::read_to_string(&out).expect("a share");
    let long = "x".repeat(5 << 20);
    for (claim, exit) in [
        (format!("{{\"state\":\"failed\",\"why\":\"{long}\"}}"), 5),
        (format!("{{\"state\":\"otherwise\",\"why\":\"{long}\"}}"), 4),
        (format!("{{\"state\":\"no-hash\",\"why\":\"{long}\"}}"), 4),
        (format!("{{\"state\":\"drifted\",\"sha256\":\"{long}\"}}"), 4),
        (format!("{{\"state\":\"filled\",\"h1\":\"{long}\",\"size\":3}}"), 4),
    ] {
        std::fs::write(&out, claiming(&honest, is_target, |_| claim.clone())).expect("a file");
        for form in ["", " --json"] {
            let folder = door.folder.path().join("merged").display().to_string();
            let output = door.said(&format!("{merge} --out {folder}{form}")).await;
            let short = &claim[..40];
            assert_eq!(output.exit, exit, "{short}{form}: {} bytes", output.out.len() + output.err.len());
            assert!(output.out.len() + output.err.len() < 30_000, "{short}{form}");
            assert!(format!("{}{}", output.out, output.err).contains(" more characters)"), "{short}{form}");
        }
    }
}

/// A killed process leaves a temporary file in the user's folder. The next process removes it, but not a file that
/// another process is still writing.
#[tokio::test(flavor = "multi_thread")]
async fn the_next_run_removes_files_of_a_killed_one() {
    let door = Door::on(MANY).await;
    let folder = door.folder.path().join("patches");
    std::fs::create_dir(&folder).expect("a folder");
    let held = std::fs::File::create(folder.join(".bumpdesk-held.tmp")).expect("a file");
    held.lock().expect("a lock");
    let run = format!("backfill run acme/rocket --out {}", folder.display());
    // The second time all patches exist already, and none is written.
    for _ in 0..2 {
        std::fs::write(folder.join(".bumpdesk-a1B2c3.tmp"), "half a patch").expect("a file");
        door.said(&run).await.is(0, &["12 filled in"]);
        let mut there: Vec<_> = std::fs::read_dir(&folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
            .collect();
        there.sort();
        assert_eq!(there, [".bumpdesk-held.tmp", "0001-acme-rocket.patch"]);
    }
    drop(held);
}

/// A share with another h1 of each target, checksums and all.
fn forged(text: &str) -> String {
    let h1 = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    let forge = |row: &Value| {
        let became = &row["became"];
        format!("{{\"state\":{},\"h1\":\"{h1}\",\"size\":{}}}", became["state"], became["size"])
    };
    claiming(text, |_| true, forge)
}

/// A share in which some targets have another result, with matching checksums.
fn claiming(text: &str, is_meant: impl Fn(&Value) -> bool, became: impl Fn(&Value) -> String) -> String {
    let claim = |line: &str| {
        let mut row: Value = serde_json::from_str(line).expect("JSON");
        if row["line"] != "row" || !is_meant(&row) {
            return format!("{line}\n");
        }
        let became = became(&row);
        row["became"] = serde_json::from_str(&became).expect("JSON");
        seal(line, &mut row, &became);
        format!("{row}\n")
    };
    text.lines().map(claim).collect()
}

/// The checksum of a row as a forger would make it: of its item and what became of it, in the program's own order of keys.
fn seal(line: &str, row: &mut Value, became: &str) {
    use sha2::{Digest, Sha256};
    let field = |name: &str| row[name].clone();
    let item = ["address", "version", "target", "url", "shasum", "h1", "size"];
    let parts: Vec<String> = item.iter().map(|name| format!("\"{name}\":{}", field(name))).collect();
    assert!(line.contains(&parts.join(",")), "{line}");
    let text = format!("[{{{}}},{became}]", parts.join(","));
    row["check"] = hex::encode(Sha256::digest(text.as_bytes()))[..16].into();
}
