//! Filters of plain words.

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
