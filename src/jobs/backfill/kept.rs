//! The rows of a backfill, kept while they are made: JSON lines, of which the first says what was asked, each further one is a finished row, and
//! the last how it ended. A run keeps them in the state folder, a share in the file that it hands on; the same command continues with either.
//!
//! Files and not the state database: that has one writer, and shares of one plan may run side by side on one machine.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::jobs::Env;
use crate::jobs::data::{BackfillLimits, Failure, FailureKind};
use crate::registry::digest;
use crate::rules::amount;
use crate::rules::amount::{Form, counted};
use crate::rules::backfill::{FillResult, Row};
use crate::store::{Error, Report};

/// The format of the lines; another one is not gone on with.
pub(super) const FORMAT: u32 = 1;
/// The beginning and the end of the names of journals that got no name from the user.
pub(in crate::jobs) const JOURNAL_NAMES: (&str, &str) = ("backfill-", ".jsonl");
/// The beginning of each journal.
const MARK: &str = "{\"line\":\"backfill\",\"format\":";

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Done,
    Cancelled,
    Limit(Limit),
    /// Results could no longer be kept.
    JournalLost,
}

/// The limit that a run reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Bytes,
    Time,
}

impl Ended {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Limit(_) => "limit",
            Self::JournalLost => "journal-lost",
        }
    }
}

impl Limit {
    /// `200 GB`, `4h`.
    pub(super) fn words(self, limits: &BackfillLimits) -> String {
        match self {
            Self::Bytes => amount::bytes(limits.bytes),
            Self::Time => amount::length(limits.time, Form::Spoken),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
pub(super) enum Line {
    #[serde(rename = "backfill")]
    Begin(Begin),
    Row(Box<RowLine>),
    End {
        how: String,
        ended_at: Timestamp,
    },
}

/// A finished row, and its place in what was asked: rows finish in any order.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RowLine {
    pub(super) place: usize,
    #[serde(flatten)]
    pub(super) row: Row,
}

/// The question of a run, on the first line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Begin {
    pub(super) format: u32,
    /// The question in words. Of a share it is shown and not compared.
    pub(super) question: String,
    /// The commit that the plan was made on.
    pub(super) base: String,
    /// The plan's digest.
    pub(super) plan: String,
    /// `2/4`; empty of a whole plan.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) shard: String,
    /// The digest of what each share has to do: every machine makes the whole plan, and so knows them all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) shards: Vec<String>,
}

/// The rows that are kept while a backfill runs.
#[derive(Debug)]
pub(super) struct Kept {
    report: Report,
    /// The rows of earlier runs of this question.
    earlier: Vec<Row>,
    /// The last of them came to its end: what was bad then is looked at again.
    is_over: bool,
    /// Lines among them that cannot be read.
    damaged: usize,
    lost: Option<Error>,
}

impl Kept {
    /// Opens the rows of this question: new ones, or those of the run before. `is_named`: the user named the file, so only the
    /// user may remove anything from it.
    pub(super) fn open(path: &Path, begin: Begin, is_named: bool) -> Result<Self, Failure> {
        let begin = Begin { format: FORMAT, ..begin };
        let fail = |error: &Error| refused(error, is_named);
        let (mut report, lines) = Report::open(path, MARK).map_err(|error| fail(&error))?;
        let first = lines.first().map(|line| serde_json::from_str::<Line>(line));
        let is_same = match &first {
            Some(Ok(Line::Begin(first))) if begin.shard.is_empty() => {
                (first.format, &first.question) == (begin.format, &begin.question)
            }
            Some(Ok(Line::Begin(first))) => {
                Begin { question: String::new(), ..first.clone() }
                    == Begin { question: String::new(), ..begin.clone() }
            }
            _ => false,
        };
        if is_named && !lines.is_empty() && !is_same {
            return Err(fail(&Error::Refused {
                path: path.display().to_string(),
                reason: "it holds another share, or one of another plan",
            }));
        }
        if !is_same {
            report.clear().map_err(|error| fail(&error))?;
            report.append(&text(&Line::Begin(begin))).map_err(|error| fail(&error))?;
        }
        let mut kept = Self { report, earlier: Vec::new(), is_over: false, damaged: 0, lost: None };
        for line in lines.iter().skip(1).filter(|_| is_same) {
            match serde_json::from_str::<Line>(line) {
                Ok(Line::Row(line)) if line.row.is_whole() => {
                    kept.is_over = false;
                    kept.earlier.push(line.row);
                }
                Ok(Line::End { how, .. }) => kept.is_over = how == Ended::Done.word(),
                _ => kept.damaged += 1,
            }
        }
        Ok(kept)
    }

    /// The note about lines that were damaged since they were written; `None` if there are none.
    pub(super) fn note(&self) -> Option<String> {
        let lines = match self.damaged {
            0 => return None,
            1 => "1 line of the journal is".to_owned(),
            many => format!("{} of the journal are", counted(many, "line")),
        };
        Some(format!("{lines} damaged and skipped: those targets are downloaded again, the rest is kept"))
    }

    pub(super) fn path(&self) -> String {
        self.report.path().display().to_string()
    }

    /// Takes over what earlier runs have finished; how many rows that is.
    pub(super) fn take_over(&self, rows: &mut [Row]) -> usize {
        // Of a row that was written twice the later line counts.
        let earlier: HashMap<_, &Row> = self.earlier.iter().map(|row| (row.item.key(), row)).collect();
        let mut count = 0;
        for row in rows {
            let Some(before) = earlier.get(&row.item.key()) else { continue };
            let is_finished = match &before.result {
                FillResult::Filled { .. } => true,
                FillResult::Waiting | FillResult::Failed { .. } => false,
                // What is bad may be mended by now: a run that was cut off continues, the one after it looks again.
                _ => !self.is_over,
            };
            if is_finished && fits(row, before) {
                row.result = before.result.clone();
                count += 1;
            }
        }
        count
    }

    /// Keeps a finished row. A failure is remembered, since a row cannot report it; see [`Self::is_lost`].
    pub(super) fn keep(&mut self, place: usize, row: &Row) {
        self.append(&Line::Row(Box::new(RowLine { place, row: row.sealed() })));
    }

    /// Says how the run ended.
    pub(super) fn end(&mut self, ended: Ended, at: Timestamp) {
        self.append(&Line::End { how: ended.word().to_owned(), ended_at: at });
    }

    fn append(&mut self, line: &Line) {
        if self.lost.is_none() {
            self.lost = self.report.append(&text(line)).err();
        }
    }

    pub(super) fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Why the rows could not be kept any more; those before are.
    pub(super) fn lost(&self) -> Option<Failure> {
        let lost = self.lost.as_ref()?;
        Some(Failure { kind: FailureKind::Internal, ..refused(lost, false) })
    }
}

/// Returns true if the stored target still agrees with the earlier row. It may have gained the h1 and the size that the row
/// found.
fn fits(row: &Row, before: &Row) -> bool {
    let FillResult::Filled { h1, size } = &before.result else { return row.item == before.item };
    (row.item.h1.is_empty() || row.item.h1 == *h1) && (row.item.size == 0 || row.item.size == *size)
}

fn text(line: &Line) -> String {
    serde_json::to_string(line).expect("plain structs of texts are JSON")
}

pub(super) fn default_path(env: &Env, question: &str) -> PathBuf {
    let (begin, end) = JOURNAL_NAMES;
    env.reports_dir.join(format!("{begin}{}{end}", &digest(question.as_bytes())[..12]))
}

fn refused(error: &Error, is_named: bool) -> Failure {
    let (kind, hint) = match error {
        Error::Refused { .. } => (FailureKind::Usage, "Name another file with --out."),
        Error::Locked { .. } if is_named => {
            (FailureKind::Conflict, "Wait for the other bumpdesk, or name another file with --out.")
        }
        Error::Locked { .. } => {
            (FailureKind::Conflict, "Wait for the other bumpdesk, which does the same backfill.")
        }
        Error::DiskFull { .. } => (
            FailureKind::Data,
            "Make room on the disk; then the same command continues, and downloads no finished target again.",
        ),
        _ if is_named => (FailureKind::Data, "Name another file with --out."),
        _ => (
            FailureKind::Data,
            "See that this file can be written; then the same command continues, and downloads no finished target again.",
        ),
    };
    Failure::new(kind, "keeping what was found").cause(error.to_string()).hint(hint)
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn the_remedy_fits_what_went_wrong() {
        let path = || PathBuf::from("/out/share.jsonl");
        let full = Error::DiskFull { path: path() };
        let gone = Error::Write { path: path(), cause: ErrorKind::NotFound.into() };
        for (error, is_named, begin) in [
            (&full, true, "Make room on the disk"),
            (&full, false, "Make room on the disk"),
            (&gone, true, "Name another file with --out"),
            (&gone, false, "See that this file can be written"),
        ] {
            let hint = refused(error, is_named).hint.unwrap();
            assert!(hint.starts_with(begin), "{error}: {hint}");
        }
    }
}
