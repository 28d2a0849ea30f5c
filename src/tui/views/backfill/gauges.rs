//! What the whole backfill is: its title, the gauges of targets and bytes, and a picture of what is done and what is bad.

use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::filling::Filling;
use crate::desk::history::JobState;
use crate::desk::run::End;
use crate::desk::telling::backfill;
use crate::rules::amount::{clock, grouped, scaled};
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::views::backfill::parts::LEAD;
use crate::tui::widgets::gauge;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// `Backfill  acme/rocket   job 41   started 12:04Z   into the plan`.
pub(super) fn title(
    desk: &Desk,
    paint: &Paint<'_>,
    filling: &Filling,
    place: &[&str],
    width: u16,
) -> Line<'static> {
    let running = desk.board.filling().filter(|job| job.id == filling.job);
    let number = filling.number.or_else(|| running.and_then(|job| job.number));
    let how = match &filling.end {
        None if running.is_some_and(|job| job.cancelling) => Some("stopping".to_owned()),
        None if filling.steer.is_paused => Some("paused".into()),
        None => None,
        // As its rows say it.
        Some(End::Cancelled) => Some("stopped".into()),
        Some(_) if filling.stopped.is_some() => Some("stopped at its limit".into()),
        Some(end) => Some(JobState::of(end).word().to_lowercase()),
    };
    let mut parts: Vec<String> = how.into_iter().collect();
    parts.push(backfill::output(filling.output()));
    parts.extend(number.map(|number| format!("job {number}")));
    parts.push(format!("started {}", clock(filling.since, paint.now)));
    if filling.kept > 0 {
        parts.push(format!("{} from an earlier run", grouped(filling.kept)));
    }
    paint.pane_rule(width, true, place, |strip, name| {
        strip.put(name, "Backfill").gap(2);
        let room = strip.room();
        strip.put(Role::Text, &text::elide_middle(&filling.what(), room, paint.glyphs));
        for part in &parts {
            if text::width(part) + 3 <= strip.room() {
                strip.gap(3).put(Role::Dim, part);
            }
        }
    })
}

/// The gauges: two where there is room, else that of the targets.
pub(super) fn lines(paint: &Paint<'_>, filling: &Filling, area: Area) -> Vec<Line<'static>> {
    let class = paint.size.class();
    let targets = targets(paint, filling, class, area.width);
    match area.height {
        0 | 1 => vec![targets],
        _ => vec![targets, archives(paint, filling, class, area.width)],
    }
}

/// The targets of which something is known, and what that is.
fn targets(paint: &Paint<'_>, filling: &Filling, class: Class, width: u16) -> Line<'static> {
    let (over, all) = (filling.over(), filling.rows.len());
    let mut strip = gauge::begin(paint, "targets", (over as u64, all as u64), class, width);
    strip.put(Role::Text, &format!("{}/{}", grouped(over), grouped(all)));
    for (tone, word, count) in backfill::counts(&filling.tally()) {
        let told = format!("{word} {}", grouped(count));
        if text::width(&told) + 2 <= strip.room() {
            strip.gap(2).put(if count == 0 { Role::Dim } else { Role::meant(tone) }, &told);
        }
    }
    strip.line()
}

/// The bytes, as known and guessed; how fast they come, how long it takes, and how many come at once.
fn archives(paint: &Paint<'_>, filling: &Filling, class: Class, width: u16) -> Line<'static> {
    let meter = &filling.meter;
    let mut strip = gauge::begin(paint, "archives", (meter.read_bytes, meter.total_bytes), class, width);
    let (read, all) = (meter.read_bytes, meter.total_bytes);
    if all == 0 && !filling.is_running() {
        return strip.put(Role::Dim, "nothing was left to be read").line();
    }
    strip.put(Role::Text, &format!("{}/{} {}", scaled(read, all).0, scaled(all, all).0, scaled(all, all).1));
    let mut parts = Vec::new();
    if filling.is_running() {
        parts = gauge::pace(meter, &filling.steer, filling.active() > 0, class);
    }
    for part in parts {
        if text::width(&part) + 2 <= strip.room() {
            strip.gap(2).put(Role::Text, &part);
        }
    }
    strip.line()
}

/// A sign for each target in the order of the registry, or for as many as one has to stand for: the one that asks most for somebody.
pub(super) fn picture(paint: &Paint<'_>, filling: &Filling, area: Area) -> Vec<Line<'static>> {
    let cells = usize::from(area.width.saturating_sub(LEAD + 1));
    let (rows, room) = (filling.rows.len(), cells * usize::from(area.height));
    if rows == 0 || room == 0 {
        return Vec::new();
    }
    let each = rows.div_ceil(room);
    let mut lines = Vec::new();
    for line in 0..rows.div_ceil(each * cells) {
        let mut strip = Strip::new(paint, area.width);
        let label = match (line, each) {
            (0, 1) => "each".to_owned(),
            (0, each) => format!("by {}", grouped(each)),
            _ => String::new(),
        };
        strip.gap(1).cell(Role::Dim, &label, gauge::NAME, Cut::End).gap(1);
        let first = line * cells;
        let shown = (first..first + cells).map_while(|cell| filling.gist(cell * each, (cell + 1) * each));
        // One text for those beside each other that are the same: a line of signs is not a hundred spans.
        let mut run: Option<(Role, String)> = None;
        for shown in shown {
            let sign = backfill::shown(shown);
            let (role, glyph) = (Role::meant(sign.tone), paint.glyphs.pick(sign.glyph, sign.ascii));
            match &mut run {
                Some((of, text)) if *of == role => text.push_str(glyph),
                _ => {
                    if let Some((of, text)) = run.replace((role, glyph.to_owned())) {
                        strip.put(of, &text);
                    }
                }
            }
        }
        if let Some((of, text)) = run {
            strip.put(of, &text);
        }
        lines.push(strip.line());
    }
    lines
}
