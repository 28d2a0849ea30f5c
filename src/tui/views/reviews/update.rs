//! The keys of Reviews.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::intent::{Intent, Operands};
use crate::desk::reviews::Standing;
use crate::desk::telling::{markdown, review};
use crate::desk::{Desk, Registry, asking, objects};
use crate::jobs::data::{JobId, ReviewPlan};
use crate::registry::Address;
use crate::tui::base::layout::{Area, below, first_visible};
use crate::tui::keymap::{Availability, Command, Context, refuse};
use crate::tui::views::reviews::legend::LEGEND;
use crate::tui::views::reviews::parts::{Parts, parts};
use crate::tui::views::reviews::state::{Reviews, was_hashed};
use crate::tui::views::reviews::{availability, detail, view};
use crate::tui::views::{ActionContext, CopyText, Jump, View, ViewContext, ViewRequest};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::line_card::LineCard;
use crate::tui::widgets::strip::Paint;

impl View for Reviews {
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(self, desk, paint, buffer)
    }

    fn legend(&self) -> Legend {
        LEGEND
    }

    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        let parts = self.parts(desk, paint);
        if self.is_expanded { parts.whole } else { parts.list }
    }

    fn other(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        if self.is_expanded { Area::default() } else { self.parts(desk, paint).whole }
    }

    fn has_rows(&self, desk: &Desk) -> bool {
        !desk.reviews.rows().is_empty()
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        availability::check(self, context, command)
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        refuse(self.text_of(&context.paint, &review::none(context.desk)))
    }

    fn check_subject(&self, context: &ViewContext<'_>) -> Availability {
        if self.has_rows(context.desk) { Ok(()) } else { self.check_rows(context) }
    }

    fn operands<'a>(&'a self, desk: &'a Desk) -> Operands<'a> {
        Operands { number: self.selected(desk).map(|(pull, _)| pull.number), ..Operands::default() }
    }

    fn hint(&self, _context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
        Some(availability::hint(self, command, word))
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
        let (pull, standing) = self.selected(desk)?;
        Some(ReviewPlan { number: pull.number, hashes: was_hashed(standing) }.command_line())
    }

    fn page_url(&self, desk: &Desk) -> Option<String> {
        self.selected(desk).map(|(pull, _)| pull.url.clone())
    }

    fn read_line(
        &self,
        context: &ViewContext<'_>,
        field: Context,
        text: &str,
    ) -> Option<Result<Intent, String>> {
        let verdict = if field == Context::AskFor { self.read_verdict(context.desk, text) } else { None };
        Some(verdict?.map(Intent::prepare))
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
        desk.reviews.rows().len()
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
                let Some((pull, standing)) = self.selected(context.desk) else { return true };
                self.to_judge = Some((pull.number, was_hashed(standing)));
                let about = format!("On #{}. {}", pull.number, asking::VERDICT.about);
                let card = LineCard::new(&asking::VERDICT, about, Field::default());
                context.request(ViewRequest::Line(Context::AskFor, card));
            }
            Command::Open | Command::OtherPane => {
                self.is_expanded = !self.is_expanded;
                // What stands around one is read when somebody opens it, and not for a list of all.
                let is_read = matches!(self.selected(context.desk), Some((_, Standing::Reviewed(found))) if found.review.around.is_some());
                if self.is_expanded && !is_read && context.desk.may(&Intent::ListReviews).is_ok() {
                    let review = self.intent(context.desk, Ability::Review).and_then(Result::ok);
                    context.requests.extend(review.map(ViewRequest::Act));
                }
            }
            Command::Back if self.is_expanded => self.is_expanded = false,
            Command::Back => context.request(ViewRequest::Home),
            Command::OtherDown => self.down += 1,
            Command::OtherUp => self.down = self.down.saturating_sub(1),
            command => {
                let page = usize::from(self.list(context.desk, &context.paint).height);
                let Some(by) = command.motion(page) else { return false };
                if self.is_expanded {
                    self.down = self.down.saturating_add_signed(by);
                } else {
                    self.step(context.desk, by);
                }
            }
        }
        self.settle(context.desk, &context.paint);
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        if self.is_expanded {
            return;
        }
        let Some(down) = below(self.list(context.desk, &context.paint), cell) else { return };
        let rows = context.desk.reviews.rows();
        if let Some((pull, _)) = rows.get(self.top + down) {
            (self.at, self.down) = (Some(pull.number), 0);
            self.settle(context.desk, &context.paint);
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let rows = desk.reviews.rows();
        self.is_expanded &= !rows.is_empty();
        let parts = parts(paint.size, rows.len(), self.is_expanded);
        let at = self.place(&rows);
        let page = usize::from(parts.list.height);
        self.top = first_visible(self.top, at, page, rows.len());
        let lines = rows.get(at).map_or(0, |row| detail::lines(desk, paint, row, parts.whole.width).len());
        self.down = self.down.min(lines.saturating_sub(usize::from(parts.whole.height).max(1)));
    }
}

impl Reviews {
    pub(super) fn parts(&self, desk: &Desk, paint: &Paint<'_>) -> Parts {
        parts(paint.size, desk.reviews.rows().len(), self.is_expanded)
    }

    fn step(&mut self, desk: &Desk, by: isize) {
        let rows = desk.reviews.rows();
        let here = self.place(&rows);
        let to = here.saturating_add_signed(by).min(rows.len().saturating_sub(1));
        self.at = rows.get(to).map(|(pull, _)| pull.number);
        if to != here {
            self.down = 0;
        }
    }
}
