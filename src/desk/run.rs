//! One verification as its job reports it: its rows in groups, the bad ones first, its progress, its
//! controls, and its end. It stays here after its end, until another one replaces it.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::folding::{Group, Groups};
use crate::desk::table::TableTexts;
use crate::desk::targets::{TargetOrder, TargetSort};
use crate::desk::telling::target::notes;
use crate::jobs::data::{Failure, JobId, Meter, Outcome, Steer, VerifyNews, VerifyPlan, Wanted};
use crate::rules::plain_text::shell_word;
use crate::rules::verify::{Coverage, Listed, Row, State, Zip};

/// The end of a verification.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    Done {
        /// True if a part could not be read.
        has_gaps: bool,
    },
    /// Stopped; the report has the finished rows.
    Cancelled,
    Failed(Failure),
}

impl End {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Done(summary) => Self::Done { has_gaps: summary.gaps() > 0 },
            Outcome::Cancelled(_) => Self::Cancelled,
            Outcome::Failed(failure) => Self::Failed(failure.clone()),
        }
    }
}

/// Column widths, known once the rows are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Characters of the longest address.
    pub(crate) address: usize,
    /// Characters of the longest version.
    pub(crate) version: usize,
    /// Characters of the longest target.
    pub(crate) target: usize,
    /// True if all rows belong to one entry.
    pub(crate) is_of_one: bool,
}

impl Shape {
    fn of(rows: &[Row]) -> Self {
        let longest = |text: fn(&Row) -> &str| rows.iter().map(|row| text(row).chars().count()).max();
        Self {
            address: rows.iter().map(|row| row.address.to_string().chars().count()).max().unwrap_or(0),
            version: longest(|row| &row.version).unwrap_or(0),
            target: longest(|row| &row.target).unwrap_or(0),
            is_of_one: rows.windows(2).all(|pair| pair[0].address == pair[1].address),
        }
    }
}

/// The contribution of a row to the sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Share {
    /// 1 if the archive was not read, also after a cancellation.
    open: usize,
    /// 1 if the size of the archive is unknown.
    unknown: usize,
    /// 1 if the row is the first of a version whose checksums were not read.
    unread: usize,
}

/// One verification.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) job: JobId,
    /// The job's number in the journal. It is set here when the job ends; until then the board has it.
    pub(crate) number: Option<i64>,
    pub(crate) plan: VerifyPlan,
    pub(crate) since: Timestamp,
    /// `None` while the registry is read.
    pub(crate) report: Option<String>,
    /// Rows whose archives an earlier run hashed.
    pub(crate) kept: usize,
    pub(crate) rows: Vec<Arc<Row>>,
    pub(crate) shape: Shape,
    versions: usize,
    /// The sum over all rows. It is kept, because a frame has no time to go over many thousand rows.
    sum: Share,
    /// The state of each row on screen. A row that is known to be bad stays bad while the run works on it.
    states: Vec<State>,
    /// The work in progress on each row, and the bytes of its archive that were received.
    doing: Vec<Option<(State, u64)>>,
    pub(crate) groups: Groups,
    pub(crate) order: TargetOrder,
    /// State with notes, address, version and target of each row, and the filter.
    texts: TableTexts,
    pub(crate) meter: Meter,
    pub(crate) steer: Steer,
    /// `None` while it runs.
    pub(crate) end: Option<End>,
    /// The comparisons that were made, once it is over.
    pub(crate) coverage: Coverage,
}

/// The text of a row's state, among the texts that a filter searches.
const STATE_TEXT: usize = 0;

impl Run {
    /// `order` is that of the verification before.
    pub(crate) fn new(job: JobId, plan: VerifyPlan, since: Timestamp, order: TargetOrder) -> Self {
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
            versions: 0,
            sum: Share::default(),
            states: Vec::new(),
            doing: Vec::new(),
            groups: Groups::default(),
            order,
            texts: TableTexts::default(),
            meter,
            steer: Steer::default(),
            end: None,
            coverage: Coverage::default(),
        }
    }

    /// The verified versions in short: `newrelic/newrelic 3.70.0`.
    pub(crate) fn what(&self) -> String {
        Wanted::summary(&self.plan.wanted)
    }

    pub(crate) fn is_running(&self) -> bool {
        self.end.is_none()
    }

    /// Returns true if the run ends at the next bad row.
    pub(crate) fn stops_at_bad(&self) -> bool {
        self.steer.stops_at_bad.unwrap_or(self.plan.stops_at_bad)
    }

    pub(crate) fn state(&self, place: usize) -> State {
        self.states.get(place).copied().unwrap_or(State::Queued)
    }

    /// The work in progress on a row, and the bytes that were received.
    pub(crate) fn doing(&self, place: usize) -> Option<(State, u64)> {
        self.doing.get(place).copied().flatten().filter(|_| self.is_running())
    }

    /// The number of rows whose archives were read, or will not be.
    pub(crate) fn over(&self) -> usize {
        self.rows.len() - self.sum.open
    }

    /// The number of rows that may still turn out bad.
    pub(crate) fn undecided(&self) -> usize {
        let decided = [State::Ok, State::Skipped, State::Cancelled].map(|state| self.groups.count(state));
        self.rows.len() - self.groups.bad() - decided.iter().sum::<usize>()
    }

    /// The number of versions whose checksums were read, and the number of all versions.
    pub(crate) fn sums(&self) -> (usize, usize) {
        (self.versions - self.sum.unread, self.versions)
    }

    /// The number of rows of unknown size.
    pub(crate) fn unknown(&self) -> usize {
        self.sum.unknown
    }

    /// Chooses an order; the present one is reversed.
    pub(crate) fn sort(&mut self, by: TargetSort) {
        self.order.sort.choose(by);
        self.arrange();
    }

    pub(crate) fn show_only_bad(&mut self, only_bad: bool) {
        self.order.only_bad = only_bad;
        self.arrange();
    }

    pub(crate) fn filter(&self) -> &str {
        self.texts.filter()
    }

    /// Shows only the rows that have these words.
    pub(crate) fn set_filter(&mut self, words: &str) {
        self.texts.set_filter(words);
        self.arrange();
    }

    /// The number of rows that are shown, alone or in a group.
    pub(crate) fn shown_rows(&self) -> usize {
        let groups = (0..self.groups.shown_count()).filter_map(|at| self.groups.shown_at(at));
        groups.map(|group| group.places.len()).sum()
    }

    fn arrange(&mut self) {
        let found = |place: usize| self.texts.shows(place);
        let found: Option<&dyn Fn(usize) -> bool> =
            if self.texts.filter().is_empty() { None } else { Some(&found) };
        self.groups.arrange(self.order, found);
    }

    /// The rows of a group.
    pub(crate) fn rows_of(&self, group: &Group) -> Vec<&Row> {
        group.places.iter().map(|place| self.rows[*place].as_ref()).collect()
    }

    fn share(&self, place: usize) -> Share {
        let row = &self.rows[place];
        Share {
            open: usize::from(matches!(row.zip, Zip::NotDone | Zip::Cancelled)),
            unknown: usize::from(row.size_bytes().is_none()),
            unread: usize::from(row.listed == Listed::NotAsked && self.groups.begins_version(place)),
        }
    }

    fn begin(&mut self, rows: &[Row], report: String, kept: usize) {
        self.states = rows.iter().map(Row::state).collect();
        self.doing = vec![None; rows.len()];
        self.rows = rows.iter().cloned().map(Arc::new).collect();
        self.groups = Groups::of(&self.rows);
        self.versions = (0..rows.len()).filter(|place| self.groups.begins_version(*place)).count();
        self.shape = Shape::of(rows);
        self.texts = TableTexts::default();
        let mut names = [0; 2];
        for (place, row) in rows.iter().enumerate() {
            if self.groups.begins_version(place) {
                names = [self.texts.id(&row.address.to_string()), self.texts.id(&row.version)];
            }
            let (state, target) = (state_text(row, row.state()), self.texts.id(&row.target));
            let state = self.texts.id(&state);
            self.texts.push([state, names[0], names[1], target]);
        }
        self.arrange();
        self.sum = Share::default();
        for place in 0..rows.len() {
            self.count(self.share(place));
        }
        self.report = Some(report);
        self.kept = kept;
    }

    fn count(&mut self, share: Share) {
        self.sum.open += share.open;
        self.sum.unknown += share.unknown;
        self.sum.unread += share.unread;
    }

    /// Sets the state of a row; `row` replaces the row if it is given.
    fn show(&mut self, place: usize, row: Option<Arc<Row>>, state: State) {
        let before = self.share(place);
        self.sum.open -= before.open;
        self.sum.unknown -= before.unknown;
        self.sum.unread -= before.unread;
        self.states[place] = state;
        if let Some(row) = row {
            self.rows[place] = row;
        }
        self.texts.set(place, STATE_TEXT, &state_text(&self.rows[place], state));
        self.groups.shift(place, &self.rows[place], state, self.texts.shows(place));
        self.count(self.share(place));
    }

    /// Takes an event of the job.
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
                // The archive is the last thing that is read for a row.
                if is_new && row.zip != Zip::NotDone {
                    let is_first = self.groups.around(place).is_some_and(|group| group.places.len() == 1);
                    return News::Over { row, is_first };
                }
            }
            VerifyNews::Active(place, state, bytes) if place < self.rows.len() => {
                self.doing[place] = (state != State::Queued).then_some((state, bytes));
                let known = self.rows[place].state();
                self.show(place, None, if known.is_bad() { known } else { state });
            }
            // The row does not exist.
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

    /// Ends the run; rows that were in progress return to their known state.
    pub(crate) fn close(&mut self, end: End) {
        self.end = Some(end);
        for place in 0..self.rows.len() {
            if self.doing[place].take().is_some() {
                self.show(place, None, self.rows[place].state());
            }
        }
        self.coverage = Coverage::of(self.rows.iter().map(AsRef::as_ref));
    }
}

/// The word of a state, and the notes about the row.
fn state_text(row: &Row, state: State) -> String {
    format!("{} {}", state.word(), notes(row).join("; "))
}

/// News of a verification that a face may report.
#[derive(Debug)]
pub(crate) enum News {
    Begun {
        kept: usize,
    },
    /// The row is finished. `is_first`: no other row has the same result so far.
    Over {
        row: Arc<Row>,
        is_first: bool,
    },
    /// The pace changed: the reason for fewer downloads at once, or `None` at full pace.
    Slowed(Option<String>),
    /// A change that is too small to report.
    Little,
}

/// The largest number of entries on a command line; a longer line is not pasted into a shell.
pub(crate) const MOST_NAMED: usize = 100;

/// The command line of this verification; `None` if it would be too long.
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
