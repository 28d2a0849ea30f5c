//! Verifies versions: compares the stored checksums, sizes and signatures with what upstream serves.

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::intent::{EntrySelection, Intent, Prompt, Step};
use crate::desk::run::End;
use crate::desk::telling::{Message, refuse};
use crate::jobs::data::{Job, VerifyPlan, Wanted};
use crate::registry::version::trim_v;
use crate::registry::{Address, Kind, Shape};
use crate::rules::amount::counted;

/// Verifications of more targets than this ask for confirmation.
const MANY_TARGETS: u64 = 200;
/// Verifications of more targets of unknown size than this ask for confirmation. One version of a provider has about as many.
const MANY_UNKNOWN: u64 = 20;

/// The counts that an opened entry knows of the version to verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) is_indexed: bool,
    pub(crate) targets: Option<u32>,
    pub(crate) hashed: Option<u32>,
}

/// The size of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Amount {
    versions: u64,
    targets: u64,
    /// Targets whose size is not stored.
    unknown: u64,
}

impl Amount {
    /// `8 versions, 112 targets`.
    pub(crate) fn words(self) -> String {
        format!("{}, {}", counted(self.versions, "version"), counted(self.targets, "target"))
    }
}

impl Intent {
    pub(crate) fn verify(address: Address, version: Option<String>, stored: Option<Stored>) -> Self {
        Self::Verify { plan: VerifyPlan::new(vec![Wanted { address, version }]), stored, hidden: 0 }
    }
}

impl Desk {
    pub(super) fn verify(&self, plan: &VerifyPlan, stored: Option<&Stored>) -> Result<Step, Message> {
        self.no_verification()?;
        if let Some(module) = plan.wanted.iter().find(|wanted| wanted.address.kind() == Kind::Module) {
            let found = self.list.find(&module.address).and_then(|at| self.list.verdicts.get(at));
            // The list already has the result of comparing the module's tags, and a module has nothing else to
            // verify.
            let moved = found.filter(|verdict| verdict.status.is_drift());
            let moved = moved.map(|verdict| format!("; {}", verdict.because.text)).unwrap_or_default();
            let text =
                format!("{} is a module: it has no archives, checksums or signatures{moved}", module.address);
            return Err(Message::of(text).wrong());
        }
        let unindexed = plan.wanted.iter().find_map(|wanted| {
            let version = wanted.version.as_deref()?;
            let is_indexed = stored
                .map_or_else(|| self.is_indexed(&wanted.address, version), |known| Some(known.is_indexed));
            (is_indexed == Some(false)).then(|| format!("{version} of {}", wanted.address))
        });
        if let Some(what) = unindexed {
            let text = format!("{what} is not indexed: nothing is stored to compare with");
            return Err(Message::of(text).wrong());
        }
        if self.amount(plan, stored).is_some_and(|amount| amount.targets == 0) {
            let what = Wanted::summary(&plan.wanted);
            return Err(
                Message::of(format!("nothing to verify: {what} has no targets in the registry")).wrong()
            );
        }
        Ok(Step::Start(Job::Verify(plan.clone())))
    }

    pub(super) fn verify_marked(&self) -> Result<Step, Message> {
        // The question says how many modules are left out.
        let marked = self.entries(&EntrySelection::Marked)?;
        let providers = marked.into_iter().filter(|address| address.kind() == Kind::Provider);
        let wanted: Vec<Wanted> = providers.map(|address| Wanted { address, version: None }).collect();
        if wanted.is_empty() {
            return refuse("only modules are marked: they have no archives, checksums or signatures");
        }
        self.verify(&VerifyPlan::new(wanted), None)
    }

    pub(super) fn verify_again(&self) -> Result<Step, Message> {
        self.no_verification()?;
        match &self.run {
            Some(run) => Ok(Step::Start(Job::Verify(run.plan.clone()))),
            None => refuse(
                Message::of("nothing has been verified yet").step(Ability::Verify, "verifies an entry"),
            ),
        }
    }

    pub(super) fn no_verification(&self) -> Result<(), Message> {
        match self.board.verifying() {
            None => Ok(()),
            Some(job) if job.cancelling => refuse("the verification is stopping"),
            Some(_) => refuse(
                Message::of("one verification at a time, and one is running")
                    .step(Ability::ShowVerification, "shows it")
                    .step(Ability::CancelVerification.there(), "stops it"),
            ),
        }
    }

    /// Returns true if an entry's file has a version; `None` if the file was not read, or has no version at all.
    pub(super) fn is_indexed(&self, address: &Address, version: &str) -> Option<bool> {
        let shape = &self.list.catalog.rows[self.list.find(address)?].shape;
        let is_it = |stored: &str| trim_v(stored) == trim_v(version);
        (!shape.versions.is_empty()).then(|| shape.version_list().any(is_it))
    }

    /// The size of a verification; `None` if it is not known before the job begins.
    pub(crate) fn amount(&self, plan: &VerifyPlan, stored: Option<&Stored>) -> Option<Amount> {
        if let (Some(stored), [_]) = (stored, &plan.wanted[..]) {
            let targets = u64::from(stored.targets?);
            let unknown = targets - u64::from(stored.hashed.unwrap_or(0)).min(targets);
            return Some(Amount { versions: 1, targets, unknown });
        }
        if plan.wanted.iter().any(|wanted| wanted.version.is_some()) || self.list.catalog.rows.is_empty() {
            return None;
        }
        let mut amount = Amount::default();
        for wanted in &plan.wanted {
            let shape = &self.list.catalog.rows[self.list.find(&wanted.address)?].shape;
            // The counts of a file that is broken, or not read yet, are not known.
            if shape.broken.is_some() || *shape == Shape::default() {
                return None;
            }
            amount.versions += u64::from(shape.version_count);
            amount.targets += u64::from(shape.target_count);
            amount.unknown += u64::from(shape.unhashed_targets);
        }
        Some(amount)
    }

    /// The question before a verification of many targets.
    pub(super) fn verify_prompt(
        &self,
        plan: &VerifyPlan,
        stored: Option<&Stored>,
        hidden: Option<String>,
    ) -> Option<Prompt> {
        let amount = self.amount(plan, stored)?;
        if amount.targets <= MANY_TARGETS && amount.unknown <= MANY_UNKNOWN {
            return None;
        }
        let mut says = vec![format!("{}: {}.", Wanted::summary(&plan.wanted), amount.words())];
        if amount.unknown > 0 {
            says.push(if amount.unknown == amount.targets {
                "Total size unknown.".to_owned()
            } else {
                format!("Total size unknown: {} without a recorded size.", counted(amount.unknown, "target"))
            });
        }
        let marked = self.list.mark_count();
        if plan.wanted.len() > 1 && marked > plan.wanted.len() {
            let modules = counted(marked - plan.wanted.len(), "module");
            says.push(format!("{modules} left out: they have no archives."));
        }
        says.extend(hidden);
        says.push(
            "Each archive is downloaded and hashed. It only reads; what is finished is kept in a report."
                .into(),
        );
        Some(("Verify all of it?", says, "verify"))
    }

    /// Returns true if the last verification ended before it had looked at all targets.
    pub(crate) fn was_cut(&self) -> bool {
        let end = self.run.as_ref().and_then(|run| run.end.as_ref());
        end.is_some_and(|end| !matches!(end, End::Done { .. }))
    }
}
