//! What the check of one target says: four separate answers, the row's state, a plain reading and what can be done.
//!
//! A row holds only what was observed (`Row`); everything else follows from it. Nothing here is ever taken as fine for lack of
//! knowledge: what was not asked, not read or cut off has an answer of its own. Called by `jobs::verify` and by both faces.

mod answers;
mod reading;
mod row;
mod signed;
mod tally;
#[cfg(test)]
mod tests;

pub use answers::{Answer, Answers, State};
pub use reading::{Case, newer_by};
pub use row::{AssetSays, Computed, Listed, Row, SignatureSays, Stored, TagIs, TagSays, Times, Zip};
pub use tally::Tally;
