//! The progress of a job in one line: counts, failures, rate, remaining time as a range, and the reason for a
//! standstill.

use ratatui::text::Line;

use crate::desk::board::Running;
use crate::desk::telling::job::Gauge;
use crate::jobs::data::Job;
use crate::rules::amount::Form;
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::{Paint, Strip};

/// The line of a running job.
pub(crate) fn line(paint: &Paint<'_>, job: &Running, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(1);
    strip.put(Role::Title, job.brief());
    let Some(progress) = &job.progress else {
        return strip.put(Role::Dim, if job.is_paused { " paused" } else { " starting" }).line();
    };
    let gauge = Gauge::of(progress, Form::Short);
    if let Some(counts) = &gauge.counts {
        strip.gap(1).put(Role::Text, counts);
    }
    if width >= 80 && paint.motion && progress.total > 0 {
        strip.gap(1);
        bar(&mut strip, paint, progress.done, progress.total, 20);
    }
    let is_said = gauge.what == job.brief();
    let phase = (job.job != Job::Load && !job.is_paused && !is_said).then(|| gauge.what.to_owned());
    for (role, part) in [
        (Role::Warning, if job.is_paused { Some("paused".to_owned()) } else { gauge.waiting }),
        // A paused job has no remaining time and no rate.
        (Role::Text, gauge.left.filter(|_| !job.is_paused)),
        (Role::Error, gauge.not_read),
        (Role::Dim, gauge.rate.filter(|_| !job.is_paused)),
        (Role::Dim, phase),
    ] {
        // A reason is shortened; of the rest, what has no room is left out.
        let keeps = |part: &String| role == Role::Warning || text::width(part) + 2 <= strip.room();
        if let Some(part) = part.filter(keeps) {
            strip.gap(2).put(role, &part);
        }
    }
    strip.line()
}

/// A bar of this many cells between brackets.
pub(crate) fn bar(strip: &mut Strip<'_>, paint: &Paint<'_>, done: u64, total: u64, cells: usize) {
    let full = (u128::from(done) * cells as u128 / u128::from(total.max(1))).min(cells as u128) as usize;
    // A full bar is for a job that is over, not for one that nearly is.
    let full = if done < total { full.min(cells.saturating_sub(1)) } else { full };
    let [over, open] = paint.glyphs.bar();
    strip.put(Role::Dim, "[").put(Role::Key, &over.repeat(full));
    strip.put(Role::Dim, &open.repeat(cells - full)).put(Role::Dim, "]");
}
