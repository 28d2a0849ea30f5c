//! The terminal, taken and given back. One idempotent restore serves the end of the program, a panic, a signal and Ctrl-Z.
//!
//! The panic hook restores before the hook that was there prints. A panic of a worker thread does not end the console (the
//! engine reports it as a failed job), so its text is kept and printed after the screen is gone.

use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::panic;
use std::panic::PanicHookInfo;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::thread;

use crossterm::cursor::Show;
use crossterm::event::DisableBracketedPaste;
use crossterm::event::EnableBracketedPaste;
use crossterm::execute;
use crossterm::terminal::EndSynchronizedUpdate;
use crossterm::terminal::EnterAlternateScreen;
use crossterm::terminal::LeaveAlternateScreen;
use crossterm::terminal::disable_raw_mode;
use crossterm::terminal::enable_raw_mode;

type Hook = dyn Fn(&PanicHookInfo<'_>) + Send + Sync + 'static;

/// Holds the terminal; dropping it gives it back.
pub(super) struct Guard {
    active: Arc<AtomicBool>,
    /// The hook that was there before.
    before: Arc<Hook>,
    /// What worker threads said when they panicked.
    panics: Arc<Mutex<Vec<String>>>,
}

impl Guard {
    /// Takes the terminal: raw mode, alternate screen, bracketed paste. Gives nothing if there is none.
    ///
    /// # Errors
    /// The terminal refuses one of them; what was done is undone.
    pub(super) fn enter() -> io::Result<Option<Self>> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(None);
        }
        let guard = Self {
            active: Arc::new(AtomicBool::new(false)),
            before: Arc::from(panic::take_hook()),
            panics: Arc::default(),
        };
        guard.hook();
        guard.take()?;
        Ok(Some(guard))
    }

    /// Takes the terminal again, after a restore.
    pub(super) fn take(&self) -> io::Result<()> {
        self.active.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)
    }

    /// Gives the terminal back; does nothing if that was done.
    pub(super) fn restore(&self) {
        restore(&self.active);
    }

    /// Whether the terminal is ours.
    pub(super) fn is_active(&self) -> bool {
        self.active.load(Ordering::SeqCst)
    }

    fn hook(&self) {
        let ours = thread::current().id();
        let (active, before, panics) =
            (Arc::clone(&self.active), Arc::clone(&self.before), Arc::clone(&self.panics));
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == ours || !active.load(Ordering::SeqCst) {
                restore(&active);
                before(info);
            } else {
                let mut kept = panics.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() < 20 {
                    kept.push(info.to_string());
                }
            }
        }));
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.restore();
        if thread::panicking() {
            return;
        }
        let before = Arc::clone(&self.before);
        drop(panic::take_hook());
        panic::set_hook(Box::new(move |info| before(info)));
        for text in self.panics.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // Nobody is left to tell if the error stream is closed.
            writeln!(io::stderr(), "a worker failed: {text}").ok();
        }
    }
}

/// Every step is tried, whatever the ones before it gave: a half-restored terminal is worse than a lost error.
fn restore(active: &AtomicBool) {
    if active.swap(false, Ordering::SeqCst) {
        execute!(io::stdout(), EndSynchronizedUpdate, DisableBracketedPaste, LeaveAlternateScreen, Show).ok();
        disable_raw_mode().ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restoring_twice_does_nothing_the_second_time() {
        let active = AtomicBool::new(false);
        restore(&active);
        assert!(!active.load(Ordering::SeqCst));
    }
}
