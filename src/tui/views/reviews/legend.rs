//! What the words of a review say.

use crate::desk::telling::review::NEWS;
use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    ("SAME", "what it adds is what upstream gives, and every archive was hashed"),
    ("SAME, NOT HASHED", "the same by the checksums that upstream lists; no archive was read"),
    ("UNKNOWN", "something could not be read; it is never taken for fine"),
    ("DIFFERS", "upstream gives something else; each place is named"),
    ("REFUSED", "policy: something indexed goes or changes, or people are to decide"),
    ("MOVED", "what it changes is not what was reviewed any more"),
    ("NOT READ", "it was not reviewed yet"),
    (NEWS.short, "since the last news of it, of whatever kind"),
];
