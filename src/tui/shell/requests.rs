//! Does what views request: the way from a view to the rest of the console.

use crate::tui::keymap::VIEWS;
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::views::Views;
use crate::tui::shell::work;
use crate::tui::views::inventory::ViewList;
use crate::tui::views::{ActionContext, View, ViewRequest};

/// Lets the view that is seen do something, and does what it requests.
pub(crate) fn with_view(
    model: &mut Model,
    act: impl FnOnce(&mut dyn View, &mut ActionContext<'_>),
) -> Vec<Effect> {
    let screen = model.screen;
    let (mut context, views) = model.action_context();
    if let Some(view) = views.get_mut(screen) {
        act(view, &mut context);
    }
    let requests = context.requests;
    apply_all(model, requests)
}

/// Lets every view do something, and does what they request.
pub(crate) fn with_each_view(
    model: &mut Model,
    mut act: impl FnMut(&mut dyn View, &mut ActionContext<'_>),
) -> Vec<Effect> {
    let screen = model.screen;
    let (mut context, views) = model.action_context();
    for row in &VIEWS {
        context.is_seen = row.id == screen;
        context.paint.divider = context.desk.list.divider(row.name);
        if let Some(view) = views.get_mut(row.id) {
            act(view, &mut context);
        }
    }
    let requests = context.requests;
    apply_all(model, requests)
}

pub(crate) fn apply_all(model: &mut Model, requests: Vec<ViewRequest>) -> Vec<Effect> {
    requests.into_iter().flat_map(|request| apply(model, request)).collect()
}

fn apply(model: &mut Model, request: ViewRequest) -> Vec<Effect> {
    match request {
        ViewRequest::Say(text) => model.reply(text),
        ViewRequest::Report(tone, text) => model.say(tone, text),
        ViewRequest::Fail(failure) => model.fail(&failure),
        ViewRequest::EndForm(subject, failure) => model.end_form(&subject, failure.as_ref()),
        ViewRequest::Act(intent) => return work::act(model, intent),
        ViewRequest::ActAndSay(intent, says) => {
            let effects = work::act(model, intent);
            if !effects.is_empty() {
                model.reply(says);
            }
            return effects;
        }
        ViewRequest::Begin(begun) => return work::begin(model, begun),
        ViewRequest::Start(job) => {
            if model.desk.board.running(|running| *running == job).is_none() {
                return vec![work::start(model, job)];
            }
        }
        ViewRequest::Abandon(id) => {
            model.desk.board.end(id);
            return vec![Effect::Cancel(id)];
        }
        ViewRequest::Copy { text, says } => {
            model.reply(says);
            return vec![Effect::Copy(text)];
        }
        ViewRequest::Value(card) => model.popup = Some(Popup::Value(card)),
        ViewRequest::Text(card) => model.popup = Some(Popup::Text(card)),
        ViewRequest::Form(form) => model.open_form(form),
        ViewRequest::CloseNote => drop(model.popup.take_if(|popup| popup.note().is_some())),
        ViewRequest::NotePlace(place) => model.jumps.push(place),
        ViewRequest::ShowSending => {
            model.go_to(Views::SENDING);
            model.settle(Views::SENDING);
            return with_view(model, |view, context| view.enter(context, None));
        }
        ViewRequest::ShowDifferences(number) => {
            let id = model.views.show_differences(&model.desk, number);
            model.go_to(id);
            model.settle(id);
        }
        ViewRequest::ToWhole { reads } => {
            model.leave_for(model.tab());
            if reads {
                return with_view(model, |view, context| view.enter(context, None));
            }
        }
        ViewRequest::Leave(id) => model.leave_for(id),
        ViewRequest::Home => model.go_home(),
        ViewRequest::OpenSortMenu => {
            let menu = model.seen().map(|view| view.sort_menu(&model.desk));
            model.popup = menu.map(|menu| Popup::Sort(menu.current()));
        }
        ViewRequest::OpenViewList => model.popup = Some(Popup::Views(ViewList::of(&model.desk.list))),
    }
    Vec::new()
}
