//! Plans edits of data files, or writes the reply to an edit that the policy refuses.

use crate::desk::Desk;
use crate::desk::intent::{Intent, Prompt, Step};
use crate::desk::telling::{Message, refuse};
use crate::jobs::data::{Job, MAX_AGE, PlanAdd, PlanTask, ReplyPlan};
use crate::registry::Address;
use crate::rules::amount::{counted, grouped};
use crate::rules::edit::{Edit, twins};
use crate::rules::plan::PlannedFile;
use crate::rules::policy::{Permit, Reason, Refusal};
use crate::rules::{Mode, Remedy, VersionMark, VersionState};

impl Intent {
    pub(crate) fn edit(address: Address, edit: Edit) -> Self {
        Self::Edit(vec![(address, edit)])
    }

    /// Removes versions, or answers why they are not removed, by the registry's policy.
    ///
    /// # Errors
    /// The reason is an exceptional one, and what it needs is missing: what, as a part of a sentence.
    pub(crate) fn remove(
        (address, versions): (Address, Vec<String>),
        reason: Reason,
        (announcement, issue): (Option<&str>, Option<u64>),
    ) -> Result<Self, String> {
        match Permit::new(reason, announcement, issue) {
            Ok(permit) => Ok(Self::edit(address, Edit::Remove(versions, permit))),
            Err(Refusal::Ordinary(reason)) => Ok(Self::Reply(ReplyPlan { address, versions, reason })),
            Err(Refusal::Incomplete(why)) => Err(why),
        }
    }

    /// Plans the removal of whole entries, or returns the reasons why the registry's policy does not allow it.
    ///
    /// # Errors
    /// Returns the same errors as [`Self::remove`].
    pub(crate) fn remove_entries(
        addresses: Vec<Address>,
        reason: Reason,
        (announcement, issue): (Option<&str>, Option<u64>),
    ) -> Result<Self, String> {
        match Permit::new(reason, announcement, issue) {
            Ok(permit) => {
                let edit = |address| (address, Edit::RemoveEntry(permit.clone()));
                Ok(Self::Edit(addresses.into_iter().map(edit).collect()))
            }
            Err(Refusal::Ordinary(reason)) => {
                let address = addresses.into_iter().next().ok_or("no entry is named")?;
                Ok(Self::Reply(ReplyPlan { address, versions: Vec::new(), reason }))
            }
            Err(Refusal::Incomplete(why)) => Err(why),
        }
    }
}

impl Desk {
    pub(super) fn edit(&self, edits: &[(Address, Edit)]) -> Result<Step, Message> {
        self.no_building()?;
        let files = edits.iter().flat_map(|(address, edit)| {
            let all = self.edited(address, edit).into_iter();
            all.map(|address| (address, Mode::Edit(edit.clone())))
        });
        let add = PlanAdd { files: files.collect(), max_age: MAX_AGE };
        Ok(Step::Start(Job::Plan(PlanTask::Add(add))))
    }

    /// The entries that an edit changes: all entries of the repository that have a removed version, else the named one.
    fn edited(&self, address: &Address, edit: &Edit) -> Vec<Address> {
        let Edit::Remove(versions, _) = edit else { return vec![address.clone()] };
        let has_one =
            |twin: &Address| versions.iter().any(|version| self.is_indexed(twin, version) != Some(false));
        let mut twins = twins(address, &|twin| self.list.find(twin).is_some());
        twins.retain(|twin| twin == address || (self.list.find(twin).is_some() && has_one(twin)));
        twins
    }

    pub(super) fn reply(&self, plan: &ReplyPlan) -> Result<Step, Message> {
        self.no_verification()?;
        Ok(Step::Start(Job::Reply(plan.clone())))
    }

    /// The edit that clears the recorded failures of all versions of an entry that wait for their next try.
    pub(crate) fn clearing(&self, address: &Address) -> Result<Intent, Message> {
        let verdict = self.list.find(address).and_then(|at| self.list.verdicts.get(at));
        let waits = |state: &&VersionState| match state.mark {
            VersionMark::Is(status) => status.row().remedy == Remedy::Wait,
            _ => false,
        };
        let versions: Vec<String> = verdict
            .into_iter()
            .flat_map(|verdict| &verdict.versions)
            .filter(waits)
            .map(|state| state.version.clone())
            .collect();
        if versions.is_empty() {
            return refuse(format!("no version of {address} waits for its next try"));
        }
        Ok(Intent::edit(address.clone(), Edit::ClearErrors(versions)))
    }

    /// The question before edits are planned. An edit of one entry that is not planned yet needs no question.
    pub(super) fn edit_prompt(&self, edits: &[(Address, Edit)]) -> Option<Prompt> {
        const UNTOUCHED: &str = "No data file is written.";
        let (_, edit) = edits.first()?;
        let planned: Vec<&PlannedFile> =
            edits.iter().filter_map(|(address, _)| self.planning.find(address)).collect();
        match (edits.len(), &planned[..]) {
            (1, []) => None,
            (1, [planned, ..]) => {
                let says = format!(
                    "The plan already {}. This replaces that with a change that {}.",
                    planned.mode.sentence(),
                    edit.sentence()
                );
                Some(("Replace what is planned?", vec![says, UNTOUCHED.into()], "replace it"))
            }
            (count, planned) => {
                let count = counted(count, "entry");
                let mut says = vec![format!(
                    "Reads upstream and plans a change that {} for each of {count}. {UNTOUCHED}",
                    edit.words()
                )];
                if !planned.is_empty() {
                    says.push(format!(
                        "{} of them are planned already: that is replaced.",
                        grouped(planned.len())
                    ));
                }
                Some(("Add to the plan?", says, "add"))
            }
        }
    }
}
