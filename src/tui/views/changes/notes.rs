//! Notes on changes and files: the field with the current text, and saving its new text. A note counts as
//! kept once the plan has it; until then, and if it cannot be kept, its text stays.

use crate::desk::form::{FormSubject, note};
use crate::desk::intent::Intent;
use crate::desk::planning::{Planning, unsaved};
use crate::desk::telling::Why;
use crate::jobs::data::{Failure, Outcome, PlanMark};
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::plan::{LONGEST_NOTE, Part, Piece, PieceId, PlannedFile, Verb, Which};
use crate::tui::views::changes::state::{Changes, LostNote};
use crate::tui::views::{ActionContext, ViewRequest};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::form::FormCard;

impl Changes {
    /// Opens the field for a note on the change under the cursor, or on the whole file. A note on a file goes
    /// to each of its changes, as the command writes it. The field starts with the text of a note that could
    /// not be kept.
    pub(super) fn write_note(&mut self, context: &mut ActionContext<'_>) {
        let planning = &context.desk.planning;
        let Some(file) = self.file(planning) else { return };
        let address = file.address.clone();
        let (which, about) = match self.piece(planning) {
            Some(piece) => {
                (Which::Piece(piece.id.clone()), format!("{} of {address}", piece_name(&piece.part)))
            }
            None => (Which::Whole, format!("{address}, {}", all_changes(&file.pieces))),
        };
        let text = common_note(&pieces_of(file, &which)).unwrap_or_default().to_owned();
        let lost = self.lost_note.take_if(|lost| lost.address == address && lost.which == which);
        let (text, error) = lost.map_or((text, None), |lost| (lost.text, Some(lost.why)));
        context.request(ViewRequest::Form(note::form((address, which), about, text, error)));
    }

    /// Takes the end of a job that wrote marks, and reports that they are kept. The job itself reports marks on changes that
    /// are gone.
    pub(super) fn end_marks(&mut self, context: &mut ActionContext<'_>, outcome: &Outcome) {
        let pending = &mut context.desk.planning.pending;
        let (sent, words) = (std::mem::take(&mut pending.sent), pending.sent_words.take());
        let failure = match outcome {
            Outcome::Failed(failure) => Some(failure),
            Outcome::Done(_) | Outcome::Cancelled(_) => None,
        };
        let planning = &context.desk.planning;
        let is_there = |mark: &PlanMark| match &mark.which {
            Which::Piece(id) => planning.has_piece(&mark.address, id),
            Which::Whole | Which::Version(_) => true,
        };
        let words = words.filter(|_| failure.is_none() && sent.iter().all(is_there));
        let (is_closed, text) = self.notes_answered(planning, context.note.as_deref_mut(), &sent, failure);
        if is_closed {
            context.request(ViewRequest::CloseNote);
        }
        if let Some(text) = text.map(ToOwned::to_owned).or(words) {
            context.reply(text);
        }
    }

    /// Takes the outcome of writing marks: the notes among them are kept, or not. `card` is an open field
    /// that waits for this. Returns true if the field closes, and the message to show.
    fn notes_answered(
        &mut self,
        planning: &Planning,
        card: Option<&mut FormCard>,
        sent: &[PlanMark],
        failure: Option<&Failure>,
    ) -> (bool, Option<&'static str>) {
        let notes = sent.iter().filter_map(|mark| match (&mark.verb, &mark.which) {
            (Verb::Note(text), Which::Piece(id)) => Some((&mark.address, id, text)),
            _ => None,
        });
        let mut card = card.filter(|card| card.waits);
        let (mut is_kept, mut reply) = (false, None);
        for (address, id, text) in notes {
            let why = match failure {
                Some(failure) => Some(unsaved(failure)),
                None if planning.has_piece(address, id) => None,
                None => Some("not saved: this change is not in the plan any more".to_owned()),
            };
            let is_its = |card: &&mut FormCard| match &card.form.subject {
                FormSubject::Note { address: of, which } => {
                    of == address && (*which == Which::Whole || *which == Which::Piece(id.clone()))
                }
                _ => false,
            };
            match (why, card.as_deref_mut().filter(is_its)) {
                (Some(why), Some(card)) => card.refuse_whole(why),
                (Some(why), None) => self.lose_note(address, id, text, why),
                (None, card) => {
                    is_kept |= card.is_some();
                    reply = Some(if text.is_empty() { "the note was removed" } else { "the note is kept" });
                }
            }
        }
        // One of several changes may be gone.
        (is_kept && card.is_some_and(|card| card.error.is_none()), reply)
    }

    /// Keeps the text of a note whose field was closed meanwhile, for the next time that the field opens.
    fn lose_note(&mut self, address: &Address, id: &PieceId, text: &str, why: String) {
        match &mut self.lost_note {
            // This note failed on another change too, so it was written for all of them.
            Some(lost) if lost.address == *address && lost.text == text => lost.which = Which::Whole,
            lost => {
                let (address, which, text) = (address.clone(), Which::Piece(id.clone()), text.to_owned());
                *lost = Some(LostNote { address, which, text, why });
            }
        }
    }
}

/// Saves the text of a note; returns true if its form stays open until the plan has the note. An unchanged note keeps its line
/// breaks, which a field cannot show.
pub(crate) fn keep_note(context: &mut ActionContext<'_>, card: &FormCard, typed: &str) -> bool {
    let FormSubject::Note { address, which } = &card.form.subject else { return false };
    let pieces = context.desk.planning.find(address).map(|file| pieces_of(file, which));
    let pieces = pieces.unwrap_or_default();
    let shown = |note: &str| Field::of_at_most(note, LONGEST_NOTE).text() == typed;
    let before = common_note(&pieces).filter(|before| shown(before));
    let text = before.map_or_else(|| typed.trim().to_owned(), ToOwned::to_owned);
    let ids = match which {
        Which::Piece(id) => vec![id.clone()],
        _ => pieces.iter().map(|piece| piece.id.clone()).collect(),
    };
    let mark = PlanMark { address: address.clone(), which: which.clone(), verb: Verb::Note(text) };
    let intent = Intent::Say(vec![mark.clone()]);
    // One that could not be kept is said again, though the plan shows it as said.
    let is_needless = context.desk.may(&intent).is_err_and(|refused| refused.why == Why::Needless);
    if is_needless && !card.was_refused {
        context.request(ViewRequest::Act(intent));
        return false;
    }
    for id in ids {
        context.desk.planning.say(PlanMark { which: Which::Piece(id), ..mark.clone() });
    }
    true
}

fn pieces_of<'a>(file: &'a PlannedFile, which: &Which) -> Vec<&'a Piece> {
    let is_meant = |piece: &&Piece| *which == Which::Whole || *which == Which::Piece(piece.id.clone());
    file.pieces.iter().filter(is_meant).collect()
}

/// The notes of these changes, if all are equal.
fn common_note<'a>(pieces: &[&'a Piece]) -> Option<&'a str> {
    let first = &pieces.first()?.mark.note;
    pieces.iter().all(|piece| piece.mark.note == *first).then_some(first.as_str())
}

/// `all 3 changes; it replaces the notes that they have`.
fn all_changes(pieces: &[Piece]) -> String {
    match pieces {
        [one] => piece_name(&one.part),
        many => {
            let replaces = if common_note(&many.iter().collect::<Vec<_>>()).is_none() {
                "; it replaces the notes that they have"
            } else {
                ""
            };
            format!("all {}{replaces}", counted(many.len(), "change"))
        }
    }
}

/// The name of a change in sentences.
pub(super) fn piece_name(part: &Part) -> String {
    match part {
        Part::Version(version) => version.clone(),
        Part::Rest => "the rest of the file".to_owned(),
        Part::Blacklist => "the blacklist".to_owned(),
        Part::Key => "the key".to_owned(),
    }
}
