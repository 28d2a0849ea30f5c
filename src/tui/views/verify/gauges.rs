//! What the whole verification is: its title, and the gauges of its two phases, checksums and archives.

use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::history::JobState;
use crate::desk::run::{End, Run};
use crate::desk::telling::target::figures_of;
use crate::rules::amount::{clock, grouped, scaled};
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

/// The gauges: two where there is room, else that of the archives, which come last.
pub(super) fn lines(paint: &Paint<'_>, run: &Run, area: Area) -> Vec<Line<'static>> {
    let class = paint.size.class();
    let (read, all) = run.sums();
    let sums = sums(paint, run, class, area.width);
    match area.height {
        0 | 1 if read < all => vec![sums],
        0 | 1 => vec![archives(paint, run, class, area.width, true)],
        _ => vec![sums, archives(paint, run, class, area.width, false)],
    }
}

/// The versions whose checksums were read, and what is known of the rows.
fn sums(paint: &Paint<'_>, run: &Run, class: Class, width: u16) -> Line<'static> {
    let (read, all) = run.sums();
    let mut strip = gauge::begin(paint, "checksums", (read as u64, all as u64), class, width);
    let unit = if class == Class::Narrow {
        ""
    } else if all == 1 {
        " version"
    } else {
        " versions"
    };
    strip.put(Role::Text, &format!("{}/{}{unit}", grouped(read), grouped(all)));
    counts(&mut strip, run);
    strip.line()
}

/// What is known of the rows; each is counted once, so that all of it is all rows.
fn counts(strip: &mut Strip<'_>, run: &Run) {
    for (role, word, count, always) in [
        (Role::Act, "bad", run.groups.bad(), true),
        (Role::Fine, "ok", run.groups.count(State::Ok), true),
        (Role::Warning, "skipped", run.groups.count(State::Skipped), false),
        (Role::Dim, "stopped", run.groups.count(State::Cancelled), false),
        (Role::Dim, "undecided", run.undecided(), false),
    ] {
        let told = format!("{word} {}", grouped(count));
        if (always || count > 0) && text::width(&told) + 2 <= strip.room() {
            let role = if count == 0 { Role::Dim } else { role };
            strip.gap(2).put(role, &told);
        }
    }
}

/// The archives that were read or are not to be, and the bytes. `is_alone`: there is no other line for what is known of the rows.
fn archives(paint: &Paint<'_>, run: &Run, class: Class, width: u16, is_alone: bool) -> Line<'static> {
    let meter = &run.meter;
    let mut strip = gauge::begin(paint, "archives", (meter.read_bytes, meter.total_bytes), class, width);
    strip.put(Role::Text, &format!("{}/{}", grouped(run.over()), grouped(run.rows.len())));
    if is_alone {
        counts(&mut strip, run);
        return strip.line();
    }
    strip.gap(2).put(Role::Text, &bytes_of(meter.read_bytes, meter.total_bytes));
    let unknown = run.unknown();
    let mut parts = Vec::new();
    if run.is_running() {
        let works = run.groups.count(State::Fetching) > 0;
        parts = gauge::pace(meter, &run.steer, works, class);
    }
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
