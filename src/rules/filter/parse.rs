//! Reads a filter; every mistake is named with its place and the nearest spelling.

use crate::registry::{Address, Kind};
use crate::rules::filter::words::{Word, words};
use crate::rules::filter::{Compare, Condition, Filter, Term, Test, Trait};
use crate::rules::spelling::nearest;
use crate::rules::{Level, Status, amount};
use crate::settings::words;

/// A term that is no term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("filter, character {column}: {text}")]
pub(crate) struct FilterError {
    /// The first character of the term, counted from 1.
    pub(crate) column: usize,
    /// The number of its characters.
    pub(crate) length: usize,
    pub(crate) text: String,
}

words! {
    /// The word before a colon.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Field: [ALL, name, from_name] {
        Status = "status",
        Level = "level",
        Kind = "kind",
        Namespace = "ns",
        Behind = "behind",
        Age = "age",
        Has = "has",
        Is = "is",
        Why = "why",
    }
}

impl Field {
    /// The values that the field takes, as advice.
    fn takes(self) -> String {
        match self {
            Self::Status => format!("write one of {}", status_words().join(", ")),
            Self::Level => format!("write one of {}", Level::ALL.map(Level::name).join(", ")),
            Self::Kind => "write `provider` or `module`".into(),
            Self::Namespace => "write a namespace, or its start and `*`".into(),
            Self::Behind => "write `behind:>2`".into(),
            Self::Age => "write `age:>1d`, with s, m, h, d or w".into(),
            Self::Has => format!("write one of {}", Trait::ALL.map(Trait::name).join(", ")),
            Self::Is => format!("write one of {}", Condition::ALL.map(Condition::name).join(", ")),
            Self::Why => "write a part of the reason".into(),
        }
    }
}

impl Filter {
    /// Reads a filter; an empty or blank text lets everything through.
    ///
    /// # Errors
    /// An unknown field, or a value that the field does not take: the first such term.
    pub(crate) fn parse(text: &str) -> Result<Self, FilterError> {
        let (filter, errors) = Self::read(text);
        errors.into_iter().next().map_or(Ok(filter), Err)
    }

    /// Reads what can be read: the good terms, and what is wrong with each of the others.
    pub(crate) fn read(text: &str) -> (Self, Vec<FilterError>) {
        let (mut terms, mut errors): (Vec<Term>, Vec<FilterError>) = (Vec::new(), Vec::new());
        // The field of the choice before: a value alone after `|` keeps it.
        let mut field = None;
        // The term that choices are added to; none after a bad one.
        let mut is_open = false;
        for word in words(text) {
            let first = !word.or;
            match choice(&word, first, field.filter(|_| !first)) {
                Ok(read) => {
                    field = read.field;
                    // The rest of a term whose first choice is bad would say something else alone.
                    if !first && !is_open {
                        continue;
                    }
                    match terms.last_mut().filter(|_| !first) {
                        Some(term) => {
                            term.choices.push(read.test);
                            term.said = format!("{}|{}", term.said, word.text);
                        }
                        None => terms.push(Term {
                            negated: read.negated,
                            choices: vec![read.test],
                            said: word.text.clone(),
                        }),
                    }
                    is_open = true;
                }
                Err(text) => {
                    errors.push(FilterError { column: word.column, length: word.length, text });
                    if !first && is_open {
                        terms.pop();
                    }
                    is_open = false;
                }
            }
        }
        (Self { terms }, errors)
    }
}

/// One choice of a term.
struct Choice {
    negated: bool,
    field: Option<Field>,
    test: Test,
}

/// Reads a word; `kept` is the field that a value alone belongs to.
fn choice(word: &Word, first: bool, kept: Option<Field>) -> Result<Choice, String> {
    let (plain, quoted) = word.text.split_at(word.plain);
    if plain == "|" {
        return Err("`|` goes between two terms; write `a|b`".into());
    }
    let (negated, plain) = plain.strip_prefix('!').map_or((false, plain), |rest| (true, rest));
    if negated && !first {
        return Err("`!` applies to the whole choice: `!a|b` lets neither through".into());
    }
    let (field, test) = match plain.split_once(':') {
        Some(_) if plain.contains("://") => (None, of_word(plain, quoted, negated)?),
        Some((name, value)) => {
            let (field, test) = of_name(&name.to_lowercase(), &format!("{value}{quoted}").to_lowercase())?;
            (Some(field), test)
        }
        None => match kept.filter(|_| !plain.starts_with('~')) {
            Some(field) => (Some(field), of_field(field, &format!("{plain}{quoted}").to_lowercase())?),
            None => (None, of_word(plain, quoted, negated)?),
        },
    };
    Ok(Choice { negated, field, test })
}

fn of_word(plain: &str, quoted: &str, negated: bool) -> Result<Test, String> {
    let sign = plain.chars().next().filter(|sign| matches!(sign, '~' | '='));
    let rest = &plain[sign.map_or(0, char::len_utf8)..];
    let text = format!("{rest}{quoted}").to_lowercase();
    if text.is_empty() {
        return Err(match negated.then_some('!').or(sign) {
            Some(sign) => format!("`{sign}` is alone; write `{sign}word`"),
            None => "there is nothing between the quotes".into(),
        });
    }
    // No address has a blank: who asks for two words means the reasons.
    if text.contains(char::is_whitespace) {
        return Ok(Test::Why(text));
    }
    Ok(match sign {
        Some('~') => Test::Letters(text),
        // A URL or a path names one entry; a part of an address may be many.
        sign => match Address::parse(&text).map(|address| address.to_string()) {
            Ok(address) if sign.is_some() || address != text => Test::Address(address),
            _ if sign.is_some() => Test::Address(text),
            _ => Test::Part(text),
        },
    })
}

fn of_name(name: &str, value: &str) -> Result<(Field, Test), String> {
    let Some(field) = Field::from_name(name) else {
        return Err(unknown("field", name, &Field::ALL.map(Field::name), ":"));
    };
    Ok((field, of_field(field, value)?))
}

fn of_field(field: Field, value: &str) -> Result<Test, String> {
    let takes = || field.takes();
    if value.is_empty() {
        return Err(format!("`{}:` has no value; {}", field.name(), takes()));
    }
    match field {
        Field::Status => statuses(value).map(Test::Status),
        Field::Level => levels(value).map(Test::Level),
        Field::Kind => kind(value).map(Test::Kind),
        Field::Namespace => Ok(match value.strip_suffix('*') {
            Some(text) => Test::Namespace { text: text.into(), prefix: true },
            None => Test::Namespace { text: value.into(), prefix: false },
        }),
        Field::Behind => {
            let (compare, count) = compare(value);
            let count = count.parse().map_err(|_| format!("`{value}` is not a count; {}", takes()))?;
            Ok(Test::Behind(compare, count))
        }
        Field::Age => {
            let (compare, length) = compare(value);
            let length = amount::parse_length(length)
                .ok_or_else(|| format!("`{value}` is not an age; {}", takes()))?;
            Ok(Test::Age(compare, length))
        }
        Field::Has => Trait::from_name(value)
            .map(Test::Has)
            .ok_or_else(|| unknown("`has:`", value, &Trait::ALL.map(Trait::name), "")),
        Field::Is => Condition::from_name(value)
            .map(Test::Is)
            .ok_or_else(|| unknown("`is:`", value, &Condition::ALL.map(Condition::name), "")),
        Field::Why => Ok(Test::Why(value.to_owned())),
    }
}

/// The words of the screen, as they are written in a filter.
pub(super) fn status_words() -> Vec<String> {
    Status::words().map(|status| status.word().to_lowercase()).collect()
}

/// The statuses of a list; the start of a word or name is enough.
fn statuses(value: &str) -> Result<Vec<Status>, String> {
    let mut list = Vec::new();
    for word in value.split(',') {
        if let Some(status) = Status::from_name(word) {
            let of_word = Status::of_word(word);
            let before = list.len();
            list.extend(of_word);
            if list.len() == before {
                list.push(status);
            }
            continue;
        }
        let fits = |status: &Status| {
            status.word().to_lowercase().starts_with(word) || status.name().starts_with(word)
        };
        let before = list.len();
        list.extend(Status::all().filter(fits).filter(|_| !word.is_empty()));
        if list.len() == before {
            // A mark of a version, or what a maintainer did, is no status of an entry.
            let has = Trait::from_name(word).map(|wanted| format!("{}:{}", Field::Has.name(), wanted.name()));
            let is =
                || Condition::from_name(word).map(|wanted| format!("{}:{}", Field::Is.name(), wanted.name()));
            let level =
                || Level::from_name(word).map(|level| format!("{}:{}", Field::Level.name(), level.name()));
            if let Some(near) = has.or_else(is).or_else(level) {
                return Err(format!("there is no status `{word}`; did you mean `{near}`?"));
            }
            let words = status_words();
            let names = Status::all().map(|status| status.name().to_owned());
            let known: Vec<String> = words.into_iter().chain(names).collect();
            return Err(match nearest(word, known.iter().map(String::as_str)) {
                Some(near) => format!("there is no status `{word}`; did you mean `{near}`?"),
                None => format!("there is no status `{word}`; {}", Field::Status.takes()),
            });
        }
    }
    Ok(list)
}

/// The levels of a list; the start of a name is enough.
fn levels(value: &str) -> Result<Vec<Level>, String> {
    let level = |word: &str| {
        let named = Level::ALL.into_iter().find(|level| !word.is_empty() && level.name().starts_with(word));
        named.ok_or_else(|| unknown("level", word, &Level::ALL.map(Level::name), ""))
    };
    value.split(',').map(level).collect()
}

fn kind(value: &str) -> Result<Kind, String> {
    let value = value.strip_suffix('s').unwrap_or(value);
    Kind::ALL
        .into_iter()
        .find(|kind| !value.is_empty() && kind.word().starts_with(value))
        .ok_or_else(|| format!("`{value}` is not a kind; {}", Field::Kind.takes()))
}

/// There is no such thing: the nearest spelling, or all there is.
fn unknown(what: &str, word: &str, known: &[&str], end: &str) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("there is no {what} `{word}{end}`; did you mean `{near}{end}`?"),
        None => format!("there is no {what} `{word}{end}`; known: {}", known.join(" ")),
    }
}

fn compare(value: &str) -> (Compare, &str) {
    let signed = |compare: Compare| Some((compare, value.strip_prefix(compare.sign())?));
    Compare::ALL.into_iter().find_map(signed).unwrap_or((Compare::Equal, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_have_a_place_and_a_remedy() {
        let cases = [
            ("aws status:beind", 5, "there is no status `beind`; did you mean `behind`?"),
            (
                "status:z",
                1,
                "there is no status `z`; write one of unusable, gone, ghost, drift, keys, nohash, moved, ",
            ),
            ("status:blocked", 1, "there is no status `blocked`; did you mean `has:blocked`?"),
            ("status:new", 1, "there is no status `new`; did you mean `is:new`?"),
            ("status:act", 1, "there is no status `act`; did you mean `level:act`?"),
            ("status:ok,", 1, "there is no status ``"),
            ("level:x", 1, "there is no level `x`; known: act look wait fine"),
            ("level:loko", 1, "there is no level `loko`; did you mean `look`?"),
            ("level:act,", 1, "there is no level ``"),
            ("  foo:bar", 3, "there is no field `foo:`; known: status level kind ns"),
            ("stauts:ok", 1, "there is no field `stauts:`; did you mean `status:`?"),
            ("kind:x", 1, "`x` is not a kind"),
            ("kind:s", 1, "`` is not a kind"),
            ("ns:", 1, "`ns:` has no value; write a namespace"),
            ("a !", 3, "`!` is alone; write `!word`"),
            ("a !~", 3, "`!` is alone"),
            ("~", 1, "`~` is alone"),
            ("=", 1, "`=` is alone; write `=word`"),
            ("|a", 1, "`|` goes between two terms"),
            ("a||b", 2, "`|` goes between two terms"),
            ("a |", 3, "`|` goes between two terms"),
            ("a|!b", 3, "`!` applies to the whole choice: `!a|b` lets neither through"),
            ("status:ok|zzz", 11, "there is no status `zzz`; write one of unusable, gone, ghost, "),
            ("x \"\"", 3, "there is nothing between the quotes"),
            ("behind:>x", 1, "`>x` is not a count; write `behind:>2`"),
            ("age:1", 1, "`1` is not an age"),
            ("has:x", 1, "there is no `has:` `x`; known: h1 errors"),
            ("has:error", 1, "there is no `has:` `error`; did you mean `errors`?"),
            ("is:nwe", 1, "there is no `is:` `nwe`; did you mean `new`?"),
        ];
        for (text, column, start) in cases {
            let error = Filter::parse(text).unwrap_err();
            assert_eq!(error.column, column, "{text}");
            assert!(error.text.starts_with(start), "{error}");
        }
        assert!(Filter::parse("  ").unwrap().is_empty());
    }

    #[test]
    fn good_terms_hold_beside_bad_ones() {
        let (filter, errors) = Filter::read("aws status:zz kind:q ns:x");
        assert_eq!((filter.terms.len(), errors.len()), (2, 2));
        assert_eq!((errors[1].column, errors[1].length), (15, 6));
        for (text, good) in [("a|status:zz b", 1), ("status:zz|a b", 1), ("a|b|!c d|e", 1), ("kind:q x|y", 1)]
        {
            let (filter, errors) = Filter::read(text);
            assert_eq!((filter.terms.len(), errors.len()), (good, 1), "{text}");
        }
    }

    #[test]
    fn choices_stand_in_one_term_and_a_value_alone_keeps_its_field() {
        let part = |text: &str| Test::Part(text.into());
        let namespace = |text: &str| Test::Namespace { text: text.into(), prefix: false };
        for (text, choices) in [
            ("a|B", vec![part("a"), part("b")]),
            ("a | b", vec![part("a"), part("b")]),
            ("level:act,w", vec![Test::Level(vec![Level::Act, Level::Wait])]),
            ("level:act|look", vec![Test::Level(vec![Level::Act]), Test::Level(vec![Level::Look])]),
            ("ns:x|y", vec![namespace("x"), namespace("y")]),
            ("x|ns:y", vec![part("x"), namespace("y")]),
            ("ns:x|~y", vec![namespace("x"), Test::Letters("y".into())]),
            ("behind:>2|=0", vec![Test::Behind(Compare::More, 2), Test::Behind(Compare::Equal, 0)]),
            ("why:a|\"b c\"", vec![Test::Why("a".into()), Test::Why("b c".into())]),
            (
                "status:drift|ghost",
                vec![Test::Status(vec![Status::Drifted]), Test::Status(vec![Status::GoneUpstream])],
            ),
        ] {
            let filter = Filter::parse(text).unwrap();
            assert_eq!((filter.terms.len(), &filter.terms[0].choices), (1, &choices), "{text}");
        }
        let filter = Filter::parse("!a|b c").unwrap();
        assert!(filter.terms[0].negated && !filter.terms[1].negated);
        assert_eq!(filter.terms[0].said, "!a|b");
    }

    #[test]
    fn quotes_make_plain_words_of_signs_and_urls_mean_their_entry() {
        for (text, test) in [
            ("\"!x\"", Test::Part("!x".into())),
            ("\"status:x\"", Test::Part("status:x".into())),
            ("\"no sums\"", Test::Why("no sums".into())),
            ("why:Throttled", Test::Why("throttled".into())),
            ("~\"ab\"", Test::Letters("ab".into())),
            ("https://github.com/Acme/terraform-provider-rocket", Test::Address("acme/rocket".into())),
            ("registry.opentofu.org/acme/vpc/aws", Test::Address("acme/vpc/aws".into())),
            ("modules/a/acme/vpc/aws.json", Test::Address("acme/vpc/aws".into())),
            ("\"a|b\"", Test::Part("a|b".into())),
            ("=HashiCorp/aws", Test::Address("hashicorp/aws".into())),
            ("providers/h/hashicorp/aws.json", Test::Address("hashicorp/aws".into())),
            ("hashicorp/aws", Test::Part("hashicorp/aws".into())),
        ] {
            assert_eq!(Filter::parse(text).unwrap().terms[0].choices, [test], "{text}");
        }
    }
}
