//! Looks at an entry, or at the rebuild of it.

use crate::desk::intent::Intent;
use crate::jobs::data::{MAX_AGE, OpenPlan};
use crate::registry::Address;
use crate::rules::{Depth, Mode};

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
