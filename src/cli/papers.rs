//! What the program prints about itself: completions, the manual page, the keys.

use std::io::Write;

use clap::CommandFactory;
use clap_mangen::roff::{Roff, bold, italic, roman};

use crate::boot::keys_file;
use crate::cli::args::Args;
use crate::cli::console::{Console, KeyRow};
use crate::cli::wire;
use crate::print::exit::Exit;
use crate::print::output::Line;
use crate::print::runner::{Runner, tell_note};

/// The completion script of a shell.
pub(crate) fn completions(shell: clap_complete::Shell, out: &mut dyn Write) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "bumpdesk", &mut script);
    print(&script, out)
}

/// The manual page: the program, its keys, then every command.
pub(crate) fn manual(console: Console, out: &mut dyn Write) -> Exit {
    let mut command = Args::command();
    command.build();
    let mut page = Vec::new();
    // Writing to memory cannot fail.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut page);
    let _ = keys_section(&(console.keys)(None).rows).to_writer(&mut page);
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let name = format!("bumpdesk {}", sub.get_name());
        let _ = clap_mangen::Man::new(sub.clone()).title(name).render(&mut page);
    }
    print(&page, out)
}

/// The section KEYS of the manual page.
fn keys_section(rows: &[KeyRow]) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["KEYS"]);
    roff.text([
        roman("The console's keys. Those of keys.toml in the configuration folder come in their place; "),
        bold("bumpdesk keys"),
        roman(" lists what counts now."),
    ]);
    for place in places(rows) {
        roff.control("SS", [place]);
        for row in rows.iter().filter(|row| row.place == place) {
            roff.control("TP", []);
            roff.text([bold(row.shown())]);
            roff.text([roman(format!("{} ", row.label)), italic(format!("({})", row.name))]);
        }
    }
    roff
}

/// Where keys count, each once, in the table's order.
fn places(rows: &[KeyRow]) -> Vec<&str> {
    let mut places: Vec<&str> = Vec::new();
    for row in rows {
        if !places.contains(&row.place.as_str()) {
            places.push(&row.place);
        }
    }
    places
}

/// The console's actions and keys, by where they count.
pub(crate) fn keys(runner: &mut Runner<'_>, console: Console) -> Exit {
    let table = (console.keys)(keys_file(runner.environment).as_ref());
    if !table.mistakes.is_empty() {
        let text =
            "keys.toml has mistakes, so the console's own keys count; `bumpdesk config check` tells them";
        tell_note(&mut runner.output, text);
    }
    if runner.output.json {
        for row in &table.rows {
            runner.output.object("key", &wire::KeyLine::new(row));
        }
        return runner.done();
    }
    for (at, place) in places(&table.rows).into_iter().enumerate() {
        if at > 0 {
            runner.output.line(&Line::default());
        }
        runner.output.line(&Line::of(place));
        for row in table.rows.iter().filter(|row| row.place == place) {
            runner.output.line(&if runner.output.ui.plain {
                let said = row.line.map(|form| format!("; in lines: {form}")).unwrap_or_default();
                Line::of(format!("{}, key {}: {}{said}", row.name, row.shown(), row.label))
            } else {
                Line::of(format!("  {:<16} {:<15} {}", row.shown(), row.name, row.label))
            });
        }
    }
    runner.done()
}

/// A closed pipe ends quietly.
fn print(bytes: &[u8], out: &mut dyn Write) -> Exit {
    let _ = out.write_all(bytes).and_then(|()| out.flush());
    Exit::Done
}
