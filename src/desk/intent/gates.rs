//! The gates that several abilities share: the registry is read, there is a plan, and no other long job runs.

use crate::desk::ability::Ability;
use crate::desk::telling::{Message, Why, refuse};
use crate::desk::{Consent, Desk, Registry};
use crate::jobs::data::Job;
use crate::registry::Address;
use crate::rules::plan::PlannedFile;

impl Desk {
    /// Refuses until the registry is read. A command's job reads it by itself.
    pub(crate) fn ready(&self) -> Result<(), Message> {
        let is_on_its_way =
            || self.board.loading().is_some() || self.board.running(|job| *job == Job::Recall).is_some();
        match &self.registry {
            _ if self.consent == Consent::Typed => Ok(()),
            Registry::Loaded(_) => Ok(()),
            Registry::Missing => refuse(
                Message::of("no registry is open")
                    .step(Ability::Leave, "leaves")
                    .step(Ability::Clone, "gets one"),
            ),
            Registry::Loading if is_on_its_way() => refuse("the registry is still being read"),
            Registry::Loading => {
                refuse(Message::of("the registry was not read").step(Ability::Reload, "reads it"))
            }
            Registry::Failed(_) => {
                refuse(Message::of("the registry could not be read").step(Ability::Reload, "tries again"))
            }
        }
    }

    /// Refuses if there is no plan, as far as is known. A plan that was not read yet is read by the job that starts.
    pub(crate) fn has_plan(&self) -> Result<(), Message> {
        self.ready()?;
        match &self.planning.plan {
            Some(plan) if plan.is_empty() && plan.unreadable.is_empty() => {
                Err(Message::of("the plan is empty").wrong().step(Ability::Add, "adds an entry"))
            }
            None if self.planning.failure.is_some() => refuse("the plan could not be read"),
            None if self.consent == Consent::Drawn => refuse("the plan is still being read"),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses like `has_plan`, for an ability that is about the whole plan: it is needless if the plan is empty.
    pub(super) fn has_files(&self) -> Result<(), Message> {
        self.has_plan().map_err(|why| if why.why == Why::Wrong { why.needless() } else { why })
    }

    /// The planned file of an entry; `None` if the plan is not known.
    pub(super) fn planned(&self, address: &Address) -> Result<Option<&PlannedFile>, Message> {
        match (&self.planning.plan, self.planning.find(address)) {
            (None, _) => Ok(None),
            (_, Some(file)) => Ok(Some(file)),
            // The job says what is wrong with it, and can drop it.
            (Some(plan), None) if plan.unreadable.contains(&address.to_string()) => Ok(None),
            (Some(_), None) => {
                let message = Message::of(format!("{address} is not in the plan")).wrong();
                Err(message.step(Ability::Add.entry(address.clone()), "adds it"))
            }
        }
    }

    /// Refuses a long job while another one runs, in a face that reads events aloud.
    pub(super) fn free(&self) -> Result<(), Message> {
        match self.board.running(Job::is_long) {
            Some(running) if self.consent == Consent::Spoken => {
                let text = format!("{} is still running", running.job.sentence());
                refuse(Message::of(text).step(Ability::CancelAll, "stops it"))
            }
            _ => Ok(()),
        }
    }
}
