//! The objects of the commands, one type a file; the envelope around each is `print::json`.
//!
//! The shapes live here and nowhere else; core types derive no `Serialize`, except a verification's row, which is the line of
//! a report too.

mod help;
mod key;
mod key_sheet;
mod lock;
mod outcome;
mod past;
mod plan;
mod proposal;
mod verdict;
mod verify;
mod view;

pub(crate) use help::{HelpCommand, HelpPage, HelpTopic};
pub(crate) use key::{CheckedFile, KeyLine, MistakeLine};
pub(crate) use lock::{BlockLine, LockFinding, LockLine};
pub(crate) use outcome::{AppliedLine, Check, Found};
pub(crate) use past::{JobLine, LogEntry};
pub(crate) use plan::{PlanLine, PlannedLine};
pub(crate) use proposal::ProposalLine;
pub(crate) use verdict::{Entry, RowLine, VerdictLine, statuses};
pub(crate) use verify::{TargetLine, Verified};
pub(crate) use view::ViewLine;

#[cfg(test)]
mod tests;
