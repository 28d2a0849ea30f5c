//! Forms: the fields that an action needs, their first values, and the intent of what is filled in.
//!
//! A form is data. A face draws it, keeps what is typed and gives the values back; [`Desk::read_form`] makes the intent of them
//! or names the field that is wrong. The lines of words for the same actions are in `asking`, and end in the same plans.

pub(crate) mod verdict;

use jiff::Timestamp;

use crate::desk::Desk;
use crate::desk::intent::Intent;

/// The action that a form is for, with the things it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FormSubject {
    /// A verdict on a pull request. `hashes`: its archives were hashed when it was reviewed, and are again.
    Verdict { number: u64, hashes: bool },
}

/// A form as it opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputForm {
    pub(crate) subject: FormSubject,
    pub(crate) title: &'static str,
    /// The effect of the form.
    pub(crate) about: String,
    /// The word of the key that accepts it.
    pub(crate) accept: &'static str,
    /// Shown until the job of the accepted form has ended; `None` if the form closes at once.
    pub(crate) waiting: Option<&'static str>,
    /// What it would send is shown beside it ([`Desk::form_preview`]).
    pub(crate) has_preview: bool,
    pub(crate) fields: Vec<FormField>,
}

/// One field, by its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormField {
    pub(crate) label: &'static str,
    /// The values that the field takes.
    pub(crate) help: &'static str,
    pub(crate) kind: FieldKind,
}

/// The kind of a field, with its first value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// One line of at most so many characters.
    Line { most: usize, text: String },
    /// Several lines of together at most so many characters.
    Text { most: usize, text: String },
    /// One of these.
    Choice { choices: Vec<FormChoice>, at: usize },
    /// On or off, and a text beside it.
    Toggle { text: &'static str, is_on: bool },
}

/// One line of a radio list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormChoice {
    pub(crate) text: &'static str,
    /// The reason why it cannot be chosen.
    pub(crate) refused: Option<String>,
}

/// The value of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FormValue {
    Text(String),
    Choice(usize),
    Toggle(bool),
}

/// The values of a form, by the labels of its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormValues(pub(crate) Vec<(&'static str, FormValue)>);

/// The field that is wrong, by its label, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormError {
    pub(crate) label: &'static str,
    pub(crate) text: String,
}

impl FormField {
    fn new(label: &'static str, help: &'static str, kind: FieldKind) -> Self {
        Self { label, help, kind }
    }
}

impl FormValues {
    fn value(&self, label: &str) -> Option<&FormValue> {
        self.0.iter().find(|(of, _)| *of == label).map(|(_, value)| value)
    }

    /// The text of a field.
    pub(crate) fn text(&self, label: &str) -> &str {
        match self.value(label) {
            Some(FormValue::Text(text)) => text,
            _ => "",
        }
    }

    /// The place of the chosen line of a radio list.
    fn choice(&self, label: &str) -> Option<usize> {
        match self.value(label) {
            Some(FormValue::Choice(at)) => Some(*at),
            _ => None,
        }
    }

    fn is_on(&self, label: &str) -> bool {
        self.value(label) == Some(&FormValue::Toggle(true))
    }
}

impl FormError {
    fn new(label: &'static str, text: impl Into<String>) -> Self {
        Self { label, text: text.into() }
    }
}

impl Desk {
    /// Makes the intent of a form that was filled in.
    pub(crate) fn read_form(
        &self,
        subject: &FormSubject,
        values: &FormValues,
        _now: Timestamp,
    ) -> Result<Intent, FormError> {
        match subject {
            FormSubject::Verdict { number, hashes } => verdict::read(self, (*number, *hashes), values),
        }
    }

    /// The lines that the form would send, as far as they are known before it is made ready; empty for a form that sends nothing.
    pub(crate) fn form_preview(&self, subject: &FormSubject, values: &FormValues) -> Vec<String> {
        match subject {
            FormSubject::Verdict { number, hashes } => verdict::preview(self, (*number, *hashes), values),
        }
    }
}
