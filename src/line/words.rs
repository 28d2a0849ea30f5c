//! The words of line mode: those of abilities, which the desk has, and those of lines alone.
//!
//! Help, suggestions and the `plain` field of `bumpdesk keys --json` come from here, so that no action is forgotten.

use std::cmp::Reverse;

use crate::desk::ability::{Ability, NextStep, Phrase};
use crate::desk::telling::Message;
use crate::desk::telling::shell::in_console;
use crate::rules::spelling::nearest;

/// A word that only lines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Help,
    List,
    Next,
    Back,
    Filter,
    View,
    Save,
    Sort,
    Group,
    Mark,
    Unmark,
    Markdown,
    Log,
}

/// One row of the words that only lines have.
struct WordRow {
    word: Word,
    phrase: Phrase,
    /// The ability that comes next in the help.
    before: Ability,
    /// The names of the actions in the console's table that it stands for.
    actions: &'static [&'static str],
}

const fn word(
    word: Word,
    before: Ability,
    form: &'static str,
    does: &'static str,
    actions: &'static [&'static str],
) -> WordRow {
    WordRow { word, phrase: Phrase { form, does }, before, actions }
}

/// The words that only lines have, in the order of the help.
#[rustfmt::skip]
const WORDS: &[WordRow] = &[
    word(Word::Help, Ability::DeleteView, "help", "these words; help WORD says more about one", &["help", "palette"]),
    word(Word::List, Ability::DeleteView, "list", "the list from its first row", &["show-inventory", "top"]),
    word(Word::Next, Ability::DeleteView, "next", "the next page of what was read out last; next all reads the rest", &["page-down", "half-down", "next-page"]),
    word(Word::Back, Ability::DeleteView, "back", "the page before", &["page-up", "half-up", "previous-page"]),
    word(Word::Filter, Ability::DeleteView, "filter TERMS", "only what matches all terms; filter alone shows everything again", &["filter"]),
    word(Word::View, Ability::DeleteView, "view NAME", "a filter and an order under a name; view alone lists the names", &["views"]),
    word(Word::Save, Ability::DeleteView, "save NAME", "keep filter, order and groups as a view of your own", &["save-view"]),
    word(Word::Sort, Ability::Look, "sort WORD", "order by status, newest, oldest, address or behind", &["sort", "sort-status", "sort-newest", "sort-oldest", "sort-address", "sort-behind"]),
    word(Word::Group, Ability::Look, "group WORD", "group rows by status, namespace or kind; none for no groups", &["group-none", "group-status", "group-namespace", "group-kind"]),
    word(Word::Mark, Ability::Add, "mark N", "mark rows: mark 3 5 8, mark 3 to 8, mark shown", &["mark", "mark-shown", "range"]),
    word(Word::Unmark, Ability::Add, "unmark N", "remove marks: unmark 3, unmark all", &["invert"]),
    word(Word::Markdown, Ability::ShowJobs, "markdown", "what was read out last as Markdown, to copy; also markdown N, plan, rows, pull, review NUMBER", &["copy-markdown"]),
    word(Word::Log, Ability::CancelAll, "log", "the end of the log; log errors for errors only, log 200 for more", &["only-errors"]),
];

/// Actions of the console whose ability has no phrase, and the ability whose phrase stands for them.
const STANDS_FOR: &[(&str, Ability)] = &[
    ("next-file", Ability::ShowFile),
    ("pull-request", Ability::Recheck),
    ("fewer-workers", Ability::MoreWorkers),
    ("cancel-job", Ability::CancelAll),
    ("show-reviews", Ability::ListReviews),
    ("interrupt", Ability::Leave),
];

/// Actions of the console that nothing in lines can stand for, though a command does, and why.
const ONLY_DRAWN: &[(&str, &str)] = &[
    ("theme", "lines have no colours"),
    ("other-pane", "lines have no panes; review NUMBER upstream reads the other side of a difference out"),
    ("copy-json", "nothing is copied here; the command prints it"),
    ("stop-at-bad", "bad rows are said at once, and cancel stops there; the command's option stops unasked"),
];

/// Every phrase, in the order of the help.
pub(crate) fn phrases() -> impl Iterator<Item = &'static Phrase> {
    Ability::all().flat_map(|ability| {
        let words = WORDS.iter().filter(move |row| row.before == ability).map(|row| &row.phrase);
        words.chain(&ability.row().phrase)
    })
}

/// A message of the desk, its next steps named by their words.
pub(crate) fn text_of(message: &Message) -> String {
    message.text_with(name_of_step)
}

/// Returns a sentence of a job with its command lines replaced by words of this mode.
pub(crate) fn in_words(text: &str) -> String {
    in_console(text, name_of_step)
}

/// The words of a next step. What a step without words shows or copies is read out anyway.
pub(crate) fn name_of_step(step: &NextStep) -> Option<String> {
    step.line().map(str::to_owned)
}

/// The form that stands for an action of the console: `open N`. `ability` is that of the action.
pub(crate) fn form_of(action: &str, ability: Option<Ability>) -> Option<&'static str> {
    if let Some(row) = WORDS.iter().find(|row| row.actions.contains(&action)) {
        return Some(row.phrase.form);
    }
    let other = STANDS_FOR.iter().find(|(name, _)| *name == action).map(|(_, ability)| *ability);
    let phrase = other.or(ability)?.row().phrase.as_ref()?;
    Some(phrase.form)
}

/// Why an action of the console has no word although a command does the same.
pub(crate) fn only_drawn(action: &str) -> Option<&'static str> {
    ONLY_DRAWN.iter().find(|(name, _)| *name == action).map(|(_, why)| *why)
}

/// A line as it was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LineMeaning<'a> {
    Nothing,
    /// A number alone.
    Number(usize),
    /// An ability and the rest of the line.
    Does(Ability, &'a str),
    /// A word of lines alone and the rest of the line.
    Word(Word, &'a str),
    /// No word; perhaps this one was meant.
    Unknown(&'a str, Option<&'static str>),
}

/// Other words for the first word of a form.
const ALSO: &[(&str, &str)] = &[
    ("?", "help"),
    ("n", "next"),
    ("b", "back"),
    ("show", "open"),
    ("views", "view"),
    ("exit", "quit"),
    ("q", "quit"),
    ("stop", "cancel"),
];

/// Understands a line.
pub(crate) fn understand(line: &str) -> LineMeaning<'_> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if first.is_empty() {
        return LineMeaning::Nothing;
    }
    if let (Ok(number), "") = (first.trim_end_matches('.').parse(), rest) {
        return LineMeaning::Number(number);
    }
    let (lower, rest) = (first.to_ascii_lowercase(), rest.trim());
    let name = own_name(&lower);
    if let Some(row) = WORDS.iter().find(|row| row.phrase.name() == name) {
        return LineMeaning::Word(row.word, rest);
    }
    match ability(name, rest) {
        Some((ability, rest)) => LineMeaning::Does(ability, rest),
        None => LineMeaning::Unknown(first, nearest(&lower, phrases().map(Phrase::name))),
    }
}

/// The first word of the forms that a word stands for.
pub(crate) fn own_name(word: &str) -> &str {
    ALSO.iter().find(|(also, _)| *also == word).map_or(word, |(_, name)| *name)
}

/// The ability that a first word and the rest of a line name, and the rest behind the words of its form. Of several forms the one
/// with the most words fits best. A form of one word takes any rest.
fn ability<'a>(name: &str, rest: &'a str) -> Option<(Ability, &'a str)> {
    let fits = |ability: Ability| {
        let phrase = ability.row().phrase.as_ref().filter(|phrase| phrase.name() == name)?;
        let (words, rest) = behind(phrase.form, rest)?;
        Some((words, ability, rest))
    };
    let fitting = Ability::all().filter_map(fits).min_by_key(|(words, ..)| Reverse(*words));
    if let Some((_, ability, rest)) = fitting {
        return Some((ability, rest));
    }
    let is_name = |ability: &Ability| ability.row().phrase.as_ref().is_some_and(|phrase| phrase.form == name);
    let is_line = |ability: &Ability| ability.row().line == Some(name);
    let other = Ability::all().find(is_name).or_else(|| Ability::all().find(is_line));
    other.map(|ability| (ability, rest))
}

/// The number of words before the first blank of a form, and the rest of a line behind them; `None` if the line has other words,
/// or more than a form without blanks.
fn behind<'a>(form: &str, mut rest: &'a str) -> Option<(usize, &'a str)> {
    for (at, word) in form.split(' ').enumerate().skip(1) {
        if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            return Some((at, rest));
        }
        let (next, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if next != word {
            return None;
        }
        rest = behind.trim_start();
    }
    rest.is_empty().then(|| (form.split(' ').count(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        for (line, wanted) in [
            ("", LineMeaning::Nothing),
            ("  \t", LineMeaning::Nothing),
            (" 3 ", LineMeaning::Number(3)),
            ("3.", LineMeaning::Number(3)),
            ("3 4", LineMeaning::Unknown("3", None)),
            ("Filter  status:behind  !aws ", LineMeaning::Word(Word::Filter, "status:behind  !aws")),
            ("?", LineMeaning::Word(Word::Help, "")),
            ("plan add 3", LineMeaning::Does(Ability::Add, "3")),
            ("plan", LineMeaning::Does(Ability::ShowPlan, "")),
            ("plan xyz 3", LineMeaning::Does(Ability::ShowPlan, "xyz 3")),
            ("plan  show", LineMeaning::Does(Ability::ShowPlan, "")),
            ("plan show 3", LineMeaning::Does(Ability::ShowFile, "3")),
            ("survey shown", LineMeaning::Does(Ability::SurveyShown, "")),
            ("survey shown 3", LineMeaning::Does(Ability::Survey, "shown 3")),
            ("run 7 again", LineMeaning::Does(Ability::FollowRun, "7 again")),
            ("resume", LineMeaning::Does(Ability::PauseBackfill, "")),
            ("resume 4f21c0", LineMeaning::Does(Ability::Resume, "4f21c0")),
            ("rows bad", LineMeaning::Does(Ability::ShowVerification, "bad")),
            ("stop", LineMeaning::Does(Ability::CancelAll, "")),
            ("show 3", LineMeaning::Does(Ability::Look, "3")),
            ("aprove 1", LineMeaning::Unknown("aprove", Some("approve"))),
            ("zzzzzz", LineMeaning::Unknown("zzzzzz", None)),
        ] {
            assert_eq!(understand(line), wanted, "{line:?}");
        }
    }

    #[test]
    fn no_action_has_two_phrases_and_no_form_stands_twice() {
        let mut actions: Vec<&str> = WORDS.iter().flat_map(|row| row.actions).copied().collect();
        actions.extend(ONLY_DRAWN.iter().map(|(action, _)| *action));
        actions.extend(STANDS_FOR.iter().map(|(action, _)| *action));
        let mut forms: Vec<&str> = phrases().map(|phrase| phrase.form).collect();
        for list in [&mut actions, &mut forms] {
            let before = list.len();
            list.sort_unstable();
            list.dedup();
            assert_eq!(list.len(), before);
        }
        assert_eq!((form_of("build", Some(Ability::Build)), form_of("theme", None)), (Some("diff N"), None));
    }

    #[test]
    fn every_phrase_says_what_it_does_in_a_line() {
        for phrase in phrases() {
            let is_known = !matches!(understand(phrase.form), LineMeaning::Unknown(..));
            assert!(is_known && !phrase.does.ends_with('.'), "{phrase:?}");
            assert!(phrase.form.len() + phrase.does.len() < 118, "{phrase:?}");
        }
    }
}
