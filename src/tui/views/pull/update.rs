//! What keys do to the screen of a pull request.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::Desk;
use crate::desk::intent::Intent;
use crate::desk::sending::{Stage, Write};
use crate::desk::telling::{Way, pull};
use crate::registry::Address;
use crate::tui::base::layout::{Area, below, first_visible};
use crate::tui::keymap::{Availability, Command, next_step};
use crate::tui::views::pull::legend::LEGEND;
use crate::tui::views::pull::parts::Parts;
use crate::tui::views::pull::state::{Digits, Pull, Shown};
use crate::tui::views::pull::{availability, view};
use crate::tui::views::{ActionContext, View, ViewContext, ViewRequest};
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::strip::Paint;

impl View for Pull {
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(self, desk, paint, buffer)
    }

    fn legend(&self) -> Legend {
        LEGEND
    }

    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        self.parts(desk, paint).list
    }

    fn has_rows(&self, desk: &Desk) -> bool {
        self.rows(&Shown::of(desk)) > 0
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        availability::check(self, context, command)
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        availability::standing(self, context)
    }

    fn step_key(&self, paint: &Paint<'_>, way: &Way) -> Option<String> {
        match way {
            Way::Resume | Way::Undo | Way::Recheck | Way::AskFor => paint.step_key(way),
            Way::ShowPull => None,
            Way::NextPull => Some(paint.key(Command::Publish)),
            // Here a number key may be one of the confirmation digits.
            Way::ShowJobs => Some(paint.key(Command::Back)),
            way => next_step::key(paint.bindings, paint.view, way),
        }
    }

    fn subject<'a>(&'a self, _desk: &'a Desk) -> Option<&'a Address> {
        None
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        match command {
            Command::Publish if context.desk.show_next() => (self.at, self.top) = (0, 0),
            Command::Publish => self.type_digits(context),
            Command::SurveyThis => match Self::write(context.desk) {
                Some(Write::Resume) => self.type_digits(context),
                Some(Write::Undo) => context.desk.pull.leave_undo(),
                _ => context.request(ViewRequest::Act(Intent::prepare(context.desk.pull.asked.clone()))),
            },
            Command::TakeBack => match context.desk.pull.stage(&context.desk.board) {
                Stage::Undo(_) if context.desk.pull.failure.is_none() => self.type_digits(context),
                _ => context.request(ViewRequest::Act(Intent::LookAtUndo)),
            },
            Command::Edit => context.request(ViewRequest::AskFor),
            Command::WriteOut => context.request(ViewRequest::NameFile),
            Command::OtherPane => {
                self.in_requests = !self.in_requests;
                (self.at, self.top) = (0, 0);
            }
            Command::Open => context.request(ViewRequest::Text(self.whole(context))),
            Command::Back => context.request(ViewRequest::ToPlan),
            command => {
                let page = usize::from(self.list(context.desk, &context.paint).height);
                let Some(by) = command.motion(page) else { return false };
                self.at = self.at.saturating_add_signed(by);
            }
        }
        self.settle(context.desk, &context.paint);
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        if let Some(down) = below(self.list(context.desk, &context.paint), cell) {
            self.at = self.top + down;
            self.settle(context.desk, &context.paint);
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let rows = self.rows(&Shown::of(desk));
        let page = usize::from(self.list(desk, paint).height);
        self.at = self.at.min(rows.saturating_sub(1));
        self.top = first_visible(self.top, self.at, page, rows);
        // What was typed was about what was shown.
        let write = Self::write(desk);
        self.digits.take_if(|digits| write != Some(digits.write) || desk.may_confirm(digits.write).is_err());
    }
}

impl Pull {
    pub(super) fn parts(&self, desk: &Desk, paint: &Paint<'_>) -> Parts {
        view::parts_of(self, desk, paint)
    }

    /// Opens the field for the digits of what is shown, if they would do something.
    fn type_digits(&mut self, context: &ActionContext<'_>) {
        self.digits = Self::write(context.desk).map(|write| Digits { write, field: Field::default() });
    }

    /// All of what is under the cursor.
    fn whole(&self, context: &ActionContext<'_>) -> TextCard {
        let shown = Shown::of(context.desk);
        if self.lists_requests(&shown) {
            let requests = shown.requests();
            let Some((request, _)) = requests.get(self.at) else { return TextCard::default() };
            let title = format!("Request {} of {}", self.at + 1, requests.len());
            return TextCard::new(title, pull::whole_request(request));
        }
        match shown.prepared.and_then(|prepared| prepared.gates.get(self.at)) {
            Some(gate) => TextCard::new(
                pull::gate_title(self.at + 1, gate),
                pull::whole_gate(gate, |way| context.paint.step_key(way)),
            ),
            None => TextCard::default(),
        }
    }
}
