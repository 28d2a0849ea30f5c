//! The state of the screen of one entry, and the effect of its keys.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::table::TableOrder;
use crate::desk::telling::entry::{mark, reason};
use crate::jobs::data::{Failure, Opened};
use crate::registry::{Address, Entry, version};
use crate::rules::{Finding, Verdict, VersionMark, VersionState};
use crate::settings::words;
use crate::tui::base::layout::Class;
use crate::tui::widgets::search::Search;
use crate::tui::widgets::strip::Paint;

words! {
    /// The orders of the versions of an entry.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) enum VersionSort: [ALL, label] {
        /// First the versions that are not indexed, then the others as the file lists them.
        #[default]
        File = "as the file lists them",
        Version = "highest first",
        State = "state, worst first",
        Targets = "most targets",
        Hashes = "most targets without h1",
        Discovered = "last discovered",
    }
}

/// One line of the version list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VersionRow {
    pub(crate) version: String,
    /// The index into the verdict's versions, if this version is not plainly fine.
    pub(crate) state: Option<usize>,
    pub(crate) indexed: bool,
    pub(crate) targets: Option<u32>,
    /// The number of targets with h1 and size.
    pub(crate) hashed: Option<u32>,
    pub(crate) discovered: Option<Timestamp>,
}

/// The screen of one entry.
#[derive(Debug)]
pub(crate) struct EntryScreen {
    pub(crate) address: Address,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) opened: Option<Arc<Opened>>,
    /// The reason why it could not be read.
    pub(crate) failure: Option<Failure>,
    pub(crate) findings: Vec<Finding>,
    /// All versions, shown or not.
    pub(crate) rows: Vec<VersionRow>,
    pub(super) order: TableOrder<VersionSort>,
    pub(super) filter: Search,
    /// The place of the cursor among the rows shown.
    pub(crate) cursor: usize,
    /// True if the maintainer moved the cursor.
    pub(super) is_chosen: bool,
    pub(crate) top: usize,
    pub(crate) story_scroll: usize,
}

impl EntryScreen {
    pub(crate) fn new(address: Address, verdict: Option<Verdict>) -> Self {
        let findings = verdict.as_ref().map(|verdict| verdict.findings.clone()).unwrap_or_default();
        Self {
            address,
            verdict,
            opened: None,
            failure: None,
            findings,
            rows: Vec::new(),
            order: TableOrder::default(),
            filter: Search::default(),
            cursor: 0,
            is_chosen: false,
            top: 0,
            story_scroll: 0,
        }
    }

    /// The state of a row's version in the verdict, if it is not plainly fine.
    pub(super) fn state(&self, row: &VersionRow) -> Option<&VersionState> {
        self.verdict.as_ref()?.versions.get(row.state?)
    }

    /// Takes the opened entry. The caller settles the window.
    pub(crate) fn fill(&mut self, opened: &Arc<Opened>) {
        self.failure = None;
        self.verdict = Some(opened.verdict.clone());
        self.findings.clone_from(&opened.findings);
        for finding in &opened.verdict.findings {
            if !self.findings.contains(finding) {
                self.findings.push(finding.clone());
            }
        }
        self.opened = Some(Arc::clone(opened));
        self.list(&opened.entry, &opened.verdict);
    }

    /// Lists the versions. A cursor that the maintainer moved stays on its version. Otherwise it goes to the
    /// first version behind the entry's status, so that the next key acts on that version.
    fn list(&mut self, entry: &Entry, verdict: &Verdict) {
        let selected = self.selected().map(|row| row.version.clone());
        self.rows = rows(entry, verdict);
        self.arrange();
        let is_meant = |row: &VersionRow| {
            row.state.is_some_and(|at| verdict.versions[at].status() == Some(verdict.status))
        };
        let mut shown = self.order.shown().iter().map(|at| &self.rows[*at]);
        let first = shown.clone().position(is_meant).filter(|_| !self.is_chosen);
        let place = first.or_else(|| shown.position(|row| Some(&row.version) == selected.as_ref()));
        self.cursor = place.unwrap_or(0);
    }

    /// The version under the cursor.
    pub(crate) fn selected(&self) -> Option<&VersionRow> {
        self.order.shown().get(self.cursor).map(|at| &self.rows[*at])
    }

    /// Chooses an order; the present one is reversed. The cursor stays on its version.
    pub(super) fn sort(&mut self, sort: VersionSort) {
        self.order.sort.choose(sort);
        self.arrange();
    }

    /// Shows only the rows that have the words of the filter. The cursor stays on its version while that is shown.
    pub(super) fn show_filtered(&mut self) {
        self.filter.text().clone_into(&mut self.order.filter);
        self.arrange();
    }

    fn arrange(&mut self) {
        let under_cursor = self.order.shown().get(self.cursor).copied();
        let mut order = std::mem::take(&mut self.order);
        let compare = |sort, a: usize, b: usize| self.compare(sort, &self.rows[a], &self.rows[b]);
        order.arrange(0..self.rows.len(), compare, |at| self.text(&self.rows[at]));
        self.cursor = order.shown().iter().position(|at| Some(*at) == under_cursor).unwrap_or(0);
        self.order = order;
    }

    fn compare(&self, sort: VersionSort, a: &VersionRow, b: &VersionRow) -> Ordering {
        let worst = |row| match self.state(row).map(|state| state.mark) {
            Some(VersionMark::Is(status)) => status as usize,
            Some(VersionMark::Blocked | VersionMark::Ignored) => usize::MAX - 1,
            None => usize::MAX,
        };
        let lacking = |row: &VersionRow| Some(row.targets?.saturating_sub(row.hashed?));
        match sort {
            VersionSort::File => Ordering::Equal,
            VersionSort::Version => version::compare(&b.version, &a.version),
            VersionSort::State => worst(a).cmp(&worst(b)),
            VersionSort::Targets => b.targets.cmp(&a.targets),
            VersionSort::Hashes => lacking(b).cmp(&lacking(a)),
            VersionSort::Discovered => Reverse(a.discovered).cmp(&Reverse(b.discovered)),
        }
    }

    /// The words of a row that its filter searches.
    fn text(&self, row: &VersionRow) -> String {
        let mut text = row.version.clone();
        match self.state(row) {
            Some(state) => {
                let _never_fails = write!(text, " {} {}", mark(state.mark).word, state.reason);
            }
            None => text.push_str(" indexed"),
        }
        text
    }

    /// The reason for the state of the version under the cursor, if its pane has no room for it.
    pub(crate) fn standing(&self, paint: &Paint<'_>) -> String {
        let row = self.selected().filter(|_| paint.size.class() != Class::Wide);
        // The reason of the entry stands above or below the list already.
        let is_new = |state: &&VersionState| {
            self.verdict.as_ref().is_none_or(|verdict| !verdict.because.text.contains(&state.reason))
        };
        let state = row.and_then(|row| self.state(row)).filter(is_new);
        state.map(|state| format!("{}: {}", state.version, reason(state, paint.now))).unwrap_or_default()
    }

    /// Takes a new verdict of a survey; the versions are read again when the survey ends.
    pub(crate) fn judge(&mut self, verdict: &Verdict) {
        self.verdict = Some(verdict.clone());
        self.findings.clone_from(&verdict.findings);
        if let Some(opened) = self.opened.clone() {
            self.list(&opened.entry, verdict);
        }
    }
}

/// The rows: first the versions that are not indexed, then the file's versions in their order.
fn rows(entry: &Entry, verdict: &Verdict) -> Vec<VersionRow> {
    // Versions are compared as they are stored: `1.0.0` may be missing while `v1.0.0` is indexed.
    let states: HashMap<&str, usize> =
        verdict.versions.iter().enumerate().map(|(at, state)| (&*state.version, at)).collect();
    let indexed = indexed(entry, &states);
    let known: std::collections::HashSet<&str> = indexed.iter().map(|row| &*row.version).collect();
    let mut all: Vec<VersionRow> = verdict
        .versions
        .iter()
        .enumerate()
        .filter(|(_, state)| !known.contains(&*state.version))
        .map(|(at, state)| VersionRow {
            version: state.version.clone(),
            state: Some(at),
            indexed: false,
            targets: state.targets,
            hashed: None,
            discovered: None,
        })
        .collect();
    all.extend(indexed.iter().cloned());
    all
}

fn indexed(entry: &Entry, states: &HashMap<&str, usize>) -> Vec<VersionRow> {
    let row = |version: &str, counts: Option<(u32, u32)>, discovered| VersionRow {
        version: version.to_owned(),
        state: states.get(version).copied(),
        indexed: true,
        targets: counts.map(|(all, _)| all),
        hashed: counts.map(|(_, hashed)| hashed),
        discovered,
    };
    match entry {
        Entry::Provider(provider) => provider
            .versions
            .iter()
            .map(|version| {
                let hashed = version.targets.iter().filter(|target| target.is_hashed()).count() as u32;
                row(&version.version, Some((version.targets.len() as u32, hashed)), version.discovered)
            })
            .collect(),
        Entry::Module(module) => {
            module.versions.iter().map(|version| row(&version.version, None, version.discovered)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Kind;
    use crate::rules::{Because, Source, Status, VersionMark};

    /// A missing version has its own row, even if it differs from an indexed one only by its `v`.
    #[test]
    fn a_missing_version_is_not_the_indexed_one_with_a_v() {
        let file = br#"{"versions":[{"version":"1.1.0"},{"version":"v1.0.0"}]}"#;
        let (_, entry) = Entry::read(Kind::Module, file).unwrap();
        let state = VersionState {
            version: "1.0.0".into(),
            tag: None,
            mark: VersionMark::Is(Status::Behind),
            reason: String::new(),
            published: None,
            published_by: None,
            targets: None,
            attempts: 0,
            next_try: None,
        };
        let because = Because { text: String::new(), source: Source::Tags, at: None };
        let verdict = Verdict { versions: vec![state], ..Verdict::new(Status::Behind, because) };
        let rows = rows(&entry, &verdict);
        let shown: Vec<(&str, bool, bool)> =
            rows.iter().map(|row| (&*row.version, row.indexed, row.state.is_some())).collect();
        assert_eq!(shown, [("1.0.0", false, true), ("1.1.0", true, false), ("v1.0.0", true, false)]);
    }
}
