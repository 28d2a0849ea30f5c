//! The loop between terminal, clock and engine: the only impure part of the console besides the terminal guard.
//!
//! It waits for a key, an event of a job, or (only while a job runs) a tick; drains what else is ready; updates; performs
//! effects; draws at most once a slot. With nothing going on it sleeps and writes nothing.

mod input;
mod painter;

use std::io;
use std::time::Duration;

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::Event;
use crossterm::execute;
use futures_util::FutureExt;
use jiff::SignedDuration;
use jiff::Timestamp;
use tokio::time::Instant;
use tokio::time::sleep_until;

use crate::jobs::Engine;
use crate::jobs::Failure;
use crate::jobs::JobEvent;
use crate::tui::keymap;
use crate::tui::layout::Size;
use crate::tui::model::Model;
use crate::tui::model::Options;
use crate::tui::model::Tone;
use crate::tui::msg::Effect;
use crate::tui::msg::Msg;
use crate::tui::runtime::input::Input;
use crate::tui::runtime::painter::Painter;
use crate::tui::signals::Signals;
use crate::tui::signals::stop_ourselves;
use crate::tui::terminal::Guard;
use crate::tui::update::update;

/// A frame after a key, a frame after a job's event, the tick, and how long jobs may take to stop at the end.
const KEY_SLOT: Duration = Duration::from_millis(16);
const JOB_SLOT: Duration = Duration::from_millis(100);
/// The same where nobody sees how far the job is.
const HIDDEN_SLOT: Duration = Duration::from_secs(1);
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
    #[error("{} failed", .0.doing)]
    Start(Failure),
}

/// Runs the console until it is left. The first frame is drawn while `engine` is still being made. The terminal is as
/// before when this returns, however it ends. Await it on the thread of `block_on`: a panic of another thread is kept for
/// the end, one of this thread restores the terminal.
///
/// # Errors
/// There is no terminal, or it fails, or there is no engine.
pub async fn run(
    engine: impl Future<Output = Result<Engine, Failure>>,
    options: Options,
) -> Result<(), Error> {
    let mut signals = Signals::listen()?;
    let guard = Guard::enter()?.ok_or(Error::NoTerminal)?;
    let mut painter = Painter::new()?;
    let (columns, rows) = crossterm::terminal::size()?;
    let options = Options { size: Size::new(columns, rows), ..options };
    let began = (options.now, Instant::now());
    let mut model = Model::new(options);
    let effects = model.begin();
    painter.draw(&model)?;
    let engine = tokio::select! {
        engine = engine => engine.map_err(Error::Start)?,
        () = signals.stop() => return Ok(()),
    };
    let mut console = Console { engine, model, painter, guard, began, quit: false };
    console.perform(effects)?;
    let ended = console.turn(&mut signals).await;
    console.guard.restore();
    console.engine.shutdown(GRACE).await;
    ended
}

struct Console {
    engine: Engine,
    model: Model,
    painter: Painter,
    guard: Guard,
    /// The time that we were given, and when that was.
    began: (Timestamp, Instant),
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
    async fn turn(&mut self, signals: &mut Signals) -> Result<(), Error> {
        let mut events = Input::listen()?;
        while !self.quit {
            self.draw_in_time()?;
            let due = self.painter.due();
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
    fn drain(&mut self, events: &mut Input) -> Result<(), Error> {
        for _ in 0..BATCH {
            if let Some(event) = events.ready() {
                self.take(read(Some(event))?)?;
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
        // What somebody waits for is drawn at once; what only goes on, in its own time.
        let goes_on = matches!(msg, Msg::Job(_, JobEvent::Progress(_) | JobEvent::Judged(_)) | Msg::Tick(_));
        let slot = match goes_on {
            true if self.model.shows_progress() => JOB_SLOT,
            true => HIDDEN_SLOT,
            false => KEY_SLOT,
        };
        self.painter.want(slot);
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
                Effect::Redraw => self.painter.clear()?,
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
        self.painter.clear()?;
        let (columns, rows) = crossterm::terminal::size()?;
        update(&mut self.model, Msg::Resize(Size::new(columns, rows)));
        self.painter.want(KEY_SLOT);
        Ok(())
    }

    fn draw_in_time(&mut self) -> Result<(), Error> {
        if !self.painter.is_due() {
            return Ok(());
        }
        if !self.guard.is_active() {
            self.reenter()?;
        }
        Ok(self.painter.draw(&self.model)?)
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
