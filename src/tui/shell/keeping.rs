//! Keeping what outlives a run: when the list's memory is sent to the state, and what is said once the state has answered.
//! Nothing is called saved before that.

use crate::desk::form::FormSubject;
use crate::desk::planning::unsaved;
use crate::desk::telling::Message;
use crate::jobs::data::Outcome;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::planning;

/// Keeps what is to outlive this run.
pub(crate) fn keep(model: &mut Model, leaving: bool) -> Vec<Effect> {
    let mut effects = if leaving { planning::leave(model) } else { Vec::new() };
    effects.extend(model.desk.keep(leaving, model.now).map(|(id, job)| Effect::Start(id, job)));
    effects
}

/// Takes the answer of a job of the memory: what was saved by hand is saved now, or stays in its field with the reason. The
/// failure itself is said by the caller, as it is given back: with what becomes of what could not be kept.
pub(crate) fn ended(model: &mut Model, outcome: Outcome, words: &Message) -> Outcome {
    let outcome = match outcome {
        Outcome::Failed(mut failure) => {
            let hint = failure.hint.take().unwrap_or_default();
            Outcome::Failed(failure.hint(format!("{hint} Here it lasts until you quit.").trim_start()))
        }
        kept => {
            let words = model.text_of(words);
            model.reply(words);
            kept
        }
    };
    if let Some(card) = model.waiting_form(&FormSubject::SaveView) {
        match &outcome {
            Outcome::Failed(failure) => card.refuse_whole(unsaved(failure)),
            Outcome::Done(_) | Outcome::Cancelled(_) => model.popup = None,
        }
    }
    outcome
}
