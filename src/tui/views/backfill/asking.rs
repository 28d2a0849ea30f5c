//! A new backfill: its choices, its estimate and its start. The form itself is `form`.

use crate::desk::filling::words;
use crate::desk::intent::{Answer, EntrySelection, Intent};
use crate::desk::launch::Slot;
use crate::desk::list::List;
use crate::registry::Kind;
use crate::rules::amount::counted;
use crate::rules::plain_text::shell_word;
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Command, HOME, ViewId};
use crate::tui::views::backfill::form::{Choice, Form};
use crate::tui::views::backfill::state::Backfill;
use crate::tui::views::{ActionContext, View, ViewRequest};
use crate::tui::widgets::field::Field;

impl Backfill {
    /// Opens the form of a new backfill. `selected` is the first choice, with `hidden` entries outside the
    /// list; `from` is the view to go back to.
    pub(crate) fn ask(
        &mut self,
        context: &mut ActionContext<'_>,
        (selected, hidden): (EntrySelection, usize),
        from: ViewId,
    ) {
        let choices = choices(&context.desk.list, selected, hidden, from == HOME);
        self.form = Some(Form::new(choices, from));
        self.count(context);
    }

    /// Requests an estimate for the form's current values, unless it has one.
    fn count(&mut self, context: &mut ActionContext<'_>) {
        let Some(form) = &mut self.form else { return };
        let Some(choice) = form.choice().cloned() else { return };
        let how = match form.read() {
            Ok(how) => how,
            Err(error) => {
                form.error = Some(error);
                return;
            }
        };
        if form.counted.is_some() {
            return;
        }
        let words = match (choice.words, &how.versions) {
            (Some(words), None) => Some(words),
            (_, versions) => {
                let selection = context.desk.backfill_selection(&choice.selection, versions.as_deref());
                selection.ok().and_then(|selection| words(&selection))
            }
        };
        let at = if how.versions.is_some() { Slot::Versions } else { Slot::What };
        let intent = Intent::EstimateBackfill { selection: choice.selection, how };
        match context.desk.act(intent, context.paint.now) {
            Answer::Started(begun) => {
                form.counted = begun.start.first().map(|(job, _)| (*job, words));
                context.request(ViewRequest::Begin(begun));
            }
            Answer::Question(_) => {}
            Answer::Refused(why) => {
                let why = self.text_of(&context.paint, &why);
                if let Some(form) = &mut self.form {
                    form.error = Some((at, why));
                }
            }
        }
    }

    /// Changes the text of the field under the cursor.
    pub(super) fn edit(&mut self, change: impl FnOnce(&mut Field)) {
        if let Some(form) = &mut self.form {
            form.edit(change);
        }
    }

    /// Takes a key as a letter of the field, or as the next choice.
    pub(super) fn type_in_form(&mut self, context: &mut ActionContext<'_>, chord: Chord) {
        if self.form.as_mut().is_some_and(|form| form.take(chord)) {
            self.count(context);
        }
    }

    /// Runs a command of the form.
    pub(super) fn act_in_form(&mut self, context: &mut ActionContext<'_>, command: Command) {
        let by = match command {
            Command::NextLine => 1,
            Command::PreviousLine => -1,
            Command::Accept => return self.begin_backfill(context),
            Command::ClearField => return self.edit(Field::clear),
            Command::DropWord => return self.edit(Field::drop_word),
            // Back to the view before; nothing begins.
            _ => {
                if let Some(form) = self.form.take() {
                    context.request(ViewRequest::Leave(form.from));
                }
                return;
            }
        };
        self.count(context);
        if let Some(form) = &mut self.form {
            form.step(by);
        }
    }

    /// Starts the backfill of the form; the desk asks for a confirmation first.
    fn begin_backfill(&mut self, context: &mut ActionContext<'_>) {
        let Some(form) = &mut self.form else { return };
        let Some(Choice { selection, hidden, .. }) = form.choice().cloned() else { return };
        match form.read() {
            Ok(how) => context.request(ViewRequest::Act(Intent::Backfill { selection, hidden, how })),
            Err((at, why)) => (form.at, form.error) = (at, Some((at, why))),
        }
    }
}

/// The choices of a form: the selection first. The rows of a filter are one where the list is seen.
fn choices(list: &List, selected: EntrySelection, hidden: usize, sees_list: bool) -> Vec<Choice> {
    let mut choices = Vec::new();
    let marked = || Choice {
        selection: EntrySelection::Marked,
        name: counted(list.mark_count(), "marked entry"),
        words: Some("--marked".to_owned()),
        hidden,
    };
    match selected {
        EntrySelection::Marked => choices.push(marked()),
        EntrySelection::These(these) => {
            choices.extend(these.first().filter(|one| one.kind() == Kind::Provider).map(|one| Choice {
                name: one.to_string(),
                words: Some(shell_word(&one.to_string())),
                selection: EntrySelection::These(these.clone()),
                hidden: 0,
            }));
            if list.has_marks() {
                choices.push(marked());
            }
        }
        _ => {}
    }
    if sees_list && list.shown.len() < list.verdicts.len() {
        choices.push(Choice {
            selection: EntrySelection::Shown,
            name: format!("what the filter shows, {}", counted(list.shown.len(), "entry")),
            words: Some(format!("--filter {}", shell_word(list.filter.trim()))),
            hidden: 0,
        });
    }
    choices.push(Choice {
        selection: EntrySelection::Everything,
        name: "every provider".to_owned(),
        words: Some("--all".to_owned()),
        hidden: 0,
    });
    choices
}
