//! What the gauges, the picture and the words of the rows say.

use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    ("targets", "those of which something is known; the words behind it are what, and together all targets"),
    ("archives", "bytes read of all that are to be; a size that is not stored is guessed until it is read"),
    (
        "each, by 12",
        "the picture: a sign for each target, or for so many: of these the one that asks most for somebody",
    ),
    ("FILLED", "h1 and size were computed from the archive that the registry has the checksum of"),
    ("READING", "its archive is being downloaded and hashed"),
    ("WAITING", "it was not its turn yet"),
    (
        "HELD",
        "it would be filled in, but another target of its version has drifted: nothing of that version is",
    ),
    ("DRIFT", "the archive upstream is not the one that was indexed"),
    ("DIFFERS", "the archive is the one that was indexed, and not what is stored of its h1 or size"),
    ("GONE", "there is no such file upstream"),
    ("TOO LARGE", "the registry reads no archive of that size"),
    ("NO H1", "it is the archive that was indexed, and nobody can compute an h1 of it"),
    ("FAILED", "it could not be read; another run tries again"),
];
