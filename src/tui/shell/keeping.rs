//! Keeping what outlives a run: when the list's memory is sent to the state, and what is said once the state has answered.
//! Nothing is called saved before that.

use crate::desk::board::Running;
use crate::desk::planning::unsaved;
use crate::jobs::{Job, Outcome};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::planning;
use crate::tui::shell::work::start;

/// Keeps what is to outlive this run. One job at a time does, so that no older state is written over a newer one; `leaving`:
/// nothing comes after this one, and it does not wait.
pub(crate) fn keep(model: &mut Model, leaving: bool) -> Vec<Effect> {
    if !leaving && !model.desk.list.is_to_keep() {
        return Vec::new();
    }
    let mut effects = if leaving { planning::leave(model) } else { Vec::new() };
    let news = model.desk.list.take_unkept(leaving);
    if !news.is_empty() {
        let effect = start(model, Job::Remember(news.clone()));
        if let Effect::Start(id, _) = effect {
            model.desk.list.is_sent(id, news);
        }
        effects.push(effect);
    }
    effects
}

/// Takes the answer of a job of the memory: what was saved by hand is saved now, or stays in its field with the reason. The
/// failure itself is said by the caller.
pub(crate) fn ended(model: &mut Model, job: &Running, outcome: &Outcome) {
    let failure = match outcome {
        Outcome::Failed(failure) => Some(failure),
        Outcome::Done(_) | Outcome::Cancelled(_) => None,
    };
    let Some(words) = model.desk.list.answered(job.id, failure) else { return };
    if let Some(Popup::NameView(asked)) = model.popup.as_mut().filter(|popup| popup.is_saving()) {
        match failure {
            Some(failure) => asked.fail(unsaved(failure)),
            None => model.popup = None,
        }
    }
    if failure.is_none() {
        model.reply(words);
    }
}
