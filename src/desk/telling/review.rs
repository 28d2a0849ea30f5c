//! Texts about pull requests that others opened: the word for each, its reason, and the result for each of
//! its files.

use jiff::Timestamp;

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::reviews::{Reviews, Standing};
use crate::desk::telling::{Glyph, Label, Message, Sign, Tone};
use crate::jobs::data::Job;
use crate::registry::{Address, short_id};
use crate::rules::amount::{clock, counted};
use crate::rules::plain_text::visible;
use crate::rules::review::{Mismatch, OpenPull, Opinion, Result as Word, Review, ReviewedFile};

pub(crate) const RESULT: Label = Label::of("RESULT");
pub(crate) const PULL: Label = Label::two("#", "number");
pub(crate) const BY: Label = Label::two("BY", "author");
pub(crate) const NEWS: Label = Label::two("NEWS", "last news");
pub(crate) const TITLE: Label = Label::of("TITLE");

/// The two sides of a value that differs.
pub(crate) const SIDES: [&str; 2] = ["pull request", "upstream"];
/// A note beside the reasons.
pub(crate) const ALSO: Label = Label::of("also");
pub(crate) const NEXT: Label = Label::of("next");
/// The commits that were compared, and when.
pub(crate) const COMPARED: Label = Label::of("compared");

/// Shown when the list is empty.
pub(crate) const NONE_OPEN: &str = "no open pull request touches what the registry serves";

/// The sign for a file, or for a whole review.
pub(crate) fn sign(result: Word) -> Sign {
    let (glyph, tone) = match result {
        Word::Same => (Glyph::FINE, Tone::Fine),
        Word::PersonDecides => (Glyph::NOTE, Tone::Warning),
        Word::NotHashed => (Glyph::NOTE, Tone::Late),
        Word::Unknown => (Glyph::UNKNOWN, Tone::Error),
        Word::Differs => (Glyph::WRONG, Tone::Wrong),
        Word::Refused => (Glyph::LOST, Tone::Lost),
    };
    glyph.sign(result.word(), tone)
}

/// The sign of a listed pull request.
pub(crate) fn standing(standing: Standing<'_>) -> Sign {
    match standing {
        Standing::Waiting => Glyph::WAITS.sign("NOT READ", Tone::Quiet),
        Standing::Reviewed(found) => sign(found.review.result),
        Standing::Moved(_) => Glyph::NOTE.sign("MOVED", Tone::Warning),
    }
}

/// `#12 Manual bump of acme/rocket`.
pub(crate) fn subject(pull: &OpenPull) -> String {
    format!("#{} {}", pull.number, visible(&pull.title))
}

/// The answer of a review in one sentence.
pub(crate) fn conclusion(pull: &OpenPull, standing: Standing<'_>) -> String {
    let review = match standing {
        Standing::Waiting => return "not reviewed yet".to_owned(),
        Standing::Moved(found) => return moved(pull, &found.review),
        Standing::Reviewed(found) => &found.review,
    };
    let deciding = || review.files.iter().filter(|file| file.result == review.result);
    let reasons: Vec<_> = deciding().flat_map(ReviewedFile::reasons).collect();
    let mismatches: Vec<&Mismatch> = reasons.iter().filter_map(|(_, mismatch)| *mismatch).collect();
    match &reasons[..] {
        [] if matches!(review.result, Word::Unknown | Word::Differs | Word::Refused) => why(review),
        [] => review.result.meaning().to_owned(),
        _ if review.result == Word::Differs && mismatches.len() == reasons.len() => differing(&mismatches),
        [(first, _)] => (*first).to_owned(),
        [(first, _), more @ ..] => format!("{first} (and {} more)", more.len()),
    }
}

/// `one checksum is not what upstream publishes`.
fn differing(mismatches: &[&Mismatch]) -> String {
    let noun = |field: &str| match field {
        "shasum" => "checksum",
        "download_url" | "shasums_url" | "shasums_signature_url" => "URL",
        _ => "value",
    };
    let first = mismatches.first().map_or("value", |one| noun(&one.field));
    let is_alike = mismatches.iter().all(|one| noun(&one.field) == first);
    let noun = if is_alike { first } else { "value" };
    match mismatches.len() {
        1 => format!("one {noun} is not what upstream publishes"),
        many => format!("{} are not what upstream publishes", counted(many, noun)),
    }
}

/// `1.9.0 linux_amd64 shasum`.
pub(crate) fn place(mismatch: &Mismatch) -> String {
    format!("{} {}", mismatch.place(), visible(&mismatch.field))
}

/// `by ann, a draft`.
pub(crate) fn author(pull: &OpenPull) -> String {
    let draft = if pull.draft { ", a draft" } else { "" };
    format!("by {}{draft}", visible(&pull.author))
}

/// `1a2b3c4 on 5d6e7f8`.
pub(crate) fn ids(review: &Review) -> String {
    let ids = [&review.pull.head, &review.merge_base];
    let ids: Vec<&str> = ids.into_iter().filter(|id| !id.is_empty()).map(|id| short_id(id)).collect();
    ids.join(" on ")
}

/// `by ann, the commit 1a2b3c4 on 5d6e7f8`.
pub(crate) fn commits(review: &Review) -> String {
    format!("{}, the commit {}", author(&review.pull), ids(review))
}

/// The reason for the word in one line: the first point of the deciding file, and the number of other points.
pub(crate) fn why(review: &Review) -> String {
    let decides = review.files.iter().find(|file| file.result == review.result && !file.points.is_empty());
    let Some(file) = decides else {
        return match (&review.files[..], &review.notes[..]) {
            ([], [note, ..]) => note.clone(),
            ([], []) => "it changes no file".into(),
            (files, _) => files.iter().map(versions).collect::<Vec<_>>().join("; "),
        };
    };
    let more = review.files.iter().map(|file| file.points.len()).sum::<usize>() - 1;
    let more = if more == 0 { String::new() } else { format!(" (and {more} more)") };
    format!("{}: {}{more}", name(file), file.points[0])
}

/// `acme/rocket 1.2.0, 1.1.0`.
fn versions(file: &ReviewedFile) -> String {
    match &file.versions[..] {
        [] => name(file),
        versions => format!("{} {}", name(file), visible(&versions.join(", "))),
    }
}

/// The entry's address, or the path of the file.
fn name(file: &ReviewedFile) -> String {
    match Address::from_path(&file.path) {
        Some(address) => address.to_string(),
        None => visible(&file.path).into_owned(),
    }
}

/// `its head is 1a2b3c4 now; at 5d6e7f8 it was DIFFERS`.
pub(crate) fn moved(pull: &OpenPull, found: &Review) -> String {
    let word = found.result.word();
    if found.pull.head == pull.head {
        return format!(
            "it is for {} now; for {} it was {word}",
            visible(&pull.base),
            visible(&found.pull.base)
        );
    }
    format!("its head is {} now; at {} it was {word}", short_id(&pull.head), short_id(&found.pull.head))
}

/// The reason for a listed pull request's standing, in one line: first the maintainer's own review, if there is one.
pub(crate) fn because(pull: &OpenPull, standing: Standing<'_>) -> String {
    let (Standing::Reviewed(found) | Standing::Moved(found)) = standing else { return String::new() };
    let own = own(pull, standing).map(|sign| sign.word);
    let reason = match standing {
        // The review of a person says more than the address, which stands in the title too.
        Standing::Reviewed(found) if own.is_some() && found.review.result == Word::Same => None,
        Standing::Reviewed(found) => Some(why(&found.review)),
        _ => Some(moved(pull, &found.review)),
    };
    own.into_iter().chain(reason).collect::<Vec<_>>().join("; ")
}

/// The review that this maintainer submitted: `approved by you 17:40Z`.
pub(crate) fn own(pull: &OpenPull, standing: Standing<'_>) -> Option<Sign> {
    let (Standing::Reviewed(found) | Standing::Moved(found)) = standing else { return None };
    let own = found.mine.as_ref()?;
    let is_of_head = own.commit == pull.head;
    let commit =
        if is_of_head { String::new() } else { format!(", on the earlier commit {}", short_id(&own.commit)) };
    // The date is left out on the day of the program's own review, which stands beside it.
    let text = format!("{} by you {}{commit}", own.opinion.effect(), clock(own.at, found.at));
    let (glyph, tone) = match own.opinion {
        _ if !is_of_head => (Glyph::NOTE, Tone::Warning),
        Opinion::Approve => (Glyph::FINE, Tone::Fine),
        Opinion::RequestChanges => (Glyph::WRONG, Tone::Notice),
        Opinion::Comment => (Glyph::NOTE, Tone::Notice),
    };
    Some(glyph.sign(text, tone))
}

/// The next step for a listed pull request.
pub(crate) fn next(desk: &Desk, pull: &OpenPull, standing: Standing<'_>) -> Option<Message> {
    let is_read = |job: &Job| match job {
        Job::Review(plan) => plan.number == pull.number,
        _ => false,
    };
    if desk.board.running(is_read).is_some() {
        return Some(Message::of("it is being reviewed"));
    }
    match standing {
        Standing::Waiting => None,
        Standing::Moved(_) => Some(
            Message::of("it changed since")
                .step(Ability::Review.number(pull.number), "reviews it as it is now"),
        ),
        Standing::Reviewed(found) => match found.review.result {
            _ if found.review.waits_for_hashes() => Some(
                Message::of("no archive was read")
                    .step(Ability::HashReview.number(pull.number), "downloads and hashes them"),
            ),
            Word::Unknown => Some(
                Message::of("something could not be read")
                    .step(Ability::Review.number(pull.number), "reads it again"),
            ),
            Word::Same => Some(
                Message::of("everything matches upstream")
                    .step(Ability::Judge.number(pull.number), "submits a review"),
            ),
            Word::PersonDecides | Word::NotHashed => Some(
                Message::of("a warning changes: read it, then decide")
                    .step(Ability::Judge.number(pull.number), "submits a review"),
            ),
            Word::Differs | Word::Refused => Some(
                Message::of("it is not to be approved as it is")
                    .step(Ability::Judge.number(pull.number), "requests changes, or comments"),
            ),
        },
    }
}

/// Explains why the list is empty.
pub(crate) fn none(desk: &Desk) -> Message {
    let is_read = |job: &Job| *job == Job::Reviews;
    match (&desk.reviews.failure, desk.reviews.listed_at()) {
        _ if desk.board.running(is_read).is_some() => Message::of("reading the open pull requests ..."),
        (Some(why), None) => {
            Message::of(format!("they could not be listed: {why}")).step(Ability::ListReviews, "tries again")
        }
        (_, Some(_)) => Message::of(NONE_OPEN).step(Ability::ListReviews, "lists them again"),
        (None, None) => Message::of("the open pull requests were not listed yet")
            .step(Ability::ListReviews, "lists and reviews them"),
    }
}

/// The path and the versions of a file, for the place beside its word.
pub(crate) fn of_file(file: &ReviewedFile) -> String {
    match &file.versions[..] {
        [] => visible(&file.path).into_owned(),
        versions => format!("{}: {}", visible(&file.path), visible(&versions.join(", "))),
    }
}

/// The number of open pull requests, the count of each word, and the time of the listing.
pub(crate) fn counts(reviews: &Reviews, now: Timestamp) -> Vec<String> {
    let rows = reviews.rows();
    if reviews.listed_at().is_none() {
        return Vec::new();
    }
    let mut parts = vec![counted(rows.len(), "open pull request")];
    let of = |word: Word| {
        let is_it = |standing: &Standing<'_>| matches!(standing, Standing::Reviewed(found) if found.review.result == word);
        rows.iter().filter(|(_, standing)| is_it(standing)).count()
    };
    for word in Word::ALL.into_iter().rev() {
        let count = of(word);
        parts.extend((count > 0).then(|| format!("{count} {}", word.word())));
    }
    let moved = rows.iter().filter(|(_, standing)| matches!(standing, Standing::Moved(_))).count();
    parts.extend((moved > 0).then(|| format!("{moved} moved")));
    let waiting = rows.iter().filter(|(_, standing)| matches!(standing, Standing::Waiting)).count();
    parts.extend((waiting > 0).then(|| format!("{waiting} not read")));
    let elsewhere = reviews.elsewhere();
    parts.extend((elsewhere > 0).then(|| format!("{elsewhere} more touch nothing of it")));
    parts.extend(reviews.listed_at().map(|at| format!("listed {}", clock(at, now))));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::reviews::Reviewed;
    use crate::desk::reviews::tests::{open_pull, review as found};
    use crate::rules::review::OwnVerdict;

    const ROCKET: &str = "providers/a/acme/rocket.json";

    fn mismatch(platform: Option<&str>, field: &str, point: usize) -> Mismatch {
        let value = |text: &str| Some(format!("\"{text}\""));
        Mismatch {
            version: Some("1.1.0".into()),
            platform: platform.map(str::to_owned),
            field: field.into(),
            claimed: value("a"),
            upstream: value("b"),
            point,
        }
    }

    fn reviewed(result: Word, points: &[&str], mismatches: Vec<Mismatch>) -> Reviewed {
        let sentences: Vec<String> = mismatches.iter().map(Mismatch::sentence).collect();
        let points: Vec<&str> = sentences.iter().map(String::as_str).chain(points.iter().copied()).collect();
        let mut review = found(open_pull(1), ROCKET, result, &points);
        review.files[0].mismatches = mismatches;
        Reviewed { review: review.into(), at: "2026-09-22T12:05:00Z".parse().expect("a time"), mine: None }
    }

    #[test]
    fn the_conclusion_is_one_sentence() {
        let linux = |field| mismatch(Some("linux_amd64"), field, 0);
        let sums = vec![linux("shasum"), mismatch(Some("linux_arm64"), "shasum", 1)];
        let mixed = vec![linux("shasum"), mismatch(None, "protocols", 1)];
        for (result, points, mismatches, wanted) in [
            (Word::Differs, &[][..], vec![linux("shasum")], "one checksum is not what upstream publishes"),
            (Word::Differs, &[], sums, "2 checksums are not what upstream publishes"),
            (Word::Differs, &[], vec![linux("download_url")], "one URL is not what upstream publishes"),
            (Word::Differs, &[], mixed, "2 values are not what upstream publishes"),
            (
                Word::Differs,
                &["1.2.0 is missing"],
                vec![linux("size")],
                "1.1.0 linux_amd64: size is \"a\", and upstream gives \"b\" (and 1 more)",
            ),
            (
                Word::Refused,
                &["1.0.0 is removed, and it is indexed"],
                vec![],
                "1.0.0 is removed, and it is indexed",
            ),
            (Word::Unknown, &["x"], vec![], "x"),
            (Word::Same, &[], vec![], Word::Same.meaning()),
        ] {
            let found = reviewed(result, points, mismatches);
            let pull = &found.review.pull;
            assert_eq!(conclusion(pull, Standing::Reviewed(&found)), wanted);
        }
        assert_eq!(conclusion(&open_pull(1), Standing::Waiting), "not reviewed yet");
    }

    #[test]
    fn ones_own_verdict_names_an_earlier_commit() {
        let pull = open_pull(1);
        let own = |opinion, commit: &str, at: &str| {
            let at = at.parse().expect("a time");
            let mine = OwnVerdict { pull: 1, opinion, commit: commit.into(), at };
            let found = Reviewed { mine: Some(mine), ..reviewed(Word::Same, &[], Vec::new()) };
            let sign = super::own(&pull, Standing::Reviewed(&found)).expect("it has one");
            let because = because(&pull, Standing::Reviewed(&found));
            assert_eq!(sign.word, because, "all of it matches: nothing is more to be said");
            (sign.glyph, sign.word)
        };
        let (head, older) = (&*pull.head, &*"f".repeat(40));
        for (opinion, commit, at, wanted) in [
            (Opinion::Approve, head, "2026-09-22T11:40:00Z", ("✓", "approved by you 11:40Z")),
            (
                Opinion::RequestChanges,
                head,
                "2026-09-21T11:40:00Z",
                ("⊗", "changes requested by you 2026-09-21 11:40Z"),
            ),
            (Opinion::Comment, head, "2026-09-22T11:40:00Z", ("!", "commented on by you 11:40Z")),
            (
                Opinion::Approve,
                older,
                "2026-09-22T11:40:00Z",
                ("!", "approved by you 11:40Z, on the earlier commit fffffff"),
            ),
        ] {
            assert_eq!(own(opinion, commit, at), (wanted.0, wanted.1.to_owned()));
        }
        let found = reviewed(Word::Differs, &["x"], Vec::new());
        let mine = OwnVerdict { pull: 1, opinion: Opinion::Comment, commit: pull.head.clone(), at: found.at };
        let found = Reviewed { mine: Some(mine), ..found };
        let text = because(&pull, Standing::Reviewed(&found));
        assert_eq!(text, "commented on by you 12:05Z; acme/rocket: x");
    }
}
