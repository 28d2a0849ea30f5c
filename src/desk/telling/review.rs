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
use crate::rules::review::{OpenPull, Result as Word, Review, ReviewedFile};

pub(crate) const RESULT: Label = Label::of("RESULT");
pub(crate) const PULL: Label = Label::two("#", "number");
pub(crate) const BY: Label = Label::two("BY", "author");
pub(crate) const NEWS: Label = Label::two("NEWS", "last news");
pub(crate) const TITLE: Label = Label::of("TITLE");

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

/// `by ann, a draft, the commit 1a2b3c4`.
pub(crate) fn by(pull: &OpenPull) -> String {
    let draft = if pull.draft { ", a draft" } else { "" };
    format!("by {}{draft}, the commit {}", visible(&pull.author), short_id(&pull.head))
}

/// `by ann, the commit 1a2b3c4 on 5d6e7f8`.
pub(crate) fn commits(review: &Review) -> String {
    let base = match &*review.merge_base {
        "" => String::new(),
        base => format!(" on {}", short_id(base)),
    };
    format!("{}{base}", by(&review.pull))
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

/// The reason for a listed pull request's standing, in one line.
pub(crate) fn because(pull: &OpenPull, standing: Standing<'_>) -> String {
    match standing {
        Standing::Waiting => String::new(),
        Standing::Reviewed(found) => why(&found.review),
        Standing::Moved(found) => moved(pull, &found.review),
    }
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
