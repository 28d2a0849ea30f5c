//! Backfills on GitHub's machines: the world's Actions carry the shares out with the real binary. Dispatched once whatever is cut off,
//! followed, run again where it failed, and put together as an unsharded run would have it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use demo::fault::{Fault, FaultKind, Lane};
use demo::forge::actions::spoil::{How, Spoil};
use demo::machine::Machine;
use demo::{Options, World};
use serde_json::Value;

use super::pull::{sending, writes};
use super::send::{acts, faults, is_no, killed_at, share_folders};
use super::verdict::{failing, sent};
use crate::door::{Door, Output, files_below};
use crate::installing::Served;
use crate::need::{Missing, need};

/// Two providers that lack what a backfill fills in, one of them with a target that has drifted.
pub(crate) const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
[user]
login = "ann"
push = true
[[provider]]
address = "acme/rocket"
targets = ["linux_amd64", "darwin_arm64", "windows_amd64"]
stored = [{ version = "1.1.0", hashes = false }, { version = "1.0.0", hashes = false }]
releases = [{ tag = "v1.0.0", content_seed = 9 }]
[[provider]]
address = "umbrella/portal"
targets = ["linux_amd64", "linux_arm64"]
stored = [{ version = "2.0.0", hashes = false }, { version = "1.0.0", hashes = false }]
"#;
const SOURCE: &str =
    "--git https://example.org/tools/bumpdesk --rev 7c5e1f0a9b3d2c4e6f8071a2b3c4d5e6f7089a1b";
const TALLOW: &str = "backfill dispatch copperkettle/tallow --shards 2";
pub(crate) const ALL: &str = "backfill dispatch acme/rocket umbrella/portal --shards 2";

/// The file that is printed, in a world of its own.
pub(crate) async fn workflow() -> String {
    let said = Door::on(WORLD).await.said(&format!("backfill workflow {SOURCE}")).await;
    assert_eq!(said.exit, 0, "{said}");
    said.out
}

/// The text of a world that has the workflow, and more.
pub(crate) async fn with_workflow(more: &str) -> String {
    format!("{WORLD}\n{more}\n[file]\n\".github/workflows/backfill.yml\" = '''\n{}'''\n", workflow().await)
}

/// On a world that has the workflow and a machine.
pub(crate) async fn on(more: &str) -> Door {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let machine = Some(Machine { program: env!("CARGO_BIN_EXE_bumpdesk").into(), path });
    let door =
        Door::to(&with_workflow(more).await, "registry", Options { machine, ..Options::default() }).await;
    door.looks_often();
    door
}

fn dispatches(door: &Door) -> usize {
    writes(door).iter().filter(|one| one.ends_with("/dispatches")).count()
}

pub(crate) async fn digits(door: &Door, line: &str) -> String {
    let said = door.said(&format!("{line} --dry-run --json")).await;
    assert_eq!((said.exit, failing(&said)), (0, Vec::new()), "{said}");
    sending(&said)["name"].as_str().expect("digits").to_owned()
}

pub(crate) async fn started(door: &Door, line: &str) -> u64 {
    let name = digits(door, line).await;
    let said = door.said(&format!("{line} --confirm {name} --write --json")).await;
    sent(&said)["run"].as_u64().unwrap_or_else(|| panic!("{said}"))
}

pub(crate) fn run(said: &Output) -> Value {
    let mut runs = said.objects().into_iter().filter(|object| object["type"] == "run");
    runs.next_back().unwrap_or_else(|| panic!("{said}"))
}

async fn ended(door: &Door, id: u64) -> (Value, Vec<(String, String)>) {
    let said = door.said(&format!("backfill status --run {id} --follow --json")).await;
    let run = run(&said);
    let job = |one: &Value| (one["name"].as_str().expect("a name").to_owned(), one["state"].to_string());
    let jobs = run["jobs"].as_array().expect("jobs").iter().map(job).collect();
    (run["state"].clone(), jobs)
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read(path).expect("a file"))
    };
    files_below(folder).into_iter().map(read).collect()
}

/// Dispatched, followed, its lost share run again, and merged: byte for byte what one machine makes of all of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_backfill_on_two_machines_from_dispatch_to_merge() {
    stamped!(crate::COMMANDS);
    let door = on("[[actions.fate]]\nname = \"share 2 of 2\"\nends = \"failure\"\nuntil_attempt = 1\n").await;
    let name = digits(&door, ALL).await;
    for (line, exit) in [
        (format!("{ALL} --confirm {name}"), 4),
        (format!("{ALL} --confirm 000000 --write"), 4),
        (format!("{ALL} --confirm {name} --write").replace("--shards 2", "--shards 3"), 4),
    ] {
        door.said(&line).await.is(exit, &[]);
    }
    assert_eq!(writes(&door), [""; 0]);
    let said = door.said(&format!("{ALL} --confirm {name} --write --json")).await;
    let id = sent(&said)["run"].as_u64().unwrap_or_else(|| panic!("{said}"));
    // The same digits are the same run.
    door.said(&format!("{ALL} --confirm {name} --write")).await.is(0, &[&format!("run {id}")]);
    assert_eq!(dispatches(&door), 1);
    let (state, jobs) = ended(&door, id).await;
    assert_eq!(state["ended"], "failure");
    let looked = door.said(&format!("backfill status --run {id} --json")).await;
    let outcome = looked.objects().pop().expect("an outcome");
    assert!(outcome["summary"]["requests"].as_u64() >= Some(3), "the run, its jobs, its artifacts: {looked}");
    let words: Vec<&str> = jobs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(words, ["share 1 of 2", "share 2 of 2", "put together"]);
    assert!(
        jobs[0].1.contains("success") && jobs[1].1.contains("failure") && jobs[2].1.contains("failure"),
        "{jobs:?}"
    );
    let said = door.said(&format!("backfill status --run {id} --log 5 --check")).await;
    said.is(1, &["FAILED", "share 2 of 2", "log of put together", &format!("backfill rerun {id} --dry-run")]);
    door.said(&format!("backfill merge --run {id}"))
        .await
        .is(4, &["share 2 of 2 is missing", "dispatch over more shares"]);
    // Only what failed runs again.
    let again = started(&door, &format!("backfill rerun {id}")).await;
    assert_eq!(again, id);
    let (state, jobs) = ended(&door, id).await;
    assert_eq!(state["ended"], "success", "{jobs:?}");
    let attempts = run(&door.said("backfill status --json").await)["jobs"].clone();
    let attempts = attempts.as_array().expect("jobs").iter().map(|job| job["attempt"].as_u64());
    assert_eq!(attempts.collect::<Vec<_>>(), [Some(1), Some(2), Some(2)]);
    let said = door.said(&format!("backfill rerun {id} --dry-run --json")).await;
    assert_eq!((said.exit, failing(&said)), (4, vec!["run is over".to_owned()]));
    let folder = |name: &str| door.folder.path().join(name);
    let merged = folder("merged");
    let said = door.said(&format!("backfill merge --run {id} --out {}", merged.display())).await;
    said.is(0, &["10 targets", "drifted"]);
    let whole = folder("whole");
    door.said(&format!("backfill run acme/rocket umbrella/portal --out {}", whole.display())).await;
    assert_eq!(contents(&merged), contents(&whole));
    assert_eq!(contents(&merged).len(), 2);
    door.said(&format!("backfill merge --run {id}")).await.is(0, &["in the plan now"]);
    door.is_untouched();
    // No token goes to where logs and artifacts lie, nor to a job.
    let exchanges = door.server.exchanges();
    assert!(exchanges.iter().filter(|one| one.lane == Lane::Object).all(|one| !one.authorized()));
    assert!(exchanges.iter().any(|one| one.target.starts_with("/artifact/")));
}

/// An artifact that was forged, is old, cut off, doubled, gone or no share at all is named with what is wrong and what to do, and
/// nothing is written. Without it the same run is merged.
#[tokio::test(flavor = "multi_thread")]
async fn an_artifact_that_cannot_be_believed_is_refused_by_name() {
    stamped!(crate::COMMANDS);
    let gone = "[[actions.spoil]]\nartifact = \"backfill-share-1\"\nhow = \"expired\"\n";
    let door = on(gone).await;
    let id = started(&door, ALL).await;
    assert_eq!(ended(&door, id).await.0["ended"], "success");
    let out = door.folder.path().join("merged");
    let merge = format!("backfill merge --run {id} --out {}", out.display());
    let said = door.said(&merge).await;
    said.is(4, &["artifact backfill-share-1: GitHub keeps it no longer", "bumpdesk backfill dispatch"]);
    let plan = run(&door.said("backfill status --json").await)["plan"].as_str().expect("a plan").to_owned();
    let edit = |from: &str, to: &str| How::Edit { from: from.to_owned(), to: to.to_owned() };
    let end = "\"line\":\"end\",\"how\":\"done\"";
    for (what, how, told) in [
        ("a row edited", edit("\"h1\":\"h1:", "\"h1\":\"h1:A"), "does not fit its checksum: it was changed"),
        ("of another plan", edit(&plan, &"0".repeat(64)), "it is of the plan 000000000000, not of "),
        (
            "of a machine that had not finished",
            edit(end, &end.replace("done", "lost")),
            "it ends before its share",
        ),
        (
            "of one that stopped",
            edit(end, &end.replace("done", "limit")),
            "it ended at its limit, before its",
        ),
        ("cut off in a line", How::Short(700), "it was cut off in the middle of a line"),
        ("empty", How::Short(0), "it was cut off"),
        ("two of its name", How::Twice, "the run has two of that name"),
        ("the targets of another", How::As("backfill-share-1".into()), "it is share 1 of 2, as artifact "),
        ("cut off on the way", How::CutOff, "its bytes are not those that GitHub says it has"),
        ("of another digest", How::Digest, "its bytes are not those that GitHub says it has"),
        ("two files", How::Crowded, "it is not a zip of one share"),
        ("of another name", How::Renamed("../share-2.jsonl".into()), "it is not a zip of one share"),
        ("no zip", How::Letter, "it is not a zip of one share"),
        ("said to be huge", How::Declares(300_000_000), "it has 300.0 MB, and a share has less"),
        ("a bomb", How::Padded(80 << 20), "it unpacks to more than 200 times its size"),
    ] {
        let spoil = Spoil { artifact: "backfill-share-2".into(), how };
        door.server.edit(|world| world.forge.actions.spoils = vec![spoil]);
        let said = door.said(&merge).await;
        assert_eq!(said.exit, 4, "{what}: {said}");
        let parts =
            ["artifact backfill-share-2: ", told, "nothing was written", "bumpdesk backfill dispatch"];
        for part in parts {
            assert!(said.err.contains(part), "{what}: no `{part}` in {said}");
        }
        let said = door.said(&format!("backfill merge --run {id}")).await;
        assert_eq!(said.exit, 4, "{what}: {said}");
        door.said("plan show").await.is(0, &["the plan is empty"]);
        assert!(!out.exists(), "{what}");
    }
    door.is_untouched();
    // Of several each is named.
    let both = ["backfill-share-1", "backfill-share-2"]
        .map(|name| Spoil { artifact: name.into(), how: How::Letter });
    door.server.edit(|world| world.forge.actions.spoils = both.into());
    door.said(&merge).await.is(4, &["artifact backfill-share-1: ", "artifact backfill-share-2: "]);
    door.server.edit(|world| world.forge.actions.spoils.clear());
    door.said(&merge).await.is(0, &["10 targets"]);
    let whole = door.folder.path().join("whole");
    door.said(&format!("backfill run acme/rocket umbrella/portal --out {}", whole.display())).await;
    assert_eq!(contents(&out), contents(&whole));
}

/// What stands against a dispatch is said with what to do, and nothing is sent.
#[tokio::test(flavor = "multi_thread")]
async fn a_dispatch_needs_its_file_its_commit_and_nobody_else_at_it() {
    let door = Door::on(WORLD).await;
    let said = door.said(&format!("{ALL} --dry-run")).await;
    said.is(
        4,
        &[
            ".github/workflows/backfill.yml is not on main",
            "bumpdesk backfill workflow --git URL --rev COMMIT >.github/workflows/backfill.yml",
        ],
    );
    let door = on("[[actions.fate]]\nname = \"share\"\nends = \"never-starts\"\n").await;
    let id = started(&door, ALL).await;
    let said = door.said(&format!("{ALL} --dry-run --json")).await;
    assert_eq!((said.exit, failing(&said)), (4, vec!["no run of this plan".to_owned()]), "{said}");
    door.said("backfill status").await.is(0, &["QUEUED", &format!("run {id}"), "--follow"]);
    door.server.edit(|world| world.forge.actions.disabled.insert(".github/workflows/backfill.yml".into()));
    let said = door.said("backfill dispatch acme/rocket --shards 1 --dry-run --json").await;
    assert_eq!(failing(&said), ["workflow on the branch"], "{said}");
    // What is in the files here alone, in git's index too or not, no machine finds in the commit; nor that a file is gone.
    let door = on("").await;
    let rocket = "providers/a/acme/rocket.json";
    let path = door.registry.join(rocket);
    let changed = door.read(rocket).replace("linux", "freebsd");
    std::fs::write(&path, changed).expect("a file");
    let told = "providers/a/acme/rocket.json here is not as ";
    door.said(&format!("{ALL} --dry-run"))
        .await
        .is(4, &[told, "commit it and have it merged", "bumpdesk clone"]);
    assert!(
        failing(&door.said("backfill dispatch umbrella/portal --shards 1 --dry-run --json").await).is_empty()
    );
    door.git(&["add", rocket]);
    assert_eq!(failing(&door.said(&format!("{ALL} --dry-run --json")).await), ["commit on GitHub"]);
    door.git(&["rm", "--quiet", "--force", rocket]);
    door.said("backfill dispatch --all --shards 1 --dry-run").await.is(4, &[told]);
    door.git(&["checkout", "--quiet", "HEAD", "--", rocket]);
    // Whoever confirms sees what machines are told, and whose program they build.
    let (said, inputs) =
        (door.said(&format!("{ALL} --dry-run")).await, door.said(&format!("{ALL} --dry-run --json")).await);
    let inputs = sending(&inputs)["requests"][0]["body"]["inputs"].clone();
    let input = |name: &str| inputs[name].as_str().unwrap_or_else(|| panic!("{inputs}")).to_owned();
    let builds = "builds https://example.org/tools/bumpdesk at 7c5e1f0a9b3d2c4e6f8071a2b3c4d5e6f7089a1b";
    said.is(
        0,
        &[
            &input("base"),
            &input("plan"),
            "of: acme/rocket, umbrella/portal",
            "2 shares of 10 targets",
            builds,
        ],
    );
    // A commit of nobody else's.
    let door = on("").await;
    door.put("README.md", b"here alone");
    let said = door.said(&format!("{ALL} --dry-run --json")).await;
    assert_eq!(failing(&said), ["commit on GitHub"], "{said}");
    for (line, gate) in [
        ("backfill dispatch acme/rocket --shards 7 --dry-run --json", "size of the shares"),
        ("backfill rerun 4711 --dry-run --json", ""),
    ] {
        let said = door.said(line).await;
        assert!(failing(&said).iter().any(|name| name == gate) || said.exit == 2, "{line}: {said}");
    }
    assert_eq!(writes(&door), [""; 0]);
}

/// Whatever becomes of the request or of its answer, on servers that name the run and on those that do not: it is started once at most,
/// and what was cut off is found again by its title, or dropped and dispatched anew.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_dispatched_twice() {
    stamped!(crate::COMMANDS);
    for without_details in [false, true] {
        for (what, kind) in faults() {
            let door = on(&format!(
                "[actions]\nwithout_details = {without_details}\n[[actions.fate]]\nname = \"\"\nends = \"success\"\n"
            ))
            .await;
            let name = digits(&door, ALL).await;
            let refused = is_no(&kind);
            let fault = Fault::new(&[Lane::Rest], kind.clone()).on_change(0);
            door.server.edit(|world| world.faults.push(fault));
            let line = format!("{ALL} --confirm {name} --write");
            let first = door.said(&line).await;
            let runs = || door.server.look(|world: &World| world.forge.actions.count());
            let begun = runs();
            assert!(begun <= 1, "{what}");
            if first.exit != 0 {
                let second = door.said(&format!("pr resume {name} --write")).await;
                match (refused, begun) {
                    // It was refused: the same again is the first one.
                    (true, _) => drop(door.said(&line).await),
                    (false, 1) => second.is(0, &[]),
                    // Nobody knows: it is not sent again, and can be dropped.
                    (false, _) => {
                        second.is(4, &["no run of it is listed so far", &format!("pr undo {name}")]);
                        let dropped = door.said(&format!("pr undo {name} --write")).await;
                        dropped.is(4, &["whether it was started is not known", "it is dropped here"]);
                        dropped.is_not(&["nothing of it that is ours exists"]);
                        started(&door, ALL).await;
                    }
                }
            }
            assert_eq!(runs(), 1, "{what}, details {without_details}: {first}");
            door.said("backfill status --check").await.is(0, &["DONE"]);
            door.said("list").await.is_not(&["was cut off"]);
        }
    }
}

/// A failed run starts again exactly once, whatever the server answers and however often it is requested.
#[tokio::test(flavor = "multi_thread")]
async fn a_failed_run_starts_again_once() {
    stamped!(crate::COMMANDS);
    let fate = "[[actions.fate]]\nname = \"\"\nends = \"failure\"\nuntil_attempt = 1\n\
        [[actions.fate]]\nname = \"\"\nends = \"success\"\n";
    for (what, kind) in faults() {
        if matches!(kind, FaultKind::Graphql(_)) {
            continue;
        }
        let door = on(fate).await;
        let id = started(&door, ALL).await;
        assert_eq!(ended(&door, id).await.0["ended"], "failure");
        let line = format!("backfill rerun {id}");
        let name = digits(&door, &line).await;
        door.server.forget();
        let fault = Fault::new(&[Lane::Rest], kind.clone()).on_change(0);
        door.server.edit(|world| world.faults = vec![fault.clone()]);
        let line = format!("{line} --confirm {name} --write");
        let first = door.said(&line).await;
        assert_eq!((first.exit == 0, fault.struck()), (acts(&kind), 1), "{what}: {first}");
        let attempt = run(&door.said(&format!("backfill status --run {id} --json")).await)["attempt"].clone();
        assert_eq!(attempt, if first.exit == 0 { 2 } else { 1 }, "{what}");
        for again in [format!("pr resume {name} --write"), line.clone()] {
            let output = door.said(&again).await;
            assert!([0, 4].contains(&output.exit), "{what}, {again}: {output}");
        }
        let attempt = run(&door.said(&format!("backfill status --run {id} --json")).await)["attempt"].clone();
        assert_eq!(attempt, 2, "{what}");
        door.said("list").await.is_not(&["was cut off"]);
    }
}

/// Killed while a request is out, before and after it took effect: a run that was started is found, one that was not is dropped and
/// started anew, and what failed runs once more and not twice.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_killed_on_its_way_is_started_once() {
    const FATES: &str = "[[actions.fate]]\nname = \"share\"\nends = \"failure\"\nuntil_attempt = 1\n\
        [[actions.fate]]\nname = \"\"\nends = \"success\"\n";
    stamped!(crate::COMMANDS);
    let long = Duration::from_mins(10);
    for (held, begun) in [(FaultKind::Slow(long), 0), (FaultKind::Withhold(long), 1)] {
        let mut door = on(FATES).await;
        share_folders(&mut door);
        let cut = async |line: &str| {
            let name = digits(&door, line).await;
            let fault = Fault::new(&[Lane::Rest], held.clone()).on_change(0);
            door.server.edit(|world| world.faults = vec![fault.clone()]);
            killed_at(&door, &format!("{line} --confirm {name} --write"), &fault).await;
            door.said("jobs").await.is(0, &["CUT OFF"]);
            (name.clone(), door.said(&format!("pr resume {name} --write --json")).await)
        };
        let runs = || door.server.look(|world: &World| world.forge.actions.count());
        let (name, again) = cut(ALL).await;
        assert_eq!(runs(), begun, "{held:?}");
        let id = if begun == 1 {
            sent(&again)["run"].as_u64().unwrap_or_else(|| panic!("{again}"))
        } else {
            again.is(4, &["no run of it is listed so far"]);
            door.said(&format!("pr undo {name} --write")).await.is(4, &[]);
            started(&door, ALL).await
        };
        assert_eq!(runs(), 1, "{held:?}");
        assert_eq!(ended(&door, id).await.0["ended"], "failure");
        let (_, again) = cut(&format!("backfill rerun {id}")).await;
        assert_eq!(again.exit, 0, "{held:?}: {again}");
        assert_eq!(ended(&door, id).await.0["ended"], "success");
        let now = run(&door.said("backfill status --json").await);
        assert_eq!((&now["id"], &now["attempt"]), (&id.into(), &2.into()), "{held:?}");
    }
}

/// The demo's own world: served, it has the workflow and carries its shares out itself.
#[test]
fn the_demo_dispatches_follows_and_merges() {
    stamped!(crate::COMMANDS);
    let world = Served::start(&["--json"]);
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join(".config/bumpdesk");
    std::fs::create_dir_all(&config).expect("a folder");
    std::fs::write(config.join("config.toml"), "[pace]\nwatch-seconds = 0.5\n").expect("a file");
    let said = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
        command.args(line.split(' ')).arg("--no-throttle").current_dir(folder.path()).env_clear();
        command.env("HOME", folder.path()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("GH_TOKEN", "demo");
        for name in ["api", "graphql", "web", "served", "search"] {
            command.env(format!("BUMPDESK_{}_URL", name.to_uppercase()), world.text(name));
        }
        command
            .env("BUMPDESK_REGISTRY", world.text("registry"))
            .env("BUMPDESK_CA_FILE", world.text("ca_file"));
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{line}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let ready = said(&format!("{TALLOW} --dry-run --json"));
    let ready = ready.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object"));
    let sending = ready.into_iter().find(|one| one["type"] == "sending").expect("a sending");
    said(&format!("{TALLOW} --confirm {} --write", sending["name"].as_str().expect("digits")));
    let followed = said("backfill status --follow --check --json");
    let run: Value = serde_json::from_str(
        followed.lines().rfind(|line| line.contains("\"type\":\"run\"")).expect("a run"),
    )
    .expect("an object");
    assert_eq!(run["state"]["ended"], "success", "{run}");
    assert!(said(&format!("backfill merge --run {}", run["id"])).contains("22 targets: 22 filled in"));
}

fn checker(name: &'static str, why: &'static str) -> Result<(), Missing> {
    let is_there = Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    if is_there { Ok(()) } else { Err(Missing { need: name, why }) }
}

/// Those with which others check workflows find nothing in ours, and find what is broken on purpose.
#[tokio::test(flavor = "multi_thread")]
async fn the_workflow_passes_the_checks_of_others() {
    need!(checker("zizmor", "no zizmor on PATH"));
    need!(checker("check-jsonschema", "no check-jsonschema on PATH"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("backfill.yml");
    let check = |text: &str, words: &[&str]| {
        std::fs::write(&path, text).expect("a file");
        let output = Command::new(words[0]).args(&words[1..]).arg(&path).output().expect("it starts");
        let said = [output.stdout, output.stderr].map(|out| String::from_utf8_lossy(&out).into_owned());
        (output.status.success(), said.concat())
    };
    let zizmor = ["zizmor", "--offline", "--no-config", "--min-severity", "low"];
    let schema = ["check-jsonschema", "--builtin-schema", "vendor.github-workflows"];
    let file = workflow().await;
    for words in [&zizmor[..], &schema] {
        let (is_good, said) = check(&file, words);
        assert!(is_good, "{words:?}: {said}");
    }
    for (from, to, words, finding) in [
        ("\"$PLAN\" --max-time", "${{ inputs.plan }} --max-time", &zizmor[..], "template-injection"),
        ("@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0", "@v5", &zizmor, "unpinned-uses"),
        ("timeout-minutes: 60", "timeout-hours: 1", &schema, "timeout-hours"),
    ] {
        let (is_good, said) = check(&file.replace(from, to), words);
        assert!(!is_good && said.contains(finding), "{finding}: {said}");
    }
}
