//! The keys of the view of one entry.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::intent::{Intent, Stored};
use crate::desk::telling::Message;
use crate::jobs::data::{Job, JobId, Outcome};
use crate::registry::Address;
use crate::tui::base::layout::{Area, below, first_visible};
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::entry::legend::LEGEND;
use crate::tui::views::entry::state::EntryScreen;
use crate::tui::views::entry::view;
use crate::tui::views::{ActionContext, View, ViewContext, ViewRequest};
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::strip::Paint;

impl View for EntryScreen {
    fn draw(&self, _desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(paint, self, buffer)
    }

    fn legend(&self) -> Legend {
        LEGEND
    }

    fn list(&self, _desk: &Desk, paint: &Paint<'_>) -> Area {
        view::parts(paint, self).list
    }

    fn other(&self, _desk: &Desk, paint: &Paint<'_>) -> Area {
        view::parts(paint, self).story
    }

    fn has_rows(&self, _desk: &Desk) -> bool {
        !self.rows.is_empty()
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        if command == Command::Do(Ability::Verify) && self.rows.get(self.cursor).is_none() {
            return self.check_rows(context);
        }
        self.common_availability(context, command)
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        if context.desk.board.opening().is_some() {
            return refuse("the entry is still being read");
        }
        refuse("the entry has no versions to move over")
    }

    fn version<'a>(&'a self, _desk: &'a Desk) -> Option<&'a str> {
        self.rows.get(self.cursor).map(|row| &*row.version)
    }

    /// A verification is about the version under the cursor.
    fn intent(&self, desk: &Desk, ability: Ability) -> Option<Result<Intent, Message>> {
        if ability != Ability::Verify {
            return desk.intent_of(ability, &self.operands(desk));
        }
        let row = self.rows.get(self.cursor)?;
        let stored = Stored { is_indexed: row.indexed, targets: row.targets, hashed: row.hashed };
        Some(Ok(Intent::verify(self.address.clone(), Some(row.version.clone()), Some(stored))))
    }

    fn line_version<'a>(&'a self, _desk: &'a Desk) -> Option<&'a str> {
        self.rows.get(self.cursor).filter(|row| row.indexed).map(|row| &*row.version)
    }

    fn rest_text(&self, context: &ViewContext<'_>) -> Option<String> {
        Some(self.standing(&context.paint))
    }

    fn on(&mut self, context: &mut ActionContext<'_>, _id: JobId, changed: &Changed) {
        match changed {
            Changed::Verdicts { .. } => {
                if let Some(verdict) = context.desk.list.verdict_of(&self.address) {
                    self.judge(verdict);
                }
            }
            Changed::Opened(opened) if opened.address == self.address => self.fill(opened),
            Changed::Ended(ended) => {
                match (&ended.running.job, &ended.outcome) {
                    (Job::Open(plan), Outcome::Failed(failure)) if plan.address == self.address => {
                        self.failure = Some(failure.clone());
                    }
                    // After a survey the versions are read again.
                    (Job::Survey(_), _) if context.is_seen => {
                        context.request(ViewRequest::Act(Intent::look(self.address.clone())));
                    }
                    _ => {}
                }
                return;
            }
            _ => return,
        }
        self.settle(context.desk, &context.paint);
    }

    fn subject<'a>(&'a self, _desk: &'a Desk) -> Option<&'a Address> {
        Some(&self.address)
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        let page = usize::from(self.list(context.desk, &context.paint).height).max(1);
        if let Some(by) = command.motion(page) {
            self.cursor = self.cursor.saturating_add_signed(by);
            self.is_chosen = true;
            self.settle(context.desk, &context.paint);
            return true;
        }
        match command {
            Command::OtherDown => {
                self.story_scroll = (self.story_scroll + 1).min(view::most_scrolled(&context.paint, self));
            }
            Command::OtherUp => self.story_scroll = self.story_scroll.saturating_sub(1),
            _ => return false,
        }
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        let row = below(self.list(context.desk, &context.paint), cell).map(|down| self.top + down);
        if let Some(row) = row.filter(|row| *row < self.rows.len()) {
            self.cursor = row;
            self.is_chosen = true;
            self.settle(context.desk, &context.paint);
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
        let page = usize::from(self.list(desk, paint).height);
        self.top = first_visible(self.top, self.cursor, page, self.rows.len());
    }
}
