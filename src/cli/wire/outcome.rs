//! What commands did, found and remarked, and how they ended: types `applied`, `finding`, `note`, `check`, `outcome`.

use serde::Serialize;

use crate::cli::exit::Exit;
use crate::cli::wire::verdict::Finding;
use crate::jobs::{Applied, Failure, FailureKind};

/// One file of `bump`, type `applied`.
#[derive(Serialize)]
pub(crate) struct AppliedLine<'a> {
    address: String,
    path: &'a str,
    added: &'a [String],
    recorded: &'a [String],
    written: bool,
}

/// One finding of `lint`, type `finding`.
#[derive(Serialize)]
pub(crate) struct Found<'a> {
    path: &'a str,
    #[serde(flatten)]
    finding: Finding<'a>,
}

/// A remark, type `note`.
#[derive(Serialize)]
pub(crate) struct Note<'a> {
    pub(crate) text: &'a str,
}

/// One line of `doctor`, type `check`.
#[derive(Serialize)]
pub(crate) struct Check<'a> {
    pub(crate) topic: &'a str,
    pub(crate) state: &'static str,
    pub(crate) text: &'a str,
    /// What to do about it; null where nothing is bad.
    pub(crate) remedy: Option<&'a str>,
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

impl<'a> AppliedLine<'a> {
    pub(crate) fn new(applied: &'a Applied) -> Self {
        Self {
            address: applied.address.to_string(),
            path: &applied.path,
            added: &applied.added,
            recorded: &applied.recorded,
            written: applied.written,
        }
    }
}

impl<'a> Found<'a> {
    pub(crate) fn new(path: &'a str, finding: &'a crate::rules::Finding) -> Self {
        Self { path, finding: Finding::new(finding) }
    }
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
