//! What time it is for the console. Called by `runtime` alone.

use jiff::SignedDuration;
use jiff::Timestamp;

use crate::jobs::Clock;
use crate::tui::runtime::Console;

impl Console {
    /// The time now. A clock that stands still goes on from what we were given at the start. The other one is asked again:
    /// what counts since the start counts no hours of a machine that sleeps.
    pub(super) fn now(&self) -> Timestamp {
        let clock = self.engine.clock();
        if clock == Clock::System {
            return clock.now();
        }
        let (start, at) = self.began;
        let passed = SignedDuration::try_from(at.elapsed()).unwrap_or(SignedDuration::ZERO);
        start.checked_add(passed).unwrap_or(start)
    }
}
