//! The effects of keys in Verify.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::intent::Steered;
use crate::desk::objects::TargetObject;
use crate::desk::run::Run;
use crate::desk::targets::TargetSort;
use crate::desk::telling::markdown;
use crate::desk::{Desk, objects};
use crate::jobs::data::{Job, JobId};
use crate::registry::Address;
use crate::tui::base::layout::{Area, below};
use crate::tui::keymap::{Availability, Command};
use crate::tui::views::verify::legend::LEGEND;
use crate::tui::views::verify::state::Verify;
use crate::tui::views::verify::table::Columns;
use crate::tui::views::verify::{availability, steering, view};
use crate::tui::views::{
    ActionContext, CopyText, FieldInput, FilterEdit, TARGET_SORTS, View, ViewContext, ViewRequest,
};
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::message::Tone;
use crate::tui::widgets::search::Search;
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::table;
use crate::tui::widgets::table::SortMenu;

impl View for Verify {
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(self, desk, paint, buffer)
    }

    fn legend(&self) -> Legend {
        LEGEND
    }

    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        self.parts(desk.run.as_ref(), paint.window()).list
    }

    fn has_panes(&self, desk: &Desk, _paint: &Paint<'_>) -> bool {
        desk.run.as_ref().is_some_and(|run| !run.rows.is_empty()) && !self.is_expanded
    }

    fn has_rows(&self, desk: &Desk) -> bool {
        self.line_count(desk.run.as_ref()) > 0
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        availability::check(self, context, command)
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        availability::why_empty(self, context)
    }

    fn hint(&self, context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
        availability::hint(self, context, command, word)
    }

    fn copy_text(&self, context: &ViewContext<'_>, command: Command) -> Option<CopyText> {
        let run = context.desk.run.as_ref()?;
        let groups = || run.groups.all().map(|group| run.rows_of(group)).collect::<Vec<_>>();
        Some(CopyText::new(
            format!("the report on {}", run.what()),
            command,
            || markdown::verification(&run.what(), &groups()),
            |out| {
                let mut rows = run.rows.iter();
                rows.try_for_each(|row| objects::write(out, "target", &TargetObject::new(row)))
            },
        ))
    }

    fn line_version<'a>(&'a self, desk: &'a Desk) -> Option<&'a str> {
        self.rows(desk.run.as_ref()).first().map(|row| &*row.version)
    }

    fn status(&self, context: &ViewContext<'_>) -> Option<(Tone, String)> {
        Some(steering::status(self, context))
    }

    fn shows_progress(&self) -> bool {
        true
    }

    fn begins(&mut self, _desk: &Desk, _paint: &Paint<'_>, job: &mut Job) -> bool {
        let is_it = matches!(job, Job::Verify(_));
        if is_it {
            self.begin();
        }
        is_it
    }

    fn before_news(&mut self, desk: &Desk, _paint: &Paint<'_>) {
        self.lines_above = self.below(desk.run.as_ref());
    }

    /// The cursor's line stays where it is on the screen.
    fn on(&mut self, context: &mut ActionContext<'_>, _id: JobId, changed: &Changed) {
        if matches!(changed, Changed::Verification(_) | Changed::Ended(_)) {
            let run = context.desk.run.as_ref();
            let page = self.page(run, context.paint.window());
            self.hold(run, self.lines_above, page);
        }
        if let Changed::Ended(ended) = changed
            && matches!(ended.running.job, Job::Verify(_))
        {
            steering::report_end(self, context, &ended.outcome);
        }
    }

    fn subject<'a>(&'a self, desk: &'a Desk) -> Option<&'a Address> {
        let rows = self.rows(desk.run.as_ref());
        let (first, last) = (rows.first()?, rows.last()?);
        // Rows stand in the order of their entries.
        (first.address == last.address).then_some(&first.address)
    }

    fn count(&self, desk: &Desk) -> usize {
        desk.run.as_ref().map_or(0, |run| run.groups.bad())
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        let run = context.desk.run.as_ref();
        let page = self.page(run, context.paint.window());
        if let Some(by) = command.motion(page) {
            let to = self.cursor(run).saturating_add_signed(by);
            self.go(run, to, page);
            return true;
        }
        match command {
            Command::Do(ability @ Ability::PauseVerification) => {
                context.pause(ability, Steered::Verification);
            }
            Command::Do(Ability::MoreWorkers) => context.change_workers(Steered::Verification, 1),
            Command::Do(Ability::FewerWorkers) => context.change_workers(Steered::Verification, -1),
            Command::Do(Ability::StopAtBad) => steering::stop_at_bad(context),
            Command::Do(Ability::CancelVerification) => steering::cancel(context),
            Command::Do(Ability::CopyPath) => steering::copy_report(context),
            Command::CopyAddress | Command::CopyUrl | Command::CopyHash | Command::CopyLine => {
                steering::copy(self, context, command);
            }
            Command::OnlyErrors => {
                let is_all = run.is_some_and(|run| !run.order.only_bad);
                self.change_rows(context, |run| run.show_only_bad(is_all));
                let alone = "only bad rows: MISMATCH, BAD SIG, MISSING and ERROR";
                context.reply(if is_all { alone } else { "all rows" });
            }
            Command::Open if !self.is_expanded && self.group(run).is_some() => self.turn(run, page),
            Command::Open | Command::OtherPane => self.turn_whole(run),
            Command::Fold => self.turn(run, page),
            Command::OpenFolds => self.turn_all(run, page, true),
            Command::CloseFolds => self.turn_all(run, page, false),
            Command::NextWanting | Command::PreviousWanting => {
                if !self.go_to_bad(run, page, command == Command::NextWanting) {
                    let key = context.paint.key(Command::Back);
                    context.reply(format!("the filter hides every bad target; {key} clears it"));
                }
            }
            Command::Filter => self.filter.open(),
            Command::Sort => context.request(ViewRequest::OpenSortMenu),
            Command::OtherDown => {
                self.pin(run);
                self.from = (self.from + 1).min(view::most_scrolled(self, run, &context.paint));
            }
            Command::OtherUp => self.from = self.from.saturating_sub(1),
            // Out of what is seen whole, then to the Inventory.
            Command::Back if self.is_expanded => self.turn_whole(run),
            Command::Back if !self.filter.text().is_empty() => {
                self.filter = Search::default();
                self.change_rows(context, |run| run.set_filter(""));
            }
            Command::Back => context.request(ViewRequest::Home),
            _ => return false,
        }
        true
    }

    fn filter(&self) -> Option<&Search> {
        Some(&self.filter)
    }

    fn edit_field(&mut self, context: &mut ActionContext<'_>, input: FieldInput<'_>) -> bool {
        match input.type_into(&mut self.filter) {
            FilterEdit::Changed => {
                let words = self.filter.text().to_owned();
                self.change_rows(context, |run| run.set_filter(&words));
            }
            FilterEdit::Moved(by) => {
                let run = context.desk.run.as_ref();
                let to = self.cursor(run).saturating_add_signed(by);
                self.go(run, to, self.page(run, context.paint.window()));
            }
            FilterEdit::Nothing => {}
        }
        true
    }

    fn sort_menu(&self, desk: &Desk) -> SortMenu {
        SortMenu::of(&TARGET_SORTS, desk.run.as_ref().map(|run| run.order.sort).unwrap_or_default())
    }

    fn sort_by(&mut self, context: &mut ActionContext<'_>, line: usize) {
        if let Some((sort, ..)) = TARGET_SORTS.get(line) {
            self.sort(context, *sort);
        }
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        if let (Some(run), false) = (&context.desk.run, self.is_expanded) {
            let heads = self.parts(Some(run), context.paint.window()).heads;
            let Columns { indexes, places, .. } =
                Columns::of(run.shape, run.rows.len(), context.paint.size.class(), heads.width);
            let column = table::column_at(&places, heads, cell).map(|column| indexes[column]);
            if let Some(sort) = column.and_then(|column| SORTS.get(column)) {
                return self.sort(context, *sort);
            }
        }
        let Some(down) = below(self.list(context.desk, &context.paint), cell) else { return };
        let run = context.desk.run.as_ref();
        let line = self.top + down;
        if !self.is_expanded && line < self.line_count(run) {
            self.go(run, line, self.page(run, context.paint.window()));
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let run = desk.run.as_ref();
        self.settle_in(run, self.page(run, paint.window()));
    }
}

/// The orders that the heads of the first columns sort by.
const SORTS: [TargetSort; 2] = [TargetSort::Worst, TargetSort::Address];

impl Verify {
    /// Changes which rows are shown, or their order. The cursor stays on its row, and in its line if it can.
    fn change_rows(&mut self, context: &mut ActionContext<'_>, change: impl FnOnce(&mut Run)) {
        let Some(run) = &mut context.desk.run else { return };
        let below = self.below(Some(run));
        change(run);
        let page = self.page(Some(run), context.paint.window());
        self.hold(Some(run), below, page);
    }

    fn sort(&mut self, context: &mut ActionContext<'_>, sort: TargetSort) {
        self.change_rows(context, |run| run.sort(sort));
        let order = context.desk.run.as_ref().map(|run| run.order.sort).unwrap_or_default();
        context.reply(format!("sorted by: {}", order.label(order.by.label())));
    }
}
