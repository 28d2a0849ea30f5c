//! The moment of a judgement, which remembers for how long what was told by it stays true.

use std::cell::Cell;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::rules::{amount, retry};

const TICK: SignedDuration = SignedDuration::from_nanos(1);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Now. Whoever judges can only ask it whether a moment has come, so that no comparison is forgotten.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    at: Timestamp,
    holds: Option<&'a Cell<Holds>>,
}

/// The whole seconds in which every answer of a [`Now`] is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Holds {
    since_s: i64,
    until_s: i64,
}

impl Default for Holds {
    fn default() -> Self {
        Self { since_s: i64::MIN, until_s: i64::MAX }
    }
}

impl Holds {
    pub(crate) fn at(self, moment: Timestamp) -> bool {
        (self.since_s..self.until_s).contains(&floor_s(moment))
    }
}

impl From<Timestamp> for Now<'_> {
    fn from(at: Timestamp) -> Self {
        Self { at, holds: None }
    }
}

impl<'a> Now<'a> {
    /// A moment whose answers are noted there.
    pub(crate) fn noted(at: Timestamp, holds: &'a Cell<Holds>) -> Self {
        Self { at, holds: Some(holds) }
    }

    pub(crate) fn has_come(self, moment: Timestamp) -> bool {
        let has_come = moment <= self.at;
        if let Some(cell) = self.holds {
            let Holds { since_s, until_s } = cell.get();
            cell.set(if has_come {
                let ceil_s = floor_s(moment) + i64::from(moment.subsec_nanosecond() != 0);
                Holds { since_s: since_s.max(ceil_s), until_s }
            } else {
                Holds { since_s, until_s: until_s.min(floor_s(moment)) }
            });
        }
        has_come
    }

    pub(crate) fn is_past(self, moment: Timestamp) -> bool {
        self.has_come(later(moment, TICK))
    }

    /// Whether it is longer ago than that.
    pub(crate) fn is_longer_since(self, moment: Timestamp, length: SignedDuration) -> bool {
        self.is_past(later(moment, length))
    }

    /// Whether that long has passed since then.
    pub(crate) fn is_since(self, moment: Timestamp, length: SignedDuration) -> bool {
        self.has_come(later(moment, length))
    }

    /// A moment to the minute, with the date unless it is today.
    pub(crate) fn clock(self, moment: Timestamp) -> String {
        let seconds = floor_s(moment).div_euclid(DAY.as_secs()) * DAY.as_secs();
        let midnight = Timestamp::from_second(seconds).unwrap_or(Timestamp::MIN);
        let is_today = self.has_come(midnight) && !self.is_since(midnight, DAY);
        amount::clock(moment, if is_today { moment } else { later(midnight, DAY) })
    }

    /// The first bump run from now on, or after a moment that is to come.
    pub(crate) fn next_run(self, waits_until: Timestamp) -> Timestamp {
        if !self.has_come(waits_until) {
            return retry::next_run(waits_until);
        }
        let run = retry::next_run(self.at);
        self.is_past(run);
        self.is_past(later(run, -retry::QUARTER));
        run
    }
}

fn floor_s(moment: Timestamp) -> i64 {
    moment.as_second() - i64::from(moment.subsec_nanosecond() < 0)
}

fn later(moment: Timestamp, length: SignedDuration) -> Timestamp {
    let end = if length.is_negative() { Timestamp::MIN } else { Timestamp::MAX };
    moment.checked_add(length).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every second of some days, whatever is asked.
    #[test]
    fn an_answer_is_the_same_for_as_long_as_it_holds() {
        let second = |second: i64| Timestamp::from_second(1_790_000_000 + second).unwrap();
        let moment = second(40_000) + SignedDuration::from_millis(500);
        let hour = SignedDuration::from_hours(1);
        let asked: [fn(Now<'_>, Timestamp, SignedDuration) -> String; 6] = [
            |now, moment, _| now.has_come(moment).to_string(),
            |now, moment, _| now.is_past(moment).to_string(),
            |now, moment, hour| now.is_longer_since(moment, hour).to_string(),
            |now, moment, hour| now.is_since(moment, -hour).to_string(),
            |now, moment, _| now.clock(moment),
            |now, moment, _| now.next_run(moment).to_string(),
        ];
        for (place, ask) in asked.into_iter().enumerate() {
            for at in (0..200_000).step_by(997) {
                let cell = Cell::default();
                let answer = ask(Now::noted(second(at), &cell), moment, hour);
                assert!(cell.get().at(second(at)), "{place}: {at}");
                for other in (0..200_000).step_by(331).filter(|other| cell.get().at(second(*other))) {
                    assert_eq!(ask(second(other).into(), moment, hour), answer, "{place}: {at} and {other}");
                }
            }
        }
    }
}
