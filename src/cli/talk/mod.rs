//! The console in lines, for screen readers, braille and dumb terminals: a prompt that takes a number or a word, and answers
//! of one fact a line. The same jobs, words, filters and gates as the drawn console.
//!
//! Never moves a cursor, colours or writes an escape byte. [`state::Talk`] is a value that lines and events go into and words
//! and jobs come out of; only [`hold`] touches the terminal and the engine. Called by `faces`.

mod ears;
mod heard;
mod help;
mod listing;
mod marks;
mod plans;
mod sheet;
mod spoken;
mod state;
#[cfg(test)]
mod tests;
mod told;
mod verifying;
mod words;
mod work;

use std::pin::pin;
use std::time::Duration;

use crate::cli::desk::Desk;
use crate::cli::exit::Exit;
use crate::cli::output::{Line, Output};
use crate::cli::talk::ears::{Ears, Heard};
use crate::cli::talk::state::{Reply, Talk};
use crate::jobs::{Engine, Failure};
use crate::rules::Depth;

pub(crate) use words::{form_of, only_drawn};

/// How often progress is told that has not moved by ten percent.
const TELL_AGAIN: Duration = Duration::from_secs(10);

/// Talks until it is left. `name` is what the registry is called where its folder says nothing; `survey` surveys everything
/// first.
pub(crate) async fn hold(
    desk: &mut Desk<'_>,
    name: Option<String>,
    survey: Option<Depth>,
) -> Result<Exit, Failure> {
    // Whatever else is said about colours: there are none here.
    desk.output.ui.color = false;
    let clock = desk.settings.clock;
    let (engine, output) = desk.parts()?;
    let mut talk = Talk::new(output.ui.clone(), name, survey);
    let mut ears = Ears::open();
    let mut asked = None;
    let mut listening = true;
    let mut interrupt = pin!(tokio::signal::ctrl_c());
    let mut end = pin!(told_to_end());
    let mut tick = tokio::time::interval(TELL_AGAIN);
    let mut reply = talk.begin();
    loop {
        if perform(reply, engine, output, &mut asked) {
            return Ok(Exit::Done);
        }
        if asked != talk.prompt() {
            asked = talk.prompt();
            output.ask(asked.unwrap_or_default());
        }
        reply = tokio::select! {
            biased;
            () = &mut end => return Ok(Exit::Done),
            signal = &mut interrupt, if listening => {
                listening = signal.is_ok();
                interrupt.set(tokio::signal::ctrl_c());
                talk.interrupted()
            }
            (id, event) = engine.next() => talk.told(id, event, clock.now()),
            heard = ears.next() => {
                // What was typed ended the line that the prompt began; the end of input did not.
                let prompted = asked.take().is_some();
                match heard {
                    Heard::Line(line) => talk.heard(&line, clock.now()),
                    Heard::End => {
                        if prompted {
                            output.line(&Line::default());
                        }
                        talk.ended()
                    }
                }
            }
            _ = tick.tick() => talk.tick(),
        };
    }
}

/// Waits for the signals that end a program, so that it ends as `quit` ends it.
async fn told_to_end() {
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

/// Does what follows; true if it is the end. `asked` is the prompt that stands at the start of the line.
fn perform(
    reply: Reply,
    engine: &mut Engine,
    output: &mut Output<'_>,
    asked: &mut Option<&'static str>,
) -> bool {
    if !reply.lines.is_empty() && asked.take().is_some() {
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
