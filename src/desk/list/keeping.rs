//! The part of the list that outlives a run: it is written to the stored state, and read from there at the
//! start. Nothing is written before the state was read, so that an early end loses nothing. One batch at a
//! time is being written.

use std::collections::BTreeSet;

use crate::desk::ability::Ability;
use crate::desk::list::List;
use crate::desk::telling::Message;
use crate::jobs::data::{Failure, FailureKind, JobId};
use crate::registry::Address;
use crate::rules::memory::{Divider, ListState, Look, Memory};
use crate::rules::{memory, view};

/// The difference between the stored state and the list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keeping {
    /// The state as it was last read or written; `None` until it was read.
    kept: Option<Memory>,
    /// True if a change waits to be written.
    changed: bool,
    /// Marks that wait until the registry is read.
    waiting: Option<BTreeSet<Address>>,
    /// The batch that is being written, with its job and the message for its success.
    sent: Option<(JobId, Memory, Option<Message>)>,
    /// The message for the success of a save by hand.
    saying: Option<Message>,
    /// State that other parts than the list keep.
    besides: Memory,
    /// The reason why the state could not be read; then nothing is written over it.
    unread: Option<String>,
}

impl Keeping {
    pub(crate) fn touch(&mut self) {
        self.changed = true;
    }

    /// Checks that a save by hand can be written.
    fn may_save(&self) -> Result<(), String> {
        self.unread.as_ref().map_or(Ok(()), |why| {
            Err(format!(
                "not saved: what earlier runs kept could not be read ({why}), and is not overwritten; here it lasts until you quit"
            ))
        })
    }

    /// Writes the views again after a change by hand, even if they are unchanged since; `words` is the
    /// message for its success.
    fn save_by_hand(&mut self, words: Message) {
        self.touch();
        if let Some(kept) = &mut self.kept {
            memory::forget_views(kept);
        }
        self.saying = Some(words);
    }
}

impl List {
    /// Saves the current filter, order and groups as a view. The error is the reason why it cannot.
    pub(crate) fn save_view(&mut self, name: &str) -> Result<(), String> {
        if let Some(error) = self.filter_errors.first() {
            return Err(format!("fix the filter first: {}", error.text));
        }
        let view = self.as_view(name);
        let name = view.name.clone();
        let replaced = view::save(&mut self.views, view)?;
        self.called.clone_from(&name);
        self.keeping.may_save()?;
        let old = if replaced { ", replacing the old one" } else { "" };
        let words = Message::of(format!("view `{name}` saved{old}")).step(Ability::Views, "lists the views");
        self.keeping.save_by_hand(words);
        Ok(())
    }

    /// Checks that the view exists, belongs to the maintainer, and that its deletion can be written.
    pub(crate) fn may_delete(&self, name: &str) -> Result<(), String> {
        view::delete(&mut self.views.clone(), name)?;
        self.keeping.may_save()
    }

    /// Deletes a view.
    pub(crate) fn delete_view(&mut self, name: &str) {
        if let Ok(view) = view::delete(&mut self.views, name) {
            self.keeping.save_by_hand(Message::of(format!("view `{}` deleted", view.name)));
        }
    }

    /// Adds state that is written with the next batch.
    pub(crate) fn also_keep(&mut self, memory: Memory) {
        self.keeping.besides.extend(memory);
        self.keeping.touch();
    }

    /// Returns true if a batch is ready to be written.
    pub(crate) fn is_to_keep(&self) -> bool {
        let Keeping { kept, changed, waiting, sent, .. } = &self.keeping;
        *changed && kept.is_some() && waiting.is_none() && sent.is_none()
    }

    /// Notes that a batch is being written by this job.
    pub(crate) fn is_sent(&mut self, id: JobId, news: Memory) {
        let words = self.keeping.saying.take();
        self.keeping.sent = Some((id, news, words));
    }

    /// Takes the end of a job that wrote or read the state, and returns the message that waits for its
    /// success. After a failure the batch is written with the next change. If another console holds the
    /// state, it is written only when the maintainer saves again.
    pub(crate) fn answered(&mut self, id: JobId, failure: Option<&Failure>) -> Option<Message> {
        let Some((_, news, words)) = self.keeping.sent.take_if(|(sent, ..)| *sent == id) else {
            if self.keeping.kept.is_none() {
                self.keeping.unread = failure.map(|failure| failure.causes.join(": "));
            }
            return None;
        };
        if let (Some(failure), Some(kept)) = (failure, &mut self.keeping.kept)
            && failure.kind != FailureKind::Conflict
        {
            kept.retain(|name, _| !news.contains_key(name));
        }
        words
    }

    /// Takes the state of earlier runs. Text and marks that were entered since the start stay.
    pub(crate) fn recall(&mut self, memory: Memory) {
        let list = memory::list(&memory);
        let meanwhile = std::mem::replace(&mut self.views, memory::views(&memory));
        self.keeping.changed |= !meanwhile.is_empty();
        for view in meanwhile {
            // Its name was good a moment ago; only one too many is left out.
            let _is_full = view::save(&mut self.views, view);
        }
        self.history = memory::history(&memory);
        self.look = memory::look(&memory);
        self.keeping.waiting = Some(memory::marks(&memory));
        self.keeping.kept = Some(memory);
        (self.sort, self.group, self.folded) = (list.sort, list.group, list.folded);
        self.no_preview = list.no_preview;
        self.theme = self.theme.take().or(list.theme);
        self.key_notes = list.key_notes;
        // One that was moved since the start stays.
        self.dividers = list.dividers.into_iter().chain(std::mem::take(&mut self.dividers)).collect();
        if !self.catalog.rows.is_empty() {
            self.find_news();
            self.recall_marks();
            self.arrange();
        }
    }

    /// The divider of a view, by the name of the view.
    pub(crate) fn divider(&self, view: &str) -> Divider {
        self.dividers.get(view).copied().unwrap_or_default()
    }

    /// Sets the marks of earlier runs, once the rows are known.
    pub(super) fn recall_marks(&mut self) {
        if let Some(marks) = self.keeping.waiting.take() {
            self.mark_all(&marks, true);
        }
    }

    /// Takes the state that is not written yet. `leaving`: the program ends, so this is the last look at what
    /// needs attention.
    pub(crate) fn take_unkept(&mut self, leaving: bool) -> Memory {
        // Marks that still wait for their rows would be lost.
        if self.keeping.waiting.is_some() {
            return Memory::new();
        }
        self.keeping.changed = false;
        let memory = self.memory(leaving);
        let Some(kept) = &mut self.keeping.kept else { return Memory::new() };
        let news: Memory = memory.into_iter().filter(|(name, text)| kept.get(name) != Some(text)).collect();
        kept.extend(news.clone());
        news
    }

    fn memory(&self, leaving: bool) -> Memory {
        let mut memory = self.keeping.besides.clone();
        memory::put_views(&mut memory, &self.views);
        memory::put_history(&mut memory, &self.history);
        let rows = || self.catalog.rows.iter();
        let marked = rows().zip(&self.marks).filter(|(_, marked)| **marked);
        memory::put_marks(&mut memory, marked.map(|(row, _)| &row.address));
        memory::put_list(
            &mut memory,
            &ListState {
                sort: self.sort,
                group: self.group,
                folded: self.folded.clone(),
                no_preview: self.no_preview,
                theme: self.theme.clone(),
                dividers: self.dividers.clone(),
                key_notes: self.key_notes.clone(),
            },
        );
        // A list that was never checked says nothing of what needs attention.
        if leaving && self.tally.newest.is_some() {
            let wanting = rows().zip(&self.verdicts).filter(|(_, verdict)| verdict.needs_attention());
            memory::put_look(&mut memory, &Look::of(wanting.map(|(row, _)| &row.address)));
        }
        memory
    }
}
