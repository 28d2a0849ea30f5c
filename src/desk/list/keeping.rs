//! What the list keeps between runs: puts it into the memory, and takes it from there at the start. Nothing is kept
//! before the memory was read, so that an early end forgets nothing; one batch at a time is on its way.

use std::collections::BTreeSet;

use crate::desk::list::List;
use crate::desk::telling::{Message, Way};
use crate::jobs::data::{Failure, FailureKind, JobId};
use crate::registry::Address;
use crate::rules::memory::{ListState, Look, Memory};
use crate::rules::order::needs_attention;
use crate::rules::{memory, view};

/// How far the memory and the list agree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keeping {
    /// The memory as it was read or last kept; `None` until it was read.
    kept: Option<Memory>,
    /// Something changed that is to be kept.
    changed: bool,
    /// Marks that wait for the registry to be read.
    waiting: Option<BTreeSet<Address>>,
    /// What is on its way, with its job, and what is said once it is kept.
    sent: Option<(JobId, Memory, Option<Message>)>,
    /// What is said once that is kept which was saved by hand.
    saying: Option<Message>,
    /// What others than the list have kept.
    besides: Memory,
    /// Why the memory was not read: nothing is written over it then.
    unread: Option<String>,
}

impl Keeping {
    pub(crate) fn touch(&mut self) {
        self.changed = true;
    }

    /// Whether what is saved by hand will be kept.
    fn may_save(&self) -> Result<(), String> {
        self.unread.as_ref().map_or(Ok(()), |why| {
            Err(format!(
                "not saved: what earlier runs kept could not be read ({why}), and is not overwritten; here it lasts until you quit"
            ))
        })
    }

    /// The views were changed by hand: they are kept again even if they were before, and `words` are said then.
    fn save_by_hand(&mut self, words: Message) {
        self.touch();
        if let Some(kept) = &mut self.kept {
            memory::forget_views(kept);
        }
        self.saying = Some(words);
    }
}

impl List {
    /// Saves filter, order and groups as they are as a view. The error is why they are not.
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
        let words = Message::of(format!("view `{name}` saved{old}")).way(Way::Views, "lists the views");
        self.keeping.save_by_hand(words);
        Ok(())
    }

    /// Whether there is such a view, one's own, and its end would be kept.
    pub(crate) fn may_delete(&self, name: &str) -> Result<(), String> {
        view::delete(&mut self.views.clone(), name)?;
        self.keeping.may_save()
    }

    /// Forgets a view.
    pub(crate) fn delete_view(&mut self, name: &str) {
        if let Ok(view) = view::delete(&mut self.views, name) {
            self.keeping.save_by_hand(Message::of(format!("view `{}` deleted", view.name)));
        }
    }

    /// Keeps these too, at the next turn.
    pub(crate) fn also_keep(&mut self, memory: Memory) {
        self.keeping.besides.extend(memory);
        self.keeping.touch();
    }

    /// Whether something waits to be kept.
    pub(crate) fn is_to_keep(&self) -> bool {
        let Keeping { kept, changed, waiting, sent, .. } = &self.keeping;
        *changed && kept.is_some() && waiting.is_none() && sent.is_none()
    }

    /// What was taken is on its way with this job.
    pub(crate) fn is_sent(&mut self, id: JobId, news: Memory) {
        let words = self.keeping.saying.take();
        self.keeping.sent = Some((id, news, words));
    }

    /// A job of the memory is over. Gives the words that wait for it: to be said if it went well. What was not kept is tried
    /// again with the next change; where another console keeps the state, only when somebody saves again.
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

    /// Takes what earlier runs kept. What was typed or marked meanwhile stays.
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
        if !self.catalog.rows.is_empty() {
            self.find_news();
            self.recall_marks();
            self.arrange();
        }
    }

    /// Marks what earlier runs marked, now that the rows are there.
    pub(super) fn recall_marks(&mut self) {
        if let Some(marks) = self.keeping.waiting.take() {
            self.mark_all(&marks, true);
        }
    }

    /// What is to be kept that is not yet. `leaving`: this look is over, so what needs attention now is known from here on.
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
            },
        );
        // A list that was never checked says nothing of what needs attention.
        if leaving && self.tally.newest.is_some() {
            let wanting = rows().zip(&self.verdicts).filter(|(row, verdict)| needs_attention(row, verdict));
            memory::put_look(&mut memory, &Look::of(wanting.map(|(row, _)| &row.address)));
        }
        memory
    }
}
