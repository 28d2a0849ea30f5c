//! Backfills on GitHub's machines by words.

use std::sync::Arc;

use super::Scene;
use crate::desk::tests::machine_run;
use crate::jobs::data::{ActionsNews, ActionsTask, Job, JobEvent, Outcome, RunShown, Summary};
use crate::rules::actions::{Ending, RunState};
use crate::rules::sending::{ActionsPlan, Purpose};

const DONE: RunState = RunState::Ended(Ending::Success);
const FAILED: RunState = RunState::Ended(Ending::Failure);

fn looks(shown: RunShown) -> JobEvent {
    JobEvent::Actions(ActionsNews::Run(Arc::new(shown)))
}

/// While it runs a line says how far it is; at its end its jobs, the log of what failed, and the words of what comes next.
#[test]
fn a_run_is_read_out_to_its_end() {
    let mut scene = Scene::new(3);
    scene.hear("run");
    assert!(matches!(
        scene.last_job().1,
        Job::Actions(ActionsTask::Look { run: None, follow: true, log_lines: 200 })
    ));
    let said = scene.event(looks(machine_run(RunState::Running, &[("share 1 of 1", RunState::Running)])));
    assert_eq!(said, "RUNNING run 7, attempt 1, by ann: 0 of 1 job is over\n");
    let said = scene.event(looks(machine_run(FAILED, &[("share 1 of 1", FAILED)])));
    for part in [
        "FAILED share 1 of 1\n",
        "kept 2 artifacts",
        "run NUMBER again shows what would run what failed once more",
    ] {
        assert!(said.contains(part), "no `{part}` in {said}");
    }
    let log =
        ActionsNews::Log { job: 1, name: "share 1 of 1".into(), lines: vec!["no room".into()], left_out: 3 };
    let said = scene.event(JobEvent::Actions(log));
    assert!(said.contains("log of share 1 of 1, 3 lines above are left out:\nno room"), "{said}");
    scene.done();
    scene.hear("run 7 again");
    let asked = Purpose::Actions(ActionsPlan::Rerun { run: 7 });
    assert!(matches!(scene.last_job().1, Job::Prepare(other) if *other == asked));
}

/// The results of a run go into the plan after a yes, and their number is read out.
#[test]
fn what_a_run_found_is_merged_after_a_yes() {
    let mut scene = Scene::new(3);
    scene.hear("run 7");
    scene.event(looks(machine_run(DONE, &[("share 1 of 1", DONE)])));
    scene.done();
    let said = scene.hear("run 7 merge");
    assert!(said.contains("this changes the plan: putting together what run 7 found"), "{said}");
    scene.hear("yes");
    assert!(matches!(scene.last_job().1, Job::Actions(ActionsTask::Merge { run: 7, .. })));
    let said = scene.event(JobEvent::Ended(Outcome::Done(Summary { applied: 2, ..Summary::default() })));
    assert!(said.contains("2 files in the plan now"), "{said}");
    for (line, why) in [
        ("run x", "write run with the number of a run"),
        ("run 7 twice", "write run with the number of a run"),
        ("dispatch", "write dispatch with a number of the list"),
        ("dispatch 1 x", "write how many share it, as a number"),
        ("dispatch 1 300", "over 1 to 256 machines"),
        ("dispatch 1 2", "nothing to fill in"),
    ] {
        let said = scene.hear(line);
        assert!(said.contains(why), "{line}: {said}");
    }
}
