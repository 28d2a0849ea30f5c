//! The keys of Changes: they move in the tree and in the lines, and answer for the shown changes.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::ability::{Ability, NextStep};
use crate::desk::hear::Changed;
use crate::desk::intent::{Intent, Operands};
use crate::desk::objects::{PlanObject, PlannedObject};
use crate::desk::planning::{PlanSort, Planning};
use crate::desk::telling::markdown;
use crate::desk::telling::summary::{SummarySources, summaries};
use crate::desk::{Desk, Registry, objects};
use crate::jobs::data::{Job, JobId, Outcome, PlanMark, PlanTask};
use crate::registry::Address;
use crate::rules::diff::{BlockKind, Lines};
use crate::rules::plain_text::shell_word;
use crate::rules::plan::{Part, Verb, Which};
use crate::tui::base::layout::{Area, Class, below};
use crate::tui::keymap::{Availability, Command, next_step, refuse};
use crate::tui::views::changes::notes::piece_name;
use crate::tui::views::changes::parts::{Parts, parts};
use crate::tui::views::changes::state::{At, Changes, Focus};
use crate::tui::views::changes::tree::{at_row, place_of, row_count};
use crate::tui::views::changes::{availability, building, publish, rows, view};
use crate::tui::views::{
    ActionContext, CopyText, FieldInput, FilterEdit, Jump, View, ViewContext, ViewRequest,
};
use crate::tui::widgets::diff::{Pane, Room, ValueCard};
use crate::tui::widgets::legend::{CHANGES, Legend};
use crate::tui::widgets::search::{Search, Typed};
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::table;
use crate::tui::widgets::table::SortMenu;

impl View for Changes {
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(self, desk, paint, buffer)
    }

    fn legend(&self) -> Legend {
        CHANGES
    }

    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        self.parts(&desk.planning, paint).lines
    }

    fn has_panes(&self, desk: &Desk, paint: &Paint<'_>) -> bool {
        self.file(&desk.planning).is_some() && paint.size.class() == Class::Wide
    }

    fn has_rows(&self, desk: &Desk) -> bool {
        self.file(&desk.planning).is_some()
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        availability::check(self, context, command)
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        self.check_plan(context)?;
        refuse(table::all_hidden(&context.key(Command::Back)))
    }

    fn step_key(&self, paint: &Paint<'_>, step: &NextStep) -> Option<String> {
        match step.ability {
            Ability::ShowFile => Some(self.key_to_see(paint)),
            _ => next_step::key(paint.bindings, paint.view, step),
        }
    }

    fn operands<'a>(&'a self, desk: &'a Desk) -> Operands<'a> {
        Operands {
            selection: self.selection(desk),
            address: self.subject(desk),
            change: self.change(&desk.planning),
            ..Operands::default()
        }
    }

    fn hint(&self, context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
        availability::hint(self, context, command, word)
    }

    fn named_steps(&self, context: &ViewContext<'_>) -> Vec<Command> {
        self.next_commands(context.desk, &context.paint)
    }

    fn copy_text(&self, context: &ViewContext<'_>, command: Command) -> Option<CopyText> {
        let plan = context.desk.planning.plan.as_ref()?;
        Some(CopyText::new(
            "the plan".to_owned(),
            command,
            || markdown::plan(plan),
            |out| {
                for file in &plan.files {
                    objects::write(out, "planned", &PlannedObject::new(file, None))?;
                }
                objects::write(out, "plan", &PlanObject::new(plan))
            },
        ))
    }

    fn command_line(&self, desk: &Desk) -> Option<String> {
        let address = self.subject(desk)?;
        Some(format!("bumpdesk plan show {}", shell_word(&address.to_string())))
    }

    fn path_to_copy(&self, desk: &Desk) -> Option<String> {
        self.path().or_else(|| self.subject(desk).map(Address::path))
    }

    fn patch(&self, desk: &Desk) -> Option<(Address, Arc<Lines>)> {
        let review = self.open_review(&desk.planning)?;
        Some((review.address.clone(), review.pane.shared()?))
    }

    fn rest_text(&self, context: &ViewContext<'_>) -> Option<String> {
        let is_at_piece = matches!(context.desk.registry, Registry::Loaded(_)) && self.at.piece.is_some();
        let file = self.file(&context.desk.planning).filter(|_| is_at_piece)?;
        Some(self.next_step(context.desk, file, &context.paint))
    }

    fn before_news(&mut self, desk: &Desk, _paint: &Paint<'_>) {
        self.kept = self.held(&desk.planning);
    }

    fn on(&mut self, context: &mut ActionContext<'_>, _id: JobId, changed: &Changed) {
        match changed {
            Changed::Plan | Changed::PlannedFile => self.keep_place(context.desk),
            Changed::PlanOpened { opened, is_old } => {
                self.keep_place(context.desk);
                let file = &opened.file;
                let sources = SummarySources {
                    kind: file.address.kind(),
                    verdict: context.desk.list.verdict_of(&file.address),
                    remarks: &file.remarks,
                    signer: Some(&|_| None),
                    now: context.paint.now,
                };
                self.fill(opened, summaries(&opened.lines, &sources), *is_old);
            }
            Changed::Ended(ended) => {
                match (&ended.running.job, &ended.outcome) {
                    (Job::Plan(PlanTask::Open(address)), Outcome::Failed(failure)) => {
                        self.fail_review(address, failure.clone());
                    }
                    (Job::Plan(PlanTask::Mark(_)), outcome) => self.end_marks(context, outcome),
                    (Job::Plan(PlanTask::Add(_) | PlanTask::Rebuild { .. }), outcome) => {
                        building::report_build(context, outcome);
                    }
                    (Job::Plan(PlanTask::Drop(_)), Outcome::Done(_) | Outcome::Cancelled(_)) => {
                        context.reply("removed from the plan");
                    }
                    _ => {}
                }
                return;
            }
            _ => return,
        }
        self.settle(context.desk, &context.paint);
    }

    /// The lines follow the cursor.
    fn follow(&mut self, context: &mut ActionContext<'_>) {
        if context.desk.planning.plan.is_some() {
            self.open_file(context);
        }
    }

    fn look(&mut self, context: &mut ActionContext<'_>) -> bool {
        let parts = self.parts(&context.desk.planning, &context.paint);
        if parts.lines.is_empty() || context.paint.size.class() == Class::Tiny {
            return false;
        }
        let room = Room::of(context.paint.size, parts.lines);
        let Self { review: Some(review), at, arrivals, .. } = self else { return false };
        let planning = &mut context.desk.planning;
        let file = place_of(planning, at.file).and_then(|_| planning.files().get(at.file));
        let Some(file) = file else { return false };
        if file.address != review.address || !review.is_of(file) {
            return false;
        }
        let (rows, summaries) = review.pane.on_screen(room);
        let seen = review.look((&rows, &summaries), &file.pieces, arrivals);
        let address = file.address.clone();
        let is_new = !seen.is_empty();
        for id in seen {
            planning.say(PlanMark { address: address.clone(), which: Which::Piece(id), verb: Verb::See });
        }
        planning.drop_looks();
        is_new
    }

    fn subject<'a>(&'a self, desk: &'a Desk) -> Option<&'a Address> {
        self.file(&desk.planning).map(|file| &file.address)
    }

    fn count(&self, desk: &Desk) -> usize {
        desk.planning.files().len()
    }

    fn enter(&mut self, context: &mut ActionContext<'_>, back: Option<&Jump>) {
        if let Some(back) = back
            && !self.go_to(&context.desk.planning, &back.address)
        {
            context.reply(format!("`{}` is not in the plan any more", back.address));
        }
        if context.desk.planning.plan.is_some() {
            self.open_file(context);
        } else if matches!(context.desk.registry, Registry::Loaded(_)) {
            context.request(ViewRequest::Start(Job::Plan(PlanTask::Show)));
        }
        self.settle(context.desk, &context.paint);
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        match command {
            Command::Do(Ability::Approve) => self.answer(context, &Verb::Approve),
            Command::Do(Ability::Reject) => self.answer(context, &Verb::Reject),
            Command::Do(Ability::Reopen) => self.answer(context, &Verb::Reopen),
            Command::Do(Ability::Note) => self.write_note(context),
            Command::NextFile | Command::PreviousFile => {
                let by = if command == Command::NextFile { 1 } else { -1 };
                if !self.step_file(&context.desk.planning, by) {
                    context.reply("no more files in this direction");
                }
                self.open_file(context);
            }
            Command::Do(Ability::ShowPull) => publish::show(context),
            Command::OtherPane if self.in_lines() => self.focus = Focus::Files,
            Command::OtherPane => self.go_to_lines(context),
            Command::OtherDown => self.evidence_scroll = (self.evidence_scroll + 1).min(200),
            Command::OtherUp => self.evidence_scroll = self.evidence_scroll.saturating_sub(1),
            Command::Do(Ability::ShowFile) if !self.in_lines() => self.go_to_lines(context),
            Command::Do(Ability::ShowFile) => self.look_closer(context),
            Command::Back => {
                self.step_back(context);
                return true;
            }
            Command::Filter if !self.in_lines() => self.filter.open(),
            Command::Sort => context.request(ViewRequest::OpenSortMenu),
            command if !self.in_lines() && command.motion(1).is_some() => {
                self.move_in_tree(context, command);
                self.arrive(&context.desk.planning);
                return true;
            }
            command if Pane::takes(command) => {
                self.in_the_lines(context, command);
                if Pane::moves(command) {
                    self.arrive(&context.desk.planning);
                }
            }
            _ => return false,
        }
        self.settle(context.desk, &context.paint);
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        let parts = self.parts(&context.desk.planning, &context.paint);
        let column = table::column_at(&rows::places(parts.heads.width), parts.heads, cell);
        if let Some(column) = column {
            // The heads stand over the path, the changes and the state.
            return self.sort(context, [PlanSort::Path, PlanSort::Changes, PlanSort::State][column]);
        }
        if let Some(down) = below(parts.tree, cell) {
            self.focus = Focus::Files;
            self.point_at(&context.desk.planning, down);
            self.show_piece(&context.desk.planning, &context.paint);
            self.arrive(&context.desk.planning);
            return self.settle(context.desk, &context.paint);
        }
        let room = Room::of(context.paint.size, parts.lines);
        if let (Some(down), Some(review)) = (below(parts.lines, cell), &mut self.review) {
            review.pane.point_at(down, room);
            self.in_the_lines(context, Command::Redraw);
            self.arrive(&context.desk.planning);
        }
    }

    fn filter(&self) -> Option<&Search> {
        Some(&self.filter)
    }

    fn edit_field(&mut self, context: &mut ActionContext<'_>, input: FieldInput<'_>) -> bool {
        if !self.filter.typing {
            self.edit_search(context, &mut |search| input.search(search));
            return true;
        }
        match input.type_into(&mut self.filter) {
            FilterEdit::Changed => self.show_filtered(context),
            FilterEdit::Moved(by) => {
                self.step(&context.desk.planning, by);
                self.rearranged(context);
            }
            FilterEdit::Nothing => {}
        }
        true
    }

    fn sort_menu(&self, desk: &Desk) -> SortMenu {
        let command = |sort: PlanSort| match sort {
            PlanSort::State => Some(Command::SortStatus),
            PlanSort::Path => Some(Command::SortAddress),
            PlanSort::Changes => None,
        };
        SortMenu::of(&PlanSort::ALL.map(|sort| (sort, sort.label(), command(sort))), desk.planning.sort())
    }

    fn sort_by(&mut self, context: &mut ActionContext<'_>, line: usize) {
        if let Some(sort) = PlanSort::ALL.get(line) {
            self.sort(context, *sort);
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let parts = self.parts(&desk.planning, paint);
        self.settle_tree(&desk.planning, usize::from(parts.tree.height).max(1));
        if let Some(review) = &mut self.review {
            review.pane.settle(Room::of(paint.size, parts.lines));
        }
    }

    fn search(&self) -> Option<&Search> {
        self.review.as_ref().map(|review| &review.pane.search)
    }

    fn edit_search(&mut self, context: &mut ActionContext<'_>, change: &mut dyn FnMut(&mut Search) -> Typed) {
        let room = self.room(&context.desk.planning, &context.paint);
        let Some(review) = &mut self.review else { return };
        let typed = change(&mut review.pane.search);
        let is_kept = typed == Typed::Kept;
        if let Some(reply) = review.pane.typed(typed, room) {
            context.reply(reply);
        }
        // Enter led to the first hit.
        if is_kept {
            self.in_the_lines(context, Command::Redraw);
            self.arrive(&context.desk.planning);
        }
    }
}

impl Changes {
    fn parts(&self, planning: &Planning, paint: &Paint<'_>) -> Parts {
        parts(self, row_count(planning), paint.window())
    }

    fn room(&self, planning: &Planning, paint: &Paint<'_>) -> Room {
        Room::of(paint.size, self.parts(planning, paint).lines)
    }

    fn move_in_tree(&mut self, context: &mut ActionContext<'_>, command: Command) {
        let planning = &context.desk.planning;
        let page = (usize::from(self.parts(planning, &context.paint).tree.height) / 2).max(1) as isize;
        match command {
            Command::Down => self.step(planning, 1),
            Command::Up => self.step(planning, -1),
            Command::HalfDown | Command::PageDown => self.step(planning, page),
            Command::HalfUp | Command::PageUp => self.step(planning, -page),
            Command::Top => self.at = at_row(planning, 0).unwrap_or_default(),
            _ => {
                let last = planning.shown().last().copied();
                self.at = At { file: last.unwrap_or_default(), piece: None };
            }
        }
        self.show_piece(&context.desk.planning, &context.paint);
        self.settle(context.desk, &context.paint);
        self.open_file(context);
        self.settle(context.desk, &context.paint);
    }

    /// Opens the lines of the file under the cursor. What was on its way for another file is no longer wanted.
    fn open_file(&mut self, context: &mut ActionContext<'_>) {
        let Some(address) = self.file(&context.desk.planning).map(|file| file.address.clone()) else {
            self.review = None;
            return;
        };
        if !self.begin_review(&address) {
            return;
        }
        let is_opening = |job: &Job| matches!(job, Job::Plan(PlanTask::Open(_)));
        if let Some(id) = context.desk.board.running(is_opening).map(|job| job.id) {
            context.request(ViewRequest::Abandon(id));
        }
        context.request(ViewRequest::Start(Job::Plan(PlanTask::Open(address))));
    }

    /// The plan is another one. The cursor stays on its file and change.
    fn keep_place(&mut self, desk: &Desk) {
        let held = std::mem::take(&mut self.kept);
        self.renew(&desk.planning, held);
    }

    /// Brings the change under the cursor of the tree into the lines.
    fn show_piece(&mut self, planning: &Planning, paint: &Paint<'_>) {
        let room = self.room(planning, paint);
        let Some(piece) = self.at.piece else { return };
        if let Some(review) = &mut self.review
            && let Some(first) = review.first_line(piece)
        {
            review.pane.go_to_line(first, room);
        }
    }

    /// Gives the keys to the lines. From the line of a file they lead to the change under the cursor of the lines.
    fn go_to_lines(&mut self, context: &mut ActionContext<'_>) {
        self.focus = Focus::Lines;
        if self.at.piece.is_none() {
            self.in_the_lines(context, Command::Redraw);
        }
        self.arrive(&context.desk.planning);
    }

    /// Takes note that a key or a click led to the change under the cursor. Nothing else does: neither opening the view, nor
    /// a plan that changes, nor an answer.
    fn arrive(&mut self, planning: &Planning) {
        let piece = self.piece(planning).map(|piece| piece.id.clone());
        self.arrivals.extend(piece);
    }

    /// Does what only concerns the lines; the cursor of the tree follows.
    fn in_the_lines(&mut self, context: &mut ActionContext<'_>, command: Command) {
        self.focus = Focus::Lines;
        let room = self.room(&context.desk.planning, &context.paint);
        let Self { review: Some(review), at, .. } = self else { return };
        let reply = review.pane.act(command, room);
        let pieces = context.desk.planning.files().get(at.file).map_or(&[][..], |file| &file.pieces);
        let line = review.pane.line();
        at.piece = review.piece_at(line).or_else(|| {
            let is_rest = review.pane.lines().is_some_and(|lines| is_outside(lines, line));
            pieces.iter().position(|piece| piece.part == Part::Rest).filter(|_| is_rest)
        });
        if let Some(reply) = reply {
            context.reply(reply);
        }
    }

    fn look_closer(&mut self, context: &mut ActionContext<'_>) {
        match self.review.as_ref().and_then(|review| ValueCard::of(&review.pane)) {
            Some(card) => context.request(ViewRequest::Value(card)),
            None => self.in_the_lines(context, Command::Open),
        }
    }

    /// Out of a search, then out of the lines, out of the filter, and to the Inventory.
    fn step_back(&mut self, context: &mut ActionContext<'_>) {
        if !self.in_lines() && !self.filter.text().is_empty() {
            self.filter = Search::default();
            self.show_filtered(context);
        } else if let Some(review) =
            self.review.as_mut().filter(|review| !review.pane.search.text().is_empty())
        {
            review.pane.search = Search::default();
        } else if self.in_lines() {
            self.focus = Focus::Files;
            self.settle(context.desk, &context.paint);
        } else {
            context.request(ViewRequest::Home);
        }
    }

    /// Shows the files that have the words of the filter.
    fn show_filtered(&mut self, context: &mut ActionContext<'_>) {
        context.desk.planning.filter(self.filter.text());
        self.rearranged(context);
    }

    /// The cursor stays on its file; where that is hidden, it goes to the first one.
    fn rearranged(&mut self, context: &mut ActionContext<'_>) {
        self.keep_shown(&context.desk.planning);
        self.settle(context.desk, &context.paint);
        self.open_file(context);
    }

    fn sort(&mut self, context: &mut ActionContext<'_>, sort: PlanSort) {
        context.desk.planning.sort_by(sort);
        context.reply(format!("sorted by: {}", context.desk.planning.sort().label(sort.label())));
        self.rearranged(context);
    }

    /// The change under the cursor, or the whole file.
    fn change(&self, planning: &Planning) -> Option<(Address, Which)> {
        let file = self.file(planning)?;
        let which = self.piece(planning).map_or(Which::Whole, |piece| Which::Piece(piece.id.clone()));
        Some((file.address.clone(), which))
    }

    /// Targets of what is meant that are unlike the others, and folded at this moment.
    pub(in crate::tui) fn hidden_differences(&self, planning: &Planning) -> usize {
        let Some(review) = self.open_review(planning) else { return 0 };
        let all = self.file(planning).map_or(0, |file| file.pieces.len());
        let pieces = self.at.piece.map_or(0..all, |piece| piece..piece + 1);
        pieces.map(|piece| review.folded_odd(piece)).sum()
    }

    /// Says something about what is under the cursor.
    fn answer(&mut self, context: &mut ActionContext<'_>, verb: &Verb) {
        let planning = &context.desk.planning;
        let Some((address, which)) = self.change(planning) else { return };
        let name = self.piece(planning).map_or_else(|| address.to_string(), |at| piece_name(&at.part));
        let intent = Intent::Say(vec![PlanMark { address, which, verb: verb.clone() }]);
        let key = context.paint.key(Ability::Reopen);
        context.desk.planning.pending.words = Some(match verb {
            Verb::Approve => format!("approved {name}; {key} takes it back"),
            Verb::Reject => format!("rejected {name}: left out of what would be sent; {key} takes it back"),
            _ => format!("{name} waits for an answer again"),
        });
        context.request(ViewRequest::Act(intent));
        if context.desk.board.building().is_some() {
            context.reply(format!("{name}: recorded once the running build is done"));
        }
    }
}

/// Returns true if a line is a change outside the versions.
fn is_outside(lines: &Lines, line: u32) -> bool {
    let line = lines.lines.get(line as usize);
    line.is_some_and(|line| {
        lines.blocks.get(line.block as usize).is_some_and(|block| block.kind == BlockKind::Other)
    })
}
