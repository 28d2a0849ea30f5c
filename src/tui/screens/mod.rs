//! One folder a screen: its state, what keys do to it, and how it is drawn. Screens are values and hold no hands:
//! they start nothing and know no channel.

pub(super) mod changes;
pub(super) mod diff;
pub(super) mod entry;
pub(super) mod inventory;
pub(super) mod jobs;
pub(super) mod verify;
