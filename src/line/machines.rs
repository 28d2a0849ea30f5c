//! Words about backfills on GitHub's machines: made ready, followed, run again, and put together.

use jiff::Timestamp;

use crate::desk::intent::{Intent, Meant};
use crate::desk::machines::JobLog;
use crate::desk::telling::machines::{log_lines, log_title, next, read_shares};
use crate::jobs::data::{Failure, RunShown};
use crate::line::sheet::Sheet;
use crate::line::state::{LineMode, Reply};
use crate::line::words;
use crate::print::output::Line;
use crate::print::text;
use crate::rules::sending::ActionsPlan;

impl LineMode {
    /// `dispatch 3 4`, `dispatch acme/rocket 4`, `dispatch marked 4`.
    pub(crate) fn dispatch(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) -> Result<(), Failure> {
        let Some((what, shares)) = rest.rsplit_once(char::is_whitespace) else {
            reply.refuse("write dispatch with a number of the list or an address, then how many machines");
            return Ok(());
        };
        let meant = match what.trim() {
            "marked" => Meant::Marked,
            one => Meant::These(vec![self.listed().entry(one)?]),
        };
        match read_shares(shares).map(|shares| self.desk.dispatching(&meant, shares)) {
            Ok(Ok(plan)) => self.act(reply, Intent::PrepareRun(plan), now),
            Ok(Err(why)) => reply.refused(&why),
            Err(why) => reply.refuse(&why),
        }
        Ok(())
    }

    /// `run`, `run 7`, `run 7 again`, `run 7 merge`.
    pub(crate) fn run(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        let (number, what) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let intent = match (number.parse::<u64>(), what.trim()) {
            (Err(_), "") if number.is_empty() => Intent::FollowRun(None),
            (Ok(run), "") => Intent::FollowRun(Some(run)),
            (Ok(run), "again") => Intent::PrepareRun(ActionsPlan::Rerun { run }),
            (Ok(run), "merge") => Intent::MergeRun(run),
            _ => {
                let why = "write run with the number of a run, and again or merge behind it, or run alone";
                return reply.refuse(why);
            }
        };
        self.act(reply, intent, now);
    }

    /// How a run stands; its jobs once it is over, and what comes next.
    pub(crate) fn run_stands(&mut self, reply: &mut Reply, shown: &RunShown) {
        let lines = text::run(&self.ui, shown);
        if !shown.run.state.is_over() {
            reply.lines.extend(lines.into_iter().take(1));
            return;
        }
        reply.lines.extend(lines);
        reply.lines.extend(next(shown).map(|message| Line::of(words::told(&message))));
    }

    pub(crate) fn run_log(&mut self, reply: &mut Reply, log: &JobLog, now: Timestamp) {
        let head = std::iter::once(format!("{}:", log_title(log)));
        let lines = head.chain(log_lines(log)).map(Line::of).collect();
        self.read(reply, Sheet::text(lines), now);
    }
}
