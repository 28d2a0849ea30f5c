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
pub(super) struct Asked {
    /// The number of requests without an answer.
    open: u32,
    /// The moment of the last request.
    last: Option<Instant>,
    /// True if the terminal has answered before.
    answers: bool,
}

impl Asked {
    /// Records a request. Every request ends with a part that all terminals answer.
    pub(super) fn note(&mut self) {
        self.open += 1;
        self.last = Some(Instant::now());
    }

    pub(super) fn heard(&mut self, heard: &Heard) {
        if *heard == Heard::Answered {
            self.open = self.open.saturating_sub(1);
            self.answers = true;
        }
    }

    /// The moment until which an answer may come; `None` if there is nothing to wait for. `may_tell` is true if the
    /// terminal may send something without a request.
    fn deadline(&self, may_tell: bool, now: Instant) -> Option<Instant> {
        match self.last {
            _ if self.answers && (may_tell || self.open > 0) => Some(now + ANSWERS_TAKE),
            _ if self.answers => None,
            // A request without an answer is waited for as long as a slow terminal takes, counted from the request.
            Some(asked) => Some(asked + ANSWERS_TAKE).filter(|deadline| *deadline > now),
            None => may_tell.then(|| now + ANSWERS_TAKE),
        }
    }

    /// Tells the terminal to stop sending, and reads what is still on its way, so that the next user of the terminal
    /// does not get it.
    ///
    /// A terminal works in order. Once it answers a request that was sent after its modes were switched off,
    /// everything before has arrived. Keys typed in the meantime are dropped.
    pub(super) async fn settle(&mut self, guard: &Guard, events: &mut Input, may_tell: bool) {
        let Some(deadline) = self.deadline(may_tell, Instant::now()) else { return };
        if !guard.is_active() || guard.tell_nothing().is_err() {
            return;
        }
        self.open += 1;
        while self.open > 0 {
            match timeout_at(deadline, events.next()).await {
                Ok(Some(Ok(heard))) => self.heard(&heard),
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
    fn it_waits_as_long_as_an_answer_can_come() {
        let now = Instant::now() + Duration::from_secs(100);
        let asked = |open, ago: Option<u64>, answers| Asked {
            open,
            last: ago.map(|ago| now - Duration::from_millis(ago)),
            answers,
        };
        let never = || asked(0, None, false);
        for (asked, may_tell, wait_ms) in [
            // Without a request, only mouse events can be on their way.
            (never(), false, None),
            (never(), true, Some(3_000)),
            // One request was sent just now, and one was never answered.
            (asked(1, Some(0), false), false, Some(3_000)),
            (asked(1, Some(350), false), true, Some(2_650)),
            (asked(1, Some(3_500), false), true, None),
            // The terminal answers, so wait for everything that it may send.
            (asked(0, Some(60_000), true), true, Some(3_000)),
            (asked(0, Some(60_000), true), false, None),
            (asked(2, Some(100), true), false, Some(3_000)),
        ] {
            let deadline = asked.deadline(may_tell, now);
            assert_eq!(
                deadline.map(|at| at - now),
                wait_ms.map(Duration::from_millis),
                "{asked:?} {may_tell}"
            );
        }
    }

    #[test]
    fn each_question_has_its_own_answer() {
        let mut asked = Asked::default();
        asked.note();
        asked.note();
        asked.heard(&Heard::Answered);
        assert_eq!((asked.open, asked.answers), (1, true));
        asked.heard(&Heard::Paused);
        asked.heard(&Heard::Answered);
        asked.heard(&Heard::Answered);
        assert_eq!(asked.open, 0, "one that nobody asked for");
    }
}
