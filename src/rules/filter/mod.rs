//! The filter language of both faces: `status:behind ns:hashicorp !null age:>1d`.
//!
//! Terms are separated by blanks and must all hold; `!` turns one round. A word without a field is a part of the address,
//! with `~` before it its letters in order. The language knows rows and verdicts and nothing else.

mod parse;

use std::fmt::Write;
use std::time::Duration;

use jiff::Timestamp;

use crate::registry::Kind;
use crate::registry::Row;
use crate::rules::Status;
use crate::rules::Verdict;
use crate::rules::span;

pub use parse::FilterError;

/// A parsed filter; the empty one lets everything through.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq)]
struct Term {
    negated: bool,
    test: Test,
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    /// The address contains it.
    Part(String),
    /// The address has its letters in this order.
    Letters(String),
    Status(Vec<Status>),
    Kind(Kind),
    /// The namespace; `prefix` where the term ended in `*`.
    Namespace {
        text: String,
        prefix: bool,
    },
    Behind(Compare, u64),
    Age(Compare, Duration),
    Has(Trait),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compare {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

/// What `has:` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trait {
    /// Every target has its h1 and size.
    H1,
    Errors,
    Warnings,
    Findings,
    Dirty,
    Broken,
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
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Prepares the filter for many rows at one moment.
    pub fn matcher(&self, now: Timestamp) -> Matcher<'_> {
        Matcher { filter: self, now, address: String::new() }
    }
}

/// A filter at work; keeps one buffer for the addresses, so that a keystroke over all rows allocates nothing.
#[derive(Debug)]
pub struct Matcher<'a> {
    filter: &'a Filter,
    now: Timestamp,
    address: String,
}

impl Matcher<'_> {
    /// Whether a row passes every term.
    pub fn matches(&mut self, row: &Row, verdict: &Verdict) -> bool {
        if self.filter.is_empty() {
            return true;
        }
        self.address.clear();
        let _ = write!(self.address, "{}", row.address);
        self.filter.terms.iter().all(|term| self.holds(&term.test, row, verdict) != term.negated)
    }

    fn holds(&self, test: &Test, row: &Row, verdict: &Verdict) -> bool {
        match test {
            Test::Part(part) => self.address.contains(part.as_str()),
            Test::Letters(letters) => {
                let mut rest = self.address.chars();
                letters.chars().all(|letter| rest.any(|c| c == letter))
            }
            Test::Status(wanted) => wanted.contains(&verdict.status),
            Test::Kind(kind) => row.kind() == *kind,
            Test::Namespace { text: start, prefix: true } => {
                row.address.namespace().starts_with(start.as_str())
            }
            Test::Namespace { text: whole, prefix: false } => row.address.namespace() == whole,
            Test::Behind(compare, count) => compare.holds(u64::from(verdict.missing), *count),
            Test::Age(compare, length) => {
                verdict.since.is_some_and(|since| compare.holds(span::age(since, self.now), *length))
            }
            Test::Has(Trait::H1) => row.shape.target_count > 0 && row.shape.unhashed_targets == 0,
            Test::Has(Trait::Errors) => row.shape.error_count > 0,
            Test::Has(Trait::Warnings) => row.shape.warning_count > 0,
            Test::Has(Trait::Findings) => !verdict.findings.is_empty(),
            Test::Has(Trait::Dirty) => row.dirty,
            Test::Has(Trait::Broken) => row.shape.broken.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Address;
    use crate::registry::Shape;
    use crate::rules::Because;
    use crate::rules::Depth;
    use crate::rules::Source;

    fn row(address: &str, shape: Shape) -> Row {
        Row { address: Address::parse(address).unwrap(), blob: "".into(), dirty: false, shape }
    }

    fn verdict(status: Status, missing: u32, since_s: i64) -> Verdict {
        Verdict {
            status,
            because: Because { text: String::new(), source: Source::Tags, at: None },
            depth: Depth::Versions,
            versions: Vec::new(),
            findings: Vec::new(),
            highest_indexed: None,
            highest_upstream: None,
            missing,
            since: Some(Timestamp::from_second(since_s).unwrap()),
            checked_at: None,
        }
    }

    #[test]
    fn terms_choose_rows() {
        let hashed = Shape { target_count: 3, ..Shape::default() };
        let rows = [
            (row("hashicorp/aws", hashed), verdict(Status::Behind, 3, 0)),
            (
                row("hashicorp/null", Shape { error_count: 1, ..Shape::default() }),
                verdict(Status::Current, 0, 90_000),
            ),
            (row("terraform-aws-modules/vpc/aws", Shape::default()), verdict(Status::Stranded, 1, 90_000)),
        ];
        let cases = [
            ("", "012"),
            ("aws", "02"),
            ("AWS !vpc", "0"),
            ("~hcnl", "1"),
            ("status:behind,STRANDED", "02"),
            ("!status:ok", "02"),
            ("kind:m", "2"),
            ("kind:provider", "01"),
            ("ns:hashicorp", "01"),
            ("ns:terra*", "2"),
            ("ns:terra", ""),
            ("behind:>1", "0"),
            ("behind:1", "2"),
            ("behind:<=1", "12"),
            ("age:>1d", "0"),
            ("age:<1d", "12"),
            ("has:h1", "0"),
            ("has:errors", "1"),
            ("!has:errors hashicorp/", "0"),
        ];
        let now = Timestamp::from_second(100_000).unwrap();
        for (text, wanted) in cases {
            let filter = Filter::parse(text).unwrap();
            let mut matcher = filter.matcher(now);
            let chosen: String = (0..rows.len())
                .filter(|place| matcher.matches(&rows[*place].0, &rows[*place].1))
                .map(|place| place.to_string())
                .collect();
            assert_eq!(chosen, wanted, "{text}");
        }
    }
}
