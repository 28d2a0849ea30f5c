//! What the columns of the list and its words say.

use crate::desk::telling::column;
use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    ("DONE, GAPS", "done, but some entries could not be looked at in full; AGAIN tries those again"),
    ("CUT OFF", "its program ended before it did; AGAIN continues where it stopped"),
    ("QUEUED", "of a run on GitHub's machines: no machine has taken this job yet"),
    (
        "scrolled back",
        "the log has newer lines below; its last line, with the keys in the log, follows it again",
    ),
    (column::RATE.short, "requests a second"),
    (column::LEFT.short, "time left, from and to"),
    (column::NUMBER.short, "its number over all runs: `bumpdesk jobs` has the same"),
];
