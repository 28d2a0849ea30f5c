//! The lines above the list: the view and its figures, the filter and its faults; and the line below the list
//! at rest.

use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::list::List;
use crate::desk::telling::list::{attention, figures, none_checked};
use crate::rules::amount::{counted, grouped};
use crate::rules::filter::LONGEST;
use crate::rules::order::Group;
use crate::tui::base::layout::Class;
use crate::tui::base::text;
use crate::tui::base::text::width;
use crate::tui::base::theme::Role;
use crate::tui::keymap::Command;
use crate::tui::views::inventory::note::LABEL;
use crate::tui::views::inventory::state::{Inventory, parts};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::strip::{Paint, Strip};

/// `Inventory  view: all  27,463 entries`, and near the right end the order and the visible lines. A narrow window has the
/// levels here, since it has no line for them.
pub(super) fn title(
    inventory: &Inventory,
    list: &List,
    paint: &Paint<'_>,
    at: &str,
    cells: u16,
) -> Line<'static> {
    let class = paint.size.class();
    let name = list.view_name().unwrap_or_else(|| "(not saved)".into());
    let short =
        text::elide_end(&name, if class == Class::Narrow { 12 } else { 24 }, paint.glyphs).into_owned();
    let all = grouped(list.verdicts.len() as u64);
    let order = if class == Class::Medium { order(list) } else { String::new() };
    let is_focused = !inventory.reads(list, paint.window());
    paint.pane_rule(cells, is_focused, &[&order, at], |strip, role| {
        if class == Class::Narrow {
            strip.put(role, &short).put(Role::Text, &format!(" {all}"));
        } else {
            strip.put(role, "Inventory").gap(2).put(Role::Dim, "view: ").put(Role::Text, &short);
        }
        let marks = marks(inventory, list);
        if !marks.is_empty() {
            strip.gap(2).put(Role::Mark, &marks);
        }
        if class != Class::Narrow {
            strip.gap(2).put(Role::Text, &format!("{all} entries"));
            return;
        }
        for (tone, part) in figures(&list.tally) {
            let (role, part) = (Role::meant(tone), format!(", {part}"));
            // A figure without room takes the less important ones with it.
            if width(&part) > strip.room() {
                break;
            }
            strip.put(role, &part);
        }
    })
}

/// `sort: level, age  group: kind`.
fn order(list: &List) -> String {
    match list.group {
        Group::None => format!("sort: {}", list.sort.label()),
        group => format!("sort: {}  group: {}", list.sort.label(), group.name()),
    }
}

/// `3 marked (1 hidden)`; empty without marks.
fn marks(inventory: &Inventory, list: &List) -> String {
    match (list.mark_count(), inventory.hidden_marks(list)) {
        (0, _) => String::new(),
        (all, 0) => format!("{} marked", grouped(all)),
        (all, hidden) => format!("{} marked ({} hidden)", grouped(all), grouped(hidden)),
    }
}

/// The filter field, the number of matching rows, and the order. The column of the text cursor follows while
/// the field is open.
pub(super) fn filter_line(
    inventory: &Inventory,
    list: &List,
    paint: &Paint<'_>,
    at: &str,
    cells: u16,
) -> (Line<'static>, Option<u16>) {
    let (text, typing) = (&list.filter, &inventory.typing);
    let open = typing.is_open();
    let mut strip = Strip::new(paint, cells);
    strip.gap(1).put(if open { Role::Key } else { Role::Dim }, LABEL).gap(1);
    let of_text;
    let field = if open {
        &typing.field
    } else {
        of_text = Field::of_at_most(text, LONGEST);
        &of_text
    };
    let tail = tail(inventory, list, paint, at, (strip.room(), width(field.text())));
    let room = strip.room().saturating_sub(width(&tail) + if tail.is_empty() { 1 } else { 3 });
    let seen = field.seen(paint.glyphs, room);
    let at = (usize::from(cells) - strip.room() + seen.cursor) as u16;
    match (open, text.is_empty()) {
        (false, true) => strip.put(Role::Dim, "(none)"),
        _ => strip.put(if open { Role::Prompt } else { Role::Text }, &seen.text),
    };
    strip.right(Role::Dim, &format!("{tail} "));
    (strip.line(), open.then_some(at.min(cells.saturating_sub(1))))
}

/// The fewest cells of the filter text, whatever stands behind it.
const SMALLEST_FIELD: usize = 16;

/// The text behind the filter: `12 of 27,463, 3 marked   sort: level, age`. The order gives way to a long
/// filter.
fn tail(
    inventory: &Inventory,
    list: &List,
    paint: &Paint<'_>,
    at: &str,
    (room, typed): (usize, usize),
) -> String {
    let wide = paint.size.class() == Class::Wide;
    let open = inventory.typing.is_open();
    let mut tail = String::new();
    if open || !list.filter.is_empty() {
        let (shown, all) = (list.shown.len() as u64, list.verdicts.len() as u64);
        tail = match at {
            _ if wide || at.is_empty() => format!("{} of {}", grouped(shown), grouped(all)),
            at if shown == all => at.to_owned(),
            // The filter has the place of the rule that says which lines are visible.
            at => format!("{at}, {} in all", grouped(all)),
        };
        let marks = marks(inventory, list);
        let fits = width(&tail) + width(&marks) + SMALLEST_FIELD + 5 <= room;
        // While the filter is typed, the line at rest shows the marks too.
        if !wide && !marks.is_empty() && (fits || !open) {
            tail = format!("{tail}, {marks}");
        }
    }
    let order = order(list);
    let fits = typed + width(&tail) + width(&order) + 7 <= room;
    if wide && fits { format!("{tail}   {order}") } else { tail }
}

/// The line below the list when there is no message: the marks by status, and the number of new rows.
pub(super) fn rest(inventory: &Inventory, list: &List, paint: &Paint<'_>, cells: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, cells);
    strip.gap(1);
    if let Some((from, to)) = inventory.range_lines() {
        let rows = (from..=to).filter(|place| inventory.row(list, *place).is_some()).count() as u64;
        let rows = counted(rows, "row");
        let (mark, leave) = (paint.key(Command::Range), paint.key(Command::Back));
        strip.put(Role::Mark, &format!("range of {rows}: {mark} marks it, {leave} leaves it")).gap(2);
    }
    let marks = marks(inventory, list);
    if !marks.is_empty() {
        strip.put(Role::Mark, &marks);
        let by_status = list.marks_by_status();
        let parts: Vec<String> =
            by_status.iter().map(|(status, count)| format!("{count} {}", status.word())).collect();
        let text = format!(": {}", parts.join(", "));
        if width(&text) <= strip.room() {
            strip.put(Role::Text, &text);
        }
        strip.gap(3);
        let keys = [Command::Range, Command::MarkShown, Command::Back].map(|command| paint.key(command));
        let text = format!("({} range, {} all shown, {} clears)", keys[0], keys[1], keys[2]);
        if !inventory.has_range() && list.new_count() == 0 && width(&text) <= strip.room() {
            strip.put(Role::Dim, &text);
        }
    }
    if let Some(text) = news(list) {
        let key = paint.key(Command::NextWanting);
        strip.put(Role::Warning, &text).put(Role::Dim, &format!(" ({key} goes to the next)"));
    }
    strip.line()
}

/// The reason of the row under the cursor, if no preview shows it and there is no other text; where no line above the list says how to
/// begin a survey, this one does.
pub(super) fn text_at_rest(inventory: &Inventory, desk: &Desk, paint: &Paint<'_>) -> Option<String> {
    let (list, parts) = (&desk.list, parts(&desk.list, paint.window()));
    if inventory.has_range() || list.has_marks() || list.new_count() > 0 || !parts.preview.is_empty() {
        return None;
    }
    if parts.counts.is_empty()
        && let Some([_, short]) = none_checked(desk, |ability| paint.key(ability))
    {
        return Some(short);
    }
    let (_, verdict, _) = inventory.row(list, inventory.cursor)?;
    Some(verdict.because.text.clone())
}

/// `9 new since the last look`; `None` if there are none.
pub(super) fn news(list: &List) -> Option<String> {
    let new = list.new_count() as u64;
    (new > 0).then(|| format!("{} new since the last look", grouped(new)))
}

/// The preview of a group.
pub(super) fn group_lines(
    inventory: &Inventory,
    list: &List,
    paint: &Paint<'_>,
    cells: u16,
) -> Vec<Line<'static>> {
    let Some((head, title)) = inventory.head(list, inventory.cursor) else { return Vec::new() };
    let mut lines = vec![paint.line(cells, Role::Title, &format!(" {} {title}", list.group.name()))];
    let shown = counted(head.count, "row");
    let wanting = attention(u64::from(head.wanting));
    lines.push(paint.line(cells, Role::Text, &format!(" {shown} shown, {wanting}")));
    let key = paint.key(Command::Fold);
    let hint = if head.folded { format!(" folded; {key} opens it") } else { format!(" {key} folds it") };
    lines.push(paint.line(cells, Role::Dim, &hint));
    lines
}
