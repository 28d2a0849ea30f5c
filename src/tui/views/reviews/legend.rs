//! What the words of a review say.

use crate::desk::telling::review::UPDATED;
use crate::rules::review::Result as Word;
use crate::tui::widgets::legend::Legend;

pub(super) const LEGEND: Legend = &[
    of(Word::Same),
    of(Word::NotHashed),
    of(Word::PersonDecides),
    of(Word::Unknown),
    of(Word::Differs),
    of(Word::Refused),
    ("MOVED", "what it changes is not what was reviewed any more"),
    ("NOT READ", "it was not reviewed yet"),
    ("+2 more", "two other reasons, which the details name"),
    (UPDATED.short, "time since its last change: a push, a comment or a label"),
];

const fn of(word: Word) -> (&'static str, &'static str) {
    (word.column_word(), word.meaning())
}
