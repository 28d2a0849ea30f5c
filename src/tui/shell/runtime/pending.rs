//! Requests to the terminal that it has not answered yet. Answers and mouse events that arrive after we have left
//! would be typed into the shell. A slow terminal sends them a whole round trip later.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::tui::shell::runtime::input::Input;
use crate::tui::shell::runtime::sequence::Heard;
use crate::tui::shell::terminal::Guard;

/// The longest wait for an answer. A terminal that has not answered by then will not answer.
const ANSWERS_TAKE: Duration = Duration::from_secs(3);

/// The pending requests to the terminal.
#[derive(Debug, Default)]
pub(super) struct PendingRequests {
    /// The number of requests without an answer.
    open: u32,
    /// The moment of the last request.
    last: Option<Instant>,
    /// True if the terminal has answered before.
    answers: bool,
}

impl PendingRequests {
    /// Records a request. Every request ends with a part that all terminals answer.
    pub(super) fn note(&mut self) {
        self.open += 1;
        self.last = Some(Instant::now());
    }

    pub(super) fn take_answer(&mut self, heard: &Heard) {
        if *heard == Heard::Answered {
            self.open = self.open.saturating_sub(1);
            self.answers = true;
        }
    }

    /// The moment until which an answer may come; `None` if there is nothing to wait for. `may_send` is true if the
    /// terminal may send something without a request.
    fn deadline(&self, may_send: bool, now: Instant) -> Option<Instant> {
        match self.last {
            _ if self.answers && (may_send || self.open > 0) => Some(now + ANSWERS_TAKE),
            _ if self.answers => None,
            // A request without an answer is waited for as long as a slow terminal takes, counted from the request.
            Some(sent_at) => Some(sent_at + ANSWERS_TAKE).filter(|deadline| *deadline > now),
            None => may_send.then(|| now + ANSWERS_TAKE),
        }
    }

    /// Tells the terminal to stop sending, and reads what is still on its way, so that the next user of the terminal
    /// does not get it.
    ///
    /// A terminal works in order. Once it answers a request that was sent after its modes were switched off,
    /// everything before has arrived. Keys typed in the meantime are dropped.
    pub(super) async fn settle(&mut self, guard: &Guard, events: &mut Input, may_send: bool) {
        let Some(deadline) = self.deadline(may_send, Instant::now()) else { return };
        if !guard.is_active() || guard.stop_reports().is_err() {
            return;
        }
        self.open += 1;
        while self.open > 0 {
            match timeout_at(deadline, events.next()).await {
                Ok(Some(Ok(heard))) => self.take_answer(&heard),
                _ => break,
            }
        }
        self.open = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_lasts_as_long_as_an_answer_can_come() {
        let now = Instant::now() + Duration::from_secs(100);
        let pending = |open, ago: Option<u64>, answers| PendingRequests {
            open,
            last: ago.map(|ago| now - Duration::from_millis(ago)),
            answers,
        };
        let never = || pending(0, None, false);
        for (pending, may_send, wait_ms) in [
            // Without a request, only mouse events can be on their way.
            (never(), false, None),
            (never(), true, Some(3_000)),
            // One request was sent just now, and one was never answered.
            (pending(1, Some(0), false), false, Some(3_000)),
            (pending(1, Some(350), false), true, Some(2_650)),
            (pending(1, Some(3_500), false), true, None),
            // The terminal answers, so wait for everything that it may send.
            (pending(0, Some(60_000), true), true, Some(3_000)),
            (pending(0, Some(60_000), true), false, None),
            (pending(2, Some(100), true), false, Some(3_000)),
        ] {
            let deadline = pending.deadline(may_send, now);
            assert_eq!(
                deadline.map(|at| at - now),
                wait_ms.map(Duration::from_millis),
                "{pending:?} {may_send}"
            );
        }
    }

    #[test]
    fn each_request_has_its_own_answer() {
        let mut pending = PendingRequests::default();
        pending.note();
        pending.note();
        pending.take_answer(&Heard::Answered);
        assert_eq!((pending.open, pending.answers), (1, true));
        pending.take_answer(&Heard::Paused);
        pending.take_answer(&Heard::Answered);
        pending.take_answer(&Heard::Answered);
        assert_eq!(pending.open, 0, "an answer without a request");
    }
}
