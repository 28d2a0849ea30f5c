//! The loop between terminal, clock and engine: the only impure part of the console besides the terminal guard.
//!
//! It waits for a key, an event of a job, or (only while a job runs) a tick; drains what else is ready; updates; performs
//! effects; draws at most once a slot. With nothing going on it sleeps and writes nothing.

use std::io;
use std::io::BufWriter;
use std::io::Stdout;
use std::time::Duration;

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::Event;
use crossterm::event::EventStream;
use crossterm::execute;
use crossterm::queue;
use crossterm::terminal::BeginSynchronizedUpdate;
use crossterm::terminal::EndSynchronizedUpdate;
use futures_util::FutureExt;
use futures_util::StreamExt;
use jiff::SignedDuration;
use jiff::Timestamp;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::time::Instant;
use tokio::time::sleep_until;

use crate::jobs::Engine;
use crate::tui::keymap;
use crate::tui::layout::Size;
use crate::tui::model::Model;
use crate::tui::model::Options;
use crate::tui::model::Tone;
use crate::tui::msg::Effect;
use crate::tui::msg::Msg;
use crate::tui::signals::Signals;
use crate::tui::signals::stop_ourselves;
use crate::tui::terminal::Guard;
use crate::tui::update::update;
use crate::tui::view::view;

/// A frame after a key, a frame after a job's event, the tick, and how long jobs may take to stop at the end.
const KEY_SLOT: Duration = Duration::from_millis(16);
const JOB_SLOT: Duration = Duration::from_millis(100);
const TICK: Duration = Duration::from_millis(100);
const GRACE: Duration = Duration::from_millis(150);
const BATCH: usize = 256;

/// Why the console could not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no terminal: standard input and output must be one; use a command such as `bumpdesk list`")]
    NoTerminal,
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
}

/// Runs the console until it is left. The terminal is as before when this returns, however it ends. Await it on the
/// thread of `block_on`: a panic of another thread is kept for the end, one of this thread restores the terminal.
///
/// # Errors
/// There is no terminal, or it fails.
pub async fn run(engine: Engine, options: Options) -> Result<(), Error> {
    let guard = Guard::enter()?.ok_or(Error::NoTerminal)?;
    let terminal = Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, io::stdout())))?;
    let (columns, rows) = crossterm::terminal::size()?;
    let options = Options { size: Size::new(columns, rows), ..options };
    let began = (options.now, Instant::now());
    let mut console = Console {
        engine,
        model: Model::new(options),
        terminal,
        guard,
        began,
        drawn: None,
        waiting: Some(KEY_SLOT),
        quit: false,
    };
    let effects = console.model.begin();
    console.perform(effects)?;
    let ended = console.turn().await;
    console.guard.restore();
    console.engine.shutdown(GRACE).await;
    ended
}

struct Console {
    engine: Engine,
    model: Model,
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    guard: Guard,
    /// The time that we were given, and when that was.
    began: (Timestamp, Instant),
    drawn: Option<Instant>,
    /// Something changed since the last frame; how long after that frame it may be drawn.
    waiting: Option<Duration>,
    quit: bool,
}

/// What a wait gave.
enum Ready {
    Message(Msg),
    /// A frame is due, or an event that means nothing.
    Nothing,
    Leave,
}

impl Console {
    async fn turn(&mut self) -> Result<(), Error> {
        let mut events = EventStream::new();
        let mut signals = Signals::listen()?;
        while !self.quit {
            self.draw_in_time()?;
            let due = self.due();
            let tick = Instant::now() + TICK;
            let ready = tokio::select! {
                event = events.next() => read(event)?,
                (id, event) = self.engine.next() => Ready::Message(Msg::Job(id, event)),
                () = signals.stop() => Ready::Leave,
                () = sleep_until(tick), if self.model.is_moving() => Ready::Message(Msg::Tick(self.now())),
                () = sleep_until(due.unwrap_or(tick)), if due.is_some() => Ready::Nothing,
            };
            self.take(ready)?;
            self.drain(&mut events)?;
        }
        Ok(())
    }

    /// Takes what else is ready, up to a batch, so that a flood of events costs one frame.
    fn drain(&mut self, events: &mut EventStream) -> Result<(), Error> {
        for _ in 0..BATCH {
            if let Some(event) = events.next().now_or_never() {
                self.take(read(event)?)?;
            } else if let Some((id, event)) = self.engine.next().now_or_never() {
                self.take(Ready::Message(Msg::Job(id, event)))?;
            } else {
                return Ok(());
            }
            if self.quit {
                return Ok(());
            }
        }
        Ok(())
    }

    fn take(&mut self, ready: Ready) -> Result<(), Error> {
        let msg = match ready {
            Ready::Nothing => return Ok(()),
            Ready::Leave => {
                self.quit = true;
                return Ok(());
            }
            Ready::Message(msg) => msg,
        };
        let slot = if matches!(msg, Msg::Job(..) | Msg::Tick(_)) { JOB_SLOT } else { KEY_SLOT };
        self.waiting = Some(self.waiting.map_or(slot, |waiting| waiting.min(slot)));
        if !matches!(msg, Msg::Tick(_)) {
            let now = self.now();
            update(&mut self.model, Msg::Tick(now));
        }
        let effects = update(&mut self.model, msg);
        self.perform(effects)
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Result<(), Error> {
        for effect in effects {
            match effect {
                Effect::Start(id, job) => self.engine.start(id, job),
                Effect::Cancel(id) => self.engine.cancel(id),
                Effect::Copy(text) => execute!(io::stdout(), CopyToClipboard::to_clipboard_from(text))?,
                Effect::Browse(url) => self.browse(&url),
                Effect::Suspend => self.suspend()?,
                Effect::Redraw => self.terminal.clear()?,
                Effect::Quit => self.quit = true,
            }
        }
        Ok(())
    }

    fn browse(&mut self, url: &str) {
        if let Some(Err(error)) = self.model.options.browse.map(|browse| browse(url)) {
            self.model.say(Tone::Error, format!("`{url}` was not opened: {error}"));
        }
    }

    /// Stops until the shell continues us, with the terminal given back meanwhile.
    fn suspend(&mut self) -> Result<(), Error> {
        self.guard.restore();
        stop_ourselves()?;
        self.reenter()
    }

    fn reenter(&mut self) -> Result<(), Error> {
        self.guard.take()?;
        self.terminal.clear()?;
        let (columns, rows) = crossterm::terminal::size()?;
        update(&mut self.model, Msg::Resize(Size::new(columns, rows)));
        self.waiting = Some(KEY_SLOT);
        Ok(())
    }

    /// When the next frame may be drawn; `None` if nothing changed.
    fn due(&self) -> Option<Instant> {
        let slot = self.waiting?;
        Some(self.drawn.map_or_else(Instant::now, |drawn| drawn + slot))
    }

    fn draw_in_time(&mut self) -> Result<(), Error> {
        if self.due().is_none_or(|due| due > Instant::now()) {
            return Ok(());
        }
        if !self.guard.is_active() {
            self.reenter()?;
        }
        self.drawn = Some(Instant::now());
        self.waiting = None;
        if self.model.size.columns == 0 || self.model.size.rows == 0 {
            return Ok(());
        }
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| view(&self.model, frame))?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        Ok(())
    }

    /// The time now: what we were given at the start, and what passed since.
    fn now(&self) -> Timestamp {
        let (start, at) = self.began;
        let passed = SignedDuration::try_from(at.elapsed()).unwrap_or(SignedDuration::ZERO);
        start.checked_add(passed).unwrap_or(start)
    }
}

fn read(event: Option<io::Result<Event>>) -> Result<Ready, Error> {
    Ok(match event {
        None => Ready::Leave,
        Some(Err(error)) => return Err(error.into()),
        Some(Ok(Event::Key(key))) => {
            keymap::chord(key).map_or(Ready::Nothing, |key| Ready::Message(Msg::Key(key)))
        }
        Some(Ok(Event::Paste(text))) => Ready::Message(Msg::Paste(text)),
        Some(Ok(Event::Resize(columns, rows))) => Ready::Message(Msg::Resize(Size::new(columns, rows))),
        Some(Ok(_)) => Ready::Nothing,
    })
}
