//! The result for each item, and the changes that may be written.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::registry::version::trim_v;
use crate::registry::{Address, digest};
use crate::rules::amount;
use crate::rules::backfill::{Fill, Item};
use crate::rules::plain_text::shortened;
use crate::settings::words;

/// An item and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    #[serde(flatten)]
    pub(crate) item: Item,
    #[serde(rename = "became")]
    pub(crate) result: FillResult,
    /// Over all else of it, so that nothing is taken from a damaged line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) check: String,
}

/// The result for one archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub(crate) enum FillResult {
    /// It was not its turn yet.
    Waiting,
    /// It is what is stored. `h1`: in the zip's form; `size` in bytes.
    Filled { h1: String, size: u64 },
    /// Upstream has another archive than the one that was indexed.
    Drifted { sha256: String },
    /// It is what is stored, but for what is stored of it already.
    Otherwise { why: String },
    /// There is no such file upstream.
    Gone,
    /// The registry does not read archives of that size.
    TooLarge { limit: u64 },
    /// It is what is stored, and has no h1.
    NoHash { why: String },
    /// It could not be read: worth another try.
    Failed { why: String },
}

words! {
    /// The state of a row in one word.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(crate) enum State: [word] {
        Drifted = "DRIFT",
        Otherwise = "DIFFERS",
        Gone = "GONE",
        TooLarge = "TOO LARGE",
        NoHash = "NO H1",
        Failed = "FAILED",
        Held = "HELD",
        Waiting = "WAITING",
        Filled = "FILLED",
    }
}

impl State {
    /// Nothing is filled in, and another try changes nothing of that.
    pub(crate) fn is_bad(self) -> bool {
        matches!(self, Self::Drifted | Self::Otherwise | Self::Gone | Self::TooLarge | Self::NoHash)
    }
}

/// The number of targets of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub(crate) targets: u64,
    pub filled: u64,
    /// Would be filled in, but another target of their version has drifted.
    pub(crate) held: u64,
    pub drifted: u64,
    /// Those that another try would not change either, drifted ones aside.
    pub(crate) bad: u64,
    pub(crate) failed: u64,
    pub(crate) left: u64,
}

impl Row {
    pub(crate) fn waiting(item: Item) -> Self {
        Self { item, result: FillResult::Waiting, check: String::new() }
    }

    /// The version that it is of, whatever its tag is called: what drifts under one spelling is not filled in under the other.
    pub(crate) fn version(&self) -> (&Address, &str) {
        (&self.item.address, trim_v(&self.item.version))
    }

    /// With the sum that [`Self::is_whole`] looks at.
    pub(crate) fn sealed(&self) -> Self {
        Self { check: self.sum(), ..self.clone() }
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.check == self.sum()
    }

    fn sum(&self) -> String {
        let plain = (&self.item, &self.result);
        let text = serde_json::to_vec(&plain).expect("plain structs of texts are JSON");
        digest(&text)[..16].to_owned()
    }

    /// Shortens the texts from another machine to the given number of characters.
    pub(crate) fn shorten(&mut self, most: usize) {
        if let FillResult::Otherwise { why } | FillResult::NoHash { why } | FillResult::Failed { why } =
            &mut self.result
            && let Cow::Owned(short) = shortened(why, most)
        {
            *why = short;
        }
    }

    /// Returns true if the row needs no other read: its checksum names the archive, so h1 and size stay the same.
    pub(crate) fn is_filled(&self) -> bool {
        matches!(self.result, FillResult::Filled { .. })
    }

    pub(crate) fn state(&self) -> State {
        match &self.result {
            FillResult::Waiting => State::Waiting,
            FillResult::Filled { .. } => State::Filled,
            FillResult::Drifted { .. } => State::Drifted,
            FillResult::Otherwise { .. } => State::Otherwise,
            FillResult::Gone => State::Gone,
            FillResult::TooLarge { .. } => State::TooLarge,
            FillResult::NoHash { .. } => State::NoHash,
            FillResult::Failed { .. } => State::Failed,
        }
    }

    /// The finding, in a sentence without a full stop.
    pub(crate) fn reason(&self) -> String {
        match &self.result {
            FillResult::Waiting => "not read yet".to_owned(),
            FillResult::Filled { h1, size } => format!("{h1}, {}", amount::bytes(*size)),
            FillResult::Drifted { sha256 } => format!(
                "upstream has another archive: its SHA-256 is {}, the registry has {}; nothing of the version is filled in",
                &sha256[..12.min(sha256.len())],
                self.item.shasum.get(..12).unwrap_or(&self.item.shasum)
            ),
            FillResult::Otherwise { why } | FillResult::NoHash { why } | FillResult::Failed { why } => {
                why.clone()
            }
            FillResult::Gone => "there is no such file upstream".to_owned(),
            FillResult::TooLarge { limit } => {
                format!("it has {} or more, which the registry does not read", amount::limit(*limit))
            }
        }
    }

    fn fill(&self) -> Option<Fill> {
        let FillResult::Filled { h1, size } = &self.result else { return None };
        Some(Fill {
            version: self.item.version.clone(),
            target: self.item.target.clone(),
            shasum: self.item.shasum.clone(),
            h1: h1.clone(),
            size: *size,
        })
    }
}

/// Versions of which nothing is written, since an archive of theirs is another one by now.
pub(crate) fn drifted<'a>(rows: impl IntoIterator<Item = &'a Row>) -> HashSet<(&'a Address, &'a str)> {
    let is_drifted =
        |row: &&Row| matches!(row.result, FillResult::Drifted { .. } | FillResult::Otherwise { .. });
    rows.into_iter().filter(is_drifted).map(Row::version).collect()
}

/// Each row with its state: what would be filled in is held where its version has drifted.
pub(crate) fn states(rows: &[Row]) -> impl Iterator<Item = (&Row, State)> {
    let drifted = drifted(rows);
    rows.iter().map(move |row| {
        let is_held = row.is_filled() && drifted.contains(&row.version());
        (row, if is_held { State::Held } else { row.state() })
    })
}

/// The changes that follow from the rows, file by file in their order: none of a version that has drifted.
pub(crate) fn fills(rows: &[Row]) -> Vec<(Address, Vec<Fill>)> {
    let drifted = drifted(rows);
    let mut found: Vec<(Address, Vec<Fill>)> = Vec::new();
    for row in rows.iter().filter(|row| !drifted.contains(&row.version())) {
        let Some(fill) = row.fill() else { continue };
        match found.last_mut().filter(|(address, _)| *address == row.item.address) {
            Some((_, fills)) => fills.push(fill),
            None => found.push((row.item.address.clone(), vec![fill])),
        }
    }
    found
}

impl Tally {
    pub(crate) fn of(rows: &[Row]) -> Self {
        let mut tally = Self::default();
        for (_, state) in states(rows) {
            tally.add(state);
        }
        tally
    }

    pub(crate) fn add(&mut self, state: State) {
        self.add_many(state, 1);
    }

    /// So many rows of one state.
    pub(crate) fn add_many(&mut self, state: State, count: u64) {
        self.targets += count;
        let slot = match state {
            State::Filled => &mut self.filled,
            State::Held => &mut self.held,
            State::Drifted => &mut self.drifted,
            State::Otherwise | State::Gone | State::TooLarge | State::NoHash => &mut self.bad,
            State::Failed => &mut self.failed,
            State::Waiting => &mut self.left,
        };
        *slot += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(version: &str, target: &str, result: FillResult) -> Row {
        let item = Item {
            address: Address::provider("acme", "rocket"),
            version: version.into(),
            target: target.into(),
            url: "u".into(),
            shasum: "s".into(),
            h1: String::new(),
            size: 0,
        };
        Row { result, ..Row::waiting(item) }
    }

    fn filled() -> FillResult {
        FillResult::Filled { h1: "h1:x".into(), size: 3 }
    }

    #[test]
    fn one_drifted_target_holds_its_version_and_no_other() {
        let rows = [
            row("1.1.0", "a_b", filled()),
            row("1.0.0", "a_b", filled()),
            row("1.0.0", "c_d", FillResult::Drifted { sha256: "f".repeat(64) }),
            row("0.9.0", "a_b", FillResult::Gone),
            row("0.9.0", "c_d", filled()),
        ];
        let fills = fills(&rows);
        assert_eq!(fills.len(), 1);
        let versions: Vec<&str> = fills[0].1.iter().map(|fill| &*fill.version).collect();
        assert_eq!(versions, ["1.1.0", "0.9.0"]);
        let tally = Tally::of(&rows);
        assert_eq!((tally.targets, tally.filled, tally.held, tally.drifted, tally.bad), (5, 2, 1, 1, 1));
    }

    /// A hash that a fault of the disk turned is not taken.
    #[test]
    fn a_line_that_was_damaged_does_not_fit_its_sum() {
        let sealed = row("1.0.0", "a_b", filled()).sealed();
        let text = serde_json::to_string(&sealed).unwrap();
        let back: Row = serde_json::from_str(&text).unwrap();
        assert!(back.is_whole() && back == sealed);
        for (from, to) in
            [("h1:x", "h1:y"), ("\"size\":3", "\"size\":4"), ("\"shasum\":\"s\"", "\"shasum\":\"t\"")]
        {
            let other: Row = serde_json::from_str(&text.replace(from, to)).unwrap();
            assert!(other != sealed && !other.is_whole(), "{from}");
        }
    }
}
