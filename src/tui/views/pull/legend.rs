//! The signs and words of a pull request.

use crate::desk::telling::column;
use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    ("PASS", "this gate was looked at, and holds nothing up"),
    (column::NOTE.short, "it holds nothing up; Enter shows what is to be known"),
    ("FAIL", "nothing is sent; Enter shows why, and what can be done"),
    ("WAITING", "this request was not sent"),
    ("SENDING", "this request was sent, and is not answered"),
    ("DONE", "GitHub did what this request asked for"),
    ("REFUSED", "GitHub did not do it: nothing after it was sent"),
    ("9 of 9 gates", "none of them fails; Tab lists them"),
    ("7 others pass", "these gates hold nothing up; Tab lists them"),
    (
        "steps",
        "how far it is since it was opened: done, waited for (~), to come (-), failed, left out (x), not known (?)",
    ),
    ("digits", "of all requests with their bodies, as whom, and where: another title has other digits"),
];
