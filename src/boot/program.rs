//! Other programs that are started before or beside the jobs: `gh` for the token, `git` for a clone and for `doctor`.
//!
//! They are looked up in the given environment's PATH, get its variables, and never read the terminal.
#![expect(clippy::disallowed_types, reason = "with `store::git` the one home of other programs")]

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use crate::boot::Environment;
use crate::jobs::on_path;

/// How a program ended, and what it said.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) success: bool,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProgramError {
    #[error("`{0}` is not in PATH")]
    Missing(String),
    #[error("`{name}` did not answer within {seconds} s")]
    TimedOut { name: String, seconds: u64 },
    #[error("`{name}` cannot be started: {error}")]
    Io { name: String, error: std::io::Error },
}

/// Where a program is, if PATH has it. Relative parts of PATH are passed over.
pub(crate) fn find(environment: &Environment, name: &str) -> Option<PathBuf> {
    on_path(environment.variable("PATH")?, name)
}

fn command(environment: &Environment, name: &str, arguments: &[&str]) -> Result<Command, ProgramError> {
    let program = find(environment, name).ok_or_else(|| ProgramError::Missing(name.into()))?;
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(environment.variables());
    // No program may ask a question: nobody would see it.
    command.env("GIT_TERMINAL_PROMPT", "0").env("GH_PROMPT_DISABLED", "1").env("GH_NO_UPDATE_NOTIFIER", "1");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CEILING_DIRECTORIES"] {
        command.env_remove(variable);
    }
    command.current_dir(&environment.cwd).stdin(Stdio::null()).kill_on_drop(true);
    Ok(command)
}

/// Runs a program and gives back what it said.
///
/// # Errors
/// It is not there, cannot be started, or takes longer than `limit`.
pub(crate) async fn ask(
    environment: &Environment,
    name: &str,
    arguments: &[&str],
    limit: Duration,
) -> Result<Answer, ProgramError> {
    let mut command = command(environment, name, arguments)?;
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    match tokio::time::timeout(limit, command.output()).await {
        Ok(Ok(output)) => {
            Ok(Answer { success: output.status.success(), stdout: output.stdout, stderr: output.stderr })
        }
        Ok(Err(error)) => Err(ProgramError::Io { name: name.into(), error }),
        Err(_) => Err(ProgramError::TimedOut { name: name.into(), seconds: limit.as_secs() }),
    }
}

/// Runs a program that may take long. It talks to our own standard error if that is a terminal; otherwise what it says
/// is in the answer.
///
/// # Errors
/// It is not there or cannot be started.
pub(crate) async fn attend(
    environment: &Environment,
    name: &str,
    arguments: &[&str],
) -> Result<Answer, ProgramError> {
    let mut command = command(environment, name, arguments)?;
    command.stdout(Stdio::piped());
    command.stderr(if environment.stderr_is_terminal { Stdio::inherit() } else { Stdio::piped() });
    let child = command.spawn().map_err(|error| ProgramError::Io { name: name.into(), error })?;
    match child.wait_with_output().await {
        Ok(output) => {
            Ok(Answer { success: output.status.success(), stdout: output.stdout, stderr: output.stderr })
        }
        Err(error) => Err(ProgramError::Io { name: name.into(), error }),
    }
}
