//! Forms: the fields that an action needs, their first values, and the intent of what is filled in.
//!
//! A form is data. A face draws it, keeps what is typed and gives the values back; [`Desk::read_form`] makes the intent of them
//! or names the field that is wrong. The lines of words for the same actions are in `asking`, and end in the same plans.

pub(crate) mod arm;
pub(crate) mod block;
pub(crate) mod file;
pub(crate) mod ignore;
pub(crate) mod machines;
pub(crate) mod note;
pub(crate) mod pull;
pub(crate) mod save_view;
pub(crate) mod verdict;

use jiff::Timestamp;

use crate::desk::Desk;
use crate::desk::intent::{EntrySelection, Intent};
use crate::desk::telling::{Message, Tone};
use crate::registry::Address;
use crate::rules::plan::Which;
use crate::rules::{amount, decision};

/// The action that a form is for, with the things it is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FormSubject {
    /// The reason for which writing is armed.
    Arm,
    /// The reason for which these versions of entries are kept out.
    Block(Vec<(Address, Vec<String>)>),
    /// Until when these versions are ignored, and why.
    Ignore(Vec<(Address, String)>),
    /// A note on a change of the plan, or on all changes of a file.
    Note { address: Address, which: Which },
    /// The details of the pull request of the plan.
    Pull,
    /// The number of machines of a run: a new one for the selection, or the one that is made ready.
    Machines(Option<EntrySelection>),
    /// The file to which what would be sent is written.
    File,
    /// The name of a view that is saved.
    SaveView,
    /// A verdict on a pull request. `hashes`: its archives were hashed when it was reviewed, and are again.
    Verdict { number: u64, hashes: bool },
}

/// A form as it opens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InputForm {
    pub(crate) subject: FormSubject,
    pub(crate) title: &'static str,
    /// The effect of the form.
    pub(crate) about: String,
    /// The word of the key that accepts it.
    pub(crate) accept: &'static str,
    /// Shown until the job of the accepted form has ended; `None` if the form closes at once.
    pub(crate) waiting: Option<&'static str>,
    /// The lines that it would send are shown beside it ([`Desk::form_preview`]).
    pub(crate) has_preview: bool,
    /// The reason why it could not be done before.
    pub(crate) error: Option<FormError>,
    pub(crate) fields: Vec<FormField>,
}

/// One field, by its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormField {
    pub(crate) label: &'static str,
    /// The values that the field takes, or their effect; empty where the label says it.
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
    /// A day, or a length of time from now.
    Day,
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

/// The meaning of the text of a field; `None` for one that has only its help.
pub(crate) type FieldNote = Option<(Tone, String)>;

/// The field that is wrong, by its label, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormError {
    pub(crate) label: &'static str,
    pub(crate) text: Message,
}

/// The action of a form that was filled in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FormAction {
    Act(Intent),
    /// Keep this text as the note of the changes that the form is about.
    Note(String),
    /// Save what the list shows under this name.
    SaveView(String),
}

impl InputForm {
    /// A form without fields, which closes as soon as it is accepted.
    fn new(
        subject: FormSubject,
        title: &'static str,
        accept: &'static str,
        about: impl Into<String>,
    ) -> Self {
        let about = about.into();
        Self {
            subject,
            title,
            about,
            accept,
            waiting: None,
            has_preview: false,
            error: None,
            fields: Vec::new(),
        }
    }

    /// The values as it opens.
    #[cfg(test)]
    fn values(&self) -> FormValues {
        let value = |kind: &FieldKind| match kind {
            FieldKind::Line { text, .. } | FieldKind::Text { text, .. } => FormValue::Text(text.clone()),
            FieldKind::Day => FormValue::Text(String::new()),
            FieldKind::Choice { at, .. } => FormValue::Choice(*at),
            FieldKind::Toggle { is_on, .. } => FormValue::Toggle(*is_on),
        };
        FormValues(self.fields.iter().map(|field| (field.label, value(&field.kind))).collect())
    }
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
    fn new(label: &'static str, text: impl Into<Message>) -> Self {
        Self { label, text: text.into() }
    }
}

impl Desk {
    /// Makes the action of a form that was filled in.
    pub(crate) fn read_form(
        &self,
        subject: &FormSubject,
        values: &FormValues,
        now: Timestamp,
    ) -> Result<FormAction, FormError> {
        match subject {
            FormSubject::Arm => Ok(arm::read(values)),
            FormSubject::Block(of) => block::read(of, values),
            FormSubject::Ignore(of) => ignore::read(of, values, now),
            FormSubject::Note { .. } => Ok(note::read(values)),
            FormSubject::Pull => pull::read(self.pull.purpose.pull(), values),
            FormSubject::Machines(selection) => machines::read(self, selection.as_ref(), values),
            FormSubject::File => Ok(file::read(values)),
            FormSubject::SaveView => Ok(save_view::read(values)),
            FormSubject::Verdict { number, hashes } => verdict::read(self, (*number, *hashes), values),
        }
    }

    /// The lines that the form would send, as far as they are known before it is made ready; empty for a form that sends nothing.
    pub(crate) fn form_preview(&self, subject: &FormSubject, values: &FormValues) -> Vec<String> {
        match subject {
            FormSubject::Verdict { number, hashes } => verdict::preview(self, (*number, *hashes), values),
            _ => Vec::new(),
        }
    }

    /// The meanings of the texts of all fields, each in place of its help: the day that a length of time leads to, or a name
    /// that is taken.
    pub(crate) fn form_notes(&self, form: &InputForm, values: &FormValues, now: Timestamp) -> Vec<FieldNote> {
        let note = |field: &FormField| match (&field.kind, &form.subject) {
            (FieldKind::Day, _) => {
                let until = decision::until(values.text(field.label), now).ok()?;
                Some((Tone::Quiet, format!("until {}", amount::minute(until))))
            }
            (_, FormSubject::SaveView) => {
                save_view::note(&self.list, values).map(|text| (Tone::Warning, text))
            }
            _ => None,
        };
        form.fields.iter().map(note).collect()
    }
}
