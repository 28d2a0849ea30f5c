//! When the commands of the Inventory can be done, why not, and what the footer calls them.

use crate::desk::ability::Ability;
use crate::rules::order::Group;
use crate::tui::base::layout::Class;
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::inventory::state::Inventory;
use crate::tui::views::{View, ViewContext};
use crate::tui::widgets::table;

pub(super) fn check(inventory: &Inventory, context: &ViewContext<'_>, command: Command) -> Availability {
    let list = &context.desk.list;
    match command {
        Command::Filter | Command::Sort | Command::SaveView => inventory.check_loaded(context),
        Command::Preview => has_preview(inventory, context),
        Command::Zoom if inventory.reads(list, context.paint.window()) => refuse(format!(
            "{} goes back to the list, which can have the whole view",
            context.key(Command::Back)
        )),
        Command::OtherPane => {
            inventory.check_rows(context)?;
            has_preview(inventory, context)?;
            if list.no_preview {
                return refuse(format!("the preview is hidden; {} shows it", context.key(Command::Preview)));
            }
            Ok(())
        }
        Command::Fold | Command::OpenFolds | Command::CloseFolds => {
            inventory.check_rows(context)?;
            if list.group == Group::None {
                return refuse(format!("the list is not grouped; {} groups it", context.key(Command::Sort)));
            }
            Ok(())
        }
        Command::NextWanting | Command::PreviousWanting | Command::Range | Command::Invert => {
            inventory.check_rows(context)
        }
        Command::Back => can_step_back(inventory, context),
        _ => inventory.common_availability(context, command),
    }
}

/// The word of a command in the footer; `None` leaves its place to others. Every list moves with j and k, and a view that has a name
/// needs no saving.
pub(super) fn hint(
    inventory: &Inventory,
    context: &ViewContext<'_>,
    command: Command,
    word: &'static str,
) -> Option<&'static str> {
    let list = &context.desk.list;
    let reads = inventory.reads(list, context.paint.window());
    match command {
        Command::Down if !reads => None,
        Command::SaveView if list.view_name().is_some() => None,
        Command::Back if reads => Some("to the list"),
        Command::Back if inventory.has_range() => Some("leave range"),
        Command::Back if list.has_marks() => Some("clear marks"),
        Command::Back => Some("clear filter"),
        _ => Some(word),
    }
}

/// The reason why the list is empty.
pub(super) fn why_empty(context: &ViewContext<'_>) -> Availability {
    if context.desk.list.verdicts.is_empty() {
        return refuse("the registry has no entries");
    }
    refuse(table::all_hidden(&context.key(Command::Back)))
}

fn has_preview(inventory: &Inventory, context: &ViewContext<'_>) -> Availability {
    inventory.check_loaded(context)?;
    if context.paint.divider.is_zoomed {
        return refuse(format!("the list has the whole view; {} shows both", context.key(Command::Zoom)));
    }
    if matches!(context.paint.size.class(), Class::Wide | Class::Medium) {
        return Ok(());
    }
    refuse("the window is too small for a preview: it takes 70 columns and 24 rows")
}

fn can_step_back(inventory: &Inventory, context: &ViewContext<'_>) -> Availability {
    let list = &context.desk.list;
    if inventory.has_range()
        || inventory.reads(list, context.paint.window())
        || list.has_marks()
        || !list.filter.is_empty()
    {
        return Ok(());
    }
    refuse(format!("nothing to step back from; {} leaves the program", context.key(Ability::Leave)))
}
