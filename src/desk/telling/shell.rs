//! Replaces command lines in the sentences of jobs with the console's key or word for the same step.
//!
//! Jobs do not know the interface, so their hints name commands. Commands print these hints as they are; consoles
//! pass them through this module.

use crate::desk::telling::Way;
use crate::registry::Address;

/// The start of a command line in a sentence. The next backtick ends it.
const BEGINS: &str = "`bumpdesk ";

/// Returns the text with each command line replaced by the name that `name` returns for the step. A command without
/// such a step, such as `bumpdesk doctor`, stays as it is.
pub(crate) fn in_console(text: &str, name: impl Fn(&Way) -> Option<String>) -> String {
    let (mut rendered, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(BEGINS) {
        let Some((line, behind)) = after.split_once('`') else { break };
        rendered.push_str(before);
        match step(line).and_then(|way| name(&way)).filter(|name| !name.is_empty()) {
            Some(name) => rendered.push_str(&name),
            None => rendered.extend([BEGINS, line, "`"]),
        }
        rest = behind;
    }
    rendered.push_str(rest);
    rendered
}

/// The console's step for a command line.
fn step(line: &str) -> Option<Way> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let has = |word: &str| words.contains(&word);
    let is_verdict = ["--approve", "--request-changes", "--comment"].iter().any(|flag| has(flag));
    let number = || words.get(1)?.parse().ok();
    Some(match words[..] {
        ["plan", "show" | "drop", address] => Way::ShowFile(Address::parse(address).ok()?),
        // The view of the plan has the keys that drop or rebuild a file.
        ["plan", "show"] | ["plan", "drop" | "rebuild" | "approve" | "reopen", ..] => Way::ShowPlan,
        ["plan", "add", address] => Way::Add(Some(Address::parse(address).ok()?)),
        ["pr", "resume", ..] => Way::Resume,
        ["pr", "undo", ..] => Way::Undo,
        ["pr", "open", ..] => Way::Recheck,
        ["review"] => Way::ListReviews,
        // An approval needs a review with hashed archives first.
        ["review", ..] if has("--approve") && has("--hash") => Way::HashReview(number()?),
        ["review", ..] if is_verdict => Way::Recheck,
        ["review", ..] if has("--hash") => Way::HashReview(number()?),
        ["review", _] => Way::Review(number()?),
        ["backfill", "dispatch" | "rerun", ..] if has("--dry-run") => Way::Recheck,
        ["backfill", "status", ..] | ["jobs"] => Way::ShowJobs,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A console that has a name for every step.
    fn named(way: &Way) -> Option<String> {
        Some(match way {
            Way::ShowPlan => "2".to_owned(),
            Way::ShowFile(address) => format!("file {address}"),
            Way::Add(Some(address)) => format!("add {address}"),
            Way::Recheck => "R".to_owned(),
            Way::Resume => "r".to_owned(),
            Way::Undo => "u".to_owned(),
            Way::ListReviews => "3".to_owned(),
            Way::Review(number) => format!("review {number}"),
            Way::HashReview(number) => format!("V {number}"),
            Way::ShowJobs => "8".to_owned(),
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
