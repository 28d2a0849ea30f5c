//! Pieces that several screens draw with. They know texts, styles and areas, and nothing of what is shown.

pub mod footer;
pub mod header;
pub mod help;
pub mod popup;
pub mod progress;
pub mod story;
pub mod strip;
