//! `config check`: whether the settings, the key file and the themes can be used. It works where they cannot, so it comes before
//! everything else.

use crate::boot::{Environment, Settings, keys_file};
use crate::cli::args::Args;
use crate::cli::console::{Console, KeyMistake};
use crate::cli::wire;
use crate::jobs::{Failure, FailureKind};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner;
use crate::rules::amount;

/// Tells every mistake; exits 2 if there is one.
pub(crate) fn check(
    args: &Args,
    environment: &Environment,
    console: Console,
    output: &mut Output<'_>,
) -> Exit {
    let mistakes = settings(args, environment, output)
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
fn settings(args: &Args, environment: &Environment, output: &mut Output<'_>) -> usize {
    match Settings::resolve(&args.global.said(), environment) {
        Ok(settings) => {
            let path = settings.config_file.map(|path| path.display().to_string());
            tell(output, "config.toml", path.as_deref(), &[]);
            0
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

fn keys(environment: &Environment, console: Console, output: &mut Output<'_>) -> usize {
    let file = keys_file(environment);
    let table = (console.keys)(file.as_ref());
    let path = file.map(|file| file.path.display().to_string());
    tell(output, "keys.toml", path.as_deref(), &table.mistakes);
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
        output.object("file", &wire::CheckedFile { name, path, state });
    }
    let path = path.unwrap_or(name);
    for mistake in mistakes {
        if output.json {
            output.object("mistake", &wire::MistakeLine::new(path, mistake));
            continue;
        }
        let place =
            if mistake.line > 0 { format!(":{}:{}", mistake.line, mistake.column) } else { String::new() };
        output.line(&Line::of(format!("{path}{place}: {}", mistake.text)));
        if let Some(hint) = &mistake.hint {
            output.line(&Line::of(format!("  {hint}")));
        }
    }
    if !output.json && mistakes.is_empty() {
        let words = if state == "absent" { "there is none; the defaults count" } else { "fine" };
        output.line(&Line::of(format!("{path}: {words}")));
    }
}
