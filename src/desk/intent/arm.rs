//! Allows writing to GitHub for a while, and ends that.

use crate::desk::Desk;
use crate::desk::arming::{Arming, READ_ONLY};
use crate::desk::intent::Step;
use crate::desk::telling::{Message, refuse};

impl Desk {
    /// Arms writing for a reason, once GitHub said whose token it is.
    pub(super) fn arm(&self, reason: &str) -> Result<Step, Message> {
        self.writing_allowed()?;
        if reason.trim().is_empty() {
            return Err(Message::of("a reason is needed: what is sent, and why").wrong());
        }
        if matches!(self.arming, Arming::Asking { .. }) {
            return refuse("still checking whose token this is");
        }
        Ok(Step::Arm(reason.to_owned()))
    }

    pub(super) fn disarm(&self) -> Result<Step, Message> {
        if self.arming == Arming::ReadOnly {
            return Err(Message::of(READ_ONLY).needless());
        }
        Ok(Step::Disarm)
    }
}
