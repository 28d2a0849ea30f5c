//! Past jobs and the log, a line each.

use std::fmt::Write;

use jiff::Timestamp;

use crate::boot::Ui;
use crate::jobs::{LogLevel, LogLine, PastJob, PastState, Summary};
use crate::print::output::{Line, Tone};
use crate::print::text;
use crate::rules::amount::{ago, length, moment, since};

/// The jobs, newest first.
pub(crate) fn jobs(ui: &Ui, jobs: &[PastJob], now: Timestamp) -> Vec<Line> {
    jobs.iter().map(|job| past_job(ui, job, now)).collect()
}

/// `DONE      12 survey everything, 2h ago, took 4m: 2 of 611 not checked in full (2 not read upstream)`.
fn past_job(ui: &Ui, job: &PastJob, now: Timestamp) -> Line {
    let tone = match job.state {
        PastState::Running => Tone::Blue,
        PastState::Done if job.counts.gaps() > 0 => Tone::Yellow,
        PastState::Done => Tone::Green,
        PastState::Cancelled => Tone::Grey,
        PastState::Failed(_) | PastState::CutOff => Tone::Red,
    };
    let mut when = ago(job.started_at, now, text::form(ui));
    if let Some(ended) = job.ended_at {
        let _ = write!(when, ", took {}", length(since(job.started_at, ended), text::form(ui)));
    }
    if ui.plain {
        return Line::of(format!(
            "job {}: {}, {} {}, {when}{}",
            job.id,
            job.state.word(),
            job.kind,
            job.what,
            ended(job)
        ));
    }
    Line::default().tone(tone, format!("{:<8}", job.state.word())).text(format!(
        " {:>4} {} {}, {when}{}",
        job.id,
        job.kind,
        job.what,
        ended(job)
    ))
}

fn ended(job: &PastJob) -> String {
    let counts = Summary { fresh: 0, not_modified: 0, findings: 0, ..job.counts.clone() };
    let mut parts = Vec::new();
    match &job.state {
        PastState::Failed(why) => parts.push(why.clone()),
        PastState::CutOff => {
            parts.push("its process ended before it did; the same command goes on".to_owned());
        }
        PastState::Running | PastState::Done | PastState::Cancelled => {}
    }
    parts.extend(counts.words());
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

/// `2026-09-22 12:05:04Z ERROR jobs failed: ..`.
pub(crate) fn log_line(line: &LogLine) -> Line {
    let at = line.at.map(moment).unwrap_or_default();
    let tone = match line.level {
        LogLevel::Error => Tone::Red,
        LogLevel::Warn => Tone::Yellow,
        LogLevel::Info => Tone::Blue,
        LogLevel::Debug => Tone::Grey,
    };
    let tone = if line.is_trouble { Tone::Red } else { tone };
    Line::of(at)
        .text(" ")
        .tone(tone, format!("{:<5}", line.level.word()))
        .text(format!(" {} {}", line.topic, line.text))
}
