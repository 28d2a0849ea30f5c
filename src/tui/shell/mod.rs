//! The shell of the console: the model, the only way into it, what it draws, and the loop between terminal, clock and engine.
//!
//! It alone names the model and its effects. Views, widgets, keys and what lies below them are told what they need. What a single
//! view does stands in its folder in `views`.
//!
//! - Something happens: `msg` is what, `update` says who takes it: `requests` (of a view), `places` (another view), `mouse`.
//! - Something is asked of jobs: `work`; of the plan `planning`, of the memory `keeping`, of an editor or a pager `look`, of one line
//!   that asks `triaging`; in a field above the screen `lines`. What is told is copied by `copying`.
//! - What jobs answer: `events`, and how they ended: `endings`.
//! - What there is (`model`, `views`), what may be done now (`availability`) and what that is called (`hinting`), how all of it is
//!   drawn (`draw`, `header`, `footer`).
//! - The world around: the loop (`runtime`), the terminal and its signals (`terminal`, `signals`, `osc52`), other programs
//!   (`outside`).

pub(super) mod availability;
pub(super) mod copying;
pub(super) mod draw;
pub(super) mod endings;
pub(super) mod events;
pub(super) mod footer;
pub(super) mod header;
pub(super) mod hinting;
pub(super) mod keeping;
pub(super) mod lines;
pub(super) mod look;
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
