//! Events ([`Msg`]) and effects outside ([`Effect`]): the only ways into and out of the model.

use std::time::Duration;

use jiff::Timestamp;

use crate::jobs::data::{Job, JobEvent, JobId, Steer};
use crate::settings::Ground;
use crate::tui::base::layout::Size;
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::shell::outside::{Page, ProgramReply};

/// An event for the model.
#[derive(Clone, Debug)]
pub enum Msg {
    Key(Chord),
    /// Keys that came in one read.
    Keys(Vec<Chord>),
    /// Text pasted in brackets.
    Paste(String),
    Resize(Size),
    Mouse(Mouse),
    /// The terminal's own background is known, or has changed.
    Ground(Ground),
    /// The time that the jobs go by, from which ages come: somebody may have stopped it, as in the demo. And how long the
    /// console runs, by a clock that nobody stops or sets: what lasts for a while here is measured by that one.
    Tick {
        now: Timestamp,
        uptime: Duration,
    },
    Job(JobId, JobEvent),
    /// A text as an editor left it, or why there is none.
    Edited(Result<String, String>),
    /// A program outside has done what it was asked for, or not.
    ProgramReplied(ProgramReply),
    /// The model as it is now stands on the screen.
    Drawn,
    /// The program was stopped from outside, and runs again.
    Continued,
    /// Nothing else waits: keep what is to outlive this run. `leaving`: nothing comes after it.
    Keep {
        leaving: bool,
    },
}

/// An action outside the model.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Start(JobId, Job),
    Cancel(JobId),
    /// Tell a running job something besides to stop.
    Steer(JobId, Steer),
    /// To the clipboard.
    Copy(String),
    /// A URL.
    Browse(String),
    /// Give the terminal to an editor or a pager until it ends.
    Show(Page),
    /// Give the terminal to an editor until it ends, with this text, which it may change.
    EditText(String),
    /// Have the terminal tell clicks and the wheel, or not.
    Mouse(bool),
    /// Give the terminal back and stop, until the shell wakes us.
    Suspend,
    /// Draw every cell again.
    Redraw,
    /// Draw what changed by the last frame itself.
    Frame,
    Quit,
}
