//! The number of data files that were changed on each of the last 30 days, by the history of the open registry. A day without any
//! is a bump that stalled.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::rules::amount::{counted, grouped};

/// The days that are counted, today included.
pub(crate) const DAYS: usize = 30;

const SHALLOW: &str = "history is shallow: the clone does not reach back 30 days";
const DAY_SECONDS: i64 = 86_400;

/// The days since 1970-01-01 in UTC.
pub(crate) fn day_of(at: Timestamp) -> i64 {
    at.as_second().div_euclid(DAY_SECONDS)
}

/// The first second of a day, since 1970-01-01 in UTC.
pub(crate) fn first_second(day: i64) -> i64 {
    day.saturating_mul(DAY_SECONDS)
}

/// The data files that were changed on each of the last 30 days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activity {
    /// The full id of the commit whose history was read.
    pub(crate) commit: String,
    /// The last day, as [`day_of`] numbers it.
    pub(crate) today: i64,
    /// Files of each day, the oldest day first; `None` where the clone does not reach back 30 days.
    pub(crate) files: Option<[u32; DAYS]>,
}

impl Activity {
    /// Returns true if it was counted today at the commit that a revision such as `main@f00f6d5` names.
    pub(crate) fn is_of(&self, revision: &str, now: Timestamp) -> bool {
        let commit = revision.rsplit('@').next().unwrap_or_default();
        !commit.is_empty() && self.commit.starts_with(commit) && self.today == day_of(now)
    }

    /// The files of one day; 0 for a day that was not counted.
    pub(crate) fn on(&self, day: i64) -> u32 {
        let back = usize::try_from(self.today.saturating_sub(day)).ok();
        let place = back.and_then(|back| (DAYS - 1).checked_sub(back));
        self.files.as_ref().and_then(|files| files.get(place?)).copied().unwrap_or(0)
    }

    /// `75 files bumped in 30 days, at most 7 a day; none on 2026-11-11`. Today may still have its bump before it.
    pub(crate) fn sentence(&self) -> String {
        let Some(files) = &self.files else { return SHALLOW.to_owned() };
        let all: u64 = files.iter().map(|count| u64::from(*count)).sum();
        let most = files.iter().copied().max().unwrap_or(0);
        let without: Vec<String> =
            (self.today - (DAYS as i64 - 1)..self.today).filter(|day| self.on(*day) == 0).map(date).collect();
        let holes = match &without[..] {
            _ if most == 0 => String::new(),
            [] => "; some every day".to_owned(),
            [first] => format!("; none on {first}"),
            [first, rest @ ..] => format!("; none on {first} and {}", counted(rest.len(), "other day")),
        };
        let most = if most == 0 { String::new() } else { format!(", at most {} a day", grouped(most)) };
        format!("{} bumped in 30 days{most}{holes}", counted(all, "file"))
    }
}

fn date(day: i64) -> String {
    let at = Timestamp::from_second(first_second(day)).unwrap_or(Timestamp::UNIX_EPOCH);
    at.to_zoned(TimeZone::UTC).date().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn counted_on(files: Option<[u32; DAYS]>) -> Activity {
        Activity { commit: "f00f6d5aa".into(), today: day_of(at("2026-11-21T12:00:00Z")), files }
    }

    #[test]
    fn it_is_of_one_commit_and_one_day() {
        let activity = counted_on(Some([1; DAYS]));
        for (revision, now, is_of) in [
            ("main@f00f6d5", "2026-11-21T00:00:00Z", true),
            ("odd@name@f00f6d5", "2026-11-21T23:59:59Z", true),
            ("f00f6d5", "2026-11-21T12:00:00Z", true),
            ("main@f00f6d5", "2026-11-22T00:00:00Z", false),
            ("main@f00f6d5", "2026-11-20T23:59:59Z", false),
            ("main@abcdef0", "2026-11-21T12:00:00Z", false),
            ("", "2026-11-21T12:00:00Z", false),
        ] {
            assert_eq!(activity.is_of(revision, at(now)), is_of, "{revision} {now}");
        }
    }

    #[test]
    fn its_sentence_names_the_days_without_a_bump() {
        let with = |changes: &[(usize, u32)]| {
            let mut files = [3; DAYS];
            for (place, count) in changes {
                files[*place] = *count;
            }
            counted_on(Some(files)).sentence()
        };
        assert_eq!(with(&[]), "90 files bumped in 30 days, at most 3 a day; some every day");
        assert_eq!(with(&[(29, 0)]), "87 files bumped in 30 days, at most 3 a day; some every day");
        assert_eq!(
            with(&[(19, 0), (20, 1_200)]),
            "1,284 files bumped in 30 days, at most 1,200 a day; none on 2026-11-11"
        );
        assert_eq!(
            with(&[(0, 0), (1, 0), (2, 0)]),
            "81 files bumped in 30 days, at most 3 a day; none on 2026-10-23 and 2 other days"
        );
        assert_eq!(counted_on(Some([0; DAYS])).sentence(), "0 files bumped in 30 days");
        assert_eq!(counted_on(None).sentence(), SHALLOW);
    }

    #[test]
    fn a_day_has_its_files() {
        let mut files = [0; DAYS];
        (files[0], files[29]) = (4, 7);
        let activity = counted_on(Some(files));
        let today = activity.today;
        let days = [today, today - 29, today - 30, today + 1, i64::MIN, i64::MAX];
        assert_eq!(days.map(|day| activity.on(day)), [7, 4, 0, 0, 0, 0]);
        assert_eq!(counted_on(None).on(today), 0);
    }
}
