//! Draws the proposed rebuild.
//!
//! ```text
//! address  path                                      mode add
//! + ADDITIVE  +2 versions  +28 targets  0 changed  0 removed
//! versions[1] 3.70.0 > targets[2] linux_amd64 > shasum   hunk 4/9
//! +>   17           "shasum": "b6f7add03c464f43..",
//! + ..20   11 more targets of the same shape           folded
//! left out: 1.2.5, and why
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::rules::Class as PlanClass;
use crate::rules::Proposal;
use crate::rules::diff::LineMark;
use crate::rules::diff::Lines;
use crate::rules::diff::Normalises;
use crate::tui::layout::Area;
use crate::tui::layout::Class;
use crate::tui::layout::Size;
use crate::tui::model::Model;
use crate::tui::screens::diff::folds::Seen;
use crate::tui::screens::diff::state::DiffScreen;
use crate::tui::screens::diff::state::LONGEST;
use crate::tui::text;
use crate::tui::text::counted;
use crate::tui::theme::Role;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::Cut;
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::strip::Strip;
use crate::tui::widgets::strip::ground;
use crate::tui::widgets::strip::lay;

/// Mark, cursor and line number.
const NUMBERED: usize = 10;
const UNNUMBERED: usize = 3;

/// Cells of a line's text.
pub(super) fn text_columns(size: Size, width: u16) -> usize {
    usize::from(width).saturating_sub(margin(size))
}

fn margin(size: Size) -> usize {
    if size.class() == Class::Narrow { UNNUMBERED } else { NUMBERED }
}

/// Draws the screen; gives the cell where the cursor belongs.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let diff = model.diff.as_ref()?;
    let parts = model.diff_parts();
    lay(buffer, parts.banner, &banner(model, paint, diff, parts.banner.width));
    lay(buffer, parts.path, &[path(paint, diff, parts.path.width)]);
    lay(buffer, parts.wall, &[paint.rule(parts.wall.width)]);
    let findings = story::findings(paint, &diff.findings, parts.findings.width);
    let most = findings.len().saturating_sub(usize::from(parts.findings.height));
    lay(buffer, parts.findings, &findings[diff.findings_scroll.min(most)..]);
    let hidden = findings.len().saturating_sub(usize::from(parts.findings.height) + diff.findings_scroll);
    lay(buffer, parts.floor, &[paint.rule_over(parts.floor.width, hidden)]);
    if let Some(lines) = diff.lines().filter(|_| diff.has_lines()) {
        return rows(model, paint, diff, lines, parts.lines, buffer);
    }
    let width = parts.lines.width.saturating_sub(2);
    let texts = empty(diff);
    let lines: Vec<Line<'_>> = texts.iter().flat_map(|text| paint.wrapped(width, Role::Text, text)).collect();
    lay(buffer, Area { x: parts.lines.x + 1, width, ..parts.lines }, &lines);
    None
}

/// What stands where the lines would be.
fn empty(diff: &DiffScreen) -> Vec<String> {
    match (&diff.failure, diff.proposal()) {
        (Some(failure), _) => {
            let mut texts = vec![format!("{} failed: {}", failure.doing, failure.causes.join(": "))];
            texts.extend(failure.hint.clone());
            texts
        }
        (None, Some(_)) => vec!["the rebuild gives the same bytes: there is nothing to change".into()],
        (None, None) if diff.opened.is_some() => {
            vec!["no rebuild could be made of this entry; see the findings".into()]
        }
        (None, None) => {
            vec!["building the proposed rebuild: reading upstream; nothing is written ...".into()]
        }
    }
}

fn banner(model: &Model, paint: &Paint<'_>, diff: &DiffScreen, width: u16) -> Vec<Line<'static>> {
    let narrow = model.size.class() == Class::Narrow;
    let address = diff.address.to_string();
    let mut first = Strip::new(paint, width);
    let share = usize::from(width) / 2;
    first.gap(1).put(Role::Title, &text::elide_middle(&address, share)).gap(2);
    let Some(proposal) = diff.proposal() else {
        return vec![first.put(Role::Dim, "proposed rebuild").line()];
    };
    if narrow {
        class(&mut first, proposal, diff, Class::Narrow);
        return vec![first.line()];
    }
    let wide = model.size.class() == Class::Wide;
    let digest =
        if wide { String::new() } else { format!("  sha256 {}", text::short_hash(&proposal.digest)) };
    let tail = format!("mode {}{digest} ", proposal.mode.name());
    let room = first.room().saturating_sub(text::width(&tail) + 2);
    if room >= 30 {
        first.put(Role::Dim, &text::elide_middle(&proposal.path, room));
    }
    first.right(Role::Dim, &tail);
    let mut second = Strip::new(paint, width);
    second.gap(1);
    class(&mut second, proposal, diff, model.size.class());
    let mut third = Strip::new(paint, width);
    third.gap(1).put(Role::Dim, "sha256").gap(1).put(Role::Text, &text::short_hash(&proposal.base_digest));
    third.put(Role::Dim, " becomes ").put(Role::Text, &text::short_hash(&proposal.digest));
    third.gap(2).put(Role::Dim, "what the registry's own bump would write; nothing is written here");
    vec![first.line(), second.line(), third.line()]
}

/// Class and counts.
fn class(strip: &mut Strip<'_>, proposal: &Proposal, diff: &DiffScreen, room: Class) {
    let class = proposal.diff.class;
    let role = match class {
        PlanClass::Additive => Role::Fine,
        PlanClass::Noop => Role::Dim,
        PlanClass::Reorders => Role::Late,
        PlanClass::Mutates | PlanClass::Removes => Role::Lost,
    };
    strip.put(role, &format!("{} {}", class.glyph(), class.word()));
    let counts = diff.counts;
    let (versions, targets) = (counts.added, counts.added_targets);
    if room == Class::Narrow {
        strip.put(Role::Text, &format!(" +{versions}v +{targets}t"));
        return;
    }
    let mut parts = if room == Class::Medium {
        vec![format!("+{versions} ver +{targets} tgt")]
    } else {
        vec![
            format!("+{}", counted(u64::from(versions), "version", "versions")),
            format!("+{}", counted(u64::from(targets), "target", "targets")),
        ]
    };
    parts.push(format!("{} changed", counts.changed));
    parts.push(format!("{} removed", counts.removed));
    if counts.moved > 0 {
        parts.push(format!("{} moved", counts.moved));
    }
    parts.extend(normalises(&proposal.diff.normalises));
    parts.push(format!("{} unchanged", proposal.diff.unchanged_versions));
    for part in parts {
        if text::width(&part) + 2 <= strip.room() {
            strip.gap(2).put(Role::Text, &part);
        }
    }
}

/// The side changes in words; none if there are none.
fn normalises(side: &Normalises) -> Option<String> {
    let mut parts = Vec::new();
    for (count, one, many) in [
        (side.key_orders, "key order", "key orders"),
        (side.empty_fields, "empty field", "empty fields"),
        (side.moved_versions, "moved version", "moved versions"),
    ] {
        if count > 0 {
            parts.push(counted(u64::from(count), one, many));
        }
    }
    if side.layout {
        parts.push("layout".into());
    }
    (!parts.is_empty()).then(|| format!("normalises {}", parts.join(", ")))
}

fn path(paint: &Paint<'_>, diff: &DiffScreen, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    let (at, all) = diff.hunk();
    let hunk = if all == 0 { String::new() } else { format!("hunk {at}/{all} ") };
    let room = usize::from(width).saturating_sub(text::width(&hunk) + 3);
    let path = diff.path();
    let clean = text::clean(&path, paint.glyphs);
    // The end of a path says more than its start.
    let shown = if text::width(&clean) > room {
        format!("..{}", text::ending(&clean, room.saturating_sub(2)))
    } else {
        clean.into_owned()
    };
    strip.gap(1).put(Role::Path, &shown);
    strip.right(Role::Dim, &hunk).line()
}

/// The rows in the window; gives the cell of the cursor.
fn rows(
    model: &Model,
    paint: &Paint<'_>,
    diff: &DiffScreen,
    lines: &Lines,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let mut cursor = None;
    let mut y = area.y;
    for row in diff.top..diff.folds.rows.len() {
        if y >= area.bottom() {
            break;
        }
        let under = row == diff.cursor;
        let drawn = match diff.folds.rows[row] {
            Seen::Line(at) => file_line(model, paint, diff, lines, at, under, area.width),
            Seen::Fold(block) => vec![fold_line(model, paint, diff, lines, block, under, area.width)],
        };
        let place = Area { y, height: (drawn.len() as u16).min(area.bottom() - y), ..area };
        lay(buffer, place, &drawn);
        if under {
            ground(buffer, place, paint.style(Role::Cursor));
            cursor = Some(Position::new(area.x + 1, y));
        }
        y += place.height;
    }
    cursor
}

fn mark(mark: LineMark) -> (Role, &'static str) {
    match mark {
        LineMark::Same => (Role::Dim, " "),
        LineMark::Added => (Role::Added, "+"),
        LineMark::Removed => (Role::Removed, "-"),
    }
}

/// Mark, cursor and number.
fn margin_of<'a>(
    model: &Model,
    paint: &'a Paint<'a>,
    (role, sign): (Role, &str),
    number: &str,
    under: bool,
    width: u16,
) -> Strip<'a> {
    let mut strip = Strip::new(paint, width);
    strip.cell(role, sign, 1, Cut::End);
    strip.cell(Role::Key, if under { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    if model.size.class() == Class::Narrow {
        return {
            strip.gap(1);
            strip
        };
    }
    strip.cell(Role::Dim, number, 6, Cut::Right).gap(2);
    strip
}

fn file_line(
    model: &Model,
    paint: &Paint<'_>,
    diff: &DiffScreen,
    lines: &Lines,
    at: u32,
    under: bool,
    width: u16,
) -> Vec<Line<'static>> {
    let line = &lines.lines[at as usize];
    let sign = mark(line.mark);
    let raw = lines.text(line);
    let cut = text::start(raw, LONGEST);
    let room = text_columns(model.size, width);
    let mut content = text::clean(cut, paint.glyphs).into_owned();
    if cut.len() < raw.len() {
        content.push_str(" (cut)");
    }
    if model.size.class() == Class::Narrow {
        let trimmed = content.trim_start();
        let steps = (content.len() - trimmed.len()) / 2;
        content = format!("{}{trimmed}", " ".repeat(steps.saturating_sub(1)));
    }
    let number = line.number.to_string();
    if !diff.wrap {
        let shown = if diff.left > 0 {
            text::skip(&content, diff.left).to_owned()
        } else {
            elide_value(&content, room)
        };
        return vec![margin_of(model, paint, sign, &number, under, width).put(sign.0, &shown).line()];
    }
    let mut drawn = Vec::new();
    let mut rest = content.as_str();
    loop {
        let part = text::start(rest, room.max(1));
        let first = drawn.is_empty();
        let mut strip =
            margin_of(model, paint, sign, if first { &number } else { "" }, under && first, width);
        drawn.push(strip.put(sign.0, part).line());
        rest = &rest[part.len()..];
        if rest.is_empty() || part.is_empty() {
            return drawn;
        }
    }
}

/// Keeps key and punctuation and cuts the value in its middle: `"download_url": "https://gith..amd64.zip",`.
fn elide_value(line: &str, room: usize) -> String {
    if text::width(line) <= room {
        return line.to_owned();
    }
    let Some((key, value)) = line.split_once("\": ") else {
        return text::elide_middle(line, room).into_owned();
    };
    let head = text::width(key) + 3;
    if head + 12 > room {
        return text::elide_middle(line, room).into_owned();
    }
    format!("{key}\": {}", text::elide_middle(value, room - head))
}

fn fold_line(
    model: &Model,
    paint: &Paint<'_>,
    diff: &DiffScreen,
    lines: &Lines,
    block: u32,
    under: bool,
    width: u16,
) -> Line<'static> {
    let found = &lines.blocks[block as usize];
    let sign = mark(found.mark);
    let first = lines.lines.get(found.first as usize).map_or(0, |line| line.number);
    let mut strip = margin_of(model, paint, sign, &format!("..{first}"), under, width);
    let changes = diff.folds.changes(found.first, found.end);
    let mut notes = Vec::new();
    if found.odd {
        notes.push("differs in shape".to_owned());
    }
    if found.mark == LineMark::Same && changes > 0 {
        notes.push(counted(u64::from(changes), "changed line", "changed lines"));
    }
    notes.push("folded ".into());
    let tail = notes.join("  ");
    let indent = if model.size.class() == Class::Narrow { 0 } else { indent_of(lines, found.first) };
    let room = strip.room().saturating_sub(text::width(&tail) + 1);
    let role = if found.mark == LineMark::Same { Role::Fold } else { sign.0 };
    let title = format!("{}{}", " ".repeat(indent), found.title);
    strip.put(role, &text::elide_end(&text::clean(&title, paint.glyphs), room));
    strip.right(if found.odd { Role::Warning } else { Role::Dim }, &tail).line()
}

fn indent_of(lines: &Lines, first: u32) -> usize {
    let text = lines.lines.get(first as usize).map_or("", |line| lines.text(line));
    (text.len() - text.trim_start().len()).min(12)
}
