//! The pull request of the plan before, during and after it is sent: its gates, its options, every request,
//! and the field for the digits. It is a part of Changes. The desk decides if it may be sent; nothing here
//! starts a job.

mod availability;
mod ending;
mod fields;
mod legend;
mod parts;
mod state;
mod update;
mod view;

pub(crate) use state::Pull;
