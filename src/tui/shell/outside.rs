//! What the surroundings do for the console: a browser, a clipboard, an editor, a pager. Functions that the front door makes and
//! `runtime` calls; the model only knows whether they are there. This module starts nothing by itself.

use std::pin::Pin;
use std::sync::Arc;

use crate::rules::amount::counted;
use crate::rules::diff::Lines;
use crate::tui::shell::osc52::Multiplexer;
use crate::tui::widgets::message::Tone;

/// What a program outside answered or did, for the message line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramReply {
    pub(crate) tone: Tone,
    pub(crate) text: String,
    /// A text that did not reach the clipboard and is to go through the terminal instead.
    pub(crate) uncopied: Option<String>,
}

impl ProgramReply {
    pub(crate) fn new(tone: Tone, text: String) -> Self {
        Self { tone, text, uncopied: None }
    }
}

/// Work outside, under way.
pub(crate) type Doing = Pin<Box<dyn Future<Output = ProgramReply> + Send>>;

/// Takes one text, and tells how it went: with what it was done, or why it was not.
pub(crate) type Call =
    Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send>> + Send + Sync>;

/// Shows a file's text with a program that takes the terminal over; `Err` is told.
pub(crate) type ShowFile = Arc<
    dyn Fn(Viewer, String, Vec<u8>) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send>> + Send + Sync,
>;

/// Which program shows a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Viewer {
    Editor,
    Pager,
}

/// Something to look at outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub(crate) viewer: Viewer,
    /// The path of the data file, for its name.
    pub(crate) path: String,
    pub(crate) text: PageText,
}

/// The text of a page; the patch is made when it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PageText {
    Whole(Arc<[u8]>),
    Patch(Arc<Lines>),
}

/// Lines around a change in a patch.
const AROUND: usize = 3;

/// What there is outside. What is missing is `None`.
#[derive(Clone, Default)]
pub(crate) struct Outside {
    pub(crate) browser: Option<Call>,
    /// A clipboard of this machine's own; without it the terminal is asked.
    pub(crate) clipboard: Option<Call>,
    pub(crate) viewer: Option<ShowFile>,
    /// Takes a text, and gives it back as an editor left it.
    pub(crate) editor: Option<Call>,
    pub(crate) multiplexer: Multiplexer,
}

impl Outside {
    /// Opens a URL.
    pub(crate) fn browse(&self, url: String) -> Doing {
        let Some(call) = self.browser.clone() else {
            return at_once(Tone::Error, format!("no browser was found; the address is {url}"));
        };
        Box::pin(async move {
            match call(url.clone()).await {
                Ok(with) => ProgramReply::new(Tone::Reply, format!("opened with {with}: {url}")),
                Err(why) => ProgramReply::new(Tone::Error, format!("{why}; the address is {url}")),
            }
        })
    }

    /// Copies a text.
    pub(crate) fn copy(&self, text: String) -> Doing {
        let Some(call) = self.clipboard.clone() else {
            return at_once(Tone::Error, "no clipboard was found".into());
        };
        Box::pin(async move {
            match call(text.clone()).await {
                Ok(with) => ProgramReply::new(Tone::Reply, format!("copied with {with}: {}", brief(&text))),
                Err(why) => ProgramReply { uncopied: Some(text), ..ProgramReply::new(Tone::Warning, why) },
            }
        })
    }

    /// Has a text edited; the terminal belongs to the program until this ends.
    pub(crate) fn edit(&self, text: String) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send>> {
        match &self.editor {
            Some(call) => call(text),
            None => Box::pin(std::future::ready(Err("no editor was found; set EDITOR".to_owned()))),
        }
    }

    /// Shows a page; the terminal belongs to the program until this ends.
    pub(crate) fn show(&self, page: Page) -> Doing {
        let Some(call) = self.viewer.clone() else {
            return at_once(Tone::Error, "no program was found to show it".into());
        };
        Box::pin(async move {
            let Page { viewer, path, text } = page;
            let (name, bytes) = match text {
                PageText::Whole(bytes) => (path, bytes.to_vec()),
                PageText::Patch(lines) => (format!("{path}.diff"), lines.unified(&path, AROUND).into_bytes()),
            };
            let what = match viewer {
                Viewer::Editor => "the editor showed a copy; the registry's file is as it was",
                Viewer::Pager => "back from the pager",
            };
            match call(viewer, name, bytes).await {
                Ok(()) => ProgramReply::new(Tone::Reply, what.into()),
                Err(why) => ProgramReply::new(Tone::Error, why),
            }
        })
    }
}

/// A text of one line, or the first line and how many more there are.
fn brief(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    match lines.count() as u64 {
        0 => first.to_owned(),
        more => format!("{first} (and {} more)", counted(more, "line")),
    }
}

fn at_once(tone: Tone, text: String) -> Doing {
    Box::pin(std::future::ready(ProgramReply::new(tone, text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line at the foot is for what was done; the text itself is in the clipboard.
    #[test]
    fn many_lines_that_were_copied_are_told_in_one() {
        assert_eq!(brief("a/b"), "a/b");
        assert_eq!(
            brief("### `a/b`: DRIFT\n\n- **why**: it differs\n"),
            "### `a/b`: DRIFT (and 2 lines more)"
        );
    }
}
