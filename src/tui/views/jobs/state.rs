//! The state of Jobs: the cursor, the pane with the keys, and the log as it was read last.

use std::sync::Arc;

use std::time::Duration;

use crate::desk::Desk;
use crate::desk::board::Running;
use crate::desk::history::{JobKey, JobRow};
use crate::desk::machines::MachineRun;
use crate::jobs::data::LogLine;
use crate::tui::widgets::search::Search;

/// The selection of log lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LogShown {
    /// All lines but successful requests.
    #[default]
    Notable,
    /// Errors, warnings and failed requests.
    Troubles,
    All,
}

impl LogShown {
    pub(super) fn next(self) -> Self {
        match self {
            Self::Notable => Self::Troubles,
            Self::Troubles => Self::All,
            Self::All => Self::Notable,
        }
    }

    /// The selection in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Notable => "without successful requests",
            Self::Troubles => "only errors, warnings and failed requests",
            Self::All => "every line",
        }
    }

    pub(super) fn has(self, line: &LogLine) -> bool {
        match self {
            Self::Notable => line.is_trouble || line.topic != "requests",
            Self::Troubles => line.is_trouble,
            Self::All => true,
        }
    }
}

/// The pane that has the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pane {
    #[default]
    Rows,
    /// The jobs of the run on GitHub's machines behind the row under the cursor.
    Run,
    Log,
}

impl Pane {
    /// The footer's name for the step to this pane.
    pub(crate) fn way(self) -> &'static str {
        match self {
            Self::Rows => "to the jobs",
            Self::Run => "to the run",
            Self::Log => "to the log",
        }
    }
}

/// The state of the view.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    pub(crate) read_at: Option<Duration>,
    pub(crate) at: Option<JobKey>,
    pub(crate) top: usize,
    pub(crate) pane: Pane,
    /// The id of the selected job of the run; the order of the jobs changes when some of them run again.
    pub(crate) at_job: Option<u64>,
    pub(crate) log: Arc<Vec<LogLine>>,
    /// Lines of the log below the window; 0 follows its end.
    pub(crate) back: usize,
    pub(crate) shows: LogShown,
    pub(crate) wrap: bool,
    pub(crate) left: usize,
    pub(crate) search: Search,
    /// The last hit that was shown.
    pub(crate) search_at: Option<u32>,
}

impl Jobs {
    pub(crate) fn take_log(&mut self, lines: Arc<Vec<LogLine>>) {
        // A log that is scrolled back keeps its lines in place.
        if self.back > 0 {
            self.back += lines.len().saturating_sub(self.log.len());
        }
        self.log = lines;
    }

    /// The row under the cursor; the first one until it was moved.
    pub(crate) fn selected<'a>(&self, desk: &'a Desk) -> Option<JobRow<'a>> {
        let rows = desk.job_rows();
        rows.get(self.place(&rows)).copied()
    }

    /// The place of the cursor among the rows.
    pub(super) fn place(&self, rows: &[JobRow<'_>]) -> usize {
        self.at.and_then(|key| rows.iter().position(|row| row.key == key)).unwrap_or(0)
    }

    /// The run behind the row under the cursor, once its state was read.
    pub(crate) fn run<'a>(&self, desk: &'a Desk) -> Option<&'a MachineRun> {
        self.selected(desk).and_then(|row| desk.machines.of(&row))
    }

    /// The pane below the one with the keys; after the log the rows again.
    pub(crate) fn next_pane(&self, desk: &Desk) -> Pane {
        match self.pane {
            Pane::Rows if self.run(desk).is_some() => Pane::Run,
            Pane::Rows | Pane::Run => Pane::Log,
            Pane::Log => Pane::Rows,
        }
    }

    /// The pane that a step back returns to.
    pub(crate) fn pane_above(&self, desk: &Desk) -> Pane {
        match self.pane {
            Pane::Log if self.run(desk).is_some() => Pane::Run,
            _ => Pane::Rows,
        }
    }

    /// The job under the cursor, if it is running in this program.
    pub(crate) fn running_here<'a>(&self, desk: &'a Desk) -> Option<&'a Running> {
        let key = self.selected(desk)?.key;
        desk.board.journalled().find(|job| key == JobKey::Here(job.id))
    }
}
