//! Connects the faces: the command line opens the console, drawn or in lines, and lists its keys, without knowing
//! them. Hands the console what the surroundings do for it.

use std::pin::Pin;
use std::sync::Arc;

use crate::boot::desktop::Desktop;
use crate::boot::{Environment, Ui, UserFile, desktop};
use crate::cli::{Console, ConsoleOptions, KeyMistake, KeyRow, KeyTable, Starting};
use crate::jobs::data::{Failure, FailureKind};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::rules::Depth;
use crate::settings::{ColorDepth, ThemeText};
use crate::tui::{Glyphs, Multiplexer, Outside, Size, Themes};
use crate::{line, tui};

#[cfg(test)]
mod tests;

/// The console; the binary hands this to [`crate::cli::run`].
pub const CONSOLE: Console = Console { open, lines, keys, themes, no_theme, size: tui::terminal_size };

fn lines<'a>(
    runner: &'a mut Runner<'_>,
    name: Option<String>,
    survey: Option<Depth>,
) -> Pin<Box<dyn Future<Output = Result<Exit, Failure>> + 'a>> {
    Box::pin(line::hold(runner, name, survey))
}

fn themes(own: &[ThemeText]) -> Vec<String> {
    Themes::new(own, ColorDepth::True).problems
}

fn keys(file: Option<&UserFile>) -> KeyTable {
    let row = |row: tui::KeyRow| KeyRow {
        place: row.place,
        contexts: row.contexts,
        keys: row.keys,
        name: row.name,
        label: row.label,
        command: row.command,
        line: line::form_of(row.name, row.ability),
        only_drawn: line::only_drawn(row.name),
    };
    let mistake = |mistake: tui::Mistake| KeyMistake {
        line: mistake.line,
        column: mistake.column,
        text: mistake.text,
        hint: mistake.hint,
    };
    let (rows, mistakes, taken) = tui::keys(file.map(text_of).as_ref());
    KeyTable {
        rows: rows.into_iter().map(row).collect(),
        mistakes: mistakes.into_iter().map(mistake).collect(),
        taken: taken.into_iter().map(mistake).collect(),
    }
}

fn text_of(file: &UserFile) -> tui::KeysFile {
    tui::KeysFile { path: file.path.display().to_string(), text: file.text.clone() }
}

fn open<'a>(
    engine: Starting<'a>,
    options: ConsoleOptions,
) -> Pin<Box<dyn Future<Output = Result<Option<String>, Failure>> + 'a>> {
    Box::pin(async move {
        let ui = &options.ui;
        let themes = Themes::new(&ui.themes, ui.depth);
        let theme = theme(&themes, ui).map_err(|why| failure(FailureKind::Usage, why))?;
        let outside = outside(&options.environment, ui.browser.as_deref());
        let options = tui::Options {
            glyphs: if ui.ascii { Glyphs::Ascii } else { Glyphs::Unicode },
            follow: theme.is_none() && ui.depth != ColorDepth::None && answers(&options.environment),
            ground: ui.ground.unwrap_or_default(),
            no_motion: !ui.motion,
            mouse: ui.mouse,
            registry_hint: options.registry.map(|folder| options.name.clone().unwrap_or(folder)),
            registry_name: options.name,
            survey: options.survey,
            log: options.log,
            keys_file: options.keys_file.as_ref().map(text_of),
            themes,
            theme,
            ..tui::Options::new(options.now, Size::new(80, 24))
        };
        tui::run(engine, options, outside).await.map_err(|error| match error {
            tui::Error::Start(failure) => failure,
            other => failure(FailureKind::Internal, other.to_string()),
        })
    })
}

fn no_theme(ui: &Ui) -> Option<String> {
    // Most commands ask for no theme, so the themes need not be read.
    chosen_theme(ui)?;
    theme(&Themes::new(&ui.themes, ColorDepth::True), ui).err()
}

fn chosen_theme(ui: &Ui) -> Option<&str> {
    ui.theme.as_deref().filter(|name| *name != "auto")
}

/// The theme that was asked for; `None` goes by the terminal's background. One of the user's own that is wrong is told by the
/// console, which goes on without it.
fn theme(themes: &Themes, ui: &Ui) -> Result<Option<String>, String> {
    let Some(name) = chosen_theme(ui) else { return Ok(None) };
    let own = ui.themes.iter().any(|theme| theme.name == name);
    if own || themes.find(name).is_some() { Ok(Some(name.to_owned())) } else { Err(themes.missing(name)) }
}

/// Returns true if the terminal answers a query for its background. The Linux console shows the query instead.
fn answers(environment: &Environment) -> bool {
    environment.text("TERM").is_some_and(|term| !term.starts_with("linux"))
}

fn outside(environment: &Environment, browser: Option<&str>) -> Outside {
    let desktop = Arc::new(Desktop::new(environment, browser));
    let mut outside = Outside { multiplexer: multiplexer(environment), ..Outside::default() };
    if desktop.has_browser() {
        let desktop = Arc::clone(&desktop);
        outside.browser = Some(Arc::new(move |url| {
            let desktop = Arc::clone(&desktop);
            Box::pin(async move { desktop.browse(&url).await })
        }));
    }
    if desktop.has_clipboard() {
        let desktop = Arc::clone(&desktop);
        outside.clipboard = Some(Arc::new(move |text| {
            let desktop = Arc::clone(&desktop);
            Box::pin(async move { desktop.copy(&text).await })
        }));
    }
    if desktop.has_editor() {
        let desktop = Arc::clone(&desktop);
        outside.editor = Some(Arc::new(move |text| {
            let desktop = Arc::clone(&desktop);
            Box::pin(async move { desktop.edit(&text).await })
        }));
    }
    if desktop.has_viewer() {
        outside.viewer = Some(Arc::new(move |viewer, path, bytes| {
            let desktop = Arc::clone(&desktop);
            let viewer = match viewer {
                tui::Viewer::Editor => desktop::Viewer::Editor,
                tui::Viewer::Pager => desktop::Viewer::Pager,
            };
            Box::pin(async move { desktop.show(viewer, &path, &bytes).await })
        }));
    }
    outside
}

fn multiplexer(environment: &Environment) -> Multiplexer {
    if environment.variable("TMUX").is_some() {
        Multiplexer::Tmux
    } else if environment.variable("STY").is_some() {
        Multiplexer::Screen
    } else {
        Multiplexer::None
    }
}

fn failure(kind: FailureKind, cause: String) -> Failure {
    Failure::new(kind, "opening the console").cause(cause)
}
