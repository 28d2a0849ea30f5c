//! The state of the diff: the opened entry, its lines, and the counts of the banner.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::telling::summary::{SummarySources, VersionSummary, summaries};
use crate::jobs::data::{Failure, Opened};
use crate::registry::Address;
use crate::rules::diff::Lines;
use crate::rules::plan::Remark;
use crate::rules::{Class, Finding, Proposal, Severity};
use crate::tui::base::layout::Class as WindowClass;
use crate::tui::base::text;
use crate::tui::keymap::ViewId;
use crate::tui::widgets::diff::{Counts, Pane};
use crate::tui::widgets::strip::Paint;

/// The reminder beside every rebuild.
pub(super) const ON_PAPER: &str = "what the registry's bump would write; nothing is written";

/// The screen of one proposal.
#[derive(Debug)]
pub(crate) struct DiffScreen {
    pub(crate) address: Address,
    /// The view that Esc returns to.
    pub(crate) from: ViewId,
    pub(crate) opened: Option<Arc<Opened>>,
    pub(crate) failure: Option<Failure>,
    /// Versions that were left out, and other points for a reviewer, the gravest first.
    pub(crate) findings: Vec<Finding>,
    pub(crate) findings_scroll: usize,
    pub(crate) counts: Counts,
    pub(crate) pane: Pane,
}

impl DiffScreen {
    pub(crate) fn new(address: Address, from: ViewId) -> Self {
        Self {
            address,
            from,
            opened: None,
            failure: None,
            findings: Vec::new(),
            findings_scroll: 0,
            counts: Counts::default(),
            pane: Pane::default(),
        }
    }

    /// The reminder beside every rebuild, if the banner has no line for it. It takes one line, because
    /// findings stand above it.
    pub(crate) fn standing(&self, paint: &Paint<'_>) -> &'static str {
        let is_told =
            paint.size.class() == WindowClass::Wide || self.obstacle().is_some() || self.proposal().is_none();
        let fits = text::width(ON_PAPER) + 2 <= usize::from(paint.size.columns);
        if fits && !is_told { ON_PAPER } else { "" }
    }

    /// Takes the proposal. The cursor goes to the first change.
    pub(crate) fn fill(&mut self, opened: Arc<Opened>, now: Timestamp) {
        self.failure = None;
        self.counts = opened.proposal.as_ref().map(|proposal| Counts::of(&proposal.diff)).unwrap_or_default();
        self.findings = opened.proposal.as_ref().map(|p| p.findings.clone()).unwrap_or_default();
        for finding in opened.findings.iter().filter(|finding| finding.severity > Severity::Note) {
            if !self.findings.contains(finding) {
                self.findings.push(finding.clone());
            }
        }
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        // Where nothing changes a sentence says more than a folded file.
        let changes = opened.proposal.as_ref().is_some_and(|proposal| proposal.diff.class != Class::Noop);
        match opened.lines.as_ref().filter(|_| changes) {
            Some(lines) => self.pane.fill(Arc::clone(lines), self.summaries(&opened, lines, now)),
            None => self.pane.clear(),
        }
        self.opened = Some(opened);
    }

    fn summaries(&self, opened: &Opened, lines: &Lines, now: Timestamp) -> Vec<VersionSummary> {
        let matrix = opened.keys.as_ref().and_then(|sheet| sheet.matrix.as_ref());
        let signer = |version: &str| {
            let row = matrix?.rows.iter().find(|row| row.version == version)?;
            Some(row.text())
        };
        let remarks: Vec<Remark> = self.findings.iter().map(Remark::from).collect();
        let (kind, verdict) = (opened.address.kind(), Some(&opened.verdict));
        summaries(lines, &SummarySources { kind, verdict, remarks: &remarks, signer: Some(&signer), now })
    }

    pub(crate) fn proposal(&self) -> Option<&Proposal> {
        self.opened.as_ref()?.proposal.as_ref()
    }

    /// The finding that makes a rebuild without changes meaningless.
    pub(crate) fn obstacle(&self) -> Option<&Finding> {
        self.proposal()?.obstacle()
    }

    pub(crate) fn has_lines(&self) -> bool {
        self.pane.has_lines()
    }

    pub(crate) fn path(&self) -> String {
        self.pane.path().to_owned()
    }
}
