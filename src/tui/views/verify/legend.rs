//! What the columns of the rows and the words in them say.

use crate::desk::telling::column;
use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    (column::SUMS.short, "the stored checksum of the zip is what SHA256SUMS lists today"),
    (column::ARCHIVE.short, "the stored checksum of the zip is that of the zip as it was downloaded now"),
    (column::H1.short, "the stored h1, the hash in lock files, is that of the zip as it was downloaded now"),
    (
        column::SIGNED.short,
        "ok: a key on file signed SHA256SUMS; BAD: none did; none: no key is on file, so clients ask for no signature",
    ),
    (
        "same, differ",
        "compared with what is stored; new: nothing was stored before; gone: upstream no longer has it",
    ),
    ("?, -", "it was asked and is not known; it was not asked (yet)"),
    ("11 targets", "this many targets of one version have the same result; Enter shows each"),
    ("MISMATCH", "what is served now is not what was indexed, or cannot be installed"),
    ("BAD SIG", "the checksums are those that were indexed, and no key on file signed them"),
    ("FETCHING", "its archive is being downloaded"),
    ("HASHING", "its last byte is there, and it is hashed; one that is odd a second time, from a copy"),
    ("MISSING", "upstream no longer has it"),
    ("ERROR", "an answer could not be read; it never counts as a yes"),
    ("SKIPPED", "left out for a reason given in the row, such as its size"),
    ("checksums", "versions whose SHA256SUMS and signature were read; they come before all archives"),
    ("archives", "archives that were downloaded and hashed, or are left out"),
    ("bad", "targets with MISMATCH, BAD SIG, MISSING or ERROR; the number in the tab counts them"),
    ("undecided", "targets not yet known to be good or bad; with bad, ok, skipped and stopped these are all"),
    (
        "not checked",
        "comparisons that were not made: nothing is stored to compare with, or nothing could be read",
    ),
];
