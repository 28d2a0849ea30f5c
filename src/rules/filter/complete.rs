//! What can follow what was typed of a filter: fields, their values, namespaces and addresses.

use std::collections::BTreeSet;

use crate::registry::{Kind, Row};
use crate::rules::Level;
use crate::rules::filter::parse::{Field, status_words};
use crate::rules::filter::words::{Word, words};
use crate::rules::filter::{Condition, Trait};

/// What the last piece of a text can become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Completion {
    /// The piece, as it was typed.
    pub(crate) piece: String,
    /// What can stand in its place; nothing where nothing is known.
    pub(crate) candidates: Vec<String>,
}

impl Completion {
    /// The piece, made as long as all candidates are the same.
    pub(crate) fn longest(&self) -> &str {
        let Some((first, others)) = self.candidates.split_first() else { return &self.piece };
        let same = |other: &String| {
            let pairs = first.char_indices().zip(other.chars());
            pairs.take_while(|((_, a), b)| a == b).last().map_or(0, |((at, c), _)| at + c.len_utf8())
        };
        &first[..others.iter().map(same).min().unwrap_or(first.len())]
    }
}

/// What the end of a text can become, in a registry of these rows.
pub(crate) fn complete(text: &str, rows: &[Row]) -> Completion {
    let all = words(text);
    let is_typing = !text.ends_with(|c: char| c.is_whitespace() || c == '|');
    let last = all.last().filter(|_| is_typing);
    // What is quoted is somebody's own words.
    if last.is_some_and(|word| word.plain < word.text.len()) {
        return Completion::default();
    }
    let typed =
        last.map_or("", |word| word.text.strip_prefix('!').unwrap_or(&word.text)).to_ascii_lowercase();
    let named = typed.split_once(':').and_then(|(name, value)| Some((Field::from_name(name)?, value)));
    let kept = || kept_field(&all, text, is_typing).map(|field| (field, typed.as_str()));
    let (piece, candidates) = match named.or_else(kept) {
        Some((field, value)) => {
            let piece = value.rsplit(',').next().unwrap_or(value);
            (piece, values(field, piece, rows))
        }
        None => (typed.as_str(), terms(&typed, rows)),
    };
    Completion { piece: piece.to_owned(), candidates }
}

/// The field that a value alone belongs to, behind a `|`.
fn kept_field(all: &[Word], text: &str, is_typing: bool) -> Option<Field> {
    let before = match all.split_last()? {
        (last, before) if is_typing => last.or.then_some(before)?,
        _ => text.trim_end().ends_with('|').then_some(all)?,
    };
    let choice = |word: &Word| {
        word.text.split_once(':').and_then(|(name, _)| Field::from_name(name.trim_start_matches('!')))
    };
    let mut places = before.iter().rev().filter(|word| word.text != "|");
    // Back through the choices that name no field themselves.
    loop {
        let word = places.next()?;
        match choice(word) {
            Some(field) => return Some(field),
            None if word.or => {}
            None => return None,
        }
    }
}

/// The values of a field that begin so.
fn values(field: Field, start: &str, rows: &[Row]) -> Vec<String> {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let all: Vec<String> = match field {
        Field::Status => status_words(),
        Field::Level => owned(&Level::ALL.map(Level::name)),
        Field::Kind => owned(&Kind::ALL.map(Kind::word)),
        Field::Has => owned(&Trait::ALL.map(Trait::name)),
        Field::Is => owned(&Condition::ALL.map(Condition::name)),
        Field::Namespace => {
            let namespaces = rows.iter().map(|row| row.address.namespace());
            let fitting: BTreeSet<&str> = namespaces.filter(|name| name.starts_with(start)).collect();
            return fitting.into_iter().map(str::to_owned).collect();
        }
        Field::Behind | Field::Age | Field::Why => Vec::new(),
    };
    all.into_iter().filter(|value| value.starts_with(start)).collect()
}

/// The fields that begin so, terms whose value does, and from a slash on addresses.
fn terms(start: &str, rows: &[Row]) -> Vec<String> {
    if start.contains('/') {
        let start = start.trim_start_matches('=');
        let addresses = rows.iter().map(|row| row.address.to_string());
        return addresses.filter(|address| address.starts_with(start)).collect();
    }
    let fields = Field::ALL.into_iter().filter(|field| field.name().starts_with(start));
    let mut terms: Vec<String> = fields.map(|field| format!("{}:", field.name())).collect();
    if start.len() > 1 {
        for field in [Field::Status, Field::Level, Field::Kind, Field::Has, Field::Is] {
            terms.extend(values(field, start, rows).iter().map(|value| format!("{}:{value}", field.name())));
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Address, Shape};

    #[test]
    fn fields_values_namespaces_and_addresses_are_completed() {
        let row = |address: &str| Row::new(Address::parse(address).unwrap(), Shape::default());
        let rows = ["hashicorp/aws", "hashicorp/awscc", "hashitools/x", "newco/new"].map(row);
        for (text, piece, longest, count) in [
            ("st", "st", "status:", 2),
            ("sta", "sta", "status:", 1),
            ("stat", "stat", "status:", 1),
            ("aws dri", "dri", "status:drift", 1),
            ("mark", "mark", "is:marked", 1),
            ("status:dr", "dr", "drift", 1),
            ("!status:dr", "dr", "drift", 1),
            ("status:ok,dr", "dr", "drift", 1),
            ("status:ok|dr", "dr", "drift", 1),
            ("status:ok|gone|dr", "dr", "drift", 1),
            ("status:ok |dr", "dr", "drift", 1),
            ("status:ok dr", "dr", "status:drift", 1),
            ("status:b", "b", "b", 2),
            ("level:", "", "", 4),
            ("level:act,l", "l", "look", 1),
            ("wai", "wai", "level:wait", 1),
            ("kind:", "", "", 2),
            ("kind:m", "m", "module", 1),
            ("kind:module|", "", "", 2),
            ("ns:ha", "ha", "hashi", 2),
            ("ns:hashic", "hashic", "hashicorp", 1),
            ("hashicorp/a", "hashicorp/a", "hashicorp/aws", 2),
            ("behind:", "", "", 0),
            ("zzz", "zzz", "zzz", 0),
            ("\"st", "", "", 0),
            ("a|st", "st", "status:", 2),
        ] {
            let made = complete(text, &rows);
            assert_eq!(
                (made.piece.as_str(), made.longest(), made.candidates.len()),
                (piece, longest, count),
                "{text}"
            );
        }
        assert_eq!(complete("status:", &rows).candidates.len(), status_words().len());
        assert!(complete("", &rows).candidates.contains(&"ns:".to_owned()));
    }
}
