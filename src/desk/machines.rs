//! The runs of backfills on GitHub's machines: the latest state of each run, its jobs, and the ends of its
//! logs. `telling::machines` has their texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::desk::Desk;
use crate::desk::history::{JobKey, JobRow, JobState};
use crate::desk::telling::backfill;
use crate::jobs::data::{ActionsNews, ActionsTask, BackfillNews, Job, JobId, RunShown};
use crate::rules::actions::{Ending, RunState};

/// The number of lines that are read from the end of a log.
pub(crate) const LOG_LINES: usize = 200;
/// The number of targets of a run whose h1 is computed again here, chosen at random. No other check exposes a
/// machine that reports false results.
pub(crate) const SAMPLE: usize = 5;
/// The number of runs that are kept.
const MOST: usize = 100;

/// The end of a job's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobLog {
    pub(crate) job: u64,
    pub(crate) name: String,
    pub(crate) lines: Vec<String>,
    /// The number of lines above them.
    pub(crate) left_out: usize,
}

/// The latest state of one run.
#[derive(Debug)]
pub(crate) struct MachineRun {
    pub(crate) shown: Arc<RunShown>,
    logs: BTreeMap<u64, Arc<JobLog>>,
}

/// All runs, the one that was seen first at the front.
#[derive(Debug, Default)]
pub(crate) struct Machines {
    runs: Vec<MachineRun>,
    /// The run that each job of ours follows. A job that looks for the newest run learns it later.
    looks: BTreeMap<JobId, u64>,
    /// The newest known run: found by a look for it, or started here after that.
    newest: Option<u64>,
    /// The rows of the last merged run that failed its checks.
    pub(crate) bad: Vec<String>,
}

/// News of a run.
#[derive(Debug)]
pub(crate) enum Looked {
    Run(Arc<RunShown>),
    Log(Arc<JobLog>),
}

impl MachineRun {
    /// The end of a job's log, if it was read.
    pub(crate) fn log(&self, job: u64) -> Option<&Arc<JobLog>> {
        self.logs.get(&job)
    }

    fn id(&self) -> u64 {
        self.shown.run.id
    }
}

impl Machines {
    /// Takes a run that was started here, or found as the newest. GitHub numbers runs upwards.
    pub(super) fn is_newest(&mut self, run: u64) {
        self.newest = self.newest.max(Some(run));
    }

    pub(super) fn hear(&mut self, (id, job): (JobId, &Job), news: ActionsNews) -> Looked {
        match news {
            ActionsNews::Run(shown) => {
                let run = shown.run.id;
                if matches!(job, Job::Actions(ActionsTask::Look { run: None, .. })) {
                    self.is_newest(run);
                }
                self.looks.insert(id, run);
                if let Some(known) = self.runs.iter_mut().find(|known| known.id() == run) {
                    // A job that runs again has another log.
                    known.logs.retain(|job, _| shown.jobs.iter().any(|one| one.id == *job));
                    known.shown = Arc::clone(&shown);
                } else {
                    if self.runs.len() == MOST {
                        self.runs.remove(0);
                    }
                    self.runs.push(MachineRun { shown: Arc::clone(&shown), logs: BTreeMap::new() });
                }
                Looked::Run(shown)
            }
            ActionsNews::Log { job, name, lines, left_out } => {
                let log = Arc::new(JobLog { job, name, lines, left_out });
                let has = |run: &&mut MachineRun| run.shown.jobs.iter().any(|one| one.id == job);
                // GitHub has no log before a job ends: then it is read again.
                if let Some(run) = self.runs.iter_mut().find(has).filter(|_| !log.lines.is_empty()) {
                    run.logs.insert(job, Arc::clone(&log));
                }
                Looked::Log(log)
            }
        }
    }

    /// Takes the events of a merge.
    pub(super) fn hear_merge(&mut self, news: &BackfillNews) {
        match news {
            BackfillNews::Begun { rows, .. } => {
                self.bad = rows.iter().filter(|row| row.state().is_bad()).map(backfill::bad).collect();
            }
            BackfillNews::NotWritten(why) => self.bad.push(why.clone()),
            _ => {}
        }
    }

    pub(crate) fn find(&self, run: u64) -> Option<&MachineRun> {
        self.runs.iter().find(|known| known.id() == run)
    }

    /// The run that a row of Jobs is about, once its state was read.
    pub(crate) fn of(&self, row: &JobRow<'_>) -> Option<&MachineRun> {
        let seen = match row.key {
            JobKey::Here(id) => self.looks.get(&id).copied(),
            JobKey::Past(_) => None,
        };
        self.find(seen.or_else(|| run_of(row.job?))?)
    }

    /// The run that gives a row its state: a job follows it, or followed it to its end. There is none if the
    /// job itself failed, or if the run has started again since.
    pub(crate) fn looked(&self, row: &JobRow<'_>) -> Option<&MachineRun> {
        let is_look = matches!(row.job, Some(Job::Actions(ActionsTask::Look { .. })));
        self.of(row).filter(|run| match row.state {
            JobState::Done | JobState::Failed => {
                is_look && run.shown.run.state.is_over() && row.why.is_empty()
            }
            state => is_look && state != JobState::CutOff,
        })
    }
}

/// The run that a job names.
fn run_of(job: &Job) -> Option<u64> {
    match job {
        Job::Actions(ActionsTask::Look { run, .. }) => *run,
        Job::Actions(ActionsTask::Merge { run, .. }) => Some(*run),
        _ => None,
    }
}

impl Desk {
    /// The rows of Jobs. A job that follows a run has the state of the run.
    pub(crate) fn job_rows(&self) -> Vec<JobRow<'_>> {
        let mut rows = self.history.rows(&self.board);
        for row in &mut rows {
            let Some(run) = self.machines.looked(row) else { continue };
            row.state = match (row.state, &run.shown.run.state) {
                (JobState::Waiting, RunState::Running) => JobState::Running,
                (JobState::Done | JobState::Failed, state) => match state {
                    RunState::Ended(Ending::Success) => JobState::Done,
                    RunState::Ended(Ending::Cancelled) => JobState::Cancelled,
                    _ => JobState::Failed,
                },
                (state, _) => state,
            };
        }
        rows
    }

    /// Returns true if a job of ours follows this run. `None` stands for the newest run, or for the search
    /// for it.
    pub(crate) fn is_followed(&self, run: Option<u64>) -> bool {
        let mut looks = self.board.all().iter().filter_map(|running| match &running.job {
            Job::Actions(ActionsTask::Look { run, .. }) => {
                Some(run.or_else(|| self.machines.looks.get(&running.id).copied()))
            }
            _ => None,
        });
        let wanted = run.or(self.machines.newest);
        looks.any(|seen| seen == wanted || run.is_none() && seen.is_none())
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::desk::tests::machine_run;
    use crate::jobs::data::JobEvent;
    use crate::registry::Repository;
    use crate::rules::actions::FILE;
    use crate::rules::sending::{ActionsPlan, Course, Made, Purpose, Request, Sending, Step};

    fn looks(desk: &mut Desk, run: Option<u64>) -> JobId {
        let task = ActionsTask::Look { run, follow: true, log_lines: 0 };
        desk.board.begin(Job::Actions(task), Timestamp::UNIX_EPOCH)
    }

    fn finds(desk: &mut Desk, id: JobId, run: u64) {
        let mut shown = machine_run(RunState::Running, &[]);
        shown.run.id = run;
        desk.hear(id, JobEvent::Actions(ActionsNews::Run(Arc::new(shown))), Timestamp::UNIX_EPOCH);
    }

    fn starts(run: u64) -> Course {
        let request = Request::Dispatch {
            repository: Repository::new("opentofu", "registry"),
            workflow: FILE.into(),
            branch: "main".into(),
            inputs: [("plan".to_owned(), "5f".to_owned())].into(),
        };
        let sending = Sending { account: "ann".into(), servers: Default::default(), requests: vec![request] };
        let made = Step::Done(Made { run: Some(run), ..Made::default() });
        let purpose = Purpose::Actions(ActionsPlan::Rerun { run });
        Course { steps: vec![made], ..Course::of_purpose(sending, purpose) }
    }

    #[test]
    fn the_newest_run_is_followed_where_its_number_is() {
        let mut desk = Desk::default();
        let older = looks(&mut desk, Some(5));
        finds(&mut desk, older, 5);
        assert!(!desk.is_followed(None) && desk.is_followed(Some(5)), "there may be a newer one");
        let newest = looks(&mut desk, None);
        assert!(desk.is_followed(None), "it is looked for");
        finds(&mut desk, newest, 7);
        assert!(desk.is_followed(None) && desk.is_followed(Some(7)));
        desk.hear(newest, JobEvent::Sending(Arc::new(starts(8))), Timestamp::UNIX_EPOCH);
        assert!(!desk.is_followed(None), "7 is not the newest any more");
        looks(&mut desk, Some(8));
        assert!(desk.is_followed(None), "whoever asked for it");
    }
}
