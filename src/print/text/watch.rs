//! A pull request after it was opened: all of it, and one line of it.

use crate::boot::Ui;
use crate::desk::telling::watch;
use crate::print::output::{Color, Line};
use crate::rules::amount::Form;
use crate::rules::watch::WatchedPull;

/// All that was read of one.
pub(crate) fn watched(ui: &Ui, pull: &WatchedPull) -> Vec<Line> {
    let mut lines = vec![head(ui, pull)];
    lines.extend(
        std::iter::once(watch::steps(pull))
            .chain(watch::facts(pull))
            .map(|fact| Line::of(format!("  {}: {}", fact.label.form(Form::Spoken), fact.text)).hanging(4)),
    );
    lines
}

/// The lines of a pull request in a list: its subject, its state, and its approvals.
pub(crate) fn listed(ui: &Ui, pull: &WatchedPull) -> Vec<Line> {
    let line = Line::of(format!("  {}; approvals: {}", pull.told(), watch::approvals(pull))).hanging(4);
    vec![head(ui, pull), line]
}

fn head(ui: &Ui, pull: &WatchedPull) -> Line {
    let sign = watch::sign(pull);
    if ui.plain {
        return Line::of(format!("{}: {}", watch::subject(pull), sign.word));
    }
    Line::default()
        .color(Color::Bold, watch::subject(pull))
        .text(" (")
        .toned(sign.tone, sign.word)
        .text(")")
        .hanging(2)
}
