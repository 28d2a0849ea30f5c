//! Starts the runtime, hands the process over to [`bumpdesk::surface::cli::run`], and ends with its exit code.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use bumpdesk::surface::boot::Environment;

fn main() -> ExitCode {
    let mut err = std::io::stderr();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = writeln!(err, "bumpdesk: the runtime cannot be started: {error}");
            return ExitCode::from(5);
        }
    };
    let mut out = BufWriter::new(std::io::stdout());
    let environment = Environment::of_process();
    let args = std::env::args_os().collect();
    let exit = runtime.block_on(bumpdesk::surface::cli::run(
        args,
        &environment,
        bumpdesk::surface::front::CONSOLE,
        &mut out,
        &mut err,
    ));
    // What hangs in a blocking call must not hold the prompt back.
    runtime.shutdown_background();
    ExitCode::from(exit.code())
}
