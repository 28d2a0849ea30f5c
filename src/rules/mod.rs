//! What follows: verdicts, proposals, differences. Pure, total, synchronous; nothing here can fail or touch the world.

pub mod anatomy;
pub mod archive;
pub mod client;
pub mod diff;
pub mod filter;
mod finding;
mod go_form;
pub mod hash;
mod judge;
mod key_sheet;
pub mod lint;
pub mod lock;
pub mod memory;
pub mod mistake;
pub mod order;
pub mod plain_text;
pub mod plan;
mod proposal;
pub mod rebuild;
pub mod retry;
pub mod signature;
pub mod span;
mod status;
mod verdict;
pub mod verify;
pub mod view;

pub use finding::{Finding, Severity};
pub use judge::{
    Case, FACTS_LAST, Keys, NotChecked, SignedFiles, check_signature, feed_gate_holds, indexed_tag,
    is_name_reused, is_older, judge, judge_gated, missing_tags, signed_files, tag_version,
};
pub use key_sheet::{KeyLine, KeyPreview, KeySheet};
pub use proposal::{Class, Mode, Proposal};
pub use status::{Status, StatusRow};
pub use verdict::{Because, Depth, Published, PublishedBy, Source, Verdict, VersionMark, VersionState};
