//! The entries that an intent is about.

use crate::desk::Desk;
use crate::desk::telling::{Message, refuse};
use crate::jobs::data::Scope;
use crate::registry::Address;

/// The entries that an intent is about, as a face selects them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EntrySelection {
    Everything,
    Shown,
    Marked,
    These(Vec<Address>),
    /// The scope that a command line named, even an empty one.
    Within(Scope),
}

impl Default for EntrySelection {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

impl Desk {
    /// Refuses if no entry is selected.
    pub(super) fn has(&self, selection: &EntrySelection) -> Result<(), Message> {
        let (is_any, none) = match selection {
            EntrySelection::Everything | EntrySelection::Within(_) => (true, ""),
            EntrySelection::Shown => (!self.list.shown.is_empty(), "nothing is shown"),
            EntrySelection::Marked => (self.list.has_marks(), "nothing is marked"),
            EntrySelection::These(addresses) => (!addresses.is_empty(), "no entry is named"),
        };
        if is_any { Ok(()) } else { refuse(none) }
    }

    /// The selected entries as the scope of a job.
    pub(super) fn scope(&self, selection: &EntrySelection) -> Result<Scope, Message> {
        self.has(selection)?;
        Ok(match selection {
            EntrySelection::Everything => Scope::Everything,
            EntrySelection::Shown if self.list.shown.len() == self.list.verdicts.len() => Scope::Everything,
            EntrySelection::Shown => Scope::Addresses(self.list.shown_addresses()),
            EntrySelection::Marked => Scope::Addresses(self.list.marked()),
            EntrySelection::These(addresses) => Scope::Addresses(addresses.clone()),
            EntrySelection::Within(scope) => scope.clone(),
        })
    }

    /// The addresses of the selected entries.
    pub(super) fn entries(&self, selection: &EntrySelection) -> Result<Vec<Address>, Message> {
        match self.scope(selection)? {
            Scope::Addresses(addresses) => Ok(addresses),
            _ => Ok(self.list.catalog.rows.iter().map(|row| row.address.clone()).collect()),
        }
    }
}
