//! Applies keys to a pane.

use crate::rules::amount::counted;
use crate::rules::diff::Lines;
use crate::tui::keymap::Command;
use crate::tui::widgets::diff::folds::{Layout, Seen};
use crate::tui::widgets::diff::pane::{Pane, Room};
use crate::tui::widgets::search::Typed;

const SIDEWAYS: usize = 8;
const CONTEXT_STEP: u32 = 3;
const MOST_CONTEXT: u32 = 60;

impl Pane {
    /// Returns true if the lines handle this command.
    pub(crate) fn takes(command: Command) -> bool {
        Self::moves(command)
            || matches!(
                command,
                Command::Fold
                    | Command::Open
                    | Command::OpenFolds
                    | Command::CloseFolds
                    | Command::MoreContext
                    | Command::LessContext
                    | Command::Layout
                    | Command::Left
                    | Command::Right
                    | Command::Wrap
                    | Command::Filter
            )
    }

    /// Returns true if the command moves the cursor to another line.
    pub(crate) fn moves(command: Command) -> bool {
        use Command::{NextHunk, NextWanting, PreviousHunk, PreviousWanting};
        command.motion(1).is_some()
            || matches!(command, NextHunk | PreviousHunk | NextWanting | PreviousWanting)
    }

    /// Runs a command, and returns its message, if any.
    pub(crate) fn act(&mut self, command: Command, room: Room) -> Option<String> {
        let half = (room.rows / 2).max(1) as isize;
        let mut reply = None;
        match command {
            Command::Down => self.step(1),
            Command::Up => self.step(-1),
            Command::Top => self.cursor = 0,
            Command::Bottom => self.cursor = usize::MAX,
            Command::HalfDown => self.step(half),
            Command::HalfUp => self.step(-half),
            Command::PageDown => self.step(room.rows as isize),
            Command::PageUp => self.step(-(room.rows as isize)),
            Command::Left => self.left = self.left.saturating_sub(SIDEWAYS),
            Command::Right if !self.wrap => self.left = (self.left + SIDEWAYS).min(4096),
            Command::Wrap => {
                self.wrap = !self.wrap;
                self.left = 0;
            }
            Command::NextHunk | Command::PreviousHunk => reply = self.go_to_hunk(command),
            Command::Fold | Command::Open | Command::OpenFolds | Command::CloseFolds => self.fold(command),
            Command::MoreContext | Command::LessContext => reply = self.change_context(command),
            Command::Layout => reply = self.change_layout(room),
            Command::Filter => self.search.open(),
            Command::NextWanting | Command::PreviousWanting => {
                reply = self.go_to_hit(command == Command::NextWanting);
            }
            _ => {}
        }
        self.settle(room);
        reply
    }

    /// Takes a change of the search field.
    pub(crate) fn typed(&mut self, typed: Typed, room: Room) -> Option<String> {
        let reply = match typed {
            Typed::Changed => {
                self.find();
                None
            }
            Typed::Kept if self.search.text().is_empty() => None,
            Typed::Kept => {
                self.find();
                self.go_to_hit(true)
            }
            Typed::Nothing => None,
        };
        self.settle(room);
        reply
    }

    fn step(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by);
    }

    fn fold(&mut self, command: Command) {
        let Some(lines) = self.shared() else { return };
        // In the structure a name leads to what it names.
        if let (Some(Seen::Head(block)), Command::Fold | Command::Open, None) =
            (self.folds.rows.get(self.cursor).copied(), command, &self.limit)
        {
            self.lay_open(&lines, block);
            self.cursor = self.folds.start_of(&lines, lines.blocks[block as usize].first);
            self.top = self.cursor.saturating_sub(3);
            self.bring_up();
            return;
        }
        if self.folds.layout == Layout::Structure {
            return;
        }
        self.cursor = match command {
            Command::Fold | Command::Open => self.folds.toggle(&lines, self.cursor),
            Command::OpenFolds => self.folds.set_all(&lines, false, self.cursor),
            _ => self.folds.set_all(&lines, true, self.cursor),
        };
        if !self.search.text().is_empty() {
            self.search.told = self.told(&lines);
        }
    }

    /// Moves to the next or previous change; a fold that hides a change stands for it.
    fn go_to_hunk(&mut self, command: Command) -> Option<String> {
        let lines = self.lines()?;
        let row_of = |first: &u32| self.folds.start_of(lines, *first);
        let found = if command == Command::NextHunk {
            self.folds.hunks.iter().map(row_of).find(|row| *row > self.cursor)
        } else {
            self.folds.hunks.iter().rev().map(row_of).find(|row| *row < self.cursor)
        };
        match found {
            Some(row) => {
                self.cursor = row;
                self.top = row.saturating_sub(3);
                self.bring_up();
                None
            }
            None => Some("no more changes in this direction".into()),
        }
    }

    fn change_context(&mut self, command: Command) -> Option<String> {
        let lines = self.shared()?;
        let context = if command == Command::MoreContext {
            (self.folds.context + CONTEXT_STEP).min(MOST_CONTEXT)
        } else {
            self.folds.context.saturating_sub(CONTEXT_STEP)
        };
        self.cursor = self.folds.set_context(&lines, context, self.cursor);
        Some(match context {
            0 => "unchanged lines around changes: as few as possible".into(),
            more => format!("{} shown beside what is folded", counted(more, "line")),
        })
    }

    fn change_layout(&mut self, room: Room) -> Option<String> {
        if let Some(limit) = &self.limit {
            return Some(limit.clone());
        }
        let mut reply = None;
        self.wanted = match self.wanted {
            Layout::Unified if room.holds_halves() => Layout::Side,
            Layout::Unified => {
                let needed = Room::HALVES;
                reply =
                    Some(format!("structure; side by side needs {needed} columns, this has {}", room.width));
                Layout::Structure
            }
            Layout::Side => Layout::Structure,
            Layout::Structure => Layout::Unified,
        };
        reply.or_else(|| Some(self.wanted.word().to_owned()))
    }

    /// Moves to the next hit; the folds around it open, so that every hit is seen.
    fn go_to_hit(&mut self, forward: bool) -> Option<String> {
        let lines = self.shared()?;
        let Some(hit) = self.search.next(self.hit_place(&lines, forward), forward) else {
            return Some(format!("`{}` is not found", self.search.text()));
        };
        self.visited = Some(hit);
        if self.limit.is_none() && !self.folds.shows(self.folds.row_of(&lines, hit), hit) {
            self.lay_open(&lines, lines.lines[hit as usize].block);
        }
        self.cursor = self.folds.row_of(&lines, hit);
        self.search.told = self.told(&lines);
        let number = self.search.hits.partition_point(|at| *at <= hit);
        let unseen = if self.limit.is_some() { "; its line is not shown" } else { "" };
        Some(format!("hit {number} of {}{unseen}", self.search.told))
    }

    /// The line from which the search goes on: the last hit while the cursor is on it. The lines inside a
    /// fold come after the row of the fold.
    fn hit_place(&self, lines: &Lines, forward: bool) -> u32 {
        if let Some(hit) = self.visited.filter(|hit| self.folds.row_of(lines, *hit) == self.cursor) {
            return hit;
        }
        let first = self.folds.line_of(lines, self.cursor);
        match self.folds.rows.get(self.cursor) {
            Some(Seen::Fold(_) | Seen::Head(_) | Seen::Summary(..)) if forward => first.saturating_sub(1),
            _ => first,
        }
    }

    /// Unfolds the lines of a block. The structure changes to the lines of the file.
    fn lay_open(&mut self, lines: &Lines, block: u32) {
        if self.folds.layout == Layout::Structure {
            self.wanted = Layout::Unified;
            self.folds.layout = Layout::Unified;
        }
        self.folds.reveal(lines, block);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::tui::base::layout::{Area, Size};
    use crate::tui::tests::world::diff_lines;
    use crate::tui::widgets::field::Field;

    #[test]
    fn each_hit_is_visited_and_seen_whatever_was_folded() {
        let lines = Arc::new(diff_lines(3, 40));
        let size = Size::new(200, 40);
        let room = Room::of(size, Area { x: 0, y: 0, width: 200, height: 40 });
        for layout in [Layout::Unified, Layout::Side, Layout::Structure] {
            for forward in [true, false] {
                let mut pane = Pane::default();
                pane.fill(Arc::clone(&lines), Vec::new());
                pane.wanted = layout;
                pane.settle(room);
                pane.search.field = Field::of("shasum");
                pane.find();
                let hits = pane.search.hits.clone();
                let is_shown = |hit: &u32| pane.folds.shows(pane.folds.row_of(&lines, *hit), *hit);
                assert!(!hits.iter().all(is_shown), "nothing is folded");
                pane.act(if forward { Command::Top } else { Command::Bottom }, room);
                let mut visited: Vec<u32> = Vec::new();
                for number in 1..=hits.len() {
                    let next = if forward { Command::NextWanting } else { Command::PreviousWanting };
                    let said = pane.act(next, room).expect("where it is");
                    let at = if forward { number } else { hits.len() + 1 - number };
                    assert!(said.starts_with(&format!("hit {at} of {} found", hits.len())), "{said}");
                    visited.extend(hits.iter().filter(|hit| pane.folds.shows(pane.cursor, **hit)));
                }
                if !forward {
                    visited.reverse();
                }
                assert_eq!(visited, hits, "{layout:?}");
            }
        }
    }
}
