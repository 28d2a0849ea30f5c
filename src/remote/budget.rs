//! When a request may start: pure policy, no clock of its own.
//!
//! Every lane has a rate (burst 1, as the registry's own limiter) and may be held as a whole by a pause after 403 or 429.
//! Quotas are counted by `x-ratelimit-resource`; an empty one holds its resource until it starts anew. Times are durations
//! since the caller's own start. `http` asks before each request and tells each answer's [`Signals`].

use std::collections::BTreeMap;
use std::time::Duration;

use crate::settings::{Lane, Pace};

/// The first pause after a limit that names no time; each further one in a row is twice as long.
const FIRST_PAUSE: Duration = Duration::from_mins(1);
const LONGEST_PAUSE: Duration = Duration::from_hours(1);
const LONGEST_TOLD: Duration = Duration::from_hours(24);
/// Resources are named by the server, so their number is bounded.
const MOST_RESOURCES: usize = 32;

/// The policy and its state.
#[derive(Debug)]
pub(super) struct Budget {
    pace: Pace,
    patience: Duration,
    hold: bool,
    lanes: [LaneState; Lane::ALL.len()],
    quotas: BTreeMap<Box<str>, QuotaState>,
}

#[derive(Clone, Copy, Debug, Default)]
struct LaneState {
    next_start: Duration,
    paused_until: Option<Duration>,
    /// Pauses in a row that no header timed.
    strikes: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct QuotaState {
    limit: Option<u64>,
    remaining: Option<u64>,
    reset_epoch_s: Option<i64>,
    blocked_until: Option<Duration>,
}

/// The remaining quota of one resource, as the last answers told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quota {
    /// `core`, `graphql`, … as in `x-ratelimit-resource`.
    pub(crate) resource: Box<str>,
    pub(crate) limit: Option<u64>,
    pub(crate) remaining: Option<u64>,
    /// When it starts anew, in epoch seconds.
    pub(crate) reset_epoch_s: Option<i64>,
}

/// A start that one request has been given; kept between questions.
#[derive(Debug, Default)]
pub(super) struct Ticket {
    start: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Go,
    /// Ask again after that long.
    Wait(Duration),
    /// The wait is longer than the caller's patience.
    GiveUp(Limit),
}

/// A limit that was met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) wait: Option<Duration>,
    pub(super) reset_epoch_s: Option<i64>,
}

/// What one answer says about limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Signals {
    /// The answer refuses the request because of a limit.
    pub(super) throttled: bool,
    pub(super) retry_after: Option<Duration>,
    pub(super) resource: Option<Box<str>>,
    pub(super) limit: Option<u64>,
    pub(super) remaining: Option<u64>,
    pub(super) reset_epoch_s: Option<i64>,
    /// The server's own time: resets are taken relative to it, so that no clock of ours matters.
    pub(super) date_epoch_s: Option<i64>,
}

impl Signals {
    fn until_reset(&self) -> Option<Duration> {
        let seconds = self.reset_epoch_s?.checked_sub(self.date_epoch_s?)?;
        Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0).max(1)).min(LONGEST_TOLD))
    }
}

impl Budget {
    /// `patience`: the longest pause that callers sit out. `hold`: whether pauses and empty quotas hold anybody at all.
    pub(super) fn new(pace: Pace, patience: Duration, hold: bool) -> Self {
        Self {
            pace,
            patience,
            hold,
            lanes: <[LaneState; Lane::ALL.len()]>::default(),
            quotas: BTreeMap::new(),
        }
    }

    /// Whether the request with this ticket may start now.
    pub(super) fn ask(
        &mut self,
        lane: Lane,
        resource: Option<&str>,
        ticket: &mut Ticket,
        now: Duration,
    ) -> Decision {
        if let Some((until, reset_epoch_s)) = self.held_until(lane, resource, now) {
            // Whoever sat out a pause gets a new start, so that the lane resumes at its rate and not at once.
            ticket.start = None;
            let wait = until.saturating_sub(now);
            if wait > self.patience {
                return Decision::GiveUp(Limit { wait: Some(wait), reset_epoch_s });
            }
            return Decision::Wait(wait);
        }
        let start = match ticket.start {
            Some(start) => start,
            None => self.reserve(lane, now),
        };
        ticket.start = Some(start);
        if start > now { Decision::Wait(start.saturating_sub(now)) } else { Decision::Go }
    }

    /// Takes in what an answer told. The limit, if the answer refuses the request because of one.
    pub(super) fn learn(&mut self, lane: Lane, signals: &Signals, now: Duration) -> Option<Limit> {
        self.count(signals, now);
        if !signals.throttled {
            let state = &mut self.lanes[lane as usize];
            if state.paused_until.is_none_or(|until| until <= now) {
                state.strikes = 0;
            }
            return None;
        }
        let told = signals.retry_after.map(|wait| wait.min(LONGEST_TOLD));
        let emptied =
            if told.is_none() && signals.remaining == Some(0) { signals.until_reset() } else { None };
        let reset_epoch_s = signals.reset_epoch_s.filter(|_| signals.remaining == Some(0));
        if !self.hold {
            return Some(Limit { wait: told.or(emptied), reset_epoch_s });
        }
        // An empty quota holds its resource alone, which `count` has seen to.
        let wait = emptied.unwrap_or_else(|| self.pause(lane, told, now));
        Some(Limit { wait: Some(wait), reset_epoch_s })
    }

    /// Returns true if rate limits pause their lanes.
    pub(super) fn holds(&self) -> bool {
        self.hold
    }

    /// Whether a caller would sit out this wait.
    pub(super) fn sits_out(&self, wait: Option<Duration>) -> bool {
        self.hold && wait.is_some_and(|wait| wait <= self.patience)
    }

    /// How long the lane is still held.
    pub(super) fn paused(&self, lane: Lane, now: Duration) -> Option<Duration> {
        self.lanes[lane as usize]
            .paused_until
            .and_then(|until| until.checked_sub(now))
            .filter(|d| !d.is_zero())
    }

    pub(super) fn quotas(&self) -> Vec<Quota> {
        let quotas = self.quotas.iter().map(|(resource, state)| Quota {
            resource: resource.clone(),
            limit: state.limit,
            remaining: state.remaining,
            reset_epoch_s: state.reset_epoch_s,
        });
        quotas.collect()
    }

    fn held_until(
        &self,
        lane: Lane,
        resource: Option<&str>,
        now: Duration,
    ) -> Option<(Duration, Option<i64>)> {
        if !self.hold {
            return None;
        }
        let pause = self.lanes[lane as usize].paused_until.map(|until| (until, None));
        let quota = resource
            .and_then(|resource| self.quotas.get(resource))
            .and_then(|state| Some((state.blocked_until?, state.reset_epoch_s)));
        pause.into_iter().chain(quota).filter(|(until, _)| *until > now).max_by_key(|(until, _)| *until)
    }

    fn reserve(&mut self, lane: Lane, now: Duration) -> Duration {
        let state = &mut self.lanes[lane as usize];
        let start = state.next_start.max(now);
        let gap = match self.pace.of(lane).per_second {
            Some(rate) if rate > 0.0 => Duration::try_from_secs_f64(1.0 / rate).unwrap_or(LONGEST_PAUSE),
            _ => Duration::ZERO,
        };
        state.next_start = start + gap;
        start
    }

    /// Holds the lane for as long as told, else for a minute, doubling; the answers that were under way when the pause
    /// began do not double it.
    fn pause(&mut self, lane: Lane, told: Option<Duration>, now: Duration) -> Duration {
        let state = &mut self.lanes[lane as usize];
        let current = state.paused_until.filter(|until| *until > now);
        let wait = match (told, current) {
            (Some(told), _) => told,
            (None, Some(until)) => until.saturating_sub(now),
            (None, None) => {
                let wait = FIRST_PAUSE.saturating_mul(1 << state.strikes.min(10)).min(LONGEST_PAUSE);
                state.strikes += 1;
                wait
            }
        };
        let until = (now + wait).max(current.unwrap_or_default());
        state.paused_until = Some(until);
        until.saturating_sub(now)
    }

    /// Answers may arrive out of order: within one window the lowest remainder counts.
    fn count(&mut self, signals: &Signals, now: Duration) {
        let Some(resource) = &signals.resource else { return };
        if self.quotas.len() >= MOST_RESOURCES && !self.quotas.contains_key(resource) {
            return;
        }
        let state = self.quotas.entry(resource.clone()).or_default();
        if signals.reset_epoch_s < state.reset_epoch_s {
            return;
        }
        let remaining = match (signals.remaining, state.remaining) {
            (Some(new), Some(old)) if signals.reset_epoch_s == state.reset_epoch_s => Some(new.min(old)),
            (new, old) => new.or(old),
        };
        let blocked_until =
            if remaining == Some(0) { signals.until_reset().map(|wait| now + wait) } else { None };
        *state = QuotaState {
            limit: signals.limit.or(state.limit),
            remaining,
            reset_epoch_s: signals.reset_epoch_s,
            blocked_until,
        };
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::LanePace;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn seconds(count: f64) -> Duration {
        Duration::from_secs_f64(count)
    }

    fn budget() -> Budget {
        let pace = Pace { git: LanePace { per_second: Some(10.0), at_once: 5 }, ..Pace::default() };
        Budget::new(pace, Duration::from_mins(2), true)
    }

    fn ask(budget: &mut Budget, at: f64) -> Decision {
        budget.ask(Lane::Git, None, &mut Ticket::default(), seconds(at))
    }

    fn throttled(retry_after: Option<u64>) -> Signals {
        Signals { throttled: true, retry_after: retry_after.map(Duration::from_secs), ..Signals::default() }
    }

    fn quota(remaining: u64, reset: i64) -> Signals {
        Signals {
            resource: Some("core".into()),
            limit: Some(60),
            remaining: Some(remaining),
            reset_epoch_s: Some(reset),
            date_epoch_s: Some(1000),
            ..Signals::default()
        }
    }

    #[test]
    fn starts_are_spread_at_the_rate_with_burst_one() {
        let mut budget = budget();
        assert_eq!(ask(&mut budget, 0.0), Decision::Go);
        assert_eq!(ask(&mut budget, 0.0), Decision::Wait(seconds(0.1)));
        assert_eq!(ask(&mut budget, 0.05), Decision::Wait(seconds(0.15)));
        // An idle lane saves nothing up.
        assert_eq!(ask(&mut budget, 9.0), Decision::Go);
        assert_eq!(ask(&mut budget, 9.0), Decision::Wait(seconds(0.1)));
        // The other lanes have starts of their own.
        assert_eq!(budget.ask(Lane::Feed, None, &mut Ticket::default(), seconds(9.0)), Decision::Go);
    }

    #[test]
    fn a_ticket_keeps_its_start() {
        let mut budget = budget();
        assert_eq!(ask(&mut budget, 0.0), Decision::Go);
        let mut ticket = Ticket::default();
        assert_eq!(budget.ask(Lane::Git, None, &mut ticket, seconds(0.0)), Decision::Wait(seconds(0.1)));
        assert_eq!(ask(&mut budget, 0.0), Decision::Wait(seconds(0.2)));
        assert_eq!(budget.ask(Lane::Git, None, &mut ticket, seconds(0.1)), Decision::Go);
    }

    #[test]
    fn an_unlimited_lane_never_waits() {
        let mut budget = Budget::new(Pace::unlimited(), SECOND, true);
        for _ in 0..100 {
            assert_eq!(ask(&mut budget, 1.0), Decision::Go);
        }
    }

    #[test]
    fn retry_after_holds_the_whole_lane_and_no_other() {
        let mut budget = budget();
        let limit = budget.learn(Lane::Git, &throttled(Some(60)), SECOND).unwrap();
        assert_eq!(limit.wait, Some(60 * SECOND));
        assert_eq!(ask(&mut budget, 2.0), Decision::Wait(59 * SECOND));
        assert_eq!(budget.paused(Lane::Git, 2 * SECOND), Some(59 * SECOND));
        assert_eq!(budget.paused(Lane::Feed, 2 * SECOND), None);
        assert_eq!(budget.ask(Lane::Feed, None, &mut Ticket::default(), 2 * SECOND), Decision::Go);
        // After the pause the lane resumes at its rate.
        assert_eq!(ask(&mut budget, 61.0), Decision::Go);
        assert_eq!(ask(&mut budget, 61.0), Decision::Wait(seconds(0.1)));
        assert_eq!(budget.paused(Lane::Git, 61 * SECOND), None);
    }

    #[test]
    fn a_shorter_pause_does_not_end_a_longer_one() {
        let mut budget = budget();
        budget.learn(Lane::Git, &throttled(Some(60)), SECOND);
        budget.learn(Lane::Git, &throttled(Some(1)), SECOND);
        assert_eq!(ask(&mut budget, 1.0), Decision::Wait(60 * SECOND));
    }

    #[test]
    fn pauses_without_a_time_double_once_for_each_round() {
        let mut budget = budget();
        let mut at = SECOND;
        for expected in [60, 120, 240] {
            assert_eq!(budget.learn(Lane::Git, &throttled(None), at).unwrap().wait, Some(expected * SECOND));
            // Others that were under way tell the same thing.
            budget.learn(Lane::Git, &throttled(None), at);
            assert_eq!(budget.paused(Lane::Git, at), Some(expected * SECOND));
            // An answer that was under way and went well does not reset the count.
            budget.learn(Lane::Git, &Signals::default(), at);
            at += expected * SECOND;
        }
        budget.learn(Lane::Git, &Signals::default(), at);
        assert_eq!(budget.learn(Lane::Git, &throttled(None), at).unwrap().wait, Some(60 * SECOND));
    }

    #[test]
    fn a_pause_beyond_patience_is_given_up() {
        let mut budget = budget();
        budget.learn(Lane::Git, &throttled(Some(600)), SECOND);
        let limit = Limit { wait: Some(600 * SECOND), reset_epoch_s: None };
        assert_eq!(ask(&mut budget, 1.0), Decision::GiveUp(limit));
        assert!(!budget.sits_out(limit.wait) && budget.sits_out(Some(SECOND)));
        assert_eq!(ask(&mut budget, 500.0), Decision::Wait(101 * SECOND));
    }

    #[test]
    fn an_empty_quota_holds_its_resource_alone() {
        let mut budget = budget();
        let core = |budget: &mut Budget, at| {
            budget.ask(Lane::Api, Some("core"), &mut Ticket::default(), seconds(at))
        };
        assert_eq!(budget.learn(Lane::Api, &quota(1, 1060), SECOND), None);
        assert_eq!(core(&mut budget, 2.0), Decision::Go);
        assert_eq!(budget.learn(Lane::Api, &quota(0, 1060), 3 * SECOND), None);
        assert_eq!(core(&mut budget, 4.0), Decision::Wait(59 * SECOND));
        assert_eq!(budget.ask(Lane::Api, Some("graphql"), &mut Ticket::default(), 4 * SECOND), Decision::Go);
        // A late answer of the same window does not fill it again, one of the next window does.
        budget.learn(Lane::Api, &quota(5, 1060), 5 * SECOND);
        assert_eq!(budget.quotas()[0].remaining, Some(0));
        budget.learn(Lane::Api, &quota(60, 4660), 70 * SECOND);
        budget.learn(Lane::Api, &quota(3, 1060), 70 * SECOND);
        assert_eq!(budget.quotas()[0].remaining, Some(60));
        assert_eq!(core(&mut budget, 70.0), Decision::Go);
    }

    #[test]
    fn a_refusal_for_an_empty_quota_pauses_no_lane() {
        let mut budget = budget();
        let signals = Signals { throttled: true, ..quota(0, 4600) };
        let limit = budget.learn(Lane::Api, &signals, SECOND).unwrap();
        assert_eq!(limit, Limit { wait: Some(3600 * SECOND), reset_epoch_s: Some(4600) });
        assert_eq!(budget.paused(Lane::Api, SECOND), None);
        let held = budget.ask(Lane::Api, Some("core"), &mut Ticket::default(), SECOND);
        assert_eq!(held, Decision::GiveUp(limit));
    }

    #[test]
    fn nobody_is_held_where_nothing_holds() {
        let mut budget = Budget::new(Pace::unlimited(), SECOND, false);
        let limit = budget.learn(Lane::Git, &throttled(Some(60)), SECOND).unwrap();
        assert_eq!(limit.wait, Some(60 * SECOND));
        assert_eq!(ask(&mut budget, 1.0), Decision::Go);
        assert!(!budget.sits_out(Some(SECOND)));
    }

    #[test]
    fn senseless_numbers_do_no_harm() {
        let mut budget = budget();
        budget.learn(Lane::Git, &throttled(Some(u64::MAX)), SECOND);
        assert_eq!(budget.paused(Lane::Git, SECOND), Some(LONGEST_TOLD));
        let odd = Signals { reset_epoch_s: Some(i64::MIN), date_epoch_s: Some(i64::MAX), ..quota(0, 0) };
        budget.learn(Lane::Api, &odd, SECOND);
        for number in 0..100 {
            let named = Signals { resource: Some(format!("r{number}").into()), ..quota(1, 1060) };
            budget.learn(Lane::Api, &named, SECOND);
        }
        assert!(budget.quotas().len() <= MOST_RESOURCES);
    }
}
