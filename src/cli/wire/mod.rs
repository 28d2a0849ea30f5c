//! The JSON that scripts read: one object a line, `"v": 1` and `"type"` first, the last of type `outcome`.
//!
//! The shapes live here and nowhere else; core types derive no `Serialize`, except a verification's row, which is
//! the line of a report too. A field may be added within a version; a
//! field that changes its meaning or goes makes the next version. Control and direction characters leave as `\u` escapes.

mod escape;
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

use std::io;
use std::io::Write;

use serde::Serialize;

pub(crate) use key::{CheckedFile, KeyLine, MistakeLine};
pub(crate) use lock::{BlockLine, LockFinding, LockLine};
pub(crate) use outcome::{AppliedLine, Check, Found, Note, Outcome};
pub(crate) use past::{JobLine, LogEntry};
pub(crate) use plan::{PlanLine, PlannedLine};
pub(crate) use proposal::ProposalLine;
pub(crate) use verdict::{Entry, RowLine, VerdictLine, statuses};
pub(crate) use verify::{TargetLine, Verified};
pub(crate) use view::ViewLine;

/// The version of the shapes.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Envelope<'a, T> {
    v: u32,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    body: &'a T,
}

/// Writes one object and a newline.
pub(crate) fn write<T: Serialize>(out: &mut dyn Write, kind: &'static str, body: &T) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(512);
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, escape::Plain);
    Envelope { v: VERSION, kind, body }.serialize(&mut serializer)?;
    bytes.push(b'\n');
    out.write_all(&bytes)
}

#[cfg(test)]
mod tests;
