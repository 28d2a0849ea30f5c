//! What keys on Reviews do outside of it.

use crate::desk::asking;
use crate::desk::reviews::Standing;
use crate::jobs::data::ReviewPlan;
use crate::rules::sending::{Purpose, VerdictPlan};
use crate::tui::keymap::{Command, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;

/// The verdict that a line is: on the pull request that is under the cursor, or on that whose verdict is shown.
pub(crate) fn verdict(model: &Model, text: &str) -> Option<Result<VerdictPlan, String>> {
    match (&model.desk.pull.asked, model.screen) {
        (_, ViewId::Reviews) => {
            let (pull, standing) = model.views.reviews.selected(&model.desk)?;
            Some(asking::read_verdict(text, pull.number, was_hashed(standing)))
        }
        (Purpose::Verdict(plan), ViewId::Pull) => Some(asking::read_verdict(text, plan.number, plan.hashes)),
        _ => None,
    }
}

fn was_hashed(standing: Standing<'_>) -> bool {
    matches!(standing, Standing::Reviewed(found) if found.is_hashed())
}

/// Opens the pull request in the browser, or copies its URL, or the command line that reviews it.
pub(crate) fn outside(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some((pull, standing)) = model.views.reviews.selected(&model.desk) else { return Vec::new() };
    let (number, url) = (pull.number, pull.url.clone());
    let hashes = was_hashed(standing);
    match command {
        Command::Browse => work::open_url(model, url),
        Command::CopyUrl => work::copy_text(model, url),
        _ => work::copy_text(model, ReviewPlan { number, hashes }.command_line()),
    }
}
