//! `doctor`: checks the surroundings and says where each setting came from. Asks no server unless told to.
//!
//! One line for each check: a word, what it is about, the fact, and what to do where it is bad.

mod far;
mod place;
mod terminal;

use clap::Args;
use serde::Serialize;

use crate::boot::Origin;
use crate::cli::Run;
use crate::cli::console::Console;
use crate::jobs::data::{Failure, FailureKind};
use crate::print::exit::Exit;
use crate::print::output::{Color, Line};
use crate::print::runner::Runner;
use crate::rules::amount::counted;
use crate::settings::words;

words! {
    /// The result of a check.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum CheckState: [word] {
        Ok = "ok",
        /// Something does less than it could.
        Note = "note",
        /// Something will not work.
        Fail = "fail",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Checked {
    state: CheckState,
    topic: &'static str,
    fact: String,
    /// The next step; there is one wherever something is bad.
    remedy: Option<String>,
}

fn ok(topic: &'static str, fact: impl Into<String>) -> Checked {
    Checked { state: CheckState::Ok, topic, fact: fact.into(), remedy: None }
}

fn note(topic: &'static str, fact: impl Into<String>, remedy: impl Into<String>) -> Checked {
    Checked { state: CheckState::Note, topic, fact: fact.into(), remedy: Some(remedy.into()) }
}

fn fail(topic: &'static str, fact: impl Into<String>, remedy: impl Into<String>) -> Checked {
    Checked { state: CheckState::Fail, topic, fact: fact.into(), remedy: Some(remedy.into()) }
}

/// Check the surroundings: terminal, git, registry, token, servers, folders. Asks no server unless told to.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  bumpdesk doctor\n  bumpdesk doctor --settings\n  bumpdesk doctor --online --json"
)]
pub(crate) struct DoctorArgs {
    /// Also try to reach the servers.
    #[arg(long)]
    online: bool,
    /// Also list the settings that have their default.
    #[arg(long)]
    settings: bool,
}

impl Run for DoctorArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, console: Console) -> Result<Exit, Exit> {
        let (settings, environment) = (&runner.settings, runner.environment);
        let mut checks = vec![ok("bumpdesk", env!("CARGO_PKG_VERSION"))];
        checks.extend(terminal::terminal(settings, environment, console.size));
        checks.extend(terminal::programs(settings, environment));
        checks.extend(terminal::multiplexer(environment).await);
        checks.push(place::git(environment).await);
        checks.push(place::registry(settings));
        checks.extend(place::bumps(settings));
        checks.extend(place::files(settings, environment, console));
        checks.extend(place::folders(settings));
        checks.push(place::token(settings));
        if self.online {
            checks.extend(far::reach(&settings.endpoints).await);
            checks.extend(far::inquire(runner).await);
        } else {
            checks.push(ok(
                "servers",
                "not asked; --online tries them, and shows the token's permissions, limits and clock skew",
            ));
        }
        // Programs get all of them.
        let lists_all = self.settings || runner.output.json;
        let (listed, left): (Vec<_>, Vec<_>) = runner
            .settings
            .origins
            .iter()
            .partition(|setting| lists_all || setting.origin != Origin::Default);
        checks.extend(listed.iter().map(|setting| {
            ok("setting", format!("{} = {} ({})", setting.key, setting.value, setting.origin))
        }));
        if !left.is_empty() {
            let left = counted(left.len(), "setting");
            checks.push(ok("settings", format!("{left} at the default; --settings lists them")));
        }
        Ok(tell(runner, &checks))
    }
}

fn tell(runner: &mut Runner<'_>, checks: &[Checked]) -> Exit {
    for check in checks {
        let remedy = check.remedy.as_deref();
        if runner.output.json {
            let (topic, state) = (check.topic, check.state.word());
            runner.output.object("check", &CheckObject { topic, state, text: &check.fact, remedy });
            continue;
        }
        let fact = match remedy {
            Some(remedy) => format!("{}; {remedy}", check.fact),
            None => check.fact.clone(),
        };
        let color = match check.state {
            CheckState::Ok => Color::Green,
            CheckState::Note => Color::Yellow,
            CheckState::Fail => Color::Red,
        };
        let line = if runner.output.ui.plain {
            Line::of(format!("{}: {}: {fact}", check.state.word(), check.topic))
        } else {
            let word = format!("{:<5}", check.state.word());
            Line::default().color(color, word).text(format!("{:<14} {fact}", check.topic)).hanging(20)
        };
        runner.output.line(&line);
    }
    let failed = checks.iter().filter(|check| check.state == CheckState::Fail);
    let mut failed: Vec<&str> = failed.map(|check| check.topic).collect();
    failed.dedup();
    if failed.is_empty() {
        return runner.done();
    }
    let word = if runner.output.ui.plain { "fail:" } else { "fail" };
    runner.fail(
        Failure::new(FailureKind::Config, "checking the surroundings")
            .cause(format!("these will not work: {}", failed.join(", ")))
            .hint(format!("See the lines that begin with `{word}`.")),
    )
}

/// Type `check`.
#[derive(Serialize)]
pub(crate) struct CheckObject<'a> {
    pub(crate) topic: &'a str,
    pub(crate) state: &'static str,
    pub(crate) text: &'a str,
    /// The next step; null if nothing is bad.
    pub(crate) remedy: Option<&'a str>,
}
