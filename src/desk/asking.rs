//! The options of a pull request in one line of words: `draft label:manual-bump reviewer:ann fixes:5550`; and a verdict on
//! the pull request of another author: `changes the checksum of linux_amd64 is another one upstream`.

use std::fmt::Write;

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

const VERDICTS: &str = "approve, changes or comment; then words of your own, if you have any";

/// The word of a verdict, as it is written.
fn verdict_word(opinion: Opinion) -> &'static str {
    match opinion {
        Opinion::Approve => "approve",
        Opinion::RequestChanges => "changes",
        Opinion::Comment => "comment",
    }
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

/// Names in a line, as [`split`] reads them: a name with blanks stands in quotes.
pub(crate) fn quoted(names: &[String]) -> String {
    let quote = |name: &String| {
        if name.contains(char::is_whitespace) { format!("\"{name}\"") } else { name.clone() }
    };
    names.iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// The number of an issue: `5550`, `#5550`.
pub(crate) fn issue_number(text: &str) -> Option<u64> {
    text.trim_start_matches('#').parse().ok().filter(|number| *number > 0)
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
                        let number = issue_number(&number);
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
pub(crate) fn split(text: &str) -> Result<Vec<String>, String> {
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
        let draft = || PullPlan { draft: true, ..PullPlan::default() };
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        for (text, wanted) in [
            ("", draft()),
            ("ready", PullPlan::default()),
            (
                "label:manual-bump  reviewer:ann fixes:#5550",
                PullPlan {
                    labels: names(&["manual-bump"]),
                    reviewers: names(&["ann"]),
                    fixes: vec![5550],
                    ..draft()
                },
            ),
            (
                "label:\"good first issue\" ready acknowledge-drift",
                PullPlan {
                    labels: names(&["good first issue"]),
                    acknowledged_drift: true,
                    ..PullPlan::default()
                },
            ),
            ("fork ready", PullPlan { fork: true, ..PullPlan::default() }),
            ("ready draft fixes:2 fixes:1", PullPlan { fixes: vec![2, 1], ..draft() }),
        ] {
            let plan = read(text).unwrap();
            assert_eq!(plan, wanted, "{text}");
            assert_eq!(split(&quoted(&plan.labels)).unwrap(), plan.labels, "{text}");
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
        for (text, opinion, words) in [
            ("approve", Opinion::Approve, ""),
            ("changes the checksum is another one", Opinion::RequestChanges, "the checksum is another one"),
            ("comment x", Opinion::Comment, "x"),
        ] {
            let plan = read_verdict(text, 12, true).unwrap();
            assert_eq!(
                (plan.opinion, plan.text.as_str(), plan.number, plan.hashes),
                (opinion, words, 12, true)
            );
            assert!(plan.line_comments, "{text}");
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
