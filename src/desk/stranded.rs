//! The stranded board as it was read last, and which of its cards are new since the last visit.

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::Desk;
use crate::rules::memory::{Memory, SeenCards, put_seen_cards, seen_cards};
use crate::rules::stranded::{Board, Card};

#[derive(Debug, Default)]
pub(crate) struct Stranded {
    /// And when it was read; `None` before that.
    read: Option<(Arc<Board>, Timestamp)>,
    /// The cards of the last visit; `None` if there was none yet.
    seen: Option<SeenCards>,
    /// How many cards are new.
    pub(crate) new: usize,
    /// What this visit shows: seen at the next one.
    shown: Option<SeenCards>,
    /// Verdicts came since it was read.
    pub(crate) is_old: bool,
    /// Why it could not be read the last time.
    pub(crate) failure: Option<String>,
}

impl Stranded {
    pub(crate) fn take(&mut self, board: Arc<Board>, now: Timestamp) {
        (self.read, self.is_old, self.failure) = (Some((board, now)), false, None);
        self.count_new();
    }

    /// Takes what earlier runs kept of the last visit.
    pub(crate) fn recall(&mut self, memory: &Memory) {
        self.seen = seen_cards(memory);
        self.count_new();
    }

    /// Nobody read it yet, or what it follows from has changed.
    pub(crate) fn wants_reading(&self) -> bool {
        self.read.is_none() || self.is_old
    }

    pub(crate) fn board(&self) -> Option<&Board> {
        self.read.as_ref().map(|(board, _)| &**board)
    }

    /// Whether a card was not there at the last visit, in the column where it is now. At the first one nothing is new.
    pub(crate) fn is_new(&self, card: &Card) -> bool {
        self.seen.as_ref().is_some_and(|seen| !seen.has(card))
    }

    fn count_new(&mut self) {
        let cards = self.board().map(|board| board.cards.iter());
        self.new = cards.map_or(0, |cards| cards.filter(|card| self.is_new(card)).count());
    }

    /// What is kept of a visit that showed the board as it is.
    pub(crate) fn visited(&self) -> Memory {
        let mut memory = Memory::new();
        if let Some(board) = self.board() {
            put_seen_cards(&mut memory, &SeenCards::of(board.cards.iter()));
        }
        memory
    }
}

impl Desk {
    /// Somebody looks at the board: what the last visit showed is not new any more.
    pub(crate) fn begin_visit(&mut self) {
        if let Some(shown) = self.stranded.shown.take() {
            self.stranded.seen = Some(shown);
            self.stranded.count_new();
        }
        self.show_stranded();
    }

    /// The board is seen as it is: it is kept for the next visit.
    pub(crate) fn show_stranded(&mut self) {
        let Some(board) = self.stranded.board() else { return };
        self.stranded.shown = Some(SeenCards::of(board.cards.iter()));
        self.list.also_keep(self.stranded.visited());
    }
}
