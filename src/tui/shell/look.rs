//! Looking at a data file, or at the patch of a rebuild, with the user's own editor or pager. Always at a copy.

use std::sync::Arc;

use crate::jobs::data::Job;
use crate::registry::Address;
use crate::tui::keymap::ViewId;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::outside::{Page, PageText, Viewer};

/// Shows what the screen is about: in a pager the patch, where there is one, and else the file, which is read first.
pub(crate) fn show(model: &mut Model, viewer: Viewer) -> Vec<Effect> {
    if model.screen == ViewId::Diff && viewer == Viewer::Pager {
        let opened = model.views.diff.as_ref().and_then(|diff| diff.opened.as_ref());
        if let Some((opened, lines)) = opened.and_then(|opened| Some((opened, opened.lines.as_ref()?))) {
            let text = PageText::Patch(Arc::clone(lines));
            return vec![Effect::Show(Page { viewer, path: opened.address.path(), text })];
        }
    }
    if model.screen == ViewId::Changes && viewer == Viewer::Pager {
        let review = model.views.changes.open_review(&model.desk.planning);
        if let Some((review, lines)) = review.and_then(|review| Some((review, review.pane.shared()?))) {
            return vec![Effect::Show(Page {
                viewer,
                path: review.address.path(),
                text: PageText::Patch(lines),
            })];
        }
    }
    let Some(address) = model.subject().cloned() else { return Vec::new() };
    if model.desk.board.running(|job| matches!(job, Job::Read(_))).is_some() {
        return Vec::new();
    }
    let job = Job::Read(address);
    let id = model.desk.board.begin(job.clone(), model.now);
    model.views.showing = Some((id, viewer));
    vec![Effect::Start(id, job)]
}

/// The file has been read.
pub(crate) fn file(viewer: Viewer, address: &Address, bytes: Arc<[u8]>) -> Effect {
    Effect::Show(Page { viewer, path: address.path(), text: PageText::Whole(bytes) })
}
