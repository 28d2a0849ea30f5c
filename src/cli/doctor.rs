//! `bumpdesk doctor`: checks the surroundings and says where each setting came from. Asks no far side unless told to.

use std::path::Path;
use std::time::Duration;

use crate::boot::Environment;
use crate::boot::Settings;
use crate::boot::TokenSource;
use crate::boot::program;
use crate::cli::args::commands::DoctorArgs;
use crate::cli::desk::Desk;
use crate::cli::exit::Exit;
use crate::cli::output::Line;
use crate::cli::output::Tone;
use crate::cli::wire;

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ok,
    /// Something does less than it could.
    Note,
    /// Something will not work.
    Fail,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Fail => "fail",
        }
    }
}

#[derive(Clone, Debug)]
struct Checked {
    state: State,
    topic: &'static str,
    text: String,
}

fn check(state: State, topic: &'static str, text: impl Into<String>) -> Checked {
    Checked { state, topic, text: text.into() }
}

const GIT_LIMIT: Duration = Duration::from_secs(5);
const REACH_LIMIT: Duration = Duration::from_secs(5);

pub(crate) async fn doctor(desk: &mut Desk<'_>, args: &DoctorArgs) -> Exit {
    let (settings, environment) = (&desk.settings, desk.environment);
    let mut checks = vec![check(State::Ok, "bumpdesk", env!("CARGO_PKG_VERSION"))];
    checks.push(git(environment).await);
    checks.extend(terminal(settings, environment));
    checks.push(registry(settings));
    checks.push(token(settings));
    checks.push(match &settings.config_file {
        Some(file) => check(State::Ok, "configuration", file.display().to_string()),
        None => check(State::Ok, "configuration", "none; everything has its default"),
    });
    checks.push(folder("state folder", &settings.state_dir));
    checks.push(folder("cache folder", &settings.cache_dir));
    checks.extend(
        settings.told.iter().map(|told| {
            check(State::Ok, "setting", format!("{} = {} ({})", told.key, told.value, told.origin))
        }),
    );
    if args.online {
        for url in [&settings.endpoints.api, &settings.endpoints.web, &settings.endpoints.served] {
            checks.push(reach(url).await);
        }
    }
    tell(desk, &checks)
}

fn tell(desk: &mut Desk<'_>, checks: &[Checked]) -> Exit {
    for check in checks {
        if desk.output.json {
            let body = wire::Check { topic: check.topic, state: check.state.word(), text: &check.text };
            desk.output.object("check", &body);
            continue;
        }
        let tone = match check.state {
            State::Ok => Tone::Green,
            State::Note => Tone::Yellow,
            State::Fail => Tone::Red,
        };
        let line = Line::default().tone(tone, format!("{:<5}", check.state.word()));
        desk.output.line(&line.text(format!("{:<14} {}", check.topic, check.text)));
    }
    let failed: Vec<&str> =
        checks.iter().filter(|check| check.state == State::Fail).map(|check| check.topic).collect();
    if failed.is_empty() {
        return desk.done();
    }
    desk.fail(crate::jobs::Failure {
        kind: crate::jobs::FailureKind::Config,
        doing: "checking the surroundings".into(),
        causes: vec![format!("these will not work: {}", failed.join(", "))],
        hint: Some("See the lines that begin with `fail`.".into()),
    })
}

async fn git(environment: &Environment) -> Checked {
    match program::ask(environment, "git", &["--version"], GIT_LIMIT).await {
        Ok(answer) if answer.success => {
            check(State::Ok, "git", String::from_utf8_lossy(&answer.stdout).trim().to_owned())
        }
        Ok(_) => check(State::Note, "git", "`git --version` fails; --ref, clone and dirty marks need git"),
        Err(error) => check(State::Note, "git", format!("{error}; --ref, clone and dirty marks need git")),
    }
}

fn terminal(settings: &Settings, environment: &Environment) -> Vec<Checked> {
    let both = environment.stdin_is_terminal && environment.stdout_is_terminal;
    let name = environment.text("TERM").unwrap_or("not set");
    let mut checks = vec![if both && !environment.is_dumb() {
        check(State::Ok, "terminal", format!("TERM is {name}"))
    } else {
        check(
            State::Note,
            "terminal",
            format!("none that the console can draw on (TERM is {name}); commands work"),
        )
    }];
    let depth = match (environment.text("COLORTERM"), name) {
        (Some("truecolor" | "24bit"), _) => "16 million",
        (_, name) if name.contains("256color") => "256",
        _ => "16",
    };
    let on = if settings.ui.color { "on" } else { "off" };
    checks.push(check(State::Ok, "colours", format!("{on}; the terminal has {depth}")));
    checks.push(if environment.is_utf8() {
        check(State::Ok, "characters", "UTF-8")
    } else {
        check(State::Note, "characters", "the locale is not UTF-8: glyphs are drawn with ASCII")
    });
    if environment.variable("TMUX").is_some() {
        checks.push(check(
            State::Ok,
            "tmux",
            "running inside tmux; copying needs `set -g set-clipboard on` there",
        ));
    }
    checks
}

fn registry(settings: &Settings) -> Checked {
    match &settings.registry {
        Some(path) if ["providers", "modules"].iter().any(|kind| path.join(kind).is_dir()) => {
            check(State::Ok, "registry", path.display().to_string())
        }
        Some(path) => check(
            State::Note,
            "registry",
            format!(
                "{} has neither `providers` nor `modules`; that is right only for a bare clone",
                path.display()
            ),
        ),
        None => check(
            State::Note,
            "registry",
            "none here or above; name one with --registry, get one with `bumpdesk clone`, or try `bumpdesk demo`",
        ),
    }
}

fn token(settings: &Settings) -> Checked {
    let text = settings.token_source.text();
    match settings.token_source {
        TokenSource::Variable(_) | TokenSource::Gh(_) => check(State::Ok, "token", text),
        _ => check(
            State::Note,
            "token",
            format!(
                "{text}; without one there is no GraphQL and 60 API requests an hour: set GH_TOKEN or run `gh auth login`"
            ),
        ),
    }
}

/// Whether a folder can be written, or made below the nearest one that is there. Leaves nothing behind.
fn folder(topic: &'static str, path: &Path) -> Checked {
    let Some(there) = path.ancestors().find(|folder| folder.exists()) else {
        return check(State::Fail, topic, format!("{} cannot be made", path.display()));
    };
    match tempfile::Builder::new().prefix(".bumpdesk-doctor").tempfile_in(there) {
        Ok(_) if there == path => check(State::Ok, topic, format!("{} can be written", path.display())),
        Ok(_) => check(State::Ok, topic, format!("{} will be made", path.display())),
        Err(error) => check(State::Fail, topic, format!("{} cannot be written: {error}", there.display())),
    }
}

/// Whether a far side's port answers. Sends nothing.
async fn reach(url: &str) -> Checked {
    let Ok(uri) = url.parse::<http::Uri>() else { return check(State::Fail, "far side", url) };
    let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("http") { 80 } else { 443 });
    let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
    match tokio::time::timeout(REACH_LIMIT, tokio::net::TcpStream::connect((host.as_str(), port))).await {
        Ok(Ok(_)) => check(State::Ok, "far side", format!("{url} answers")),
        Ok(Err(error)) => check(State::Fail, "far side", format!("{url} cannot be reached: {error}")),
        Err(_) => check(
            State::Fail,
            "far side",
            format!("{url} gives no answer within {} s", REACH_LIMIT.as_secs()),
        ),
    }
}
