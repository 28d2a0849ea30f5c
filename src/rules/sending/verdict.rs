//! A verdict on somebody else's pull request: how it is asked for, its gates, and its words.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::rules::amount::{self, grouped};
use crate::rules::plain_text::shell_word;
use crate::rules::review::{LONGEST_MARKDOWN, Opinion, Result as Word, Review};
use crate::rules::sending::{Gate, GateName};

/// A verdict to be made ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictPlan {
    pub(crate) number: u64,
    pub(crate) opinion: Opinion,
    /// What a maintainer adds in Markdown of their own, above the evidence.
    pub(crate) text: String,
    /// Every archive is downloaded and hashed.
    pub(crate) hashes: bool,
    /// What was looked at; nothing where the digits alone say it, as behind a command.
    #[serde(skip)]
    pub(crate) seen: Option<Seen>,
}

/// A review as somebody looked at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) review: Arc<Review>,
    /// When it was made.
    pub(crate) at: Timestamp,
}

/// How a pull request stands, at the last moment.
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

/// What was reviewed longer ago is looked at again.
const LASTS: SignedDuration = SignedDuration::from_hours(24);

/// GitHub takes 65,536 characters.
const LONGEST_TEXT: usize = 60_000;

impl VerdictPlan {
    /// The command that makes it ready.
    pub(crate) fn command(&self) -> String {
        let text = match &*self.text {
            "" => String::new(),
            text => format!(" --text {}", shell_word(text)),
        };
        let hash = if self.hashes { " --hash" } else { "" };
        format!("bumpdesk review {} {}{text}{hash}", self.number, self.opinion.flag())
    }
}

/// What is submitted: what the maintainer says, then what it rests on.
pub(crate) fn verdict_text(plan: &VerdictPlan, review: &Review) -> String {
    match plan.text.trim() {
        "" => review.markdown(),
        text => format!("{text}\n\n---\n\n{}", review.markdown()),
    }
}

/// The gates before a verdict.
impl Gate {
    /// GitHub takes neither an approval nor a request for changes from whoever opened it.
    pub(crate) fn reviewer(
        opinion: Opinion,
        (login, may_push): (&str, bool),
        author: &str,
        repository: &str,
    ) -> Self {
        let name = GateName::Reviewer;
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
        let told = format!("{author} opened it, and {login} may push to {repository}");
        match opinion {
            _ if may_push => Self::pass(name, told),
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
            return Self::pass(name, format!("{} is still its head", short(head)));
        }
        Self::fail(
            name,
            format!("its head moved to {}, and {} was reviewed", short(head), short(reviewed)),
            format!("Review what it is now: `bumpdesk review {}`.", review.pull.number),
        )
    }

    /// What was looked at was made again just now, and is the same.
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
        let told = match review.files.iter().find(|file| file.result == review.result) {
            Some(file) if review.files.len() > 1 => format!("{word}: `{}`", file.path),
            _ => word.to_owned(),
        };
        let remedy = match (opinion, review.result) {
            (Opinion::Approve, Word::Same)
            | (Opinion::RequestChanges, Word::Differs | Word::Refused)
            | (Opinion::Comment, _) => return Self::pass(name, told),
            (Opinion::RequestChanges, Word::Same | Word::NotHashed | Word::Unknown) => {
                return Self::note(name, format!("{told}, and changes are requested all the same"));
            }
            (Opinion::Approve, Word::NotHashed) => format!(
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
        Self::fail(name, format!("{told}, and only SAME is approved"), remedy)
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

/// What is otherwise in the one that was made again; whether archives were hashed is not.
fn other_than(seen: &Review, again: &Review) -> Option<String> {
    if (&seen.pull.head, &seen.merge_base) != (&again.pull.head, &again.merge_base) {
        return Some("it is of another commit, or on another one".to_owned());
    }
    // To be approved it has to be hashed this time.
    let is_clean = |word: Word| matches!(word, Word::Same | Word::NotHashed);
    let is_same = |before: Word, now: Word| before == now || is_clean(before) && is_clean(now);
    let paths = |review: &Review| review.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
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

fn short(id: &str) -> &str {
    id.get(..7).unwrap_or(id)
}
