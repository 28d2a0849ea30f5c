//! Writes to GitHub: makes a pull request, a verdict or a run ready, writes it to a file, sends it, resumes it and undoes it.

use std::path::Path;
use std::sync::Arc;

use crate::desk::ability::Ability;
use crate::desk::intent::{Intent, Step};
use crate::desk::reviews::Reviewed;
use crate::desk::sending::{Stage, Write};
use crate::desk::telling::{Message, refuse, written};
use crate::desk::{Consent, Desk};
use crate::jobs::data::{Job, NewFile, Prepared, SendTask};
use crate::rules::plan::Plan;
use crate::rules::sending::{PullPlan, Purpose, Seen, Sending, VerdictPlan};

impl Intent {
    /// Makes a write ready.
    pub(crate) fn prepare(purpose: impl Into<Purpose>) -> Self {
        Self::Prepare(purpose.into())
    }
}

impl Desk {
    /// Makes a write ready, if the gate of its kind lets it.
    pub(super) fn prepare(&self, purpose: &Purpose) -> Result<Step, Message> {
        let purpose = match purpose {
            Purpose::Pull(pull) => self.pull_to_prepare(pull)?.into(),
            Purpose::Verdict(plan) => self.verdict_to_prepare(plan)?.into(),
            Purpose::Actions(_) => {
                self.may_prepare()?;
                purpose.clone()
            }
        };
        Ok(Step::Start(Job::Prepare(purpose)))
    }

    fn pull_to_prepare(&self, pull: &PullPlan) -> Result<PullPlan, Message> {
        self.has_files()?;
        self.may_prepare()?;
        let plan = match (&self.planning.plan, self.consent) {
            // The job reports if the plan is another one than was named.
            (_, Consent::Typed) => pull.plan.clone(),
            (known, _) => known.as_ref().map(Plan::name).unwrap_or_default(),
        };
        if plan.is_empty() {
            return refuse("nothing of the plan would be sent");
        }
        Ok(PullPlan { plan, ..pull.clone() })
    }

    /// The verdict on the review that the maintainer saw. A command names all of it by its digits.
    fn verdict_to_prepare(&self, plan: &VerdictPlan) -> Result<VerdictPlan, Message> {
        self.may_begin()?;
        match self.reviews.found(plan.number) {
            _ if self.consent == Consent::Typed => Ok(plan.clone()),
            Some(Reviewed { review, at, .. }) => {
                let seen = Seen { review: Arc::clone(review), at: *at };
                Ok(VerdictPlan { seen: Some(seen), ..plan.clone() })
            }
            None => refuse(format!("#{} was not reviewed yet", plan.number)),
        }
    }

    /// Refuses unless writing to GitHub was allowed at the start.
    pub(crate) fn writing_allowed(&self) -> Result<(), Message> {
        match self.consent {
            _ if self.may_write => Ok(()),
            Consent::Typed => refuse("a command sends only with --write: nothing was sent"),
            Consent::Drawn | Consent::Spoken => refuse(
                "this console is READ-ONLY: start it again as `bumpdesk --write` to open pull requests",
            ),
        }
    }

    fn no_sending(&self) -> Result<(), Message> {
        match self.board.sending() {
            None => Ok(()),
            Some(job) if job.cancelling => refuse("the sending is stopping"),
            Some(_) => refuse("a sending is running"),
        }
    }

    /// Refuses while something is being sent, or was sent in part by this run: there is one sending at a time.
    fn may_begin(&self) -> Result<(), Message> {
        self.no_sending()?;
        // A sending that an earlier run left waits, perhaps for another account, and holds nothing up.
        match self.pull.stage(&self.board) {
            Stage::Stopped(sent) | Stage::Undo(sent) if !self.pull.is_earlier() => {
                Err(Message::of(format!("{} was sent in part", sent.course.sending.kind().noun))
                    .step(Ability::Resume, "resumes it")
                    .step(Ability::Undo, "undoes it"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses while something stands in the way of making a pull request or a run ready.
    pub(super) fn may_prepare(&self) -> Result<(), Message> {
        self.may_begin()?;
        let waits = &self.planning.pending.marks;
        if self.board.building().is_some() {
            return refuse("files of the plan are being built");
        }
        if self.board.marking().is_some() || !waits.is_empty() {
            return refuse("what was said about the plan is still being saved");
        }
        Ok(())
    }

    /// The sending that digits would confirm now, if all gates but the digits themselves are open.
    pub(crate) fn may_confirm(&self, write: Write) -> Result<&Sending, Message> {
        self.writing_allowed()?;
        self.no_sending()?;
        let pull = &self.pull;
        match write {
            Write::Open => self.may_open()?,
            Write::Resume => match pull.stage(&self.board) {
                Stage::Stopped(_) => {}
                Stage::Done(_) => return Err(Message::of("all of it was sent").needless()),
                _ => return refuse("nothing was sent in part"),
            },
            Write::Undo => match pull.stage(&self.board) {
                Stage::Undo(_) => {}
                Stage::Undone(_) => return Err(Message::of("it is undone already").needless()),
                Stage::Stopped(_) | Stage::Done(_) => {
                    return refuse(
                        Message::of("what would be undone is not read yet").step(Ability::Undo, "reads it"),
                    );
                }
                _ => return refuse("nothing was sent that could be undone"),
            },
        }
        let Some((sending, _)) = pull.to_confirm(write) else { return refuse("nothing is made ready") };
        if !pull.is_shown {
            return refuse("it has not been shown yet");
        }
        self.arming.allows(&sending.account)?;
        Ok(sending)
    }

    /// Refuses unless the prepared write is about the plan or the review as it is now, and no gate fails.
    fn may_open(&self) -> Result<(), Message> {
        let again = |text: String| Message::of(text).step(Ability::Recheck, "checks again");
        let prepared = match self.pull.stage(&self.board) {
            Stage::Ready(prepared) => prepared,
            Stage::Nothing => return refuse("nothing is made ready"),
            Stage::Preparing => return refuse("it is still being made ready"),
            Stage::Failed(failure) => return Err(again(failure.reason())),
            Stage::Stopped(_) | Stage::Undo(_) => {
                return Err(Message::of("it was sent in part")
                    .step(Ability::Resume, "resumes it")
                    .step(Ability::Undo, "undoes it"));
            }
            Stage::Done(sent) => return Err(Message::of(sent.course.success()).needless()),
            Stage::Sending(_) | Stage::Undone(_) => return refuse("it was undone"),
        };
        if self.has_other_plan(prepared) {
            return Err(again("the plan changed since".to_owned()));
        }
        if let Some((number, gate)) = prepared.failing().next() {
            let text = format!("gate {number} fails: {}", gate.name.word());
            return Err(again(text));
        }
        Ok(())
    }

    /// The prepared write that can be written to a file: nothing of it was sent.
    pub(super) fn may_write_out(&self) -> Result<&Prepared, Message> {
        match self.pull.stage(&self.board) {
            Stage::Ready(prepared) => Ok(prepared),
            Stage::Nothing | Stage::Failed(_) => {
                Err(Message::of("nothing is made ready").step(Ability::Recheck, "makes it ready"))
            }
            Stage::Preparing => refuse("it is still being made ready"),
            Stage::Sending(_) | Stage::Stopped(_) | Stage::Undo(_) | Stage::Done(_) | Stage::Undone(_) => {
                refuse("it was sent, all of it or in part: what is written to a file is what would be sent")
            }
        }
    }

    pub(super) fn write_out(&self, path: &Path) -> Result<Step, Message> {
        let prepared = self.may_write_out()?;
        if path.as_os_str().is_empty() {
            return Err(Message::of("the file needs a name").wrong());
        }
        let file = NewFile { path: path.to_path_buf(), text: written::file(prepared).into() };
        Ok(Step::Start(Job::WriteOut(file)))
    }

    /// Sends, resumes or undoes what is shown, by its digits.
    pub(super) fn confirm(&self, write: Write, digits: &str) -> Result<Step, Message> {
        let digits = digits.trim();
        let sending = self.may_confirm(write)?;
        if digits.is_empty() || !sending.is_named_by(digits) {
            return Err(Message::of("these are not the digits of what is shown").wrong());
        }
        let digits = digits.to_owned();
        Ok(Step::Start(Job::Send(match write {
            Write::Open => SendTask::Open { asked: self.pull.purpose.clone(), digits },
            Write::Resume => SendTask::Resume { digits },
            Write::Undo => SendTask::Undo {
                of: self.pull.undo.as_ref().map(|undo| undo.course.of.clone()).unwrap_or_default(),
                digits,
            },
        })))
    }

    /// Sends what a command line names whole. The digits are those that an earlier command showed, and `--write` beside them
    /// arms this one sending. The job makes the write ready once more, and checks the gates before the digits.
    pub(super) fn send(&self, task: &SendTask) -> Result<Step, Message> {
        if self.consent != Consent::Typed {
            return refuse("a console sends what it shows");
        }
        self.no_sending()?;
        match task {
            SendTask::LookAtUndo { .. } => {}
            SendTask::Open { digits, .. } | SendTask::Resume { digits } | SendTask::Undo { digits, .. } => {
                self.writing_allowed()?;
                if digits.trim().is_empty() {
                    return Err(Message::of("the digits of what is sent are needed").wrong());
                }
            }
        }
        Ok(Step::Start(Job::Send(task.clone())))
    }

    /// Reads the requests that undoing would send.
    pub(super) fn look_at_undo(&self) -> Result<Step, Message> {
        self.no_sending()?;
        let Some(sent) = self.pull.sent() else { return refuse("nothing was sent that could be undone") };
        match &sent.course.sending.kind().permanent {
            Some(permanent) if sent.course.is_done() => refuse(permanent.limit),
            _ => Ok(Step::Start(Job::Send(SendTask::LookAtUndo { of: sent.digits.clone() }))),
        }
    }
}
