//! The shell of the console: the model, the only way into it, what it draws, and the loop between terminal, clock and engine.
//!
//! It alone names the model and its effects. Views, widgets and keys get what they need as arguments. What a single view
//! does stands in its folder in `views`.
//!
//! - Something happens: `msg` is what, `update` says who takes it: `requests` (of a view), `places` (another view), `mouse`.
//! - It starts jobs: `work`; about the plan `planning`, for the memory `keeping`, for an editor or a pager `editor`, for a line that asks
//!   why something is not available `triaging`; from a form above the screen `forms`. `copying` copies what a screen shows.
//! - It takes the events of jobs, and their ends: `events`.
//! - The state: `model`, `views`, `jumps`. The commands that are available now: `availability`, and their hints: `hinting`. The drawing:
//!   `draw`, `header`, `footer`.
//! - The world around: the loop (`runtime`), the terminal and its signals (`terminal`, `signals`, `osc52`), other programs
//!   (`outside`).

pub(super) mod availability;
pub(super) mod copying;
pub(super) mod draw;
pub(super) mod editor;
pub(super) mod events;
pub(super) mod footer;
pub(super) mod forms;
pub(super) mod header;
pub(super) mod hinting;
pub(super) mod jumps;
pub(super) mod keeping;
pub(super) mod model;
pub(super) mod mouse;
pub(super) mod msg;
pub(super) mod osc52;
pub(super) mod outside;
pub(super) mod places;
pub(super) mod planning;
pub(super) mod requests;
pub(super) mod runtime;
pub(super) mod signals;
pub(super) mod terminal;
pub(super) mod triaging;
pub(super) mod update;
pub(super) mod views;
pub(super) mod work;
