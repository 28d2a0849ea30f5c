//! What a filter that lets nothing through is told of: which terms no row passes, and what was perhaps meant by them.

use crate::registry::Kind;
use crate::rules::filter::{Condition, Field, Filter, Term, Test, Trait};
use crate::rules::{Level, Status};

/// A term that no row passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeadTerm {
    /// As it was written.
    pub(crate) said: String,
    pub(crate) asked: Asked,
    /// Terms that were perhaps meant, with how many rows each finds; a status or another word of the language also if it is none.
    pub(crate) instead: Vec<(String, usize)>,
    /// It asks what lint found, or a word of it may, and lint has looked at no file yet.
    pub(crate) is_unlinted: bool,
}

/// What a dead term asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A part of an address, or the whole.
    Address,
    Letters,
    Reason,
    Other,
}

impl Filter {
    /// The terms that no row passes at all: why nothing is left. None of them where only all together let nothing through.
    pub(crate) fn dead_terms(&self, field: &Field<'_>) -> Vec<DeadTerm> {
        let dead = self.terms.iter().filter(|term| term.count(field, 1) == 0);
        dead.map(|term| DeadTerm {
            said: term.said.clone(),
            asked: asked(term),
            instead: term.instead(field),
            is_unlinted: term.asks_for_lint() && field.rows.iter().all(|row| row.lint.is_none()),
        })
        .collect()
    }
}

fn asked(term: &Term) -> Asked {
    let all = |is_it: fn(&Test) -> bool| !term.negated && term.choices.iter().all(is_it);
    if all(|test| matches!(test, Test::Part(_) | Test::Address(_))) {
        Asked::Address
    } else if all(|test| matches!(test, Test::Letters(_))) {
        Asked::Letters
    } else if all(|test| matches!(test, Test::Why(_))) {
        Asked::Reason
    } else {
        Asked::Other
    }
}

impl Term {
    fn asks_for_lint(&self) -> bool {
        let is_lint = |test: &Test| *test == Test::Has(Trait::Lint);
        self.choices.iter().any(|choice| match choice {
            Test::Part(word) => named_by(word).iter().any(|(_, test)| is_lint(test)),
            choice => is_lint(choice),
        })
    }

    fn instead(&self, field: &Field<'_>) -> Vec<(String, usize)> {
        let count = |said: String, test: Test| {
            let term = Self { negated: false, choices: vec![test], said };
            let count = term.count(field, usize::MAX);
            (term.said, count)
        };
        match &self.choices[..] {
            [Test::Part(word)] if !self.negated => {
                let mut instead: Vec<_> =
                    named_by(word).into_iter().map(|(said, test)| count(said, test)).collect();
                let letters = count(format!("~{word}"), Test::Letters(word.clone()));
                instead.extend(Some(letters).filter(|(_, count)| *count > 0));
                instead
            }
            [Test::Namespace { text, prefix: false }] if !self.negated => {
                let start = Test::Namespace { text: text.clone(), prefix: true };
                Some(count(format!("ns:{text}*"), start))
                    .filter(|(_, count)| *count > 0)
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The terms of the language that a word is the name of, or begins.
fn named_by(word: &str) -> Vec<(String, Test)> {
    // Two letters begin too much.
    let begins = |name: &str| name.starts_with(word) && word.len() > 2;
    let mut named: Vec<(String, Test)> = Vec::new();
    for status in Status::words() {
        let screen = status.word().to_lowercase();
        if begins(&screen) || begins(status.name()) || word == screen {
            let all = Status::of_word(status.word()).collect();
            named.push((format!("status:{screen}"), Test::Status(all)));
        }
    }
    let levels = Level::ALL.into_iter().filter(|level| begins(level.name()));
    named.extend(levels.map(|level| (format!("level:{}", level.name()), Test::Level(vec![level]))));
    let conditions = Condition::ALL.into_iter().filter(|condition| begins(condition.name()));
    named.extend(conditions.map(|condition| (format!("is:{}", condition.name()), Test::Is(condition))));
    let traits = Trait::ALL.into_iter().filter(|wanted| begins(wanted.name()));
    named.extend(traits.map(|wanted| (format!("has:{}", wanted.name()), Test::Has(wanted))));
    let kinds =
        Kind::ALL.into_iter().filter(|kind| begins(kind.word()) || word == format!("{}s", kind.word()));
    named.extend(kinds.map(|kind| (format!("kind:{}", kind.word()), Test::Kind(kind))));
    named
}
