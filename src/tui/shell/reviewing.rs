//! What keys on Reviews do outside of it.

use crate::desk::reviews::Standing;
use crate::jobs::ReviewPlan;
use crate::rules::review::Result as Word;
use crate::tui::keymap::Command;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;

/// Opens the pull request in the browser, or copies its URL, or the command line that reviews it.
pub(crate) fn outside(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some((pull, standing)) = model.views.reviews.selected(&model.desk) else { return Vec::new() };
    let (number, url) = (pull.number, pull.url.clone());
    let hashes = matches!(standing, Standing::Reviewed(found) if found.review.result == Word::Same);
    match command {
        Command::Browse => work::open_url(model, url),
        Command::CopyUrl => work::copy_text(model, url),
        _ => work::copy_text(model, ReviewPlan { number, hashes }.command_line()),
    }
}
