//! What keys do to Verify besides what concerns its job.

use crate::tui::keymap::Command;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::screens::verify::order::Line;
use crate::tui::screens::verify::parts::page;
use crate::tui::screens::verify::view;
use crate::tui::{verifying, views};

/// Whether this view does something of its own for a command.
pub(crate) fn is_own(command: Command) -> bool {
    command.motion(1).is_some()
        || matches!(
            command,
            Command::Mark
                | Command::CancelJob
                | Command::MoreWorkers
                | Command::FewerWorkers
                | Command::StopAtBad
                | Command::OnlyErrors
                | Command::Open
                | Command::Back
                | Command::Fold
                | Command::OpenFolds
                | Command::CloseFolds
                | Command::OtherDown
                | Command::OtherUp
                | Command::CopyAddress
                | Command::CopyUrl
                | Command::CopyHash
                | Command::CopyPath
                | Command::CopyLine
        )
}

/// Does what a key says.
pub(crate) fn act(model: &mut Model, command: Command) -> Vec<Effect> {
    let page = page(model.size);
    let verify = &mut model.views.verify;
    if let Some(by) = command.motion(page) {
        let to = verify.cursor().saturating_add_signed(by);
        verify.go(to, page);
        return Vec::new();
    }
    match command {
        Command::Mark => return verifying::pause(model),
        Command::CancelJob => return verifying::cancel(model),
        Command::MoreWorkers => return verifying::work_more(model, 1),
        Command::StopAtBad => return verifying::stop_at_bad(model),
        Command::FewerWorkers => return verifying::work_more(model, -1),
        Command::CopyPath => return verifying::copy_report(model),
        Command::CopyAddress | Command::CopyUrl | Command::CopyHash | Command::CopyLine => {
            return verifying::copy(model, command);
        }
        Command::OnlyErrors => only_bad(model),
        Command::Open => open(model),
        Command::Fold => fold(model, !model.views.verify.is_open),
        Command::OpenFolds => fold(model, true),
        Command::CloseFolds => fold(model, false),
        Command::OtherDown => {
            verify.pin();
            let most = view::most_scrolled(model);
            let from = &mut model.views.verify.from;
            *from = (*from + 1).min(most);
        }
        Command::OtherUp => verify.from = verify.from.saturating_sub(1),
        Command::Back => return step_back(model),
        _ => {}
    }
    Vec::new()
}

/// The row whole, or what is folded.
fn open(model: &mut Model) {
    let verify = &mut model.views.verify;
    if let Some(Line::Fold(_)) = verify.line(verify.cursor()) {
        fold(model, true);
    } else if verify.row().is_some() {
        verify.pin();
        verify.is_whole = !verify.is_whole;
        verify.from = 0;
    }
}

fn fold(model: &mut Model, is_open: bool) {
    let page = page(model.size);
    let verify = &mut model.views.verify;
    let line = verify.cursor();
    let (below, was_fold) =
        (line.saturating_sub(verify.top), matches!(verify.line(line), Some(Line::Fold(_))));
    verify.is_open = is_open;
    if was_fold {
        // The first row that was folded stands where the fold stood.
        verify.go(line, page);
    }
    verify.hold(below, page);
}

fn only_bad(model: &mut Model) {
    let page = page(model.size);
    let verify = &mut model.views.verify;
    let below = verify.cursor().saturating_sub(verify.top);
    verify.only_bad = !verify.only_bad;
    let says = if verify.only_bad { "bad rows alone: MISMATCH, MISSING and ERROR" } else { "all rows" };
    verify.hold(below, page);
    model.reply(says);
}

/// Out of the row that is seen whole, then to the Inventory.
fn step_back(model: &mut Model) -> Vec<Effect> {
    if model.views.verify.is_whole {
        model.views.verify.is_whole = false;
        model.views.verify.from = 0;
        return Vec::new();
    }
    views::go_home(model)
}

/// Puts the cursor on the line that stands so many lines below the first one.
pub(crate) fn point_at(model: &mut Model, below: usize) {
    let page = page(model.size);
    let verify = &mut model.views.verify;
    let line = verify.top + below;
    if !verify.is_whole && line < verify.line_count() {
        verify.go(line, page);
    }
}

/// Keeps cursor and window inside what there is.
pub(crate) fn settle(model: &mut Model) {
    let page = page(model.size);
    model.views.verify.settle(page);
}
