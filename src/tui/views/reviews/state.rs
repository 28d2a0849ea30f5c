//! What Reviews holds: the cursor, and what of the one under it is seen.

use crate::desk::reviews::Standing;
use crate::desk::{Desk, asking};
use crate::rules::review::OpenPull;
use crate::rules::sending::VerdictPlan;

/// The view's state.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    /// The number of the one under the cursor; the first one until it was moved.
    pub(crate) at: Option<u64>,
    pub(crate) top: usize,
    /// All of the one under the cursor has the whole screen.
    pub(crate) is_whole: bool,
    /// Lines of it above the window.
    pub(crate) down: usize,
}

impl Reviews {
    /// The one under the cursor.
    pub(crate) fn selected<'a>(&self, desk: &'a Desk) -> Option<(&'a OpenPull, Standing<'a>)> {
        let rows = desk.reviews.rows();
        rows.get(self.place(&rows)).copied()
    }

    /// The verdict that a line of text asks for, on the pull request under the cursor.
    pub(crate) fn verdict(&self, desk: &Desk, text: &str) -> Option<Result<VerdictPlan, String>> {
        let (pull, standing) = self.selected(desk)?;
        Some(asking::read_verdict(text, pull.number, was_hashed(standing)))
    }

    /// The place of the cursor among the rows.
    pub(super) fn place(&self, rows: &[(&OpenPull, Standing<'_>)]) -> usize {
        self.at.and_then(|number| rows.iter().position(|(pull, _)| pull.number == number)).unwrap_or(0)
    }
}

/// Its archives were downloaded and hashed.
pub(super) fn was_hashed(standing: Standing<'_>) -> bool {
    matches!(standing, Standing::Reviewed(found) if found.is_hashed())
}
