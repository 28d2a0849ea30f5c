//! Reads the registry again, opens an entry or the rebuild of it, or says why versions are not available.

use crate::desk::intent::{Intent, Step};
use crate::desk::telling::{Message, refuse};
use crate::desk::{Desk, Registry};
use crate::jobs::data::{Job, MAX_AGE, OpenPlan, TriagePlan};
use crate::registry::Address;
use crate::rules::{Depth, Mode};

impl Desk {
    pub(super) fn reload(&self) -> Result<Step, Message> {
        if self.registry == Registry::Missing {
            self.ready()?;
        }
        if self.board.loading().is_some() {
            return refuse("the registry is already being read");
        }
        self.no_survey()?;
        Ok(Step::Start(Job::Load))
    }
}

impl Intent {
    pub(crate) fn look(address: Address) -> Self {
        Self::Open(OpenPlan { address, rebuild: None, max_age: None, depth: Depth::Versions, with_key: None })
    }

    /// Builds the rebuild of an entry, to look at it: made from what upstream says now.
    pub(crate) fn build(address: Address) -> Self {
        Self::Open(OpenPlan {
            address,
            rebuild: Some(Mode::Add),
            max_age: Some(MAX_AGE),
            depth: Depth::Versions,
            with_key: None,
        })
    }
}

/// Looks up lines, or a list of them.
pub(super) fn triage(plan: &TriagePlan) -> Result<Step, Message> {
    if plan.lines.is_empty() && plan.list.is_none() {
        return Err(Message::of("no line is asked about").wrong());
    }
    Ok(Step::Start(Job::Triage(plan.clone())))
}
