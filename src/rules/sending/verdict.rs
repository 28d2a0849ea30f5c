//! A verdict on somebody else's pull request: how it is asked for, its gates, and its words.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::registry::short_id;
use crate::rules::amount::{self, counted, grouped};
use crate::rules::markdown::code;
use crate::rules::plain_text::shell_word;
use crate::rules::review::{
    LONGEST_MARKDOWN, Opinion, OtherLine, Remark, Result as Word, Review, ReviewedFile, Signing,
};
use crate::rules::sending::{Gate, GateName};

/// A verdict to be made ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictPlan {
    pub(crate) number: u64,
    pub(crate) opinion: Opinion,
    /// Text that a maintainer adds in Markdown, above the evidence.
    pub(crate) text: String,
    /// Every archive is downloaded and hashed.
    pub(crate) hashes: bool,
    /// Comments stand beside the lines that differ. It is stored only where it is off, so that a plan of an earlier release and its
    /// digest stay as they are.
    #[serde(default = "with_line_comments", skip_serializing_if = "Clone::clone")]
    pub(crate) line_comments: bool,
    /// The review that was looked at; `None` if the digits alone confirm it, as in a command.
    #[serde(skip)]
    pub(crate) seen: Option<Seen>,
}

/// A review as a maintainer looked at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) review: Arc<Review>,
    /// When it was made.
    pub(crate) at: Timestamp,
}

/// The state of a pull request right before the verdict is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PullState<'a> {
    /// It is to be merged into this branch; `is_default`: which is the one that the registry is served from.
    Open {
        base: &'a str,
        is_default: bool,
    },
    Merged,
    Closed,
}

/// A review that is older than this must be made again.
const LASTS: SignedDuration = SignedDuration::from_hours(24);

/// GitHub takes 65,536 characters.
const LONGEST_TEXT: usize = 60_000;

fn with_line_comments() -> bool {
    true
}

impl VerdictPlan {
    /// An approval without words of one's own.
    pub(crate) fn new(number: u64, hashes: bool) -> Self {
        Self {
            number,
            opinion: Opinion::Approve,
            text: String::new(),
            hashes,
            line_comments: true,
            seen: None,
        }
    }

    /// Returns true if lines that differ get comments. An approval has none.
    pub(crate) fn has_line_comments(&self) -> bool {
        self.line_comments && self.opinion != Opinion::Approve
    }

    /// The command that makes it ready.
    pub(crate) fn command(&self) -> String {
        let text = match &*self.text {
            "" => String::new(),
            text => format!(" --text {}", shell_word(text)),
        };
        let hash = if self.hashes { " --hash" } else { "" };
        let quiet = if self.line_comments { "" } else { " --no-line-comments" };
        format!("bumpdesk review {} {}{text}{hash}{quiet}", self.number, self.opinion.flag())
    }
}

/// The submitted text: the maintainer's own words, then the evidence.
pub(crate) fn verdict_text(plan: &VerdictPlan, review: &Review) -> String {
    match plan.text.trim() {
        "" => review.markdown(),
        text => format!("{text}\n\n---\n\n{}", review.markdown()),
    }
}

/// Remarks of one review.
const MOST_REMARKS: usize = 20;

/// A remark beside every line that differs.
pub(crate) fn all_remarks(review: &Review) -> impl Iterator<Item = Remark> {
    let all = review.files.iter().flat_map(|file| file.lines.iter().map(move |line| (file, line)));
    all.map(|(file, other): (&ReviewedFile, &OtherLine)| Remark {
        path: file.path.clone(),
        line: other.line,
        body: match &other.given[..] {
            [] => "Upstream has no such line here.".to_owned(),
            lines => {
                let lines: Vec<String> = lines.iter().map(|line| code(line)).collect();
                format!("Upstream has here: {}", lines.join(" "))
            }
        },
    })
}

/// Remarks beside differing lines that GitHub shows (`shown`: line ranges by path), and a note with the number of differing places
/// without a remark.
pub(crate) fn remarks(review: &Review, shown: &BTreeMap<String, Vec<Range<u64>>>) -> (Vec<Remark>, String) {
    let is_shown = |remark: &Remark| {
        shown.get(&remark.path).is_some_and(|ranges| ranges.iter().any(|range| range.contains(&remark.line)))
    };
    let remarks: Vec<Remark> = all_remarks(review).filter(is_shown).take(MOST_REMARKS).collect();
    let left = all_remarks(review).count() - remarks.len();
    let note = match left {
        0 => String::new(),
        left => format!(
            "\n{} differ{} without a remark: what GitHub shows of the difference does not have {}, or there are more than {MOST_REMARKS}.\n",
            counted(left, "place"),
            if left == 1 { "s" } else { "" },
            if left == 1 { "it" } else { "them" },
        ),
    };
    (remarks, note)
}

/// The gates before a verdict.
impl Gate {
    /// GitHub takes neither an approval nor a request for changes from whoever opened it.
    pub(crate) fn reviewer(
        opinion: Opinion,
        (login, may_push): (&str, bool),
        review: &Review,
        repository: &str,
    ) -> Self {
        let name = GateName::Reviewer;
        let author = &review.pull.author;
        if login.eq_ignore_ascii_case(author) {
            let own = format!("{login} opened it");
            return match opinion {
                Opinion::Comment => Self::note(name, format!("{own}, and may only comment on it")),
                Opinion::Approve | Opinion::RequestChanges => Self::fail(
                    name,
                    format!("{own}, and nobody judges a pull request of their own"),
                    "Ask another maintainer, or comment on it.",
                ),
            };
        }
        let commits = review.around.as_ref().and_then(|around| around.commits.as_ref());
        match commits {
            _ if opinion != Opinion::Approve => {}
            Some(commits) if commits.iter().any(|commit| commit.author.is(login)) => {
                return Self::fail(
                    name,
                    format!("{login} made a commit of it, and nobody approves what is their own"),
                    "Ask another maintainer, or comment on it.",
                );
            }
            Some(_) => {}
            None => {
                return Self::fail(
                    name,
                    format!("who made its commits is not known, and {login} may not approve their own"),
                    "Do the same again once they can be read, or comment on it.",
                );
            }
        }
        let evidence = format!("{author} opened it, and {login} may push to {repository}");
        match opinion {
            _ if may_push => Self::pass(name, evidence),
            Opinion::Comment => Self::pass(name, format!("{author} opened it")),
            Opinion::Approve | Opinion::RequestChanges => Self::note(
                name,
                format!(
                    "{login} may not push to {repository}, so GitHub shows the review and does not count it"
                ),
            ),
        }
    }

    pub(crate) fn open(opinion: Opinion, pull: PullState<'_>) -> Self {
        let name = GateName::Open;
        match pull {
            PullState::Merged => Self::fail(name, "it is merged", "Say on GitHub what is still to be said."),
            PullState::Closed => Self::fail(name, "it is closed", "Say on GitHub what is still to be said."),
            PullState::Open { base, is_default: false } if opinion == Opinion::Approve => Self::fail(
                name,
                format!("it is for {base}, which the registry is not served from"),
                "Have it opened for the branch that the registry is served from.",
            ),
            PullState::Open { base, .. } => Self::pass(name, format!("it waits to be merged into {base}")),
        }
    }

    /// `head`: where it is now.
    pub(crate) fn head(head: &str, review: &Review, seen: Option<&Seen>) -> Self {
        let name = GateName::Head;
        let reviewed = seen.map_or(&review.pull.head, |seen| &seen.review.pull.head);
        if head == reviewed && head == review.pull.head {
            return Self::pass(name, format!("{} is still its head", short_id(head)));
        }
        Self::fail(
            name,
            format!("its head moved to {}, and {} was reviewed", short_id(head), short_id(reviewed)),
            format!("Review what it is now: `bumpdesk review {}`.", review.pull.number),
        )
    }

    /// Passes if the review was made again just now and equals the one that was looked at.
    pub(crate) fn again(review: &Review, seen: Option<&Seen>, now: Timestamp) -> Self {
        let name = GateName::Rebuilt;
        let again = format!("Review it again: `bumpdesk review {}`.", review.pull.number);
        let Some(seen) = seen else {
            return Self::pass(name, "made again from upstream just now");
        };
        if now.duration_since(seen.at) >= LASTS || seen.at > now {
            return Self::fail(name, format!("it was reviewed at {}", amount::minute(seen.at)), again);
        }
        match other_than(&seen.review, review) {
            None => Self::pass(
                name,
                format!("made again from upstream: the same as at {}", amount::minute(seen.at)),
            ),
            Some(what) => Self::fail(name, format!("made again, {what}"), again),
        }
    }

    /// Nothing is approved but what is the same to the last byte.
    pub(crate) fn result(opinion: Opinion, review: &Review) -> Self {
        let name = GateName::Result;
        let word = review.result.word();
        let worst = review.files.iter().find(|file| file.result == review.result);
        let mut evidence = match worst {
            Some(file) if review.files.len() > 1 => format!("{word}: `{}`", file.path),
            _ => word.to_owned(),
        };
        // Who looked at it may have seen it whole: what is unknown since is said here or nowhere.
        if let (Word::Unknown, Some(why)) = (review.result, worst.and_then(|file| file.points.first())) {
            evidence = format!("{evidence}: {}", &**why);
        }
        // What is signed with a key shows that it is in use; who may hand it in shows the account alone.
        let is_clean =
            matches!(review.result, Word::Same | Word::PersonDecides) && !review.waits_for_hashes();
        if opinion == Opinion::Approve && is_clean {
            let key = review.unseen_key_owner();
            let key = key.map(|unseen| format!("a key comes from a visible member alone, and {unseen}"));
            let signature = |signing| review.around.as_ref().and_then(|around| around.sentence_for(signing));
            if let Some(bad) = signature(Signing::NotVouched) {
                return Self::fail(
                    name,
                    format!("{evidence}; {bad}"),
                    "Do the same again if it could not be read; else ask its author, or approve it on GitHub.",
                );
            }
            let decides = (review.result == Word::PersonDecides).then(|| {
                let warning = worst.and_then(|file| file.points.first()).map_or("", |point| &**point);
                format!("{warning}; {}", review.author_of_warnings())
            });
            let doubts: Vec<String> =
                decides.into_iter().chain(key.or_else(|| signature(Signing::Doubtful))).collect();
            if !doubts.is_empty() {
                return Self::note(name, format!("{evidence}; {}", doubts.join("; ")));
            }
        }
        let remedy = match (opinion, review.result) {
            (Opinion::Approve, Word::Same)
            | (Opinion::RequestChanges, Word::Differs | Word::Refused | Word::PersonDecides)
            | (Opinion::Comment, _) => return Self::pass(name, evidence),
            (Opinion::RequestChanges, Word::Same | Word::NotHashed | Word::Unknown) => {
                return Self::note(name, format!("{evidence}, and changes are requested all the same"));
            }
            (Opinion::Approve, Word::NotHashed | Word::PersonDecides) => format!(
                "Have every archive hashed: `bumpdesk review {} --approve --hash --dry-run`.",
                review.pull.number
            ),
            (Opinion::Approve, Word::Unknown) => {
                "Do the same again once all of it can be read, or comment on it.".to_owned()
            }
            (Opinion::Approve, Word::Differs) => "Request changes, or comment on it.".to_owned(),
            (Opinion::Approve, Word::Refused) => {
                "Approve it on GitHub if people decided it by the registry's policy; else request changes."
                    .to_owned()
            }
        };
        let why = match review.result {
            Word::NotHashed | Word::PersonDecides => "its archives were not hashed",
            _ => "only SAME can be approved",
        };
        Self::fail(name, format!("{why}; the result is {evidence}"), remedy)
    }

    pub(crate) fn length(text: &str) -> Self {
        let (name, has) = (GateName::Length, text.chars().count());
        if has <= LONGEST_TEXT {
            return Self::pass(name, format!("{} of {} characters", grouped(has), grouped(LONGEST_TEXT)));
        }
        let (room, most) = (grouped(LONGEST_TEXT - LONGEST_MARKDOWN), grouped(LONGEST_TEXT));
        Self::fail(
            name,
            format!("it has {} characters, and {most} are the most", grouped(has)),
            format!("Say it in {room} characters: the rest is what the review rests on."),
        )
    }
}

/// The first difference between a review that was looked at and the one made again. Hashing archives in only one of them is no
/// difference.
fn other_than(seen: &Review, again: &Review) -> Option<String> {
    if (&seen.pull.head, &seen.merge_base) != (&again.pull.head, &again.merge_base) {
        return Some("it has another head or another base commit".to_owned());
    }
    if seen.pull.base != again.pull.base {
        return Some("it is for another branch".to_owned());
    }
    // To be approved it has to be hashed this time.
    let is_clean = |word: Word| matches!(word, Word::Same | Word::PersonDecides | Word::NotHashed);
    let is_same = |before: Word, now: Word| before == now || is_clean(before) && is_clean(now);
    let paths = |review: &Review| review.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
    // The whole can be worse than its files, as where a block of evidence is of another change.
    if !is_same(seen.result, again.result) {
        return Some(format!("all of it is {}, and not as it was seen", again.result.word()));
    }
    if paths(seen) != paths(again) {
        return Some("it changes other files".to_owned());
    }
    let mut pairs = seen.files.iter().zip(&again.files);
    let other = pairs.find(|(before, now)| {
        !is_same(before.result, now.result)
            || (&before.points, &before.versions) != (&now.points, &now.versions)
    });
    other.map(|(_, now)| format!("`{}` is {}, and not as it was seen", now.path, now.result.word()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::registry::Repository;
    use crate::rules::markdown::tests::{HOSTILE, is_inert};
    use crate::rules::review::{
        Maker, OpenPull, Owner, PullCommit, PullContext, Signature, SignedVersions, Standing,
    };
    use crate::rules::sending::{GateState, Request, Sending};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// A review of one file with this result.
    pub(crate) fn review(result: Word) -> Review {
        let pull = OpenPull {
            base: "main".into(),
            number: 12,
            title: "Bump it".into(),
            author: "bea".into(),
            opened: at("2026-11-20T12:00:00Z"),
            updated: at("2026-11-20T12:00:00Z"),
            draft: false,
            url: String::new(),
            head: "1a2b3c4".repeat(6),
        };
        let points = if result == Word::Differs { vec!["1.1.0: another sum".into()] } else { Vec::new() };
        let file = ReviewedFile {
            versions: vec!["1.1.0".into()],
            ..ReviewedFile::of("providers/a/acme/rocket.json", result, points)
        };
        Review {
            pull,
            merge_base: "f00f6d5".into(),
            result,
            files: vec![file],
            notes: Vec::new(),
            around: Some(PullContext { commits: Some(Vec::new()), ..PullContext::default() }),
            stands_on: String::new(),
        }
    }

    /// The one request of a verdict on that.
    pub(crate) fn sending(account: &str, opinion: Opinion, review: &Review) -> Sending {
        let plan = VerdictPlan {
            number: 12,
            opinion,
            text: String::new(),
            hashes: true,
            line_comments: true,
            seen: None,
        };
        let request = Request::Review {
            repository: Repository::new("opentofu", "registry"),
            pull: 12,
            commit: review.pull.head.clone(),
            base: review.pull.base.clone(),
            opinion,
            body: verdict_text(&plan, review),
            remarks: Vec::new(),
        };
        Sending::of_one((account, &["https://a".to_owned(), "https://g".to_owned()]), request)
    }

    /// A plan of an earlier release has line comments, and is stored as it was.
    #[test]
    fn line_comments_are_stored_only_where_they_are_off() {
        let plan = VerdictPlan { text: "x".into(), ..VerdictPlan::new(12, true) };
        let old = r#"{"number":12,"opinion":"Approve","text":"x","hashes":true}"#;
        assert_eq!(serde_json::to_string(&plan).unwrap(), old);
        assert_eq!(serde_json::from_str::<VerdictPlan>(old).unwrap(), plan);
        let quiet = VerdictPlan { line_comments: false, ..plan };
        let text = serde_json::to_string(&quiet).unwrap();
        assert_eq!(serde_json::from_str::<VerdictPlan>(&text).unwrap(), quiet);
    }

    #[test]
    fn nothing_but_what_is_the_same_is_approved() {
        use GateState::{Fail, Note, Pass};
        for (word, approves, requests) in [
            (Word::Same, Pass, Note),
            (Word::NotHashed, Fail, Note),
            (Word::PersonDecides, Note, Pass),
            (Word::Unknown, Fail, Note),
            (Word::Differs, Fail, Pass),
            (Word::Refused, Fail, Pass),
        ] {
            let state = |opinion| Gate::result(opinion, &review(word)).state;
            assert_eq!(state(Opinion::Approve), approves, "{word:?}");
            assert_eq!(state(Opinion::RequestChanges), requests, "{word:?}");
            assert_eq!(state(Opinion::Comment), Pass, "{word:?}");
        }
        let of_key = |standing| {
            let mut review = review(Word::Same);
            review.files[0].path = "keys/a/acme/provider-1.asc".into();
            let owners = vec![Owner::new("acme", &review.pull.author, standing)];
            review.around = Some(PullContext { owners, ..PullContext::default() });
            let gate = Gate::result(Opinion::Approve, &review);
            (gate.state, gate.evidence)
        };
        for (standing, state, told) in [
            (Standing::PublicMember, Pass, "SAME"),
            (Standing::SameAccount, Pass, "SAME"),
            (Standing::NotVisible, Note, "bea is not visible as one of acme"),
            (Standing::Unknown, Note, "whether bea is one of acme is not known"),
        ] {
            let (is, evidence) = of_key(standing);
            assert!(is == state && evidence.ends_with(told), "{standing:?}: {evidence}");
        }
        // For a change of warnings the gate also reports whether the author belongs to the owner. It does not fail
        // because of that.
        let of_warning = |standing, lacks_hashes| {
            let mut review = review(Word::PersonDecides);
            review.files[0].points = vec!["`warnings`: a text is added: \"Old.\"".into()];
            review.files[0].lacks_hashes = lacks_hashes;
            let owners = vec![Owner::new("acme", &review.pull.author, standing)];
            review.around = Some(PullContext { owners, ..PullContext::default() });
            let gate = Gate::result(Opinion::Approve, &review);
            (gate.state, gate.evidence)
        };
        let added = "A PERSON DECIDES; `warnings`: a text is added: \"Old.\"";
        for (standing, told) in [
            (Standing::PublicMember, "bea belongs to the owner, acme"),
            (Standing::SameAccount, "bea belongs to the owner, acme"),
            (Standing::NotVisible, "bea is not visible as one of acme"),
            (Standing::Unknown, "whether bea is one of acme is not known"),
        ] {
            assert_eq!(of_warning(standing, false), (Note, format!("{added}; {told}")));
        }
        let unhashed = of_warning(Standing::SameAccount, true);
        assert_eq!(
            unhashed,
            (Fail, "its archives were not hashed; the result is A PERSON DECIDES".to_owned())
        );
        // What the review rests on says nothing of who signed it.
        let of_signature = |signing| {
            let mut review = review(Word::Same);
            let signed =
                SignedVersions::new(&review.files[0].path, vec!["1.1.0".into()], signing, "it".into());
            review.around.as_mut().unwrap().signed = vec![signed];
            let gate = Gate::result(Opinion::Approve, &review);
            (gate.state, gate.evidence)
        };
        assert_eq!(of_signature(Signing::NotVouched), (Fail, "SAME; 1.1.0: it".to_owned()));
        assert_eq!(of_signature(Signing::Doubtful), (Note, "SAME; 1.1.0: it".to_owned()));
        for fine in [Signing::Signed, Signing::NoKey] {
            assert_eq!(of_signature(fine), (Pass, "SAME".to_owned()));
        }
        // No more than ten owners are asked about.
        let mut many = review(Word::Same);
        many.files = (0..12)
            .map(|n| ReviewedFile::of(&format!("keys/n/n{n}/provider-1.asc"), Word::Same, Vec::new()))
            .collect();
        let asked = |n| Owner::new(&format!("n{n}"), "bea", Standing::PublicMember);
        many.around = Some(PullContext { owners: (0..10).map(asked).collect(), ..PullContext::default() });
        let gate = Gate::result(Opinion::Approve, &many);
        assert!(gate.state == Note && gate.evidence.ends_with("bea is one of n10 is not known"), "{gate:?}");
        let remedy = Gate::result(Opinion::Approve, &review(Word::NotHashed)).remedy.unwrap();
        assert!(remedy.contains("--approve --hash"), "{remedy}");
    }

    #[test]
    fn authors_do_not_judge_their_own_and_a_missing_right_to_push_is_named() {
        use GateState::{Fail, Note, Pass};
        for (opinion, login, may_push, state) in [
            (Opinion::Approve, "Bea", true, Fail),
            (Opinion::RequestChanges, "bea", true, Fail),
            (Opinion::Comment, "bea", true, Note),
            (Opinion::Approve, "ann", true, Pass),
            (Opinion::Approve, "ann", false, Note),
            (Opinion::Comment, "ann", false, Pass),
        ] {
            let gate = Gate::reviewer(opinion, (login, may_push), &review(Word::Same), "opentofu/registry");
            assert_eq!(gate.state, state, "{opinion:?} {login} {may_push}");
        }
        // A commit by who would approve it is theirs, whoever opened it; a name alone is nobody.
        let by = |commits: Option<Vec<Maker>>, opinion| {
            let commit = |author: Maker| PullCommit {
                id: String::new(),
                subject: String::new(),
                committer: Maker::Login("web-flow".into()),
                author,
                signature: Signature::Verified,
            };
            let commits = commits.map(|makers| makers.into_iter().map(commit).collect());
            let around = Some(PullContext { commits, ..PullContext::default() });
            let review = Review { around, ..review(Word::Same) };
            Gate::reviewer(opinion, ("ann", true), &review, "opentofu/registry").state
        };
        let (ann, bea) = (Maker::Login("Ann".into()), Maker::Login("bea".into()));
        for (commits, approves) in [
            (Some(vec![bea.clone(), ann]), Fail),
            (Some(vec![bea, Maker::Name("ann".into())]), Pass),
            (None, Fail),
        ] {
            assert_eq!(by(commits.clone(), Opinion::Approve), approves, "{commits:?}");
            assert_eq!(by(commits, Opinion::RequestChanges), Pass);
        }
        let open =
            |opinion, is_default| Gate::open(opinion, PullState::Open { base: "main", is_default }).state;
        assert_eq!((open(Opinion::Approve, true), open(Opinion::Approve, false)), (Pass, Fail));
        assert_eq!(open(Opinion::Comment, false), Pass);
        for over in [PullState::Merged, PullState::Closed] {
            assert_eq!(Gate::open(Opinion::Comment, over).state, Fail, "{over:?}");
        }
    }

    /// The review that was looked at equals the one made again, is of the same commit, and is no older than a day.
    #[test]
    fn what_was_seen_is_what_is_judged() {
        use GateState::{Fail, Pass};
        let now = at("2026-11-23T12:00:00Z");
        let seen = |review: Review, at| Seen { review: Arc::new(review), at };
        let state = |of: &Review, seen: &Seen| {
            (Gate::head(&of.pull.head, of, Some(seen)).state, Gate::again(of, Some(seen), now).state)
        };
        let same = review(Word::Same);
        assert_eq!(state(&same, &seen(same.clone(), now)), (Pass, Pass));
        assert_eq!(state(&same, &seen(review(Word::NotHashed), now)), (Pass, Pass), "hashed since");
        assert_eq!(state(&review(Word::Differs), &seen(same.clone(), now)), (Pass, Fail));
        for (moment, wanted) in
            [("2026-11-22T12:00:01Z", Pass), ("2026-11-22T12:00:00Z", Fail), ("2026-11-23T12:00:01Z", Fail)]
        {
            assert_eq!(state(&same, &seen(same.clone(), at(moment))), (Pass, wanted), "{moment}");
        }
        let mut other = same.clone();
        other.files[0].points.push("another point".into());
        assert_eq!(state(&same, &seen(other.clone(), now)), (Pass, Fail));
        other = same.clone();
        other.files[0].path.push('x');
        assert_eq!(state(&same, &seen(other.clone(), now)), (Pass, Fail));
        other = same.clone();
        other.pull.head = "b".repeat(40);
        assert_eq!(state(&same, &seen(other, now)), (Fail, Fail));
        other = same.clone();
        other.result = Word::Differs;
        assert_eq!(state(&other, &seen(same.clone(), now)), (Pass, Fail), "its evidence alone");
        // It moved while it was made again.
        assert_eq!(Gate::head("b", &same, None).state, Fail);
        assert_eq!(Gate::length(&"x".repeat(60_000)).state, Pass);
        assert_eq!(Gate::length(&"x".repeat(60_001)).state, Fail);
    }

    /// Another commit, another opinion and another text are other digits.
    #[test]
    fn the_digits_are_those_of_one_commit() {
        let of = |opinion, change: fn(&mut Review)| {
            let mut review = review(Word::Same);
            change(&mut review);
            sending("ann", opinion, &review).name()
        };
        let all = [
            of(Opinion::Approve, |_| {}),
            of(Opinion::Comment, |_| {}),
            of(Opinion::Approve, |review| review.pull.head = "b".repeat(40)),
            of(Opinion::Approve, |review| review.merge_base = "c".into()),
            of(Opinion::Approve, |review| review.files[0].points.push("x".into())),
        ];
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
        assert_eq!(
            all[0],
            of(Opinion::Approve, |review| review.pull.title = "another".into()),
            "it is not said"
        );
        let body = sending("ann", Opinion::RequestChanges, &review(Word::Same)).requests[0].body();
        assert_eq!(body["commit_id"], review(Word::Same).pull.head);
        assert_eq!((&body["event"], &body["comments"]), (&"REQUEST_CHANGES".into(), &serde_json::json!([])));
    }

    /// GitHub refuses a whole review for one remark beside a line that it does not show.
    #[test]
    fn remarks_stand_beside_lines_that_are_shown() {
        let mut review = review(Word::Differs);
        let line = |line| OtherLine { line, given: vec!["a`@b".into()] };
        review.files[0].lines = vec![line(5), line(9), line(10), line(50)];
        let shown = BTreeMap::from([(review.files[0].path.clone(), vec![2..6, 9..10])]);
        let (stand, note) = remarks(&review, &shown);
        assert_eq!(stand.iter().map(|one| one.line).collect::<Vec<_>>(), [5, 9]);
        assert_eq!(stand[0].body, "Upstream has here: ``a`@b``");
        assert!(note.contains("2 places differ without a remark"), "{note}");
        review.files[0].lines = (2..60).map(line).collect();
        let path = review.files[0].path.clone();
        assert_eq!(remarks(&review, &BTreeMap::from([(path, Vec::from([0..50, 50..100]))])).0.len(), 20);
        assert_eq!(remarks(&review, &BTreeMap::new()).0, []);
    }

    /// Whatever others wrote stands in code type, and a review of thousands of files still fits.
    #[test]
    fn what_others_wrote_has_no_effect_in_the_markdown() {
        let mut hostile = review(Word::Differs);
        let text = "@everyone #1 <img src=x> [a](javascript:b) ``` | \u{202e} \n# big";
        hostile.pull.author = text.into();
        hostile.files[0].path = text.into();
        hostile.files[0].versions = vec![text.into()];
        hostile.files[0].points = vec![text.into()];
        let markdown = hostile.markdown();
        // Each text stands between ticks that are longer than any in it.
        let outside: String = markdown.split("````").step_by(2).collect();
        for bad in ["@", "<", "](", "\u{202e}", "#1 ", "# big"] {
            assert!(!outside.contains(bad), "{bad}: {markdown}");
        }
        assert_eq!(markdown.matches("````").count(), 10, "{markdown}");
        for text in HOSTILE {
            let mut hostile = review(Word::Differs);
            hostile.files[0].versions = vec![String::new(), "`@x".into(), text.into(), "`@x".into()];
            hostile.files[0].points = vec![text.into(), "`@x".into()];
            hostile.files[0].lines =
                vec![OtherLine { line: 1, given: vec![String::new(), text.into(), "`@x".into()] }];
            hostile.notes = vec![text.into(), "`@x".into()];
            (hostile.pull.author, hostile.merge_base) = (text.into(), text.into());
            is_inert(&hostile.markdown());
            let shown = BTreeMap::from([(hostile.files[0].path.clone(), vec![1..2, 3..4])]);
            let (remarks, note) = remarks(&hostile, &shown);
            assert!(remarks.len() == 1 && note.is_empty(), "{remarks:?} {note}");
            is_inert(&remarks[0].body);
        }
        let mut large = review(Word::Differs);
        large.files = vec![large.files[0].clone(); 3_001];
        let markdown = large.markdown();
        assert!(markdown.chars().count() <= LONGEST_MARKDOWN, "{}", markdown.chars().count());
        assert!(markdown.contains("more files, left out here."), "{markdown}");
        assert!(markdown.contains("more points, left out here."), "{markdown}");
        // The one that decides is the last of many.
        let mut last = review(Word::Unknown);
        last.files = vec![last.files[0].clone(); 2_000];
        last.files.push(ReviewedFile::of("providers/a/acme/last.json", Word::Refused, vec!["why".into()]));
        let markdown = Review { result: Word::Refused, ..last }.markdown();
        assert!(markdown.contains("| REFUSED | `providers/a/acme/last.json` |"), "{markdown}");
        assert!(markdown.contains("- `providers/a/acme/last.json`: `why`"), "{markdown}");
    }
}
