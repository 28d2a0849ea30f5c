//! The time before there is an engine: the first frame stands, the terminal is asked what its background is, and what is
//! typed waits. Called by `runtime` alone.

use std::collections::VecDeque;
use std::pin::pin;

use futures_util::stream::FuturesUnordered;
use tokio::time::Instant;

use crate::jobs::Engine;
use crate::jobs::data::Failure;
use crate::tui::shell::model::{Model, Options};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::outside::Outside;
use crate::tui::shell::runtime::input::Input;
use crate::tui::shell::runtime::painter::Painter;
use crate::tui::shell::runtime::pending::PendingRequests;
use crate::tui::shell::runtime::sequence::Heard;
use crate::tui::shell::runtime::{Console, Error, terminal_size};
use crate::tui::shell::signals::{Signal, Signals, has_shell, stop_ourselves};
use crate::tui::shell::terminal::Guard;
use crate::tui::shell::update::update;

/// The most inputs that are kept until the engine is there.
const MOST_WAITING: usize = 256;

pub(super) struct Early {
    guard: Guard,
    signals: Signals,
    events: Input,
    painter: Painter,
    model: Model,
    effects: Vec<Effect>,
    waiting: VecDeque<Heard>,
    pending: PendingRequests,
}

impl Early {
    /// Draws the first frame, then asks; the answers come when they come.
    pub(super) fn begin(signals: Signals, guard: Guard, options: Options) -> Result<Self, Error> {
        let (follow, mouse) = (options.follow, options.mouse);
        let mut model = Model::new(options);
        let effects = model.begin();
        let mut painter = Painter::new(model.options.themes.depth())?;
        painter.draw(&model)?;
        if mouse {
            guard.use_mouse(true)?;
        }
        if follow {
            guard.follow_ground()?;
            guard.ask_ground()?;
        }
        let mut pending = PendingRequests::default();
        if follow {
            pending.note();
        }
        let events = Input::listen()?;
        Ok(Self { guard, signals, events, painter, model, effects, waiting: VecDeque::new(), pending })
    }

    /// Waits for the engine. Gives none if we are to leave first.
    pub(super) async fn wait_for(
        &mut self,
        engine: impl Future<Output = Result<Engine, Failure>>,
    ) -> Result<Option<Engine>, Error> {
        let mut engine = pin!(engine);
        loop {
            tokio::select! {
                engine = &mut engine => return engine.map(Some).map_err(Error::Start),
                signal = self.signals.next() => match signal {
                    Signal::Stop => return Ok(None),
                    Signal::Resized => self.draw()?,
                    Signal::Suspend => self.suspend().await?,
                    Signal::Continued => {
                        // Another program may have changed the terminal while we were stopped.
                        self.guard.restore();
                        self.reenter()?;
                    }
                },
                input = self.events.next() => match input {
                    None => return Ok(None),
                    Some(input) => self.keep(input?)?,
                },
            }
        }
    }

    /// Draws the whole screen in the present size of the terminal.
    fn draw(&mut self) -> Result<(), Error> {
        update(&mut self.model, Msg::Resize(terminal_size()?));
        self.painter.forget_screen();
        Ok(self.painter.draw(&self.model)?)
    }

    /// Gives the terminal back and stops until the shell continues us.
    async fn suspend(&mut self) -> Result<(), Error> {
        if !has_shell() {
            return Ok(());
        }
        self.settle().await;
        self.events.pause().await?;
        self.guard.restore();
        stop_ourselves()?;
        self.signals.forget();
        self.events.resume()?;
        self.reenter()
    }

    /// Takes the terminal again and draws every cell.
    fn reenter(&mut self) -> Result<(), Error> {
        self.guard.take()?;
        self.guard.use_mouse(self.model.options.mouse)?;
        if self.model.options.follow {
            self.guard.follow_ground()?;
            self.guard.ask_ground()?;
            self.pending.note();
        }
        self.draw()
    }

    /// Prepares the terminal for another program: reads everything that is meant for us.
    pub(super) async fn settle(&mut self) {
        let may_send = self.model.options.follow;
        self.pending.settle(&self.guard, &mut self.events, may_send).await;
    }

    fn keep(&mut self, input: Heard) -> Result<(), Error> {
        match input {
            Heard::Ground(ground) => {
                update(&mut self.model, Msg::Ground(ground));
                self.painter.draw(&self.model)?;
            }
            Heard::Answered => self.pending.take_answer(&input),
            input if self.waiting.len() < MOST_WAITING => self.waiting.push_back(input),
            _ => {}
        }
        Ok(())
    }

    /// The console, with its first jobs started.
    pub(super) async fn open(self, engine: Engine, outside: Outside) -> Result<Console, Error> {
        let Self { guard, signals, events, painter, model, effects, waiting, pending } = self;
        let doings = FuturesUnordered::new();
        let mut console = Console {
            engine,
            outside,
            model,
            painter,
            guard,
            signals,
            events,
            waiting,
            doings,
            pending,
            began: Instant::now(),
            quit: false,
        };
        console.perform(effects).await?;
        Ok(console)
    }
}
