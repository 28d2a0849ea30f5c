//! `notice`: what this maintainer keeps of questions that come again and again. Reads and keeps them through jobs.

use clap::{Args, Subcommand};

use crate::cli::Run;
use crate::cli::console::Console;
use crate::cli::selection::recall;
use crate::jobs::data::{Failure, FailureKind, Job, Outcome};
use crate::print::exit::Exit;
use crate::print::output::Line;
use crate::print::runner::Runner;
use crate::rules::amount::counted;
use crate::rules::memory::Memory;
use crate::rules::notice::Notice;
use crate::rules::plain_text::shell_word;
use crate::rules::{memory, notice};

/// Keep notices: which versions a known problem is about, the issue where it was answered, and the reply.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    bumpdesk notice add 'coder/*@2.18.*' --issue 3974 --field shasum --reply 'Pin GoReleaser 2.14.3 and publish a new version.'\n  \
    bumpdesk notice list\n  bumpdesk notice export > notices.sh")]
pub(crate) struct NoticeArgs {
    #[command(subcommand)]
    action: NoticeAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum NoticeAction {
    /// Add a notice, replacing one about the same versions.
    #[command(
        after_long_help = "In a pattern `*` stands for anything. What matches is told by `show` and `review`; it changes no status.\n\n\
        Example:\n  bumpdesk notice add 'coder/*@2.18.*' --issue 3974 --reply 'Pin GoReleaser 2.14.3 and publish a new version.'"
    )]
    Add(AddArgs),
    /// List the notices.
    #[command(after_long_help = "Example:\n  bumpdesk notice list --json")]
    List,
    /// Remove the notices that name an issue.
    #[command(after_long_help = "Example:\n  bumpdesk notice remove 3974")]
    Remove {
        /// The issue's number.
        #[arg(value_name = "ISSUE")]
        issue: u64,
    },
    /// Print the commands that add the same notices on another machine.
    #[command(after_long_help = "Example:\n  bumpdesk notice export > notices.sh")]
    Export,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// Which addresses and versions it is about: ADDRESS or ADDRESS@VERSION, with `*` for anything.
    #[arg(value_name = "PATTERN")]
    pattern: String,
    /// The issue where it was answered.
    #[arg(long, value_name = "NUMBER")]
    issue: u64,
    /// What to reply, in one line.
    #[arg(long, value_name = "TEXT")]
    reply: String,
    /// Have it count in a review only where this field is what differs.
    #[arg(long, value_name = "FIELD")]
    field: Option<String>,
}

impl Run for NoticeArgs {
    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let mut kept = memory::notices(&recall(runner).await?);
        let done = match &self.action {
            NoticeAction::List => {
                tell(runner, &kept, listed);
                return Ok(runner.done());
            }
            NoticeAction::Export => {
                tell(runner, &kept, exported);
                return Ok(runner.done());
            }
            NoticeAction::Add(args) => add(&mut kept, args),
            NoticeAction::Remove { issue } => notice::remove(&mut kept, *issue)
                .map(|count| format!("{} removed", counted(count, "notice")))
                .map_err(|cause| usage("removing a notice", cause)),
        };
        let done = done.map_err(|failure| runner.fail(failure))?;
        keep(runner, &kept).await?;
        if !runner.output.json {
            runner.output.note(&format!("bumpdesk: {done}"));
        }
        Ok(runner.done())
    }
}

fn add(kept: &mut Vec<Notice>, args: &AddArgs) -> Result<String, Failure> {
    let AddArgs { pattern, issue, reply, field } = args;
    let usage = |cause| usage("adding a notice", cause);
    let new = Notice::new(pattern, field.as_deref(), *issue, reply).map_err(usage)?;
    let pattern = new.pattern();
    let replaced = notice::add(kept, new).map_err(usage)?;
    let old = if replaced { ", replacing the old one" } else { "" };
    Ok(format!("the notice of issue #{issue} on `{pattern}` is kept{old}"))
}

fn usage(doing: &str, cause: String) -> Failure {
    Failure::new(FailureKind::Usage, doing).cause(cause).hint("Run `bumpdesk notice list` for the notices.")
}

/// Keeps the notices, and makes sure that they are kept: while a console holds the state they are not.
async fn keep(runner: &mut Runner<'_>, kept: &[Notice]) -> Result<(), Exit> {
    let mut memory = Memory::new();
    memory::put_notices(&mut memory, kept);
    match runner.run(Job::Remember(memory), &mut |_, _| {}).await {
        Ok(Outcome::Done(_)) => {}
        outcome => return Err(runner.finish(outcome, false, &())),
    }
    if memory::notices(&recall(runner).await?) == kept {
        return Ok(());
    }
    Err(runner.fail(
        Failure::new(FailureKind::Conflict, "keeping the notices")
            .cause("another bumpdesk holds the state, or it cannot be written")
            .hint("Quit the other one, then do the same again."),
    ))
}

fn tell(runner: &mut Runner<'_>, kept: &[Notice], line: fn(&Notice) -> Line) {
    if runner.output.json {
        for notice in kept {
            runner.output.object("notice", notice);
        }
        return;
    }
    runner.output.lines(&kept.iter().map(line).collect::<Vec<_>>());
    runner.output.flush();
}

/// `#3974 coder/*@2.18.* (shasum): Pin GoReleaser 2.14.3.`
fn listed(notice: &Notice) -> Line {
    let field = notice.field.as_ref().map(|field| format!(" ({field})")).unwrap_or_default();
    Line::of(format!("#{} {}{field}: {}", notice.issue, notice.pattern(), notice.reply)).hanging(2)
}

/// The command that adds it, as a shell reads it.
fn exported(notice: &Notice) -> Line {
    let field = notice.field.as_ref().map(|field| format!(" --field {}", shell_word(field)));
    Line::of(format!(
        "bumpdesk notice add {} --issue {}{} --reply {}",
        shell_word(&notice.pattern()),
        notice.issue,
        field.unwrap_or_default(),
        shell_word(&notice.reply)
    ))
}
