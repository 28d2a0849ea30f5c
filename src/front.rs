//! Connects the two faces: the command line opens the console, and lists its keys, without knowing it.

use std::pin::Pin;

use crate::boot::UserFile;
use crate::cli::Console;
use crate::cli::ConsoleOptions;
use crate::cli::KeyMistake;
use crate::cli::KeyRow;
use crate::cli::KeyTable;
use crate::cli::Starting;
use crate::jobs::Failure;
use crate::jobs::FailureKind;
use crate::tui;
use crate::tui::Glyphs;
use crate::tui::Size;
use crate::tui::ThemeName;

/// The console; the binary hands this to [`crate::cli::run`].
pub const CONSOLE: Console = Console { open, keys };

fn keys(file: Option<&UserFile>) -> KeyTable {
    let row = |row: tui::KeyRow| KeyRow {
        place: row.place,
        contexts: row.contexts,
        keys: row.keys,
        name: row.name,
        label: row.label,
        twin: row.twin,
    };
    let mistake = |mistake: tui::Mistake| KeyMistake {
        line: mistake.line,
        column: mistake.column,
        text: mistake.text,
        hint: mistake.hint,
    };
    let (rows, mistakes) = tui::keys(file.map(text_of).as_ref());
    KeyTable {
        rows: rows.into_iter().map(row).collect(),
        mistakes: mistakes.into_iter().map(mistake).collect(),
    }
}

fn text_of(file: &UserFile) -> tui::KeysFile {
    tui::KeysFile { path: file.path.display().to_string(), text: file.text.clone() }
}

fn open<'a>(
    engine: Starting<'a>,
    options: ConsoleOptions,
) -> Pin<Box<dyn Future<Output = Result<(), Failure>> + 'a>> {
    Box::pin(async move {
        let theme = match options.ui.theme.as_deref() {
            None => ThemeName::Dark,
            Some(name) => ThemeName::from_name(name).ok_or_else(|| no_theme(name))?,
        };
        let options = tui::Options {
            glyphs: if options.ui.ascii { Glyphs::Ascii } else { Glyphs::Unicode },
            theme: if options.ui.color { theme } else { ThemeName::Mono },
            no_motion: options.no_motion,
            now: options.now,
            size: Size::new(80, 24),
            registry_hint: options.registry.map(|folder| options.name.clone().unwrap_or(folder)),
            registry_name: options.name,
            survey: options.survey,
            browse: None,
            keys_file: options.keys_file.as_ref().map(text_of),
        };
        tui::run(engine, options).await.map_err(|error| match error {
            tui::Error::Start(failure) => failure,
            other => failure(FailureKind::Internal, other.to_string()),
        })
    })
}

fn no_theme(name: &str) -> Failure {
    let known = ThemeName::ALL.map(ThemeName::name).join(", ");
    failure(FailureKind::Usage, format!("there is no theme `{name}`; known: {known}"))
}

fn failure(kind: FailureKind, cause: String) -> Failure {
    Failure { kind, doing: "opening the console".into(), causes: vec![cause], hint: None }
}
