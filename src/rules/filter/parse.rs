//! Reads a filter; every mistake is named with its place.

use crate::registry::Kind;
use crate::rules::Status;
use crate::rules::filter::Compare;
use crate::rules::filter::Filter;
use crate::rules::filter::Term;
use crate::rules::filter::Test;
use crate::rules::filter::Trait;
use crate::rules::span;

/// A term that is no term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("filter, character {column}: {text}")]
pub struct FilterError {
    /// Where the term starts, in characters from 1.
    pub column: usize,
    pub text: String,
}

const FIELDS: &str = "status: kind: ns: behind: age: has:";

impl Filter {
    /// Reads a filter; an empty or blank text lets everything through.
    ///
    /// # Errors
    /// An unknown field, or a value that the field does not take.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let mut terms = Vec::new();
        let mut column = 1;
        for word in text.split(' ') {
            if !word.is_empty() {
                terms.push(term(word).map_err(|text| FilterError { column, text })?);
            }
            column += word.chars().count() + 1;
        }
        Ok(Self { terms })
    }

    /// The same filter, and one of these statuses.
    #[must_use]
    pub fn and_status(mut self, statuses: Vec<Status>) -> Self {
        if !statuses.is_empty() {
            self.terms.push(Term { negated: false, test: Test::Status(statuses) });
        }
        self
    }

    /// The same filter, and this kind.
    #[must_use]
    pub fn and_kind(mut self, kind: Kind) -> Self {
        self.terms.push(Term { negated: false, test: Test::Kind(kind) });
        self
    }
}

fn term(word: &str) -> Result<Term, String> {
    let (negated, word) = match word.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    if word.is_empty() {
        return Err("`!` stands alone; write `!term`".into());
    }
    let lower = word.to_lowercase();
    let test = match lower.split_once(':') {
        Some((field, value)) => of_field(field, value)?,
        None => match lower.strip_prefix('~') {
            Some(letters) => Test::Letters(letters.into()),
            None => Test::Part(lower),
        },
    };
    Ok(Term { negated, test })
}

fn of_field(field: &str, value: &str) -> Result<Test, String> {
    if value.is_empty() {
        return Err(format!("`{field}:` has no value"));
    }
    match field {
        "status" => value.split(',').map(status).collect::<Result<_, _>>().map(Test::Status),
        "kind" => match value {
            "provider" | "providers" | "p" => Ok(Test::Kind(Kind::Provider)),
            "module" | "modules" | "m" => Ok(Test::Kind(Kind::Module)),
            _ => Err(format!("`{value}` is no kind; write `provider` or `module`")),
        },
        "ns" => Ok(match value.strip_suffix('*') {
            Some(text) => Test::Namespace { text: text.into(), prefix: true },
            None => Test::Namespace { text: value.into(), prefix: false },
        }),
        "behind" => {
            let (compare, count) = compare(value);
            let count = count.parse().map_err(|_| format!("`{value}` is no count; write `behind:>2`"))?;
            Ok(Test::Behind(compare, count))
        }
        "age" => {
            let (compare, length) = compare(value);
            let length = span::parse(length)
                .ok_or_else(|| format!("`{value}` is no age; write `age:>1d`, with s, m, h, d or w"))?;
            Ok(Test::Age(compare, length))
        }
        "has" => has(value).map(Test::Has),
        _ => Err(format!("there is no field `{field}:`; known: {FIELDS}")),
    }
}

fn status(word: &str) -> Result<Status, String> {
    Status::from_name(word).ok_or_else(|| {
        let known: Vec<&str> = Status::all().map(Status::name).collect();
        format!("there is no status `{word}`; known: {}", known.join(", "))
    })
}

fn has(value: &str) -> Result<Trait, String> {
    Ok(match value {
        "h1" => Trait::H1,
        "errors" => Trait::Errors,
        "warnings" => Trait::Warnings,
        "findings" => Trait::Findings,
        "dirty" => Trait::Dirty,
        "broken" => Trait::Broken,
        _ => {
            return Err(format!(
                "`has:{value}` asks for nothing known; known: h1, errors, warnings, findings, dirty, broken"
            ));
        }
    })
}

fn compare(value: &str) -> (Compare, &str) {
    for (sign, compare) in [
        (">=", Compare::AtLeast),
        ("<=", Compare::AtMost),
        (">", Compare::More),
        ("<", Compare::Less),
        ("=", Compare::Equal),
    ] {
        if let Some(rest) = value.strip_prefix(sign) {
            return (compare, rest);
        }
    }
    (Compare::Equal, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_have_a_place() {
        let cases = [
            ("aws status:beind", 5, "there is no status `beind`"),
            ("  foo:bar", 3, "there is no field `foo:`"),
            ("kind:x", 1, "`x` is no kind"),
            ("ns:", 1, "`ns:` has no value"),
            ("a !", 3, "`!` stands alone"),
            ("behind:>x", 1, "`>x` is no count"),
            ("age:1", 1, "`1` is no age"),
            ("has:x", 1, "`has:x` asks for nothing known"),
        ];
        for (text, column, start) in cases {
            let error = Filter::parse(text).unwrap_err();
            assert_eq!(error.column, column, "{text}");
            assert!(error.text.starts_with(start), "{error}");
        }
        assert!(Filter::parse("  ").unwrap().is_empty());
    }
}
