//! A gauge of downloads: its name, its bar and the download rate.

use crate::desk::telling::job;
use crate::jobs::data::{Meter, Steer};
use crate::rules::amount::{Form, between, bytes};
use crate::tui::base::layout::Class;
use crate::tui::base::theme::Role;
use crate::tui::widgets::progress::bar;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// The cells of a gauge's name: `checksums`.
pub(crate) const NAME: usize = 9;

/// The name of a gauge and its bar.
pub(crate) fn begin<'a>(
    paint: &'a Paint<'_>,
    name: &str,
    (done, all): (u64, u64),
    class: Class,
    width: u16,
) -> Strip<'a> {
    let cells = match class {
        Class::Wide => 40,
        Class::Medium => 12,
        _ => 8,
    };
    let mut strip = Strip::new(paint, width);
    strip.gap(1).cell(Role::Dim, name, NAME, Cut::End).gap(1);
    if paint.motion && width >= 56 {
        bar(&mut strip, paint, done, all, cells);
        strip.gap(1);
    }
    strip
}

/// The rate, the remaining time, and the number of simultaneous downloads. `works`: a download is running.
pub(crate) fn pace<T>(meter: &Meter<T>, steer: &Steer, works: bool, class: Class) -> Vec<String> {
    let mut parts = Vec::new();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rate, shown in three figures"
    )]
    let rate = meter.bytes_per_s.max(0.0) as u64;
    // The rate from before a pause does not describe the time after it.
    if rate > 0 && (works || !steer.is_paused) {
        parts.push(format!("{}/s", bytes(rate)));
    }
    if let Some(left) = meter.left.filter(|_| !steer.is_paused) {
        let is_short = class == Class::Medium;
        parts.push(if is_short { between(left, Form::Short) } else { job::left(left, Form::Short) });
    }
    let most = steer.workers.unwrap_or(meter.most_workers.max(1));
    let workers = meter.workers.min(most);
    let word = if class == Class::Wide { "workers" } else { "at once" };
    parts.push(if workers == most {
        format!("{most} {word}")
    } else {
        format!("{workers} of {most} {word}")
    });
    parts
}
