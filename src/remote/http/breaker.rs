//! When a host that does nothing but fail is left alone: pure policy, no clock of its own.
//!
//! Failures in a row are counted for each host, and for each lane on it. After enough of them one request at a time is let
//! through, after growing pauses; the others wait for the first of these, and are then turned away. Any answer closes the
//! circuit. A rate limit counts as an answer while [`super::budget`](crate::remote::budget) pauses the lane; with
//! `--no-throttle` it counts as a failure. An HTML page also counts as a failure, because no lane here expects one.

use std::collections::HashMap;
use std::time::Duration;

use crate::remote::http::error::CleanText;
use crate::settings::Lane;

/// Failures in a row after which a host is asked by one request at a time.
const MOST_FAILURES: u32 = 20;
/// Failures in a row for a host that has never answered: it is not there, or we are offline.
const FIRST_FAILURES: u32 = 8;
/// Requests under way to one that has not answered yet.
const FIRST_AT_ONCE: u32 = 8;
/// Single requests that the others wait for.
const AWAITED_TRIES: u32 = 2;
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

/// The policy and its state.
#[derive(Debug)]
pub(super) struct Breaker {
    /// The pause before the first single request; each further one is four times as long.
    pause: Duration,
    circuits: HashMap<(String, Option<Lane>), Circuit>,
}

#[derive(Debug, Default)]
struct Circuit {
    has_answered: bool,
    failures: u32,
    under_way: u32,
    /// A single request is under way.
    is_trying: bool,
    /// Single requests that failed since the circuit opened.
    tries: u32,
    next_try: Duration,
    why: CleanText,
}

/// A request that failed.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    /// The host is there, and answered with a stumble.
    pub(super) has_answered: bool,
    pub(super) single: bool,
    pub(super) why: CleanText,
}

/// The permission to send a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Crossing {
    /// It may; `single`: on its answer hangs whether others may.
    Go { single: bool },
    /// Ask again after that long.
    Wait(Duration),
    /// It may not: what failed there last.
    Down(Down),
}

/// A host that is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Down {
    pub(crate) host: String,
    /// The lane on it that fails; `None`: there is no connection at all.
    pub(crate) lane: Option<Lane>,
    pub(crate) why: CleanText,
}

impl Down {
    /// `github.com cannot be reached: the host's name was not found`.
    pub(crate) fn text(&self) -> String {
        let Self { host, lane, why } = self;
        let why: &str = why.strip_prefix("no answer: ").unwrap_or(why);
        match lane {
            None => format!("{host} cannot be reached: {why}"),
            Some(lane) => format!("{host} answers no {} requests any more: {why}", lane.name()),
        }
    }
}

impl Circuit {
    fn is_open(&self, lane: Option<Lane>) -> bool {
        let is_stranger = lane.is_none() && !self.has_answered;
        self.failures >= if is_stranger { FIRST_FAILURES } else { MOST_FAILURES }
    }

    fn is_given_up(&self, lane: Option<Lane>) -> bool {
        // A host that never answered is not waited for.
        let is_stranger = lane.is_none() && !self.has_answered;
        self.is_open(lane) && (is_stranger || self.tries >= AWAITED_TRIES)
    }

    /// As after an answer.
    fn close(&mut self) {
        *self = Self { has_answered: true, under_way: self.under_way, ..Self::default() };
    }
}

impl Breaker {
    pub(super) fn new(pause: Duration) -> Self {
        Self { pause: pause.max(SHORTEST_PAUSE), circuits: HashMap::new() }
    }

    /// Decides if a request on the lane may be sent to the host now. Once a request that was let through is over, the caller
    /// calls [`Self::left`].
    pub(super) fn ask(&mut self, host: &str, lane: Lane, now: Duration) -> Crossing {
        let mut single = false;
        for lane in [None, Some(lane)] {
            let circuit = self.circuit(host, lane);
            if !circuit.is_open(lane) {
                continue;
            }
            if !circuit.is_trying && now >= circuit.next_try {
                single = true;
            } else if circuit.is_given_up(lane) {
                return Crossing::Down(Down { host: host.to_owned(), lane, why: circuit.why.clone() });
            } else {
                let wait = circuit.next_try.saturating_sub(now);
                return Crossing::Wait(wait.clamp(Duration::from_millis(1), self.pause));
            }
        }
        let stranger = self.circuit(host, None);
        if !single && !stranger.has_answered && stranger.under_way >= FIRST_AT_ONCE {
            return Crossing::Wait(Duration::from_millis(10));
        }
        for lane in [None, Some(lane)] {
            let circuit = self.circuit(host, lane);
            circuit.under_way += 1;
            circuit.is_trying |= single && circuit.is_open(lane);
        }
        Crossing::Go { single }
    }

    /// Ends a request that was let through, with any result.
    pub(super) fn left(&mut self, host: &str, lane: Lane, single: bool) {
        for lane in [None, Some(lane)] {
            let circuit = self.circuit(host, lane);
            circuit.under_way = circuit.under_way.saturating_sub(1);
            circuit.is_trying &= !single;
        }
    }

    /// The host answered, with whatever but a stumble.
    pub(super) fn answered(&mut self, host: &str, lane: Lane) {
        self.circuit(host, None).close();
        self.circuit(host, Some(lane)).close();
    }

    /// Counts a failed request, with or without an answer of the host. Returns true if the host or the lane is given up by it.
    pub(super) fn failed(&mut self, host: &str, lane: Lane, failure: &Failed, now: Duration) -> bool {
        if failure.has_answered {
            self.circuit(host, None).close();
            return self.count(host, Some(lane), failure, now);
        }
        let of_host = self.count(host, None, failure, now);
        self.count(host, Some(lane), failure, now) || of_host
    }

    fn count(&mut self, host: &str, lane: Option<Lane>, failure: &Failed, now: Duration) -> bool {
        let pause = self.pause;
        let circuit = self.circuit(host, lane);
        let (was_open, was_given_up) = (circuit.is_open(lane), circuit.is_given_up(lane));
        circuit.failures += 1;
        circuit.why.clone_from(&failure.why);
        circuit.tries += u32::from(was_open && failure.single);
        if circuit.is_open(lane) && (!was_open || failure.single) {
            let pause = pause.saturating_mul(4_u32.saturating_pow(circuit.tries + 1));
            circuit.next_try = now + pause.min(LONGEST_PAUSE);
        }
        !was_given_up && circuit.is_given_up(lane)
    }

    /// Everybody who is given up, until an answer comes.
    pub(super) fn down(&self) -> Vec<Down> {
        let given_up = self.circuits.iter().filter(|((_, lane), circuit)| circuit.is_given_up(*lane));
        let down = |((host, lane), circuit): (&(String, Option<Lane>), &Circuit)| Down {
            host: host.clone(),
            lane: *lane,
            why: circuit.why.clone(),
        };
        given_up.map(down).collect()
    }

    fn circuit(&mut self, host: &str, lane: Option<Lane>) -> &mut Circuit {
        self.circuits.entry((host.to_owned(), lane)).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const GO: Crossing = Crossing::Go { single: false };
    const SINGLE: Crossing = Crossing::Go { single: true };

    fn refused(single: bool) -> Failed {
        Failed { has_answered: false, single, why: CleanText::ours("refused") }
    }

    fn stumble(single: bool) -> Failed {
        Failed { has_answered: true, single, why: CleanText::ours("it answered HTTP 500") }
    }

    fn down(lane: Option<Lane>, why: &'static str) -> Crossing {
        Crossing::Down(Down { host: "a".into(), lane, why: CleanText::ours(why) })
    }

    /// Sends one request that fails, if it may be sent.
    fn fail(breaker: &mut Breaker, lane: Lane, of: fn(bool) -> Failed, now: Duration) -> Crossing {
        let crossing = breaker.ask("a", lane, now);
        if let Crossing::Go { single } = crossing {
            breaker.failed("a", lane, &of(single), now);
            breaker.left("a", lane, single);
        }
        crossing
    }

    #[test]
    fn a_host_that_never_answers_is_given_up_at_once_on_all_lanes() {
        let mut breaker = Breaker::new(SECOND);
        for place in 0..FIRST_FAILURES {
            let lane = if place % 2 == 0 { Lane::Git } else { Lane::Feed };
            assert_eq!(fail(&mut breaker, lane, refused, SECOND), GO);
        }
        assert_eq!(fail(&mut breaker, Lane::Asset, refused, SECOND), down(None, "refused"));
        assert_eq!(breaker.down().len(), 1);
        assert_eq!(breaker.ask("b", Lane::Git, SECOND), GO);
        // It is asked once now and then.
        assert_eq!(fail(&mut breaker, Lane::Git, refused, 5 * SECOND), SINGLE);
        assert_eq!(fail(&mut breaker, Lane::Git, refused, 20 * SECOND), down(None, "refused"));
        assert_eq!(fail(&mut breaker, Lane::Git, refused, 21 * SECOND), SINGLE);
    }

    #[test]
    fn few_are_under_way_to_a_stranger() {
        let mut breaker = Breaker::new(SECOND);
        for _ in 0..FIRST_AT_ONCE {
            assert_eq!(breaker.ask("a", Lane::Git, SECOND), GO);
        }
        assert!(matches!(breaker.ask("a", Lane::Feed, SECOND), Crossing::Wait(_)));
        breaker.answered("a", Lane::Git);
        assert_eq!(breaker.ask("a", Lane::Feed, SECOND), GO);
    }

    #[test]
    fn a_failing_lane_gets_single_requests_with_growing_pauses() {
        let mut breaker = Breaker::new(SECOND);
        for _ in 0..MOST_FAILURES {
            assert_eq!(fail(&mut breaker, Lane::Git, stumble, SECOND), GO);
        }
        // The others wait for the first single requests.
        assert!(matches!(breaker.ask("a", Lane::Git, SECOND), Crossing::Wait(_)));
        assert_eq!(breaker.ask("a", Lane::Git, 5 * SECOND), SINGLE);
        assert!(matches!(breaker.ask("a", Lane::Git, 5 * SECOND), Crossing::Wait(_)));
        assert!(!breaker.failed("a", Lane::Git, &stumble(true), 5 * SECOND));
        breaker.left("a", Lane::Git, true);
        assert!(matches!(breaker.ask("a", Lane::Git, 20 * SECOND), Crossing::Wait(_)));
        assert_eq!(fail(&mut breaker, Lane::Git, stumble, 21 * SECOND), SINGLE);
        let told = down(Some(Lane::Git), "it answered HTTP 500");
        assert_eq!(breaker.ask("a", Lane::Git, 84 * SECOND), told);
        assert_eq!(fail(&mut breaker, Lane::Git, stumble, 85 * SECOND), SINGLE);
        assert_eq!(breaker.ask("a", Lane::Git, 340 * SECOND), told);
        // Other lanes of the host go their own way.
        assert_eq!(breaker.ask("a", Lane::Feed, 5 * SECOND), GO);
        // One answer opens the way again.
        assert_eq!(breaker.ask("a", Lane::Git, 341 * SECOND), SINGLE);
        breaker.answered("a", Lane::Git);
        breaker.left("a", Lane::Git, true);
        assert_eq!((breaker.ask("a", Lane::Git, 341 * SECOND), breaker.down().len()), (GO, 0));
    }

    #[test]
    fn an_answer_between_failures_starts_the_count_anew() {
        let mut breaker = Breaker::new(SECOND);
        for _ in 0..3 {
            for _ in 1..MOST_FAILURES {
                assert_eq!(fail(&mut breaker, Lane::Git, stumble, SECOND), GO);
            }
            breaker.answered("a", Lane::Git);
        }
        assert_eq!(breaker.ask("a", Lane::Git, SECOND), GO);
    }
}
