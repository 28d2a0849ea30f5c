//! What the columns of the versions and of the keys say.

use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    ("STATE", "indexed, or what is wrong with this version"),
    ("TARGETS", "platforms (system and processor) that it has a package for"),
    ("H1", "for how many of them the hash of lock files is stored"),
    ("DISCOVERED", "when the registry took it up"),
    ("keys A, B", "keys on file and keys that only signatures name, in the order in which clients try them"),
    ("CLIENTS", "what installing does: it goes well, warns, fails, or looks at no signature (unchecked)"),
    ("good, warns", "the key signed the version; warns: the key or its signature has expired, or the like"),
    ("bad, unfit", "its name stands there and not its signature; a signature that does not count"),
    ("signed", "by a key that is not on file; -: not by this key"),
];
