//! The ways from the front door into the console and the demo world. The only file of `cli` that names them.

use crate::cli::args::commands::DemoArgs;
use crate::cli::desk::Desk;
use crate::cli::exit::Exit;
use crate::jobs::Failure;
use crate::jobs::FailureKind;

/// Opens the console on the desk's settings.
pub(crate) async fn console(desk: &mut Desk<'_>) -> Exit {
    let environment = desk.environment;
    if desk.output.json
        || desk.output.ui.plain
        || !(environment.stdin_is_terminal && environment.stdout_is_terminal)
    {
        return desk.fail(Failure {
            kind: FailureKind::Usage,
            doing: "opening the console".into(),
            causes: vec![
                "it needs a terminal to read from and to draw on, and neither --json nor plain mode".into(),
            ],
            hint: Some(
                "Run `bumpdesk list` for the same as text; `bumpdesk help` names every command.".into(),
            ),
        });
    }
    desk.settings.find_token(environment).await;
    match open_console(desk).await {
        Ok(exit) => exit,
        Err(failure) => desk.fail(failure),
    }
}

/// Call site of the console: `crate::tui::run(engine, options)`.
#[expect(clippy::unused_async, reason = "the console is not connected yet")]
async fn open_console(_desk: &mut Desk<'_>) -> Result<Exit, Failure> {
    Err(not_built("opening the console"))
}

/// Starts the demo world, and the console on it.
pub(crate) async fn demo(desk: &mut Desk<'_>, args: &DemoArgs) -> Exit {
    match open_demo(desk, args).await {
        Ok(exit) => exit,
        Err(failure) => desk.fail(failure),
    }
}

/// Call site of the demo world: `crate::demo::…`. `--ref` is in the desk's settings.
#[expect(clippy::unused_async, reason = "the demo world is not connected yet")]
async fn open_demo(_desk: &mut Desk<'_>, _args: &DemoArgs) -> Result<Exit, Failure> {
    Err(not_built("starting the demo world"))
}

fn not_built(doing: &str) -> Failure {
    Failure {
        kind: FailureKind::Internal,
        doing: doing.into(),
        causes: vec!["it is not built yet".into()],
        hint: None,
    }
}
