//! The line mode as a value: a line or an event goes in, lines to say and jobs to start come out. Touches nothing outside of itself
//! and knows the time only as it is told.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::boot::Ui;
use crate::desk::ability::Ability;
use crate::desk::intent::{Answer, Begun, Cancel, Intent, Question};
use crate::desk::telling::Message;
use crate::desk::{Consent, Desk};
use crate::jobs::data::{Failure, Job, JobId, Opened, PlanMark, PlanTask, Steer, Writes};
use crate::line::listing::Listing;
use crate::line::sheet::{Page, Sheet};
use crate::line::{spoken, words};
use crate::print::output::Line;
use crate::print::progress::Steps;
use crate::rules::Depth;
use crate::rules::plan::{Verb, Which};
use crate::rules::review::Against;
use crate::rules::verify::Row;

/// The result of a line or an event: text to print, and jobs to start, cancel or steer.
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

    /// Takes what was begun, and says what will go on for a while.
    pub(crate) fn begun(&mut self, begun: Begun) {
        for (_, job) in begun.start.iter().filter(|(_, job)| job.is_long()) {
            self.say(spoken::now(&spoken::slashes(&job.sentence())));
        }
        self.cancel.extend(begun.cancel);
        self.start.extend(begun.start);
        self.steer = begun.steer;
        self.leave |= begun.leave;
    }

    pub(crate) fn fail(&mut self, failure: &Failure) {
        self.lines.extend(spoken::failure(failure));
    }

    pub(crate) fn refuse(&mut self, text: &str) {
        self.lines.push(spoken::error(text));
    }

    /// Says why the desk refuses.
    pub(crate) fn refused(&mut self, why: &Message) {
        self.refuse(&spoken::slashes(&words::text_of(why)));
    }
}

/// The list that was read out last: a number alone names one of its rows.
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
    pub(crate) desk: Desk,
    /// The view that was chosen by its name; empty if none was.
    pub(crate) view: String,
    pub(crate) sheet: Sheet,
    pub(crate) numbers: Numbers,
    /// The last reported progress of each job.
    pub(crate) steps: BTreeMap<JobId, Steps>,
    pub(crate) question: Option<Question>,
    /// Rows of a verification in the order in which they were read out: what their numbers mean.
    pub(crate) rows: Vec<Vec<Arc<Row>>>,
    /// Rows that were over when it was told last how far the verification is.
    pub(crate) rows_reported: usize,
    /// The entry that was opened last, for words without a number.
    pub(crate) opened: Option<Arc<Opened>>,
    /// Reads of the plan for another job, which is told with them.
    pub(crate) instead: BTreeMap<JobId, Job>,
    /// Survey everything so deep once the registry was read.
    pub(crate) survey_first: Option<Depth>,
    /// The survey that it begins with: the list is read out after it.
    pub(crate) first_survey: Option<JobId>,
    /// The lines of a pull request to read out once they are there.
    pub(crate) lines_request: Option<(u64, Against)>,
    /// The part of the stranded board to read out once it is there.
    pub(crate) stranded_request: (Ability, String),
}

impl LineMode {
    pub(crate) fn new(ui: Ui, name: Option<String>, survey_first: Option<Depth>) -> Self {
        Self {
            ui: Ui { plain: true, color: false, ..ui },
            desk: Desk { consent: Consent::Spoken, name, ..Desk::default() },
            view: String::new(),
            sheet: Sheet::Nothing,
            numbers: Numbers::List,
            steps: BTreeMap::new(),
            question: None,
            rows: Vec::new(),
            rows_reported: 0,
            opened: None,
            instead: BTreeMap::new(),
            survey_first,
            first_survey: None,
            lines_request: None,
            stranded_request: (Ability::ShowStranded, String::new()),
        }
    }

    /// The first words and the first jobs.
    pub(crate) fn begin(&mut self) -> Reply {
        let mut reply = Reply::default();
        reply.say(Line::of(concat!("bumpdesk ", env!("CARGO_PKG_VERSION"), ", in lines")));
        reply.say(Line::of("write help for the words, quit to leave; a number opens what it stands for"));
        self.start(&mut reply, Job::Recall, Timestamp::UNIX_EPOCH);
        reply
    }

    pub(crate) fn is_at_rest(&self) -> bool {
        self.desk.board.all().is_empty()
    }

    /// The running jobs, for people: `survey of everything`.
    pub(crate) fn running(&self) -> String {
        let running = self.desk.board.all().iter().map(|job| job.job.sentence());
        spoken::slashes(&running.collect::<Vec<_>>().join(" and "))
    }

    /// The prompt before an input line; `None` while a job runs, unless a question waits for its answer.
    pub(crate) fn prompt(&self) -> Option<&'static str> {
        match (&self.question, self.is_at_rest()) {
            (Some(_), _) => Some("yes or no> "),
            (None, true) => Some("> "),
            (None, false) => None,
        }
    }

    /// Starts a job that nobody asks about, since it looks, or keeps what is our own.
    pub(crate) fn start(&mut self, reply: &mut Reply, job: Job, now: Timestamp) -> JobId {
        let id = self.desk.board.begin(job.clone(), now);
        reply.start.push((id, job));
        id
    }

    /// Has the desk do what is meant: begins it, asks about it, or says why not.
    pub(crate) fn act(&mut self, reply: &mut Reply, intent: Intent, now: Timestamp) {
        match self.desk.act(intent, now) {
            Answer::Started(begun) => reply.begun(begun),
            Answer::Question(question) => self.ask(reply, question),
            Answer::Refused(why) => reply.refused(&why),
        }
    }

    pub(crate) fn ask(&mut self, reply: &mut Reply, question: Question) {
        let place = match question.writes {
            Writes::Files => Some("the registry's data files"),
            Writes::Plan => Some("the plan"),
            Writes::GitHub => Some("the registry on GitHub"),
            Writes::Nothing | Writes::Memory => None,
        };
        if let Some(place) = place {
            reply.say(Line::of(format!("this changes {place}: {}", spoken::slashes(&question.doing))));
        }
        reply.lines.extend(question.says.iter().map(|says| Line::of(spoken::slashes(says))));
        let yes = if place.is_some() { "do it" } else { question.yes };
        reply.say(Line::of(format!("{yes}? write yes or no")));
        self.question = Some(question);
    }

    /// Takes the answer to the question that was asked.
    pub(crate) fn answer(&mut self, line: &str, now: Timestamp) -> Reply {
        let mut reply = Reply::default();
        let yes = match line.trim().to_ascii_lowercase().as_str() {
            "yes" | "y" => true,
            "no" | "n" => false,
            // A yes that sends is said right after what it would send, or not at all.
            _ if self.question.take_if(|question| question.writes == Writes::GitHub).is_some() => {
                let mut reply = self.take_line(line, now);
                reply.lines.insert(0, Line::of("nothing was sent"));
                return reply;
            }
            _ => {
                reply.say(Line::of("write yes or no"));
                return reply;
            }
        };
        match (self.question.take(), yes) {
            (Some(question), true) => match self.desk.agree(&question.intent, now) {
                Ok(begun) => {
                    reply.begun(begun);
                    self.keep(&mut reply, now);
                }
                Err(why) => {
                    reply.refused(&why);
                    reply.say(Line::of("nothing was done"));
                }
            },
            (Some(Question { intent: Intent::Leave, .. }), false) => {
                reply.say(Line::of("staying"));
            }
            (Some(_), false) => reply.say(Line::of("nothing was done")),
            (None, _) => {}
        }
        reply
    }

    /// Ctrl-C: takes a question back, or cancels what runs, or says how to leave.
    pub(crate) fn interrupted(&mut self, now: Timestamp) -> Reply {
        let mut reply = Reply::default();
        if self.question.take().is_some() {
            reply.say(Line::of("nothing was done"));
        } else if self.is_at_rest() {
            reply.say(Line::of("nothing is running; write quit to leave"));
        } else {
            self.cancel(&mut reply, now);
        }
        reply
    }

    /// Cancels all that runs.
    pub(crate) fn cancel(&mut self, reply: &mut Reply, now: Timestamp) {
        let what = self.running();
        match self.desk.act(Intent::Cancel(Cancel::All), now) {
            Answer::Started(begun) => {
                let still = if begun.cancel.is_empty() { "still " } else { "" };
                reply.say(spoken::now(&format!("{still}stopping: {what}")));
                reply.begun(begun);
            }
            Answer::Question(question) => self.ask(reply, question),
            Answer::Refused(why) => reply.say(Line::of(why.text)),
        }
    }

    /// Ctrl-D: leaves, or takes a question for answered: what would write is not done, and leaving is left to be.
    pub(crate) fn ended(&mut self, now: Timestamp) -> Reply {
        let mut reply = Reply::default();
        match self.question.take() {
            Some(Question { intent: Intent::Leave, .. }) => reply.leave = true,
            Some(_) => reply.say(Line::of("nothing was done")),
            None => self.act(&mut reply, Intent::Leave, now),
        }
        reply
    }

    /// Ten seconds went by.
    pub(crate) fn tick(&mut self) -> Reply {
        let ticks = self.steps.values_mut().filter_map(Steps::tick);
        Reply { lines: ticks.map(|progress| spoken::progress(&progress)).collect(), ..Reply::default() }
    }

    /// Reads a text out from its start.
    pub(crate) fn read(&mut self, reply: &mut Reply, sheet: Sheet, now: Timestamp) {
        self.sheet = sheet;
        let page = self.sheet.page(Listing::of(&self.desk, &self.view), now);
        self.take_page(reply, page, now);
    }

    /// Makes the list anew and reads it out from its first row.
    pub(crate) fn read_list(&mut self, reply: &mut Reply, now: Timestamp) {
        self.desk.list.now = now;
        self.desk.list.arrange();
        self.numbers = Numbers::List;
        self.read(reply, Sheet::List { at: 0 }, now);
    }

    /// Says how many files were bumped lately; counts them first if that is due.
    pub(crate) fn say_activity(&mut self, reply: &mut Reply, now: Timestamp) {
        match (self.desk.count_activity(now), &self.desk.activity.counted) {
            (Some(count), _) => reply.start.push(count),
            (None, Some(activity)) => reply.say(Line::of(activity.sentence())),
            (None, None) => {}
        }
    }

    /// Reads out all that is left.
    pub(crate) fn read_on(&mut self, reply: &mut Reply, now: Timestamp) {
        loop {
            let mut page = self.sheet.turn(Listing::of(&self.desk, &self.view), now, true);
            let ended = page.ended;
            if !ended {
                // Where the page ends says nothing to who reads on.
                page.lines.pop();
            }
            self.take_page(reply, page, now);
            if ended {
                return;
            }
        }
    }

    /// Goes on, or back, by a page.
    pub(crate) fn turn(&mut self, reply: &mut Reply, now: Timestamp, forward: bool) {
        let page = self.sheet.turn(Listing::of(&self.desk, &self.view), now, forward);
        self.take_page(reply, page, now);
    }

    fn take_page(&mut self, reply: &mut Reply, page: Page, now: Timestamp) {
        reply.lines.extend(page.lines);
        let Some(reviewed) = page.reviewed else { return };
        let address = &reviewed.address;
        let see = |id| PlanMark { address: address.clone(), which: Which::Piece(id), verb: Verb::See };
        let marks = reviewed.pieces.iter().cloned().map(see).collect();
        self.start(reply, Job::Plan(PlanTask::Mark(marks)), now);
    }
}
