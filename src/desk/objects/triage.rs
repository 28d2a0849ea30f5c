//! What came of a line that asks why a version is not available.

use serde::Serialize;

use crate::registry::{Address, Kind};
use crate::rules::suggestion::Near;
use crate::rules::triage::{Action, Rung, Standing, Step, Triage};

/// Type `triage`: one answer; and `triage-first`, the steps that the registry's own files answer.
#[derive(Serialize)]
pub(crate) struct TriageObject<'a> {
    typed: &'a str,
    address: &'a Address,
    kind: Kind,
    version: Option<&'a str>,
    /// The issue that named it.
    issue: Option<u64>,
    /// Null while upstream is being read.
    status: Option<Standing>,
    word: Option<&'static str>,
    cause: &'a str,
    /// The step that answered.
    answered: Option<Rung>,
    means: Option<&'static str>,
    if_left: Option<&'static str>,
    action: &'a Action,
    near: &'a [Near],
    notes: &'a [String],
    steps: &'a [Step],
}

impl<'a> TriageObject<'a> {
    pub(crate) fn new(triage: &'a Triage) -> Self {
        let means = triage.standing.map(|standing| standing.means(triage.address.kind()));
        Self {
            typed: &triage.typed,
            address: &triage.address,
            kind: triage.address.kind(),
            version: triage.version.as_deref(),
            issue: triage.issue,
            status: triage.standing,
            word: triage.standing.map(Standing::word),
            cause: &triage.cause,
            answered: triage.answered,
            means: means.map(|means| means.0),
            if_left: means.map(|means| means.1),
            action: &triage.action,
            near: &triage.near,
            notes: &triage.notes,
            steps: &triage.steps,
        }
    }
}
