//! The open pull requests of the registry, as they were listed last, and what came of making each again.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::table::TableOrder;
use crate::rules::review::{LooksLike, OpenPull, OwnVerdict, PullDifferences, Result as Word, Review};
use crate::rules::sending::{Course, Request};
use crate::settings::words;

words! {
    /// The orders of the list.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) enum ReviewSort: [ALL, label] {
        #[default]
        Worst = "worst first",
        Updated = "last updated",
        Number = "number",
        Author = "author",
        Title = "title",
    }
}

/// A review and when it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reviewed {
    pub(crate) review: Arc<Review>,
    pub(crate) at: Timestamp,
    /// The newest review of it that this maintainer submitted.
    pub(crate) mine: Option<OwnVerdict>,
    /// The names that its authors read like and are not. They are kept, since the order of the list needs them.
    pub(crate) look_alikes: Vec<LooksLike>,
    /// A few words of its first reason, and the number of others. They are kept, so that no frame joins all points
    /// again.
    pub(crate) first_reason: Option<(String, usize)>,
}

impl Reviewed {
    pub(crate) fn new(review: impl Into<Arc<Review>>, at: Timestamp, mine: Option<OwnVerdict>) -> Self {
        let review = review.into();
        let first_reason =
            review.first_reason().map(|(_, reason, others)| (reason.brief.into_owned(), others));
        Self { look_alikes: review.look_alikes(), first_reason, review, at, mine }
    }

    /// Its archives were read, or it has none.
    pub(crate) fn is_hashed(&self) -> bool {
        matches!(self.review.result, Word::Same | Word::PersonDecides) && !self.review.waits_for_hashes()
    }
}

/// The standing of a listed pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing<'a> {
    /// It was not made again yet.
    Waiting,
    Reviewed(&'a Reviewed),
    /// Its head moved since, or it is for another branch: what was found is of another change.
    Moved(&'a Reviewed),
}

impl Standing<'_> {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Waiting => "NOT READ",
            Self::Reviewed(found) => found.review.result.word(),
            Self::Moved(_) => "MOVED",
        }
    }

    /// The word in a column, which has no room for a phrase.
    pub(crate) fn column_word(self) -> &'static str {
        match self {
            Self::Reviewed(found) => found.review.result.column_word(),
            Self::Waiting | Self::Moved(_) => self.word(),
        }
    }

    /// The names that its authors read like and are not.
    pub(crate) fn look_alikes(&self) -> &[LooksLike] {
        match self {
            Self::Reviewed(found) | Self::Moved(found) => &found.look_alikes,
            Self::Waiting => &[],
        }
    }

    /// Its place among all words, the worst first: what must not be merged, what needs a person, what is not known yet, and last
    /// what is as upstream has it.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Reviewed(found) => match found.review.result {
                Word::Differs => 0,
                Word::Refused => 1,
                Word::Unknown => 2,
                Word::PersonDecides => 3,
                Word::NotHashed => 6,
                Word::Same => 7,
            },
            Self::Moved(_) => 4,
            Self::Waiting => 5,
        }
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    /// Those with the newest news first, and when they were listed; `None` before that.
    listed: Option<(Arc<Vec<OpenPull>>, Timestamp)>,
    found: BTreeMap<u64, Reviewed>,
    /// The lines of the pull request that was reviewed alone last.
    pub(crate) differences: Option<Arc<PullDifferences>>,
    /// By the number of the pull request.
    own: BTreeMap<u64, OwnVerdict>,
    /// Those that touch what the registry serves, as the list shows them. It is kept, since a frame needs it several times.
    order: TableOrder<ReviewSort>,
    /// Bytes of the longest word, number and author.
    longest: [usize; 3],
    /// Why they could not be listed the last time.
    pub(crate) failure: Option<String>,
}

impl Reviews {
    pub(crate) fn list(&mut self, pulls: Arc<Vec<OpenPull>>, now: Timestamp) {
        self.found.retain(|number, _| pulls.iter().any(|pull| pull.number == *number));
        (self.listed, self.failure) = (Some((pulls, now)), None);
        self.arrange();
    }

    /// Takes a review. The list takes the head and the branch that it read, unless the list has later news of the pull request.
    pub(crate) fn take(&mut self, review: Arc<Review>, now: Timestamp) {
        let read = &review.pull;
        let is_old =
            |pull: &OpenPull| pull.number == read.number && !pull.is_as(read) && pull.updated <= read.updated;
        if let Some((pulls, _)) = &mut self.listed
            && let Some(at) = pulls.iter().position(is_old)
        {
            Arc::make_mut(pulls)[at].clone_from(&review.pull);
        }
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
                    before.look_alikes = before.review.look_alikes();
                }
            }
            _ => {
                let (number, mine) = (review.pull.number, self.own.get(&review.pull.number).cloned());
                self.found.insert(number, Reviewed::new(review, now, mine));
            }
        }
        self.arrange();
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

    /// Sorts the list; the present order is reversed.
    pub(crate) fn sort(&mut self, sort: ReviewSort) {
        self.order.sort.choose(sort);
        self.arrange();
    }

    /// Shows only the rows that have these words.
    pub(crate) fn filter(&mut self, words: &str) {
        words.clone_into(&mut self.order.filter);
        self.arrange();
    }

    fn arrange(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        let rows: Vec<(&OpenPull, Standing<'_>)> = self.each().collect();
        let is_ours = |at: &usize| !is_elsewhere(rows[*at].1);
        order.arrange(
            (0..rows.len()).filter(is_ours),
            |sort, a, b| compare(sort, rows[a], rows[b]),
            |at| text(rows[at]),
        );
        let lengths = rows.iter().map(|(pull, standing)| {
            [standing.column_word().len(), pull.number.to_string().len(), pull.author.len()]
        });
        let longest = lengths.fold([0; 3], |longest, row| {
            [longest[0].max(row[0]), longest[1].max(row[1]), longest[2].max(row[2])]
        });
        (self.order, self.longest) = (order, longest);
    }

    /// Nobody asked for them yet.
    pub(crate) fn is_new(&self) -> bool {
        self.listed.is_none() && self.failure.is_none()
    }

    /// Both differences of a listed pull request, if they were read at its present head.
    pub(crate) fn differences(&self, number: u64) -> Option<&Arc<PullDifferences>> {
        let is_head = |lines: &PullDifferences| {
            self.pulls().iter().all(|pull| pull.number != lines.number || pull.head == lines.head)
        };
        self.differences.as_ref().filter(|lines| lines.number == number && is_head(lines))
    }

    /// The last review of a pull request.
    pub(crate) fn found(&self, number: u64) -> Option<&Reviewed> {
        self.found.get(&number)
    }

    /// Returns true if the archives of a pull request, as it is now, were downloaded and hashed.
    pub(crate) fn was_hashed(&self, number: u64) -> bool {
        let pull = self.pulls().iter().find(|pull| pull.number == number);
        pull.is_some_and(|pull| matches!(self.standing(pull), Standing::Reviewed(found) if found.is_hashed()))
    }

    /// When they were listed last.
    pub(crate) fn listed_at(&self) -> Option<Timestamp> {
        self.listed.as_ref().map(|(_, at)| *at)
    }

    /// The list: those that touch what the registry serves, as far as it is known, sorted and filtered.
    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = (&OpenPull, Standing<'_>)> {
        self.order.shown().iter().map(|at| self.at(*at))
    }

    /// One row of the list.
    pub(crate) fn row(&self, place: usize) -> Option<(&OpenPull, Standing<'_>)> {
        self.order.shown().get(place).map(|at| self.at(*at))
    }

    /// The place of a pull request in the list.
    pub(crate) fn place_of(&self, number: u64) -> Option<usize> {
        self.order.shown().iter().position(|at| self.pulls()[*at].number == number)
    }

    /// All that touch what the registry serves, whatever the filter shows.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&OpenPull, Standing<'_>)> {
        self.each().filter(|(_, standing)| !is_elsewhere(*standing))
    }

    /// The number of those that touch nothing that the registry serves.
    pub(crate) fn elsewhere(&self) -> usize {
        self.pulls().len() - self.order.count()
    }

    pub(crate) fn order(&self) -> &TableOrder<ReviewSort> {
        &self.order
    }

    /// `worst first`, or `worst first, reversed`.
    pub(crate) fn order_label(&self) -> String {
        self.order.sort.label(self.order.sort.by.label())
    }

    pub(crate) fn longest(&self) -> [usize; 3] {
        self.longest
    }

    fn pulls(&self) -> &[OpenPull] {
        self.listed.as_ref().map_or(&[], |(pulls, _)| pulls)
    }

    fn at(&self, at: usize) -> (&OpenPull, Standing<'_>) {
        let pull = &self.pulls()[at];
        (pull, self.standing(pull))
    }

    /// All that are open, as they were listed.
    fn each(&self) -> impl Iterator<Item = (&OpenPull, Standing<'_>)> {
        self.pulls().iter().map(|pull| (pull, self.standing(pull)))
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

/// Compares two rows. Equal ones stay in the order of the listing, which begins with the last updated.
fn compare(
    sort: ReviewSort,
    (a, first): (&OpenPull, Standing<'_>),
    (b, second): (&OpenPull, Standing<'_>),
) -> Ordering {
    match sort {
        ReviewSort::Worst => {
            // An author whose name only resembles the owner's comes right after what is refused.
            let place = |found: Standing<'_>| {
                let (rank, resembles) = (found.rank(), !found.look_alikes().is_empty());
                (if resembles { rank.min(1) } else { rank }, resembles && rank > 1, rank)
            };
            place(first).cmp(&place(second))
        }
        ReviewSort::Updated => Reverse(a.updated).cmp(&Reverse(b.updated)),
        ReviewSort::Number => Reverse(a.number).cmp(&Reverse(b.number)),
        ReviewSort::Author => a.author.to_lowercase().cmp(&b.author.to_lowercase()),
        ReviewSort::Title => a.title.to_lowercase().cmp(&b.title.to_lowercase()),
    }
}

/// The text that a filter searches: number, word, author, title, files and reasons.
fn text((pull, standing): (&OpenPull, Standing<'_>)) -> String {
    let words = [standing.word(), standing.column_word()].join(" ");
    let mut text = format!("#{} {words} {} {}", pull.number, pull.author, pull.title);
    if let Standing::Reviewed(found) | Standing::Moved(found) = standing {
        for file in &found.review.files {
            let _ = write!(text, " {} {}", file.path, file.versions.join(" "));
            for point in &file.points {
                let _ = write!(text, " {}", &**point);
            }
        }
    }
    text
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

    /// A review of one file with this result.
    pub(crate) fn review(pull: OpenPull, path: &str, result: Word, points: &[&str]) -> Review {
        let points = points.iter().map(|point| (*point).into()).collect();
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
        reviews.rows().map(|(pull, standing)| (pull.number, word(standing))).collect()
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
        let pushed = OpenPull { head: "9".repeat(40), ..moved.clone() };
        heard(&mut reviews, review(pushed.clone(), ROCKET, Word::Same, &[]));
        assert_eq!(words(&reviews), [(1, "SAME")], "the list knows the head that the review read");
        assert_eq!(reviews.pulls()[0].head, pushed.head);
        heard(&mut reviews, review(moved.clone(), ROCKET, Word::Differs, &["x"]));
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

    /// A pull request of each word, those with the newest news first.
    fn one_of_each() -> Reviews {
        let mut reviews = Reviews::default();
        let results = [
            Word::Same,
            Word::NotHashed,
            Word::PersonDecides,
            Word::Unknown,
            Word::Differs,
            Word::Refused,
            Word::Same,
        ];
        let mut pulls: Vec<OpenPull> = (1..=9).map(open_pull).collect();
        for (at, pull) in pulls.iter_mut().enumerate() {
            pull.updated -= jiff::SignedDuration::from_hours(at as i64);
        }
        pulls[2].author = "Bea".into();
        for (pull, result) in pulls.iter().zip(results) {
            heard(&mut reviews, review(pull.clone(), ROCKET, result, &["1.1.0 linux_amd64: a point"]));
        }
        // The eighth moved since, and the ninth was not read.
        heard(&mut reviews, review(pulls[7].clone(), ROCKET, Word::Refused, &[]));
        pulls[7].head = "0".repeat(40);
        reviews.list(Arc::new(pulls), Timestamp::UNIX_EPOCH);
        reviews
    }

    fn numbers(reviews: &Reviews) -> Vec<u64> {
        reviews.rows().map(|(pull, _)| pull.number).collect()
    }

    #[test]
    fn the_worst_come_first_and_then_the_newest() {
        let mut reviews = one_of_each();
        let wanted = [
            (5, "DIFFERS"),
            (6, "REFUSED"),
            (4, "UNKNOWN"),
            (3, "A PERSON DECIDES"),
            (8, "moved"),
            (9, "waiting"),
            (2, "SAME, NOT HASHED"),
            (1, "SAME"),
            (7, "SAME"),
        ];
        assert_eq!(words(&reviews), wanted);
        // A review that comes in moves its row at once.
        heard(&mut reviews, review(open_pull(9), ROCKET, Word::Differs, &["x"]));
        assert_eq!(numbers(&reviews)[..2], [5, 9]);
        assert_eq!((reviews.place_of(9), reviews.place_of(10)), (Some(1), None));
    }

    #[test]
    fn each_order_can_be_reversed() {
        let mut reviews = one_of_each();
        for (sort, wanted) in [
            (ReviewSort::Updated, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
            (ReviewSort::Updated, [9, 8, 7, 6, 5, 4, 3, 2, 1]),
            (ReviewSort::Number, [9, 8, 7, 6, 5, 4, 3, 2, 1]),
            (ReviewSort::Author, [1, 2, 4, 5, 6, 7, 8, 9, 3]),
            (ReviewSort::Title, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ] {
            reviews.sort(sort);
            assert_eq!(numbers(&reviews), wanted, "{}", sort.label());
        }
    }

    /// Words of the result, the author and the reasons are found; the figures of all rows stay.
    #[test]
    fn plain_words_filter_the_list() {
        let mut reviews = one_of_each();
        for (filter, wanted) in [
            ("differs", vec![5]),
            ("bea", vec![3]),
            ("#7", vec![7]),
            ("linux_amd64 !same", vec![5, 6, 4, 3]),
            ("nothing has this", vec![]),
        ] {
            reviews.filter(filter);
            assert_eq!(numbers(&reviews), wanted, "{filter}");
            assert_eq!((reviews.all().count(), reviews.order().count(), reviews.elsewhere()), (9, 9, 0));
        }
    }
}
