//! A verification in lines: what is bad is said at once, how far it is in a sentence now and then, and when it is over all rows
//! a page at a time and the tally.
//!
//! It only ever reads. Words come from `heard`, news of the job from `told`.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::{Failure, Job, JobId, MOST_WORKERS, Outcome, Steer, VerifyNews, VerifyPlan, Wanted};
use crate::line::sheet::Sheet;
use crate::line::spoken;
use crate::line::state::{LineMode, Numbers, Reply};
use crate::line::work::Doing;
use crate::print::output::Line;
use crate::print::text;
use crate::registry::Address;
use crate::rules::amount::{counted, grouped};
use crate::rules::verify::{Row, Tally, Zip};

/// How far it is, is told when so many more rows are over, and not before.
const ROWS_A_SENTENCE: usize = 20;

/// One verification, under way or over.
#[derive(Debug, Default)]
pub(crate) struct Verifying {
    /// `None`: it is over.
    job: Option<JobId>,
    /// How many rows there are in all.
    total: usize,
    /// Rows of which nothing more comes, by their place.
    over: BTreeMap<usize, Arc<Row>>,
    report: String,
    steer: Steer,
    /// Why fewer download than were asked for, as it was told last.
    slowed: Option<String>,
    /// Rows that were over when it was told last how far it is.
    told: usize,
    /// In the order in which they were read out: what their numbers mean.
    read: Vec<Arc<Row>>,
}

impl Verifying {
    fn tally(&self) -> Tally {
        Tally::of(self.over.values().map(Arc::as_ref))
    }

    /// The rows that are over, bad ones first; within a state they stay in the order of the data files.
    fn sorted(&self, only_bad: bool) -> Vec<Arc<Row>> {
        let mut rows: Vec<Arc<Row>> =
            self.over.values().filter(|row| !only_bad || row.state().is_bad()).cloned().collect();
        rows.sort_by_key(|row| row.state());
        rows
    }

    /// Takes a row that is over; the lines about it, if they cannot wait.
    fn take(&mut self, place: usize, row: &Arc<Row>) -> Vec<Line> {
        let before = self.over.insert(place, row.clone());
        if before.as_ref() == Some(row) || !row.state().is_bad() {
            return Vec::new();
        }
        let mut lines = vec![Line::of(said(row))];
        lines.extend(text::verified_facts(row));
        lines
    }

    /// How far it is, if enough was done since that was told last.
    fn far(&mut self) -> Option<Line> {
        let over = self.over.len();
        if over >= self.total || over < self.told + ROWS_A_SENTENCE {
            return None;
        }
        self.told = over;
        let bad = self.over.values().filter(|row| row.state().is_bad()).count();
        let bad = if bad == 0 { "none bad".to_owned() } else { format!("{} bad", grouped(bad)) };
        let (over, total) = (grouped(over), grouped(self.total));
        Some(spoken::now(&format!("{over} of {total} targets verified, {bad}")))
    }
}

/// A row in a sentence.
fn said(row: &Row) -> String {
    text::sentence(row, &spoken::address(&row.address))
}

impl LineMode {
    /// `verify 3`, `verify acme/rocket@1.2.0`, `verify marked`, `verify` alone for the entry that was opened last.
    pub(crate) fn verify(&mut self, reply: &mut Reply, rest: &str) -> Result<(), Failure> {
        let (entry, version) = match rest.split_once('@') {
            Some((_, version)) if version.trim().is_empty() => {
                reply.refuse("there is no version after the @");
                return Ok(());
            }
            Some((entry, version)) => (entry.trim(), Some(version.trim().to_owned())),
            None => (rest, None),
        };
        let (addresses, what) = if entry == "marked" {
            let marked: Vec<Address> = self.listed().list.marked();
            if marked.is_empty() {
                reply.refuse("nothing is marked");
                return Ok(());
            }
            let what = format!("verification of the {} marked", marked.len());
            (marked, what)
        } else {
            let Some(address) = self.meant(reply, "verify", entry)? else { return Ok(()) };
            let of = version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
            let what = format!("verification of {}{of}", spoken::address(&address));
            (vec![address], what)
        };
        let wanted: Vec<Wanted> = addresses
            .into_iter()
            .filter(|address| matches!(address, Address::Provider(_)))
            .map(|address| Wanted { address, version: version.clone() })
            .collect();
        if wanted.is_empty() {
            reply.refuse("a module has no archives, checksums or signatures to verify");
            return Ok(());
        }
        self.start(reply, Job::Verify(VerifyPlan::new(wanted)), Doing::Verify, what);
        Ok(())
    }

    /// Begins no more downloads, or goes on.
    pub(crate) fn pause(&mut self, reply: &mut Reply, is_paused: bool) {
        let Some((job, running)) = running(&mut self.verifying, reply) else { return };
        if running.steer.is_paused == is_paused {
            reply.refuse(if is_paused { "it is paused already" } else { "it is not paused" });
            return;
        }
        running.steer.is_paused = is_paused;
        reply.steer = Some((job, running.steer));
        reply.say(spoken::now(if is_paused {
            "paused: no more downloads begin, those under way end; resume goes on"
        } else {
            "going on"
        }));
    }

    /// `workers 4`.
    pub(crate) fn workers(&mut self, reply: &mut Reply, rest: &str) {
        let Some((job, running)) = running(&mut self.verifying, reply) else { return };
        let Some(workers) = rest.parse().ok().filter(|many| (1..=MOST_WORKERS).contains(many)) else {
            reply.refuse(&format!("write workers with a number from 1 to {MOST_WORKERS}"));
            return;
        };
        running.steer.workers = Some(workers);
        reply.steer = Some((job, running.steer));
        let downloads = counted(workers, "download");
        reply.say(spoken::now(&format!("{downloads} at once at most")));
    }

    /// Takes what the job says of its rows.
    pub(crate) fn verify_says(&mut self, reply: &mut Reply, job: JobId, news: VerifyNews) {
        if let VerifyNews::Begun { rows, report, kept } = news {
            let targets = counted(rows.len(), "target");
            reply.say(spoken::now(&format!("{targets} to verify; cancel stops it, pause makes it wait")));
            if kept > 0 {
                let archives = counted(kept, "archive");
                reply.say(spoken::now(&format!("{archives} of an earlier run count")));
            }
            let total = rows.len();
            self.verifying = Some(Verifying { job: Some(job), total, report, ..Verifying::default() });
            return;
        }
        let Some(running) = self.verifying.as_mut().filter(|running| running.job == Some(job)) else {
            return;
        };
        match news {
            // The archive is the last that is asked of a row.
            VerifyNews::Row(place, row) if row.zip != Zip::NotDone => {
                reply.lines.extend(running.take(place, &row));
                reply.lines.extend(running.far());
            }
            VerifyNews::Meter(meter) if meter.slowed != running.slowed => {
                reply.say(spoken::now(&match &meter.slowed {
                    Some(why) => format!("fewer downloads at once: {why}"),
                    None => "as many downloads at once as before".to_owned(),
                }));
                running.slowed = meter.slowed;
            }
            VerifyNews::Row(..)
            | VerifyNews::Meter(_)
            | VerifyNews::Active(..)
            | VerifyNews::Begun { .. } => {}
        }
    }

    /// It is over: the rows, how it ended, and the tally.
    pub(crate) fn verified(&mut self, reply: &mut Reply, what: &str, outcome: &Outcome, now: Timestamp) {
        let over = self.verifying.as_mut().filter(|running| running.job.is_some());
        let end = over.map(|over| {
            over.job = None;
            (text::tallied(&over.tally()), over.report.clone())
        });
        if let Outcome::Failed(failure) = outcome {
            reply.fail(failure);
        }
        let Some((tally, report)) = end else { return };
        if self.verifying.as_ref().is_some_and(|over| !over.over.is_empty()) {
            self.rows(reply, "", now);
        }
        if let Outcome::Done(summary) | Outcome::Cancelled(summary) = outcome {
            reply.lines.extend(summary.limits.iter().map(|limit| Line::of(format!("limit: {limit}"))));
        }
        reply.say(Line::of(format!("the report is in {report}")));
        let cancelled = matches!(outcome, Outcome::Cancelled(_));
        let how = if cancelled { " was cancelled; what was verified is kept" } else { "" };
        reply.say(spoken::done(&format!("{what}{how}; {tally}")));
    }

    /// Reads the rows out, or the bad ones alone.
    pub(crate) fn rows(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        let only_bad = match rest {
            "" => false,
            "bad" => true,
            _ => return reply.refuse("write rows, or rows bad"),
        };
        let Some(last) = &mut self.verifying else {
            return reply.refuse("nothing was verified yet; verify N does");
        };
        last.read = last.sorted(only_bad);
        if last.read.is_empty() {
            return reply.say(Line::of(if only_bad { "no row is bad" } else { "no row is over yet" }));
        }
        let numbered = last.read.iter().enumerate();
        let lines = numbered.map(|(at, row)| Line::of(format!("{}. {}", at + 1, said(row)))).collect();
        self.numbers = Numbers::Rows;
        self.read(reply, Sheet::text(lines), now);
    }

    /// Everything about one of the rows that were read out.
    pub(crate) fn verified_row(&mut self, reply: &mut Reply, number: usize) {
        let rows = self.verifying.as_ref().map_or(&[][..], |last| &last.read);
        let Some(row) = number.checked_sub(1).and_then(|at| rows.get(at)) else {
            return reply.refuse(&format!("the rows have the numbers 1 to {}", rows.len()));
        };
        reply.say(Line::of(said(row)));
        reply.lines.extend(text::verified_facts(row));
    }
}

/// The verification that runs; without one it is refused.
fn running<'a>(
    verifying: &'a mut Option<Verifying>,
    reply: &mut Reply,
) -> Option<(JobId, &'a mut Verifying)> {
    let running = verifying.as_mut().and_then(|running| Some((running.job?, running)));
    if running.is_none() {
        reply.refuse("no verification runs");
    }
    running
}
