//! Runs the git program: scrubbed environment, bounded output, no prompt, no network, none of the user's configuration.
//!
//! Never makes or changes a repository. Called by the checkout and by the start-up index.

use std::ffi::{OsStr, OsString};
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::store::Error;

/// What git says when it fails is a few lines; more is cut off.
const COMPLAINT_CAP_BYTES: u64 = 8 << 10;

/// The variables that a program needs to start and to find its folders. Everything else stays outside: `GIT_*` would
/// lead git to another repository, and tokens are none of its business.
const PASSED: [&str; 9] =
    ["PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "TMPDIR", "TEMP", "TMP"];

/// The git program on one repository.
#[derive(Clone, Debug)]
pub(in crate::store) struct Git {
    git_dir: PathBuf,
}

/// How a finished run ended: its output, or git's exit code and complaint.
pub(in crate::store) enum Answer {
    Output(Vec<u8>),
    Failed { code: Option<i32>, complaint: String },
}

impl Git {
    pub(in crate::store) fn new(git_dir: &Path) -> Self {
        Self { git_dir: git_dir.to_path_buf() }
    }

    pub(in crate::store) fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// A command that reads this repository, ready to start.
    pub(in crate::store) fn command(&self) -> Command {
        let mut command = scrubbed(&PASSED);
        let mut safe = OsString::from("safe.directory=");
        safe.push(&self.git_dir);
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" })
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_OPTIONAL_LOCKS", "0");
        for setting in ["core.fsmonitor=false", "log.showSignature=false", "core.quotepath=off"] {
            command.args(["-c", setting]);
        }
        command.arg("-c").arg(safe);
        command.arg("--no-pager").arg("--git-dir").arg(&self.git_dir).stdin(Stdio::null());
        command
    }

    /// Runs one command whose output must stay under `cap_bytes`.
    pub(in crate::store) fn ask(
        &self,
        doing: &str,
        arguments: &[&OsStr],
        cap_bytes: u64,
    ) -> Result<Answer, Error> {
        let mut command = self.command();
        command.args(arguments);
        collect(command, cap_bytes).map_err(|cause| self.not_run(doing, &cause))
    }

    /// The output of one command; a failure is an error with git's own words.
    pub(in crate::store) fn run(
        &self,
        doing: &str,
        arguments: &[&OsStr],
        cap_bytes: u64,
    ) -> Result<Vec<u8>, Error> {
        match self.ask(doing, arguments, cap_bytes)? {
            Answer::Output(output) => Ok(output),
            Answer::Failed { complaint, .. } => Err(self.failed(doing, complaint)),
        }
    }

    pub(in crate::store) fn failed(&self, doing: &str, text: impl Into<String>) -> Error {
        Error::Git { path: self.git_dir.clone(), doing: doing.into(), text: text.into() }
    }

    pub(in crate::store) fn not_run(&self, doing: &str, cause: &io::Error) -> Error {
        match cause.kind() {
            io::ErrorKind::NotFound => Error::GitMissing,
            _ => self.failed(doing, cause.to_string()),
        }
    }

    /// The full id of the commit that `name` leads to; `None` if there is none.
    pub(in crate::store) fn commit_id(&self, name: &str) -> Result<Option<String>, Error> {
        let peeled = format!("{name}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &peeled].map(OsStr::new);
        match self.ask("look up a reference", &arguments, 4 << 10)? {
            Answer::Output(output) => Ok(Some(String::from_utf8_lossy(&output).trim().to_owned())),
            Answer::Failed { code: Some(1), .. } => Ok(None),
            // `HEAD~99999999999` and the like are complained about instead of just not found.
            Answer::Failed { complaint, .. } if complaint.contains("unknown revision") => Ok(None),
            Answer::Failed { complaint, .. } => Err(self.failed("look up a reference", complaint)),
        }
    }
}

/// Where a program is, if a PATH has it. Relative parts of it are passed over.
pub(crate) fn on_path(path: &OsStr, name: &str) -> Option<PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
        .find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

fn scrubbed(names: &[&str]) -> Command {
    // By its name alone, with a PATH of its own, it would be started by way of a copy of this whole process.
    let program = passed(&["PATH"]).next().and_then(|(_, path)| on_path(&path, "git"));
    let mut command = Command::new(program.as_deref().unwrap_or(Path::new("git")));
    command.env_clear().envs(passed(names)).env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0");
    command
}

/// The variables of that name out of our own environment. They are handed through unread; whatever steers bumpdesk itself
/// is read in `boot`.
fn passed<'a>(names: &'a [&str]) -> impl Iterator<Item = (OsString, OsString)> + 'a {
    std::env::vars_os().filter(|(name, _)| names.iter().any(|passed| name == passed))
}

fn collect(mut command: Command, cap_bytes: u64) -> io::Result<Answer> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let complaint = listen(&mut child);
    let mut output = Vec::new();
    let read = match child.stdout.take() {
        Some(stdout) => stdout.take(cap_bytes + 1).read_to_end(&mut output),
        None => Ok(0),
    };
    let over = output.len() as u64 > cap_bytes;
    if over || read.is_err() {
        // It may be gone already, and is waited for in any case.
        let _gone = child.kill();
    }
    let status = child.wait()?;
    let mut complaint = complaint.join().unwrap_or_default();
    read?;
    if over {
        return Err(io::Error::other(format!("its answer is over {cap_bytes} bytes")));
    }
    if status.success() {
        return Ok(Answer::Output(output));
    }
    if complaint.is_empty() {
        // Git writes some of its reasons to standard output.
        let output = &output[..output.len().min(COMPLAINT_CAP_BYTES as usize)];
        let reason = String::from_utf8_lossy(output).trim().to_owned();
        let reason = if reason.is_empty() { "it gave no reason".to_owned() } else { reason };
        complaint = format!("it ended with {status}: {reason}");
    }
    Ok(Answer::Failed { code: status.code(), complaint })
}

/// Reads the error stream on its own thread: a full pipe would stop git.
pub(in crate::store) fn listen(child: &mut Child) -> std::thread::JoinHandle<String> {
    let stderr = child.stderr.take();
    std::thread::spawn(move || {
        let Some(mut stderr) = stderr else { return String::new() };
        let mut text = Vec::new();
        // What cannot be read of a complaint is missing from the message, no more.
        let _kept = (&mut stderr).take(COMPLAINT_CAP_BYTES).read_to_end(&mut text);
        let _rest = io::copy(&mut stderr, &mut io::sink());
        String::from_utf8_lossy(&text).trim().to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_long_answers_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = scrubbed(&PASSED);
        command.args(["init", "--quiet", "--bare"]).arg(folder.path());
        assert!(matches!(collect(command, 100).unwrap(), Answer::Output(_)));
        let git = Git::new(folder.path());
        let error = git.run("list", &["config", "--list"].map(OsStr::new), 10).unwrap_err();
        assert!(error.to_string().contains("over 10 bytes"), "{error}");
        let error = git.run("shout", &[OsStr::new("shout")], 10).unwrap_err();
        assert!(error.to_string().contains("is not a git command"), "{error}");
    }

    #[test]
    fn a_silent_failure_of_git_has_a_cause() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = scrubbed(&PASSED);
        command.args(["init", "--quiet", "--bare"]).arg(folder.path());
        assert!(matches!(collect(command, 100).unwrap(), Answer::Output(_)));
        let git = Git::new(folder.path());
        let quiet = ["rev-parse", "--verify", "--quiet", "nothing"];
        let unset = ["config", "--get", "no.such"];
        for (arguments, wanted) in [
            (&quiet[..], "it ended with exit status: 1: it gave no reason"),
            (&unset[..], "it ended with exit status: 1: it gave no reason"),
            (
                &["cat-file", "-e", "4b825dc642cb6eb9a060e54bf8d69288fbee4905"][..],
                "it ended with exit status: 1",
            ),
        ] {
            let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
            let error = git.run("look", &arguments, 100).unwrap_err().to_string();
            assert!(error.contains(wanted), "{arguments:?}: {error}");
        }
    }

    #[test]
    fn nothing_of_the_environment_leaks() {
        let folder = tempfile::tempdir().unwrap();
        let git = Git::new(folder.path());
        let command = git.command();
        let names: Vec<String> = command
            .get_envs()
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .filter(|name| !PASSED.contains(&name.as_str()))
            .collect();
        let ours = |name: &String| name.starts_with("GIT_") || name == "LC_ALL";
        assert!(names.iter().all(ours), "{names:?}");
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_CONFIG_COUNT"] {
            assert!(!names.iter().any(|set| set == name), "{name}");
        }
    }
}
