//! The end of a job, and its figures in words: the same ones on the screen, in the log and on the command line.

use serde::{Deserialize, Serialize};

use crate::jobs::data::Failure;
use crate::rules::amount::{counted, grouped};
use crate::settings::words;

/// The end of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Done(Summary),
    Cancelled(Summary),
    Failed(Failure),
}

/// The end of a job whose work is not done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stop {
    Cancelled(Summary),
    Failed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Result<Summary, Stop>> for Outcome {
    fn from(end: Result<Summary, Stop>) -> Self {
        match end {
            Ok(summary) => Self::Done(summary),
            Err(Stop::Cancelled(summary)) => Self::Cancelled(summary),
            Err(Stop::Failed(failure)) => Self::Failed(failure),
        }
    }
}

/// The results of a job, in figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// Those that the job went over.
    pub entries: u64,
    /// The unit of `entries`.
    #[serde(skip_serializing_if = "Unit::is_entry")]
    pub(crate) unit: Unit,
    /// Entries whose facts were younger than the limit.
    pub fresh: u64,
    pub requests: u64,
    /// Requests that were answered with 304.
    pub not_modified: u64,
    /// Entries whose status is unknown because upstream could not be read.
    pub failed: u64,
    /// Those of them whose turn had not come when the job ended.
    #[serde(skip_serializing_if = "is_nil")]
    pub unreached: u64,
    /// Targets that were read but for the tag that they were indexed from.
    #[serde(skip_serializing_if = "is_nil")]
    pub(crate) tag_unread: u64,
    /// Entries whose data file cannot be read, so that upstream was not read for them.
    pub broken: u64,
    /// Repositories that were read and could not be kept, so that the next survey asks again.
    #[serde(skip_serializing_if = "is_nil")]
    pub unkept: u64,
    /// Files written or, in a dry run, that would be written.
    pub applied: u64,
    pub findings: u64,
    /// The data that the job could not see, in words: `no token: asset times were not read`.
    pub limits: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands the field over like that")]
fn is_nil(count: &u64) -> bool {
    *count == 0
}

words! {
    /// The things that a job goes over one by one.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum Unit: [word] {
        #[default]
        Entry = "entry",
        Target = "target",
        Pull = "pull request",
        File = "file",
        Job = "job",
    }
}

impl Unit {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
    fn is_entry(&self) -> bool {
        *self == Self::Entry
    }
}

/// The next step where nothing answers.
pub(crate) const TRIES_SERVERS: &str = "`bumpdesk doctor --online` tries the servers";
/// The end of a limit that another run of the job may lift. A face with keys replaces it by the key that runs the job again.
pub(crate) const ASKS_AGAIN: &str = ", and the same command asks again";

impl Summary {
    /// A text, and after it what bounded the job: `…; no token: …`.
    pub(crate) fn limited(&self, mut text: String) -> String {
        for limit in &self.limits {
            text.push_str("; ");
            text.push_str(limit);
        }
        text
    }

    /// Counts those whose turn had not come when the job ended.
    pub(crate) fn leave(&mut self, unreached: u64) {
        self.failed += unreached;
        self.unreached += unreached;
    }

    /// Entries that the job could not look at in full.
    pub(crate) fn gaps(&self) -> u64 {
        self.failed + self.tag_unread + self.broken
    }

    /// `3 of 61 not checked in full`; `None` if nothing is missing.
    pub(crate) fn gaps_counted(&self) -> Option<String> {
        let (gaps, all) = (grouped(self.gaps()), grouped(self.entries));
        (self.gaps() > 0).then(|| format!("{gaps} of {all} not checked in full"))
    }

    /// `3 of 61 not checked in full (2 not read upstream, 1 broken file)`; `None` if nothing is missing.
    pub(crate) fn gaps_in_detail(&self) -> Option<String> {
        let unread = self.failed.saturating_sub(self.unreached);
        let parts = [
            (unread, format!("{} not read upstream", grouped(unread))),
            (self.unreached, format!("{} not reached", grouped(self.unreached))),
            (self.tag_unread, format!("{} whose tag was not read", grouped(self.tag_unread))),
            (self.broken, counted(self.broken, "broken file")),
        ];
        let parts: Vec<String> =
            parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
        self.gaps_counted().map(|gaps| format!("{gaps} ({})", parts.join(", ")))
    }

    /// Returns true if all entries were checked so recently that no request was made.
    pub(crate) fn is_all_fresh(&self) -> bool {
        self.fresh > 0 && self.fresh == self.entries && self.requests == 0
    }

    /// All figures, those first that may need attention.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        match self.gaps_in_detail() {
            Some(gaps) => words.push(gaps),
            None if self.entries > 0 => words.push(counted(self.entries, self.unit.word())),
            None => {}
        }
        for (figure, text) in [
            (self.unkept, format!("{} read and not kept", grouped(self.unkept))),
            (self.applied, counted(self.applied, "file")),
            (self.findings, self.findings_text()),
            (self.fresh, self.fresh_text()),
            (self.requests, counted(self.requests, "request")),
            (self.not_modified, format!("{} of them unchanged", grouped(self.not_modified))),
        ] {
            if figure > 0 {
                words.push(text);
            }
        }
        words
    }

    fn findings_text(&self) -> String {
        match self.unit {
            Unit::Job => format!("{} failed", grouped(self.findings)),
            _ => counted(self.findings, "finding"),
        }
    }

    fn fresh_text(&self) -> String {
        if self.is_all_fresh() {
            return "all checked recently, so nothing was asked".to_owned();
        }
        format!("{} checked recently", grouped(self.fresh))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verification_counts_targets() {
        let all = Summary { entries: 33, unit: Unit::Target, requests: 4, ..Summary::default() };
        assert_eq!(all.words().join(", "), "33 targets, 4 requests");
    }

    #[test]
    fn figures_are_worded_and_add_up() {
        let all = Summary { entries: 61, requests: 1_362, ..Summary::default() };
        for (failed, broken, wanted) in [
            (0, 0, "61 entries, 1,362 requests"),
            (2, 0, "2 of 61 not checked in full (2 not read upstream), 1,362 requests"),
            (0, 1, "1 of 61 not checked in full (1 broken file), 1,362 requests"),
            (2, 1, "3 of 61 not checked in full (2 not read upstream, 1 broken file), 1,362 requests"),
        ] {
            let summary = Summary { failed, broken, ..all.clone() };
            assert_eq!(summary.words().join(", "), wanted);
            assert_eq!(summary.gaps(), failed + broken);
        }
        let stopped = Summary { failed: 9, unreached: 7, ..all.clone() };
        let told = "9 of 61 not checked in full (2 not read upstream, 7 not reached), 1,362 requests";
        assert_eq!(stopped.words().join(", "), told);
        let tagless = Summary { tag_unread: 61, ..all.clone() };
        let told = "61 of 61 not checked in full (61 whose tag was not read), 1,362 requests";
        assert_eq!((tagless.words().join(", "), tagless.gaps()), (told.to_owned(), 61));
        let some = Summary { entries: 3, fresh: 2, requests: 4, ..Summary::default() };
        assert_eq!(some.words().join(", "), "3 entries, 2 checked recently, 4 requests");
        let none = Summary { fresh: 3, requests: 0, ..some };
        assert_eq!(none.words().join(", "), "3 entries, all checked recently, so nothing was asked");
        let unkept = Summary { unkept: 2, ..all };
        assert_eq!(unkept.words().join(", "), "61 entries, 2 read and not kept, 1,362 requests");
        assert_eq!(Summary::default().words(), Vec::<String>::new());
    }
}
