//! `log`: what was asked of whom, what jobs did, and errors.

use std::time::Duration;

use clap::Args;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::cli::values::length;
use crate::jobs::data::{Job, JobEvent, LogQuery, Outcome, Summary};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::print::text;

/// Print the log: what was asked of whom, what jobs did, and errors.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk log --since 15m\n  bumpdesk log --errors --json")]
pub(crate) struct LogArgs {
    /// Only lines younger than this.
    #[arg(long, value_name = "AGE", value_parser = length)]
    since: Option<Duration>,
    /// Only errors, warnings and failed requests.
    #[arg(long)]
    errors: bool,
    /// Print at most this many lines, the latest ones.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    last: usize,
    /// Also lines about other registries.
    #[arg(long)]
    all: bool,
}

impl Run for LogArgs {
    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        // One more than is printed tells whether any is left out.
        let query = LogQuery {
            since: self.since,
            errors: self.errors,
            most: self.last.saturating_add(1),
            requests_apart: false,
            everywhere: self.all,
        };
        let mut is_cut = false;
        let outcome = runner
            .run(Job::ReadLog(query), &mut |output, event| {
                let JobEvent::LogRead(lines) = event else { return };
                let left_out = lines.len().saturating_sub(self.last);
                is_cut = left_out > 0;
                for line in &lines[left_out..] {
                    if output.json {
                        output.object("log", line);
                    } else {
                        output.line(&text::log_line(line));
                    }
                }
            })
            .await;
        let outcome = match outcome {
            Ok(Outcome::Done(summary)) if is_cut => {
                let limits = vec!["older lines are left out; --last N prints more of them".to_owned()];
                Ok(Outcome::Done(Summary { entries: self.last as u64, limits, ..summary }))
            }
            outcome => outcome,
        };
        Ok(runner.finish(outcome, false, &()))
    }
}
