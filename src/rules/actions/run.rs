//! A run of a workflow, its jobs and its artifacts, as GitHub has them at one moment.

use jiff::Timestamp;
use serde::Serialize;

use crate::registry::Repository;
use crate::rules::actions::workflow::{Dispatched, PATH, read_title};

/// How far a run or a job is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunState {
    /// No machine has taken it yet, or another run of its group comes first.
    Queued,
    /// Somebody has to approve it first.
    WaitsForApproval,
    Running,
    Ended(Ending),
    /// A word of GitHub's that is not known here.
    Other(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ending {
    Success,
    Failure,
    TimedOut,
    Cancelled,
    Skipped,
    /// By a word of GitHub's that is not known here.
    Otherwise,
}

impl RunState {
    /// From GitHub's status and conclusion.
    pub(crate) fn of(status: &str, conclusion: Option<&str>) -> Self {
        let other = || Self::Other(conclusion.unwrap_or(status).to_owned());
        match (status, conclusion) {
            ("queued" | "pending" | "requested", _) => Self::Queued,
            ("waiting", _) | ("completed", Some("action_required")) => Self::WaitsForApproval,
            ("in_progress", _) => Self::Running,
            ("completed", Some(word)) => match word {
                "success" => Self::Ended(Ending::Success),
                "failure" | "startup_failure" => Self::Ended(Ending::Failure),
                "timed_out" => Self::Ended(Ending::TimedOut),
                "cancelled" => Self::Ended(Ending::Cancelled),
                "skipped" => Self::Ended(Ending::Skipped),
                _ => Self::Ended(Ending::Otherwise),
            },
            _ => other(),
        }
    }

    /// In words.
    pub(crate) fn word(&self) -> &str {
        match self {
            Self::Queued => "queued",
            Self::WaitsForApproval => "waits for approval",
            Self::Running => "running",
            Self::Ended(Ending::Success) => "done",
            Self::Ended(Ending::Failure) => "failed",
            Self::Ended(Ending::TimedOut) => "timed out",
            Self::Ended(Ending::Cancelled) => "cancelled",
            Self::Ended(Ending::Skipped) => "skipped",
            Self::Ended(Ending::Otherwise) => "over, not known how",
            Self::Other(word) => word,
        }
    }

    /// Whether nothing more comes of it by itself.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self, Self::Ended(_))
    }

    /// Whether it ended, and not well.
    pub(crate) fn is_bad(&self) -> bool {
        let is_good = matches!(self, Self::Ended(Ending::Success | Ending::Skipped));
        self.is_over() && !is_good
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunRead {
    pub(crate) id: u64,
    /// Counts up whenever failed jobs are run again.
    pub(crate) attempt: u32,
    pub(crate) title: String,
    /// The workflow's name, and its file: `.github/workflows/backfill.yml`.
    pub(crate) workflow: String,
    pub(crate) path: String,
    /// What started it: `workflow_dispatch`.
    pub(crate) event: String,
    pub(crate) state: RunState,
    /// Where it is looked at.
    pub(crate) url: String,
    pub(crate) actor: String,
    /// The commit of the workflow's file.
    pub(crate) head: String,
    pub(crate) created: Timestamp,
    pub(crate) updated: Timestamp,
}

impl RunRead {
    /// Its page on GitHub, for a browser: what GitHub says of it names the repository, and nothing else of that is passed on.
    pub(crate) fn page(&self) -> Option<String> {
        let repository = Repository::parse(&Repository::from_url(&self.url)?.to_string())?;
        Some(format!("{}/actions/runs/{}", repository.url(), self.id))
    }

    /// The plan and the nonce that its title names; `None`: it was not dispatched by bumpdesk. The title of a pull request is its
    /// author's, so that file and event count too: only who may write dispatches a workflow.
    pub(crate) fn dispatched(&self) -> Option<Dispatched<'_>> {
        let path = self.path.split('@').next().unwrap_or_default();
        let is_ours = path == PATH && self.event == "workflow_dispatch";
        read_title(&self.title).filter(|_| is_ours)
    }
}

/// What a repository's own workflows came to last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Builds {
    pub(crate) newest: Option<RunRead>,
    /// The newest that its schedule started.
    pub(crate) scheduled: Option<RunRead>,
}

/// A job of a run's newest attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunJob {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) attempt: u32,
    pub(crate) state: RunState,
    pub(crate) started: Option<Timestamp>,
    pub(crate) ended: Option<Timestamp>,
}

/// What a run keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArtifactRead {
    pub(crate) id: u64,
    pub(crate) name: String,
    /// Of its zip.
    pub(crate) size_bytes: u64,
    pub(crate) is_expired: bool,
    /// SHA-256 of the zip, hex, where GitHub says it.
    pub(crate) digest: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_one_of_github() {
        let page = |url: &str| {
            let run = RunRead {
                id: 7,
                attempt: 1,
                title: String::new(),
                workflow: String::new(),
                path: PATH.into(),
                event: String::new(),
                state: RunState::Running,
                url: url.into(),
                actor: String::new(),
                head: String::new(),
                created: Timestamp::UNIX_EPOCH,
                updated: Timestamp::UNIX_EPOCH,
            };
            run.page()
        };
        let fine = Some("https://github.com/opentofu/registry/actions/runs/7".to_owned());
        for (url, wanted) in [
            ("https://github.com/opentofu/registry/actions/runs/7", fine.clone()),
            ("https://github.com/opentofu/registry/actions/runs/7?x=`id`", fine),
            ("https://github.com.example.org/opentofu/registry/actions/runs/7", None),
            ("https://example.org/opentofu/registry/actions/runs/7", None),
            ("http://github.com/opentofu/registry/actions/runs/7", None),
            ("https://github.com/../registry/actions/runs/7", None),
            ("https://github.com/a b/$(id)/actions/runs/7", None),
            ("file:///etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(page(url), wanted, "{url}");
        }
    }

    #[test]
    fn a_word_that_is_not_known_is_never_fine() {
        for (status, conclusion, word, over, bad) in [
            ("queued", None, "queued", false, false),
            ("pending", None, "queued", false, false),
            ("waiting", None, "waits for approval", false, false),
            ("completed", Some("action_required"), "waits for approval", false, false),
            ("in_progress", None, "running", false, false),
            ("completed", Some("success"), "done", true, false),
            ("completed", Some("failure"), "failed", true, true),
            ("completed", Some("timed_out"), "timed out", true, true),
            ("completed", Some("cancelled"), "cancelled", true, true),
            ("completed", Some("skipped"), "skipped", true, false),
            ("completed", Some("stale"), "over, not known how", true, true),
            ("completed", None, "completed", false, false),
            ("dreaming", None, "dreaming", false, false),
        ] {
            let state = RunState::of(status, conclusion);
            assert_eq!((state.word(), state.is_over(), state.is_bad()), (word, over, bad), "{status}");
        }
    }
}
