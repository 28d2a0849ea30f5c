//! What only the command line does: the palette names it, so that whoever looks for it finds it.

use crate::registry::{Address, Kind};
use crate::rules::plain_text::shell_word;

/// A command that no key stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CommandOnly {
    /// With `ADDRESS` for the entry that is meant, and `VERSION` for its version.
    pub(crate) line: &'static str,
    pub(crate) does: &'static str,
}

const fn only(line: &'static str, does: &'static str) -> CommandOnly {
    CommandOnly { line, does }
}

impl CommandOnly {
    /// Without the program's name, which every line has.
    fn words(&self) -> &'static str {
        self.line.strip_prefix("bumpdesk ").unwrap_or(self.line)
    }

    /// The command's own word: `lock`.
    pub(crate) fn name(&self) -> &'static str {
        self.words().split(' ').next().unwrap_or_default()
    }
}

/// The entry that keys act on, and the version of it where one is meant or known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) address: &'a Address,
    pub(crate) version: Option<&'a str>,
}

/// A command line about an entry, if one is meant that it can be about: of versions only those of providers are locked.
pub(crate) fn line_about(line: &str, subject: Option<Subject<'_>>) -> String {
    let is_possible = |of: &Subject<'_>| of.address.kind() == Kind::Provider || !line.contains("@VERSION");
    let Some(Subject { address, version }) = subject.filter(is_possible) else { return line.to_owned() };
    let line = match version {
        Some(version) => line.replace("ADDRESS@VERSION", &shell_word(&format!("{address}@{version}"))),
        None => line.to_owned(),
    };
    line.replace("ADDRESS", &shell_word(&address.to_string()))
}

/// All of them; a test of the front holds them against the commands there are.
pub(crate) const COMMANDS: &[CommandOnly] = &[
    only(
        "bumpdesk lock ADDRESS@VERSION",
        "print the lock file block of a provider's version, from verified hashes",
    ),
    only("bumpdesk lock --check FILE", "check the hashes of a lock file"),
    only("bumpdesk pr open --plan DIGITS --dry-run", "show what a pull request of the plan would send"),
    only("bumpdesk pr open --plan DIGITS --confirm DIGITS --write", "open the pull request of the plan"),
    only("bumpdesk pr resume DIGITS --write", "continue a pull request that was cut off"),
    only("bumpdesk pr undo DIGITS", "show what would take a pull request back"),
    only("bumpdesk pr list", "list open pull requests, with what each waits for"),
    only("bumpdesk pr watch NUMBER", "follow a pull request to its merge and after it"),
    only("bumpdesk review NUMBER", "make what a pull request claims again from upstream, and compare"),
    only(
        "bumpdesk review NUMBER --approve --hash --dry-run",
        "show what an approval would submit; --request-changes and --comment say otherwise",
    ),
    only("bumpdesk review NUMBER --approve --hash --confirm DIGITS --write", "submit it"),
    only(
        "bumpdesk notice add ADDRESS --issue NUMBER --reply TEXT",
        "keep a reply to what comes again and again",
    ),
    only("bumpdesk triage ADDRESS@VERSION", "say why a version is not available, step by step"),
    only("bumpdesk triage ADDRESS@VERSION --markdown", "print that as Markdown, for whoever asked"),
    only("bumpdesk stranded", "list versions that are stranded upstream, by what would have to happen"),
    only("bumpdesk notice list", "list the replies that are kept"),
    only("bumpdesk plan clear-errors ADDRESS@VERSION", "plan to have failed versions tried again at once"),
    only("bumpdesk plan warn ADDRESS --text TEXT", "plan a warning that clients show to users of a provider"),
    only(
        "bumpdesk plan remove ADDRESS@VERSION --because REASON",
        "plan to remove a version, or print the policy's reply",
    ),
    only("bumpdesk plan submit KIND REPOSITORY", "plan a new provider or module"),
    only("bumpdesk plan submit key NAMESPACE FILE", "plan a new key of a namespace"),
    only(
        "bumpdesk backfill plan ADDRESS",
        "say what a provider lacks of h1 and size, and what filling it in costs",
    ),
    only("bumpdesk backfill run ADDRESS", "download its archives and plan their h1 and size"),
    only("bumpdesk backfill rerun NUMBER --dry-run", "show what would run once more what failed of a run"),
    only("bumpdesk bump", "write into the checkout what the next bump would write"),
    only("bumpdesk lint", "check the data files for mistakes"),
    only("bumpdesk doctor", "say what is set, and which servers can be reached"),
    only("bumpdesk config check", "check configuration, keys and themes"),
    only("bumpdesk clone", "fetch the registry with git"),
    only("bumpdesk demo", "try everything on a small invented registry"),
    only("bumpdesk completions SHELL", "print the completions for a shell"),
    only("bumpdesk man", "print the manual page"),
    only("bumpdesk help TOPIC", "print a page of the manual"),
];

/// Those that have all words that were typed; none for nothing.
pub(crate) fn command_only(typed: &str) -> Vec<&'static CommandOnly> {
    let words: Vec<String> = typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let has = |command: &&CommandOnly| {
        let text = format!("{} {}", command.words(), command.does).to_lowercase();
        words.iter().all(|word| {
            text.split(|c: char| !c.is_alphanumeric()).any(|part| part.starts_with(word.as_str()))
        })
    };
    COMMANDS.iter().filter(|_| !words.is_empty()).filter(has).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line begins with the program's name, so that this tells nothing.
    #[test]
    fn commands_are_found_by_their_own_words() {
        let names = |typed: &str| command_only(typed).iter().map(|one| one.name()).collect::<Vec<_>>();
        assert_eq!(names("bump"), ["bump"]);
        assert_eq!(names("lock file"), ["lock", "lock"]);
        assert_eq!(names("pull"), ["pr", "pr", "pr", "pr", "pr", "pr", "review"]);
        assert_eq!(names(""), [""; 0]);
    }
}
