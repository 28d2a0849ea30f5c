//! Events of jobs, put into words.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::board::Running;
use crate::desk::filling::FillNews;
use crate::desk::hear::{Changed, Ended};
use crate::desk::intent::{EntrySelection, Intent};
use crate::desk::telling::job::unasked;
use crate::desk::telling::watch::NONE_OPEN;
use crate::desk::telling::{backfill, review};
use crate::desk::{Header, Registry};
use crate::jobs::data::{
    ActionsTask, Gate, Job, JobEvent, JobId, Opened, Outcome, PlanTask, Progress, TriageAnswer, Triaged,
    Writes,
};
use crate::line::sheet::{Reviewed, Sheet};
use crate::line::state::{LineMode, Numbers, Reply};
use crate::line::{spoken, words};
use crate::print::output::Line;
use crate::print::text;
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::diff::CONTEXT_LINES;
use crate::rules::plan::Plan;
use crate::rules::policy;
use crate::rules::triage::Rung;

/// The subject of a job of the plan: it decides which part of the plan is read out afterwards.
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
            Job::Plan(PlanTask::Add(add)) => match &add.files[..] {
                [(one, _)] => Self::File(one.clone()),
                _ => Self::Plan,
            },
            _ => Self::Plan,
        }
    }
}

impl LineMode {
    /// Takes an event of a job and replies with its changes; an event of an unknown job has none.
    pub(crate) fn take_event(&mut self, id: JobId, event: JobEvent, now: Timestamp) -> Reply {
        let mut reply = Reply::default();
        match self.desk.hear(id, event, now) {
            Changed::Nothing
            | Changed::Header { .. }
            | Changed::Verdicts { .. }
            | Changed::Read(..)
            | Changed::Reviews
            | Changed::Estimated
            | Changed::Memory => {}
            Changed::Progress(progress) => {
                let news = self.progress(id, progress);
                reply.lines.extend(news.as_ref().map(spoken::progress));
            }
            Changed::Note(note) => reply.say(spoken::now(&words::in_words(&note))),
            Changed::Registry { notices, .. } => {
                reply.lines.extend(notices.iter().map(|notice| Line::of(format!("notice: {notice}"))));
                self.earlier(&mut reply);
            }
            Changed::Opened(opened) => {
                self.opened = Some(Arc::clone(&opened));
                let is_build =
                    self.desk.board.find(id).is_some_and(
                        |running| matches!(&running.job, Job::Open(plan) if plan.rebuild.is_some()),
                    );
                let lines = if is_build {
                    rebuild(self, &opened)
                } else {
                    text::entry(&self.ui, now, &opened, words::name_of_step)
                };
                self.read(&mut reply, Sheet::text(lines), now);
            }
            Changed::Found(path, finding) => {
                reply.say(text::finding(Line::of(format!("{path}: ")), &finding));
            }
            Changed::Plan => self.planned(&mut reply, id, now),
            Changed::PlannedFile => self.planned_file_is(&mut reply, id),
            Changed::PlanOpened { opened, .. } => {
                let mut lines = text::planned(&self.ui, &opened.file);
                let patch = opened.lines.unified(&opened.file.path, CONTEXT_LINES);
                lines.extend(patch.lines().map(Line::of));
                self.read(&mut reply, Sheet::review(lines, Reviewed::of(&opened.file)), now);
            }
            Changed::Journal => match self.desk.history.journal.as_deref() {
                None | Some([]) => {
                    reply.say(Line::of("no job has been started yet; survey all is the usual first one"));
                }
                Some(jobs) => {
                    let lines = text::jobs(&self.ui, jobs, now, false);
                    self.read(&mut reply, Sheet::text(lines), now);
                }
            },
            Changed::Log(lines) if lines.is_empty() => {
                reply.say(Line::of("the log has no such lines"));
            }
            Changed::Log(lines) => {
                self.read(&mut reply, Sheet::text(lines.iter().map(text::log_line).collect()), now);
            }
            Changed::Replied(replied) => {
                reply.lines.extend(replied.markdown.lines().map(Line::of));
                reply.say(Line::of(policy::REFUSED));
            }
            Changed::Activity => self.say_activity(&mut reply, now),
            Changed::Stranded => self.tell_stranded(&mut reply, now),
            Changed::Triaged(triaged) => self.triaged(&mut reply, &triaged, now),
            Changed::Reviewed(review) => {
                let request = self.lines_request.take_if(|(number, _)| *number == review.pull.number);
                let lines = request.and_then(|(number, against)| {
                    Some(text::differences(self.desk.reviews.differences(number)?, against))
                });
                if let Some(lines) = lines {
                    self.read(&mut reply, Sheet::text(lines), now);
                    return reply;
                }
                self.read(&mut reply, Sheet::text(text::reviewed(&self.ui, &review, None)), now);
            }
            Changed::Run(shown) => self.run_stands(&mut reply, &shown),
            Changed::RunLog { log, .. } => self.run_log(&mut reply, &log, now),
            Changed::Prepared { disarmed } => self.prepared(&mut reply, disarmed),
            Changed::Sending => self.sent(&mut reply),
            Changed::Armed(answer) => self.armed(&mut reply, &answer, now),
            Changed::Backfill(news) => self.backfill_says(&mut reply, &news),
            Changed::Verification(news) => self.verify_says(&mut reply, news),
            Changed::Ended(ended) => self.ended_with(&mut reply, *ended, now),
        }
        reply
    }

    /// Reports each target that could not be filled in, as it is found, and the files that were written.
    fn backfill_says(&self, reply: &mut Reply, news: &FillNews) {
        let Some(filling) = &self.desk.filling else { return };
        match news {
            FillNews::Bad(place) => {
                let row = &filling.rows[*place];
                let line = text::sign(Line::default(), &self.ui, &backfill::shown(filling.shown(*place)));
                let note = backfill::note(row, filling.shown(*place));
                reply.say(line.text(format!(" {}: {note}", row.item.name())));
            }
            FillNews::NotWritten(why) => reply.say(Line::of(format!("not written: {why}"))),
            FillNews::Wrote(path) => reply.say(Line::of(format!("wrote {}", path.display()))),
            FillNews::Begun | FillNews::Little => {}
        }
    }

    /// The answer; what the registry's files say comes before it.
    fn triaged(&mut self, reply: &mut Reply, triaged: &Triaged, now: Timestamp) {
        match &triaged.answer {
            TriageAnswer::First(triage) => {
                let step = triage.steps.iter().find(|step| step.rung == Rung::Dataset);
                reply.lines.extend(step.map(|step| spoken::now(&step.evidence)));
            }
            TriageAnswer::Whole(triage) => {
                let lines = text::triaged(&self.ui, triage, now);
                self.read(reply, Sheet::text(lines), now);
            }
            TriageAnswer::NotUnderstood { why, .. } | TriageAnswer::Unread { why, .. } => reply.refuse(why),
        }
    }

    /// The progress of a job, if it is due to be read out.
    fn progress(&mut self, id: JobId, progress: Progress) -> Option<Progress> {
        let running = self.desk.board.find(id)?;
        match &running.job {
            // Rows are counted instead: a few large archives would be told one by one.
            Job::Verify(_) => {
                self.steps.entry(id).or_default().keep(progress);
                None
            }
            job if job.is_long() => self.steps.entry(id).or_default().on(progress),
            _ => None,
        }
    }

    /// The subject of a job; a read of the plan for another job has the subject of that job.
    fn about(&mut self, id: JobId) -> About {
        let of_its_own = || self.desk.board.all().iter().find(|job| job.id == id).map(|job| &job.job);
        self.instead.get(&id).or_else(of_its_own).map_or(About::Plan, About::of)
    }

    /// The plan as it is now: all of it where it was asked for, else the file that changed.
    fn planned(&mut self, reply: &mut Reply, id: JobId, now: Timestamp) {
        let about = self.about(id);
        let Some(plan) = &self.desk.planning.plan else { return };
        let lines = match about {
            About::Seen(_) => None,
            About::File(address) => Some((plan_lines(plan, Some(&address)), false)),
            About::Plan => Some((plan_lines(plan, None), true)),
        };
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
    fn planned_file_is(&mut self, reply: &mut Reply, id: JobId) {
        let about = self.about(id);
        let Some(plan) = &self.desk.planning.plan else { return };
        if let About::File(address) = about {
            reply.lines.extend(plan_lines(plan, Some(&address)));
        }
    }

    fn ended_with(&mut self, reply: &mut Reply, ended: Ended, now: Timestamp) {
        let Ended { mut running, outcome, words, .. } = ended;
        self.steps.remove(&running.id);
        if matches!(running.job, Job::Verify(_)) {
            self.verified(reply, &outcome, now);
            return;
        }
        if matches!(running.job, Job::Prepare(_) | Job::Send(_)) {
            self.pull_ended(reply, &outcome);
            return;
        }
        if let Some(job) = self.instead.remove(&running.id) {
            running.job = job;
        }
        let by_hand = words.is_some();
        let words = words.filter(|_| !matches!(outcome, Outcome::Failed(_)));
        reply.lines.extend(words.map(|words| spoken::done(&words::text_of(&words))));
        let what = || spoken::slashes(&running.job.sentence());
        match &outcome {
            // Nobody asked for it.
            Outcome::Failed(_) if matches!(running.job, Job::Activity(_)) => {}
            Outcome::Failed(failure) => {
                reply.fail(failure);
                if by_hand {
                    reply.say(Line::of("here it lasts until you quit"));
                }
            }
            Outcome::Cancelled(summary) => {
                let stopped = format!("{} was cancelled; what was read is kept", what());
                reply.lines.extend(spoken::summary(&stopped, summary));
            }
            Outcome::Done(summary) if matches!(running.job, Job::Survey(_)) => {
                reply.lines.extend(spoken::summary(&what(), summary));
                if let Job::Survey(plan) = &running.job {
                    reply
                        .lines
                        .extend(unasked(plan, summary).map(|message| Line::of(words::text_of(&message))));
                }
            }
            Outcome::Done(summary)
                if matches!(running.job, Job::Backfill(_) | Job::Actions(ActionsTask::Merge { .. })) =>
            {
                reply.lines.extend(spoken::summary(&what(), summary));
                reply.say(Line::of(backfill::planned(summary.applied)));
            }
            Outcome::Done(summary) if running.job.is_long() && !summary.limits.is_empty() => {
                reply.lines.extend(summary.limits.iter().map(|limit| Line::of(format!("limit: {limit}"))));
            }
            Outcome::Done(summary) if matches!(running.job, Job::Watch(_)) && summary.entries == 0 => {
                reply.say(Line::of(NONE_OPEN));
            }
            Outcome::Done(_) if running.job == Job::Reviews => self.listed_reviews(reply, now),
            Outcome::Done(_) => {
                if let Job::WriteOut(file) = &running.job {
                    self.written(reply, &file.path);
                }
            }
        }
        let done = matches!(outcome, Outcome::Done(_));
        self.go_on(reply, running, done, now);
    }

    /// The open pull requests with their words.
    fn listed_reviews(&mut self, reply: &mut Reply, now: Timestamp) {
        let rows = self.desk.reviews.rows();
        let lines: Vec<Line> =
            rows.into_iter().flat_map(|row| text::listed_review(&self.ui, row, now)).collect();
        if lines.is_empty() {
            return reply.say(Line::of(review::NONE_OPEN));
        }
        reply.say(Line::of(review::counts(&self.desk.reviews, now).join(", ")));
        self.read(reply, Sheet::text(lines), now);
    }

    /// Returns true if every change of a planned file in the present plan was looked at.
    fn is_seen(&self, address: &Address) -> bool {
        let file = self.desk.planning.find(address);
        file.is_some_and(|file| file.pieces.iter().all(|piece| piece.mark.seen))
    }

    /// `24 entries need attention`.
    fn attention(&self) -> String {
        let count = u64::from(self.desk.list.tally.attention());
        format!("{} {} attention", counted(count, "entry"), if count == 1 { "needs" } else { "need" })
    }

    /// Reports or starts the step that follows a job.
    fn go_on(&mut self, reply: &mut Reply, running: Running, done: bool, now: Timestamp) {
        match &running.job {
            // Without what was kept the list comes all the same.
            Job::Recall => {
                self.start(reply, Job::Load, now);
                reply.say(spoken::now(&Job::Load.sentence()));
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
                        let selection = EntrySelection::Everything;
                        let first = Intent::Survey { selection, depth, max_age: None, gate: Gate::Tags };
                        // Asked for on the command line.
                        match self.desk.agree(&first, now) {
                            Ok(begun) => reply.begun(begun),
                            Err(why) => reply.refused(&why),
                        }
                        self.first_survey = self.desk.board.survey().map(|survey| survey.id);
                    }
                    None => self.read_list(reply, now),
                }
            }
            Job::Survey(_) if self.first_survey.take_if(|first| *first == running.id).is_some() => {
                reply.say(Line::of(self.attention()));
                self.read_list(reply, now);
            }
            Job::Survey(_) => reply.say(Line::of(format!("{}; list makes a new list", self.attention()))),
            Job::Plan(PlanTask::Show | PlanTask::Open(_)) => {}
            Job::Plan(_) if done => self.plan_changed(reply, running.job, now),
            // The events of the other jobs were read out when they arrived, and a failure was read out above.
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
                    "{address} has changed since it was read out; plan show reads it again"
                )));
            }
            _ => reply.say(spoken::done(&spoken::slashes(&job.sentence()))),
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
        return vec![Line::of("the plan is empty; plan add N adds an entry of the list to it")];
    }
    let mut lines = vec![text::plan_head(plan)];
    let files =
        plan.files.iter().enumerate().filter(|(_, file)| only.is_none_or(|only| file.address == *only));
    lines.extend(files.flat_map(|(at, file)| spoken::planned(at + 1, file)));
    lines
}
