//! Text for a stream: lines and the sanitiser, progress, exits, and the runner of jobs that prints what they say.
//!
//! What the command line and the line mode share. Makes no decision, and knows neither of the two.

pub(crate) mod exit;
pub(crate) mod json;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod runner;
pub(crate) mod text;
mod wrap;
