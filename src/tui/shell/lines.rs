//! Lines of text that a field above the screen asks for: why writing is armed, and what a view asks for. What jobs answer to
//! them.

use crate::desk::arming::LONGEST_REASON;
use crate::desk::intent::{Answer, Intent};
use crate::desk::telling::machines::read_shares;
use crate::desk::telling::{Message, arming, written};
use crate::jobs::data::{Failure, Outcome};
use crate::tui::keymap::{Command, Context};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::line_card::LineCard;
use crate::tui::widgets::message::Tone;

/// Asks why writing is to be allowed.
pub(crate) fn ask_reason(model: &mut Model) {
    let field = Field::of_at_most("", LONGEST_REASON);
    let card = LineCard::new(&arming::REASON, arming::REASON.about.to_owned(), field);
    model.popup = Some(Popup::Line(Context::Arm, card));
}

/// Does what a command of the field says.
pub(crate) fn line(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(Popup::Line(context, mut card)) = model.popup.take() else { return Vec::new() };
    match command {
        Command::Accept if card.waits.is_none() => return take_line(model, context, card),
        Command::ClearField => card.field.clear(),
        Command::DropWord => card.field.drop_word(),
        Command::Accept => {}
        _ => return Vec::new(),
    }
    model.popup = Some(Popup::Line(context, card));
    Vec::new()
}

/// Does what was written. A line that was refused stays, to be changed, and one that a job answers stays until then.
fn take_line(model: &mut Model, context: Context, card: LineCard) -> Vec<Effect> {
    let text = card.field.text().to_owned();
    let waits = match context {
        Context::Arm => Some(arming::READING),
        Context::NameFile => Some(written::WRITING),
        _ => None,
    };
    let intent = read_line(model, context, &text);
    let refused = match intent.map(|intent| model.desk.act(intent, model.now)) {
        Ok(Answer::Started(begun)) => {
            model.popup =
                waits.map(|waits| Popup::Line(context, LineCard { waits: Some(waits), error: None, ..card }));
            let effects = work::begin(model, begun);
            model.settle(model.screen);
            return effects;
        }
        Ok(Answer::Refused(why)) => Some(model.text_of(&why)),
        Ok(Answer::Question(_)) => None,
        Err(why) => Some(why),
    };
    model.popup = Some(Popup::Line(context, LineCard { error: refused, ..card }));
    Vec::new()
}

/// The intent of what was written: as the view that is seen reads it, or as all views do.
fn read_line(model: &Model, field: Context, text: &str) -> Result<Intent, String> {
    let of_view = model.seen().and_then(|view| view.read_line(&model.question_context(), field, text));
    match (of_view, field) {
        (Some(intent), _) => intent,
        (None, Context::Arm) => Ok(Intent::Arm(text.to_owned())),
        (None, Context::NameFile) => Ok(Intent::WriteOut(text.trim().into())),
        (None, Context::Shares) => {
            let shares = read_shares(text)?;
            let plan = model.desk.dispatching(&work::selection(model), shares);
            plan.map(Intent::prepare).map_err(|why| model.text_of(&why))
        }
        (None, _) => Err("the view that asked for it is not shown any more".to_owned()),
    }
}

/// The line that is waited for, if it is of this kind.
fn waiting(model: &mut Model, wanted: Context) -> Option<&mut LineCard> {
    match &mut model.popup {
        Some(Popup::Line(context, card)) if *context == wanted && card.waits.is_some() => Some(card),
        _ => None,
    }
}

/// It was not done: the line can be written again.
fn refuse_line(card: &mut LineCard, why: String) {
    card.waits = None;
    card.error = Some(why);
}

/// Reports that writing is armed, or why it is not.
pub(crate) fn armed(model: &mut Model, answer: Result<(), Message>) {
    match (answer, model.desk.arming.armed()) {
        (Ok(()), Some(armed)) => {
            let text = arming::armed(armed, model.now);
            if waiting(model, Context::Arm).is_some() {
                model.popup = None;
            }
            model.reply(text);
        }
        (Ok(()), None) => {}
        (Err(why), _) => {
            let text = model.text_of(&why);
            match waiting(model, Context::Arm) {
                Some(card) => refuse_line(card, text),
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
    if let Some(card) = waiting(model, Context::Arm) {
        refuse_line(card, arming::CHECK_UNFINISHED.to_owned());
    }
    if let Outcome::Failed(failure) = outcome {
        model.fail(failure);
    }
}

/// Ends the wait of the line in a field: the field closes, or it shows why the job of the line failed.
pub(crate) fn end(model: &mut Model, wanted: Context, failure: Option<&Failure>) {
    let Some(failure) = failure else {
        model.popup.take_if(|popup| matches!(popup, Popup::Line(context, _) if *context == wanted));
        return;
    };
    let why = model.in_keys(&failure.sentence());
    match waiting(model, wanted) {
        Some(card) => refuse_line(card, why),
        None => model.say(Tone::Error, why),
    }
}
