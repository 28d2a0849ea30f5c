//! What the columns of the rows and the words in them say.

use crate::desk::telling::column;
use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    (column::ZH_SUMS.short, "the stored checksum of the zip is what SHA256SUMS lists today"),
    (column::ZH_ZIP.short, "the stored checksum of the zip is that of the zip as it was downloaded now"),
    (column::H1.short, "the stored h1, the hash in lock files, is that of the zip as it was downloaded now"),
    (
        column::SIG.short,
        "a key on file signed SHA256SUMS; none: no key is on file, so nobody asks for a signature",
    ),
    ("same, differ", "yes, no; new: nothing was stored before; gone: upstream has it no more"),
    ("?, -", "it was asked and is not known; it was not asked (yet)"),
    (
        "MISMATCH X",
        "an answer is no: what is served now is not what was indexed, or not signed by a key on file",
    ),
    ("FETCHING ~", "its archive is on its way"),
    ("HASHING ~", "its last byte is there, and it is hashed; one that is odd a second time, from a copy"),
    ("MISSING 0", "upstream has it no more"),
    ("ERROR X", "an answer could not be had; it is never taken for a yes"),
    ("SKIPPED ?", "left out for a reason that stands in the row, such as its size"),
];
