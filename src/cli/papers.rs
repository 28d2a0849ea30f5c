//! What the program prints about itself: completions, the manual page, the keys.

use std::io::Write;

use clap::CommandFactory;

use crate::cli::args::Args;
use crate::cli::desk::Desk;
use crate::cli::exit::Exit;
use crate::cli::output::Line;
use crate::cli::wire;

/// The completion script of a shell.
pub(crate) fn completions(shell: clap_complete::Shell, out: &mut dyn Write) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "bumpdesk", &mut script);
    print(&script, out)
}

/// The manual page: the program, then every command.
pub(crate) fn manual(out: &mut dyn Write) -> Exit {
    let mut command = Args::command();
    command.build();
    let mut page = Vec::new();
    // Writing to memory cannot fail.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut page);
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help") {
        let name = format!("bumpdesk {}", sub.get_name());
        let _ = clap_mangen::Man::new(sub.clone()).title(name).render(&mut page);
    }
    print(&page, out)
}

/// The console's keys, by where they count.
pub(crate) fn keys(desk: &mut Desk<'_>) -> Exit {
    let rows = (desk.console.keys)();
    if desk.output.json {
        for row in &rows {
            desk.output.object("key", &wire::KeyLine::new(row));
        }
        return desk.done();
    }
    let mut places: Vec<&str> = Vec::new();
    for row in &rows {
        if !places.contains(&row.place.as_str()) {
            places.push(&row.place);
        }
    }
    for (at, place) in places.iter().enumerate() {
        if at > 0 {
            desk.output.line(&Line::default());
        }
        desk.output.line(&Line::of(*place));
        for row in rows.iter().filter(|row| row.place == *place) {
            desk.output.line(&Line::of(format!("  {:<16} {}", row.keys, row.label)));
        }
    }
    desk.done()
}

/// A closed pipe ends quietly.
fn print(bytes: &[u8], out: &mut dyn Write) -> Exit {
    let _ = out.write_all(bytes).and_then(|()| out.flush());
    Exit::Done
}
