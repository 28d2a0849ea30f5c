//! What the columns of the rows and the words in them say.

use crate::desk::telling::column;
use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    (column::ZH_SUMS.short, "the stored checksum of the zip is what SHA256SUMS lists today"),
    (column::ZH_ZIP.short, "the stored checksum of the zip is that of the zip as it was downloaded now"),
    (column::H1.short, "the stored h1, the hash in lock files, is that of the zip as it was downloaded now"),
    (
        column::SIG.short,
        "ok: a key on file signed SHA256SUMS; BAD: none did; none: no key is on file, so nobody asks for a signature",
    ),
    ("same, differ", "yes, no; new: nothing was stored before; gone: upstream has it no more"),
    ("?, -", "it was asked and is not known; it was not asked (yet)"),
    ("11 targets", "so many of one version of which the same is to be said; Enter shows each"),
    ("MISMATCH", "what is served now is not what was indexed, or cannot be installed"),
    ("BAD SIG", "the checksums are those that were indexed, and no key on file signed them"),
    ("FETCHING", "its archive is on its way"),
    ("HASHING", "its last byte is there, and it is hashed; one that is odd a second time, from a copy"),
    ("MISSING", "upstream has it no more"),
    ("ERROR", "an answer could not be had; it is never taken for a yes"),
    ("SKIPPED", "left out for a reason that stands in the row, such as its size"),
    ("checksums", "versions whose SHA256SUMS and signature were read; they come before all archives"),
    ("archives", "archives that were downloaded and hashed, or are not to be"),
    (
        "undecided",
        "targets of which neither good nor bad is known yet; with bad, ok, skipped and stopped these are all",
    ),
];
