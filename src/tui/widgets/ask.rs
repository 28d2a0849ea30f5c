//! A question before something is done that writes or cannot be taken back: what exactly, then yes or no.

use ratatui::buffer::Buffer;

use crate::jobs::{JobId, VerifyPlan};
use crate::registry::Address;
use crate::tui::layout;
use crate::tui::model::Model;
use crate::tui::theme::Role;
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Paint, Strip};

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    pub(crate) title: String,
    /// What will be done, in whole sentences.
    pub(crate) says: Vec<String>,
    /// What `yes` is called here.
    pub(crate) yes: &'static str,
    pub(crate) then: Then,
}

/// What is done after a yes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// Build entries into the plan.
    Add(Vec<Address>),
    /// Take files out of the plan.
    Drop(Vec<Address>),
    /// Build one planned file again.
    BuildAgain(Address),
    /// Build the whole plan again.
    BuildAll,
    Cancel(JobId),
    /// Verify this, which is called so.
    Verify(VerifyPlan, String),
}

/// Draws the question.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, ask: &Ask, buffer: &mut Buffer) {
    draw(model, paint, &ask.title, &ask.says, (ask.yes, "no"), buffer);
}

/// The question before leaving: what runs, by name.
pub(crate) fn leave(model: &Model, paint: &Paint<'_>, buffer: &mut Buffer) {
    let mut says: Vec<String> = model
        .board
        .journalled()
        .filter_map(|running| running.told.as_ref())
        .map(|(kind, what)| format!("{kind} {what}"))
        .collect();
    says.truncate(6);
    let one = says.len() == 1;
    says.insert(0, if one { "This job runs:".into() } else { "These jobs run:".into() });
    says.push("Leaving stops it; what it found is kept.".replace("it;", if one { "it;" } else { "them;" }));
    let bindings = &model.keys.bindings;
    let context = crate::tui::keymap::Context::Leave;
    let key = |command| bindings.first(context, command);
    let keys = (key(crate::tui::keymap::Command::Accept), key(crate::tui::keymap::Command::Close));
    boxed(model, paint, "Leave?", &says, [(&keys.0, "stop and leave"), (&keys.1, "stay")], buffer);
}

fn draw(
    model: &Model,
    paint: &Paint<'_>,
    title: &str,
    says: &[String],
    (yes, no): (&str, &str),
    buffer: &mut Buffer,
) {
    let bindings = &model.keys.bindings;
    let context = crate::tui::keymap::Context::Ask;
    let accept = bindings.first(context, crate::tui::keymap::Command::Accept);
    let close = bindings.first(context, crate::tui::keymap::Command::Close);
    boxed(model, paint, title, says, [(&accept, yes), (&close, no)], buffer);
}

fn boxed(
    model: &Model,
    paint: &Paint<'_>,
    title: &str,
    says: &[String],
    keys: [(&str, &str); 2],
    buffer: &mut Buffer,
) {
    let columns = model.size.columns.saturating_sub(4).min(64);
    let width = columns.saturating_sub(4);
    let mut lines = Vec::new();
    for text in says {
        lines.extend(paint.wrapped(width, Role::Text, text));
    }
    let [(yes, does), (no, leaves)] = keys;
    lines.push(Strip::new(paint, width).key(yes, does).gap(3).key(no, leaves).line());
    // The keys stand in sight however much there is to say.
    let area = layout::popup(model.size, columns, lines.len() as u16 + 2);
    let most = usize::from(area.height.saturating_sub(2));
    if lines.len() > most && most > 0 {
        let keys = lines.pop().unwrap_or_default();
        lines.truncate(most - 1);
        lines.push(keys);
    }
    popup::view(paint, area, title, &lines, buffer);
}
