//! The open pull requests of the registry, as they were listed last, and what came of making each again.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::rules::review::{OpenPull, OwnVerdict, Result as Word, Review};
use crate::rules::sending::{Course, Request};

/// Of one, when it was made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reviewed {
    pub(crate) review: Arc<Review>,
    pub(crate) at: Timestamp,
    /// The newest review of it that this maintainer submitted.
    pub(crate) mine: Option<OwnVerdict>,
}

impl Reviewed {
    /// Its archives were read, or it has none.
    pub(crate) fn is_hashed(&self) -> bool {
        matches!(self.review.result, Word::Same | Word::PersonDecides) && !self.review.waits_for_hashes()
    }
}

/// How one that is listed stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing<'a> {
    /// It was not made again yet.
    Waiting,
    Reviewed(&'a Reviewed),
    /// Its head moved since, or it is for another branch: what was found is of another change.
    Moved(&'a Reviewed),
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    /// Those with the newest news first, and when they were listed; `None` before that.
    listed: Option<(Arc<Vec<OpenPull>>, Timestamp)>,
    found: BTreeMap<u64, Reviewed>,
    /// By the number of the pull request.
    own: BTreeMap<u64, OwnVerdict>,
    /// Why they could not be listed the last time.
    pub(crate) failure: Option<String>,
}

impl Reviews {
    pub(crate) fn list(&mut self, pulls: Arc<Vec<OpenPull>>, now: Timestamp) {
        self.found.retain(|number, _| pulls.iter().any(|pull| pull.number == *number));
        (self.listed, self.failure) = (Some((pulls, now)), None);
    }

    pub(crate) fn take(&mut self, review: Arc<Review>, now: Timestamp) {
        // What was hashed is not forgotten for what was not, of the same commits.
        let is_less = |before: &Reviewed| {
            let is_same =
                before.review.pull.is_as(&review.pull) && before.review.merge_base == review.merge_base;
            is_same && before.is_hashed() && review.waits_for_hashes()
        };
        match self.found.get_mut(&review.pull.number) {
            Some(before) if is_less(before) => {
                if review.around.is_some() {
                    Arc::make_mut(&mut before.review).around.clone_from(&review.around);
                }
            }
            _ => {
                let (number, mine) = (review.pull.number, self.own.get(&review.pull.number).cloned());
                self.found.insert(number, Reviewed { review, at: now, mine });
            }
        }
    }

    /// Takes a review that this maintainer submitted; a later one replaces it.
    pub(crate) fn judge(&mut self, own: OwnVerdict) {
        if let Some(found) = self.found.get_mut(&own.pull) {
            found.mine = Some(own.clone());
        }
        self.own.insert(own.pull, own);
    }

    /// Takes a review whose sending ended just now.
    pub(super) fn hear_course(&mut self, course: &Course) {
        if let [Request::Review { repository, .. }] = &course.sending.requests[..]
            && let Some(own) = course.own_verdict(repository)
        {
            self.judge(own);
        }
    }

    /// Nobody asked for them yet.
    pub(crate) fn is_new(&self) -> bool {
        self.listed.is_none() && self.failure.is_none()
    }

    /// What was found of one last.
    pub(crate) fn found(&self, number: u64) -> Option<&Reviewed> {
        self.found.get(&number)
    }

    /// When they were listed last.
    pub(crate) fn listed_at(&self) -> Option<Timestamp> {
        self.listed.as_ref().map(|(_, at)| *at)
    }

    /// Those that touch what the registry serves, as far as it is known, those with the newest news first.
    pub(crate) fn rows(&self) -> Vec<(&OpenPull, Standing<'_>)> {
        let rows = self.all().map(|pull| (pull, self.standing(pull)));
        rows.filter(|(_, standing)| !is_elsewhere(*standing)).collect()
    }

    /// How many touch nothing that the registry serves.
    pub(crate) fn elsewhere(&self) -> usize {
        self.all().filter(|pull| is_elsewhere(self.standing(pull))).count()
    }

    fn all(&self) -> impl Iterator<Item = &OpenPull> {
        self.listed.iter().flat_map(|(pulls, _)| pulls.iter())
    }

    fn standing(&self, pull: &OpenPull) -> Standing<'_> {
        match self.found.get(&pull.number) {
            None => Standing::Waiting,
            Some(found) if found.review.pull.is_as(pull) => Standing::Reviewed(found),
            // The list is older than what was found, or the other way round: of that commit it is in both cases.
            Some(found) => Standing::Moved(found),
        }
    }
}

fn is_elsewhere(standing: Standing<'_>) -> bool {
    matches!(standing, Standing::Reviewed(found) if found.review.is_elsewhere())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::rules::review::{Opinion, ReviewedFile};

    /// An open pull request that brings the commit `head`, opened an hour before the tests look.
    pub(crate) fn open_pull(number: u64) -> OpenPull {
        let opened = "2026-09-22T11:00:00Z".parse().expect("a time");
        OpenPull {
            base: "main".into(),
            number,
            title: format!("Manual bump of acme/rocket {number}"),
            author: "ann".into(),
            opened,
            updated: opened,
            draft: false,
            url: format!("https://github.com/opentofu/registry/pull/{number}"),
            head: "1a2b3c4d".repeat(5),
        }
    }

    /// What came of it.
    pub(crate) fn review(pull: OpenPull, path: &str, result: Word, points: &[&str]) -> Review {
        let points = points.iter().map(|point| (*point).to_owned()).collect();
        let file = ReviewedFile { versions: vec!["1.1.0".into()], ..ReviewedFile::of(path, result, points) };
        let merge_base = "5d6e7f80".repeat(5);
        Review {
            merge_base,
            result,
            files: vec![file],
            notes: Vec::new(),
            ..Review::unread(pull, String::new())
        }
    }

    const ROCKET: &str = "providers/a/acme/rocket.json";

    fn heard(reviews: &mut Reviews, review: Review) {
        reviews.take(Arc::new(review), Timestamp::UNIX_EPOCH);
    }

    fn words(reviews: &Reviews) -> Vec<(u64, &'static str)> {
        let word = |standing| match standing {
            Standing::Waiting => "waiting",
            Standing::Reviewed(found) => found.review.result.word(),
            Standing::Moved(_) => "moved",
        };
        reviews.rows().into_iter().map(|(pull, standing)| (pull.number, word(standing))).collect()
    }

    #[test]
    fn what_was_found_is_of_one_commit() {
        let mut reviews = Reviews::default();
        reviews.list(Arc::new(vec![open_pull(2), open_pull(1)]), Timestamp::UNIX_EPOCH);
        heard(&mut reviews, review(open_pull(1), ROCKET, Word::Same, &[]));
        assert_eq!(words(&reviews), [(2, "waiting"), (1, "SAME")]);
        let moved = OpenPull { head: "0".repeat(40), ..open_pull(1) };
        reviews.list(Arc::new(vec![moved.clone()]), Timestamp::UNIX_EPOCH);
        assert_eq!(words(&reviews), [(1, "moved")], "of another commit than was reviewed");
        heard(&mut reviews, review(moved.clone(), ROCKET, Word::Differs, &["x"]));
        assert_eq!(words(&reviews), [(1, "DIFFERS")]);
        let retargeted = OpenPull { base: "release".into(), ..moved };
        reviews.list(Arc::new(vec![retargeted.clone()]), Timestamp::UNIX_EPOCH);
        assert_eq!(words(&reviews), [(1, "moved")], "for another branch than was reviewed");
        heard(&mut reviews, review(retargeted, ROCKET, Word::Same, &[]));
        assert_eq!(words(&reviews), [(1, "SAME")]);
    }

    #[test]
    fn what_was_hashed_stays_for_as_long_as_it_is_so() {
        let mut reviews = Reviews::default();
        reviews.list(Arc::new(vec![open_pull(1)]), Timestamp::UNIX_EPOCH);
        heard(&mut reviews, review(open_pull(1), ROCKET, Word::Same, &[]));
        heard(&mut reviews, review(open_pull(1), ROCKET, Word::NotHashed, &[]));
        assert_eq!(words(&reviews), [(1, "SAME")]);
        let based =
            Review { merge_base: "6".repeat(40), ..review(open_pull(1), ROCKET, Word::NotHashed, &[]) };
        heard(&mut reviews, based);
        assert_eq!(words(&reviews), [(1, "SAME, NOT HASHED")], "on another base it is another change");
        heard(&mut reviews, review(open_pull(1), ROCKET, Word::Unknown, &[]));
        assert_eq!(words(&reviews), [(1, "UNKNOWN")], "what is not known now is not fine");
    }

    /// A console that submits a verdict hashes the archives again if they were hashed for the review.
    #[test]
    fn archives_beside_a_warning_stay_hashed() {
        let warned = |lacks_hashes| {
            let mut review = review(open_pull(1), ROCKET, Word::PersonDecides, &["x"]);
            review.files[0].lacks_hashes = lacks_hashes;
            review
        };
        let mut reviews = Reviews::default();
        reviews.list(Arc::new(vec![open_pull(1)]), Timestamp::UNIX_EPOCH);
        let is_hashed = |reviews: &Reviews| reviews.found(1).map(Reviewed::is_hashed);
        for (lacks_hashes, wanted) in [(true, false), (false, true), (true, true)] {
            heard(&mut reviews, warned(lacks_hashes));
            assert_eq!(is_hashed(&reviews), Some(wanted));
        }
    }

    #[test]
    fn what_concerns_others_is_counted_and_not_listed() {
        let mut reviews = Reviews::default();
        reviews.list(Arc::new(vec![open_pull(1), open_pull(2), open_pull(3)]), Timestamp::UNIX_EPOCH);
        heard(&mut reviews, review(open_pull(1), "README.md", Word::Refused, &["x"]));
        heard(&mut reviews, review(open_pull(2), "Providers/x", Word::Refused, &["x"]));
        heard(&mut reviews, Review::unread(open_pull(3), "no answer".into()));
        assert_eq!(words(&reviews), [(2, "REFUSED"), (3, "UNKNOWN")], "what could not be read may be of it");
        assert_eq!(reviews.elsewhere(), 1);
    }

    /// The mark stays for as long as the pull request is listed, whichever of the two comes first.
    #[test]
    fn a_verdict_of_ones_own_is_kept_beside_the_review() {
        let own = |opinion, at: &str| OwnVerdict {
            pull: 1,
            opinion,
            commit: open_pull(1).head,
            at: at.parse().expect("a time"),
        };
        let mut reviews = Reviews::default();
        reviews.list(Arc::new(vec![open_pull(1), open_pull(2)]), Timestamp::UNIX_EPOCH);
        let mine = |reviews: &Reviews| reviews.found(1).and_then(|found| found.mine.clone());
        reviews.judge(own(Opinion::Comment, "2026-09-22T10:00:00Z"));
        heard(&mut reviews, review(open_pull(1), ROCKET, Word::Same, &[]));
        heard(&mut reviews, review(open_pull(2), ROCKET, Word::Same, &[]));
        assert_eq!(mine(&reviews).map(|own| own.opinion), Some(Opinion::Comment));
        assert_eq!(reviews.found(2).and_then(|found| found.mine.clone()), None);
        reviews.judge(own(Opinion::Approve, "2026-09-22T10:30:00Z"));
        assert_eq!(mine(&reviews).map(|own| own.opinion), Some(Opinion::Approve));
        heard(&mut reviews, review(open_pull(1), ROCKET, Word::Unknown, &[]));
        assert_eq!(mine(&reviews).map(|own| own.opinion), Some(Opinion::Approve));
    }
}
