//! `plan`: what would be proposed, and what was said about it. Approves nothing that was not printed first.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::cli::console::Console;
use crate::cli::values::{length, mode, reason};
use crate::cli::{Run, wire};
use crate::desk::intent::{EntrySelection, Intent};
use crate::desk::naming;
use crate::desk::objects::{PlanObject, PlannedObject};
use crate::desk::telling::markdown;
use crate::jobs::data::{
    Failure, FailureKind, Job, JobEvent, Outcome, PlanMark, PlanOpened, PlanTask, Summary,
};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::Runner;
use crate::print::text;
use crate::registry::{Address, Catalog};
use crate::rules::Mode;
use crate::rules::diff::CONTEXT_LINES;
use crate::rules::edit::{Edit, twins};
use crate::rules::plan::{Piece, Plan, Verb, Which};
use crate::rules::policy::{REFUSED, Reason};

/// The plan: proposed rebuilds that wait for review. Add, show, approve, reject, rebuild, drop.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk plan add newrelic/newrelic\n  \
    bumpdesk plan show newrelic/newrelic\n  bumpdesk plan approve newrelic/newrelic\n\n\
    Nothing is written to the registry. What was not printed by `plan show ADDRESS`, or looked at in the console, \
    cannot be approved.")]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    action: PlanAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlanAction {
    /// Build the rebuild of entries and add it to the plan. Marks of changes that are the same as before stay.
    #[command(after_long_help = "Example:\n  bumpdesk plan add newrelic/newrelic auth0/auth0")]
    Add(PlanAddArgs),
    /// Show the plan; with addresses, show all that would change there. What was printed in full counts as looked at.
    #[command(
        after_long_help = "Examples:\n  bumpdesk plan show\n  bumpdesk plan show newrelic/newrelic --json\n  \
        bumpdesk plan show --markdown"
    )]
    Show {
        /// Only these entries, in full.
        #[arg(value_name = "ADDRESS")]
        addresses: Vec<String>,
        /// Print the plan as Markdown for an issue or a comment, and nothing else.
        #[arg(long, conflicts_with = "addresses")]
        markdown: bool,
    },
    /// Approve changes that were looked at: a whole file, or one version of it.
    #[command(after_long_help = "Examples:\n  bumpdesk plan approve newrelic/newrelic\n  \
        bumpdesk plan approve newrelic/newrelic@3.70.1 newrelic/newrelic@rest\n\n\
        `rest` is what changes outside the versions.")]
    Approve(MarkArgs),
    /// Reject changes: they stay out of what would be sent.
    #[command(
        after_long_help = "Example:\n  bumpdesk plan reject newrelic/newrelic@3.70.1 --note 'wrong signature'"
    )]
    Reject(MarkArgs),
    /// Undo an approval or a rejection.
    #[command(after_long_help = "Example:\n  bumpdesk plan reopen newrelic/newrelic@3.70.1")]
    Reopen(MarkArgs),
    /// Write a note on changes; an empty text removes it.
    #[command(
        after_long_help = "Example:\n  bumpdesk plan note newrelic/newrelic@3.70.1 --note 'asked the author'"
    )]
    Note(MarkArgs),
    /// Plan to clear the recorded failures of versions, so that the next bump tries them again without waiting.
    #[command(after_long_help = "Example:\n  bumpdesk plan clear-errors auth0/auth0@1.58.0\n\n\
        Only where upstream is complete by now: else the next try would fail again.")]
    ClearErrors {
        /// The versions of one entry.
        #[arg(value_name = "ADDRESS@VERSION", required = true)]
        versions: Vec<String>,
    },
    /// Plan to add a warning, which clients show to everybody who installs the provider.
    #[command(
        after_long_help = "Examples:\n  bumpdesk plan warn acme/rocket --text 'This provider is deprecated.'\n  \
        bumpdesk plan warn acme/rocket --moved-to umbrella/rocket"
    )]
    Warn(WarnArgs),
    /// Plan to remove versions and keep them out, or whole entries, for a reason that the registry's policy accepts; else print the reply.
    #[command(
        after_long_help = "Examples:\n  bumpdesk plan remove hashicorp/aws@6.57.0 --because extreme-disruption \\\n    \
        --announcement https://example.com/withdrawn --issue 4812\n  \
        bumpdesk plan remove coralogix/coralogix@3.14.1 --because double-publish > reply.md\n  \
        bumpdesk plan remove acme/rocket --because legal-duty --announcement https://example.com/notice --issue 4812\n\n\
        An address without a version is the whole entry, and `NAMESPACE/*` all entries of a namespace: their files are deleted. Keys stay.\n\n\
        Exceptional: malicious-code, leaked-secret, compromised-key, legal-duty, extreme-disruption. They need --announcement and --issue, \
        and two approvals. Refused: double-publish, bug, change-of-mind. They end with exit 4 and a reply that can be sent as it is; \
        nothing is planned."
    )]
    Remove(RemoveArgs),
    /// Plan to keep versions out that are not indexed: an entry on the blacklist for each.
    #[command(
        after_long_help = "Example:\n  bumpdesk plan block acme/rocket@2.0.0-test --because 'published by accident'"
    )]
    Block {
        /// The versions of one entry.
        #[arg(value_name = "ADDRESS@VERSION", required = true)]
        versions: Vec<String>,
        /// The reason, as the blacklist will have it.
        #[arg(long, value_name = "TEXT")]
        because: String,
    },
    /// Plan a new entry with all that upstream has, or a new key, as the registry's submission form makes it.
    #[command(
        after_long_help = "Examples:\n  bumpdesk plan submit provider acme/terraform-provider-rocket\n  \
        bumpdesk plan submit module acme/terraform-aws-vpc\n  bumpdesk plan submit key acme acme.asc\n  \
        bumpdesk plan submit key acme/rocket rocket.asc"
    )]
    Submit {
        /// What is new.
        #[arg(value_name = "KIND", value_parser = naming::SUBMITTED)]
        what: String,
        /// Its repository, OWNER/terraform-provider-NAME or OWNER/terraform-TARGET-NAME, or the URL; of a key, NAMESPACE or NAMESPACE/NAME.
        #[arg(value_name = "NAME")]
        name: String,
        /// Of a key: the file with the armored public key.
        #[arg(value_name = "FILE", required_if_eq("what", "key"))]
        file: Option<PathBuf>,
    },
    /// Build the whole plan again, on the registry and upstream as they are now. Marks of unchanged changes stay.
    #[command(after_long_help = "Example:\n  bumpdesk plan rebuild --max-age 0")]
    Rebuild {
        /// Reuse answers younger than this instead of asking again.
        #[arg(long, value_name = "AGE", default_value = "0", value_parser = length)]
        max_age: Duration,
    },
    /// Remove entries from the plan, with their marks.
    #[command(
        after_long_help = "Examples:\n  bumpdesk plan drop newrelic/newrelic\n  bumpdesk plan drop --all"
    )]
    Drop {
        /// The entries.
        #[arg(value_name = "ADDRESS", required_unless_present = "all")]
        addresses: Vec<String>,
        /// All of them.
        #[arg(long, conflicts_with = "addresses")]
        all: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PlanAddArgs {
    /// The entries.
    #[arg(value_name = "ADDRESS", required = true)]
    addresses: Vec<String>,
    /// add: missing versions, as production does; scratch: everything again; refresh=V,V: these versions again.
    #[arg(long, value_name = "MODE", default_value = "add", value_parser = mode)]
    mode: Mode,
    /// Reuse answers younger than this instead of asking again.
    #[arg(long, value_name = "AGE", default_value = "15m", value_parser = length)]
    max_age: Duration,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    /// The versions of one entry; or whole entries, `ADDRESS` or `NAMESPACE/*`.
    #[arg(value_name = "ADDRESS[@VERSION]", required = true)]
    versions: Vec<String>,
    /// Why: one of the policy's reasons.
    #[arg(long, value_name = "REASON", value_parser = reason)]
    because: Reason,
    /// Where upstream announced it.
    #[arg(long, value_name = "URL")]
    announcement: Option<String>,
    /// The issue in which it is decided.
    #[arg(long, value_name = "NUMBER")]
    issue: Option<u64>,
}

impl RemoveArgs {
    fn intent(&self, catalog: &Catalog) -> Result<Intent, Failure> {
        let evidence = (self.announcement.as_deref(), self.issue);
        let intent = if self.versions.iter().any(|word| word.contains('@')) {
            Intent::remove(naming::versions(&self.versions, catalog)?, self.because, evidence)
        } else {
            Intent::remove_entries(naming::whole_entries(&self.versions, catalog)?, self.because, evidence)
        };
        intent.map_err(|why| {
            Failure::new(FailureKind::Usage, "asking for a removal")
                .cause(why)
                .hint("Give --announcement URL and --issue NUMBER.")
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct WarnArgs {
    /// The provider.
    #[arg(value_name = "ADDRESS")]
    address: String,
    /// What clients show.
    #[arg(long, value_name = "TEXT", required_unless_present = "moved_to", conflicts_with = "moved_to")]
    text: Option<String>,
    /// It says that the provider moved to this address.
    #[arg(long, value_name = "ADDRESS")]
    moved_to: Option<String>,
}

impl WarnArgs {
    fn edit(&self) -> Result<Edit, Failure> {
        let read = match (&self.text, &self.moved_to) {
            (Some(text), _) => Edit::warning(text),
            (None, address) => Edit::moved_to(&naming::parse(address.as_deref().unwrap_or_default())?),
        };
        read.map_err(|why| Failure::new(FailureKind::Usage, "writing a warning").cause(why))
    }
}

#[derive(Debug, Args)]
pub(crate) struct MarkArgs {
    /// The changes: a planned entry, or one version of it.
    #[arg(value_name = "ADDRESS[@VERSION]", required = true)]
    changes: Vec<String>,
    /// A note on each of them.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Run for PlanArgs {
    fn asks_upstream(&self) -> bool {
        self.builds() || matches!(self.action, PlanAction::Rebuild { .. })
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        if self.builds() {
            runner.load().await?;
        }
        let intent = self.intent(&runner.desk.list.catalog).map_err(|failure| runner.fail(failure))?;
        match (&self.action, intent) {
            (_, Some(intent @ Intent::Reply(_))) => refuse(runner, &intent).await,
            (_, Some(intent)) => change(runner, &intent).await,
            (PlanAction::Show { addresses, .. }, None) if !addresses.is_empty() => {
                let addresses = parse(addresses).map_err(|failure| runner.fail(failure))?;
                show(runner, addresses).await
            }
            (PlanAction::Show { markdown: true, .. }, None) if !runner.output.json => {
                let outcome = runner
                    .run(Job::Plan(PlanTask::Show), &mut |output, event| {
                        if let JobEvent::Planned(plan) = event {
                            output.exact(&markdown::plan(&plan));
                        }
                    })
                    .await;
                Ok(runner.finish(outcome, false, &()))
            }
            (_, None) => Ok(tell(runner, None).await),
        }
    }
}

impl PlanArgs {
    /// It builds files of entries that it names.
    fn builds(&self) -> bool {
        match &self.action {
            PlanAction::Add(_)
            | PlanAction::ClearErrors { .. }
            | PlanAction::Warn(_)
            | PlanAction::Remove(_)
            | PlanAction::Block { .. }
            | PlanAction::Submit { .. } => true,
            PlanAction::Show { .. }
            | PlanAction::Approve(_)
            | PlanAction::Reject(_)
            | PlanAction::Reopen(_)
            | PlanAction::Note(_)
            | PlanAction::Rebuild { .. }
            | PlanAction::Drop { .. } => false,
        }
    }

    pub(super) fn intent(&self, catalog: &Catalog) -> Result<Option<Intent>, Failure> {
        Ok(Some(match &self.action {
            PlanAction::Show { .. } => return Ok(None),
            PlanAction::Add(args) => {
                let selection = EntrySelection::These(naming::addresses(&args.addresses, catalog)?);
                Intent::Add { selection, hidden: 0, mode: Some(args.mode.clone()), max_age: args.max_age }
            }
            PlanAction::Approve(args) => args.intent(Some(&Verb::Approve))?,
            PlanAction::Reject(args) => args.intent(Some(&Verb::Reject))?,
            PlanAction::Reopen(args) => args.intent(Some(&Verb::Reopen))?,
            PlanAction::Note(args) if args.note.is_none() => {
                return Err(Failure::new(FailureKind::Usage, "writing a note")
                    .cause("there is no text")
                    .hint("Give it with --note TEXT; an empty one removes the note."));
            }
            PlanAction::Note(args) => args.intent(None)?,
            PlanAction::ClearErrors { versions } => {
                let (address, versions) = naming::versions(versions, catalog)?;
                Intent::edit(address, Edit::ClearErrors(versions))
            }
            PlanAction::Warn(args) => Intent::edit(naming::address(&args.address, catalog)?, args.edit()?),
            PlanAction::Remove(args) => args.intent(catalog)?,
            PlanAction::Block { versions, because } => {
                let (address, versions) = naming::versions(versions, catalog)?;
                let edit = Edit::blocking(versions, because)
                    .map_err(|why| Failure::new(FailureKind::Usage, "blocking versions").cause(why))?;
                Intent::edit(address, edit)
            }
            PlanAction::Submit { what, name, file } => {
                let (address, edit) = naming::submission(what, name, file.as_deref(), catalog)?;
                Intent::edit(address, edit)
            }
            PlanAction::Rebuild { max_age } => Intent::Rebuild { max_age: *max_age },
            PlanAction::Drop { addresses, .. } => Intent::Drop(parse(addresses)?),
        }))
    }
}

impl MarkArgs {
    /// Says this of each change, and writes the note on it.
    fn intent(&self, verb: Option<&Verb>) -> Result<Intent, Failure> {
        let mut marks = Vec::new();
        let note = self.note.as_ref().map(|note| Verb::Note(note.clone()));
        for word in &self.changes {
            let (address, which) = naming::change(word)?;
            for verb in verb.into_iter().chain(&note) {
                marks.push(PlanMark { address: address.clone(), which: which.clone(), verb: verb.clone() });
            }
        }
        Ok(Intent::Say(marks))
    }
}

/// Prints the plan, or the named files.
async fn tell(runner: &mut Runner<'_>, only: Option<&[Address]>) -> Exit {
    let outcome = runner.run(Job::Plan(PlanTask::Show), &mut |output, event| take(output, event, only)).await;
    runner.finish(outcome, false, &())
}

/// Reads the plan, gives the intent to the desk, and prints the plan after it, or the named files.
async fn change(runner: &mut Runner<'_>, intent: &Intent) -> Result<Exit, Exit> {
    let (doing, only) = match intent {
        Intent::Add { selection: EntrySelection::These(addresses), .. } => {
            ("adding to the plan", Some(addresses.clone()))
        }
        Intent::Edit(edits) => {
            let catalog = &runner.desk.list.catalog;
            let twins = |(address, _): &(Address, Edit)| twins(address, &|twin| catalog.find(twin).is_some());
            ("planning an edit", Some(edits.iter().flat_map(twins).collect()))
        }
        Intent::Rebuild { .. } => ("building the plan again", None),
        Intent::Say(marks) => {
            let addresses = marks.iter().map(|mark| mark.address.clone()).collect();
            ("marking the plan; nothing was changed", Some(addresses))
        }
        _ => ("removing entries from the plan", None),
    };
    let only = only.as_deref();
    let read = runner.read_plan().await;
    if !matches!(read, Ok(Outcome::Done(_))) {
        return Err(runner.finish(read, false, &()));
    }
    let mut is_told = false;
    let outcome = runner
        .act(doing, intent, &mut |output, event| {
            is_told |= matches!(event, JobEvent::Planned(_));
            take(output, event, only);
        })
        .await;
    if matches!(outcome, Ok(Outcome::Done(_))) && !is_told {
        return Ok(tell(runner, only).await);
    }
    Ok(runner.finish(outcome, false, &()))
}

/// Prints the reply to what the policy refuses, and plans nothing.
async fn refuse(runner: &mut Runner<'_>, intent: &Intent) -> Result<Exit, Exit> {
    let mut is_told = false;
    let outcome = runner
        .act("writing a reply", intent, &mut |output, event| {
            if let JobEvent::Replied(reply) = event {
                is_told = true;
                if output.json {
                    output.object("reply", &*reply);
                } else {
                    output.exact(&format!("{}\n", reply.markdown));
                    output.note(&format!("bumpdesk: {REFUSED}"));
                }
            }
        })
        .await;
    match &outcome {
        Ok(done @ Outcome::Done(_)) if is_told => Ok(runner.finish_as(Exit::Refused, done, &())),
        _ => Ok(runner.finish(outcome, false, &())),
    }
}

fn take(output: &mut Output<'_>, event: JobEvent, only: Option<&[Address]>) {
    match event {
        JobEvent::Planned(plan) => tell_plan(output, &plan, only),
        JobEvent::Found(path, finding) => wire::tell_finding(output, &path, &finding),
        _ => {}
    }
}

fn tell_plan(output: &mut Output<'_>, plan: &Plan, only: Option<&[Address]>) {
    let files = plan.files.iter().filter(|file| only.is_none_or(|only| only.contains(&file.address)));
    if output.json {
        for file in files {
            output.object("planned", &PlannedObject::new(file, None));
        }
        output.object("plan", &PlanObject::new(plan));
        return;
    }
    output.line(&text::plan_head(plan));
    for file in files {
        output.lines(&text::planned(&output.ui.clone(), file));
    }
}

/// Prints files in full, and marks them as looked at if everything could be written.
async fn show(runner: &mut Runner<'_>, addresses: Vec<Address>) -> Result<Exit, Exit> {
    let mut printed = 0;
    for address in addresses {
        let mut seen = Vec::new();
        let outcome = runner
            .run(Job::Plan(PlanTask::Open(address.clone())), &mut |output, event| {
                if let JobEvent::PlanOpened(opened) = event {
                    tell_opened(output, &opened);
                    seen = see(&opened);
                }
            })
            .await;
        if !matches!(outcome, Ok(Outcome::Done(_))) {
            return Err(runner.finish(outcome, false, &()));
        }
        if runner.output.is_closed() {
            // Nobody can have looked at what nobody took.
            break;
        }
        let outcome = runner.run(Job::Plan(PlanTask::Mark(seen)), &mut |_, _| {}).await;
        match outcome {
            Ok(Outcome::Done(_)) => {
                printed += 1;
                runner
                    .output
                    .note(&format!("bumpdesk: {address} was printed in full and counts as looked at"));
            }
            // A second console may look all the same.
            Ok(Outcome::Failed(failure)) if failure.kind == FailureKind::Conflict => {
                runner.output.note(&format!(
                    "bumpdesk: {address} does not count as looked at: {}",
                    failure.causes.join("; ")
                ));
            }
            outcome => return Err(runner.finish(outcome, false, &())),
        }
    }
    let summary = Summary { entries: printed, ..Summary::default() };
    Ok(runner.finish(Ok(Outcome::Done(summary)), false, &()))
}

/// Marks of exactly what was printed.
fn see(opened: &PlanOpened) -> Vec<PlanMark> {
    let see = |piece: &Piece| PlanMark {
        address: opened.file.address.clone(),
        which: Which::Piece(piece.id.clone()),
        verb: Verb::See,
    };
    opened.file.pieces.iter().map(see).collect()
}

fn tell_opened(output: &mut Output<'_>, opened: &PlanOpened) {
    let patch = opened.lines.unified(&opened.file.path, CONTEXT_LINES);
    if output.json {
        output.object("planned", &PlannedObject::new(&opened.file, Some(&patch)));
        return;
    }
    output.lines(&text::planned(&output.ui.clone(), &opened.file));
    // Read, not applied: nothing in it may hide something from whoever looks, not even behind a pipe.
    for line in patch.lines() {
        output.line(&Line::of(line));
    }
}

fn parse(words: &[String]) -> Result<Vec<Address>, Failure> {
    words.iter().map(|word| naming::parse(word)).collect()
}
