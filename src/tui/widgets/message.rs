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

/// The last message. While a survey runs it gives way to the progress after four seconds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub(crate) tone: Tone,
    pub(crate) text: String,
    pub(crate) at: Timestamp,
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
