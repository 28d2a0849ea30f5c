//! A pull request sent from the console itself, with the real jobs behind it and the world before it: what its screen says where
//! anything fails on the way, and what the next run makes of it.

use std::pin::Pin;
use std::time::Duration;

use bumpdesk::surface::cli::{ConsoleOptions, OpenConsole, Starting};
use bumpdesk::surface::demo::fault::{Fault, FaultKind};
use bumpdesk::surface::jobs::{Engine, Failure, Job};
use bumpdesk::surface::tui::{Chord, Effect, Model, Msg, Options, Size, update, view};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::pull::{WORLD, approved};
use super::send::{LANES, digits, faults, killed, share_folders, there};
use crate::door::Door;

const SIZE: (u16, u16) = (120, 40);

/// A console that somebody sits at who reads before each key.
struct Console {
    engine: Engine,
    model: Model,
    now: jiff::Timestamp,
    uptime: Duration,
    /// The screens that are told of.
    kept: Vec<String>,
}

impl Console {
    async fn start(engine: Starting<'_>, options: ConsoleOptions) -> Result<Self, Failure> {
        let engine = engine.await?;
        let now = options.now;
        let options =
            Options { registry_hint: options.registry, ..Options::new(now, Size::new(SIZE.0, SIZE.1)) };
        let mut console =
            Self { engine, model: Model::new(options), now, uptime: Duration::ZERO, kept: Vec::new() };
        let effects = console.model.begin();
        console.perform(effects).await;
        console.keep();
        Ok(console)
    }

    fn screen(&self) -> String {
        let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).expect("a terminal");
        terminal.draw(|frame| view(&self.model, frame)).expect("a frame");
        let buffer = terminal.backend().buffer();
        let row = |y| (0..SIZE.0).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..SIZE.1).map(|y| row(y).trim_end().to_owned() + "\n").collect()
    }

    fn keep(&mut self) {
        self.kept.push(self.screen());
    }

    /// Performs effects, and what follows from them, until no job runs. Nobody waits here for what becomes of a pull request.
    async fn perform(&mut self, effects: Vec<Effect>) {
        let mut waiting = effects;
        loop {
            for effect in std::mem::take(&mut waiting) {
                match effect {
                    Effect::Start(_, Job::Watch(_)) => {}
                    Effect::Start(id, job) => self.engine.start(id, job),
                    Effect::Cancel(id) => self.engine.cancel(id),
                    _ => {}
                }
            }
            waiting = update(&mut self.model, Msg::Drawn);
            waiting.retain(|effect| *effect != Effect::Frame);
            if !waiting.is_empty() {
                continue;
            }
            if !self.engine.is_busy() {
                return;
            }
            let (id, event) = self.engine.next().await;
            waiting = update(&mut self.model, Msg::Job(id, event));
        }
    }

    async fn hear(&mut self, msg: Msg) {
        self.uptime += Duration::from_secs(3);
        update(&mut self.model, Msg::Tick { now: self.now, uptime: self.uptime });
        let effects = update(&mut self.model, msg);
        self.perform(effects).await;
    }

    async fn press(&mut self, keys: &str) {
        for key in keys.split(' ') {
            self.hear(Msg::Key(Chord::parse(key).expect("a key"))).await;
        }
    }

    async fn arm(&mut self) {
        self.press("W a").await;
        self.hear(Msg::Paste("the bump missed it".into())).await;
        self.press("enter").await;
    }

    /// Types the digits that stand on the screen, after the key that opens their field.
    async fn confirm(&mut self, key: &str) {
        self.press(key).await;
        let screen = self.screen();
        let digits = screen.split("Type the digits ").nth(1).unwrap_or_else(|| panic!("no field\n{screen}"));
        let digits = digits[..6].to_owned();
        self.hear(Msg::Paste(digits)).await;
        self.press("enter").await;
        self.keep();
    }

    async fn leave(mut self) -> Result<Option<String>, Failure> {
        self.engine.shutdown(Duration::from_secs(5)).await;
        Ok(Some(self.kept.join(BETWEEN)))
    }
}

const BETWEEN: &str = "\n=====\n";

type Left<'a> = Pin<Box<dyn Future<Output = Result<Option<String>, Failure>> + 'a>>;

/// Sends the plan, or continues what an earlier run left of it.
fn sends(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press("2 P").await;
        console.keep();
        console.arm().await;
        console.confirm("P").await;
        console.leave().await
    })
}

fn takes_back(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press("2 P").await;
        console.keep();
        if flat(&console.screen()).contains("u undoes it") {
            console.press("u").await;
        }
        if console.screen().contains("this would undo it") {
            console.arm().await;
            console.confirm("u").await;
        }
        console.leave().await
    })
}

/// What stood on the screens of a console: at its start, where the pull request was shown, and at its end.
async fn screens(door: &mut Door, console: OpenConsole) -> Vec<String> {
    door.terminal = true;
    door.console = console;
    let said = door.run(&["--write"]).await;
    door.terminal = false;
    assert_eq!(said.exit, 0, "{said}");
    said.err.replace("\\n", "\n").split(BETWEEN).map(str::to_owned).collect()
}

fn flat(screen: &str) -> String {
    screen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every fault at every request: the screen says what exists and what the ways on are, nothing that is unknown stands there as
/// done, and the next run finds it, and continues it or takes it back.
#[tokio::test(flavor = "multi_thread")]
async fn the_screen_says_what_exists_after_every_fault() {
    let (mut cases, mut runs) = (0, 0);
    for at in 0..3 {
        for (what, kind) in faults() {
            // That is said to a commit alone.
            if matches!(kind, FaultKind::Graphql(_)) && at != 1 {
                continue;
            }
            cases += 1;
            let case = format!("{what} at request {}", at + 1);
            let mut door = Door::on(WORLD).await;
            approved(&door).await;
            let fault = Fault::new(&LANES, kind.clone()).on_change(at);
            door.server.edit(|world| world.faults.push(fault.clone()));
            let shown = screens(&mut door, sends).await;
            assert_eq!(fault.struck(), 1, "{case}: {}", shown.join("\n"));
            let end = flat(shown.last().expect("a screen"));
            let (branches, pulls) = there(&door).await;
            let is_there = [!branches.is_empty(), at > 1 || pulls > 0, pulls > 0];
            for (number, (request, is_there)) in
                ["make the branch", "commit 2 files", "open the draft"].into_iter().zip(is_there).enumerate()
            {
                let row = shown.last().and_then(|screen| screen.lines().find(|line| line.contains(request)));
                let row = row.unwrap_or_else(|| panic!("{case}: no row {number}\n{}", shown.join("\n")));
                let says = |word: &str| row.contains(word);
                assert!(!says("DONE") || is_there, "{case}: {row}");
                assert!(!is_there || !says("WAITING"), "{case}: {row}");
            }
            if matches!(kind, FaultKind::Truncate(_)) {
                // The answer was lost, and GitHub says that it was a yes.
                assert!(end.contains("is open: https://github.com/"), "{case}: {end}");
                assert_eq!((branches.len(), pulls), (1, 1), "{case}");
                continue;
            }
            assert_eq!(end.contains("on GitHub now: the branch"), !branches.is_empty(), "{case}: {end}");
            assert_eq!(end.contains("pull request #"), pulls > 0, "{case}: {end}");
            let is_begun = at > 0 || end.contains("UNKNOWN");
            let ways = if is_begun { "r resumes it, u undoes it" } else { "r tries again" };
            assert!(end.contains(ways), "{case}: {end}");
            runs += 1;
            if cases % 2 == 0 {
                let next = screens(&mut door, sends).await;
                let end = flat(next.last().expect("a screen"));
                assert_eq!(flat(&next[0]).contains("was cut off"), is_begun, "{case}: {}", next[0]);
                assert_eq!(
                    flat(&next[1]).contains("it stopped in an earlier run"),
                    is_begun,
                    "{case}: {}",
                    next[1]
                );
                assert!(end.contains("is open: https://github.com/"), "{case}: {end}");
                let (branches, pulls) = there(&door).await;
                assert_eq!((branches.len(), pulls), (1, 1), "{case}");
            } else {
                let next = screens(&mut door, takes_back).await;
                assert_eq!(flat(&next[0]).contains("was cut off"), is_begun, "{case}: {}", next[0]);
                assert_eq!(there(&door).await, (Vec::new(), 0), "{case}: {}", next.join("\n"));
            }
            let after = screens(&mut door, looks).await;
            assert!(!after[0].contains("was cut off"), "{case}: {}", after[0]);
        }
    }
    println!(
        "{cases} cases: 3 requests, {} faults; {runs} of them continued or taken back by the next console",
        faults().len()
    );
}

/// Starts, and leaves.
fn looks(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async { Console::start(engine, options).await?.leave().await })
}

/// A command that was killed between two requests is continued by the console, or taken back.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_killed_is_continued_in_the_console() {
    let long = Duration::from_mins(10);
    for (at, continues) in [(0, true), (1, true), (2, true), (1, false), (2, false)] {
        for held in [FaultKind::Slow(long), FaultKind::Withhold(long)] {
            let case = format!("{held:?} at request {}", at + 1);
            let mut door = Door::on(WORLD).await;
            share_folders(&mut door);
            let plan = approved(&door).await;
            let name = digits(&door, &plan, "--label manual-bump").await;
            let fault = Fault::new(&LANES, held).on_change(at);
            door.server.edit(|world| world.faults.push(fault.clone()));
            killed(&door, &plan, &name, &fault).await;
            let shown = screens(&mut door, if continues { sends } else { takes_back }).await;
            assert!(
                flat(&shown[0]).contains("was cut off; P in Changes continues it"),
                "{case}: {}",
                shown[0]
            );
            assert!(flat(&shown[1]).contains("UNKNOWN"), "{case}: {}", shown[1]);
            let (branches, pulls) = there(&door).await;
            let wanted = usize::from(continues);
            assert_eq!((branches.len(), pulls), (wanted, wanted), "{case}: {}", shown.join("\n"));
        }
    }
}
