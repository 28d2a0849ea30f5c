//! How many rows of each kind there are.

use serde::{Deserialize, Serialize};

use crate::rules::verify::{Row, State, Zip};

/// Counts over rows, and how their zips were hashed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub targets: u64,
    pub ok: u64,
    pub mismatch: u64,
    #[serde(default)]
    pub(crate) bad_signature: u64,
    pub(crate) missing: u64,
    pub error: u64,
    pub skipped: u64,
    pub(crate) cancelled: u64,
    pub left: u64,
    /// Hashed while they arrived.
    pub streamed: u64,
    /// Read a second time from a copy.
    pub spooled: u64,
    /// Packages whose h1 is another once they are installed.
    #[serde(default)]
    pub forms_differ: u64,
    pub bytes: u64,
    /// Read but for their tag, of which nothing is known.
    #[serde(default)]
    pub(crate) tag_unread: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, row: &Row) {
        self.targets += 1;
        let state = row.state();
        let slot = match state {
            State::Ok => &mut self.ok,
            State::Mismatch => &mut self.mismatch,
            State::BadSignature => &mut self.bad_signature,
            State::Missing => &mut self.missing,
            State::Error => &mut self.error,
            State::Skipped => &mut self.skipped,
            State::Cancelled => &mut self.cancelled,
            State::Hashing | State::Fetching | State::Queued => &mut self.left,
        };
        *slot += 1;
        let is_read = !matches!(state, State::Error | State::Cancelled) && !state.is_under_way();
        self.tag_unread += u64::from(is_read && row.has_unread_tag());
        if let Zip::Hashed(computed) = &row.zip {
            self.bytes += computed.size_bytes;
            let way = if computed.spooled.is_some() { &mut self.spooled } else { &mut self.streamed };
            *way += 1;
            self.forms_differ += u64::from(computed.h1_installed.is_some());
        }
    }

    pub(crate) fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        let mut tally = Self::default();
        rows.into_iter().for_each(|row| tally.add(row));
        tally
    }
}
