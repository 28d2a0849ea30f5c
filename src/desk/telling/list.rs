//! The texts of a row of the list: one for each column, and a sentence.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use jiff::Timestamp;

use crate::desk::ability::Ability;
use crate::desk::list::{List, Tally};
use crate::desk::table::{ColumnWidth, Cut, TableCell, TableColumn};
use crate::desk::telling::column::{ADDRESS, AGE, KIND, LACKS, STATUS, VERSIONS, WHY};
use crate::desk::telling::{Glyph, Label, Sign, Tone, entry};
use crate::desk::{Desk, Registry};
use crate::registry::version::trim_v;
use crate::registry::{Kind, Row};
use crate::rules::amount::{Form, age, counted, grouped, to_the_minute};
use crate::rules::filter::{Asked, DeadTerm};
use crate::rules::order::Sort;
use crate::rules::{Gap, Level, Verdict, VersionMark};

/// The facts of an entry before its first survey.
pub(crate) const BY_FILE: Label = Label::two("by file", "what the file says");

/// The name of the files that bumps changed on each of the last days, long and short.
pub(crate) const BUMPED: [&str; 2] = ["files bumped, 30 days", "30 days"];
/// The text in place of those files, for a clone that does not reach back so far.
pub(crate) const SHALLOW: &str = "files bumped: history is shallow";

/// The columns of the list on a screen. `LACKS` is for windows without room for `VERSIONS`.
pub(crate) const COLUMNS: [TableColumn; 7] = [
    TableColumn::new(STATUS, ColumnWidth::Content { least: SHORT_STATUS }, Cut::End, 5),
    TableColumn::new(KIND, ColumnWidth::Content { least: 0 }, Cut::End, 4),
    TableColumn::new(ADDRESS, ColumnWidth::Content { least: 18 }, Cut::Middle, 2),
    TableColumn::new(VERSIONS, ColumnWidth::Content { least: 0 }, Cut::Middle, 3),
    TableColumn::new(LACKS, ColumnWidth::Content { least: 0 }, Cut::Right, 0),
    TableColumn::new(AGE, ColumnWidth::Content { least: 0 }, Cut::Right, 1),
    // Less of a reason says nothing.
    TableColumn::new(WHY, ColumnWidth::Rest { wants: 13, least: 0 }, Cut::End, 6),
];

/// The order that a column sorts by.
pub(crate) const SORTS: [Option<Sort>; COLUMNS.len()] = [
    Some(Sort::Status),
    None,
    Some(Sort::Address),
    Some(Sort::Behind),
    Some(Sort::Behind),
    Some(Sort::Newest),
    None,
];

/// The cells of `⊗ STRANDED`, the longest word of a status without its depth.
const SHORT_STATUS: usize = 10;
/// The cells of `✓ OK (versions)`.
const FULL_STATUS: usize = 15;

/// The cells that each column takes, its head among them, for a list with addresses of so many cells; 0 leaves a column out. `VERSIONS`
/// holds two versions of usual length: the preview has all of them, and a width that followed the rows would change with each
/// survey.
pub(crate) fn longest(list: &List, address: usize, has_versions: bool) -> [usize; COLUMNS.len()] {
    let (status, versions, lacks) = match (list.tally.is_unchecked(), has_versions) {
        // Before the first survey one version is known, and the reason has the room of the others.
        (true, true) => (STATUS.short.len(), VERSIONS.short.len(), 0),
        (true, false) => (STATUS.short.len(), 0, 0),
        (false, true) => (FULL_STATUS, 16, 0),
        (false, false) => (FULL_STATUS, 0, LACKS.short.len()),
    };
    // Files from before April 2026 have no dates.
    let age = if list.tally.is_unchecked() && list.tally.dated == 0 { 0 } else { 4 };
    [status, usize::from(list.has_both_kinds), address, versions, lacks, age, 0]
}

/// The text of a row in one of the columns.
pub(crate) fn cell<'a>(
    (row, verdict): (&'a Row, &'a Verdict),
    column: usize,
    now: Timestamp,
) -> TableCell<'a> {
    match column {
        0 => status(verdict),
        1 => TableCell::of(kind(row.kind()), Tone::Quiet),
        2 => TableCell::of(row.address.to_string(), Tone::Plain),
        3 => versions(verdict),
        4 => match held_back(verdict) {
            Some(sign) => TableCell { text: "".into(), ..sign.into() },
            None => TableCell::of(lacks(verdict), Tone::Plain),
        },
        5 => {
            // An entry that lacks nothing only shows when its newest version came.
            let tone = if verdict.missing > Some(0) { Tone::Plain } else { Tone::Quiet };
            let age = verdict.since.map(|since| age(since, now, Form::Short));
            TableCell::of(age.unwrap_or_else(|| "-".into()), tone)
        }
        _ => {
            let tone = if verdict.status.is_fine() { Tone::Quiet } else { Tone::Plain };
            TableCell::of(why(row, verdict), tone)
        }
    }
}

/// The word says how deep the entry was checked. One that was never asked about has only a dim sign.
fn status(verdict: &Verdict) -> TableCell<'static> {
    let sign = Sign::verdict(verdict);
    if verdict.is_unasked() {
        return TableCell { text: "".into(), tone: Tone::Quiet, ..sign.into() };
    }
    sign.into()
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Provider => "p",
        Kind::Module => "m",
    }
}

/// The highest version of the registry, and that of upstream where it is another one: `0.3.0 → 0.4.0`; `-` stands for none. Nothing is
/// said about an upstream that did not answer.
fn versions(verdict: &Verdict) -> TableCell<'_> {
    let (indexed, upstream) = (verdict.highest_indexed.as_deref(), verdict.highest_upstream.as_deref());
    let text = match (indexed, upstream) {
        (indexed, None) if verdict.gap().is_some() => indexed.unwrap_or("-").into(),
        // A module is indexed with the `v` of its tag.
        (Some(indexed), Some(upstream)) if trim_v(indexed) == trim_v(upstream) => indexed.into(),
        (None, None) => "-".into(),
        _ => Cow::Owned(format!("{} → {}", indexed.unwrap_or("-"), upstream.unwrap_or("-"))),
    };
    let glyph = held_back(verdict).map(|sign| Glyph(sign.glyph, sign.ascii));
    TableCell { glyph, ..TableCell::of(text, Tone::Plain) }
}

/// Missing versions: `+2`; `?` where nobody knows, and nothing where none is.
pub(crate) fn lacks(verdict: &Verdict) -> String {
    match verdict.missing {
        None => "?".into(),
        Some(0) => String::new(),
        Some(missing) => format!("+{missing}"),
    }
}

/// The sign of a version that is left out on purpose; `None` where versions are missing or unknown, for those are told first.
pub(crate) fn held_back(verdict: &Verdict) -> Option<Sign> {
    let blocked = || verdict.versions.iter().any(|version| version.mark == VersionMark::Blocked);
    (lacks(verdict).is_empty() && blocked()).then(|| entry::mark(VersionMark::Blocked))
}

/// The reason of a row's status; before its first survey what its file says by itself, the gravest first. Its newest version and
/// its age have columns of their own.
pub(crate) fn why<'a>(row: &Row, verdict: &'a Verdict) -> Cow<'a, str> {
    if verdict.gap() != Some(Gap::Unasked) {
        return Cow::Borrowed(&verdict.because.text);
    }
    // A finding of the file itself: clients refuse something.
    let mut parts: Vec<String> =
        verdict.findings.first().map(|finding| finding.text.clone()).into_iter().collect();
    if let Some(findings) = row.lint.filter(|findings| *findings > 0) {
        parts.push(format!("lint: {}", counted(findings, "finding")));
    }
    match (row.shape.unhashed_targets, row.shape.target_count) {
        (0, _) => {}
        (lacking, targets) if lacking == targets => parts.push("no h1 or size".into()),
        (lacking, targets) => {
            parts.push(format!("no h1 or size: {} of {}", grouped(lacking), grouped(targets)));
        }
    }
    if parts.is_empty() { Cow::Borrowed(&verdict.because.text) } else { Cow::Owned(parts.join("; ")) }
}

/// The texts that say how to begin a survey while no entry has been checked, the longest first; `None` once one was, or while the files are
/// being read.
pub(crate) fn none_checked(desk: &Desk, key: impl Fn(Ability) -> String) -> Option<[String; 2]> {
    let Registry::Loaded(header) = &desk.registry else { return None };
    let list = &desk.list;
    let is_reading = list.verdicts.first()?.gap() == Some(Gap::Loading);
    if is_reading || !list.tally.is_unchecked() {
        return None;
    }
    let all = counted(list.verdicts.len(), "entry");
    let (every, one) = (key(Ability::SurveyShown), key(Ability::Survey));
    let token = if header.has_token { " with your token" } else { "" };
    let time = header.least_time(list.verdicts.len()).map_or_else(String::new, |least| {
        let about = if least.as_secs() < 60 { "" } else { "about " };
        format!(" ({about}{}{token})", to_the_minute(least))
    });
    Some(
        [time.as_str(), ""]
            .map(|time| format!("{all}, none checked yet. {every} checks all{time}, {one} this one.")),
    )
}

/// The counts of the levels. The least important one is last, since narrow windows cut the end.
/// They add up to all rows.
pub(crate) fn figures(tally: &Tally) -> Vec<(Tone, String)> {
    let all: u32 = tally.levels.iter().sum();
    if tally.unasked == all && all > 0 {
        return vec![(Tone::Plain, "none checked yet".into())];
    }
    let tone = if tally.attention() > 0 { Tone::Warning } else { Tone::Plain };
    let fine = tally.of_level(Level::Fine);
    let others = [(tally.waiting(), "can wait"), (tally.unasked, "not checked"), (fine, "OK")];
    let others = others.into_iter().filter(|(count, _)| *count > 0);
    std::iter::once((tone, attention(u64::from(tally.attention()))))
        .chain(others.map(|(count, word)| (Tone::Plain, format!("{} {word}", grouped(count)))))
        .collect()
}

/// `3. BEHIND newrelic/newrelic, provider, 2 versions missing, 6 hours`. The address as it is to be written.
pub(crate) fn sentence(
    number: usize,
    address: impl Display,
    row: &Row,
    verdict: &Verdict,
    now: Timestamp,
) -> String {
    let mut sentence = format!("{number}. {} {address}, {}", verdict.word(), row.kind().word());
    // Written into: whole lists are told this way.
    if let Some(missing) = verdict.missing.filter(|missing| *missing > 0) {
        let _never_fails = write!(sentence, ", {} missing", counted(missing, "version"));
    }
    if let Some(since) = verdict.since {
        let _never_fails = write!(sentence, ", {}", age(since, now, Form::Spoken));
    }
    sentence
}

/// `1 needs attention`, `412 need attention`.
pub(crate) fn attention(count: u64) -> String {
    format!("{} {} attention", grouped(count), if count == 1 { "needs" } else { "need" })
}

/// Why a filter lets nothing through, a sentence a term, and what finds something in its place.
pub(crate) fn nothing(dead: &[DeadTerm]) -> Vec<String> {
    if dead.is_empty() {
        return vec!["each term by itself finds rows, but no row matches all of them".into()];
    }
    dead.iter().map(dead_term).collect()
}

fn dead_term(term: &DeadTerm) -> String {
    let said = &term.said;
    let mut text = match term.asked {
        Asked::Address => format!("no address contains `{said}`"),
        Asked::Letters => format!("no address has the letters of `{said}` in this order"),
        Asked::Reason => format!("no reason has the words of `{said}`"),
        Asked::Other => format!("no row matches `{said}`"),
    };
    for (instead, count) in &term.instead {
        text = match count {
            0 => format!("{text}, and none matches `{instead}`"),
            count => format!("{text}; `{instead}` finds {}", counted(*count as u64, "row")),
        };
    }
    if term.is_unlinted {
        text.push_str("; no file has been linted yet: `bumpdesk lint` does that");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Because, Source, Status, VersionState};

    #[test]
    fn both_versions_are_shown_where_they_differ() {
        let verdict = |status, indexed: Option<&str>, upstream: Option<&str>| {
            let because =
                Because { text: String::new(), source: Source::Tags, at: Some(Timestamp::UNIX_EPOCH) };
            Verdict {
                highest_indexed: indexed.map(Into::into),
                highest_upstream: upstream.map(Into::into),
                missing: Some(0),
                ..Verdict::new(status, because)
            }
        };
        for (status, indexed, upstream, wanted) in [
            (Status::Behind, Some("1.8.0"), Some("1.9.0"), "1.8.0 → 1.9.0"),
            (Status::Current, Some("1.9.0"), Some("1.9.0"), "1.9.0"),
            (Status::MissedOldLine, Some("v4.2.0"), Some("4.2.0"), "v4.2.0"),
            (Status::RepoGone, Some("0.3.0"), None, "0.3.0 → -"),
            (Status::Behind, None, Some("1.0.0"), "- → 1.0.0"),
            (Status::Current, None, None, "-"),
            // Nobody answered.
            (Status::Unknown, Some("0.3.0"), None, "0.3.0"),
            (Status::Unknown, None, None, "-"),
        ] {
            assert_eq!(versions(&verdict(status, indexed, upstream)).text, wanted, "{status:?}");
        }
        let mut blocked = verdict(Status::Current, Some("1.8.0"), Some("1.8.0"));
        blocked.versions.push(VersionState {
            version: "1.9.0".into(),
            tag: None,
            mark: VersionMark::Blocked,
            reason: String::new(),
            published: None,
            published_by: None,
            targets: None,
            attempts: 0,
            next_try: None,
        });
        let sign = entry::mark(VersionMark::Blocked);
        assert_eq!(versions(&blocked).glyph, Some(Glyph(sign.glyph, sign.ascii)));
    }

    #[test]
    fn a_filter_that_finds_nothing_says_what_was_perhaps_meant() {
        let term = |said: &str, asked, instead: &[(&str, usize)]| DeadTerm {
            said: said.into(),
            asked,
            instead: instead.iter().map(|(term, count)| ((*term).to_owned(), *count)).collect(),
            is_unlinted: said.contains("lint"),
        };
        for (dead, wanted) in [
            (vec![], "each term by itself finds rows, but no row matches all of them"),
            (
                vec![term("drift", Asked::Address, &[("status:drift", 2), ("~drift", 1)])],
                "no address contains `drift`; `status:drift` finds 2 rows; `~drift` finds 1 row",
            ),
            (
                vec![term("drift", Asked::Address, &[("status:drift", 0)])],
                "no address contains `drift`, and none matches `status:drift`",
            ),
            (vec![term("why:x", Asked::Reason, &[])], "no reason has the words of `why:x`"),
            (vec![term("ns:x", Asked::Other, &[])], "no row matches `ns:x`"),
            (
                vec![term("has:lint", Asked::Other, &[])],
                "no row matches `has:lint`; no file has been linted yet: `bumpdesk lint` does that",
            ),
        ] {
            assert_eq!(nothing(&dead), [wanted]);
        }
    }
}
