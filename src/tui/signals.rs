//! The signals that end the console, and the one that suspends it. Without them (not Unix) Ctrl-Z does nothing.

use std::io;

/// The signals that end us.
#[cfg(unix)]
pub(super) struct Signals([tokio::signal::unix::Signal; 3]);

#[cfg(unix)]
impl Signals {
    pub(super) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::SignalKind;
        use tokio::signal::unix::signal;
        Ok(Self([
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
            signal(SignalKind::interrupt())?,
        ]))
    }

    pub(super) async fn stop(&mut self) {
        let [terminate, hangup, interrupt] = &mut self.0;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}

#[cfg(not(unix))]
pub(super) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    pub(super) async fn stop(&mut self) {
        tokio::signal::ctrl_c().await.ok();
    }
}

/// Stops the program as the shell's Ctrl-Z would; returns when the shell continues it.
#[cfg(unix)]
pub(super) fn stop_ourselves() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)
}

#[cfg(not(unix))]
pub(super) fn stop_ourselves() -> io::Result<()> {
    Ok(())
}
