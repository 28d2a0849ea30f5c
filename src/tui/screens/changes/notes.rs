//! Notes on changes: the field that is opened with what stands there, and what becomes of what was written. A note is called
//! kept when the plan has it; until then, and if it cannot be kept, its text stays.

use crate::jobs::{Failure, PlanMark};
use crate::registry::Address;
use crate::rules::plan::{LONGEST_NOTE, PieceId, Verb, Which};
use crate::tui::field::Field;
use crate::tui::keeping::why;
use crate::tui::model::{Model, Popup};
use crate::tui::msg::Effect;
use crate::tui::screens::changes::update::piece_name;
use crate::tui::widgets::note::NoteCard;

/// A note that could not be kept after its field was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LostNote {
    address: Address,
    piece: PieceId,
    text: String,
    why: String,
}

/// Opens the field for a note on the change under the cursor; with the text of one that could not be kept.
pub(super) fn write_note(model: &mut Model) {
    let changes = &mut model.views.changes;
    let (Some(file), Some(piece)) = (changes.file(), changes.piece()) else {
        return model.reply("notes belong to changes: move to one of the file's first");
    };
    let (address, id) = (file.address.clone(), piece.id.clone());
    let about = format!("{} of {}", piece_name(&piece.part), file.address);
    let text = piece.mark.note.clone();
    let lost = changes.lost_note.take_if(|lost| lost.address == address && lost.piece == id);
    let (text, error) = lost.map_or((text, None), |lost| (lost.text, Some(lost.why)));
    let field = note_field(&text);
    model.popup = Some(Popup::Note(NoteCard { address, piece: id, about, field, saving: false, error }));
}

fn note_field(note: &str) -> Field {
    Field::of_at_most(note, LONGEST_NOTE)
}

/// Takes a note as it was written. One that nobody changed stays as it is, with the line breaks that a field cannot show.
pub(crate) fn keep_note(model: &mut Model, note: NoteCard) -> Vec<Effect> {
    if note.saving {
        model.popup = Some(Popup::Note(note));
        return Vec::new();
    }
    let plan = model.views.changes.planned.plan.as_ref();
    let piece = plan.and_then(|plan| plan.find(&note.address)?.pieces.iter().find(|at| at.id == note.piece));
    let is_same = piece.is_some_and(|piece| note_field(&piece.mark.note).text() == note.field.text());
    if is_same && note.error.is_none() {
        model.reply("the note is as it was");
        return Vec::new();
    }
    let text = note.field.text().trim().to_owned();
    let (address, which) = (note.address.clone(), Which::Piece(note.piece.clone()));
    model.views.changes.planned.say(PlanMark { address, which, verb: Verb::Note(text) });
    model.popup = Some(Popup::Note(NoteCard { saving: true, error: None, ..note }));
    Vec::new()
}

/// What was said about the plan was answered: notes among it are kept, or not.
pub(crate) fn answered(model: &mut Model, sent: &[PlanMark], failure: Option<&Failure>) {
    for mark in sent {
        let (Verb::Note(text), Which::Piece(id)) = (&mark.verb, &mark.which) else { continue };
        let is_there = model.views.changes.planned.has_piece(&mark.address, id);
        let why = match failure {
            Some(failure) => Some(why(failure)),
            None if is_there => None,
            None => Some("not saved: this change is not in the plan any more".to_owned()),
        };
        let card = match &mut model.popup {
            Some(Popup::Note(card)) if card.saving && card.address == mark.address && card.piece == *id => {
                Some(card)
            }
            _ => None,
        };
        match (why, card) {
            (Some(why), Some(card)) => {
                card.saving = false;
                card.error = Some(why);
            }
            (Some(why), None) => {
                let (address, piece, text) = (mark.address.clone(), id.clone(), text.clone());
                model.views.changes.lost_note = Some(LostNote { address, piece, text, why });
            }
            (None, card) => {
                if card.is_some() {
                    model.popup = None;
                }
                model.reply(if text.is_empty() { "the note was taken away" } else { "the note is kept" });
            }
        }
    }
}
