//! What Verify holds: the last verification of this console as its job tells it, the cursor, and what is shown of it.

use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::{Failure, JobId, Meter, Steer, VerifyNews, VerifyPlan};
use crate::rules::verify::{Row, State, Zip};
use crate::tui::screens::verify::order::{Line, Order, Shows};

/// How a verification ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    Done,
    /// Stopped; what was finished is in the report.
    Cancelled,
    Failed(Failure),
}

/// Where the cursor stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    /// On the first line, whichever that is: it was not moved.
    #[default]
    First,
    /// On this row, wherever it goes.
    Row(usize),
    /// On the fold's line.
    Fold,
}

/// What the rows have in common from the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Letters of the longest version.
    pub(crate) version: usize,
    /// Letters of the longest target.
    pub(crate) target: usize,
    /// All rows are of one entry.
    pub(crate) is_of_one: bool,
}

impl Shape {
    fn of(rows: &[Row]) -> Self {
        let longest = |text: fn(&Row) -> &str| rows.iter().map(|row| text(row).chars().count()).max();
        Self {
            version: longest(|row| &row.version).unwrap_or(0),
            target: longest(|row| &row.target).unwrap_or(0),
            is_of_one: rows.windows(2).all(|pair| pair[0].address == pair[1].address),
        }
    }
}

/// What a row adds to the sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Share {
    /// Bad already, and its archive is still to come.
    half: usize,
    unknown: usize,
}

/// One verification.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) job: JobId,
    /// Its number over all runs; known here when the job is over, until then the board knows it.
    pub(crate) number: Option<i64>,
    pub(crate) plan: VerifyPlan,
    /// What it is about: `newrelic/newrelic 3.70.0`.
    pub(crate) what: String,
    pub(crate) since: Timestamp,
    /// `None` while the registry is read for it.
    pub(crate) report: Option<String>,
    /// Rows whose archives an earlier run has hashed.
    pub(crate) kept: usize,
    pub(crate) rows: Vec<Arc<Row>>,
    pub(crate) shape: Shape,
    /// What all rows are together; kept, because a frame has no time to go over many thousand rows.
    sum: Share,
    /// What each row is shown as; a row that is bad already stays so while it is worked on.
    states: Vec<State>,
    /// What is done to each row at this moment, and how many bytes of its archive are there.
    doing: Vec<Option<(State, u64)>>,
    pub(crate) order: Order,
    pub(crate) meter: Meter,
    pub(crate) steer: Steer,
    /// `None` while it runs.
    pub(crate) end: Option<End>,
}

impl Run {
    pub(crate) fn new(job: JobId, plan: VerifyPlan, what: String, since: Timestamp) -> Self {
        let meter = Meter { workers: plan.workers, most_workers: plan.workers, ..Meter::default() };
        Self {
            job,
            number: None,
            plan,
            what,
            since,
            report: None,
            kept: 0,
            rows: Vec::new(),
            shape: Shape::default(),
            sum: Share::default(),
            states: Vec::new(),
            doing: Vec::new(),
            order: Order::default(),
            meter,
            steer: Steer::default(),
            end: None,
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.end.is_none()
    }

    /// It ends at the next bad row.
    pub(crate) fn stops_at_bad(&self) -> bool {
        self.steer.stops_at_bad.unwrap_or(self.plan.stops_at_bad)
    }

    pub(crate) fn state(&self, place: usize) -> State {
        self.states.get(place).copied().unwrap_or(State::Queued)
    }

    /// What is done to a row at this moment, and how many bytes are there.
    pub(crate) fn doing(&self, place: usize) -> Option<(State, u64)> {
        self.doing.get(place).copied().flatten().filter(|_| self.is_running())
    }

    /// Rows that are finished. What is bad by its checksums alone still lacks its archive.
    pub(crate) fn over(&self) -> usize {
        let open = [State::Queued, State::Fetching, State::Cancelled].map(|state| self.order.count(state));
        let open: usize = open.iter().sum();
        self.rows.len() - open - self.sum.half
    }

    /// Rows whose size nobody knows.
    pub(crate) fn unknown(&self) -> usize {
        self.sum.unknown
    }

    fn share(&self, place: usize) -> Share {
        let row = &self.rows[place];
        let is_open = matches!(row.zip, Zip::NotDone | Zip::Cancelled);
        Share {
            half: usize::from(is_open && self.states[place].is_bad()),
            unknown: usize::from(row.size_bytes().is_none()),
        }
    }

    fn begin(&mut self, rows: &[Row], report: String, kept: usize) {
        self.states = rows.iter().map(Row::state).collect();
        self.order = Order::of(&self.states);
        self.doing = vec![None; rows.len()];
        self.rows = rows.iter().cloned().map(Arc::new).collect();
        self.shape = Shape::of(rows);
        self.sum = Share::default();
        for place in 0..rows.len() {
            self.count(self.share(place));
        }
        self.report = Some(report);
        self.kept = kept;
    }

    fn count(&mut self, share: Share) {
        self.sum.half += share.half;
        self.sum.unknown += share.unknown;
    }

    /// Shows a row as this; another one takes its place if there is one.
    fn show(&mut self, place: usize, row: Option<Arc<Row>>, state: State) {
        let before = self.share(place);
        self.sum.half -= before.half;
        self.sum.unknown -= before.unknown;
        self.order.shift(place, self.states[place], state);
        self.states[place] = state;
        if let Some(row) = row {
            self.rows[place] = row;
        }
        self.count(self.share(place));
    }

    fn hear(&mut self, news: VerifyNews) {
        match news {
            VerifyNews::Begun { rows, report, kept } => self.begin(&rows, report, kept),
            VerifyNews::Row(place, row) if place < self.rows.len() => {
                self.doing[place] = None;
                let state = row.state();
                self.show(place, Some(row), state);
            }
            VerifyNews::Active(place, state, bytes) if place < self.rows.len() => {
                self.doing[place] = (state != State::Queued).then_some((state, bytes));
                let known = self.rows[place].state();
                self.show(place, None, if known.is_bad() { known } else { state });
            }
            // Names no row that there is.
            VerifyNews::Row(..) | VerifyNews::Active(..) => {}
            VerifyNews::Meter(meter) => self.meter = meter,
        }
    }

    /// Whatever is still worked on is so no more.
    pub(crate) fn close(&mut self, end: End) {
        self.end = Some(end);
        for place in 0..self.rows.len() {
            if self.doing[place].take().is_some() {
                self.show(place, None, self.rows[place].state());
            }
        }
    }
}

/// The view's state.
#[derive(Debug, Default)]
pub(crate) struct Verify {
    /// The last verification of this console.
    pub(crate) run: Option<Run>,
    at: At,
    pub(crate) top: usize,
    pub(crate) only_bad: bool,
    pub(crate) is_open: bool,
    /// The row under the cursor takes the whole view.
    pub(crate) is_whole: bool,
    /// Lines of the row's text above its window.
    pub(crate) from: usize,
}

impl Verify {
    /// Another verification takes the view.
    pub(crate) fn take(&mut self, run: Run) {
        *self = Self { run: Some(run), only_bad: self.only_bad, ..Self::default() };
    }

    pub(crate) fn running(&self) -> Option<&Run> {
        self.run.as_ref().filter(|run| run.is_running())
    }

    pub(crate) fn shows(&self) -> Shows {
        let keeps = match self.at {
            At::Row(place) => Some(place),
            At::First | At::Fold => None,
        };
        Shows { only_bad: self.only_bad, is_open: self.is_open, keeps }
    }

    pub(crate) fn line_count(&self) -> usize {
        self.run.as_ref().map_or(0, |run| run.order.line_count(self.shows()))
    }

    pub(crate) fn line(&self, number: usize) -> Option<Line> {
        self.run.as_ref()?.order.line(number, self.shows())
    }

    /// The line of the cursor.
    pub(crate) fn cursor(&self) -> usize {
        let Some(run) = &self.run else { return 0 };
        let last = self.line_count().saturating_sub(1);
        match self.at {
            At::First => 0,
            At::Row(place) => run.order.line_of(place, run.state(place), self.shows()).unwrap_or(0),
            At::Fold => last,
        }
    }

    /// The row under the cursor, by its place.
    pub(crate) fn place(&self) -> Option<usize> {
        match self.line(self.cursor())? {
            Line::Row(place) => Some(place),
            Line::Fold(_) => None,
        }
    }

    pub(crate) fn row(&self) -> Option<&Arc<Row>> {
        self.run.as_ref()?.rows.get(self.place()?)
    }

    /// Holds the cursor on its row wherever that goes: it is being read.
    pub(crate) fn pin(&mut self) {
        if let Some(place) = self.place() {
            self.at = At::Row(place);
        }
    }

    /// Puts the cursor on a line. The first one is kept whatever comes to stand there, unless its row is read whole.
    pub(crate) fn go(&mut self, line: usize, page: usize) {
        let line = line.min(self.line_count().saturating_sub(1));
        self.at = match self.line(line) {
            _ if line == 0 && !self.is_whole => At::First,
            Some(Line::Row(place)) => At::Row(place),
            Some(Line::Fold(_)) => At::Fold,
            None => At::First,
        };
        self.from = 0;
        self.settle(page);
    }

    /// Takes what the job says. The cursor's line stays where it is on the screen.
    pub(crate) fn hear(&mut self, news: VerifyNews, page: usize) {
        let before = self.cursor().saturating_sub(self.top);
        if let Some(run) = &mut self.run {
            run.hear(news);
        }
        self.hold(before, page);
    }

    /// The verification is over.
    pub(crate) fn close(&mut self, end: End, page: usize) {
        let before = self.cursor().saturating_sub(self.top);
        if let Some(run) = &mut self.run {
            run.close(end);
        }
        self.hold(before, page);
    }

    /// Keeps the cursor's line so many lines below the window's first one, where there is room.
    pub(crate) fn hold(&mut self, below: usize, page: usize) {
        if self.at != At::First {
            self.top = self.cursor().saturating_sub(below);
        }
        self.settle(page);
    }

    /// Keeps cursor and window inside what there is.
    pub(crate) fn settle(&mut self, page: usize) {
        let (count, cursor) = (self.line_count(), self.cursor());
        let page = page.max(1);
        self.top =
            self.top.min(count.saturating_sub(page)).min(cursor).max((cursor + 1).saturating_sub(page));
        self.is_whole &= match self.at {
            At::Row(place) => self.place() == Some(place),
            At::First | At::Fold => self.place().is_some(),
        };
    }
}
