//! The keys of the view of a pull request.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::intent::Intent;
use crate::desk::objects::{GateObject, SendingObject};
use crate::desk::sending::{Stage, Write};
use crate::desk::telling::{markdown, pull};
use crate::desk::{Desk, asking, form, objects};
use crate::jobs::data::{Job, JobId};
use crate::registry::Address;
use crate::rules::sending::WriteOrigin;
use crate::tui::base::layout::{Area, Class, below, first_visible};
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Availability, Command, Context, ViewPlace};
use crate::tui::views::pull::legend::LEGEND;
use crate::tui::views::pull::parts::Parts;
use crate::tui::views::pull::state::{Digits, GateSort, Pull, Shown};
use crate::tui::views::pull::{availability, ending, fields, view};
use crate::tui::views::{
    ActionContext, CopyText, FieldInput, FilterEdit, Jump, View, ViewContext, ViewRequest,
};
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::search::Search;
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::table;
use crate::tui::widgets::table::SortMenu;

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

    fn other(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        self.parts(desk, paint).facts
    }

    fn has_panes(&self, _desk: &Desk, _paint: &Paint<'_>) -> bool {
        false
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

    fn hint(&self, context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
        match command {
            Command::OtherPane if self.folds(context.desk) => Some("all gates"),
            Command::Do(Ability::ShowGate) if self.is_on_folded(context.desk) => Some("all gates"),
            _ => availability::hint(context, command, word),
        }
    }

    fn copy_text(&self, context: &ViewContext<'_>, command: Command) -> Option<CopyText> {
        let prepared = context.desk.pull.prepared.as_deref()?;
        Some(CopyText::new(
            "what was made ready".to_owned(),
            command,
            || markdown::sending(context.desk).unwrap_or_default(),
            |out| {
                for gate in GateObject::all(prepared) {
                    objects::write(out, "gate", &gate)?;
                }
                objects::write(out, "sending", &SendingObject::new(prepared, false))
            },
        ))
    }

    fn command_line(&self, desk: &Desk) -> Option<String> {
        Some(asking::command_line(&desk.pull.purpose))
    }

    fn field(&self) -> Option<Context> {
        let digits = self.digits.as_ref().map(|_| Context::Digits);
        digits.or_else(|| self.filter.typing.then_some(Context::Filter))
    }

    fn filter(&self) -> Option<&Search> {
        Some(&self.filter)
    }

    fn sort_menu(&self, _desk: &Desk) -> SortMenu {
        let command = |sort: GateSort| (sort == GateSort::Worst).then_some(Command::SortStatus);
        SortMenu::of(&GateSort::ALL.map(|sort| (sort, sort.label(), command(sort))), self.order.sort)
    }

    fn sort_by(&mut self, context: &mut ActionContext<'_>, line: usize) {
        let Some(sort) = GateSort::ALL.get(line) else { return };
        self.unfold(&Shown::of(context.desk));
        self.order.sort.choose(*sort);
        context.reply(format!("sorted by: {}", self.order.sort.label(sort.label())));
        self.rearrange(context);
    }

    fn edit_field(&mut self, context: &mut ActionContext<'_>, input: FieldInput<'_>) -> bool {
        if self.digits.is_none() {
            match input.type_into(&mut self.filter) {
                FilterEdit::Changed => self.rearrange(context),
                FilterEdit::Moved(by) => self.at = self.at.saturating_add_signed(by),
                FilterEdit::Nothing => {}
            }
            self.settle(context.desk, &context.paint);
            return true;
        }
        match (input, &mut self.digits) {
            (FieldInput::Command(command), _) => self.act_on_digits(context, command),
            (FieldInput::Key(chord), Some(_)) if chord.typed().is_some() && !fields::is_digit(chord) => {
                let key = context.paint.bindings.first(Context::Digits, Command::Close);
                context.reply(format!("{chord} is none of the digits; {key} leaves their field"));
            }
            (FieldInput::Key(chord), Some(digits)) => {
                digits.field.take(chord);
            }
            (FieldInput::Paste(text), Some(digits)) => digits.field.paste(text),
            (_, None) => {}
        }
        true
    }

    fn stray_key(&self, paint: &Paint<'_>, chord: Chord) -> Option<String> {
        let key = paint.key(Ability::TypeDigits);
        fields::is_digit(chord)
            .then(|| format!("{chord} does nothing here: {key} opens the field for the digits"))
    }

    /// A verdict belongs to Reviews and a run to Jobs, as a pull request of the plan belongs to Changes.
    fn header_place(&self, desk: &Desk) -> Option<ViewPlace> {
        Some(ViewPlace::of_sending(&desk.pull.purpose))
    }

    fn rest_text(&self, context: &ViewContext<'_>) -> Option<String> {
        if self.digits.is_some() {
            return Some(pull::TYPING.to_owned());
        }
        let desk = context.desk;
        let is_ready = matches!(desk.pull.stage(&desk.board), Stage::Ready(_));
        let parts = self.parts(desk, &context.paint);
        if !is_ready || view::refusal(desk, &context.paint, parts.confirm).is_some() {
            return None;
        }
        let message = pull::standing(desk).into_iter().next()?;
        Some(self.text_of(&context.paint, &message))
    }

    fn begins(&mut self, desk: &Desk, paint: &Paint<'_>, job: &mut Job) -> bool {
        if matches!(job, Job::Send(_)) {
            self.digits = None;
            self.settle(desk, paint);
        }
        matches!(job, Job::Prepare(_))
    }

    fn on(&mut self, context: &mut ActionContext<'_>, _id: JobId, changed: &Changed) {
        match changed {
            Changed::Prepared { .. } => self.show_first_failure(context.desk),
            Changed::Armed(Ok(())) => self.has_left = false,
            Changed::Sending => {}
            Changed::Ended(ended) => {
                let job = &ended.running.job;
                if !matches!(job, Job::Inquire | Job::Prepare(_) | Job::WriteOut(_) | Job::Send(_)) {
                    return;
                }
                ending::end(self, context, job, &ended.outcome);
            }
            _ => return,
        }
        self.settle(context.desk, &context.paint);
    }

    fn enter(&mut self, _context: &mut ActionContext<'_>, _back: Option<&Jump>) {
        self.has_left = false;
    }

    fn look(&mut self, context: &mut ActionContext<'_>) -> bool {
        if context.paint.size.class() == Class::Tiny {
            return false;
        }
        let is_new = context.desk.pull.mark_shown();
        let desk = &*context.desk;
        let waits_for_digits = self.digits.is_none()
            && !self.has_left
            && !self.filter.typing
            && Self::write(desk) == Some(Write::Open)
            && desk.may_confirm(Write::Open).is_ok();
        if waits_for_digits {
            self.type_digits(context);
        }
        is_new || waits_for_digits
    }

    fn subject<'a>(&'a self, _desk: &'a Desk) -> Option<&'a Address> {
        None
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        match command {
            Command::Do(Ability::TypeDigits) if context.desk.show_next() => (self.at, self.top) = (0, 0),
            Command::Do(Ability::TypeDigits) => self.type_digits(context),
            Command::Do(Ability::Recheck) => match Self::write(context.desk) {
                Some(Write::Resume) => self.type_digits(context),
                Some(Write::Undo) => context.desk.pull.leave_undo(),
                _ => context.request(ViewRequest::Act(Intent::prepare(context.desk.pull.purpose.clone()))),
            },
            Command::Do(Ability::Undo) => match context.desk.pull.stage(&context.desk.board) {
                Stage::Undo(_) if context.desk.pull.failure.is_none() => self.type_digits(context),
                _ => context.request(ViewRequest::Act(Intent::LookAtUndo)),
            },
            Command::Do(Ability::EditPull) => fields::edit(context),
            Command::Do(Ability::WriteOut) => {
                let form = form::file::form(context.desk);
                context.request(ViewRequest::Form(form));
            }
            // Gates that share a line unfold first, and fold again behind the requests.
            Command::OtherPane if self.folds(context.desk) => self.unfold(&Shown::of(context.desk)),
            Command::Do(Ability::ShowGate) if self.is_on_folded(context.desk) => {
                self.unfold(&Shown::of(context.desk));
            }
            Command::OtherPane => {
                (self.in_requests, self.is_unfolded) = (!self.in_requests, false);
                (self.at, self.top) = (0, 0);
            }
            Command::Filter | Command::Sort => {
                // They are about the gates, one by one.
                if self.lists_requests(&Shown::of(context.desk)) {
                    (self.in_requests, self.at) = (!self.in_requests, 0);
                }
                self.unfold(&Shown::of(context.desk));
                if command == Command::Filter {
                    self.filter.open();
                } else {
                    context.request(ViewRequest::OpenSortMenu);
                }
            }
            Command::Back if !self.filter.text().is_empty() => {
                self.filter = Search::default();
                self.rearrange(context);
            }
            Command::Back if availability::looks_at_undo(context.desk) => context.desk.pull.leave_undo(),
            Command::OtherDown => self.down += 1,
            Command::OtherUp => self.down = self.down.saturating_sub(1),
            Command::Do(Ability::ShowGate) => context.request(ViewRequest::Text(self.whole(context))),
            Command::Back => {
                // The list of Reviews stays as it is.
                let reads = context.desk.pull.purpose.kind().origin != WriteOrigin::Reviews;
                context.request(ViewRequest::ToWhole { reads });
            }
            command => {
                let page = usize::from(self.list(context.desk, &context.paint).height);
                let Some(by) = command.motion(page) else { return false };
                // The text below belongs to the row under the cursor.
                (self.at, self.down) = (self.at.saturating_add_signed(by), 0);
            }
        }
        self.settle(context.desk, &context.paint);
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        let heads = self.parts(context.desk, &context.paint).heads;
        let places = view::gate_places(&Shown::of(context.desk), heads.width);
        // The heads stand over the number and name, the state, and the evidence.
        if let Some(line @ (0 | 1)) = table::column_at(&places, heads, cell) {
            return self.sort_by(context, line);
        }
        if let Some(down) = below(self.list(context.desk, &context.paint), cell) {
            (self.at, self.down) = (self.top + down, 0);
            self.settle(context.desk, &context.paint);
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let shown = Shown::of(desk);
        if self.order.count() != shown.gates().len() {
            self.arrange(shown.gates());
        }
        let rows = self.rows(&shown);
        let page = usize::from(self.list(desk, paint).height);
        self.at = self.at.min(rows.saturating_sub(1));
        let facts = self.parts(desk, paint).facts;
        let lines = view::about(self, desk, paint, facts.width).len();
        self.down = self.down.min(lines.saturating_sub(usize::from(facts.height)));
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

    /// Returns true if the cursor is on the line that stands for all gates.
    fn is_on_folded(&self, desk: &Desk) -> bool {
        let shown = Shown::of(desk);
        !self.lists_requests(&shown) && self.folded(&shown).is_some()
    }

    /// Returns true if gates that pass share a line, all of them or those beside others.
    fn folds(&self, desk: &Desk) -> bool {
        let shown = Shown::of(desk);
        !self.lists_requests(&shown) && (self.folded(&shown).is_some() || self.passing(&shown) > 0)
    }

    fn rearrange(&mut self, context: &ActionContext<'_>) {
        self.arrange(Shown::of(context.desk).gates());
        self.settle(context.desk, &context.paint);
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
        match self.gates(&shown).get(self.at) {
            Some((number, gate)) => TextCard::new(
                pull::gate_title(*number, gate),
                pull::whole_gate(gate, |step| self.step_key(&context.paint, step)),
            ),
            None => TextCard::default(),
        }
    }
}
