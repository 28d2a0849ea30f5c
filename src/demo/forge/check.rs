//! What runs on a commit: Actions runs with their jobs, which are check runs too, and statuses of other programs.

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
    pub(crate) state: State,
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

impl Forge {
    /// Queues the required check of a pull request's head, and judges its sign-off at once.
    pub(crate) fn start_checks(&mut self, repository: &str, pull: &Pull, now: Timestamp) {
        let signed = self.commits(pull).iter().all(|oid| self.is_signed_off(oid));
        let sign_off = if signed { State::Passed } else { State::ActionRequired };
        for (name, workflow, state) in [
            (VERIFY, Some(".github/workflows/verify-pr-json.yaml"), State::Queued),
            (SIGN_OFF, None, sign_off),
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
                state,
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

    /// Sets how far a check of a pull request's head is, as the site's machines would.
    pub fn conclude(&mut self, number: u64, name: &str, state: State) {
        let head = self.registry_mut().and_then(|registry| registry.pull(number)).map(|pull| pull.head);
        for run in &mut self.runs {
            if run.pull == number && run.name == name && Some(run.head) == head {
                run.state = state;
            }
        }
    }
}
