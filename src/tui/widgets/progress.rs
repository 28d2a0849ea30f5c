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

/// Cells of the bar of a job.
const BAR_CELLS: usize = 20;

/// The line of a running job.
pub(crate) fn line(paint: &Paint<'_>, job: &Running, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(Role::Title, job.brief());
    if let Some(counts) = counts(job) {
        strip.gap(1).put(Role::Text, &counts);
    }
    if let Some(progress) = job.progress.as_ref().filter(|progress| progress.total > 0)
        && width >= 80
        && paint.motion
    {
        strip.gap(1);
        bar(&mut strip, paint, progress.done, progress.total, BAR_CELLS);
    }
    put_details(&mut strip, job);
    strip.line()
}

/// The line of a running job whose counts and bar are in the header.
pub(crate) fn details(paint: &Paint<'_>, job: &Running, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(Role::Title, job.brief());
    put_details(&mut strip, job);
    strip.line()
}

fn counts(job: &Running) -> Option<String> {
    job.progress.as_ref().and_then(|progress| Gauge::of(progress, Form::Short).counts)
}

/// The name of a running job and its counts: `survey 12,400/27,449`.
pub(crate) fn brief(job: &Running) -> String {
    counts(job).map_or_else(|| job.brief().to_owned(), |counts| format!("{} {counts}", job.brief()))
}

/// Adds a job at the right end of a line: its name, its counts, and its bar if there is room for it.
pub(crate) fn put_right(strip: &mut Strip<'_>, paint: &Paint<'_>, job: &Running) {
    let brief = brief(job);
    // Two cells are left free before it and one behind it.
    let room = strip.room().saturating_sub(text::width(&brief) + 3);
    let bar_of =
        job.progress.as_ref().filter(|progress| progress.total > 0 && paint.motion && room >= BAR_CELLS + 3);
    let Some(progress) = bar_of else {
        strip.right(Role::Bar, &format!("{brief} "));
        return;
    };
    strip.gap(room + 2 - (BAR_CELLS + 3)).put(Role::Bar, &brief).gap(1);
    bar_in(strip, paint, [Role::Bar; 2], (progress.done, progress.total), BAR_CELLS);
}

/// Adds what there is to say about a job besides its counts: the reason for a standstill, the remaining time, and so on.
fn put_details(strip: &mut Strip<'_>, job: &Running) {
    let Some(progress) = &job.progress else {
        strip.put(Role::Dim, if job.is_paused { " paused" } else { " starting" });
        return;
    };
    let gauge = Gauge::of(progress, Form::Short);
    let repeats = gauge.what == job.brief();
    let phase = (job.job != Job::Load && !job.is_paused && !repeats).then(|| gauge.what.to_owned());
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
}

/// A bar of this many cells between brackets.
pub(crate) fn bar(strip: &mut Strip<'_>, paint: &Paint<'_>, done: u64, total: u64, cells: usize) {
    bar_in(strip, paint, [Role::Key, Role::Dim], (done, total), cells);
}

/// A bar in these roles: the done part, and the rest with the brackets.
fn bar_in(
    strip: &mut Strip<'_>,
    paint: &Paint<'_>,
    [full_in, open_in]: [Role; 2],
    (done, total): (u64, u64),
    cells: usize,
) {
    let full = (u128::from(done) * cells as u128 / u128::from(total.max(1))).min(cells as u128) as usize;
    // A full bar is for a job that is over, not for one that nearly is.
    let full = if done < total { full.min(cells.saturating_sub(1)) } else { full };
    let [over, open] = paint.glyphs.bar();
    strip.put(open_in, "[").put(full_in, &over.repeat(full));
    strip.put(open_in, &open.repeat(cells - full)).put(open_in, "]");
}
