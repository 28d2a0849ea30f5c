//! What Reviews holds: the cursor, and what of the one under it is seen.

use crate::desk::Desk;
use crate::desk::reviews::Standing;
use crate::rules::review::OpenPull;

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

    /// The place of the cursor among the rows.
    pub(super) fn place(&self, rows: &[(&OpenPull, Standing<'_>)]) -> usize {
        self.at.and_then(|number| rows.iter().position(|(pull, _)| pull.number == number)).unwrap_or(0)
    }
}
