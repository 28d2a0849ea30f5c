//! `review`: other people's pull requests, made again from upstream; one, or all that are open.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Args;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::desk::intent::Intent;
use crate::desk::telling::review::NONE_OPEN;
use crate::jobs::{JobEvent, Outcome, ReviewPlan};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::print::text;
use crate::rules::review::{Result as Word, Review};

/// Review open pull requests: make what they claim again from upstream, and compare.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  bumpdesk review\n  bumpdesk review 5631\n  bumpdesk review 5631 --hash\n  bumpdesk review 5631 --json\n\n\
    Without a number it lists the open pull requests that touch what the registry serves, those with the newest news first.\n\
    It reads the commits and not what a pull request says of itself, and it posts nothing. It exits 1 if a file differs or\n\
    is refused, and 5 if something could not be read."
)]
pub(crate) struct ReviewArgs {
    /// The pull request's number; all that are open where none is named.
    #[arg(value_name = "NUMBER")]
    number: Option<u64>,
    /// Download and hash every archive as well.
    #[arg(long, requires = "number")]
    hash: bool,
}

impl ReviewArgs {
    pub(crate) fn intent(&self) -> Intent {
        match self.number {
            Some(number) => Intent::Review(ReviewPlan { number, hashes: self.hash }),
            None => Intent::ListReviews,
        }
    }
}

impl Run for ReviewArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let mut worst = None;
        let (mut order, mut found): (Vec<u64>, BTreeMap<u64, Arc<Review>>) = Default::default();
        let outcome = runner
            .act("reviewing", &self.intent(), &mut |output, event| match event {
                JobEvent::OpenPulls(pulls) => order = pulls.iter().map(|pull| pull.number).collect(),
                // A list is not for what concerns others.
                JobEvent::Reviewed(review) if self.number.is_none() && review.is_elsewhere() => {}
                JobEvent::Reviewed(review) => {
                    worst = worst.max(Some(review.result));
                    if output.json {
                        output.object("review", &*review);
                    } else if self.number.is_none() {
                        found.insert(review.pull.number, review);
                    } else {
                        let ui = output.ui.clone();
                        output.lines(&text::reviewed(&ui, &review));
                    }
                }
                _ => {}
            })
            .await;
        // They are judged as their answers come, and listed as they stand.
        let (ui, now) = (runner.output.ui.clone(), runner.settings.clock.now());
        for review in order.iter().filter_map(|number| found.get(number)) {
            runner.output.lines(&text::listed_review(&ui, review, now));
        }
        if self.number.is_none() && worst.is_none() && matches!(outcome, Ok(Outcome::Done(_))) {
            runner.output.talk(&format!("bumpdesk: {NONE_OPEN}"));
        }
        let exit = match worst {
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
