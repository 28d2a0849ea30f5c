//! The effects of keys in Jobs.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::hear::Changed;
use crate::desk::history::{JobKey, command_line};
use crate::desk::intent::{Cancel, Intent, Steered};
use crate::desk::telling::{self, Message};
use crate::jobs::data::{ActionsTask, Job, JobId, Outcome};
use crate::registry::Address;
use crate::rules::amount::grouped;
use crate::tui::base::layout::{Area, below, first_visible};
use crate::tui::keymap::{Availability, Command};
use crate::tui::views::jobs::availability::NO_RUN;
use crate::tui::views::jobs::legend::LEGEND;
use crate::tui::views::jobs::parts::parts_of;
use crate::tui::views::jobs::state::{Jobs, Pane};
use crate::tui::views::jobs::{availability, log, machines, reading, view};
use crate::tui::views::{ActionContext, Jump, View, ViewContext, ViewRequest};
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::search;
use crate::tui::widgets::search::{Search, Typed};
use crate::tui::widgets::strip::Paint;

const SIDEWAYS: usize = 8;

impl View for Jobs {
    fn draw(&self, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
        view::view(self, desk, paint, buffer)
    }

    fn legend(&self) -> Legend {
        LEGEND
    }

    fn list(&self, desk: &Desk, paint: &Paint<'_>) -> Area {
        parts_of(self, desk, paint.window()).list
    }

    fn has_panes(&self, _desk: &Desk, _paint: &Paint<'_>) -> bool {
        true
    }

    fn has_rows(&self, desk: &Desk) -> bool {
        !desk.job_rows().is_empty()
    }

    fn availability(&self, context: &ViewContext<'_>, command: Command) -> Availability {
        availability::check(self, context, command)
    }

    fn why_empty(&self, context: &ViewContext<'_>) -> Availability {
        availability::why_empty(context)
    }

    fn check_subject(&self, context: &ViewContext<'_>) -> Availability {
        self.check_rows(context)?;
        availability::has_page(self, context)
    }

    fn intent(&self, desk: &Desk, ability: Ability) -> Option<Result<Intent, Message>> {
        Some(match ability {
            Ability::MergeRun => self
                .run(desk)
                .map_or_else(|| telling::refuse(NO_RUN), |run| Ok(Intent::MergeRun(run.shown.run.id))),
            Ability::RunAgain => Ok(Intent::RunAgain(self.selected(desk)?.key)),
            Ability::CancelJob => match self.selected(desk)?.key {
                JobKey::Here(id) => Ok(Intent::Cancel(Cancel::This(id))),
                JobKey::Past(_) => telling::refuse("this job is not running here"),
            },
            _ => return desk.intent_of(ability, &self.operands(desk)),
        })
    }

    fn hint(&self, context: &ViewContext<'_>, command: Command, word: &'static str) -> Option<&'static str> {
        availability::hint(self, context, command, word)
    }

    fn command_line(&self, desk: &Desk) -> Option<String> {
        command_line(&self.selected(desk)?).ok()
    }

    /// The page of the run under the cursor.
    fn page_url(&self, desk: &Desk) -> Option<String> {
        self.run(desk)?.shown.run.page()
    }

    fn shows_progress(&self) -> bool {
        true
    }

    fn shows_list(&self) -> bool {
        true
    }

    fn on(&mut self, context: &mut ActionContext<'_>, id: JobId, changed: &Changed) {
        match changed {
            Changed::Progress(_) => return reading::follow(self, context),
            Changed::Ended(ended) => {
                match (&ended.running.job, &ended.outcome) {
                    (Job::Actions(ActionsTask::Look { .. }), Outcome::Done(_)) => {
                        machines::report_run(self, context, id);
                    }
                    (Job::Actions(ActionsTask::Merge { .. }), Outcome::Done(summary)) => {
                        machines::report_merge(context, summary);
                    }
                    _ => {}
                }
                if ended.is_listed && context.is_seen {
                    reading::read(self, context);
                }
                return;
            }
            Changed::Log(lines) => {
                self.take_log(Arc::clone(lines));
                if !self.search.text().is_empty() {
                    self.find(context.desk);
                }
            }
            Changed::RunLog { log, is_asked } => reading::show_log(context, log, *is_asked),
            Changed::Journal | Changed::Run(_) => {}
            _ => return,
        }
        self.settle(context.desk, &context.paint);
    }

    fn subject<'a>(&'a self, _desk: &'a Desk) -> Option<&'a Address> {
        None
    }

    fn count(&self, desk: &Desk) -> usize {
        desk.board.journalled().count()
    }

    fn enter(&mut self, context: &mut ActionContext<'_>, _back: Option<&Jump>) {
        reading::read(self, context);
    }

    fn act(&mut self, context: &mut ActionContext<'_>, command: Command) -> bool {
        match command {
            Command::Do(Ability::CancelJob) => {
                if let Some(id) = self.running_here(context.desk).map(|job| job.id) {
                    let says = "stopping the job; what it found is kept".to_owned();
                    context.request(ViewRequest::ActAndSay(Intent::Cancel(Cancel::This(id)), says));
                }
            }
            Command::Do(Ability::PauseJob) => self.pause_here(context),
            Command::ClearDone => {
                let hides = context.desk.history.has_done();
                context.desk.history.cleared = hides.then_some(context.paint.now);
                self.at = None;
                let key = context.paint.key(command);
                context.reply(if hides {
                    format!("finished jobs are hidden; {key} shows them again")
                } else {
                    "finished jobs are shown again".into()
                });
            }
            Command::OnlyErrors => {
                self.shows = self.shows.next();
                self.back = 0;
                context.reply(self.shows.words());
                self.find(context.desk);
            }
            Command::Filter => self.search.open(),
            Command::NextWanting | Command::PreviousWanting => {
                self.go_to_hit(context, command == Command::NextWanting);
            }
            Command::Wrap => {
                self.wrap = !self.wrap;
                self.left = 0;
            }
            Command::Left => self.left = self.left.saturating_sub(SIDEWAYS),
            Command::Right if self.wrap => {}
            Command::Right => self.left = (self.left + SIDEWAYS).min(4096),
            Command::OtherPane => self.go_to(context.desk, self.next_pane(context.desk)),
            Command::Do(Ability::ReadRunLogs) => match self.pane {
                Pane::Rows => self.go_to(context.desk, self.next_pane(context.desk)),
                Pane::Run => {
                    if let Some(run) = self.run(context.desk) {
                        context.requests.extend(machines::open(run, self.at_job));
                    }
                }
                Pane::Log => {}
            },
            // Out of the search, then out of the panes, then to the Inventory.
            Command::Back if !self.search.text().is_empty() => self.search = Search::default(),
            Command::Back if self.pane != Pane::Rows => {
                self.go_to(context.desk, self.pane_above(context.desk));
            }
            Command::Back => context.request(ViewRequest::Home),
            Command::OtherDown => self.step(context.desk, self.next_pane(context.desk), 1),
            Command::OtherUp => self.step(context.desk, self.next_pane(context.desk), -1),
            command => {
                let parts = parts_of(self, context.desk, context.paint.window());
                let seen = match self.pane {
                    Pane::Rows => parts.list,
                    Pane::Run => parts.machines,
                    Pane::Log => parts.log,
                };
                let Some(by) = command.motion(usize::from(seen.height)) else { return false };
                self.step(context.desk, self.pane, by);
            }
        }
        self.settle(context.desk, &context.paint);
        true
    }

    fn click(&mut self, context: &mut ActionContext<'_>, cell: Position) {
        let Some(down) = below(self.list(context.desk, &context.paint), cell) else { return };
        let rows = context.desk.job_rows();
        if let Some(row) = rows.get(self.top + down) {
            self.at = Some(row.key);
            (self.pane, self.at_job) = (Pane::Rows, None);
            self.settle(context.desk, &context.paint);
        }
    }

    fn settle(&mut self, desk: &Desk, paint: &Paint<'_>) {
        let rows = desk.job_rows();
        if self.pane == Pane::Run && self.run(desk).is_none() {
            self.pane = Pane::Rows;
        }
        let parts = parts_of(self, desk, paint.window());
        let at = self.place(&rows);
        let page = usize::from(parts.list.height);
        let lines = log::shown(self, rows.get(at)).len();
        let most = lines.saturating_sub(usize::from(parts.log.height).max(1));
        self.top = first_visible(self.top, at, page, rows.len());
        self.back = self.back.min(most);
    }

    fn search(&self) -> Option<&Search> {
        Some(&self.search)
    }

    fn edit_search(&mut self, context: &mut ActionContext<'_>, change: &mut dyn FnMut(&mut Search) -> Typed) {
        let typed = change(&mut self.search);
        if typed == Typed::Nothing || self.search.text().is_empty() {
            return;
        }
        self.find(context.desk);
        if typed == Typed::Kept {
            self.go_to(context.desk, Pane::Log);
            // The newest lines are looked at first.
            self.go_to_hit(context, false);
            self.settle(context.desk, &context.paint);
        }
    }
}

impl Jobs {
    /// Pauses the verification or the backfill under the cursor, or resumes it.
    fn pause_here(&self, context: &mut ActionContext<'_>) {
        let here = self.running_here(context.desk).map(|job| &job.job);
        let is_backfill = matches!(here, Some(Job::Backfill(_)));
        let steered = if is_backfill { Steered::Backfill } else { Steered::Verification };
        context.pause(Ability::PauseJob, steered);
    }

    /// Gives the keys to a pane. What it is about stays, whatever begins meanwhile.
    fn go_to(&mut self, desk: &Desk, pane: Pane) {
        self.step(desk, Pane::Rows, 0);
        self.step(desk, Pane::Run, 0);
        self.pane = pane;
    }

    fn step(&mut self, desk: &Desk, pane: Pane, by: isize) {
        match pane {
            Pane::Rows => self.step_row(desk, by),
            Pane::Run => self.step_job(desk, by),
            Pane::Log => self.step_log(by),
        }
    }

    fn step_row(&mut self, desk: &Desk, by: isize) {
        let rows = desk.job_rows();
        let here = self.place(&rows);
        let to = here.saturating_add_signed(by).min(rows.len().saturating_sub(1));
        self.at = rows.get(to).map(|row| row.key);
        if to != here {
            (self.back, self.at_job) = (0, None);
            self.find(desk);
        }
    }

    fn step_job(&mut self, desk: &Desk, by: isize) {
        let Some(run) = self.run(desk) else { return };
        let to = machines::place(run, self.at_job).saturating_add_signed(by);
        let jobs = &run.shown.jobs;
        self.at_job = jobs.get(to.min(jobs.len().saturating_sub(1))).map(|job| job.id);
    }

    /// Scrolls the log; its end is followed again once that is reached.
    fn step_log(&mut self, by: isize) {
        self.back = self.back.saturating_add_signed(by.saturating_neg());
    }

    /// Looks for what is searched for among the lines that are shown.
    pub(in crate::tui) fn find(&mut self, desk: &Desk) {
        let row = self.selected(desk);
        let wanted = self.search.text();
        let hits: Vec<u32> = log::shown(self, row.as_ref())
            .iter()
            .enumerate()
            .filter_map(|(at, line)| search::has(&log::line_text(line), wanted).then_some(at as u32))
            .collect();
        self.search.told = match hits.len() {
            0 => "not found".into(),
            count => format!("{} found", grouped(count)),
        };
        self.search.hits = hits;
    }

    /// To another hit: it stands in the middle of the window where there are lines enough.
    fn go_to_hit(&mut self, context: &mut ActionContext<'_>, forward: bool) {
        let row = self.selected(context.desk);
        let lines = log::shown(self, row.as_ref()).len();
        let half = usize::from(parts_of(self, context.desk, context.paint.window()).log.height) / 2;
        let place = self.search_at.unwrap_or(lines as u32);
        let Some(hit) = self.search.next(place, forward) else {
            return context.reply(format!("`{}` is not found", self.search.text()));
        };
        self.search_at = Some(hit);
        self.back = lines.saturating_sub(hit as usize + 1).saturating_sub(half);
        let number = self.search.hits.partition_point(|at| *at <= hit);
        context.reply(format!("hit {number} of {}", self.search.told));
    }
}
