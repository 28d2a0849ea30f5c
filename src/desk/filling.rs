//! One backfill as its job reports it: its rows, the bad ones first, its progress, its controls, its output
//! and its end. It stays here after its end, until another one replaces it.
//!
//! A backfill of the whole registry has some 600,000 rows. The values that a frame needs are kept by state,
//! and no frame goes over all rows.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::run::{End, MOST_NAMED};
use crate::desk::table::TableTexts;
use crate::desk::targets::{TargetOrder, TargetSort};
use crate::jobs::data::{
    BackfillLimits, BackfillNews, BackfillOutput, BackfillPart, BackfillRun, Bundle, JobId, Meter, Steer,
};
use crate::registry::Address;
use crate::rules::amount::{exact_bytes, exact_length};
use crate::rules::backfill::{Row, Selection, State, Tally};
use crate::rules::plain_text::shell_word;

/// The kinds of rows in the order of the table: first those that need a maintainer, last the finished ones.
/// Rows of one kind stand together.
const ORDER: [Shown; 10] = [
    Shown::Is(State::Drifted),
    Shown::Is(State::Otherwise),
    Shown::Is(State::Gone),
    Shown::Is(State::TooLarge),
    Shown::Is(State::NoHash),
    Shown::Is(State::Failed),
    Shown::Active,
    Shown::Is(State::Held),
    Shown::Is(State::Waiting),
    Shown::Is(State::Filled),
];

/// The state of a row as the screen shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Is(State),
    /// Its archive is being read.
    Active,
}

impl Shown {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Is(state) => state.word(),
            Self::Active => "READING",
        }
    }

    fn rank(self) -> usize {
        ORDER.iter().position(|shown| *shown == self).unwrap_or(ORDER.len() - 1)
    }

    /// Returns true if the target cannot be filled in, or the reading failed.
    pub(crate) fn is_bad(self) -> bool {
        matches!(self, Self::Is(state) if state.is_bad() || state == State::Failed)
    }
}

/// Column widths, known once the rows are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Widths {
    /// Characters of the longest address.
    pub(crate) address: usize,
    /// Characters of the longest version.
    pub(crate) version: usize,
    /// Characters of the longest target.
    pub(crate) target: usize,
}

/// The output of a backfill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Made {
    /// Files that went into the plan; `None` until something was planned.
    pub(crate) planned: Option<u64>,
    pub(crate) patches: Vec<PathBuf>,
    /// The outputs that could not be written, and the reasons.
    pub(crate) not_written: Vec<String>,
}

/// One backfill.
#[derive(Debug)]
pub(crate) struct Filling {
    pub(crate) job: JobId,
    /// The job's number in the journal. It is set here when the job ends; until then the board has it.
    pub(crate) number: Option<i64>,
    pub(crate) run: BackfillRun,
    pub(crate) since: Timestamp,
    /// The path of the journal with its rows; `None` while the registry is read.
    pub(crate) journal: Option<String>,
    /// Rows that an earlier run finished.
    pub(crate) kept: usize,
    pub(crate) rows: Vec<Row>,
    pub(crate) widths: Widths,
    /// The rank of each row: the index of its kind in [`ORDER`].
    ranks: Vec<u8>,
    /// The number of rows of each rank.
    counts: [usize; ORDER.len()],
    /// The rows that are shown, in rising order: those of each rank, or all in the first where they stand by address.
    places: [Vec<usize>; ORDER.len()],
    pub(crate) order: TargetOrder,
    /// State with reason, address, version and target of each row, and the filter.
    texts: TableTexts,
    /// The rows that are being read, and the bytes received for each.
    active: Vec<(usize, u64)>,
    /// The rows of each version, and the version of each row.
    versions: Vec<Vec<usize>>,
    version_of: Vec<usize>,
    pub(crate) meter: Meter<Tally>,
    pub(crate) steer: Steer,
    /// The reason why the run stopped before its end.
    pub(crate) stopped: Option<String>,
    pub(crate) made: Made,
    /// Files that could not be read; the rows do not include their missing hashes.
    pub(crate) broken: u64,
    /// `None` while it runs.
    pub(crate) end: Option<End>,
}

/// News of a backfill that a face may report.
#[derive(Debug)]
pub(crate) enum FillNews {
    /// The rows are known.
    Begun,
    /// The place of a row that ended badly.
    Bad(usize),
    Wrote(PathBuf),
    NotWritten(String),
    /// A change that is too small to report.
    Little,
}

/// The text of a row's state, among the texts that a filter searches.
const STATE_TEXT: usize = 0;

impl Filling {
    /// `order` is that of the backfill before.
    pub(crate) fn new(job: JobId, run: BackfillRun, since: Timestamp, order: TargetOrder) -> Self {
        let workers = run.limits.workers;
        Self {
            job,
            number: None,
            run,
            since,
            journal: None,
            kept: 0,
            rows: Vec::new(),
            widths: Widths::default(),
            ranks: Vec::new(),
            counts: Default::default(),
            places: Default::default(),
            order,
            texts: TableTexts::default(),
            active: Vec::new(),
            versions: Vec::new(),
            version_of: Vec::new(),
            meter: Meter { workers, most_workers: workers, ..Meter::default() },
            steer: Steer::default(),
            stopped: None,
            made: Made::default(),
            broken: 0,
            end: None,
        }
    }

    /// The selection in short: `acme/rocket`.
    pub(crate) fn what(&self) -> String {
        self.run.selection.summary()
    }

    /// The destination of the results; `None` for one share of a run on many machines.
    pub(crate) fn output(&self) -> Option<&BackfillOutput> {
        match &self.run.part {
            BackfillPart::Whole(output) => Some(output),
            BackfillPart::Shard { .. } => None,
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.end.is_none()
    }

    /// Returns true if another run would find targets to read.
    pub(crate) fn has_rest(&self) -> bool {
        let open = self.count(State::Waiting) + self.count(State::Failed);
        open > 0 || !matches!(self.end, Some(End::Done { has_gaps: false }) | None)
    }

    pub(crate) fn shown(&self, place: usize) -> Shown {
        self.ranks.get(place).map_or(Shown::Is(State::Waiting), |rank| ORDER[usize::from(*rank)])
    }

    /// The bytes received for a row that is being read.
    pub(crate) fn read_bytes(&self, place: usize) -> Option<u64> {
        self.active.iter().find(|(at, _)| *at == place).map(|(_, bytes)| *bytes)
    }

    /// The number of rows in this state.
    pub(crate) fn count(&self, state: State) -> usize {
        self.counts[Shown::Is(state).rank()]
    }

    pub(crate) fn active(&self) -> usize {
        self.counts[Shown::Active.rank()]
    }

    /// The number of bad rows.
    pub(crate) fn bad(&self) -> usize {
        ORDER.iter().zip(self.counts).filter(|(shown, _)| shown.is_bad()).map(|(_, count)| count).sum()
    }

    /// The number of rows that were read, or that an earlier run finished.
    pub(crate) fn over(&self) -> usize {
        self.rows.len() - self.count(State::Waiting) - self.active()
    }

    pub(crate) fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (shown, count) in ORDER.iter().zip(self.counts) {
            let state = match shown {
                Shown::Is(state) => *state,
                Shown::Active => State::Waiting,
            };
            tally.add_many(state, count as u64);
        }
        tally
    }

    /// The number of rows that are shown.
    pub(crate) fn line_count(&self) -> usize {
        self.places.iter().map(Vec::len).sum()
    }

    /// The place of the row in a line of the table.
    pub(crate) fn place_at(&self, line: usize) -> Option<usize> {
        let mut rest = self.turned(line)?;
        for places in &self.places {
            if let Some(place) = places.get(rest) {
                return Some(*place);
            }
            rest -= places.len();
        }
        None
    }

    /// The line of a row in the table; `None` if it is not shown.
    pub(crate) fn line_of(&self, place: usize) -> Option<usize> {
        let group = self.group(*self.ranks.get(place)?);
        let before: usize = self.places[..group].iter().map(Vec::len).sum();
        self.turned(before + self.places[group].binary_search(&place).ok()?)
    }

    /// A line counted from the other end if the order is reversed; `None` behind the last line.
    fn turned(&self, line: usize) -> Option<usize> {
        let last = self.line_count().checked_sub(1)?;
        if self.order.sort.is_reversed { last.checked_sub(line) } else { (line <= last).then_some(line) }
    }

    /// The next line of a bad row, and round the ends.
    pub(crate) fn next_bad(&self, line: usize, forward: bool) -> Option<usize> {
        let count = self.line_count();
        let is_bad = |line: &usize| self.place_at(*line).is_some_and(|place| self.shown(place).is_bad());
        if forward {
            (line + 1..count).chain(0..count.min(line + 1)).find(is_bad)
        } else {
            (0..line).rev().chain((line..count).rev()).find(is_bad)
        }
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

    /// The kind that stands for a stretch of rows: the first one in [`ORDER`] that occurs there.
    pub(crate) fn gist(&self, from: usize, to: usize) -> Option<Shown> {
        let ranks = self.ranks.get(from..to.min(self.ranks.len()))?;
        ranks.iter().min().map(|rank| ORDER[usize::from(*rank)])
    }

    fn begin(&mut self, rows: Vec<Row>, journal: String, kept: usize) {
        let mut known: HashMap<(&Address, &str), usize> = HashMap::new();
        let (mut versions, mut version_of): (Vec<Vec<usize>>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut widths = Widths::default();
        let mut texts = TableTexts::default();
        let mut names: Vec<[u32; 2]> = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let of = *known.entry(row.version()).or_insert_with(|| {
                let address = row.item.address.to_string();
                widths.address = widths.address.max(address.chars().count());
                widths.version = widths.version.max(row.item.version.chars().count());
                names.push([texts.id(&address), texts.id(&row.item.version)]);
                versions.push(Vec::new());
                versions.len() - 1
            });
            versions[of].push(place);
            version_of.push(of);
            widths.target = widths.target.max(row.item.target.chars().count());
        }
        drop(known);
        (self.versions, self.version_of, self.widths) = (versions, version_of, widths);
        (self.journal, self.kept, self.rows) = (Some(journal), kept, rows);
        self.active.clear();
        self.counts = Default::default();
        self.ranks = Vec::with_capacity(self.rows.len());
        for (place, row) in self.rows.iter().enumerate() {
            let shown = self.found(place);
            self.ranks.push(shown.rank() as u8);
            self.counts[shown.rank()] += 1;
            let ([address, version], target) = (names[self.version_of[place]], texts.id(&row.item.target));
            let state = texts.id(&state_text(row, shown));
            texts.push([state, address, version, target]);
        }
        self.texts = texts;
        self.arrange();
    }

    /// Puts the rows that are shown in their order.
    fn arrange(&mut self) {
        let mut places: [Vec<usize>; ORDER.len()] = Default::default();
        for place in (0..self.rows.len()).filter(|place| self.is_shown(*place)) {
            places[self.group(self.ranks[place])].push(place);
        }
        self.places = places;
    }

    fn is_shown(&self, place: usize) -> bool {
        (!self.order.only_bad || self.shown(place).is_bad()) && self.texts.shows(place)
    }

    /// The index of the rows that a row of this rank stands among.
    fn group(&self, rank: u8) -> usize {
        match self.order.sort.by {
            TargetSort::Worst => usize::from(rank),
            TargetSort::Address => 0,
        }
    }

    /// The state of a row. A filled-in row is held back if another target of its version has drifted.
    fn found(&self, place: usize) -> Shown {
        let row = &self.rows[place];
        let is_held = || self.versions[self.version_of[place]].iter().any(|place| holds(&self.rows[*place]));
        Shown::Is(if row.is_filled() && is_held() { State::Held } else { row.state() })
    }

    /// Shows a row in this state; its line changes with it if rows stand by state.
    fn show(&mut self, place: usize, shown: Shown) {
        if shown == Shown::Active && self.shown(place) == Shown::Active {
            return;
        }
        let before = self.group(self.ranks[place]);
        self.counts[usize::from(self.ranks[place])] -= 1;
        self.ranks[place] = shown.rank() as u8;
        self.counts[shown.rank()] += 1;
        self.texts.set(place, STATE_TEXT, &state_text(&self.rows[place], shown));
        let now = self.is_shown(place).then(|| self.group(self.ranks[place]));
        match self.places[before].binary_search(&place) {
            Ok(_) if now == Some(before) => return,
            Ok(at) => {
                self.places[before].remove(at);
            }
            Err(_) => {}
        }
        if let Some(now) = now
            && let Err(at) = self.places[now].binary_search(&place)
        {
            self.places[now].insert(at, place);
        }
    }

    /// Takes the result of a row. A row that has drifted holds back the other rows of its version.
    fn take(&mut self, place: usize, row: Row) -> FillNews {
        self.active.retain(|(at, _)| *at != place);
        self.rows[place] = row;
        self.show(place, self.found(place));
        if holds(&self.rows[place]) {
            for other in self.versions[self.version_of[place]].clone() {
                if self.rows[other].is_filled() {
                    self.show(other, Shown::Is(State::Held));
                }
            }
        }
        if self.shown(place).is_bad() { FillNews::Bad(place) } else { FillNews::Little }
    }

    /// Takes an event of the job.
    pub(crate) fn hear(&mut self, news: BackfillNews) -> FillNews {
        match news {
            BackfillNews::Begun { rows, journal, kept, .. } => {
                self.begin(Arc::unwrap_or_clone(rows), journal, kept);
                return FillNews::Begun;
            }
            BackfillNews::Active(place, bytes) if place < self.rows.len() => {
                match self.active.iter_mut().find(|(at, _)| *at == place) {
                    Some(known) => known.1 = bytes,
                    None => self.active.push((place, bytes)),
                }
                self.show(place, Shown::Active);
            }
            BackfillNews::Row(place, row) if place < self.rows.len() => {
                return self.take(place, Arc::unwrap_or_clone(row));
            }
            BackfillNews::Meter(meter) => self.meter = meter,
            BackfillNews::Stopped(why) => self.stopped = Some(why),
            BackfillNews::Wrote(path) => {
                self.made.patches.push(path.clone());
                return FillNews::Wrote(path);
            }
            BackfillNews::Planned(files) => self.made.planned = Some(files),
            BackfillNews::NotWritten(why) => {
                self.made.not_written.push(why.clone());
                return FillNews::NotWritten(why);
            }
            // The row does not exist, or the event is no news of a run.
            BackfillNews::Active(..) | BackfillNews::Row(..) | BackfillNews::Estimated(_) => {}
        }
        FillNews::Little
    }

    /// Ends the run; rows that were being read return to their known state.
    pub(crate) fn close(&mut self, end: End) {
        self.end = Some(end);
        for (place, _) in std::mem::take(&mut self.active) {
            self.show(place, self.found(place));
        }
    }
}

/// The command line of this run; `None` if it would be too long, or for one share of a run on many machines.
pub(crate) fn command_line(run: &BackfillRun) -> Option<String> {
    let BackfillPart::Whole(output) = &run.part else { return None };
    Some(line(&words(&run.selection)?, &run.limits, output))
}

/// The selection as words of a command line; `None` if there are too many entries.
pub(crate) fn words(selection: &Selection) -> Option<String> {
    match selection {
        Selection::Everything => Some("--all".to_owned()),
        Selection::These(these) if these.len() > MOST_NAMED => None,
        Selection::These(these) => {
            Some(these.iter().map(|one| shell_word(&one.words())).collect::<Vec<_>>().join(" "))
        }
    }
}

/// The limits as options of a command line, each after a blank. Default limits are left out.
pub(crate) fn limit_options(limits: &BackfillLimits) -> String {
    let usual = BackfillLimits::default();
    let mut line = String::new();
    if limits.bytes != usual.bytes {
        let _ = write!(line, " --max-bytes {}", exact_bytes(limits.bytes));
    }
    if limits.time != usual.time {
        let _ = write!(line, " --max-time {}", exact_length(limits.time));
    }
    if limits.workers != usual.workers {
        let _ = write!(line, " --jobs {}", limits.workers);
    }
    line
}

/// The command line of a run on this machine.
pub(crate) fn line(words: &str, limits: &BackfillLimits, output: &BackfillOutput) -> String {
    let mut line = format!("bumpdesk backfill run {words}{}", limit_options(limits));
    match output {
        BackfillOutput::Plan => {}
        BackfillOutput::Nothing => line.push_str(" --dry-run"),
        BackfillOutput::Patches { folder, bundle } => {
            let _ = write!(line, " --out {}", shell_word(&folder.display().to_string()));
            match bundle {
                Bundle::Provider => {}
                Bundle::Letter => line.push_str(" --bundle letter"),
                Bundle::Files(files) => {
                    let _ = write!(line, " --bundle {files}");
                }
            }
        }
    }
    line
}

/// The word of a state, and for a bad row its reason.
fn state_text(row: &Row, shown: Shown) -> Cow<'static, str> {
    if shown.is_bad() { format!("{} {}", shown.word(), row.reason()).into() } else { shown.word().into() }
}

/// Returns true if this row holds back all rows of its version.
fn holds(row: &Row) -> bool {
    matches!(row.state(), State::Drifted | State::Otherwise)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::desk::table::TableSort;
    use crate::jobs::data::BackfillLimits;
    use crate::rules::backfill::{FillResult, Item, Selection};

    /// A row that was not read yet.
    pub(crate) fn row(address: &str, version: &str, target: &str) -> Row {
        let address = Address::parse(address).unwrap();
        let url =
            format!("https://github.com/{}/releases/download/v{version}/{target}.zip", address.repository());
        Row::waiting(Item {
            address,
            version: version.into(),
            target: target.into(),
            url,
            shasum: "a774f443f7fff5988e72cddbfcfa5bcf3c694f41af11186007b993263db0355e".into(),
            h1: String::new(),
            size: 0,
        })
    }

    pub(crate) fn whole_run(output: BackfillOutput) -> BackfillRun {
        BackfillRun {
            selection: Selection::Everything,
            limits: BackfillLimits::default(),
            part: BackfillPart::Whole(output),
        }
    }

    fn begun(rows: Vec<Row>) -> Filling {
        let mut filling = Filling::new(
            JobId(1),
            whole_run(BackfillOutput::Plan),
            Timestamp::UNIX_EPOCH,
            TargetOrder::default(),
        );
        let begun =
            BackfillNews::Begun { rows: Arc::new(rows), plan: "p".into(), journal: "j".into(), kept: 0 };
        assert!(matches!(filling.hear(begun), FillNews::Begun));
        filling
    }

    fn states(filling: &Filling) -> Vec<Shown> {
        (0..filling.rows.len()).map(|place| filling.shown(place)).collect()
    }

    #[test]
    fn what_drifted_is_on_top_and_holds_the_rest_of_its_version() {
        let mut rows: Vec<Row> = ["1.1.0", "1.0.0"]
            .iter()
            .flat_map(|version| ["a_b", "c_d", "e_f"].map(|target| row("acme/rocket", version, target)))
            .collect();
        // A row of the first version, behind the rows of another one.
        rows.push(row("acme/rocket", "1.1.0", "g_h"));
        let mut filling = begun(rows.clone());
        let filled =
            |row: &Row| Row { result: FillResult::Filled { h1: "h1:x".into(), size: 3 }, ..row.clone() };
        let drifted =
            |row: &Row| Row { result: FillResult::Drifted { sha256: "f".repeat(64) }, ..row.clone() };
        let mut say = |place: usize, row: Row| filling.hear(BackfillNews::Row(place, Arc::new(row)));
        for place in [0, 3, 4, 6] {
            assert!(matches!(say(place, filled(&rows[place])), FillNews::Little));
        }
        assert!(matches!(say(1, drifted(&rows[1])), FillNews::Bad(1)));
        assert!(matches!(say(2, filled(&rows[2])), FillNews::Little), "it comes after the one that drifted");
        let (is, held) = (Shown::Is, Shown::Is(State::Held));
        let wanted =
            [held, is(State::Drifted), held, is(State::Filled), is(State::Filled), is(State::Waiting), held];
        assert_eq!(states(&filling), wanted);
        let lines: Vec<usize> = (0..7).filter_map(|line| filling.place_at(line)).collect();
        assert_eq!(lines, [1, 0, 2, 6, 5, 3, 4]);
        assert!(filling.place_at(7).is_none());
        for (line, place) in lines.into_iter().enumerate() {
            assert_eq!(filling.line_of(place), Some(line));
        }
        assert_eq!(filling.tally(), Tally::of(&filling.rows), "counted as the job counts at its end");
        assert_eq!((filling.bad(), filling.over()), (1, 6));
        assert_eq!(filling.gist(3, 5), Some(is(State::Filled)));
        assert_eq!(
            (filling.gist(3, 6), filling.gist(0, 9)),
            (Some(is(State::Waiting)), Some(is(State::Drifted)))
        );
        assert_eq!(filling.gist(7, 9), None);
    }

    /// Rows may arrive in any order: each stands in one line, and the counts fit the current rows.
    #[test]
    fn any_changes_leave_each_row_in_one_line() {
        const COUNT: usize = 12;
        let rows: Vec<Row> = (0..COUNT)
            .map(|at| row("acme/rocket", &format!("1.{}.0", at / 4), &format!("os_{at}")))
            .collect();
        let mut filling = begun(rows.clone());
        let mut seed = 7_u64;
        for _ in 0..2_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let place = (seed >> 33) as usize % COUNT;
            let result = match (seed >> 45) % 6 {
                0 => FillResult::Drifted { sha256: "f".repeat(64) },
                1 => FillResult::Gone,
                2 => FillResult::Failed { why: "no name".into() },
                3 | 4 => FillResult::Filled { h1: "h1:x".into(), size: 3 },
                _ => {
                    filling.hear(BackfillNews::Active(place, seed >> 40));
                    continue;
                }
            };
            // A row that is over is never taken back, so what it held stays held.
            if filling.rows[place].result == FillResult::Waiting {
                filling.hear(BackfillNews::Row(place, Arc::new(Row { result, ..rows[place].clone() })));
            }
            let mut lines: Vec<usize> = (0..COUNT).filter_map(|line| filling.place_at(line)).collect();
            lines.sort_unstable();
            assert_eq!(lines, (0..COUNT).collect::<Vec<_>>());
        }
        filling.close(End::Cancelled);
        assert_eq!(filling.active(), 0);
        assert_eq!(filling.tally(), Tally::of(&filling.rows));
    }

    /// The rows as they stand in the lines of the table.
    fn lines(filling: &Filling) -> Vec<usize> {
        let lines: Vec<usize> = (0..).map_while(|line| filling.place_at(line)).collect();
        assert_eq!(lines.len(), filling.line_count());
        for (line, place) in lines.iter().enumerate() {
            assert_eq!(filling.line_of(*place), Some(line));
        }
        lines
    }

    /// A finished row of each kind, and one that waits.
    fn one_of_each() -> Filling {
        let targets = ["a_b", "c_d", "e_f", "g_h"];
        let mut rows: Vec<Row> = targets.map(|target| row("acme/rocket", "1.0.0", target)).to_vec();
        rows.push(row("acme/sled", "2.0.0", "a_b"));
        rows[1].result = FillResult::Failed { why: "HTTP 500".into() };
        rows[3].result = FillResult::Gone;
        rows[4].result = FillResult::Filled { h1: "h1:x".into(), size: 3 };
        begun(rows)
    }

    #[test]
    fn an_order_is_chosen_and_reversed() {
        let mut filling = one_of_each();
        assert_eq!(lines(&filling), [3, 1, 0, 2, 4], "the worst first");
        filling.sort(TargetSort::Worst);
        assert_eq!(
            (lines(&filling), filling.order.label()),
            (vec![4, 2, 0, 1, 3], "worst first, reversed".into())
        );
        filling.sort(TargetSort::Address);
        assert_eq!((lines(&filling), filling.order.label()), (vec![0, 1, 2, 3, 4], "address".into()));
        assert_eq!([1, 3, 4].map(|line| filling.next_bad(line, true)), [Some(3), Some(1), Some(1)]);
        assert_eq!([1, 3, 0].map(|line| filling.next_bad(line, false)), [Some(3), Some(1), Some(3)]);
        filling.show_only_bad(true);
        assert_eq!(lines(&filling), [1, 3]);
    }

    #[test]
    fn plain_words_filter_the_rows() {
        let mut filling = one_of_each();
        for (filter, wanted) in [
            ("rocket", vec![3, 1, 0, 2]),
            ("failed http", vec![1]),
            ("A_B !waiting", vec![4]),
            ("2.0.0 filled", vec![4]),
            ("nothing has this", vec![]),
            ("", vec![3, 1, 0, 2, 4]),
        ] {
            filling.set_filter(filter);
            assert_eq!(lines(&filling), wanted, "{filter}");
            assert_eq!(
                (filling.bad(), filling.over(), filling.tally().targets),
                (2, 3, 5),
                "all are counted"
            );
        }
        assert_eq!(filling.next_bad(0, true), Some(1));
        filling.set_filter("sled");
        assert_eq!((filling.next_bad(0, true), filling.line_of(3)), (None, None));
    }

    /// A key of the filter searches each name once, and news search no more than the text that changed.
    #[test]
    fn a_filter_of_many_rows_searches_few_texts() {
        let rows = (0..60_000).map(|at| {
            row(
                &format!("acme/p{}", at / 1_500),
                &format!("1.{}.0", at / 15 % 100),
                &format!("os_{}", at % 15),
            )
        });
        let mut filling = begun(rows.collect());
        assert_eq!(filling.texts.count(), 40 + 100 + 15 + 1);
        filling.set_filter("p7 os_3");
        assert_eq!(filling.line_count(), 100);
        filling.hear(BackfillNews::Active(3, 0));
        let failed = FillResult::Failed { why: "HTTP 500".into() };
        filling.hear(BackfillNews::Row(3, Arc::new(Row { result: failed, ..filling.rows[3].clone() })));
        assert_eq!(filling.texts.count(), 40 + 100 + 15 + 3);
    }

    /// While rows change, each order shows what it would show of the rows as they are, and by address no row moves.
    #[test]
    fn any_changes_keep_the_order_and_the_filter() {
        const COUNT: usize = 24;
        let rows: Vec<Row> = (0..COUNT)
            .map(|at| row("acme/rocket", &format!("1.{}.0", at / 4), &format!("os_{}", at % 4)))
            .collect();
        let orders = [TargetSort::Worst, TargetSort::Address].map(|by| [(by, false), (by, true)]).concat();
        for (((by, is_reversed), filter), only_bad) in
            orders.into_iter().zip(["", "failed", "!filled", "1.2.0"]).zip([false, false, true, false])
        {
            let mut filling = begun(rows.clone());
            filling.order = TargetOrder { sort: TableSort { by, is_reversed }, only_bad };
            filling.set_filter(filter);
            let mut seed = 7_u64;
            for step in 0..400 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let place = (seed >> 33) as usize % COUNT;
                let result = match (seed >> 45) % 5 {
                    0 => FillResult::Drifted { sha256: "f".repeat(64) },
                    1 => FillResult::Failed { why: "no name".into() },
                    2 => FillResult::Filled { h1: "h1:x".into(), size: 3 },
                    _ => {
                        filling.hear(BackfillNews::Active(place, seed >> 40));
                        continue;
                    }
                };
                filling.hear(BackfillNews::Row(place, Arc::new(Row { result, ..rows[place].clone() })));
                let now = lines(&filling);
                filling.arrange();
                assert_eq!(now, lines(&filling), "{by:?} {filter} {step}");
                let is_by_address = by == TargetSort::Address && filter.is_empty() && !only_bad;
                assert!(!is_by_address || now.is_sorted_by(|a, b| (a < b) != is_reversed));
            }
        }
    }

    #[test]
    fn what_names_no_row_changes_nothing() {
        let mut filling = begun(vec![row("acme/rocket", "1.0.0", "a_b")]);
        filling.hear(BackfillNews::Active(1, 7));
        filling.hear(BackfillNews::Row(9, Arc::new(row("acme/rocket", "1.0.0", "a_b"))));
        assert_eq!((filling.rows.len(), filling.active()), (1, 0));
    }
}
