//! Hygiene (acceptance 9): what a terminal would obey never reaches it from outside, and the token goes nowhere but to the
//! configured hosts.

pub(crate) mod pulls;
mod screens;
mod text;
mod token;
pub(crate) mod world;
