//! What time it is for the console. Called by `runtime` alone.

use jiff::Timestamp;

use crate::tui::shell::runtime::Console;

impl Console {
    /// The time of the jobs' clock, asked anew each time: what counts since the start counts no hours of a machine that
    /// sleeps, and a clock that somebody stopped stands for both.
    pub(super) fn now(&self) -> Timestamp {
        self.engine.clock().now()
    }
}
