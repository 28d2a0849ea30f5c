//! What `help` lists and prints.

use serde::Serialize;

/// Type `topic`: one page of the manual, by its name.
#[derive(Serialize)]
pub(crate) struct HelpTopic<'a> {
    pub(crate) name: &'a str,
    pub(crate) title: &'a str,
}

/// Type `command`: one command, by its name.
#[derive(Serialize)]
pub(crate) struct HelpCommand<'a> {
    pub(crate) name: &'a str,
    pub(crate) about: &'a str,
}

/// Type `page`: a topic's Markdown, or what a command says of itself.
#[derive(Serialize)]
pub(crate) struct HelpPage<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}
