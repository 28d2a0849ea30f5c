//! The order of the rows of a table, and the rows that its filter shows. It is kept beside the rows, so that every face has the same.

use std::cmp::Ordering;

/// The rows that are shown, in their order. `S` names the orders that the table offers; its default is that of every face.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableOrder<S> {
    pub(crate) sort: S,
    pub(crate) is_reversed: bool,
    pub(crate) filter: String,
    /// Indexes of the rows.
    shown: Vec<usize>,
    /// The number of rows, shown or not.
    count: usize,
}

impl<S: Copy + PartialEq> TableOrder<S> {
    /// Chooses an order; the present one is reversed.
    pub(crate) fn choose(&mut self, sort: S) {
        self.is_reversed = self.sort == sort && !self.is_reversed;
        self.sort = sort;
    }

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
            self.shown.retain(|row| has_words(&text(*row), &self.filter));
        }
        let (sort, is_reversed) = (self.sort, self.is_reversed);
        self.shown.sort_by(|a, b| {
            let order = compare(sort, *a, *b);
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

/// Returns true if a text has each word of a filter, and none of the words after a `!`. Capitals do not count.
fn has_words(text: &str, filter: &str) -> bool {
    let (text, filter) = (text.to_lowercase(), filter.to_lowercase());
    filter.split_whitespace().all(|word| match word.strip_prefix('!') {
        // The word itself is still to be typed.
        Some("") => true,
        Some(word) => !text.contains(word),
        None => text.contains(word),
    })
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
        order.choose(By::Length);
        assert_eq!(shown(&mut order), ["fig tree", "apple", "pear", "plum", "Fig"], "equal rows stay");
        order.choose(By::Letter);
        assert_eq!(shown(&mut order), ["apple", "Fig", "fig tree", "pear", "plum"]);
        order.choose(By::Length);
        assert!(!order.is_reversed, "another order begins forwards");
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
