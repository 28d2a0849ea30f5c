//! Replay (acceptance 2): every change that the registry's own tool made to an existing file, made again by our binary.
//!
//! Each change is a before and an after. The world that the "after" implies is served by another process; the bump runs on
//! the "before"; its bytes must be the "after". Changes of one file stand in rounds of their own, oldest first, and the
//! hashicorp twins of opentofu repositories apart from them, since the two files change in different commits.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::data::{Change, Data, data};
use crate::need::need;

/// Kills its process when dropped.
struct Serving(Child, serde_json::Value);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(folder: &Path) -> Serving {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bumpdesk"))
        .args(["demo", "--serve", "--json", "--http", "--from"])
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("piped");
    BufReader::new(stdout).read_line(&mut line).expect("the addresses are printed");
    let addresses = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    Serving(child, addresses)
}

fn write_all(root: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for folder in ["providers", "modules"] {
        std::fs::create_dir_all(root.join(folder)).expect("a folder");
    }
    for (path, bytes) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }
}

/// Bumps `before` against the world of `after`, and gives the bytes of every file then.
fn bump(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder");
    let (world, registry) = (folder.path().join("world"), folder.path().join("registry"));
    write_all(&world, after);
    write_all(&registry, before);
    let serving = serve(&world);
    let address =
        |name: &str| serving.1[name].as_str().unwrap_or_else(|| panic!("{name} in {}", serving.1)).to_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
    command.args(["bump", "--json", "--no-throttle", "--no-token"]).stdin(Stdio::null());
    for feature in ["target-hashes", "discovered-timestamps", "versions-errors", "module-commits"] {
        command.arg("--feature").arg(format!("{feature}=off"));
    }
    for name in ["web", "api", "graphql"] {
        command.arg(format!("--{name}-url")).arg(address(name));
    }
    command.arg("--registry").arg(&registry);
    command
        .arg("--state-dir")
        .arg(folder.path().join("state"))
        .arg("--cache-dir")
        .arg(folder.path().join("cache"));
    let output = command.output().expect("the binary runs");
    assert!(
        output.status.success(),
        "bump ended with {}: {}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    before.keys().map(|path| (path.clone(), std::fs::read(registry.join(path)).expect("a file"))).collect()
}

fn rounds(changes: Vec<Change>) -> Vec<Vec<Change>> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut rounds: BTreeMap<(bool, usize), Vec<Change>> = BTreeMap::new();
    for change in changes {
        let nth = seen.entry(change.path.clone()).or_default();
        let is_twin = change.path.starts_with("providers/h/hashicorp/");
        rounds.entry((is_twin, *nth)).or_default().push(change);
        *nth += 1;
    }
    rounds.into_values().collect()
}

fn contents(data: &Data, round: &[Change]) -> (BTreeMap<String, Vec<u8>>, BTreeMap<String, Vec<u8>>) {
    let mut ids: Vec<&str> =
        round.iter().flat_map(|change| [change.before.as_str(), change.after.as_str()]).collect();
    ids.sort_unstable();
    ids.dedup();
    let blobs = data.blobs(&ids);
    let before = round.iter().map(|change| (change.path.clone(), blobs[&change.before].clone())).collect();
    let after = round.iter().map(|change| (change.path.clone(), blobs[&change.after].clone())).collect();
    (before, after)
}

#[test]
fn every_change_of_the_history_is_reproduced() {
    let data = need!(data());
    stamped!(crate::COMMANDS);
    let changes = data.changes();
    assert_eq!(changes.len(), 832, "changes of existing files in the bundle");
    let (mut same, mut other) = (0, Vec::new());
    for round in rounds(changes) {
        let (before, after) = contents(&data, &round);
        let written = bump(&before, &after);
        for (path, bytes) in &after {
            if written[path] == *bytes {
                same += 1;
            } else {
                other.push(path.clone());
            }
        }
    }
    eprintln!("{same} of 832 changes reproduced byte for byte");
    assert_eq!((same, other), (832, Vec::new()));
}

#[test]
fn one_changed_digit_in_the_sums_is_seen() {
    let data = need!(data());
    let round: Vec<Change> =
        data.changes().into_iter().filter(|change| change.path.starts_with("providers/a/")).take(3).collect();
    let (before, after) = contents(&data, &round);
    assert!(bump(&before, &after) == after, "the untouched world reproduces the files");
    let path = after.keys().next().expect("a provider").clone();
    let mut text = String::from_utf8(after[&path].clone()).expect("UTF-8");
    let old = String::from_utf8(before[&path].clone()).expect("UTF-8");
    // A sum that only the new version has.
    let sums: Vec<usize> = text.match_indices("\"shasum\": \"").map(|(at, found)| at + found.len()).collect();
    let at = *sums.iter().find(|at| !old.contains(&text[**at..**at + 64])).expect("a new target");
    let digit = if text[at..].starts_with('0') { "1" } else { "0" };
    text.replace_range(at..=at, digit);
    let mut world = after.clone();
    world.insert(path.clone(), text.into_bytes());
    let written = bump(&before, &world);
    let different: Vec<&String> = after.keys().filter(|path| written[*path] != after[*path]).collect();
    assert_eq!(different, [&path], "exactly the file with the changed digit differs");
}
