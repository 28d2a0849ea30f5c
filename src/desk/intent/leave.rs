//! Leaves the program.

use jiff::Timestamp;

use crate::desk::Desk;
use crate::desk::board::Running;
use crate::desk::intent::Prompt;
use crate::jobs::data::{Job, JobId};
use crate::rules::amount::counted;

impl Desk {
    /// The question before leaving stops a job.
    pub(super) fn leave_prompt(&self) -> Option<Prompt> {
        let says = self.leaving();
        (!says.is_empty()).then_some(("Leave?", says, "stop and leave"))
    }

    /// The jobs that leaving stops, in sentences; none if leaving stops nothing of the journal. A watched pull request is
    /// never asked about: its job only looks, and `pr watch` looks again.
    pub(crate) fn leaving(&self) -> Vec<String> {
        let stops = |job: &&Running| !matches!(job.job, Job::Watch(_));
        let jobs = || {
            let jobs = self.board.journalled().filter(stops);
            jobs.filter_map(|job| Some((job, job.journal_line.as_ref()?)))
        };
        let all_paused = jobs().all(|(job, _)| job.is_paused);
        let name = |(job, (kind, label)): (&Running, &(&str, String))| {
            let paused = if job.is_paused && !all_paused { " (paused)" } else { "" };
            format!("{kind} {label}{paused}")
        };
        let mut says: Vec<String> = jobs().map(name).take(6).collect();
        let (these, it, found) = match says.len() {
            0 => return says,
            1 => ("This job is", "it", "it"),
            _ => ("These jobs are", "them", "they"),
        };
        says.insert(0, format!("{these} {}:", if all_paused { "paused" } else { "running" }));
        says.push(format!("Leaving stops {it}; what {found} found is kept."));
        says.extend(self.plan_after().map(|after| format!("The plan {after}.")));
        says
    }

    /// The fate of the plan after leaving, as the rest of a sentence: `(2 files) is kept: …`; `None` without a plan.
    pub(crate) fn plan_after(&self) -> Option<String> {
        let count = self.planning.files().len();
        if count == 0 || self.planning.pending.unkept {
            return None;
        }
        let files = counted(count, "file");
        Some(match self.name {
            // Only the demo has a name of its own, and its folder goes.
            Some(_) => format!("({files}) is deleted with the demo"),
            None => format!("({files}) is kept: `bumpdesk plan show`, or Changes at the next start"),
        })
    }

    /// Starts the job that keeps what is to outlive this run and is not kept yet. One job at a time does, so that no older state
    /// is written over a newer one. When `leaving`, nothing comes after this job, and it does not wait.
    pub(crate) fn keep(&mut self, leaving: bool, now: Timestamp) -> Option<(JobId, Job)> {
        if !leaving && !self.list.is_to_keep() {
            return None;
        }
        let news = self.list.take_unkept(leaving);
        if news.is_empty() {
            return None;
        }
        let job = Job::Remember(news.clone());
        let id = self.board.begin(job.clone(), now);
        self.list.is_sent(id, news);
        Some((id, job))
    }
}
