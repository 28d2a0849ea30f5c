//! The key file: TOML, one table for each place where keys count, `action = "key"` or a list of keys.
//!
//! ```toml
//! [anywhere]
//! help = ["?", "f1"]
//! [inventory]
//! sort = "S"
//! ```
//!
//! Everything that is wrong is found in one reading, each mistake with its place and a way out. `Esc` and `Ctrl-c` keep
//! their meaning whatever a file says, so nobody can lock themselves in. Reads no file itself; called by the keyboard.

use std::fmt;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::rules::spelling::{nearest, place};
use crate::tui::keymap::action::Action;
use crate::tui::keymap::bindings::Sequence;
use crate::tui::keymap::clash::{Found, KeyRequest};
use crate::tui::keymap::{Bindings, Context, clash, spelling, table};

/// Tables of earlier releases for the fields that are forms now.
const FIELDS_BEFORE_FORMS: [&str; 8] =
    ["note", "block", "ignore", "arm", "ask-for", "shares", "name-file", "name-view"];

/// The table for all places at once.
const ANYWHERE: &str = "anywhere";

/// Something that is wrong with a key file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// From 1, as is the column, in characters; both 0 for the file as a whole.
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) text: String,
    /// The remedy, as a sentence.
    pub(crate) hint: Option<String>,
}

impl Mistake {
    /// The file as a whole cannot be read.
    pub(super) fn whole(why: &str) -> Self {
        Self { line: 0, column: 0, text: format!("the key file cannot be read: {why}"), hint: None }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        f.write_str(&self.text)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

/// The keys that a file asks for, on top of the table's own; and notes on the keys that they take away from other actions.
pub(super) fn read(text: &str) -> Result<(Bindings, Vec<Mistake>), Vec<Mistake>> {
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader::default();
    for error in errors {
        reader.found.push((error.span().map_or(0, |span| span.start), error.message().to_owned(), None));
    }
    // What a broken file seems to say may be something else.
    if reader.found.is_empty() {
        for (name, value) in root.get_ref() {
            match value.get_ref() {
                DeValue::Table(section) => reader.section(name, section),
                _ => reader.outside(name),
            }
        }
    }
    reader.take_older();
    let (bindings, taken) = clash::apply(reader.requests, &mut reader.found);
    let mistake = |(at, message, hint): Found| {
        let (line, column) = place(text, at);
        Mistake { line, column, text: message, hint }
    };
    if reader.found.is_empty() {
        return Ok((bindings, taken.into_iter().map(mistake).collect()));
    }
    reader.found.sort();
    reader.found.dedup();
    Err(reader.found.into_iter().map(mistake).collect())
}

#[derive(Default)]
struct Reader {
    found: Vec<Found>,
    /// Those of [`ANYWHERE`] first, so that the ones for a single place win.
    requests: Vec<KeyRequest>,
    /// Those of the tables of earlier releases.
    older: Vec<KeyRequest>,
}

impl Reader {
    fn wrong(&mut self, at: usize, text: String, hint: Option<String>) {
        self.found.push((at, text, hint));
    }

    fn outside(&mut self, name: &Spanned<DeString<'_>>) {
        let word = name.get_ref();
        let hint = format!("Write it below `[{ANYWHERE}]` or the place where it applies.");
        self.wrong(name.span().start, format!("`{word}` is not in a table"), Some(hint));
    }

    fn section(&mut self, name: &Spanned<DeString<'_>>, section: &DeTable<'_>) {
        let word: &str = name.get_ref();
        let is_older = FIELDS_BEFORE_FORMS.contains(&word);
        let context = if is_older { Some(Context::Form) } else { Context::from_name(word) };
        if context.is_none() && word != ANYWHERE {
            let known = || Context::ALL.into_iter().map(Context::name).chain([ANYWHERE]);
            let hint = nearest(word, known()).map_or_else(
                || format!("Known places: {}.", known().collect::<Vec<_>>().join(", ")),
                |near| format!("Write `[{near}]` instead."),
            );
            return self.wrong(
                name.span().start,
                format!("there is no place `[{word}]` for keys"),
                Some(hint),
            );
        }
        for (key, value) in section {
            let Some(action) = self.action(context, key) else { continue };
            let keys = self.keys(value);
            match context {
                Some(context) => {
                    self.request(context, action, &keys, false);
                    let older = self.requests.pop_if(|_| is_older);
                    self.older.extend(older);
                }
                None => {
                    for context in action.contexts() {
                        self.request(context, action, &keys, true);
                    }
                }
            }
        }
    }

    /// Adds the keys of older tables: each field had its own, and a form has one for all of them. A table for forms wins, then the
    /// first one that gives a key to an action.
    fn take_older(&mut self) {
        for older in std::mem::take(&mut self.older) {
            let is_taken = self.requests.iter().filter(|other| other.context == Context::Form).any(|other| {
                let begins = |one: &Sequence, two: &Sequence| one.starts_with(two) || two.starts_with(one);
                let has = |(keys, _): &(Sequence, usize)| older.keys.iter().any(|(own, _)| begins(own, keys));
                other.action.name == older.action.name || other.keys.iter().any(has)
            });
            if !is_taken {
                self.requests.push(older);
            }
        }
    }

    fn action(&mut self, context: Option<Context>, key: &Spanned<DeString<'_>>) -> Option<&'static Action> {
        let word: &str = key.get_ref();
        let Some(action) = table::named(word) else {
            let counts = |action: &&Action| context.is_none_or(|at| action.place_in(at).is_some());
            let here = table::TABLE.iter().filter(counts).map(|action| action.name);
            let near = nearest(word, here).or_else(|| nearest(word, table::TABLE.iter().map(|row| row.name)));
            let hint = near.map_or_else(
                || "`bumpdesk keys` lists all actions.".into(),
                |near| format!("Write `{near}` instead."),
            );
            self.wrong(key.span().start, format!("there is no action `{word}`"), Some(hint));
            return None;
        };
        let Some(at) = context.filter(|at| action.place_in(*at).is_none()) else { return Some(action) };
        let known: Vec<String> = action.contexts().map(|context| format!("`[{}]`", context.name())).collect();
        let hint = format!("Write it below {} or `[{ANYWHERE}]`.", known.join(", "));
        self.wrong(key.span().start, format!("`{word}` does nothing in `[{}]`", at.name()), Some(hint));
        None
    }

    /// The keys of a value, each with its place.
    fn keys(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<(Sequence, usize)> {
        let list = match value.get_ref() {
            DeValue::Array(list) => list.iter().collect(),
            _ => vec![value],
        };
        let mut keys = Vec::new();
        for value in list {
            let at = value.span().start;
            let DeValue::String(text) = value.get_ref() else {
                let text = format!("keys are text, not {}", value.get_ref().type_str());
                self.wrong(at, text, Some("Write `\"g g\"`, or a list such as `[\"j\", \"down\"]`.".into()));
                continue;
            };
            match spelling::sequence(text) {
                Ok(sequence) => keys.push((sequence, at)),
                Err((text, hint)) => self.wrong(at, text, hint),
            }
        }
        keys
    }

    /// Keeps the keys that may be bound here, and says which may not.
    fn request(
        &mut self,
        context: Context,
        action: &'static Action,
        keys: &[(Sequence, usize)],
        anywhere: bool,
    ) {
        let types = |sequence: &Sequence| {
            context.has_field() && sequence.first().is_some_and(|key| key.typed().is_some())
        };
        // Where letters are typed, letters for all places leave the keys as they are.
        if anywhere && keys.iter().any(|(sequence, _)| types(sequence)) {
            return;
        }
        let mut kept = Vec::new();
        for (sequence, at) in keys {
            if types(sequence) {
                let text = format!("in `[{}]` letters are typed; they cannot be keys", context.name());
                self.wrong(*at, text, Some("Use a key with `ctrl-`, or one that types nothing.".into()));
            } else if let Err((text, hint)) = spelling::may_bind(action, context, sequence) {
                self.wrong(*at, text, hint);
            } else {
                kept.push((sequence.clone(), *at));
            }
        }
        let request = KeyRequest { context, action, keys: kept };
        if anywhere { self.requests.insert(0, request) } else { self.requests.push(request) }
    }
}
