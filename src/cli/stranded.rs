//! `stranded`: what no bump brings by itself, by what would have to happen; one card with its story; and what this maintainer
//! ignores for a while.

use std::sync::Arc;

use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde::Serialize;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::cli::selection::{chosen, parse_filter, recall};
use crate::desk::intent::Intent;
use crate::desk::naming;
use crate::desk::objects::CardObject;
use crate::desk::stranded::Stranded;
use crate::desk::telling::stranded::{
    MOST_LISTED, costly_entry, decided, figures, markdown, message, no_message, sweep,
};
use crate::jobs::data::{DecideTask, Failure, FailureKind, Job, JobEvent, Outcome};
use crate::print::exit::Exit;
use crate::print::runner::{Left, Runner};
use crate::print::text;
use crate::registry::version::trim_v;
use crate::registry::{Address, Decision, Version};
use crate::rules::decision;
use crate::rules::plan::Which;
use crate::rules::stranded::{Board, Card, Column, Cost, CostlyEntry, costliest};

/// List the versions that no bump brings by itself, by what would have to happen, or tell one with its story.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_long_help = "Examples:\n  bumpdesk stranded\n  bumpdesk stranded ns:quillfeather\n  bumpdesk stranded --column broken --json\n  \
    bumpdesk stranded --new --seen\n  bumpdesk stranded auth0/auth0 1.58.0\n  bumpdesk stranded auth0/auth0@1.58.0 --markdown\n\n\
    Columns: retries (the bump tries it again within a day), stuck (complete upstream, and no\n\
    bump comes soon or at all), broken (its author would have to fix the release), decided\n\
    (policy, blacklist, or ignored by you), unknown (upstream was not read). The words of a\n\
    filter are those of `bumpdesk list --filter`.\n\n\
    It tells what the last survey found and asks nobody: `bumpdesk survey` looks again. It exits\n\
    5 if a data file cannot be read, and 0 otherwise."
)]
pub(crate) struct StrandedArgs {
    #[command(subcommand)]
    action: Option<StrandedAction>,
    /// A filter; or an address and a version, for all that is told of that one.
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Only one column: retries, stuck, broken, decided or unknown.
    #[arg(long, value_name = "WORD", value_parser = column)]
    column: Option<Column>,
    /// Only what is new since the last visit.
    #[arg(long)]
    new: bool,
    /// Count this as a visit: what is there now is not new the next time.
    #[arg(long)]
    seen: bool,
    /// Print one as Markdown for an issue or a comment, and nothing else.
    #[arg(long)]
    markdown: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StrandedAction {
    /// Ignore versions until a date: they count for no status, and no survey asks about them.
    #[command(
        after_long_help = "It is kept on this machine and changes nothing for others; `bumpdesk plan block` keeps a version out for everybody.\n\n\
        Examples:\n  bumpdesk stranded ignore quillfeather/inkwell@4.2.0 --until 2027-01-01 --because 'never released'\n  \
        bumpdesk stranded ignore quillfeather/inkwell@4.2.0 quillfeather/inkwell@4.2.1 --until 90d --because 'author asked'"
    )]
    Ignore {
        /// Which ones.
        #[arg(value_name = "ADDRESS@VERSION", required = true)]
        versions: Vec<String>,
        /// The day on which it ends, such as 2027-01-01, or how long it lasts, such as 90d.
        #[arg(long, value_name = "DATE")]
        until: String,
        /// Why, in one line.
        #[arg(long, value_name = "TEXT")]
        because: String,
    },
    /// Take back that versions are ignored.
    #[command(after_long_help = "Example:\n  bumpdesk stranded unignore quillfeather/inkwell@4.2.0")]
    Unignore {
        /// Which ones.
        #[arg(value_name = "ADDRESS@VERSION", required = true)]
        versions: Vec<String>,
    },
    /// Draft a message to the author of versions: what is wrong, what is expected, what happens then.
    #[command(
        after_long_help = "It is printed and sent to nobody.\n\nExample:\n  bumpdesk stranded message stonewharf/derrick@1.11.2"
    )]
    Message {
        /// Versions of one entry.
        #[arg(value_name = "ADDRESS@VERSION", required = true)]
        versions: Vec<String>,
    },
}

fn column(text: &str) -> Result<Column, String> {
    Column::from_name(text).ok_or_else(|| {
        let known = Column::ALL.map(Column::name);
        format!("known columns: {}", known.join(", "))
    })
}

impl Run for StrandedArgs {
    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        match &self.action {
            Some(StrandedAction::Ignore { .. } | StrandedAction::Unignore { .. }) => {
                let now = runner.settings.clock.now();
                let intent = self.intent(now).map_err(|failure| runner.fail(failure))?;
                decide(runner, &intent).await
            }
            Some(StrandedAction::Message { versions }) => draft(runner, versions).await,
            None => match self.card() {
                Some((address, version)) => self.tell_card(runner, &address, &version).await,
                None => self.list(runner).await,
            },
        }
    }
}

impl StrandedArgs {
    pub(super) fn intent(&self, now: Timestamp) -> Result<Intent, Failure> {
        Ok(match &self.action {
            Some(StrandedAction::Ignore { versions, until, because }) => {
                Intent::Decide(DecideTask::Ignore(decisions(versions, until, because, now)?))
            }
            Some(StrandedAction::Unignore { versions }) => {
                Intent::Decide(DecideTask::TakeBack(named(versions)?))
            }
            Some(StrandedAction::Message { .. }) | None => Intent::ListStranded,
        })
    }

    /// The card that is named: `ADDRESS VERSION` or `ADDRESS@VERSION`; a filter is neither.
    fn card(&self) -> Option<(Address, String)> {
        let (address, version) = match &self.words[..] {
            [one] => one.split_once('@')?,
            [address, version] if Version::parse(version).is_ok() => (address.as_str(), version.as_str()),
            _ => return None,
        };
        Some((Address::parse(address).ok()?, version.to_owned()))
    }

    async fn list(&self, runner: &mut Runner<'_>) -> Result<Exit, Exit> {
        if self.markdown {
            let failure = Failure::new(FailureKind::Usage, "printing Markdown").cause("no version is named");
            return Ok(runner.fail(failure.hint("Name one: `bumpdesk stranded ADDRESS VERSION --markdown`.")));
        }
        let filter = parse_filter(&self.words.join(" ")).map_err(|failure| runner.fail(failure))?;
        let memory = recall(runner).await?;
        let (mut desk, outcome) = read(runner).await;
        desk.recall(&memory);
        let Some(board) = desk.board() else { return Ok(runner.finish(outcome, false, &())) };
        let fits: Option<Vec<bool>> = if filter.is_empty() {
            None
        } else {
            let loaded = runner.load().await?;
            let chosen = chosen(runner, &loaded, &filter).await?;
            let fits = |card: &Card| loaded.catalog.place(&card.address).is_some_and(|place| chosen[place]);
            Some(board.cards.iter().map(fits).collect())
        };
        let cards: Vec<(&Card, bool)> = board
            .cards
            .iter()
            .enumerate()
            .filter(|(at, _)| fits.as_ref().is_none_or(|fits| fits[*at]))
            .map(|(_, card)| (card, desk.is_new(card)))
            .filter(|(card, is_new)| {
                self.column.is_none_or(|column| column == card.column) && (*is_new || !self.new)
            })
            .collect();
        let costliest = costliest(cards.iter().map(|(card, _)| *card));
        tell(runner, board, &cards, &costliest);
        if self.seen {
            let visited = desk.visited();
            match runner.run(Job::Remember(visited), &mut |_, _| {}).await {
                Ok(Outcome::Done(_)) => {}
                outcome => return Ok(runner.finish(outcome, false, &())),
            }
        }
        let counts = Counts::of(&cards);
        let is_broken = matches!(&outcome, Ok(Outcome::Done(summary)) if summary.broken > 0);
        match outcome {
            Ok(done @ Outcome::Done(_)) if is_broken => {
                Ok(runner.finish_as(Exit::Incomplete, &done, &counts))
            }
            outcome => Ok(runner.finish(outcome, false, &counts)),
        }
    }

    async fn tell_card(
        &self,
        runner: &mut Runner<'_>,
        address: &Address,
        version: &str,
    ) -> Result<Exit, Exit> {
        let loaded = runner.load().await?;
        naming::address(&address.to_string(), &loaded.catalog).map_err(|failure| runner.fail(failure))?;
        let (desk, outcome) = read(runner).await;
        let Some(board) = desk.board() else { return Ok(runner.finish(outcome, false, &())) };
        let Some(card) = board.find(address, version) else {
            return Ok(runner.fail(not_there(address, version)));
        };
        let now = runner.settings.clock.now();
        let output = &mut runner.output;
        if output.json {
            output.object("stranded", &CardObject::new(card, false));
        } else if self.markdown {
            output.exact(&markdown(card, now));
        } else {
            output.lines(&text::stranded_card(&output.ui.clone(), card, now));
        }
        Ok(runner.finish(outcome, false, &()))
    }
}

fn not_there(address: &Address, version: &str) -> Failure {
    Failure::new(FailureKind::Usage, "looking for a stranded version")
        .cause(format!("{address}@{} is not on the board: it is not stranded, or not known", trim_v(version)))
        .hint("`bumpdesk triage ADDRESS@VERSION` says why a version is not available.")
}

/// Reads the board, and returns the end of that job with it.
async fn read(runner: &mut Runner<'_>) -> (Stranded, Result<Outcome, Left>) {
    let now = runner.settings.clock.now();
    let mut desk = Stranded::default();
    let outcome = runner
        .act("reading what is stranded", &Intent::ListStranded, &mut |_, event| {
            if let JobEvent::Stranded(board) = event {
                desk.take(Arc::clone(&board), now);
            }
        })
        .await;
    (desk, outcome)
}

fn tell(runner: &mut Runner<'_>, board: &Board, cards: &[(&Card, bool)], costliest: &[CostlyEntry]) {
    let now = runner.settings.clock.now();
    let output = &mut runner.output;
    if output.json {
        for (card, is_new) in cards {
            output.object("stranded", &CardObject::new(card, *is_new));
        }
        let (cost, unread, odd_tags) = (board.cost, board.unread, board.odd_tags);
        output.object("stranded-cost", &CostObject { sweep: cost, leave_out: costliest, unread, odd_tags });
        return;
    }
    let ui = output.ui.clone();
    output.lines(&text::stranded(&ui, cards, now));
    output.flush();
    let new = cards.iter().filter(|(_, is_new)| *is_new).count();
    output.note(&format!("bumpdesk: {}", figures(board, new)));
    if board.cost != Cost::default() {
        if costliest.is_empty() {
            output.note(&format!("bumpdesk: {}", sweep(board)));
            return;
        }
        output.note(&format!("bumpdesk: {}; what costs most and gives nothing:", sweep(board)));
        for entry in costliest.iter().take(MOST_LISTED) {
            output.note(&format!("  {}", costly_entry(entry)));
        }
        output.note("  `bumpdesk stranded ignore` leaves a version out of it until a date");
    }
}

/// The versions that are named, of any entries.
fn named(words: &[String]) -> Result<Vec<(Address, String)>, Failure> {
    let one = |word: &String| match naming::change(word)? {
        (address, Which::Version(version)) => Ok((address, trim_v(&version).to_owned())),
        _ => Err(Failure::new(FailureKind::Usage, format!("looking for `{word}`"))
            .cause("there is no version after the address")
            .hint("Write ADDRESS@VERSION.")),
    };
    words.iter().map(one).collect()
}

fn decisions(words: &[String], until: &str, because: &str, now: Timestamp) -> Result<Vec<Decision>, Failure> {
    let these = named(words)?;
    decision::ignoring(&these, until, because, now).map_err(|cause| {
        Failure::new(FailureKind::Usage, "ignoring versions")
            .cause(cause)
            .hint("Write --until 2027-01-01 or --until 90d, and --because with a line of reason.")
    })
}

async fn decide(runner: &mut Runner<'_>, intent: &Intent) -> Result<Exit, Exit> {
    let text = match intent {
        Intent::Decide(task) => decided(task),
        _ => String::new(),
    };
    let outcome = runner
        .act("keeping what is ignored", intent, &mut |output, event| {
            let JobEvent::Judged(batch) = event else { return };
            for judgement in &batch {
                if !output.json {
                    output.line(&text::judged(&output.ui.clone(), judgement));
                }
            }
        })
        .await;
    if matches!(outcome, Ok(Outcome::Done(_))) && !runner.output.json {
        runner.output.flush();
        runner.output.note(&format!("bumpdesk: {text}"));
        return Ok(Exit::Done);
    }
    Ok(runner.finish(outcome, false, &()))
}

async fn draft(runner: &mut Runner<'_>, words: &[String]) -> Result<Exit, Exit> {
    let loaded = runner.load().await?;
    let these = naming::versions(words, &loaded.catalog).map_err(|failure| runner.fail(failure));
    let (address, versions) = these?;
    let (desk, outcome) = read(runner).await;
    let Some(board) = desk.board() else { return Ok(runner.finish(outcome, false, &())) };
    let mut cards = Vec::new();
    for version in &versions {
        let Some(card) = board.find(&address, version) else {
            return Ok(runner.fail(not_there(&address, version)));
        };
        if let Some(why) = no_message(card) {
            let failure = Failure::new(FailureKind::Conflict, "drafting a message").cause(why);
            return Ok(runner.fail(failure));
        }
        cards.push(card);
    }
    let Some((title, body)) = message(&cards) else { return Ok(runner.finish(outcome, false, &())) };
    let output = &mut runner.output;
    if output.json {
        let repository = address.repository().url();
        output.object("message", &MessageObject { to: &repository, title: &title, body: &body });
    } else {
        output.exact(&format!("{title}\n\n{body}"));
    }
    Ok(runner.finish(outcome, false, &()))
}

/// Type `stranded-cost`.
#[derive(Serialize)]
struct CostObject<'a> {
    sweep: Cost,
    leave_out: &'a [CostlyEntry],
    unread: usize,
    odd_tags: usize,
}

/// Type `message`.
#[derive(Serialize)]
struct MessageObject<'a> {
    to: &'a str,
    title: &'a str,
    body: &'a str,
}

/// The number of versions in each column.
#[derive(Serialize)]
struct Counts {
    columns: std::collections::BTreeMap<&'static str, usize>,
}

impl Counts {
    fn of(cards: &[(&Card, bool)]) -> Self {
        let count = |column: Column| cards.iter().filter(|(card, _)| card.column == column).count();
        Self { columns: Column::ALL.map(|column| (column.name(), count(column))).into() }
    }
}
