//! Jobs that are stopped half-way: what they say of what they did not reach, and what they ask again.

use std::time::Duration;

use bumpdesk::surface::jobs::{Gate, Job, JobEvent, JobId, Outcome, Scope, Summary, SurveyPlan};
use bumpdesk::surface::rules::Depth;
use demo::fault::{Fault, FaultKind, Lane};
use demo::worlds::NEWCOMER;

use crate::stage::Stage;

fn survey(depth: Depth) -> Job {
    let max_age = Duration::from_hours(1);
    Job::Survey(SurveyPlan::new(Scope::Everything, depth, max_age, Gate::Tags))
}

/// What matches never comes, so that no job ends by itself.
fn hold_back(stage: &Stage, lane: Lane, path: &str) {
    let kind = FaultKind::try_from("slow:600s".to_owned()).expect("a kind");
    let mut fault = Fault::new(&[lane], kind);
    fault.path = Some(path.into());
    stage.server.edit(|world| world.faults = vec![fault]);
}

/// Stops a job; how many entries it judged, and what it says of itself.
async fn stopped(stage: &mut Stage, id: JobId) -> (u64, Summary) {
    stage.cancel(id);
    let mut judged = 0;
    loop {
        match stage.hear().await {
            JobEvent::Judged(list) => judged += list.len() as u64,
            JobEvent::Ended(Outcome::Cancelled(summary)) => return (judged, summary),
            JobEvent::Ended(outcome) => panic!("{outcome:?}"),
            _ => {}
        }
    }
}

/// Entries whose turn had not come are not counted as checked.
#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_survey_says_what_it_did_not_reach() {
    stamped!(crate::COMMANDS);
    let mut stage = Stage::set(NEWCOMER).await;
    for (lane, path) in [(Lane::Git, "*info/refs*"), (Lane::Asset, "*SHA256SUMS")] {
        hold_back(&stage, lane, path);
        let id = stage.start(survey(Depth::Sums));
        while stage.server.counts().of(lane) == 0 {
            tokio::task::yield_now().await;
        }
        let (judged, summary) = stopped(&mut stage, id).await;
        assert!(summary.unreached > 0, "{summary:?}");
        assert_eq!(summary.entries, judged + summary.unreached, "{summary:?}");
        assert!(summary.failed >= summary.unreached && summary.failed + summary.broken <= summary.entries);
        let told = serde_json::to_value(&summary).expect("JSON");
        assert_eq!(told["unreached"], summary.unreached, "{told}");
    }
}

/// Verdicts are said while the survey is running, in batches of a screen's rows; what is missing is judged once its release was
/// looked at, and is not called UNKNOWN before.
#[tokio::test(flavor = "multi_thread")]
async fn a_running_survey_says_what_is_known_and_no_more() {
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    let provider = |name: &str, releases: &str| {
        format!(
            "[[provider]]\naddress = \"acme/{name}\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\nreleases = [{releases}]\n"
        )
    };
    text.extend((0..100).map(|number| provider(&format!("quiet{number}"), "")));
    text.extend((0..3).map(|number| provider(&format!("behind{number}"), "\"v1.1.0\"")));
    let mut stage = Stage::set(&text).await;
    hold_back(&stage, Lane::Asset, "*SHA256SUMS");
    let id = stage.start(survey(Depth::Versions));
    // The second stage has begun, and what it looks at never comes.
    while stage.server.counts().of(Lane::Asset) == 0 {
        tokio::task::yield_now().await;
    }
    stage.cancel(id);
    let (mut batches, mut judged) = (Vec::new(), Vec::new());
    let summary = loop {
        match stage.hear().await {
            JobEvent::Judged(list) => {
                batches.push(list.len());
                judged.extend(list);
            }
            JobEvent::Ended(Outcome::Cancelled(summary)) => break summary,
            JobEvent::Ended(outcome) => panic!("{outcome:?}"),
            _ => {}
        }
    };
    assert_eq!(batches, [48, 48, 4]);
    let odd = judged.iter().find(|one| one.verdict.status.name() != "current");
    assert!(odd.is_none(), "{odd:?}");
    assert_eq!((summary.entries, summary.unreached), (103, 3));
}

/// Releases of one repository that is looked at in three slices, the newest first.
const RELEASES: usize = 650;
/// The oldest of the first slice.
const FIRST_SLICE: usize = 350;

/// A slice is kept when it is over, so that whatever stops the next one costs that one alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_slice_that_is_over_is_not_asked_again() {
    stamped!(crate::COMMANDS);
    let releases: Vec<String> = (0..RELEASES).map(|number| format!("\"v1.0.{number}\"")).collect();
    let mut stage = Stage::set(&format!(
        "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/many\"\ntargets = [\"linux_amd64\"]\n\
         stored = [\"0.9.0\"]\nreleases = [{}]\n",
        releases.join(", ")
    ))
    .await;
    // Of the second slice one never comes.
    hold_back(&stage, Lane::Asset, "*/v1.0.200/*SHA256SUMS");
    let id = stage.start(survey(Depth::Versions));
    let of_a_slice = 2 * (RELEASES - FIRST_SLICE) as u64;
    while stage.server.counts().of(Lane::Asset) < of_a_slice + 10 {
        tokio::task::yield_now().await;
    }
    let (judged, summary) = stopped(&mut stage, id).await;
    assert_eq!((judged, summary.entries, summary.unreached), (0, 1, 1));
    stage.server.edit(|world| world.faults.clear());
    // Before `forget`: what the stopped job still had under way is not of the next survey.
    stage.restart();
    stage.server.forget();
    let (verdicts, _) = stage.survey_aged(Depth::Versions, Duration::from_hours(1)).await;
    assert_eq!(verdicts["acme/many"].missing.map(|missing| missing as usize), Some(RELEASES));
    let asked = stage.server.exchanges();
    let is_asked = |number: &usize| asked.iter().any(|one| one.target.contains(&format!("/v1.0.{number}/")));
    assert_eq!((FIRST_SLICE..RELEASES).find(is_asked), None, "the first slice was over");
    assert_eq!((0..FIRST_SLICE).find(|number| !is_asked(number)), None, "the others were not");
    assert_eq!(stage.server.counts().of(Lane::Asset), 2 * FIRST_SLICE as u64);
}
