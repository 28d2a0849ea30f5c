//! The console: what maintainers see and press. It draws what jobs report and decides nothing of the domain.
//!
//! `update` is the only way into the model and returns effects as data; `view` draws it; `runtime` is the loop between
//! terminal, clock and engine, and `terminal` gives the terminal back on every exit. Called by `front` through [`run`].

mod chord;
mod field;
mod glyphs;
mod heard;
mod keeping;
mod keymap;
mod layout;
mod look;
mod model;
mod mouse;
mod msg;
mod osc52;
mod outside;
mod past;
mod places;
mod planning;
mod runtime;
mod screens;
mod searching;
mod signals;
mod terminal;
mod text;
mod theme;
mod update;
mod verifying;
mod view;
mod views;
mod widgets;
mod work;

#[cfg(test)]
mod tests;

pub use chord::Chord;
pub use glyphs::Glyphs;
pub use keymap::{KeyRow, keys};
pub(crate) use keymap::{KeysFile, Mistake};
pub use layout::Size;
pub use model::{Model, Options};
pub use msg::{Effect, Msg};
pub(crate) use osc52::Multiplexer;
pub(crate) use outside::{Outside, Viewer};
pub(crate) use runtime::{Error, run};
pub(crate) use terminal::size as terminal_size;
pub(crate) use theme::Shelf;
pub use update::update;
pub use view::view;
