//! Pieces that several views draw with: values and drawing. They may know what the domain says of one thing (a verdict, a sheet of
//! keys), and never which view is seen, nor the model.

pub(super) mod answer;
pub(super) mod ask;
pub(super) mod card;
pub(super) mod compare;
pub(super) mod diff;
pub(super) mod field;
pub(super) mod form;
pub(super) mod gauge;
pub(super) mod grid;
pub(super) mod help;
pub(super) mod keys;
pub(super) mod legend;
pub(super) mod level_bar;
pub(super) mod message;
pub(super) mod palette;
pub(super) mod popup;
pub(super) mod progress;
pub(super) mod search;
pub(super) mod sparkline;
pub(super) mod story;
pub(super) mod strip;
pub(super) mod table;
pub(super) mod which_key;
