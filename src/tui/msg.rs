//! What happened ([`Msg`]) and what to do about it outside ([`Effect`]): the only ways into and out of the model.

use jiff::Timestamp;

use crate::jobs::Job;
use crate::jobs::JobEvent;
use crate::jobs::JobId;
use crate::tui::chord::Chord;
use crate::tui::layout::Size;

/// What happened.
#[derive(Clone, Debug)]
pub enum Msg {
    Key(Chord),
    /// Text pasted in brackets.
    Paste(String),
    Resize(Size),
    /// The time now. Ages, message expiry and re-sorting come from it alone.
    Tick(Timestamp),
    Job(JobId, JobEvent),
    /// Nothing else waits: keep what is to outlive this run. `leaving`: nothing comes after it.
    Keep {
        leaving: bool,
    },
}

/// What to do outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Start(JobId, Job),
    Cancel(JobId),
    /// To the clipboard.
    Copy(String),
    /// A URL.
    Browse(String),
    /// Give the terminal back and stop, until the shell wakes us.
    Suspend,
    /// Draw every cell again.
    Redraw,
    Quit,
}
