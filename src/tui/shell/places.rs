//! The way between views, and back: a place is noted before something jumps away from it.

use crate::tui::keymap::{HOME, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::views::Views;
use crate::tui::shell::{requests, work};

/// To a numbered view; what was seen of the Inventory stays.
pub(crate) fn show(model: &mut Model, id: ViewId) -> Vec<Effect> {
    if id == HOME {
        if !model.screen.is_home() {
            model.note_place();
        }
        return work::show_inventory(model);
    }
    model.go_to(id);
    enter(model)
}

/// Lets the view that is seen now begin.
fn enter(model: &mut Model) -> Vec<Effect> {
    requests::with_view(model, |view, context| view.enter(context))
}

/// Back to the place before, with the filter that showed it.
pub(crate) fn jump_back(model: &mut Model) -> Vec<Effect> {
    let here = model.here();
    let Some(to) = model.views.inventory.jumps.back_from(here.as_ref()) else {
        model.reply("there is no place to go back to");
        return Vec::new();
    };
    if !to.screen.is_home() {
        model.leave_for(to.screen);
        let mut effects = requests::with_view(model, |view, context| view.select(context, &to.address));
        effects.extend(enter(model));
        return effects;
    }
    let mut effects = work::show_inventory(model);
    let page = model.inventory_page();
    if model.desk.list.filter != to.filter {
        model.desk.list.set_filter(to.filter);
        model.views.inventory.select_shown(&mut model.desk.list, page);
    }
    let address = to.address;
    if !model.views.inventory.select(&mut model.desk.list, &address, page) {
        model.reply(format!("`{address}` is not in this list any more"));
    }
    if let Some(intent) = Views::reopening(to.screen, address) {
        effects.extend(work::act(model, intent));
    }
    effects
}

/// Asks what a new backfill fills in, and how: a form with what it would cost.
pub(crate) fn ask_backfill(model: &mut Model) -> Vec<Effect> {
    let selected = work::take_selection(model);
    let others = model.seen().map(|view| view.other_selections(&model.desk)).unwrap_or_default();
    let from = model.screen;
    model.go_to(Views::BACKFILL);
    let (mut context, views) = model.action_context();
    views.backfill.ask(&mut context, selected, &others, from);
    let requests = context.requests;
    requests::apply_all(model, requests)
}
