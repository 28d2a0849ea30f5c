//! Reads the registry again.

use crate::desk::intent::Step;
use crate::desk::telling::{Message, refuse};
use crate::desk::{Desk, Registry};
use crate::jobs::data::Job;

impl Desk {
    pub(super) fn reload(&self) -> Result<Step, Message> {
        if self.registry == Registry::Missing {
            self.ready()?;
        }
        if self.board.loading().is_some() {
            return refuse("the registry is already being read");
        }
        self.no_survey()?;
        Ok(Step::Start(Job::Load))
    }
}
