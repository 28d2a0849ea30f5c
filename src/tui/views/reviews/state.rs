//! The state of Reviews: the cursor, and the visible part of the details.

use crate::desk::Desk;
use crate::desk::reviews::Standing;
use crate::rules::review::OpenPull;
use crate::tui::widgets::search::Search;
use crate::tui::widgets::table::TableWindow;

/// The pane that has the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Focus {
    #[default]
    List,
    /// The details, beside the list where there is room.
    Detail,
    /// The details, which take the whole view.
    Whole,
}

/// The state of the view.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    /// The number of the pull request under the cursor; the first row until the cursor is moved.
    pub(crate) at: Option<u64>,
    pub(crate) top: usize,
    /// The filter while it is typed.
    pub(super) filter: Search,
    pub(crate) focus: Focus,
    /// Lines of the details above their window.
    pub(crate) down: usize,
}

impl Reviews {
    /// The pull request under the cursor.
    pub(crate) fn selected<'a>(&self, desk: &'a Desk) -> Option<(&'a OpenPull, Standing<'a>)> {
        desk.reviews.row(self.place(desk))
    }

    /// The place of the cursor among the rows. It stays with its pull request when the rows move.
    pub(super) fn place(&self, desk: &Desk) -> usize {
        self.at.and_then(|number| desk.reviews.place_of(number)).unwrap_or(0)
    }

    pub(super) fn window(&self, desk: &Desk) -> TableWindow {
        TableWindow {
            count: desk.reviews.rows().len(),
            cursor: self.place(desk),
            top: self.top,
            is_focused: self.focus == Focus::List,
        }
    }
}
