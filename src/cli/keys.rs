//! `keys`: the console's actions and keys, by where they count.

use clap::Args;
use serde::Serialize;

use crate::boot::keys_file;
use crate::cli::Run;
use crate::cli::console::{Console, KeyRow};
use crate::print::exit::Exit;
use crate::print::output::Line;
use crate::print::runner::{Runner, tell_note};

/// List the console's actions and keys, as keys.toml has them.
#[derive(Debug, Args)]
#[command(after_long_help = "Example:\n  bumpdesk keys --json")]
pub(crate) struct KeysArgs {}

impl Run for KeysArgs {
    async fn run(&self, runner: &mut Runner<'_>, console: Console) -> Result<Exit, Exit> {
        let table = (console.keys)(keys_file(runner.environment).as_ref());
        if !table.mistakes.is_empty() {
            let text =
                "keys.toml has mistakes, so the console's own keys apply; `bumpdesk config check` lists them";
            tell_note(&mut runner.output, text);
        }
        if runner.output.json {
            for row in &table.rows {
                runner.output.object("key", &KeyObject::new(row));
            }
            return Ok(runner.done());
        }
        for (at, place) in places(&table.rows).into_iter().enumerate() {
            if at > 0 {
                runner.output.line(&Line::default());
            }
            runner.output.line(&Line::of(place));
            for row in table.rows.iter().filter(|row| row.place == place) {
                runner.output.line(&if runner.output.ui.plain {
                    let in_lines = row.line.map(|form| format!("; in lines: {form}")).unwrap_or_default();
                    Line::of(format!("{}, key {}: {}{in_lines}", row.name, row.shown(), row.label))
                } else {
                    Line::of(format!("  {:<16} {:<15} {}", row.shown(), row.name, row.label)).hanging(35)
                });
            }
        }
        Ok(runner.done())
    }
}

/// The places where keys apply, each once, in the table's order.
pub(crate) fn places(rows: &[KeyRow]) -> Vec<&str> {
    let mut places: Vec<&str> = Vec::new();
    for row in rows {
        if !places.contains(&row.place.as_str()) {
            places.push(&row.place);
        }
    }
    places
}

/// Type `key`: an action, and where which keys do it.
#[derive(Serialize)]
struct KeyObject<'a> {
    /// For people: `Inventory, one entry`.
    place: &'a str,
    /// For people: `g g, Home`.
    keys: String,
    name: &'static str,
    label: &'static str,
    /// The tables of the key file.
    contexts: &'a [&'static str],
    /// The keys as a list, one string each.
    chords: &'a [String],
    /// The text that finds it in the palette.
    palette: String,
    /// The command that does the same; null where only the screen can.
    command: Option<&'static str>,
    screen_only: bool,
    /// The words that do it with --plain: `open N`; null if there are none.
    plain: Option<&'static str>,
    /// Why lines have nothing like it although a command does.
    only_drawn: Option<&'static str>,
}

impl<'a> KeyObject<'a> {
    fn new(row: &'a KeyRow) -> Self {
        Self {
            place: &row.place,
            keys: row.shown(),
            name: row.name,
            label: row.label,
            contexts: &row.contexts,
            chords: &row.keys,
            palette: format!(":{}", row.name),
            command: row.command,
            screen_only: row.command.is_none(),
            plain: row.line,
            only_drawn: row.only_drawn,
        }
    }
}
