//! A console in the process of the test: the real command line, jobs and screens, without a terminal. The test moves the console's
//! clock forward where a person would wait.

use std::cell::RefCell;
use std::pin::Pin;
use std::sync::mpsc;
use std::time::Duration;

use bumpdesk::surface::boot::Environment;
use bumpdesk::surface::cli::{self, ConsoleOptions, Starting};
use bumpdesk::surface::front;
use bumpdesk::surface::jobs::{Engine, Failure};
use bumpdesk::surface::tui::{Chord, Effect, Model, Msg, Options, Size, update, view};
use futures_util::FutureExt;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until};
use unicode_width::UnicodeWidthStr;

use crate::door::made_up;

/// The longest wait for something to appear on the screen. A passing test does not wait for it.
const PATIENCE: Duration = Duration::from_mins(2);
/// The words that the editor of a seat writes behind a text.
pub(crate) const EDITED: &str = "\nwritten in an editor";
/// The time between two looks at the clock while a job runs.
const TICK: Duration = Duration::from_millis(100);
/// The most events of jobs in one frame.
const BATCH: usize = 256;

/// The condition of a wait. It gets the screen, and whether a job runs.
type Hoped = Box<dyn Fn(&str, bool) -> bool + Send>;
type Reply = mpsc::Sender<(bool, String)>;

/// An order of the test to the console.
enum Order {
    Keys(Vec<Chord>),
    Resize(Size),
    /// Puts the clock forward.
    Pass(Duration),
    /// Asks for the screen once the condition holds, or once no job has said anything for so long, and whether it holds.
    Until(Hoped, Duration, Reply),
}

thread_local! {
    /// The orders for the console on this thread, and its size. The command line opens a console with a plain function, which cannot
    /// capture them.
    static AWAITED: RefCell<Option<(UnboundedReceiver<Order>, Size)>> = const { RefCell::new(None) };
}

/// A console that runs.
pub(crate) struct Seat {
    orders: UnboundedSender<Order>,
    /// Gives the exit code, and the text that the program wrote besides its screens.
    ended: mpsc::Receiver<(u8, String)>,
    _home: Option<tempfile::TempDir>,
}

impl Seat {
    /// Opens the console of a command line in a home of its own.
    pub(crate) fn at(size: (u16, u16), arguments: &[&str]) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let environment = Environment {
            program: Some(env!("CARGO_BIN_EXE_bumpdesk").into()),
            ..made_up(home.path(), &[("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("PATH", &path)])
        };
        Self { _home: Some(home), ..Self::in_environment(environment, size, arguments) }
    }

    /// Opens the console of a command line. All streams are terminals to it, whatever the environment says.
    pub(crate) fn in_environment(environment: Environment, size: (u16, u16), arguments: &[&str]) -> Self {
        let environment = Environment {
            stdin_is_terminal: true,
            stdout_is_terminal: true,
            stderr_is_terminal: true,
            ..environment
        };
        let line = ["bumpdesk"].iter().chain(arguments).map(Into::into).collect();
        let (orders, awaited) = unbounded_channel();
        let (tell_end, ended) = mpsc::channel();
        std::thread::spawn(move || {
            AWAITED.set(Some((awaited, Size::new(size.0, size.1))));
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let console = cli::Console { open: sit, ..front::CONSOLE };
            let exit = runtime.block_on(cli::run(line, &environment, console, &mut out, &mut err));
            let said = String::from_utf8([out, err].concat()).expect("UTF-8");
            // Nobody hears of it if the test has failed by now.
            let _ = tell_end.send((exit.code(), said));
        });
        Self { orders, ended, _home: None }
    }

    fn order(&self, order: Order) {
        assert!(self.orders.send(order).is_ok(), "the console has ended");
    }

    fn until(&self, hoped: Hoped, patience: Duration) -> (bool, String) {
        let (reply, answer) = mpsc::channel();
        self.order(Order::Until(hoped, patience, reply));
        answer.recv().expect("the console runs")
    }

    /// Waits until all of these texts have been on the screen, one after the other.
    pub(crate) fn see(&mut self, texts: &[&str]) {
        for text in texts {
            let wanted = (*text).to_owned();
            let (is_there, screen) =
                self.until(Box::new(move |screen, _| screen.contains(&wanted)), PATIENCE);
            assert!(is_there, "no `{text}`:\n{screen}");
        }
    }

    /// Waits until this text is gone.
    pub(crate) fn gone(&mut self, text: &str) {
        let unwanted = text.to_owned();
        let (is_gone, screen) = self.until(Box::new(move |screen, _| !screen.contains(&unwanted)), PATIENCE);
        assert!(is_gone, "`{text}` stays:\n{screen}");
    }

    /// Waits until the screen is as hoped, or until no job has said anything for so long, and returns the screen.
    pub(crate) fn settle(
        &mut self,
        quiet: Duration,
        hoped: impl Fn(&str) -> bool + Send + 'static,
    ) -> String {
        self.until(Box::new(move |screen, _| hoped(screen)), quiet).1
    }

    /// Waits until no job runs, or until none has said anything for so long.
    pub(crate) fn rest(&mut self, quiet: Duration) {
        self.until(Box::new(|_, is_busy| !is_busy), quiet);
    }

    /// Returns the screen as it is.
    pub(crate) fn text(&self) -> String {
        self.until(Box::new(|_, _| true), PATIENCE).1
    }

    /// Types these characters at once.
    pub(crate) fn press(&mut self, keys: &str) {
        self.order(Order::Keys(keys.chars().map(chord).collect()));
    }

    /// Puts the clock forward.
    pub(crate) fn pass(&mut self, time: Duration) {
        self.order(Order::Pass(time));
    }

    pub(crate) fn resize(&mut self, (columns, rows): (u16, u16)) {
        self.order(Order::Resize(Size::new(columns, rows)));
    }

    /// Waits for the end. Returns the exit code, and the text that the program wrote besides its screens.
    pub(crate) fn end(self) -> (u8, String) {
        self.ended.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("the console does not end: {error}"))
    }
}

/// Returns the key that a terminal sends as this character.
fn chord(character: char) -> Chord {
    let name = match character {
        '\r' => "enter".to_owned(),
        '\t' => "tab".to_owned(),
        '\u{1b}' => "esc".to_owned(),
        ' ' => "space".to_owned(),
        '\u{1}'..='\u{1a}' => format!("ctrl-{}", char::from(character as u8 + b'a' - 1)),
        other => other.to_string(),
    };
    Chord::parse(&name).unwrap_or_else(|| panic!("{character:?} is no key"))
}

/// Does for the orders of a test what the loop of the product does for a terminal.
fn sit<'a>(
    engine: Starting<'a>,
    options: ConsoleOptions,
) -> Pin<Box<dyn Future<Output = Result<Option<String>, Failure>> + 'a>> {
    Box::pin(async move {
        let (mut orders, size) = AWAITED.take().expect("a seat is set before its console is opened");
        let mut console = Console::open(engine.await?, options, size);
        let mut awaited: Option<(Hoped, Duration, Reply)> = None;
        let mut asked = Instant::now();
        let mut quiet_since = Instant::now();
        while !console.quit {
            console.draw();
            if let Some((hoped, quiet, reply)) = awaited.take() {
                let is_there = hoped(&console.screen, console.engine.is_busy());
                if is_there || quiet_since.elapsed() >= quiet || asked.elapsed() >= PATIENCE {
                    // Whoever asked may have failed since.
                    let _ = reply.send((is_there, console.screen.clone()));
                } else {
                    awaited = Some((hoped, quiet, reply));
                }
            }
            let tick = Instant::now() + TICK;
            let limit = awaited.as_ref().map_or(tick, |(_, quiet, _)| quiet_since + *quiet);
            tokio::select! {
                (id, event) = console.engine.next() => {
                    quiet_since = Instant::now();
                    console.tell(Msg::Job(id, event));
                    for _ in 0..BATCH {
                        let Some((id, event)) = console.engine.next().now_or_never() else { break };
                        console.tell(Msg::Job(id, event));
                    }
                }
                order = orders.recv(), if awaited.is_none() => match order {
                    None => break,
                    Some(Order::Keys(chords)) => chords.into_iter().for_each(|chord| console.tell(Msg::Key(chord))),
                    Some(Order::Resize(size)) => console.tell(Msg::Resize(size)),
                    Some(Order::Pass(time)) => console.passed += time,
                    Some(Order::Until(hoped, quiet, reply)) => {
                        asked = Instant::now();
                        quiet_since = asked;
                        awaited = Some((hoped, quiet, reply));
                    }
                },
                () = sleep_until(limit), if awaited.is_some() => {}
                () = sleep_until(tick), if console.engine.is_busy() => {}
            }
            console.tick();
            console.tell(Msg::Keep { leaving: false });
        }
        console.tell(Msg::Keep { leaving: true });
        console.engine.shutdown(Duration::from_secs(5)).await;
        Ok(None)
    })
}

struct Console {
    engine: Engine,
    model: Model,
    size: Size,
    /// The last frame.
    screen: String,
    now: jiff::Timestamp,
    began: Instant,
    /// The time by which the clock was put forward.
    passed: Duration,
    /// The last frame is not that of the model.
    is_stale: bool,
    quit: bool,
}

impl Console {
    fn open(engine: Engine, options: ConsoleOptions, size: Size) -> Self {
        let now = options.now;
        let options = Options {
            registry_hint: options.registry.map(|folder| options.name.clone().unwrap_or(folder)),
            registry_name: options.name,
            survey: options.survey,
            has_editor: true,
            ..Options::new(now, size)
        };
        let mut console = Self {
            engine,
            model: Model::new(options),
            size,
            screen: String::new(),
            now,
            began: Instant::now(),
            passed: Duration::ZERO,
            is_stale: true,
            quit: false,
        };
        let effects = console.model.begin();
        console.perform(effects);
        console
    }

    fn tick(&mut self) {
        let uptime = self.began.elapsed() + self.passed;
        let effects = update(&mut self.model, Msg::Tick { now: self.now, uptime });
        self.perform(effects);
    }

    fn tell(&mut self, msg: Msg) {
        if let Msg::Resize(size) = &msg {
            self.size = *size;
        }
        self.tick();
        self.is_stale = true;
        let effects = update(&mut self.model, msg);
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Start(id, job) => self.engine.start(id, job),
                Effect::Cancel(id) => self.engine.cancel(id),
                Effect::Steer(id, steer) => self.engine.steer(id, steer),
                Effect::Frame | Effect::Redraw => self.is_stale = true,
                Effect::Quit => self.quit = true,
                Effect::EditText(text) => self.tell(Msg::Edited(Ok(format!("{text}{EDITED}")))),
                // There is nothing else outside.
                Effect::Copy(_)
                | Effect::Browse(_)
                | Effect::Show(_)
                | Effect::Mouse(_)
                | Effect::Suspend => {}
            }
        }
    }

    fn draw(&mut self) {
        while std::mem::take(&mut self.is_stale) {
            self.screen = screen(&self.model, self.size);
            let effects = update(&mut self.model, Msg::Drawn);
            self.perform(effects);
        }
    }
}

/// Draws the console. Returns its lines, without what is blank at their ends.
pub(crate) fn screen(model: &Model, size: Size) -> String {
    let mut terminal = Terminal::new(TestBackend::new(size.columns, size.rows)).expect("a terminal");
    terminal.draw(|frame| view(model, frame)).expect("a frame");
    let buffer = terminal.backend().buffer();
    let row = |y: u16| {
        let (mut text, mut x) = (String::new(), 0);
        while x < size.columns {
            let symbol = buffer[(x, y)].symbol();
            text.push_str(symbol);
            // The cell behind a wide character is not shown.
            x += u16::try_from(symbol.width()).unwrap_or(1).max(1);
        }
        text.trim_end().to_owned()
    };
    (0..size.rows).map(row).collect::<Vec<_>>().join("\n")
}
