//! Backfills: h1 and size of indexed targets that lack them.
//!
//! What is asked for is a `select`ion; what lacks something is an `item`, and all of them on one base make a plan with a digest.
//! `estimate` says what it will cost, `cut` shares it out, `row` says what became of each, and `fill` is the one change that follows: h1 and
//! size of that target, and nothing else (`registry.md#hashes`). Asks nobody. Called by `jobs::backfill`.

mod cut;
mod estimate;
mod fill;
mod item;
mod row;
mod select;

pub(crate) use cut::{Share, cut};
pub(crate) use estimate::{Estimate, FileGaps};
pub(crate) use fill::{Fill, fill, is_h1};
pub(crate) use item::{Item, items, items_digest, plan_digest};
pub use row::Row;
pub(crate) use row::{FillResult, State, Tally, drifted, fills, states};
pub(crate) use select::{Selected, Selection};

/// Digits of a plan's digest that are shown.
pub(crate) const SHORT: usize = 12;
