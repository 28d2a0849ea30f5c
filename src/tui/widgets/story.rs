//! The answer for one entry: what is wrong, why, what happens if it is left, what can be done, and which key is next.

use ratatui::text::Line;

use crate::rules::amount::{Form, age, clock, counted};
use crate::rules::lint::RULES;
use crate::rules::{Because, Finding, Remedy, Severity, Source, Verdict, VersionMark, VersionState};
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::keymap::Command;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

const LABEL: usize = 8;

/// Where the answer stands: the next key differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    List,
    Entry,
}

/// The status line, then what, why, if left, can do and the next key, wrapped to the width.
pub(crate) fn lines(paint: &Paint<'_>, verdict: &Verdict, place: Place, width: u16) -> Vec<Line<'static>> {
    let row = verdict.status.row();
    let mut lines = vec![headline(paint, verdict, width)];
    for (label, text) in [
        ("what", row.means.to_owned()),
        ("why", because(&verdict.because, paint)),
        ("if left", row.if_left.to_owned()),
        ("you can", can_do(verdict).to_owned()),
    ] {
        lines.extend(labelled(paint, label, &text, width));
    }
    lines.extend(next_lines(paint, verdict, place, width));
    lines
}

/// The same for a preview of so many lines under a list. What does not fit gives way from the least needed: first what can
/// be done, since the next key says it too, then the end of the reason. No sentence but the reason is cut.
pub(crate) fn short(
    paint: &Paint<'_>,
    title: &str,
    summary: &str,
    verdict: &Verdict,
    (width, height): (u16, u16),
) -> Vec<Line<'static>> {
    let row = verdict.status.row();
    let why = because(&verdict.because, paint);
    let why = if verdict.status.is_fine() { row.means.to_owned() } else { why };
    let head = short_head(paint, title, summary, verdict, width);
    let mut why = labelled(paint, "why", &why, width);
    let left = labelled(paint, "if left", row.if_left, width);
    let mut can = labelled(paint, "you can", can_do(verdict), width);
    let next = next_lines(paint, verdict, Place::List, width);
    let height = usize::from(height);
    let fixed = 1 + left.len() + next.len();
    if fixed + why.len() + can.len() > height {
        can.clear();
    }
    why.truncate(height.saturating_sub(fixed).max(1));
    std::iter::once(head).chain(why).chain(left).chain(can).chain(next).collect()
}

fn short_head(paint: &Paint<'_>, title: &str, summary: &str, verdict: &Verdict, width: u16) -> Line<'static> {
    let mut first = Strip::new(paint, width);
    first.gap(1).put(Role::Title, &text::elide_middle(title, usize::from(width) / 2)).gap(2);
    let word = format!("{} {}", paint.glyphs.status(verdict.status), verdict.word());
    first.put(Role::of(verdict.status), &word);
    let missing = missing(verdict);
    if !missing.is_empty() {
        let room = first.room().saturating_sub(2);
        first.gap(2).put(Role::Text, &text::elide_end(&missing, room));
    }
    first.right(Role::Dim, &format!("{summary} ")).line()
}

/// Glyph, word, and how many versions are missing.
pub(crate) fn headline(paint: &Paint<'_>, verdict: &Verdict, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    let word = format!("{} {}", paint.glyphs.status(verdict.status), verdict.word());
    strip.gap(1).put(Role::of(verdict.status), &word);
    let missing = missing(verdict);
    if !missing.is_empty() {
        strip.gap(2).put(Role::Text, &missing);
    }
    strip.line()
}

/// `2 missing: 3.70.1 3.70.0`; empty if nothing is.
fn missing(verdict: &Verdict) -> String {
    if verdict.missing == 0 {
        return String::new();
    }
    let names: Vec<&str> = verdict
        .versions
        .iter()
        .filter(|version| is_missing(version))
        .take(4)
        .map(|version| version.version.as_str())
        .collect();
    format!("{} missing: {}", verdict.missing, names.join(" "))
}

/// Upstream and not indexed.
pub(crate) fn is_missing(version: &VersionState) -> bool {
    matches!(version.mark, VersionMark::Is(status) if status.row().missing)
}

/// The deciding fact with its source and its clock time.
pub(crate) fn because(because: &Because, paint: &Paint<'_>) -> String {
    match because.at {
        Some(at) => format!("{} ({}, {})", because.text, because.source.name(), clock(at, paint.now)),
        None if because.source == Source::File => format!("{} ({})", because.text, because.source.name()),
        // Never asked: there is no source to name.
        None => because.text.clone(),
    }
}

/// A label and a text that wraps beside it.
pub(crate) fn labelled(paint: &Paint<'_>, label: &str, text: &str, width: u16) -> Vec<Line<'static>> {
    labelled_at(paint, (1, LABEL), (label, Role::Text, text), width)
}

/// The same with the label so many cells from the left, in so many cells.
pub(crate) fn labelled_at(
    paint: &Paint<'_>,
    (indent, cells): (usize, usize),
    (label, role, text): (&str, Role, &str),
    width: u16,
) -> Vec<Line<'static>> {
    let clean = text::clean(text, paint.glyphs);
    let room = usize::from(width).saturating_sub(indent + cells + 1).max(1);
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    let line = |(label, part): (&str, String)| {
        Strip::new(paint, width).gap(indent).cell(Role::Dim, label, cells, Cut::End).put(role, &part).line()
    };
    labels.zip(text::wrap(&clean, room)).map(line).collect()
}

/// The key that helps next, by status.
fn next_lines(paint: &Paint<'_>, verdict: &Verdict, place: Place, width: u16) -> Vec<Line<'static>> {
    let (command, word) = next_step(paint, verdict, place);
    let key = command.map(|command| paint.key(command)).unwrap_or_default();
    let lead = if key.is_empty() { 0 } else { text::width(&key) + 1 };
    let room = usize::from(width).saturating_sub(LABEL + 2 + lead).max(1);
    let mut lines = Vec::new();
    for part in text::wrap(&word, room) {
        let (label, key) = if lines.is_empty() { ("next", key.as_str()) } else { ("", "") };
        let mut strip = Strip::new(paint, width);
        strip.gap(1).cell(Role::Dim, label, LABEL, Cut::End).cell(Role::Key, key, lead, Cut::End);
        lines.push(strip.put(Role::Text, &part).line());
    }
    lines
}

/// What the ladder says, unless the trouble is in our own file.
fn can_do(verdict: &Verdict) -> &'static str {
    if verdict.status.is_unknown() && verdict.because.source == Source::File {
        return "repair the file in the registry's repository, at the place named";
    }
    verdict.status.row().can_do
}

/// The command that helps, and what comes of it; without a command there is nothing to do.
fn next_step(paint: &Paint<'_>, verdict: &Verdict, place: Place) -> (Option<Command>, String) {
    let on_list = place == Place::List;
    let (command, words) = match verdict.status.row().remedy {
        Remedy::SurveyAgain if verdict.because.source == Source::File => {
            (Command::CopyPath, "copies the path of the file to repair")
        }
        Remedy::SurveyAgain if on_list => {
            let all = paint.key(Command::SurveyShown);
            return (Some(Command::SurveyThis), format!("surveys it again; {all} surveys all rows shown"));
        }
        Remedy::SurveyAgain => (Command::SurveyThis, "surveys it again"),
        Remedy::Rebuild => (Command::Build, "shows the rebuild that adds what is missing"),
        Remedy::SeeUpstream if on_list => {
            let open = paint.key(Command::Open);
            return (Some(Command::Browse), format!("gives its URL; {open} lists the versions"));
        }
        Remedy::SeeUpstream => (Command::Browse, "gives its URL, to look at the repository"),
        Remedy::Backfill if !on_list => (Command::Back, "goes back to the list"),
        Remedy::AskAuthor | Remedy::Backfill => match place {
            Place::List => (Command::Open, "lists the versions and what was found"),
            Place::Entry => (Command::Browse, "gives the URL of the repository, to ask its author"),
        },
        Remedy::Nothing => return (None, "nothing: go on with the next row".into()),
    };
    (Some(command), words.into())
}

/// The versions that are not plainly fine: one line each, and why beneath it.
pub(crate) fn versions(paint: &Paint<'_>, verdict: &Verdict, width: u16) -> Vec<Line<'static>> {
    if verdict.versions.is_empty() {
        return Vec::new();
    }
    let name = usize::from(width).saturating_sub(28).clamp(8, 20);
    let mut head = Strip::new(paint, width);
    head.gap(1).cell(Role::Title, "VERSION", name, Cut::End).gap(1).cell(Role::Title, "STATE", 10, Cut::End);
    head.gap(1).cell(Role::Title, "TARGETS", 7, Cut::Right).gap(2).cell(Role::Title, "AGE", 4, Cut::Right);
    let mut lines = vec![head.line()];
    for version in &verdict.versions {
        let mut strip = Strip::new(paint, width);
        let label = version.tag.as_deref().unwrap_or(&version.version);
        strip.gap(1).cell(Role::Text, label, name, Cut::End).gap(1);
        let (role, word) = mark(version.mark, paint.glyphs);
        strip.cell(role, &word, 10, Cut::End).gap(1);
        let targets = version.targets.map_or("-".into(), |targets| targets.to_string());
        strip.cell(Role::Text, &targets, 7, Cut::Right).gap(2);
        let age = version.published.map_or_else(|| "-".into(), |at| age(at, paint.now, Form::Short));
        lines.push(strip.cell(Role::Text, &age, 4, Cut::Right).line());
        let reason = reason(paint, version);
        let clean = text::clean(&reason, paint.glyphs);
        for part in text::wrap(&clean, usize::from(width).saturating_sub(4)) {
            lines.push(Strip::new(paint, width).gap(3).put(Role::Dim, &part).line());
        }
    }
    lines
}

/// Why, after how many tries, and when the next one is.
fn reason(paint: &Paint<'_>, version: &VersionState) -> String {
    let mut parts = vec![version.reason.clone()];
    if version.attempts > 0 {
        parts.push(counted(version.attempts, "failed try"));
    }
    if let Some(at) = version.next_try {
        parts.push(format!("next try {}", clock(at, paint.now)));
    }
    parts.join("; ")
}

/// A version's mark: its style, and glyph and word.
pub(crate) fn mark(mark: VersionMark, glyphs: Glyphs) -> (Role, String) {
    let blocked = if glyphs == Glyphs::Unicode { "⊘" } else { "/" };
    let ignored = if glyphs == Glyphs::Unicode { "‣" } else { "x" };
    match mark {
        VersionMark::Is(status) => (Role::of(status), format!("{} {}", glyphs.status(status), status.word())),
        VersionMark::Blocked => (Role::Warning, format!("{blocked} BLOCKED")),
        VersionMark::Ignored => (Role::Dim, format!("{ignored} IGNORED")),
    }
}

/// Findings, wrapped, the gravest first.
pub(crate) fn findings(paint: &Paint<'_>, findings: &[Finding], width: u16) -> Vec<Line<'static>> {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    sorted.into_iter().flat_map(|finding| finding_lines(paint, finding, width)).collect()
}

fn finding_lines(paint: &Paint<'_>, finding: &Finding, width: u16) -> Vec<Line<'static>> {
    let role = match finding.severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Note => Role::Dim,
    };
    let about = finding.version.as_ref().map(|version| format!("{version}: ")).unwrap_or_default();
    // The checks of the files can be asked for by their names; the other findings have none that anybody could use.
    let check = if RULES.contains(&&*finding.rule) { format!(" [{}]", finding.rule) } else { String::new() };
    let text = format!("{about}{}{check}", finding.text);
    let clean = text::clean(&text, paint.glyphs);
    let room = usize::from(width).saturating_sub(LABEL + 2).max(1);
    let labels = std::iter::once(finding.severity.name()).chain(std::iter::repeat(""));
    labels
        .zip(text::wrap(&clean, room))
        .map(|(label, part)| {
            Strip::new(paint, width).gap(1).cell(role, label, LABEL, Cut::End).put(Role::Text, &part).line()
        })
        .collect()
}
