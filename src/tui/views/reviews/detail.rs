//! One pull request in full: its word, its commits, each file with the reasons for its word, and the next
//! step.

use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::reviews::Standing;
use crate::desk::telling::{around, column, review};
use crate::rules::amount::clock;
use crate::rules::review::{OpenPull, ReviewedFile};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Paint, Strip};

/// The indent of the points below a file's path, in cells.
const INDENT: usize = 4;
/// Cells of a label: `predicted` and a blank.
const LABEL: usize = 10;

pub(super) fn lines(
    desk: &Desk,
    paint: &Paint<'_>,
    &(pull, standing): &(&OpenPull, Standing<'_>),
    width: u16,
) -> Vec<Line<'static>> {
    let (role, word) = story::sign(&review::standing(standing), paint.glyphs);
    let mut head = Strip::new(paint, width);
    head.gap(1).put(role, &word).gap(2).put(Role::Title, &review::subject(pull));
    let mut lines = vec![head.line()];
    let (Standing::Reviewed(found) | Standing::Moved(found)) = standing else {
        lines.extend(indented(paint, 1, Role::Dim, &review::by(pull), width));
        return lines;
    };
    let text = format!("{}, reviewed {}", review::commits(&found.review), clock(found.at, paint.now));
    lines.extend(indented(paint, 1, Role::Dim, &text, width));
    if let Standing::Moved(_) = standing {
        lines.extend(indented(paint, 1, Role::Warning, &review::moved(pull, &found.review), width));
    }
    for file in &found.review.files {
        lines.extend(of_file(paint, file, width));
        lines.extend(file.points.iter().flat_map(|point| indented(paint, INDENT, Role::Text, point, width)));
    }
    for fact in around::facts(&found.review) {
        let part = (fact.label.short, Role::meant(fact.tone), &*fact.text);
        lines.extend(story::labelled_at(paint, (1, LABEL), part, width));
    }
    for note in &found.review.notes {
        let part = (column::NOTE.short, Role::Text, &**note);
        lines.extend(story::labelled_at(paint, (1, LABEL), part, width));
    }
    if let Some(message) = review::next(desk, pull, standing) {
        let text = paint.text_of(&message);
        lines.extend(indented(paint, 1, Role::Notice, &text, width));
    }
    lines
}

/// The word and the path of a file; the path stands below the word if there is no room beside it.
fn of_file(paint: &Paint<'_>, file: &ReviewedFile, width: u16) -> Vec<Line<'static>> {
    let (role, word) = story::sign(&review::sign(file.result), paint.glyphs);
    let text = review::of_file(file);
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(role, &word).gap(2);
    if text::width(&text) <= strip.room() {
        return vec![strip.put(Role::Text, &text).line()];
    }
    std::iter::once(strip.line()).chain(indented(paint, INDENT, Role::Text, &text, width)).collect()
}

fn indented(paint: &Paint<'_>, cells: usize, role: Role, text: &str, width: u16) -> Vec<Line<'static>> {
    let inner = width.saturating_sub(cells as u16 + 1);
    let mut lines = paint.wrapped(inner, role, text);
    for line in &mut lines {
        line.spans.insert(0, " ".repeat(cells).into());
    }
    lines
}
