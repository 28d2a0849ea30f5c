//! The console: what maintainers see and press. It draws what jobs report and decides nothing of the domain.
//!
//! Its rooms, each naming only those below it: `shell` (the model, the only way into it, the loop between terminal, clock and
//! engine), `views` (one folder each, which know neither the model nor each other), `widgets`, `keymap` (the table of keys and the
//! table of views), `base` (text, areas, colours, glyphs). Called by `front` through [`run`].

mod base;
mod keymap;
mod shell;
mod views;
mod widgets;

#[cfg(test)]
pub(crate) mod tests;

pub use base::glyphs::Glyphs;
pub use base::layout::Size;
pub(crate) use base::theme::Themes;
#[cfg(test)]
pub(crate) use keymap::COMMANDS;
pub use keymap::chord::Chord;
pub use keymap::{KeyRow, keys};
pub(crate) use keymap::{KeysFile, Mistake};
pub use shell::draw::view;
#[cfg(test)]
pub(crate) use shell::model::Popup;
pub use shell::model::{Model, Options};
pub use shell::msg::{Effect, Msg};
pub(crate) use shell::osc52::Multiplexer;
pub(crate) use shell::outside::{Outside, Viewer};
pub(crate) use shell::runtime::{Error, run};
pub(crate) use shell::terminal::size as terminal_size;
pub use shell::update::update;
