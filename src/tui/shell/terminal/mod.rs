//! The terminal, taken and given back. One idempotent restore serves the end of the program, a panic, a signal, Ctrl-Z and
//! the hand-over to an editor.
//!
//! The panic hook restores before the hook that was there prints. A panic of a worker thread does not end the console (the
//! engine reports it as a failed job), so its text is kept and printed after the screen is gone.

mod modes;

use std::io::{IsTerminal, Write};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, panic, thread};

use crossterm::cursor::Show;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::execute;
use crossterm::style::{Print, ResetColor};
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use crate::tui::shell::terminal::modes::Modes;

/// Tell us whenever your colours change between dark and light (mode 2031).
const FOLLOW: &str = "\x1b[?2031h";
/// What are they now, what is your background (OSC 11), and what are you: every terminal answers the last one, so that
/// what has not been answered before it will not be.
const ASK: &str = "\x1b[?996n\x1b]11;?\x1b\\\x1b[c";
/// The request "what are you?" (device attributes).
const ASK_LAST: &str = "\x1b[c";
/// Buttons and wheel, not every movement (1000), with numbers of any size (1006).
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
/// What we may have asked for, no matter whether we did: a mode that a terminal does not know is nothing to it.
const ALL_OFF: &str = "\x1b[?1006l\x1b[?1000l\x1b[?2031l";

type Hook = dyn Fn(&PanicHookInfo<'_>) + Send + Sync + 'static;

/// Holds the terminal; dropping it gives it back.
pub(crate) struct Guard {
    active: Arc<AtomicBool>,
    /// How the terminal was before us.
    modes: Modes,
    /// The hook that was there before.
    before: Arc<Hook>,
    /// What worker threads said when they panicked.
    panics: Arc<Mutex<Vec<String>>>,
    /// Where more is written about a panic.
    log: Option<PathBuf>,
}

impl Guard {
    /// Takes the terminal: raw mode, alternate screen, bracketed paste. Gives nothing if there is none.
    ///
    /// # Errors
    /// The terminal refuses one of them; what was done is undone.
    pub(crate) fn enter(log: Option<&Path>) -> io::Result<Option<Self>> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(None);
        }
        let guard = Self {
            active: Arc::new(AtomicBool::new(false)),
            modes: Modes::now(),
            before: Arc::from(panic::take_hook()),
            panics: Arc::default(),
            log: log.map(Path::to_owned),
        };
        guard.hook();
        guard.take()?;
        Ok(Some(guard))
    }

    /// Takes the terminal again, after a restore.
    pub(crate) fn take(&self) -> io::Result<()> {
        self.active.store(true, Ordering::SeqCst);
        // Another program may have left it in modes of its own, which would be kept as those to give back.
        self.modes.set()?;
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)
    }

    /// Asks the terminal to tell its background, now and whenever it changes. The answers come as input.
    pub(crate) fn follow_ground(&self) -> io::Result<()> {
        self.write(FOLLOW)
    }

    /// Asks once what the background is.
    pub(crate) fn ask_ground(&self) -> io::Result<()> {
        self.write(ASK)
    }

    /// Tells the terminal to stop sending by itself, and asks what it is. The answer is the last thing that it sends.
    pub(crate) fn stop_reports(&self) -> io::Result<()> {
        self.write(&format!("{ALL_OFF}{ASK_LAST}"))
    }

    /// Has the terminal tell clicks and the wheel, or leaves them to it.
    pub(crate) fn use_mouse(&self, on: bool) -> io::Result<()> {
        self.write(if on { MOUSE_ON } else { "\x1b[?1006l\x1b[?1000l" })
    }

    /// Writes a sequence that moves nothing; nothing while the terminal is not ours.
    pub(crate) fn write(&self, sequence: &str) -> io::Result<()> {
        if self.is_active() { execute!(io::stdout(), Print(sequence)) } else { Ok(()) }
    }

    /// Gives the terminal back; does nothing if that was done.
    pub(crate) fn restore(&self) {
        restore(&self.active, &self.modes);
    }

    /// Whether the terminal is ours.
    pub(crate) fn is_active(&self) -> bool {
        self.active.load(Ordering::SeqCst)
    }

    fn hook(&self) {
        let ours = thread::current().id();
        let (active, modes) = (Arc::clone(&self.active), self.modes.clone());
        let (before, panics, log) = (Arc::clone(&self.before), Arc::clone(&self.panics), self.log.clone());
        panic::set_hook(Box::new(move |info| {
            tracing::error!("{info}");
            if thread::current().id() == ours {
                restore(&active, &modes);
                before(info);
                name_log(log.as_deref());
            } else {
                let mut kept = panics.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() < 20 {
                    kept.push(info.to_string());
                }
            }
        }));
    }
}

/// Nobody is left to tell if the error stream is closed.
fn name_log(log: Option<&Path>) {
    if let Some(log) = log {
        writeln!(io::stderr(), "bumpdesk: the log has more: {}", log.display()).ok();
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
        let mut panics = self.panics.lock().unwrap_or_else(PoisonError::into_inner);
        for text in &*panics {
            writeln!(io::stderr(), "bumpdesk: a worker failed: {text}").ok();
        }
        if !panics.is_empty() {
            name_log(self.log.as_deref());
        }
        panics.clear();
    }
}

/// Every step is tried, whatever the ones before it gave: a half-restored terminal is worse than a lost error.
fn restore(active: &AtomicBool, modes: &Modes) {
    if active.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout();
        execute!(out, EndSynchronizedUpdate, Print(ALL_OFF), DisableBracketedPaste).ok();
        execute!(out, ResetColor, LeaveAlternateScreen, Show).ok();
        disable_raw_mode().ok();
        modes.set().ok();
    }
}

/// Columns and rows of the terminal; `None` where there is none.
pub(crate) fn size() -> Option<(u16, u16)> {
    crossterm::terminal::size().ok()
}

#[cfg(test)]
mod tests;
