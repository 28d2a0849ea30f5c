//! What follows: verdicts, proposals, differences. Pure, total, synchronous; nothing here can fail or touch the world.

pub mod diff;
mod finding;
mod proposal;
mod status;
mod verdict;

pub use finding::{Finding, Severity};
pub use proposal::{Class, Mode, Proposal};
pub use status::{Status, StatusRow};
pub use verdict::{Because, Depth, Published, PublishedBy, Source, Verdict, VersionMark, VersionState};
