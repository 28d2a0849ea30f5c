//! What the columns of the list and its words say.

use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    ("DONE, GAPS", "over, but some entries could not be looked at in full; AGAIN tries those again"),
    ("CUT OFF", "its program ended before it did; AGAIN goes on where it stopped"),
    ("RATE", "requests a second"),
    ("LEFT", "time left, from and to"),
    ("#", "its number over all runs: `bumpdesk jobs` has the same"),
];
