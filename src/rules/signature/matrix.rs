//! Versions down, keys across: at one glance, which key signed what, and since when it no longer fits.

use std::cmp::Ordering;

use serde::Serialize;

use crate::registry::version;
use crate::rules::amount;
use crate::rules::signature::answer::{Answer, Check, Client, Mark};
use crate::rules::signature::ring::KeyRing;

/// The table, and what it comes to in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Matrix {
    /// Keys on file in their order, then those that only signatures name, in order of their first version.
    pub(crate) columns: Vec<Column>,
    /// Newest version first.
    pub(crate) rows: Vec<Row>,
    /// Runs of versions of one kind, newest first.
    pub(crate) stretches: Vec<Stretch>,
}

/// One key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// Of the primary key where it is on file; else as the signature names it.
    pub(crate) key_id: String,
    /// `None`: not on file.
    pub(crate) file: Option<String>,
}

/// One version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) version: String,
    /// One for each column; `None` where version and key have nothing to do with each other. A key that is not on file and
    /// is named by the signature has the mark `Unknown`, since nobody here can check it.
    pub(crate) cells: Vec<Option<Mark>>,
    /// `Err`: why nothing is known of the version.
    pub(crate) result: Result<Check, String>,
}

/// Versions next to each other that fare alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) newest: String,
    pub(crate) oldest: String,
    pub(crate) count: usize,
    pub(crate) fares: Fares,
}

/// How a version fares with a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fares {
    Installs,
    Warns,
    Skips,
    Fails,
    Unknown,
}

impl Matrix {
    /// Puts results together. A version of which nothing is known comes with the reason instead of a check.
    pub(crate) fn new(ring: &KeyRing, mut results: Vec<(String, Result<Check, String>)>) -> Self {
        results.sort_by(|(a, _), (b, _)| newest_first(a, b));
        let mut columns: Vec<Column> = Vec::new();
        for file in ring.files() {
            for key in file.keys().filter(|key| !holds(&columns, &key.primary.key_id)).collect::<Vec<_>>() {
                let (key_id, file) = (key.primary.key_id.clone(), Some(file.path().to_owned()));
                columns.push(Column { key_id, file });
            }
        }
        for (_, result) in results.iter().rev() {
            for key_id in strangers(result) {
                if !holds(&columns, key_id) {
                    columns.push(Column { key_id: key_id.clone(), file: None });
                }
            }
        }
        let row = |(version, result): (String, Result<Check, String>)| {
            let cells = columns.iter().map(|column| cell(column, &result)).collect();
            Row { version, cells, result }
        };
        let rows: Vec<Row> = results.into_iter().map(row).collect();
        let stretches = stretches(&rows);
        Self { columns, rows, stretches }
    }

    /// What it comes to: `all 12 versions have good signatures`, `3 versions fail since 0.64.0`, `2 versions fail up to 2.3.2`, …; one
    /// part of a sentence for each thing worth saying.
    pub(crate) fn text(&self) -> Vec<String> {
        if let [only] = &self.stretches[..] {
            let all = match only.count {
                1 => "the only version".into(),
                2 => "both versions".into(),
                count => format!("all {count} versions"),
            };
            return vec![format!("{all} {}", only.fares.verb(only.count))];
        }
        let last = self.stretches.len().saturating_sub(1);
        let worth = |(_, stretch): &(usize, &Stretch)| {
            matches!(stretch.fares, Fares::Fails | Fares::Unknown | Fares::Warns)
        };
        let said = |(place, stretch): (usize, &Stretch)| {
            let span = match place {
                _ if stretch.count == 1 && place != 0 && place != last => format!(": {}", stretch.newest),
                0 => format!(" since {}", stretch.oldest),
                _ if place == last => format!(" up to {}", stretch.newest),
                _ => format!(" from {} to {}", stretch.oldest, stretch.newest),
            };
            format!(
                "{} {}{span}",
                amount::counted(stretch.count, "version"),
                stretch.fares.verb(stretch.count)
            )
        };
        self.stretches.iter().enumerate().filter(worth).map(said).collect()
    }
}

impl Row {
    pub(crate) fn fares(&self) -> Fares {
        Fares::of(&self.result)
    }

    /// Whether a client installs it and has nothing to say.
    pub(crate) fn installs(&self) -> bool {
        matches!(self.fares(), Fares::Installs | Fares::Skips)
    }

    /// The answer in one line, or why there is none.
    pub(crate) fn text(&self) -> String {
        match &self.result {
            Ok(check) => check.text(),
            Err(why) => format!("not known: {why}"),
        }
    }
}

impl Fares {
    fn of(result: &Result<Check, String>) -> Self {
        match result.as_ref().map(|check| &check.client) {
            Ok(Client::Installs) => Self::Installs,
            Ok(Client::Warns) => Self::Warns,
            Ok(Client::Skips) => Self::Skips,
            Ok(Client::Refuses(_)) => Self::Fails,
            Ok(Client::Unknown(_)) | Err(_) => Self::Unknown,
        }
    }

    /// Of the signatures alone: an archive may fail for other reasons.
    fn verb(self, count: usize) -> &'static str {
        match (self, count) {
            (Self::Installs, 1) => "has a good signature",
            (Self::Installs, _) => "have good signatures",
            (Self::Warns, 1) => "has a good signature with a warning",
            (Self::Warns, _) => "have good signatures with a warning",
            (Self::Skips, 1) => "is installed unchecked",
            (Self::Skips, _) => "are installed unchecked",
            (Self::Fails, 1) => "fails",
            (Self::Fails, _) => "fail",
            (Self::Unknown, 1) => "is unchecked",
            (Self::Unknown, _) => "are unchecked",
        }
    }
}

fn newest_first(a: &str, b: &str) -> Ordering {
    version::compare(b, a).then_with(|| b.cmp(a))
}

fn holds(columns: &[Column], key_id: &str) -> bool {
    columns.iter().any(|column| column.key_id == key_id)
}

/// Key ids that a version's signature names and that are not on file.
fn strangers(result: &Result<Check, String>) -> &[String] {
    match result.as_ref().map(|check| &check.answer) {
        Ok(Answer::NotSignedByThese { signed_by, .. } | Answer::NoKeys { signed_by }) => signed_by,
        _ => &[],
    }
}

fn cell(column: &Column, result: &Result<Check, String>) -> Option<Mark> {
    let check = result.as_ref().ok()?;
    if column.file.is_none() {
        return strangers(result).contains(&column.key_id).then_some(Mark::Unknown);
    }
    check.trials.iter().filter(|trial| trial.primary_key_id == column.key_id).map(|trial| trial.mark).max()
}

fn stretches(rows: &[Row]) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for row in rows {
        let fares = Fares::of(&row.result);
        match found.last_mut() {
            Some(last) if last.fares == fares => {
                last.oldest.clone_from(&row.version);
                last.count += 1;
            }
            _ => {
                let (newest, oldest) = (row.version.clone(), row.version.clone());
                found.push(Stretch { newest, oldest, count: 1, fares });
            }
        }
    }
    found
}
