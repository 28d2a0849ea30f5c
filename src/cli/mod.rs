//! The front door: the command line, for the binary and for tests alike, and the headless face.
//!
//! Reads arguments, has `boot` resolve the settings, runs jobs and prints their events. No rules of the domain, no files, no
//! environment: those come in as values. Called by `main`.

mod args;
mod asking;
mod clone;
mod config;
mod console;
#[cfg(feature = "demo")]
mod demo;
mod doctor;
mod help;
mod locking;
mod looking;
mod papers;
mod past;
mod planning;
mod verifying;
mod views;
mod wire;

use std::ffi::OsString;
use std::io::Write;

use clap::Parser;

use crate::boot::{Environment, Settings, Ui};
use crate::cli::args::Args;
use crate::cli::args::commands::Command;
use crate::cli::args::plan::PlanAction;
#[cfg(not(feature = "demo"))]
use crate::jobs::{Failure, FailureKind};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::runner::{self, Runner};
use crate::rules::plain_text::visible;

pub use console::{Console, ConsoleOptions, OpenConsole, Starting};
pub(crate) use console::{KeyMistake, KeyRow, KeyTable};

/// Runs one command line, the program's name first. Data goes to `out`, talk to `err`; `console` is the way into the
/// console, drawn or in lines.
pub async fn run(
    args: Vec<OsString>,
    environment: &Environment,
    console: Console,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Exit {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => return tell_usage(&error, out, err),
    };
    let word = args.command.as_ref().map_or("console", Command::word);
    // These need no settings, and a broken configuration must not hide them.
    match &args.command {
        Some(Command::Completions { shell }) => return papers::completions(*shell, out),
        Some(Command::Man) => return papers::manual(console, out),
        _ => {}
    }
    let early = Ui { ascii: true, ..Ui::default() };
    if let Some(Command::Help { words }) = &args.command {
        let ui = Settings::resolve(&args.global.said(), environment);
        let ui = ui.map_or_else(|_| Ui { plain: true, ..early }, |settings| settings.ui);
        let mut output = Output::new(out, err, environment, ui, args.global.json);
        return help::help(words, environment, console, &mut output).await;
    }
    if let Some(Command::Config { .. }) = &args.command {
        let mut output = Output::new(out, err, environment, early, args.global.json);
        return config::check(&args, environment, console, &mut output);
    }
    let settings = match Settings::resolve(&args.global.said(), environment) {
        Ok(settings) => settings,
        Err(failure) => {
            let mut output = Output::new(out, err, environment, early, args.global.json);
            return runner::fail_early(&mut output, word, failure);
        }
    };
    let output = Output::new(out, err, environment, settings.ui.clone(), args.global.json);
    let mut runner = Runner::new(settings, environment, output, word);
    let exit = perform(&mut runner, console, args.command.as_ref()).await;
    runner.shutdown().await;
    exit
}

async fn perform(runner: &mut Runner<'_>, console: Console, command: Option<&Command>) -> Exit {
    let Some(command) = command else { return console::console(runner, console).await };
    if asks_upstream(command) {
        let environment = runner.environment;
        runner.settings.find_token(environment).await;
    }
    act(runner, console, command).await
}

/// Does a command with the settings as they are, the token included.
async fn act(runner: &mut Runner<'_>, console: Console, command: &Command) -> Exit {
    match command {
        Command::List(args) => looking::list(runner, args).await,
        Command::View(args) => views::view(runner, args).await,
        Command::Show(args) => looking::show(runner, args).await,
        Command::Lint(args) => looking::lint(runner, args).await,
        Command::Survey(args) => asking::survey(runner, args).await,
        Command::Diff(args) => asking::diff(runner, args).await,
        Command::Bump(args) => asking::bump(runner, args).await,
        Command::Verify(args) => verifying::verify(runner, args).await,
        Command::Lock(args) => locking::lock(runner, args).await,
        Command::Plan(args) => planning::plan(runner, args).await,
        Command::Jobs(args) => past::jobs(runner, args).await,
        Command::Log(args) => past::log(runner, args).await,
        #[cfg(feature = "demo")]
        Command::Demo(args) => demo::demo(runner, console, args).await,
        #[cfg(not(feature = "demo"))]
        Command::Demo(_) => runner.fail(without_demo()),
        Command::Clone(args) => clone::clone(runner, args).await,
        Command::Doctor(args) => doctor::doctor(runner, console, args).await,
        Command::Keys => papers::keys(runner, console),
        Command::Help { .. } | Command::Completions { .. } | Command::Man | Command::Config { .. } => {
            unreachable!("done before the settings were read")
        }
    }
}

/// Whether a command needs the token. The others are spared the start of `gh`.
fn asks_upstream(command: &Command) -> bool {
    match command {
        Command::Survey(_)
        | Command::Diff(_)
        | Command::Bump(_)
        | Command::Verify(_)
        | Command::Lock(_)
        | Command::Doctor(_) => true,
        Command::Show(args) => args.max_age.is_some() || args.with_key.is_some(),
        Command::Plan(args) => matches!(args.action, PlanAction::Add(_) | PlanAction::Rebuild { .. }),
        _ => false,
    }
}

#[cfg(not(feature = "demo"))]
fn without_demo() -> Failure {
    Failure::new(FailureKind::Usage, "opening the demo world")
        .cause("this bumpdesk was built without it")
        .hint("Build it with `--features demo`, which a plain `cargo build` has.")
}

/// Help goes to standard output, a wrong command line to standard error.
fn tell_usage(error: &clap::Error, out: &mut dyn Write, err: &mut dyn Write) -> Exit {
    let text = error.render().to_string();
    if !error.use_stderr() {
        // A closed pipe ends quietly.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        return Exit::Done;
    }
    // The text repeats what was typed, line by line.
    for line in text.lines() {
        let _ = writeln!(err, "{}", visible(line));
    }
    Exit::Usage
}

#[cfg(test)]
mod tests;
