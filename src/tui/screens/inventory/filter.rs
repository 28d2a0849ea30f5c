//! The filter field of the Inventory: its text, what it means, what is wrong with it, and the texts that were typed before.
//! The language itself is `rules::filter`.

use crate::rules::filter::{Filter as Terms, FilterError};
use crate::rules::memory::HISTORY_LIMIT;
use crate::tui::field::Field;

/// The filter as typed and as understood.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) text: String,
    /// The terms that are left out, and why.
    pub(crate) errors: Vec<FilterError>,
    pub(super) terms: Terms,
    /// While it is being typed: the text to go back to, and the field it is typed in.
    before: Option<String>,
    pub(crate) field: Field,
    /// What was kept, the newest last, and which of them the field shows.
    pub(super) history: Vec<String>,
    recalled: Option<usize>,
}

impl Filter {
    pub(crate) fn is_open(&self) -> bool {
        self.before.is_some()
    }

    pub(crate) fn open(&mut self) {
        self.before = Some(self.text.clone());
        self.field = Field::of(&self.text);
        self.recalled = None;
    }

    /// Keeps what was typed.
    pub(crate) fn close(&mut self) {
        self.before = None;
        let text = self.text.trim().to_owned();
        if !text.is_empty() && self.history.last() != Some(&text) {
            self.history.retain(|old| *old != text);
            self.history.push(text);
            let over = self.history.len().saturating_sub(HISTORY_LIMIT);
            self.history.drain(..over);
        }
    }

    /// Goes back to the text before.
    pub(crate) fn undo(&mut self) {
        if let Some(before) = self.before.take() {
            self.set(before);
        }
    }

    /// Takes a text as the filter; bad terms are left out and named in [`Filter::errors`].
    pub(crate) fn set(&mut self, text: String) {
        (self.terms, self.errors) = Terms::read(&text);
        self.text = text;
    }

    /// Puts an older text into the field, or a newer one; past the newest stands what was there at first.
    pub(super) fn recall(&mut self, older: bool) {
        let end = self.history.len();
        let at = self.recalled.unwrap_or(end);
        let to = if older { at.saturating_sub(1) } else { (at + 1).min(end) };
        if to == at {
            return;
        }
        self.recalled = Some(to);
        let text = self.history.get(to).or(self.before.as_ref()).cloned().unwrap_or_default();
        self.field = Field::of(&text);
    }

    /// Whether every row passes.
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_texts_come_back_and_the_newest_is_what_was_there() {
        let mut filter = Filter::default();
        for text in ["aws", "null", "aws", "  "] {
            filter.open();
            filter.set(text.into());
            filter.close();
        }
        assert_eq!(filter.history, ["null", "aws"]);
        filter.set("now".into());
        filter.open();
        for (older, wanted) in
            [(false, "now"), (true, "aws"), (true, "null"), (true, "null"), (false, "aws"), (false, "now")]
        {
            filter.recall(older);
            assert_eq!(filter.field.text(), wanted);
        }
    }

    #[test]
    fn bad_terms_are_named_and_the_good_ones_hold() {
        let mut filter = Filter::default();
        filter.set("aws status:zz".into());
        assert_eq!((filter.errors.len(), filter.is_empty()), (1, false));
        filter.set("aws".into());
        assert!(filter.errors.is_empty());
    }
}
