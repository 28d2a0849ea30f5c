//! The keys of the diff.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::telling::planned;
use crate::jobs::data::{Job, JobId, Outcome};
use crate::registry::Address;
use crate::rules::diff::Lines;
use crate::rules::plain_text::shell_word;
use crate::tui::base::layout::{Area, below};
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::diff::state::DiffScreen;
use crate::tui::views::diff::view;
use crate::tui::views::{ActionContext, View, ViewContext, ViewRequest};
use crate::tui::widgets::diff::{Pane, Room, ValueCard};
use crate::tui::widgets::legend::{CHANGES, Legend};
use crate::tui::widgets::search::{Search, Typed};
use crate::tui::widgets::strip::Paint;

impl DiffScreen {
    fn room(&self, paint: &Paint<'_>) -> Room {
        Room::of(paint.size, view::parts(paint, self).lines)
    }
}

impl View for DiffScreen {
    fn draw(&self, _desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(paint, self, buffer)
    }

    fn legend(&self) -> Legend {
        CHANGES
    }

    fn list(&self, _desk: &Desk, paint: &Paint<'_>) -> Area {
        view::parts(paint, self).lines
    }

    fn has_rows(&self, _desk: &Desk) -> bool {
        self.has_lines()
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        if context.desk.board.opening().is_some() {
            return refuse("the rebuild is still being built");
        }
        refuse("there is nothing to show: the rebuild changes nothing, or it failed")
    }

    /// A rebuild that cannot be made cannot be planned either.
    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        if command == Command::Do(Ability::Add)
            && let Some(why) = self.proposal().and_then(planned::blocked)
        {
            return refuse(why);
        }
        self.common_availability(context, command)
    }

    fn command_line(&self, _desk: &Desk) -> Option<String> {
        Some(format!("bumpdesk diff {}", shell_word(&self.address.to_string())))
    }

    fn path_to_copy(&self, _desk: &Desk) -> Option<String> {
        Some(self.path()).filter(|path| !path.is_empty()).or_else(|| Some(self.address.path()))
    }

    fn patch(&self, _desk: &Desk) -> Option<(Address, Arc<Lines>)> {
        let opened = self.opened.as_ref()?;
        Some((opened.address.clone(), Arc::clone(opened.lines.as_ref()?)))
    }

    fn rest_text(&self, context: &ViewContext<'_>) -> Option<String> {
        Some(self.standing(&context.paint).to_owned())
    }

    fn on(&mut self, context: &mut ActionContext<'_>, _id: JobId, changed: &Changed) {
        match changed {
            Changed::Opened(opened) => {
                if opened.address == self.address {
                    self.fill(Arc::clone(opened), context.paint.now);
                }
                self.settle(context.desk, &context.paint);
            }
            Changed::Ended(ended) => {
                if let (Job::Open(plan), Outcome::Failed(failure)) = (&ended.running.job, &ended.outcome)
                    && plan.address == self.address
                {
                    self.failure = Some(failure.clone());
                }
            }
            _ => {}
        }
    }

    fn subject<'a>(&'a self, _desk: &'a Desk) -> Option<&'a Address> {
        Some(&self.address)
    }

    fn search(&self) -> Option<&Search> {
        Some(&self.pane.search)
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        match command {
            Command::OtherDown => self.findings_scroll = (self.findings_scroll + 1).min(500),
            Command::OtherUp => self.findings_scroll = self.findings_scroll.saturating_sub(1),
            // Enter looks closer: at the value, or into the fold.
            Command::Open if let Some(card) = ValueCard::of(&self.pane) => {
                context.request(ViewRequest::Value(card));
            }
            _ if !Pane::takes(command) => return false,
            _ => {
                let room = self.room(&context.paint);
                if let Some(reply) = self.pane.act(command, room) {
                    context.reply(reply);
                }
            }
        }
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        let room = self.room(&context.paint);
        if let Some(down) = below(self.list(context.desk, &context.paint), cell) {
            self.pane.point_at(down, room);
        }
    }

    fn settle(&mut self, _desk: &Desk, paint: &Paint<'_>) {
        let room = self.room(paint);
        self.pane.settle(room);
    }

    fn edit_search(&mut self, context: &mut ActionContext<'_>, change: &mut dyn FnMut(&mut Search) -> Typed) {
        let room = self.room(&context.paint);
        let typed = change(&mut self.pane.search);
        if let Some(reply) = self.pane.typed(typed, room) {
            context.reply(reply);
        }
    }
}
