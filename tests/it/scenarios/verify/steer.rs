//! A verification that is told something on its way: to pause, to go on, with how many at once. And its figures meanwhile.
//! Every archive is held at a gate, so that what is under way is what the test lets be under way.

use std::collections::HashMap;

use bumpdesk::surface::jobs::{Job, JobEvent, JobId, Meter, Outcome, Steer, VerifyNews, VerifyPlan};
use bumpdesk::surface::rules::verify::{State, Zip};
use bytes::Bytes;

use super::far::{Gate, Reply};
use super::{far, plan};
use crate::stage::Stage;

const TARGETS: usize = 12;
const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"

[[provider]]
address = "acme/rocket"
stored = ["1.0.0"]
targets = ["darwin_386", "darwin_amd64", "darwin_arm", "darwin_arm64", "linux_386", "linux_amd64", "linux_arm", "linux_arm64", "windows_386", "windows_amd64", "windows_arm", "windows_arm64"]
"#;

/// What a run has said so far.
#[derive(Default)]
struct Heard {
    begun: usize,
    ended: usize,
    /// How far it was.
    progress: Vec<String>,
    /// How many were under way when one was begun, since somebody last looked.
    most_at_once: usize,
    meters: Vec<Meter>,
    outcome: Option<Outcome>,
}

impl Heard {
    async fn until(&mut self, stage: &mut Stage, is_there: impl Fn(&Self) -> bool) {
        while !is_there(self) {
            match stage.hear().await {
                JobEvent::Verify(VerifyNews::Active(_, State::Fetching, 0)) => {
                    self.begun += 1;
                    self.most_at_once = self.most_at_once.max(self.begun - self.ended);
                }
                JobEvent::Verify(VerifyNews::Row(_, row)) if matches!(row.zip, Zip::Hashed(_)) => {
                    assert_eq!(row.state(), State::Ok, "{row:?}");
                    self.ended += 1;
                }
                JobEvent::Verify(VerifyNews::Meter(meter)) => self.meters.push(meter),
                JobEvent::Progress(progress) => self.progress.push(format!("{progress:?}")),
                JobEvent::Ended(outcome) => {
                    self.outcome = Some(outcome);
                    assert!(is_there(self), "it has ended: {} begun, {} ended", self.begun, self.ended);
                }
                _ => {}
            }
        }
    }

    /// Says something, and waits until it was heard and whatever follows from it has begun: only then the figures have the
    /// new number of workers.
    async fn told(&mut self, stage: &mut Stage, id: JobId, is_paused: bool, workers: usize) {
        let before = self.meters.len();
        assert!(self.meters.last().is_some_and(|meter| meter.most_workers != workers));
        stage.steer(id, Steer { is_paused, workers: Some(workers), ..Steer::default() });
        let is_heard = |meter: &Meter| meter.most_workers == workers;
        self.until(stage, |heard| heard.meters[before..].iter().any(is_heard)).await;
    }

    async fn ended(&mut self, stage: &mut Stage, count: usize) {
        self.until(stage, |heard| heard.ended >= count).await;
        assert_eq!(self.ended, count);
    }
}

/// The world behind a gate: its checksums at once, its archives when they are let through. Their sizes together come too.
async fn gated() -> (Stage, Gate, u64) {
    let mut stage = Stage::set(WORLD).await;
    let files: HashMap<String, Bytes> = stage.server.look(|world| {
        let release =
            world.repositories["acme/terraform-provider-rocket"].release("v1.0.0").expect("a release");
        let files = release.assets.iter().map(|asset| (asset.name.to_string(), asset.content.clone()));
        files.map(|(name, content)| (name, content.expect("a content"))).collect()
    });
    let zips = files.iter().filter(|(name, _)| name.contains(".zip"));
    let total = zips.map(|(_, content)| content.len() as u64).sum();
    let gate = Gate::default();
    let of_archives = gate.clone();
    far::put_before(&mut stage, move |line| {
        let path = line.split(' ').nth(1).expect("a path");
        let name = path.rsplit('/').next().expect("a name");
        if name.contains(".zip") {
            of_archives.pass();
        }
        Reply::whole(files[name].clone())
    });
    (stage, gate, total)
}

/// Before the first archive too: the checksums are read, so how far it is counts the archives, none of which is there.
#[tokio::test(flavor = "multi_thread")]
async fn how_far_a_paused_run_is_counts_what_is_left() {
    let (mut stage, gate, _) = gated().await;
    let mut heard = Heard::default();
    let id = stage.start(Job::Verify(VerifyPlan { workers: 3, ..plan(&["acme/rocket"]) }));
    stage.steer(id, Steer { is_paused: true, ..Steer::default() });
    let counts_archives = |told: &String| told.contains("phase: Hashing, done: 0, total: 12,");
    heard.until(&mut stage, |heard| heard.progress.last().is_some_and(counts_archives)).await;
    assert_eq!((heard.begun, gate.came()), (0, 0));
    stage.steer(id, Steer::default());
    gate.let_through(TARGETS);
    heard.until(&mut stage, |heard| heard.outcome.is_some()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pause_resume_and_workers_are_obeyed() {
    let (mut stage, gate, _) = gated().await;
    let mut heard = Heard::default();
    let id = stage.start(Job::Verify(VerifyPlan { workers: 3, ..plan(&["acme/rocket"]) }));
    heard.until(&mut stage, |heard| heard.begun >= 3).await;

    // Paused: more could be at once, and none is begun; what is under way ends.
    heard.told(&mut stage, id, true, 4).await;
    assert_eq!((heard.begun, heard.ended), (3, 0));
    gate.let_through(3);
    heard.ended(&mut stage, 3).await;
    heard.told(&mut stage, id, true, 5).await;
    assert_eq!((heard.begun, heard.ended, gate.came()), (3, 3, 3));

    // On again, with as many as were asked for meanwhile.
    heard.told(&mut stage, id, false, 6).await;
    assert_eq!((heard.begun, heard.ended), (9, 3));

    // Fewer: those under way are let be, and no other is begun before there are fewer.
    heard.told(&mut stage, id, false, 2).await;
    gate.let_through(4);
    heard.ended(&mut stage, 7).await;
    heard.told(&mut stage, id, false, 1).await;
    assert_eq!((heard.begun, heard.ended), (9, 7));
    heard.most_at_once = 0;
    gate.let_through(2);
    heard.until(&mut stage, |heard| heard.begun >= 10).await;
    assert_eq!((heard.ended, heard.most_at_once), (9, 1));
    gate.let_through(1);
    heard.until(&mut stage, |heard| heard.begun >= 11).await;
    assert_eq!((heard.ended, heard.most_at_once), (10, 1));

    // As planned again: nobody says a number.
    stage.steer(id, Steer::default());
    heard.until(&mut stage, |heard| heard.begun >= 12).await;
    assert_eq!((heard.ended, heard.most_at_once), (10, 2));
    gate.let_through(2);
    heard.until(&mut stage, |heard| heard.outcome.is_some()).await;
    assert!(
        matches!(&heard.outcome, Some(Outcome::Done(summary)) if summary.entries == 12 && summary.failed == 0)
    );
    assert_eq!((heard.begun, heard.ended, gate.came()), (TARGETS, TARGETS, TARGETS));
}

/// Targets, bytes and what is left, after each row and at the end.
#[tokio::test(flavor = "multi_thread")]
async fn the_figures_of_a_run_end_at_its_totals() {
    let (mut stage, gate, total) = gated().await;
    let mut heard = Heard::default();
    stage.start(Job::Verify(VerifyPlan { workers: 2, ..plan(&["acme/rocket"]) }));
    for ended in 1..=TARGETS {
        gate.let_through(1);
        heard.ended(&mut stage, ended).await;
        // The figures follow their row.
        let is_counted = |heard: &Heard| heard.meters.last().is_some_and(|it| it.tally.ok == ended as u64);
        heard.until(&mut stage, is_counted).await;
        let meter = heard.meters.last().expect("figures");
        assert_eq!((meter.tally.left, meter.tally.streamed), ((TARGETS - ended) as u64, ended as u64));
        assert!(meter.read_bytes >= meter.tally.bytes && meter.tally.bytes > 0, "{meter:?}");
    }
    heard.until(&mut stage, |heard| heard.outcome.is_some()).await;
    let first = heard.meters.first().expect("figures");
    assert_eq!((first.tally.targets, first.tally.left, first.read_bytes), (12, 12, 0));
    // Nothing is promised before anything was read.
    assert_eq!((first.bytes_per_s.to_bits(), first.left), (0, None));
    for pair in heard.meters.windows(2) {
        let [before, meter] = pair else { unreachable!("windows of two") };
        assert_eq!((meter.tally.targets, meter.total_bytes, meter.most_workers), (12, total, 2), "{meter:?}");
        assert!(meter.tally.left <= before.tally.left && meter.read_bytes >= before.read_bytes, "{pair:?}");
        assert!(meter.read_bytes <= total && meter.workers == 2 && meter.slowed.is_none(), "{meter:?}");
    }
    let last = heard.meters.last().expect("figures");
    assert_eq!((last.tally.ok, last.tally.left, last.tally.streamed), (12, 0, 12));
    assert_eq!((last.read_bytes, last.total_bytes, last.tally.bytes), (total, total, total));
}
