//! Marks changes of the plan: approves, rejects, reopens, or writes a note.

use jiff::Timestamp;

use crate::desk::ability::Ability;
use crate::desk::intent::Step;
use crate::desk::telling::Message;
use crate::desk::{Consent, Desk};
use crate::jobs::data::{Job, JobId, PlanMark, PlanTask};
use crate::rules::plan::{Mark, PlannedFile, Refusal, Verb, Which};

/// The effect of a mark on the plan.
enum MarkEffect {
    /// It changes these pieces. If the plan is not known, this is the mark itself.
    Changes(Vec<PlanMark>),
    Needless(Message),
    Refused(Message),
}

impl Desk {
    /// Marks changes. Several marks of one file build on each other, which the job sees: the gate checks the first of each file.
    pub(super) fn mark(&self, marks: &[PlanMark]) -> Result<Step, Message> {
        self.has_plan()?;
        let (mut changed, mut needless, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        let firsts = marks
            .iter()
            .enumerate()
            .filter(|(at, mark)| marks[..*at].iter().all(|before| before.address != mark.address));
        for (_, mark) in firsts {
            match self.mark_effect(mark)? {
                MarkEffect::Changes(pieces) => changed.extend(pieces),
                MarkEffect::Needless(why) => needless.push(why),
                MarkEffect::Refused(why) => refused.push(why),
            }
        }
        if let Some(why) = refused.into_iter().reduce(Message::and) {
            return Err(why);
        }
        if needless.len() == marks.len() {
            return Err(needless.into_iter().reduce(Message::and).unwrap_or_default());
        }
        // A face without a cursor names changes by their version, also to the job.
        let marks = if self.consent == Consent::Drawn { changed } else { marks.to_vec() };
        Ok(self.queue(PlanTask::Mark(marks)))
    }

    /// Keys may come faster than the plan is written, and wait for it; a word or a command waits for its end.
    pub(super) fn queue(&self, task: PlanTask) -> Step {
        match self.consent {
            Consent::Drawn => Step::Queue(task),
            Consent::Spoken | Consent::Typed => Step::Start(Job::Plan(task)),
        }
    }

    fn mark_effect(&self, mark: &PlanMark) -> Result<MarkEffect, Message> {
        let Some(file) = self.planned(&mark.address)? else {
            // The job knows the plan, and looks again.
            return Ok(MarkEffect::Changes(vec![mark.clone()]));
        };
        let name = part_name(file, &mark.which);
        let changed = match file.answer(&mark.which, &mark.verb) {
            Ok(changed) => changed,
            Err(refusal) => {
                let message = Message::of(format!("{name}: {}", refusal.text()));
                return Ok(MarkEffect::Refused(match refusal {
                    Refusal::NotSeen { .. } => {
                        message.step(Ability::ShowFile.entry(file.address.clone()), "shows what is left")
                    }
                    Refusal::NoSuchChange { .. } => message.wrong(),
                    Refusal::Held { .. } => message,
                }));
            }
        };
        if changed.is_empty() {
            let word = match mark.verb {
                Verb::Approve => "already approved",
                Verb::Reject => "already rejected",
                Verb::Reopen => "there is no answer to undo",
                Verb::Note(_) => "the note is as it was",
                Verb::See => "already looked at",
            };
            return Ok(MarkEffect::Needless(Message::of(format!("{name}: {word}")).needless()));
        }
        let mark_of = |(id, _): (_, Mark)| PlanMark {
            address: mark.address.clone(),
            which: Which::Piece(id),
            verb: mark.verb.clone(),
        };
        Ok(MarkEffect::Changes(changed.into_iter().map(mark_of).collect()))
    }

    /// Starts the job that writes the marks that wait, unless another job writes the plan at this moment.
    pub(crate) fn say_next(&mut self, now: Timestamp) -> Option<(JobId, Job)> {
        let job = Job::Plan(self.planning.next_task(&self.board)?);
        Some((self.board.begin(job.clone(), now), job))
    }
}

/// `acme/rocket`, `1.2.0 of acme/rocket`.
fn part_name(file: &PlannedFile, which: &Which) -> String {
    let part = match which {
        Which::Whole => None,
        Which::Version(name) => Some(name.as_str()),
        Which::Piece(id) => file.pieces.iter().find(|piece| piece.id == *id).map(|piece| piece.part.name()),
    };
    part.map_or_else(|| file.address.to_string(), |part| format!("{part} of {}", file.address))
}
