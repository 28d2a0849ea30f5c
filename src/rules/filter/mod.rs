//! The filter language of all faces: `status:behind ns:hashicorp !null age:>1d`.
//!
//! Terms are separated by blanks and must all hold; `|` joins choices of which one must, `!` before them turns the term round,
//! quotes keep blanks and signs together. A word without a field is a part of the address, with `~` before it its letters in
//! order, with `=` the whole of it. A bad term is named with its place, and the good ones hold all the same. The language
//! knows rows, verdicts and what the maintainer marked, and nothing else.

mod complete;
mod dead;
mod haystack;
mod parse;
mod pasted;
mod select;
mod terms;
mod words;

use std::time::Duration;

use crate::registry::Kind;
use crate::rules::{Level, Status};
use crate::settings::words;

pub(crate) use complete::{Completion, complete};
pub(crate) use dead::{Asked, DeadTerm};
pub(crate) use haystack::Haystack;
pub(crate) use parse::FilterError;
pub(crate) use pasted::of_addresses;
pub(crate) use select::Field;
pub(crate) use terms::terms;

/// The longest filter that is typed or pasted, in characters: a list of some hundred addresses.
pub(crate) const LONGEST: usize = 8_000;

/// A parsed filter; the empty one lets everything through.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Filter {
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq)]
struct Term {
    negated: bool,
    /// One of them must hold, or none if it is negated.
    choices: Vec<Test>,
    /// As it was written, for messages.
    said: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    /// The address contains it.
    Part(String),
    /// It is the address.
    Address(String),
    /// The address has its letters in this order.
    Letters(String),
    /// The reasons say it, in any case.
    Why(String),
    Status(Vec<Status>),
    Level(Vec<Level>),
    Kind(Kind),
    /// The namespace; `prefix` where the term ended in `*`.
    Namespace {
        text: String,
        prefix: bool,
    },
    Behind(Compare, u64),
    Age(Compare, Duration),
    Has(Trait),
    Is(Condition),
}

words! {
    /// By their signs; one that begins like another stands before it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Compare: [ALL, sign] {
        AtLeast = ">=",
        AtMost = "<=",
        More = ">",
        Less = "<",
        Equal = "=",
    }
}

words! {
    /// What `has:` asks for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Trait: [ALL, name, from_name] {
        /// Every target has its h1 and size.
        H1 = "h1",
        Errors = "errors",
        Warnings = "warnings",
        /// An upstream version that the blacklist keeps out.
        Blocked = "blocked",
        Findings = "findings",
        /// The last lint found something in the file as it is.
        Lint = "lint",
        Dirty = "dirty",
        Broken = "broken",
    }
}

words! {
    /// What `is:` asks for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Condition: [ALL, name, from_name] {
        /// Somebody should look at it.
        Attention = "attention",
        /// Nobody asked upstream yet.
        Unchecked = "unchecked",
        Marked = "marked",
        /// It needs attention, and did not when the maintainer looked last.
        New = "new",
    }
}

impl Compare {
    fn holds<T: PartialOrd + Copy>(self, left: T, right: T) -> bool {
        match self {
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Equal => left == right,
            Self::AtLeast => left >= right,
            Self::More => left > right,
        }
    }
}

impl Filter {
    /// Whether it lets everything through.
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The texts that an address has because it passes: words, whole addresses and namespaces of the terms that are not negated.
    pub(crate) fn address_parts(&self) -> impl Iterator<Item = &str> {
        let wanted = self.terms.iter().filter(|term| !term.negated).flat_map(|term| &term.choices);
        wanted.filter_map(|test| match test {
            Test::Part(text) | Test::Address(text) | Test::Namespace { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// Whether any term asks for marks: then the rows shown change with them.
    pub(crate) fn asks_for_marks(&self) -> bool {
        self.asks_for(|condition| condition == Condition::Marked)
    }

    /// Whether any term asks for what a console kept: marks, or the last look.
    pub(crate) fn asks_for_memory(&self) -> bool {
        self.asks_for(|condition| matches!(condition, Condition::Marked | Condition::New))
    }

    fn asks_for(&self, is_it: impl Fn(Condition) -> bool) -> bool {
        let mut tests = self.terms.iter().flat_map(|term| &term.choices);
        tests.any(|test| matches!(test, Test::Is(condition) if is_it(*condition)))
    }

    /// Rows must pass both.
    #[must_use]
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.terms.extend(other.terms);
        self
    }

    /// The same filter, and one of these statuses.
    #[must_use]
    pub(crate) fn and_status(self, statuses: Vec<Status>) -> Self {
        if statuses.is_empty() { self } else { self.and_test(Test::Status(statuses), "--status") }
    }

    /// The same filter, and this kind.
    #[must_use]
    pub(crate) fn and_kind(self, kind: Kind) -> Self {
        self.and_test(Test::Kind(kind), "--kind")
    }

    fn and_test(mut self, test: Test, said: &str) -> Self {
        self.terms.push(Term { negated: false, choices: vec![test], said: said.to_owned() });
        self
    }
}
