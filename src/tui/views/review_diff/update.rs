//! The keys of the lines of a pull request.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::intent::Intent;
use crate::desk::telling::review;
use crate::desk::{Desk, form};
use crate::jobs::data::JobId;
use crate::registry::Address;
use crate::rules::sending::VerdictPlan;
use crate::tui::base::layout::{Area, below};
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::review_diff::{ReviewDiff, view};
use crate::tui::views::{ActionContext, View, ViewContext, ViewRequest};
use crate::tui::widgets::diff::{Pane, Room, ValueCard};
use crate::tui::widgets::legend::{CHANGES, Legend};
use crate::tui::widgets::search::{Search, Typed};
use crate::tui::widgets::strip::Paint;

impl ReviewDiff {
    fn room(paint: &Paint<'_>) -> Room {
        Room::of(paint.size, view::parts(paint.size).lines)
    }

    fn verdict(&self, desk: &Desk) -> VerdictPlan {
        VerdictPlan::new(self.number, desk.reviews.was_hashed(self.number))
    }
}

impl View for ReviewDiff {
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(self, desk, paint, buffer)
    }

    fn legend(&self) -> Legend {
        CHANGES
    }

    fn list(&self, _desk: &Desk, paint: &Paint<'_>) -> Area {
        view::parts(paint.size).lines
    }

    fn has_rows(&self, _desk: &Desk) -> bool {
        self.pane.has_lines()
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        match command {
            Command::NextFile | Command::PreviousFile if self.files().len() < 2 => {
                refuse("there is no other file in it")
            }
            Command::OtherPane | Command::NextFile | Command::PreviousFile => Ok(()),
            Command::Do(Ability::Judge) => self.may(context, &Intent::prepare(self.verdict(context.desk))),
            _ => self.common_availability(context, command),
        }
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        refuse(self.why_empty_text(context.desk))
    }

    fn check_subject(&self, context: &ViewContext<'_>) -> Availability {
        if self.files().is_empty() { self.why_empty(context) } else { Ok(()) }
    }

    fn hint(&self, _context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
        let is_single = matches!(command, Command::NextFile) && self.files().len() < 2;
        (!is_single).then_some(if command == Command::OtherPane {
            review::side(self.against.other())
        } else {
            word
        })
    }

    fn command_line(&self, _desk: &Desk) -> Option<String> {
        Some(review::command_line(self.number, self.against))
    }

    fn on(&mut self, context: &mut ActionContext<'_>, _id: JobId, changed: &Changed) {
        if matches!(changed, Changed::Reviews | Changed::Reviewed(_)) {
            self.renew(context.desk);
            self.settle(context.desk, &context.paint);
        }
    }

    fn subject<'a>(&'a self, _desk: &'a Desk) -> Option<&'a Address> {
        None
    }

    fn search(&self) -> Option<&Search> {
        Some(&self.pane.search)
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        match command {
            Command::Do(Ability::Judge) => {
                let form = form::verdict::form(context.desk, &self.verdict(context.desk));
                context.request(ViewRequest::Form(form));
            }
            Command::OtherPane => {
                self.against = self.against.other();
                self.fill();
            }
            Command::NextFile | Command::PreviousFile => {
                let by = if command == Command::NextFile { 1 } else { -1 };
                let to = self.at.saturating_add_signed(by).min(self.files().len().saturating_sub(1));
                if to != self.at {
                    self.at = to;
                    self.fill();
                }
            }
            Command::Back => context.request(ViewRequest::ToWhole { reads: false }),
            // Enter looks closer: at the value, or into the fold.
            Command::Open if let Some(card) = ValueCard::of(&self.pane) => {
                context.request(ViewRequest::Value(card));
            }
            _ if !Pane::takes(command) => return false,
            _ => {
                if let Some(reply) = self.pane.act(command, Self::room(&context.paint)) {
                    context.reply(reply);
                }
            }
        }
        self.settle(context.desk, &context.paint);
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        if let Some(down) = below(self.list(context.desk, &context.paint), cell) {
            self.pane.point_at(down, Self::room(&context.paint));
        }
    }

    fn settle(&mut self, _desk: &Desk, paint: &Paint<'_>) {
        self.pane.settle(Self::room(paint));
    }

    fn edit_search(&mut self, context: &mut ActionContext<'_>, change: &mut dyn FnMut(&mut Search) -> Typed) {
        let typed = change(&mut self.pane.search);
        if let Some(reply) = self.pane.typed(typed, Self::room(&context.paint)) {
            context.reply(reply);
        }
    }
}
