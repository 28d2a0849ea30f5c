//! The menu of `s`: the orders of a table.
//!
//! ```text
//! +- Sort -----------------------------------------+
//! | > s sort: worst first  current; again reverses |
//! |   n sort: last updated                         |
//! +------------------------------------------------+
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::table::TableSort;
use crate::tui::base::layout::Area;
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::{Command, Context};
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground};

/// The note of the present order, which is reversed when it is chosen again.
pub(crate) const AGAIN: &str = "current; again reverses";
/// The note of another choice that holds.
pub(crate) const CURRENT: &str = "current";

/// The lines of the menu. A view makes them when the menu is open, and does what was chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortMenu {
    pub(crate) title: &'static str,
    pub(crate) choices: Vec<SortChoice>,
}

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct SortChoice {
    pub(crate) text: String,
    /// The words at the right end of the present order; empty for others.
    pub(crate) note: &'static str,
    /// The command whose key chooses it.
    pub(crate) command: Option<Command>,
}

/// The effect of a command on the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuReply {
    /// The cursor stands on this line.
    At(usize),
    Chosen(usize),
    Closed,
}

impl SortMenu {
    /// The orders of a table: each with its name, and the command whose key chooses it.
    pub(crate) fn of<S: Copy + PartialEq>(
        orders: &[(S, &'static str, Option<Command>)],
        sort: TableSort<S>,
    ) -> Self {
        let choice = |(by, name, command): &(S, &str, Option<Command>)| SortChoice {
            text: format!("sort: {name}"),
            note: match (*by == sort.by, sort.is_reversed) {
                (true, false) => AGAIN,
                (true, true) => "current, reversed",
                _ => "",
            },
            command: *command,
        };
        Self { title: "Sort", choices: orders.iter().map(choice).collect() }
    }

    /// The line of the present order, where the menu opens.
    pub(crate) fn current(&self) -> usize {
        self.choices.iter().position(|choice| !choice.note.is_empty()).unwrap_or(0)
    }

    pub(crate) fn act(&self, at: usize, command: Command) -> MenuReply {
        match command {
            Command::NextLine => MenuReply::At((at + 1).min(self.choices.len().saturating_sub(1))),
            Command::PreviousLine => MenuReply::At(at.saturating_sub(1)),
            Command::Accept => MenuReply::Chosen(at),
            Command::Close => MenuReply::Closed,
            command => {
                let chosen = self.choices.iter().position(|choice| choice.command == Some(command));
                chosen.map_or(MenuReply::At(at), MenuReply::Chosen)
            }
        }
    }

    /// Draws the menu, and returns the cell of its cursor.
    pub(crate) fn view(&self, paint: &Paint<'_>, at: usize, buffer: &mut Buffer) -> Position {
        let area = layout::popup(paint.size, 52, self.choices.len() as u16 + 2);
        let inner = popup::inside(area);
        // A low window shows the lines around the cursor.
        let from = layout::first_visible(0, at, usize::from(inner.height), self.choices.len());
        let seen = self.choices.iter().enumerate().skip(from).take(usize::from(inner.height));
        let keys = self.choices.iter().map(|choice| text::width(&key(paint, choice))).max().unwrap_or(0);
        let lines: Vec<Line<'_>> =
            seen.map(|(place, choice)| line(paint, (choice, keys), place == at, inner.width)).collect();
        let hidden = self.choices.len() > usize::from(inner.height);
        let part = if hidden { format!(", {} of {}", at + 1, self.choices.len()) } else { String::new() };
        popup::view(paint, area, &format!("{}{part}", self.title), &lines, buffer);
        let y = inner.y + (at - from) as u16;
        ground(buffer, Area { y, height: 1, ..inner }.intersection(inner), paint.style(Role::Cursor));
        Position::new(inner.x, y)
    }
}

fn key(paint: &Paint<'_>, choice: &SortChoice) -> String {
    choice.command.map(|command| paint.bindings.first(Context::Sort, command)).unwrap_or_default()
}

/// One choice, whose key has a column of so many cells: a choice without a key is aligned with the others.
fn line(paint: &Paint<'_>, (choice, keys): (&SortChoice, usize), is_here: bool, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if is_here { paint.glyphs.cursor() } else { "" }, 2, Cut::End);
    if keys > 0 {
        strip.cell(Role::Key, &key(paint, choice), keys, Cut::End).gap(1);
    }
    strip.put(Role::Text, &choice.text);
    strip.right(Role::Dim, choice.note).line()
}
