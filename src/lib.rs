//! bumpdesk: the terminal console with which the maintainers of the OpenTofu registry run their registry.

pub mod boot;
pub mod cli;
pub mod demo;
pub mod front;
pub mod jobs;
pub mod registry;
pub mod remote;
pub mod rules;
pub mod settings;
pub mod store;
pub mod tui;
