//! Applies the events of jobs to the desk. A face reports the change, and keeps its cursor where it was.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::board::Running;
use crate::desk::filling::FillNews;
use crate::desk::machines::{JobLog, Looked};
use crate::desk::run::{End, News, Run};
use crate::desk::telling::Message;
use crate::desk::{Desk, Header, Registry, history};
use crate::jobs::data::{
    ActionsTask, BackfillNews, BackfillTask, Confirmed, Failure, Job, JobEvent, JobId, Judgement, Loaded,
    LogLine, Opened, Outcome, Phase, PlanOpened, Progress, RunShown, Triaged,
};
use crate::registry::Address;
use crate::rules::Finding;
use crate::rules::policy::Reply;
use crate::rules::review::Review;

/// The change that an event made.
#[derive(Debug)]
pub(crate) enum Changed {
    /// No visible change. Events of jobs that are not on the board change nothing either.
    Nothing,
    Progress(Progress),
    Note(String),
    /// The list was read again; `lost` marks went with their entries.
    Registry {
        notices: Vec<String>,
        lost: usize,
    },
    /// The lines above the list.
    Header {
        notices: Vec<String>,
    },
    /// New verdicts; `are_listed`: the registry has at least one of the entries.
    Verdicts {
        are_listed: bool,
    },
    /// An entry was opened, which also gives it a verdict.
    Opened(Arc<Opened>),
    Read(Address, Arc<[u8]>),
    /// The state that earlier runs kept.
    Memory,
    Plan,
    /// One file of the plan.
    PlannedFile,
    /// A pull request was prepared; `disarmed`: its token belongs to another account than the armed one.
    Prepared {
        disarmed: bool,
    },
    /// The reply to a request that the policy refuses.
    Replied(Arc<Reply>),
    /// The progress of a sending.
    Sending,
    /// Writing was armed, or the reason why it was not.
    Armed(Result<(), Message>),
    /// The lines of a planned file; `is_old`: from an earlier build than the plan's.
    PlanOpened {
        opened: Arc<PlanOpened>,
        is_old: bool,
    },
    /// The list of others' pull requests, or the result for one of them.
    Reviews,
    /// The review that was requested.
    Reviewed(Arc<Review>),
    /// The stranded board was read again.
    Stranded,
    /// The files that bumps changed lately were counted.
    Activity,
    /// The current state of a run on GitHub's machines.
    Run(Arc<RunShown>),
    /// The end of a job's log on GitHub; `is_asked`: the maintainer waits for this log.
    RunLog {
        log: Arc<JobLog>,
        is_asked: bool,
    },
    /// An answer to a line of triage.
    Triaged(Arc<Triaged>),
    Log(Arc<Vec<LogLine>>),
    Journal,
    Verification(News),
    Backfill(FillNews),
    /// The estimated cost of a backfill.
    Estimated,
    Found(String, Finding),
    Ended(Box<Ended>),
}

/// A job that ended and left the board.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) running: Running,
    pub(crate) outcome: Outcome,
    /// True if the Jobs view lists the job.
    pub(crate) is_listed: bool,
    /// The message after a save by hand, if the job succeeded.
    pub(crate) words: Option<Message>,
}

/// Sets the progress of a verification to the counts of the Verify view: rows arrive one by one, but progress
/// events only now and then.
fn count_alike(progress: &mut Progress, run: &Run) {
    let (done, total) = match progress.phase {
        Phase::Sums => run.sums(),
        Phase::Hashing => (run.over(), run.rows.len()),
        Phase::Reading | Phase::Tags | Phase::Probing | Phase::Watching | Phase::Reviewing => return,
    };
    (progress.done, progress.total) = (done as u64, total as u64);
}

impl Desk {
    /// Takes an event of a job.
    pub(crate) fn hear(&mut self, id: JobId, event: JobEvent, now: Timestamp) -> Changed {
        let Some(running) = self.board.find(id) else { return Changed::Nothing };
        match event {
            JobEvent::Numbered(number) => {
                running.number = Some(number);
                Changed::Nothing
            }
            JobEvent::Progress(mut progress) => {
                if let Some(run) = self.run.as_ref().filter(|run| run.job == id) {
                    count_alike(&mut progress, run);
                }
                running.progress = Some(progress.clone());
                Changed::Progress(progress)
            }
            JobEvent::Note(note) => Changed::Note(note),
            JobEvent::Loaded(loaded) => self.take_registry(Arc::unwrap_or_clone(loaded), now),
            JobEvent::Confirmed(confirmed) => self.take_header(confirmed),
            JobEvent::Judged(batch) => {
                history::keep_failed(running, &batch);
                self.stranded.is_old = true;
                Changed::Verdicts { are_listed: self.list.judge(batch) }
            }
            JobEvent::Opened(opened) => {
                // The verdict of the opened entry is new for the list too.
                let (address, verdict) = (opened.address.clone(), opened.verdict.clone());
                self.list.judge(vec![Judgement { address, verdict }]);
                Changed::Opened(opened)
            }
            JobEvent::Read(address, bytes) => Changed::Read(address, bytes),
            JobEvent::Recalled(memory) => {
                self.stranded.recall(&memory);
                self.recall_activity(&memory);
                self.list.recall(memory);
                Changed::Memory
            }
            JobEvent::Planned(plan) => {
                self.planning.take(Arc::unwrap_or_clone(plan));
                Changed::Plan
            }
            JobEvent::PlannedFile(file) => {
                self.planning.take_file(Arc::unwrap_or_clone(file));
                Changed::PlannedFile
            }
            JobEvent::PlanOpened(opened) => {
                let is_old = self.planning.take_opened(&opened.file);
                Changed::PlanOpened { opened, is_old }
            }
            JobEvent::Activity(activity) => {
                self.take_activity(activity);
                Changed::Activity
            }
            JobEvent::LogRead(lines) => Changed::Log(lines),
            JobEvent::PastJobs(jobs) => {
                self.history.journal = Some(jobs);
                Changed::Journal
            }
            JobEvent::Verify(news) => match self.run.as_mut().filter(|run| run.job == id) {
                Some(run) => {
                    let changed = run.hear(news);
                    if let Some(progress) = &mut running.progress {
                        count_alike(progress, run);
                    }
                    Changed::Verification(changed)
                }
                None => Changed::Nothing,
            },
            JobEvent::Found(path, finding) => Changed::Found(path, finding),
            JobEvent::Watched(pull) if self.pull.watch(&pull) => Changed::Sending,
            JobEvent::Watched(pull) => Changed::Note(format!("#{}: {}", pull.number, pull.told())),
            JobEvent::Backfill(BackfillNews::Estimated(found)) => {
                if let Some(estimate) = self.estimate.as_mut().filter(|estimate| estimate.job == id) {
                    estimate.found = Some(found);
                }
                Changed::Estimated
            }
            JobEvent::Backfill(news) => {
                if let Some(filling) = self.filling.as_mut().filter(|filling| filling.job == id) {
                    return Changed::Backfill(filling.hear(news));
                }
                self.machines.hear_merge(&news);
                Changed::Nothing
            }
            // Nothing that a desk starts says these.
            JobEvent::Applied(_) | JobEvent::Lock(_) => Changed::Nothing,
            JobEvent::Actions(news) => {
                let is_asked = matches!(running.job, Job::Actions(ActionsTask::Log { .. }));
                match self.machines.hear((id, &running.job), news) {
                    Looked::Run(shown) => Changed::Run(shown),
                    Looked::Log(log) => Changed::RunLog { log, is_asked },
                }
            }
            JobEvent::OpenPulls(pulls) => {
                self.reviews.list(pulls, now);
                Changed::Reviews
            }
            JobEvent::OwnVerdicts(own) => {
                for one in own {
                    self.reviews.judge(one);
                }
                Changed::Reviews
            }
            JobEvent::Differences(lines) => {
                self.reviews.differences = Some(lines);
                Changed::Reviews
            }
            JobEvent::Reviewed(review) => {
                self.reviews.take(Arc::clone(&review), now);
                if running.job == Job::Reviews { Changed::Reviews } else { Changed::Reviewed(review) }
            }
            JobEvent::Triaged(triaged) => {
                if let Some(lookup) = &mut self.triage {
                    lookup.take(id, &triaged);
                }
                Changed::Triaged(triaged)
            }
            JobEvent::Stranded(board) => {
                self.stranded.take(board, now);
                Changed::Stranded
            }
            JobEvent::Replied(reply) => Changed::Replied(reply),
            JobEvent::LimitLeft(limit) => {
                self.api_limit = Some(limit);
                Changed::Nothing
            }
            JobEvent::Inquired(inquiry) => {
                self.account = inquiry.login.clone().or(self.account.take());
                Changed::Armed(self.arming.hear(inquiry, now))
            }
            JobEvent::Prepared(prepared) => {
                let disarmed = self.arming.is_sent_by(&prepared.sending.account);
                self.account = Some(prepared.sending.account.clone());
                self.pull.take(prepared);
                self.pull.checked_at = Some(now);
                Changed::Prepared { disarmed }
            }
            JobEvent::Sending(course) if running.job == Job::Load => {
                self.pull.take_earlier(course, &self.board);
                Changed::Nothing
            }
            JobEvent::Sending(course) => {
                if let (Some(_), Some(run)) = (course.dispatched(), course.run()) {
                    self.machines.is_newest(run);
                }
                self.reviews.hear_course(&course);
                self.pull.take_course(course);
                Changed::Sending
            }
            JobEvent::Ended(outcome) => self.end(id, outcome, now),
        }
    }

    fn take_registry(&mut self, loaded: Loaded, now: Timestamp) -> Changed {
        self.registry = Registry::Loaded(Header {
            name: self.name.clone().unwrap_or_else(|| loaded.name.clone()),
            revision: loaded.revision.clone(),
            last_bump: loaded.last_bump,
            has_token: loaded.has_token,
            git_per_second: loaded.git_per_second,
            keeps: loaded.keeps,
        });
        self.may_write = loaded.may_write;
        let notices = loaded.notices.clone();
        self.list.now = now;
        Changed::Registry { notices, lost: self.list.load(loaded) }
    }

    /// Takes the header of a list that is already complete.
    fn take_header(&mut self, confirmed: Confirmed) -> Changed {
        if let Registry::Loaded(header) = &mut self.registry {
            header.revision = confirmed.revision;
            header.last_bump = confirmed.last_bump;
        }
        Changed::Header { notices: confirmed.notices }
    }

    fn end(&mut self, id: JobId, outcome: Outcome, now: Timestamp) -> Changed {
        let Some(running) = self.board.end(id) else { return Changed::Nothing };
        let is_listed = self.history.keep(&running, &outcome, now);
        let failure = if let Outcome::Failed(failure) = &outcome { Some(failure) } else { None };
        let mut words = None;
        match &running.job {
            Job::Recall | Job::Remember(_) => words = self.list.answered(id, failure),
            Job::Prepare(_) | Job::Send(_) => self.pull.end(failure),
            Job::Triage(_) => {
                if let Some(lookup) = &mut self.triage {
                    lookup.end(id, failure);
                }
            }
            // An old count would be taken for one of today.
            Job::Activity(_) if failure.is_some() => self.activity.counted = None,
            Job::Stranded => self.stranded.failure = failure.map(Failure::sentence),
            Job::Reviews => self.reviews.failure = failure.map(Failure::sentence),
            // The check ended without an answer, so writing stays off.
            Job::Inquire if self.arming.armed().is_none() => {
                self.arming.end();
            }
            Job::Load if !matches!(self.registry, Registry::Loaded(_)) => {
                if let Some(failure) = failure {
                    self.registry = Registry::Failed(failure.clone());
                }
            }
            Job::Verify(_) => {
                if let Some(run) = self.run.as_mut().filter(|run| run.job == id) {
                    run.number = running.number;
                    run.close(End::of(&outcome));
                }
            }
            Job::Backfill(BackfillTask::Estimate { .. }) => {
                if let Some(estimate) = self.estimate.as_mut().filter(|estimate| estimate.job == id) {
                    estimate.failure = failure.cloned();
                }
            }
            Job::Backfill(_) => {
                if let Some(filling) = self.filling.as_mut().filter(|filling| filling.job == id) {
                    filling.number = running.number;
                    if let Outcome::Done(summary) = &outcome {
                        filling.broken = summary.broken;
                    }
                    filling.close(End::of(&outcome));
                }
            }
            // The desk keeps nothing of the other jobs; each face reports the end.
            _ => {}
        }
        Changed::Ended(Box::new(Ended { running, outcome, is_listed, words }))
    }
}
