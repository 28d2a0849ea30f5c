//! What views wish for, done: the way from a view to the rest of the console.

use crate::rules::sending::Purpose;
use crate::tui::keymap::{Command, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::{filling, past, planning, publishing, verifying, work};
use crate::tui::views::inventory::{NameField, ViewList, sort_place};
use crate::tui::views::{Scene, View, Wish};
use crate::tui::widgets::search::{Search, Typed};

/// Lets the view that is seen do something, and does what it wishes for.
pub(crate) fn lend(model: &mut Model, act: impl FnOnce(&mut dyn View, &mut Scene<'_>)) -> Vec<Effect> {
    let screen = model.screen;
    let (mut scene, views) = model.scene();
    if let Some(view) = views.get_mut(screen) {
        act(view, &mut scene);
    }
    let wishes = scene.wishes;
    wishes.into_iter().flat_map(|wish| grant(model, wish)).collect()
}

/// Changes the search of the view that is seen, and takes the hits of its text.
pub(crate) fn edit_search(model: &mut Model, change: &mut dyn FnMut(&mut Search) -> Typed) {
    let effects = lend(model, |view, scene| view.edit_search(scene, change));
    debug_assert!(effects.is_empty(), "a search only says something");
}

pub(crate) fn grant(model: &mut Model, wish: Wish) -> Vec<Effect> {
    match wish {
        Wish::Say(text) => model.reply(text),
        Wish::Value(card) => model.popup = Some(Popup::Value(card)),
        Wish::Act(intent) => return work::act(model, intent),
        Wish::Note(card) => model.popup = Some(Popup::Note(card)),
        Wish::Text(card) => model.popup = Some(Popup::Text(card)),
        Wish::AskFor => publishing::ask_for(model),
        Wish::NameFile => publishing::ask_file(model),
        Wish::ToPlan if matches!(model.desk.pull.asked, Purpose::Verdict(_)) => {
            model.leave_for(ViewId::Reviews);
        }
        Wish::ToPlan if matches!(model.desk.pull.asked, Purpose::Actions(_)) => {
            model.leave_for(ViewId::Jobs);
            return past::read(model);
        }
        Wish::ToPlan => {
            model.leave_for(ViewId::Changes);
            return planning::enter(model);
        }
        Wish::OpenSortMenu => model.popup = Some(Popup::Sort(sort_place(&model.desk.list))),
        Wish::OpenViewList => model.popup = Some(Popup::Views(ViewList::of(&model.desk.list))),
        Wish::NameView => model.popup = Some(Popup::NameView(NameField::of(&model.desk.list))),
        Wish::Home => model.go_home(),
        Wish::ReadPlan => return planning::enter(model),
        Wish::ReadJobs => return past::read(model),
        Wish::OpenFile => {
            let effects = planning::open_file(model);
            model.settle(ViewId::Changes);
            return effects;
        }
        Wish::RunAgain => return past::run_again(model),
        Wish::CancelJob => return past::cancel(model),
        Wish::Verify(command) => return steer(model, command),
        Wish::Backfill(command) => return filling::steer(model, command),
    }
    Vec::new()
}

/// Steers the verification, or copies what it found.
fn steer(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::Mark => verifying::pause(model),
        Command::CancelJob => verifying::cancel(model),
        Command::MoreWorkers => verifying::work_more(model, 1),
        Command::FewerWorkers => verifying::work_more(model, -1),
        Command::StopAtBad => verifying::stop_at_bad(model),
        Command::CopyPath => verifying::copy_report(model),
        _ => verifying::copy(model, command),
    }
}
