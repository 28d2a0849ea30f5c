//! Filters of plain words, and the texts of many rows that they search.

use std::collections::HashMap;

/// Cells of a row that a filter searches.
const CELLS: usize = 4;
/// Words of a filter that count; each has a bit.
const MOST_WORDS: usize = 64;

/// The words of a filter: a row must have each of them, and none of the words after a `!`. Capitals do not count.
#[derive(Clone, Debug, Default)]
pub(super) struct FilterWords {
    words: Vec<String>,
    /// The bits of the words after a `!`.
    unwanted: u64,
    all: u64,
}

impl FilterWords {
    pub(super) fn of(filter: &str) -> Self {
        let mut parsed = Self::default();
        // A `!` alone waits for its word.
        for word in filter.to_lowercase().split_whitespace().filter(|word| *word != "!").take(MOST_WORDS) {
            let bit = 1 << parsed.words.len();
            let wanted = word.strip_prefix('!');
            parsed.unwanted |= if wanted.is_some() { bit } else { 0 };
            parsed.all |= bit;
            parsed.words.push(wanted.unwrap_or(word).to_owned());
        }
        parsed
    }

    /// The words that a text has, as bits.
    pub(super) fn hits(&self, text: &str) -> u64 {
        if self.words.is_empty() {
            return 0;
        }
        let text = text.to_lowercase();
        let hits = self.words.iter().enumerate().filter(|(_, word)| text.contains(word.as_str()));
        hits.map(|(at, _)| 1 << at).sum()
    }

    /// Returns true if a row with these hits is shown.
    pub(super) fn shows(&self, hits: u64) -> bool {
        hits ^ self.unwanted == self.all
    }
}

/// The texts of many rows, each kept once: a key of the filter searches the addresses, versions, targets and states of 600,000 rows,
/// and not their 2,400,000 cells.
#[derive(Debug, Default)]
pub(crate) struct TableTexts {
    ids: HashMap<String, u32>,
    /// The words of the filter that each text has.
    hits: Vec<u64>,
    rows: Vec<[u32; CELLS]>,
    filter: String,
    words: FilterWords,
}

impl TableTexts {
    /// The number of a text.
    pub(crate) fn id(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.hits.len() as u32;
        self.hits.push(self.words.hits(text));
        self.ids.insert(text.to_owned(), id);
        id
    }

    /// Adds a row by the numbers of its texts.
    pub(crate) fn push(&mut self, row: [u32; CELLS]) {
        self.rows.push(row);
    }

    /// Changes one text of a row.
    pub(crate) fn set(&mut self, row: usize, cell: usize, text: &str) {
        self.rows[row][cell] = self.id(text);
    }

    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    /// Searches each text once.
    pub(crate) fn set_filter(&mut self, filter: &str) {
        filter.clone_into(&mut self.filter);
        self.words = FilterWords::of(filter);
        for (text, id) in &self.ids {
            self.hits[*id as usize] = self.words.hits(text);
        }
    }

    /// Returns true if the filter shows a row.
    pub(crate) fn shows(&self, row: usize) -> bool {
        self.words.all == 0
            || self.words.shows(self.rows[row].iter().fold(0, |hits, id| hits | self.hits[*id as usize]))
    }

    /// The number of texts that a key of the filter searches.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.ids.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(rows: &[[&str; CELLS]]) -> TableTexts {
        let mut texts = TableTexts::default();
        for row in rows {
            let row = row.map(|text| texts.id(text));
            texts.push(row);
        }
        texts
    }

    #[test]
    fn words_are_found_in_any_cell_and_texts_are_kept_once() {
        let mut texts = texts(&[
            ["OK", "acme/rocket", "1.0.0", "linux_amd64"],
            ["OK", "acme/rocket", "1.0.0", "linux_arm64"],
            ["ERROR HTTP 500", "acme/sled", "1.0.0", "linux_amd64"],
        ]);
        assert_eq!(texts.count(), 7);
        for (filter, wanted) in [
            ("", [true, true, true]),
            ("ROCKET amd", [true, false, false]),
            ("linux !500", [true, true, false]),
            ("!ok !error", [false, false, false]),
            ("http !", [false, false, true]),
            ("rocketlinux", [false, false, false]),
        ] {
            texts.set_filter(filter);
            assert_eq!([0, 1, 2].map(|row| texts.shows(row)), wanted, "{filter}");
        }
        // A text that comes while there is a filter is searched too.
        texts.set_filter("mismatch");
        texts.set(1, 0, "MISMATCH re-uploaded");
        assert_eq!([0, 1, 2].map(|row| texts.shows(row)), [false, true, false]);
    }

    /// Words that have no bit are left out; the others count.
    #[test]
    fn a_filter_of_very_many_words_still_filters() {
        let mut texts =
            texts(&[["OK", "a/b", "1.0.0", "linux_amd64"], ["NO", "a/b", "1.0.0", "linux_amd64"]]);
        texts.set_filter(&format!("{}{}", "a/b ".repeat(63), "ok zzz"));
        assert_eq!([texts.shows(0), texts.shows(1)], [true, false]);
    }
}
