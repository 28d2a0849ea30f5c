//! The options of a pull request in one line of words: `draft label:manual-bump reviewer:ann fixes:5550`; and a verdict on
//! the pull request of another author: `changes the checksum of linux_amd64 is another one upstream`.

use std::fmt::Write;

use jiff::Timestamp;

use crate::desk::telling::LinePrompt;
use crate::registry::{Address, Decision};
use crate::rules::decision;
use crate::rules::plain_text::shell_word;
use crate::rules::review::Opinion;
use crate::rules::sending::{PullPlan, Purpose, VerdictPlan};
use crate::rules::spelling::nearest;

const READY: &str = "ready";
const DRAFT: &str = "draft";
const FORK: &str = "fork";
const DRIFT: &str = "acknowledge-drift";
const LABEL: &str = "label:";
const REVIEWER: &str = "reviewer:";
const FIXES: &str = "fixes:";

/// The words that the line may have, as a help text.
const WORDS: &str = "draft or ready, label:NAME, reviewer:LOGIN, fixes:NUMBER, fork, acknowledge-drift; names with blanks stand in quotes";

/// The prompt for the options of a pull request.
pub(crate) const OPENING: LinePrompt = LinePrompt {
    title: "How it is opened",
    about: "Each word sets one option; an option that is left out keeps its default.",
    prompt: "open as>",
    help: WORDS,
};

/// The prompt for a verdict.
pub(crate) const VERDICT: LinePrompt = LinePrompt {
    title: "Your verdict",
    about: "It is made ready and shown with its gates; nothing is submitted yet. What it rests on is added to your words.",
    prompt: "verdict>",
    help: VERDICTS,
};

const VERDICTS: &str = "approve, changes or comment; then words of your own, if you have any";

/// The word of a verdict, as it is written.
fn verdict_word(opinion: Opinion) -> &'static str {
    match opinion {
        Opinion::Approve => "approve",
        Opinion::RequestChanges => "changes",
        Opinion::Comment => "comment",
    }
}

/// A verdict in a line; read again it says the same.
pub(crate) fn verdict_words(plan: &VerdictPlan) -> String {
    format!("{} {}", verdict_word(plan.opinion), plan.text).trim_end().to_owned()
}

/// Reads a verdict on a pull request; `hashes`: its archives were hashed when it was reviewed, and are again.
pub(crate) fn read_verdict(text: &str, number: u64, hashes: bool) -> Result<VerdictPlan, String> {
    let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    match Opinion::ALL.into_iter().find(|opinion| verdict_word(*opinion) == word) {
        Some(opinion) => {
            let text = rest.trim().to_owned();
            Ok(VerdictPlan { number, opinion, text, hashes, line_comments: true, seen: None })
        }
        None => Err(format!("begin with {VERDICTS}")),
    }
}

/// Reads until when versions are ignored, and why: `2027-01-01 never released`.
pub(crate) fn read_ignoring(
    text: &str,
    these: &[(Address, String)],
    now: Timestamp,
) -> Result<Vec<Decision>, String> {
    let (until, because) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    decision::ignoring(these, until, because, now)
}

/// The words of what is asked for; read again they say the same.
pub(crate) fn words(pull: &PullPlan) -> String {
    let quoted = |field: &str, value: &String| {
        if value.contains(char::is_whitespace) {
            format!("{field}\"{value}\"")
        } else {
            format!("{field}{value}")
        }
    };
    let mut words = vec![if pull.draft { DRAFT } else { READY }.to_owned()];
    words.extend(pull.labels.iter().map(|label| quoted(LABEL, label)));
    words.extend(pull.reviewers.iter().map(|login| quoted(REVIEWER, login)));
    words.extend(pull.fixes.iter().map(|number| format!("{FIXES}{number}")));
    words.extend(pull.fork.then(|| FORK.to_owned()));
    words.extend(pull.acknowledged_drift.then(|| DRIFT.to_owned()));
    words.join(" ")
}

/// Reads them; the plan is whichever it is.
pub(crate) fn read(text: &str) -> Result<PullPlan, String> {
    let mut pull = PullPlan { draft: true, ..PullPlan::default() };
    for word in split(text)? {
        let value = |field: &str| word.strip_prefix(field).map(|value| value.trim().to_owned());
        match &*word {
            DRAFT => pull.draft = true,
            READY => pull.draft = false,
            FORK => pull.fork = true,
            DRIFT => pull.acknowledged_drift = true,
            _ => {
                let (list, value) = match (value(LABEL), value(REVIEWER), value(FIXES)) {
                    (Some(label), ..) => (&mut pull.labels, label),
                    (_, Some(login), _) => (&mut pull.reviewers, login),
                    (_, _, Some(number)) => {
                        let number =
                            number.trim_start_matches('#').parse::<u64>().ok().filter(|number| *number > 0);
                        pull.fixes
                            .push(number.ok_or_else(|| format!("`{word}` needs the number of an issue"))?);
                        continue;
                    }
                    _ => return Err(unknown(&word)),
                };
                if value.is_empty() {
                    return Err(format!("`{word}` has no name"));
                }
                list.push(value);
            }
        }
    }
    Ok(pull)
}

fn unknown(word: &str) -> String {
    let known = [DRAFT, READY, LABEL, REVIEWER, FIXES, FORK, DRIFT];
    match nearest(word, known) {
        Some(near) => format!("`{word}` is not one of the words; did you mean `{near}`?"),
        None => format!("`{word}` is not one of the words: {WORDS}"),
    }
}

/// Words apart, quotes taken off.
fn split(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            c if c.is_whitespace() && !is_quoted => {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            c => word.push(c),
        }
    }
    if is_quoted {
        return Err("a quote is not closed".to_owned());
    }
    words.extend((!word.is_empty()).then_some(word));
    Ok(words)
}

/// The prompt for the options of a write, and its options as a line. `None` if they are no line of words.
pub(crate) fn options(purpose: &Purpose) -> Option<(&'static LinePrompt, String)> {
    match purpose {
        Purpose::Pull(plan) => Some((&OPENING, words(plan))),
        Purpose::Verdict(plan) => Some((&VERDICT, verdict_words(plan))),
        Purpose::Actions(_) => None,
    }
}

/// Reads the options of a write from a line. Without options of its own, the line is about a pull request.
pub(crate) fn read_options(purpose: &Purpose, text: &str) -> Result<Purpose, String> {
    match purpose {
        Purpose::Verdict(plan) => {
            let line_comments = plan.line_comments;
            let plan = read_verdict(text, plan.number, plan.hashes)?;
            Ok(VerdictPlan { line_comments, ..plan }.into())
        }
        Purpose::Pull(_) | Purpose::Actions(_) => Ok(read(text)?.into()),
    }
}

/// The command that shows the same.
pub(crate) fn command_line(purpose: &Purpose) -> String {
    let Purpose::Pull(pull) = purpose else { return format!("{} --dry-run", purpose.command()) };
    let mut line = format!("bumpdesk pr open --plan {} --dry-run", pull.plan);
    if !pull.draft {
        line.push_str(" --ready");
    }
    for (flag, values) in [("--label", &pull.labels), ("--reviewer", &pull.reviewers)] {
        for value in values {
            let _ = write!(line, " {flag} {}", shell_word(value));
        }
    }
    for number in &pull.fixes {
        let _ = write!(line, " --fixes {number}");
    }
    if pull.fork {
        line.push_str(" --fork");
    }
    if pull.acknowledged_drift {
        line.push_str(" --acknowledge-drift");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_they_are_written() {
        for (text, written) in [
            ("", "draft"),
            ("ready", "ready"),
            (
                "label:manual-bump  reviewer:ann fixes:#5550",
                "draft label:manual-bump reviewer:ann fixes:5550",
            ),
            (
                "label:\"good first issue\" ready acknowledge-drift",
                "ready label:\"good first issue\" acknowledge-drift",
            ),
            ("fork ready", "ready fork"),
            ("ready draft fixes:2 fixes:1", "draft fixes:2 fixes:1"),
        ] {
            let asked = read(text).unwrap();
            assert_eq!(words(&asked), written);
            assert_eq!(read(written).unwrap(), asked);
        }
        for (text, why) in [
            ("redy", "did you mean `ready`?"),
            ("label:", "has no name"),
            ("fixes:x", "the number of an issue"),
            ("fixes:0", "the number of an issue"),
            ("label:\"a b", "is not closed"),
            ("zzzzzzzz", "is not one of the words: draft or ready"),
        ] {
            assert!(read(text).unwrap_err().contains(why), "{text}");
        }
    }

    #[test]
    fn a_verdict_is_a_word_and_a_text() {
        for text in ["approve", "changes the checksum is another one", "comment x"] {
            let plan = read_verdict(text, 12, true).unwrap();
            assert_eq!((verdict_words(&plan).as_str(), plan.number, plan.hashes), (text, 12, true));
        }
        for text in ["", "  ", "approved", "Approve", "lgtm"] {
            assert!(
                read_verdict(text, 12, true).unwrap_err().starts_with("begin with approve, changes"),
                "{text}"
            );
        }
    }

    #[test]
    fn the_command_asks_for_the_same() {
        let asked = PullPlan { plan: "7c1e9a".into(), ..read("ready label:\"a b\" fixes:7").unwrap() };
        assert_eq!(
            command_line(&asked.into()),
            "bumpdesk pr open --plan 7c1e9a --dry-run --ready --label 'a b' --fixes 7"
        );
    }
}
