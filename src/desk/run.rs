//! One verification as its job tells it: its rows in the order of how bad they are, how far it is, how it was steered, how it
//! ended. It stays here when it is over, until another one takes its place.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::naming;
use crate::jobs::{Failure, JobId, Meter, Outcome, Steer, VerifyNews, VerifyPlan, Wanted};
use crate::rules::plain_text::shell_word;
use crate::rules::verify::{Row, State, Zip};

/// How a verification ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    Done,
    /// Stopped; what was finished is in the report.
    Cancelled,
    Failed(Failure),
}

impl End {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Done(_) => Self::Done,
            Outcome::Cancelled(_) => Self::Cancelled,
            Outcome::Failed(failure) => Self::Failed(failure.clone()),
        }
    }
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
    pub(crate) fn new(job: JobId, plan: VerifyPlan, since: Timestamp) -> Self {
        let meter = Meter { workers: plan.workers, most_workers: plan.workers, ..Meter::default() };
        Self {
            job,
            number: None,
            plan,
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

    /// What it is about: `newrelic/newrelic 3.70.0`.
    pub(crate) fn what(&self) -> String {
        naming::wanted(&self.plan.wanted)
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

    /// Takes what the job says.
    pub(crate) fn hear(&mut self, news: VerifyNews) -> News {
        match news {
            VerifyNews::Begun { rows, report, kept } => {
                self.begin(&rows, report, kept);
                return News::Begun { kept };
            }
            VerifyNews::Row(place, row) if place < self.rows.len() => {
                self.doing[place] = None;
                let state = row.state();
                let is_new = self.rows[place] != row;
                self.show(place, Some(Arc::clone(&row)), state);
                // The archive is the last that is asked of a row.
                if is_new && row.zip != Zip::NotDone {
                    return News::Over(row);
                }
            }
            VerifyNews::Active(place, state, bytes) if place < self.rows.len() => {
                self.doing[place] = (state != State::Queued).then_some((state, bytes));
                let known = self.rows[place].state();
                self.show(place, None, if known.is_bad() { known } else { state });
            }
            // Names no row that there is.
            VerifyNews::Row(..) | VerifyNews::Active(..) => {}
            VerifyNews::Meter(meter) => {
                let before = std::mem::replace(&mut self.meter, meter);
                if before.slowed != self.meter.slowed {
                    return News::Slowed(self.meter.slowed.clone());
                }
            }
        }
        News::Little
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

/// What a verification said, for a face to tell.
#[derive(Debug)]
pub(crate) enum News {
    Begun {
        kept: usize,
    },
    /// Nothing more comes of this row.
    Over(Arc<Row>),
    /// It has as many downloads at once as before, or fewer, and why.
    Slowed(Option<String>),
    /// The rows are as they are; so little changed that nobody is told.
    Little,
}

/// Kinds of rows that stand apart. What is fetched and what is hashed is one kind: a row goes from one to the other and back.
const RANKS: usize = 8;
/// The first ranks are the bad ones.
const BAD: usize = 3;
const FINE: usize = RANKS - 1;

fn rank(state: State) -> usize {
    match state {
        State::Mismatch => 0,
        State::Missing => 1,
        State::Error => 2,
        State::Hashing | State::Fetching => 3,
        State::Queued => 4,
        State::Skipped => 5,
        State::Cancelled => 6,
        State::Ok => FINE,
    }
}

/// Places of the rows, kind by kind, each kind in the order of the question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    ranks: [Vec<usize>; RANKS],
}

impl Order {
    pub(crate) fn of(states: &[State]) -> Self {
        let mut order = Self::default();
        for (place, state) in states.iter().enumerate() {
            order.ranks[rank(*state)].push(place);
        }
        order
    }

    /// A row is of another kind now.
    pub(crate) fn shift(&mut self, place: usize, from: State, to: State) {
        let (from, to) = (rank(from), rank(to));
        if from == to {
            return;
        }
        if let Ok(at) = self.ranks[from].binary_search(&place) {
            self.ranks[from].remove(at);
        }
        if let Err(at) = self.ranks[to].binary_search(&place) {
            self.ranks[to].insert(at, place);
        }
    }

    pub(crate) fn count(&self, state: State) -> usize {
        self.ranks[rank(state)].len()
    }

    pub(crate) fn bad(&self) -> usize {
        self.ranks[..BAD].iter().map(Vec::len).sum()
    }

    /// Rows that are not OK.
    pub(crate) fn others(&self) -> usize {
        self.ranks[..FINE].iter().map(Vec::len).sum()
    }

    /// Rows that are OK.
    pub(crate) fn fine(&self) -> &[usize] {
        &self.ranks[FINE]
    }

    /// The place of a row by its number in this order, from 0.
    pub(crate) fn at(&self, number: usize) -> Option<usize> {
        let mut rest = number;
        for places in &self.ranks {
            if let Some(place) = places.get(rest) {
                return Some(*place);
            }
            rest -= places.len();
        }
        None
    }

    /// The number of a row in this state.
    pub(crate) fn number_of(&self, place: usize, state: State) -> Option<usize> {
        let rank = rank(state);
        let at = self.ranks[rank].binary_search(&place).ok()?;
        Some(self.ranks[..rank].iter().map(Vec::len).sum::<usize>() + at)
    }
}

/// Entries that a command line names.
const MOST_NAMED: usize = 20;

/// The command line that asks the same; `None` if that would be too long to read.
pub(crate) fn command_line(plan: &VerifyPlan) -> Option<String> {
    if plan.wanted.len() > MOST_NAMED {
        return None;
    }
    let name = |wanted: &Wanted| match &wanted.version {
        Some(version) => shell_word(&format!("{}@{version}", wanted.address)),
        None => shell_word(&wanted.address.to_string()),
    };
    let names: Vec<String> = plan.wanted.iter().map(name).collect();
    Some(format!("bumpdesk verify {}", names.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_ranks_are_the_bad_ones() {
        for state in [
            State::Mismatch,
            State::Missing,
            State::Error,
            State::Hashing,
            State::Fetching,
            State::Queued,
            State::Skipped,
            State::Cancelled,
            State::Ok,
        ] {
            assert_eq!(rank(state) < BAD, state.is_bad(), "{state:?}");
        }
    }
}
