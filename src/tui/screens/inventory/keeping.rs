//! What the Inventory keeps between runs: puts it into the memory, and takes it from there at the start. Nothing is kept
//! before the memory was read, so that an early end forgets nothing.

use std::collections::BTreeSet;

use crate::registry::Address;
use crate::rules::memory;
use crate::rules::memory::ListState;
use crate::rules::memory::Look;
use crate::rules::memory::Memory;
use crate::rules::order::needs_attention;
use crate::tui::screens::inventory::state::Inventory;

/// How far the memory and the list agree.
#[derive(Clone, Debug, Default)]
pub(super) struct Keeping {
    /// The memory as it was read or last kept; `None` until it was read.
    kept: Option<Memory>,
    /// Something changed that is to be kept.
    changed: bool,
    /// Marks that wait for the registry to be read.
    waiting: Option<BTreeSet<Address>>,
}

impl Keeping {
    pub(super) fn touch(&mut self) {
        self.changed = true;
    }
}

impl Inventory {
    /// Whether something waits to be kept.
    pub fn is_to_keep(&self) -> bool {
        self.keeping.changed && self.keeping.kept.is_some()
    }

    /// Takes what earlier runs kept. What was typed or marked meanwhile stays.
    pub(crate) fn recall(&mut self, memory: Memory, page: usize) {
        let list = memory::list(&memory);
        self.views = memory::views(&memory);
        self.filter.history = memory::history(&memory);
        self.look = memory::look(&memory);
        self.keeping.waiting = Some(memory::marks(&memory));
        self.keeping.kept = Some(memory);
        (self.sort, self.group, self.folded) = (list.sort, list.group, list.folded);
        self.preview = !list.no_preview;
        if !self.catalog.rows.is_empty() {
            self.find_news();
            self.arrange(page);
            self.recall_when_loaded(page);
        }
    }

    /// Marks what earlier runs marked, now that the rows are there.
    pub(super) fn recall_when_loaded(&mut self, page: usize) {
        let Some(marks) = self.keeping.waiting.take() else { return };
        self.mark_all(&marks);
        if self.filter.terms.asks_for_marks() {
            self.select_shown(page);
        }
    }

    /// What is to be kept that is not yet. `leaving`: this look is over, so what needs attention now is known from here on.
    pub(crate) fn take_unkept(&mut self, leaving: bool) -> Memory {
        self.keeping.changed = false;
        // Marks that still wait for their rows would be lost.
        if self.keeping.waiting.is_some() {
            return Memory::new();
        }
        let memory = self.memory(leaving);
        let Some(kept) = &mut self.keeping.kept else { return Memory::new() };
        let news: Memory = memory.into_iter().filter(|(name, text)| kept.get(name) != Some(text)).collect();
        kept.extend(news.clone());
        news
    }

    fn memory(&self, leaving: bool) -> Memory {
        let mut memory = Memory::new();
        memory::put_views(&mut memory, &self.views);
        memory::put_history(&mut memory, &self.filter.history);
        let rows = || self.catalog.rows.iter();
        let marked = rows().zip(&self.marks).filter(|(_, marked)| **marked);
        memory::put_marks(&mut memory, marked.map(|(row, _)| &row.address));
        memory::put_list(
            &mut memory,
            &ListState {
                sort: self.sort,
                group: self.group,
                folded: self.folded.clone(),
                no_preview: !self.preview,
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
