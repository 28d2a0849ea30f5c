//! The lines of a difference with folds, as the proposed rebuild and the review of the plan show them: moving, folding,
//! searching, three layouts, and the whole of a long value.
//!
//! Only rows inside the window are drawn, so a 2.5 MB file costs what a small one costs. It starts no job and knows neither
//! plan nor proposal; the screens that hold a [`Pane`] do.

mod banner;
mod draw;
mod folds;
mod json;
mod motion;
mod pane;
mod value;

pub(crate) use banner::{Counts, class};
pub(crate) use draw::{headline, view};
pub(crate) use pane::{Pane, Room};
pub(crate) use value::{ValueCard, view as value_view};
