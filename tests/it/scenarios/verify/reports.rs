//! Reports: kills at several moments, Ctrl-C, a full disk, and a path that holds something else.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use demo::fault::{Fault, FaultKind, Lane};
use serde_json::Value;

use crate::door::Door;

const TARGETS: usize = 24;
const JOBS: u64 = 2;

fn world() -> String {
    let systems = ["darwin", "freebsd", "linux", "windows", "openbsd", "solaris"];
    let targets =
        systems.iter().flat_map(|os| ["386", "amd64", "arm", "arm64"].map(|arch| format!("\"{os}_{arch}\"")));
    let targets: Vec<String> = targets.collect();
    assert_eq!(targets.len(), TARGETS);
    format!(
        "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/rocket\"\nstored = [\"1.0.0\"]\ntargets = [{}]\n",
        targets.join(", ")
    )
}

/// A process that does not outlive its test.
pub(super) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// Verifies `acme/rocket` into a report.
    pub(super) fn on(door: &Door, report: &Path, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
        command.args(["verify", "acme/rocket", "--no-throttle", "--report"]).arg(report).args(more);
        command.current_dir(door.folder.path()).env_clear().env("HOME", door.folder.path());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs(door.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        Self(command.spawn().expect("it starts"))
    }

    pub(super) fn id(&self) -> u32 {
        self.0.id()
    }

    pub(super) fn is_alive(&mut self) -> bool {
        self.0.try_wait().expect("a process").is_none()
    }

    /// With SIGKILL; it is gone afterwards.
    pub(super) fn kill(&mut self) {
        self.0.kill().expect("a process");
        self.0.wait().expect("a process");
    }
}

fn started(door: &Door, report: &Path) -> Running {
    Running::on(door, report, &["--jobs", "2"])
}

/// The lines of a report that its writer has ended, each of which must be JSON.
pub(super) fn lines(report: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(report).unwrap_or_default();
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    whole_lines(report)
}

/// The whole lines of a report. A process that writes it, or was killed while it did, can leave the last line unfinished: the
/// kernel writes page by page.
pub(super) fn whole_lines(report: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(report).unwrap_or_default();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The targets whose archives a report has, also while it is written.
pub(super) fn hashed(report: &Path) -> BTreeSet<String> {
    let rows =
        whole_lines(report).into_iter().filter(|line| line["line"] == "row" && line["zip"]["is"] == "hashed");
    rows.map(|line| line["target"].as_str().expect("a target").to_owned()).collect()
}

/// How often archives were asked for.
fn zips(door: &Door) -> usize {
    let exchanges = door.server.exchanges();
    exchanges.iter().filter(|one| one.lane == Lane::Object && one.target.contains(".zip")).count()
}

/// One archive never comes, so that no run ends by itself.
fn hold_one_back(door: &Door) {
    let kind = FaultKind::try_from("slow:600s".to_owned()).expect("a kind");
    let mut fault = Fault::new(&[Lane::Object], kind);
    fault.path = Some("*windows_arm64.zip".into());
    door.server.edit(|world| world.faults = vec![fault]);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn kills_and_an_interrupt_lose_nothing_that_was_finished() {
    let door = Door::on(&world()).await;
    let report = door.folder.path().join("report.jsonl");
    hold_one_back(&door);
    for requests in [0, 1, 2, 4, 6, 9, 12] {
        door.server.forget();
        let finished = hashed(&report);
        let mut running = started(&door, &report);
        while door.server.counts().total() < requests {
            assert!(running.is_alive(), "it ended by itself");
            std::thread::yield_now();
        }
        running.kill();
        // Nothing that an earlier run has finished is asked for, or lost.
        let asked = door.server.exchanges();
        let is_asked =
            |target: &String| asked.iter().any(|one| one.target.contains(&format!("_{target}.zip")));
        assert_eq!(finished.iter().find(|target| is_asked(target)), None);
        assert!(finished.is_subset(&hashed(&report)), "{finished:?}");
    }
    let before = hashed(&report);
    assert!(!before.is_empty() && before.len() < TARGETS, "{before:?}");

    // Ctrl-C once some more are done.
    let mut running = started(&door, &report);
    while hashed(&report).len() <= before.len() {
        assert!(running.0.try_wait().expect("a process").is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args(["-INT", &running.0.id().to_string()]).status();
    assert!(sent.expect("there is a `kill`").success());
    assert_eq!(running.0.wait().expect("a process").code(), Some(130));
    let last = lines(&report).pop().expect("a line");
    assert_eq!((&last["line"], &last["how"]), (&"end".into(), &"cancelled".into()), "{last}");
    assert!(last["tally"]["cancelled"].as_u64().expect("a count") > 0, "{last}");

    let before = hashed(&report);
    door.server.edit(|world| world.faults.clear());
    door.server.forget();
    let words = format!("verify acme/rocket --report {}", report.display());
    let said = door.said(&words).await;
    said.is(0, &[&format!("reused from an earlier run: {} archive", before.len()), "24 targets: 24 OK; "]);
    // By name: what was cut off may be recorded late, and be of the run before.
    let asked = door.server.exchanges();
    let is_asked = |target: &&String| asked.iter().any(|one| one.target.contains(&format!("_{target}.zip")));
    assert_eq!(before.iter().find(is_asked), None, "what was finished is not asked for again");
    let all = hashed(&report);
    assert_eq!((all.len(), all.iter().filter(is_asked).count()), (TARGETS, TARGETS - before.len()));
    let last = lines(&report).pop().expect("a line");
    assert_eq!((&last["how"], &last["tally"]["ok"]), (&"done".into(), &TARGETS.into()));
    assert!(JOBS < TARGETS as u64);

    // A question that was answered is asked anew.
    door.server.forget();
    door.said(&words).await.is(0, &["24 targets: 24 OK; "]);
    assert_eq!((zips(&door), lines(&report).len()), (TARGETS, TARGETS + 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_somebody_else_is_left_alone() {
    let door = Door::on(&world()).await;
    let letter = door.folder.path().join("letter.txt");
    for text in ["Dear author", "Dear author,\n\nplease\n", "{\"line\":\"row\"}\n"] {
        std::fs::write(&letter, text).expect("a file");
        let said = door.said(&format!("verify acme/rocket --report {}", letter.display())).await;
        said.is(2, &["it holds something other than a report", "Name another file with --report"]);
        assert_eq!(std::fs::read_to_string(&letter).expect("a file"), text);
    }
    let said = door.said(&format!("verify acme/rocket --report {}", door.folder.path().display())).await;
    said.is(2, &["it is not an ordinary file"]);
    assert_eq!(zips(&door), 0);
}

/// The report of another question may be the work of hours: it is not written over.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_another_question_is_left_alone() {
    let door = Door::on(&world()).await;
    let report = door.folder.path().join("report.jsonl");
    let words = |more: &str| format!("verify acme/rocket {more}--report {}", report.display());
    door.said(&words("--no-download ")).await.is(0, &[]);
    let written = std::fs::read_to_string(&report).expect("a report");
    door.said(&words(""))
        .await
        .is(2, &["it is the report of another question", "Name another file with --report"]);
    assert_eq!(std::fs::read_to_string(&report).expect("a report"), written);
    door.said(&words("--no-download ")).await.is(0, &[]);
    assert_eq!(zips(&door), 0);
}

/// A line that was damaged since costs its own target, once, and that is said.
#[tokio::test(flavor = "multi_thread")]
async fn damaged_lines_are_told_and_made_again() {
    let door = Door::on(&world()).await;
    for (damaged, told) in [(1, "1 line of the report is damaged"), (2, "2 lines of the report are damaged")]
    {
        let report = door.folder.path().join(format!("{damaged}.jsonl"));
        let words = format!("verify acme/rocket --report {}", report.display());
        door.said(&words).await.is(0, &["24 targets: 24 OK; "]);
        let text = std::fs::read_to_string(&report).expect("a report");
        let mut lines: Vec<&str> = text.lines().collect();
        for line in &mut lines[3..3 + damaged] {
            *line = &line[..line.len() / 2];
        }
        std::fs::write(&report, lines.join("\n") + "\n").expect("a report");
        door.server.forget();
        let said = door.said(&words).await;
        let skipped = format!("{told} and skipped: those targets are verified again, the rest is kept");
        said.is(0, &[&skipped, &format!("reused from an earlier run: {} archives", TARGETS - damaged)]);
        assert_eq!(zips(&door), damaged);
        // Then it is answered, and asked anew.
        door.server.forget();
        door.said(&words).await.is_not(&["damaged", "reused"]);
        assert_eq!(zips(&door), TARGETS);
    }
}

/// The disk is full after a few rows; with room again the same command goes on.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_finds_no_room() {
    let door = Door::on(&world()).await;
    let report = door.folder.path().join("report.jsonl");
    let path = report.display().to_string();
    let words = ["verify", "acme/rocket", "--jobs", "1", "--report", &path];
    let said = door.shell("trap '' XFSZ; ulimit -f 8", &words);
    said.is(5, &["writing the report", "then the same command continues"]);
    let before = hashed(&report);
    assert!(!before.is_empty() && before.len() < TARGETS, "{before:?}");
    door.server.forget();
    door.shell(":", &words).is(0, &["24 targets: 24 OK; "]);
    assert_eq!(zips(&door), TARGETS - before.len());
    assert_eq!(lines(&report).pop().expect("a line")["how"], "done");
}
