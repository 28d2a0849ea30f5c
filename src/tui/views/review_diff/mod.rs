//! The lines of one pull request of another author: what it changes, and where it is not what upstream gives.
//!
//! The lines themselves are `widgets::diff`. Nothing here starts a job; Reviews does.

mod update;
mod view;

use std::sync::Arc;

use crate::desk::Desk;
use crate::desk::telling::summary::of_pull;
use crate::registry::Address;
use crate::rules::review::{Against, FileDifferences, PullDifferences, Result};
use crate::tui::widgets::diff::Pane;

/// The state of the view.
#[derive(Debug, Default)]
pub(crate) struct ReviewDiff {
    pub(crate) number: u64,
    pub(crate) against: Against,
    /// The place of the file among those of the pull request. Only its lines are laid out.
    at: usize,
    shown: Option<Arc<PullDifferences>>,
    pane: Pane,
}

impl ReviewDiff {
    /// Shows the first file of a pull request.
    pub(crate) fn open(&mut self, desk: &Desk, number: u64) {
        if self.number != number {
            *self = Self { number, ..Self::default() };
            // The side that shows what is wrong comes first.
            let found = desk.reviews.found(number).map(|found| found.review.result);
            if found == Some(Result::Differs) {
                self.against = Against::Upstream;
            }
        }
        self.renew(desk);
    }

    /// Takes the lines that the desk has now.
    fn renew(&mut self, desk: &Desk) {
        let now = desk.reviews.differences(self.number);
        let is_same = match (&self.shown, now) {
            (Some(shown), Some(now)) => Arc::ptr_eq(shown, now),
            // A list that is read again does not take away what somebody looks at.
            (_, None) => true,
            (None, Some(_)) => false,
        };
        if !is_same {
            self.shown = now.cloned();
            self.fill();
        }
    }

    /// Lays out the file at the cursor.
    fn fill(&mut self) {
        self.at = self.at.min(self.files().len().saturating_sub(1));
        let lines = self.file().and_then(|file| file.against(self.against).as_ref().ok()).cloned();
        // The blacklist and other files are no entry.
        let kind = self.file().and_then(|file| Address::from_path(&file.path)).map(|address| address.kind());
        match lines.filter(|lines| lines.has_changes()) {
            Some(lines) => {
                let summaries = kind.map(|kind| of_pull(&lines, kind, self.against));
                self.pane.fill(lines, summaries.unwrap_or_default());
            }
            None => self.pane.clear(),
        }
    }

    fn files(&self) -> &[FileDifferences] {
        self.shown.as_ref().map_or(&[], |shown| &shown.files)
    }

    fn file(&self) -> Option<&FileDifferences> {
        self.files().get(self.at)
    }
}
