//! The survey at the size of the real registry (acceptance 6): requests counted, killed and resumed.
//!
//! The world is derived from the data bundle and served in this process; the survey runs in processes of its own, so that
//! they can be killed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use demo::fault::{Fault, FaultKind, Lane};
use demo::{Options, Server, World};
use sha2::{Digest, Sha256};

use crate::data::data;
use crate::need::need;

const NOW: &str = "2026-11-21T12:00:00Z";
const LATER: &str = "2026-11-21T13:00:00Z";
const KILLS: u64 = 25;
/// Requests that a survey may have under way: 64 on each of the lanes git and feed.
const IN_FLIGHT: u64 = 2 * 64;
/// Facts are kept after a hundred repositories, each of at most two requests.
const BATCH: u64 = 2 * 100;

/// A process that does not outlive its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The server and the registry of one test.
struct Whole {
    registry: PathBuf,
    token: Option<&'static str>,
    server: Server,
    runtime: tokio::runtime::Runtime,
}

impl Whole {
    fn new(world: World, registry: &Path, token: Option<&'static str>) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        let options = Options { record: 0, ..Options::default() };
        let server = runtime.block_on(Server::start(world, options)).expect("the world starts");
        Self { registry: registry.to_owned(), token, server, runtime }
    }

    fn command(&self, state: &Path, now: &str, arguments: &[&str]) -> Command {
        let addresses = self.server.addresses();
        let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
        command.args(["survey", "--json", "--no-throttle", "--now", now]).args(arguments);
        command.arg("--registry").arg(&self.registry);
        command.args([
            "--web-url",
            &addresses.web,
            "--api-url",
            &addresses.api,
            "--graphql-url",
            &addresses.graphql,
        ]);
        command.arg("--state-dir").arg(state.join("state")).arg("--cache-dir").arg(state.join("cache"));
        command.env("HOME", state).env_remove("GH_TOKEN").env_remove("GITHUB_TOKEN");
        command.envs(self.token.map(|token| ("GH_TOKEN", token)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// Runs a survey to its end: its verdicts, and the requests that the world counted.
    fn survey(&self, state: &Path, now: &str, arguments: &[&str]) -> (BTreeSet<String>, Counted) {
        self.server.forget();
        let output = self.command(state, now, arguments).output().expect("the binary runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(
            output.status.success(),
            "the survey ended with {}: {}",
            output.status,
            text.lines().last().unwrap_or("")
        );
        let verdicts =
            text.lines().filter(|line| line.contains("\"type\":\"verdict\"")).map(str::to_owned).collect();
        (verdicts, Counted::of(&self.server))
    }

    /// Requests of a survey from nothing, at the depth `sums`, while these lanes always fail so.
    fn requests_under(&self, lanes: &[Lane], kind: &str) -> u64 {
        let kind = FaultKind::try_from(kind.to_owned()).expect("a kind");
        self.server.edit(|world| world.faults = vec![Fault::new(lanes, kind)]);
        self.server.forget();
        let state = tempfile::tempdir().expect("a folder");
        let output = self.command(state.path(), NOW, &["--depth", "sums"]).output().expect("the binary runs");
        let counts = Counted::of(&self.server);
        eprintln!("  ended with {}: {counts:?}", output.status);
        counts.total
    }

    /// Starts a survey and kills it after so many requests; gives back how many the world counted.
    fn killed_after(&self, state: &Path, requests: u64) -> u64 {
        self.server.forget();
        let mut running =
            Running(self.command(state, NOW, &[]).stdout(Stdio::null()).spawn().expect("starts"));
        while self.server.counts().total() < requests && running.0.try_wait().expect("a process").is_none() {
            std::thread::yield_now();
        }
        running.0.kill().expect("a process");
        running.0.wait().expect("a process");
        self.server.counts().total()
    }

    fn stop(self) {
        self.runtime.block_on(self.server.stop());
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted {
    git: u64,
    feed: u64,
    total: u64,
    not_modified: u64,
}

impl Counted {
    fn of(server: &Server) -> Self {
        let counts = server.counts();
        Self {
            git: counts.of(Lane::Git),
            feed: counts.of(Lane::Feed),
            total: counts.total(),
            not_modified: counts.not_modified,
        }
    }
}

#[test]
fn a_survey_of_everything_is_counted_and_resumed() {
    let data = need!(data());
    stamped!(crate::COMMANDS);
    let files = data.files("HEAD");
    let providers = files.iter().filter(|(path, _)| path.starts_with("providers/")).count() as u64;
    // The hashicorp providers share the repositories of the opentofu ones.
    let twins = files.iter().filter(|(path, _)| path.starts_with("providers/h/hashicorp/")).count() as u64;
    let world = World::derive(data.git_dir(), None).expect("a world");
    let whole = Whole::new(world, data.git_dir(), None);
    let state = tempfile::tempdir().expect("a folder");

    let (verdicts, first) = whole.survey(state.path(), NOW, &[]);
    eprintln!("first survey: {first:?} for {} verdicts", verdicts.len());
    // Three provider and eleven module files lie a folder too deep: the registry's tools skip them.
    assert!(verdicts.len() as u64 >= files.len() as u64 - 14, "{} verdicts", verdicts.len());
    assert!(first.git <= verdicts.len() as u64 - twins, "one git request for each repository: {first:?}");
    assert!(first.feed <= providers - twins, "one feed for each provider repository: {first:?}");
    assert_eq!(first.total, first.git + first.feed, "nothing is missing, so nothing else is asked");

    let (again, second) = whole.survey(state.path(), NOW, &["--max-age", "15m"]);
    assert_eq!((second.total, &again), (0, &verdicts), "facts younger than the limit are not asked again");

    let (later, third) = whole.survey(state.path(), LATER, &["--max-age", "15m"]);
    eprintln!("an hour later: {third:?}");
    assert_eq!(
        (third.git, third.feed),
        (first.git, first.feed),
        "git has no validators and is asked plainly"
    );
    assert_eq!(third.not_modified, first.feed, "every feed came with a validator");
    assert_eq!(later.len(), verdicts.len());

    resumes_after_kills(&whole, &verdicts, first.total);
    whole.stop();
}

/// Kills surveys with SIGKILL, each a random part of the way, then lets one end.
fn resumes_after_kills(whole: &Whole, verdicts: &BTreeSet<String>, undisturbed: u64) {
    let state = tempfile::tempdir().expect("a folder");
    let mut random = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(std::process::id());
    eprintln!("kills are seeded with process id {}", std::process::id());
    let mut total = 0;
    for _ in 0..KILLS {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        total += whole.killed_after(state.path(), random % (undisturbed / KILLS));
    }
    let (resumed, last) = whole.survey(state.path(), NOW, &["--max-age", "15m"]);
    total += last.total;
    eprintln!(
        "{KILLS} kills: {total} requests in all, {undisturbed} undisturbed, {} in the last run",
        last.total
    );
    assert_eq!(&resumed, verdicts, "the verdicts are those of an undisturbed survey");
    assert!(
        total <= undisturbed + KILLS * (IN_FLIGHT + BATCH),
        "{total} requests, {undisturbed} undisturbed"
    );
    assert!(last.total < undisturbed, "what the killed surveys kept was not asked again");
}

/// Repositories of the world whose versions have to be probed, and the missing versions of each.
const LACKING: u64 = 900;
const MISSING: u64 = 2;
/// A missing version is asked for its sums and its manifest, each a redirect and a download.
const PROBE: u64 = 4;
/// Repositories probed at once.
const PROBED_AT_ONCE: u64 = 64;

/// Killed while it probes missing versions, which is where a survey is slow: what was probed is not probed again.
#[test]
fn a_survey_killed_while_it_probes_goes_on() {
    stamped!(crate::COMMANDS);
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    for n in 0..LACKING {
        writeln!(
            text,
            "[[provider]]\naddress = \"acme/p{n}\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n\
             releases = [{{ tag = \"v1.1.0\", published = \"-6h\" }}, {{ tag = \"v1.2.0\", published = \"-5h\" }}]"
        )
        .expect("a text takes all");
    }
    let world = World::parse(&text).expect("a world");
    let folder = tempfile::tempdir().expect("a folder");
    let registry = folder.path().join("registry");
    demo::checkout::write(&world, &registry).expect("the registry is written");
    let whole = Whole::new(world, &registry, Some("ghp_0123456789abcdefghijklmnopqrstuvwxyz"));

    let state = tempfile::tempdir().expect("a folder");
    let (verdicts, undisturbed) = whole.survey(state.path(), NOW, &[]);
    let read = 2 * LACKING;
    assert_eq!(verdicts.len() as u64, LACKING);
    assert!(verdicts.iter().all(|verdict| verdict.contains("\"behind\"")));
    let probes = LACKING * MISSING * PROBE;
    let api = undisturbed.total - read - probes;
    assert!((1..=LACKING * MISSING / 10).contains(&api), "{api} calls of the API: {undisturbed:?}");

    let state = tempfile::tempdir().expect("a folder");
    let mut total = 0;
    // The first kill comes after all tags were read; the others find them kept.
    for after in [read + 2_300, 1_900, 1_700] {
        total += whole.killed_after(state.path(), after);
    }
    let (resumed, last) = whole.survey(state.path(), NOW, &["--max-age", "15m"]);
    total += last.total;
    let risk = (BATCH / 2 + PROBED_AT_ONCE) * MISSING * PROBE + BATCH;
    eprintln!("3 kills while probing: {total} requests in all, {} undisturbed, {last:?}", undisturbed.total);
    assert_eq!(resumed, verdicts, "the verdicts are those of an undisturbed survey");
    assert!(total <= undisturbed.total + 3 * risk, "{total} requests, at most {risk} lost by each kill");
    assert!(last.git <= BATCH / 2, "the tags were kept: {last:?}");
    assert!(last.total < undisturbed.total - read - 1_000, "what was probed was kept: {last:?}");
    whole.stop();
}

/// What a server that is down may cost. By hand, since it surveys everything ten times: `--ignored`.
#[test]
#[ignore = "takes many minutes"]
fn a_survey_of_everything_while_servers_are_down() {
    let data = need!(data());
    let world = World::derive(data.git_dir(), None).expect("a world");
    let whole = Whole::new(world, data.git_dir(), Some("ghp_0123456789abcdefghijklmnopqrstuvwxyz"));
    let undisturbed = whole.requests_under(&[], "reset");
    eprintln!("undisturbed: {undisturbed} requests");
    let mut dear = Vec::new();
    for (host, lanes) in [
        ("GraphQL alone", &[Lane::Graphql][..]),
        ("API and GraphQL", &[Lane::Rest, Lane::Graphql]),
        ("downloads", &[Lane::Object]),
        ("feeds alone", &[Lane::Feed]),
        ("web", &[Lane::Git, Lane::Feed, Lane::Asset]),
    ] {
        for kind in ["reset", "status:503"] {
            let requests = whole.requests_under(lanes, kind);
            // Without GraphQL the API is asked about each repository alone.
            let most = if host == "GraphQL alone" { 2 * undisturbed } else { undisturbed * 11 / 10 + 100 };
            eprintln!("{host}, {kind}: {requests} requests, at most {most}");
            if requests > most {
                dear.push((host, kind, requests, most));
            }
        }
    }
    assert!(dear.is_empty(), "dearer than allowed: {dear:?}");
    whole.stop();
}

/// The number of entries of the real registry that get sizes, and the entries that get a planted fault.
const GIVEN_SIZES: usize = 60;
const PLANTED: usize = 20;

/// A fault of one target that shows without its archive, and words from the finding.
type PlantedFault = (&'static str, fn(&mut serde_json::Value), &'static str);

const FAULTS: [PlantedFault; 4] = [
    ("size 0", |target| target["size"] = 0.into(), "clients from OpenTofu 1.12 on refuse it"),
    (
        "three bytes more",
        |target| target["size"] = (target["size"].as_u64().expect("a size") + 3).into(),
        "clients from OpenTofu 1.12 on refuse it",
    ),
    (
        "a size beyond all",
        |target| target["size"] = (1_u64 << 40).into(),
        "clients from OpenTofu 1.12 on refuse it",
    ),
    (
        "an h1 without its scheme",
        |target| target["h1"] = target["h1"].as_str().expect("an h1").trim_start_matches("h1:").into(),
        "`h1:`",
    ),
];

/// Adds sizes and h1, which the data of that time does not contain. They are computed from the name of the file.
fn give_sizes(text: &[u8]) -> Option<serde_json::Value> {
    let mut entry: serde_json::Value = serde_json::from_slice(text).ok()?;
    let versions = entry["versions"].as_array_mut().filter(|versions| !versions.is_empty())?;
    for version in versions {
        for target in version["targets"].as_array_mut().filter(|targets| !targets.is_empty())? {
            let digest = Sha256::digest(target["filename"].as_str()?);
            target["size"] = (1_000_000 + u64::from(digest[0])).into();
            target["h1"] = format!("h1:{}", STANDARD.encode(digest)).into();
        }
    }
    Some(entry)
}

fn write_entry(root: &Path, path: &str, entry: &serde_json::Value) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, serde_json::to_vec_pretty(entry).expect("JSON")).expect("a file");
}

/// The status and the reason of each entry in a registry, from a survey at depth `sums`.
fn verdicts_of(whole: &mut Whole, registry: &Path) -> BTreeMap<String, (String, String)> {
    registry.clone_into(&mut whole.registry);
    let state = tempfile::tempdir().expect("a folder");
    let output = whole.command(state.path(), NOW, &["--depth", "sums"]).output().expect("the binary runs");
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let objects = lines.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let verdicts = objects.filter(|object| object["type"] == "verdict");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    verdicts
        .map(|verdict| (text(&verdict["address"]), (text(&verdict["status"]), verdict.to_string())))
        .collect()
}

/// Wrong sizes in the data file show when compared with GitHub's releases, and a hash without a scheme shows by
/// itself. Twenty faults in entries of the real registry are found, and none in other entries.
#[test]
fn planted_sizes_are_found_by_a_survey_at_depth_sums() {
    let data = need!(data());
    let is_small =
        |id: &str| data.git(&["cat-file", "-s", id]).trim().parse::<u64>().is_ok_and(|size| size < 30_000);
    let folder = tempfile::tempdir().expect("a folder");
    let (clean, planted) = (folder.path().join("clean"), folder.path().join("planted"));
    for root in [&clean, &planted] {
        std::fs::create_dir_all(root.join("modules")).expect("a folder");
    }
    let mut entries: BTreeMap<String, (String, serde_json::Value)> = BTreeMap::new();
    let files = data.files("HEAD").into_iter().filter(|(path, _)| {
        path.starts_with("providers/")
            && path.split('/').count() == 4
            && !path.starts_with("providers/h/hashicorp/")
    });
    for (path, id) in files.step_by(23) {
        if entries.len() == GIVEN_SIZES {
            break;
        }
        if is_small(&id)
            && let Some(entry) = give_sizes(&data.blobs(&[id.as_str()])[&id])
        {
            write_entry(&clean, &path, &entry);
            let address = path["providers/x/".len()..path.len() - ".json".len()].to_owned();
            entries.insert(address, (path, entry));
        }
    }
    assert_eq!(entries.len(), GIVEN_SIZES);
    let world = World::derive(&clean, None).expect("a world");
    let mut whole = Whole::new(world, &clean, Some("ghp_0123456789abcdefghijklmnopqrstuvwxyz"));
    let before = verdicts_of(&mut whole, &clean);
    entries.retain(|address, _| before.get(address).is_some_and(|(status, _)| status == "current"));
    assert!(entries.len() > GIVEN_SIZES - 10, "{} of them are fine before: {before:?}", entries.len());

    let mut faults = BTreeMap::new();
    for (place, (address, (path, entry))) in entries.iter_mut().enumerate() {
        if place % 2 == 0 && faults.len() < PLANTED {
            let fault = FAULTS[faults.len() % FAULTS.len()];
            // The fault is in the newest or the oldest version, in its first or its last target.
            let versions = entry["versions"].as_array_mut().expect("versions");
            let version = if place % 4 == 0 { versions.first_mut() } else { versions.last_mut() };
            let targets = version.expect("a version")["targets"].as_array_mut().expect("targets");
            let target = if place % 8 < 4 { targets.first_mut() } else { targets.last_mut() };
            fault.1(target.expect("a target"));
            faults.insert(address.clone(), fault);
        }
        write_entry(&planted, path, entry);
    }
    assert_eq!(faults.len(), PLANTED);
    let after = verdicts_of(&mut whole, &planted);
    let mut wrong = Vec::new();
    for address in entries.keys() {
        let (status, verdict) = &after[address];
        let is_right = match faults.get(address) {
            None => status == "current",
            Some((_, _, words)) => status != "current" && verdict.contains(words),
        };
        if !is_right {
            wrong.push(format!("{address}: {:?}: {verdict}", faults.get(address).map(|(name, ..)| name)));
        }
    }
    whole.stop();
    eprintln!("{PLANTED} planted faults, {} entries without one", entries.len() - PLANTED);
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
