//! What jobs say, put into words.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::board::Running;
use crate::desk::intent::{Intent, Meant, is_long};
use crate::desk::{Header, Registry, naming};
use crate::jobs::{Failure, Gate, Job, JobEvent, JobId, Loaded, Opened, Outcome, PlanTask, Progress, Writes};
use crate::line::sheet::{Reviewed, Sheet};
use crate::line::state::{LineMode, Numbers, Reply};
use crate::line::{spoken, words};
use crate::print::output::Line;
use crate::print::text;
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::diff::CONTEXT_LINES;
use crate::rules::plan::{Plan, PlannedFile};

/// What a job of the plan is about, for who is told of the plan after it.
enum About {
    /// All of it.
    Plan,
    /// A change of one file.
    File(Address),
    /// One file was looked at.
    Seen(Address),
}

impl About {
    fn of(job: &Job) -> Self {
        match job {
            Job::Plan(PlanTask::Mark(marks)) => match marks.first() {
                Some(mark) if job.writes() <= Writes::Memory => Self::Seen(mark.address.clone()),
                Some(mark) => Self::File(mark.address.clone()),
                None => Self::Plan,
            },
            Job::Plan(PlanTask::Add(add)) => match &add.addresses[..] {
                [one] => Self::File(one.clone()),
                _ => Self::Plan,
            },
            _ => Self::Plan,
        }
    }
}

impl LineMode {
    /// Takes an event of a job in; what no job of ours says is nothing.
    pub(crate) fn told(&mut self, id: JobId, event: JobEvent, now: Timestamp) -> Reply {
        let mut reply = Reply::default();
        let Some(running) = self.desk.board.find(id) else { return reply };
        match event {
            JobEvent::Progress(progress) => {
                let news = self.progress(id, progress);
                reply.lines.extend(news.as_ref().map(spoken::progress));
            }
            JobEvent::Note(note) => reply.say(spoken::now(&note)),
            JobEvent::Recalled(kept) => self.desk.list.recall(kept),
            JobEvent::Loaded(loaded) => self.loaded(&mut reply, Arc::unwrap_or_clone(loaded), now),
            JobEvent::Judged(batch) => {
                self.desk.list.judge(batch);
            }
            JobEvent::Opened(opened) => {
                let is_shown = matches!(&running.job, Job::Open(plan) if plan.rebuild.is_none());
                self.subject = Some(opened.address.clone());
                let lines =
                    if is_shown { text::entry(&self.ui, now, &opened) } else { rebuild(self, &opened) };
                self.read(&mut reply, Sheet::text(lines), now);
            }
            JobEvent::Found(path, finding) => {
                reply.say(text::finding(Line::of(format!("{path}: ")), &finding));
            }
            JobEvent::Planned(plan) => self.planned(&mut reply, id, Arc::unwrap_or_clone(plan), now),
            JobEvent::PlannedFile(file) => self.planned_file_is(&mut reply, id, &file),
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
                self.read(&mut reply, Sheet::text(text::jobs(&self.ui, &jobs, now)), now);
            }
            JobEvent::LogRead(lines) if lines.is_empty() => {
                reply.say(Line::of("the log has nothing of that"));
            }
            JobEvent::LogRead(lines) => {
                self.read(&mut reply, Sheet::text(lines.iter().map(text::log_line).collect()), now);
            }
            JobEvent::Numbered(number) => running.number = Some(number),
            JobEvent::Confirmed(_)
            | JobEvent::Applied(_)
            | JobEvent::Read(..)
            | JobEvent::Inquired(_)
            | JobEvent::Lock(_) => {}
            JobEvent::Verify(news) => self.verify_says(&mut reply, id, news),
            JobEvent::Ended(outcome) => self.ended_with(&mut reply, id, &outcome, now),
        }
        reply
    }

    /// How far a job is, if that is worth a line.
    fn progress(&mut self, id: JobId, progress: Progress) -> Option<Progress> {
        let running = self.desk.board.find(id)?;
        match &running.job {
            // Rows are counted instead: a few large archives would be told one by one.
            Job::Verify(_) => {
                self.steps.entry(id).or_default().keep(progress);
                None
            }
            job if is_long(job) => self.steps.entry(id).or_default().on(progress),
            _ => None,
        }
    }

    fn loaded(&mut self, reply: &mut Reply, loaded: Loaded, now: Timestamp) {
        reply.lines.extend(loaded.notices.iter().map(|notice| Line::of(format!("notice: {notice}"))));
        self.desk.registry = Registry::Loaded(Header {
            name: self.desk.name.clone().unwrap_or_else(|| loaded.name.clone()),
            revision: loaded.revision.clone(),
            last_bump: loaded.last_bump,
            has_token: loaded.has_token,
            keeps: loaded.keeps,
        });
        self.desk.list.now = now;
        self.desk.list.load(loaded);
    }

    /// What a job is about; a read of the plan for another one is about that one's file.
    fn about(&mut self, id: JobId) -> About {
        let of_its_own = || self.desk.board.all().iter().find(|job| job.id == id).map(|job| &job.job);
        self.instead.get(&id).or_else(of_its_own).map_or(About::Plan, About::of)
    }

    /// The plan as it is now: all of it where it was asked for, else the file that changed.
    fn planned(&mut self, reply: &mut Reply, id: JobId, plan: Plan, now: Timestamp) {
        let lines = match self.about(id) {
            About::Seen(_) => None,
            About::File(address) => Some((plan_lines(&plan, Some(&address)), false)),
            About::Plan => Some((plan_lines(&plan, None), true)),
        };
        self.desk.planning.take(plan);
        match lines {
            Some((lines, true)) => {
                self.numbers = Numbers::Plan;
                self.read(reply, Sheet::text(lines), now);
            }
            Some((lines, false)) => reply.lines.extend(lines),
            None => {}
        }
    }

    /// One file of it as it is now. Without the plan around it, it has no number: then the plan is read before it is told.
    fn planned_file_is(&mut self, reply: &mut Reply, id: JobId, file: &PlannedFile) {
        let about = self.about(id);
        let Some(plan) = &mut self.desk.planning.plan else { return };
        plan.put(file.clone());
        if let About::File(address) = about {
            reply.lines.extend(plan_lines(plan, Some(&address)));
        }
    }

    fn ended_with(&mut self, reply: &mut Reply, id: JobId, outcome: &Outcome, now: Timestamp) {
        let Some(mut running) = self.desk.board.end(id) else { return };
        self.steps.remove(&id);
        self.desk.history.keep(&running, outcome, now);
        if matches!(running.job, Job::Verify(_)) {
            self.verified(reply, id, outcome, now);
            return;
        }
        if let Some(job) = self.instead.remove(&id) {
            running.job = job;
        }
        if matches!(running.job, Job::Recall | Job::Remember(_)) {
            let failure = if let Outcome::Failed(failure) = outcome { Some(failure) } else { None };
            let words = self.desk.list.answered(running.id, failure);
            reply
                .lines
                .extend(words.filter(|_| failure.is_none()).map(|words| spoken::done(&words::told(&words))));
        }
        let what = || spoken::slashes(&naming::job(&running.job));
        match outcome {
            Outcome::Failed(failure) => self.failed(reply, &running.job, failure),
            Outcome::Cancelled(_) => {
                reply.say(spoken::done(&format!("{} was cancelled; what was read is kept", what())));
            }
            Outcome::Done(summary) if matches!(running.job, Job::Survey(_)) => {
                reply.lines.extend(spoken::summary(&what(), summary));
            }
            Outcome::Done(summary) if is_long(&running.job) && !summary.limits.is_empty() => {
                reply.lines.extend(summary.limits.iter().map(|limit| Line::of(format!("limit: {limit}"))));
            }
            Outcome::Done(_) => {}
        }
        let done = matches!(outcome, Outcome::Done(_));
        self.go_on(reply, running, done, now);
    }

    fn failed(&mut self, reply: &mut Reply, job: &Job, failure: &Failure) {
        reply.fail(failure);
        if *job == Job::Load && !self.is_loaded() {
            self.desk.registry = Registry::Failed(failure.clone());
        }
    }

    /// Whether every change of a planned file, as the plan is now, was looked at.
    fn is_seen(&self, address: &Address) -> bool {
        let file = self.desk.planning.find(address);
        file.is_some_and(|file| file.pieces.iter().all(|piece| piece.mark.seen))
    }

    /// `24 entries need attention`.
    fn attention(&self) -> String {
        let count = u64::from(self.desk.list.tally.attention());
        format!("{} {} attention", counted(count, "entry"), if count == 1 { "needs" } else { "need" })
    }

    /// What comes after a job.
    fn go_on(&mut self, reply: &mut Reply, running: Running, done: bool, now: Timestamp) {
        match &running.job {
            // Without what was kept the list comes all the same.
            Job::Recall => {
                self.start(reply, Job::Load, now);
                reply.say(spoken::now(&naming::job(&Job::Load)));
            }
            Job::Load if done => {
                if let Registry::Loaded(Header { name, revision, .. }) = &self.desk.registry {
                    // A plain folder has no revision.
                    let registry = format!("{name} {revision}");
                    let count = counted(self.desk.list.verdicts.len(), "entry");
                    reply.say(spoken::done(&format!("read {}, {count}", registry.trim_end())));
                }
                match self.survey_first.take() {
                    Some(depth) => {
                        let meant = Meant::Everything;
                        let first = Intent::Survey { meant, depth, max_age: None, gate: Gate::Tags };
                        self.act(reply, first, now);
                        self.first_survey = self.desk.board.survey().map(|survey| survey.id);
                    }
                    None => self.read_list(reply, now),
                }
            }
            Job::Survey(_) if self.first_survey.take_if(|first| *first == running.id).is_some() => {
                reply.say(Line::of(self.attention()));
                self.read_list(reply, now);
            }
            Job::Survey(_) => reply.say(Line::of(format!("{}; list makes the list anew", self.attention()))),
            Job::Plan(PlanTask::Show | PlanTask::Open(_)) => {}
            Job::Plan(_) if done => self.plan_changed(reply, running.job, now),
            _ => {}
        }
    }

    /// The plan was changed, or looked at.
    fn plan_changed(&mut self, reply: &mut Reply, job: Job, now: Timestamp) {
        let about = About::of(&job);
        if self.desk.planning.plan.is_none() && !matches!(about, About::Plan) {
            let id = self.start(reply, Job::Plan(PlanTask::Show), now);
            self.instead.insert(id, job);
            return;
        }
        match about {
            About::Seen(address) if !self.is_seen(&address) => {
                let address = spoken::address(&address);
                reply.say(Line::of(format!(
                    "{address} is not as it was read out any more; plan show reads what is new"
                )));
            }
            _ => reply.say(spoken::done(&spoken::slashes(&naming::job(&job)))),
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
