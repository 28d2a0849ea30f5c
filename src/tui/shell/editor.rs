//! Looking at a data file, or at the patch of a rebuild, with the user's own editor or pager. Always at a copy.

use std::sync::Arc;

use crate::jobs::data::Job;
use crate::registry::Address;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::outside::{Page, PageText, Viewer};

/// Shows what the screen is about: in a pager the patch, where there is one, and else the file, which is read first.
pub(crate) fn show(model: &mut Model, viewer: Viewer) -> Vec<Effect> {
    let patch = model.seen().and_then(|view| view.patch(&model.desk)).filter(|_| viewer == Viewer::Pager);
    if let Some((address, lines)) = patch {
        let page = Page { viewer, path: address.path(), text: PageText::Patch(lines) };
        return vec![Effect::Show(page)];
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
