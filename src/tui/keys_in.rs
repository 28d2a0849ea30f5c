//! The terminal's events, read on a thread of their own.
//!
//! When a terminal goes away, crossterm reads its end for ever without giving control back. On the loop's own thread that
//! would keep the hang-up signal from being heard, and a deserted console would take a whole core until somebody kills it.

use std::io;

use crossterm::event::Event;
use tokio::sync::mpsc;

/// The events as they come; a failure to read is the last one.
pub(super) fn listen() -> io::Result<mpsc::UnboundedReceiver<io::Result<Event>>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    // Nobody joins it: it sleeps in a read until the process ends.
    std::thread::Builder::new().name("terminal events".into()).spawn(move || {
        loop {
            let event = crossterm::event::read();
            let is_last = event.is_err();
            if sender.send(event).is_err() || is_last {
                return;
            }
        }
    })?;
    Ok(receiver)
}
