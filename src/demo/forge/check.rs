//! What runs on a commit: Actions runs with their jobs, which are check runs too, and statuses of other programs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::Timestamp;

use crate::digest::small_id;
use crate::forge::pull::Pull;
use crate::forge::{Forge, Refusal, Role};
use crate::world::{Oid, key};

/// The check that the served branch requires.
pub(crate) const VERIFY: &str = "Verify PR JSON";
/// The check that each commit carries its author's `Signed-off-by`.
pub(crate) const SIGN_OFF: &str = "DCO";

/// The registry's own bump.
const BUMP: &str = "Bump Versions";

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
    /// The pull request that it runs for; 0 for one that runs by the clock.
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

/// What another program says of a commit.
#[derive(Clone, Debug)]
pub(crate) struct Status {
    /// The key of the repository.
    pub(crate) repository: String,
    pub(crate) commit: Oid,
    /// The program's own name for it; the newest of a name counts.
    pub(crate) context: String,
    /// GitHub's word: `error`, `failure`, `pending` or `success`.
    pub(crate) state: String,
    pub(crate) description: Option<String>,
    pub(crate) creator: Box<str>,
    pub(crate) at: Timestamp,
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
        let state = self.state_so_far();
        let _ = self.looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        state
    }

    /// How far it is, without a look at it.
    pub(crate) fn state_so_far(&self) -> State {
        match (self.looks.load(Ordering::Relaxed), self.verdict) {
            (1, Some(_)) => State::Running,
            (0, Some(verdict)) => verdict,
            _ => State::Queued,
        }
    }
}

impl Forge {
    /// A bump of the registry begins; it runs until [`Self::end_bumps`].
    pub fn begin_bump(&mut self, now: Timestamp) {
        let repository = key(super::REGISTRY.0, super::REGISTRY.1);
        let Some(head) = self.repositories.get(&repository).and_then(|hosted| hosted.tip(super::MAIN)) else {
            return;
        };
        self.runs.push(Run {
            id: small_id(&["run", BUMP, &repository, &now.to_string()]),
            repository,
            name: BUMP,
            workflow: Some(".github/workflows/bump-versions.yml"),
            head,
            branch: super::MAIN.to_owned(),
            pull: 0,
            created: now,
            verdict: None,
            looks: Arc::default(),
            summary: String::new(),
        });
    }

    /// All bumps that run end well.
    pub fn end_bumps(&mut self) {
        for run in self.runs.iter_mut().filter(|run| run.name == BUMP) {
            run.verdict = Some(State::Passed);
        }
    }

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

    /// Adds what a program says of a commit.
    pub(crate) fn set_status(&mut self, status: Status) -> Result<(), Refusal> {
        let hosted = self.repositories.get(&status.repository).ok_or(Refusal::NotFound)?;
        if hosted.role(&status.creator) < Role::Write {
            return Err(Refusal::Forbidden("statuses=write"));
        }
        if self.objects.commit(&status.commit).is_none() {
            return Err(Refusal::invalid("Status", "sha", "No commit found for SHA"));
        }
        if !["error", "failure", "pending", "success"].contains(&&*status.state) {
            return Err(Refusal::invalid("Status", "state", "state is not included in the list"));
        }
        self.statuses.push(status);
        Ok(())
    }

    /// The newest status of each name on a commit, by name.
    pub(crate) fn statuses_on(&self, repository: &str, commit: &Oid) -> Vec<&Status> {
        let on = self.statuses.iter().filter(|one| one.repository == repository && one.commit == *commit);
        let newest: BTreeMap<&str, &Status> = on.map(|one| (&*one.context, one)).collect();
        newest.into_values().collect()
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
