//! Where one is, and the way back: a place is noted before something jumps away from it. Called by what jumps.

use crate::tui::model::{Model, Screen};
use crate::tui::msg::Effect;
use crate::tui::screens::inventory::Jump;
use crate::tui::update::inventory_page;
use crate::tui::{views, work};

/// Where one is, to come back to.
pub(super) fn here(model: &Model) -> Option<Jump> {
    let address = model.subject()?.clone();
    Some(Jump { screen: model.screen, address, filter: model.inventory.list.filter.clone() })
}

/// Notes where one is before going away from it.
pub(super) fn note(model: &mut Model) {
    if let Some(place) = here(model) {
        model.inventory.jumps.push(place);
    }
}

/// Back to the place before, with the filter that showed it.
pub(super) fn jump_back(model: &mut Model) -> Vec<Effect> {
    let here = here(model);
    let Some(to) = model.inventory.jumps.back_from(here.as_ref()) else {
        model.reply("there is no place to go back to");
        return Vec::new();
    };
    if to.screen == Screen::Changes {
        return views::show_file(model, &to.address);
    }
    if to.screen == Screen::Verify {
        views::enter_verify(model);
        return Vec::new();
    }
    let mut effects = work::show_inventory(model);
    let page = inventory_page(model);
    if model.inventory.list.filter != to.filter {
        model.inventory.list.set_filter(to.filter);
        model.inventory.select_shown(page);
    }
    let address = to.address;
    if !model.inventory.select(&address, page) {
        model.reply(format!("`{address}` is not in this list any more"));
    }
    effects.extend(match to.screen {
        Screen::Inventory | Screen::Changes | Screen::Verify | Screen::Jobs => Vec::new(),
        Screen::Entry => work::open_entry(model, address),
        Screen::Diff => work::build_entry(model, address),
    });
    effects
}
