//! The registry's blacklist as one more file of a pull request: what the planned files put on it, on the base's own.

use crate::jobs::data::Failure;
use crate::jobs::publish::base::Base;
use crate::jobs::publish::{Rebuilt, trouble};
use crate::registry::{BLACKLIST, Blacklist, BlacklistEntry, digest};
use crate::rules::diff::{CONTEXT_LINES, Lines};
use crate::rules::sending::{CommittedFile, SentBlacklist};

/// The blacklist as it would be.
pub(super) struct BlacklistChange {
    pub(super) file: CommittedFile,
    pub(super) sent: SentBlacklist,
    /// As git writes it.
    pub(super) difference: String,
}

/// `None` where nothing is put on it.
pub(super) fn change(base: &Base, rebuilt: &[Rebuilt]) -> Result<Option<BlacklistChange>, Failure> {
    let mut blocks: Vec<BlacklistEntry> = Vec::new();
    for block in rebuilt.iter().flat_map(|one| one.file.blocks()) {
        // Twins name each other.
        if !blocks.iter().any(|known| known.is_same(block)) {
            blocks.push(block.clone());
        }
    }
    if blocks.is_empty() {
        return Ok(None);
    }
    let old = base.blacklist.as_deref();
    let fail = |cause| trouble(BLACKLIST, cause);
    let bytes = Blacklist::with(old, &blocks).map_err(fail)?;
    let old = old.unwrap_or_default();
    let lines = Lines::of_blacklist(old, bytes.clone()).map_err(fail)?;
    let sent = SentBlacklist { base_digest: digest(old), outcome_digest: digest(&bytes) };
    let difference = lines.unified(BLACKLIST, CONTEXT_LINES);
    Ok(Some(BlacklistChange { file: CommittedFile { path: BLACKLIST.to_owned(), bytes }, sent, difference }))
}
