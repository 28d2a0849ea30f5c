//! The modes of the terminal's line (echo, line editing, signals by key) as they were before us.
//!
//! They are read once. An editor that is killed leaves its own modes behind, and whoever reads them then would give those
//! back at the end. Used by the guard of the terminal alone.

use std::io;

#[cfg(unix)]
use rustix::termios::OptionalActions;
#[cfg(unix)]
use rustix::termios::Termios;
#[cfg(unix)]
use rustix::termios::tcgetattr;
#[cfg(unix)]
use rustix::termios::tcsetattr;

/// What was found; nothing where the terminal does not tell.
#[derive(Clone, Debug)]
pub(super) struct Modes {
    #[cfg(unix)]
    before: Option<Termios>,
}

impl Modes {
    /// The modes of standard input's terminal at this moment.
    pub(super) fn now() -> Self {
        Self {
            #[cfg(unix)]
            before: tcgetattr(io::stdin()).ok(),
        }
    }

    /// Sets them again.
    ///
    /// # Errors
    /// The terminal is gone or refuses.
    pub(super) fn set(&self) -> io::Result<()> {
        #[cfg(unix)]
        if let Some(before) = &self.before {
            tcsetattr(io::stdin(), OptionalActions::Now, before)?;
        }
        Ok(())
    }
}
