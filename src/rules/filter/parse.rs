//! Reads a filter; every mistake is named with its place and the nearest spelling.

use crate::registry::{Address, Kind};
use crate::rules::filter::words::{Word, words};
use crate::rules::filter::{Compare, Condition, Filter, Term, Test, Trait};
use crate::rules::mistake::nearest;
use crate::rules::{Status, amount};
use crate::settings::words;

/// A term that is no term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("filter, character {column}: {text}")]
pub(crate) struct FilterError {
    /// Where the term starts, in characters from 1.
    pub(crate) column: usize,
    /// How many characters it has.
    pub(crate) length: usize,
    pub(crate) text: String,
}

words! {
    /// What stands before a colon.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Field: [ALL, name, from_name] {
        Status = "status",
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
    /// What it takes, as advice.
    fn takes(self) -> String {
        match self {
            Self::Status => format!("write one of {}", status_names().join(", ")),
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
        let (mut terms, mut errors) = (Vec::new(), Vec::new());
        for word in words(text) {
            match term(&word) {
                Ok(term) => terms.push(term),
                Err(text) => errors.push(FilterError { column: word.column, length: word.length, text }),
            }
        }
        (Self { terms }, errors)
    }
}

fn term(word: &Word) -> Result<Term, String> {
    let (plain, quoted) = word.text.split_at(word.plain);
    let (negated, plain) = plain.strip_prefix('!').map_or((false, plain), |rest| (true, rest));
    // A URL or the path of a data file that was pasted means its entry. No word of a filter has both signs.
    if quoted.is_empty()
        && plain.contains('/')
        && plain.contains('.')
        && let Ok(address) = Address::parse(plain)
    {
        return Ok(Term { negated, test: Test::Part(address.to_string()), said: word.text.clone() });
    }
    let test = match plain.split_once(':') {
        Some((field, value)) => of_field(&field.to_lowercase(), &format!("{value}{quoted}").to_lowercase())?,
        None => of_word(plain, quoted, negated)?,
    };
    Ok(Term { negated, test, said: word.text.clone() })
}

fn of_word(plain: &str, quoted: &str, negated: bool) -> Result<Test, String> {
    let letters = plain.strip_prefix('~');
    let text = format!("{}{quoted}", letters.unwrap_or(plain)).to_lowercase();
    if text.is_empty() {
        let sign = if negated { "!" } else { "~" };
        let nothing = plain.is_empty() && !negated;
        return Err(if nothing {
            "there is nothing between the quotes".into()
        } else {
            format!("`{sign}` stands alone; write `{sign}word`")
        });
    }
    // No address has a blank: who asks for two words means the reasons.
    Ok(if text.contains(char::is_whitespace) {
        Test::Why(text)
    } else if letters.is_some() {
        Test::Letters(text)
    } else {
        Test::Part(text)
    })
}

fn of_field(name: &str, value: &str) -> Result<Test, String> {
    let Some(field) = Field::from_name(name) else {
        return Err(unknown("field", name, &Field::ALL.map(Field::name), ":"));
    };
    let takes = || field.takes();
    if value.is_empty() {
        return Err(format!("`{name}:` has no value; {}", takes()));
    }
    match field {
        Field::Status => statuses(value).map(Test::Status),
        Field::Kind => kind(value).map(Test::Kind),
        Field::Namespace => Ok(match value.strip_suffix('*') {
            Some(text) => Test::Namespace { text: text.into(), prefix: true },
            None => Test::Namespace { text: value.into(), prefix: false },
        }),
        Field::Behind => {
            let (compare, count) = compare(value);
            let count = count.parse().map_err(|_| format!("`{value}` is no count; {}", takes()))?;
            Ok(Test::Behind(compare, count))
        }
        Field::Age => {
            let (compare, length) = compare(value);
            let length =
                amount::parse_length(length).ok_or_else(|| format!("`{value}` is no age; {}", takes()))?;
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

fn status_names() -> Vec<&'static str> {
    Status::all().map(Status::name).collect()
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
            let lower: Vec<String> = Status::all().map(|status| status.word().to_lowercase()).collect();
            let known: Vec<&str> =
                status_names().into_iter().chain(lower.iter().map(String::as_str)).collect();
            return Err(match nearest(word, known) {
                Some(near) => format!("there is no status `{word}`; did you mean `{near}`?"),
                None => format!("there is no status `{word}`; {}", Field::Status.takes()),
            });
        }
    }
    Ok(list)
}

fn kind(value: &str) -> Result<Kind, String> {
    let value = value.strip_suffix('s').unwrap_or(value);
    Kind::ALL
        .into_iter()
        .find(|kind| !value.is_empty() && kind.word().starts_with(value))
        .ok_or_else(|| format!("`{value}` is no kind; {}", Field::Kind.takes()))
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
            ("status:z", 1, "there is no status `z`; write one of unknown, "),
            ("status:ok,", 1, "there is no status ``"),
            ("  foo:bar", 3, "there is no field `foo:`; known: status kind ns"),
            ("stauts:ok", 1, "there is no field `stauts:`; did you mean `status:`?"),
            ("kind:x", 1, "`x` is no kind"),
            ("kind:s", 1, "`` is no kind"),
            ("ns:", 1, "`ns:` has no value; write a namespace"),
            ("a !", 3, "`!` stands alone; write `!word`"),
            ("a !~", 3, "`!` stands alone"),
            ("~", 1, "`~` stands alone"),
            ("x \"\"", 3, "there is nothing between the quotes"),
            ("behind:>x", 1, "`>x` is no count; write `behind:>2`"),
            ("age:1", 1, "`1` is no age"),
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
    }

    #[test]
    fn quotes_make_plain_words_of_signs_and_urls_mean_their_entry() {
        for (text, test) in [
            ("\"!x\"", Test::Part("!x".into())),
            ("\"status:x\"", Test::Part("status:x".into())),
            ("\"no sums\"", Test::Why("no sums".into())),
            ("why:Throttled", Test::Why("throttled".into())),
            ("~\"ab\"", Test::Letters("ab".into())),
            ("https://github.com/Acme/terraform-provider-rocket", Test::Part("acme/rocket".into())),
            ("registry.opentofu.org/acme/vpc/aws", Test::Part("acme/vpc/aws".into())),
            ("modules/a/acme/vpc/aws.json", Test::Part("acme/vpc/aws".into())),
        ] {
            assert_eq!(Filter::parse(text).unwrap().terms[0].test, test, "{text}");
        }
    }
}
