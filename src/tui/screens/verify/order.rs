//! The order of the rows: by how bad they are, then as the question lists them. A row moves in the time of a search.

use crate::rules::verify::State;

/// Kinds of rows that stand apart. What is fetched and what is hashed is one kind: a row goes from one to the other and back.
const RANKS: usize = 8;
/// The first ranks are the bad ones.
const BAD: usize = 3;
const FINE: usize = RANKS - 1;
/// Rows that are OK and shown although the others of them are folded.
const FINE_SHOWN: usize = 8;

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

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A row, by its place in the list that the job began with.
    Row(usize),
    /// So many rows that are OK are folded here.
    Fold(usize),
}

/// Which lines there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shows {
    pub(crate) only_bad: bool,
    /// Rows that are OK are all shown.
    pub(crate) is_open: bool,
    /// A row that is shown though it would be folded: the one under the cursor.
    pub(crate) keeps: Option<usize>,
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

    /// Rows that are OK and stand in the table; the one that is kept apart from them.
    fn fine_shown(&self, shows: Shows) -> (usize, Option<usize>) {
        let fine = &self.ranks[FINE];
        if shows.is_open || !self.can_fold(shows) {
            return (fine.len(), None);
        }
        let kept = shows.keeps.and_then(|place| fine.binary_search(&place).ok());
        (FINE_SHOWN, kept.filter(|at| *at >= FINE_SHOWN).map(|at| fine[at]))
    }

    /// Whether there are rows to fold, or to show again. A fold for one row would save nothing.
    pub(crate) fn can_fold(&self, shows: Shows) -> bool {
        !shows.only_bad && self.ranks[FINE].len() > FINE_SHOWN + 1
    }

    /// Whether rows are folded.
    pub(crate) fn has_fold(&self, shows: Shows) -> bool {
        !shows.only_bad && self.fine_shown(shows).0 < self.ranks[FINE].len()
    }

    pub(crate) fn line_count(&self, shows: Shows) -> usize {
        if shows.only_bad {
            return self.bad();
        }
        let (fine, kept) = self.fine_shown(shows);
        let others: usize = self.ranks[..FINE].iter().map(Vec::len).sum();
        others + fine + usize::from(kept.is_some()) + usize::from(self.has_fold(shows))
    }

    /// What stands in a line.
    pub(crate) fn line(&self, number: usize, shows: Shows) -> Option<Line> {
        let mut rest = number;
        let whole = if shows.only_bad { &self.ranks[..BAD] } else { &self.ranks[..FINE] };
        for places in whole {
            if let Some(place) = places.get(rest) {
                return Some(Line::Row(*place));
            }
            rest -= places.len();
        }
        if shows.only_bad {
            return None;
        }
        let (fine, kept) = self.fine_shown(shows);
        if rest < fine {
            return Some(Line::Row(self.ranks[FINE][rest]));
        }
        rest -= fine;
        match kept {
            Some(place) if rest == 0 => return Some(Line::Row(place)),
            Some(_) => rest -= 1,
            None => {}
        }
        let hidden = self.ranks[FINE].len() - fine - usize::from(kept.is_some());
        (rest == 0 && self.has_fold(shows)).then_some(Line::Fold(hidden))
    }

    /// The line of a row in this state; `None` if it is not shown.
    pub(crate) fn line_of(&self, place: usize, state: State, shows: Shows) -> Option<usize> {
        let rank = rank(state);
        let at = self.ranks[rank].binary_search(&place).ok()?;
        if shows.only_bad && rank >= BAD {
            return None;
        }
        let before: usize = self.ranks[..rank].iter().map(Vec::len).sum();
        if rank != FINE {
            return Some(before + at);
        }
        let (fine, kept) = self.fine_shown(shows);
        match kept {
            _ if at < fine => Some(before + at),
            Some(kept) if kept == place => Some(before + fine),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [State; 9] = [
        State::Mismatch,
        State::Missing,
        State::Error,
        State::Hashing,
        State::Fetching,
        State::Queued,
        State::Skipped,
        State::Cancelled,
        State::Ok,
    ];

    #[test]
    fn the_first_ranks_are_the_bad_ones() {
        for state in ALL {
            assert_eq!(rank(state) < BAD, state.is_bad(), "{state:?}");
        }
    }

    fn shown(order: &Order, shows: Shows) -> Vec<Line> {
        (0..order.line_count(shows)).map(|at| order.line(at, shows).expect("a line")).collect()
    }

    #[test]
    fn what_is_bad_stands_on_top_and_fine_rows_fold() {
        let mut states = vec![State::Ok; 20];
        states[7] = State::Mismatch;
        states[3] = State::Error;
        states[12] = State::Fetching;
        let order = Order::of(&states);
        let lines = shown(&order, Shows::default());
        assert_eq!(lines[..3], [Line::Row(7), Line::Row(3), Line::Row(12)]);
        assert_eq!((lines.len(), lines.last()), (3 + 8 + 1, Some(&Line::Fold(9))));
        let kept = Shows { keeps: Some(19), ..Shows::default() };
        let lines = shown(&order, kept);
        assert_eq!(lines[11..], [Line::Row(19), Line::Fold(8)]);
        assert_eq!(order.line_of(19, State::Ok, kept), Some(11));
        assert_eq!(order.line_of(19, State::Ok, Shows::default()), None);
        let open = Shows { is_open: true, ..Shows::default() };
        assert_eq!((shown(&order, open).len(), order.has_fold(open)), (20, false));
        let bad = Shows { only_bad: true, ..Shows::default() };
        assert_eq!(shown(&order, bad), [Line::Row(7), Line::Row(3)]);
        assert_eq!(order.line(2, bad), None);
    }

    /// However rows change, each stands there once, where it is found, in the order that a sort of all of them gives.
    #[test]
    fn any_changes_keep_the_order_of_a_sort() {
        let mut states = vec![State::Queued; 40];
        let mut order = Order::of(&states);
        let mut seed = 7_u64;
        let open = Shows { is_open: true, ..Shows::default() };
        for _ in 0..2_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (place, to) = ((seed >> 33) as usize % 40, ALL[(seed >> 45) as usize % 9]);
            order.shift(place, states[place], to);
            states[place] = to;
            let mut sorted: Vec<usize> = (0..40).collect();
            sorted.sort_by_key(|at| (rank(states[*at]), *at));
            let wanted: Vec<Line> = sorted.into_iter().map(Line::Row).collect();
            assert_eq!(shown(&order, open), wanted);
            for shows in [open, Shows { keeps: Some(place), ..Shows::default() }] {
                let line = order.line_of(place, to, shows).expect("it is shown");
                assert_eq!(order.line(line, shows), Some(Line::Row(place)));
            }
        }
    }
}
