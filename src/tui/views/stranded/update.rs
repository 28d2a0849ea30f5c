//! The keys of Stranded.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::intent::{EntrySelection, Intent};
use crate::desk::objects::CardObject;
use crate::desk::telling::Message;
use crate::desk::telling::stranded::{decided, markdown, none};
use crate::desk::{Desk, form, objects};
use crate::jobs::data::{Job, JobId, Outcome};
use crate::registry::Address;
use crate::registry::version::trim_v;
use crate::rules::plain_text::shell_word;
use crate::rules::stranded::{Board, Column};
use crate::tui::base::layout::{Area, Class};
use crate::tui::keymap::{Availability, Command, refuse};
use crate::tui::views::stranded::legend::LEGEND;
use crate::tui::views::stranded::state::{Row, Stranded, columns, rows};
use crate::tui::views::stranded::{availability, detail, parts, selection, view};
use crate::tui::views::{ActionContext, CopyText, Jump, View, ViewContext, ViewRequest};
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::strip::Paint;

impl View for Stranded {
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(self, desk, paint, buffer)
    }

    fn legend(&self) -> Legend {
        LEGEND
    }

    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        let parts = parts::parts(paint.window(), self.is_expanded);
        if self.is_expanded {
            return parts.story;
        }
        let Some(board) = desk.stranded.board() else { return Area::default() };
        self.cards_of(board, paint, parts.board)
    }

    fn other(&self, _desk: &Desk, paint: &Paint<'_>) -> Area {
        if self.is_expanded { Area::default() } else { parts::parts(paint.window(), false).story }
    }

    fn has_rows(&self, desk: &Desk) -> bool {
        self.count(desk) > 0
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        availability::check(self, context, command)
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        refuse(self.text_of(&context.paint, &none(context.desk)))
    }

    fn selection(&self, desk: &Desk) -> EntrySelection {
        EntrySelection::These(self.addresses(desk))
    }

    fn version<'a>(&'a self, desk: &'a Desk) -> Option<&'a str> {
        self.selected(desk).map(|card| &*card.version)
    }

    /// Abilities that are about versions take the selected cards.
    fn intent(&self, desk: &Desk, ability: Ability) -> Option<Result<Intent, Message>> {
        let cards = || self.selected_cards(desk);
        Some(match ability {
            Ability::Verify => Ok(selection::verification(&cards())?),
            Ability::ClearErrors => selection::clearing(&cards()),
            Ability::Block => selection::blocking(desk, &cards()),
            Ability::Unignore => selection::taking_back(&cards()),
            _ => return desk.intent_of(ability, &self.operands(desk)),
        })
    }

    fn copy_text(&self, context: &ViewContext<'_>, command: Command) -> Option<CopyText> {
        let desk = context.desk;
        let card = self.selected(desk)?;
        let (is_new, now) = (desk.stranded.is_new(card), context.paint.now);
        Some(CopyText::new(
            card.subject(),
            command,
            || markdown(card, now),
            |out| objects::write(out, "stranded", &CardObject::new(card, is_new)),
        ))
    }

    fn command_line(&self, desk: &Desk) -> Option<String> {
        let card = self.selected(desk)?;
        let subject = format!("{}@{}", card.address, trim_v(&card.version));
        Some(format!("bumpdesk stranded {}", shell_word(&subject)))
    }

    fn versions_to_block(&self, desk: &Desk) -> Vec<(Address, Vec<String>)> {
        selection::by_entry(&self.selected_cards(desk))
    }

    fn on(&mut self, context: &mut ActionContext<'_>, _id: JobId, changed: &Changed) {
        match changed {
            Changed::Stranded => {
                if context.is_seen {
                    context.desk.show_stranded();
                }
                if let Some(board) = context.desk.stranded.board() {
                    self.hold(board);
                }
                self.settle(context.desk, &context.paint);
            }
            Changed::Ended(ended) => self.on_end(context, &ended.running.job, &ended.outcome),
            _ => {}
        }
    }

    fn subject<'a>(&'a self, desk: &'a Desk) -> Option<&'a Address> {
        self.selected(desk).map(|card| &card.address)
    }

    fn count(&self, desk: &Desk) -> usize {
        desk.stranded.board().map_or(0, |board| board.cards.len())
    }

    fn enter(&mut self, context: &mut ActionContext<'_>, back: Option<&Jump>) {
        if let Some(back) = back {
            self.select(context.desk, &back.address);
        }
        context.desk.begin_visit();
        let intent = Intent::ListStranded;
        if context.desk.stranded.wants_reading() && context.desk.may(&intent).is_ok() {
            context.request(ViewRequest::Act(intent));
        }
        self.settle(context.desk, &context.paint);
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        match command {
            Command::Open | Command::OtherPane => self.is_expanded = !self.is_expanded,
            Command::Back if self.is_expanded => self.is_expanded = false,
            Command::Back if !self.marks.is_empty() => self.marks.clear(),
            Command::Back => context.request(ViewRequest::Home),
            Command::OtherDown => self.down += 1,
            Command::OtherUp => self.down = self.down.saturating_sub(1),
            Command::Do(Ability::Ignore) => {
                if let Ok(these) = selection::ignorable(&self.selected_cards(context.desk)) {
                    context.request(ViewRequest::Form(form::ignore::form(these)));
                }
            }
            Command::Do(Ability::DraftMessage) => self.draft_message(context),
            Command::Do(Ability::SurveyBoard) => {
                let Some(board) = context.desk.stranded.board() else { return true };
                let mut all: Vec<Address> = board.cards.iter().map(|card| card.address.clone()).collect();
                all.dedup();
                context.request(ViewRequest::Act(Intent::survey(EntrySelection::These(all))));
            }
            command => {
                let page = usize::from(self.list(context.desk, &context.paint).height);
                let Some(board) = context.desk.stranded.board() else { return false };
                let (column, place) = self.cursor(board);
                match command {
                    Command::Left => self.beside(board, column, -1),
                    Command::Right => self.beside(board, column, 1),
                    Command::Mark => {
                        if let Some(card) = board.of_column(column).get(place) {
                            self.mark(card);
                        }
                        self.put(board, column, place + 1);
                    }
                    Command::MarkShown => self.mark_all(board.of_column(column)),
                    Command::NextWanting | Command::PreviousWanting => {
                        let is_found = self.go_to_new(context.desk, command == Command::NextWanting);
                        if !is_found {
                            context.reply("nothing on the board is new since the last visit");
                        }
                    }
                    command => {
                        let Some(by) = command.motion(page) else { return false };
                        if self.is_expanded {
                            self.down = self.down.saturating_add_signed(by);
                        } else {
                            // A page is as many cards as stand in it.
                            let tall = if context.paint.size.class() == Class::Narrow { 1 } else { 2 };
                            let is_page = !matches!(by, -1 | 1 | isize::MIN | isize::MAX);
                            let by = if is_page { by / tall } else { by };
                            self.put(board, column, place.saturating_add_signed(by));
                        }
                    }
                }
            }
        }
        self.settle(context.desk, &context.paint);
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        let board_area = parts::parts(context.paint.window(), self.is_expanded).board;
        let Some(board) = context.desk.stranded.board() else { return };
        if self.is_expanded || !board_area.contains(cell) {
            return;
        }
        let all = columns(board);
        let (first, seen) = view::window(&context.paint, &all, self.cursor(board).0);
        if context.paint.size.class() != Class::Narrow {
            let inside = |beside: &usize| parts::column(board_area, *beside, seen).contains(cell);
            let Some(beside) = (0..seen).find(inside) else { return };
            let column = all[first + beside];
            if column != self.cursor(board).0 {
                self.put(board, column, 0);
            }
        }
        let (column, _) = self.cursor(board);
        let area = self.cards_of(board, &context.paint, board_area);
        if let Some(place) = self.place_at(board, &context.paint, column, area, cell.y) {
            self.put(board, column, place);
        }
        self.settle(context.desk, &context.paint);
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let Some(board) = desk.stranded.board() else {
            self.is_expanded = false;
            return;
        };
        self.is_expanded &= !board.cards.is_empty();
        let (column, place) = self.cursor(board);
        self.put(board, column, place);
        let parts = parts::parts(paint.window(), self.is_expanded);
        if !self.is_expanded {
            self.keep_in_sight(board, paint, (column, place), parts.board);
        }
        let story = board.of_column(column).get(place);
        let lines = story.map_or(0, |card| detail::lines(paint, card, parts.story.width).len());
        self.down = self.down.min(lines.saturating_sub(usize::from(parts.story.height).max(1)));
    }
}

impl Stranded {
    /// Puts the cursor on the first card of an entry, if it has one.
    fn select(&mut self, desk: &Desk, address: &Address) {
        let Some(board) = desk.stranded.board() else { return };
        if let Some(card) = board.cards.iter().find(|card| card.address == *address) {
            let column = card.column;
            let place = board.of_column(column).iter().position(|card| card.address == *address);
            self.put(board, column, place.unwrap_or(0));
        }
    }

    /// Copies a message to the author of what is selected, and shows what was copied.
    fn draft_message(&self, context: &mut ActionContext<'_>) {
        let Ok((title, body)) = selection::draft(&self.selected_cards(context.desk)) else { return };
        let text = format!("{title}\n\n{body}");
        let card = TextCard::new("A message to its author", vec![text.clone()]);
        let says = "copying the message: it is sent to nobody, until you post it".to_owned();
        context.request(ViewRequest::Text(card));
        context.request(ViewRequest::Copy { text, says });
    }

    /// Reports the end of a decision, which ends the marks. The board is read again after what changed the verdicts, where it is seen.
    fn on_end(&mut self, context: &mut ActionContext<'_>, job: &Job, outcome: &Outcome) {
        if matches!((job, outcome), (Job::Decide(_), Outcome::Done(_) | Outcome::Cancelled(_))) {
            self.marks.clear();
        }
        let is_old = matches!(job, Job::Survey(_) | Job::Decide(_) | Job::Load);
        if is_old && context.is_seen && context.desk.may(&Intent::ListStranded).is_ok() {
            context.request(ViewRequest::Act(Intent::ListStranded));
        }
        match (job, outcome) {
            (Job::Decide(_), Outcome::Failed(failure)) => context.fail(failure),
            (Job::Decide(task), Outcome::Done(_) | Outcome::Cancelled(_)) => context.reply(decided(task)),
            _ => {}
        }
    }

    /// The area of the cards of the cursor's column.
    fn cards_of(&self, board: &Board, paint: &Paint<'_>, area: Area) -> Area {
        let (at, _) = self.cursor(board);
        let all = columns(board);
        let room = view::room(paint, board, area);
        if paint.size.class() == Class::Narrow {
            let above = all.iter().take_while(|column| **column != at).count() as u16 + 1;
            return Area {
                y: area.y + above.min(area.height),
                height: room.min(area.height.saturating_sub(above)),
                ..area
            };
        }
        let (first, seen) = view::window(paint, &all, at);
        let place = all.iter().position(|column| *column == at).unwrap_or(0);
        let column = parts::column(area, place - first.min(place), seen);
        Area { y: column.y + column.height.min(2), height: room.min(column.height), ..column }
    }

    /// The card of a column that covers a row of cells.
    fn place_at(
        &self,
        board: &Board,
        paint: &Paint<'_>,
        column: Column,
        area: Area,
        y: u16,
    ) -> Option<usize> {
        let mut at = area.y;
        for row in rows(board, column).iter().skip(self.tops[column as usize]) {
            let end = at + view::height(paint, *row);
            if (at..end.min(area.bottom())).contains(&y) {
                return if let Row::Card(place) = row { Some(*place) } else { None };
            }
            at = end;
        }
        None
    }

    /// To the column beside.
    fn beside(&mut self, board: &Board, column: Column, by: isize) {
        let all = columns(board);
        let here = all.iter().position(|one| *one == column).unwrap_or(0);
        let to = all[here.saturating_add_signed(by).min(all.len() - 1)];
        if to != column {
            self.put(board, to, 0);
        }
    }

    /// To the next card that is new, over the columns, and around.
    fn go_to_new(&mut self, desk: &Desk, is_forward: bool) -> bool {
        let Some(board) = desk.stranded.board() else { return false };
        let (column, place) = self.cursor(board);
        let here = board.cards.iter().take_while(|card| card.column < column).count() + place;
        let count = board.cards.len();
        let step = |by: usize| if is_forward { (here + by) % count } else { (here + count - by) % count };
        let Some(at) = (1..=count).map(step).find(|at| desk.stranded.is_new(&board.cards[*at])) else {
            return false;
        };
        let to = board.cards[at].column;
        let before = board.cards.iter().take_while(|card| card.column < to).count();
        self.put(board, to, at - before);
        true
    }

    fn keep_in_sight(
        &mut self,
        board: &Board,
        paint: &Paint<'_>,
        (column, place): (Column, usize),
        area: Area,
    ) {
        let all = rows(board, column);
        let room = view::room(paint, board, area);
        let at = all.iter().position(|row| *row == Row::Card(place)).unwrap_or(0);
        let top = &mut self.tops[column as usize];
        // Its cause stays in sight above the first of them.
        let wanted = if at > 0 && matches!(all[at - 1], Row::Cause(..)) { at - 1 } else { at };
        *top = (*top).min(wanted);
        let lines = |from: usize| -> u16 {
            all[from..=at.max(from)].iter().map(|row| view::height(paint, *row)).sum()
        };
        while *top < at && !all.is_empty() && lines(*top) > room {
            *top += 1;
        }
    }
}
