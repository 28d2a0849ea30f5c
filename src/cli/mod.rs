//! The front door: the command line, for the binary and for tests alike, and the headless face.
//!
//! Reads arguments, has `boot` resolve the settings, runs jobs and prints their events. A command is a file: its arguments,
//! with the text of `--help` as their docs, and its run; a row of [`Command`] makes it known everywhere. No rules of the
//! domain, no files, no environment: those come in as values. Called by `main`.

mod backfill;
mod bump;
mod clone;
mod command_line;
mod completions;
mod config;
mod console;
mod demo;
mod diff;
mod doctor;
mod help;
mod jobs;
mod keys;
mod lint;
mod list;
mod lock;
mod log;
mod man;
mod notice;
mod plan;
mod pr;
mod review;
mod selection;
mod show;
mod stranded;
mod survey;
mod triage;
mod values;
mod verify;
mod view;
mod wire;

use std::ffi::OsString;
use std::io::Write;

use clap::Subcommand;

use crate::boot::{Environment, Flags, Settings, Ui};
use crate::cli::command_line::CommandLine;
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::runner;
use crate::print::runner::Runner;
use crate::rules::plain_text::visible;

pub use console::{Console, ConsoleOptions, OpenConsole, Starting};
pub(crate) use console::{KeyMistake, KeyRow, KeyTable};

/// The body of a command with settings.
trait Run {
    /// True if the command needs the token. The others are spared the start of `gh`.
    fn asks_upstream(&self) -> bool {
        false
    }

    /// Does it and tells it. The error is an exit too: of a command that ended before its last step, and told why.
    async fn run(&self, runner: &mut Runner<'_>, console: Console) -> Result<Exit, Exit>;
}

/// The body of a command that works even if the configuration is broken.
trait RunEarly {
    async fn run(&self, invocation: Invocation<'_>) -> Exit;
}

/// Makes all that goes through the commands out of one row for each: its name, and its file, which is its word too.
macro_rules! commands {
    (
        with settings { $($name:ident($file:ident::$args:ident),)+ }
        without { $($early_name:ident($early_file:ident::$early_args:ident),)+ }
    ) => {
        /// The commands, in the order in which help lists them.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $(#[command(name = stringify!($file))] $name($file::$args),)+
            $(#[command(name = stringify!($early_file))] $early_name($early_file::$early_args),)+
        }

        impl Command {
            /// The command's word, as the outcome object names it.
            #[cfg(feature = "demo")]
            fn word(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => stringify!($file),)+
                    $(Self::$early_name(_) => stringify!($early_file),)+
                }
            }

            async fn run(&self, invocation: Invocation<'_>) -> Exit {
                match self {
                    $(Self::$name(command) => invocation.run(stringify!($file), command).await,)+
                    $(Self::$early_name(command) => command.run(invocation).await,)+
                }
            }

            /// Does the command with the settings as they are, the token included; `None` if it needs none.
            #[cfg(feature = "demo")]
            async fn run_with(&self, runner: &mut Runner<'_>, console: Console) -> Option<Exit> {
                match self {
                    $(Self::$name(command) => Some(ended(command.run(runner, console).await)),)+
                    $(Self::$early_name(_) => None,)+
                }
            }

            /// Returns true if the command asks upstream; `None` if it needs no settings.
            #[cfg(feature = "demo")]
            fn asks_upstream(&self) -> Option<bool> {
                match self {
                    $(Self::$name(command) => Some(command.asks_upstream()),)+
                    $(Self::$early_name(_) => None,)+
                }
            }
        }
    };
}

commands! {
    with settings {
        List(list::ListArgs),
        View(view::ViewArgs),
        Notice(notice::NoticeArgs),
        Show(show::ShowArgs),
        Triage(triage::TriageArgs),
        Stranded(stranded::StrandedArgs),
        Survey(survey::SurveyArgs),
        Diff(diff::DiffArgs),
        Bump(bump::BumpArgs),
        Verify(verify::VerifyArgs),
        Backfill(backfill::BackfillArgs),
        Lock(lock::LockArgs),
        Plan(plan::PlanArgs),
        Pr(pr::PrArgs),
        Review(review::ReviewArgs),
        Jobs(jobs::JobsArgs),
        Log(log::LogArgs),
        Lint(lint::LintArgs),
        Demo(demo::DemoArgs),
        Clone(clone::CloneArgs),
        Doctor(doctor::DoctorArgs),
        Keys(keys::KeysArgs),
    }
    without {
        Config(config::ConfigArgs),
        Completions(completions::CompletionsArgs),
        Man(man::ManArgs),
        Help(help::HelpArgs),
    }
}

/// Runs one command line, the program's name first. Data goes to `out`, talk to `err`; `console` is the way into the
/// console, drawn or in lines.
pub async fn run(
    args: Vec<OsString>,
    environment: &Environment,
    console: Console,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Exit {
    let line = match CommandLine::read(args) {
        Ok(line) => line,
        Err(error) => return tell_usage(&error, out, err),
    };
    let (mut flags, mut json) = (line.global.flags(), line.global.json);
    if let Some(Command::Demo(demo)) = &line.command {
        // Whoever runs the command behind `--` tells what is wrong with its line.
        if let Ok(inner) = demo.inner_line() {
            json |= inner.global.json;
            let free = inner.global.in_world().unwrap_or_default();
            flags.values.extend(free.values);
            flags.features.extend(free.features);
        }
    }
    let invocation = Invocation { flags, json, environment, console, out, err };
    match &line.command {
        Some(command) => command.run(invocation).await,
        None => invocation.run("console", &console::NoCommand).await,
    }
}

/// One command line as it came, before there are settings.
struct Invocation<'a> {
    flags: Flags,
    json: bool,
    environment: &'a Environment,
    console: Console,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
}

impl<'a> Invocation<'a> {
    fn settings(&self) -> Result<Settings, crate::jobs::data::Failure> {
        Settings::resolve(&self.flags, self.environment)
    }

    fn output(self, ui: Ui) -> Output<'a> {
        // Where there is no terminal, asking for its size starts two programs.
        let size = if self.environment.stdout_is_terminal { (self.console.size)() } else { None };
        let columns = size.map(|(columns, _)| usize::from(columns));
        let mut output = Output::new(self.out, self.err, self.environment, ui, self.json);
        output.columns = columns;
        output
    }

    /// The settings including the theme. Only the console knows the names of themes, so the theme is checked here.
    fn settings_with_theme(&self) -> Result<Settings, crate::jobs::data::Failure> {
        let settings = self.settings()?;
        match (self.console.no_theme)(&settings.ui) {
            Some(why) => Err(config::no_theme(&settings, &why)),
            None => Ok(settings),
        }
    }

    /// Runs a command with settings, the token among them if it asks upstream.
    async fn run(self, word: &'static str, command: &impl Run) -> Exit {
        let settings = match self.settings_with_theme() {
            Ok(settings) => settings,
            Err(failure) => return runner::fail_early(&mut self.output(early()), word, failure),
        };
        let (environment, console) = (self.environment, self.console);
        let output = self.output(settings.ui.clone());
        let mut runner = Runner::new(settings, environment, output, word);
        if command.asks_upstream() {
            runner.settings.find_token(environment).await;
        }
        let exit = ended(command.run(&mut runner, console).await);
        runner.shutdown().await;
        exit
    }

    /// Prints what is written for other programs. A closed pipe ends quietly.
    fn print(self, bytes: &[u8]) -> Exit {
        let _ = self.out.write_all(bytes).and_then(|()| self.out.flush());
        Exit::Done
    }
}

/// The display before the settings are known.
fn early() -> Ui {
    Ui { ascii: true, ..Ui::default() }
}

fn ended(exit: Result<Exit, Exit>) -> Exit {
    exit.unwrap_or_else(|exit| exit)
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
pub(crate) mod tests;
