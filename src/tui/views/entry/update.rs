//! The keys of the view of one entry.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::intent::{Intent, Stored};
use crate::desk::telling::Message;
use crate::desk::telling::entry::{Place, next_abilities};
use crate::jobs::data::{Job, JobId, Outcome};
use crate::registry::Address;
use crate::tui::base::layout::{Area, below, first_visible};
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::entry::legend::LEGEND;
use crate::tui::views::entry::state::{EntryScreen, VersionSort};
use crate::tui::views::entry::view;
use crate::tui::views::{ActionContext, FieldInput, FilterEdit, View, ViewContext, ViewRequest};
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::search::Search;
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::table;
use crate::tui::widgets::table::SortMenu;

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
        !self.order.shown().is_empty()
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        match command {
            // The filter may hide every row.
            Command::Filter | Command::Sort if !self.rows.is_empty() => Ok(()),
            Command::Filter | Command::Sort | Command::Do(Ability::Verify) if self.selected().is_none() => {
                self.check_rows(context)
            }
            _ => self.common_availability(context, command),
        }
    }

    fn hint(&self, _context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
        let is_filtered = command == Command::Back && !self.filter.text().is_empty();
        Some(if is_filtered { "clear filter" } else { word })
    }

    fn named_steps(&self, context: &ViewContext<'_>) -> Vec<Command> {
        self.verdict.as_ref().map_or_else(Vec::new, |verdict| {
            next_abilities(self.address.kind(), verdict, Place::Entry, context.paint.now)
                .map(Command::Do)
                .collect()
        })
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        if context.desk.board.opening().is_some() {
            return refuse("the entry is still being read");
        }
        if !self.rows.is_empty() {
            return refuse(table::all_hidden(&context.key(Command::Back)));
        }
        refuse("the entry has no versions to move over")
    }

    fn version<'a>(&'a self, _desk: &'a Desk) -> Option<&'a str> {
        self.selected().map(|row| &*row.version)
    }

    /// A verification is about the version under the cursor.
    fn intent(&self, desk: &Desk, ability: Ability) -> Option<Result<Intent, Message>> {
        if ability != Ability::Verify {
            return desk.intent_of(ability, &self.operands(desk));
        }
        let row = self.selected()?;
        let stored = Stored { is_indexed: row.indexed, targets: row.targets, hashed: row.hashed };
        Some(Ok(Intent::verify(self.address.clone(), Some(row.version.clone()), Some(stored))))
    }

    fn line_version<'a>(&'a self, _desk: &'a Desk) -> Option<&'a str> {
        self.selected().filter(|row| row.indexed).map(|row| &*row.version)
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
            Command::Filter => self.filter.open(),
            Command::Sort => context.request(ViewRequest::OpenSortMenu),
            Command::Back if !self.filter.text().is_empty() => {
                self.filter = Search::default();
                self.show_filtered();
                self.settle(context.desk, &context.paint);
            }
            Command::OtherDown => {
                self.story_scroll = (self.story_scroll + 1).min(view::most_scrolled(&context.paint, self));
            }
            Command::OtherUp => self.story_scroll = self.story_scroll.saturating_sub(1),
            _ => return false,
        }
        true
    }

    fn filter(&self) -> Option<&Search> {
        Some(&self.filter)
    }

    fn edit_field(&mut self, context: &mut ActionContext<'_>, input: FieldInput<'_>) -> bool {
        match input.type_into(&mut self.filter) {
            FilterEdit::Changed => self.show_filtered(),
            FilterEdit::Moved(by) => self.cursor = self.cursor.saturating_add_signed(by),
            FilterEdit::Nothing => {}
        }
        self.settle(context.desk, &context.paint);
        true
    }

    fn sort_menu(&self, _desk: &Desk) -> SortMenu {
        let command = |sort: VersionSort| match sort {
            VersionSort::State => Some(Command::SortStatus),
            VersionSort::Discovered => Some(Command::SortNewest),
            _ => None,
        };
        SortMenu::of(&VersionSort::ALL.map(|sort| (sort, sort.label(), command(sort))), self.order.sort)
    }

    fn sort_by(&mut self, context: &mut ActionContext<'_>, line: usize) {
        let Some(sort) = VersionSort::ALL.get(line) else { return };
        self.sort(*sort);
        context.reply(format!("sorted by: {}", self.order.sort.label(sort.label())));
        self.settle(context.desk, &context.paint);
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        let parts = view::parts(&context.paint, self);
        let places = view::places(self, parts.list.width);
        let column = table::column_at(&places, parts.heads, cell);
        if let Some(sort) = column.and_then(|column| view::SORTS[column]) {
            let line = VersionSort::ALL.iter().position(|known| *known == sort);
            return self.sort_by(context, line.unwrap_or_default());
        }
        let row = below(self.list(context.desk, &context.paint), cell).map(|down| self.top + down);
        if let Some(row) = row.filter(|row| *row < self.order.shown().len()) {
            self.cursor = row;
            self.is_chosen = true;
            self.settle(context.desk, &context.paint);
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let count = self.order.shown().len();
        self.cursor = self.cursor.min(count.saturating_sub(1));
        let page = usize::from(self.list(desk, paint).height);
        self.top = first_visible(self.top, self.cursor, page, count);
    }
}
