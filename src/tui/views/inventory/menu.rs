//! The menu of `s`: the order of the rows, and their groups.
//!
//! ```text
//! +- Sort and group -----------------------------+
//! | > s sort: level, age    now; again: reversed |
//! |   n sort: newest first                       |
//! |   ...                                        |
//! |   U group: none                          now |
//! +----------------------------------------------+
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::list::List;
use crate::rules::order::{Group, Sort};
use crate::tui::base::layout;
use crate::tui::base::layout::Area;
use crate::tui::base::theme::Role;
use crate::tui::keymap::{Command, Context};
use crate::tui::views::ActionContext;
use crate::tui::views::inventory::state::{Inventory, page};
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground};

/// One line of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Sort(Sort),
    Group(Group),
}

const CHOICES: [(Choice, Command); 9] = [
    (Choice::Sort(Sort::Status), Command::SortStatus),
    (Choice::Sort(Sort::Newest), Command::SortNewest),
    (Choice::Sort(Sort::Oldest), Command::SortOldest),
    (Choice::Sort(Sort::Address), Command::SortAddress),
    (Choice::Sort(Sort::Behind), Command::SortBehind),
    (Choice::Group(Group::None), Command::GroupNone),
    (Choice::Group(Group::Status), Command::GroupStatus),
    (Choice::Group(Group::Namespace), Command::GroupNamespace),
    (Choice::Group(Group::Kind), Command::GroupKind),
];

/// The line of the current order, where the menu opens.
pub(crate) fn place(list: &List) -> usize {
    place_of(list.sort).or_else(|| place_of(list.sort.reversed())).unwrap_or(0)
}

fn place_of(sort: Sort) -> Option<usize> {
    CHOICES.iter().position(|(choice, _)| *choice == Choice::Sort(sort))
}

/// Runs a command on one of the menu's lines; `None` closes the menu.
pub(crate) fn act(
    inventory: &mut Inventory,
    context: &mut ActionContext<'_>,
    at: usize,
    command: Command,
) -> Option<usize> {
    let chosen = match command {
        Command::NextLine => return Some((at + 1).min(CHOICES.len() - 1)),
        Command::PreviousLine => return Some(at.saturating_sub(1)),
        Command::Accept => CHOICES.get(at).map(|(choice, _)| *choice),
        command => CHOICES.iter().find(|(_, known)| *known == command).map(|(choice, _)| *choice),
    };
    if let Some(choice) = chosen {
        choose(inventory, context, choice);
    }
    None
}

/// Sorts by a column; a list that is sorted by it already is reversed.
pub(super) fn sort(inventory: &mut Inventory, context: &mut ActionContext<'_>, sort: Sort) {
    choose(inventory, context, Choice::Sort(sort));
}

fn choose(inventory: &mut Inventory, context: &mut ActionContext<'_>, choice: Choice) {
    let page = page(&context.desk.list, &context.paint);
    let list = &mut context.desk.list;
    let text = match choice {
        Choice::Sort(sort) => {
            list.sort = if list.sort == sort { sort.reversed() } else { sort };
            format!("sorted by {}", list.sort.label())
        }
        Choice::Group(Group::None) => {
            list.group = Group::None;
            "not grouped".to_owned()
        }
        Choice::Group(group) => {
            list.group = group;
            format!("grouped by {}", group.name())
        }
    };
    list.keeping.touch();
    inventory.arrange(list, page);
    context.reply(text);
}

/// Draws the menu, and returns the cell of its cursor.
pub(crate) fn view(list: &List, paint: &Paint<'_>, at: usize, buffer: &mut Buffer) -> Position {
    let area = layout::popup(paint.size, 48, CHOICES.len() as u16 + 2);
    let inner = popup::inside(area);
    // Where not all lines fit, those around the cursor are seen.
    let from = layout::first_visible(0, at, usize::from(inner.height), CHOICES.len());
    let lines: Vec<Line<'_>> = CHOICES
        .iter()
        .enumerate()
        .skip(from)
        .take(usize::from(inner.height))
        .map(|(place, (choice, command))| line(list, paint, (*choice, *command), place == at, inner.width))
        .collect();
    let hidden = CHOICES.len() > usize::from(inner.height);
    let part = if hidden { format!(", {} of {}", at + 1, CHOICES.len()) } else { String::new() };
    popup::view(paint, area, &format!("Sort and group{part}"), &lines, buffer);
    let y = inner.y + (at - from) as u16;
    ground(buffer, Area { y, height: 1, ..inner }.intersection(inner), paint.style(Role::Cursor));
    Position::new(inner.x, y)
}

fn line(
    list: &List,
    paint: &Paint<'_>,
    (choice, command): (Choice, Command),
    here: bool,
    width: u16,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    let (text, now) = match choice {
        Choice::Sort(sort) if sort == list.sort => {
            (format!("sort: {}", sort.label()), "now; again: reversed")
        }
        // It has no line of its own: it stands on that of the order that it is the reverse of.
        Choice::Sort(sort) if sort.reversed() == list.sort && place_of(list.sort).is_none() => {
            (format!("sort: {}", list.sort.label()), "now")
        }
        Choice::Sort(sort) => (format!("sort: {}", sort.label()), ""),
        Choice::Group(group) => {
            (format!("group: {}", group.name()), if group == list.group { "now" } else { "" })
        }
    };
    strip.cell(Role::Key, if here { paint.glyphs.cursor() } else { "" }, 2, Cut::End);
    strip.key(&paint.bindings.first(Context::Sort, command), &text);
    strip.right(Role::Dim, now).line()
}
