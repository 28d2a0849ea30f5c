//! The signals that the console hears: those that end it, a terminal of another size, and being continued after a stop.
//! Without them (not Unix) Ctrl-Z does nothing, and sizes come with the keys.

use std::io;

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    Stop,
    Resized,
    /// We were stopped and go on: somebody else may have drawn meanwhile.
    Continued,
}

#[cfg(unix)]
pub(crate) struct Signals {
    stop: [tokio::signal::unix::Signal; 2],
    interrupt: tokio::signal::unix::Signal,
    resized: tokio::signal::unix::Signal,
    continued: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            stop: [signal(SignalKind::terminate())?, signal(SignalKind::hangup())?],
            interrupt: signal(SignalKind::interrupt())?,
            resized: signal(SignalKind::window_change())?,
            continued: signal(SignalKind::from_raw(signal_hook::consts::SIGCONT))?,
        })
    }

    pub(crate) async fn next(&mut self) -> Signal {
        let [terminate, hangup] = &mut self.stop;
        tokio::select! {
            _ = terminate.recv() => Signal::Stop,
            _ = hangup.recv() => Signal::Stop,
            _ = self.interrupt.recv() => Signal::Stop,
            _ = self.resized.recv() => Signal::Resized,
            _ = self.continued.recv() => Signal::Continued,
        }
    }

    /// Waits to be ended, while another program has the terminal: its Ctrl-C reaches us too and is none of ours.
    pub(crate) async fn ended(&mut self) {
        let [terminate, hangup] = &mut self.stop;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }

    /// Forgets what came for another program.
    pub(crate) fn forget(&mut self) {
        use futures_util::FutureExt;
        for signal in [&mut self.interrupt, &mut self.resized, &mut self.continued] {
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

/// Stops the program as the shell's Ctrl-Z would; returns when the shell continues it.
#[cfg(unix)]
pub(crate) fn stop_ourselves() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)
}

#[cfg(not(unix))]
pub(crate) fn stop_ourselves() -> io::Result<()> {
    Ok(())
}
