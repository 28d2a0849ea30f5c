//! Plain values: where the servers are, how fast we may ask them, and which format features are on.
//!
//! Nothing here reads the environment, a file or a clock; `boot` builds the settings from arguments, environment and
//! configuration, and everything below the faces takes what it needs from it.

mod endpoints;
mod features;
mod look;
mod pace;
mod words;

pub use endpoints::Endpoints;
pub use features::{Feature, Features};
pub(crate) use look::{ColorDepth, Ground, ThemeText};
pub use pace::Pace;
pub(crate) use pace::{Lane, LanePace};
pub(crate) use words::words;
