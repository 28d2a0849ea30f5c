//! The visible lines of the log: those of the job under the cursor, all of them or only errors and warnings.

use ratatui::buffer::Buffer;
use ratatui::text::Line;

use crate::desk::history::JobRow;
use crate::jobs::data::{LogLevel, LogLine};
use crate::rules::amount::second;
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::views::jobs::state::{Jobs, LogShown};
use crate::tui::widgets::search;
use crate::tui::widgets::strip::{Cut, Paint, Strip, lay};

/// The visible lines, the oldest first: those with the job's number. Without a number they are the lines of
/// the job's time that belong to no other job, with a second to spare at both ends.
pub(super) fn shown<'a>(jobs: &'a Jobs, row: Option<&JobRow<'_>>) -> Vec<&'a LogLine> {
    let from = row.map(|row| row.started.as_second() - 1);
    let to = row.and_then(|row| row.ended).map(|at| at.as_second() + 1);
    let fits = |line: &&LogLine| {
        let at = line.at.map(jiff::Timestamp::as_second);
        let in_time = match (at, from) {
            (Some(at), Some(from)) => at >= from && to.is_none_or(|to| at <= to),
            _ => true,
        };
        let is_its = match row.map(|row| row.number) {
            Some(Some(number)) => line.job == Some(number),
            Some(None) => in_time && line.job.is_none(),
            None => true,
        };
        is_its && jobs.shows.has(line)
    };
    jobs.log.iter().filter(fits).collect()
}

/// The text of a line on the screen: its time, level and message.
pub(super) fn line_text(line: &LogLine) -> String {
    let at = line.at.map(second).unwrap_or_default();
    format!("{at} {} {}", line.level.word(), line.text)
}

/// Draws the last lines above those that are scrolled away.
pub(super) fn view(
    jobs: &Jobs,
    paint: &Paint<'_>,
    row: Option<&JobRow<'_>>,
    area: Area,
    buffer: &mut Buffer,
) {
    let lines = shown(jobs, row);
    if lines.is_empty() {
        let text = match jobs.shows {
            _ if jobs.log.is_empty() => "the log has no lines yet",
            LogShown::Troubles => "this job has no errors, warnings or failed requests",
            LogShown::Notable | LogShown::All => "the log no longer has lines of this job",
        };
        return lay(buffer, area, &[paint.line(area.width, Role::Dim, &format!(" {text}"))]);
    }
    let rows = usize::from(area.height);
    let end = lines.len() - jobs.back.min(lines.len() - 1);
    let mut drawn: Vec<Line<'static>> = Vec::new();
    for line in lines[..end].iter().rev() {
        let mut parts = one(jobs, paint, line, area.width);
        parts.append(&mut drawn);
        drawn = parts;
        if drawn.len() >= rows {
            break;
        }
    }
    lay(buffer, area, &drawn[drawn.len().saturating_sub(rows)..]);
}

fn one(jobs: &Jobs, paint: &Paint<'_>, line: &LogLine, width: u16) -> Vec<Line<'static>> {
    let role = match line.level {
        _ if line.is_trouble && line.level < LogLevel::Warn => Role::Warning,
        LogLevel::Error => Role::Error,
        LogLevel::Warn => Role::Warning,
        LogLevel::Info => Role::Notice,
        LogLevel::Debug => Role::Dim,
    };
    let head = || {
        let mut strip = Strip::new(paint, width);
        strip.gap(1);
        if paint.size.class() != Class::Narrow {
            let at = line.at.map(second).unwrap_or_default();
            strip.cell(Role::Dim, &at, 9, Cut::End);
        }
        strip.cell(role, line.level.word(), 6, Cut::End);
        strip
    };
    let clean = text::clean(&line.text, paint.glyphs).into_owned();
    let mut strip = head();
    if !jobs.wrap {
        put(&mut strip, text::skip(&clean, jobs.left), jobs.search.text());
        return vec![strip.line()];
    }
    let room = strip.room().max(1);
    let mut lines = Vec::new();
    for (place, part) in text::wrap(&clean, room).iter().enumerate() {
        let mut strip = if place == 0 { head() } else { Strip::new(paint, width) };
        let free = strip.room().saturating_sub(room);
        strip.gap(free);
        put(&mut strip, part, jobs.search.text());
        lines.push(strip.line());
    }
    lines
}

/// Adds a text with the search hits highlighted.
fn put(strip: &mut Strip<'_>, shown: &str, wanted: &str) {
    let mut from = 0;
    for found in search::places(shown, wanted) {
        let (Some(before), Some(hit)) = (shown.get(from..found.start), shown.get(found.clone())) else {
            continue;
        };
        strip.put(Role::Text, before).put(Role::Prompt, hit);
        from = found.end;
    }
    strip.put(Role::Text, shown.get(from..).unwrap_or_default());
}
