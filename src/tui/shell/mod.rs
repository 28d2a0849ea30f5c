//! The shell of the console: the model, the only way into it, what it draws, and the loop between terminal, clock and engine.
//!
//! It alone names the model and its effects. Views, widgets, keys and what lies below them are told what they need.

pub(super) mod draw;
pub(super) mod footer;
pub(super) mod header;
pub(super) mod heard;
pub(super) mod keeping;
pub(super) mod legal;
pub(super) mod look;
pub(super) mod model;
pub(super) mod mouse;
pub(super) mod msg;
pub(super) mod osc52;
pub(super) mod outside;
pub(super) mod past;
pub(super) mod places;
pub(super) mod planning;
pub(super) mod runtime;
pub(super) mod signals;
pub(super) mod terminal;
pub(super) mod update;
pub(super) mod verifying;
pub(super) mod wishes;
pub(super) mod work;
