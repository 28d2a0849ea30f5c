//! The actions of the console: the keys of each place with their meaning, label and command line, and the reasons why one
//! cannot be done.
//!
//! [`table`] is the one place where an action is declared; hints, the `?` page, the palette, which-key boxes, the key
//! file, `bumpdesk keys` and the tests are made from it. Called by `update` (a key), by the widgets that show keys, and
//! by the front door for lists of keys. Does nothing itself.

mod action;
mod bindings;
pub(super) mod chord;
mod clash;
mod commands;
mod context;
mod file;
mod keyboard;
mod listing;
pub(super) mod mouse;
pub(super) mod next_step;
mod search;
mod section;
mod spelling;
mod table;
mod view_id;

pub(crate) use action::{Availability, Check, Command, HintKeys, Reason, refuse};
pub(crate) use bindings::{Bindings, Bound, Meaning, shown};
pub(crate) use chord::pressed as chord;
#[cfg(test)]
pub(crate) use commands::COMMANDS;
pub(crate) use commands::{CommandOnly, Subject, line_about};
pub(crate) use context::Context;
pub(crate) use file::Mistake;
pub(crate) use keyboard::{Keyboard, KeysFile, is_pasted, is_text};
pub use listing::{KeyRow, keys};
pub(crate) use search::{Found, Hit, search};
pub(crate) use table::OPEN;
pub(crate) use view_id::{HOME, Place as ViewPlace, VIEW_NUMBERS, VIEWS, ViewId};

#[cfg(test)]
mod tests;
