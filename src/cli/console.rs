//! The ways from the front door into the console and the demo world. The only file of `cli` that names `demo`; the console
//! comes in as a function, since the faces never see each other.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use jiff::Timestamp;

use crate::boot::{Environment, Settings, Ui, UserFile, keys_file};
use crate::cli::args::Args;
use crate::cli::args::commands::{Command, DemoArgs};
use crate::cli::{act, asks_upstream};
use crate::demo;
use crate::demo::{Addresses, Server, World};
use crate::jobs::{
    Engine, Env, EnvOptions, Failure, FailureKind, Gate, Job, Outcome, Scope, SurveyPlan, log_path,
};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::rules::Depth;
use crate::settings::{Endpoints, Pace, ThemeText};

/// The console, as far as the command line knows it.
#[derive(Clone, Copy)]
pub struct Console {
    pub open: OpenConsole,
    /// The line mode, in its place with `--plain`.
    pub lines: OpenLines,
    /// Its keys, as the user's key file has them.
    pub keys: fn(Option<&UserFile>) -> KeyTable,
    /// What is wrong with the user's own themes: a sentence each, with its place.
    pub themes: fn(&[ThemeText]) -> Vec<String>,
    /// How many columns and rows the terminal has, if there is one.
    pub size: fn() -> Option<(u16, u16)>,
}

/// The console's keys. With any mistake in the key file they are the console's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyTable {
    pub(crate) rows: Vec<KeyRow>,
    pub(crate) mistakes: Vec<KeyMistake>,
}

/// One row of the console's key table: an action, and where which keys do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyRow {
    /// Where the keys count: `Inventory, one entry`.
    pub(crate) place: String,
    /// The same as the key file calls it.
    pub(crate) contexts: Vec<&'static str>,
    /// `g g`, `Home`.
    pub(crate) keys: Vec<String>,
    /// Kebab case.
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    /// The command line that does the same; `None` where only the screen can.
    pub(crate) twin: Option<&'static str>,
    /// How the line mode says it: `open N`; `None` where lines have nothing like it.
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

/// What the console is opened with.
#[derive(Clone, Debug)]
pub struct ConsoleOptions {
    pub ui: Ui,
    /// For the programs that the console starts.
    pub environment: Environment,
    /// Where the log is written, for the last words of a panic.
    pub log: Option<PathBuf>,
    pub now: Timestamp,
    /// The registry's folder, for the first screen; `None` shows how to get one.
    pub registry: Option<String>,
    /// What it is called, where its folder says nothing.
    pub name: Option<String>,
    /// Survey everything to this depth once the list is there.
    pub survey: Option<Depth>,
    /// The user's own keys.
    pub keys_file: Option<UserFile>,
}

/// The engine, still being made: the console draws its first frame meanwhile.
pub type Starting<'a> = Pin<Box<dyn Future<Output = Result<Engine, Failure>> + 'a>>;

/// Opens the console and returns when it is left.
pub type OpenConsole =
    for<'a> fn(Starting<'a>, ConsoleOptions) -> Pin<Box<dyn Future<Output = Result<(), Failure>> + 'a>>;

/// Opens the line mode and returns when it is left. `name` is what the registry is called where its folder says nothing; a depth
/// surveys everything first.
pub(crate) type OpenLines = for<'a> fn(
    &'a mut Runner<'_>,
    name: Option<String>,
    survey: Option<Depth>,
) -> Pin<Box<dyn Future<Output = Result<Exit, Failure>> + 'a>>;

/// How long the console waits for `gh` to give a token. Without one it works, more slowly.
const TOKEN_LIMIT: Duration = Duration::from_secs(1);

/// Opens the console on the settings.
pub(crate) async fn console(runner: &mut Runner<'_>, console: Console) -> Exit {
    let opened = open_console(runner, console, None, None).await;
    opened.unwrap_or_else(|failure| runner.fail(failure))
}

async fn open_console(
    runner: &mut Runner<'_>,
    console: Console,
    name: Option<String>,
    survey: Option<Depth>,
) -> Result<Exit, Failure> {
    let environment = runner.environment;
    if runner.output.json || !(environment.stdin_is_terminal && environment.stdout_is_terminal) {
        return Err(Failure::new(FailureKind::Usage, "opening the console")
            .cause("it needs a terminal to read from and to draw on, and no --json")
            .hint("Run `bumpdesk list` for the same as text; `bumpdesk help` names every command."));
    }
    if runner.output.ui.plain {
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
        find_token(settings, environment).await;
        let options = EnvOptions { early_list: true, ..settings.env_options() };
        Ok(Engine::new(Arc::new(Env::new(options)?)))
    });
    open(starting, options).await.map(|()| Exit::Done)
}

/// When `gh` takes too long the console says that it has no token.
async fn find_token(settings: &mut Settings, environment: &Environment) {
    if settings.token.is_none() {
        let _ = tokio::time::timeout(TOKEN_LIMIT, settings.find_token(environment)).await;
    }
}

/// Starts the demo world, and the console on it.
pub(crate) async fn demo(runner: &mut Runner<'_>, console: Console, args: &DemoArgs) -> Exit {
    let opened = if args.serve { serve(runner, args).await } else { tour(runner, console, args).await };
    opened.unwrap_or_else(|failure| runner.fail(failure))
}

/// Only serves, until somebody ends it.
async fn serve(runner: &mut Runner<'_>, args: &DemoArgs) -> Result<Exit, Failure> {
    let folder = demo::checkout::temporary_folder().map_err(|error| failure(MAKING, error))?;
    let world = world(runner, args)?;
    let server = start(world, args, folder.path().join("ca.pem")).await?;
    runner.output.exact(&format!("{}\n", server.addresses().to_json()));
    runner.output.flush();
    ended().await;
    server.stop().await;
    Ok(Exit::Done)
}

/// The world, a registry that matches it, and the console on both.
async fn tour(runner: &mut Runner<'_>, console: Console, args: &DemoArgs) -> Result<Exit, Failure> {
    let inner = inner(&args.command)?;
    let folder = demo::checkout::temporary_folder().map_err(|error| failure(MAKING, error))?;
    let world = world(runner, args)?;
    let registry = args.from.clone().unwrap_or_else(|| folder.path().join("registry"));
    if args.from.is_none() {
        demo::checkout::write(&world, &registry).map_err(|error| failure(MAKING, error))?;
    }
    let server = start(world, args, folder.path().join("ca.pem")).await?;
    let settings = &mut runner.settings;
    settings.endpoints = endpoints(server.addresses());
    settings.registry = Some(registry);
    settings.pace = Pace::unlimited();
    settings.throttle = false;
    // The world takes any token; with one, its releases API answers too.
    settings.token = Some("demo".to_owned().into());
    settings.state_dir = folder.path().join("state");
    settings.cache_dir = folder.path().join("cache");
    let survey = if args.from.is_some() { Depth::Versions } else { Depth::Sums };
    let name = match &args.from {
        Some(path) => format!("demo of {}", path.display()),
        None => "demo registry".to_owned(),
    };
    let exit = match inner {
        None => open_console(runner, console, Some(name), Some(survey)).await,
        Some(inner) => Ok(command(runner, console, &inner, survey).await),
    };
    server.stop().await;
    exit
}

/// One command in the demo world. What only looks at what is known finds a survey that was just made.
async fn command(runner: &mut Runner<'_>, console: Console, args: &Args, depth: Depth) -> Exit {
    let Some(command) = &args.command else { return Exit::Usage };
    runner.output.json |= args.global.json;
    if !asks_upstream(command) {
        let plan = SurveyPlan { scope: Scope::Everything, depth, max_age: Duration::ZERO, gate: Gate::Tags };
        match runner.run(Job::Survey(plan), &mut |_, _| {}).await {
            Ok(Outcome::Done(_)) => {}
            outcome => return runner.finish(outcome, false, &()),
        }
    }
    runner.is_for(command.word());
    // The world's own token stands in the settings, and nobody else's may go there. Boxed: it is a command line within one.
    let exit = Box::pin(act(runner, console, command)).await;
    if matches!(command, Command::Verify(args) if args.report.is_none()) {
        runner.output.talk(
            "bumpdesk: the world's folder goes with it, and so does the report; --report FILE keeps one",
        );
    }
    exit
}

/// What a refused command line is refused for, without the usage that follows.
fn first_paragraph(error: &clap::Error) -> String {
    if !error.use_stderr() {
        return "help and version are asked for without `demo --`".to_owned();
    }
    let text = error.render().to_string();
    let lines: Vec<&str> = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_owned()
}

/// The command that is to be run in the demo world, if one is.
fn inner(words: &[String]) -> Result<Option<Args>, Failure> {
    if words.is_empty() {
        return Ok(None);
    }
    let usage = |cause: String| {
        Failure::new(FailureKind::Usage, "reading the command behind `--`")
            .cause(cause)
            .hint("Name a command of bumpdesk, such as `bumpdesk demo -- verify stonewharf/sundial`.")
    };
    let args = Args::try_parse_from(std::iter::once("bumpdesk").chain(words.iter().map(String::as_str)))
        .map_err(|error| usage(first_paragraph(&error)))?;
    match &args.command {
        Some(
            Command::Demo(_)
            | Command::Clone(_)
            | Command::Completions { .. }
            | Command::Man
            | Command::Help { .. }
            | Command::Config { .. },
        ) => Err(usage(format!("`{}` has nothing to do with a world", words[0]))),
        None => Err(usage("there is no command".to_owned())),
        Some(_) => Ok(Some(args)),
    }
}

const MAKING: &str = "making the demo world";

fn world(runner: &Runner<'_>, args: &DemoArgs) -> Result<World, Failure> {
    if let Some(path) = &args.from {
        let reference = runner.settings.reference.as_deref();
        return World::derive(path, reference)
            .map_err(|error| failure(MAKING, format!("`{}`: {error}", path.display())));
    }
    let now = runner.settings.clock.now();
    match &args.world {
        None => World::parse_at(demo::worlds::NEWCOMER, now).map_err(|error| failure(MAKING, error)),
        Some(path) => demo::checkout::read_world(path, now).map_err(|error| Failure {
            kind: FailureKind::Usage,
            ..failure(MAKING, format!("`{}`: {error}", path.display()))
        }),
    }
}

async fn start(world: World, args: &DemoArgs, ca_file: PathBuf) -> Result<Server, Failure> {
    let options = demo::Options {
        tls: !args.http,
        ca_file: (!args.http).then_some(ca_file),
        record: 0,
        latency: (args.latency_ms > 0).then(|| Duration::from_millis(args.latency_ms)),
        ..demo::Options::default()
    };
    Server::start(world, options).await.map_err(|error| failure("starting the demo world", error))
}

fn endpoints(addresses: &Addresses) -> Endpoints {
    Endpoints {
        api: addresses.api.clone(),
        graphql: addresses.graphql.clone(),
        web: addresses.web.clone(),
        served: addresses.served.clone(),
        search: addresses.search.clone(),
        ca_file: addresses.ca_file.clone(),
    }
}

/// Waits for Ctrl-C, or to be told to end.
async fn ended() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

fn failure(doing: &str, cause: impl std::fmt::Display) -> Failure {
    Failure::new(FailureKind::Internal, doing).cause(cause.to_string())
}
