//! The menu of `s`: the order of the rows, and their groups.
//!
//! ```text
//! +- Sort and group -----------------------------+
//! | > s sort: level, age current; again reverses |
//! |   n sort: newest first                       |
//! |   ...                                        |
//! |   U group: none                      current |
//! +----------------------------------------------+
//! ```

use crate::desk::list::List;
use crate::rules::order::{Group, Sort};
use crate::tui::keymap::Command;
use crate::tui::views::ActionContext;
use crate::tui::views::inventory::state::{Inventory, page};
use crate::tui::widgets::table::{AGAIN, CURRENT, SortChoice, SortMenu};

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

/// The menu for the list as it is.
pub(super) fn menu(list: &List) -> SortMenu {
    let choices = CHOICES.iter().map(|(choice, command)| {
        let (text, note) = texts(list, *choice);
        SortChoice { text, note, command: Some(*command) }
    });
    SortMenu { title: "Sort and group", choices: choices.collect() }
}

fn has_line(sort: Sort) -> bool {
    CHOICES.iter().any(|(choice, _)| *choice == Choice::Sort(sort))
}

/// Does what a line of the menu says.
pub(super) fn choose_line(inventory: &mut Inventory, context: &mut ActionContext<'_>, line: usize) {
    if let Some((choice, _)) = CHOICES.get(line) {
        choose(inventory, context, *choice);
    }
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

/// The text of a line, and its note.
fn texts(list: &List, choice: Choice) -> (String, &'static str) {
    match choice {
        Choice::Sort(sort) if sort == list.sort => (format!("sort: {}", sort.label()), AGAIN),
        // It has no line of its own: it stands on that of the order that it is the reverse of.
        Choice::Sort(sort) if sort.reversed() == list.sort && !has_line(list.sort) => {
            (format!("sort: {}", list.sort.label()), CURRENT)
        }
        Choice::Sort(sort) => (format!("sort: {}", sort.label()), ""),
        Choice::Group(group) => {
            (format!("group: {}", group.name()), if group == list.group { CURRENT } else { "" })
        }
    }
}
