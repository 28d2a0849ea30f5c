//! One pull request in full: the conclusion, the proof for each file, the facts around it, and the next step.

use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::reviews::Standing;
use crate::desk::telling::{around, review};
use crate::rules::amount::clock;
use crate::rules::review::{OpenPull, ReviewedFile};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::{Cut, Paint, Strip};
use crate::tui::widgets::{compare, grid, story};

/// The cell where all lines begin.
const INDENT: usize = 1;
/// Cells by which the further lines of a sentence hang.
const HANG: usize = 2;
/// Cells of a label: `predicted` and a blank.
const LABEL: usize = 10;
/// The most grids of platforms in one file.
const MOST_GRIDS: usize = 3;
/// From this height blank lines stand between the parts.
const ROOMY: u16 = 30;

pub(super) fn lines(
    desk: &Desk,
    paint: &Paint<'_>,
    &(pull, standing): &(&OpenPull, Standing<'_>),
    width: u16,
) -> Vec<Line<'static>> {
    let sign = story::sign(&review::standing(standing), paint.glyphs);
    let conclusion = review::conclusion(pull, standing);
    let mut lines = beside(paint, &sign, (Role::Title, &conclusion), width);
    lines.extend(indented(paint, Role::Dim, &review::author(pull), width));
    // A name that is not the one it reads like is to be seen before anything that was compared.
    if let Standing::Reviewed(found) | Standing::Moved(found) = standing {
        for fact in around::names(&found.look_alikes) {
            let sign = review::name_sign(&fact);
            let (role, word) = story::sign(&sign, paint.glyphs);
            lines.extend(indented(paint, role, &word, width));
        }
    }
    let gap = |lines: &mut Vec<Line<'static>>| {
        if paint.size.rows >= ROOMY {
            lines.push(Line::default());
        }
    };
    if let Some(own) = review::own(pull, standing) {
        let (role, text) = story::sign(&own, paint.glyphs);
        lines.extend(indented(paint, role, &text, width));
    }
    // The next step comes before the proof where there is little room.
    let next = next(desk, paint, (pull, standing), width);
    let is_roomy = paint.size.rows >= ROOMY;
    let (above, below) = if is_roomy { (Vec::new(), next) } else { (next, Vec::new()) };
    lines.extend(above);
    if let Standing::Reviewed(found) | Standing::Moved(found) = standing {
        for file in &found.review.files {
            gap(&mut lines);
            lines.extend(of_file(paint, file, (found.review.files.len() > 1, &conclusion), width));
        }
        gap(&mut lines);
        for fact in around::not_read(&found.review).into_iter().chain(around::facts(&found.review)) {
            let text = fact.text_with(|step| paint.key_here(step)).unwrap_or_default();
            let part = (fact.label.short, Role::meant(fact.tone), &*text);
            let mut fact_lines = story::labelled_at(paint, (INDENT, LABEL), part, width);
            story::highlight(paint, &mut fact_lines, &fact.steps);
            lines.extend(fact_lines);
        }
        for note in &found.review.notes {
            let part = (review::ALSO.short, Role::Text, &**note);
            lines.extend(story::labelled_at(paint, (INDENT, LABEL), part, width));
        }
    }
    lines.extend(below);
    if let Standing::Reviewed(found) | Standing::Moved(found) = standing {
        for fact in around::to_post(&found.review) {
            let part = (fact.label.short, Role::meant(fact.tone), &*fact.text);
            lines.extend(story::labelled_at(paint, (INDENT, LABEL), part, width));
        }
        let text = format!("{}, {}", review::ids(&found.review), clock(found.at, paint.now));
        lines.extend(story::labelled_at(
            paint,
            (INDENT, LABEL),
            (review::COMPARED.short, Role::Dim, &text),
            width,
        ));
    }
    lines
}

/// The next step; empty if there is none.
fn next(
    desk: &Desk,
    paint: &Paint<'_>,
    (pull, standing): (&OpenPull, Standing<'_>),
    width: u16,
) -> Vec<Line<'static>> {
    let Some(message) = review::next(desk, pull, standing) else { return Vec::new() };
    let part = (review::NEXT.short, Role::Notice, &*paint.text_of(&message));
    let mut lines = story::labelled_at(paint, (INDENT, LABEL), part, width);
    story::highlight(paint, &mut lines, &message.steps);
    lines
}

/// The path of a file and the proof: values below each other, grids of platforms, other reasons, and the parts that are equal.
/// `has_others`: its result may not be that of the whole pull request. `conclusion`: the sentence that stands above already.
fn of_file(
    paint: &Paint<'_>,
    file: &ReviewedFile,
    (has_others, conclusion): (bool, &str),
    width: u16,
) -> Vec<Line<'static>> {
    let text = review::of_file(file);
    let mut lines = if has_others {
        beside(
            paint,
            &story::sign(&review::short_sign(file.result), paint.glyphs),
            (Role::Text, &text),
            width,
        )
    } else {
        indented(paint, Role::Text, &text, width)
    };
    let reasons = file.reasons();
    let level = Role::meant(review::sign(file.result).tone);
    // More grids than these are longer than the names.
    let has_grids = reasons.iter().filter(|reason| reason.mark.is_some()).count() <= MOST_GRIDS;
    for reason in reasons {
        if let Some((mismatch, [claimed, upstream])) =
            reason.mismatch.and_then(|mismatch| Some((mismatch, mismatch.values()?)))
        {
            lines.extend(indented(paint, level, &review::place(mismatch), width));
            let [ours, theirs] = review::SIDES;
            lines.extend(compare::lines(paint, INDENT + 1, [(ours, claimed), (theirs, upstream)], width));
            continue;
        }
        let mark = reason.mark.filter(|_| has_grids);
        let grid = mark.and_then(|mark| grid::alike(paint, &reason.platforms, mark, width));
        let text = if grid.is_some() { reason.text.to_string() } else { reason.sentence() };
        if text != conclusion {
            lines.extend(indented(paint, level, &text, width));
        }
        lines.extend(grid.into_iter().flatten());
    }
    lines.extend(file.equal.iter().flat_map(|text| indented(paint, Role::Dim, text, width)));
    lines
}

/// A sign and the text that wraps beside it.
fn beside(
    paint: &Paint<'_>,
    (sign_role, word): &(Role, String),
    (role, text): (Role, &str),
    width: u16,
) -> Vec<Line<'static>> {
    let cells = text::width(word);
    let clean = text::clean(text, paint.glyphs);
    let parts = text::wrap(&clean, usize::from(width).saturating_sub(INDENT + cells + 3));
    let words = std::iter::once(word.as_str()).chain(std::iter::repeat(""));
    let line = |(word, part): (&str, String)| {
        let mut strip = Strip::new(paint, width);
        strip.gap(INDENT).cell(*sign_role, word, cells, Cut::End).gap(2).put(role, &part).line()
    };
    words.zip(parts).map(line).collect()
}

/// A sentence whose further lines hang below its first, so that the next one is seen to begin.
fn indented(paint: &Paint<'_>, role: Role, text: &str, width: u16) -> Vec<Line<'static>> {
    let inner = usize::from(width).saturating_sub(INDENT + HANG + 1);
    let mut lines = paint.wrapped(inner as u16, role, text);
    for (at, line) in lines.iter_mut().enumerate() {
        line.spans.insert(0, " ".repeat(INDENT + if at > 0 { HANG } else { 0 }).into());
    }
    lines
}
