//! Jobs of this and of earlier runs, as the journal lists them.

use jiff::Timestamp;

use crate::jobs::data::{
    ActionsTask, BackfillPart, BackfillTask, Job, LockWhat, PlanTask, Scope, SendTask, Summary,
};
use crate::registry::Address;
use crate::rules::backfill::Selection;
use crate::rules::sending::{ActionsPlan, Purpose};
use crate::rules::{Depth, amount};

/// A job of this or an earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct PastJob {
    /// Counts up over all runs.
    pub(crate) id: i64,
    /// `survey`, `bump`, `lint`, `verify`, `lock`, `plan add`, `plan clear-errors`, `plan rebuild`.
    pub(crate) kind: String,
    /// `hashicorp/aws and 3 more`.
    pub(crate) what: String,
    /// What was asked; `None` of what only a command asks, of very much, and of what an older bumpdesk noted.
    pub(crate) job: Option<Job>,
    pub(crate) state: PastState,
    /// The folder of the job's registry; `None` if it was not recorded.
    pub(crate) registry: Option<String>,
    pub(crate) started_at: Timestamp,
    /// `None` while it runs, and where nobody knows.
    pub(crate) ended_at: Option<Timestamp>,
    pub(crate) counts: Summary,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PastState {
    /// In this process or in the other one that holds the state.
    Running,
    Done,
    Cancelled,
    /// Why, in one line.
    Failed(String),
    /// Its process ended without a word.
    CutOff,
}

impl PastState {
    /// The word as scripts read it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
            Self::CutOff => "cut-off",
        }
    }
}

impl Job {
    /// The kind of a job and its subject in words, as the journal stores them. A job that only looks, or ends at once, has no
    /// subject.
    pub(crate) fn title(&self) -> (&'static str, Option<String>) {
        match self {
            Self::Survey(plan) => {
                let depth = if plan.depth == Depth::Sums { ", with checksums" } else { "" };
                ("survey", Some(format!("{}{depth}", scope(&plan.scope))))
            }
            Self::Bump(plan) => {
                let dry = if plan.dry_run { ", dry run" } else { "" };
                ("bump", Some(format!("{}{dry}", scope(&plan.scope))))
            }
            Self::Lint(plan) => ("lint", Some(scope(&plan.scope))),
            Self::Verify(plan) => {
                let addresses: Vec<Address> =
                    plan.wanted.iter().map(|wanted| wanted.address.clone()).collect();
                ("verify", Some(first_and_more(&addresses)))
            }
            Self::Backfill(BackfillTask::Estimate { .. }) => ("backfill plan", None),
            Self::Backfill(BackfillTask::Run(run)) => match &run.part {
                BackfillPart::Whole(_) => ("backfill", Some(selected(&run.selection))),
                BackfillPart::Shard { number, of, .. } => {
                    ("backfill shard", Some(format!("{number}/{of} of {}", selected(&run.selection))))
                }
            },
            Self::Backfill(BackfillTask::Merge(merge)) => {
                ("backfill merge", Some(amount::counted(merge.files.len(), "share")))
            }
            Self::Actions(ActionsTask::Look { run, follow, .. }) => {
                let run = run.map_or_else(|| "the newest run".to_owned(), |run| format!("run {run}"));
                ("backfill status", follow.then_some(run))
            }
            Self::Actions(ActionsTask::Log { .. }) => ("backfill status", None),
            Self::Actions(ActionsTask::Merge { run, .. }) => ("backfill merge", Some(format!("run {run}"))),
            Self::Lock(plan) => match &plan.what {
                LockWhat::Version(wanted) => {
                    let version = wanted.version.as_deref().unwrap_or_default();
                    ("lock", Some(format!("{}@{version}", wanted.address)))
                }
                LockWhat::File(path) => ("lock", Some(format!("--check {}", path.display()))),
            },
            Self::Plan(PlanTask::Add(add)) => {
                let kind = add.edit().map_or("plan add", |(_, edit)| edit.command_name());
                (kind, Some(first_and_more(&add.addresses())))
            }
            Self::Plan(PlanTask::Rebuild { .. }) => ("plan rebuild", Some("the whole plan".to_owned())),
            Self::Plan(PlanTask::Mark(_)) => ("plan mark", None),
            Self::Plan(PlanTask::Drop(_)) => ("plan drop", None),
            Self::Plan(PlanTask::Show | PlanTask::Open(_)) => ("plan show", None),
            Self::Prepare(Purpose::Pull(_)) => ("pr prepare", None),
            Self::Prepare(Purpose::Verdict(_)) => ("review", None),
            Self::Prepare(Purpose::Actions(plan)) => (started(plan), None),
            Self::Send(SendTask::Open { asked: Purpose::Pull(plan), digits }) => {
                ("pr open", Some(format!("plan {}, sending {digits}", plan.plan)))
            }
            Self::Send(SendTask::Open { asked: Purpose::Actions(plan), digits }) => {
                (started(plan), Some(format!("{}, sending {digits}", plan.noun())))
            }
            Self::Send(SendTask::Open { asked: asked @ Purpose::Verdict(_), digits }) => {
                ("review", Some(format!("{}, sending {digits}", asked.of())))
            }
            Self::Send(SendTask::Resume { digits }) => ("pr resume", Some(format!("sending {digits}"))),
            Self::Send(SendTask::Undo { of, .. }) => ("pr undo", Some(format!("sending {of}"))),
            Self::Send(SendTask::LookAtUndo { .. }) => ("pr undo", None),
            Self::Watch(plan) => ("pr watch", plan.number.map(|number| format!("#{number}"))),
            Self::Reviews => ("review", Some("all that are open".into())),
            Self::Review(plan) => ("review", Some(format!("#{}", plan.number))),
            Self::Reply(_) => ("reply", None),
            Self::Triage(plan) => ("triage", plan.lines.first().cloned()),
            Self::Stranded => ("stranded", None),
            Self::Decide(_) => ("ignore", None),
            Self::WriteOut(_) => ("write", None),
            Self::Load => ("list", None),
            Self::Open(_) => ("open", None),
            Self::Read(_) => ("read", None),
            Self::ReadLog(_) => ("log", None),
            Self::ListJobs { .. } => ("jobs", None),
            Self::Inquire => ("inquiry", None),
            Self::Recall | Self::Remember(_) => ("memory", None),
        }
    }
}

fn started(plan: &ActionsPlan) -> &'static str {
    match plan {
        ActionsPlan::Dispatch { .. } => "backfill dispatch",
        ActionsPlan::Rerun { .. } => "backfill rerun",
    }
}

fn scope(scope: &Scope) -> String {
    match scope {
        Scope::Everything => "everything".to_owned(),
        Scope::Addresses(addresses) => first_and_more(addresses),
        Scope::Prefix(prefix) => format!("namespaces that begin with {prefix}"),
    }
}

fn selected(selection: &Selection) -> String {
    match selection {
        Selection::Everything => "everything".to_owned(),
        Selection::These(these) => {
            first_and_more(&these.iter().map(|one| one.address.clone()).collect::<Vec<_>>())
        }
    }
}

fn first_and_more(addresses: &[Address]) -> String {
    match addresses {
        [] => "nothing".to_owned(),
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}
