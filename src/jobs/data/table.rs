//! The facts of each job as one table: its names, what it writes, how it is shown, and if it can run again.
//!
//! A job whose tasks differ has a row for each task. A row that leaves a fact out does not compile.

use std::time::Duration;

use crate::jobs::data::{
    ActionsTask, BackfillOutput, BackfillPart, BackfillTask, DecideTask, Job, LockWhat, OpenPlan, PlanAdd,
    PlanMark, PlanTask, Scope, SendTask, VerifyPlan, Wanted, WatchPlan, Writes,
};
use crate::registry::Address;
use crate::rules::Depth;
use crate::rules::amount::counted;
use crate::rules::backfill::Selection;
use crate::rules::plain_text::visible;
use crate::rules::plan::{Verb, Which};

/// Rebuilds and surveys of many entries use facts that are younger than this.
pub(crate) const MAX_AGE: Duration = Duration::from_mins(15);

/// The way a job is numbered and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobLane {
    /// A job that the user asked for and whose progress is shown.
    Open,
    /// A short job about the plan, the journal or the log.
    Quiet,
    /// A job that reads or keeps what outlives a run.
    Memory,
}

/// Makes one method of `Job` for each fact out of one row for each job. The method works its fact out when it is called, from
/// what the row's pattern binds.
macro_rules! jobs {
    ($($job:pat => {
        kind: $kind:expr,
        label: $label:expr,
        sentence: $sentence:expr,
        brief: $brief:expr,
        writes: $writes:expr,
        only_prints: $only_prints:expr,
        lane: $lane:expr,
        is_long: $is_long:expr,
        again: $again:expr,
    })+) => {
        #[allow(unused_variables, reason = "a row binds what any of its facts needs")]
        impl Job {
            /// The command that does the same, as the journal and the log name the job: `plan add`.
            pub(crate) fn kind(&self) -> &'static str {
                match self { $($job => $kind,)+ }
            }

            /// The subject of the job in the journal: `hashicorp/aws and 3 more`. `None` for a job that the journal leaves
            /// out, because it only looks or is over at once.
            pub(crate) fn label(&self) -> Option<String> {
                match self { $($job => $label,)+ }
            }

            /// The job in words: `survey of everything`, `adding acme/rocket to the plan`.
            pub(crate) fn sentence(&self) -> String {
                match self { $($job => $sentence,)+ }
            }

            /// The job as a line of progress names it: while it runs, and once it was asked to stop.
            pub(crate) fn brief(&self) -> [&'static str; 2] {
                match self { $($job => $brief,)+ }
            }

            /// The most that the job may write.
            pub fn writes(&self) -> Writes {
                match self { $($job => $writes,)+ }
            }

            /// Returns true if the job has no use once its reader is gone, because it writes only what it observed.
            pub(crate) fn only_prints(&self) -> bool {
                match self { $($job => $only_prints,)+ }
            }

            pub(crate) fn lane(&self) -> JobLane {
                match self { $($job => $lane,)+ }
            }

            /// Returns true if the job may take long. A face that reads events aloud never runs two of these side by side.
            pub(crate) fn is_long(&self) -> bool {
                match self { $($job => $is_long,)+ }
            }

            /// The job that does what is left of this one; `None` if nothing does.
            pub(crate) fn again(&self) -> Option<Self> {
                match self { $($job => $again,)+ }
            }
        }
    };
}

jobs! {
    Job::Load => {
        kind: "list", label: None,
        sentence: "reading the registry".into(), brief: ["reading the registry"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: true, again: None,
    }
    Job::Survey(plan) => {
        kind: "survey",
        label: {
            let depth = if plan.depth == Depth::Sums { ", with checksums" } else { "" };
            Some(format!("{}{depth}", scope(&plan.scope, first_and_more)))
        },
        sentence: format!("survey of {}", scope(&plan.scope, one_or_count)),
        brief: ["survey", "survey stopping"],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: true,
        again: Some(Job::Survey(plan.clone())),
    }
    Job::Open(OpenPlan { address, rebuild: Some(_), .. }) => {
        kind: "open", label: None,
        sentence: format!("building the rebuild of {address}"), brief: ["opening"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: true, again: None,
    }
    Job::Open(OpenPlan { address, rebuild: None, .. }) => {
        kind: "open", label: None,
        sentence: format!("opening {address}"), brief: ["opening"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: false, again: None,
    }
    Job::Read(address) => {
        kind: "read", label: None,
        sentence: format!("reading {address}"), brief: ["reading the file"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: false, again: None,
    }
    Job::Bump(plan) => {
        kind: "bump",
        label: {
            let dry = if plan.dry_run { ", dry run" } else { "" };
            Some(format!("{}{dry}", scope(&plan.scope, first_and_more)))
        },
        sentence: format!("bump of {}", scope(&plan.scope, one_or_count)), brief: ["bump"; 2],
        writes: if plan.dry_run { Writes::Nothing } else { Writes::Files }, only_prints: plan.dry_run,
        lane: JobLane::Open, is_long: false, again: None,
    }
    Job::Lint(plan) => {
        kind: "lint", label: Some(scope(&plan.scope, first_and_more)),
        sentence: format!("check of {}", scope(&plan.scope, one_or_count)), brief: ["check"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: false, again: None,
    }
    Job::Verify(plan) => {
        kind: "verify",
        label: {
            let addresses: Vec<Address> = plan.wanted.iter().map(|wanted| wanted.address.clone()).collect();
            Some(first_and_more(&addresses))
        },
        sentence: format!("verification of {}", Wanted::summary(&plan.wanted)),
        brief: ["verifying", "verification stopping"],
        writes: Writes::Nothing, only_prints: plan.report.is_none(), lane: JobLane::Open, is_long: true,
        // A command's report lies where that command was run.
        again: Some(Job::Verify(VerifyPlan { report: None, ..plan.clone() })),
    }
    Job::Backfill(BackfillTask::Estimate { selection, .. }) => {
        kind: "backfill plan", label: None,
        sentence: format!("counting a backfill of {}", selection.summary()),
        brief: ["counting", "backfill stopping"],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Quiet, is_long: false, again: None,
    }
    Job::Backfill(task @ BackfillTask::Run(run)) => {
        kind: match &run.part {
            BackfillPart::Whole(_) => "backfill",
            BackfillPart::Shard { .. } => "backfill shard",
        },
        label: Some(match &run.part {
            BackfillPart::Whole(_) => selected(&run.selection),
            BackfillPart::Shard { number, of, .. } => format!("{number}/{of} of {}", selected(&run.selection)),
        }),
        sentence: format!("backfill of {}", run.selection.summary()),
        brief: ["filling in", "backfill stopping"],
        writes: if task.plans() { Writes::Plan } else { Writes::Nothing }, only_prints: false,
        lane: JobLane::Open, is_long: true, again: Some(Job::Backfill(task.clone())),
    }
    Job::Backfill(task @ BackfillTask::Merge(merge)) => {
        kind: "backfill merge", label: Some(counted(merge.files.len(), "share")),
        sentence: format!("backfill of {}", counted(merge.files.len(), "share")),
        brief: ["filling in", "backfill stopping"],
        writes: if task.plans() { Writes::Plan } else { Writes::Nothing }, only_prints: false,
        lane: JobLane::Open, is_long: true, again: None,
    }
    Job::Actions(task @ ActionsTask::Look { run, follow, .. }) => {
        kind: "backfill status", label: follow.then(|| machine_run(*run)),
        sentence: format!("watching {}", machine_run(*run)), brief: ["watching"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: false,
        again: Some(Job::Actions(task.clone())),
    }
    Job::Actions(task @ ActionsTask::Log { name, .. }) => {
        kind: "backfill status", label: None,
        sentence: format!("reading the log of {name}"), brief: ["reading a log"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Quiet, is_long: false,
        again: Some(Job::Actions(task.clone())),
    }
    Job::Actions(task @ ActionsTask::Merge { run, output, .. }) => {
        kind: "backfill merge", label: Some(format!("run {run}")),
        sentence: format!("putting together what run {run} found"), brief: ["putting together"; 2],
        writes: if *output == BackfillOutput::Plan { Writes::Plan } else { Writes::Nothing },
        only_prints: false, lane: JobLane::Open, is_long: true, again: Some(Job::Actions(task.clone())),
    }
    Job::Lock(plan) => {
        kind: "lock",
        label: Some(match &plan.what {
            LockWhat::Version(wanted) => {
                format!("{}@{}", wanted.address, wanted.version.as_deref().unwrap_or_default())
            }
            LockWhat::File(path) => format!("--check {}", path.display()),
        }),
        sentence: "locking".into(), brief: ["locking"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: false, again: None,
    }
    Job::Plan(PlanTask::Show) => {
        kind: "plan show", label: None,
        sentence: "reading the plan".into(), brief: ["reading the plan"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Quiet, is_long: false, again: None,
    }
    Job::Plan(PlanTask::Open(address)) => {
        kind: "plan show", label: None,
        sentence: format!("reading the plan of {address}"), brief: ["reading the plan"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Quiet, is_long: false, again: None,
    }
    Job::Plan(PlanTask::Add(add)) => {
        kind: add.edit().map_or("plan add", |(_, edit)| edit.command_name()),
        label: Some(first_and_more(&add.addresses())),
        sentence: {
            let entries = one_or_count(&add.addresses());
            match add.edit() {
                Some((_, edit)) => format!("planning a change of {entries} that {}", edit.words()),
                None => format!("adding {entries} to the plan"),
            }
        },
        brief: ["building the plan"; 2],
        writes: Writes::Plan, only_prints: false, lane: JobLane::Open, is_long: true,
        // Upstream is asked again.
        again: Some(Job::Plan(PlanTask::Add(PlanAdd { max_age: MAX_AGE, ..add.clone() }))),
    }
    Job::Plan(PlanTask::Rebuild { .. }) => {
        kind: "plan rebuild", label: Some("the whole plan".into()),
        sentence: "building the whole plan again".into(), brief: ["building the plan"; 2],
        writes: Writes::Plan, only_prints: false, lane: JobLane::Open, is_long: true,
        again: Some(Job::Plan(PlanTask::Rebuild { max_age: MAX_AGE })),
    }
    Job::Plan(PlanTask::Mark(marks)) => {
        kind: "plan mark", label: None,
        sentence: marks.first().map(mark).unwrap_or_default(), brief: ["changing the plan"; 2],
        writes: if only_see(marks) { Writes::Memory } else { Writes::Plan }, only_prints: false,
        lane: JobLane::Quiet, is_long: !only_see(marks), again: None,
    }
    Job::Plan(PlanTask::Drop(addresses)) => {
        kind: "plan drop", label: None,
        sentence: match &addresses[..] {
            [] => "dropping the whole plan, with its marks".into(),
            many => format!("dropping {} from the plan, with its marks", one_or_count(many)),
        },
        brief: ["changing the plan"; 2],
        writes: Writes::Plan, only_prints: false, lane: JobLane::Quiet, is_long: true, again: None,
    }
    Job::Prepare(asked) => {
        kind: asked.kind().prepare_command, label: None,
        sentence: format!("making {} ready", asked.noun()), brief: [asked.kind().brief; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: true, again: None,
    }
    Job::Send(SendTask::Open { asked, digits }) => {
        kind: asked.kind().send_command,
        label: Some(format!("{}, sending {digits}", asked.subject())),
        sentence: format!("sending {}", asked.noun()), brief: ["sending"; 2],
        writes: Writes::GitHub, only_prints: false, lane: JobLane::Open, is_long: true, again: None,
    }
    Job::Send(SendTask::Resume { digits }) => {
        kind: "pr resume", label: Some(format!("sending {digits}")),
        sentence: format!("continuing sending {digits}"), brief: ["sending"; 2],
        writes: Writes::GitHub, only_prints: false, lane: JobLane::Open, is_long: true, again: None,
    }
    Job::Send(SendTask::LookAtUndo { of }) => {
        kind: "pr undo", label: None,
        sentence: format!("reading what would take back sending {of}"), brief: ["sending"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: true, again: None,
    }
    Job::Send(SendTask::Undo { of, .. }) => {
        kind: "pr undo", label: Some(format!("sending {of}")),
        sentence: format!("taking back sending {of}"), brief: ["sending"; 2],
        writes: Writes::GitHub, only_prints: false, lane: JobLane::Open, is_long: true, again: None,
    }
    Job::Watch(plan @ WatchPlan { number, .. }) => {
        kind: "pr watch", label: number.map(|number| format!("#{number}")),
        sentence: match number {
            Some(number) => format!("watching pull request #{number}"),
            None => "looking at open pull requests".into(),
        },
        brief: ["watching"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: false,
        again: Some(Job::Watch(*plan)),
    }
    Job::Review(plan) => {
        kind: "review", label: Some(format!("#{}", plan.number)),
        sentence: format!("reviewing pull request #{}", plan.number), brief: ["reviewing"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: true,
        again: Some(Job::Review(*plan)),
    }
    Job::Reviews => {
        kind: "review", label: Some("all that are open".into()),
        sentence: "reviewing the open pull requests".into(), brief: ["reviewing"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: true,
        again: Some(Job::Reviews),
    }
    Job::Reply(plan) => {
        kind: "reply", label: None,
        sentence: {
            let sentence = format!("writing the reply about {} {}", plan.address, plan.versions.join(", "));
            sentence.trim_end().to_owned()
        },
        brief: ["writing a reply"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: false, again: None,
    }
    Job::Triage(plan) => {
        kind: "triage", label: plan.lines.first().cloned(),
        sentence: match &plan.lines[..] {
            [] => "triage of a list".into(),
            [line] => format!("triage of {}", visible(line.trim())),
            lines => format!("triage of {}", counted(lines.len(), "line")),
        },
        brief: ["triage"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: true, again: None,
    }
    Job::Stranded => {
        kind: "stranded", label: None,
        sentence: "reading what is stranded".into(), brief: ["reading what is stranded"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Quiet, is_long: false, again: None,
    }
    Job::Activity(_) => {
        kind: "activity", label: None,
        sentence: "counting the files that bumps changed".into(), brief: ["counting changed files"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Memory, is_long: false, again: None,
    }
    Job::Decide(task) => {
        kind: "ignore", label: None,
        sentence: match task {
            DecideTask::Ignore(decisions) => format!("ignoring {}", counted(decisions.len(), "version")),
            DecideTask::TakeBack(versions) => {
                format!("no longer ignoring {}", counted(versions.len(), "version"))
            }
        },
        brief: ["keeping"; 2],
        writes: Writes::Memory, only_prints: false, lane: JobLane::Quiet, is_long: false, again: None,
    }
    Job::WriteOut(file) => {
        kind: "write", label: None,
        sentence: format!("writing {}", file.path.display()), brief: ["writing a file"; 2],
        writes: Writes::Nothing, only_prints: false, lane: JobLane::Open, is_long: false, again: None,
    }
    Job::ReadLog(_) => {
        kind: "log", label: None,
        sentence: "reading the log".into(), brief: ["reading the log"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Quiet, is_long: false, again: None,
    }
    Job::ListJobs { .. } => {
        kind: "jobs", label: None,
        sentence: "reading the jobs".into(), brief: ["reading the jobs"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Quiet, is_long: false, again: None,
    }
    Job::Inquire => {
        kind: "inquiry", label: None,
        sentence: "asking GitHub".into(), brief: ["asking GitHub"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Open, is_long: false, again: None,
    }
    Job::Recall => {
        kind: "memory", label: None,
        sentence: "reading what was saved".into(), brief: ["reading what was saved"; 2],
        writes: Writes::Nothing, only_prints: true, lane: JobLane::Memory, is_long: false, again: None,
    }
    Job::Remember(_) => {
        kind: "memory", label: None,
        sentence: "saving the session".into(), brief: ["keeping"; 2],
        writes: Writes::Memory, only_prints: false, lane: JobLane::Memory, is_long: false, again: None,
    }
}

fn scope(scope: &Scope, entries: fn(&[Address]) -> String) -> String {
    match scope {
        Scope::Everything => "everything".to_owned(),
        Scope::Addresses(addresses) => entries(addresses),
        Scope::Prefix(prefix) => format!("namespaces that begin with {prefix}"),
    }
}

/// `hashicorp/aws and 3 more`.
fn first_and_more(addresses: &[Address]) -> String {
    match addresses {
        [] => "nothing".to_owned(),
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// `hashicorp/aws`, `4 entries`.
fn one_or_count(addresses: &[Address]) -> String {
    match addresses {
        [one] => one.to_string(),
        many => counted(many.len(), "entry"),
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

fn machine_run(run: Option<u64>) -> String {
    run.map_or_else(|| "the newest run".to_owned(), |run| format!("run {run}"))
}

/// Returns true if the marks only record what was looked at.
fn only_see(marks: &[PlanMark]) -> bool {
    marks.iter().all(|mark| mark.verb == Verb::See)
}

fn mark(mark: &PlanMark) -> String {
    let doing = match &mark.verb {
        Verb::See => return format!("{} was read out in full and counts as looked at", mark.address),
        Verb::Approve => "approving",
        Verb::Reject => "rejecting",
        Verb::Reopen => "reopening",
        Verb::Note(text) if text.is_empty() => "removing the note on",
        Verb::Note(_) => "writing a note on",
    };
    match &mark.which {
        Which::Version(version) => format!("{doing} version {version} of {}", mark.address),
        Which::Whole | Which::Piece(_) => format!("{doing} {}", mark.address),
    }
}
