//! What the columns of the versions and of the keys say.

use crate::desk::telling::column;
use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    (column::STATE.short, "indexed, or what is wrong with this version"),
    (column::TARGETS.short, "platforms (system and processor) that it has a package for"),
    (column::H1.short, "for how many of them the hash of lock files is stored"),
    (column::DISCOVERED.short, "when the registry indexed it"),
    ("keys A, B", "keys on file and keys that only signatures name, in the order in which clients try them"),
    (
        column::SIGNATURE.short,
        "what a client that checks signatures does: works; works, warns (the key or its signature has expired, or the like); \
         fails; unchecked (it looks at no signature)",
    ),
];
