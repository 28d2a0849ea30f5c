//! The console names the command of each action that it cannot do itself.

use crate::{cli, tui};

#[test]
fn the_palette_names_every_command_and_no_other() {
    let (rows, ..) = tui::keys(None);
    let twins: Vec<&str> = rows.iter().filter_map(|row| row.command).collect();
    let only = tui::COMMANDS.iter().map(|command| command.line);
    let lines: Vec<&str> = twins.into_iter().chain(only).collect();
    for name in cli::tests::names() {
        let is_it = |line: &&str| line.split(' ').nth(1) == Some(name.as_str());
        assert!(lines.iter().any(is_it), "nothing in the palette leads to `bumpdesk {name}`");
    }
    for command in tui::COMMANDS {
        let line = [
            ("ADDRESS", "a/b"),
            ("VERSION", "1.0.0"),
            ("FILE", "x"),
            ("SHELL", "bash"),
            ("TOPIC", "tour"),
            ("DIGITS", "7c1e9a"),
            ("REASON", "bug"),
            ("NUMBER", "12"),
            ("KIND REPOSITORY", "provider a/terraform-provider-b"),
            ("NAMESPACE", "a"),
        ]
        .iter()
        .fold(command.line.to_owned(), |line, (place, word)| line.replace(place, word));
        let line = line.strip_prefix("bumpdesk ").expect(command.line);
        assert!(cli::tests::is_command(line), "{line}");
    }
}
