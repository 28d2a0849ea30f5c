//! What the tables of the screen share.

mod menu;

pub(crate) use menu::{MenuReply, SortChoice, SortMenu};
