//! The pull request, verdict or run that is being prepared: its purpose, the prepared requests, and their
//! progress.
//!
//! Nothing is sent but a sending that was shown on a screen or read out in full. No gate may fail, the sender
//! must be the armed account, and the digits must be those of that very sending. The job checks all of it
//! against the gates once more.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::Desk;
use crate::desk::board::Board;
use crate::jobs::data::{Failure, Job, Prepared, SendTask};
use crate::rules::plan::Plan;
use crate::rules::sending::{Course, PullPlan, Purpose, Sending};
use crate::rules::watch::WatchedPull;

/// The write that the digits confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Write {
    Open,
    /// Send the rest of a sending that stopped.
    Resume,
    /// Undo a sending.
    Undo,
}

/// The progress of a sending, and its digits.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) course: Arc<Course>,
    pub(crate) digits: String,
}

/// The stage of a sending.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stage<'a> {
    Nothing,
    /// Its files are built and its gates are checked.
    Preparing,
    Failed(&'a Failure),
    Ready(&'a Prepared),
    /// It is being sent or undone: the gates are checked again, then the requests go out one after the other.
    Sending(Option<&'a Sent>),
    /// A part of it was sent.
    Stopped(&'a Sent),
    /// The undo of a sending, and its progress.
    Undo(&'a Sent),
    Done(&'a Sent),
    Undone(&'a Sent),
}

/// The sending on the desk. Besides pull requests it can be a verdict or a run.
#[derive(Debug, Default)]
pub(crate) struct PullRequest {
    pub(crate) purpose: Purpose,
    pub(crate) prepared: Option<Arc<Prepared>>,
    /// The time at which its gates were checked.
    pub(super) checked_at: Option<Timestamp>,
    /// True if the known state was shown on a screen, or read out in full.
    pub(super) is_shown: bool,
    /// The failure of the last job about it.
    pub(crate) failure: Option<Failure>,
    sent: Option<Sent>,
    pub(super) undo: Option<Sent>,
    /// True if an earlier run sent it, and nothing happened to it since.
    is_earlier: bool,
    /// Other unfinished sendings of earlier runs, in the order of display; an undo stands behind its sending.
    waiting: Vec<Arc<Course>>,
    /// The state of the pull request since it was opened.
    pub(crate) watched: Option<Arc<WatchedPull>>,
}

impl PullRequest {
    pub(crate) fn stage(&self, board: &Board) -> Stage<'_> {
        let sent = self.sent.as_ref().filter(|sent| sent.course.is_begun());
        let running = board.sending().map(|running| &running.job);
        match (running, sent, &self.undo) {
            (Some(Job::Send(SendTask::Open { .. } | SendTask::Resume { .. })), ..) => {
                Stage::Sending(self.sent.as_ref())
            }
            (Some(Job::Send(SendTask::Undo { .. })), ..) => Stage::Sending(self.undo.as_ref()),
            (_, _, Some(undo)) if undo.course.is_done() => Stage::Undone(undo),
            (_, _, Some(undo)) => Stage::Undo(undo),
            (_, Some(sent), None) if sent.course.is_done() => Stage::Done(sent),
            (_, Some(sent), None) => Stage::Stopped(sent),
            (_, None, None) if board.preparing().is_some() => Stage::Preparing,
            (_, None, None) => match (&self.prepared, &self.failure) {
                // An incomplete check leaves nothing that is known.
                (_, Some(failure)) => Stage::Failed(failure),
                (Some(prepared), None) => Stage::Ready(prepared),
                (None, None) => Stage::Nothing,
            },
        }
    }

    /// The sending, if a request of it may have taken effect.
    pub(crate) fn sent(&self) -> Option<&Sent> {
        self.sent.as_ref().filter(|sent| sent.course.is_begun())
    }

    /// Returns true if GitHub refused its first request.
    pub(crate) fn is_refused(&self) -> bool {
        self.sent.as_ref().is_some_and(|sent| !sent.course.is_begun())
    }

    /// Records that the sending was shown, or read out in full. Returns true if it was not before.
    pub(crate) fn mark_shown(&mut self) -> bool {
        let is_there = self.prepared.is_some() || self.sent.is_some() || self.undo.is_some();
        is_there && !std::mem::replace(&mut self.is_shown, true)
    }

    /// Begins to prepare for this purpose, and drops a sending of this run.
    pub(super) fn begin(&mut self, purpose: Purpose) {
        // A sending that is checked again stays in sight.
        let before = if purpose == self.purpose { self.prepared.take() } else { None };
        let mut waiting = std::mem::take(&mut self.waiting);
        // A sending of an earlier run waits again.
        if self.is_earlier {
            waiting.extend(self.sent.iter().chain(&self.undo).map(|sent| Arc::clone(&sent.course)));
        }
        let checked_at = self.checked_at.filter(|_| before.is_some());
        *self = Self { purpose, prepared: before, checked_at, waiting, ..Self::default() };
    }

    /// Begins to send; earlier results of the gates are out of date.
    pub(super) fn begin_sending(&mut self, task: &SendTask) {
        self.failure = None;
        self.is_earlier &= matches!(task, SendTask::LookAtUndo { .. });
        if matches!(task, SendTask::LookAtUndo { .. }) {
            self.undo = None;
        }
    }

    pub(crate) fn take(&mut self, prepared: Arc<Prepared>) {
        self.failure = None;
        if self.prepared.as_deref() == Some(&prepared) {
            return;
        }
        self.is_shown = false;
        self.prepared = Some(prepared);
    }

    pub(super) fn take_course(&mut self, course: Arc<Course>) {
        if course.is_undone {
            (self.sent, self.undo, self.is_earlier) = (None, None, false);
            return;
        }
        let place = if course.undoes { &mut self.undo } else { &mut self.sent };
        match place {
            Some(known) if known.course.sending == course.sending => known.course = course,
            _ => {
                self.is_shown = false;
                // The digits of a prepared sending are known; computing them takes a digest over all
                // requests.
                let ready = self.prepared.as_ref().filter(|prepared| prepared.sending == course.sending);
                let digits = ready.map_or_else(|| course.sending.name(), |ready| ready.digits().to_owned());
                *place = Some(Sent { course, digits });
            }
        }
    }

    /// Takes an unfinished sending of an earlier run, or an undo of one. A sending of this run, and one that
    /// is shown already, come first.
    pub(super) fn take_earlier(&mut self, course: Arc<Course>, board: &Board) {
        let shown = self.sent.iter().chain(&self.undo).map(|sent| &sent.course);
        if self.waiting.iter().chain(shown).any(|known| known.sending == course.sending) {
            return;
        }
        match self.stage(board) {
            Stage::Nothing => self.show_earlier(course),
            Stage::Stopped(sent) | Stage::Done(sent) if takes_back(&course, sent) => {
                self.show_earlier(course);
            }
            _ => self.waiting.push(course),
        }
    }

    fn show_earlier(&mut self, course: Arc<Course>) {
        match &course.purpose {
            _ if course.undoes => {}
            Some(Purpose::Pull(_)) | None => {
                self.purpose = PullPlan { plan: course.of.clone(), ..self.purpose.pull() }.into();
            }
            Some(purpose) => self.purpose = purpose.clone(),
        }
        self.is_earlier = true;
        self.take_course(course);
    }

    /// The number of unfinished sendings of earlier runs that are not shown.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.iter().filter(|course| course.is_half_done()).count()
    }

    /// Returns true if another of them can be shown, since the shown one is over.
    pub(crate) fn has_next(&self, board: &Board) -> bool {
        use Stage::{Done, Failed, Nothing, Undone};
        self.waiting() > 0 && matches!(self.stage(board), Nothing | Failed(_) | Done(_) | Undone(_))
    }

    /// Returns true if an earlier run left the shown sending unfinished.
    pub(crate) fn is_earlier(&self) -> bool {
        self.is_earlier
    }

    /// Leaves the preview of an undo, and shows the sending again.
    pub(crate) fn leave_undo(&mut self) {
        if self.undo.take_if(|undo| !undo.course.is_begun()).is_some() {
            self.is_shown = false;
        }
    }

    /// Takes the state of a pull request on GitHub; returns true if it is the one that was sent.
    pub(super) fn watch(&mut self, pull: &Arc<WatchedPull>) -> bool {
        let is_it = self.sent().is_some_and(|sent| sent.course.pull() == Some(pull.number));
        if is_it {
            self.watched = Some(Arc::clone(pull));
        }
        is_it
    }

    /// Takes the end of a job about the sending, with its failure.
    pub(super) fn end(&mut self, failure: Option<&Failure>) {
        self.failure = failure.cloned();
        self.is_shown = false;
    }

    /// The sending that digits would confirm, and its digits.
    pub(crate) fn to_confirm(&self, write: Write) -> Option<(&Sending, &str)> {
        fn of(sent: &Sent) -> (&Sending, &str) {
            (&sent.course.sending, sent.digits.as_str())
        }
        match write {
            Write::Open => self.prepared.as_ref().map(|prepared| (&prepared.sending, prepared.digits())),
            Write::Resume => self.sent().map(of),
            Write::Undo => self.undo.as_ref().map(of),
        }
    }
}

/// The standing of the gates that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GateStanding {
    /// As they were found, and nothing is known to have changed since.
    Found,
    /// They are being checked again.
    Checking,
    /// The plan changed since, or the last check did not end.
    Unknown,
}

fn takes_back(course: &Course, sent: &Sent) -> bool {
    course.undoes && course.of == sent.digits
}

impl Desk {
    /// Returns true if the plan is another one than the one that was made ready.
    pub(crate) fn has_other_plan(&self, prepared: &Prepared) -> bool {
        let is_other = |plan: &Plan| prepared.planned().is_some_and(|planned| planned.plan != plan.name());
        self.planning.plan.as_ref().is_some_and(is_other)
    }

    /// The standing of the gates of what is made ready. A sending shows those that were checked before it.
    pub(crate) fn gate_standing(&self) -> GateStanding {
        match self.pull.stage(&self.board) {
            Stage::Preparing | Stage::Sending(None) => GateStanding::Checking,
            Stage::Failed(_) => GateStanding::Unknown,
            Stage::Ready(prepared) if self.has_other_plan(prepared) => GateStanding::Unknown,
            _ => GateStanding::Found,
        }
    }

    /// Shows the next unfinished sending of earlier runs, once the shown one is over; returns true if there
    /// was one.
    pub(crate) fn show_next(&mut self) -> bool {
        let pull = &mut self.pull;
        if !pull.has_next(&self.board) {
            return false;
        }
        let waiting = std::mem::take(&mut pull.waiting);
        *pull = PullRequest::default();
        // They find their places as they did when they were read.
        for course in waiting {
            pull.take_earlier(course, &self.board);
        }
        true
    }
}
