//! The state of Stranded: the cursor by its card, the marks by theirs, and the visible part of the card under the cursor.

use std::collections::BTreeSet;

use crate::desk::Desk;
use crate::registry::Address;
use crate::rules::stranded::{Board, Card, Cause, Column};

/// Marks that are looked for one by one: asked for each hint of a frame.
const FEW: usize = 64;

/// The address and the version of a card; they stay when the card changes.
pub(crate) type CardId = (Address, String);

/// The view's state.
#[derive(Debug, Default)]
pub(crate) struct Stranded {
    /// The card under the cursor; the first one until it was moved.
    at: Option<CardId>,
    /// The column of the cursor, where that has no card.
    column: Option<Column>,
    /// The place of the cursor in its column, for when its card goes.
    place: usize,
    pub(crate) marks: BTreeSet<CardId>,
    /// Rows of the columns that are scrolled away.
    pub(super) tops: [usize; Column::ALL.len()],
    /// The story of the one under the cursor has the whole screen.
    pub(crate) is_expanded: bool,
    /// Lines of it above the window.
    pub(crate) down: usize,
}

/// A row of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// The number of cards of this cause.
    Cause(Cause, usize),
    /// The card with this place in the column.
    Card(usize),
}

/// The columns that are shown: what is not known only where there is any.
pub(super) fn columns(board: &Board) -> Vec<Column> {
    let is_shown = |column: &Column| *column != Column::Unknown || !board.of_column(*column).is_empty();
    Column::ALL.into_iter().filter(is_shown).collect()
}

/// The rows of a column: what is broken stands below its cause.
pub(super) fn rows(board: &Board, column: Column) -> Vec<Row> {
    let cards = board.of_column(column);
    if column != Column::Broken {
        return (0..cards.len()).map(Row::Card).collect();
    }
    let mut rows = Vec::new();
    let mut place = 0;
    for group in cards.chunk_by(|a, b| a.cause == b.cause) {
        rows.push(Row::Cause(group[0].cause, group.len()));
        rows.extend((place..place + group.len()).map(Row::Card));
        place += group.len();
    }
    rows
}

fn id(card: &Card) -> CardId {
    (card.address.clone(), card.version.clone())
}

fn is(card: &Card, id: &CardId) -> bool {
    card.address == id.0 && card.version == id.1
}

impl Stranded {
    /// The column of the cursor, and the place in it.
    pub(super) fn cursor(&self, board: &Board) -> (Column, usize) {
        // Where it was put, unless the board has changed since.
        if let (Some(column), Some(at)) = (self.column, &self.at)
            && board.of_column(column).get(self.place).is_some_and(|card| is(card, at))
        {
            return (column, self.place);
        }
        let found = self.at.as_ref().and_then(|at| board.cards.iter().find(|card| is(card, at)));
        let first = || board.cards.first().map_or(Column::Retries, |card| card.column);
        let column = found.map(|card| card.column).or(self.column).unwrap_or_else(first);
        let cards = board.of_column(column);
        let place = self.at.as_ref().and_then(|at| cards.iter().position(|card| is(card, at)));
        (column, place.unwrap_or(self.place.min(cards.len().saturating_sub(1))))
    }

    /// The card under the cursor.
    pub(crate) fn selected<'a>(&self, desk: &'a Desk) -> Option<&'a Card> {
        let board = desk.stranded.board()?;
        let (column, place) = self.cursor(board);
        board.of_column(column).get(place)
    }

    /// The marked cards, else the one under the cursor.
    pub(crate) fn selected_cards<'a>(&self, desk: &'a Desk) -> Vec<&'a Card> {
        let Some(board) = desk.stranded.board() else { return Vec::new() };
        if self.marks.is_empty() {
            return self.selected(desk).into_iter().collect();
        }
        if self.marks.len() > FEW {
            return board.cards.iter().filter(|card| self.is_marked(card)).collect();
        }
        let mut places: Vec<usize> = (self.marks.iter())
            .filter_map(|mark| board.cards.iter().position(|card| is(card, mark)))
            .collect();
        places.sort_unstable();
        places.into_iter().map(|place| &board.cards[place]).collect()
    }

    /// The entries of those, each once.
    pub(crate) fn addresses(&self, desk: &Desk) -> Vec<Address> {
        let mut addresses: Vec<Address> =
            self.selected_cards(desk).iter().map(|card| card.address.clone()).collect();
        addresses.sort();
        addresses.dedup();
        addresses
    }

    pub(super) fn is_marked(&self, card: &Card) -> bool {
        !self.marks.is_empty() && self.marks.contains(&id(card))
    }

    /// Puts the cursor on a place of a column.
    pub(super) fn put(&mut self, board: &Board, column: Column, place: usize) {
        let cards = board.of_column(column);
        let place = place.min(cards.len().saturating_sub(1));
        let at = cards.get(place).map(id);
        if at != self.at {
            self.down = 0;
        }
        (self.at, self.column, self.place) = (at, Some(column), place);
    }

    /// Marks a card, or takes its mark away.
    pub(super) fn mark(&mut self, card: &Card) {
        let id = id(card);
        if !self.marks.remove(&id) {
            self.marks.insert(id);
        }
    }

    pub(super) fn mark_all(&mut self, cards: &[Card]) {
        self.marks.extend(cards.iter().map(id));
    }

    /// Forgets marks of cards that are gone.
    pub(crate) fn hold(&mut self, board: &Board) {
        if !self.marks.is_empty() {
            let there: BTreeSet<CardId> = board.cards.iter().map(id).collect();
            self.marks.retain(|mark| there.contains(mark));
        }
    }
}
