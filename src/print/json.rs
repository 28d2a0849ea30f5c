//! The JSON that scripts read: one object a line, `"v": 1` and `"type"` first, the last of type `outcome`.
//!
//! The envelope and the two objects that any command may write; those of one command stand in `cli::wire`. A field may be
//! added within a version; a field that changes its meaning or goes makes the next version. Control and direction characters
//! leave as `\u` escapes.

use std::io;
use std::io::Write;

use serde::Serialize;

use crate::jobs::{Failure, FailureKind};
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
    summary: Option<Summary<'a>>,
    failure: Option<FailureLine<'a>>,
    #[serde(flatten)]
    extra: &'a T,
}

#[derive(Serialize)]
struct Summary<'a> {
    entries: u64,
    fresh: u64,
    requests: u64,
    not_modified: u64,
    failed: u64,
    broken: u64,
    applied: u64,
    findings: u64,
    limits: &'a [String],
}

#[derive(Serialize)]
struct FailureLine<'a> {
    kind: &'static str,
    doing: &'a str,
    causes: &'a [String],
    hint: Option<&'a str>,
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
        let summary = summary.map(|summary| Summary {
            entries: summary.entries,
            fresh: summary.fresh,
            requests: summary.requests,
            not_modified: summary.not_modified,
            failed: summary.failed,
            broken: summary.broken,
            applied: summary.applied,
            findings: summary.findings,
            limits: &summary.limits,
        });
        Self { command, result, exit: exit.code(), summary, failure: failure.map(FailureLine::new), extra }
    }
}

impl<'a> FailureLine<'a> {
    fn new(failure: &'a Failure) -> Self {
        let kind = match failure.kind {
            FailureKind::Usage => "usage",
            FailureKind::Config => "config",
            FailureKind::Auth => "auth",
            FailureKind::RateLimited => "rate-limited",
            FailureKind::Network => "network",
            FailureKind::Conflict => "conflict",
            FailureKind::Data => "data",
            FailureKind::Internal => "internal",
        };
        Self { kind, doing: &failure.doing, causes: &failure.causes, hint: failure.hint.as_deref() }
    }
}
