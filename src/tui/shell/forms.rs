//! Forms above the screen: those of the whole console, the keys of all, and what a job answers to one.

use crate::desk::form::{FormAction, FormSubject, arm, block, machines};
use crate::desk::intent::Answer;
use crate::desk::telling::{self, Message, arming};
use crate::jobs::data::Outcome;
use crate::rules::amount::counted;
use crate::tui::keymap::Command;
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::{requests, work};
use crate::tui::views::changes;
use crate::tui::widgets::form::{FormCard, FormReply};
use crate::tui::widgets::message::Tone;

/// Asks why writing is to be allowed.
pub(crate) fn ask_arming(model: &mut Model) {
    model.open_form(arm::form());
}

/// Asks why the selected versions are kept out.
pub(crate) fn ask_blocking(model: &mut Model) {
    let versions = model.seen().map(|view| view.versions_to_block(&model.desk)).unwrap_or_default();
    if let Some(form) = block::form(versions) {
        model.open_form(form);
    }
}

/// Asks over how many of GitHub's machines a backfill of the selection is shared out.
pub(crate) fn ask_machines(model: &mut Model) {
    let (selection, hidden) = work::take_selection(model);
    let marked = counted(model.desk.list.mark_count(), "marked entry");
    let named = telling::hidden(hidden).map(|hidden| format!("{marked}, {hidden} ")).unwrap_or_default();
    model.open_form(machines::form(Some(selection), &named, machines::FEW));
}

/// Runs a command of the form that is open.
pub(crate) fn act(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(Popup::Form(mut card)) = model.popup.take() else { return Vec::new() };
    let mut effects = Vec::new();
    match card.act(command, model.size) {
        FormReply::Closed => {
            if card.has_text() {
                model.left_form = Some(*card);
            }
            return Vec::new();
        }
        FormReply::Accepted => return accept(model, card),
        FormReply::Edits(text) => effects.push(Effect::EditText(text)),
        FormReply::Stays => {}
    }
    model.popup = Some(Popup::Form(card));
    effects
}

/// Takes a text from the editor. If the editor failed, the text in the form stays as it was.
pub(crate) fn edited(model: &mut Model, text: Result<String, String>) {
    let taken = text.and_then(|text| match &mut model.popup {
        Some(Popup::Form(card)) => card.take_edited(&text),
        _ => Err("the form that it was written for is not open any more".to_owned()),
    });
    match taken {
        Ok(()) => model.reply("back from the editor; nothing is done yet"),
        Err(why) => model.say(Tone::Error, format!("the text stays as it was: {why}")),
    }
}

/// Does what was filled in. A form that was refused stays, to be changed, and one that a job answers stays until then.
fn accept(model: &mut Model, mut card: Box<FormCard>) -> Vec<Effect> {
    match model.desk.read_form(&card.form.subject, &card.values(), model.now) {
        Ok(FormAction::Act(intent)) => match model.desk.act(intent, model.now) {
            Answer::Started(begun) => {
                wait(model, card);
                let effects = work::begin(model, begun);
                model.settle(model.screen);
                return effects;
            }
            Answer::Refused(why) => card.refuse_whole(model.text_of(&why)),
            question @ Answer::Question(_) => return work::take(model, question),
        },
        Ok(FormAction::Note(text)) => {
            let (mut context, _) = model.action_context();
            let waits = changes::keep_note(&mut context, &card, &text);
            let requests = context.requests;
            if waits {
                wait(model, card);
            }
            return requests::apply_all(model, requests);
        }
        Ok(FormAction::SaveView(name)) => match model.desk.list.save_view(&name) {
            Ok(()) => {
                wait(model, card);
                return Vec::new();
            }
            Err(why) => card.refuse_whole(why),
        },
        Err(error) => card.refuse(error.label, model.text_of(&error.text)),
    }
    model.popup = Some(Popup::Form(card));
    Vec::new()
}

/// Keeps an accepted form until its job has ended, if it waits for one.
fn wait(model: &mut Model, mut card: Box<FormCard>) {
    if card.form.waiting.is_some() {
        (card.waits, card.error) = (true, None);
        model.popup = Some(Popup::Form(card));
    }
}

/// Reports that writing is armed, or why it is not.
pub(crate) fn armed(model: &mut Model, answer: Result<(), Message>) {
    match (answer, model.desk.arming.armed()) {
        (Ok(()), Some(armed)) => {
            let text = arming::armed(armed, model.now);
            if model.waiting_form(&FormSubject::Arm).is_some() {
                model.popup = None;
            }
            model.reply(text);
        }
        (Ok(()), None) => {}
        (Err(why), _) => {
            let text = model.text_of(&why);
            match model.waiting_form(&FormSubject::Arm) {
                Some(card) => card.refuse_whole(text),
                None => model.say(Tone::Error, text),
            }
        }
    }
}

/// Ends arming: the console only reads.
pub(crate) fn end_arming(model: &mut Model) {
    if model.desk.arming.end() {
        model.say(Tone::Warning, arming::DISARMED);
        model.settle(model.screen);
    }
}

/// Takes the end of a check for arming that gave no answer.
pub(crate) fn end_inquiry(model: &mut Model, outcome: &Outcome) {
    if let Some(card) = model.waiting_form(&FormSubject::Arm) {
        card.refuse_whole(arming::CHECK_UNFINISHED.to_owned());
    }
    if let Outcome::Failed(failure) = outcome {
        model.fail(failure);
    }
}
