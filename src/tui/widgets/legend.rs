//! What the columns, signs and figures of a view say: the middle part of the `?` page.
//!
//! Plain sentences; keys in them are filled in by `help`, which calls it.

use crate::tui::keymap::{Context, ViewId};

/// Stands for the keys of the views.
pub(crate) const VIEWS: &str = "VIEWS";
/// Stands for the key that runs a job again.
pub(crate) const AGAIN: &str = "AGAIN";

type Lines = &'static [(&'static str, &'static str)];

/// The word or sign, and what it says.
pub(crate) fn of(view: Context) -> Lines {
    match view {
        Context::View(ViewId::Inventory) => INVENTORY,
        Context::View(ViewId::Entry) => ENTRY,
        Context::View(ViewId::Diff | ViewId::Changes) => CHANGES,
        Context::View(ViewId::Verify) => VERIFY,
        Context::View(ViewId::Jobs) => JOBS,
        _ => &[],
    }
}

const INVENTORY: Lines = &[
    ("need attention", "rows that do not cure themselves: look at them"),
    ("can wait", "BEHIND and PENDING cure themselves, NOHASH breaks nothing"),
    ("STATUS", "sign and word; all of them stand below"),
    ("K", "kind: P provider, M module"),
    ("INDEXED", "the highest version that the registry lists"),
    ("UPSTREAM", "the highest version that has a tag upstream; - nobody knows"),
    ("LACKS", "versions that upstream has and the registry lacks; ? nobody knows"),
    ("AGE", "since the oldest lacking version came out; without one, since the newest was taken up"),
    (VIEWS, "the views that there are; the other numbers are kept for views to come"),
];

const ENTRY: Lines = &[
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

const CHANGES: Lines = &[
    ("ADDITIVE +", "only new versions come; nothing that is listed changes"),
    ("REORDERS ~", "only the order of keys, or the layout, changes"),
    ("MUTATES !", "a version that is listed would change: held by policy"),
    ("REMOVES -", "a version or target that is listed would go: held by policy"),
    ("NOOP =", "nothing changes: the file stays as it is"),
    ("ver, tgt", "versions, targets (platforms)"),
    ("SEEN", "how many of the changes you have looked at"),
];

const VERIFY: Lines = &[
    ("ZH=SUMS", "the stored checksum of the zip is what SHA256SUMS lists today"),
    ("ZH=ZIP", "the stored checksum of the zip is that of the zip as it was downloaded now"),
    ("H1", "the stored h1, the hash in lock files, is that of the zip as it was downloaded now"),
    ("SIG", "a key on file signed SHA256SUMS; none: no key is on file, so nobody asks for a signature"),
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

const JOBS: Lines = &[
    ("DONE, GAPS", "over, but some entries could not be looked at in full; AGAIN tries those again"),
    ("CUT OFF", "its program ended before it did; AGAIN goes on where it stopped"),
    ("RATE", "requests a second"),
    ("LEFT", "time left, from and to"),
    ("#", "its number over all runs: `bumpdesk jobs` has the same"),
];
