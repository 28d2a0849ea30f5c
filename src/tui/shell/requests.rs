//! Does what views request: the way from a view to the rest of the console.

use crate::rules::sending::Purpose;
use crate::tui::keymap::{Command, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::{filling, past, planning, publishing, verifying, work};
use crate::tui::views::inventory::{NameField, ViewList, sort_place};
use crate::tui::views::{ActionContext, View, ViewRequest};
use crate::tui::widgets::search::{Search, Typed};

/// Lets the view that is seen do something, and does what it requests.
pub(crate) fn with_view(model: &mut Model, act: impl FnOnce(&mut dyn View, &mut ActionContext<'_>)) -> Vec<Effect> {
    let screen = model.screen;
    let (mut context, views) = model.action_context();
    if let Some(view) = views.get_mut(screen) {
        act(view, &mut context);
    }
    let requests = context.requests;
    requests.into_iter().flat_map(|request| apply(model, request)).collect()
}

/// Changes the search of the view that is seen, and takes the hits of its text.
pub(crate) fn edit_search(model: &mut Model, change: &mut dyn FnMut(&mut Search) -> Typed) {
    let effects = with_view(model, |view, context| view.edit_search(context, change));
    debug_assert!(effects.is_empty(), "a search only says something");
}

pub(crate) fn apply(model: &mut Model, request: ViewRequest) -> Vec<Effect> {
    match request {
        ViewRequest::Say(text) => model.reply(text),
        ViewRequest::Value(card) => model.popup = Some(Popup::Value(card)),
        ViewRequest::Act(intent) => return work::act(model, intent),
        ViewRequest::Note(card) => model.popup = Some(Popup::Note(card)),
        ViewRequest::Text(card) => model.popup = Some(Popup::Text(card)),
        ViewRequest::AskFor => publishing::ask_for(model),
        ViewRequest::NameFile => publishing::ask_file(model),
        ViewRequest::ToPlan if matches!(model.desk.pull.asked, Purpose::Verdict(_)) => {
            model.leave_for(ViewId::Reviews);
        }
        ViewRequest::ToPlan if matches!(model.desk.pull.asked, Purpose::Actions(_)) => {
            model.leave_for(ViewId::Jobs);
            return past::read(model);
        }
        ViewRequest::ToPlan => {
            model.leave_for(ViewId::Changes);
            return planning::enter(model);
        }
        ViewRequest::OpenSortMenu => model.popup = Some(Popup::Sort(sort_place(&model.desk.list))),
        ViewRequest::OpenViewList => model.popup = Some(Popup::Views(ViewList::of(&model.desk.list))),
        ViewRequest::NameView => model.popup = Some(Popup::NameView(NameField::of(&model.desk.list))),
        ViewRequest::Home => model.go_home(),
        ViewRequest::ReadPlan => return planning::enter(model),
        ViewRequest::ReadJobs => return past::read(model),
        ViewRequest::OpenFile => {
            let effects = planning::open_file(model);
            model.settle(ViewId::Changes);
            return effects;
        }
        ViewRequest::RunAgain => return past::run_again(model),
        ViewRequest::CancelJob => return past::cancel(model),
        ViewRequest::Verify(command) => return steer(model, command),
        ViewRequest::Backfill(command) => return filling::steer(model, command),
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
