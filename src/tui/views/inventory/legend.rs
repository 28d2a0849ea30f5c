//! What the columns of the list and the figures above it say.

use crate::desk::telling::column;
use crate::tui::widgets::legend::{Legend, VIEWS};

pub(super) const LEGEND: Legend = &[
    ("need attention", "rows that do not resolve by themselves: look at them"),
    ("can wait", "rows that resolve by themselves, and NOHASH where nothing breaks"),
    (
        "act look wait fine",
        "the levels: users are hit now, a person should decide, it resolves by itself, nothing is wrong",
    ),
    (column::STATUS.short, "sign and word; all of them are listed below"),
    (column::KIND.short, "kind, where both are listed: p provider, m module"),
    (
        column::VERSIONS.short,
        "the highest version that the registry lists, then the highest that has a tag upstream if it is another; - none; the sign of BLOCKED: one is left out on purpose",
    ),
    (
        column::LACKS.short,
        "where VERSIONS has no room: versions that upstream has and the registry lacks; ? not known; the sign of BLOCKED",
    ),
    (
        column::AGE.short,
        "since the oldest missing version came out; dim, where none is missing: since the newest was indexed; - not recorded",
    ),
    (column::WHY.short, "why it has its status"),
    (VIEWS, "the views"),
];
