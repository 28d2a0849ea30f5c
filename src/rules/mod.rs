//! Conclusions from the facts: verdicts, proposals, differences. Pure, total, synchronous; nothing here can fail or touch the
//! world.
//!
//! - An entry's status: the table `status`, the judgement `judge`, its words `verdict` and `finding`; files without a network
//!   `lint`.
//! - A rebuild of a file: `rebuild` in the registry's own form (`go_form`), or an `edit` that no bump makes, as a `proposal` with
//!   its `diff`; many of them, each with its approval or rejection: `plan`. Versions that clients cannot tell apart: `twins`.
//! - Hashes and sizes that indexed targets lack, and their values: `backfill`.
//! - New entries for the registry, and what its forms refuse: `submission`. Warnings that clients show to the users of a
//!   provider: `warning`.
//! - Permits for the removal of indexed versions, and the reply where there is none: `policy`.
//! - A release and its archives: names and checksums `anatomy`, zips `archive`, hashes `hash`, the systems of programs
//!   `executable`, keys and signatures `signature` and `key_sheet`. Their comparison with the stored data: `verify`. The steps
//!   of a client: `client`. Lock files: `lock`.
//! - The list: `filter`, `order`, saved together as a `view`; what is kept of it `memory`. What a maintainer
//!   knows of versions beside it: `notice`. The files that bumps changed on each day: `activity`.
//! - Writes to GitHub, and the gates before them: `sending`; their results: `watch`, and on GitHub's machines `actions`. Pull
//!   requests of others, made again: `review`.
//! - Why a version is not available, from one typed line: `triage`; what no bump brings by itself: `stranded`.
//! - Words for people: `amount`, `spelling`, names that read alike `look_alike`, suggestions for an unknown address
//!   `suggestion`, two values one below the other `compare`. `plain_text` removes everything that a terminal would obey, and
//!   `markdown` everything that a page would.

pub(crate) mod actions;
pub(crate) mod activity;
pub(crate) mod amount;
pub(crate) mod anatomy;
pub(crate) mod archive;
pub(crate) mod backfill;
pub(crate) mod client;
pub(crate) mod compare;
pub(crate) mod decision;
pub(crate) mod diff;
pub(crate) mod edit;
pub(crate) mod executable;
pub(crate) mod filter;
pub(crate) mod finding;
pub(crate) mod go_form;
pub(crate) mod hash;
mod judge;
mod key_sheet;
pub(crate) mod lint;
pub(crate) mod lock;
mod look_alike;
pub(crate) mod markdown;
pub(crate) mod memory;
pub(crate) mod notice;
mod now;
pub(crate) mod order;
pub(crate) mod plain_text;
pub(crate) mod plan;
pub(crate) mod policy;
mod proposal;
pub(crate) mod pull_steps;
pub(crate) mod rebuild;
pub(crate) mod retry;
pub(crate) mod review;
pub(crate) mod sending;
pub(crate) mod signature;
pub(crate) mod spelling;
mod status;
pub(crate) mod stranded;
pub(crate) mod submission;
pub(crate) mod suggestion;
pub(crate) mod triage;
pub(crate) mod twins;
mod verdict;
pub(crate) mod verify;
pub(crate) mod view;
pub(crate) mod warning;
pub(crate) mod watch;

pub use finding::{Finding, Severity};
pub(crate) use judge::{
    ALL_MOVED, Breakage, Case, FACTS_LAST, Keys, NORMAL_DELAY, NotChecked, UNASKED_LAST, all_tags_moved,
    breakage, check_signature, feed_gate_holds, forget, holding, indexed_tag, is_name_reused, is_older,
    judge, judge_gated, missing_tags, signed_files, tag_version,
};
pub(crate) use key_sheet::{KeyLine, KeyPreview, KeySheet};
pub(crate) use now::{Holds, Now};
pub(crate) use proposal::Proposal;
pub use proposal::{Class, Mode};
pub use status::Status;
pub(crate) use status::{Level, Remedy};
pub use verdict::{Because, Depth, PublishedBy, Source, Verdict, VersionMark};
pub(crate) use verdict::{Gap, TAG_MOVED, VersionState, left_out};
