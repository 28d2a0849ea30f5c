//! The loop between terminal, clock and engine: the only impure part of the console besides the terminal guard.
//!
//! It waits for a key, an event of a job, or (only while a job runs) a tick; drains what else is ready; updates; performs
//! effects; draws at most once a slot. With nothing going on it sleeps and writes nothing.

mod decode;
mod early;
mod handover;
mod input;
mod meaning;
mod painter;
mod pending;
mod sequence;
mod time;

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::time::{Instant, sleep_until};

use crate::jobs::Engine;
use crate::jobs::data::{Failure, JobEvent};
use crate::tui::base::layout::Size;
use crate::tui::shell::model::{Model, Options};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::outside::{Doing, Outside, ProgramReply};
use crate::tui::shell::runtime::early::Early;
use crate::tui::shell::runtime::input::Input;
use crate::tui::shell::runtime::meaning::{read, terminal_size};
use crate::tui::shell::runtime::painter::Painter;
use crate::tui::shell::runtime::pending::PendingRequests;
use crate::tui::shell::runtime::sequence::Heard;
use crate::tui::shell::signals::{Signal, Signals};
use crate::tui::shell::terminal::Guard;
use crate::tui::shell::update::update;

/// The least time between two frames, the second of which shows a key. A key that follows a frame waits for it, is drawn, and is to
/// be on the screen within 16 ms.
const KEY_SLOT: Duration = Duration::from_millis(12);
/// The least time before a frame that shows a job's event, the tick, and how long jobs may take to stop at the end.
const JOB_SLOT: Duration = Duration::from_millis(100);
/// A frame after a job's event, if the progress of the job is not on the screen.
const HIDDEN_SLOT: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);
const GRACE: Duration = Duration::from_millis(150);
const BATCH: usize = 256;

/// Why the console could not run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("no terminal: standard input and output must be one; use a command such as `bumpdesk list`")]
    NoTerminal,
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
    #[error("{} failed", .0.doing)]
    Start(Failure),
}

/// Runs the console until it is left, and gives what is still to be said then. The first frame is drawn while `engine` is still being made. The terminal is as
/// before when this returns, however it ends. Await it on the thread of `block_on`: a panic of another thread is kept for
/// the end, one of this thread restores the terminal.
///
/// # Errors
/// There is no terminal, or it fails, or there is no engine.
pub(crate) async fn run(
    engine: impl Future<Output = Result<Engine, Failure>>,
    options: Options,
    outside: Outside,
) -> Result<Option<String>, Error> {
    let signals = Signals::listen()?;
    let guard = Guard::enter(options.log.as_deref())?.ok_or(Error::NoTerminal)?;
    let (columns, rows) = crossterm::terminal::size()?;
    let options = Options {
        size: Size::new(columns, rows),
        has_browser: outside.browser.is_some(),
        has_viewer: outside.viewer.is_some(),
        has_editor: outside.editor.is_some(),
        ..options
    };
    let mut early = Early::begin(signals, guard, options)?;
    let engine = match early.wait_for(engine).await {
        Ok(Some(engine)) => engine,
        ended => {
            early.settle().await;
            return ended.map(|_| None);
        }
    };
    let _log = engine.keep_log();
    let mut console = early.open(engine, outside).await?;
    let ended = console.turn().await;
    console.settle().await;
    console.guard.restore();
    console.engine.shutdown(GRACE).await;
    let after = console.model.desk.plan_after();
    ended.map(|()| after.map(|after| format!("the plan {after}")))
}

struct Console {
    engine: Engine,
    outside: Outside,
    model: Model,
    painter: Painter,
    guard: Guard,
    signals: Signals,
    events: Input,
    /// Inputs from before the engine was there.
    waiting: VecDeque<Heard>,
    /// Programs outside that are at work for us.
    doings: FuturesUnordered<Doing>,
    pending: PendingRequests,
    began: Instant,
    quit: bool,
}

/// The result of a wait.
enum Ready {
    Input(Option<io::Result<Heard>>),
    Signal(Signal),
    Message(Msg),
    Program(ProgramReply),
    /// A frame is due.
    Nothing,
}

impl Console {
    async fn turn(&mut self) -> Result<(), Error> {
        while !self.quit {
            self.draw_in_time().await?;
            let due = self.painter.due();
            let tick = Instant::now() + TICK;
            let ready = tokio::select! {
                input = self.events.next(), if self.waiting.is_empty() => Ready::Input(input),
                input = std::future::ready(self.waiting.pop_front()), if !self.waiting.is_empty() => {
                    Ready::Input(input.map(Ok))
                }
                (id, event) = self.engine.next() => Ready::Message(Msg::Job(id, event)),
                signal = self.signals.next() => Ready::Signal(signal),
                Some(reply) = self.doings.next() => Ready::Program(reply),
                () = sleep_until(tick), if self.model.is_moving() => Ready::Message(self.tick()),
                () = sleep_until(due.unwrap_or(tick)), if due.is_some() => Ready::Nothing,
            };
            self.take(ready).await?;
            self.drain().await?;
            self.keep(false).await?;
        }
        self.keep(true).await
    }

    /// Keeps what is to outlive this run, once nothing else waits.
    async fn keep(&mut self, leaving: bool) -> Result<(), Error> {
        let effects = update(&mut self.model, Msg::Keep { leaving });
        self.perform(effects).await
    }

    /// Takes what else is ready, up to a batch, so that a flood of events costs one frame.
    async fn drain(&mut self) -> Result<(), Error> {
        for _ in 0..BATCH {
            if self.quit || !self.waiting.is_empty() {
                return Ok(());
            } else if let Some(input) = self.events.ready() {
                self.take(Ready::Input(Some(input))).await?;
            } else if let Some((id, event)) = self.engine.next().now_or_never() {
                self.take(Ready::Message(Msg::Job(id, event))).await?;
            } else {
                return Ok(());
            }
        }
        Ok(())
    }

    async fn take(&mut self, ready: Ready) -> Result<(), Error> {
        let msg = match ready {
            Ready::Nothing => None,
            Ready::Message(msg) => Some(msg),
            Ready::Program(reply) => Some(self.hear_program(reply)?),
            Ready::Signal(Signal::Stop) | Ready::Input(None) => {
                self.quit = true;
                None
            }
            Ready::Signal(Signal::Suspend) => {
                self.suspend().await?;
                Some(Msg::Continued)
            }
            Ready::Signal(Signal::Resized) => {
                // A terminal that shrinks and grows again loses cells, and may have the old size by now.
                self.painter.forget_screen();
                Some(Msg::Resize(terminal_size()?))
            }
            Ready::Signal(Signal::Continued) => {
                // Whoever stopped us may have left the terminal in another state than we did.
                self.guard.restore();
                self.reenter()?;
                Some(Msg::Continued)
            }
            Ready::Input(Some(input)) => {
                let input = input?;
                self.pending.take_answer(&input);
                read(input)?
            }
        };
        match msg {
            Some(msg) => self.tell(msg).await,
            None => Ok(()),
        }
    }

    async fn tell(&mut self, msg: Msg) -> Result<(), Error> {
        // What somebody waits for is drawn at once; what only goes on, in its own time.
        let goes_on = matches!(
            msg,
            Msg::Job(_, JobEvent::Progress(_) | JobEvent::Judged(_) | JobEvent::Verify(_)) | Msg::Tick { .. }
        );
        let slot = match goes_on {
            true if self.model.shows_progress() => JOB_SLOT,
            true => HIDDEN_SLOT,
            false => KEY_SLOT,
        };
        self.painter.want(slot);
        if !matches!(msg, Msg::Tick { .. }) {
            let tick = self.tick();
            update(&mut self.model, tick);
        }
        let effects = update(&mut self.model, msg);
        self.perform(effects).await
    }

    async fn perform(&mut self, effects: Vec<Effect>) -> Result<(), Error> {
        for effect in effects {
            match effect {
                Effect::Start(id, job) => self.engine.start(id, job),
                Effect::Cancel(id) => self.engine.cancel(id),
                Effect::Steer(id, steer) => self.engine.steer(id, steer),
                Effect::Copy(text) => self.copy(text)?,
                Effect::Browse(url) => self.doings.push(self.outside.browse(url)),
                Effect::Show(page) => self.show(page).await?,
                Effect::EditText(text) => self.edit(text).await?,
                Effect::Mouse(on) => self.guard.use_mouse(on)?,
                Effect::Suspend => self.suspend().await?,
                Effect::Redraw => self.painter.forget_screen(),
                Effect::Frame => self.painter.want(KEY_SLOT),
                Effect::Quit => self.quit = true,
            }
        }
        Ok(())
    }

    /// Draws when it is time to, and tells the model that it was seen.
    async fn draw_in_time(&mut self) -> Result<(), Error> {
        if !self.painter.is_due() {
            return Ok(());
        }
        if !self.guard.is_active() {
            self.reenter()?;
        }
        self.painter.draw(&self.model)?;
        let effects = update(&mut self.model, Msg::Drawn);
        self.perform(effects).await
    }
}
