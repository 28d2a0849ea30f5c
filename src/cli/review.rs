//! `review`: somebody else's pull request, made again from upstream.

use clap::Args;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::jobs::{Job, JobEvent, Outcome, ReviewPlan};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::print::text;
use crate::rules::review::Result as Word;

/// Make what a pull request claims again from upstream, and compare.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  bumpdesk review 5631\n  bumpdesk review 5631 --hash\n  bumpdesk review 5631 --json\n\n\
    It reads the commits and not what the pull request says of itself, and it posts nothing. It exits 1 if a file differs or\n\
    is refused, and 5 if something could not be read."
)]
pub(crate) struct ReviewArgs {
    /// The pull request's number.
    #[arg(value_name = "NUMBER")]
    number: u64,
    /// Download and hash every archive as well.
    #[arg(long)]
    hash: bool,
}

impl Run for ReviewArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let mut word = None;
        let plan = ReviewPlan { number: self.number, hashes: self.hash };
        let outcome = runner
            .run(Job::Review(plan), &mut |output, event| {
                let JobEvent::Reviewed(review) = event else { return };
                word = Some(review.result);
                if output.json {
                    output.object("review", &*review);
                } else {
                    let ui = output.ui.clone();
                    output.lines(&text::reviewed(&ui, &review));
                }
            })
            .await;
        let exit = match word {
            Some(Word::Differs | Word::Refused) => Exit::Findings,
            Some(Word::Unknown) => Exit::Incomplete,
            Some(Word::Same | Word::NotHashed) | None => return Ok(runner.finish(outcome, false, &())),
        };
        match &outcome {
            Ok(done @ Outcome::Done(_)) => Ok(runner.finish_as(exit, done, &())),
            _ => Ok(runner.finish(outcome, false, &())),
        }
    }
}
