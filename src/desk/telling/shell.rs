//! Replaces command lines in the sentences of jobs with the console's key or word for the same step.
//!
//! Jobs do not know the interface, so their hints name commands. Commands print these hints as they are; consoles
//! pass them through this module.

use crate::desk::ability::{Ability, NextStep};
use crate::registry::Address;

/// The start of a command line in a sentence. The next backtick ends it.
const BEGINS: &str = "`bumpdesk ";

/// Returns the text with each command line replaced by the name that `name` returns for the step. A command without
/// such a step, such as `bumpdesk doctor`, stays as it is.
pub(crate) fn in_console(text: &str, name: impl Fn(&NextStep) -> Option<String>) -> String {
    let (mut rendered, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(BEGINS) {
        let Some((line, behind)) = after.split_once('`') else { break };
        rendered.push_str(before);
        match step(line).and_then(|step| name(&step)).filter(|name| !name.is_empty()) {
            Some(name) => rendered.push_str(&name),
            None => rendered.extend([BEGINS, line, "`"]),
        }
        rest = behind;
    }
    rendered.push_str(rest);
    rendered
}

/// The console's step for a command line.
fn step(line: &str) -> Option<NextStep> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let has = |word: &str| words.contains(&word);
    let is_verdict = ["--approve", "--request-changes", "--comment"].iter().any(|flag| has(flag));
    let number = || words.get(1)?.parse().ok();
    Some(match words[..] {
        ["plan", "show" | "drop", address] => Ability::ShowFile.entry(Address::parse(address).ok()?),
        // The view of the plan has the keys that drop or rebuild a file.
        ["plan", "show"] | ["plan", "drop" | "rebuild" | "approve" | "reopen", ..] => {
            Ability::ShowPlan.into()
        }
        ["plan", "add", address] => Ability::Add.entry(Address::parse(address).ok()?),
        ["pr", "resume", ..] => Ability::Resume.into(),
        ["pr", "undo", ..] => Ability::Undo.into(),
        ["pr", "open", ..] => Ability::Recheck.into(),
        ["review"] => Ability::ListReviews.into(),
        // An approval needs a review with hashed archives first.
        ["review", ..] if has("--approve") && has("--hash") => Ability::HashReview.number(number()?),
        ["review", ..] if is_verdict => Ability::Recheck.into(),
        ["review", ..] if has("--hash") => Ability::HashReview.number(number()?),
        ["review", _] => Ability::Review.number(number()?),
        ["backfill", "dispatch" | "rerun", ..] if has("--dry-run") => Ability::Recheck.into(),
        ["backfill", "status", ..] | ["jobs"] => Ability::ShowJobs.into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A console that has a name for every step.
    fn named(step: &NextStep) -> Option<String> {
        let line = step.command_line().unwrap_or_default();
        let subject = line.split(' ').rfind(|word| !word.starts_with('-')).unwrap_or_default();
        Some(match step.ability {
            Ability::ShowPlan => "2".to_owned(),
            Ability::ShowFile => format!("file {subject}"),
            Ability::Add => format!("add {subject}"),
            Ability::Recheck => "R".to_owned(),
            Ability::Resume => "r".to_owned(),
            Ability::Undo => "u".to_owned(),
            Ability::ListReviews => "3".to_owned(),
            Ability::Review => format!("review {subject}"),
            Ability::HashReview => format!("V {subject}"),
            Ability::ShowJobs => "8".to_owned(),
            _ => return None,
        })
    }

    #[test]
    fn command_lines_become_steps_of_the_console() {
        for (hint, wanted) in [
            (
                "Look at it again with `bumpdesk review 5594 --request-changes --dry-run`; if it is right, confirm 5f5dad.",
                "Look at it again with R; if it is right, confirm 5f5dad.",
            ),
            (
                "`bumpdesk pr resume 4f21c0 --write` asks GitHub; `bumpdesk pr undo 4f21c0` takes it back",
                "r asks GitHub; u takes it back",
            ),
            ("Review it: `bumpdesk review 12`.", "Review it: review 12."),
            ("Hash it: `bumpdesk review 12 --approve --hash --dry-run`.", "Hash it: V 12."),
            ("Run `bumpdesk review`: it names them.", "Run 3: it names them."),
            (
                "See `bumpdesk plan show acme/rocket`, or `bumpdesk plan rebuild`.",
                "See file acme/rocket, or 2.",
            ),
            ("Again: `bumpdesk backfill dispatch --all --shards 2 --dry-run`.", "Again: R."),
            ("Again: `bumpdesk pr open --plan 7c1e9a --dry-run`.", "Again: R."),
            ("Run `bumpdesk doctor`.", "Run `bumpdesk doctor`."),
            ("Nothing was sent.", "Nothing was sent."),
            ("an open `bumpdesk end", "an open `bumpdesk end"),
        ] {
            assert_eq!(in_console(hint, named), wanted);
        }
        // A console without a name for the step shows the command.
        let hint = "Run `bumpdesk plan show`.";
        assert_eq!(in_console(hint, |_| None), hint);
    }
}
