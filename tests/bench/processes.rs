//! Whole commands, measured from outside: start-up, surveys, memory.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use crate::{Data, git, report};

const RUNS: usize = 5;

pub(crate) struct Serving(Child, serde_json::Value);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Serving {
    pub(crate) fn address(&self, name: &str) -> &str {
        self.known(name).expect("an address")
    }

    /// An address that not every world has.
    pub(crate) fn known(&self, name: &str) -> Option<&str> {
        self.1[name].as_str()
    }
}

pub(crate) fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
    command.env_remove("GH_TOKEN").env_remove("GITHUB_TOKEN").stdin(Stdio::null()).stderr(Stdio::null());
    command
}

pub(crate) fn list(registry: &Path, folder: &Path) -> f64 {
    let mut command = binary();
    command.args(["list", "--plain", "--registry"]).arg(registry);
    command.arg("--state-dir").arg(folder.join("state")).arg("--cache-dir").arg(folder.join("cache"));
    let began = Instant::now();
    let status = command.stdout(Stdio::null()).status().expect("the binary runs");
    assert!(status.success());
    began.elapsed().as_secs_f64() * 1e3
}

/// Empties the page cache; only root may, and only on Linux.
pub(crate) fn forget_pages() -> bool {
    let synced = Command::new("sync").status().is_ok_and(|status| status.success());
    synced && std::fs::write("/proc/sys/vm/drop_caches", "3\n").is_ok()
}

/// What a backfill of everything would cost: every data file is read for it, and nobody is asked.
pub(crate) fn estimate(data: &Data) {
    let folder = data.scratch("estimate");
    let figures = (0..RUNS * 2).map(|_| {
        let mut command = binary();
        command.args(["backfill", "plan", "--all", "--no-token", "--registry"]).arg(&data.tree);
        command.arg("--state-dir").arg(folder.join("state")).arg("--cache-dir").arg(folder.join("cache"));
        let began = Instant::now();
        assert!(command.stdout(Stdio::null()).status().expect("the binary runs").success());
        began.elapsed().as_secs_f64() * 1e3
    });
    report("estimate of a backfill of the whole registry", "1000 ms", figures.collect());
}

/// `list`, from nothing, warm, and after a pull.
pub(crate) fn index(data: &Data) {
    let cold = |registry: &Path| {
        (0..RUNS).map(|run| list(registry, &data.scratch(&format!("cold-{run}")))).collect::<Vec<f64>>()
    };
    // Once, so that the page cache is warm.
    list(&data.tree, &data.scratch("first"));
    report("list, index from nothing, work tree", "600 ms", cold(&data.tree));
    report("list, index from nothing, bare clone", "3000 ms", cold(&data.bare));
    let folder = data.scratch("warm");
    list(&data.tree, &folder);
    report(
        "list, warm start, every file looked at",
        "no goal",
        (0..RUNS * 2).map(|_| list(&data.tree, &folder)).collect(),
    );
    let tree = data.tree.to_string_lossy().into_owned();
    let after_pull = (0..RUNS).map(|_| {
        git(&["-C", &tree, "checkout", "--quiet", "HEAD~80"]);
        list(&data.tree, &folder);
        git(&["-C", &tree, "checkout", "--quiet", "-"]);
        list(&data.tree, &folder)
    });
    report("the same after a pull of about 100 files", "no goal", after_pull.collect());
}

pub(crate) fn serve(data: &Data, more: &[&str]) -> Serving {
    serving(binary().args(["demo", "--serve", "--json", "--from"]).arg(&data.bare).args(more))
}

/// An invented world.
pub(crate) fn serve_world(file: &Path) -> Serving {
    serving(binary().args(["demo", "--serve", "--http", "--json", "--world"]).arg(file))
}

fn serving(command: &mut Command) -> Serving {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("the addresses");
    Serving(child, serde_json::from_str(&line).expect("JSON"))
}

/// Wall and CPU seconds of one survey of everything, and its outcome line.
fn surveyed(data: &Data, serving: &Serving, folder: &Path, more: &[&str]) -> (f64, f64, String) {
    let output = folder.join("out");
    let mut command = Command::new("bash");
    command.args(["-c", "TIMEFORMAT='%R %U %S'; time \"$@\" >\"$0\" 2>/dev/null"]).arg(&output);
    command.arg(env!("CARGO_BIN_EXE_bumpdesk")).args([
        "survey",
        "--json",
        "--no-throttle",
        "--max-age",
        "15m",
    ]);
    command.arg("--registry").arg(&data.tree).args(more);
    command.args(["--web-url", serving.address("web"), "--api-url", serving.address("api")]);
    command.args(["--graphql-url", serving.address("graphql"), "--ca-file", serving.address("ca_file")]);
    command.arg("--state-dir").arg(folder.join("state")).arg("--cache-dir").arg(folder.join("cache"));
    let output_of_time = command.env_remove("GH_TOKEN").stdin(Stdio::null()).output().expect("bash runs");
    let text = String::from_utf8_lossy(&output_of_time.stderr).into_owned();
    let figures: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [wall, user, system] = figures[..] else { panic!("no times in {text}") };
    let outcome = std::fs::read_to_string(output).unwrap_or_default();
    (wall, user + system, outcome.lines().last().unwrap_or("").chars().take(400).collect())
}

/// The survey of everything, throttles lifted, the world on the same machine.
pub(crate) fn survey(data: &Data) {
    let serving = serve(data, &[]);
    // The index is there already, as on any day but the first.
    let (mut walls, mut cpus, mut last) = (Vec::new(), Vec::new(), String::new());
    for run in 0..3 {
        let folder = data.scratch(&format!("survey-{run}"));
        list(&data.tree, &folder);
        let (wall, cpu, outcome) = surveyed(data, &serving, &folder, &[]);
        walls.push(wall * 1e3);
        cpus.push(cpu * 1e3);
        last = outcome;
        if run == 2 {
            let (again, _, outcome) = surveyed(data, &serving, &folder, &[]);
            report("the same again within --max-age", "0 requests", vec![again * 1e3]);
            println!("  {outcome}");
        }
    }
    report("survey of everything, wall", "8000 ms", walls);
    report("survey of everything, CPU of our process", "6000 ms", cpus);
    println!("  {last}");
}

/// The same with 50 ms a request.
pub(crate) fn latency(data: &Data) {
    let serving = serve(data, &["--latency-ms", "50"]);
    let folder = data.scratch("latency");
    list(&data.tree, &folder);
    let (wall, _, outcome) = surveyed(data, &serving, &folder, &[]);
    let requests: f64 = outcome
        .split_once("\"requests\":")
        .and_then(|(_, rest)| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok())
        .unwrap_or(0.0);
    let ideal = requests * 50.0 / 60.0;
    report(
        &format!("survey with 50 ms a request, {requests} requests"),
        &format!("1.25 x {ideal:.0} ms"),
        vec![wall * 1e3],
    );
    println!("  ratio to requests x 50 ms / 60: {:.2}", wall * 1e3 / ideal);
}
