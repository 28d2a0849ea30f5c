//! The order of the rows of a table, and the rows that its filter shows. It is kept beside the rows, so that every face has the same.

use std::cmp::Ordering;

use crate::desk::table::texts::FilterWords;

/// The order that was chosen for a table. `S` names the orders that it offers; its default is that of every face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TableSort<S> {
    pub(crate) by: S,
    pub(crate) is_reversed: bool,
}

impl<S: Copy + PartialEq + Default> TableSort<S> {
    /// [`TableSort::label`], and empty for the usual order, which needs no mention.
    pub(crate) fn unusual(self, name: &str) -> String {
        if self == Self::default() { String::new() } else { self.label(name) }
    }
}

impl<S: Copy + PartialEq> TableSort<S> {
    /// Chooses an order; the present one is reversed.
    pub(crate) fn choose(&mut self, by: S) {
        self.is_reversed = self.by == by && !self.is_reversed;
        self.by = by;
    }

    /// `worst first`, or `worst first, reversed`; `name` is that of the order.
    pub(crate) fn label(self, name: &str) -> String {
        format!("{name}{}", if self.is_reversed { ", reversed" } else { "" })
    }
}

/// The rows that are shown, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableOrder<S> {
    pub(crate) sort: TableSort<S>,
    pub(crate) filter: String,
    /// Indexes of the rows.
    shown: Vec<usize>,
    /// The number of rows, shown or not.
    count: usize,
}

impl<S: Copy + PartialEq> TableOrder<S> {
    /// Filters and sorts the rows. Equal ones keep the order in which they come.
    pub(crate) fn arrange(
        &mut self,
        rows: impl Iterator<Item = usize>,
        compare: impl Fn(S, usize, usize) -> Ordering,
        text: impl Fn(usize) -> String,
    ) {
        self.shown = rows.collect();
        self.count = self.shown.len();
        if !self.filter.is_empty() {
            let words = FilterWords::of(&self.filter);
            self.shown.retain(|row| words.shows(words.hits(&text(*row))));
        }
        let TableSort { by, is_reversed } = self.sort;
        self.shown.sort_by(|a, b| {
            let order = compare(by, *a, *b);
            if is_reversed { order.reverse() } else { order }
        });
    }

    pub(crate) fn shown(&self) -> &[usize] {
        &self.shown
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    enum By {
        #[default]
        Length,
        Letter,
    }

    const ROWS: [&str; 5] = ["pear", "Fig", "plum", "apple", "fig tree"];

    fn shown(order: &mut TableOrder<By>) -> Vec<&'static str> {
        let compare = |by: By, a: usize, b: usize| match by {
            By::Length => ROWS[a].len().cmp(&ROWS[b].len()),
            By::Letter => ROWS[a].to_lowercase().cmp(&ROWS[b].to_lowercase()),
        };
        order.arrange(0..ROWS.len(), compare, |row| ROWS[row].to_owned());
        order.shown().iter().map(|row| ROWS[*row]).collect()
    }

    #[test]
    fn an_order_is_chosen_and_reversed() {
        let mut order = TableOrder::default();
        assert_eq!(shown(&mut order), ["Fig", "pear", "plum", "apple", "fig tree"]);
        order.sort.choose(By::Length);
        assert_eq!(shown(&mut order), ["fig tree", "apple", "pear", "plum", "Fig"], "equal rows stay");
        order.sort.choose(By::Letter);
        assert_eq!(shown(&mut order), ["apple", "Fig", "fig tree", "pear", "plum"]);
        order.sort.choose(By::Length);
        assert!(!order.sort.is_reversed, "another order begins forwards");
    }

    #[test]
    fn plain_words_filter() {
        for (filter, wanted) in [
            ("fig", vec!["Fig", "fig tree"]),
            ("FIG tr", vec!["fig tree"]),
            ("fig !tree", vec!["Fig"]),
            ("p !", vec!["pear", "plum", "apple"]),
            ("status:x", vec![]),
            ("  ", vec!["Fig", "pear", "plum", "apple", "fig tree"]),
        ] {
            let mut order = TableOrder { filter: filter.into(), ..TableOrder::default() };
            assert_eq!(shown(&mut order), wanted, "{filter}");
            assert_eq!(order.count(), ROWS.len());
        }
    }
}
