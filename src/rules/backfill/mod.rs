//! Backfills: h1 and size of indexed targets that lack them.
//!
//! The request is a `select`ion; a target that lacks something is an `item`, and all items on one base make a plan with a digest.
//! `estimate` gives the cost of the plan, `cut` shares it out, `row` holds the result of each item, and `fill` is the one change
//! that follows: h1 and size of that target, and nothing else (`registry.md#hashes`). Makes no request. Called by
//! `jobs::backfill`.

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
