//! Lays out the answer for one entry: the reason and the next key, then the problem, its impact and the options.

use ratatui::text::{Line, Span};

use crate::desk::ability::NextStep;
use crate::desk::telling::entry::{Place, answer};
use crate::desk::telling::shell::in_console;
use crate::desk::telling::{Fact, Glyph, Sign, entry};
use crate::registry::Kind;
use crate::rules::amount::{Form, age, counted};
use crate::rules::{Finding, Gap, Verdict, VersionMark, VersionState};
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

const LABEL: usize = 8;

/// The status line and the facts of the answer, wrapped to the width: the reason and the next step come first, then `evidence`. An
/// entry that is still being read has no others, since nothing can be advised yet. Of an entry that was never checked, the status line
/// gives the reason in the list, and the next step names what can be done.
pub(crate) fn lines(
    paint: &Paint<'_>,
    (kind, verdict): (Kind, &Verdict),
    place: Place,
    evidence: Vec<Line<'static>>,
    width: u16,
) -> Vec<Line<'static>> {
    let mut lines = vec![headline(paint, (kind, verdict), width)];
    let [what, why, left, can, next] = answer(kind, verdict, place, paint.now);
    let repeats = place == Place::List && verdict.gap() == Some(Gap::Unasked);
    let first = [Some(why).filter(|_| !repeats), Some(next)];
    lines.extend(first.iter().flatten().flat_map(|one| fact(paint, one, width)));
    lines.extend(evidence);
    if verdict.gap() != Some(Gap::Loading) {
        let rest = [Some(what), Some(left), Some(can).filter(|_| !repeats)];
        lines.extend(rest.iter().flatten().flat_map(|one| fact(paint, one, width)));
    }
    lines
}

/// [`lines`] for a preview of this size under a list. If they do not fit, the least needed lines give way:
/// first the options, since the next key names one too, then the end of the reason, with a mark. No other
/// sentence is cut. The boolean is true if anything found no room.
pub(crate) fn short(
    paint: &Paint<'_>,
    summary: &str,
    (kind, verdict): (Kind, &Verdict),
    (width, height): (u16, u16),
) -> (Vec<Line<'static>>, bool) {
    let [what, why, left, can, next] = answer(kind, verdict, Place::List, paint.now);
    let head = short_head(paint, summary, (kind, verdict), width);
    // For a fine status its meaning is more useful than its reason.
    let why = if verdict.status.is_fine() { Fact { label: why.label, ..what } } else { why };
    let [mut why, mut left, mut can, next] = [why, left, can, next].map(|one| fact(paint, &one, width));
    match verdict.gap() {
        Some(Gap::Loading) => {
            left.clear();
            can.clear();
        }
        Some(Gap::Unasked) => {
            why.clear();
            can.clear();
        }
        _ => {}
    }
    let height = usize::from(height);
    let fixed = 1 + left.len() + next.len();
    let is_cut = fixed + why.len() + can.len() > height;
    if is_cut {
        can.clear();
    }
    let room = height.saturating_sub(fixed).max(1);
    if why.len() > room {
        why.truncate(room);
        cut_off(paint, &mut why[room - 1], usize::from(width));
    }
    (std::iter::once(head).chain(why).chain(next).chain(left).chain(can).collect(), is_cut)
}

/// The visible lines of a story. A sentence that continues below the pane has a mark.
pub(crate) fn seen<'a>(
    paint: &Paint<'_>,
    lines: &[Line<'a>],
    from: usize,
    (width, height): (u16, u16),
) -> Vec<Line<'a>> {
    let lines = &lines[from.min(lines.len())..];
    let (shown, hidden) = lines.split_at(lines.len().min(usize::from(height)));
    let mut shown = shown.to_vec();
    // Beside a label that stands above, a sentence is continued.
    let is_continued =
        hidden.first().is_some_and(|line| line.to_string().starts_with(&" ".repeat(LABEL + 1)));
    if let Some(last) = shown.last_mut().filter(|_| is_continued) {
        cut_off(paint, last, usize::from(width));
    }
    shown
}

/// Marks a line whose sentence continues.
fn cut_off(paint: &Paint<'_>, line: &mut Line<'_>, width: usize) {
    let mark = paint.glyphs.pick(" …", " ...");
    let over = (line.width() + text::width(mark)).saturating_sub(width);
    if let Some(last) = line.spans.last_mut() {
        let kept = text::start(&last.content, last.width().saturating_sub(over));
        let kept = if over > 0 { kept.rsplit_once(' ').map_or(kept, |(before, _)| before) } else { kept };
        last.content = format!("{kept}{mark}").into();
    }
}

fn short_head(
    paint: &Paint<'_>,
    summary: &str,
    (kind, verdict): (Kind, &Verdict),
    width: u16,
) -> Line<'static> {
    let mut first = Strip::new(paint, width);
    put_headline(first.gap(1), paint, (kind, verdict));
    first.right(Role::Dim, &format!("{summary} ")).line()
}

/// The glyph, the word, the plain words, and the missing versions.
pub(crate) fn headline(paint: &Paint<'_>, (kind, verdict): (Kind, &Verdict), width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    put_headline(strip.gap(1), paint, (kind, verdict));
    strip.line()
}

fn put_headline(strip: &mut Strip<'_>, paint: &Paint<'_>, (kind, verdict): (Kind, &Verdict)) {
    let (status, plain, missing) = entry::headline(kind, verdict);
    let (role, word) = sign(&status, paint.glyphs);
    let Glyph(dot, ascii) = Glyph::BETWEEN;
    strip.put(role, &word).put(Role::Text, &format!(" {} {plain}", paint.glyphs.pick(dot, ascii)));
    if !missing.is_empty() {
        let (role, text) = beside(paint, verdict, &missing);
        let room = strip.room().saturating_sub(2);
        strip.gap(2).put(role, &text::elide_end(&text, room, paint.glyphs));
    }
}

/// The missing versions. Versions that were left out on purpose have their sign.
fn beside(paint: &Paint<'_>, verdict: &Verdict, missing: &str) -> (Role, String) {
    let left_out = verdict.versions.iter().find(|version| version.status().is_none());
    match left_out.filter(|_| verdict.missing.unwrap_or(0) == 0) {
        Some(version) => {
            let Sign { glyph, ascii, tone, .. } = entry::mark(version.mark);
            (Role::meant(tone), format!("{} {missing}", paint.glyphs.pick(glyph, ascii)))
        }
        None => (Role::Text, missing.to_owned()),
    }
}

/// Highlights the keys of next steps in a text that names them, each where its line has the first word of what it does as well.
pub(crate) fn highlight(paint: &Paint<'_>, lines: &mut [Line<'static>], steps: &[(NextStep, &'static str)]) {
    for (step, does) in steps {
        let Some(key) = paint.key_here(step) else { continue };
        let wanted = format!("{key} {}", does.split(' ').next().unwrap_or_default());
        for line in lines.iter_mut() {
            let found =
                line.spans.iter().enumerate().find_map(|(at, span)| Some((at, span.content.find(&wanted)?)));
            let Some((at, from)) = found else { continue };
            let span = line.spans.remove(at);
            let (before, rest) = span.content.split_at(from);
            let parts = [
                Span::styled(before.to_owned(), span.style),
                Span::styled(key.clone(), paint.style(Role::Key)),
                Span::styled(rest[key.len()..].to_owned(), span.style),
            ];
            line.spans.splice(at..at, parts);
            break;
        }
    }
}

/// A fact; the key of its first next step is highlighted.
fn fact(paint: &Paint<'_>, fact: &Fact, width: u16) -> Vec<Line<'static>> {
    let label = fact.label.short;
    let key = |step: &NextStep| paint.key_here(step).unwrap_or_default();
    let Some(((first, does), others)) = fact.steps.split_first() else {
        return labelled(paint, label, &fact.text, width);
    };
    let others: Vec<String> = others.iter().map(|(step, does)| format!("; {} {does}", key(step))).collect();
    next(paint, label, &key(first), &format!("{does}{}", others.concat()), width)
}

/// Returns a sentence of a job with its command lines replaced by this view's keys.
pub(crate) fn in_keys(paint: &Paint<'_>, text: &str) -> String {
    in_console(text, |step| paint.key_here(step))
}

/// A label and a text that wraps beside it.
pub(crate) fn labelled(paint: &Paint<'_>, label: &str, text: &str, width: u16) -> Vec<Line<'static>> {
    labelled_at(paint, (1, LABEL), (label, Role::Text, text), width)
}

/// [`labelled`] with the label in `cells` cells, `indent` cells from the left.
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

/// A key and its effect, wrapped like the other facts.
fn next(paint: &Paint<'_>, label: &str, key: &str, does: &str, width: u16) -> Vec<Line<'static>> {
    let room = usize::from(width).saturating_sub(LABEL + 2).max(1);
    let mut lines = Vec::new();
    for part in text::wrap(&format!("{key} {does}"), room) {
        let mut strip = Strip::new(paint, width);
        let (label, key) = if lines.is_empty() { (label, key) } else { ("", "") };
        let (key, rest) =
            part.split_at_checked(key.len()).filter(|(start, _)| *start == key).unwrap_or(("", &part));
        strip.gap(1).cell(Role::Dim, label, LABEL, Cut::End).put(Role::Key, key).put(Role::Text, rest);
        lines.push(strip.line());
    }
    lines
}

/// The versions that are not plainly fine: each mark and reason once, and below it the versions that have it.
pub(crate) fn versions(paint: &Paint<'_>, verdict: &Verdict, width: u16) -> Vec<Line<'static>> {
    let mut groups: Vec<(VersionMark, String, Vec<&VersionState>)> = Vec::new();
    for version in &verdict.versions {
        let reason = entry::reason(version, paint.now);
        match groups.iter_mut().find(|(mark, why, _)| *mark == version.mark && *why == reason) {
            Some((.., versions)) => versions.push(version),
            None => groups.push((version.mark, reason, vec![version])),
        }
    }
    let mut lines = Vec::new();
    for (mark, reason, versions) in groups {
        let (role, word) = sign(&entry::mark(mark), paint.glyphs);
        let clean = text::clean(&reason, paint.glyphs);
        let lead = text::width(&word) + 2;
        for (place, part) in
            text::wrap(&clean, usize::from(width).saturating_sub(lead + 2)).iter().enumerate()
        {
            let word = if place == 0 { word.as_str() } else { "" };
            lines.push(
                Strip::new(paint, width).gap(1).cell(role, word, lead, Cut::End).put(Role::Text, part).line(),
            );
        }
        lines.extend(versions.iter().map(|version| version_line(paint, version, width)));
    }
    lines
}

/// `v3.70.1   14 targets   6h`.
fn version_line(paint: &Paint<'_>, version: &VersionState, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    let label = version.tag.as_deref().unwrap_or(&version.version);
    strip.gap(3).cell(Role::Text, label, usize::from(width).saturating_sub(28).clamp(8, 20), Cut::End);
    let targets = version.targets.map(|targets| counted(targets, "target")).unwrap_or_default();
    strip.gap(1).cell(Role::Dim, &targets, 11, Cut::Right);
    let age = version.published.map(|at| age(at, paint.now, Form::Short)).unwrap_or_default();
    strip.gap(1).cell(Role::Dim, &age, 5, Cut::Right).line()
}

/// The role of a sign, and its glyph and word.
pub(crate) fn sign(sign: &Sign, glyphs: Glyphs) -> (Role, String) {
    (Role::meant(sign.tone), format!("{} {}", glyphs.pick(sign.glyph, sign.ascii), sign.word))
}

/// Findings, wrapped, the gravest first.
pub(crate) fn findings(paint: &Paint<'_>, findings: &[Finding], width: u16) -> Vec<Line<'static>> {
    let facts = entry::findings(findings);
    facts.iter().flat_map(|fact| finding(paint, fact, width)).collect()
}

fn finding(paint: &Paint<'_>, fact: &Fact, width: u16) -> Vec<Line<'static>> {
    let clean = text::clean(&fact.text, paint.glyphs);
    let room = usize::from(width).saturating_sub(LABEL + 2).max(1);
    let labels = std::iter::once(fact.label.short).chain(std::iter::repeat(""));
    labels
        .zip(text::wrap(&clean, room))
        .map(|(label, part)| {
            let mut strip = Strip::new(paint, width);
            strip.gap(1).cell(Role::meant(fact.tone), label, LABEL, Cut::End).put(Role::Text, &part).line()
        })
        .collect()
}
