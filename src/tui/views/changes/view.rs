//! Draws Changes.
//!
//! ```text
//! - Changes  plan 7c1e9a - 1 of 2 files --+- newrelic/newrelic 3.70.0 ----------------------
//! FILES                   CLASS  SEEN     | version 3.70.0 > shasum    unified  change 2/2
//! > providers/n/newrelic/newrelic.json    | +   17     "shasum": "b6f7add03c464f43..",
//!   +2 ver +28 tgt   ADDITIVE  1/2        |
//!     3.70.1  new  14 tgt  approved       |
//! - Evidence ---------------------------- | ------------------------------------------------
//! v SHA256SUMS known when this was built  | + ADDITIVE  +2 versions  +28 targets
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::planning::Planning;
use crate::desk::telling::entry::NEXT;
use crate::desk::telling::evidence::Standing;
use crate::desk::telling::{evidence, planned};
use crate::rules::Status;
use crate::rules::amount::{Form, clock, counted};
use crate::rules::plan::{Plan, PlannedFile};
use crate::rules::retry::NEXT_BUMP;
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::layout::{Area, Class, frame, scrolled};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::keymap::Command;
use crate::tui::views::changes::parts::{Parts, parts};
use crate::tui::views::changes::rows;
use crate::tui::views::changes::state::Changes;
use crate::tui::views::changes::tree::{place_of, row_count};
use crate::tui::widgets::diff::{Counts, class, headline, view as lines};
use crate::tui::widgets::strip::{Paint, Strip, lay, wall};
use crate::tui::widgets::{story, table};

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(
    changes: &Changes,
    desk: &Desk,
    paint: &Paint<'_>,
    buffer: &mut Buffer,
) -> Option<Position> {
    let planning = &desk.planning;
    let plan = planning.plan.as_ref().filter(|plan| !plan.is_empty());
    let Some(plan) = plan else {
        let body = frame(paint.size).body;
        let area = Area { x: body.x + 2, width: body.width.saturating_sub(4), ..body };
        lay(buffer, area, &nothing(planning, paint, area.width));
        return None;
    };
    let parts = parts(changes, row_count(planning), paint.window());
    let narrow = paint.size.class() == Class::Narrow;
    let typed = title(changes, paint, planning, plan, &parts, buffer);
    wall(buffer, parts.wall, paint);
    lay(buffer, parts.floor, &[paint.rule(parts.floor.width)]);
    let Some(file) = changes.file(planning) else {
        let area = Area { x: parts.tree.x + 1, width: parts.tree.width.saturating_sub(2), ..parts.tree };
        let text = table::all_hidden(&paint.key(Command::Back));
        lay(buffer, area, &paint.wrapped(area.width, Role::Text, &text));
        return typed;
    };
    let in_tree = typed.or(rows::view(changes, planning, paint, &parts, buffer));
    let found = evidence_lines(changes, desk, paint, file, &parts);
    let (from, hidden) = scrolled(changes.evidence_scroll, usize::from(parts.evidence.height), found.len());
    lay(buffer, parts.evidence, &found[from..]);
    let hidden = if parts.evidence.height > SHORT { paint.hidden(hidden) } else { String::new() };
    let evidence = paint.named_rule(parts.tree_floor.width, false, &[&hidden], "Evidence");
    lay(buffer, parts.tree_floor, &[evidence]);
    if parts.lines.is_empty() {
        return in_tree;
    }
    lay(buffer, parts.side, &[side(changes, planning, paint, file, parts.side.width)]);
    lay(buffer, parts.banner_rule, &[paint.rule(parts.banner_rule.width)]);
    lay(buffer, parts.banner, &banner(paint, file, parts.banner));
    let Some(review) = changes.open_review(planning).filter(|review| review.pane.has_lines()) else {
        lay(buffer, parts.lines, &no_lines(changes, planning, paint, parts.lines.width));
        return in_tree;
    };
    let typing = headline(paint, &review.pane, parts.path, narrow, buffer);
    let in_lines = lines(paint, &review.pane, parts.lines, (narrow, changes.in_lines()), buffer);
    typing.or(if changes.in_lines() { in_lines } else { in_tree })
}

/// The text of the view without a plan.
fn nothing(planning: &Planning, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    if let Some(failure) = planning.failure.as_ref().filter(|_| planning.plan.is_none()) {
        lines.extend(paint.wrapped(width, Role::Error, &failure.reason()));
        if let Some(hint) = &failure.hint {
            lines.push(Line::default());
            lines.extend(paint.wrapped(width, Role::Notice, &story::in_keys(paint, hint)));
        }
        return lines;
    }
    if planning.plan.is_none() {
        lines.extend(paint.wrapped(width, Role::Text, "reading the plan ..."));
        return lines;
    }
    lines.extend(paint.wrapped(width, Role::Title, "The plan is empty."));
    lines.push(Line::default());
    for text in [
        format!(
            "{} in the Inventory, or in an entry, adds it to the plan: bumpdesk reads upstream and builds what the \
             registry's own tool would write. Marked rows ({}) are added together.",
            paint.key(Ability::Add),
            paint.key(Command::Mark)
        ),
        "Here you look at each change and approve or reject it. No data file is written.".to_owned(),
    ] {
        lines.extend(paint.wrapped(width, Role::Text, &text));
        lines.push(Line::default());
    }
    lines
}

fn no_lines(changes: &Changes, planning: &Planning, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    let review = changes.open_review(planning);
    let text = match review.and_then(|review| review.failure.as_ref()) {
        Some(failure) => failure.reason(),
        None => "reading the lines of this file ...".to_owned(),
    };
    paint.wrapped(width, Role::Text, &text)
}

/// `1 of 4 files approved`.
fn approved(plan: &Plan) -> String {
    let tally = plan.tally();
    format!("{} of {} approved", tally.approved, counted(tally.files, "file"))
}

/// `newrelic.json`.
fn file_name(file: &PlannedFile) -> &str {
    file.path.rsplit('/').next().unwrap_or(&file.path)
}

/// The rule above the tree, which names the plan and its base, or the filter in its place. Gives the cell of the text cursor while the
/// filter is typed.
fn title(
    changes: &Changes,
    paint: &Paint<'_>,
    planning: &Planning,
    plan: &Plan,
    parts: &Parts,
    buffer: &mut Buffer,
) -> Option<Position> {
    let (window, area) = (changes.window(planning), parts.title);
    if changes.filter.is_shown() {
        let all = planning.files().iter().map(|file| 1 + file.pieces.len()).sum();
        let found = table::found(paint, window, parts.tree.height, all);
        return table::filter(paint, &changes.filter, &found, area, buffer);
    }
    let name = plan.name();
    let shown = if name.is_empty() { "Nothing to send".to_owned() } else { format!("Plan {name}") };
    let seen = table::seen(paint, window, parts.tree.height);
    let order = planning.sort().unusual(planning.sort().by.label());
    let line = paint.pane_rule(area.width, !changes.in_lines(), &[&order, &seen], |strip, role| {
        strip.put(role, &shown).gap(2).put(Role::Text, &approved(plan));
        let base = plan.base();
        // The branch gives way before the commit does.
        let long = format!("base {base}");
        let base = match base.split_once('@') {
            Some((_, commit)) if text::width(&long) + 2 > strip.room() => format!("base {commit}"),
            _ => long,
        };
        if text::width(&base) + 2 <= strip.room() {
            strip.gap(2).put(Role::Dim, &base);
        }
    });
    lay(buffer, area, &[line]);
    None
}

/// The rule above the lines: the change under the cursor; where they stand alone, its file with class and counts too.
fn side(
    changes: &Changes,
    planning: &Planning,
    paint: &Paint<'_>,
    file: &PlannedFile,
    width: u16,
) -> Line<'static> {
    let class = paint.size.class();
    let is_alone = changes.in_lines() && (class != Class::Wide || paint.divider.is_zoomed);
    let piece = changes.at.piece.and_then(|at| file.pieces.get(at));
    let right = if is_alone { format!("seen {}", planned::seen(file, Form::Short)) } else { String::new() };
    paint.pane_rule(width, changes.in_lines(), &[&right], |strip, role| {
        if !is_alone {
            let address = file.address.to_string();
            let part = piece.map(|piece| piece.part.name()).unwrap_or_default();
            let room = strip.room().saturating_sub(text::width(part) + 1);
            strip.put(role, &text::elide_middle(&address, room, paint.glyphs));
            if !part.is_empty() {
                strip.gap(1).put(role, part);
            }
            return;
        }
        let place = place_of(planning, changes.at.file).map_or(0, |place| place + 1);
        let place = format!("{place}/{}", planning.shown().len());
        let (before, share) = if class == Class::Narrow { ("", 3) } else { ("file ", 4) };
        strip.put(role, &text::elide_middle(file_name(file), usize::from(width) / share, paint.glyphs));
        strip.gap(1).put(Role::Dim, &format!("{before}{place}")).gap(1);
        rows::class(strip, file);
        let figures = Counts::of(&file.left).short();
        if text::width(&figures) < strip.room() {
            strip.put(Role::Text, &figures);
        }
    })
}

/// The class, the counts, and the format of the bytes.
fn banner(paint: &Paint<'_>, file: &PlannedFile, area: Area) -> Vec<Line<'static>> {
    let mut bytes = Strip::new(paint, area.width);
    bytes.gap(1).put(Role::Text, &evidence::form(file));
    if area.height < 2 {
        return vec![bytes.line()];
    }
    let mut first = Strip::new(paint, area.width);
    first.gap(1);
    class(&mut first, file.class, &file.left, Counts::of(&file.left), paint.size.class());
    vec![first.line(), bytes.line()]
}

/// The checks of the change under the cursor, or the state of the file.
fn evidence_lines(
    changes: &Changes,
    desk: &Desk,
    paint: &Paint<'_>,
    file: &PlannedFile,
    parts: &Parts,
) -> Vec<Line<'static>> {
    let width = parts.evidence.width;
    let review = changes.open_review(&desk.planning);
    let piece = changes.at.piece.and_then(|at| Some((at, file.pieces.get(at)?)));
    let Some((at, piece)) = piece else { return file_lines(changes, desk, paint, file, parts.evidence) };
    let found = review.and_then(|review| review.evidence.get(at));
    let folded = review.map_or(0, |review| review.folded(at));
    let mut checks = evidence::checks(file, piece, found);
    checks.extend(evidence::folded(folded, &paint.key(Command::OpenFolds)));
    if parts.evidence.height <= SHORT {
        return short_evidence(paint, &checks, parts.evidence);
    }
    let mut lines = Vec::new();
    for check in checks {
        let (sign, role) = sign(check.standing, paint.glyphs);
        let clean = text::clean(&check.text, paint.glyphs);
        for (at, part) in text::wrap(&clean, usize::from(width).saturating_sub(4)).iter().enumerate() {
            let mut strip = Strip::new(paint, width);
            strip.gap(1).put(role, if at == 0 { sign } else { " " });
            lines.push(strip.gap(1).put(Role::Text, part).line());
        }
    }
    lines.extend(paragraph(paint, width, Role::Dim, &notes(paint, file)));
    for piece in &file.pieces {
        if let Some(note) = planned::note(piece) {
            lines.extend(paragraph(paint, width, Role::Text, &format!("{}: {note}", piece.part.name())));
        }
    }
    lines
}

/// The height of the pane up to which the evidence takes one line.
const SHORT: u16 = 3;

fn notes(paint: &Paint<'_>, file: &PlannedFile) -> String {
    let notes = file.pieces.iter().filter(|piece| !piece.mark.note.is_empty()).count();
    format!("Notes on this file: {notes} ({} writes one)", paint.key(Ability::Note))
}

/// A wrapped text with a margin.
fn paragraph(paint: &Paint<'_>, width: u16, role: Role, text: &str) -> Vec<Line<'static>> {
    let clean = text::clean(text, paint.glyphs);
    let parts = text::wrap(&clean, usize::from(width).saturating_sub(2));
    parts.iter().map(|part| Strip::new(paint, width).gap(1).put(role, part).line()).collect()
}

/// The parts of a sentence that fit whole into a line of this many cells, since half a command is useless.
fn whole_parts(sentence: &str, cells: usize) -> String {
    let mut text = String::new();
    for part in sentence.split("; ") {
        let joined = if text.is_empty() { part.to_owned() } else { format!("{text}; {part}") };
        if text::width(&joined) <= cells {
            text = joined;
        }
    }
    if text.is_empty() { sentence.to_owned() } else { text }
}

/// The checks in a word each, in as many lines as there are. The last one says that there are more.
fn short_evidence(paint: &Paint<'_>, checks: &[evidence::Check], area: Area) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut strip = Strip::new(paint, area.width);
    strip.gap(1);
    // Where not all have room, those that found no fault give way.
    let mut checks: Vec<_> = checks.iter().collect();
    checks.sort_by_key(|check| std::cmp::Reverse(check.standing));
    for check in checks {
        let is_last = lines.len() + 1 >= usize::from(area.height);
        if text::width(&check.short) + 4 > strip.room() {
            if is_last {
                strip.put(Role::Dim, paint.glyphs.pick("…", ".."));
                break;
            }
            lines.push(strip.line());
            strip = Strip::new(paint, area.width);
            strip.gap(1);
        }
        let (sign, role) = sign(check.standing, paint.glyphs);
        strip.put(role, sign).gap(1).put(Role::Text, &check.short).gap(2);
    }
    lines.push(strip.line());
    lines
}

fn sign(standing: Standing, glyphs: Glyphs) -> (&'static str, Role) {
    match standing {
        Standing::Fine => (glyphs.status(Status::Current), Role::Fine),
        Standing::Open => ("-", Role::Dim),
        Standing::Wrong => ("!", Role::Warning),
    }
}

/// `TO REVIEW  next: 1 version left to look at before it can be approved`.
fn state_line(changes: &Changes, desk: &Desk, paint: &Paint<'_>, file: &PlannedFile) -> String {
    let fact = planned::next(file);
    let text = if fact.label == NEXT { changes.next_step(desk, file, paint) } else { fact.text };
    format!("{}  {}: {text}", file.state.word(), fact.label.short)
}

fn file_lines(
    changes: &Changes,
    desk: &Desk,
    paint: &Paint<'_>,
    file: &PlannedFile,
    Area { width, height, .. }: Area,
) -> Vec<Line<'static>> {
    let state = match height {
        0 | 1 => whole_parts(&changes.next_step(desk, file, paint), usize::from(width).saturating_sub(2)),
        _ => state_line(changes, desk, paint, file),
    };
    let state = paragraph(paint, width, Role::Text, &state);
    if height <= SHORT {
        return state;
    }
    let mut lines = paragraph(paint, width, Role::Title, &file.address.to_string());
    lines.extend(state);
    let built = clock(file.built_at, paint.now);
    let built = format!("built {built} on {}, {}", file.revision, file.mode.words());
    lines.extend(paragraph(paint, width, Role::Dim, &built));
    for remark in &file.remarks {
        let role = match (&*remark.severity, &*remark.rule) {
            ("note", NEXT_BUMP) => Role::Text,
            ("note", _) => continue,
            _ => Role::Warning,
        };
        lines.extend(paragraph(paint, width, role, &planned::remark(remark)));
    }
    lines.extend(paragraph(paint, width, Role::Dim, &notes(paint, file)));
    lines
}
