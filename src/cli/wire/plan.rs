//! The plan: types `plan` and `planned`.

use serde::Serialize;

use crate::cli::wire::proposal::class;
use crate::rules::plan::{FileState, Part, Piece, Plan, PlannedFile, Remark, Standing};

/// The plan as a whole, type `plan`.
#[derive(Serialize)]
pub(crate) struct PlanLine {
    /// Over all that would be sent; null if nothing would be.
    digest: Option<String>,
    name: String,
    base: String,
    files: usize,
    approved_files: usize,
    held_files: usize,
    unseen_changes: usize,
    approved: bool,
}

/// One planned file, type `planned`.
#[derive(Serialize)]
pub(crate) struct PlannedLine<'a> {
    address: String,
    path: &'a str,
    mode: &'static str,
    revision: &'a str,
    built_at: String,
    class: &'static str,
    state: &'static str,
    reason: &'a str,
    /// `current`, `stale` or `lost`: the file in the registry against the base.
    standing: &'static str,
    next: String,
    base_sha256: &'a str,
    /// Of what would be sent, without rejected changes.
    sha256: &'a str,
    changes: Vec<PieceLine<'a>>,
    remarks: Vec<RemarkLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<&'a str>,
}

#[derive(Serialize)]
struct PieceLine<'a> {
    id: &'a str,
    /// Null for what changes outside the versions.
    version: Option<&'a str>,
    change: &'static str,
    class: &'static str,
    targets: usize,
    seen: bool,
    answer: &'static str,
    note: &'a str,
}

#[derive(Serialize)]
struct RemarkLine<'a> {
    severity: &'a str,
    rule: &'a str,
    version: Option<&'a str>,
    text: &'a str,
}

impl PlanLine {
    pub(crate) fn new(plan: &Plan) -> Self {
        let tally = plan.tally();
        Self {
            digest: plan.digest(),
            name: plan.name(),
            base: plan.base(),
            files: tally.files,
            approved_files: tally.approved,
            held_files: tally.held,
            unseen_changes: tally.unseen,
            approved: plan.is_approved(),
        }
    }
}

impl<'a> PlannedLine<'a> {
    pub(crate) fn new(file: &'a PlannedFile, patch: Option<&'a str>) -> Self {
        Self {
            address: file.address.to_string(),
            path: &file.path,
            mode: file.mode.name(),
            revision: &file.revision,
            built_at: file.built_at.to_string(),
            class: class(file.class),
            state: match file.state {
                FileState::Held(_) => "held",
                FileState::Nothing(_) => "nothing-left",
                FileState::Open => "to-review",
                FileState::Approved => "approved",
            },
            reason: file.state.reason(),
            standing: match file.standing {
                Standing::Current => "current",
                Standing::Stale => "stale",
                Standing::Lost => "lost",
            },
            next: file.next_step(),
            base_sha256: &file.base_digest,
            sha256: &file.outcome_digest,
            changes: file.pieces.iter().map(PieceLine::new).collect(),
            remarks: file.remarks.iter().map(RemarkLine::new).collect(),
            patch,
        }
    }
}

impl<'a> PieceLine<'a> {
    fn new(piece: &'a Piece) -> Self {
        Self {
            id: &piece.id.0,
            version: match &piece.part {
                Part::Version(version) => Some(version),
                Part::Rest => None,
            },
            change: piece.change.word(),
            class: class(piece.class),
            targets: piece.targets,
            seen: piece.mark.seen,
            answer: piece.mark.answer.word(),
            note: &piece.mark.note,
        }
    }
}

impl<'a> RemarkLine<'a> {
    fn new(remark: &'a Remark) -> Self {
        Self {
            severity: &remark.severity,
            rule: &remark.rule,
            version: remark.version.as_deref(),
            text: &remark.text,
        }
    }
}
