//! `help`: the topics of the manual, and what commands say of themselves. It works without settings, so that a broken
//! configuration does not hide how to mend it.

use clap::Args;
use serde::Serialize;

use crate::boot::desktop::{Desktop, Viewer};
use crate::boot::{Environment, Ui};
use crate::cli::console::Console;
use crate::cli::{CommandLine, Invocation, RunEarly, early};
use crate::jobs::data::{Failure, FailureKind};
use crate::manual::{TOPICS, Topic};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner;
use crate::rules::spelling::nearest;

/// Print a topic of the manual, or the help of a command; without a name, list both.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  bumpdesk help\n  bumpdesk help statuses\n  bumpdesk help plan add\n\n\
    On a terminal a long page is shown in your pager ($PAGER), unless --plain is given."
)]
pub(crate) struct HelpArgs {
    /// A topic, or a command's name.
    #[arg(value_name = "TOPIC")]
    words: Vec<String>,
}

impl RunEarly for HelpArgs {
    /// Lists all topics, or prints the page that the words name: a topic, or a command as it is typed.
    async fn run(&self, invocation: Invocation<'_>) -> Exit {
        let ui = invocation.settings().map_or_else(|_| Ui { plain: true, ..early() }, |settings| settings.ui);
        let (environment, console) = (invocation.environment, invocation.console);
        let output = &mut invocation.output(ui);
        let name = self.words.join(" ");
        let topic = TOPICS.iter().find(|topic| topic.name == name);
        match topic.map(Topic::text).or_else(|| of_command(&self.words)) {
            _ if self.words.is_empty() => list(output),
            Some(text) if output.json => output.object("page", &PageObject { name: &name, text: &text }),
            Some(text) => show(&name, &text, environment, console, output).await,
            None => return runner::fail_early(output, "help", unknown(&name)),
        }
        runner::done_early(output, "help")
    }
}

/// Name and first sentence of each command.
fn commands() -> Vec<(String, String)> {
    let args = CommandLine::definition();
    let about = |command: &clap::Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    args.get_subcommands().map(|command| (command.get_name().to_owned(), about(command))).collect()
}

/// The text that a command prints with `--help`.
fn of_command(words: &[String]) -> Option<String> {
    let line = ["bumpdesk"].into_iter().chain(words.iter().map(String::as_str)).chain(["--help"]);
    // Options among the words would be read, and a value such as `demo` may follow a command: only commands count here.
    let mut command = CommandLine::definition();
    for word in words {
        command = command.find_subcommand(word)?.clone();
    }
    Some(CommandLine::read(line).err()?.render().to_string())
}

fn list(output: &mut Output<'_>) {
    let commands = commands();
    if output.json {
        for topic in TOPICS {
            output.object("topic", &TopicObject { name: topic.name, title: topic.title() });
        }
        for (name, about) in &commands {
            output.object("command", &CommandObject { name, about });
        }
        return;
    }
    if output.ui.plain {
        for topic in TOPICS {
            output.line(&Line::of(format!("topic {}: {}", topic.name, topic.title())));
        }
        for (name, about) in &commands {
            output.line(&Line::of(format!("command {name}: {about}")));
        }
        return;
    }
    output.line(&Line::of("Topics, each printed by `bumpdesk help TOPIC`:"));
    for topic in TOPICS {
        output.line(&Line::of(format!("  {:<16} {}", topic.name, topic.title())).hanging(19));
    }
    output.line(&Line::default());
    output.line(&Line::of("Commands, each explained by `bumpdesk help COMMAND`:"));
    for (name, about) in &commands {
        output.line(&Line::of(format!("  {name:<16} {about}")).hanging(19));
    }
}

/// Shows a page in the user's pager if it is longer than the terminal, and prints it otherwise.
async fn show(name: &str, text: &str, environment: &Environment, console: Console, output: &mut Output<'_>) {
    let at_terminal = environment.stdin_is_terminal && environment.stdout_is_terminal;
    let rows = (console.size)().map_or(0, |(_, rows)| usize::from(rows));
    if at_terminal && !output.ui.plain && text.lines().count() >= rows {
        let pager = Desktop::new(environment, None);
        match pager.show(Viewer::Pager, &format!("{}.md", name.replace(' ', "-")), text.as_bytes()).await {
            Ok(()) => return,
            Err(error) => runner::tell_note(output, &error),
        }
    }
    for line in text.lines() {
        output.line(&Line::of(line));
    }
}

fn unknown(name: &str) -> Failure {
    let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    let commands = commands();
    let known: Vec<&str> =
        topics.iter().copied().chain(commands.iter().map(|(name, _)| name.as_str())).collect();
    let begun = || known.iter().copied().find(|known| known.starts_with(name));
    let suggestion = nearest(name, known.iter().copied()).or_else(begun);
    let suggestion = suggestion.map(|near| format!("Write `{near}` if you mean that. "));
    Failure::new(FailureKind::Usage, "looking up help")
        .cause(format!("there is no topic and no command `{name}`"))
        .hint(format!("{}Topics: {}.", suggestion.unwrap_or_default(), topics.join(", ")))
}

/// Type `topic`: one page of the manual, by its name.
#[derive(Serialize)]
struct TopicObject<'a> {
    name: &'a str,
    title: &'a str,
}

/// Type `command`: one command, by its name.
#[derive(Serialize)]
struct CommandObject<'a> {
    name: &'a str,
    about: &'a str,
}

/// Type `page`: a topic's Markdown, or what a command says of itself.
#[derive(Serialize)]
struct PageObject<'a> {
    name: &'a str,
    text: &'a str,
}
