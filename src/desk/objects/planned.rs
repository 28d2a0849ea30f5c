//! The plan and its files.

use jiff::Timestamp;
use serde::Serialize;

use crate::registry::Address;
use crate::rules::Class;
use crate::rules::plan::{FileState, Piece, Plan, PlannedFile, Remark, Standing};

/// The plan as a whole, type `plan`.
#[derive(Serialize)]
pub(crate) struct PlanObject {
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
pub(crate) struct PlannedObject<'a> {
    address: &'a Address,
    path: &'a str,
    mode: &'static str,
    revision: &'a str,
    built_at: Timestamp,
    class: Class,
    state: &'static str,
    reason: &'a str,
    /// The file in the registry against the base.
    standing: Standing,
    next: String,
    base_sha256: &'a str,
    /// Of what would be sent, without rejected changes.
    sha256: &'a str,
    changes: &'a [Piece],
    remarks: &'a [Remark],
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<&'a str>,
}

impl PlanObject {
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

impl<'a> PlannedObject<'a> {
    pub(crate) fn new(file: &'a PlannedFile, patch: Option<&'a str>) -> Self {
        Self {
            address: &file.address,
            path: &file.path,
            mode: file.mode.name(),
            revision: &file.revision,
            built_at: file.built_at,
            class: file.class,
            state: match file.state {
                FileState::Held(_) => "held",
                FileState::Nothing(_) => "nothing-left",
                FileState::Open => "to-review",
                FileState::Approved => "approved",
            },
            reason: file.state.reason(),
            standing: file.standing,
            next: file.next_step(),
            base_sha256: &file.base_digest,
            sha256: &file.outcome_digest,
            changes: &file.pieces,
            remarks: &file.remarks,
            patch,
        }
    }
}
