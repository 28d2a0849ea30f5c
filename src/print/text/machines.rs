//! A run on GitHub's machines, a line for each of its jobs.

use crate::boot::Ui;
use crate::desk::telling::machines::{kept, run as told, sign};
use crate::jobs::data::RunShown;
use crate::print::output::Line;
use crate::print::text;
use crate::rules::actions::RunState;
use crate::rules::plain_text::visible;

/// The state of a run, then its jobs, its artifacts, and its address.
pub(crate) fn run(ui: &Ui, shown: &RunShown) -> Vec<Line> {
    let line = |state: &RunState, text: &str| {
        text::sign(Line::default(), ui, &sign(state)).text(format!(" {text}")).hanging(4)
    };
    let mut lines = vec![line(&shown.run.state, &told(shown))];
    lines.extend(shown.jobs.iter().map(|job| line(&job.state, &visible(&job.name))));
    lines.extend(kept(shown).map(|kept| Line::of(format!("kept {kept}"))));
    lines.push(Line::of(visible(&shown.run.url).into_owned()));
    lines
}
