//! The way from the front door into the console, which comes in as a function, since the faces never see each other.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::boot::{Environment, Settings, Ui, UserFile, keys_file};
use crate::cli::Run;
use crate::jobs::data::{Failure, FailureKind};
use crate::jobs::{Engine, Env, EnvOptions, log_path};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::rules::Depth;
use crate::settings::ThemeText;

/// The console, as far as the command line knows it.
#[derive(Clone, Copy)]
pub struct Console {
    pub open: OpenConsole,
    /// The line mode, in its place with `--plain`.
    pub lines: OpenLines,
    /// Its keys, as the user's key file has them.
    pub keys: fn(Option<&UserFile>) -> KeyTable,
    /// The faults in the user's own themes: a sentence each, with its place.
    pub themes: fn(&[ThemeText]) -> Vec<String>,
    /// Why there is no such theme as the settings ask for.
    pub no_theme: fn(&Ui) -> Option<String>,
    /// The columns and rows of the terminal, if there is one.
    pub size: fn() -> Option<(u16, u16)>,
}

/// The console's keys. With any mistake in the key file they are the console's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyTable {
    pub(crate) rows: Vec<KeyRow>,
    pub(crate) mistakes: Vec<KeyMistake>,
    /// Keys of the file that other actions had: the file's own count.
    pub(crate) taken: Vec<KeyMistake>,
}

/// One row of the console's key table: an action, and where which keys do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyRow {
    /// The place where the keys apply: `Inventory, one entry`.
    pub(crate) place: String,
    /// The names of that place in the key file.
    pub(crate) contexts: Vec<&'static str>,
    /// `g g`, `Home`.
    pub(crate) keys: Vec<String>,
    /// Kebab case.
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    /// The command line that does the same; `None` where only the screen can.
    pub(crate) command: Option<&'static str>,
    /// The words of the line mode for it: `open N`; `None` where lines have nothing like it.
    pub(crate) line: Option<&'static str>,
    /// Why lines have nothing like it although a command does.
    pub(crate) only_drawn: Option<&'static str>,
}

impl KeyRow {
    /// `g g, Home`; a dash where no key is left.
    pub(crate) fn shown(&self) -> String {
        if self.keys.is_empty() { "-".into() } else { self.keys.join(", ") }
    }
}

/// Something that is wrong with a file of the configuration; line and column are 0 for the file as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyMistake {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) text: String,
    pub(crate) hint: Option<String>,
}

/// The options that the console is opened with.
#[derive(Clone, Debug)]
pub struct ConsoleOptions {
    pub ui: Ui,
    /// For the programs that the console starts.
    pub environment: Environment,
    /// The file of the log, for the last words of a panic.
    pub log: Option<PathBuf>,
    pub now: Timestamp,
    /// The registry's folder, for the first screen; `None` shows how to get one.
    pub registry: Option<String>,
    /// The registry's name, where its folder says nothing.
    pub name: Option<String>,
    /// Survey everything to this depth once the list is there.
    pub survey: Option<Depth>,
    /// The user's own keys.
    pub keys_file: Option<UserFile>,
}

/// The engine while it starts: the console draws its first frame during that time.
pub type Starting<'a> = Pin<Box<dyn Future<Output = Result<Engine, Failure>> + 'a>>;

/// Opens the console and returns when it is left, with what is still to be said then.
pub type OpenConsole = for<'a> fn(
    Starting<'a>,
    ConsoleOptions,
) -> Pin<Box<dyn Future<Output = Result<Option<String>, Failure>> + 'a>>;

/// Opens the line mode and returns when it is left. `name` is what the registry is called where its folder says nothing; a depth
/// surveys everything first.
pub(crate) type OpenLines = for<'a> fn(
    &'a mut Runner<'_>,
    name: Option<String>,
    survey: Option<Depth>,
) -> Pin<Box<dyn Future<Output = Result<Exit, Failure>> + 'a>>;

/// The longest wait for `gh` to give a token. Without one the console works, more slowly.
const TOKEN_LIMIT: Duration = Duration::from_secs(1);

/// The program's name alone opens the console.
pub(super) struct NoCommand;

impl Run for NoCommand {
    async fn run(&self, runner: &mut Runner<'_>, console: Console) -> Result<Exit, Exit> {
        let opened = open_console(runner, console, None, None, async |_| Ok(())).await;
        opened.map_err(|failure| runner.fail(failure))
    }
}

/// Opens the console. `prepare` runs before there is an engine, and while a drawn console shows its first frame.
pub(super) async fn open_console(
    runner: &mut Runner<'_>,
    console: Console,
    name: Option<String>,
    survey: Option<Depth>,
    prepare: impl AsyncFnOnce(&mut Settings) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let environment = runner.environment;
    if runner.output.json || !(environment.stdin_is_terminal && environment.stdout_is_terminal) {
        return Err(Failure::new(FailureKind::Usage, "opening the console")
            .cause("it needs a terminal to read from and to draw on, and no --json")
            .hint("Run `bumpdesk list` for the same as text; `bumpdesk help` names every command."));
    }
    if runner.output.ui.plain {
        prepare(&mut runner.settings).await?;
        find_token(&mut runner.settings, environment).await;
        return (console.lines)(runner, name, survey).await;
    }
    let open = console.open;
    let settings = &mut runner.settings;
    let options = ConsoleOptions {
        ui: settings.ui.clone(),
        environment: environment.clone(),
        log: Some(log_path(&settings.state_dir)),
        now: settings.clock.now(),
        registry: settings.registry.as_ref().map(|path| path.display().to_string()),
        name,
        survey,
        keys_file: keys_file(environment),
    };
    let starting: Starting<'_> = Box::pin(async move {
        prepare(settings).await?;
        find_token(settings, environment).await;
        let options = EnvOptions { early_list: true, ..settings.env_options() };
        Ok(Engine::new(Arc::new(Env::new(options)?)))
    });
    if let Some(words) = open(starting, options).await? {
        runner.output.note(&format!("bumpdesk: {words}"));
    }
    Ok(Exit::Done)
}

/// When `gh` takes too long the console says that it has no token.
async fn find_token(settings: &mut Settings, environment: &Environment) {
    if settings.token.is_none() {
        let _ = tokio::time::timeout(TOKEN_LIMIT, settings.find_token(environment)).await;
    }
}
