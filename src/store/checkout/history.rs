//! What the log of the checked-out commit says: the commit itself and the last automatic bump.

use std::ffi::OsStr;

use jiff::Timestamp;

use crate::rules::watch::BUMP_SUBJECT;
use crate::store::Error;
use crate::store::checkout::{Checkout, Source};
use crate::store::git::{Answer, Git};

const ANSWER_CAP_BYTES: u64 = 1 << 20;

/// The commit that a registry stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// The full id, hex.
    pub(crate) commit: String,
    /// The branch that is checked out; `None` for a detached head and for a commit read by reference.
    pub(crate) branch: Option<String>,
    /// When it was committed.
    pub(crate) time: Timestamp,
    /// The first line of its message, as written.
    pub(crate) subject: String,
}

impl Checkout {
    /// The commit that is read from or checked out; `None` for a plain folder and for a repository without commits.
    pub(crate) fn head(&self) -> Result<Option<Head>, Error> {
        let Some(git) = self.git() else { return Ok(None) };
        let format = "--format=%H%x00%ct%x00%D%x00%s";
        let arguments = ["log", "-1", "--decorate=full", format, self.commit(), "--"];
        let text = match git.ask("read the log", &arguments.map(OsStr::new), ANSWER_CAP_BYTES)? {
            Answer::Output(output) => String::from_utf8_lossy(&output).into_owned(),
            Answer::Failed { complaint, .. } => return no_commit_yet(git, complaint),
        };
        let fields: Vec<&str> = text.trim_end_matches('\n').splitn(4, '\0').collect();
        let [commit, time, names, subject] = fields[..] else {
            return Err(git.failed("read the log", "its answer has an unexpected form"));
        };
        let branch = names.split(", ").find_map(|name| name.strip_prefix("HEAD -> refs/heads/"));
        let branch = branch.filter(|_| self.is_writable() || self.commit_is_head());
        Ok(Some(Head {
            commit: commit.into(),
            branch: branch.map(str::to_owned),
            time: seconds(git, time)?,
            subject: subject.into(),
        }))
    }

    /// When the newest commit of the automatic bump was made; `None` if the history has none.
    pub(crate) fn bump_commit_time(&self) -> Result<Option<Timestamp>, Error> {
        let Some(git) = self.git() else { return Ok(None) };
        let pattern = format!("--grep=^{BUMP_SUBJECT}");
        // More than one: the pattern also meets other lines of a message than the first.
        let arguments = ["log", "-20", "--basic-regexp", &pattern, "--format=%ct %s", self.commit(), "--"];
        let answer = git.ask("search the log", &arguments.map(OsStr::new), ANSWER_CAP_BYTES)?;
        let output = match answer {
            Answer::Output(output) => output,
            Answer::Failed { complaint, .. } => return no_commit_yet(git, complaint),
        };
        let text = String::from_utf8_lossy(&output);
        let bump = text
            .lines()
            .filter_map(|line| line.split_once(' '))
            .find(|(_, subject)| subject.starts_with(BUMP_SUBJECT));
        bump.map(|(time, _)| seconds(git, time)).transpose()
    }

    /// When a version came into a data file, by the oldest commit that changed how often it is named there; `None` if the
    /// history does not say, as in a shallow clone.
    pub(crate) fn version_added_at(&self, path: &str, version: &str) -> Result<Option<Timestamp>, Error> {
        let Some(git) = self.git() else { return Ok(None) };
        let needle = format!("-S\"version\": \"{version}\"");
        let arguments = ["log", "--format=%ct %p", &needle, self.commit(), "--", path];
        let output = match git.ask("search the log", &arguments.map(OsStr::new), ANSWER_CAP_BYTES)? {
            Answer::Output(output) => output,
            Answer::Failed { complaint, .. } => return no_commit_yet(git, complaint),
        };
        let text = String::from_utf8_lossy(&output);
        let Some((time, parents)) = text.lines().next_back().and_then(|line| line.split_once(' ')) else {
            return Ok(None);
        };
        // Where the history was cut off its first commit seems to have added everything.
        if parents.is_empty() {
            let asks = ["rev-parse", "--is-shallow-repository"].map(OsStr::new);
            if git.run("ask how far the log goes", &asks, ANSWER_CAP_BYTES)?.starts_with(b"true") {
                return Ok(None);
            }
        }
        seconds(git, time).map(Some)
    }

    fn commit(&self) -> &str {
        match self.source() {
            Source::Objects { commit, .. } => commit,
            Source::WorkTree | Source::Folder => "HEAD",
        }
    }

    fn commit_is_head(&self) -> bool {
        matches!(self.source(), Source::Objects { reference, .. } if reference == "HEAD")
    }
}

/// A log fails in a repository without commits, which is nothing wrong.
fn no_commit_yet<T>(git: &Git, complaint: String) -> Result<Option<T>, Error> {
    match git.commit_id("HEAD")? {
        None => Ok(None),
        Some(_) => Err(git.failed("read the log", complaint)),
    }
}

fn seconds(git: &Git, text: &str) -> Result<Timestamp, Error> {
    let time = text.trim().parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    time.ok_or_else(|| git.failed("read the log", format!("`{text}` is not a time")))
}
