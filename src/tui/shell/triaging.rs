//! One line that asks why a version is not available: its answer stands above the screen, and what reads for it ends with it.

use crate::desk::intent::{Answer, Cancel, Intent};
use crate::jobs::data::TriagePlan;
use crate::registry::Address;
use crate::rules::plain_text::visible;
use crate::tui::keymap::{Command, Reason};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::{copying, work};
use crate::tui::widgets::answer;

/// Lines of a page, less one that is seen again.
const PAGE: usize = 10;

/// Looks up what a line asks.
pub(crate) fn ask(model: &mut Model, line: &str) -> Vec<Effect> {
    match model.desk.act(Intent::Triage(TriagePlan::of(line)), model.now) {
        Answer::Started(begun) => {
            model.popup = Some(Popup::Triage(0));
            work::begin(model, begun)
        }
        Answer::Refused(why) => {
            let text = model.text_of(&why);
            model.reply(text);
            Vec::new()
        }
        // It only looks: nobody is asked first.
        Answer::Question(_) => Vec::new(),
    }
}

/// Does what a key of the answer says.
pub(crate) fn key(model: &mut Model, command: Command) -> Vec<Effect> {
    let (Some(Popup::Triage(from)), Some(lookup)) = (&model.popup, &model.desk.triage) else {
        return Vec::new();
    };
    let last = answer::last(&model.paint(), lookup);
    let from = (*from).min(last);
    let to = match command {
        Command::NextLine => from + 1,
        Command::PreviousLine => from.saturating_sub(1),
        Command::NextPage => from + PAGE,
        Command::PreviousPage => from.saturating_sub(PAGE),
        Command::CopyMarkdown | Command::CopyJson => return copying::copy(model, command),
        Command::Accept => return open(model),
        _ => return close(model),
    };
    model.popup = Some(Popup::Triage(to.min(last)));
    Vec::new()
}

/// The registered entry that it is about.
pub(crate) fn entry(model: &Model) -> Result<&Address, Reason> {
    let Some(lookup) = &model.desk.triage else { return Err("nothing was asked".into()) };
    match lookup.address() {
        None => Err(format!("nothing to open: {} is not about one entry", visible(&lookup.typed)).into()),
        Some(address) if model.desk.list.find(address).is_none() => {
            Err(format!("nothing to open: the registry has no {address}").into())
        }
        Some(address) => Ok(address),
    }
}

/// Opens it.
fn open(model: &mut Model) -> Vec<Effect> {
    let address = match entry(model) {
        Ok(address) => address.clone(),
        Err(why) => {
            model.reply(why);
            return Vec::new();
        }
    };
    let mut effects = close(model);
    model.note_place();
    effects.extend(work::act(model, Intent::look(address)));
    effects
}

/// Closes it, and leaves what is still being read for it.
pub(crate) fn close(model: &mut Model) -> Vec<Effect> {
    model.popup = None;
    match model.desk.act(Intent::Cancel(Cancel::Triage), model.now) {
        Answer::Started(begun) => work::begin(model, begun),
        // It is over.
        Answer::Refused(_) | Answer::Question(_) => Vec::new(),
    }
}

/// Refuses if there is no answer to copy.
pub(crate) fn answered(model: &Model) -> Result<(), Reason> {
    let lookup = model.desk.triage.as_ref();
    if lookup.is_some_and(|lookup| lookup.whole().next().is_some()) {
        return Ok(());
    }
    let is_over = lookup.is_some_and(|lookup| lookup.is_over);
    Err(if is_over { "there is no answer to copy" } else { "upstream is still being read" }.into())
}
