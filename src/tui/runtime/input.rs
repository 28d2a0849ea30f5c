//! The terminal's events, read on a thread of their own. The library can hang in a read when the terminal is closed under
//! it, and its stream forgets who waits; so the loop never reads itself, and a signal always reaches it.

use std::io;
use std::thread;

use crossterm::event::Event;
use tokio::sync::mpsc::Receiver;
use tokio::sync::mpsc::channel;

/// What may wait to be taken; a paste beyond it waits in the terminal.
const WAITING: usize = 1024;

/// The events that were read. The thread stays in its read when this is gone: it ends with the process.
pub(super) struct Input(Receiver<io::Result<Event>>);

impl Input {
    pub(super) fn listen() -> io::Result<Self> {
        let (sender, events) = channel(WAITING);
        thread::Builder::new().name("input".into()).spawn(move || {
            loop {
                let event = crossterm::event::read();
                let failed = event.is_err();
                if sender.blocking_send(event).is_err() || failed {
                    return;
                }
            }
        })?;
        Ok(Self(events))
    }

    /// The next event; `None` when there will be no more.
    pub(super) async fn next(&mut self) -> Option<io::Result<Event>> {
        self.0.recv().await
    }

    /// The next event if there is one now.
    pub(super) fn ready(&mut self) -> Option<io::Result<Event>> {
        self.0.try_recv().ok()
    }
}
