//! Draws Jobs.
//!
//! ```text
//! Jobs  1 running  4 over
//!   STATE       #  WHAT                  PROGRESS                RATE    LEFT   AGE
//! > ~ RUNNING  41  survey everything     [####....] 4,000/9,000  58.2/s  2m-3m   1m
//!   ? DONE, GAPS 40 survey everything    2 of 611 not checked in full           21m
//! -------------------------------------------------------------------------------
//!  Job 41  survey everything  started 12:04Z   same as: bumpdesk survey
//!  12:05:01 INFO  survey everything begins
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::Desk;
use crate::desk::ability::{Ability, NextStep};
use crate::desk::history::{JobKey, JobRow, JobState, again, command_line};
use crate::desk::telling::column;
use crate::desk::telling::job::{Gauge, result, results, sign};
use crate::desk::telling::machines::{heading, next as told_next, run as told_run, short};
use crate::jobs::data::{ASKS_AGAIN, ActionsTask, Job, Progress};
use crate::rules::amount::{self, Form, between, clock, rate};
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::keymap::{Command, next_step};
use crate::tui::views::jobs::parts::parts_of;
use crate::tui::views::jobs::state::{Jobs, Pane};
use crate::tui::views::jobs::{log, machines};
use crate::tui::widgets::progress::bar;
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay};
use crate::tui::widgets::table::TableWindow;
use crate::tui::widgets::{story, table};

const STATE: usize = 11;
const NUMBER: usize = 4;
const RATE: usize = 8;
const LEFT: usize = 10;
const AGE: usize = 5;
/// The cell that stays free at the edge of the window.
const EDGE: usize = 1;

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(jobs: &Jobs, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let rows = desk.job_rows();
    let at = jobs.place(&rows);
    let parts = parts_of(jobs, desk, paint.window());
    let run = jobs.run(desk).filter(|_| !parts.machines.is_empty());
    let class = paint.size.class();
    let named = |row: &JobRow<'_>| text::width(row.kind) + 1 + text::width(row.what);
    let longest = rows.iter().map(named).max().unwrap_or_default().max(12);
    let seen = table::seen(
        paint,
        TableWindow { count: rows.len(), cursor: at, top: jobs.top, is_focused: true },
        parts.list.height,
    );
    let title = paint.pane_rule(parts.title.width, jobs.pane == Pane::Rows, &[&seen], |strip, name| {
        strip.put(name, "Jobs");
        counts(&rows, strip);
    });
    lay(buffer, parts.title, &[title]);
    lay(buffer, parts.heads, &[heads(paint, class, parts.heads.width, longest)]);
    let mut cursor = None;
    for (y, (number, row)) in (parts.list.y..parts.list.bottom()).zip(rows.iter().enumerate().skip(jobs.top))
    {
        let line = Area { y, height: 1, ..parts.list };
        let under = number == at;
        lay(buffer, line, &[job_line(desk, paint, row, (class, longest), line.width, under)]);
        if under {
            if jobs.pane == Pane::Rows {
                ground(buffer, line, paint.style(Role::Cursor));
            }
            cursor = Some(Position::new(line.x, y));
        }
    }
    if rows.is_empty() {
        let text = if desk.history.has_hidden() {
            format!("finished jobs are hidden: {} shows them again", paint.key(Command::ClearDone))
        } else if desk.history.journal.is_none() {
            " reading the journal ...".into()
        } else {
            NONE.into()
        };
        lay(buffer, parts.list, &paint.wrapped(parts.list.width, Role::Text, &text));
    }
    let row = rows.get(at);
    let has_log = !parts.log.is_empty();
    match run {
        Some(run) => {
            let head = paint.named_rule(parts.head.width, jobs.pane == Pane::Run, &[], &heading(&run.shown));
            lay(buffer, parts.rule, &[paint.rule(parts.rule.width)]);
            lay(buffer, parts.head, &[head]);
        }
        None => lay(buffer, parts.rule, &[log_rule(jobs, paint, parts.rule.width)]),
    }
    if let Some(row) = row {
        lay(buffer, parts.about, &about(desk, paint, row, parts.about));
    }
    let on_machine = run.and_then(|run| machines::view(jobs, paint, run, parts.machines, buffer));
    if !parts.floor.is_empty() {
        lay(buffer, parts.floor, &[log_rule(jobs, paint, parts.floor.width)]);
    }
    if has_log {
        log::view(jobs, paint, row, parts.log, buffer);
    }
    if jobs.search.typing {
        let line = if parts.floor.is_empty() { parts.rule } else { parts.floor };
        let (drawn, typed) = jobs.search.line(paint, line);
        ground(buffer, line, paint.style(Role::Text));
        lay(buffer, line, &[paint.line(line.width, Role::Text, &" ".repeat(usize::from(line.width)))]);
        lay(buffer, line, &[drawn]);
        return Some(typed);
    }
    match jobs.pane {
        Pane::Rows => cursor,
        Pane::Run => on_machine,
        Pane::Log => Some(Position::new(parts.log.x, parts.log.bottom().saturating_sub(1))),
    }
}

const NONE: &str = "no job has run yet: R in the Inventory surveys, a adds an entry to the plan";

/// The number of jobs in each state.
fn counts(rows: &[JobRow<'_>], strip: &mut Strip<'_>) {
    let count = |wanted: fn(JobState) -> bool| rows.iter().filter(|row| wanted(row.state)).count();
    for (count, word) in [
        (count(|state| state == JobState::Running), "running"),
        (count(|state| state == JobState::Paused), "paused"),
        (count(|state| state == JobState::Waiting), "waiting"),
        (count(|state| state == JobState::CutOff), "cut off"),
        (count(|state| state == JobState::Failed), "failed"),
        (count(|state| state == JobState::DoneWithGaps), "done with gaps"),
        (count(|state| state == JobState::Done), "done"),
        (count(|state| state == JobState::Cancelled), "cancelled"),
    ] {
        let text = format!("{count} {word}");
        if count > 0 && text::width(&text) + 2 <= strip.room() {
            strip.gap(2).put(Role::Text, &text);
        }
    }
}

/// Cells of a bar with its figures, and of the job's name. Cells that the longest name does not need go to
/// the results.
fn widths(class: Class, width: u16, longest: usize) -> (usize, usize) {
    let fixed = 1 + 2 + STATE + NUMBER + 2;
    let free = usize::from(width).saturating_sub(fixed);
    match class {
        Class::Wide => {
            let rest = free.saturating_sub(RATE + LEFT + AGE + 6 + EDGE);
            let progress = rest * 45 / 100;
            (progress, rest - progress)
        }
        Class::Medium => {
            let rest = free.saturating_sub(LEFT + 2 + EDGE);
            let what = (longest + 2).min(rest - rest * 42 / 100);
            (rest - what, what)
        }
        _ => (0, free.saturating_sub(EDGE)),
    }
}

fn heads(paint: &Paint<'_>, class: Class, width: u16, longest: usize) -> Line<'static> {
    let (progress, what) = widths(class, width, longest);
    let mut strip = Strip::new(paint, width);
    strip.gap(1).cell(Role::Title, &format!("S {}", column::STATE.short), STATE + 2, Cut::End);
    strip.cell(Role::Title, column::NUMBER.short, NUMBER, Cut::Right).gap(2);
    strip.cell(Role::Title, column::WHAT.short, what, Cut::End);
    strip.cell(Role::Title, column::PROGRESS.short, progress, Cut::End);
    if class == Class::Wide {
        strip.gap(2).cell(Role::Title, column::RATE.short, RATE, Cut::End);
    }
    strip.gap(2).cell(Role::Title, column::LEFT.short, LEFT, Cut::End);
    if class == Class::Wide {
        strip.gap(2).cell(Role::Title, column::AGE.short, AGE, Cut::Right);
    }
    strip.line()
}

fn job_line(
    desk: &Desk,
    paint: &Paint<'_>,
    row: &JobRow<'_>,
    (class, longest): (Class, usize),
    width: u16,
    under: bool,
) -> Line<'static> {
    let (mut progress, mut what) = widths(class, width, longest);
    let moves = matches!(row.state, JobState::Running | JobState::Paused);
    let found = row.progress.filter(|_| moves);
    let figures = found.and_then(|found| Gauge::of(found, Form::Short).counts).unwrap_or_default();
    let named = format!("{} {}", row.kind, row.what);
    if class == Class::Narrow {
        // There are no heads, so what a job is takes what it needs.
        let needed = what.saturating_sub(text::width(&figures)).min(text::width(&named) + 2);
        (progress, what) = (what - needed, needed);
    }
    let (role, word) = story::sign(&sign(row.state), paint.glyphs);
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.cell(role, &word, STATE + 2, Cut::End);
    let number = row.number.map_or("-".into(), |number| number.to_string());
    strip.cell(Role::Dim, &number, NUMBER, Cut::Right).gap(2);
    strip.cell(Role::Text, &named, what.saturating_sub(1), Cut::Middle).gap(1);
    let Some(found) = found else {
        let room =
            if class == Class::Wide { progress + RATE + LEFT + 4 } else { strip.room().saturating_sub(EDGE) };
        let text = whole_parts(
            &desk.machines.looked(row).map_or_else(|| results(row), |run| vec![short(&run.shown)]),
            room,
        );
        // The whole stands below.
        let text = if class == Class::Narrow && text::width(&text) > room { "" } else { &text };
        strip.cell(Role::Text, text, room, Cut::End);
        return age(paint, &mut strip, row, class).line();
    };
    let before = strip.room();
    let bar_cells = progress.saturating_sub(text::width(&figures) + 4).min(40);
    if bar_cells >= 4 && paint.motion {
        bar(&mut strip, paint, found.done, found.total, bar_cells);
        strip.gap(1);
    }
    strip.put(Role::Text, &figures);
    strip.gap(progress.saturating_sub(before - strip.room()));
    if class == Class::Wide {
        let rate = rate(found.rate).filter(|_| row.state == JobState::Running).unwrap_or_else(|| "-".into());
        strip.gap(2).cell(Role::Dim, &rate, RATE, Cut::End);
    }
    if class != Class::Narrow {
        let left = if row.state == JobState::Paused { "-".into() } else { left(found) };
        strip.gap(2).cell(Role::Text, &left, LEFT, Cut::End);
    }
    age(paint, &mut strip, row, class).line()
}

/// The parts that fit, and always the first, without its brackets if they are too long. The pane below has
/// all parts.
fn whole_parts(parts: &[String], room: usize) -> String {
    let mut text = parts.first().cloned().unwrap_or_default();
    if let Some((head, _)) = text.split_once(" (").filter(|_| text::width(&text) > room) {
        return head.to_owned();
    }
    for part in parts.iter().skip(1) {
        if text::width(&text) + 2 + text::width(part) > room {
            break;
        }
        text = format!("{text}, {part}");
    }
    text
}

fn age<'a, 'b>(
    paint: &Paint<'_>,
    strip: &'b mut Strip<'a>,
    row: &JobRow<'_>,
    class: Class,
) -> &'b mut Strip<'a> {
    if class == Class::Wide {
        strip.gap(2).cell(Role::Dim, &amount::age(row.started, paint.now, Form::Short), AGE, Cut::Right);
    }
    strip
}

fn left(progress: &Progress) -> String {
    progress.left.map_or_else(|| "-".into(), |left| between(left, Form::Short))
}

/// The rule with the visible part of the log. It names the key that follows the log only while the log has
/// the keys.
fn log_rule(jobs: &Jobs, paint: &Paint<'_>, width: u16) -> Line<'static> {
    let has_keys = jobs.pane == Pane::Log;
    let follows = match jobs.back {
        0 => "following".into(),
        _ if has_keys => format!("scrolled back: {} follows", paint.key(Command::Bottom)),
        _ => "scrolled back".into(),
    };
    paint.named_rule(width, has_keys, &[], &format!("Log  {follows}, {}", jobs.shows.words()))
}

/// The name of the job under the cursor, its times, and its command line.
fn about(desk: &Desk, paint: &Paint<'_>, row: &JobRow<'_>, area: Area) -> Vec<Line<'static>> {
    let mut strip = Strip::new(paint, area.width);
    let number = row.number.map_or(String::new(), |number| format!(" {number}"));
    strip.gap(1).put(Role::Title, &format!("Job{number}  {} {}", row.kind, row.what));
    let mut parts = vec![format!("started {}", clock(row.started, paint.now))];
    if let Some(ended) = row.ended {
        parts.push(format!("ended {}", clock(ended, paint.now)));
    }
    if let Ok(command) = command_line(row) {
        parts.push(format!("same as: {command}"));
    }
    for part in parts {
        if text::width(&part) + 2 <= strip.room() {
            strip.gap(2).put(Role::Dim, &part);
        }
    }
    let mut text = desk.machines.looked(row).map_or_else(|| result(row), |run| told_run(&run.shown));
    for limit in row.counts.iter().flat_map(|counts| &counts.limits) {
        text.push_str("; ");
        text.push_str(limit);
    }
    if let Some(progress) = row.progress.filter(|_| row.ended.is_none()) {
        let gauge = Gauge::of(progress, Form::Short);
        let phase = if row.state == JobState::Paused { "paused" } else { gauge.what };
        let parts = [Some(phase.to_owned()), gauge.requests, gauge.not_read, Some(row.why.to_owned())];
        let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
        text = parts.collect::<Vec<_>>().join(", ");
    }
    // The key that runs it again is named below.
    text = text.replace(ASKS_AGAIN, "");
    text.push_str(&next(desk, paint, row));
    let clean = text::clean(&text, paint.glyphs);
    let lines = text::wrap(&clean, usize::from(area.width).saturating_sub(2));
    let lines = lines.iter().map(|part| Strip::new(paint, area.width).gap(1).put(Role::Text, part).line());
    std::iter::once(strip.line()).chain(lines).collect()
}

/// The step after a finished job, or the reason why a run on GitHub's machines waits.
fn next(desk: &Desk, paint: &Paint<'_>, row: &JobRow<'_>) -> String {
    if let Some(run) = desk.machines.looked(row) {
        let name = |step: &NextStep| match step.ability {
            Ability::FollowRun => Some(paint.key(Ability::RunAgain)),
            _ => paint.key_here(step),
        };
        let message = told_next(&run.shown).filter(|next| row.ended.is_some() || next.steps.is_empty());
        return message.map(|message| format!("; {}", message.text_with(name))).unwrap_or_default();
    }
    let is_shown = desk.run.as_ref().is_some_and(|run| row.key == JobKey::Here(run.job));
    if row.ended.is_none() && row.state != JobState::CutOff {
        return String::new();
    }
    let again = again(row, &desk.list).is_ok();
    let is_look = matches!(row.job, Some(Job::Actions(ActionsTask::Look { .. })));
    let does = if is_look { "looks at it again" } else { "runs again what is missing" };
    let ways = [
        again.then(|| format!("; {} {does}", paint.key(Ability::RunAgain))),
        is_shown.then(|| format!("; {} shows what was found", paint.key(next_step::SHOW_VERIFY))),
    ];
    ways.into_iter().flatten().collect()
}
