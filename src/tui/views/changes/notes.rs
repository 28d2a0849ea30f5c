//! Notes on changes: the field that is opened with what stands there, and what becomes of what was written. A note is called
//! kept when the plan has it; until then, and if it cannot be kept, its text stays.

use crate::desk::intent::Intent;
use crate::desk::planning::{Planning, unsaved};
use crate::desk::telling::Why;
use crate::jobs::{Failure, PlanMark};
use crate::rules::plan::{LONGEST_NOTE, Part, Verb, Which};
use crate::tui::views::changes::state::{Changes, LostNote};
use crate::tui::views::{Scene, Wish};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::note::NoteCard;

impl Changes {
    /// The field for a note on the change under the cursor; with the text of one that could not be kept.
    pub(super) fn write_note(&mut self, scene: &mut Scene<'_>) {
        let planning = &scene.desk.planning;
        let (Some(file), Some(piece)) = (self.file(planning), self.piece(planning)) else {
            return scene.reply("notes belong to changes: move to one of the file's first");
        };
        let (address, id) = (file.address.clone(), piece.id.clone());
        let about = format!("{} of {}", piece_name(&piece.part), file.address);
        let text = piece.mark.note.clone();
        let lost = self.lost_note.take_if(|lost| lost.address == address && lost.piece == id);
        let (text, error) = lost.map_or((text, None), |lost| (lost.text, Some(lost.why)));
        let field = note_field(&text);
        scene.wish(Wish::Note(NoteCard { address, piece: id, about, field, saving: false, error }));
    }

    /// What was said about the plan was answered: notes among it are kept, or not. `card` is the field of a note that waits
    /// for that; whether it is closed, and what is to be said.
    pub(in crate::tui) fn notes_answered(
        &mut self,
        planning: &Planning,
        mut card: Option<&mut NoteCard>,
        sent: &[PlanMark],
        failure: Option<&Failure>,
    ) -> (bool, Option<&'static str>) {
        let (mut is_closed, mut said) = (false, None);
        for mark in sent {
            let (Verb::Note(text), Which::Piece(id)) = (&mark.verb, &mark.which) else { continue };
            let why = match failure {
                Some(failure) => Some(unsaved(failure)),
                None if planning.has_piece(&mark.address, id) => None,
                None => Some("not saved: this change is not in the plan any more".to_owned()),
            };
            let is_its =
                |card: &&mut NoteCard| card.saving && card.address == mark.address && card.piece == *id;
            match (why, card.as_deref_mut().filter(is_its)) {
                (Some(why), Some(card)) => {
                    card.saving = false;
                    card.error = Some(why);
                }
                (Some(why), None) => {
                    let (address, piece, text) = (mark.address.clone(), id.clone(), text.clone());
                    self.lost_note = Some(LostNote { address, piece, text, why });
                }
                (None, card) => {
                    is_closed |= card.is_some();
                    said = Some(if text.is_empty() { "the note was taken away" } else { "the note is kept" });
                }
            }
        }
        (is_closed, said)
    }
}

/// Takes a note as it was written; the field stays open until the plan has it. One that nobody changed stays as it is, with
/// the line breaks that a field cannot show.
pub(crate) fn keep_note(scene: &mut Scene<'_>, note: NoteCard) -> Option<NoteCard> {
    if note.saving {
        return Some(note);
    }
    let plan = scene.desk.planning.plan.as_ref();
    let piece = plan.and_then(|plan| plan.find(&note.address)?.pieces.iter().find(|at| at.id == note.piece));
    let is_same = piece.is_some_and(|piece| note_field(&piece.mark.note).text() == note.field.text());
    let unchanged = piece.filter(|_| is_same).map(|piece| piece.mark.note.clone());
    let text = unchanged.unwrap_or_else(|| note.field.text().trim().to_owned());
    let (address, which) = (note.address.clone(), Which::Piece(note.piece.clone()));
    let mark = PlanMark { address, which, verb: Verb::Note(text) };
    let intent = Intent::Say(vec![mark.clone()]);
    // One that could not be kept is said again, though the plan shows it as said.
    let is_needless = scene.desk.may(&intent).is_err_and(|refused| refused.why == Why::Needless);
    if is_needless && note.error.is_none() {
        scene.wish(Wish::Act(intent));
        return None;
    }
    scene.desk.planning.say(mark);
    Some(NoteCard { saving: true, error: None, ..note })
}

fn note_field(note: &str) -> Field {
    Field::of_at_most(note, LONGEST_NOTE)
}

/// What a change is called in sentences.
pub(super) fn piece_name(part: &Part) -> String {
    match part {
        Part::Version(version) => version.clone(),
        Part::Rest => "the rest of the file".to_owned(),
    }
}
