//! The rows that want looking at: which is the next one, and how many are new since the last look.

use crate::desk::list::List;
use crate::tui::views::inventory::lines::Line;
use crate::tui::views::inventory::state::Inventory;

/// Where the cursor went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Which of how many, from 1.
    pub(super) number: usize,
    pub(super) of: usize,
    /// They are new since the last look; otherwise they need attention.
    pub(super) new: bool,
}

impl Inventory {
    /// Goes to the next line (or the one before) that is new, or, if none of those shown is, that needs attention. Goes
    /// round at the end. `None` if there is no such line.
    pub(super) fn go_to_wanting(&mut self, list: &List, forward: bool, page: usize) -> Option<Found> {
        let is_new = |at: usize| list.news.get(at).is_some_and(|new| *new);
        let new = self.lines.rows().any(|at| is_new(at as usize));
        let heads = &self.lines.heads;
        let wants = |line: &Line| match *line {
            // A folded group stands for its rows.
            Line::Head(head) => !new && heads[head as usize].folded && heads[head as usize].wanting > 0,
            Line::Row(at) if new => is_new(at as usize),
            Line::Row(at) => list.wants(at),
        };
        let lines = self.lines.list.iter().enumerate();
        let places: Vec<usize> = lines.filter(|(_, line)| wants(line)).map(|(place, _)| place).collect();
        let number = if forward {
            let after = places.partition_point(|place| *place <= self.cursor);
            if after < places.len() { after } else { 0 }
        } else {
            let before = places.partition_point(|place| *place < self.cursor);
            before.checked_sub(1).unwrap_or(places.len().saturating_sub(1))
        };
        let place = *places.get(number)?;
        self.go(place, page);
        Some(Found { number: number + 1, of: places.len(), new })
    }
}
