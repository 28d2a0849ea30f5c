//! Reads the surroundings once and makes one [`Settings`] of them: defaults, then the configuration file, then variables,
//! then flags.
//!
//! The only reader of the environment and of the configuration, and with `store::git` the only starter of other programs.
//! Decides nothing about the registry. Called by `cli`, with flags as plain values, so that it knows no argument parser; the faces
//! read what it made.

mod colours;
mod config;
pub(crate) mod desktop;
mod environment;
mod far_sides;
mod flags;
pub(crate) mod program;
mod resolve;
mod table;
mod themes;
mod token;
mod user_file;
mod values;

pub(crate) use colours::depth as color_depth;
pub use environment::{Environment, Folders};
pub use flags::Flags;
pub use resolve::Settings;
pub(crate) use resolve::Ui;
pub(crate) use table::Origin;
pub(crate) use themes::read as themes;
pub(crate) use token::TokenSource;
pub(crate) use user_file::{UserFile, keys_file};
