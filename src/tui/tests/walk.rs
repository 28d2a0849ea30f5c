//! A walk through the console: messages of all kinds to any model, and the rules that hold after each of
//! them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;

use crate::desk::tests as desk;
use crate::jobs::data::{
    self, Failure, FailureKind, Inquiry, Job, JobEvent, JobId, Judgement, Loaded, Opened, Outcome, Phase,
    Progress, Summary,
};
use crate::registry::Address;
use crate::rules::plan::{Answer, PieceId};
use crate::rules::sending::GateName;
use crate::settings::Ground;
use crate::tui::base::layout::{Class, Size};
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::outside::ProgramReply;
use crate::tui::tests::consent::Before;
use crate::tui::tests::fake_plan::FakePlan;
use crate::tui::tests::place::{Place, depth};
use crate::tui::tests::sends::{Confirmed, digits_on};
use crate::tui::tests::{options, press, pulls, screen, started, world};

/// The function that takes the messages: `update`, or one with a planted fault.
pub(super) type Dispatch = fn(&mut Model, Msg) -> Vec<Effect>;

/// The model that a walk begins with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    Normal,
    Empty,
    Unchecked,
    Hostile,
    Many,
    /// A prepared pull request, armed.
    Armed,
    /// [`Start::Armed`], and the field for the digits was left.
    AtGates,
    /// A pull request that was sent in part, with its undo on the screen.
    Undoing,
    /// An earlier run left a sending unfinished.
    Earlier,
    /// No registry was found; below it, the registry is not read yet.
    Missing,
    Loading,
    /// Keys that lead to a deep place.
    At(&'static str),
}

/// The outcome of a job.
#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    Well,
    Badly,
    Stopped,
}

/// One thing that happens.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// The n-th key of the current place.
    Known(usize),
    Key(&'static str),
    Letter(char),
    Paste(&'static str),
    /// The digits on the screen, pasted.
    Digits,
    Click(u16, u16),
    Wheel(bool),
    Size(u16, u16),
    /// Seconds pass.
    Later(i64),
    Ground(Ground),
    Keep,
    /// The model is drawn on the screen.
    Frame,
    /// One running job answers.
    Answer(usize, How),
    Progress(usize),
    /// Verdicts move on by this many rows.
    Judge(usize),
    /// An event of an unknown job.
    Stray(u64),
    Header,
    Outside,
}

/// The model, and the observer's knowledge of it.
pub(super) struct Walk {
    pub(super) model: Model,
    dispatch: Dispatch,
    jobs: Vec<(JobId, Job)>,
    fake: FakePlan,
    /// Addresses that were in the list at any time, or came back marked from an earlier run.
    shown: BTreeSet<Address>,
    /// Changes of the plan that were under the cursor of Changes after a key or a click.
    reached: BTreeSet<PieceId>,
    drawn: u32,
    /// The digits on the last frame that had any.
    framed: Option<String>,
}

impl Walk {
    pub(super) fn new(start: Start, dispatch: Dispatch) -> Self {
        let model = match start {
            Start::Normal | Start::At(_) => started(world::normal(), 100, 30),
            Start::Empty => started(world::registry(Vec::new()), 100, 30),
            Start::Unchecked => started(world::unchecked(), 120, 40),
            Start::Hostile => started(world::hostile(), 80, 24),
            Start::Armed => pulls::armed(100, 30),
            Start::AtGates => {
                let mut model = pulls::armed(100, 30);
                press(&mut model, "<esc>");
                model
            }
            Start::Undoing => pulls::undoing(80, 24),
            Start::Earlier => {
                let mut model = pulls::earlier(100, 30);
                press(&mut model, "P");
                pulls::arm(&mut model);
                model
            }
            Start::Many => started(world::huge(300), 60, 20),
            Start::Missing => {
                let mut options = options(80, 24);
                options.registry_hint = None;
                Model::new(options)
            }
            Start::Loading => Model::new(options(80, 24)),
        };
        let mut walk = Self {
            model,
            dispatch,
            jobs: Vec::new(),
            fake: FakePlan::normal(),
            shown: BTreeSet::new(),
            reached: BTreeSet::new(),
            drawn: 0,
            framed: None,
        };
        // These were armed on the screen that has the digits, and that was drawn.
        if let Start::Armed | Start::AtGates | Start::Undoing | Start::Earlier = start {
            walk.framed = digits_on(&screen(&walk.model));
        }
        if let Start::Loading = start {
            let effects = walk.model.begin();
            walk.note(effects);
        }
        // A state that keys hide on the way to a place was never on the screen.
        match start {
            Start::At(keys) => walk.deepen(keys),
            _ => walk.see(),
        }
        walk
    }

    /// Presses keys without checks, and answers all jobs well.
    fn deepen(&mut self, keys: &str) {
        let read: Vec<JobId> = self
            .model
            .desk
            .board
            .running(|job| matches!(job, Job::Plan(_)))
            .map(|job| job.id)
            .into_iter()
            .collect();
        for id in read {
            let effects =
                self.fake.answer_one(&mut self.model, id, &Job::Plan(crate::jobs::data::PlanTask::Show));
            self.note(effects);
        }
        for key in keys.split(' ') {
            let effects = press(&mut self.model, key);
            self.reach();
            self.note(effects);
            while !self.jobs.is_empty() {
                self.answer(0, How::Well).expect("what is planted does not disturb the way there");
            }
        }
        self.see();
    }

    fn note(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Start(id, job) = effect {
                self.jobs.push((id, job));
            }
        }
    }

    fn reach(&mut self) {
        let (model, planning) = (&self.model, &self.model.desk.planning);
        if model.screen == ViewId::Changes && model.popup.is_none() {
            self.reached.extend(model.views.changes.piece(planning).map(|piece| piece.id.clone()));
        }
    }

    fn see(&mut self) {
        let list = &self.model.views.inventory;
        let rows = (0..list.line_count()).filter_map(|place| list.row(&self.model.desk.list, place));
        self.shown.extend(rows.map(|(row, ..)| row.address.clone()));
    }

    /// Takes one step, and returns the fault after it.
    pub(super) fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Known(n) => {
                let bindings = &self.model.keys.bindings;
                let keys: Vec<Vec<Chord>> =
                    bindings.within(self.model.context()).flat_map(|bound| bound.keys.clone()).collect();
                let Some(chosen) = keys.get(n % keys.len().max(1)) else { return Ok(()) };
                self.model.keys.swallows = false;
                chosen.iter().try_for_each(|chord| self.send(Msg::Key(*chord)))
            }
            Step::Key(key) => {
                self.model.keys.swallows = false;
                self.send(Msg::Key(Chord::parse(key).expect("a key")))
            }
            Step::Letter(letter) => {
                let name = if *letter == ' ' { "space".to_owned() } else { letter.to_string() };
                self.send(Msg::Key(Chord::parse(&name).expect("a letter")))
            }
            Step::Digits => match digits_on(&screen(&self.model)) {
                Some(digits) => self.send(Msg::Paste(digits)),
                None => Ok(()),
            },
            Step::Paste(text) => self.send(Msg::Paste((*text).into())),
            Step::Click(column, row) => self.send(Msg::Mouse(Mouse::Click(*column, *row))),
            Step::Wheel(up) => {
                self.send(Msg::Mouse(if *up { Mouse::WheelUp(9, 9) } else { Mouse::WheelDown(9, 9) }))
            }
            Step::Size(columns, rows) => self.send(Msg::Resize(Size::new(*columns, *rows))),
            Step::Later(seconds) => {
                let now = self.model.now.checked_add(SignedDuration::from_secs(*seconds)).expect("a time");
                let uptime = self.model.uptime + Duration::from_secs(seconds.unsigned_abs());
                self.send(Msg::Tick { now, uptime })
            }
            Step::Ground(ground) => self.send(Msg::Ground(*ground)),
            Step::Frame => self.frame(),
            Step::Keep => self.send(Msg::Keep { leaving: false }),
            Step::Answer(n, how) if !self.jobs.is_empty() => self.answer(n % self.jobs.len(), *how),
            Step::Progress(n) if !self.jobs.is_empty() => {
                let (id, _) = self.jobs[n % self.jobs.len()];
                self.send(Msg::Job(id, JobEvent::Progress(progress(*n))))
            }
            Step::Answer(..) | Step::Progress(_) => Ok(()),
            Step::Judge(by) => match self.model.desk.board.survey().map(|job| job.id) {
                Some(id) => self.send(Msg::Job(id, JobEvent::Judged(turned(&self.model, *by)))),
                None => Ok(()),
            },
            Step::Stray(id) => {
                self.send(Msg::Job(JobId(*id), JobEvent::Loaded(Arc::new(world::normal()))))?;
                self.send(Msg::Job(JobId(*id), JobEvent::Ended(Outcome::Done(Summary::default()))))
            }
            Step::Header => {
                let confirmed = data::Confirmed {
                    revision: "main@1".into(),
                    last_bump: None,
                    notices: vec!["a notice".into()],
                };
                let ids: Vec<JobId> = self.jobs.iter().map(|(id, _)| *id).take(1).collect();
                ids.into_iter()
                    .try_for_each(|id| self.send(Msg::Job(id, JobEvent::Confirmed(confirmed.clone()))))
            }
            Step::Outside => self.send(Msg::ProgramReplied(ProgramReply::new(
                crate::tui::widgets::message::Tone::Error,
                "`vi` was killed".into(),
            ))),
        }
    }

    /// Lets one job send its events, and end.
    fn answer(&mut self, at: usize, how: How) -> Result<(), String> {
        let (id, job) = self.jobs.remove(at);
        let outcome = match how {
            How::Well => Outcome::Done(Summary { entries: 22, failed: 1, ..Summary::default() }),
            How::Stopped => Outcome::Cancelled(Summary::default()),
            How::Badly => Outcome::Failed(
                Failure::new(FailureKind::Conflict, "answering").cause("another bumpdesk holds the state"),
            ),
        };
        let (events, outcome) = match (&job, how) {
            (Job::Plan(task), How::Well) => self.fake.perform(task),
            (Job::Send(task), how) => (pulls::answers(&self.model, task, matches!(how, How::Well)), outcome),
            (_, How::Well) => (events_of(&job), outcome),
            _ => (Vec::new(), outcome),
        };
        for event in events {
            self.send(Msg::Job(id, event))?;
        }
        self.send(Msg::Job(id, JobEvent::Ended(outcome)))
    }

    /// Sends one message, and checks the rules that hold after any message.
    pub(super) fn send(&mut self, msg: Msg) -> Result<(), String> {
        let told = format!("{msg:?}").chars().take(200).collect::<String>();
        let is_hand = matches!(msg, Msg::Key(_) | Msg::Mouse(_) | Msg::Paste(_));
        let kept = if is_hand { None } else { Some(Place::of(&self.model)) };
        if let Msg::Job(_, JobEvent::Recalled(_)) = msg {
            self.shown.extend(self.model.desk.list.marked());
        }
        let before = Before::of(&self.model, &msg, &self.reached);
        let sent = Confirmed::of(&self.model, &msg, self.framed.as_deref());
        let effects = (self.dispatch)(&mut self.model, msg);
        if let Some(fault) = sent.fault(&effects) {
            return Err(format!("{fault} after {told}"));
        }
        if let Some(fault) = before.fault(&self.model, &effects) {
            return Err(fault);
        }
        if is_hand {
            self.reach();
        }
        self.note(effects);
        self.see();
        if let Some(moved) = kept.and_then(|place| place.moved(&self.model)) {
            return Err(format!("{moved} after {told}"));
        }
        let strange = self.model.desk.list.marked().into_iter().find(|address| !self.shown.contains(address));
        if let Some(address) = strange {
            return Err(format!("a mark on {address}, a row never shown, after {told}"));
        }
        self.drawn += 1;
        if self.drawn.is_multiple_of(8) { self.draw() } else { Ok(()) }
    }

    /// Draws a frame, and tells the model, as the loop does.
    fn frame(&mut self) -> Result<(), String> {
        self.draw()?;
        // A popup over the digits does not undo the look at them; other digits are another sending.
        let digits = digits_on(&screen(&self.model)).filter(|_| self.model.popup.is_none());
        self.framed = digits.or(self.framed.take());
        self.send(Msg::Drawn)
    }

    /// The number of approved changes of the plan.
    pub(super) fn approved(&self) -> usize {
        let marks = self.fake.files.iter().flat_map(|(_, marks)| marks.values());
        marks.filter(|mark| mark.answer == Answer::Approved && mark.seen).count()
    }

    /// Checks that the model can be drawn, and shows its arming.
    fn draw(&self) -> Result<(), String> {
        let size = self.model.size;
        if size.columns == 0 || size.rows == 0 {
            return Ok(());
        }
        let text = screen(&self.model);
        let is_told =
            size.class() == Class::Tiny || text.contains("READ-ONLY") || text.contains("ARMED until");
        if is_told { Ok(()) } else { Err(format!("no status word at {size:?}\n{text}")) }
    }

    /// Presses Esc as often as the place is deep, and checks that the console rests.
    pub(super) fn come_to_rest(&mut self) -> Result<(), String> {
        self.draw()?;
        let depth = depth(&self.model);
        for _ in 0..depth {
            self.model.keys.swallows = false;
            self.send(Msg::Key(Chord::parse("esc").expect("a key")))?;
        }
        let model = &self.model;
        let inventory = &model.views.inventory;
        let rests = (model.context(), model.screen) == (Context::View(ViewId::Inventory), ViewId::Inventory)
            && model.popup.is_none()
            && model.keys.pending.is_empty()
            && !inventory.has_range()
            && model.desk.list.mark_count() == 0
            && model.desk.list.filter.is_empty();
        if rests {
            return Ok(());
        }
        let place =
            (model.context(), model.screen, model.desk.list.mark_count(), model.desk.list.filter.as_str());
        Err(format!("no rest after {depth} times Esc: {place:?}"))
    }
}

fn progress(n: usize) -> Progress {
    Progress {
        phase: Phase::Tags,
        done: n as u64,
        total: 300,
        failed: 1,
        requests: 3,
        rate: 1.5,
        left: Some((Duration::from_secs(3), Duration::from_secs(9))),
        waiting: n.is_multiple_of(2).then(|| "git requests wait 58 s, as GitHub asked".into()),
    }
}

/// Exchanged verdicts: each row gets the verdict of a later row.
fn turned(model: &Model, by: usize) -> Vec<Judgement> {
    let rows = &model.desk.list.catalog.rows;
    let verdicts = &model.desk.list.verdicts;
    let count = rows.len().max(1);
    let other = |at: usize| verdicts[(at + by) % count].clone();
    let judged = rows.iter().enumerate();
    judged.map(|(at, row)| Judgement { address: row.address.clone(), verdict: other(at) }).collect()
}

/// The registry after a change: some rows are gone, and the verdicts have moved.
fn other_registry() -> Loaded {
    let mut loaded = world::normal();
    Arc::make_mut(&mut loaded.catalog).rows.drain(3..6);
    loaded.verdicts.drain(3..6);
    loaded.verdicts.rotate_left(5);
    loaded
}

/// The events of a job before it ends well.
fn events_of(job: &Job) -> Vec<JobEvent> {
    match job {
        Job::Load => vec![JobEvent::Loaded(Arc::new(other_registry()))],
        Job::Open(plan) => {
            let opened = Opened { address: plan.address.clone(), ..world::opened("newrelic/newrelic") };
            vec![JobEvent::Opened(Arc::new(opened))]
        }
        Job::Read(address) => vec![JobEvent::Read(address.clone(), b"{}".as_slice().into())],
        Job::ListJobs { .. } => vec![JobEvent::PastJobs(crate::tui::tests::records::journal())],
        Job::ReadLog(_) => vec![JobEvent::LogRead(Arc::new(crate::tui::tests::records::log()))],
        Job::Recall => vec![JobEvent::Recalled(std::collections::BTreeMap::new())],
        Job::Survey(_) => vec![JobEvent::Progress(progress(7)), JobEvent::Note("a note".into())],
        Job::Verify(_) => crate::tui::tests::verify::all_events(),
        Job::Prepare(asked) => {
            let asked = &asked.pull();
            let failing = (asked.fixes.len() == 1).then_some(GateName::Competing);
            vec![JobEvent::Prepared(Arc::new(desk::prepared(asked, "ann", failing)))]
        }
        Job::Inquire => {
            let inquiry = Inquiry { login: Some("ann".into()), ..Inquiry::default() };
            vec![JobEvent::Inquired(inquiry)]
        }
        _ => Vec::new(),
    }
}
