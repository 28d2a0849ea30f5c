//! The next steps for a planned file, and their keys.

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::telling::pull;
use crate::rules::plan::{Answer, FileState, PlannedFile};
use crate::tui::keymap::Command;
use crate::tui::views::View;
use crate::tui::views::changes::parts::parts;
use crate::tui::views::changes::state::Changes;
use crate::tui::widgets::diff::Room;
use crate::tui::widgets::strip::Paint;

/// The place of the lines that were not looked at, relative to the window.
enum Left {
    /// The changes below the line of the file are shown one by one.
    InTree,
    /// The keys do not move the lines.
    Elsewhere,
    Below,
    /// The window is at the end: keys came faster than it could be read, or went over them at once.
    Passed,
}

impl Changes {
    /// The next step for a file, and its key. A file that is too large for this view has to be looked at elsewhere.
    pub(crate) fn next_step(&self, desk: &Desk, file: &PlannedFile, paint: &Paint<'_>) -> String {
        let approve = paint.key(Ability::Approve);
        let is_open = file.state == FileState::Open;
        let review = self.review.as_ref().filter(|review| review.address == file.address);
        let is_hidden = review.is_some_and(|review| review.pane.limit.is_some());
        if is_open && is_hidden && file.left_to_see() > 0 {
            return format!(
                "too large to be looked at here: `bumpdesk plan show {}` prints it",
                file.address
            );
        }
        if file.state == FileState::Approved {
            if let Some(message) = pull::of_plan(desk) {
                return self.text_of(paint, &message);
            }
            let key = paint.key(Ability::ShowPull);
            return format!("{key} makes the pull request of the plan ready; nothing is left to review");
        }
        if !is_open {
            return file.next_step();
        }
        if let Some(left) = file.left_words() {
            // The key comes first, and each sentence fits the one line of a small screen.
            let lead = match self.lines_left(paint) {
                Left::InTree => "shows the next change",
                Left::Elsewhere => {
                    return format!("{} goes to the lines; {}", self.key_to_see(paint), file.next_step());
                }
                Left::Below => "scrolls to the end",
                Left::Passed => "starts over",
            };
            return format!("{} {lead}; {left}", self.key_to_see(paint));
        }
        match self.at.piece.and_then(|at| file.pieces.get(at)) {
            Some(piece) if piece.mark.answer == Answer::Open && file.pieces.len() > 1 => {
                let name = piece.part.name();
                format!("seen; {approve} approves {name} alone")
            }
            Some(_) if file.pieces.len() > 1 => {
                format!("seen; {approve} on the line of the file approves it")
            }
            _ => format!("seen; {approve} approves it"),
        }
    }

    /// The keys that bring what was not looked at on the screen.
    pub(crate) fn key_to_see(&self, paint: &Paint<'_>) -> String {
        let keys = self.commands_to_see(paint).iter().map(|command| paint.key(*command));
        keys.collect::<Vec<_>>().join(", ")
    }

    fn commands_to_see(&self, paint: &Paint<'_>) -> &'static [Command] {
        match self.lines_left(paint) {
            Left::InTree => &[Command::Down],
            Left::Elsewhere => &[Command::OtherPane],
            Left::Below => &[Command::HalfDown],
            Left::Passed => &[Command::Top, Command::HalfDown],
        }
    }

    /// The commands whose keys [`Self::next_step`] names.
    pub(super) fn next_commands(&self, desk: &Desk, paint: &Paint<'_>) -> Vec<Command> {
        match self.file(&desk.planning) {
            Some(file) if file.state == FileState::Approved => vec![Ability::ShowPull.into()],
            Some(file) if file.state == FileState::Open && file.left_to_see() > 0 => {
                self.commands_to_see(paint).to_vec()
            }
            Some(file) if file.state == FileState::Open => vec![Ability::Approve.into()],
            _ => Vec::new(),
        }
    }

    fn lines_left(&self, paint: &Paint<'_>) -> Left {
        match &self.review {
            Some(review) if self.in_lines() => {
                // The lines that have the keys need no place for the tree.
                let room = Room::of(paint.size, parts(self, 0, paint.window()).lines);
                if review.pane.is_at_end(room) { Left::Passed } else { Left::Below }
            }
            // Without rows there is most room for the lines.
            Some(_) if self.at.piece.is_none() && !parts(self, 0, paint.window()).lines.is_empty() => {
                Left::InTree
            }
            _ => Left::Elsewhere,
        }
    }
}
