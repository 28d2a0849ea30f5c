//! A card of the stranded board.

use serde::Serialize;

use crate::rules::stranded::{Act, Card};

/// Type `stranded`.
#[derive(Serialize)]
pub(crate) struct CardObject<'a> {
    #[serde(flatten)]
    card: &'a Card,
    /// Not there at the last visit, in this column.
    new: bool,
    commands: Vec<WayObject>,
}

#[derive(Serialize)]
struct WayObject {
    way: Act,
    command: String,
}

impl<'a> CardObject<'a> {
    pub(crate) fn new(card: &'a Card, is_new: bool) -> Self {
        let commands = card.ways.iter().map(|way| WayObject { way: *way, command: card.command(*way) });
        Self { card, new: is_new, commands: commands.collect() }
    }
}
