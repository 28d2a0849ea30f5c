//! Connects the two faces: the command line opens the console without knowing it.

use std::future::Future;
use std::pin::Pin;

use crate::cli::ConsoleOptions;
use crate::jobs::Engine;
use crate::tui;
use crate::tui::Glyphs;
use crate::tui::Size;
use crate::tui::ThemeName;

/// Opens the console; the binary hands this to [`crate::cli::run`].
pub fn open_console(
    engine: Engine,
    options: ConsoleOptions,
) -> Pin<Box<dyn Future<Output = Result<(), String>>>> {
    Box::pin(async move {
        let theme = match options.ui.theme.as_deref() {
            None => ThemeName::Dark,
            Some(name) => ThemeName::from_name(name).ok_or_else(|| {
                format!(
                    "there is no theme `{name}`; known: {}",
                    ThemeName::ALL.map(ThemeName::name).join(", ")
                )
            })?,
        };
        let options = tui::Options {
            glyphs: if options.ui.ascii { Glyphs::Ascii } else { Glyphs::Unicode },
            theme: if options.ui.color { theme } else { ThemeName::Mono },
            no_motion: options.no_motion,
            now: options.now,
            size: Size::new(80, 24),
            registry_hint: options.registry,
            registry_name: None,
            survey: options.survey,
            browse: None,
        };
        tui::run(async { Ok(engine) }, options).await.map_err(|error| error.to_string())
    })
}
