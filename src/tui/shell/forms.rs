//! Forms above the screen: opening one, its keys, and what jobs answer to it.

use crate::desk::form::InputForm;
use crate::desk::intent::Answer;
use crate::tui::keymap::Command;
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;
use crate::tui::widgets::form::{FormCard, FormReply};

/// Opens a form, with the text of several lines that was left in it before.
pub(crate) fn open(model: &mut Model, form: InputForm) {
    let left = model.left_form.take_if(|left| left.form.subject == form.subject);
    let card = match left {
        Some(left) => left.with(form),
        None => FormCard::new(form),
    };
    model.popup = Some(Popup::Form(Box::new(card)));
}

/// Runs a command of the form that is open.
pub(crate) fn act(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(Popup::Form(mut card)) = model.popup.take() else { return Vec::new() };
    match card.act(command, model.size) {
        FormReply::Closed => {
            if card.has_text() {
                model.left_form = Some(*card);
            }
            return Vec::new();
        }
        FormReply::Accepted => return accept(model, card),
        FormReply::Stays => {}
    }
    model.popup = Some(Popup::Form(card));
    Vec::new()
}

/// Does what was filled in. A form that was refused stays, to be changed, and one that a job answers stays until then.
fn accept(model: &mut Model, mut card: Box<FormCard>) -> Vec<Effect> {
    let intent = model.desk.read_form(&card.form.subject, &card.values(), model.now);
    match intent.map(|intent| model.desk.act(intent, model.now)) {
        Ok(Answer::Started(begun)) => {
            if card.form.waiting.is_some() {
                (card.waits, card.error) = (true, None);
                model.popup = Some(Popup::Form(card));
            }
            let effects = work::begin(model, begun);
            model.settle(model.screen);
            return effects;
        }
        Ok(Answer::Refused(why)) => card.refuse_whole(model.text_of(&why)),
        Ok(Answer::Question(_)) => {}
        Err(error) => card.refuse(error),
    }
    model.popup = Some(Popup::Form(card));
    Vec::new()
}
