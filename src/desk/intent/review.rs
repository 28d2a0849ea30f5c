//! Reviews pull requests of others: makes their files again from upstream.

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::intent::Step;
use crate::desk::telling::{Message, refuse};
use crate::jobs::data::Job;

impl Desk {
    /// Starts a job that reviews. One job at a time does.
    pub(super) fn review(&self, job: Job) -> Result<Step, Message> {
        self.not_reviewing()?;
        Ok(Step::Start(job))
    }

    pub(super) fn not_reviewing(&self) -> Result<(), Message> {
        match self.board.reviewing() {
            None => Ok(()),
            Some(running) => {
                let text = format!("{} is running already", running.job.sentence());
                refuse(Message::of(text).step(Ability::CancelReview, "cancels it"))
            }
        }
    }
}
