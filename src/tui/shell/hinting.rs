//! What the last line calls an action at this moment: the word of the table, or what the key would do just now.

use crate::desk::sending::{Stage, Write};
use crate::rules::plan::Plan;
use crate::tui::keymap::{Bound, Command, Context, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::{availability, triaging};
use crate::tui::views::jobs::Pane;
use crate::tui::views::pull::Pull;
use crate::tui::widgets::palette;

/// The word; `None` where there is nothing to hint at.
pub(super) fn word(model: &Model, bound: &Bound) -> Option<&'static str> {
    let word = bound.place.hint?.word;
    match (bound.context, bound.action.command) {
        (Context::Palette, Command::Accept) => match &model.popup {
            Some(Popup::Palette(found)) => {
                let check = |command| availability::check(model, command);
                palette::takes(&model.keys.bindings, &check, model.subject_of_lines(), found)
            }
            _ => None,
        },
        (Context::Triage, Command::Accept) => triaging::entry(model).is_ok().then_some(word),
        (Context::Triage, Command::CopyMarkdown) => triaging::answered(model).is_ok().then_some(word),
        (Context::View(ViewId::Inventory), Command::Back) => Some(leaves(model)),
        (Context::View(ViewId::Jobs), Command::Back) if !model.views.jobs.search.text().is_empty() => {
            Some("clear search")
        }
        (Context::View(ViewId::Jobs), Command::Back) if model.views.jobs.pane != Pane::Rows => {
            Some(model.views.jobs.pane_above(&model.desk).way())
        }
        (Context::View(ViewId::Jobs), Command::Open) => (model.views.jobs.pane == Pane::Run).then_some(word),
        (Context::View(ViewId::Jobs), Command::OtherPane) => {
            Some(model.views.jobs.next_pane(&model.desk).way())
        }
        (Context::View(ViewId::Jobs), Command::ClearDone) if !model.desk.history.has_done() => {
            Some("show done")
        }
        (Context::View(ViewId::Backfill), Command::Mark) => {
            let is_paused = model.desk.filling.as_ref().is_some_and(|filling| filling.steer.is_paused);
            Some(if is_paused { "resume" } else { "pause" })
        }
        (Context::View(ViewId::Jobs), Command::Mark) => {
            let is_paused = model.views.jobs.running_here(&model.desk).is_some_and(|job| job.is_paused);
            Some(if is_paused { "resume" } else { "pause" })
        }
        (Context::View(ViewId::Verify), Command::Mark) => {
            let is_paused = model.desk.run.as_ref().is_some_and(|run| run.steer.is_paused);
            Some(if is_paused { "resume" } else { "pause" })
        }
        (Context::View(ViewId::Changes), Command::Publish) => {
            let is_approved = model.desk.planning.plan.as_ref().is_some_and(Plan::is_approved);
            is_approved.then_some(word)
        }
        (Context::View(ViewId::Reviews), Command::Open) if model.views.reviews.is_whole => {
            Some("to the list")
        }
        (Context::View(ViewId::Pull), command) => on_pull(model, command, word),
        (Context::View(ViewId::Verify), command) if model.views.verify.is_whole => match command {
            Command::Open => None,
            Command::OtherPane => Some("to the table"),
            _ => Some(word),
        },
        (Context::View(ViewId::Backfill), Command::Open) if model.views.backfill.is_whole => {
            Some("to the table")
        }
        (Context::View(ViewId::Backfill), Command::OnlyErrors) if model.views.backfill.only_bad => {
            Some("all rows")
        }
        (Context::View(ViewId::Verify), Command::Open) => opens(model),
        (Context::View(ViewId::Verify), Command::OnlyErrors) if model.views.verify.shows.only_bad => {
            Some("all rows")
        }
        _ => Some(word),
    }
}

/// What makes nothing better is no hint on a pull request: arming twice, or asking again of what is open.
fn on_pull(model: &Model, command: Command, word: &'static str) -> Option<&'static str> {
    let stage = model.desk.pull.stage(&model.desk.board);
    let is_over = matches!(stage, Stage::Done(_));
    let is_half_undone = matches!(stage, Stage::Undo(undo) if undo.course.is_begun());
    match command {
        Command::Arm if is_over || model.desk.arming.armed().is_some() => None,
        Command::Edit | Command::SurveyThis if is_over => None,
        Command::Publish if model.desk.pull.has_next(&model.desk.board) => Some("the next one"),
        // What was begun is not kept any more.
        Command::SurveyThis if is_half_undone => None,
        Command::SurveyThis if Pull::write(&model.desk) == Some(Write::Undo) => Some("keep it"),
        Command::SurveyThis if Pull::write(&model.desk) == Some(Write::Resume) => Some("resume"),
        _ => Some(word),
    }
}

/// What Enter does in Verify's table; details have a hint of their own.
fn opens(model: &Model) -> Option<&'static str> {
    let verify = &model.views.verify;
    let group = verify.group(model.desk.run.as_ref())?;
    Some(if verify.shows.is_open(group) { "close" } else { "open" })
}

/// What the Inventory steps back from first.
fn leaves(model: &Model) -> &'static str {
    let (inventory, list) = (&model.views.inventory, &model.desk.list);
    if inventory.reads(list, model.size) {
        "to the list"
    } else if inventory.has_range() {
        "leave range"
    } else if list.mark_count() > 0 {
        "clear marks"
    } else {
        "clear filter"
    }
}
