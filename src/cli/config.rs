//! `config`: whether the settings, the key file and the themes can be used. It works where they cannot, so it comes before
//! everything else.

use std::path::Path;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::boot::desktop::Desktop;
use crate::boot::{Environment, Origin, Settings, keys_file};
use crate::cli::console::{Console, KeyMistake};
use crate::cli::{Invocation, RunEarly, early};
use crate::jobs::check_servers;
use crate::jobs::data::{Failure, FailureKind};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner;
use crate::rules::amount;

/// Look at the files of the configuration.
#[derive(Debug, Args)]
#[command(after_long_help = "Example:\n  bumpdesk config check")]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    what: ConfigAction,
}

#[derive(Debug, Subcommand)]
enum ConfigAction {
    /// Check config.toml and keys.toml and report every mistake with its place. Exits 2 if there is one.
    #[command(after_long_help = "Examples:\n  bumpdesk config check\n  bumpdesk config check --json")]
    Check,
}

impl RunEarly for ConfigArgs {
    async fn run(&self, invocation: Invocation<'_>) -> Exit {
        match self.what {
            ConfigAction::Check => check(invocation),
        }
    }
}

/// Tells every mistake; exits 2 if there is one.
fn check(invocation: Invocation<'_>) -> Exit {
    let resolved = invocation.settings();
    let (environment, console) = (invocation.environment, invocation.console);
    let output = &mut invocation.output(early());
    let mistakes = settings(resolved, environment, console, output)
        + keys(environment, console, output)
        + themes(environment, console, output);
    if mistakes == 0 {
        return runner::done_early(output, "config");
    }
    let failure = Failure::new(FailureKind::Config, "checking the configuration")
        .cause(amount::counted(mistakes, "mistake"));
    runner::fail_early(output, "config", failure)
}

/// The settings: their file, variables and flags. Reading them stops at the first mistake.
fn settings(
    resolved: Result<Settings, Failure>,
    environment: &Environment,
    console: Console,
    output: &mut Output<'_>,
) -> usize {
    match resolved {
        Ok(settings) => {
            let mut count = 0;
            for mistake in unusable(&settings, environment, console) {
                tell(output, "config.toml", Some(&mistake.path), &[mistake.what]);
                count += 1;
            }
            if count == 0 {
                let path = settings.config_file.map(|path| path.display().to_string());
                tell(output, "config.toml", path.as_deref(), &[]);
            }
            count
        }
        Err(failure) => {
            // The text names the file and the place by itself.
            let text = failure.causes.join(": ");
            let mistake = KeyMistake { line: 0, column: 0, text, hint: failure.hint };
            tell(output, "config.toml", Some("settings"), &[mistake]);
            1
        }
    }
}

/// A mistake, and the file, variable or flag that contains it.
struct Misplaced {
    path: String,
    what: KeyMistake,
}

/// The settings that have the right form but cannot be used, found by the same checks that the commands make.
fn unusable(settings: &Settings, environment: &Environment, console: Console) -> Vec<Misplaced> {
    let folder = |key, path: &Path| {
        let is_in_the_way = path.exists() && !path.is_dir();
        is_in_the_way.then(|| (key, format!("`{}` is not a folder", path.display()), None))
    };
    let servers = check_servers(&settings.endpoints).err();
    let found = [
        (console.no_theme)(&settings.ui).map(|why| ("ui.theme", why, None)),
        servers.map(|failure| ("endpoints.ca-file", failure.causes.join(": "), failure.hint)),
        folder("state-dir", &settings.state_dir),
        folder("cache-dir", &settings.cache_dir),
        settings.ui.browser.as_deref().and_then(|browser| {
            let is_there = Desktop::new(environment, Some(browser)).has_browser();
            (!is_there).then(|| ("ui.browser", format!("there is no program `{browser}`"), None))
        }),
    ];
    let place = |(key, text, hint)| {
        let (path, line, column) = match origin(settings, key) {
            Some(Origin::Config { file, line, column }) => (file.display().to_string(), *line, *column),
            Some(origin) => (origin.to_string(), 0, 0),
            None => ("settings".to_owned(), 0, 0),
        };
        Misplaced { path, what: KeyMistake { line, column, text, hint } }
    };
    found.into_iter().flatten().map(place).collect()
}

fn origin<'a>(settings: &'a Settings, key: &str) -> Option<&'a Origin> {
    settings.origins.iter().find(|one| one.key == key).map(|one| &one.origin)
}

/// The failure for a theme that does not exist.
pub(super) fn no_theme(settings: &Settings, why: &str) -> Failure {
    let origin = origin(settings, "ui.theme");
    let kind = match origin {
        Some(Origin::Config { .. }) => FailureKind::Config,
        _ => FailureKind::Usage,
    };
    let cause = origin.map_or_else(|| why.to_owned(), |origin| format!("`{origin}`: {why}"));
    Failure::new(kind, "reading the settings").cause(cause)
}

fn keys(environment: &Environment, console: Console, output: &mut Output<'_>) -> usize {
    let file = keys_file(environment);
    let table = (console.keys)(file.as_ref());
    let path = file.map(|file| file.path.display().to_string());
    tell(output, "keys.toml", path.as_deref(), &table.mistakes);
    // A key that another action had is a note: the file says what counts.
    for note in &table.taken {
        print_note(output, "key-note", path.as_deref().unwrap_or_default(), note);
    }
    table.mistakes.len()
}

/// The user's own themes, each of which may inherit another.
fn themes(environment: &Environment, console: Console, output: &mut Output<'_>) -> usize {
    let own = crate::boot::themes(environment);
    // The sentences name file and place by themselves.
    let mistake = |text| KeyMistake { line: 0, column: 0, text, hint: None };
    let mistakes: Vec<KeyMistake> = (console.themes)(&own).into_iter().map(mistake).collect();
    tell(output, "themes", (!own.is_empty()).then_some("themes"), &mistakes);
    mistakes.len()
}

fn tell(output: &mut Output<'_>, name: &'static str, path: Option<&str>, mistakes: &[KeyMistake]) {
    let state = match (path, mistakes) {
        (_, [_, ..]) => "wrong",
        (None, _) => "absent",
        (Some(_), _) => "fine",
    };
    if output.json {
        output.object("file", &FileObject { name, path, state });
    }
    let path = path.unwrap_or(name);
    for mistake in mistakes {
        print_note(output, "mistake", path, mistake);
    }
    if !output.json && mistakes.is_empty() {
        let words = if state == "absent" { "there is none; the defaults apply" } else { "fine" };
        output.line(&Line::of(format!("{path}: {words}")));
    }
}

/// Names something about a file, with its place and the way out, as an object of type `kind`.
fn print_note(output: &mut Output<'_>, kind: &'static str, path: &str, mistake: &KeyMistake) {
    if output.json {
        return output.object(kind, &MistakeObject::new(path, mistake));
    }
    let place =
        if mistake.line > 0 { format!(":{}:{}", mistake.line, mistake.column) } else { String::new() };
    output.line(&Line::of(format!("{path}{place}: {}", mistake.text)));
    if let Some(hint) = &mistake.hint {
        output.line(&Line::of(format!("  {hint}")));
    }
}

/// Type `file`: a file of the configuration that was checked.
#[derive(Serialize)]
struct FileObject<'a> {
    name: &'static str,
    path: Option<&'a str>,
    /// `fine`, `absent` or `wrong`.
    state: &'static str,
}

/// Type `mistake`: something that is wrong in such a file. Line and column are null where it is the file as a whole.
#[derive(Serialize)]
struct MistakeObject<'a> {
    path: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    text: &'a str,
    hint: Option<&'a str>,
}

impl<'a> MistakeObject<'a> {
    fn new(path: &'a str, mistake: &'a KeyMistake) -> Self {
        let placed = |number| (number > 0).then_some(number);
        Self {
            path,
            line: placed(mistake.line),
            column: placed(mistake.column),
            text: &mistake.text,
            hint: mistake.hint.as_deref(),
        }
    }
}
