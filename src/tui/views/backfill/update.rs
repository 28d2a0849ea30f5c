//! The effects of keys in Backfill.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::ability::Ability;
use crate::desk::filling::Filling;
use crate::desk::hear::Changed;
use crate::desk::intent::{Intent, Steered};
use crate::desk::objects::FillObject;
use crate::desk::telling::{Message, markdown};
use crate::desk::{Desk, objects};
use crate::jobs::data::{BackfillTask, Job, JobId};
use crate::registry::Address;
use crate::registry::version::trim_v;
use crate::rules::backfill::states;
use crate::tui::base::layout::{Area, below};
use crate::tui::keymap::{Availability, Command, Context};
use crate::tui::views::backfill::legend::LEGEND;
use crate::tui::views::backfill::state::Backfill;
use crate::tui::views::backfill::{availability, steering, view};
use crate::tui::views::{ActionContext, CopyText, FieldInput, View, ViewContext, ViewRequest};
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::message::Tone;
use crate::tui::widgets::strip::Paint;

impl View for Backfill {
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(self, desk, paint, buffer)
    }

    fn legend(&self) -> Legend {
        LEGEND
    }

    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        Self::parts(desk.filling.as_ref(), paint.window()).list
    }

    fn has_panes(&self, desk: &Desk, _paint: &Paint<'_>) -> bool {
        desk.filling.as_ref().is_some_and(|filling| !filling.rows.is_empty())
            && !self.is_expanded
            && self.form.is_none()
    }

    fn has_rows(&self, desk: &Desk) -> bool {
        self.line_count(desk.filling.as_ref()) > 0
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        availability::check(self, context, command)
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        availability::why_empty(self, context)
    }

    /// A verification is about the version of the row under the cursor.
    fn intent(&self, desk: &Desk, ability: Ability) -> Option<Result<Intent, Message>> {
        if ability != Ability::Verify {
            return desk.intent_of(ability, &self.operands(desk));
        }
        let row = self.row(desk.filling.as_ref())?;
        let version = Some(trim_v(&row.item.version).to_owned());
        Some(Ok(Intent::verify(row.item.address.clone(), version, None)))
    }

    fn hint(&self, context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
        Some(availability::hint(self, context, command, word))
    }

    fn copy_text(&self, context: &ViewContext<'_>, command: Command) -> Option<CopyText> {
        let filling = context.desk.filling.as_ref()?;
        Some(CopyText::new(
            format!("the backfill of {}", filling.what()),
            command,
            || markdown::backfill(&filling.what(), &filling.rows),
            |out| {
                let mut rows = states(&filling.rows);
                rows.try_for_each(|(row, state)| objects::write(out, "fill", &FillObject::new(row, state)))
            },
        ))
    }

    fn line_version<'a>(&'a self, desk: &'a Desk) -> Option<&'a str> {
        self.row(desk.filling.as_ref()).map(|row| &*row.item.version)
    }

    fn field(&self) -> Option<Context> {
        self.form.as_ref().map(|_| Context::NewBackfill)
    }

    fn edit_field(&mut self, context: &mut ActionContext<'_>, input: FieldInput<'_>) -> bool {
        match input {
            FieldInput::Key(chord) => self.type_in_form(context, chord),
            FieldInput::Paste(text) => self.edit(|field| field.paste(text)),
            FieldInput::Command(command) => self.act_in_form(context, command),
        }
        true
    }

    fn status(&self, context: &ViewContext<'_>) -> Option<(Tone, String)> {
        Some(steering::status(self, context))
    }

    fn shows_progress(&self) -> bool {
        true
    }

    fn begins(&mut self, _desk: &Desk, _paint: &Paint<'_>, job: &mut Job) -> bool {
        let is_it = matches!(job, Job::Backfill(BackfillTask::Run(_)));
        if is_it {
            self.begin();
        }
        is_it
    }

    fn before_news(&mut self, desk: &Desk, _paint: &Paint<'_>) {
        self.lines_above = self.below(desk.filling.as_ref());
    }

    /// The cursor's line stays where it is on the screen.
    fn on(&mut self, context: &mut ActionContext<'_>, _id: JobId, changed: &Changed) {
        if matches!(changed, Changed::Backfill(_) | Changed::Ended(_)) {
            let filling = context.desk.filling.as_ref();
            let page = Self::page(filling, context.paint.window());
            self.hold(filling, self.lines_above, page);
        }
        if let Changed::Ended(ended) = changed
            && let Job::Backfill(task) = &ended.running.job
        {
            steering::report_end(self, context, task, &ended.outcome);
        }
    }

    fn subject<'a>(&'a self, desk: &'a Desk) -> Option<&'a Address> {
        self.row(desk.filling.as_ref()).map(|row| &row.item.address)
    }

    fn count(&self, desk: &Desk) -> usize {
        desk.filling.as_ref().map_or(0, Filling::bad)
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        let filling = context.desk.filling.as_ref();
        let page = Self::page(filling, context.paint.window());
        if let Some(by) = command.motion(page) {
            let to = self.cursor(filling).saturating_add_signed(by);
            self.go(filling, to, page);
            return true;
        }
        match command {
            Command::Do(ability @ Ability::PauseBackfill) => context.pause(ability, Steered::Backfill),
            Command::Do(Ability::MoreWorkers) => context.change_workers(Steered::Backfill, 1),
            Command::Do(Ability::FewerWorkers) => context.change_workers(Steered::Backfill, -1),
            Command::Do(Ability::CancelBackfill) => steering::cancel(context),
            Command::Do(Ability::BackfillRest) => steering::again(context),
            Command::Do(Ability::CopyPath)
            | Command::CopyAddress
            | Command::CopyUrl
            | Command::CopyHash
            | Command::CopyLine => steering::copy(self, context, command),
            Command::OnlyErrors => {
                let below = self.below(filling);
                self.only_bad = !self.only_bad;
                self.hold(filling, below, page);
                context.reply(if self.only_bad { "only what could not be filled in" } else { "all rows" });
            }
            Command::Open | Command::OtherPane => self.turn_whole(filling),
            Command::NextWanting => self.go_to_bad(filling, page, true),
            Command::PreviousWanting => self.go_to_bad(filling, page, false),
            Command::OtherDown => {
                self.pin(filling);
                self.from = (self.from + 1).min(view::most_scrolled(self, filling, &context.paint));
            }
            Command::OtherUp => self.from = self.from.saturating_sub(1),
            // Out of what is seen whole, then to the Inventory.
            Command::Back if self.is_expanded => self.turn_whole(filling),
            Command::Back => context.request(ViewRequest::Home),
            _ => return false,
        }
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        let Some(down) = below(self.list(context.desk, &context.paint), cell) else { return };
        let filling = context.desk.filling.as_ref();
        let line = self.top + down;
        if !self.is_expanded && line < self.line_count(filling) {
            self.go(filling, line, Self::page(filling, context.paint.window()));
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let filling = desk.filling.as_ref();
        self.settle_in(filling, Self::page(filling, paint.window()));
    }
}
