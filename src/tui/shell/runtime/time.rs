//! What time it is for the console. Called by `runtime` alone.

use crate::tui::shell::msg::Msg;
use crate::tui::shell::runtime::Console;

impl Console {
    /// The time of the jobs' clock is asked again each time: what counts since the start counts no hours of a machine that
    /// sleeps.
    pub(super) fn tick(&self) -> Msg {
        Msg::Tick { now: self.engine.clock().now(), uptime: self.began.elapsed() }
    }
}
