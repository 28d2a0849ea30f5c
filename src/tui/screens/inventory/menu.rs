//! The menu of `s`: in which order the rows stand, and what they are gathered by.
//!
//! ```text
//! +- Sort and group -----------------+
//! | > s sort: status, age        now |
//! |   n sort: newest first           |
//! |   ...                            |
//! |   U group: none              now |
//! +----------------------------------+
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::rules::order::{Group, Sort};
use crate::tui::keymap::{Command, Context};
use crate::tui::layout;
use crate::tui::layout::Area;
use crate::tui::model::{Model, Popup};
use crate::tui::theme::Role;
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

/// Opens the menu on the order that is.
pub(super) fn open(model: &mut Model) {
    let at = CHOICES.iter().position(|(choice, _)| *choice == Choice::Sort(model.inventory.list.sort));
    model.popup = Some(Popup::Sort(at.unwrap_or(0)));
}

/// Does what a key of the menu says.
pub(crate) fn act(model: &mut Model, command: Command) {
    let Some(Popup::Sort(at)) = model.popup else { return };
    let chosen = match command {
        Command::NextLine => {
            model.popup = Some(Popup::Sort((at + 1).min(CHOICES.len() - 1)));
            return;
        }
        Command::PreviousLine => {
            model.popup = Some(Popup::Sort(at.saturating_sub(1)));
            return;
        }
        Command::Accept => CHOICES.get(at).map(|(choice, _)| *choice),
        command => CHOICES.iter().find(|(_, known)| *known == command).map(|(choice, _)| *choice),
    };
    model.popup = None;
    if let Some(choice) = chosen {
        choose(model, choice);
    }
}

fn choose(model: &mut Model, choice: Choice) {
    let page = model.page();
    let list = &mut model.inventory.list;
    let told = match choice {
        Choice::Sort(sort) => {
            list.sort = sort;
            format!("sorted by {}", sort.label())
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
    model.inventory.arrange(page);
    model.reply(told);
}

/// Draws the menu; gives the cell of its cursor.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, at: usize, buffer: &mut Buffer) -> Position {
    let area = layout::popup(model.size, 40, CHOICES.len() as u16 + 2);
    let inner = popup::inside(area);
    // Where not all lines fit, those around the cursor are seen.
    let from = (at + 1).saturating_sub(usize::from(inner.height).max(1));
    let lines: Vec<Line<'_>> = CHOICES
        .iter()
        .enumerate()
        .skip(from)
        .take(usize::from(inner.height))
        .map(|(place, (choice, command))| line(model, paint, (*choice, *command), place == at, inner.width))
        .collect();
    let hidden = CHOICES.len() > usize::from(inner.height);
    let part = if hidden { format!(", {} of {}", at + 1, CHOICES.len()) } else { String::new() };
    popup::view(paint, area, &format!("Sort and group{part}"), &lines, buffer);
    let y = inner.y + (at - from) as u16;
    ground(buffer, Area { y, height: 1, ..inner }.intersection(inner), paint.style(Role::Cursor));
    Position::new(inner.x, y)
}

fn line(
    model: &Model,
    paint: &Paint<'_>,
    (choice, command): (Choice, Command),
    here: bool,
    width: u16,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    let (text, now) = match choice {
        Choice::Sort(sort) => (format!("sort: {}", sort.label()), sort == model.inventory.list.sort),
        Choice::Group(group) => (format!("group: {}", group.name()), group == model.inventory.list.group),
    };
    strip.cell(Role::Key, if here { paint.glyphs.cursor() } else { "" }, 2, Cut::End);
    strip.key(&model.keys.bindings.first(Context::Sort, command), &text);
    if now {
        strip.right(Role::Dim, "now");
    }
    strip.line()
}
