//! Frames: when the next one may be drawn, and drawing it as one synchronized update. Used by `runtime` alone.

use std::io::{self, BufWriter, Stdout};
use std::mem;
use std::time::Duration;

use crossterm::style::force_color_output;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::time::Instant;

use crate::settings::ColorDepth;
use crate::tui::shell::draw::view;
use crate::tui::shell::model::Model;

/// Draws at most one frame a slot.
pub(super) struct Painter {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    drawn: Option<Instant>,
    /// Something changed since the last frame; how long after that frame it may be drawn.
    waiting: Option<Duration>,
    /// True if the terminal may show something else than the last frame.
    is_stale: bool,
}

impl Painter {
    /// A painter with a first frame to draw.
    /// `depth` was found out from the environment; the library, which only looks at `NO_COLOR`, is told the same.
    pub(super) fn new(depth: ColorDepth) -> io::Result<Self> {
        force_color_output(depth != ColorDepth::None);
        let buffer = BufWriter::with_capacity(1 << 16, io::stdout());
        let terminal = Terminal::new(CrosstermBackend::new(buffer))?;
        Ok(Self { terminal, drawn: None, waiting: Some(Duration::ZERO), is_stale: false })
    }

    /// Something changed: a frame is wanted so long after the last one, or sooner if one was wanted sooner.
    pub(super) fn want(&mut self, slot: Duration) {
        self.waiting = Some(self.waiting.map_or(slot, |waiting| waiting.min(slot)));
    }

    /// When the next frame may be drawn; `None` if nothing changed.
    pub(super) fn due(&self) -> Option<Instant> {
        let slot = self.waiting?;
        Some(self.drawn.map_or_else(Instant::now, |drawn| drawn + slot))
    }

    pub(super) fn is_due(&self) -> bool {
        self.due().is_some_and(|due| due <= Instant::now())
    }

    /// Forgets what the terminal shows, so that the next frame draws every cell.
    pub(super) fn forget_screen(&mut self) {
        self.is_stale = true;
    }

    /// Draws a frame, unless there is no room for any.
    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        self.drawn = Some(Instant::now());
        self.waiting = None;
        if model.size.columns == 0 || model.size.rows == 0 {
            return Ok(());
        }
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        if mem::take(&mut self.is_stale) {
            // `Terminal::clear` would ask the terminal where its cursor is, and fail where nobody answers. A resize does not.
            let size = self.terminal.size()?;
            self.terminal.resize(size.into())?;
        }
        self.terminal.draw(|frame| view(model, frame))?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }
}
