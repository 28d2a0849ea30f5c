//! The entries that an intent is about.

use crate::desk::Desk;
use crate::desk::intent::Intent;
use crate::desk::telling::{Message, refuse};
use crate::jobs::data::Scope;
use crate::registry::Address;

/// Which entries are meant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meant {
    Everything,
    Shown,
    Marked,
    These(Vec<Address>),
    /// The scope that a command line named, even an empty one.
    Within(Scope),
}

impl Default for Meant {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

impl Intent {
    /// Notes how many of the selected entries cannot be seen, for the question before the intent.
    pub(crate) fn hiding(mut self, count: usize) -> Self {
        if let Self::Add { hidden, .. }
        | Self::Verify { hidden, .. }
        | Self::VerifyMarked { hidden }
        | Self::Backfill { hidden, .. } = &mut self
        {
            *hidden = count;
        }
        self
    }
}

impl Desk {
    /// Refuses if no entry is meant.
    pub(super) fn has(&self, meant: &Meant) -> Result<(), Message> {
        let (is_any, none) = match meant {
            Meant::Everything | Meant::Within(_) => (true, ""),
            Meant::Shown => (!self.list.shown.is_empty(), "nothing is shown"),
            Meant::Marked => (self.list.marks.contains(&true), "nothing is marked"),
            Meant::These(addresses) => (!addresses.is_empty(), "no entry is named"),
        };
        if is_any { Ok(()) } else { refuse(none) }
    }

    /// The entries that are meant, as the scope of a job.
    pub(super) fn scope(&self, meant: &Meant) -> Result<Scope, Message> {
        self.has(meant)?;
        Ok(match meant {
            Meant::Everything => Scope::Everything,
            Meant::Shown if self.list.shown.len() == self.list.verdicts.len() => Scope::Everything,
            Meant::Shown => Scope::Addresses(self.list.shown_addresses()),
            Meant::Marked => Scope::Addresses(self.list.marked()),
            Meant::These(addresses) => Scope::Addresses(addresses.clone()),
            Meant::Within(scope) => scope.clone(),
        })
    }

    /// The entries that are meant, each by its address.
    pub(super) fn entries(&self, meant: &Meant) -> Result<Vec<Address>, Message> {
        match self.scope(meant)? {
            Scope::Addresses(addresses) => Ok(addresses),
            _ => Ok(self.list.catalog.rows.iter().map(|row| row.address.clone()).collect()),
        }
    }
}
