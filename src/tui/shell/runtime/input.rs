//! The terminal's bytes, read on a thread of their own and handed over as events.
//!
//! The thread is our own and not the library's: that one takes a terminal's answers for typing, leaves a key unread that
//! comes in the same instant as a resize, and spins when the terminal is closed under it. It lets go of the terminal while
//! an editor has it ([`Input::pause`]). Called by `runtime` alone.

use std::io;

use crossterm::event::Event;
use tokio::sync::mpsc::Receiver;

use crate::tui::shell::runtime::sequence::Heard;

/// What may wait to be taken; a paste beyond it waits in the terminal.
const WAITING: usize = 1024;

/// The events that were read. The thread ends with this, or with the terminal.
pub(super) struct Input {
    events: Receiver<io::Result<Heard>>,
    #[cfg(unix)]
    wake: io::PipeWriter,
}

impl Input {
    /// The next event; `None` when there will be no more.
    pub(super) async fn next(&mut self) -> Option<io::Result<Heard>> {
        self.events.recv().await
    }

    /// The next event if there is one now.
    pub(super) fn ready(&mut self) -> Option<io::Result<Heard>> {
        self.events.try_recv().ok()
    }
}

#[cfg(unix)]
mod reader {
    use std::io::{PipeReader, Read, Write};
    use std::os::fd::{AsFd, OwnedFd};
    use std::{io, thread};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    use tokio::sync::mpsc::{Sender, channel};

    use crate::tui::shell::runtime::decode::Decoder;
    use crate::tui::shell::runtime::input::{Input, WAITING, keys_of_one_read};
    use crate::tui::shell::runtime::sequence::Heard;

    impl Input {
        pub(in crate::tui::shell::runtime) fn listen() -> io::Result<Self> {
            // Without the buffer of `io::stdin`, which would keep what is the editor's.
            let terminal = io::stdin().as_fd().try_clone_to_owned()?;
            let (sender, events) = channel(WAITING);
            let (asked, wake) = io::pipe()?;
            let reader = Reader { terminal, asked, sender, decoder: Decoder::default() };
            thread::Builder::new().name("input".into()).spawn(move || reader.run())?;
            Ok(Self { events, wake })
        }

        /// Lets go of the terminal: what is typed from now on is somebody else's.
        pub(in crate::tui::shell::runtime) async fn pause(&mut self) -> io::Result<()> {
            self.wake.write_all(b"p")?;
            // What was typed before went to us and is forgotten with the screen that it was typed at.
            while let Some(input) = self.events.recv().await {
                if matches!(input, Ok(Heard::Paused)) {
                    break;
                }
            }
            Ok(())
        }

        /// Reads again.
        pub(in crate::tui::shell::runtime) fn resume(&mut self) -> io::Result<()> {
            self.wake.write_all(b"r")
        }
    }

    /// No more events are taken at once.
    const MOST_AT_ONCE: usize = 65_536;

    struct Reader {
        terminal: OwnedFd,
        /// One byte to pause and one to go on; closed when nobody listens any more.
        asked: PipeReader,
        sender: Sender<io::Result<Heard>>,
        decoder: Decoder,
    }

    impl Reader {
        fn run(mut self) {
            loop {
                match self.turn() {
                    Ok(true) => {}
                    Ok(false) => return,
                    Err(error) => {
                        // Nobody is left to tell.
                        self.sender.blocking_send(Err(error)).ok();
                        return;
                    }
                }
            }
        }

        /// Waits and reads once; whether there is more to come.
        fn turn(&mut self) -> io::Result<bool> {
            let patience = self.decoder.patience().and_then(|patience| Timespec::try_from(patience).ok());
            let mut both =
                [PollFd::new(&self.asked, PollFlags::IN), PollFd::new(&self.terminal, PollFlags::IN)];
            match poll(&mut both, patience.as_ref()) {
                Ok(0) => {
                    let input = self.decoder.expire();
                    return Ok(self.send(input));
                }
                Ok(_) => {}
                Err(Errno::INTR | Errno::AGAIN) => return Ok(true),
                Err(error) => return Err(error.into()),
            }
            let [asked, terminal] = [0, 1].map(|place: usize| !both[place].revents().is_empty());
            if asked {
                return self.rest();
            }
            Ok(!terminal || self.read()?)
        }

        /// Sleeps until it is asked to go on.
        fn rest(&mut self) -> io::Result<bool> {
            let mut word = [0];
            if self.asked.read(&mut word)? == 0 {
                return Ok(false);
            }
            self.decoder = Decoder::default();
            if !self.send(vec![Heard::Paused]) {
                return Ok(false);
            }
            Ok(self.asked.read(&mut word)? > 0)
        }

        /// Reads all that waits: a long paste fills the buffer of the terminal more than once, and its last letters are no keys.
        fn read(&mut self) -> io::Result<bool> {
            let mut bytes = [0; 4096];
            let mut input = Vec::new();
            loop {
                match rustix::io::read(&self.terminal, &mut bytes) {
                    // The terminal is gone: its window was closed.
                    Ok(0) | Err(Errno::IO) if input.is_empty() => return Ok(false),
                    Ok(0) | Err(Errno::IO | Errno::INTR | Errno::AGAIN) => break,
                    Ok(count) => input.extend(self.decoder.feed(&bytes[..count])),
                    Err(error) => return Err(error.into()),
                }
                let mut terminal = [PollFd::new(&self.terminal, PollFlags::IN)];
                let has_more = poll(&mut terminal, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))
                    .is_ok_and(|count| count > 0);
                if !has_more || input.len() >= MOST_AT_ONCE {
                    break;
                }
            }
            Ok(self.send(keys_of_one_read(input)))
        }

        fn send(&self, input: Vec<Heard>) -> bool {
            input.into_iter().all(|input| self.sender.blocking_send(Ok(input)).is_ok())
        }
    }
}

/// Joins keys that follow one another in one read, so that the console can tell a pasted text from keys.
fn keys_of_one_read(input: Vec<Heard>) -> Vec<Heard> {
    let mut joined: Vec<Heard> = Vec::new();
    for input in input {
        match (input, joined.last_mut()) {
            (Heard::Event(Event::Key(key)), Some(Heard::Keys(keys))) => keys.push(key),
            (Heard::Event(Event::Key(key)), _) => joined.push(Heard::Keys(vec![key])),
            (input, _) => joined.push(input),
        }
    }
    joined
}

/// Waits for an event and takes those that wait behind it.
#[cfg(not(unix))]
fn read_waiting() -> io::Result<Vec<Heard>> {
    let mut events = vec![Heard::Event(crossterm::event::read()?)];
    while crossterm::event::poll(std::time::Duration::ZERO)? {
        events.push(Heard::Event(crossterm::event::read()?));
    }
    Ok(events)
}

#[cfg(not(unix))]
impl Input {
    pub(super) fn listen() -> io::Result<Self> {
        let (sender, events) = tokio::sync::mpsc::channel(WAITING);
        std::thread::Builder::new().name("input".into()).spawn(move || {
            loop {
                let read = read_waiting();
                let failed = read.is_err();
                let input = match read {
                    Ok(events) => keys_of_one_read(events).into_iter().map(Ok).collect(),
                    Err(error) => vec![Err(error)],
                };
                if !input.into_iter().all(|input| sender.blocking_send(input).is_ok()) || failed {
                    return;
                }
            }
        })?;
        Ok(Self { events })
    }

    pub(super) async fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn resume(&mut self) -> io::Result<()> {
        Ok(())
    }
}
