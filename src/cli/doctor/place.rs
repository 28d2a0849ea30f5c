//! What is on this machine: git, the registry, the files of the configuration, our folders, the log, the token.

use std::path::Path;
use std::time::Duration;

use crate::boot::{Environment, Settings, TokenSource, keys_file, program};
use crate::cli::console::Console;
use crate::cli::doctor::{Checked, fail, note, ok};
use crate::jobs::{StateSize, count_activity, folder_size, log_path, state_size};
use crate::rules::amount::{bytes, counted};

const GIT_LIMIT: Duration = Duration::from_secs(5);
const GIT_REMEDY: &str = "--ref, clone and dirty marks need git: install it, or fix PATH";

pub(super) async fn git(environment: &Environment) -> Checked {
    match program::ask(environment, "git", &["--version"], GIT_LIMIT).await {
        Ok(answer) if answer.success => ok("git", String::from_utf8_lossy(&answer.stdout).trim().to_owned()),
        Ok(_) => note("git", "`git --version` fails", GIT_REMEDY),
        Err(error) => note("git", error.to_string(), GIT_REMEDY),
    }
}

pub(super) fn registry(settings: &Settings) -> Checked {
    match &settings.registry {
        Some(path) if ["providers", "modules"].iter().any(|kind| path.join(kind).is_dir()) => {
            ok("registry", path.display().to_string())
        }
        Some(path) => note(
            "registry",
            format!("{} has neither `providers` nor `modules`", path.display()),
            "that is right only for a bare clone: name another with --registry",
        ),
        None => note(
            "registry",
            "none here or above",
            "name one with --registry, get one with `bumpdesk clone`, or try `bumpdesk demo`",
        ),
    }
}

/// The files that bumps changed lately, by the history of the registry; `None` without a history.
pub(super) fn bumps(settings: &Settings) -> Option<Checked> {
    let registry = (settings.registry.as_deref()?, settings.reference.as_deref());
    match count_activity(registry, settings.clock.now(), None) {
        Ok(activity) => Some(match activity? {
            activity if activity.files.is_some() => ok("bumps", activity.sentence()),
            shallow => {
                let fetch = "`git fetch --shallow-since='31 days ago'` brings what is missing";
                note("bumps", shallow.sentence(), fetch)
            }
        }),
        // A folder that is no registry has a line of its own.
        Err(_) if !registry.0.join("providers").is_dir() => None,
        Err(failure) => Some(note("bumps", failure.reason(), "try `git log` in that folder")),
    }
}

/// The files that people write.
pub(super) fn files(settings: &Settings, environment: &Environment, console: Console) -> Vec<Checked> {
    let configuration = match &settings.config_file {
        Some(file) => ok("configuration", file.display().to_string()),
        None => ok("configuration", "none; everything has its default"),
    };
    let file = keys_file(environment);
    let table = (console.keys)(file.as_ref());
    let (mistakes, taken) = (table.mistakes.len() as u64, table.taken.len() as u64);
    let keys = match &file {
        None => ok("keys", "no keys.toml; the keys are the console's own"),
        Some(file) if mistakes == 0 && taken == 0 => ok("keys", file.path.display().to_string()),
        Some(file) if mistakes == 0 => note(
            "keys",
            format!("{} takes {} from other actions", file.path.display(), counted(taken, "key")),
            "`bumpdesk config check` names them",
        ),
        Some(file) => note(
            "keys",
            format!(
                "{} has {}, so the console's own keys apply",
                file.path.display(),
                counted(mistakes, "mistake")
            ),
            "`bumpdesk config check` names them",
        ),
    };
    vec![configuration, keys]
}

/// The state with its database, the cache, and the log.
pub(super) fn folders(settings: &Settings) -> Vec<Checked> {
    let log = log_path(&settings.state_dir);
    let size = log.metadata().map_or(0, |metadata| metadata.len());
    let log = match size {
        0 => ok("log", format!("{}, nothing in it yet", log.display())),
        size => ok("log", format!("{}, {}; `bumpdesk log` reads it", log.display(), bytes(size))),
    };
    vec![
        folder("state folder", &settings.state_dir, "--state-dir"),
        state(&settings.state_dir),
        folder("cache folder", &settings.cache_dir, "--cache-dir"),
        log,
    ]
}

/// Whether a folder can be written, or made below the nearest one that is there. Leaves nothing behind.
fn folder(topic: &'static str, path: &Path, flag: &str) -> Checked {
    let remedy = format!("fix its permissions, or name another with {flag}");
    let Some(there) = path.ancestors().find(|folder| folder.exists()) else {
        return fail(topic, format!("{} cannot be made", path.display()), remedy);
    };
    match tempfile::Builder::new().prefix(".bumpdesk-doctor").tempfile_in(there) {
        Ok(_) if there == path => {
            let (files, size) = folder_size(path);
            let holds = format!("{} in {}", bytes(size), counted(files, "file"));
            ok(topic, format!("{} can be written; {holds}", path.display()))
        }
        Ok(_) => ok(topic, format!("{} will be made", path.display())),
        Err(error) => fail(topic, format!("{} cannot be written: {error}", there.display()), remedy),
    }
}

/// How large the state is and what of it grows; it is kept within bounds by itself.
fn state(folder: &Path) -> Checked {
    let Some(StateSize { bytes: size, free_bytes, repositories, planned_files, jobs }) = state_size(folder)
    else {
        return ok("state", "none yet, or none that can be read");
    };
    let holds = format!(
        "facts of {}, {}, {}",
        counted(repositories, "repository"),
        counted(planned_files, "planned file"),
        counted(jobs, "job")
    );
    ok("state", format!("{}, {} of it free: {holds}", bytes(size), bytes(free_bytes)))
}

pub(super) fn token(settings: &Settings) -> Checked {
    let text = settings.token_source.text();
    match settings.token_source {
        TokenSource::Variable(_) | TokenSource::Gh(_) => ok("token", text),
        _ => note(
            "token",
            text,
            "without one there is no GraphQL and 60 API requests an hour: set GH_TOKEN or run `gh auth login`",
        ),
    }
}
