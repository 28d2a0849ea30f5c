//! The JSON that scripts read: one object a line, `"v": 1` and `"type"` first, the last of type `outcome`.
//!
//! The envelope and the two objects that any command may write; those of a command stand in `cli`. A field may be
//! added within a version; a field that changes its meaning or goes makes the next version. Control and direction characters
//! leave as `\u` escapes.

use std::io;
use std::io::Write;

use serde::Serialize;

use crate::jobs::{Failure, Summary};
use crate::print::escape;
use crate::print::exit::Exit;

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

/// A remark, type `note`.
#[derive(Serialize)]
pub(crate) struct Note<'a> {
    pub(crate) text: &'a str,
}

/// How the command ended, type `outcome`; always the last object.
#[derive(Serialize)]
pub(crate) struct Outcome<'a, T> {
    command: &'static str,
    result: &'static str,
    exit: u8,
    summary: Option<&'a Summary>,
    failure: Option<&'a Failure>,
    #[serde(flatten)]
    extra: &'a T,
}

impl<'a, T> Outcome<'a, T> {
    pub(crate) fn new(
        command: &'static str,
        outcome: &'a crate::jobs::Outcome,
        exit: Exit,
        extra: &'a T,
    ) -> Self {
        use crate::jobs::Outcome as Ended;
        let (result, summary, failure) = match outcome {
            Ended::Done(summary) => ("done", Some(summary), None),
            Ended::Cancelled(summary) => ("cancelled", Some(summary), None),
            Ended::Failed(failure) => ("failed", None, Some(failure)),
        };
        Self { command, result, exit: exit.code(), summary, failure, extra }
    }
}
