//! All addresses as one lower-case text, close together in memory, so that a keystroke over 27,500 rows takes about a
//! millisecond. Made once a reading of the registry.

use crate::registry::{Address, Catalog};

/// All addresses in one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Haystack {
    text: String,
    /// Where each address ends in the text.
    ends: Vec<u32>,
}

impl Haystack {
    pub(crate) fn new(catalog: &Catalog) -> Self {
        let mut hay = Self { text: String::new(), ends: Vec::with_capacity(catalog.rows.len()) };
        for row in &catalog.rows {
            hay.text.push_str(row.address.namespace());
            hay.text.push('/');
            hay.text.push_str(row.address.name());
            if let Address::Module(module) = &row.address {
                hay.text.push('/');
                hay.text.push_str(&module.target);
            }
            hay.ends.push(hay.text.len() as u32);
        }
        hay.text.make_ascii_lowercase();
        hay
    }

    /// Whether the address of a row contains the word. Plain comparing from each first letter on: addresses are too short
    /// for a cleverer search to pay.
    pub(super) fn has(&self, row: usize, word: &str) -> bool {
        let (address, word) = (self.address(row), word.as_bytes());
        let Some((first, rest)) = word.split_first() else { return true };
        let Some(last) = address.len().checked_sub(word.len()) else { return false };
        let starts = address[..=last].iter().enumerate().filter(|(_, byte)| *byte == first);
        starts.map(|(at, _)| at).any(|at| address[at + 1..].starts_with(rest))
    }

    /// Whether this is the address of a row.
    pub(super) fn is(&self, row: usize, address: &str) -> bool {
        self.address(row) == address.as_bytes()
    }

    /// Whether the address of a row begins so.
    pub(super) fn begins(&self, row: usize, start: &str) -> bool {
        self.address(row).starts_with(start.as_bytes())
    }

    /// The longest address, in bytes.
    pub(crate) fn longest(&self) -> usize {
        (0..self.ends.len()).map(|row| self.address(row).len()).max().unwrap_or(0)
    }

    /// Whether the address of a row has the letters in this order.
    pub(super) fn has_letters(&self, row: usize, letters: &str) -> bool {
        let mut rest = self.address(row).iter();
        letters.bytes().all(|letter| rest.any(|byte| *byte == letter))
    }

    fn address(&self, row: usize) -> &[u8] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text.as_bytes()[start..self.ends[row] as usize]
    }
}
