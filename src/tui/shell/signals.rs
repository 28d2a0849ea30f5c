//! The signals that the console handles: to end, to stop, to continue after a stop, and to use a new size of the
//! terminal. Without signals (not Unix) Ctrl-Z does nothing, and a new size arrives with the key events.
//!
//! SIGTTIN and SIGTTOU keep their default action. They are sent to a background job, when another program has the
//! terminal.

use std::io;

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    Stop,
    /// Another process asks us to stop, as Ctrl-Z does.
    Suspend,
    Resized,
    /// We were stopped and go on: somebody else may have drawn meanwhile.
    Continued,
}

#[cfg(unix)]
pub(crate) struct Signals {
    stop: [tokio::signal::unix::Signal; 2],
    /// The signals of Ctrl-C and Ctrl-\ that are meant for the program that has the terminal.
    interrupt: [tokio::signal::unix::Signal; 2],
    suspend: tokio::signal::unix::Signal,
    resized: tokio::signal::unix::Signal,
    continued: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            stop: [signal(SignalKind::terminate())?, signal(SignalKind::hangup())?],
            interrupt: [signal(SignalKind::interrupt())?, signal(SignalKind::quit())?],
            suspend: signal(SignalKind::from_raw(signal_hook::consts::SIGTSTP))?,
            resized: signal(SignalKind::window_change())?,
            continued: signal(SignalKind::from_raw(signal_hook::consts::SIGCONT))?,
        })
    }

    pub(crate) async fn next(&mut self) -> Signal {
        let ([terminate, hangup], [interrupt, quit]) = (&mut self.stop, &mut self.interrupt);
        tokio::select! {
            _ = terminate.recv() => Signal::Stop,
            _ = hangup.recv() => Signal::Stop,
            _ = interrupt.recv() => Signal::Stop,
            _ = quit.recv() => Signal::Stop,
            _ = self.suspend.recv() => Signal::Suspend,
            _ = self.resized.recv() => Signal::Resized,
            _ = self.continued.recv() => Signal::Continued,
        }
    }

    /// Waits for an end signal while another program has the terminal. The Ctrl-C of that program reaches us too and
    /// is ignored. Its Ctrl-Z stops us with it, so that the shell gets the terminal.
    pub(crate) async fn ended(&mut self) {
        let [terminate, hangup] = &mut self.stop;
        loop {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = hangup.recv() => return,
                _ = self.suspend.recv() => if has_shell() { stop_ourselves().unwrap_or_default() },
            }
        }
    }

    /// Forgets what came for another program.
    pub(crate) fn forget(&mut self) {
        use futures_util::FutureExt;
        let [interrupt, quit] = &mut self.interrupt;
        for signal in [interrupt, quit, &mut self.suspend, &mut self.resized, &mut self.continued] {
            signal.recv().now_or_never();
        }
    }
}

#[cfg(not(unix))]
pub(crate) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    pub(crate) async fn next(&mut self) -> Signal {
        tokio::signal::ctrl_c().await.ok();
        Signal::Stop
    }

    pub(crate) async fn ended(&mut self) {
        std::future::pending().await
    }

    pub(crate) fn forget(&mut self) {}
}

/// Stops the program in the way of the shell's Ctrl-Z, and returns when the shell continues it.
#[cfg(unix)]
pub(crate) fn stop_ourselves() -> io::Result<()> {
    // We handle SIGTSTP, so it would not stop us. SIGSTOP cannot be caught.
    signal_hook::low_level::raise(signal_hook::consts::SIGSTOP)
}

/// Returns false if our process group is the first one of the terminal's session. Then nothing else in the session
/// could continue us, and the system itself would ignore a SIGTSTP.
#[cfg(unix)]
pub(crate) fn has_shell() -> bool {
    let terminal = io::stdin();
    match (rustix::termios::tcgetpgrp(&terminal), rustix::termios::tcgetsid(&terminal)) {
        (Ok(group), Ok(session)) => group != session,
        _ => false,
    }
}

#[cfg(not(unix))]
pub(crate) fn has_shell() -> bool {
    false
}

#[cfg(not(unix))]
pub(crate) fn stop_ourselves() -> io::Result<()> {
    Ok(())
}
