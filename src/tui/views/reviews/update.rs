//! The keys of Reviews.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::intent::{Intent, Operands};
use crate::desk::reviews::{ReviewSort, Standing};
use crate::desk::telling::{markdown, review};
use crate::desk::{Desk, Registry, form, objects};
use crate::jobs::data::{JobId, ReviewPlan};
use crate::registry::Address;
use crate::rules::sending::VerdictPlan;
use crate::tui::base::layout::{Area, below, first_visible};
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::reviews::legend::LEGEND;
use crate::tui::views::reviews::parts::{Parts, parts};
use crate::tui::views::reviews::state::{Focus, Reviews};
use crate::tui::views::reviews::{availability, detail, view};
use crate::tui::views::{
    ActionContext, CopyText, FieldInput, FilterEdit, Jump, View, ViewContext, ViewRequest,
};
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::search::Search;
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::table;
use crate::tui::widgets::table::{SortMenu, TableWindow};

impl View for Reviews {
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(self, desk, paint, buffer)
    }

    fn legend(&self) -> Legend {
        LEGEND
    }

    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        let parts = self.parts(desk, paint);
        if self.focus == Focus::List { parts.list } else { parts.whole }
    }

    fn other(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        let parts = self.parts(desk, paint);
        if self.focus == Focus::List { parts.whole } else { parts.list }
    }

    fn has_rows(&self, desk: &Desk) -> bool {
        desk.reviews.rows().len() > 0
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        availability::check(self, context, command)
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        refuse(self.nothing(context.desk, &context.paint))
    }

    fn check_subject(&self, context: &ViewContext<'_>) -> Availability {
        if self.has_rows(context.desk) { Ok(()) } else { self.check_rows(context) }
    }

    fn operands<'a>(&'a self, desk: &'a Desk) -> Operands<'a> {
        Operands { number: self.selected(desk).map(|(pull, _)| pull.number), ..Operands::default() }
    }

    fn hint(&self, context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
        availability::hint(self, context.desk, command, word)
    }

    fn copy_text(&self, context: &ViewContext<'_>, command: Command) -> Option<CopyText> {
        let (pull, Standing::Reviewed(found) | Standing::Moved(found)) = self.selected(context.desk)? else {
            return None;
        };
        Some(CopyText::new(
            format!("the review of #{}", pull.number),
            command,
            || markdown::review(&found.review, pull),
            |out| objects::write(out, "review", &*found.review),
        ))
    }

    fn command_line(&self, desk: &Desk) -> Option<String> {
        let (pull, _) = self.selected(desk)?;
        let hashes = desk.reviews.was_hashed(pull.number);
        Some(ReviewPlan { number: pull.number, hashes }.command_line())
    }

    fn page_url(&self, desk: &Desk) -> Option<String> {
        self.selected(desk).map(|(pull, _)| pull.url.clone())
    }

    fn on(&mut self, context: &mut ActionContext<'_>, _id: JobId, changed: &Changed) {
        if matches!(changed, Changed::Reviews | Changed::Reviewed(_)) {
            self.settle(context.desk, &context.paint);
        }
    }

    fn subject<'a>(&'a self, _desk: &'a Desk) -> Option<&'a Address> {
        None
    }

    fn count(&self, desk: &Desk) -> usize {
        desk.reviews.order().count()
    }

    fn filter(&self) -> Option<&Search> {
        Some(&self.filter)
    }

    fn edit_field(&mut self, context: &mut ActionContext<'_>, input: FieldInput<'_>) -> bool {
        match input.type_into(&mut self.filter) {
            FilterEdit::Changed => context.desk.reviews.filter(self.filter.text()),
            FilterEdit::Moved(by) => self.step(context.desk, by),
            FilterEdit::Nothing => {}
        }
        self.settle(context.desk, &context.paint);
        true
    }

    fn sort_menu(&self, desk: &Desk) -> SortMenu {
        let command = |sort: ReviewSort| match sort {
            ReviewSort::Worst => Some(Command::SortStatus),
            ReviewSort::Updated => Some(Command::SortNewest),
            _ => None,
        };
        let orders = ReviewSort::ALL.map(|sort| (sort, sort.label(), command(sort)));
        SortMenu::of(&orders, desk.reviews.order().sort)
    }

    fn sort_by(&mut self, context: &mut ActionContext<'_>, line: usize) {
        if let Some(sort) = ReviewSort::ALL.get(line) {
            self.sort(context, *sort);
        }
    }

    fn enter(&mut self, context: &mut ActionContext<'_>, _back: Option<&Jump>) {
        let intent = Intent::ListReviews;
        // Without a token GitHub answers so few requests that a look would use them up: then a key asks for it.
        let is_cheap = matches!(&context.desk.registry, Registry::Loaded(header) if header.has_token);
        if is_cheap && context.desk.reviews.is_new() && context.desk.may(&intent).is_ok() {
            context.request(ViewRequest::Act(intent));
        }
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        match command {
            Command::Do(Ability::Judge) => {
                let Some((pull, _)) = self.selected(context.desk) else { return true };
                let plan = VerdictPlan::new(pull.number, context.desk.reviews.was_hashed(pull.number));
                let form = form::verdict::form(context.desk, &plan);
                context.request(ViewRequest::Form(form));
            }
            Command::Do(Ability::ReviewDiff) => {
                let Some((pull, _)) = self.selected(context.desk) else { return true };
                let number = pull.number;
                if !availability::has_lines(context.desk, number) {
                    let review = self.intent(context.desk, Ability::ReviewDiff).and_then(Result::ok);
                    context.requests.extend(review.map(ViewRequest::Act));
                }
                context.request(ViewRequest::ShowDifferences(number));
            }
            Command::Open | Command::OtherPane => {
                let to = if command == Command::Open { Focus::Whole } else { Focus::Detail };
                self.focus = if self.focus == Focus::List || to > self.focus { to } else { Focus::List };
                // What stands around one is read when somebody opens it, and not for a list of all.
                let is_read = matches!(self.selected(context.desk), Some((_, Standing::Reviewed(found))) if found.review.around.is_some());
                if self.focus != Focus::List && !is_read && context.desk.may(&Intent::ListReviews).is_ok() {
                    let review = self.intent(context.desk, Ability::Review).and_then(Result::ok);
                    context.requests.extend(review.map(ViewRequest::Act));
                }
            }
            Command::Back if self.focus != Focus::List => self.focus = Focus::List,
            Command::Back if !self.filter.text().is_empty() => {
                self.filter = Search::default();
                context.desk.reviews.filter("");
            }
            Command::Filter => {
                self.focus = Focus::List;
                self.filter.open();
            }
            Command::Sort => context.request(ViewRequest::OpenSortMenu),
            Command::Back => context.request(ViewRequest::Home),
            // The list is the other pane while the details have the keys.
            Command::OtherDown if self.focus != Focus::List => self.step(context.desk, 1),
            Command::OtherUp if self.focus != Focus::List => self.step(context.desk, -1),
            Command::OtherDown => self.down += 1,
            Command::OtherUp => self.down = self.down.saturating_sub(1),
            command => {
                let page = usize::from(self.list(context.desk, &context.paint).height);
                let Some(by) = command.motion(page) else { return false };
                if self.focus == Focus::List {
                    self.step(context.desk, by);
                } else {
                    self.down = self.down.saturating_add_signed(by);
                }
            }
        }
        self.settle(context.desk, &context.paint);
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        let parts = self.parts(context.desk, &context.paint);
        let places = view::places(context.desk, parts.list.width);
        if let Some(sort) = table::column_at(&places, parts.heads, cell).and_then(|at| review::SORTS[at]) {
            self.sort(context, sort);
        } else if let Some(down) = below(parts.list, cell)
            && let Some((pull, _)) = context.desk.reviews.row(self.top + down)
        {
            (self.at, self.down, self.focus) = (Some(pull.number), 0, Focus::List);
            self.settle(context.desk, &context.paint);
        } else if parts.rule.contains(cell) {
            self.act(context, Command::OtherPane);
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let TableWindow { count, cursor, .. } = self.window(desk);
        if count == 0 {
            self.focus = Focus::List;
        }
        let parts = parts(paint.window(), count, self.focus);
        self.top = first_visible(self.top, cursor, usize::from(parts.list.height), count);
        let row = desk.reviews.row(cursor);
        let lines = row.map_or(0, |row| detail::lines(desk, paint, &row, parts.whole.width).len());
        self.down = self.down.min(lines.saturating_sub(usize::from(parts.whole.height).max(1)));
    }
}

impl Reviews {
    pub(super) fn parts(&self, desk: &Desk, paint: &Paint<'_>) -> Parts {
        parts(paint.window(), desk.reviews.rows().len(), self.focus)
    }

    /// Explains why no row is shown.
    pub(super) fn nothing(&self, desk: &Desk, paint: &Paint<'_>) -> String {
        if desk.reviews.order().count() > 0 {
            return table::all_hidden(&paint.key(Command::Back));
        }
        self.text_of(paint, &review::none(desk))
    }

    fn sort(&mut self, context: &mut ActionContext<'_>, sort: ReviewSort) {
        context.desk.reviews.sort(sort);
        context.reply(format!("sorted by: {}", context.desk.reviews.order_label()));
        self.settle(context.desk, &context.paint);
    }

    fn step(&mut self, desk: &Desk, by: isize) {
        let TableWindow { count, cursor, .. } = self.window(desk);
        let to = cursor.saturating_add_signed(by).min(count.saturating_sub(1));
        self.at = desk.reviews.row(to).map(|(pull, _)| pull.number);
        if to != cursor {
            self.down = 0;
        }
    }
}
