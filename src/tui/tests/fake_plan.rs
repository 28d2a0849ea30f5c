//! A plan that answers like the jobs do, and a difference with a changed line, for tests.

use std::sync::Arc;

use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, JobId, Outcome, PlanOpened, PlanTask, Summary};
use crate::registry::{Address, Document, Kind};
use crate::rules::diff::Lines;
use crate::rules::plan::{Kept, Marks, Plan, PlannedFile, Remark, made_with};
use crate::rules::{Mode, diff};
use crate::settings::Features;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::tests::{tell, world};

const PLATFORMS: [&str; 6] =
    ["darwin_amd64", "darwin_arm64", "linux_386", "linux_amd64", "linux_arm64", "windows_amd64"];

const ELEVEN: [&str; 11] = [
    "darwin_amd64",
    "darwin_arm64",
    "freebsd_386",
    "freebsd_amd64",
    "freebsd_arm",
    "linux_386",
    "linux_amd64",
    "linux_arm",
    "linux_arm64",
    "windows_386",
    "windows_amd64",
];

fn version(name: &str, sum: &str, odd: &str) -> String {
    version_for(&PLATFORMS, name, sum, odd)
}

/// A provider version with a target for each platform; `odd` names the one target on another host.
fn version_for(platforms: &[&str], name: &str, sum: &str, odd: &str) -> String {
    let target = |(place, platform): (usize, &&str)| {
        let (os, arch) = platform.split_once('_').unwrap();
        let host = if *platform == odd { "releases.example.com" } else { "github.com" };
        let file = format!("terraform-provider-x_{name}_{platform}.zip");
        let sum = format!("{sum}{place}3c464f43ac538c93819427f2fd0a26cf53ad56ab4c1adf44d11fdcbe{place}");
        format!(
            r#"{{"os":"{os}","arch":"{arch}","filename":"{file}","download_url":"https://{host}/o/terraform-provider-x/releases/download/v{name}/{file}","shasum":"{sum}"}}"#
        )
    };
    let targets: Vec<String> = platforms.iter().enumerate().map(target).collect();
    let base =
        format!("https://github.com/o/terraform-provider-x/releases/download/v{name}/x_{name}_SHA256SUMS");
    format!(
        r#"{{"version":"{name}","protocols":["5.0"],"shasums_url":"{base}","shasums_signature_url":"{base}.sig","targets":[{}]}}"#,
        targets.join(",")
    )
}

fn file(versions: &[String]) -> Vec<u8> {
    let text = format!(r#"{{"versions":[{}]}}"#, versions.join(","));
    Document::from_root(Document::parse(text.as_bytes()).unwrap().root().clone()).print()
}

fn kept(address: &str, base: Vec<u8>, proposed: Vec<u8>) -> Kept {
    kept_as(Address::parse(address).unwrap(), base, proposed)
}

fn kept_as(address: Address, base: Vec<u8>, proposed: Vec<u8>) -> Kept {
    Kept {
        address,
        mode: Mode::Add,
        revision: "main@f00f6d5".into(),
        built_at: world::now(),
        made_with: made_with(Features::none()),
        base,
        proposed,
        blocks: Vec::new(),
        remarks: Vec::new(),
    }
}

fn stored(count: u32) -> Vec<String> {
    (0..count).map(|at| version(&format!("3.{}.0", 29 + count - at), "aa", "")).collect()
}

fn added(names: &[&str], odd: &str, stored: &[String]) -> (Vec<u8>, Vec<u8>) {
    let new = names.iter().map(|name| version(name, "b6", odd));
    (file(stored), file(&new.chain(stored.iter().cloned()).collect::<Vec<_>>()))
}

/// A plan that is kept between jobs and changed by them.
#[derive(Default)]
pub(super) struct FakePlan {
    pub(super) files: Vec<(Kept, Marks)>,
}

impl FakePlan {
    /// An additive file, a file with two versions and one different target, and a file that would change
    /// indexed versions.
    pub(super) fn normal() -> Self {
        let one = added(&["1.58.0"], "", &stored(3));
        let two = added(&["3.70.1", "3.70.0"], "linux_arm64", &stored(40));
        let before = [version("3.14.1", "aa", ""), version("3.14.0", "aa", "")];
        let after = [version("3.14.1", "bb", ""), before[1].clone()];
        let module = |names: &[&str]| {
            file(&names.iter().map(|name| format!(r#"{{"version":"{name}"}}"#)).collect::<Vec<_>>())
        };
        let mut newrelic = kept("newrelic/newrelic", two.0, two.1);
        newrelic.remarks.push(Remark {
            severity: "warning".into(),
            rule: "left-out".into(),
            version: Some("3.70.2".into()),
            text: "left out: the release has no SHA256SUMS".into(),
        });
        let files = [
            kept("auth0/auth0", one.0, one.1),
            kept("cloudposse/components/aws", module(&["v1.0.0"]), module(&["v1.1.0", "v1.0.0"])),
            kept("coralogix/coralogix", file(&before), file(&after)),
            newrelic,
        ];
        Self { files: files.into_iter().map(|kept| (kept, Marks::new())).collect() }
    }

    /// A file with so many new versions of eleven platforms; `odd` names a target of each on another host.
    pub(super) fn eleven(count: u32, odd: &str) -> Self {
        let stored = version_for(&ELEVEN, "4.0.0", "aa", "");
        let new = (0..count).rev().map(|at| version_for(&ELEVEN, &format!("5.{at}.0"), "b6", odd));
        let proposed: Vec<String> = new.chain([stored.clone()]).collect();
        Self { files: vec![(kept("acme/eleven", file(&[stored]), file(&proposed)), Marks::new())] }
    }

    /// Many files, one of them large.
    pub(super) fn huge() -> Self {
        let few = added(&["9.0.0"], "", &stored(2));
        let many = added(&["9.1.0", "9.0.0"], "", &stored(400));
        let mut files: Vec<Kept> =
            (0..60).map(|at| kept(&format!("ns{at}/name{at}"), few.0.clone(), few.1.clone())).collect();
        files.push(kept("aaa/large", many.0, many.1));
        Self { files: files.into_iter().map(|kept| (kept, Marks::new())).collect() }
    }

    fn read(&self, at: usize) -> PlannedFile {
        let (kept, marks) = &self.files[at];
        PlannedFile::read(kept, marks, Some(&kept.base), Features::none()).unwrap()
    }

    fn plan(&self) -> Plan {
        Plan::new((0..self.files.len()).map(|at| self.read(at)).collect())
    }

    pub(super) fn find(&self, address: &str) -> PlannedFile {
        let at = self.files.iter().position(|(kept, _)| kept.address.to_string() == address).unwrap();
        self.read(at)
    }

    /// Runs a job of the plan, and returns its events and its outcome.
    pub(super) fn perform(&mut self, task: &PlanTask) -> (Vec<JobEvent>, Outcome) {
        let done = Outcome::Done(Summary::default());
        let has = |address: &Address| self.files.iter().any(|(kept, _)| kept.address == *address);
        match task {
            PlanTask::Open(address) if !has(address) => return (Vec::new(), not_planned()),
            PlanTask::Mark(marks) if !marks.iter().all(|mark| has(&mark.address)) => {
                return (Vec::new(), not_planned());
            }
            PlanTask::Open(address) => {
                let at = self.files.iter().position(|(kept, _)| kept.address == *address).unwrap();
                let file = self.read(at);
                let lines = Arc::new(file.lines(&self.files[at].0, None).unwrap());
                return (vec![JobEvent::PlanOpened(Arc::new(PlanOpened { file, lines }))], done);
            }
            PlanTask::Mark(marks) => {
                let mut files: Vec<usize> = Vec::new();
                for mark in marks {
                    let at = self.files.iter().position(|(kept, _)| kept.address == mark.address).unwrap();
                    match self.read(at).answer(&mark.which, &mark.verb) {
                        Ok(changed) => {
                            self.files[at].1.extend(changed);
                            files.push(at);
                        }
                        Err(refusal) => {
                            return (
                                Vec::new(),
                                Outcome::Failed(failure(FailureKind::Conflict, &refusal.text())),
                            );
                        }
                    }
                }
                files.dedup();
                let file = |at| JobEvent::PlannedFile(Arc::new(self.read(at)));
                return (files.into_iter().map(file).collect(), done);
            }
            PlanTask::Drop(addresses) => self.files.retain(|(kept, _)| !addresses.contains(&kept.address)),
            PlanTask::Add(add) => {
                for (address, _) in &add.files {
                    self.files.retain(|(kept, _)| kept.address != *address);
                    let (base, proposed) = added(&["9.9.9"], "", &stored(2));
                    self.files.push((kept_as(address.clone(), base, proposed), Marks::new()));
                }
            }
            PlanTask::Show | PlanTask::Rebuild { .. } => {}
        }
        (vec![JobEvent::Planned(Arc::new(self.plan()))], done)
    }

    /// Answers all jobs of the plan that were started, and those that follow.
    pub(super) fn answer(&mut self, model: &mut Model, effects: Vec<Effect>) {
        let mut waiting = effects;
        while let Some(effect) = waiting.pop() {
            if let Effect::Start(id, job) = effect {
                waiting.extend(self.answer_one(model, id, &job));
            }
        }
    }

    pub(super) fn answer_one(&mut self, model: &mut Model, id: JobId, job: &Job) -> Vec<Effect> {
        let (events, outcome) = match job {
            Job::Plan(task) => self.perform(task),
            Job::ListJobs { .. } => (vec![JobEvent::PastJobs(Vec::new())], Outcome::Done(Summary::default())),
            Job::ReadLog(_) => (vec![JobEvent::LogRead(Arc::default())], Outcome::Done(Summary::default())),
            _ => return Vec::new(),
        };
        let mut effects: Vec<Effect> = events.into_iter().flat_map(|event| tell(model, id, event)).collect();
        effects.extend(tell(model, id, JobEvent::Ended(outcome)));
        effects
    }
}

/// The outcome for an entry that is not in the plan.
fn not_planned() -> Outcome {
    Outcome::Failed(failure(FailureKind::Usage, "it is not in the plan"))
}

pub(super) fn failure(kind: FailureKind, cause: &str) -> Failure {
    Failure::new(kind, "marking the plan").cause(cause)
}

/// The lines of a version whose only target has another hash.
pub(in crate::tui) fn changed_lines() -> Lines {
    let version = |sum: &str| {
        format!(
            r#"{{"version":"1.0.0","protocols":["5.0"],"targets":[{{"os":"linux","arch":"amd64","filename":"a","download_url":"https://github.com/a/b","shasum":"{sum}"}}]}}"#
        )
    };
    let file = |sum: &str| {
        let text = format!(r#"{{"versions":[{}]}}"#, version(sum));
        Document::from_root(Document::parse(text.as_bytes()).unwrap().root().clone())
    };
    let (old, new) = (file("aa00"), file("bb00"));
    Lines::build(Kind::Provider, &old, &new, &diff::compare(Kind::Provider, &old, &new))
}
