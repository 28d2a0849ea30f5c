//! What the check of one target says: four separate answers, the row's state, a plain reading and what can be done.
//!
//! A row holds only what was observed (`Row`); everything else follows from it. Nothing here is ever taken as fine for lack of
//! knowledge: what was not asked, not read or cut off has an answer of its own. Called by `jobs::verify` and by the faces.

mod alike;
mod answers;
mod coverage;
mod reading;
mod row;
mod signed;
mod table;
mod tally;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use alike::Alike;
pub(crate) use answers::Answers;
pub use answers::{Answer, State};
pub(crate) use coverage::{Compared, Coverage};
pub use reading::Case;
pub(crate) use reading::{NO_URL, PUT_BACK, add_targets, uploaded_later};
pub(crate) use row::{AssetSays, Listed, Stored, TagIs, TagSays, Times};
pub use row::{Computed, Row, SignatureSays, Zip};
pub(crate) use table::{is_listed, table};
pub(crate) use tally::Tally;
