//! Words about backfills on GitHub's machines: made ready, followed, run again, and put together.

use jiff::Timestamp;

use crate::desk::ability::Ability;
use crate::desk::intent::{EntrySelection, Operands};
use crate::desk::machines::JobLog;
use crate::desk::telling::machines::{log_lines, log_title, next, read_shares};
use crate::jobs::data::{Failure, RunShown};
use crate::line::sheet::Sheet;
use crate::line::state::{LineMode, Reply};
use crate::line::words;
use crate::print::output::Line;
use crate::print::text;

impl LineMode {
    /// `dispatch 3 4`, `dispatch acme/rocket 4`, `dispatch marked 4`.
    pub(crate) fn dispatch(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) -> Result<(), Failure> {
        let Some((what, shares)) = rest.rsplit_once(char::is_whitespace) else {
            reply.refuse("write dispatch with a number of the list or an address, then how many machines");
            return Ok(());
        };
        let selection = match what.trim() {
            "marked" => EntrySelection::Marked,
            one => EntrySelection::These(vec![self.listed().entry(one)?]),
        };
        match read_shares(shares) {
            Ok(shares) => {
                let number = Some(shares as u64);
                let on = Operands { selection, number, ..Operands::default() };
                self.perform(reply, Ability::Dispatch, &on, now);
            }
            Err(why) => reply.refuse(&why),
        }
        Ok(())
    }

    /// `run`, `run 7`, `run 7 again`, `run 7 merge`.
    pub(crate) fn run(&mut self, reply: &mut Reply, rest: &str, now: Timestamp) {
        let (number, what) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let (ability, number) = match (number.parse::<u64>(), what.trim()) {
            (Err(_), "") if number.is_empty() => (Ability::FollowRun, None),
            (Ok(run), "") => (Ability::FollowRun, Some(run)),
            (Ok(run), "again") => (Ability::RerunRun, Some(run)),
            (Ok(run), "merge") => (Ability::MergeRun, Some(run)),
            _ => {
                let why = "write run with the number of a run, and again or merge behind it, or run alone";
                return reply.refuse(why);
            }
        };
        self.perform(reply, ability, &Operands { number, ..Operands::default() }, now);
    }

    /// Reads out the state of a run; once it is over, its jobs and the next step too.
    pub(crate) fn run_stands(&mut self, reply: &mut Reply, shown: &RunShown) {
        let lines = text::run(&self.ui, shown);
        if !shown.run.state.is_over() {
            reply.lines.extend(lines.into_iter().take(1));
            return;
        }
        reply.lines.extend(lines);
        reply.lines.extend(next(shown).map(|message| Line::of(words::text_of(&message))));
    }

    pub(crate) fn run_log(&mut self, reply: &mut Reply, log: &JobLog, now: Timestamp) {
        let head = std::iter::once(format!("{}:", log_title(log)));
        let lines = head.chain(log_lines(log)).map(Line::of).collect();
        self.read(reply, Sheet::text(lines), now);
    }
}
