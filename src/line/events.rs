//! What jobs say, put into words.

use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::{Gate, Job, JobEvent, JobId, Loaded, Opened, Outcome, PlanTask, Scope, SurveyPlan};
use crate::line::listing::Listing;
use crate::line::sheet::{Reviewed, Sheet};
use crate::line::spoken;
use crate::line::state::{LineMode, Numbers, Reply};
use crate::line::work::{Doing, Running};
use crate::print::output::Line;
use crate::print::text;
use crate::registry::Address;
use crate::rules::diff::CONTEXT_LINES;
use crate::rules::memory;
use crate::rules::plan::{Plan, PlannedFile};

impl LineMode {
    /// Takes an event of a job in; what no job of ours says is nothing.
    pub(crate) fn told(&mut self, id: JobId, event: JobEvent, now: Timestamp) -> Reply {
        let mut reply = Reply::default();
        let Some(doing) = self.work.find(id).map(|running| running.doing.clone()) else { return reply };
        match event {
            JobEvent::Progress(progress) => {
                let news = self.work.progress(id, progress);
                reply.lines.extend(news.as_ref().map(spoken::progress));
            }
            JobEvent::Note(note) => reply.say(spoken::now(&note)),
            JobEvent::Recalled(kept) => (self.views, self.memory) = (memory::views(&kept), kept),
            JobEvent::Loaded(loaded) => self.loaded(&mut reply, Arc::unwrap_or_clone(loaded), now),
            JobEvent::Judged(batch) => {
                if let Some(listing) = &mut self.listing {
                    listing.list.judge(batch);
                }
            }
            JobEvent::Opened(opened) => {
                self.subject = Some(opened.address.clone());
                let is_shown = doing == Doing::Show;
                let lines =
                    if is_shown { text::entry(&self.ui, now, &opened) } else { rebuild(self, &opened) };
                self.read(&mut reply, Sheet::text(lines), now);
            }
            JobEvent::Found(path, finding) => {
                reply.say(text::finding(Line::of(format!("{path}: ")), &finding));
            }
            JobEvent::Planned(plan) => self.planned(&mut reply, &doing, &plan, now),
            JobEvent::PlannedFile(file) => self.planned_file_is(&mut reply, &doing, &file),
            JobEvent::PlanOpened(opened) => {
                let mut lines = text::planned(&self.ui, &opened.file);
                let patch = opened.lines.unified(&opened.file.path, CONTEXT_LINES);
                lines.extend(patch.lines().map(Line::of));
                self.read(&mut reply, Sheet::review(lines, Reviewed::of(&opened.file)), now);
            }
            JobEvent::PastJobs(jobs) if jobs.is_empty() => {
                reply.say(Line::of("no job was started yet; survey all is the usual first one"));
            }
            JobEvent::PastJobs(jobs) => {
                self.read(&mut reply, Sheet::text(text::past_jobs(&self.ui, &jobs, now)), now);
            }
            JobEvent::LogRead(lines) if lines.is_empty() => {
                reply.say(Line::of("the log has nothing of that"));
            }
            JobEvent::LogRead(lines) => {
                self.read(&mut reply, Sheet::text(lines.iter().map(text::log_line).collect()), now);
            }
            JobEvent::Numbered(_)
            | JobEvent::Confirmed(_)
            | JobEvent::Applied(_)
            | JobEvent::Read(..)
            | JobEvent::Inquired(_)
            | JobEvent::Lock(_) => {}
            JobEvent::Verify(news) => self.verify_says(&mut reply, id, news),
            JobEvent::Ended(outcome) => self.ended_with(&mut reply, id, &outcome, now),
        }
        reply
    }

    fn loaded(&mut self, reply: &mut Reply, loaded: Loaded, now: Timestamp) {
        reply.lines.extend(loaded.notices.iter().map(|notice| Line::of(format!("notice: {notice}"))));
        match &mut self.listing {
            Some(listing) => listing.renew(loaded, now),
            None => {
                self.listing =
                    Some(Listing::new(loaded, self.name.take(), std::mem::take(&mut self.memory), now));
            }
        }
    }

    /// The plan as it is now: all of it where it was asked for, else the file that changed.
    fn planned(&mut self, reply: &mut Reply, doing: &Doing, plan: &Arc<Plan>, now: Timestamp) {
        self.plan = Some(plan.clone());
        if matches!(doing, Doing::See(_)) {
            return;
        }
        if let Doing::PlanChange(Some(address)) = doing {
            reply.lines.extend(plan_lines(plan, Some(address)));
            return;
        }
        self.numbers = Numbers::Plan;
        self.read(reply, Sheet::text(plan_lines(plan, None)), now);
    }

    /// One file of it as it is now. Without the plan around it, it has no number: then the plan is read before it is told.
    fn planned_file_is(&mut self, reply: &mut Reply, doing: &Doing, file: &PlannedFile) {
        let Some(plan) = &mut self.plan else { return };
        Arc::make_mut(plan).put(file.clone());
        if let Doing::PlanChange(Some(address)) = doing {
            reply.lines.extend(plan_lines(plan, Some(address)));
        }
    }

    fn ended_with(&mut self, reply: &mut Reply, id: JobId, outcome: &Outcome, now: Timestamp) {
        let Some(running) = self.work.take(id) else { return };
        if running.doing == Doing::Verify {
            self.verified(reply, &running.what, outcome, now);
            return;
        }
        match outcome {
            Outcome::Failed(failure) => reply.fail(failure),
            Outcome::Cancelled(_) => {
                reply.say(spoken::done(&format!("{} was cancelled; what was read is kept", running.what)));
            }
            Outcome::Done(summary) if matches!(running.doing, Doing::Survey | Doing::FirstSurvey) => {
                reply.lines.extend(spoken::summary(&running.what, summary));
            }
            Outcome::Done(summary) if running.doing.is_long() && !summary.limits.is_empty() => {
                reply.lines.extend(summary.limits.iter().map(|limit| Line::of(format!("limit: {limit}"))));
            }
            Outcome::Done(_) => {}
        }
        let done = matches!(outcome, Outcome::Done(_));
        self.go_on(reply, &running, done, now);
    }

    /// Whether every change of a planned file, as the plan is now, was looked at.
    fn is_seen(&self, address: &Address) -> bool {
        let file = self.plan.as_ref().and_then(|plan| plan.find(address));
        file.is_some_and(|file| file.pieces.iter().all(|piece| piece.mark.seen))
    }

    /// What comes after a job.
    fn go_on(&mut self, reply: &mut Reply, running: &Running, done: bool, now: Timestamp) {
        match &running.doing {
            // Without what was kept the list comes all the same.
            Doing::Recall => {
                self.start(reply, Job::Load, Doing::Load, "reading the registry".into());
            }
            Doing::Load if done => {
                if let Some(listing) = &self.listing {
                    reply.say(spoken::done(&format!("read {}, {}", listing.registry(), listing.count())));
                }
                match self.survey_first.take() {
                    Some(depth) => {
                        let plan = SurveyPlan {
                            scope: Scope::Everything,
                            depth,
                            max_age: std::time::Duration::ZERO,
                            gate: Gate::Tags,
                        };
                        self.start(
                            reply,
                            Job::Survey(plan),
                            Doing::FirstSurvey,
                            "survey of everything".into(),
                        );
                    }
                    None => self.read_list(reply, now),
                }
            }
            Doing::FirstSurvey => {
                if let Some(listing) = &self.listing {
                    reply.say(Line::of(listing.attention()));
                }
                self.read_list(reply, now);
            }
            Doing::Survey => {
                if let Some(listing) = &self.listing {
                    reply.say(Line::of(format!("{}; list makes the list anew", listing.attention())));
                }
            }
            doing @ (Doing::PlanChange(Some(_)) | Doing::See(_)) if done && self.plan.is_none() => {
                let id = self.work.add(doing.clone(), running.what.clone());
                reply.start.push((id, Job::Plan(PlanTask::Show)));
            }
            Doing::See(address) if done && !self.is_seen(address) => {
                let address = spoken::address(address);
                reply.say(Line::of(format!(
                    "{address} is not as it was read out any more; plan show reads what is new"
                )));
            }
            Doing::PlanChange(_) | Doing::See(_) | Doing::KeepViews if done => {
                reply.say(spoken::done(&running.what));
            }
            _ => {}
        }
    }
}

/// The lines about a proposed rebuild, or why there is none.
fn rebuild(mode: &LineMode, opened: &Opened) -> Vec<Line> {
    if let Some(proposal) = &opened.proposal {
        return text::proposal(&mode.ui, proposal, &opened.verdict);
    }
    let why = &opened.verdict.because.text;
    let mut lines = vec![Line::of(format!("{}: nothing is proposed, {why}", opened.address))];
    let findings = opened.findings.iter().chain(&opened.verdict.findings);
    lines.extend(findings.map(|finding| text::finding(Line::of("finding: "), finding)));
    lines
}

/// The head of the plan and its files, numbered, or one of them.
fn plan_lines(plan: &Plan, only: Option<&Address>) -> Vec<Line> {
    if plan.is_empty() {
        return vec![Line::of("the plan is empty; plan add N puts an entry of the list into it")];
    }
    let mut lines = vec![text::plan_head(plan)];
    let files =
        plan.files.iter().enumerate().filter(|(_, file)| only.is_none_or(|only| file.address == *only));
    lines.extend(files.flat_map(|(at, file)| spoken::planned(at + 1, file)));
    lines
}
