//! The last message: what was said, how it is meant, and since when.

use jiff::Timestamp;

use crate::tui::base::theme::Role;

/// How a message is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// The answer to a key; gone with the next one.
    Reply,
    Notice,
    Warning,
    Error,
}

/// The last message. It goes with the next key; while a survey runs it gives way to the progress after four seconds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub(crate) tone: Tone,
    pub(crate) text: String,
    pub(crate) at: Timestamp,
}

/// What nobody asked for stays so long.
pub(crate) const MESSAGE_SECONDS: i64 = 4;

impl Message {
    /// Whether the next key takes it away: the answer to a key at once, the others once they could be read.
    pub(crate) fn is_over(&self, now: Timestamp) -> bool {
        self.tone == Tone::Reply || now.as_second() - self.at.as_second() >= MESSAGE_SECONDS
    }
}

impl Tone {
    pub(crate) fn role(self) -> Role {
        match self {
            Self::Reply | Self::Notice => Role::Notice,
            Self::Warning => Role::Warning,
            Self::Error => Role::Error,
        }
    }
}
