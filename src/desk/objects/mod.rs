//! The JSON that scripts read and that is copied: one object a line, `"v": 1` and `"type"` first.
//!
//! Here is the envelope, and what more than one face shows or more than one command prints; the objects of one command stand in its
//! file. What has a meaning of its own derives its shape where it lives. A field may be added within a version; a field that changes
//! its meaning or goes makes the next version. Control and direction characters leave as `\u` escapes.

mod card;
mod entry;
mod escape;
mod fill;
mod keys;
mod planned;
mod sending;
mod target;
mod triage;

use std::io;
use std::io::Write;

use serde::Serialize;

use crate::registry::{Address, Kind};
use crate::rules::{Level, Verdict};

pub(crate) use card::CardObject;
pub(crate) use entry::EntryObject;
pub(crate) use fill::FillObject;
pub(crate) use planned::{PlanObject, PlannedObject};
pub(crate) use sending::{GateObject, SendingObject};
pub(crate) use target::TargetObject;
pub(crate) use triage::TriageObject;

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

/// A verdict: of `survey` (type `verdict`) and inside `list` and `show`.
#[derive(Serialize)]
pub(crate) struct VerdictObject<'a> {
    address: &'a Address,
    kind: Kind,
    path: String,
    level: Level,
    #[serde(flatten)]
    verdict: &'a Verdict,
}

impl<'a> VerdictObject<'a> {
    pub(crate) fn new(address: &'a Address, verdict: &'a Verdict) -> Self {
        Self { address, kind: address.kind(), path: address.path(), level: verdict.level(), verdict }
    }
}
