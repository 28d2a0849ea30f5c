//! The line mode as a value: a line or an event goes in, lines to say and jobs to start come out. Touches nothing outside of itself
//! and knows the time only as it is told.

use std::sync::Arc;

use jiff::Timestamp;

use crate::boot::Ui;
use crate::jobs::{Failure, Job, JobId, PlanMark, PlanTask, Steer, Writes};
use crate::line::listing::Listing;
use crate::line::sheet::{Page, Sheet};
use crate::line::spoken;
use crate::line::verification::Verifying;
use crate::line::work::{Doing, Work};
use crate::print::output::Line;
use crate::registry::Address;
use crate::rules::Depth;
use crate::rules::memory::Memory;
use crate::rules::plan::{Plan, Verb, Which};
use crate::rules::view::View;

/// What follows from a line or an event.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    pub(crate) lines: Vec<Line>,
    pub(crate) start: Vec<(JobId, Job)>,
    pub(crate) cancel: Vec<JobId>,
    pub(crate) steer: Option<(JobId, Steer)>,
    pub(crate) leave: bool,
}

impl Reply {
    pub(crate) fn say(&mut self, line: Line) {
        self.lines.push(line);
    }

    pub(crate) fn fail(&mut self, failure: &Failure) {
        self.lines.extend(spoken::failure(failure));
    }

    pub(crate) fn refuse(&mut self, text: &str) {
        self.lines.push(spoken::error(text));
    }
}

/// What waits for yes or no.
#[derive(Debug)]
pub(crate) enum Question {
    /// A job that writes, what it is for, and what it is called.
    Write(Job, Doing, String),
    /// Delete a saved view.
    Delete(String),
    /// Leave although something runs.
    Leave,
}

/// Which list was read out last: what a number alone means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Numbers {
    #[default]
    List,
    Plan,
    /// Rows of a verification.
    Rows,
}

/// All that the line mode remembers.
#[derive(Debug)]
pub(crate) struct LineMode {
    pub(crate) ui: Ui,
    /// `None` until the registry was read.
    pub(crate) listing: Option<Listing>,
    pub(crate) sheet: Sheet,
    pub(crate) numbers: Numbers,
    pub(crate) work: Work,
    pub(crate) question: Option<Question>,
    /// What is verified, or was last.
    pub(crate) verifying: Option<Verifying>,
    /// The entry that was opened last, for words without a number.
    pub(crate) subject: Option<Address>,
    pub(crate) plan: Option<Arc<Plan>>,
    pub(crate) views: Vec<View>,
    /// What was kept between runs, until the registry was read.
    pub(crate) memory: Memory,
    /// What the registry is called, until it was read.
    pub(crate) name: Option<String>,
    /// Survey everything so deep once the registry was read.
    pub(crate) survey_first: Option<Depth>,
}

impl LineMode {
    pub(crate) fn new(ui: Ui, name: Option<String>, survey_first: Option<Depth>) -> Self {
        Self {
            ui: Ui { plain: true, color: false, ..ui },
            listing: None,
            sheet: Sheet::Nothing,
            numbers: Numbers::List,
            work: Work::default(),
            question: None,
            verifying: None,
            subject: None,
            plan: None,
            views: Vec::new(),
            memory: Memory::new(),
            name,
            survey_first,
        }
    }

    /// The first words and the first jobs.
    pub(crate) fn begin(&mut self) -> Reply {
        let mut reply = Reply::default();
        reply.say(Line::of(concat!("bumpdesk ", env!("CARGO_PKG_VERSION"), ", in lines")));
        reply.say(Line::of("write help for the words, quit to leave; a number opens what it stands for"));
        self.start(&mut reply, Job::Recall, Doing::Recall, "reading what was kept".into());
        reply
    }

    /// What stands before the line that is to be typed; nothing while something runs, unless it waits for an answer.
    pub(crate) fn prompt(&self) -> Option<&'static str> {
        match (&self.question, self.work.is_at_rest()) {
            (Some(_), _) => Some("yes or no> "),
            (None, true) => Some("> "),
            (None, false) => None,
        }
    }

    /// Starts a job. The one place where jobs are started: what writes more than our own memory is asked about first, and two
    /// long ones never run side by side.
    pub(crate) fn start(&mut self, reply: &mut Reply, job: Job, doing: Doing, what: String) {
        if let Some(running) = self.work.long().filter(|_| doing.is_long()) {
            reply.refuse(&format!("{} still runs; wait for its end, or write cancel", running.what));
            return;
        }
        if job.writes() > Writes::Memory {
            let place = if job.writes() == Writes::Files { "the registry's data files" } else { "the plan" };
            reply.say(Line::of(format!("this changes {place}: {what}")));
            reply.say(Line::of("do it? write yes or no"));
            self.question = Some(Question::Write(job, doing, what));
            return;
        }
        self.start_now(reply, job, doing, what);
    }

    fn start_now(&mut self, reply: &mut Reply, job: Job, doing: Doing, what: String) {
        if doing.is_long() {
            reply.say(spoken::now(&what));
        }
        let id = self.work.add(doing, what);
        reply.start.push((id, job));
    }

    /// Takes the answer to the question that was asked.
    pub(crate) fn answer(&mut self, line: &str) -> Reply {
        let mut reply = Reply::default();
        let yes = match line.trim().to_ascii_lowercase().as_str() {
            "yes" | "y" => true,
            "no" | "n" => false,
            _ => {
                reply.say(Line::of("write yes or no"));
                return reply;
            }
        };
        match (self.question.take(), yes) {
            (Some(Question::Write(job, doing, what)), true) => match self.work.long() {
                Some(running) => {
                    reply.refuse(&format!("{} still runs; nothing was done", running.what));
                }
                None => self.start_now(&mut reply, job, doing, what),
            },
            (Some(Question::Delete(name)), true) => self.delete_view(&mut reply, &name),
            (Some(Question::Leave), true) => reply.leave = true,
            (Some(Question::Leave), false) => reply.say(Line::of("staying")),
            (Some(_), false) => reply.say(Line::of("nothing was done")),
            (None, _) => {}
        }
        reply
    }

    /// Ctrl-C: takes a question back, or cancels what runs, or says how to leave.
    pub(crate) fn interrupted(&mut self) -> Reply {
        let mut reply = Reply::default();
        if self.question.take().is_some() {
            reply.say(Line::of("nothing was done"));
        } else if self.work.is_at_rest() {
            reply.say(Line::of("nothing runs; write quit to leave"));
        } else {
            self.cancel(&mut reply);
        }
        reply
    }

    /// Cancels all that runs.
    pub(crate) fn cancel(&mut self, reply: &mut Reply) {
        let what = self.work.told();
        reply.cancel = self.work.stop();
        match (what.is_empty(), reply.cancel.is_empty()) {
            (true, _) => reply.say(Line::of("nothing runs")),
            (false, true) => reply.say(spoken::now(&format!("still stopping: {what}"))),
            (false, false) => reply.say(spoken::now(&format!("stopping: {what}"))),
        }
    }

    /// Ctrl-D: leaves, or takes a question for answered: what would write is not done, and leaving is left to be.
    pub(crate) fn ended(&mut self) -> Reply {
        let mut reply = Reply::default();
        match self.question.take() {
            Some(Question::Leave) => reply.leave = true,
            Some(_) => reply.say(Line::of("nothing was done")),
            None => self.quit(&mut reply),
        }
        reply
    }

    pub(crate) fn quit(&mut self, reply: &mut Reply) {
        if self.work.is_at_rest() {
            reply.leave = true;
            return;
        }
        reply.say(Line::of(format!("{} still runs; what it found so far is kept", self.work.told())));
        reply.say(Line::of("stop it and leave? write yes or no"));
        self.question = Some(Question::Leave);
    }

    /// Ten seconds went by.
    pub(crate) fn tick(&mut self) -> Reply {
        let lines = self.work.tick().iter().map(spoken::progress).collect();
        Reply { lines, ..Reply::default() }
    }

    /// Reads a text out from its start.
    pub(crate) fn read(&mut self, reply: &mut Reply, sheet: Sheet, now: Timestamp) {
        self.sheet = sheet;
        let page = self.sheet.page(self.listing.as_ref(), now);
        self.take_page(reply, page);
    }

    /// Makes the list anew and reads it out from its first row.
    pub(crate) fn read_list(&mut self, reply: &mut Reply, now: Timestamp) {
        if let Some(listing) = &mut self.listing {
            listing.arrange(now);
        }
        self.numbers = Numbers::List;
        self.read(reply, Sheet::List { at: 0 }, now);
    }

    /// Reads out all that is left.
    pub(crate) fn read_on(&mut self, reply: &mut Reply, now: Timestamp) {
        loop {
            let mut page = self.sheet.turn(self.listing.as_ref(), now, true);
            let ended = page.ended;
            if !ended {
                // Where the page ends says nothing to who reads on.
                page.lines.pop();
            }
            self.take_page(reply, page);
            if ended {
                return;
            }
        }
    }

    /// Goes on, or back, by a page.
    pub(crate) fn turn(&mut self, reply: &mut Reply, now: Timestamp, forward: bool) {
        let page = self.sheet.turn(self.listing.as_ref(), now, forward);
        self.take_page(reply, page);
    }

    fn take_page(&mut self, reply: &mut Reply, page: Page) {
        reply.lines.extend(page.lines);
        let Some(reviewed) = page.reviewed else { return };
        let what =
            format!("{} was read out in full and counts as looked at", spoken::address(&reviewed.address));
        let address = &reviewed.address;
        let see = |id| PlanMark { address: address.clone(), which: Which::Piece(id), verb: Verb::See };
        let marks = reviewed.pieces.iter().cloned().map(see).collect();
        self.start(reply, Job::Plan(PlanTask::Mark(marks)), Doing::See(reviewed.address), what);
    }
}
