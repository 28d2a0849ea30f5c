//! All addresses as one lower-case text: a word is looked for in one go through it, so that a keystroke over 27,500 rows
//! takes about a millisecond. Made once a reading of the registry.

use crate::registry::Address;
use crate::registry::Catalog;

/// All addresses in one text, each ended by a line end.
#[derive(Clone, Debug, Default)]
pub struct Haystack {
    text: String,
    /// Where each address ends in the text.
    ends: Vec<u32>,
}

impl Haystack {
    pub fn new(catalog: &Catalog) -> Self {
        let mut hay = Self { text: String::new(), ends: Vec::with_capacity(catalog.rows.len()) };
        for row in &catalog.rows {
            hay.text.push_str(row.address.namespace());
            hay.text.push('/');
            hay.text.push_str(row.address.name());
            if let Address::Module(module) = &row.address {
                hay.text.push('/');
                hay.text.push_str(&module.target);
            }
            hay.text.push('\n');
            hay.ends.push(hay.text.len() as u32);
        }
        hay.text.make_ascii_lowercase();
        hay
    }

    /// Which addresses contain the word, one truth a row.
    pub(super) fn with(&self, word: &str) -> Vec<bool> {
        let mut found = vec![false; self.ends.len()];
        let (mut from, mut row) = (0, 0);
        while let Some(at) = self.text.get(from..).and_then(|rest| rest.find(word)) {
            let at = (from + at) as u32;
            // The next hit is mostly a few rows on, so stepping beats a binary search.
            while self.ends.get(row).is_some_and(|end| *end <= at) {
                row += 1;
            }
            let Some(end) = self.ends.get(row) else { break };
            found[row] = true;
            from = *end as usize;
        }
        found
    }

    /// Which addresses have the letters in this order.
    pub(super) fn with_letters(&self, letters: &str) -> Vec<bool> {
        self.text.lines().map(|address| has_letters(address, letters)).collect()
    }
}

fn has_letters(address: &str, letters: &str) -> bool {
    if letters.is_ascii() {
        let mut rest = address.as_bytes().iter();
        return letters.bytes().all(|letter| rest.any(|byte| *byte == letter));
    }
    let mut rest = address.chars();
    letters.chars().all(|letter| rest.any(|c| c == letter))
}
