//! One command at work: its settings, its engine and its output; runs jobs and tells how they ended.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::boot::{Environment, Settings};
use crate::jobs::{Engine, Env, Failure, Job, JobEvent, JobId, Loaded, Outcome, Summary, Writes};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::progress::Meter;
use crate::print::{json, text};

/// What a command works with.
pub struct Runner<'a> {
    pub(crate) settings: Settings,
    pub(crate) environment: &'a Environment,
    pub(crate) output: Output<'a>,
    command: &'static str,
    engine: Option<Engine>,
    last_id: u64,
}

/// Somebody pressed Ctrl-C twice.
#[derive(Debug)]
pub(crate) struct Left;

/// How often `--plain` tells progress that has not moved by ten percent.
const TELL_AGAIN: Duration = Duration::from_secs(10);

impl<'a> Runner<'a> {
    pub(crate) fn new(
        settings: Settings,
        environment: &'a Environment,
        output: Output<'a>,
        command: &'static str,
    ) -> Self {
        Self { settings, environment, output, command, engine: None, last_id: 0 }
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
    /// Ctrl-C cancels the job, and a second one leaves at once. When nobody reads the output any more, a job that only
    /// looks is cancelled; one that writes goes on, since what it writes is its output.
    pub(crate) async fn run(
        &mut self,
        job: Job,
        on: &mut dyn FnMut(&mut Output<'_>, JobEvent),
    ) -> Result<Outcome, Left> {
        let writes = job.writes() > Writes::Memory;
        let id = JobId(self.last_id + 1);
        self.last_id = id.0;
        let mut meter = Meter::new(&self.output.ui, self.output.talks_to_terminal);
        if let Err(failure) = self.engine() {
            return Ok(Outcome::Failed(failure));
        }
        let Self { engine: Some(engine), output, .. } = self else {
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
                        output.talk("bumpdesk: stopping; press Ctrl-C again to leave at once");
                        interrupt.set(tokio::signal::ctrl_c());
                    }
                }
                (of, event) = engine.next() => match event {
                    _ if of != id => {}
                    JobEvent::Ended(outcome) => {
                        output.clear_standing();
                        return Ok(outcome);
                    }
                    JobEvent::Progress(progress) => meter.on(progress, output),
                    JobEvent::Note(note) => tell_note(output, &note),
                    event => {
                        on(output, event);
                        output.flush();
                        if output.is_closed() && !writes && !stopping {
                            stopping = true;
                            engine.cancel(id);
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
                for notice in &loaded.notices {
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

    /// The same with another exit than the outcome alone would give.
    pub(crate) fn finish_as<T: Serialize>(&mut self, exit: Exit, outcome: &Outcome, extra: &T) -> Exit {
        self.output.clear_standing();
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
                self.output.talk(&format!("bumpdesk: standard output cannot be written: {error}"));
                exit.or_graver(Exit::Incomplete)
            }
            // The reader went away, and with it the job's reason.
            None if self.output.is_closed() && exit == Exit::Cancelled => Exit::Done,
            None => exit,
        }
    }

    /// Stops what still runs.
    pub(crate) async fn shutdown(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.shutdown(Duration::from_secs(2)).await;
        }
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

pub(crate) fn tell_note(output: &mut Output<'_>, note: &str) {
    if output.json {
        output.object("note", &json::Note { text: note });
    } else {
        output.talk(&format!("bumpdesk: {note}"));
    }
}

/// Adds the figures of one job to those of another.
pub(crate) fn add(sum: &mut Summary, other: &Summary) {
    sum.entries += other.entries;
    sum.fresh += other.fresh;
    sum.requests += other.requests;
    sum.not_modified += other.not_modified;
    sum.failed += other.failed;
    sum.broken += other.broken;
    sum.applied += other.applied;
    sum.findings += other.findings;
    for limit in &other.limits {
        if !sum.limits.contains(limit) {
            sum.limits.push(limit.clone());
        }
    }
}
