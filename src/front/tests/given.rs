//! States of a session before an intent: a small registry, a plan, running jobs. Each face gets there by the same events of jobs.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::intent::{Cancel, EntrySelection, Intent, Steered};
use crate::desk::reviews::tests::{open_pull, review};
use crate::front::tests::faces::Face;
use crate::jobs::data::{
    Failure, FailureKind, Job, JobEvent, JobId, Loaded, Opened, Outcome, PlanTask, Summary, WatchPlan,
};
use crate::print::text::tests::verdict;
use crate::registry::{
    Address, Catalog, Document, Entry, ProviderEntry, ProviderVersion, Row, Shape, Target,
};
use crate::rules::Mode;
use crate::rules::memory::{Memory, put_views};
use crate::rules::order::{Group, Sort};
use crate::rules::plan::{Kept, Marks, Plan, PlannedFile, Verb, Which, made_with};
use crate::rules::review::Result as Word;
use crate::rules::view::View;
use crate::settings::Features;

/// A state of the session. If the variant does not say otherwise, the registry and the plan were read, nothing runs, and
/// `acme/rocket` is the only planned file that was looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Given {
    NoRegistry,
    /// The registry is being read.
    Reading,
    /// It could not be read.
    Unreadable,
    Read,
    /// Nothing is planned.
    Empty,
    /// Something was said about `acme/rocket`.
    Answered(Answer),
    /// These entries are marked.
    Marked(&'static [&'static str]),
    Surveying,
    /// The survey was told to stop.
    SurveyStops,
    Verifying,
    Paused,
    VerificationStops,
    /// The open pull requests are reviewed.
    Reviewing,
    /// Pull request 12 is watched.
    Watching,
    /// `acme/satellite` is on its way into the plan.
    Building,
    /// A survey was stopped.
    Stopped,
}

/// The answer about a planned file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Answer {
    Approved,
    Rejected,
    Noted,
}

pub(super) fn now() -> Timestamp {
    "2026-09-22T12:00:00Z".parse().unwrap()
}

pub(super) fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

/// Two providers to work with, one without targets, one with too many, two that are planned besides, and a module.
fn loaded() -> Loaded {
    let row = |text: &str, version_count, target_count, unhashed_targets| {
        Row::new(address(text), Shape { version_count, target_count, unhashed_targets, ..Shape::default() })
    };
    let mut satellite = row("acme/satellite", 2, 4, 0);
    satellite.shape.versions = "1.0.0\n0.9.0".into();
    let rows = vec![
        row("acme/bare", 1, 0, 0),
        row("acme/held", 1, 1, 0),
        row("acme/large", 40, 500, 500),
        row("acme/rocket", 2, 2, 0),
        satellite,
        row("acme/unread", 1, 1, 0),
        row("acme/vpc/aws", 1, 0, 0),
    ];
    Loaded {
        verdicts: vec![verdict(); rows.len()],
        catalog: Arc::new(Catalog::new(rows, Vec::new())),
        revision: "main@f00f6d5".into(),
        name: "registry".into(),
        last_bump: None,
        notices: Vec::new(),
        half_done: Vec::new(),
        has_token: true,
        git_per_second: Some(60.0),
        keeps: true,
        may_write: false,
    }
}

/// An entry with one version that has two targets.
pub(super) fn opened(address: Address) -> Opened {
    let version = ProviderVersion {
        version: "1.0.0".into(),
        targets: vec![Target { h1: Some("h1:x".into()), size: Some(12), ..Target::default() }; 2],
        ..ProviderVersion::default()
    };
    Opened {
        address,
        entry: Entry::Provider(ProviderEntry { versions: vec![version], ..ProviderEntry::default() }),
        verdict: verdict(),
        proposal: None,
        lines: None,
        findings: Vec::new(),
        notices: Vec::new(),
        keys: None,
    }
}

/// A data file with these versions, each with the sum of its archive.
fn file(versions: &[(&str, &str)]) -> Vec<u8> {
    let version = |(name, sum): &(&str, &str)| {
        format!(
            r#"{{"version":"{name}","protocols":["5.0"],"targets":[{{"os":"linux","arch":"amd64","filename":"a","download_url":"https://github.com/a/b","shasum":"{sum}"}}]}}"#
        )
    };
    let versions: Vec<String> = versions.iter().map(version).collect();
    let text = format!(r#"{{"versions":[{}]}}"#, versions.join(","));
    Document::from_root(Document::parse(text.as_bytes()).unwrap().root().clone()).print()
}

fn planned(name: &str, base: &[(&str, &str)], proposed: &[(&str, &str)], said: &[Verb]) -> PlannedFile {
    let kept = Kept {
        address: address(name),
        mode: Mode::Add,
        revision: "main@f00f6d5".into(),
        built_at: now(),
        made_with: made_with(Features::none()),
        base: file(base),
        proposed: file(proposed),
        blocks: Vec::new(),
        remarks: Vec::new(),
    };
    let mut marks = Marks::new();
    let read = |marks: &Marks| PlannedFile::read(&kept, marks, Some(&kept.base), Features::none()).unwrap();
    for verb in said {
        marks.extend(read(&marks).answer(&Which::Whole, verb).unwrap());
    }
    read(&marks)
}

fn plan(given: Given) -> Plan {
    if given == Given::Empty {
        return Plan::new(Vec::new());
    }
    let mut said = vec![Verb::See];
    said.extend(match given {
        Given::Answered(Answer::Approved) => Some(Verb::Approve),
        Given::Answered(Answer::Rejected) => Some(Verb::Reject),
        Given::Answered(Answer::Noted) => Some(Verb::Note("why".into())),
        _ => None,
    });
    let stored = ("1.0.0", "aa");
    let added = [("1.1.0", "bb"), stored];
    Plan::new(vec![
        planned("acme/held", &[stored], &[("1.0.0", "bb")], &[Verb::See]),
        planned("acme/rocket", &[stored], &added, &said),
        planned("acme/unread", &[stored], &added, &[]),
    ])
}

/// Lets a face live through it.
pub(super) fn make(face: &mut dyn Face, given: Given) {
    if given == Given::NoRegistry {
        return;
    }
    let recall = begin(face, Job::Recall);
    let mut memory = Memory::new();
    let view = View { name: "mine".into(), filter: "rocket".into(), sort: Sort::Status, group: Group::None };
    put_views(&mut memory, &[view]);
    face.hear(recall, JobEvent::Recalled(memory));
    face.done(recall);
    // The line mode begins it by itself.
    let load = face.desk().board.loading().map(|job| job.id);
    let load = load.unwrap_or_else(|| begin(face, Job::Load));
    match given {
        Given::Reading => return,
        Given::Unreadable => {
            let failure = Failure::new(FailureKind::Data, "reading the registry").cause("it is broken");
            return face.hear(load, JobEvent::Ended(Outcome::Failed(failure)));
        }
        _ => {}
    }
    face.hear(load, JobEvent::Loaded(Arc::new(loaded())));
    // As if they had been listed before.
    face.hear(load, JobEvent::OpenPulls(Arc::new(vec![open_pull(12)])));
    let same = review(open_pull(12), "providers/a/acme/rocket.json", Word::Same, &[]);
    face.desk().reviews.take(Arc::new(same), now());
    face.done(load);
    let show = begin(face, Job::Plan(PlanTask::Show));
    face.hear(show, JobEvent::Planned(Arc::new(plan(given))));
    face.done(show);
    if let Given::Marked(names) = given {
        let addresses: Vec<Address> = names.iter().map(|name| address(name)).collect();
        face.desk().list.mark_all(&addresses, true);
    }
    let verify = Intent::verify(address("acme/rocket"), None, None);
    match given {
        Given::Surveying => drop(agree(face, &Intent::survey(EntrySelection::Everything))),
        Given::Reviewing => drop(agree(face, &Intent::ListReviews)),
        Given::Watching => {
            let plan = WatchPlan { number: Some(12), once: false };
            agree(face, &Intent::Watch(plan));
        }
        Given::Stopped => {
            let survey = agree(face, &Intent::survey(EntrySelection::Everything));
            face.hear(survey, JobEvent::Ended(Outcome::Cancelled(Summary::default())));
        }
        Given::SurveyStops => {
            agree(face, &Intent::survey(EntrySelection::Everything));
            face.desk().agree(&Intent::Cancel(Cancel::Survey), now()).unwrap();
        }
        Given::Verifying => drop(agree(face, &verify)),
        Given::Paused => {
            agree(face, &verify);
            face.desk().agree(&Intent::Pause(Steered::Verification, true), now()).unwrap();
        }
        Given::VerificationStops => {
            agree(face, &verify);
            face.desk().agree(&Intent::Cancel(Cancel::Verification), now()).unwrap();
        }
        Given::Building => {
            agree(face, &Intent::add(EntrySelection::These(vec![address("acme/satellite")]), 0));
        }
        _ => {}
    }
}

fn begin(face: &mut dyn Face, job: Job) -> JobId {
    face.desk().board.begin(job, now())
}

/// Has the desk begin a job, and gives its id.
fn agree(face: &mut dyn Face, intent: &Intent) -> JobId {
    face.desk().agree(intent, now()).unwrap().start[0].0
}
