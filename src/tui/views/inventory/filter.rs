//! The filter field of the Inventory while it is being typed in: what to go back to, and the texts that were used before. The
//! filter itself is the list's.

use crate::desk::list::List;
use crate::rules::filter::LONGEST;
use crate::tui::widgets::field::Field;

/// The field, open or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Typing {
    /// The text to go back to, while it is open.
    before: Option<String>,
    pub(crate) field: Field,
    /// Which of the older texts the field shows.
    recalled: Option<usize>,
}

impl Typing {
    pub(crate) fn is_open(&self) -> bool {
        self.before.is_some()
    }

    /// The filter that Esc goes back to while another is typed; empty if Esc leaves none.
    pub(crate) fn before(&self) -> &str {
        self.before.as_deref().unwrap_or_default()
    }

    pub(crate) fn open(&mut self, list: &List) {
        self.before = Some(list.filter.clone());
        self.field = Field::of_at_most(&list.filter, LONGEST);
        self.recalled = None;
    }

    /// Keeps what was typed.
    pub(crate) fn close(&mut self, list: &mut List) {
        self.before = None;
        list.note_filter();
    }

    /// Goes back to the text before.
    pub(crate) fn undo(&mut self, list: &mut List) {
        if let Some(before) = self.before.take() {
            list.set_filter(before);
        }
    }

    /// Puts an older text into the field, or a newer one; past the newest stands what was there at first.
    pub(super) fn recall(&mut self, list: &List, older: bool) {
        let end = list.history.len();
        let at = self.recalled.unwrap_or(end);
        let to = if older { at.saturating_sub(1) } else { (at + 1).min(end) };
        if to == at {
            return;
        }
        self.recalled = Some(to);
        let text = list.history.get(to).or(self.before.as_ref()).cloned().unwrap_or_default();
        self.field = Field::of_at_most(&text, LONGEST);
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn older_texts_come_back_and_the_newest_is_what_was_there() {
        let mut list = List::at(Timestamp::UNIX_EPOCH);
        list.history = vec!["null".into(), "aws".into()];
        list.set_filter("now".into());
        let mut typing = Typing::default();
        typing.open(&list);
        for (older, wanted) in
            [(false, "now"), (true, "aws"), (true, "null"), (true, "null"), (false, "aws"), (false, "now")]
        {
            typing.recall(&list, older);
            assert_eq!(typing.field.text(), wanted);
        }
    }
}
