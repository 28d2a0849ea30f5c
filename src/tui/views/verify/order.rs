//! Which lines the table of Verify has: the rows in the order of the verification, those that are OK folded behind the first few.

use crate::desk::run::Order;
use crate::rules::verify::State;

/// Rows that are OK and shown although the others of them are folded.
const FINE_SHOWN: usize = 8;

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

impl Shows {
    /// Rows that are OK and stand in the table; the one that is kept apart from them.
    fn fine_shown(self, order: &Order) -> (usize, Option<usize>) {
        let fine = order.fine();
        if self.is_open || !self.can_fold(order) {
            return (fine.len(), None);
        }
        let kept = self.keeps.and_then(|place| fine.binary_search(&place).ok());
        (FINE_SHOWN, kept.filter(|at| *at >= FINE_SHOWN).map(|at| fine[at]))
    }

    /// Whether there are rows to fold, or to show again. A fold for one row would save nothing.
    pub(crate) fn can_fold(self, order: &Order) -> bool {
        !self.only_bad && order.fine().len() > FINE_SHOWN + 1
    }

    /// Whether rows are folded.
    pub(crate) fn has_fold(self, order: &Order) -> bool {
        !self.only_bad && self.fine_shown(order).0 < order.fine().len()
    }

    pub(crate) fn line_count(self, order: &Order) -> usize {
        if self.only_bad {
            return order.bad();
        }
        let (fine, kept) = self.fine_shown(order);
        order.others() + fine + usize::from(kept.is_some()) + usize::from(self.has_fold(order))
    }

    /// What stands in a line.
    pub(crate) fn line(self, number: usize, order: &Order) -> Option<Line> {
        if self.only_bad {
            return order.at(number).filter(|_| number < order.bad()).map(Line::Row);
        }
        let (fine, kept) = self.fine_shown(order);
        let Some(rest) = number.checked_sub(order.others() + fine) else {
            return order.at(number).map(Line::Row);
        };
        match (kept, rest) {
            (Some(place), 0) => Some(Line::Row(place)),
            (Some(_), 1) | (None, 0) if self.has_fold(order) => {
                Some(Line::Fold(order.fine().len() - fine - usize::from(kept.is_some())))
            }
            _ => None,
        }
    }

    /// The line of a row in this state; `None` if it is not shown.
    pub(crate) fn line_of(self, place: usize, state: State, order: &Order) -> Option<usize> {
        let number = order.number_of(place, state)?;
        if self.only_bad {
            return Some(number).filter(|number| *number < order.bad());
        }
        let (fine, kept) = self.fine_shown(order);
        let shown = order.others() + fine;
        match kept {
            _ if number < shown => Some(number),
            Some(kept) if kept == place => Some(shown),
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

    fn shown(order: &Order, shows: Shows) -> Vec<Line> {
        (0..shows.line_count(order)).map(|at| shows.line(at, order).expect("a line")).collect()
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
        assert_eq!(kept.line_of(19, State::Ok, &order), Some(11));
        assert_eq!(Shows::default().line_of(19, State::Ok, &order), None);
        let open = Shows { is_open: true, ..Shows::default() };
        assert_eq!((shown(&order, open).len(), open.has_fold(&order)), (20, false));
        let bad = Shows { only_bad: true, ..Shows::default() };
        assert_eq!(shown(&order, bad), [Line::Row(7), Line::Row(3)]);
        assert_eq!(bad.line(2, &order), None);
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
            // What is fetched and what is hashed is one kind.
            let kind = |state| if state == State::Hashing { State::Fetching } else { state };
            sorted.sort_by_key(|at| (kind(states[*at]), *at));
            let wanted: Vec<Line> = sorted.into_iter().map(Line::Row).collect();
            assert_eq!(shown(&order, open), wanted);
            for shows in [open, Shows { keeps: Some(place), ..Shows::default() }] {
                let line = shows.line_of(place, to, &order).expect("it is shown");
                assert_eq!(shows.line(line, &order), Some(Line::Row(place)));
            }
        }
    }
}
