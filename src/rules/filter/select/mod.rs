//! A filter at work: one truth a row, term by term over all rows.

use jiff::Timestamp;

use crate::registry::Row;
use crate::rules::filter::{Compare, Condition, Filter, Haystack, Term, Test, Trait};
use crate::rules::{Verdict, VersionMark, amount};

/// All that a filter is asked about. Slices hold one item a row; `marked` and `new` may be shorter: nothing is, then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) rows: &'a [Row],
    pub(crate) verdicts: &'a [Verdict],
    pub(crate) haystack: &'a Haystack,
    pub(crate) marked: &'a [bool],
    /// Needs attention now, and did not when the maintainer looked last.
    pub(crate) new: &'a [bool],
    pub(crate) now: Timestamp,
}

impl Filter {
    /// One truth a row: whether it passes every term.
    pub(crate) fn select(&self, field: &Field<'_>) -> Vec<bool> {
        let mut kept = vec![true; field.rows.len()];
        for term in &self.terms {
            term.keep(field, &mut kept);
        }
        kept
    }

    /// Puts rows whose address was written out before those that begin so, and these before all others, each group of `ranks`
    /// (one a row, or none) for itself. Gives the row that was named.
    pub(crate) fn name_first(&self, field: &Field<'_>, rows: &mut [u32], ranks: &[u32]) -> Option<u32> {
        // Only a word with a slash names an address: whoever types a part of one wants the order that is chosen.
        let words = || {
            let tests = self.terms.iter().filter(|term| !term.negated).flat_map(|term| &term.choices);
            tests.filter_map(|test| match test {
                Test::Part(word) if word.contains('/') => Some(word),
                _ => None,
            })
        };
        words().next()?;
        let far = |at: u32| {
            let far = |word: &String| match at as usize {
                at if field.haystack.is(at, word) => 0,
                at if field.haystack.begins(at, word) => 1,
                _ => 2,
            };
            words().map(far).min().unwrap_or(2)
        };
        rows.sort_by_cached_key(|at| (ranks.get(*at as usize).copied(), far(*at)));
        rows.iter().copied().find(|at| far(*at) == 0)
    }
}

impl Term {
    /// How many rows pass, counted up to so many.
    pub(super) fn count(&self, field: &Field<'_>, most: usize) -> usize {
        let mut lower = String::new();
        (0..field.rows.len()).filter(|at| self.passes(field, *at, &mut lower)).take(most).count()
    }

    fn passes(&self, field: &Field<'_>, at: usize, lower: &mut String) -> bool {
        self.choices.iter().any(|test| holds(test, field, at, lower)) != self.negated
    }

    /// Takes out the rows that do not pass. Those that are out already are not asked.
    fn keep(&self, field: &Field<'_>, kept: &mut [bool]) {
        let mut lower = String::new();
        for (at, keep) in kept.iter_mut().enumerate() {
            *keep = *keep && self.passes(field, at, &mut lower);
        }
    }
}

/// `lower` is room for a reason in lower case, so that 27,500 rows take one allocation.
fn holds(test: &Test, field: &Field<'_>, at: usize, lower: &mut String) -> bool {
    let (row, verdict) = (&field.rows[at], &field.verdicts[at]);
    match test {
        Test::Part(word) => field.haystack.has(at, word),
        Test::Address(address) => field.haystack.is(at, address),
        Test::Letters(letters) => field.haystack.has_letters(at, letters),
        Test::Why(said) => reasons(verdict).any(|reason| {
            lower.clear();
            lower.push_str(reason);
            lower.make_ascii_lowercase();
            lower.contains(said.as_str())
        }),
        Test::Status(wanted) => wanted.contains(&verdict.status),
        Test::Level(wanted) => wanted.contains(&verdict.level()),
        Test::Kind(kind) => row.kind() == *kind,
        Test::Namespace { text: start, prefix: true } => row.address.namespace().starts_with(start.as_str()),
        Test::Namespace { text: whole, prefix: false } => row.address.namespace() == whole,
        Test::Behind(compare, count) => {
            verdict.missing.is_some_and(|missing| compare.holds(u64::from(missing), *count))
        }
        Test::Age(compare, length) => is_so_old(*compare, *length, verdict, field.now),
        Test::Has(wanted) => has(*wanted, row, verdict),
        Test::Is(Condition::Attention) => verdict.needs_attention(),
        Test::Is(Condition::Unchecked) => verdict.is_unasked(),
        Test::Is(Condition::Marked) => field.marked.get(at).is_some_and(|marked| *marked),
        Test::Is(Condition::New) => field.new.get(at).is_some_and(|new| *new),
    }
}

/// Everything that says why an entry has its status.
fn reasons(verdict: &Verdict) -> impl Iterator<Item = &str> {
    let versions = verdict.versions.iter().map(|version| version.reason.as_str());
    let findings = verdict.findings.iter().map(|finding| finding.text.as_str());
    std::iter::once(verdict.because.text.as_str()).chain(versions).chain(findings)
}

fn is_so_old(compare: Compare, length: std::time::Duration, verdict: &Verdict, now: Timestamp) -> bool {
    verdict.since.is_some_and(|since| compare.holds(amount::since(since, now), length))
}

fn has(wanted: Trait, row: &Row, verdict: &Verdict) -> bool {
    match wanted {
        Trait::H1 => row.shape.target_count > 0 && row.shape.unhashed_targets == 0,
        Trait::Errors => row.shape.error_count > 0,
        Trait::Warnings => row.shape.warning_count > 0,
        Trait::Blocked => verdict.versions.iter().any(|version| version.mark == VersionMark::Blocked),
        Trait::Findings => !verdict.findings.is_empty(),
        Trait::Lint => row.lint.is_some_and(|findings| findings > 0),
        Trait::Dirty => row.dirty,
        Trait::Broken => row.shape.broken.is_some(),
    }
}

#[cfg(test)]
mod tests;
