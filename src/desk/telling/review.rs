//! Texts about pull requests that others opened: the word for each, its reason, and the result for each of
//! its files.

use jiff::Timestamp;

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::reviews::{ReviewSort, Reviews, Standing};
use crate::desk::table::{ColumnWidth, Cut, TableCell, TableColumn};
use crate::desk::telling::column::WHY;
use crate::desk::telling::{Fact, Glyph, Label, Message, Sign, Tone, around};
use crate::jobs::data::Job;
use crate::registry::{Address, short_id};
use crate::rules::Level;
use crate::rules::amount::{Form, age, clock, counted};
use crate::rules::plain_text::visible;
use crate::rules::review::{
    Against, Mismatch, OpenPull, Opinion, Reason, Result as Word, Review, ReviewedFile,
};

pub(crate) const RESULT: Label = Label::of("RESULT");
pub(crate) const PULL: Label = Label::two("#", "number");
pub(crate) const BY: Label = Label::two("BY", "author");
pub(crate) const UPDATED: Label = Label::two("UPDATED", "last update");
pub(crate) const TITLE: Label = Label::of("TITLE");

/// The two sides of a value that differs.
pub(crate) const SIDES: [&str; 2] = ["pull request", "upstream"];
/// A note beside the reasons.
pub(crate) const ALSO: Label = Label::of("also");
pub(crate) const NEXT: Label = Label::of("next");
/// The commits that were compared, and when.
pub(crate) const COMPARED: Label = Label::of("compared");

/// The list. Beside the result stand the number, the reason and the last update at every width.
pub(crate) const COLUMNS: [TableColumn; 6] = [
    TableColumn::new(RESULT, ColumnWidth::Content { least: 9 }, Cut::End, 1),
    TableColumn::new(PULL, ColumnWidth::Content { least: 0 }, Cut::Right, 0),
    TableColumn::new(WHY, ColumnWidth::Rest { wants: 40, least: 20 }, Cut::End, 3),
    TableColumn::new(UPDATED, ColumnWidth::Content { least: 0 }, Cut::Right, 2),
    TableColumn::new(BY, ColumnWidth::Content { least: 0 }, Cut::End, 5),
    TableColumn::new(TITLE, ColumnWidth::Rest { wants: 30, least: 0 }, Cut::End, 4),
];

/// The order that a column sorts by.
pub(crate) const SORTS: [Option<ReviewSort>; COLUMNS.len()] = [
    Some(ReviewSort::Worst),
    Some(ReviewSort::Number),
    None,
    Some(ReviewSort::Updated),
    Some(ReviewSort::Author),
    Some(ReviewSort::Title),
];

/// The longest text of each column.
pub(crate) fn longest(reviews: &Reviews) -> [usize; COLUMNS.len()] {
    let [word, number, author] = reviews.longest();
    // Before the word stands a glyph. An age has four cells at most, and a login 14 that are worth their room.
    [word + 2, number, 0, 4, author.min(14), 0]
}

/// The text of a row in one of the columns.
pub(crate) fn cell<'a>(
    (pull, standing): (&'a OpenPull, Standing<'a>),
    column: usize,
    now: Timestamp,
) -> TableCell<'a> {
    match column {
        0 => self::standing(standing).into(),
        1 => TableCell::of(pull.number.to_string(), Tone::Quiet),
        2 if !standing.look_alikes().is_empty() => {
            TableCell::of(because(pull, standing), Tone::Of(Level::Act))
        }
        2 => TableCell::of(because(pull, standing), Tone::Plain),
        3 => TableCell::of(age(pull.updated, now, Form::Short), Tone::Quiet),
        4 => TableCell::of(&*pull.author, Tone::Plain),
        _ => TableCell::of(&*pull.title, Tone::Plain),
    }
}

/// Shown when the list is empty.
pub(crate) const NONE_OPEN: &str = "no open pull request touches what the registry serves";

/// The sign for a file, or for a whole review.
pub(crate) fn sign(result: Word) -> Sign {
    let (glyph, level) = match result {
        Word::Same => (Glyph::FINE, Level::Fine),
        Word::PersonDecides => (Glyph::NOTE, Level::Look),
        Word::NotHashed => (Glyph::WAITS, Level::Wait),
        Word::Unknown => (Glyph::UNKNOWN, Level::Look),
        Word::Differs => (Glyph::WRONG, Level::Act),
        Word::Refused => (Glyph::LOST, Level::Act),
    };
    glyph.sign(result.word(), Tone::Of(level))
}

/// The sign with the short word of a column, which the page beside the column repeats.
pub(crate) fn short_sign(result: Word) -> Sign {
    Sign { word: result.column_word().to_owned(), ..sign(result) }
}

/// The sign of a listed pull request, with the short word.
pub(crate) fn standing(standing: Standing<'_>) -> Sign {
    match standing {
        Standing::Waiting => Glyph::WAITS.sign(standing.word(), Tone::Quiet),
        Standing::Reviewed(found) if found.look_alikes.is_empty() => short_sign(found.review.result),
        // Its colour is that of its place in the list.
        Standing::Reviewed(found) => Sign { tone: Tone::Of(Level::Act), ..short_sign(found.review.result) },
        Standing::Moved(_) => Glyph::NOTE.sign(standing.word(), Tone::Warning),
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
    let reasons: Vec<Reason<'_>> = deciding().flat_map(ReviewedFile::reasons).collect();
    let mismatches: Vec<&Mismatch> = deciding().flat_map(|file| &file.mismatches).collect();
    let points = deciding().map(|file| file.points.len()).sum::<usize>();
    match &reasons[..] {
        [] if matches!(review.result, Word::Unknown | Word::Differs | Word::Refused) => why(review),
        [] => review.short_meaning().to_owned(),
        _ if review.result == Word::Differs && mismatches.len() == points => differing(&mismatches),
        // A grid below names the platforms.
        [first, ..] if first.mark.is_some() => first.text.clone().into_owned(),
        [first, ..] => first.sentence(),
    }
}

/// The noun for a field that has none of its own.
const VALUE: &str = "value";

/// The noun for the value of a field.
fn noun(field: &str) -> &'static str {
    match field {
        "shasum" => "checksum",
        "download_url" | "shasums_url" | "shasums_signature_url" => "URL",
        _ => VALUE,
    }
}

/// `one checksum is not what upstream publishes`.
fn differing(mismatches: &[&Mismatch]) -> String {
    let first = mismatches.first().map_or(VALUE, |one| noun(&one.field));
    let is_alike = mismatches.iter().all(|one| noun(&one.field) == first);
    let noun = if is_alike { first } else { VALUE };
    match mismatches.len() {
        1 => format!("one {noun} is not what upstream publishes"),
        many => format!("{} are not what upstream publishes", counted(many, noun)),
    }
}

/// The two sides of the lines of a pull request.
pub(crate) const fn side(against: Against) -> &'static str {
    match against {
        Against::Base => "base → head",
        Against::Upstream => "upstream → head",
    }
}

/// The command line that prints the lines of a pull request.
pub(crate) fn command_line(number: u64, against: Against) -> String {
    let flag = match against {
        Against::Base => "--diff",
        Against::Upstream => "--against-upstream",
    };
    format!("bumpdesk review {number} {flag}")
}

/// Shown in place of the lines if there is no difference.
pub(crate) const fn no_difference(against: Against) -> &'static str {
    match against {
        Against::Base => "the file has the same bytes before and after",
        Against::Upstream => "nothing differs: upstream gives the same file",
    }
}

/// Shown in place of lines that no screen lays out.
pub(crate) fn too_long(limit: &str, number: u64, against: Against) -> String {
    format!("{limit}; `{}` prints them", command_line(number, against))
}

/// The title of a pull request by its number; the number alone if it is not listed.
pub(crate) fn subject_of(desk: &Desk, number: u64) -> String {
    let pull = desk.reviews.all().map(|(pull, _)| pull).find(|pull| pull.number == number);
    pull.map_or_else(|| format!("#{number}"), subject)
}

/// The result of the review of a pull request, where there is one.
pub(crate) fn result_of(desk: &Desk, number: u64) -> Option<Sign> {
    desk.reviews.found(number).map(|found| sign(found.review.result))
}

/// The result of one file of a pull request and its first reason: a sentence, and a few words where it has no room.
pub(crate) fn file_result(desk: &Desk, number: u64, path: &str) -> Option<(Sign, [String; 2])> {
    let review = &desk.reviews.found(number)?.review;
    let file = review.files.iter().find(|file| file.path == path)?;
    let reasons = file.reasons();
    let texts = match &reasons[..] {
        [] => [file.result.meaning(), file.result.meaning()].map(str::to_owned),
        [one] => [one.sentence(), one.brief.to_string()],
        [first, more @ ..] => {
            [format!("{} (and {} more)", first.text, more.len()), brief(&first.brief, more.len())]
        }
    };
    Some((sign(file.result), texts))
}

/// The reason why the lines of a pull request are not there.
pub(crate) fn no_lines(desk: &Desk, number: u64) -> String {
    match desk.reviews.differences(number) {
        Some(_) => "it changes no file".to_owned(),
        None if desk.board.running(|job| is_review_of(job, number)).is_some() => {
            "reading the pull request ...".to_owned()
        }
        None => "its lines could not be read; read it again from Reviews".to_owned(),
    }
}

/// Returns true if a job reviews this pull request alone.
pub(crate) fn is_review_of(job: &Job, number: u64) -> bool {
    matches!(job, Job::Review(plan) if plan.number == number)
}

/// `1.9.0 linux_amd64 shasum`.
pub(crate) fn place(mismatch: &Mismatch) -> String {
    format!("{} {}", mismatch.place(), visible(&mismatch.field))
}

/// A name that is not the one it reads like, with its sign.
pub(crate) fn name_sign(fact: &Fact) -> Sign {
    Glyph::WRONG.sign(&*fact.text, fact.tone)
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
    match review.first_reason() {
        Some((file, reason, others)) => {
            let more = if others > 0 { format!(" (and {others} more)") } else { String::new() };
            format!("{}: {}{more}", name(file), reason.sentence())
        }
        None => versions_or_note(review),
    }
}

/// The reason for a listed pull request's standing, for a column: it begins with what is wrong, and leaves out the entry.
fn reason(pull: &OpenPull, standing: Standing<'_>) -> String {
    match standing {
        // The title is all that is known of it.
        Standing::Waiting => visible(&pull.title).into_owned(),
        Standing::Moved(found) => {
            let change = if found.review.pull.head == pull.head { "retargeted" } else { "changed" };
            format!("{change} since it was {}", found.review.result.word())
        }
        Standing::Reviewed(found) => match &found.first_reason {
            Some((words, others)) => brief(words, *others),
            None => versions_or_note(&found.review),
        },
    }
}

/// A few words, and the number of other reasons: `linux_amd64 checksum differs +2 more`.
fn brief(words: &str, others: usize) -> String {
    match others {
        0 => words.to_owned(),
        others => format!("{words} +{others} more"),
    }
}

/// A text for a review without a reason.
fn versions_or_note(review: &Review) -> String {
    match (&review.files[..], &review.notes[..]) {
        ([], [note, ..]) => note.clone(),
        ([], []) => "it changes no file".into(),
        (files, _) => files.iter().map(versions).collect::<Vec<_>>().join("; "),
    }
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

/// The text of WHY: the maintainer's own review, if there is one, and the reason for the standing.
fn because(pull: &OpenPull, standing: Standing<'_>) -> String {
    let own = own(pull, standing).map(|sign| sign.word);
    let resembles = standing.look_alikes().first();
    let resembles = resembles.map(|one| format!("author resembles {}", visible(&one.name)));
    let reason = match standing {
        // A review by hand, or a warning about the author, says more than the versions, which stand in the title too.
        Standing::Reviewed(found)
            if (own.is_some() || resembles.is_some())
                && matches!(found.review.result, Word::Same | Word::NotHashed) =>
        {
            None
        }
        _ => Some(reason(pull, standing)),
    };
    own.into_iter().chain(resembles).chain(reason).collect::<Vec<_>>().join("; ")
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
    if desk.board.running(|job| is_review_of(job, pull.number)).is_some() {
        return Some(Message::of("it is being reviewed"));
    }
    match standing {
        Standing::Waiting => None,
        Standing::Moved(_) => Some(
            Message::of("it changed since")
                .step(Ability::Review.number(pull.number), "reviews it as it is now"),
        ),
        // A comment decides nothing.
        Standing::Reviewed(found)
            if found
                .mine
                .as_ref()
                .is_some_and(|own| own.commit == pull.head && own.opinion != Opinion::Comment) =>
        {
            Some(
                Message::of("your review of this commit is submitted")
                    .step(Ability::Judge.number(pull.number), "submits another"),
            )
        }
        Standing::Reviewed(found) => match found.review.result {
            Word::Same | Word::NotHashed | Word::PersonDecides if !found.look_alikes.is_empty() => Some(
                Message::of("ask the owner whether the author acts for them")
                    .step(Ability::Judge.number(pull.number), "comments"),
            ),
            _ if found.review.waits_for_hashes() => Some(
                Message::of("no archive was read")
                    .step(Ability::HashReview.number(pull.number), "downloads and hashes them"),
            ),
            Word::Unknown => Some(
                Message::of("something could not be read")
                    .step(Ability::Review.number(pull.number), "reads it again"),
            ),
            Word::Same => Some(
                Message::of(format!("{}{}", matches(&found.review), around::doubt(&found.review)))
                    .step(Ability::Judge.number(pull.number), "submits a review"),
            ),
            Word::PersonDecides | Word::NotHashed => Some(
                Message::of("a warning changes: read it, then decide")
                    .step(Ability::Judge.number(pull.number), "submits a review"),
            ),
            Word::Differs | Word::Refused => Some(
                Message::of("do not approve it as it is")
                    .step(Ability::Judge.number(pull.number), "requests changes or comments"),
            ),
        },
    }
}

/// The reason to approve a review that is the same. No upstream gives a key.
fn matches(review: &Review) -> &'static str {
    let has_entries = review.files.iter().any(|file| Address::from_path(&file.path).is_some());
    if has_entries { "everything matches upstream" } else { "the keys sign what is indexed" }
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

/// The number of open pull requests, the counts of all words, the worst first, and the time of the listing: `11 open`,
/// `2 DIFFERS, 9 SAME`.
pub(crate) fn counts(reviews: &Reviews, now: Timestamp) -> Vec<String> {
    if reviews.listed_at().is_none() {
        return Vec::new();
    }
    let mut all: Vec<Standing<'_>> = reviews.all().map(|(_, standing)| standing).collect();
    all.sort_by_key(|standing| standing.rank());
    let mut parts = vec![format!("{} open", all.len())];
    let words = all.chunk_by(|a, b| a.rank() == b.rank());
    let words: Vec<String> = words.map(|same| format!("{} {}", same.len(), same[0].column_word())).collect();
    // One part: a count that is left out would make the others look like all of them.
    parts.push(words.join(", "));
    let elsewhere = reviews.elsewhere();
    parts.extend((elsewhere > 0).then(|| format!("{elsewhere} more touch nothing of it")));
    parts.extend(reviews.listed_at().map(|at| format!("listed {}", clock(at, now))));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::reviews::Reviewed;
    use crate::desk::reviews::tests::{open_pull, review};
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
        let mut review = review(open_pull(1), ROCKET, result, &points);
        review.files[0].mismatches = mismatches;
        Reviewed::new(review, "2026-09-22T12:05:00Z".parse().expect("a time"), None)
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
                "1.1.0 linux_amd64: size is \"a\", and upstream gives \"b\"",
            ),
            (
                Word::Refused,
                &["1.0.0 is removed, and it is indexed"],
                vec![],
                "1.0.0 is removed, and it is indexed",
            ),
            (Word::Unknown, &["x"], vec![], "x"),
            (
                Word::Same,
                &[],
                vec![],
                "byte for byte what upstream gives; every archive of these versions was downloaded and hashed",
            ),
        ] {
            let found = reviewed(result, points, mismatches);
            let pull = &found.review.pull;
            assert_eq!(conclusion(pull, Standing::Reviewed(&found)), wanted);
        }
        assert_eq!(conclusion(&open_pull(1), Standing::Waiting), "not reviewed yet");
        // Nothing is claimed about archives that do not exist.
        let module = "modules/a/acme/rocket/aws.json";
        let found = Reviewed::new(review(open_pull(1), module, Word::Same, &[]), Timestamp::UNIX_EPOCH, None);
        let text = conclusion(&open_pull(1), Standing::Reviewed(&found));
        assert_eq!(text, "byte for byte what upstream gives; modules have no archives");
    }

    /// A login that reads like the owner's is the first thing that the list says, above others with the same result.
    #[test]
    fn an_author_who_resembles_the_owner_stands_out() {
        let pull = OpenPull { author: "acm3".into(), ..open_pull(1) };
        let of = |result, points: &[&str]| review(pull.clone(), ROCKET, result, points);
        for (result, points, wanted) in [
            (Word::NotHashed, &[][..], "author resembles acme"),
            (Word::Differs, &["x"], "author resembles acme; x"),
        ] {
            let found = Reviewed::new(of(result, points), Timestamp::UNIX_EPOCH, None);
            let cell = cell((&pull, Standing::Reviewed(&found)), 2, Timestamp::UNIX_EPOCH);
            assert_eq!(cell, TableCell::of(wanted, Tone::Of(Level::Act)));
            let [name] = &around::names(&found.look_alikes)[..] else { panic!("one name") };
            assert_eq!(name.text, "acm3 is not acme: the digit 3 in the place of the letter e");
            assert_eq!(name_sign(name).tone, Tone::Of(Level::Act));
        }
        let mut reviews = Reviews::default();
        reviews.list(std::sync::Arc::new(vec![open_pull(2), pull.clone()]), Timestamp::UNIX_EPOCH);
        for (others, wanted) in
            [(Word::Same, [1, 2]), (Word::Unknown, [1, 2]), (Word::Refused, [2, 1]), (Word::Differs, [2, 1])]
        {
            let honest = review(open_pull(2), ROCKET, others, &["x"]);
            for found in [honest, of(Word::Same, &[])] {
                reviews.take(found.into(), Timestamp::UNIX_EPOCH);
            }
            let order: Vec<u64> = reviews.rows().map(|(pull, _)| pull.number).collect();
            assert_eq!(order, wanted, "beside one that is {others:?}");
        }
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
        assert_eq!(text, "commented on by you 12:05Z; x");
    }

    #[test]
    fn the_next_step_knows_ones_own_review() {
        let pull = open_pull(1);
        let next_after = |opinion, commit: &str| {
            let at = "2026-09-22T11:40:00Z".parse().expect("a time");
            let mine = OwnVerdict { pull: 1, opinion, commit: commit.into(), at };
            let found = Reviewed { mine: Some(mine), ..reviewed(Word::Differs, &["x"], Vec::new()) };
            next(&Desk::default(), &pull, Standing::Reviewed(&found)).expect("a step").text
        };
        let changes = Opinion::RequestChanges;
        assert_eq!(next_after(changes, &pull.head), "your review of this commit is submitted");
        let other = "do not approve it as it is";
        assert_eq!(next_after(changes, &"f".repeat(40)), other, "it was of another commit");
        assert_eq!(next_after(Opinion::Comment, &pull.head), other, "a comment decides nothing");
    }

    #[test]
    fn the_reason_comes_first_and_the_entry_is_not_repeated() {
        let path = "providers/a/acme/rocket.json";
        let text = |result: Word, points: &[&str]| {
            let found =
                Reviewed::new(review(open_pull(1), path, result, points), Timestamp::UNIX_EPOCH, None);
            reason(&open_pull(1), Standing::Reviewed(&found))
        };
        for (result, points, wanted) in [
            (Word::Differs, &["1.1.0 linux_amd64: shasum is \"a\""][..], "linux_amd64: shasum is \"a\""),
            (Word::Unknown, &["1.1.0: SHA256SUMS could not be read"], "SHA256SUMS could not be read"),
            (Word::Refused, &["1.0.0 is removed", "1.0.1 is removed"], "1.0.0 is removed +1 more"),
            (Word::Differs, &["1.1.0-beta1 linux_amd64: x"], "1.1.0-beta1 linux_amd64: x"),
            (Word::Same, &[], "acme/rocket 1.1.0"),
        ] {
            assert_eq!(text(result, points), wanted);
        }
        assert_eq!(reason(&open_pull(1), Standing::Waiting), "Manual bump of acme/rocket 1");
        let found = review(open_pull(1), path, Word::Differs, &["1.1.0: x"]);
        assert_eq!(why(&found), "acme/rocket: 1.1.0: x", "prose names the entry");
    }
}
