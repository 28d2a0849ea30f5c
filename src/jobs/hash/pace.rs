//! How many downloads run at once: fewer after the server asked to slow down, one more again after a stretch without.
//! Pure: it hears what happened and says a number.

/// Downloads that must go well before one more is tried.
const GOOD_BEFORE_MORE: u32 = 8;

/// The number of workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::jobs) struct Pace {
    most: usize,
    now: usize,
    good: u32,
}

impl Pace {
    pub(in crate::jobs) fn new(most: usize) -> Self {
        let most = most.max(1);
        Self { most, now: most, good: 0 }
    }

    pub(in crate::jobs) fn now(&self) -> usize {
        self.now
    }

    pub(in crate::jobs) fn most(&self) -> usize {
        self.most
    }

    /// Somebody wants another number.
    pub(in crate::jobs) fn set_most(&mut self, most: usize) {
        let was_slowed = self.now < self.most;
        self.most = most.max(1);
        self.now = if was_slowed { self.now.min(self.most) } else { self.most };
    }

    /// The server asked to slow down: half as many. True if that changes something.
    pub(in crate::jobs) fn slow(&mut self) -> bool {
        self.good = 0;
        let before = self.now;
        self.now = (self.now / 2).max(1);
        self.now < before
    }

    /// A download went well. True if one more may run from now on.
    pub(in crate::jobs) fn good(&mut self) -> bool {
        if self.now == self.most {
            return false;
        }
        self.good += 1;
        let more = self.good >= GOOD_BEFORE_MORE;
        if more {
            self.good = 0;
            self.now += 1;
        }
        more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_slows_down_by_half_and_comes_back_by_one() {
        let mut pace = Pace::new(6);
        assert!(!pace.good() && pace.slow() && pace.slow());
        assert_eq!(pace.now(), 1);
        assert!(!pace.slow(), "one always works");
        let mut more = 0;
        for _ in 0..GOOD_BEFORE_MORE * 5 {
            more += usize::from(pace.good());
        }
        assert_eq!((more, pace.now()), (5, 6));
        assert!(!pace.good());
    }

    #[test]
    fn another_number_does_not_forget_the_slowness() {
        let mut pace = Pace::new(6);
        pace.set_most(8);
        assert_eq!(pace.now(), 8);
        pace.slow();
        pace.set_most(10);
        assert_eq!((pace.now(), pace.most()), (4, 10));
        pace.set_most(2);
        assert_eq!(pace.now(), 2);
        pace.set_most(0);
        assert_eq!((pace.now(), pace.most()), (1, 1));
    }
}
