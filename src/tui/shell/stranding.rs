//! What keys on Stranded do outside of it: to the plan, to what is ignored, and to the clipboard.

use std::collections::BTreeMap;

use crate::desk::asking;
use crate::desk::intent::Intent;
use crate::desk::telling::stranded::{IGNORING, decided as told_decided, message as drafted, no_message};
use crate::jobs::data::{DecideTask, Job, Outcome};
use crate::registry::Address;
use crate::registry::version::trim_v;
use crate::rules::decision::LONGEST_REASON;
use crate::rules::edit::Edit;
use crate::rules::stranded::{Act, Card, Cause};
use crate::tui::keymap::{Context, Reason, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::line_card::LineCard;
use crate::tui::widgets::message::Tone;

fn no<T>(reason: impl Into<Reason>) -> Result<T, Reason> {
    Err(reason.into())
}

fn meant(model: &Model) -> Vec<&Card> {
    model.views.stranded.meant(&model.desk)
}

/// The versions that are meant of each entry: the marked ones, or the one under the cursor.
pub(crate) fn by_entry(model: &Model) -> Vec<(Address, Vec<String>)> {
    let mut all: BTreeMap<Address, Vec<String>> = BTreeMap::new();
    for card in meant(model) {
        all.entry(card.address.clone()).or_default().push(trim_v(&card.version).to_owned());
    }
    all.into_iter().collect()
}

/// What clears the failed tries of what is meant.
pub(crate) fn clearing(model: &Model) -> Result<Intent, Reason> {
    if let Some(card) = meant(model).into_iter().find(|card| card.tried.is_none()) {
        return no(format!("no failed try of {} is recorded", card.subject()));
    }
    let edit = |(address, versions)| (address, Edit::ClearErrors(versions));
    Ok(Intent::Edit(by_entry(model).into_iter().map(edit).collect()))
}

pub(crate) fn clear_errors(model: &mut Model) -> Vec<Effect> {
    match clearing(model) {
        Ok(intent) => work::act(model, intent),
        Err(_) => Vec::new(),
    }
}

/// Those of what is meant that can be ignored.
pub(crate) fn ignorable(model: &Model) -> Result<Vec<(Address, String)>, Reason> {
    let cards = meant(model);
    if let Some(card) = cards.iter().find(|card| !card.ways.contains(&Act::Ignore)) {
        return no(format!("{}: {}, and is not ignored besides", card.subject(), card.cause.words()));
    }
    Ok(cards.iter().map(|card| (card.address.clone(), trim_v(&card.version).to_owned())).collect())
}

/// Asks until when, and why.
pub(crate) fn ask_until(model: &mut Model) {
    let Ok(these) = ignorable(model) else { return };
    let named = match &these[..] {
        [(address, version)] => format!("{version} of {address}"),
        many => format!("{} marked versions", many.len()),
    };
    let about = format!("{named}. {}", IGNORING.about);
    let card = LineCard::new(&IGNORING, about, Field::of_at_most("", LONGEST_REASON + 20));
    model.popup = Some(Popup::Line(Context::Ignore, card));
}

/// What was written into that field.
pub(crate) fn ignoring(model: &Model, text: &str) -> Result<Intent, String> {
    let these = ignorable(model).map_err(|why| why.to_string())?;
    let decisions = asking::read_ignoring(text, &these, model.now)?;
    Ok(Intent::Decide(DecideTask::Ignore(decisions)))
}

pub(crate) fn taking_back(model: &Model) -> Result<Intent, Reason> {
    let cards = meant(model);
    if let Some(card) = cards.iter().find(|card| card.cause != Cause::Ignored) {
        return no(format!("{} is not ignored", card.subject()));
    }
    let these = cards.iter().map(|card| (card.address.clone(), trim_v(&card.version).to_owned()));
    Ok(Intent::Decide(DecideTask::TakeBack(these.collect())))
}

pub(crate) fn take_back(model: &mut Model) -> Vec<Effect> {
    match taking_back(model) {
        Ok(intent) => work::act(model, intent),
        Err(_) => Vec::new(),
    }
}

/// The title and the text of a message to the author of what is meant.
pub(crate) fn draft(model: &Model) -> Result<(String, String), Reason> {
    let cards = meant(model);
    if cards.iter().any(|card| card.address != cards[0].address) {
        return no("the marked ones are of several entries, and a message is to the author of one");
    }
    if let Some(why) = cards.iter().find_map(|card| no_message(card)) {
        return no(why);
    }
    drafted(&cards).map_or_else(|| no("nothing is stranded here"), Ok)
}

/// Copies that message, and shows what was copied.
pub(crate) fn message(model: &mut Model) -> Vec<Effect> {
    let Ok((title, body)) = draft(model) else { return Vec::new() };
    let text = format!("{title}\n\n{body}");
    model.reply("copying the message: it is sent to nobody, until you post it");
    model.popup = Some(Popup::Text(TextCard::new("A message to its author", vec![text.clone()])));
    vec![Effect::Copy(text)]
}

/// The board was read.
pub(crate) fn read(model: &mut Model) {
    if model.screen == ViewId::Stranded {
        model.desk.show_stranded();
    }
    if let Some(board) = model.desk.stranded.board() {
        model.views.stranded.hold(board);
    }
    model.settle(ViewId::Stranded);
}

/// What was decided is kept, or is not.
pub(crate) fn decided(model: &mut Model, task: &DecideTask, outcome: Outcome) -> Vec<Effect> {
    match outcome {
        Outcome::Failed(failure) => model.say(Tone::Error, model.in_keys(&failure.sentence())),
        Outcome::Done(_) | Outcome::Cancelled(_) => {
            model.views.stranded.marks.clear();
            model.reply(told_decided(task));
        }
    }
    Vec::new()
}

/// What changed the verdicts makes the board old: it is read again where it is seen.
pub(crate) fn follow(model: &mut Model, job: &Job) -> Vec<Effect> {
    let changes = matches!(job, Job::Survey(_) | Job::Decide(_) | Job::Load);
    if !changes || model.screen != ViewId::Stranded || model.desk.may(&Intent::ListStranded).is_err() {
        return Vec::new();
    }
    work::act(model, Intent::ListStranded)
}
