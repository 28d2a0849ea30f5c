//! Writes the registry side of a world as a git repository: what a maintainer's checkout looks like.
//!
//! It runs git with an environment of its own, so that neither the user's settings nor the time of day show in the
//! commit. It writes below the folder that it is given and nowhere else.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the demo world writes its own files and starts git by itself: it shares nothing with `store`"
)]

use std::collections::BTreeMap;
use std::io;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use bytes::Bytes;
use jiff::Timestamp;

use crate::world::World;

/// Variables that would let a user's repository or settings in.
const FOREIGN: [&str; 16] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_TEMPLATE_DIR",
    "GIT_DEFAULT_HASH",
    "GIT_TRACE",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
];

/// The git program in a folder, without the user's settings.
pub(crate) fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args([
        "-c",
        "safe.directory=*",
        "-c",
        "core.autocrlf=false",
        "-c",
        "gc.auto=0",
        "-c",
        // A world is made again, never recovered, and waiting for the disk is most of the time of its checkout.
        "core.fsync=none",
        "-c",
        "http.proxy=",
    ]);
    for name in FOREIGN {
        command.env_remove(name);
    }
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" })
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C");
    command
}

/// Runs git and gives back what it wrote.
pub(crate) fn run(command: &mut Command) -> io::Result<Vec<u8>> {
    let output = command.output().map_err(|error| not_started(&error))?;
    finished(command, output)
}

fn not_started(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`git` cannot be started: {error}; the demo needs it on the PATH"))
}

fn finished(command: &Command, output: Output) -> io::Result<Vec<u8>> {
    if output.status.success() {
        return Ok(output.stdout);
    }
    // Git writes some of its reasons to standard output, such as `nothing to commit`.
    let texts =
        [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
    let reason = texts.into_iter().find(|text| !text.is_empty());
    let reason = reason.unwrap_or_else(|| "it gave no reason".to_owned());
    Err(io::Error::other(format!("`{}` failed ({}): {reason}", shown(command), output.status)))
}

/// The command as a user types it, without its options: `git commit`.
fn shown(command: &Command) -> String {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
    let mut rest = &words[..];
    while let [flag, _, after @ ..] = rest
        && matches!(&**flag, "-C" | "-c")
    {
        rest = after;
    }
    format!("git {}", rest.first().map_or("", |word| &**word))
}

/// Writes the registry side into a folder (made if it is missing) and commits it on branch `main` at the times of its commits.
///
/// # Errors
/// A derived world has no registry side; a file cannot be written; git is not installed or fails.
pub fn write(world: &World, folder: &Path) -> io::Result<()> {
    if world.files.is_empty() {
        return Err(io::Error::other(
            "this world has no registry side to write; it was derived from a checkout",
        ));
    }
    std::fs::create_dir_all(folder)?;
    for kind in ["providers", "modules", "keys"] {
        std::fs::create_dir_all(folder.join(kind))?;
    }
    run(git(folder).args(["init", "--quiet", "--template=", "--initial-branch=main"]))?;
    let mut history = Vec::new();
    for (at, files) in world.history() {
        history.extend_from_slice(&commit(at, &files)?);
    }
    import(folder, &history)?;
    run(git(folder).args(["reset", "--quiet", "--hard"]))?;
    Ok(())
}

/// Returns one commit in the input format of `git fast-import`: the files that it adds or changes.
fn commit(at: Timestamp, files: &BTreeMap<&str, &Bytes>) -> io::Result<Vec<u8>> {
    const MESSAGE: &str = "Automated bump of versions for providers and modules (a)\n";
    let mut text = b"commit refs/heads/main\n".to_vec();
    let who = format!("OpenTofu Core Development Team <core@opentofu.org> {} +0000", at.as_second());
    write!(text, "author {who}\ncommitter {who}\ndata {}\n{MESSAGE}", MESSAGE.len())?;
    for (path, bytes) in files {
        if path.split('/').any(|part| part.is_empty() || part == "..") || path.contains(['\n', '"']) {
            return Err(io::Error::other(format!("`{path}` is not a path below the registry's root")));
        }
        write!(text, "M 100644 inline {path}\ndata {}\n", bytes.len())?;
        text.extend_from_slice(bytes);
        text.push(b'\n');
    }
    Ok(text)
}

/// Passes commits to `git fast-import`.
fn import(folder: &Path, commits: &[u8]) -> io::Result<()> {
    let mut command = git(folder);
    // Git would write each object of a small history to a file of its own. One pack is written, read and removed faster.
    command.args(["-c", "fastimport.unpackLimit=1", "fast-import", "--quiet", "--date-format=raw"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| not_started(&error))?;
    // If git fails, its own message is more useful than the broken pipe.
    let written = child.stdin.take().expect("stdin is piped").write_all(commits);
    finished(&command, child.wait_with_output()?)?;
    written
}

/// A folder that goes with its value, for a world and the registry beside it.
pub fn temporary_folder() -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("bumpdesk-demo-").tempdir()
}

/// Reads a world from a file; the clock is `now` unless the file says otherwise.
///
/// # Errors
/// The file cannot be read, or is no world; the text names line and column.
pub fn read_world(path: &Path, now: jiff::Timestamp) -> io::Result<World> {
    let text = std::fs::read_to_string(path)?;
    World::parse_at(&text, now).map_err(|error| io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some of git's commands fail and write nothing to standard error.
    #[test]
    fn a_git_that_fails_says_which_command_and_why() {
        let folder = tempfile::tempdir().unwrap();
        run(git(folder.path()).args(["init", "--quiet", "--initial-branch=main"])).unwrap();
        for (arguments, wanted) in [
            (&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "a"][..], "nothing to commit"),
            (&["config", "--get", "no.such"], "`git config` failed (exit status: 1): it gave no reason"),
            (&["rev-parse", "--verify", "--quiet", "nothing"], "(exit status: 1): it gave no reason"),
            (&["shout"], "`git shout` failed (exit status: 1): git: 'shout' is not a git command"),
        ] {
            let error = run(git(folder.path()).args(arguments)).unwrap_err().to_string();
            assert!(error.contains(wanted), "{arguments:?}: {error}");
            assert!(error.starts_with("`git ") && !error.trim().ends_with(':'), "{error}");
        }
        let error = run(git(folder.path()).env("PATH", "/nowhere").arg("init")).unwrap_err().to_string();
        assert!(error.starts_with("`git` cannot be started: "), "{error}");
    }

    #[test]
    fn the_same_world_gives_the_same_commit() {
        let world = World::parse(
            "clock = \"2026-11-21T12:00:00Z\"\n[[module]]\naddress = \"a/b/c\"\nstored = [\"v1.0.0\"]\n",
        )
        .unwrap();
        let heads: Vec<Vec<u8>> = (0..2)
            .map(|_| {
                let folder = tempfile::tempdir().unwrap();
                let place = folder.path().join("registry");
                write(&world, &place).unwrap();
                let status = run(git(&place).args(["status", "--porcelain"])).unwrap();
                assert!(status.is_empty());
                let files = run(git(&place).args(["ls-files"])).unwrap();
                assert_eq!(files, b"modules/a/a/b/c.json\nversions_blacklist.json\n");
                run(git(&place).args(["log", "-1", "--format=%H %ct %an"])).unwrap()
            })
            .collect();
        assert_eq!(heads[0], heads[1]);
        let text = String::from_utf8(heads[0].clone()).unwrap();
        assert!(text.ends_with(" 1795262400 OpenTofu Core Development Team\n"), "{text}");
    }
}
