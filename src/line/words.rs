//! The one table of the line mode's words: how each is written, what it does, and which actions of the console it stands for.
//!
//! Help, suggestions and the `plain` field of `bumpdesk keys --json` come from here, so that no action is forgotten.

use crate::desk::ability::NextStep;
use crate::desk::intent::OnEntry;
use crate::desk::telling::Message;
use crate::desk::telling::shell::in_console;
use crate::rules::mistake::nearest;

/// What a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Word {
    Help,
    List,
    Next,
    Back,
    Filter,
    View,
    Save,
    Delete,
    Sort,
    Group,
    Entry(OnEntry),
    Survey,
    Verify,
    Backfill,
    Pause,
    Resume,
    Workers,
    Rows,
    Reload,
    Mark,
    Unmark,
    Plan,
    Approve,
    Reject,
    Reopen,
    Note,
    Watch,
    Review,
    Dispatch,
    Run,
    Triage,
    Stranded,
    Ignore,
    Unignore,
    Message,
    Pull,
    Arm,
    Disarm,
    Write,
    Send,
    Undo,
    Markdown,
    Jobs,
    Log,
    Cancel,
    Quit,
}

/// One way to write a word.
#[derive(Debug)]
pub(crate) struct Phrase {
    pub(crate) word: Word,
    /// `plan add N`; what is in capitals is filled in.
    pub(crate) form: &'static str,
    pub(crate) does: &'static str,
    /// The names of the actions in the console's table that it stands for.
    pub(crate) actions: &'static [&'static str],
}

const fn say(word: Word, form: &'static str, does: &'static str, actions: &'static [&'static str]) -> Phrase {
    Phrase { word, form, does, actions }
}

/// Every phrase, in the order of the help.
#[rustfmt::skip]
pub(crate) const PHRASES: &[Phrase] = &[
    say(Word::Help, "help", "these words; help WORD says more about one", &["help", "palette"]),
    say(Word::List, "list", "the list from its first row", &["show-inventory", "top"]),
    say(Word::Next, "next", "the next page of what was read out last; next all reads the rest", &["page-down", "half-down", "next-page"]),
    say(Word::Back, "back", "the page before", &["page-up", "half-up", "previous-page"]),
    say(Word::Filter, "filter TERMS", "only what matches all terms; filter alone shows everything again", &["filter"]),
    say(Word::View, "view NAME", "a filter and an order under a name; view alone lists the names", &["views"]),
    say(Word::Save, "save NAME", "keep filter, order and groups as a view of your own", &["save-view"]),
    say(Word::Delete, "delete NAME", "delete a view of your own, after a question", &["delete-view"]),
    say(Word::Sort, "sort WORD", "order by status, newest, oldest, address or behind", &[
        "sort", "sort-status", "sort-newest", "sort-oldest", "sort-address", "sort-behind",
    ]),
    say(Word::Group, "group WORD", "group rows by status, namespace or kind; none for no groups", &[
        "group-none", "group-status", "group-namespace", "group-kind",
    ]),
    say(Word::Entry(OnEntry::Look), "open N", "one entry: what it is, why, what if nothing is done, what can be done; a number alone does the same",
        &["open"]),
    say(Word::Entry(OnEntry::Build), "diff N", "build the proposed rebuild and say what it changes; writes nothing", &["build"]),
    say(Word::Survey, "survey N", "ask upstream about one entry now", &["survey-this"]),
    say(Word::Survey, "survey shown", "ask upstream about all that the list has; also survey marked, survey all",
        &["survey-shown"]),
    say(Word::Verify, "verify N", "is what is stored still what upstream serves? only reads; also ADDRESS@VERSION, verify marked",
        &["verify"]),
    say(Word::Backfill, "backfill N", "fill in h1 and size of an entry where they are lacking, after a question; also backfill marked",
        &["backfill"]),
    say(Word::Dispatch, "dispatch N MACHINES", "make ready to fill it in on so many of GitHub's machines; also dispatch marked MACHINES",
        &["dispatch"]),
    say(Word::Run, "run NUMBER", "follow a backfill on GitHub's machines to its end; run alone follows the newest", &[]),
    say(Word::Run, "run NUMBER again", "make ready to run once more what failed of it; send DIGITS sends that", &[]),
    say(Word::Run, "run NUMBER merge", "put what it found into the plan, after a question", &[]),
    say(Word::Pause, "pause", "pause a verification or a backfill: running downloads finish, no more start", &[]),
    say(Word::Resume, "resume", "resume what was paused", &[]),
    say(Word::Workers, "workers N", "how many downloads a verification or a backfill may have at once", &["more-workers", "fewer-workers"]),
    say(Word::Rows, "rows", "what the last verification found, equal rows once; also rows bad, rows each", &["show-verify"]),
    say(Word::Reload, "reload", "read the registry from disk again", &["reload"]),
    say(Word::Mark, "mark N", "mark rows: mark 3 5 8, mark 3 to 8, mark shown", &["mark", "mark-shown", "range"]),
    say(Word::Unmark, "unmark N", "remove marks: unmark 3, unmark all", &["invert"]),
    say(Word::Plan, "plan add N", "add the rebuild of an entry to the plan, after a question; also plan add marked", &["add"]),
    say(Word::Plan, "plan clear N", "plan to clear the recorded failures of an entry that waits for its next try",
        &["clear-errors"]),
    say(Word::Plan, "plan warn N TEXT", "plan a warning that clients show to users; also plan warn N moved-to ADDRESS", &[]),
    say(Word::Plan, "plan block N VERSION TEXT", "plan to keep a version out, for this reason", &["block"]),
    say(Word::Plan, "plan remove N VERSION REASON", "plan to remove a version, with URL and NUMBER behind it; else the reply", &[]),
    say(Word::Plan, "plan submit KIND NAME", "plan a new provider or module by its REPOSITORY; also plan submit key NAMESPACE FILE", &[]),
    say(Word::Plan, "plan show", "the plan, its files numbered", &["show-changes"]),
    say(Word::Plan, "plan show N", "all that changes in file N of the plan; once read to its end it counts as looked at", &["next-file"]),
    say(Word::Plan, "plan rebuild", "build the whole plan again, after a question", &[]),
    say(Word::Plan, "plan drop N", "remove file N from the plan, after a question; also plan drop all", &["drop"]),
    say(Word::Approve, "approve N", "approve file N of the plan, or one version of it: approve N VERSION", &[]),
    say(Word::Reject, "reject N", "keep file N, or one version of it, out of what would be sent", &["reject"]),
    say(Word::Reopen, "reopen N", "undo an approval or a rejection", &["take-back"]),
    say(Word::Note, "note N TEXT", "write a note on file N of the plan; without text it is removed", &["note"]),
    say(Word::Watch, "watch NUMBER", "follow a pull request to its merge and the bump after it; watch alone reads those that are open", &[]),
    say(Word::Review, "review", "the open pull requests of others, each made again from upstream", &["show-reviews"]),
    say(Word::Review, "review NUMBER", "one of them, file by file; review NUMBER hash downloads and hashes its archives as well", &[]),
    say(Word::Review, "review NUMBER VERDICT", "approve, changes or comment, with words of your own, made ready; send DIGITS submits it",
        &["verdict"]),
    say(Word::Stranded, "stranded", "versions that no bump brings by itself; also stranded WORD, or ADDRESS VERSION", &["show-stranded"]),
    say(Word::Ignore, "ignore ADDRESS VERSION DATE WHY", "ignore a version until a date, for you alone", &["ignore"]),
    say(Word::Unignore, "unignore ADDRESS VERSION", "take back that a version is ignored", &[]),
    say(Word::Message, "message ADDRESS VERSION", "a message to the author of a stranded version, to copy; it is not sent", &["message"]),
    say(Word::Triage, "triage ADDRESS", "why a version is not available: also ADDRESS@VERSION, a URL, or #NUMBER of an issue", &[]),
    say(Word::Pull, "pull", "the pull request of the plan: its gates, and all that it would send",
        &["pull-request"]),
    say(Word::Pull, "pull WORDS", "the same, opened another way: ready, label:NAME, reviewer:LOGIN, fixes:NUMBER, fork", &["edit"]),
    say(Word::Arm, "arm REASON", "allow writing to GitHub for ten minutes", &["arm"]),
    say(Word::Disarm, "disarm", "only read again", &["disarm"]),
    say(Word::Write, "write FILE", "write what pull read out to a new file: every request, and a patch that git am takes",
        &["write-out"]),
    say(Word::Send, "send DIGITS", "open the pull request that was read out, by its six digits, after a question", &[]),
    say(Word::Resume, "resume DIGITS", "send what is left of a pull request that stopped, after a question", &[]),
    say(Word::Undo, "undo", "what undoing the pull request would send; then undo DIGITS does it", &[]),
    say(Word::Markdown, "markdown", "what was read out last as Markdown, to copy; also markdown N, plan, rows, pull, review NUMBER",
        &["copy-markdown"]),
    say(Word::Jobs, "jobs", "what is running, and the last jobs of this and earlier runs", &["show-jobs"]),
    say(Word::Log, "log", "the end of the log; log errors for errors only, log 200 for more", &["only-errors"]),
    say(Word::Cancel, "cancel", "stop what is running; what it found is kept", &["cancel-job"]),
    say(Word::Quit, "quit", "leave; Ctrl-D does the same", &["quit", "interrupt"]),
];

/// Actions of the console that nothing in lines can stand for, though a command does, and why.
const ONLY_DRAWN: &[(&str, &str)] = &[
    ("theme", "lines have no colours"),
    ("copy-json", "nothing is copied here; the command prints it"),
    ("stop-at-bad", "bad rows are said at once, and cancel stops there; the command's option stops unasked"),
];

/// A message of the desk, its next steps named by their words.
pub(crate) fn told(message: &Message) -> String {
    message.told(name_of_step)
}

/// Returns a sentence of a job with its command lines replaced by words of this mode.
pub(crate) fn in_words(text: &str) -> String {
    in_console(text, name_of_step)
}

/// The words of a next step. What a step without words shows or copies is read out anyway.
pub(crate) fn name_of_step(step: &NextStep) -> Option<String> {
    step.line().map(str::to_owned)
}

/// How an action of the console is said in lines: `open N`.
pub(crate) fn form_of(action: &str) -> Option<&'static str> {
    PHRASES.iter().find(|phrase| phrase.actions.contains(&action)).map(|phrase| phrase.form)
}

/// Why an action of the console has no word although a command does the same.
pub(crate) fn only_drawn(action: &str) -> Option<&'static str> {
    ONLY_DRAWN.iter().find(|(name, _)| *name == action).map(|(_, why)| *why)
}

/// A line as it was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said<'a> {
    Nothing,
    /// A number alone.
    Number(usize),
    /// A word and what stands behind it.
    Word(Word, &'a str),
    /// No word; perhaps this one was meant.
    Unknown(&'a str, Option<&'static str>),
}

/// Other ways to say a word.
const ALSO: &[(&str, Word)] = &[
    ("?", Word::Help),
    ("n", Word::Next),
    ("b", Word::Back),
    ("show", Word::Entry(OnEntry::Look)),
    ("views", Word::View),
    ("exit", Word::Quit),
    ("q", Word::Quit),
    ("stop", Word::Cancel),
];

/// Understands a line.
pub(crate) fn understand(line: &str) -> Said<'_> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if first.is_empty() {
        return Said::Nothing;
    }
    if let (Ok(number), "") = (first.trim_end_matches('.').parse(), rest) {
        return Said::Number(number);
    }
    let lower = first.to_ascii_lowercase();
    match find(&lower) {
        Some(word) => Said::Word(word, rest.trim()),
        None => Said::Unknown(first, nearest(&lower, names())),
    }
}

/// The word of this name.
pub(crate) fn find(name: &str) -> Option<Word> {
    let own = PHRASES.iter().find(|phrase| name_of(phrase) == name).map(|phrase| phrase.word);
    own.or_else(|| ALSO.iter().find(|(also, _)| *also == name).map(|(_, word)| *word))
}

/// The name that is typed for a word.
pub(crate) fn of(word: Word) -> &'static str {
    PHRASES.iter().find(|phrase| phrase.word == word).map_or("", name_of)
}

/// The first word of a phrase: `plan` in `plan add N`.
fn name_of(phrase: &Phrase) -> &'static str {
    phrase.form.split(' ').next().unwrap_or(phrase.form)
}

fn names() -> impl Iterator<Item = &'static str> {
    PHRASES.iter().map(name_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        for (line, wanted) in [
            ("", Said::Nothing),
            ("  \t", Said::Nothing),
            (" 3 ", Said::Number(3)),
            ("3.", Said::Number(3)),
            ("3 4", Said::Unknown("3", None)),
            ("Filter  status:behind  !aws ", Said::Word(Word::Filter, "status:behind  !aws")),
            ("?", Said::Word(Word::Help, "")),
            ("plan add 3", Said::Word(Word::Plan, "add 3")),
            ("aprove 1", Said::Unknown("aprove", Some("approve"))),
            ("zzzzzz", Said::Unknown("zzzzzz", None)),
        ] {
            assert_eq!(understand(line), wanted, "{line:?}");
        }
    }

    #[test]
    fn no_action_has_two_phrases_and_no_form_stands_twice() {
        let mut actions: Vec<&str> = PHRASES.iter().flat_map(|phrase| phrase.actions).copied().collect();
        actions.extend(ONLY_DRAWN.iter().map(|(action, _)| *action));
        let mut forms: Vec<&str> = PHRASES.iter().map(|phrase| phrase.form).collect();
        for list in [&mut actions, &mut forms] {
            let before = list.len();
            list.sort_unstable();
            list.dedup();
            assert_eq!(list.len(), before);
        }
        assert_eq!((form_of("build"), form_of("theme")), (Some("diff N"), None));
    }

    #[test]
    fn every_phrase_says_what_it_does_in_a_line() {
        for phrase in PHRASES {
            assert!(find(name_of(phrase)).is_some() && !phrase.does.ends_with('.'), "{phrase:?}");
            assert!(phrase.form.len() + phrase.does.len() < 118, "{phrase:?}");
        }
    }
}
