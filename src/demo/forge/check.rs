//! What runs on a commit: Actions runs with their jobs, which are check runs too, and statuses of other programs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::Timestamp;

use crate::demo::digest::small_id;
use crate::demo::forge::Forge;
use crate::demo::forge::pull::Pull;
use crate::demo::world::Oid;

/// The check that the served branch requires.
pub(crate) const VERIFY: &str = "Verify PR JSON";
/// The check that each commit carries its author's `Signed-off-by`.
pub(crate) const SIGN_OFF: &str = "DCO";

/// A run of a workflow on a commit, with one job. A check of another program is one without a workflow.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) id: u64,
    /// The key of the repository.
    pub(crate) repository: String,
    pub(crate) name: &'static str,
    /// The workflow's file, for runs of Actions.
    pub(crate) workflow: Option<&'static str>,
    pub(crate) head: Oid,
    pub(crate) branch: String,
    /// The pull request that it runs for.
    pub(crate) pull: u64,
    pub(crate) created: Timestamp,
    /// What it comes to; `None` until somebody judges it.
    pub(crate) verdict: Option<State>,
    /// So many looks find it queued, then running.
    pub(crate) looks: Arc<AtomicU32>,
    /// What it has to say.
    pub(crate) summary: String,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Queued,
    Running,
    Passed,
    Failed,
    Cancelled,
    /// It waits for somebody.
    ActionRequired,
}

impl State {
    /// GitHub's words: status and conclusion.
    pub(crate) fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Queued => ("queued", None),
            Self::Running => ("in_progress", None),
            Self::Passed => ("completed", Some("success")),
            Self::Failed => ("completed", Some("failure")),
            Self::Cancelled => ("completed", Some("cancelled")),
            Self::ActionRequired => ("completed", Some("action_required")),
        }
    }
}

impl Run {
    /// How far it is, as somebody sees it who looks now.
    pub(crate) fn state(&self) -> State {
        let left = self.looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        match (left, self.verdict) {
            (Ok(1), Some(_)) => State::Running,
            (Err(_), Some(verdict)) => verdict,
            _ => State::Queued,
        }
    }
}

impl Forge {
    /// Queues the required check of a pull request's head, and judges its sign-off at once.
    pub(crate) fn start_checks(&mut self, repository: &str, pull: &Pull, now: Timestamp) {
        let signed = self.commits(pull).iter().all(|oid| self.is_signed_off(oid));
        let sign_off = if signed { State::Passed } else { State::ActionRequired };
        for (name, workflow, verdict, looks) in [
            (VERIFY, Some(".github/workflows/verify-pr-json.yaml"), None, self.check_looks),
            (SIGN_OFF, None, Some(sign_off), 0),
        ] {
            self.runs.push(Run {
                id: small_id(&["run", name, repository, &hex::encode(pull.head)]),
                repository: repository.to_owned(),
                name,
                workflow,
                head: pull.head,
                branch: pull.branch.clone(),
                pull: pull.number,
                created: now,
                verdict,
                looks: Arc::new(AtomicU32::new(looks)),
                summary: String::new(),
            });
        }
    }

    /// Whether a commit's message ends with its author's `Signed-off-by`.
    fn is_signed_off(&self, oid: &Oid) -> bool {
        self.objects.commit(oid).is_some_and(|commit| {
            let wanted = format!("Signed-off-by: {} <{}>", commit.author.name, commit.author.email);
            commit.message.lines().any(|line| line == wanted)
        })
    }

    /// The runs on a commit of a repository.
    pub(crate) fn runs_on(&self, repository: &str, head: &Oid) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(move |run| run.repository == repository && run.head == *head)
    }

    /// Ends a check of a pull request's head, as the site's machines would.
    pub fn conclude(&mut self, number: u64, name: &str, verdict: State) {
        let head = self.registry_mut().and_then(|registry| registry.pull(number)).map(|pull| pull.head);
        for run in &mut self.runs {
            if run.pull == number && run.name == name && Some(run.head) == head {
                run.verdict = Some(verdict);
                run.looks = Arc::default();
            }
        }
    }
}
