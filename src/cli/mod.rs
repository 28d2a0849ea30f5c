//! The front door: the command line, for the binary and for tests alike, and the headless face.
//!
//! Reads arguments, has `boot` resolve the settings, runs jobs and prints their events. No rules of the domain, no files, no
//! environment: those come in as values. Called by `main`.

mod args;
mod asking;
mod clone;
mod config;
mod desk;
mod doctor;
mod exit;
mod faces;
mod locking;
mod looking;
mod output;
mod papers;
mod past;
mod planning;
mod progress;
mod scope;
mod talk;
mod text;
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
use crate::cli::desk::Desk;
use crate::cli::output::Output;
use crate::rules::plain_text::visible;

pub(crate) use exit::Exit;
pub use faces::{Console, ConsoleOptions, OpenConsole, Starting};
pub(crate) use faces::{KeyMistake, KeyRow, KeyTable};

/// Runs one command line, the program's name first. Data goes to `out`, talk to `err`; `console` opens the other face.
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
    // A manual page needs no settings, and a broken configuration must not hide it.
    match &args.command {
        Some(Command::Completions { shell }) => return papers::completions(*shell, out),
        Some(Command::Man) => return papers::manual(console, out),
        _ => {}
    }
    let early = Ui { ascii: true, ..Ui::default() };
    if let Some(Command::Config { .. }) = &args.command {
        let mut output = Output::new(out, err, environment, early, args.global.json);
        return config::check(&args, environment, console, &mut output);
    }
    let settings = match Settings::resolve(&args.global.said(), environment) {
        Ok(settings) => settings,
        Err(failure) => {
            let mut output = Output::new(out, err, environment, early, args.global.json);
            return desk::fail_early(&mut output, word, failure);
        }
    };
    let output = Output::new(out, err, environment, settings.ui.clone(), args.global.json);
    let mut desk = Desk::new(settings, environment, output, console, word);
    let exit = perform(&mut desk, args.command.as_ref()).await;
    desk.shutdown().await;
    exit
}

async fn perform(desk: &mut Desk<'_>, command: Option<&Command>) -> Exit {
    let Some(command) = command else { return faces::console(desk).await };
    if asks_upstream(command) {
        let environment = desk.environment;
        desk.settings.find_token(environment).await;
    }
    act(desk, command).await
}

/// Does a command with the settings as they are, the token included.
async fn act(desk: &mut Desk<'_>, command: &Command) -> Exit {
    match command {
        Command::List(args) => looking::list(desk, args).await,
        Command::View(args) => views::view(desk, args).await,
        Command::Show(args) => looking::show(desk, args).await,
        Command::Lint(args) => looking::lint(desk, args).await,
        Command::Survey(args) => asking::survey(desk, args).await,
        Command::Diff(args) => asking::diff(desk, args).await,
        Command::Bump(args) => asking::bump(desk, args).await,
        Command::Verify(args) => verifying::verify(desk, args).await,
        Command::Lock(args) => locking::lock(desk, args).await,
        Command::Plan(args) => planning::plan(desk, args).await,
        Command::Jobs(args) => past::jobs(desk, args).await,
        Command::Log(args) => past::log(desk, args).await,
        Command::Demo(args) => faces::demo(desk, args).await,
        Command::Clone(args) => clone::clone(desk, args).await,
        Command::Doctor(args) => doctor::doctor(desk, args).await,
        Command::Keys => papers::keys(desk),
        Command::Completions { .. } | Command::Man | Command::Config { .. } => {
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
