//! Notes on changes: the field that is opened with what stands there, and what becomes of what was written.

use crate::jobs::PlanMark;
use crate::rules::plan::LONGEST_NOTE;
use crate::rules::plan::Verb;
use crate::rules::plan::Which;
use crate::tui::field::Field;
use crate::tui::model::Model;
use crate::tui::model::Popup;
use crate::tui::msg::Effect;
use crate::tui::screens::changes::update::piece_name;
use crate::tui::widgets::note::NoteCard;

/// Opens the field for a note on the change under the cursor.
pub(super) fn write_note(model: &mut Model) {
    let changes = &model.views.changes;
    let (Some(file), Some(piece)) = (changes.file(), changes.piece()) else {
        return model.reply("notes belong to changes: move to one of the file's first");
    };
    let note = NoteCard {
        address: file.address.clone(),
        piece: piece.id.clone(),
        about: format!("{} of {}", piece_name(&piece.part), file.address),
        field: note_field(&piece.mark.note),
    };
    model.popup = Some(Popup::Note(note));
}

fn note_field(note: &str) -> Field {
    Field::of_at_most(note, LONGEST_NOTE)
}

/// Takes a note as it was written. One that nobody changed stays as it is, with the line breaks that a field cannot show.
pub(crate) fn keep_note(model: &mut Model, note: NoteCard) -> Vec<Effect> {
    let plan = model.views.changes.plan.as_ref();
    let piece = plan.and_then(|plan| plan.find(&note.address)?.pieces.iter().find(|at| at.id == note.piece));
    if piece.is_some_and(|piece| note_field(&piece.mark.note).text() == note.field.text()) {
        model.reply("the note is as it was");
        return Vec::new();
    }
    let text = note.field.text().trim().to_owned();
    model.reply(if text.is_empty() { "the note was taken away" } else { "the note is kept" });
    let mark = PlanMark { address: note.address, which: Which::Piece(note.piece), verb: Verb::Note(text) };
    model.views.changes.say(mark);
    Vec::new()
}
