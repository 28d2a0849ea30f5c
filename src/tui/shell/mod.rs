//! The shell of the console: the model, the only way into it, what it draws, and the loop between terminal, clock and engine.
//!
//! It alone names the model and its effects. Views, widgets, keys and what lies below them are told what they need.
//!
//! - Something happens: `msg` is what, `update` says who takes it: `requests` (a view's), `places` (another view), `mouse`.
//! - Something is asked of jobs: `work`; of the plan `planning`, of its pull request `publishing`, of verification `verifying`, of journal and log `past`, of
//!   the memory `keeping`, of an editor or a pager `look`, of stranded versions `stranding`, of one line that asks `triaging`,
//!   of a backfill `filling`, of GitHub's machines `machines`; what is told is copied by `copying`. What jobs answer: `events`.
//! - What there is (`model`), what may be done now (`availability`) and what that is called (`hinting`), how all of it is drawn
//!   (`draw`, `header`, `footer`).
//! - The world around: the loop (`runtime`), the terminal and its signals (`terminal`, `signals`, `osc52`), other programs
//!   (`outside`).

pub(super) mod availability;
pub(super) mod copying;
pub(super) mod draw;
pub(super) mod events;
pub(super) mod filling;
pub(super) mod footer;
pub(super) mod header;
pub(super) mod hinting;
pub(super) mod keeping;
pub(super) mod look;
pub(super) mod machines;
pub(super) mod model;
pub(super) mod mouse;
pub(super) mod msg;
pub(super) mod osc52;
pub(super) mod outside;
pub(super) mod past;
pub(super) mod places;
pub(super) mod planning;
pub(super) mod publishing;
pub(super) mod requests;
pub(super) mod reviewing;
pub(super) mod runtime;
pub(super) mod signals;
pub(super) mod stranding;
pub(super) mod terminal;
pub(super) mod triaging;
pub(super) mod update;
pub(super) mod verifying;
pub(super) mod work;
