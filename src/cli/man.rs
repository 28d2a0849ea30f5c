//! `man`: the manual page, which is the program, its keys, then every command.

use clap::Args;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

use crate::cli::console::KeyRow;
use crate::cli::keys::places;
use crate::cli::{CommandLine, Invocation, RunEarly};
use crate::print::exit::Exit;

/// Print the manual page.
#[derive(Debug, Args)]
#[command(after_long_help = "Example:\n  bumpdesk man | man -l -")]
pub(crate) struct ManArgs {}

impl RunEarly for ManArgs {
    async fn run(&self, invocation: Invocation<'_>) -> Exit {
        let command = CommandLine::definition();
        let mut page = Vec::new();
        // Writing to memory cannot fail.
        let _ = Man::new(command.clone()).render(&mut page);
        let _ = keys_section(&(invocation.console.keys)(None).rows).to_writer(&mut page);
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            let name = format!("bumpdesk {}", sub.get_name());
            let _ = Man::new(sub.clone()).title(name).render(&mut page);
        }
        invocation.print(&page)
    }
}

/// The section KEYS of the manual page.
fn keys_section(rows: &[KeyRow]) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["KEYS"]);
    roff.text([
        roman("The console's keys. Those of keys.toml in the configuration folder replace them; "),
        bold("bumpdesk keys"),
        roman(" lists the ones in use."),
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
