//! The console in lines, for screen readers, braille and dumb terminals: a prompt that takes a number or a word, and answers
//! of one fact a line. The same jobs, words, filters and gates as the drawn console.
//!
//! Never moves a cursor, colours or writes an escape byte. [`state::LineMode`] is a value that lines and events go into and words
//! and jobs come out of; only [`hold`] touches the terminal and the engine. Opened by `front`.

mod commands;
mod events;
mod help;
mod input;
mod listing;
mod machines;
mod marks;
mod plans;
mod pulls;
mod sheet;
mod spoken;
pub(crate) mod state;
mod stranded;
#[cfg(test)]
pub(crate) mod tests;
mod verification;
pub(crate) mod words;

use std::pin::pin;
use std::time::Duration;

use crate::jobs::Engine;
use crate::jobs::data::Failure;
use crate::line::input::{Input, Typed};
use crate::line::state::{LineMode, Reply};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::Runner;
use crate::rules::Depth;

pub(crate) use words::{form_of, only_drawn};

/// The time between reports of a progress that has not moved by ten percent.
const TELL_AGAIN: Duration = Duration::from_secs(10);

/// Talks until it is left. `name` is what the registry is called where its folder says nothing; `survey` surveys everything
/// first.
pub(crate) async fn hold(
    runner: &mut Runner<'_>,
    name: Option<String>,
    survey: Option<Depth>,
) -> Result<Exit, Failure> {
    // Whatever else is said about colours: there are none here.
    runner.output.ui.color = false;
    let clock = runner.settings.clock;
    let (engine, output) = runner.parts()?;
    let mut mode = LineMode::new(output.ui.clone(), name, survey);
    let mut input = Input::open();
    let mut prompt = None;
    let mut listening = true;
    let mut interrupt = pin!(tokio::signal::ctrl_c());
    let mut end = pin!(end_signal());
    let mut tick = tokio::time::interval(TELL_AGAIN);
    let mut reply = mode.begin();
    loop {
        if perform(reply, engine, output, &mut prompt) {
            if output.is_closed() {
                finish_writing(engine).await;
            }
            return Ok(Exit::Done);
        }
        if prompt != mode.prompt() {
            prompt = mode.prompt();
            output.ask(prompt.unwrap_or_default());
        }
        reply = tokio::select! {
            biased;
            () = &mut end => return Ok(Exit::Done),
            signal = &mut interrupt, if listening => {
                listening = signal.is_ok();
                interrupt.set(tokio::signal::ctrl_c());
                mode.interrupted(clock.now())
            }
            (id, event) = engine.next() => mode.take_event(id, event, clock.now()),
            typed = input.next() => {
                // What was typed ended the line that the prompt began; the end of input did not.
                let prompted = prompt.take().is_some();
                match typed {
                    Typed::Line(line) => mode.take_line(&line, clock.now()),
                    Typed::End => {
                        if prompted {
                            output.line(&Line::default());
                        }
                        mode.ended(clock.now())
                    }
                }
            }
            _ = tick.tick() => mode.tick(),
        };
    }
}

/// Stops the jobs that only print, because nothing reads the output any more, and waits for the others.
async fn finish_writing(engine: &mut Engine) {
    let writes = engine.leave();
    while writes && engine.is_busy() {
        engine.next().await;
    }
}

/// Waits for the signals that end a program, so that it ends as `quit` ends it.
async fn end_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut terminate), Ok(mut hang_up)) =
            (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
        {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
            }
            return;
        }
    }
    std::future::pending::<()>().await;
}

/// Does what follows; true if it is the end. `prompt` is the text that stands at the start of the line.
fn perform(
    reply: Reply,
    engine: &mut Engine,
    output: &mut Output<'_>,
    prompt: &mut Option<&'static str>,
) -> bool {
    if !reply.lines.is_empty() && prompt.take().is_some() {
        output.line(&Line::default());
    }
    output.lines(&reply.lines);
    for (id, job) in reply.start {
        engine.start(id, job);
    }
    if let Some((id, steer)) = reply.steer {
        engine.steer(id, steer);
    }
    for id in reply.cancel {
        engine.cancel(id);
    }
    output.flush();
    reply.leave || output.is_closed()
}
