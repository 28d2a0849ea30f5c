//! The last message: what was said, how it is meant, and since when.

use std::time::Duration;

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
    /// What is said in its place beside what it has nothing to do with.
    pub(crate) aside: Option<String>,
    /// By the clock of [`Msg::Tick`](crate::tui::Msg::Tick)'s `uptime`.
    pub(crate) at: Duration,
}

/// What nobody asked for stays so long.
pub(crate) const MESSAGE_STAYS: Duration = Duration::from_secs(4);

impl Message {
    /// Whether the next key takes it away: the answer to a key at once, the others once they could be read.
    pub(crate) fn is_over(&self, uptime: Duration) -> bool {
        self.tone == Tone::Reply || uptime.saturating_sub(self.at) >= MESSAGE_STAYS
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
