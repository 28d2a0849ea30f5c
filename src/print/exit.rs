//! Exit codes: the results of commands, for scripts.

use crate::jobs::data::{Failure, FailureKind, Outcome};

/// The end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// 0: done, nothing to report.
    Done,
    /// 1: findings; only where they were asked for (`--check`, `lint`).
    Findings,
    /// 2: wrong use or configuration, an address that is not there.
    Usage,
    /// 3: upstream or the network failed.
    Upstream,
    /// 4: refused by a gate, a policy or a lock.
    Refused,
    /// 5: part of it is done; the same command goes on.
    Incomplete,
    /// 130: cancelled.
    Cancelled,
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Upstream => 3,
            Self::Refused => 4,
            Self::Incomplete => 5,
            Self::Cancelled => 130,
        }
    }

    /// The exit of a failed job.
    pub(crate) fn of_failure(failure: &Failure) -> Self {
        match failure.kind {
            FailureKind::Usage | FailureKind::Config | FailureKind::Data => Self::Usage,
            FailureKind::Auth | FailureKind::RateLimited | FailureKind::Network => Self::Upstream,
            FailureKind::Conflict => Self::Refused,
            FailureKind::Internal => Self::Incomplete,
        }
    }

    /// The exit of an ended job; `found` says whether there is something to report and that was asked for.
    pub(crate) fn of_outcome(outcome: &Outcome, found: bool) -> Self {
        match outcome {
            Outcome::Failed(failure) => Self::of_failure(failure),
            Outcome::Cancelled(_) => Self::Cancelled,
            // If a file was written or planned, the work is done in part, so this arm does not apply.
            Outcome::Done(summary)
                if summary.failed > 0
                    && summary.applied == 0
                    && summary.failed + summary.broken >= summary.entries =>
            {
                Self::Upstream
            }
            Outcome::Done(summary) if summary.gaps() + summary.unkept > 0 => Self::Incomplete,
            Outcome::Done(_) if found => Self::Findings,
            Outcome::Done(_) => Self::Done,
        }
    }

    /// The graver of two exits of one command.
    #[must_use]
    pub(crate) fn or_graver(self, other: Self) -> Self {
        let weight = |exit: Self| match exit {
            Self::Done => 0,
            Self::Findings => 1,
            Self::Incomplete => 2,
            Self::Upstream => 3,
            Self::Refused => 4,
            Self::Usage => 5,
            Self::Cancelled => 6,
        };
        if weight(other) > weight(self) { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::data::Summary;

    fn done(entries: u64, failed: u64) -> Outcome {
        Outcome::Done(Summary { entries, failed, ..Summary::default() })
    }

    fn failed(kind: FailureKind) -> Outcome {
        Outcome::Failed(Failure::new(kind, String::new()))
    }

    #[test]
    fn every_end_has_its_code() {
        let cases = [
            (done(3, 0), false, 0),
            (done(3, 0), true, 1),
            (done(0, 0), false, 0),
            (done(3, 1), true, 5),
            (done(3, 3), false, 3),
            (Outcome::Cancelled(Summary::default()), true, 130),
            (failed(FailureKind::Usage), false, 2),
            (failed(FailureKind::Config), false, 2),
            (failed(FailureKind::Data), false, 2),
            (failed(FailureKind::Network), false, 3),
            (failed(FailureKind::Auth), false, 3),
            (failed(FailureKind::RateLimited), false, 3),
            (failed(FailureKind::Conflict), false, 4),
            (failed(FailureKind::Internal), false, 5),
        ];
        for (outcome, found, code) in cases {
            assert_eq!(Exit::of_outcome(&outcome, found).code(), code, "{outcome:?}");
        }
    }

    #[test]
    fn a_broken_file_alone_is_no_failure_of_upstream() {
        let ended = |entries, failed, broken| {
            let summary = Summary { entries, failed, broken, ..Summary::default() };
            Exit::of_outcome(&Outcome::Done(summary), false)
        };
        assert_eq!(ended(1, 0, 1), Exit::Incomplete);
        assert_eq!(ended(3, 1, 1), Exit::Incomplete);
        assert_eq!(ended(3, 2, 1), Exit::Upstream);
        // Everything but the tags was read.
        let tagless = Outcome::Done(Summary { entries: 3, tag_unread: 3, ..Summary::default() });
        assert_eq!(Exit::of_outcome(&tagless, true), Exit::Incomplete);
        let unkept = Outcome::Done(Summary { entries: 3, unkept: 1, ..Summary::default() });
        assert_eq!(Exit::of_outcome(&unkept, false), Exit::Incomplete);
    }

    #[test]
    fn what_was_read_in_part_is_incomplete() {
        let ended = |entries, failed, applied| {
            let summary = Summary { entries, failed, applied, ..Summary::default() };
            Exit::of_outcome(&Outcome::Done(summary), true)
        };
        for (entries, failed, applied, exit) in [
            (1, 1, 0, Exit::Upstream),
            (1, 1, 1, Exit::Incomplete),
            (3, 3, 2, Exit::Incomplete),
            (3, 1, 0, Exit::Incomplete),
            (1, 0, 1, Exit::Findings),
        ] {
            assert_eq!(ended(entries, failed, applied), exit, "{entries} {failed} {applied}");
        }
    }

    #[test]
    fn the_graver_exit_stays() {
        assert_eq!(Exit::Findings.or_graver(Exit::Done), Exit::Findings);
        assert_eq!(Exit::Findings.or_graver(Exit::Incomplete), Exit::Incomplete);
        assert_eq!(Exit::Cancelled.or_graver(Exit::Usage), Exit::Cancelled);
    }
}
