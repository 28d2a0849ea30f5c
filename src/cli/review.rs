//! `review`: other people's pull requests, made again from upstream; one, or all that are open. And the verdict on one.

use clap::Args;
use serde::Serialize;

use crate::cli::console::Console;
use crate::cli::{Run, diff, pr};
use crate::desk::intent::Intent;
use crate::desk::reviews::Reviews;
use crate::desk::telling::markdown;
use crate::desk::telling::review::NONE_OPEN;
use crate::jobs::data::{JobEvent, Outcome, ReviewPlan, SendTask};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::runner::Runner;
use crate::print::text;
use crate::rules::review::{Against, FileDifferences, Opinion, Result as Word};
use crate::rules::sending::{Purpose, VerdictPlan};

/// Review open pull requests: make what they claim again from upstream, and compare.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  bumpdesk review\n  bumpdesk review 5631\n  bumpdesk review 5631 --hash\n  bumpdesk review 5631 --json\n  \
    bumpdesk review 5631 --markdown\n  bumpdesk review 5631 --diff\n  bumpdesk review 5631 --against-upstream\n  bumpdesk review 5631 --approve --hash --dry-run\n  \
    bumpdesk review 5631 --approve --hash --confirm 4f21c0 --write\n\n\
    Without a number it lists the open pull requests that touch what the registry serves, the worst first.\n\
    It reads the commits and not what a pull request says of itself. It exits 1 if a file differs or is refused, and 5 if\n\
    something could not be read.\n\n\
    With a verdict, --dry-run shows the gates and what would be submitted, and names it; with --confirm and its digits it is\n\
    made once more, and submitted if it is the same and no gate fails. It is pinned to the commit that was reviewed, and\n\
    cannot be taken back. Then it exits 4 if a gate fails."
)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct ReviewArgs {
    /// The pull request's number; all that are open where none is named.
    #[arg(value_name = "NUMBER")]
    number: Option<u64>,
    /// Download and hash every archive as well.
    #[arg(long, requires = "number")]
    hash: bool,
    /// Print it as Markdown for an issue or a comment, and nothing else.
    #[arg(long, requires = "number", conflicts_with = "opinion")]
    markdown: bool,
    /// Print the lines that it changes, as a patch.
    #[arg(long, requires = "number", conflicts_with_all = ["opinion", "markdown"])]
    diff: bool,
    /// Print the lines that are not what upstream gives, as a patch from upstream to the pull request.
    #[arg(long, requires = "number", conflicts_with_all = ["opinion", "markdown"])]
    against_upstream: bool,
    /// Approve it: only what is SAME with its archives hashed, or what a person decides.
    #[arg(long, group = "opinion", requires_all = ["number", "how"])]
    approve: bool,
    /// Request changes.
    #[arg(long, group = "opinion", requires_all = ["number", "how"])]
    request_changes: bool,
    /// Comment on it, which neither approves nor holds it up.
    #[arg(long, group = "opinion", requires_all = ["number", "how"])]
    comment: bool,
    /// What you add in Markdown; what it rests on follows by itself.
    #[arg(long, value_name = "TEXT", requires = "opinion")]
    text: Option<String>,
    /// Leave out the comments beside the lines that differ.
    #[arg(long, requires = "opinion")]
    no_line_comments: bool,
    /// Show what would be submitted, and submit nothing.
    #[arg(long, group = "how", requires = "opinion")]
    dry_run: bool,
    /// Submit it: the six digits of the sending, as --dry-run prints them. Needs --write.
    #[arg(long, group = "how", value_name = "DIGITS", requires = "opinion")]
    confirm: Option<String>,
}

impl ReviewArgs {
    fn verdict(&self) -> Option<VerdictPlan> {
        let opinion = match () {
            () if self.approve => Opinion::Approve,
            () if self.request_changes => Opinion::RequestChanges,
            () if self.comment => Opinion::Comment,
            () => return None,
        };
        let text = self.text.clone().unwrap_or_default();
        let line_comments = !self.no_line_comments;
        Some(VerdictPlan {
            number: self.number?,
            opinion,
            text,
            hashes: self.hash,
            line_comments,
            seen: None,
        })
    }

    /// The differences that are printed in place of the review.
    fn lines(&self) -> Vec<Against> {
        let wanted = [(self.diff, Against::Base), (self.against_upstream, Against::Upstream)];
        wanted.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, against)| against).collect()
    }

    pub(crate) fn intent(&self) -> Intent {
        if let Some(plan) = self.verdict() {
            return match &self.confirm {
                None => Intent::prepare(plan),
                Some(digits) => {
                    Intent::Send(SendTask::Open { asked: Purpose::Verdict(plan), digits: digits.clone() })
                }
            };
        }
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
        if self.dry_run {
            return pr::look(runner, &self.intent(), None, false).await;
        }
        if self.confirm.is_some() {
            return pr::send(runner, &self.intent(), false).await;
        }
        let (mut worst, lines) = (None, self.lines());
        let (mut listed, now) = (Reviews::default(), runner.settings.clock.now());
        let outcome = runner
            .act("reviewing", &self.intent(), &mut |output, event| match event {
                JobEvent::OpenPulls(pulls) => listed.list(pulls, now),
                JobEvent::OwnVerdicts(own) => own.into_iter().for_each(|one| listed.judge(one)),
                JobEvent::Differences(pull) => {
                    for against in &lines {
                        pull.files.iter().for_each(|file| tell_lines(output, (pull.number, file), *against));
                    }
                }
                // A list is not for what concerns others.
                JobEvent::Reviewed(review) if self.number.is_none() && review.is_elsewhere() => {}
                JobEvent::Reviewed(review) => {
                    worst = worst.max(Some(review.result));
                    if output.json {
                        output.object("review", &*review);
                    } else if !lines.is_empty() {
                        // The lines stand in its place.
                    } else if self.markdown {
                        output.exact(&markdown::review(&review, &review.pull));
                    } else if self.number.is_none() {
                        listed.take(review, now);
                    } else {
                        let ui = output.ui.clone();
                        let cells = output.cells();
                        output.lines(&text::reviewed(&ui, &review, cells));
                    }
                }
                _ => {}
            })
            .await;
        // They are judged as their answers come, and listed in the order of the console.
        let (ui, now) = (runner.output.ui.clone(), runner.settings.clock.now());
        for row in listed.rows() {
            runner.output.lines(&text::listed_review(&ui, row, now));
        }
        if self.number.is_none() && worst.is_none() && matches!(outcome, Ok(Outcome::Done(_))) {
            runner.output.note(&format!("bumpdesk: {NONE_OPEN}"));
        }
        let exit = match worst {
            Some(Word::PersonDecides | Word::Differs | Word::Refused) => Exit::Findings,
            Some(Word::Unknown) => Exit::Incomplete,
            Some(Word::Same | Word::NotHashed) | None => return Ok(runner.finish(outcome, false, &())),
        };
        match &outcome {
            Ok(done @ Outcome::Done(_)) => Ok(runner.finish_as(exit, done, &())),
            _ => Ok(runner.finish(outcome, false, &())),
        }
    }
}

/// Type `review-diff`: the lines of one file of a pull request.
#[derive(Serialize)]
struct LinesObject<'a> {
    number: u64,
    path: &'a str,
    /// `base` or `upstream`.
    against: &'static str,
    /// Null if there is none.
    patch: Option<String>,
    /// The reason why there is no patch.
    why: Option<String>,
}

fn tell_lines(output: &mut Output<'_>, (number, file): (u64, &FileDifferences), against: Against) {
    let patch = text::patch(file, against);
    if output.json {
        let (patch, why) = match patch {
            Ok(patch) => (Some(patch), None),
            Err(why) => (None, Some(why)),
        };
        let object = LinesObject { number, path: &file.path, against: against.word(), patch, why };
        return output.object("review-diff", &object);
    }
    match patch {
        Ok(patch) => diff::tell_patch(output, &file.path, &patch),
        Err(why) => output.note(&format!("bumpdesk: {}: {why}", file.path)),
    }
}
