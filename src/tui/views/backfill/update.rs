//! The effects of keys in Backfill.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::ability::Ability;
use crate::desk::filling::Filling;
use crate::desk::hear::Changed;
use crate::desk::intent::{Intent, Steered};
use crate::desk::objects::FillObject;
use crate::desk::targets::TargetSort;
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
use crate::tui::views::{
    ActionContext, CopyText, FieldInput, FilterEdit, TARGET_SORTS, View, ViewContext, ViewRequest,
};
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::message::Tone;
use crate::tui::widgets::search::Search;
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::table;
use crate::tui::widgets::table::SortMenu;

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
        Self::line_count(desk.filling.as_ref()) > 0
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
        let form = self.form.as_ref().map(|_| Context::NewBackfill);
        form.or_else(|| self.filter.typing.then_some(Context::Filter))
    }

    fn filter(&self) -> Option<&Search> {
        Some(&self.filter)
    }

    fn edit_field(&mut self, context: &mut ActionContext<'_>, input: FieldInput<'_>) -> bool {
        if self.form.is_none() {
            self.edit_filter(context, input);
            return true;
        }
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
                let is_all = filling.is_some_and(|filling| !filling.order.only_bad);
                self.change_rows(context, |filling| filling.show_only_bad(is_all));
                context.reply(if is_all { "only what could not be filled in" } else { "all rows" });
            }
            Command::Open | Command::OtherPane => self.turn_whole(filling),
            Command::NextWanting | Command::PreviousWanting => {
                if !self.go_to_bad(filling, page, command == Command::NextWanting) {
                    let key = context.paint.key(Command::Back);
                    context.reply(format!("the filter hides every bad target; {key} clears it"));
                }
            }
            Command::Filter => self.filter.open(),
            Command::Sort => context.request(ViewRequest::OpenSortMenu),
            Command::OtherDown => {
                self.pin(filling);
                self.from = (self.from + 1).min(view::most_scrolled(self, filling, &context.paint));
            }
            Command::OtherUp => self.from = self.from.saturating_sub(1),
            // Out of what is seen whole, then to the Inventory.
            Command::Back if self.is_expanded => self.turn_whole(filling),
            Command::Back if !self.filter.text().is_empty() => {
                self.filter = Search::default();
                self.change_rows(context, |filling| filling.set_filter(""));
            }
            Command::Back => context.request(ViewRequest::Home),
            _ => return false,
        }
        true
    }

    fn sort_menu(&self, desk: &Desk) -> SortMenu {
        SortMenu::of(&TARGET_SORTS, desk.filling.as_ref().map(|one| one.order.sort).unwrap_or_default())
    }

    fn sort_by(&mut self, context: &mut ActionContext<'_>, line: usize) {
        if let Some((sort, ..)) = TARGET_SORTS.get(line) {
            self.sort(context, *sort);
        }
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        if let (Some(filling), false) = (&context.desk.filling, self.is_expanded) {
            let heads = Self::parts(Some(filling), context.paint.window()).heads;
            let column = table::column_at(&view::places(filling.widths, heads.width), heads, cell);
            if let Some(sort) = column.and_then(|column| SORTS.get(column)) {
                return self.sort(context, *sort);
            }
        }
        let Some(down) = below(self.list(context.desk, &context.paint), cell) else { return };
        let filling = context.desk.filling.as_ref();
        let line = self.top + down;
        if !self.is_expanded && line < Self::line_count(filling) {
            self.go(filling, line, Self::page(filling, context.paint.window()));
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let filling = desk.filling.as_ref();
        self.settle_in(filling, Self::page(filling, paint.window()));
    }
}

/// The orders that the heads of the first columns sort by.
const SORTS: [TargetSort; 2] = [TargetSort::Worst, TargetSort::Address];

impl Backfill {
    /// Changes which rows are shown, or their order. The cursor stays on its row, and in its line if it can.
    fn change_rows(&mut self, context: &mut ActionContext<'_>, change: impl FnOnce(&mut Filling)) {
        let Some(filling) = &mut context.desk.filling else { return };
        let below = self.below(Some(filling));
        change(filling);
        self.hold(Some(filling), below, Self::page(Some(filling), context.paint.window()));
    }

    fn sort(&mut self, context: &mut ActionContext<'_>, sort: TargetSort) {
        self.change_rows(context, |filling| filling.sort(sort));
        let order = context.desk.filling.as_ref().map(|filling| filling.order).unwrap_or_default().sort;
        context.reply(format!("sorted by: {}", order.label(order.by.label())));
    }

    fn edit_filter(&mut self, context: &mut ActionContext<'_>, input: FieldInput<'_>) {
        match input.type_into(&mut self.filter) {
            FilterEdit::Changed => {
                let words = self.filter.text().to_owned();
                self.change_rows(context, |filling| filling.set_filter(&words));
            }
            FilterEdit::Moved(by) => {
                let filling = context.desk.filling.as_ref();
                let to = self.cursor(filling).saturating_add_signed(by);
                self.go(filling, to, Self::page(filling, context.paint.window()));
            }
            FilterEdit::Nothing => {}
        }
    }
}
