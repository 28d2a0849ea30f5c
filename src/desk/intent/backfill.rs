//! Fills in the h1 and size of targets that lack them, here or on GitHub's machines.

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::intent::{EntrySelection, Prompt, Step};
use crate::desk::launch::FillHow;
use crate::desk::telling::{Message, refuse};
use crate::jobs::data::{BackfillOutput, BackfillPart, BackfillRun, BackfillTask, Job};
use crate::registry::{Address, Kind};
use crate::rules::actions::MOST_SHARES;
use crate::rules::amount::{Form, bytes, counted, length};
use crate::rules::backfill::{Selected, Selection};
use crate::rules::sending::ActionsPlan;

impl Desk {
    /// Fills in what the files of these entries lack, as far as the list knows.
    pub(super) fn backfill(&self, selection: &EntrySelection, how: &FillHow) -> Result<Step, Message> {
        self.may_begin_backfill()?;
        let run = BackfillRun {
            selection: self.backfill_selection(selection, how.versions.as_deref())?,
            limits: how.limits.clone(),
            part: BackfillPart::Whole(how.output.clone()),
        };
        Ok(Step::Start(Job::Backfill(BackfillTask::Run(run))))
    }

    pub(super) fn estimate_backfill(
        &self,
        selection: &EntrySelection,
        how: &FillHow,
    ) -> Result<Step, Message> {
        let selection = self.backfill_selection(selection, how.versions.as_deref())?;
        let task = BackfillTask::Estimate { selection, workers: how.limits.workers, shards: 1 };
        Ok(Step::Start(Job::Backfill(task)))
    }

    /// Continues the last backfill with the targets that it left.
    pub(super) fn backfill_again(&self) -> Result<Step, Message> {
        self.may_begin_backfill()?;
        match &self.filling {
            Some(filling) if filling.has_rest() => {
                Ok(Step::Start(Job::Backfill(BackfillTask::Run(filling.run.clone()))))
            }
            Some(_) => Err(Message::of("nothing is left of it: every target was read").needless()),
            None => {
                refuse(Message::of("nothing has been filled in yet").step(Ability::Backfill, "begins one"))
            }
        }
    }

    /// The plan of a backfill of these entries on so many of GitHub's machines.
    pub(crate) fn dispatching(
        &self,
        selection: &EntrySelection,
        shares: usize,
    ) -> Result<ActionsPlan, Message> {
        if !(1..=MOST_SHARES).contains(&shares) {
            return Err(Message::of(format!("it is shared out over 1 to {MOST_SHARES} machines")).wrong());
        }
        Ok(ActionsPlan::Dispatch { selection: self.backfill_selection(selection, None)?, shares })
    }

    /// Those of the entries that lack something, as far as the list knows.
    pub(crate) fn backfill_selection(
        &self,
        selection: &EntrySelection,
        versions: Option<&str>,
    ) -> Result<Selection, Message> {
        if (selection, versions) == (&EntrySelection::Everything, None) {
            return Ok(Selection::Everything);
        }
        let entries = self.entries(selection)?;
        let lacks = |address: &&Address| self.unhashed(address) > 0;
        let these: Result<Vec<Selected>, String> =
            entries.iter().filter(lacks).map(|address| Selected::new(address.clone(), versions)).collect();
        let these = these.map_err(|why| Message::of(why).wrong())?;
        if these.is_empty() {
            let text = match &entries[..] {
                [one] if one.kind() == Kind::Module => {
                    format!("nothing to fill in: {one} is a module, and those have no archives")
                }
                [one] => format!("nothing to fill in: every target of {one} has its h1 and its size"),
                many => format!(
                    "nothing to fill in: every target of {} has its h1 and its size",
                    counted(many.len(), "entry")
                ),
            };
            return Err(Message::of(text).needless());
        }
        // One that has no such version is left out; the job would refuse all of them.
        let has = |one: &Selected| {
            let shape = self.list.find(&one.address).map(|at| &self.list.catalog.rows[at].shape);
            one.versions.is_none()
                || shape.is_some_and(|shape| {
                    shape.versions.is_empty() || shape.version_list().any(|version| one.admits(version))
                })
        };
        let these: Vec<Selected> = these.into_iter().filter(has).collect();
        match versions {
            Some(versions) if these.is_empty() => {
                refuse(format!("no selected entry has a version {versions} with missing hashes"))
            }
            _ => Ok(Selection::These(these)),
        }
    }

    /// Refuses while a job runs that stands in the way of any backfill.
    pub(crate) fn may_begin_backfill(&self) -> Result<(), Message> {
        self.no_backfill()?;
        self.no_building()
    }

    fn no_backfill(&self) -> Result<(), Message> {
        match self.board.filling() {
            None => Ok(()),
            Some(job) if job.cancelling => refuse("the backfill is stopping"),
            Some(_) => refuse(
                Message::of("one backfill at a time, and one is running")
                    .step(Ability::ShowBackfill, "shows it")
                    .step(Ability::CancelBackfill.there(), "stops it"),
            ),
        }
    }

    /// Targets of an entry that lack h1 or size.
    fn unhashed(&self, address: &Address) -> u64 {
        self.list.find(address).map_or(0, |at| u64::from(self.list.catalog.rows[at].shape.unhashed_targets))
    }

    pub(super) fn backfill_prompt(&self, run: &BackfillRun, hidden: Option<String>) -> Prompt {
        let what = run.selection.summary();
        let counted_now = self.estimate.as_ref().filter(|estimate| estimate.selection == run.selection);
        let first = match (counted_now.and_then(|estimate| estimate.found.as_ref()), &run.selection) {
            (Some(found), _) => format!(
                "{what}: {} without h1 or size, {} to download.",
                counted(found.estimate.targets, "target"),
                bytes(found.estimate.bytes)
            ),
            (None, Selection::These(these)) if these.iter().all(|one| one.versions.is_none()) => {
                let lacking: u64 = these.iter().map(|one| self.unhashed(&one.address)).sum();
                format!("{what}: {} without h1 or size.", counted(lacking, "target"))
            }
            (None, _) => format!("{what}: every target without h1 or size."),
        };
        let mut says = vec![first];
        says.extend(hidden);
        let goes = match &run.part {
            BackfillPart::Whole(BackfillOutput::Plan) => "goes into the plan".to_owned(),
            BackfillPart::Whole(BackfillOutput::Patches { folder, .. }) => {
                format!("is written as patches into {}", folder.display())
            }
            BackfillPart::Whole(BackfillOutput::Nothing) | BackfillPart::Shard { .. } => {
                "is kept for the next run".to_owned()
            }
        };
        says.push(format!(
            "Each archive is downloaded, and its SHA-256 compared with the stored one; what was found {goes}. No data file is written."
        ));
        says.push(format!(
            "It stops at {} or after {}; what was found is kept, and the next run continues.",
            bytes(run.limits.bytes),
            length(run.limits.time, Form::Spoken)
        ));
        ("Fill in h1 and size?", says, "fill in")
    }
}
