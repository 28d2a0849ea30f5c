//! Looking at a data file, or at the patch of a rebuild, with the user's own editor or pager. Always at a copy.

use std::sync::Arc;

use crate::jobs::Job;
use crate::jobs::OpenPlan;
use crate::jobs::Opened;
use crate::rules::Depth;
use crate::tui::board::Work;
use crate::tui::model::Model;
use crate::tui::model::Screen;
use crate::tui::msg::Effect;
use crate::tui::outside::Page;
use crate::tui::outside::PageText;
use crate::tui::outside::Viewer;

/// Shows what the screen is about. In the list it is read first.
pub(super) fn show(model: &mut Model, viewer: Viewer) -> Vec<Effect> {
    let opened = match model.screen {
        Screen::Inventory => None,
        Screen::Entry => model.entry.as_ref().and_then(|entry| entry.opened.clone()),
        Screen::Diff => model.diff.as_ref().and_then(|diff| diff.opened.clone()),
    };
    if let Some(opened) = opened {
        let is_patch = model.screen == Screen::Diff && viewer == Viewer::Pager;
        return vec![page(viewer, &opened, is_patch)];
    }
    let Some(address) = model.subject().cloned() else { return Vec::new() };
    if model.board.is_showing() {
        return Vec::new();
    }
    let plan = OpenPlan { address, rebuild: None, max_age: None, depth: Depth::Versions };
    vec![Effect::Start(model.board.begin(Work::Show(viewer)), Job::Open(plan))]
}

/// What was asked for from the list has been read.
pub(super) fn page(viewer: Viewer, opened: &Opened, is_patch: bool) -> Effect {
    let text = match opened.lines.as_ref().filter(|_| is_patch) {
        Some(lines) => PageText::Patch(Arc::clone(lines)),
        None => PageText::Whole(Arc::clone(&opened.bytes)),
    };
    Effect::Show(Page { viewer, path: opened.address.path(), text })
}
