//! Tasks on the plan, and one planned file with its lines.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::registry::Address;
use crate::rules::Mode;
use crate::rules::diff::Lines;
use crate::rules::edit::Edit;
use crate::rules::plan::{PlannedFile, Verb, Which};

/// A task on the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PlanTask {
    /// Read it: [`super::JobEvent::Planned`].
    #[serde(skip)]
    Show,
    /// Read one file of it with its lines: [`super::JobEvent::PlanOpened`].
    #[serde(skip)]
    Open(Address),
    /// Build proposals and put them into the plan, over earlier builds of the same files.
    Add(PlanAdd),
    /// Mark changes: all marks or none, and the files with them: [`super::JobEvent::PlannedFile`]. Marks of a [`Which::Piece`]
    /// that is gone are left out, with a note and the whole plan.
    #[serde(skip)]
    Mark(Vec<PlanMark>),
    /// Build the whole plan again on the registry and upstream as they are now.
    Rebuild { max_age: Duration },
    /// Take files out, with their marks; all of them if none is named.
    #[serde(skip)]
    Drop(Vec<Address>),
}

/// Files to be planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanAdd {
    /// Each with how it is made. Where one is an edit, all are of that kind.
    pub files: Vec<(Address, Mode)>,
    /// Facts younger than this are not asked again.
    pub max_age: Duration,
}

impl PlanAdd {
    pub(crate) fn addresses(&self) -> Vec<Address> {
        self.files.iter().map(|(address, _)| address.clone()).collect()
    }

    /// The first edit, with its entry.
    pub(crate) fn edit(&self) -> Option<(&Address, &Edit)> {
        let (address, mode) = self.files.first()?;
        Some((address, mode.edit()?))
    }
}

/// Something said about changes of one planned file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanMark {
    pub address: Address,
    pub which: Which,
    pub verb: Verb,
}

/// One planned file, opened for review.
#[derive(Clone, Debug)]
pub struct PlanOpened {
    pub(crate) file: PlannedFile,
    /// The whole proposal, rejected versions included.
    pub(crate) lines: Arc<Lines>,
}
