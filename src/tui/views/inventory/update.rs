//! The effects of keys in the Inventory.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::intent::{EntrySelection, Intent};
use crate::desk::telling::entry::{Place, next_abilities};
use crate::desk::telling::list::SORTS;
use crate::desk::{Desk, form};
use crate::jobs::data::{Job, JobId};
use crate::registry::Address;
use crate::rules::Level;
use crate::rules::amount::{counted, grouped};
use crate::rules::filter::of_addresses;
use crate::tui::base::layout::{Area, below};
use crate::tui::keymap::{Availability, Command, Context};
use crate::tui::views::inventory::legend::LEGEND;
use crate::tui::views::inventory::marks::Marked;
use crate::tui::views::inventory::state::{Inventory, page, parts};
use crate::tui::views::inventory::title::{news, rest, text_at_rest};
use crate::tui::views::inventory::{availability, menu, note, view};
use crate::tui::views::{ActionContext, FieldInput, Jump, View, ViewContext, ViewRequest};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::table;
use crate::tui::widgets::table::SortMenu;

impl View for Inventory {
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(self, desk, paint, buffer)
    }

    fn legend(&self) -> Legend {
        LEGEND
    }

    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        parts(&desk.list, paint.window()).list
    }

    fn other(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        parts(&desk.list, paint.window()).preview
    }

    fn has_rows(&self, _desk: &Desk) -> bool {
        self.line_count() > 0
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        availability::check(self, context, command)
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        availability::why_empty(context)
    }

    fn selection(&self, desk: &Desk) -> EntrySelection {
        if desk.list.has_marks() {
            return EntrySelection::Marked;
        }
        EntrySelection::These(self.subject(desk).cloned().into_iter().collect())
    }

    fn check_selection(&self, context: &ViewContext<'_>) -> Availability {
        if context.desk.list.has_marks() { Ok(()) } else { self.check_subject(context) }
    }

    fn hint(&self, context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
        availability::hint(self, context, command, word)
    }

    fn filter_before(&self) -> &str {
        self.typing.before()
    }

    fn named_steps(&self, context: &ViewContext<'_>) -> Vec<Command> {
        let row = self.row(&context.desk.list, self.cursor);
        row.map_or_else(Vec::new, |(row, verdict, _)| {
            next_abilities(row.kind(), verdict, Place::List, context.paint.now).map(Command::Do).collect()
        })
    }

    fn end_selection(&mut self, desk: &mut Desk) -> usize {
        self.take_range(&mut desk.list);
        if self.selection(desk) == EntrySelection::Marked { self.hidden_marks(&desk.list) } else { 0 }
    }

    fn question_note(&self, paint: &Paint<'_>, intent: &Intent) -> Option<String> {
        let is_verify = matches!(intent, Intent::Verify { .. } | Intent::VerifyMarked { .. });
        let (open, key) = (paint.key(Ability::Look), paint.key(Ability::Verify));
        is_verify.then(|| format!("For one version: {open} opens the entry, {key} there verifies a version."))
    }

    fn field(&self) -> Option<Context> {
        self.typing.is_open().then_some(Context::Filter)
    }

    fn sort_menu(&self, desk: &Desk) -> SortMenu {
        menu::menu(&desk.list)
    }

    fn sort_by(&mut self, context: &mut ActionContext<'_>, line: usize) {
        menu::choose_line(self, context, line);
    }

    fn edit_field(&mut self, context: &mut ActionContext<'_>, input: FieldInput<'_>) -> bool {
        match input {
            FieldInput::Key(chord) => self.change_filter(context, &mut |field| {
                field.take(chord);
            }),
            FieldInput::Paste(text) => self.paste_filter(context, text),
            FieldInput::Command(command) => self.edit_filter(context, command),
        }
        true
    }

    fn rest_text(&self, context: &ViewContext<'_>) -> Option<String> {
        text_at_rest(self, context.desk, &context.paint).filter(|_| !context.is_covered)
    }

    fn rest_line(&self, context: &ViewContext<'_>, width: u16) -> Option<Line<'static>> {
        Some(rest(self, &context.desk.list, &context.paint, width))
    }

    fn news(&self, desk: &Desk) -> Option<String> {
        news(&desk.list)
    }

    fn shows_list(&self) -> bool {
        true
    }

    fn before_news(&mut self, desk: &Desk, paint: &Paint<'_>) {
        self.kept = (self.held(&desk.list), page(&desk.list, paint));
    }

    fn on(&mut self, context: &mut ActionContext<'_>, _id: JobId, changed: &Changed) {
        let list = &mut context.desk.list;
        match changed {
            Changed::Registry { .. } => {
                let (held, page) = std::mem::take(&mut self.kept);
                self.loaded(list, held, page);
            }
            Changed::Memory => self.recalled(list, self.kept.1),
            Changed::Verdicts { are_listed: true } | Changed::Opened(_) => self.judged(),
            // After a survey the rows are sorted again.
            Changed::Ended(ended) if matches!(ended.running.job, Job::Survey(_)) => {
                let page = page(list, &context.paint);
                self.arrange(list, page);
            }
            _ => {}
        }
    }

    /// The filter comes back too that showed the place.
    fn enter(&mut self, context: &mut ActionContext<'_>, back: Option<&Jump>) {
        let Some(back) = back else { return };
        let page = page(&context.desk.list, &context.paint);
        let list = &mut context.desk.list;
        if list.filter != back.filter {
            list.set_filter(back.filter.clone());
            self.select_shown(list, page);
        }
        if !self.select(list, &back.address, page) {
            context.reply(format!("`{}` is not in this list any more", back.address));
        }
    }

    /// A survey reads the entries on the screen first.
    fn begins(&mut self, desk: &Desk, paint: &Paint<'_>, job: &mut Job) -> bool {
        if let Job::Survey(plan) = job {
            plan.first = self.seen(&desk.list, page(&desk.list, paint));
        }
        false
    }

    fn tick(&mut self, context: &mut ActionContext<'_>) {
        let page = page(&context.desk.list, &context.paint);
        self.arrange_in_time(&mut context.desk.list, context.uptime, page);
    }

    fn subject<'a>(&'a self, desk: &'a Desk) -> Option<&'a Address> {
        self.selected(&desk.list).map(|row| &row.address)
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        let page = page(&context.desk.list, &context.paint);
        if self.in_preview(context, command) {
            return true;
        }
        let list = &mut context.desk.list;
        match command {
            Command::Top | Command::Bottom => {
                context.requests.extend(self.note_place(list));
                self.go(if command == Command::Top { 0 } else { usize::MAX }, page);
            }
            Command::Filter => {
                context.requests.extend(self.note_place(list));
                self.reading = false;
                self.typing.open(list);
            }
            Command::Sort => context.request(ViewRequest::OpenSortMenu),
            Command::Do(Ability::Views) => context.request(ViewRequest::OpenViewList),
            Command::SaveView => {
                let form = form::save_view::form(&context.desk.list);
                context.request(ViewRequest::Form(form));
            }
            Command::Mark | Command::Range | Command::MarkShown | Command::Invert => {
                self.mark(context, command, page);
            }
            Command::NextWanting | Command::PreviousWanting => {
                self.wanting(context, command == Command::NextWanting, page);
            }
            // Enter on a group's head folds it.
            Command::Do(Ability::Look) if let Some(row) = self.selected(list) => {
                let intent = Intent::look(row.address.clone());
                context.requests.extend(self.note_place(list));
                context.request(ViewRequest::Act(intent));
            }
            Command::Fold | Command::Do(Ability::Look) => self.toggle_fold(list, page),
            Command::OpenFolds => self.open_all(list, page),
            Command::CloseFolds => self.fold_all(list, page),
            Command::Preview => {
                list.no_preview ^= true;
                list.keeping.touch();
                self.settle(context.desk, &context.paint);
            }
            Command::Back => self.step_back(context, page),
            _ => {
                let Some(by) = command.motion(page) else { return false };
                self.step(by, page);
            }
        }
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        let parts = parts(&context.desk.list, context.paint.window());
        self.reading = parts.preview.contains(cell);
        let down = below(parts.list, cell);
        if let Some(place) = down.map(|down| self.top + down).filter(|place| *place < self.line_count()) {
            return self.go(place, page(&context.desk.list, &context.paint));
        }
        if let Some(level) = view::level_at(context.desk, &context.paint, &parts, cell) {
            return self.show_level(context, level);
        }
        let places = view::columns(&context.desk.list, &context.paint, &parts);
        let column = table::column_at(&places, parts.heads, cell);
        if let Some(sort) = column.and_then(|column| SORTS[column]) {
            menu::sort(self, context, sort);
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        self.settle_in(page(&desk.list, paint));
    }
}

impl Inventory {
    /// Runs a command of the preview, or one that goes to it because it has the keys. Returns true if it did.
    fn in_preview(&mut self, context: &ActionContext<'_>, command: Command) -> bool {
        let parts = parts(&context.desk.list, context.paint.window());
        let by = match command {
            Command::OtherDown => 1,
            Command::OtherUp => -1,
            Command::OtherPane => {
                self.reading ^= true;
                return true;
            }
            Command::Back if self.reading => {
                self.reading = false;
                return !parts.preview.is_empty();
            }
            command if self.reads(&context.desk.list, context.paint.window()) => {
                match command.motion(usize::from(parts.preview.height)) {
                    Some(by) => by,
                    None => return false,
                }
            }
            _ => return false,
        };
        // The entry that is read stays under the cursor when rows are sorted again.
        self.touched = true;
        let most = view::most_scrolled(self, context.desk, &context.paint);
        self.preview_scroll = self.preview_scroll.saturating_add_signed(by).min(most);
        true
    }

    /// Shows the rows of one level, or all again where these are shown.
    fn show_level(&mut self, context: &mut ActionContext<'_>, level: Level) {
        let word = level.name();
        let term = format!("level:{word}");
        let list = &mut context.desk.list;
        context.requests.extend(self.note_place(list));
        self.typing.close(list);
        let is_shown = list.filter.trim() == term;
        list.set_filter(if is_shown { String::new() } else { term });
        list.note_filter();
        list.keeping.touch();
        let page = page(list, &context.paint);
        self.select_shown(list, page);
        let rows = counted(list.shown.len(), "row");
        let all = context.paint.key(Command::Back);
        context.reply(if is_shown {
            format!("all {rows}")
        } else {
            format!("{word}: {rows}; {all} shows all again")
        });
    }

    fn mark(&mut self, context: &mut ActionContext<'_>, command: Command, page: usize) {
        let list = &mut context.desk.list;
        let reply = match command {
            Command::Mark | Command::Range if self.has_range() => {
                let count = self.take_range(list).unwrap_or(0) as u64;
                Some(format!("{} of the range marked", counted(count, "row")))
            }
            Command::Mark => {
                let reply = (!self.toggle_mark(list))
                    .then(|| "a group has no mark of its own; A marks all rows shown".into());
                self.step(1, page);
                reply
            }
            Command::Range if self.begin_range() => None,
            Command::Range => Some("a range begins on a row, not on a group".into()),
            Command::MarkShown => {
                let marked = self.mark_shown(list);
                Some(format!("{} marked{}", counted(marked.count, "row"), left_out(marked)))
            }
            _ => {
                let marked = self.invert_shown(list);
                Some(format!(
                    "marks inverted: {} marked now{}",
                    grouped(marked.count as u64),
                    left_out(marked)
                ))
            }
        };
        // A filter that asks for marks shows other rows now.
        if list.asks_for_marks() {
            self.select_shown(list, page);
        }
        if let Some(reply) = reply {
            context.reply(reply);
        }
    }

    fn wanting(&mut self, context: &mut ActionContext<'_>, forward: bool, page: usize) {
        let here = self.note_place(&context.desk.list);
        let Some(found) = self.go_to_wanting(&context.desk.list, forward, page) else {
            return context.reply("none of the rows shown needs attention");
        };
        context.requests.extend(here);
        let what = if found.new { "new since the last look" } else { "that need attention" };
        context.reply(format!("{} of {} {what}", grouped(found.number), grouped(found.of)));
    }

    /// The range first, then the marks, then the filter; with none of them there is nothing to step back from.
    fn step_back(&mut self, context: &mut ActionContext<'_>, page: usize) {
        let list = &mut context.desk.list;
        if self.range.take().is_some() {
            context.reply("range left; nothing was marked");
        } else if list.has_marks() {
            let count = list.mark_count() as u64;
            list.clear_marks();
            if list.asks_for_marks() {
                self.select_shown(list, page);
            }
            context.reply(format!("{} cleared", counted(count, "mark")));
        } else if !list.filter.is_empty() {
            list.set_filter(String::new());
            self.select_shown(list, page);
            context.reply("filter cleared");
        }
    }

    /// Does what the filter field is told.
    fn edit_filter(&mut self, context: &mut ActionContext<'_>, command: Command) {
        let page = page(&context.desk.list, &context.paint);
        let list = &mut context.desk.list;
        match command {
            // A term that says nothing would let all rows through.
            Command::Accept if let Some(error) = note::of(list) => {
                context.reply(format!("not kept: {error}"));
            }
            Command::Accept => {
                self.typing.close(list);
                list.keeping.touch();
                // The address that was typed is the row that is meant.
                if list.named.is_some() {
                    self.go(self.cursor, page);
                }
            }
            Command::Complete => self.complete(context),
            Command::Close | Command::Interrupt => {
                self.typing.undo(list);
                self.select_shown(list, page);
            }
            Command::ClearField => self.change_filter(context, &mut Field::clear),
            Command::DropWord => self.change_filter(context, &mut Field::drop_word),
            Command::PreviousLine => self.recall_filter(context, true),
            Command::NextLine => self.recall_filter(context, false),
            // The wheel.
            Command::Down => self.step(1, page),
            Command::Up => self.step(-1, page),
            Command::NextPage => self.step(page as isize, page),
            Command::PreviousPage => self.step(-(page as isize), page),
            _ => {}
        }
    }

    /// Completes what stands before the cursor, and says what it can become.
    fn complete(&mut self, context: &mut ActionContext<'_>) {
        const MOST_CANDIDATES: usize = 20;
        let made = context.desk.list.complete(self.typing.field.before_cursor());
        let longest = made.longest().to_owned();
        let all = made.candidates.len();
        match all {
            0 => context.reply("Tab knows nothing that fits here"),
            1 => {}
            _ => {
                let names = made
                    .candidates
                    .iter()
                    .take(MOST_CANDIDATES)
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .join("  ");
                let more = if all > MOST_CANDIDATES {
                    format!("  and {} more", grouped(all - MOST_CANDIDATES))
                } else {
                    String::new()
                };
                context.reply(format!("{names}{more}"));
            }
        }
        self.change_filter(context, &mut |field| field.replace_before(made.piece.len(), &longest));
    }

    /// Takes a pasted text; a list of addresses becomes a filter that shows them.
    fn paste_filter(&mut self, context: &mut ActionContext<'_>, text: &str) {
        let addresses = of_addresses(text);
        let parts = self.typing.field.before_cursor().ends_with(|c: char| !c.is_whitespace() && c != '|');
        let blank = if addresses.is_some() && parts { " " } else { "" };
        let text = format!("{blank}{}", addresses.as_deref().unwrap_or(text));
        self.change_filter(context, &mut |field| field.paste(&text));
        if let Some(addresses) = addresses {
            let (wanted, shown) = (addresses.split('|').count() as u64, context.desk.list.shown.len() as u64);
            context.reply(format!("{} pasted; {} shown", counted(wanted, "entry"), counted(shown, "row")));
        }
    }

    fn recall_filter(&mut self, context: &mut ActionContext<'_>, older: bool) {
        self.typing.recall(&context.desk.list, older);
        self.change_filter(context, &mut |_| {});
    }

    /// Changes the field, and filters anew if its text is another one.
    fn change_filter(&mut self, context: &mut ActionContext<'_>, change: &mut dyn FnMut(&mut Field)) {
        change(&mut self.typing.field);
        let text = self.typing.field.text().to_owned();
        let list = &mut context.desk.list;
        if text != list.filter {
            list.set_filter(text);
            // An error under the field takes a line of the list where there is little room.
            let page = page(list, &context.paint);
            self.select_shown(list, page);
        }
    }
}

fn left_out(marked: Marked) -> String {
    match marked.folded as u64 {
        0 => String::new(),
        folded => format!("; {} in folded groups left as they were", counted(folded, "row")),
    }
}
