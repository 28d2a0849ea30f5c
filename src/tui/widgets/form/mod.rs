//! A form above the screen: labelled fields, the key that takes each, and what the form would send.
//!
//! The fields and their meaning are the desk's; here are the cursor and what is typed.

mod draw;
mod text_area;

use crate::desk::form::{FieldKind, FormValue, FormValues, InputForm};
use crate::rules::amount::grouped;
use crate::tui::base::layout::Size;
use crate::tui::keymap::Command;
use crate::tui::keymap::chord::{Chord, Key};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::form::text_area::TextArea;

pub(crate) use draw::view;

/// A form that is being filled in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FormCard {
    pub(crate) form: InputForm,
    /// The place of the field with the cursor.
    at: usize,
    /// The text or the choice of each field.
    inputs: Vec<FormInput>,
    /// It was accepted, and its answer is awaited.
    pub(crate) waits: bool,
    /// The label of the field that is wrong, and why.
    pub(crate) error: Option<(&'static str, String)>,
    /// It was refused before, or could not be done.
    pub(crate) was_refused: bool,
    /// Lines of the preview above its window.
    scrolled: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum FormInput {
    Line(Field),
    Text(TextArea),
    Choice(usize),
    Toggle(bool),
}

/// The outcome of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FormReply {
    Stays,
    Accepted,
    /// The text under the cursor is to be written in an editor.
    Edits(String),
    Closed,
}

impl FormCard {
    /// The form with the cursor in its first field.
    pub(crate) fn new(form: InputForm) -> Self {
        let input = |kind: &FieldKind| match kind {
            FieldKind::Line { most, text } => FormInput::Line(Field::of_at_most(text, *most)),
            FieldKind::Text { most, text } => FormInput::Text(TextArea::new(text, *most)),
            FieldKind::Day => FormInput::Line(Field::default()),
            FieldKind::Choice { at, .. } => FormInput::Choice(*at),
            FieldKind::Toggle { is_on, .. } => FormInput::Toggle(*is_on),
        };
        let inputs = form.fields.iter().map(|field| input(&field.kind)).collect();
        let error = form.error.as_ref().map(|error| (error.label, error.text.text.clone()));
        let was_refused = error.is_some();
        Self { form, at: 0, inputs, waits: false, error, was_refused, scrolled: 0 }
    }

    /// Opens a form again with the typed text and the earlier choices, as far as these are still possible.
    pub(crate) fn with(self, form: InputForm) -> Self {
        let mut card = Self::new(form);
        let fields = card.form.fields.iter().map(|field| &field.kind);
        for ((kind, input), left) in fields.zip(&mut card.inputs).zip(self.inputs) {
            let is_possible = match (kind, &left) {
                (FieldKind::Choice { choices, .. }, FormInput::Choice(at)) => {
                    choices.get(*at).is_some_and(|choice| choice.refused.is_none())
                }
                _ => true,
            };
            if is_possible {
                *input = left;
            }
        }
        card
    }

    pub(crate) fn values(&self) -> FormValues {
        let value = |input: &FormInput| match input {
            FormInput::Line(field) => FormValue::Text(field.text().to_owned()),
            FormInput::Text(area) => FormValue::Text(area.field.text().to_owned()),
            FormInput::Choice(at) => FormValue::Choice(*at),
            FormInput::Toggle(is_on) => FormValue::Toggle(*is_on),
        };
        let labels = self.form.fields.iter().map(|field| field.label);
        FormValues(labels.zip(self.inputs.iter().map(value)).collect())
    }

    /// Shows why it was not taken, with the cursor in the field that is wrong.
    pub(crate) fn refuse(&mut self, label: &'static str, why: String) {
        (self.waits, self.was_refused) = (false, true);
        self.at = self.form.fields.iter().position(|field| field.label == label).unwrap_or(self.at);
        self.error = Some((label, why));
    }

    /// Shows a reason that is about the form as a whole, under its first field.
    pub(crate) fn refuse_whole(&mut self, why: String) {
        if let Some(field) = self.form.fields.first() {
            self.refuse(field.label, why);
        }
    }

    /// Returns true if the cursor is in a text of several lines, where Enter begins a new line.
    pub(crate) fn is_in_text(&self) -> bool {
        matches!(self.inputs.get(self.at), Some(FormInput::Text(_)))
    }

    /// Returns true if the field with the cursor takes text.
    pub(crate) fn takes_text(&self) -> bool {
        matches!(self.inputs.get(self.at), Some(FormInput::Line(_) | FormInput::Text(_)))
    }

    /// Returns true if a text of several lines was begun, which a later opening of the form should still have.
    pub(crate) fn has_text(&self) -> bool {
        let is_begun =
            |input: &FormInput| matches!(input, FormInput::Text(area) if !area.field.text().is_empty());
        self.inputs.iter().any(is_begun)
    }

    /// The word of a command in the footer; `None` where the command means nothing.
    pub(crate) fn hint(&self, command: Command, word: &'static str) -> Option<&'static str> {
        match command {
            Command::Accept => Some(if self.is_in_text() { "new line" } else { self.form.accept }),
            Command::NextField => (self.inputs.len() > 1).then_some(word),
            Command::ClearField => self.takes_text().then_some(word),
            _ => Some(word),
        }
    }

    /// The field with the cursor, if it takes text.
    fn field(&mut self) -> Option<&mut Field> {
        match self.inputs.get_mut(self.at)? {
            FormInput::Line(field) => Some(field),
            FormInput::Text(area) => Some(&mut area.field),
            FormInput::Choice(_) | FormInput::Toggle(_) => None,
        }
    }

    /// Changes the text of the field with the cursor; returns false if the field takes none. A form that waits stays as it is.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Field)) -> bool {
        if self.waits {
            return true;
        }
        let Some(field) = self.field() else { return false };
        change(field);
        self.error = None;
        true
    }

    /// Takes a key that no command of the form is bound to: a letter of a text, or the next choice.
    pub(crate) fn take(&mut self, chord: Chord) {
        let is_edited = self.edit(|field| {
            field.take(chord);
        });
        let by = match chord.key {
            Key::Char(' ') | Key::Right if !chord.ctrl => 1,
            Key::Left if !chord.ctrl => -1,
            _ => return,
        };
        if is_edited {
            return;
        }
        match &mut self.inputs[self.at] {
            FormInput::Toggle(is_on) => *is_on = !*is_on,
            FormInput::Choice(_) => {
                if !self.choose(by) {
                    // Round the end.
                    self.choose_from(if by > 0 { None } else { Some(usize::MAX) }, by);
                }
            }
            FormInput::Line(_) | FormInput::Text(_) => {}
        }
        self.error = None;
    }

    /// Chooses the next possible line of the radio list under the cursor; returns false if there is none.
    fn choose(&mut self, by: isize) -> bool {
        let Some(FormInput::Choice(at)) = self.inputs.get(self.at) else { return false };
        self.choose_from(Some(*at), by)
    }

    fn choose_from(&mut self, from: Option<usize>, by: isize) -> bool {
        let Some(FieldKind::Choice { choices, .. }) = self.form.fields.get(self.at).map(|field| &field.kind)
        else {
            return false;
        };
        let mut possible = (0..choices.len()).filter(|at| choices[*at].refused.is_none());
        let next = match from {
            Some(from) if by < 0 => possible.take_while(|at| *at < from).last(),
            from => possible.find(|at| from.is_none_or(|from| *at > from)),
        };
        let Some(next) = next else { return false };
        self.inputs[self.at] = FormInput::Choice(next);
        true
    }

    /// Runs a command of the form. A form that waits can only be left.
    pub(crate) fn act(&mut self, command: Command, size: Size) -> FormReply {
        match command {
            Command::Close | Command::Interrupt => return FormReply::Closed,
            Command::NextPage => self.scrolled = self.scrolled.saturating_add(draw::PAGE),
            Command::PreviousPage => self.scrolled = self.scrolled.saturating_sub(draw::PAGE),
            _ if self.waits => {}
            Command::Accept => return FormReply::Accepted,
            Command::NextField => self.at = (self.at + 1) % self.inputs.len().max(1),
            Command::PreviousField => self.at = self.at.checked_sub(1).unwrap_or(self.inputs.len() - 1),
            Command::EditText => {
                if let Some(FormInput::Text(area)) = self.inputs.get(self.at) {
                    return FormReply::Edits(area.field.text().to_owned());
                }
            }
            Command::NextLine => self.step(1, size),
            Command::PreviousLine => self.step(-1, size),
            Command::ClearField => drop(self.edit(Field::clear)),
            Command::DropWord => drop(self.edit(Field::drop_word)),
            _ => {}
        }
        FormReply::Stays
    }

    /// Takes a text from an editor in place of the text under the cursor. The error is the reason why it does not fit.
    pub(crate) fn take_edited(&mut self, text: &str) -> Result<(), String> {
        let Some(FieldKind::Text { most, .. }) = self.form.fields.get(self.at).map(|field| &field.kind)
        else {
            return Err("the field that it was written for is not open any more".to_owned());
        };
        let (has, most) = (text.chars().count(), *most);
        if has > most {
            return Err(format!("it has {} characters, and {} are the most", grouped(has), grouped(most)));
        }
        self.inputs[self.at] = FormInput::Text(TextArea::new(text, most));
        self.error = None;
        Ok(())
    }

    /// Moves a line up or down: within a text or a radio list, and from its end to the field beside it.
    fn step(&mut self, by: isize, size: Size) {
        let cells = draw::text_cells(size, self);
        let is_inside = match &mut self.inputs[self.at] {
            FormInput::Text(area) => area.step(by, cells),
            FormInput::Choice(_) => self.choose(by),
            FormInput::Line(_) | FormInput::Toggle(_) => false,
        };
        if !is_inside {
            self.at = self.at.saturating_add_signed(by).min(self.inputs.len().saturating_sub(1));
        }
    }
}
