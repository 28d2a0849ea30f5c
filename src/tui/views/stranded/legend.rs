//! What the columns of the board say.

use crate::desk::telling::stranded::title;
use crate::rules::stranded::Column;
use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    (title(Column::Retries).short, "the bump takes it, or tries it again within a day"),
    (
        title(Column::Stuck).short,
        "its release is complete, and no bump comes soon or at all: add it, or clear its failed tries",
    ),
    (
        title(Column::Broken).short,
        "its author would have to fix the release; the cards are grouped by what is wrong",
    ),
    (
        title(Column::Decided).short,
        "it waits for a decision, or somebody decided: on the blacklist, or ignored by you",
    ),
    (
        title(Column::Unknown).short,
        "it was not looked for, or could not be read; it is never taken for anything else",
    ),
    ("+", "it was not there at the last visit, or in another column"),
    ("*", "it is marked"),
];
