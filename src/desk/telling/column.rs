//! The heads of columns: the same word holds the same in every table, and in the page that explains it.

use crate::desk::telling::Label;

pub(crate) const ADDRESS: Label = Label::of("ADDRESS");
pub(crate) const VERSION: Label = Label::of("VERSION");
pub(crate) const TARGET: Label = Label::of("TARGET");
pub(crate) const TARGETS: Label = Label::of("TARGETS");
pub(crate) const STATE: Label = Label::of("STATE");
pub(crate) const AGE: Label = Label::of("AGE");
pub(crate) const H1: Label = Label::two("H1", "h1");

// The list of entries.
pub(crate) const STATUS: Label = Label::of("STATUS");
pub(crate) const KIND: Label = Label::two("K", "kind");
pub(crate) const VERSIONS: Label = Label::of("VERSIONS");
// The list as a command prints it: programs cut its lines into fields.
pub(crate) const INDEXED: Label = Label::of("INDEXED");
pub(crate) const UPSTREAM: Label = Label::of("UPSTREAM");
pub(crate) const LACKS: Label = Label::of("LACKS");
pub(crate) const WHY: Label = Label::of("WHY");

// The versions of an entry.
pub(crate) const DISCOVERED: Label = Label::of("DISCOVERED");
/// The result of a client that checks the signature; the checksum is another thing.
pub(crate) const SIGNATURE: Label = Label::of("SIGNATURE");

// The plan.
pub(crate) const FILES: Label = Label::of("FILES");
pub(crate) const SEEN: Label = Label::two("SEEN", "looked at");

// A verification.
pub(crate) const SIZE: Label = Label::of("SIZE");
pub(crate) const SUMS: Label = Label::two("SHA256SUMS", "checksums file");
pub(crate) const ARCHIVE: Label = Label::two("ARCHIVE", "archive");
pub(crate) const SIGNED: Label = Label::two("SIGNED", "signature");
pub(crate) const NOTE: Label = Label::of("NOTE");

// The jobs.
pub(crate) const NUMBER: Label = Label::two("#", "job");
pub(crate) const WHAT: Label = Label::of("WHAT");
pub(crate) const PROGRESS: Label = Label::of("PROGRESS");
pub(crate) const RATE: Label = Label::of("RATE");
pub(crate) const LEFT: Label = Label::of("LEFT");
