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
    requests::with_view(model, |view, context| view.enter(context, None))
}

/// Back to the place before, with the filter that showed it.
pub(crate) fn jump_back(model: &mut Model) -> Vec<Effect> {
    let here = model.here();
    let Some(to) = model.jumps.back_from(here.as_ref()) else {
        model.reply("there is no place to go back to");
        return Vec::new();
    };
    if !to.screen.is_home() {
        model.leave_for(to.screen);
        return requests::with_view(model, |view, context| view.enter(context, Some(&to)));
    }
    let mut effects = work::show_inventory(model);
    effects.extend(requests::with_view(model, |view, context| view.enter(context, Some(&to))));
    if let Some(intent) = Views::reopening(to.screen, to.address) {
        effects.extend(work::act(model, intent));
    }
    effects
}

/// Asks what a new backfill fills in, and how: a form with what it would cost.
pub(crate) fn ask_backfill(model: &mut Model) -> Vec<Effect> {
    let selected = work::take_selection(model);
    let from = model.screen;
    model.go_to(Views::BACKFILL);
    let (mut context, views) = model.action_context();
    views.ask_backfill(&mut context, selected, from);
    let requests = context.requests;
    requests::apply_all(model, requests)
}
