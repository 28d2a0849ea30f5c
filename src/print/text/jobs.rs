//! Past jobs and the log, a line each.

use std::fmt::Write;

use jiff::Timestamp;

use crate::boot::Ui;
use crate::desk::history::{JobState, past_row};
use crate::desk::telling::column::NUMBER;
use crate::desk::telling::job::{result, sign};
use crate::jobs::data::{LogLevel, LogLine, PastJob};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::rules::amount::{ago, length, moment, since};

/// The jobs, newest first, each with its registry if they belong to several.
pub(crate) fn jobs(ui: &Ui, jobs: &[PastJob], now: Timestamp, has_registry: bool) -> Vec<Line> {
    jobs.iter().map(|job| past_job(ui, job, now, has_registry)).collect()
}

/// `DONE, GAPS   12 survey everything, 2h ago, took 4m: 2 of 611 not checked in full (2 not read upstream)`.
fn past_job(ui: &Ui, job: &PastJob, now: Timestamp, has_registry: bool) -> Line {
    let row = past_row(job);
    let state = sign(row.state);
    let mut when = ago(row.started, now, text::form(ui));
    if let Some(ended) = row.ended {
        let _ = write!(when, ", took {}", length(since(row.started, ended), text::form(ui)));
    }
    let mut text = format!("{} {}, {when}", row.kind, row.what);
    if has_registry {
        let registry = job
            .registry
            .as_deref()
            .map_or("of an unknown registry".into(), |registry| format!("in {registry}"));
        let _ = write!(text, ", {registry}");
    }
    // Of one that runs the journal does not tell where.
    let result = if row.state == JobState::Running { String::new() } else { result(&row) };
    if !result.is_empty() {
        let _ = write!(text, ": {result}");
    }
    if ui.plain {
        return Line::of(format!("{} {}: {}, {text}", NUMBER.spoken, job.id, state.word));
    }
    let word = format!("{:<10}", state.word);
    Line::default().toned(state.tone, word).text(format!(" {:>4} {text}", job.id)).hanging(16)
}

/// `2026-09-22 12:05:04Z ERROR jobs failed: ..`.
pub(crate) fn log_line(line: &LogLine) -> Line {
    let at = line.at.map(moment).unwrap_or_default();
    let color = match line.level {
        LogLevel::Error => Color::Red,
        LogLevel::Warn => Color::Yellow,
        LogLevel::Info => Color::Blue,
        LogLevel::Debug => Color::Grey,
    };
    let color = if line.is_trouble { Color::Red } else { color };
    Line::of(at)
        .text(" ")
        .color(color, format!("{:<5}", line.level.word()))
        .text(format!(" {} {}", line.topic, line.text))
        .hanging(27)
}
