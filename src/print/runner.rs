//! One command at work: its settings, its engine and its output; runs jobs and tells how they ended.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::boot::{Environment, Settings};
use crate::desk::intent::Intent;
use crate::desk::telling::{Message, Why};
use crate::desk::{Consent, Desk};
use crate::jobs::data::{
    Failure, FailureKind, Job, JobEvent, JobId, Loaded, Outcome, PlanTask, Summary, Writes,
};
use crate::jobs::{Engine, Env};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::progress::Meter;
use crate::print::{json, text};

/// The surroundings of a command: settings, environment, output and desk.
pub struct Runner<'a> {
    pub(crate) settings: Settings,
    pub(crate) environment: &'a Environment,
    pub(crate) output: Output<'a>,
    command: &'static str,
    engine: Option<Engine>,
    pub(crate) desk: Desk,
    /// True if a job was stopped because nothing reads the output any more.
    left: bool,
    /// True if a job ran that does more than print.
    wrote: bool,
}

/// The user pressed Ctrl-C twice.
#[derive(Debug)]
pub(crate) struct Left;

/// The interval at which `--plain` repeats progress that has not moved by ten percent.
const TELL_AGAIN: Duration = Duration::from_secs(10);

impl<'a> Runner<'a> {
    pub(crate) fn new(
        settings: Settings,
        environment: &'a Environment,
        output: Output<'a>,
        command: &'static str,
    ) -> Self {
        let desk = Desk { consent: Consent::Typed, ..Desk::default() };
        Self { settings, environment, output, command, engine: None, desk, left: false, wrote: false }
    }

    /// Has the outcome name another command.
    #[cfg(feature = "demo")]
    pub(crate) fn is_for(&mut self, command: &'static str) {
        self.command = command;
    }

    /// The engine, made on first use.
    pub(crate) fn engine(&mut self) -> Result<&mut Engine, Failure> {
        if self.engine.is_none() {
            let env = Env::new(self.settings.env_options())?;
            self.engine = Some(Engine::new(Arc::new(env)));
        }
        Ok(self.engine.as_mut().expect("the engine was made above"))
    }

    /// The engine and the output, for who runs jobs side by side.
    pub(crate) fn parts(&mut self) -> Result<(&mut Engine, &mut Output<'a>), Failure> {
        self.engine()?;
        let engine = self.engine.as_mut().expect("the engine was made above");
        Ok((engine, &mut self.output))
    }

    /// Runs one job to its end. Notes and progress are told here; every other event goes to `on`.
    ///
    /// Ctrl-C cancels the job; a second Ctrl-C exits at once. If nothing reads the output any more, a job that only
    /// prints is stopped and the command ends quietly. A job that writes continues, because writing is its purpose.
    pub(crate) async fn run(
        &mut self,
        job: Job,
        on: &mut dyn FnMut(&mut Output<'_>, JobEvent),
    ) -> Result<Outcome, Left> {
        let id = self.desk.board.begin(job.clone(), self.settings.clock.now());
        self.follow(id, job, &mut telling_notes(on)).await
    }

    /// Gives the intent to the desk, and runs the job that it starts. The command line confirms everything that it names. A
    /// refusal of the desk is a failure of `doing`; if the state is already reached, a note says so, and nothing is done.
    pub(crate) async fn act(
        &mut self,
        doing: &str,
        intent: &Intent,
        on: &mut dyn FnMut(&mut Output<'_>, JobEvent),
    ) -> Result<Outcome, Left> {
        // The demo allows it in its own world, after the command line was read.
        self.desk.may_write = self.settings.may_write;
        match self.desk.agree(intent, self.settings.clock.now()) {
            Ok(begun) => {
                let mut done = Outcome::Done(Summary::default());
                for (id, job) in begun.start {
                    done = self.follow(id, job, &mut telling_notes(on)).await?;
                }
                Ok(done)
            }
            Err(why) if why.why == Why::Needless => {
                tell_note(&mut self.output, &why.text);
                Ok(Outcome::Done(Summary::default()))
            }
            Err(why) => Ok(Outcome::Failed(refusal(doing, &why))),
        }
    }

    /// Reads the plan for the desk, without printing it: the job after it prints.
    pub(crate) async fn read_plan(&mut self) -> Result<Outcome, Left> {
        let job = Job::Plan(PlanTask::Show);
        let id = self.desk.board.begin(job.clone(), self.settings.clock.now());
        let mut plan = None;
        let outcome = self
            .follow(id, job, &mut |_, event| {
                if let JobEvent::Planned(read) = event {
                    plan = Some(read);
                }
            })
            .await;
        if let Some(plan) = plan {
            self.desk.planning.take(Arc::unwrap_or_clone(plan));
        }
        outcome
    }

    /// Follows a job to its end. Progress is told here; every other event goes to `on`.
    async fn follow(
        &mut self,
        id: JobId,
        job: Job,
        on: &mut dyn FnMut(&mut Output<'_>, JobEvent),
    ) -> Result<Outcome, Left> {
        let only_prints = job.only_prints();
        self.wrote |= !only_prints && job.writes() != Writes::Memory;
        let mut meter = Meter::new(&self.output.ui, self.output.stderr_is_terminal);
        if let Err(failure) = self.engine() {
            return Ok(Outcome::Failed(failure));
        }
        let Self { engine: Some(engine), output, desk, left, .. } = self else {
            unreachable!("the engine was made above")
        };
        engine.start(id, job);
        let mut interrupt = pin!(tokio::signal::ctrl_c());
        let mut tick = tokio::time::interval(TELL_AGAIN);
        let (mut listening, mut stopping) = (true, false);
        loop {
            tokio::select! {
                biased;
                signal = &mut interrupt, if listening => {
                    listening = signal.is_ok();
                    if listening && stopping {
                        output.clear_standing();
                        return Err(Left);
                    }
                    if listening {
                        stopping = true;
                        engine.cancel(id);
                        output.note("bumpdesk: stopping; press Ctrl-C again to leave at once");
                        interrupt.set(tokio::signal::ctrl_c());
                    }
                }
                (of, event) = engine.next() => match event {
                    _ if of != id => {}
                    JobEvent::Ended(outcome) => {
                        desk.board.end(id);
                        output.clear_standing();
                        return Ok(outcome);
                    }
                    JobEvent::Progress(progress) => meter.on(progress, output),
                    event => {
                        on(output, event);
                        output.flush();
                        if output.is_closed() && only_prints && !stopping {
                            (stopping, *left) = (true, true);
                            engine.leave();
                        }
                    }
                },
                _ = tick.tick() => meter.tick(output),
            }
        }
    }

    /// Reads the registry, for commands that need the list first. The error is the command's exit, already told.
    pub(crate) async fn load(&mut self) -> Result<Arc<Loaded>, Exit> {
        let mut loaded = None;
        let outcome = self
            .run(Job::Load, &mut |_, event| {
                if let JobEvent::Loaded(list) = event {
                    loaded = Some(list);
                }
            })
            .await;
        match (outcome, loaded) {
            (Ok(Outcome::Done(_)), Some(loaded)) => {
                // Of the list the gates need the entries alone; the rest of it is made where it is looked at.
                self.desk.list.catalog = Arc::clone(&loaded.catalog);
                for notice in loaded.notices.iter().chain(&loaded.half_done) {
                    tell_note(&mut self.output, notice);
                }
                Ok(loaded)
            }
            (outcome, _) => Err(self.finish(outcome, false, &())),
        }
    }

    /// Tells how the command ended, and gives its exit. `found`: there is something to report, and that was asked for;
    /// `extra`: further fields of the outcome object.
    pub(crate) fn finish<T: Serialize>(
        &mut self,
        outcome: Result<Outcome, Left>,
        found: bool,
        extra: &T,
    ) -> Exit {
        let outcome = outcome.unwrap_or_else(|Left| Outcome::Cancelled(Summary::default()));
        let exit = Exit::of_outcome(&outcome, found);
        self.finish_as(exit, &outcome, extra)
    }

    /// Finishes with another exit than the outcome alone would give.
    pub(crate) fn finish_as<T: Serialize>(&mut self, exit: Exit, outcome: &Outcome, extra: &T) -> Exit {
        self.output.clear_standing();
        if self.left && matches!(outcome, Outcome::Cancelled(_)) {
            return self.close(Exit::Done);
        }
        let exit = if self.is_left_alone() { quiet(exit) } else { exit };
        if self.output.json {
            let body = json::Outcome::new(self.command, outcome, exit, extra);
            self.output.object("outcome", &body);
        } else {
            text::tell_outcome(&mut self.output, self.command, outcome);
        }
        self.close(exit)
    }

    /// Tells a failure that came before any job.
    pub(crate) fn fail(&mut self, failure: Failure) -> Exit {
        self.finish(Ok(Outcome::Failed(failure)), false, &())
    }

    /// Ends a command that ran no job.
    pub(crate) fn done(&mut self) -> Exit {
        if self.output.json {
            return self.finish(Ok(Outcome::Done(Summary::default())), false, &());
        }
        self.close(Exit::Done)
    }

    fn close(&mut self, exit: Exit) -> Exit {
        self.output.flush();
        match self.output.take_error() {
            Some(error) => {
                self.output.note(&format!("bumpdesk: standard output cannot be written: {error}"));
                exit.or_graver(Exit::Incomplete)
            }
            // The last flush may show that the reader went away.
            None if self.is_left_alone() => quiet(exit),
            None => exit,
        }
    }

    /// Returns true if the command only prints and its reader went away. Then the command neither claims a result nor
    /// fails.
    fn is_left_alone(&self) -> bool {
        self.output.is_closed() && !self.output.has_failed() && !self.wrote
    }

    /// Stops what still runs.
    pub(crate) async fn shutdown(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.shutdown(Duration::from_secs(2)).await;
        }
    }
}

/// The exit code of a command whose reader went away. A command that could not start keeps its exit code, and so does
/// Ctrl-C.
fn quiet(exit: Exit) -> Exit {
    match exit {
        Exit::Findings | Exit::Incomplete => Exit::Done,
        exit => exit,
    }
}

/// Tells a failure from before there was a runner.
pub(crate) fn fail_early(output: &mut Output<'_>, command: &'static str, failure: Failure) -> Exit {
    let exit = Exit::of_failure(&failure);
    let outcome = Outcome::Failed(failure);
    if output.json {
        output.object("outcome", &json::Outcome::new(command, &outcome, exit, &()));
    } else {
        text::tell_outcome(output, command, &outcome);
    }
    output.flush();
    exit
}

/// Tells that all went well, where there is no runner.
pub(crate) fn done_early(output: &mut Output<'_>, command: &'static str) -> Exit {
    if output.json {
        let outcome = Outcome::Done(Summary::default());
        output.object("outcome", &json::Outcome::new(command, &outcome, Exit::Done, &()));
    }
    output.flush();
    Exit::Done
}

/// Prints notes for every job; the other events go to `on`.
fn telling_notes(
    on: &mut dyn FnMut(&mut Output<'_>, JobEvent),
) -> impl FnMut(&mut Output<'_>, JobEvent) + '_ {
    move |output, event| match event {
        JobEvent::Note(note) => tell_note(output, &note),
        event => on(output, event),
    }
}

/// Turns a refusal of the desk into the failure of a command.
pub(crate) fn refusal(doing: &str, why: &Message) -> Failure {
    let kind = if why.why == Why::Wrong { FailureKind::Usage } else { FailureKind::Conflict };
    let steps =
        why.steps.iter().filter_map(|(step, does)| Some(format!("`{}`, which {does}", step.command_line()?)));
    let steps: Vec<String> = steps.collect();
    let failure = Failure::new(kind, doing).cause(&why.text);
    if steps.is_empty() { failure } else { failure.hint(format!("Run {}.", steps.join(", or "))) }
}

pub(crate) fn tell_note(output: &mut Output<'_>, note: &str) {
    if output.json {
        output.object("note", &json::Note { text: note });
    } else {
        output.note(&format!("bumpdesk: {note}"));
    }
}

/// Adds the figures of one job to those of another.
pub(crate) fn add(sum: &mut Summary, other: &Summary) {
    sum.entries += other.entries;
    sum.fresh += other.fresh;
    sum.requests += other.requests;
    sum.not_modified += other.not_modified;
    sum.failed += other.failed;
    sum.unreached += other.unreached;
    sum.tag_unread += other.tag_unread;
    sum.broken += other.broken;
    sum.unkept += other.unkept;
    sum.applied += other.applied;
    sum.findings += other.findings;
    for limit in &other.limits {
        if !sum.limits.contains(limit) {
            sum.limits.push(limit.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boot::Flags;

    struct Closed;

    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// `lint | head -1` ends quietly when `head` has its line. A command that writes still reports how it ended.
    #[test]
    fn a_reader_that_goes_away_is_a_quiet_end() {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::made_up(folder.path(), &[]);
        let ended = |left: bool, wrote: bool, outcome: Outcome, found: bool| {
            let (mut out, mut err) = (Closed, Vec::new());
            let settings = Settings::resolve(&Flags::default(), &environment).unwrap();
            let output = Output::new(&mut out, &mut err, &environment, settings.ui.clone(), true);
            let mut runner = Runner::new(settings, &environment, output, "survey");
            (runner.left, runner.wrote) = (left, wrote);
            let exit = runner.finish(Ok(outcome), found, &());
            (exit, String::from_utf8(err).unwrap())
        };
        let done = |failed| Outcome::Done(Summary { entries: 3, failed, ..Summary::default() });
        let cancelled = || Outcome::Cancelled(Summary::default());
        let wrong = || Outcome::Failed(Failure::new(FailureKind::Usage, "reading"));
        for (left, wrote, outcome, found, exit) in [
            (true, false, cancelled(), false, Exit::Done),
            (false, false, cancelled(), false, Exit::Cancelled),
            (false, false, done(0), true, Exit::Done),
            (false, false, done(1), true, Exit::Done),
            (false, false, done(3), true, Exit::Upstream),
            (false, false, wrong(), false, Exit::Usage),
            (false, true, done(1), false, Exit::Incomplete),
            (false, true, cancelled(), false, Exit::Cancelled),
        ] {
            let case = format!("{left} {wrote} {outcome:?}");
            assert_eq!(ended(left, wrote, outcome, found), (exit, String::new()), "{case}");
        }
    }
}
