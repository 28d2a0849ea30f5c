//! The filter: words, `status:`, `kind:`, `ns:` and `!` for not, over a compact lower-case text of all addresses.
//!
//! A keystroke asks all rows again: one search through one text for each word, so 27,500 rows take about a millisecond.

use crate::registry::Address;
use crate::registry::Catalog;
use crate::registry::Kind;
use crate::registry::Row;
use crate::rules::Status;
use crate::rules::Verdict;
use crate::tui::field::Field;

/// All addresses in one text, each ended by a line end.
#[derive(Clone, Debug, Default)]
pub struct Haystack {
    text: String,
    /// Where each address ends in the text.
    ends: Vec<u32>,
}

impl Haystack {
    pub fn new(catalog: &Catalog) -> Self {
        let mut hay = Self { text: String::new(), ends: Vec::with_capacity(catalog.rows.len()) };
        for row in &catalog.rows {
            hay.text.push_str(row.address.namespace());
            hay.text.push('/');
            hay.text.push_str(row.address.name());
            if let Address::Module(module) = &row.address {
                hay.text.push('/');
                hay.text.push_str(&module.target);
            }
            hay.text.push('\n');
            hay.ends.push(hay.text.len() as u32);
        }
        hay.text.make_ascii_lowercase();
        hay
    }

    /// Keeps the rows that contain the word, or those that do not.
    fn keep(&self, word: &str, wanted: bool, kept: &mut [bool]) {
        let mut found = vec![false; kept.len()];
        let (mut from, mut row) = (0, 0);
        while let Some(at) = self.text.get(from..).and_then(|rest| rest.find(word)) {
            let at = (from + at) as u32;
            // The next hit is mostly a few rows on, so stepping beats a binary search.
            while self.ends.get(row).is_some_and(|end| *end <= at) {
                row += 1;
            }
            let Some(end) = self.ends.get(row) else { break };
            found[row] = true;
            from = *end as usize;
        }
        for (keep, found) in kept.iter_mut().zip(found) {
            *keep &= found == wanted;
        }
    }
}

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    Word(String),
    Status(Vec<Status>),
    Kind(Kind),
    Namespace(String),
}

/// A condition and whether it must hold (`true`) or must not (`!`).
type Term = (Test, bool);

/// The filter as typed and as understood.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub text: String,
    /// Why a term was left out: the first bad one.
    pub error: Option<String>,
    terms: Vec<Term>,
    /// While it is being typed: the text to go back to, and the field it is typed in.
    before: Option<String>,
    pub(crate) field: Field,
}

impl Filter {
    pub fn is_open(&self) -> bool {
        self.before.is_some()
    }

    pub fn open(&mut self) {
        self.before = Some(self.text.clone());
        self.field = Field::of(&self.text);
    }

    /// Keeps what was typed.
    pub fn close(&mut self) {
        self.before = None;
    }

    /// Goes back to the text before.
    pub fn undo(&mut self) {
        if let Some(before) = self.before.take() {
            self.set(before);
        }
    }

    /// Takes a text as the filter; a bad term is left out and named in [`Filter::error`].
    pub fn set(&mut self, text: String) {
        self.error = None;
        self.terms.clear();
        for word in text.split_whitespace() {
            match parse(word) {
                Ok(Some(term)) => self.terms.push(term),
                Ok(None) => {}
                Err(error) => {
                    self.error.get_or_insert(error);
                }
            }
        }
        self.text = text;
    }

    /// Whether every row passes.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// One truth a row.
    pub fn pass(&self, rows: &[Row], verdicts: &[Verdict], hay: &Haystack) -> Vec<bool> {
        let mut kept = vec![true; rows.len()];
        for (test, wanted) in &self.terms {
            match test {
                Test::Word(word) => hay.keep(word, *wanted, &mut kept),
                Test::Status(list) => retain(&mut kept, *wanted, |at| list.contains(&verdicts[at].status)),
                Test::Kind(kind) => retain(&mut kept, *wanted, |at| rows[at].kind() == *kind),
                Test::Namespace(start) => {
                    retain(&mut kept, *wanted, |at| rows[at].address.namespace().starts_with(start.as_str()));
                }
            }
        }
        kept
    }
}

fn retain(kept: &mut [bool], wanted: bool, test: impl Fn(usize) -> bool) {
    for (at, keep) in kept.iter_mut().enumerate() {
        *keep = *keep && test(at) == wanted;
    }
}

fn parse(word: &str) -> Result<Option<Term>, String> {
    let (wanted, word) = word.strip_prefix('!').map_or((true, word), |rest| (false, rest));
    let word = word.to_lowercase();
    let test = match word.split_once(':') {
        None if word.is_empty() => return Ok(None),
        None => Test::Word(word),
        Some(("status", value)) => Test::Status(statuses(value)?),
        Some(("kind", value)) => Test::Kind(kind(value)?),
        Some(("ns", "")) => return Err("write a namespace after `ns:`".into()),
        Some(("ns", value)) => Test::Namespace(value.to_owned()),
        Some((key, _)) => return Err(format!("no filter `{key}:`; there are status:, kind:, ns: and !")),
    };
    Ok(Some((test, wanted)))
}

/// The statuses whose word or JSON name starts with the text; several are parted by commas.
fn statuses(text: &str) -> Result<Vec<Status>, String> {
    let mut list = Vec::new();
    for start in text.split(',') {
        let before = list.len();
        let fits = |status: &Status| {
            status.word().to_lowercase().starts_with(start) || status.name().starts_with(start)
        };
        list.extend(Status::all().filter(fits));
        if start.is_empty() || list.len() == before {
            let words: Vec<String> = Status::all().map(|status| status.word().to_lowercase()).collect();
            return Err(format!("no status `{start}`; there are {}", words.join(" ")));
        }
    }
    Ok(list)
}

fn kind(text: &str) -> Result<Kind, String> {
    [Kind::Provider, Kind::Module]
        .into_iter()
        .find(|kind| !text.is_empty() && kind.word().starts_with(text))
        .ok_or_else(|| format!("no kind `{text}`; write kind:provider or kind:module"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::tests::world;

    #[test]
    fn terms_select_rows() {
        let loaded = world::normal();
        let hay = Haystack::new(&loaded.catalog);
        let count = |text: &str| {
            let mut filter = Filter::default();
            filter.set(text.into());
            assert_eq!(filter.error, None, "{text}");
            let pass = filter.pass(&loaded.catalog.rows, &loaded.verdicts, &hay);
            let naive = loaded.catalog.rows.iter().zip(&pass).filter(|(_, pass)| **pass);
            naive.map(|(row, _)| row.address.to_string()).collect::<Vec<_>>()
        };
        let all = count("").len();
        assert_eq!(count("newrelic"), ["newrelic/newrelic", "newrelic/newrelic-cli"]);
        assert_eq!(count("NEWRELIC cli"), ["newrelic/newrelic-cli"]);
        assert_eq!(count("newrelic !cli"), ["newrelic/newrelic"]);
        assert_eq!(count("status:ghost"), ["coder/coder"]);
        assert_eq!(count("status:gone-upstream"), ["coder/coder"]);
        assert_eq!(count("kind:m").len() + count("kind:provider").len(), all);
        assert_eq!(count("ns:hashicorp !status:ok").len(), count("ns:hashicorp").len() - 1);
        assert_eq!(count("status:ghost,drift").len(), 3);
        assert_eq!(count("!").len(), all);
        assert_eq!(count("nothing-has-this"), Vec::<String>::new());
    }

    #[test]
    fn bad_terms_say_what_there_is_and_are_left_out() {
        for (text, part) in [
            ("status:x", "behind"),
            ("status:", "no status"),
            ("kind:", "kind:module"),
            ("colour:red", "ns:"),
            ("ns:", "namespace"),
        ] {
            let mut filter = Filter::default();
            filter.set(format!("aws {text}"));
            assert!(
                filter.error.as_ref().is_some_and(|error| error.contains(part)),
                "{text}: {:?}",
                filter.error
            );
            assert_eq!(filter.terms.len(), 1);
        }
    }
}
