//! The run on GitHub's machines behind the job under the cursor: its jobs, each with its state and duration,
//! and its artifacts. Enter shows the log of a job.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::history::JobKey;
use crate::desk::intent::Intent;
use crate::desk::machines::MachineRun;
use crate::desk::telling::backfill::in_plan;
use crate::desk::telling::machines::{artifacts, log_lines, log_title, next, short, sign};
use crate::jobs::data::{JobId, Summary};
use crate::rules::actions::{Ending, RunJob, RunState};
use crate::rules::amount::{Form, length, since};
use crate::rules::plain_text::visible;
use crate::tui::base::layout::{Area, Class, first_visible};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::keymap::next_step;
use crate::tui::views::jobs::state::{Jobs, Pane};
use crate::tui::views::{ActionContext, View, ViewRequest};
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::message::Tone;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay};

/// The cells of a sign: a glyph, a blank, and the longest word of a state.
const SIGN: usize = 12;

/// The number of lines for the jobs and the artifacts.
pub(super) fn lines(run: &MachineRun) -> usize {
    run.shown.jobs.len() + usize::from(!run.shown.artifacts.is_empty())
}

/// The place of the job under the cursor. Until one is chosen it is the first failed job, which is the most
/// useful one.
pub(super) fn place(run: &MachineRun, at: Option<u64>) -> usize {
    let find = |is_it: &dyn Fn(&RunJob) -> bool| run.shown.jobs.iter().position(is_it);
    find(&|job| Some(job.id) == at).or_else(|| find(&|job| job.state.is_bad())).unwrap_or(0)
}

/// The request of Enter on a job: show the end of its log, or read the log first.
pub(super) fn open(run: &MachineRun, at: Option<u64>) -> Option<ViewRequest> {
    let job = run.shown.jobs.get(place(run, at))?;
    Some(match run.log(job.id) {
        Some(log) => ViewRequest::Text(TextCard::new(log_title(log), log_lines(log))),
        None => ViewRequest::Act(Intent::ReadRunLog { job: job.id, name: job.name.clone() }),
    })
}

/// Draws the run, and returns the cell of the cursor if this pane has the keys.
pub(super) fn view(
    jobs: &Jobs,
    paint: &Paint<'_>,
    run: &MachineRun,
    area: Area,
    buffer: &mut Buffer,
) -> Option<Position> {
    let rows = usize::from(area.height);
    let has_keys = jobs.pane == Pane::Run;
    let under = place(run, jobs.at_job);
    let top = first_visible(0, under, rows, run.shown.jobs.len());
    let mut drawn: Vec<Line<'static>> = run
        .shown
        .jobs
        .iter()
        .enumerate()
        .skip(top)
        .take(rows)
        .map(|(at, job)| line(paint, job, has_keys && at == under, area.width))
        .collect();
    if let Some(kept) = artifacts(&run.shown).filter(|_| drawn.len() < rows) {
        let clean = text::clean(&kept, paint.glyphs).into_owned();
        drawn.push(Strip::new(paint, area.width).gap(1).put(Role::Dim, &clean).line());
    }
    lay(buffer, area, &drawn);
    let down = u16::try_from(under.checked_sub(top)?).ok()?;
    if !has_keys || down >= area.height {
        return None;
    }
    let row = Area { y: area.y + down, height: 1, ..area };
    ground(buffer, row, paint.style(Role::Cursor));
    Some(Position::new(row.x, row.y))
}

fn line(paint: &Paint<'_>, job: &RunJob, under: bool, width: u16) -> Line<'static> {
    let (role, word) = story::sign(&sign(&job.state), paint.glyphs);
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if under { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    strip.cell(role, &word, SIGN, Cut::End).gap(1);
    let mut beside = Vec::new();
    if job.attempt > 1 {
        beside.push(format!("attempt {}", job.attempt));
    }
    if let (Some(started), Some(ended)) = (job.started, job.ended) {
        beside.push(format!("took {}", length(since(started, ended), Form::Short)));
    }
    let beside = beside.join(", ");
    let beside = if paint.size.class() == Class::Narrow { String::new() } else { beside };
    let name = text::clean(&visible(&job.name), paint.glyphs).into_owned();
    let room = strip.room().saturating_sub(text::width(&beside) + 3);
    strip.put(Role::Text, &text::elide_middle(&name, room, paint.glyphs));
    strip.right(Role::Dim, &format!("{beside} ")).line()
}

/// Reports how a run ended that was followed.
pub(super) fn report_run(jobs: &Jobs, context: &mut ActionContext<'_>, id: JobId) {
    let rows = context.desk.job_rows();
    let row = rows.iter().find(|row| row.key == JobKey::Here(id));
    let Some(run) = row.and_then(|row| context.desk.machines.of(row)) else { return };
    let is_fine = run.shown.run.state == RunState::Ended(Ending::Success);
    let next = next(&run.shown).map(|message| jobs.text_of(&context.paint, &message));
    let text = [Some(short(&run.shown)), next].into_iter().flatten().collect::<Vec<_>>().join("; ");
    context.report(if is_fine { Tone::Notice } else { Tone::Warning }, text);
}

/// Reports what was put together: `put together: 1 file in the plan now; 2 shows it; 12 targets`.
pub(super) fn report_merge(context: &mut ActionContext<'_>, summary: &Summary) {
    let changes = context.paint.key(next_step::SHOW_CHANGES);
    let shows = if summary.applied > 0 { format!("; {changes} shows it") } else { String::new() };
    let bad = match &context.desk.machines.bad[..] {
        [] => String::new(),
        [one] => format!("; {one}"),
        [first, others @ ..] => format!("; {first} (and {} more)", others.len()),
    };
    let (files, words) = (in_plan(summary.applied), summary.words().join(", "));
    let is_whole = summary.gaps() == 0 && summary.findings == 0;
    let tone = if is_whole { Tone::Notice } else { Tone::Warning };
    context.report(tone, summary.limited(format!("put together: {files}{shows}{bad}; {words}")));
}
