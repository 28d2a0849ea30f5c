//! A verification in lines: what is bad is said at once, how far it is in a sentence now and then, and when it is over all rows
//! a page at a time and the tally.
//!
//! It only ever reads. Words come from `take_line`, news of the job from `take_event`.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::folding::Group;
use crate::desk::intent::Intent;
use crate::desk::run::{News, Run};
use crate::desk::telling::verification::{next, sentence, tallied};
use crate::jobs::data::{MOST_WORKERS, Outcome};
use crate::line::sheet::Sheet;
use crate::line::state::{LineMode, Numbers, Reply};
use crate::line::{spoken, words};
use crate::print::output::Line;
use crate::print::text;
use crate::rules::amount::{counted, grouped};
use crate::rules::verify::{Row, Tally, Zip};

/// Progress is reported each time that this many more rows are over.
const ROWS_A_SENTENCE: usize = 20;

/// The rows of which nothing more comes, those that say the same together, bad ones first.
fn over(run: &Run) -> Vec<Vec<Arc<Row>>> {
    let group = |group: &Group| {
        let rows = group.places.iter().map(|place| &run.rows[*place]);
        rows.filter(|row| row.zip != Zip::NotDone).cloned().collect::<Vec<_>>()
    };
    run.groups.all().map(group).filter(|rows| !rows.is_empty()).collect()
}

fn of(rows: &[Arc<Row>]) -> Vec<&Row> {
    rows.iter().map(Arc::as_ref).collect()
}

/// Rows that say the same, in a sentence.
fn spoken_rows(rows: &[&Row]) -> String {
    sentence(rows, spoken::slashes)
}

impl LineMode {
    /// Begins no more downloads, or resumes.
    pub(crate) fn pause(&mut self, reply: &mut Reply, is_paused: bool, now: Timestamp) {
        self.act(reply, Intent::Pause(self.desk.steered_now(), is_paused), now);
        if reply.steer.is_some() {
            reply.say(spoken::now(if is_paused {
                "paused; running downloads finish; resume continues"
            } else {
                "resumed"
            }));
        }
    }

    /// `workers 4`.
    pub(crate) fn workers(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        let workers = rest.parse().ok().filter(|many| (1..=MOST_WORKERS).contains(many));
        if let Some(workers) = workers {
            self.act(reply, Intent::Workers(self.desk.steered_now(), workers), now);
        } else if let Err(why) = self.desk.may(&Intent::Workers(self.desk.steered_now(), 1)) {
            reply.refused(&why);
        } else {
            reply.refuse(&format!("write workers with a number from 1 to {MOST_WORKERS}"));
        }
        if let (Some(_), Some(workers)) = (reply.steer, workers) {
            reply.say(spoken::now(&format!("{} at once at most", counted(workers, "download"))));
        }
    }

    /// Tells what the job said of its rows.
    pub(crate) fn verify_says(&mut self, reply: &mut Reply, news: News) {
        let Some(run) = &self.desk.run else { return };
        match news {
            News::Begun { kept } => {
                let targets = counted(run.rows.len(), "target");
                reply.say(spoken::now(&format!("{targets} to verify; cancel stops it, pause makes it wait")));
                if kept > 0 {
                    let archives = counted(kept, "archive");
                    reply.say(spoken::now(&format!("reused from an earlier run: {archives}")));
                }
                self.rows_reported = 0;
                return;
            }
            // What others say too is told once, and counted.
            News::Over { row, is_first } => {
                if row.state().is_bad() && is_first {
                    reply.say(Line::of(spoken_rows(&[row.as_ref()])));
                    reply.lines.extend(text::verified_facts(&[row.as_ref()]));
                }
            }
            News::Slowed(why) => {
                reply.say(spoken::now(&match why {
                    Some(why) => format!("fewer downloads at once: {why}"),
                    None => "as many downloads at once as before".to_owned(),
                }));
                return;
            }
            News::Little => return,
        }
        let over = run.over();
        // How far it is, if enough was done since that was told last.
        if over < run.rows.len() && over >= self.rows_reported + ROWS_A_SENTENCE {
            self.rows_reported = over;
            let bad = run.groups.bad();
            let bad = if bad == 0 { "none bad".to_owned() } else { format!("{} bad", grouped(bad)) };
            let (over, total) = (grouped(over), grouped(run.rows.len()));
            reply.say(spoken::now(&format!("{over} of {total} targets verified, {bad}")));
        }
    }

    /// It is over: the rows, how it ended, and the tally.
    pub(crate) fn verified(&mut self, reply: &mut Reply, outcome: &Outcome, now: Timestamp) {
        if let Outcome::Failed(failure) = outcome {
            reply.fail(failure);
        }
        let Some(run) = &self.desk.run else { return };
        let Some(report) = run.report.clone() else { return };
        let rows = over(run);
        let tally = tallied(&Tally::of(rows.iter().flatten().map(Arc::as_ref)));
        let what = run.what();
        let next = next(run, &self.desk.list).map(|next| words::text_of(&next));
        if !rows.is_empty() {
            self.rows(reply, "", now);
        }
        if let Outcome::Done(summary) | Outcome::Cancelled(summary) = outcome {
            reply.lines.extend(summary.limits.iter().map(|limit| Line::of(format!("limit: {limit}"))));
        }
        reply.say(Line::of(format!("the report is in {report}")));
        let how = if matches!(outcome, Outcome::Cancelled(_)) { " was cancelled" } else { "" };
        let next = next.map(|next| format!("; {next}")).unwrap_or_default();
        let what = spoken::slashes(&what);
        reply.say(spoken::done(&format!("verification of {what}{how}; {tally}{next}")));
    }

    /// Reads out what was found, what rows have in common once; or of the bad rows alone, or row by row.
    pub(crate) fn rows(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        if !["", "bad", "each"].contains(&rest) {
            return reply.refuse("write rows, rows bad, or rows each");
        }
        let Some(run) = &self.desk.run else {
            if let Err(why) = self.desk.may(&Intent::VerifyAgain) {
                reply.refused(&why);
            }
            return;
        };
        let rows = over(run).into_iter().filter(|rows| rest != "bad" || rows[0].state().is_bad());
        self.rows = match rest {
            "each" => rows.flatten().map(|row| vec![row]).collect(),
            _ => rows.collect(),
        };
        if self.rows.is_empty() {
            return reply.say(Line::of(if rest == "bad" {
                "no target is bad"
            } else {
                "no target is finished yet"
            }));
        }
        let numbered = self.rows.iter().enumerate();
        let lines =
            numbered.map(|(at, rows)| Line::of(format!("{}. {}", at + 1, spoken_rows(&of(rows))))).collect();
        self.numbers = Numbers::Rows;
        self.read(reply, Sheet::text(lines), now);
    }

    /// Everything about what was read out under a number.
    pub(crate) fn verified_row(&mut self, reply: &mut Reply, number: usize) {
        let all = &self.rows;
        let Some(rows) = number.checked_sub(1).and_then(|at| all.get(at)) else {
            return reply.refuse(&format!("the rows have the numbers 1 to {}", all.len()));
        };
        let rows = of(rows);
        reply.say(Line::of(spoken_rows(&rows)));
        reply.lines.extend(text::verified_facts(&rows));
        if rows.len() > 1 {
            reply.say(Line::of("rows each tells each target separately"));
        }
    }
}
