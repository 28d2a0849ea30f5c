//! The views that there are. A view that does not exist has no row, and its number stays reserved.

use std::ops::RangeInclusive;

use crate::desk::ability::Ability;
use crate::rules::sending::{Purpose, WriteOrigin};

/// A view: the content between header and footer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ViewId {
    Inventory,
    Entry,
    Diff,
    Changes,
    /// The pull request of the plan.
    Pull,
    /// Pull requests of others.
    Reviews,
    /// The lines of one of them.
    ReviewDiff,
    Verify,
    /// Targets whose h1 and size are filled in.
    Backfill,
    /// Versions that no bump brings by itself.
    Stranded,
    Jobs,
}

/// One row of the table of views.
#[derive(Debug)]
pub(crate) struct ViewRow {
    pub(crate) id: ViewId,
    /// Its table in the key file.
    pub(crate) name: &'static str,
    /// Its name in sentences and titles.
    pub(crate) title: &'static str,
    /// Its name in the header of a narrow window; empty for a view without a number.
    pub(crate) short: &'static str,
    /// The word before its title in a sentence about a key: `in` Changes.
    pub(crate) at: &'static str,
    pub(crate) place: Place,
    /// The next step that shows it, if sentences leave it out while the view is seen.
    pub(crate) shown_by: Option<Ability>,
}

/// The place of a view in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Under its number, which is its key.
    Numbered(&'static [&'static str; 1]),
    /// As a part of another one, after its name.
    Inside(ViewId, &'static str),
}

impl Place {
    /// The place of what would be sent to GitHub: it belongs to the view that asks for it.
    pub(crate) fn of_sending(purpose: &Purpose) -> Self {
        let kind = purpose.kind();
        let view = match kind.origin {
            WriteOrigin::Plan => ViewId::Changes,
            WriteOrigin::Reviews => ViewId::Reviews,
            WriteOrigin::Jobs => ViewId::Jobs,
        };
        Self::Inside(view, kind.crumb)
    }
}

/// All views, in the order of the header.
pub(crate) const VIEWS: [ViewRow; 11] = [
    row(ViewId::Inventory, "inventory", "in the", "Inventory", Place::Numbered(&["1"])).short("Inv"),
    row(ViewId::Entry, "entry", "in", "one entry", Place::Inside(ViewId::Inventory, "> entry")),
    row(
        ViewId::Diff,
        "diff",
        "in",
        "the proposed rebuild",
        Place::Inside(ViewId::Inventory, "> proposed rebuild"),
    ),
    row(ViewId::Changes, "changes", "in", "Changes", Place::Numbered(&["2"])).short("Chg"),
    row(ViewId::Pull, "pull", "on", "the pull request", Place::Inside(ViewId::Changes, "> pull request"))
        .shown_by(Ability::ShowPull),
    row(ViewId::Reviews, "reviews", "in", "Reviews", Place::Numbered(&["3"])).short("Rev"),
    row(
        ViewId::ReviewDiff,
        "review-diff",
        "in",
        "the difference of a pull request",
        Place::Inside(ViewId::Reviews, "> difference"),
    ),
    row(ViewId::Verify, "verify", "in", "Verify", Place::Numbered(&["4"]))
        .short("Ver")
        .shown_by(Ability::ShowVerification),
    row(ViewId::Backfill, "backfill", "in", "Backfill", Place::Numbered(&["5"]))
        .short("Fill")
        .shown_by(Ability::ShowBackfill),
    row(ViewId::Stranded, "stranded", "in", "Stranded", Place::Numbered(&["6"])).short("Str"),
    row(ViewId::Jobs, "jobs", "in", "Jobs", Place::Numbered(&["8"])).short("Jobs"),
];

/// The view that the console begins with.
pub(crate) const HOME: ViewId = ViewId::Inventory;

/// The keys that are kept for views. Numbers are fixed: that of a view that does not exist does nothing.
pub(crate) const VIEW_NUMBERS: RangeInclusive<char> = '1'..='8';

const fn row(id: ViewId, name: &'static str, at: &'static str, title: &'static str, place: Place) -> ViewRow {
    ViewRow { id, name, title, short: "", at, place, shown_by: None }
}

impl ViewRow {
    const fn short(self, short: &'static str) -> Self {
        Self { short, ..self }
    }

    /// The step that leads here is left out of sentences here.
    const fn shown_by(self, step: Ability) -> Self {
        Self { shown_by: Some(step), ..self }
    }
}

impl ViewId {
    pub(crate) fn row(self) -> &'static ViewRow {
        &VIEWS[self as usize]
    }

    /// The keys that show it.
    pub(crate) const fn keys(self) -> &'static [&'static str] {
        match VIEWS[self as usize].place {
            Place::Numbered(number) => number,
            Place::Inside(..) => &[],
        }
    }

    /// The numbered view that it is, or is a part of.
    pub(crate) fn numbered(self) -> Self {
        match self.row().place {
            Place::Numbered(_) => self,
            Place::Inside(whole, _) => whole,
        }
    }

    /// Returns true if the view is the Inventory, the first view, or a part of it.
    pub(crate) fn is_home(self) -> bool {
        self.numbered() == HOME
    }
}

/// Rows stand in the order of the ids, one each.
const _: () = {
    let mut at = 0;
    while at < VIEWS.len() {
        assert!(VIEWS[at].id as usize == at, "a view's row stands at its place");
        at += 1;
    }
};
