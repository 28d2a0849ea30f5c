//! The whole verification: its title, the counts of its targets, and the gauge of its phase or what was checked.

use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::history::JobState;
use crate::desk::run::{End, Run};
use crate::desk::telling::target::figures_of;
use crate::desk::telling::{Tone, verification};
use crate::rules::amount::{Form, clock, counted, grouped, scaled};
use crate::rules::verify::State;
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::gauge;
use crate::tui::widgets::strip::{Paint, Strip};

/// A part and the whole in the unit of the whole: `1.31/2.26 GB`.
fn bytes_of(part: u64, whole: u64) -> String {
    format!("{} {}", figures_of(part, whole), scaled(whole, whole).1)
}

/// `Verify  newrelic/newrelic 3.70.0   job 41   started 12:04Z   only reads`.
pub(super) fn title(desk: &Desk, paint: &Paint<'_>, run: &Run, place: &[&str], width: u16) -> Line<'static> {
    let running = desk.board.verifying().filter(|job| job.id == run.job);
    let number = run.number.or_else(|| running.and_then(|job| job.number));
    let how = match &run.end {
        None if running.is_some_and(|job| job.cancelling) => Some("stopping".to_owned()),
        None if run.steer.is_paused => Some("paused".into()),
        None => None,
        // As its rows say it.
        Some(End::Cancelled) => Some("stopped".into()),
        Some(end) => Some(JobState::of(end).word().to_lowercase()),
    };
    let mut parts: Vec<String> = how.into_iter().collect();
    parts.extend(number.map(|number| format!("job {number}")));
    parts.push(format!("started {}", clock(run.since, paint.now)));
    if run.kept > 0 {
        parts.push(format!("{} from an earlier run", grouped(run.kept)));
    }
    parts.push("only reads".into());
    paint.pane_rule(width, true, place, |strip, name| {
        strip.put(name, "Verify").gap(2);
        let room = strip.room();
        strip.put(Role::Text, &text::elide_middle(&run.what(), room, paint.glyphs));
        for part in &parts {
            if text::width(part) + 3 <= strip.room() {
                strip.gap(3).put(Role::Dim, part);
            }
        }
    })
}

/// The counts of the targets; below them the gauge of the phase, and after the end what was checked and what was not.
pub(super) fn lines(paint: &Paint<'_>, run: &Run, area: Area) -> Vec<Line<'static>> {
    let class = paint.size.class();
    let (read, all) = run.sums();
    let below = if !run.is_running() {
        checked(paint, run, area.width)
    } else if read < all {
        sums(paint, (read, all), class, area.width)
    } else {
        archives(paint, run, class, area.width)
    };
    vec![counts(paint, run, class, area.width), below]
}

/// The versions whose checksums were read.
fn sums(paint: &Paint<'_>, (read, all): (usize, usize), class: Class, width: u16) -> Line<'static> {
    let mut strip = gauge::begin(paint, "checksums", (read as u64, all as u64), class, width);
    strip.put(Role::Text, &format!("{}/{}", grouped(read), counted(all, "version"))).line()
}

/// The number of targets, and of those in each state. Where there is no room for all, the fine ones are left out.
fn counts(paint: &Paint<'_>, run: &Run, class: Class, width: u16) -> Line<'static> {
    let (lead, mut parts) =
        verification::counts(run, if class == Class::Narrow { Form::Short } else { Form::Spoken });
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(Role::Text, &lead);
    let cells = |parts: &[(Tone, String)]| parts.iter().map(|(_, text)| text::width(text) + 2).sum::<usize>();
    if cells(&parts) > strip.room() {
        parts.retain(|(tone, _)| *tone != Tone::Fine);
    }
    for (at, (tone, text)) in parts.iter().enumerate() {
        strip.put(Role::Dim, if at == 0 { " " } else { ", " }).put(Role::meant(*tone), text);
    }
    strip.line()
}

/// The comparisons that were made, and those that were not. The latter come first where there is no room for both.
fn checked(paint: &Paint<'_>, run: &Run, width: u16) -> Line<'static> {
    let [done, open] = verification::coverage(&run.coverage);
    let mut strip = Strip::new(paint, width);
    strip.gap(1);
    let mut parts = [(Role::Dim, done), (Role::Warning, open)];
    if text::width(&parts[0].1) + 3 + text::width(&parts[1].1) > strip.room() {
        parts.reverse();
    }
    for (at, (role, part)) in parts.into_iter().filter(|(_, part)| !part.is_empty()).enumerate() {
        if at == 0 || text::width(&part) <= strip.room() {
            strip.put(role, &text::elide_end(&part, strip.room(), paint.glyphs)).gap(3);
        }
    }
    strip.line()
}

/// The archives that were read or are not to be, and the bytes.
fn archives(paint: &Paint<'_>, run: &Run, class: Class, width: u16) -> Line<'static> {
    let meter = &run.meter;
    let mut strip = gauge::begin(paint, "archives", (meter.read_bytes, meter.total_bytes), class, width);
    strip.put(Role::Text, &format!("{}/{}", grouped(run.over()), grouped(run.rows.len())));
    strip.gap(2).put(Role::Text, &bytes_of(meter.read_bytes, meter.total_bytes));
    let unknown = run.unknown();
    let works = run.groups.count(State::Fetching) > 0;
    let mut parts = gauge::pace(meter, &run.steer, works, class);
    if unknown > 0 {
        parts.push(format!("and {} of unknown size", grouped(unknown)));
    }
    for part in parts {
        if text::width(&part) + 2 <= strip.room() {
            strip.gap(2).put(Role::Text, &part);
        }
    }
    strip.line()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_the_unit_of_the_whole() {
        assert_eq!(bytes_of(1_310_000_000, 2_260_000_000), "1.31/2.26 GB");
        assert_eq!(bytes_of(12_100_000, 18_900_000), "12.1/18.9 MB");
        assert_eq!(bytes_of(0, 0), "0/0 B");
        assert_eq!(figures_of(112_100_000, 271_000_000), "112.1/271.0");
    }
}
