//! Proposed rebuilds: type `proposal`.

use serde::Serialize;

use crate::cli::wire::verdict::{Because, Finding};
use crate::rules::{Class, Proposal, Verdict, diff};

/// One proposed rebuild of `diff`, type `proposal`.
#[derive(Serialize)]
pub(crate) struct ProposalLine<'a> {
    address: String,
    path: &'a str,
    /// What the proposal rests on: `noop` beside `unknown` says that nobody knows.
    status: &'static str,
    because: Because<'a>,
    mode: &'static str,
    class: &'static str,
    base_sha256: &'a str,
    sha256: &'a str,
    size_bytes: usize,
    versions: Vec<VersionChange<'a>>,
    fields: Vec<Changed<'a>>,
    normalises: Normalises,
    unchanged_versions: u32,
    findings: Vec<Finding<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<&'a str>,
}

#[derive(Serialize)]
struct VersionChange<'a> {
    version: &'a str,
    change: &'static str,
    old_place: Option<u32>,
    new_place: Option<u32>,
    fields: Vec<Changed<'a>>,
    targets: Vec<TargetChange<'a>>,
}

#[derive(Serialize)]
struct TargetChange<'a> {
    platform: &'a str,
    change: &'static str,
    fields: Vec<Changed<'a>>,
}

/// A field before and after, as the JSON text that stands in the file; null where it does not exist.
#[derive(Serialize)]
struct Changed<'a> {
    field: &'a str,
    old: Option<&'a str>,
    new: Option<&'a str>,
}

/// Side changes of every rewrite by the registry's own writer.
#[derive(Serialize)]
struct Normalises {
    key_orders: u32,
    empty_fields: u32,
    moved_versions: u32,
    layout: bool,
}

impl<'a> ProposalLine<'a> {
    pub(crate) fn new(proposal: &'a Proposal, verdict: &'a Verdict, patch: Option<&'a str>) -> Self {
        let normalises = proposal.diff.normalises;
        Self {
            address: proposal.address.to_string(),
            path: &proposal.path,
            status: verdict.status.name(),
            because: Because::new(&verdict.because),
            mode: proposal.mode.name(),
            class: class(proposal.diff.class),
            base_sha256: &proposal.base_digest,
            sha256: &proposal.digest,
            size_bytes: proposal.bytes.len(),
            versions: proposal.diff.versions.iter().map(VersionChange::new).collect(),
            fields: fields(&proposal.diff.fields),
            normalises: Normalises {
                key_orders: normalises.key_orders,
                empty_fields: normalises.empty_fields,
                moved_versions: normalises.moved_versions,
                layout: normalises.layout,
            },
            unchanged_versions: proposal.diff.unchanged_versions,
            findings: proposal.findings.iter().map(Finding::new).collect(),
            patch,
        }
    }
}

pub(super) fn class(class: Class) -> &'static str {
    match class {
        Class::Noop => "noop",
        Class::Additive => "additive",
        Class::Reorders => "reorders",
        Class::Mutates => "mutates",
        Class::Removes => "removes",
    }
}

fn fields(changes: &[diff::FieldChange]) -> Vec<Changed<'_>> {
    changes
        .iter()
        .map(|change| Changed {
            field: &change.field,
            old: change.old.as_deref(),
            new: change.new.as_deref(),
        })
        .collect()
}

impl<'a> VersionChange<'a> {
    fn new(change: &'a diff::VersionChange) -> Self {
        let target = |target: &'a diff::TargetChange| TargetChange {
            platform: &target.platform,
            change: target.kind.word(),
            fields: fields(&target.fields),
        };
        Self {
            version: &change.version,
            change: change.kind.word(),
            old_place: change.old_place,
            new_place: change.new_place,
            fields: fields(&change.fields),
            targets: change.targets.iter().map(target).collect(),
        }
    }
}
