//! The way from the front door into the demo world: a server, a registry that matches it, and the console or one command on
//! both. It and `serving` alone of `cli` name `demo`; a build without the feature has neither.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::error::ErrorKind;
use demo::machine::Machine;
use demo::{Addresses, Links, Server, World};
use tokio::task::{JoinError, JoinHandle};

use crate::boot::Settings;
use crate::cli::Command;
use crate::cli::command_line::CommandLine;
use crate::cli::console::{Console, open_console};
use crate::cli::demo::DemoArgs;
use crate::cli::demo::serving::{AddressesObject, page};
use crate::jobs::Clock;
use crate::jobs::data::{Failure, FailureKind, Gate, Job, Outcome, Scope, SurveyPlan};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::rules::Depth;
use crate::rules::actions::{PATH, Source, workflow};
use crate::settings::{Endpoints, Pace};

/// Serves the demo world until the user ends it.
pub(crate) async fn serve(runner: &mut Runner<'_>, args: &DemoArgs) -> Result<Exit, Failure> {
    let folder = temporary_folder()?;
    let (world, registry) = made(begin_making(runner, args, folder.path())).await?;
    let server = start(world, options(runner, args, folder.path())).await?;
    // Who has read the addresses may end it.
    let ended = ended();
    if runner.output.json {
        runner.output.object("addresses", &AddressesObject::of(server.addresses(), &registry));
    } else {
        let lines = page(server.addresses(), &registry);
        runner.output.lines(&lines);
    }
    runner.output.flush();
    ended.await;
    server.stop().await;
    Ok(runner.done())
}

/// Opens the console on the world and on a registry that matches it, or runs one command on them.
///
/// The world is made on another thread, so that the console can draw its first frame during that time.
pub(crate) async fn open(
    runner: &mut Runner<'_>,
    console: Console,
    args: &DemoArgs,
) -> Result<Exit, Failure> {
    let inner = inner(args)?;
    let folder = temporary_folder()?;
    let mut making = Some(begin_making(runner, args, folder.path()));
    let options = options(runner, args, folder.path());
    let settings = &mut runner.settings;
    // What moves there by looks is to be seen moving.
    settings.pace = Pace { watch: Duration::from_secs(1), ..Pace::unlimited() };
    settings.throttle = false;
    // Its own world is all that it can write to.
    settings.may_write = true;
    // Of somebody who may push there, in the world that comes with the program; with one, the releases API answers too.
    settings.token = Some("demo".to_owned().into());
    settings.state_dir = folder.path().join("state");
    settings.cache_dir = folder.path().join("cache");
    settings.registry = Some(match &args.from {
        Some(checkout) => runner.environment.cwd.join(checkout),
        None => folder.path().join(REGISTRY),
    });
    let survey = if args.from.is_some() { Depth::Versions } else { Depth::Sums };
    let name = match &args.from {
        Some(path) => format!("demo of {}", path.display()),
        None => "demo registry".to_owned(),
    };
    let mut server = None;
    let serve = async |settings: &mut Settings| {
        let world = match making.as_mut() {
            Some(task) => made(task).await,
            None => return Ok(()),
        };
        making = None;
        let started = start(world?.0, options).await?;
        settings.endpoints = endpoints(started.addresses());
        server = Some(started);
        Ok(())
    };
    let exit = match inner {
        None => open_console(runner, console, Some(name), Some(survey), serve).await,
        Some(command) => match serve(&mut runner.settings).await {
            Ok(()) => run(runner, console, &command, survey).await,
            Err(failure) => Err(failure),
        },
    };
    if let Some(server) = server {
        server.stop().await;
    }
    if let Some(making) = making {
        // The console was left early. The folder must not go while git still writes into it.
        let _ = making.await;
    }
    exit
}

/// Runs one command in the demo world. A command that reads known facts alone finds a survey that was just made.
async fn run(
    runner: &mut Runner<'_>,
    console: Console,
    command: &Command,
    depth: Depth,
) -> Result<Exit, Failure> {
    if command.asks_upstream() == Some(false) {
        let plan = SurveyPlan::new(Scope::Everything, depth, Duration::ZERO, Gate::Tags);
        match runner.run(Job::Survey(plan), &mut |_, _| {}).await {
            Ok(Outcome::Done(_)) => {}
            outcome => return Ok(runner.finish(outcome, false, &())),
        }
    }
    runner.is_for(command.word());
    // The world's own token stands in the settings, and nobody else's may go there. Boxed: it is a command line within one.
    let exit = Box::pin(command.run_with(runner, console)).await;
    if matches!(command, Command::Verify(args) if args.report.is_none()) {
        runner
            .output
            .note("bumpdesk: the demo folder and its report are deleted; --report FILE keeps a copy");
    }
    exit.ok_or_else(|| without_world(command.word()))
}

/// The reason why a command line is refused, without the usage that follows.
fn why_refused(error: &clap::Error, words: &[String]) -> String {
    if !error.use_stderr() {
        return "help and version are asked for without `demo --`".to_owned();
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let all = CommandLine::definition();
        let known = words.iter().find_map(|word| all.find_subcommand(word)).unwrap_or(&all);
        let own: Vec<&str> = known.get_subcommands().map(clap::Command::get_name).collect();
        return format!("`{}` needs one of its own commands: {}", known.get_name(), own.join(", "));
    }
    let text = error.render().to_string();
    let lines: Vec<&str> = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_owned()
}

/// The failure as without `demo --`, with the next steps that are shown there.
fn refused(error: &clap::Error, words: &[String]) -> Failure {
    let failure = usage(why_refused(error, words));
    let text = error.render().to_string();
    let hints = text.lines().map(str::trim).filter_map(|line| match line.strip_prefix("tip: ") {
        Some(tip) => Some(tip.to_owned()),
        None => line.starts_with("Usage: ").then(|| line.to_owned()),
    });
    let hints: Vec<String> = if error.use_stderr() { hints.collect() } else { Vec::new() };
    if !hints.is_empty() {
        return failure.hint(hints.join(". "));
    }
    let all = CommandLine::definition();
    match words.first().and_then(|word| all.find_subcommand(word)).filter(|_| error.use_stderr()) {
        Some(known) => failure.hint(format!("`bumpdesk {} --help` says what it takes.", known.get_name())),
        None => failure,
    }
}

/// The command behind `--`, if there is one.
fn inner(args: &DemoArgs) -> Result<Option<Command>, Failure> {
    let words = &args.command;
    if words.is_empty() {
        return Ok(None);
    }
    let CommandLine { command, global } = args.inner_line().map_err(|error| refused(&error, words))?;
    global
        .in_world()
        .map_err(|option| usage(format!("in the demo world `{option}` is set by the world itself")))?;
    let command = command.ok_or_else(|| usage("there is no command".to_owned()))?;
    let is_apart = matches!(command, Command::Demo(_) | Command::Clone(_));
    if is_apart || command.asks_upstream().is_none() {
        return Err(without_world(command.word()));
    }
    Ok(Some(command))
}

fn without_world(word: &str) -> Failure {
    usage(format!("`{word}` cannot run in the demo world"))
}

fn usage(cause: String) -> Failure {
    Failure::new(FailureKind::Usage, "reading the command behind `--`")
        .cause(cause)
        .hint("Name a command of bumpdesk, such as `bumpdesk demo -- verify stonewharf/sundial`.")
}

const MAKING: &str = "making the demo world";

/// The registry's folder, below the folder of the demo.
const REGISTRY: &str = "registry";

/// A world, and the folder of the registry that matches it.
type Made = Result<(World, PathBuf), Failure>;

fn temporary_folder() -> Result<tempfile::TempDir, Failure> {
    demo::checkout::temporary_folder().map_err(|error| failure(MAKING, error))
}

/// Makes the world and its registry on a thread of their own. The registry is the checkout that the world was derived from, or one
/// that is written below `folder`.
fn begin_making(runner: &Runner<'_>, args: &DemoArgs, folder: &Path) -> JoinHandle<Made> {
    let (from, file, folder) = (args.from.clone(), args.world.clone(), folder.join(REGISTRY));
    let (reference, now) = (runner.settings.reference.clone(), runner.settings.clock.now());
    let cwd = runner.environment.cwd.clone();
    tokio::task::spawn_blocking(move || {
        let wrong = |path: &Path, error: &dyn std::fmt::Display| Failure {
            kind: FailureKind::Usage,
            ..failure(MAKING, format!("`{}`: {error}", path.display()))
        };
        if let Some(path) = from {
            let world = World::derive(&path, reference.as_deref()).map_err(|error| wrong(&path, &error))?;
            return Ok((world, cwd.join(path)));
        }
        let world = match file {
            None => World::parse_at(&newcomer(), now).map_err(|error| failure(MAKING, error))?,
            Some(path) => demo::checkout::read_world(&path, now).map_err(|error| wrong(&path, &error))?,
        };
        demo::checkout::write(&world, &folder).map_err(|error| failure(MAKING, error))?;
        Ok((world, folder))
    })
}

async fn made(making: impl Future<Output = Result<Made, JoinError>>) -> Made {
    making.await.unwrap_or_else(|error| Err(failure(MAKING, error)))
}

/// The world that comes with the program, with the workflow as this program prints it: `demo` names nothing else of it.
fn newcomer() -> String {
    let source = Source::new("https://example.org/bumpdesk", &"0".repeat(40));
    let file = workflow(&source.expect("a plain address and a whole commit id"));
    format!("{}\n[file]\n\"{PATH}\" = '''\n{file}'''\n", demo::worlds::NEWCOMER)
}

/// Returns the options that the world is served with.
fn options(runner: &Runner<'_>, args: &DemoArgs, folder: &Path) -> demo::Options {
    let environment = &runner.environment;
    let path = environment.variable("PATH").unwrap_or_default().to_owned();
    demo::Options {
        // Its jobs on GitHub's machines are done by this very program.
        machine: environment.program.clone().map(|program| Machine { program, path }),
        tls: !args.http,
        ca_file: (!args.http).then(|| folder.join("ca.pem")),
        cli_config_file: args.self_urls.then(|| folder.join("tofu.rc")),
        links: if args.self_urls { Links::Own } else { Links::Canonical },
        record: 0,
        // Another bumpdesk that connects has a running clock. With a clock that stands still, the world would report
        // everything as discovered in the future.
        clock_runs: args.serve && runner.settings.clock == Clock::System,
        latency: (args.latency_ms > 0).then(|| Duration::from_millis(args.latency_ms)),
        ..demo::Options::default()
    }
}

async fn start(world: World, options: demo::Options) -> Result<Server, Failure> {
    Server::start(world, options).await.map_err(|error| failure("starting the demo world", error))
}

fn endpoints(addresses: &Addresses) -> Endpoints {
    Endpoints {
        api: addresses.api.clone(),
        graphql: addresses.graphql.clone(),
        web: addresses.web.clone(),
        served: addresses.served.clone(),
        search: addresses.search.clone(),
        repository: Endpoints::default().repository,
        ca_file: addresses.ca_file.clone(),
    }
}

/// Ends with Ctrl-C, or when told to end; what comes before it is waited for counts too.
fn ended() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let mut signals = {
        use tokio::signal::unix::{SignalKind, signal};
        [SignalKind::interrupt(), SignalKind::terminate()].map(|kind| signal(kind).ok())
    };
    async move {
        #[cfg(unix)]
        if let [Some(interrupt), Some(terminate)] = &mut signals {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
        let _ = tokio::signal::ctrl_c().await;
    }
}

fn failure(doing: &str, cause: impl std::fmt::Display) -> Failure {
    Failure::new(FailureKind::Internal, doing).cause(cause.to_string())
}
