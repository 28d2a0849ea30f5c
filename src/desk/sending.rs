//! The pull request, or the verdict on one, that is being made ready: how it is asked for, what was made ready, and how far it was
//! sent.
//!
//! Nothing goes out but what was shown: the sending that stood on a screen or was read out whole, with no gate that fails, in
//! the name of who is armed, and by the digits of that very sending. The job holds all of it against the gates once more.

use std::sync::Arc;

use crate::desk::Desk;
use crate::desk::board::Board;
use crate::jobs::data::{Failure, Job, Prepared, SendTask};
use crate::rules::sending::{Course, PullPlan, Purpose, Sending};
use crate::rules::watch::WatchedPull;

/// What is known of a review, once it is submitted.
pub(crate) const NOT_TAKEN_BACK: &str =
    "a submitted review cannot be taken back; on GitHub it can be dismissed";

/// The same of a run.
pub(crate) const NOT_STOPPED: &str = "what was started cannot be taken back, and changes nothing of the registry; on GitHub it can be cancelled";

/// Which write digits confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Write {
    Open,
    /// What is left of one that stopped.
    Resume,
    /// Take back what it made.
    Undo,
}

/// A sending as far as it went, and its digits.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) course: Arc<Course>,
    pub(crate) digits: String,
}

impl Sent {
    /// `pull request #12`, `the approval of pull request #12`.
    pub(crate) fn name(&self) -> String {
        match (self.course.review(), self.course.pull()) {
            (Some((number, opinion)), _) => format!("the {} of pull request #{number}", opinion.noun()),
            (None, Some(number)) => format!("pull request #{number}"),
            (None, None) if self.course.starts() => self.course.what(),
            (None, None) => "the pull request".to_owned(),
        }
    }
}

/// How far it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stage<'a> {
    Nothing,
    /// Its files are built and the gates asked.
    Preparing,
    Failed(&'a Failure),
    Ready(&'a Prepared),
    /// It is being sent, or taken back: the gates are asked again, then request after request goes out.
    Sending(Option<&'a Sent>),
    /// Some of it was sent.
    Stopped(&'a Sent),
    /// What taking it back would send, and what of that was sent already.
    Undo(&'a Sent),
    Done(&'a Sent),
    Undone(&'a Sent),
}

/// All of it.
#[derive(Debug, Default)]
pub(crate) struct PullRequest {
    pub(crate) asked: Purpose,
    pub(crate) prepared: Option<Arc<Prepared>>,
    /// What is known stood on a screen, or was read out whole.
    pub(super) is_shown: bool,
    /// Why the last job about it failed.
    pub(crate) failure: Option<Failure>,
    sent: Option<Sent>,
    pub(super) undo: Option<Sent>,
    /// An earlier run sent it, and nothing was done about it since.
    is_earlier: bool,
    /// What else earlier runs left half-done, in the order in which it is shown; each behind what it takes back, if it does.
    waiting: Vec<Arc<Course>>,
    /// What became of it since it was opened.
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
                // What was not checked to the end is not known any more.
                (_, Some(failure)) => Stage::Failed(failure),
                (Some(prepared), None) => Stage::Ready(prepared),
                (None, None) => Stage::Nothing,
            },
        }
    }

    /// The pull request of the sending that was sent.
    pub(crate) fn sent(&self) -> Option<&Sent> {
        self.sent.as_ref().filter(|sent| sent.course.is_begun())
    }

    /// Its first request was sent, and GitHub refused it.
    pub(crate) fn is_refused(&self) -> bool {
        self.sent.as_ref().is_some_and(|sent| !sent.course.is_begun())
    }

    /// What it is about stands on a screen, or was read out whole; whether it was not before.
    pub(crate) fn is_seen(&mut self) -> bool {
        let is_there = self.prepared.is_some() || self.sent.is_some() || self.undo.is_some();
        is_there && !std::mem::replace(&mut self.is_shown, true)
    }

    /// It is made ready like this. What was sent of an earlier one is over.
    pub(super) fn begin(&mut self, asked: Purpose) {
        // What is checked again stays in sight.
        let before = if asked == self.asked { self.prepared.take() } else { None };
        let mut waiting = std::mem::take(&mut self.waiting);
        // What an earlier run left is left once more.
        if self.is_earlier {
            waiting.extend(self.sent.iter().chain(&self.undo).map(|sent| Arc::clone(&sent.course)));
        }
        *self = Self { asked, prepared: before, waiting, ..Self::default() };
    }

    /// The last word of it is being sent: what was known of the gates is old.
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
                // Of what was made ready they are known: they cost a digest over all of it.
                let ready = self.prepared.as_ref().filter(|prepared| prepared.sending == course.sending);
                let digits = ready.map_or_else(|| course.sending.name(), |ready| ready.digits().to_owned());
                *place = Some(Sent { course, digits });
            }
        }
    }

    /// What an earlier run left half-done, and what that takes back, if it does. What this run is about comes first, and what is
    /// shown already.
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
        match &course.asked {
            _ if course.undoes => {}
            Some(asked @ (Purpose::Verdict(_) | Purpose::Actions(_))) => self.asked = asked.clone(),
            _ => self.asked = PullPlan { plan: course.of.clone(), ..self.asked.pull() }.into(),
        }
        self.is_earlier = true;
        self.take_course(course);
    }

    /// How many sendings of earlier runs wait besides what is shown.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.iter().filter(|course| course.is_half_done()).count()
    }

    /// One of them can be shown, since what is shown is over.
    pub(crate) fn has_next(&self, board: &Board) -> bool {
        use Stage::{Done, Failed, Nothing, Undone};
        self.waiting() > 0 && matches!(self.stage(board), Nothing | Failed(_) | Done(_) | Undone(_))
    }

    /// Whether an earlier run left it half-done.
    pub(crate) fn is_earlier(&self) -> bool {
        self.is_earlier
    }

    /// What undoing would send is left, and what was sent is shown again.
    pub(crate) fn leave_undo(&mut self) {
        if self.undo.take_if(|undo| !undo.course.is_begun()).is_some() {
            self.is_shown = false;
        }
    }

    /// GitHub was asked how a pull request stands; whether it is this one.
    pub(super) fn watch(&mut self, pull: &Arc<WatchedPull>) -> bool {
        let is_it = self.sent().is_some_and(|sent| sent.course.pull() == Some(pull.number));
        if is_it {
            self.watched = Some(Arc::clone(pull));
        }
        is_it
    }

    /// A job about it ended, and why it failed if it did.
    pub(super) fn end(&mut self, failure: Option<&Failure>) {
        self.failure = failure.cloned();
        self.is_shown = false;
    }

    /// What digits would confirm, and those digits.
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

fn takes_back(course: &Course, sent: &Sent) -> bool {
    course.undoes && course.of == sent.digits
}

impl Desk {
    /// Shows what earlier runs left besides, once what is shown is over; whether there was any.
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
