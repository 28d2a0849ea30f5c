//! The console on the hostile world: every cell of every screen, at every size, with the real jobs behind it.

use std::pin::Pin;

use bumpdesk::surface::cli::{ConsoleOptions, Starting};
use bumpdesk::surface::jobs::{Engine, Failure, JobId};
use bumpdesk::surface::tui::{Chord, Effect, Glyphs, Model, Msg, Options, Size, update, view};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::world::{door, is_obeyed};

const SIZES: [(u16, u16); 4] = [(120, 40), (80, 24), (60, 20), (200, 60)];

pub(super) struct Console {
    engine: Engine,
    model: Model,
    running: Vec<JobId>,
    /// All that was ever drawn.
    pub(super) drawn: String,
}

impl Console {
    /// Starts one, which reads and surveys the registry.
    pub(super) async fn start(engine: Engine, options: ConsoleOptions, glyphs: Glyphs) -> Self {
        let options = Options {
            glyphs,
            registry_hint: options.registry,
            registry_name: options.name,
            survey: Some(bumpdesk::surface::rules::Depth::Sums),
            ..Options::new(options.now, Size::new(120, 40))
        };
        let mut console =
            Self { engine, model: Model::new(options), running: Vec::new(), drawn: String::new() };
        let effects = console.model.begin();
        console.perform(effects).await;
        assert!(console.running.len() >= 2, "it read and surveyed");
        console
    }

    /// Draws at all sizes and looks at every cell.
    fn look(&mut self, after: &str) {
        for (columns, rows) in SIZES {
            update(&mut self.model, Msg::Resize(Size::new(columns, rows)));
            let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a terminal");
            terminal.draw(|frame| view(&self.model, frame)).expect("a frame");
            let buffer = terminal.backend().buffer();
            for y in 0..rows {
                let row: String = (0..columns).map(|x| buffer[(x, y)].symbol()).collect();
                assert!(!row.chars().any(is_obeyed), "{columns}x{rows}, line {y}, after {after}: {row:?}");
                self.drawn.push_str(row.trim_end());
                self.drawn.push('\n');
            }
        }
    }

    /// Performs effects, and what follows from them, until no job runs.
    async fn perform(&mut self, effects: Vec<Effect>) {
        let mut waiting = effects;
        loop {
            for effect in std::mem::take(&mut waiting) {
                match effect {
                    Effect::Start(id, job) => {
                        self.running.push(id);
                        self.engine.start(id, job);
                    }
                    Effect::Cancel(id) => self.engine.cancel(id),
                    _ => {}
                }
            }
            if !self.engine.is_busy() {
                return;
            }
            let (id, event) = self.engine.next().await;
            let said = format!("{event:?}").chars().take(60).collect::<String>();
            waiting = update(&mut self.model, Msg::Job(id, event));
            self.look(&said);
        }
    }

    pub(super) async fn press(&mut self, keys: &str) {
        for key in keys.split(' ') {
            let chord = Chord::parse(key).unwrap_or_else(|| panic!("{key}"));
            let effects = update(&mut self.model, Msg::Key(chord));
            self.look(key);
            self.perform(effects).await;
        }
    }
}

/// Looks at every row, opens each entry and its rebuild, walks through them and copies.
async fn tour(
    engine: Starting<'_>,
    options: ConsoleOptions,
    glyphs: Glyphs,
) -> Result<Option<String>, Failure> {
    let mut console = Console::start(engine.await?, options, glyphs).await;
    for row in 0..6 {
        console.press("1 g g").await;
        for _ in 0..row {
            console.press("j").await;
        }
        console
            .press("enter j j j G J K y a y u y p y c o d j j ] ] z R w l l G h w z M y p y c esc esc r")
            .await;
    }
    console.press("1 ? j esc / x enter esc esc L R").await;
    let effects = update(&mut console.model, Msg::Paste(super::world::EVIL.into()));
    console.perform(effects).await;
    console.press("/").await;
    update(&mut console.model, Msg::Paste(super::world::EVIL.into()));
    console.look("paste into the filter");
    for wanted in
        ["acme/evil", "acme/broken", "beware", "wrong content at 2:", "0.9.0-", "blacklist", "\\u001b[2J"]
    {
        assert!(console.drawn.contains(wanted), "`{wanted}` was never drawn\n{}", console.drawn);
    }
    assert!(!console.drawn.contains(crate::stage::CANARY), "the token was drawn");
    Ok(None)
}

pub(super) type Left<'a> = Pin<Box<dyn Future<Output = Result<Option<String>, Failure>> + 'a>>;

fn with_unicode(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(tour(engine, options, Glyphs::Unicode))
}

fn with_ascii(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(tour(engine, options, Glyphs::Ascii))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_cell_holds_what_a_terminal_obeys() {
    stamped!(crate::PROGRAM);
    for console in [with_unicode as bumpdesk::surface::cli::OpenConsole, with_ascii] {
        let mut door = door().await;
        door.terminal = true;
        door.console = console;
        let said = door.run(&[]).await;
        assert_eq!(said.exit, 0, "{}", said.err.replace("\\n", "\n"));
        door.is_untouched();
    }
}
