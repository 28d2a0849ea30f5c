//! Pieces that several screens draw with. They know texts, styles and areas, and nothing of what is shown.

pub(super) mod ask;
pub(super) mod diff;
pub(super) mod footer;
pub(super) mod header;
pub(super) mod help;
pub(super) mod keys;
pub(super) mod legend;
pub(super) mod note;
pub(super) mod palette;
pub(super) mod popup;
pub(super) mod progress;
pub(super) mod search;
pub(super) mod story;
pub(super) mod strip;
pub(super) mod which_key;
