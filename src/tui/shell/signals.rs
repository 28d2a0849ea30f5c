//! The signals that the console hears: those that end it, those that stop it, a terminal of another size, and being continued
//! after a stop. Without them (not Unix) Ctrl-Z does nothing, and sizes come with the keys.
//!
//! SIGTTIN and SIGTTOU keep their default: they come to a job in the background, where the terminal is somebody else's.

use std::io;

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    Stop,
    /// Another process wants us to stop, as Ctrl-Z does.
    Suspend,
    Resized,
    /// We were stopped and go on: somebody else may have drawn meanwhile.
    Continued,
}

#[cfg(unix)]
pub(crate) struct Signals {
    stop: [tokio::signal::unix::Signal; 2],
    /// From the keys of a terminal that another program has.
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

    /// Waits to be ended, while another program has the terminal: its Ctrl-C reaches us too and is none of ours. Its Ctrl-Z
    /// stops us with it, so that the shell gets the terminal.
    pub(crate) async fn ended(&mut self) {
        let [terminate, hangup] = &mut self.stop;
        loop {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = hangup.recv() => return,
                _ = self.suspend.recv() => stop_ourselves().unwrap_or_default(),
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

/// Stops the program as the shell's Ctrl-Z would; returns when the shell continues it. Without a shell that could, it goes on.
#[cfg(unix)]
pub(crate) fn stop_ourselves() -> io::Result<()> {
    if !has_shell() {
        return Ok(());
    }
    // We listen to SIGTSTP, so that it stops nothing; this one cannot be caught.
    signal_hook::low_level::raise(signal_hook::consts::SIGSTOP)
}

/// Returns true unless our group is the one that the terminal's session began with: then nothing outside of it in the session
/// could continue it, and the system itself would ignore a SIGTSTP.
#[cfg(unix)]
fn has_shell() -> bool {
    let terminal = io::stdin();
    match (rustix::termios::tcgetpgrp(&terminal), rustix::termios::tcgetsid(&terminal)) {
        (Ok(group), Ok(session)) => group != session,
        _ => false,
    }
}

#[cfg(not(unix))]
pub(crate) fn stop_ourselves() -> io::Result<()> {
    Ok(())
}
