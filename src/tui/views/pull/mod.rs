//! The pull request of the plan, before it is sent, while it is, and after: gates, how it would be opened, every request, and
//! the field for the digits. A part of Changes. Whether it may be sent the desk says; nothing here starts a job.

mod availability;
mod fields;
mod legend;
mod parts;
mod state;
mod update;
mod view;

pub(crate) use state::Pull;
